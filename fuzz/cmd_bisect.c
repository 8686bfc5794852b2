// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_bisect.c - which kernels a program tells apart. `bisect` switches each patch of a kernel over, one at a time, and
 * says for which the verdict changes; `diff` runs a program on two kernels and tells the first operation that went
 * another way, on both.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/cmd.h"
#include "fuzz/story.h"
#include "kernel-shim/trace.h"

#define NO_OP (~0U)

static const char *clean_or(const char *title)
{
	return *title ? title : "clean";
}

static struct kernel_config switched(const struct kernel_config *base, enum patch patch)
{
	struct kernel_config config = *base;

	config.patches ^= 1UL << patch;
	return config;
}

/* A patch that makes no difference without another one is not asked. */
static _Bool is_switchable(const struct kernel_config *base, enum patch patch)
{
	enum patch needed = patch_infos[patch].requires;
	enum patch other;

	if (needed != PATCH_NONE && !(base->patches >> needed & 1))
		return 0;
	for (other = 0; other < NR_PATCHES; other++)
		if (patch_infos[other].requires == patch && (base->patches >> other & 1) && (base->patches >> patch & 1))
			return 0;
	return 1;
}

static int bisect(const struct loaded *loaded, const char *kernel_text)
{
	struct run_options options = run_options_default();
	char title[VERDICT_TITLE_BYTES], other[VERDICT_TITLE_BYTES];
	struct kernel_config base;
	struct verdict verdict;
	unsigned int nr = 0;
	enum patch patch;

	if (load_kernel(&base, kernel_text, loaded->path))
		return EXIT_USAGE;
	options.kernel = base;
	options.misuse = loaded_misuse(loaded);
	run_titled(&loaded->program, &options, &verdict, title);
	printf("%s: %s on %s\n", loaded->path, clean_or(title), kernel_text);
	for (patch = 0; patch < NR_PATCHES; patch++) {
		if (!is_switchable(&base, patch))
			continue;
		options.kernel = switched(&base, patch);
		run_titled(&loaded->program, &options, &verdict, other);
		if (!strcmp(title, other))
			continue;
		printf("  %c%-32s %-50s %s\n", base.patches >> patch & 1 ? '-' : '+', patch_infos[patch].slug,
		       clean_or(other), patch_infos[patch].title);
		nr++;
	}
	if (!nr)
		printf("  no single patch changes that\n");
	return nr ? EXIT_CLEAN : EXIT_FINDING;
}

int cmd_bisect(int argc, char **argv)
{
	static const struct usage usage = {
		"bisect", "FILE",
		"Switch each patch of a kernel, one at a time, and show those that change the verdict of a program. With\n"
		"--kernel v4.7-rc1 and a finding: which fix makes it go. Exit code 1: none does.",
		1, 1,
	};
	static struct loaded loaded;
	const char *kernel_text = NULL;
	const struct option_spec specs[] = {
		{ "kernel", 'k', "KERNEL", "begin with this kernel (its '# kernel:' line, or fixed)", .text = &kernel_text },
		{ 0 },
	};
	int first;
	int code = options_parse(&usage, specs, argc, argv, &first);

	if (code != OPTIONS_GO_ON)
		return code;
	if (load(&loaded, argv[first]))
		return EXIT_USAGE;
	return bisect(&loaded, kernel_text ? kernel_text : loaded_kernel(&loaded));
}

/*
 * diff.
 */

/* One run, as far as it is compared: the trace so far after each operation. */
struct side {
	const char *kernel_text;
	struct run_options options;
	struct verdict verdict;
	char title[VERDICT_TITLE_BYTES];
	unsigned long hashes[LIMIT_OPS];    /* 0 = the run ended before */
	const struct program *program;
	unsigned int tell;                  /* operation to tell, NO_OP = none */
	unsigned long told;
	struct story_world *world;
};

static void after_op(void *argument, unsigned int op)
{
	struct side *side = argument;

	if (op == side->tell && op != NO_OP)
		story_op(stdout, side->world, side->program, op, side->told, trace_count);
	else if (side->tell != NO_OP && op + 1 == side->tell)
		story_look(side->world);
	if (op < side->program->nr_ops)
		side->hashes[op] = trace_hash();
	side->told = trace_count;
}

static void run_side(struct side *side)
{
	unsigned int op;

	memset(side->hashes, 0, sizeof(side->hashes));
	side->options.after_op = after_op;
	side->options.argument = side;
	run_titled(side->program, &side->options, &side->verdict, side->title);
	op = side->verdict.op;
	if (side->verdict.finding.kind == FINDING_NONE || op >= side->program->nr_ops || side->hashes[op])
		return;
	/* Ended inside of this one. */
	side->hashes[op] = side->verdict.trace_hash;
	if (op == side->tell)
		story_op(stdout, side->world, side->program, op, side->told, trace_count);
}

static unsigned int first_difference(const struct side *a, const struct side *b)
{
	unsigned int op;

	for (op = 0; op < a->program->nr_ops; op++)
		if (a->hashes[op] != b->hashes[op])
			return op;
	return NO_OP;
}

static void print_side(struct side *side, unsigned int op)
{
	printf("\n--- %s: %s\n", side->kernel_text, clean_or(side->title));
	if (op == NO_OP)
		return;
	if (!side->hashes[op]) {
		printf("  the run had ended before\n");
		return;
	}
	side->tell = op;
	run_side(side);
}

static int diff(struct side *sides, const struct loaded *loaded)
{
	unsigned int op, i;
	_Bool same;

	for (i = 0; i < 2; i++) {
		sides[i].program = &loaded->program;
		sides[i].options = run_options_default();
		sides[i].options.hashes = 1;
		sides[i].options.misuse = loaded_misuse(loaded);
		sides[i].tell = NO_OP;
		sides[i].world = calloc(1, sizeof(*sides[i].world));
		if (!sides[i].world)
			return EXIT_HARNESS;
		if (load_kernel(&sides[i].options.kernel, sides[i].kernel_text, i ? "mmfuzz diff: --b" : "mmfuzz diff: --a"))
			return EXIT_USAGE;
		run_side(&sides[i]);
	}
	op = first_difference(&sides[0], &sides[1]);
	same = op == NO_OP && !strcmp(sides[0].title, sides[1].title);
	if (same)
		printf("%s: the same trace and verdict (%s) on %s and %s\n", loaded->path, clean_or(sides[0].title),
		       sides[0].kernel_text, sides[1].kernel_text);
	else if (op == NO_OP)
		printf("%s: the same trace, other verdicts\n", loaded->path);
	else
		printf("%s: the same up to operation %u of %u\n", loaded->path, op + 1, loaded->program.nr_ops);
	for (i = 0; i < 2; i++) {
		if (!same)
			print_side(&sides[i], op);
		free(sides[i].world);
	}
	return same ? EXIT_CLEAN : EXIT_FINDING;
}

int cmd_diff(int argc, char **argv)
{
	static const struct usage usage = {
		"diff", "FILE",
		"Run a program on two kernels and tell the first operation that went another way, on both. Exit code 1:\n"
		"there is one, or the verdicts differ.",
		1, 1,
	};
	static struct loaded loaded;
	static struct side sides[2];
	const struct option_spec specs[] = {
		{ "a", 'a', "KERNEL", "(the '# kernel:' line of FILE, or fixed)", .text = &sides[0].kernel_text },
		{ "b", 'b', "KERNEL", "(fixed)", .text = &sides[1].kernel_text },
		{ 0 },
	};
	int first;
	int code = options_parse(&usage, specs, argc, argv, &first);

	if (code != OPTIONS_GO_ON)
		return code;
	if (load(&loaded, argv[first]))
		return EXIT_USAGE;
	if (!sides[0].kernel_text)
		sides[0].kernel_text = loaded_kernel(&loaded);
	if (!sides[1].kernel_text)
		sides[1].kernel_text = "fixed";
	return diff(sides, &loaded);
}
