// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_explain.c - why each allocation of a program went where it went. The story itself is story.c; this runs the
 * program once, on the kernel that its text names unless the command line names another, and has each operation told
 * when it is over, while its world can still be looked at. What the last operation of a run with a finding did is
 * told after the run, from the trace alone, before the report.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/cmd.h"
#include "fuzz/story.h"
#include "kernel-shim/trace.h"

#define REPORT_BYTES 4096

static const struct usage usage = {
	"explain", "FILE",
	"Tell the story of a program: for each operation the zones that each pass looked at, what was decided about\n"
	"each and by which numbers, what the slow path did, and the free lists when they changed. Repeats that went\n"
	"the same way are told once.",
	1, 1,
};

struct telling {
	const struct program *program;
	unsigned long only;            /* number of the only operation to tell, from 1; 0 = all */
	unsigned long told;            /* trace records told or passed over */
	struct story_world *before;
	struct story_world *after;
};

static _Bool is_wanted(const struct telling *telling, unsigned int op)
{
	return !telling->only || telling->only == op + 1UL;
}

static void tell_op(struct telling *telling, unsigned int op)
{
	if (is_wanted(telling, op))
		story_op(stdout, telling->before, telling->program, op, telling->told, trace_count);
	telling->told = trace_count;
}

/* Called with the world as the operation left it; op = ~0 after the boot. */
static void after_op(void *argument, unsigned int op)
{
	struct telling *telling = argument;
	struct story_world *before = telling->before;

	if (op >= telling->program->nr_ops) {
		story_look(before);
		story_machine(stdout, before);
		telling->told = trace_count;
		return;
	}
	tell_op(telling, op);
	story_look(telling->after);
	if (is_wanted(telling, op))
		story_changes(stdout, before, telling->after);
	telling->before = telling->after;
	telling->after = before;
}

static void tell_end(const struct verdict *verdict, const struct loaded *loaded)
{
	char report[REPORT_BYTES];

	if (verdict->nofail_loop)
		printf("\nthe last request must not fail, could not succeed, and would have looped for ever\n");
	if (verdict->finding.kind == FINDING_NONE) {
		printf("\nclean: %lu calls, %lu skipped, %lu caller warnings, %lu invariants evaluated\n", verdict->calls,
		       verdict->skipped, verdict->caller_warnings, verdict->checks);
		return;
	}
	verdict_report(verdict, &loaded->program, loaded->path, report, sizeof(report));
	printf("\n%s", report);
}

static void print_head(const struct loaded *loaded, const struct kernel_config *kernel_config)
{
	char kernel_text[KERNEL_TEXT_BYTES];

	fputs(loaded->directives.comments, stdout);
	printf("kernel %s, machine %s: %s\n", kernel_print(kernel_config, kernel_text, sizeof(kernel_text)),
	       machine_presets[loaded->program.preset].name, machine_presets[loaded->program.preset].sentence);
}

static int explain(const struct loaded *loaded, const char *kernel_text, unsigned long only, _Bool misuse)
{
	struct telling telling = { .program = &loaded->program, .only = only };
	struct run_options options = run_options_default();
	struct story_world *worlds = calloc(2, sizeof(*worlds));
	struct verdict verdict;

	if (!worlds)
		return EXIT_HARNESS;
	if (load_kernel(&options.kernel, kernel_text ? kernel_text : loaded_kernel(loaded),
			kernel_text ? "mmfuzz explain: --kernel" : loaded->path)) {
		free(worlds);
		return EXIT_USAGE;
	}
	telling.before = &worlds[0];
	telling.after = &worlds[1];
	options.misuse = misuse || loaded_misuse(loaded);
	options.count = 1;
	options.after_op = after_op;
	options.argument = &telling;
	print_head(loaded, &options.kernel);
	run_program(&loaded->program, &options, &verdict);
	if (verdict.op < loaded->program.nr_ops && verdict.finding.kind != FINDING_NONE)
		tell_op(&telling, verdict.op);
	tell_end(&verdict, loaded);
	free(worlds);
	return verdict_exit_code(&verdict);
}

int cmd_explain(int argc, char **argv)
{
	static struct loaded loaded;
	const char *kernel_text = NULL;
	unsigned long only = 0;
	_Bool misuse = 0;
	const struct option_spec specs[] = {
		{ "kernel", 'k', "KERNEL", "on this kernel (the one of the '# kernel:' line, or fixed)",
		  .text = &kernel_text },
		{ "op", 0, "N", "tell operation N alone", .number = &only },
		{ "misuse", 0, NULL, "operations that break the callers' contract act", .flag = &misuse },
		{ 0 },
	};
	int first;
	int code = options_parse(&usage, specs, argc, argv, &first);

	if (code != OPTIONS_GO_ON)
		return code;
	code = load(&loaded, argv[first]);
	if (code == EXIT_CLEAN && only > loaded.program.nr_ops) {
		fprintf(stderr, "mmfuzz explain: --op: the program has %u operations\n", loaded.program.nr_ops);
		code = EXIT_USAGE;
	}
	return code == EXIT_CLEAN ? explain(&loaded, kernel_text, only, misuse) : code;
}
