// SPDX-License-Identifier: GPL-2.0
/*
 * verdict.c - what is said about a verdict: its exit code, the title that findings are grouped by, and the report.
 *
 * A report always has the same five parts, a line each: title and subject, what was seen, the rule it breaks, where,
 * and how to see it again. The rule's line is left out when the title says it all.
 */
#include <stdio.h>

#include "fuzz/program.h"
#include "fuzz/sink.h"
#include "fuzz/verdict.h"

#define NO_OP (~0U)

enum exit_code verdict_exit_code(const struct verdict *verdict)
{
	switch (verdict->finding.kind) {
	case FINDING_NONE:
		return EXIT_CLEAN;
	case FINDING_SHIM:
		return EXIT_SHIM;
	case FINDING_HARNESS:
		return EXIT_HARNESS;
	default:
		return EXIT_FINDING;
	}
}

const char *verdict_title(const struct verdict *verdict, char *buf, unsigned long size)
{
	static const char *const kinds[NR_FINDING_KINDS] = {
		[FINDING_BUG] = "BUG",             [FINDING_WARN] = "WARN",   [FINDING_LOCKING] = "LOCKING",
		[FINDING_INVARIANT] = "INVARIANT", [FINDING_MODEL] = "MODEL", [FINDING_HANG] = "HANG",
		[FINDING_SHIM] = "SHIM",           [FINDING_HARNESS] = "HARNESS",
	};
	struct sink sink = { buf, size, 0 };

	if (verdict->finding.kind == FINDING_NONE)
		sink_put(&sink, "%s", "");
	else
		sink_put(&sink, "%s %s", kinds[verdict->finding.kind], verdict->finding.name);
	return buf;
}

/* "op 6 of 9: alloc_pages(order=0, gfp=GFP_KERNEL)" */
static void put_place(struct sink *sink, const struct verdict *verdict, const struct program *program)
{
	char op[512];

	if (verdict->op == NO_OP || verdict->op >= program->nr_ops) {
		sink_put(sink, "  at %s the %u ops", verdict->calls ? "the end of" : "the boot before", verdict->nr_ops);
		return;
	}
	op_print(program, verdict->op, op, sizeof(op));
	sink_put(sink, "  at op %u of %u: %s", verdict->op + 1, verdict->nr_ops, op);
	if (program->ops[verdict->op].repeat > 1)
		sink_put(sink, ", repeat %u of %u", verdict->repeat + 1, program->ops[verdict->op].repeat);
}

unsigned long verdict_report(const struct verdict *verdict, const struct program *program, const char *file,
			     char *text, unsigned long size)
{
	char title[VERDICT_TITLE_BYTES], kernel_text[KERNEL_TEXT_BYTES];
	const char *misuse = verdict->misuse ? "--misuse " : "";
	const struct finding *found = &verdict->finding;
	struct sink sink = { text, size, 0 };

	kernel_print(&verdict->kernel, kernel_text, sizeof(kernel_text));
	sink_put(&sink, "BUG: %s: %s\n", verdict_title(verdict, title, sizeof(title)), found->subject);
	sink_put(&sink, "  %s\n", found->detail);
	if (found->rule[0])
		sink_put(&sink, "  rule: %s\n", found->rule);
	if (verdict->consequence)
		sink_put(&sink, "  no defect: the program broke the callers' contract before, and this comes of it\n");
	put_place(&sink, verdict, program);
	sink_put(&sink, " on cpu %u, jiffies %lu\n", verdict->cpu, verdict->jiffies);
	sink_put(&sink, "  again: build/mmfuzz run %s--kernel %s ", misuse, kernel_text);
	sink_put_path(&sink, file);
	sink_put(&sink, "     story: build/mmfuzz explain %s--kernel %s ", misuse, kernel_text);
	sink_put_path(&sink, file);
	sink_put(&sink, "\n");
	return sink.length;
}
