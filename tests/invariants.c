// SPDX-License-Identifier: GPL-2.0
/* invariants.c - the invariants as a table: what they except, and how often they were evaluated. */
#include "tests/support.h"
#include "fuzz/invariant.h"
#include "fuzz/run.h"

Test(invariants, what_an_invariant_excepts_is_said_once)
{
	const struct invariant_exceptions *one, *other;

	for (one = __start_exceptions; one < __stop_exceptions; one++) {
		cr_expect(strlen(one->sentence) > 10, "%s: '%s'", one->inv->name, one->sentence);
		for (other = __start_exceptions; other < one; other++)
			cr_expect_neq(one->inv, other->inv, "%s has exceptions twice", one->inv->name);
	}
}

extern struct invariant invariant_pcp_lists_bounded, invariant_pages_conserved;

Test(invariants, an_invariant_without_exceptions_has_none_to_say)
{
	cr_expect(strstr(invariant_exceptions(&invariant_pcp_lists_bounded), "batch 2"));
	cr_expect_str_eq(invariant_exceptions(&invariant_pages_conserved), "");
}

static struct verdict run_counted(bool count)
{
	struct run_options options = run_options_default();
	static const char text[] = "machine preset=uma-64m\n"
				   "p0 = alloc_pages(order=1, gfp=GFP_KERNEL) x4\n"
				   "free_pages(p0)\n";
	static struct program program;
	struct verdict verdict;

	cr_assert(program_parse(&program, text, strlen(text), true, NULL, NULL));
	options.hashes = true;
	options.count = count;
	run_program(&program, &options, &verdict);
	return verdict;
}

Test(invariants, only_a_run_that_asks_counts_evaluations)
{
	unsigned long before = invariant_pages_conserved.evaluated;

	cr_expect_eq(run_counted(false).checks, 0);
	cr_expect_eq(invariant_pages_conserved.evaluated, before);
	cr_expect_gt(run_counted(true).checks, 100);
	cr_expect_gt(invariant_pages_conserved.evaluated, before);
}

Test(invariants, counting_changes_nothing_that_is_counted)
{
	struct verdict plain = run_counted(false), counted = run_counted(true);

	cr_expect_eq(plain.trace_hash, counted.trace_hash);
	cr_expect_eq(plain.state_hash, counted.state_hash);
	cr_expect_eq(plain.calls, counted.calls);
	cr_expect_eq(counted.checks, run_counted(true).checks);
}
