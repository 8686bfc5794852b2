// SPDX-License-Identifier: GPL-2.0
/* verdict.c - titles, exit codes and the report (fuzz/verdict.c). */
#include <criterion/criterion.h>
#include <string.h>

#include "fuzz/program.h"
#include "fuzz/verdict.h"

#define KERNEL_TEXT "machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL) x64\nfree_pages(p0)\n"

static struct program program;

/* What the fair reset of v4.7-rc1 looks like. */
static struct verdict missed_zone(void)
{
	struct verdict verdict = {
		.finding = {
			.kind = FINDING_INVARIANT,
			.name = "zone_missed_after_reset",
			.subject = "page_alloc",
			.rule = "a NULL return means that all zones were looked at",
			.detail = "pass 2 examined 0 of 2 eligible zones",
		},
		.kernel = kernel_profile(PROFILE_V4_7_RC1),
		.op = 1,
		.nr_ops = 2,
		.cpu = 3,
		.jiffies = 4294937296,
		.calls = 65,
	};

	cr_assert(program_parse(&program, KERNEL_TEXT, strlen(KERNEL_TEXT), 1, NULL, NULL));
	return verdict;
}

static const char *report_of(const struct verdict *verdict, const char *file)
{
	static char text[4096];

	cr_assert_lt(verdict_report(verdict, &program, file, text, sizeof(text)), sizeof(text));
	return text;
}

Test(verdict, the_title_is_kind_and_name)
{
	struct verdict verdict = missed_zone();
	char title[VERDICT_TITLE_BYTES];

	cr_expect_str_eq(verdict_title(&verdict, title, sizeof(title)), "INVARIANT zone_missed_after_reset");
	verdict.finding.kind = FINDING_LOCKING;
	cr_expect_str_eq(verdict_title(&verdict, title, sizeof(title)), "LOCKING zone_missed_after_reset");
}

Test(verdict, a_clean_run_has_no_title)
{
	struct verdict verdict = { .finding.kind = FINDING_NONE };
	char title[VERDICT_TITLE_BYTES] = "left over";

	cr_expect_str_eq(verdict_title(&verdict, title, sizeof(title)), "");
}

Test(verdict, a_title_that_is_too_long_is_cut)
{
	struct verdict verdict = missed_zone();
	char title[15];

	cr_expect_str_eq(verdict_title(&verdict, title, sizeof(title)), "INVARIANT zone");
}

Test(verdict, exit_codes_tell_findings_from_holes_and_from_a_broken_harness)
{
	struct verdict verdict = { .finding.kind = FINDING_NONE };

	cr_expect_eq(verdict_exit_code(&verdict), 0);
	verdict.finding.kind = FINDING_BUG;
	cr_expect_eq(verdict_exit_code(&verdict), 1);
	verdict.finding.kind = FINDING_HANG;
	cr_expect_eq(verdict_exit_code(&verdict), 1);
	verdict.finding.kind = FINDING_SHIM;
	cr_expect_eq(verdict_exit_code(&verdict), 3);
	verdict.finding.kind = FINDING_HARNESS;
	cr_expect_eq(verdict_exit_code(&verdict), 4);
}

Test(verdict, a_report_has_five_parts)
{
	struct verdict verdict = missed_zone();

	cr_expect_str_eq(report_of(&verdict, "crash.prog"),
			 "BUG: INVARIANT zone_missed_after_reset: page_alloc\n"
			 "  pass 2 examined 0 of 2 eligible zones\n"
			 "  rule: a NULL return means that all zones were looked at\n"
			 "  at op 2 of 2: free_pages(p0) on cpu 3, jiffies 4294937296\n"
			 "  again: build/mmfuzz run --kernel v4.7-rc1 crash.prog     story: build/mmfuzz explain --kernel "
			 "v4.7-rc1 crash.prog\n");
}

Test(verdict, a_report_says_which_repeat_it_was)
{
	struct verdict verdict = missed_zone();

	verdict.op = 0;
	verdict.repeat = 40;
	cr_expect(strstr(report_of(&verdict, "f"), "gfp=GFP_KERNEL) x64, repeat 41 of 64 on cpu 3"));
}

Test(verdict, a_report_without_a_rule_leaves_the_line_out)
{
	struct verdict verdict = missed_zone();

	verdict.finding.rule[0] = '\0';
	cr_expect_null(strstr(report_of(&verdict, "f"), "rule:"));
}

Test(verdict, outside_of_any_operation_it_was_the_boot_or_the_end)
{
	struct verdict verdict = missed_zone();

	verdict.op = ~0U;
	cr_expect(strstr(report_of(&verdict, "f"), "  at the end of the 2 ops"));
	verdict.calls = 0;
	cr_expect(strstr(report_of(&verdict, "f"), "  at the boot before the 2 ops"));
}

Test(verdict, the_command_of_a_report_can_be_pasted_whatever_the_file_is_called)
{
	struct verdict verdict = missed_zone();

	cr_expect(strstr(report_of(&verdict, "it's here.prog"), "v4.7-rc1 'it'\\''s here.prog' "));
}

Test(verdict, the_kernel_of_a_report_is_the_one_that_ran)
{
	struct verdict verdict = missed_zone();

	cr_assert_null(kernel_parse(&verdict.kernel, "fixed,-clamp-bulk-free"));
	cr_expect(strstr(report_of(&verdict, "f"), "run --kernel fixed,-clamp-bulk-free f "));
}
