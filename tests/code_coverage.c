// SPDX-License-Identifier: GPL-2.0
/*
 * code_coverage.c - what counts as reached by a program (fuzz/code_coverage.c, and whom fuzz/run.c tells), and that it is the
 * same each time (fuzz/target_states.c). This build of mm/ has no counters; a few are made here, in the section where an
 * engine's would be.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/code_coverage.h"
#include "fuzz/target.h"

static unsigned char edges[64] __attribute__((section("__sancov_cntrs"), used));

static unsigned int asides, nr_after_op;
static _Bool inside;

static unsigned char *counters(void)
{
	unsigned long nr;
	unsigned char *at = code_counters(&nr);

	cr_assert_eq(nr, sizeof(edges));
	return at;
}

Test(code_coverage, what_is_counted_while_it_is_held_is_forgotten)
{
	memset(counters(), 3, sizeof(edges));
	code_hold(1);
	counters()[7] = 200;
	code_hold(0);
	cr_expect_eq(counters()[7], 3);
	code_hold(0);
	cr_expect_eq(counters()[7], 3, "held once, forgotten once");
}

Test(code_coverage, a_difference_is_the_first_edge_that_has_another_count)
{
	unsigned char *copy;

	memset(counters(), 1, sizeof(edges));
	copy = code_copy();
	cr_expect_lt(code_difference(copy), 0);
	counters()[63] = 0;
	cr_expect_eq(code_difference(copy), 63);
	counters()[9] = 2;
	cr_expect_eq(code_difference(copy), 9);
	code_put_back(copy);
	cr_expect_lt(code_difference(copy), 0);
	free(copy);
}

static void count_aside(_Bool begins)
{
	cr_assert_neq(inside, begins, "asides are not nested, and all of them end");
	inside = begins;
	asides += begins;
}

static void count_op(void *argument, unsigned int op)
{
	(void)argument;
	(void)op;
	cr_assert_not(inside, "operations are what the program does");
	nr_after_op++;
}

static void run(const char *text, _Bool walk)
{
	struct run_options options = run_options_default();
	static struct program program;
	struct verdict verdict;

	cr_assert(program_parse(&program, text, strlen(text), 1, NULL, NULL));
	options.walk_at_end = walk;
	options.after_op = count_op;
	asides = 0;
	run_aside = count_aside;
	run_program(&program, &options, &verdict);
	run_aside = NULL;
	cr_assert_eq(verdict.finding.kind, FINDING_NONE);
	cr_assert_not(inside);
}

/* Expect one aside for the boot the first time, and one for each walk. */
Test(code_coverage, boots_and_walks_are_no_part_of_the_program)
{
	static const char program[] = "machine preset=uma-64m\np0 = alloc_pages() x3\nfree_pages(p0)\n";

	run(program, 1);
	cr_expect_eq(asides, 2);
	run(program, 1);
	cr_expect_eq(asides, 1);
	run(program, 0);
	cr_expect_eq(asides, 0);
	cr_expect_eq(nr_after_op, 9);
}

/* Counts like an edge that is reached in some runs and not in others. */
static void count_unsteadily(void *argument, unsigned int op)
{
	const unsigned int *runs = argument;
	static unsigned int run;

	run += op == ~0U;
	edges[5]++;
	edges[11] += run > *runs;
}

static struct verdict run_target(unsigned int steady_runs)
{
	static const char text[] = "machine preset=uma-64m\np0 = alloc_pages() x3\n";
	struct run_options options = run_options_default();
	static struct program program;
	struct verdict verdict;

	cr_assert(program_parse(&program, text, strlen(text), 1, NULL, NULL));
	options.after_op = count_unsteadily;
	options.argument = &steady_runs;
	counters()[5] = 0;
	target_run(&program, &options, &verdict);
	return verdict;
}

/* Expect both runs to count, as one: an engine sees what one run covers. */
Test(code_coverage, with_the_walk_a_target_runs_a_program_twice_and_counts_once)
{
	cr_expect_eq(run_target(100).finding.kind, FINDING_NONE);
	cr_expect_eq(edges[5], 2);
}

Test(code_coverage, a_target_raises_coverage_that_differs)
{
	struct verdict verdict = run_target(1);

	cr_expect_eq(verdict.finding.kind, FINDING_HARNESS);
	cr_expect_str_eq(verdict.finding.name, "coverage differs");
	cr_expect_str_eq(verdict.finding.detail, "edge 11: 0 times in the first run, 2 in the second");
}
