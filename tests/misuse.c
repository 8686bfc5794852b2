// SPDX-License-Identifier: GPL-2.0
/*
 * Programs whose caller breaks the contract: what the kernel does about it is the verdict, with debug checks and without,
 * and is told apart from a defect. Nothing happens in a run that does not allow misuse.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/program.h"
#include "fuzz/run.h"

static struct program program;
static struct verdict verdict;

static const char *play(const char *text, const char *kernel_text, _Bool misuse)
{
	static char title[VERDICT_TITLE_BYTES];
	struct run_options options = run_options_default();
	struct text_error error;
	const char *why;

	cr_assert(program_parse(&program, text, strlen(text), 1, NULL, &error), "%u:%u: %s", error.line, error.column,
		  error.message);
	why = kernel_parse(&options.kernel, kernel_text);
	cr_assert_null(why, "%s", why);
	options.misuse = misuse;
	options.compare_restored = 1;
	run_program(&program, &options, &verdict);
	return verdict_title(&verdict, title, sizeof(title));
}

static void expect(const char *text, const char *kernel_text, const char *title)
{
	cr_expect_str_eq(play(text, kernel_text, 1), title, "%s%s: '%s', expected '%s'\n%s", text, kernel_text,
			 play(text, kernel_text, 1), title, verdict.finding.detail);
	cr_expect_eq(verdict.consequence, *title != '\0', "%s", text);
	/* Expect an honest caller's kernel to see none of it. */
	cr_expect_str_eq(play(text, kernel_text, 0), "", "%s: without misuse '%s'", text, play(text, kernel_text, 0));
}

#define DEBUG "machine preset=uma-64m\n"
#define PLAIN "machine preset=uma-64m debug_vm=0\n"

Test(misuse, a_double_free_is_a_bug_with_debug_checks)
{
	expect(DEBUG "p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\nfree_pages(p0)\ndouble_free(p0)\n", "fixed",
	       "BUG put_page_testzero: page_ref_count(page) == 0");
}

Test(misuse, a_double_free_passes_unseen_without_debug_checks)
{
	expect(PLAIN "p0 = alloc_pages(order=3, gfp=GFP_KERNEL)\nfree_pages(p0)\ndouble_free(p0)\n"
		     "p1 = alloc_pages(order=3, gfp=GFP_KERNEL) x64\n", "fixed", "");
}

Test(misuse, a_block_freed_as_a_larger_one_takes_its_free_neighbour_with_it)
{
	/* The neighbour's mark is taken for a mapping count, and reset: the block on the free list is free no more. */
	expect(DEBUG "p0 = alloc_pages(order=0, gfp=GFP_KERNEL) x2\nfree_pages(p0[1])\ndrain_all_pages()\nfree_wrong_order(p0[0], order=1)\n"
		     "p1 = alloc_pages(order=0, gfp=GFP_KERNEL) x16\n", "fixed",
	       "BUG rmv_page_order: !PageBuddy(page)");
}

Test(misuse, a_compound_page_freed_as_another_order_is_a_bug_with_debug_checks)
{
	expect(DEBUG "p0 = alloc_pages(order=2, gfp=GFP_KERNEL|__GFP_COMP)\nfree_wrong_order(p0, order=1)\n", "fixed",
	       "BUG free_tails: compound && compound_order(page) != order");
}

Test(misuse, bad_zone_bits_are_a_bug_with_debug_checks)
{
	expect(DEBUG "p0 = alloc_raw(gfp=GFP_KERNEL|GFP_DMA|__GFP_HIGHMEM)\n", "fixed",
	       "BUG gfp_zone: 0xe8e8U >> key & 1");
}

Test(misuse, bad_zone_bits_mean_the_lowest_zone_without_debug_checks)
{
	expect(PLAIN "p0 = alloc_raw(gfp=GFP_KERNEL|GFP_DMA|__GFP_HIGHMEM)\n", "fixed", "");
}

Test(misuse, both_mobility_bits_name_a_per_cpu_list_that_is_none)
{
	expect(PLAIN "p0 = alloc_raw(gfp=GFP_KERNEL|__GFP_MOVABLE|__GFP_RECLAIMABLE)\n", "fixed",
	       "BUG rmqueue_pcplist: migratetype >= MIGRATE_PCPTYPES");
}

Test(misuse, both_mobility_bits_have_no_fallback)
{
	expect(PLAIN "p0 = alloc_raw(order=2, gfp=GFP_KERNEL|__GFP_MOVABLE|__GFP_RECLAIMABLE)\n", "fixed",
	       "BUG __rmqueue_fallback: start_migratetype >= MIGRATE_PCPTYPES");
}

Test(misuse, orders_beyond_every_block_fail)
{
	expect(DEBUG "p0 = alloc_raw(order=32, gfp=GFP_KERNEL)\np1 = alloc_raw(order=40, gfp=GFP_ATOMIC)\n", "fixed", "");
	cr_expect_eq(verdict.finding.kind, FINDING_NONE);
}

/* Both check modes withdraw a bad page on the way in or out, and its pages stay accounted for. */
Test(misuse, a_bad_page_is_withdrawn_in_both_check_modes)
{
	static const char *const fields[] = { "locked", "mapping", "mapcount", "hwpoison" };
	static const char *const machines[] = { DEBUG, PLAIN };
	char text[400];
	unsigned int i, j;

	for (i = 0; i < 4; i++) {
		for (j = 0; j < 2; j++) {
			snprintf(text, sizeof(text),
				 "%sp0 = alloc_pages(order=0, gfp=GFP_KERNEL)\ncorrupt(p0, field=%s)\nfree_pages(p0)\n"
				 "drain_all_pages()\np1 = alloc_pages(order=0, gfp=GFP_KERNEL) x64\n", machines[j], fields[i]);
			expect(text, "fixed", "");
		}
	}
}

Test(misuse, a_bad_tail_loses_the_whole_block)
{
	expect(DEBUG "p0 = alloc_pages(order=3, gfp=GFP_KERNEL)\ncorrupt(p0, offset=5, field=refcount)\nfree_pages(p0)\n",
	       "fixed", "");
}

Test(misuse, a_bad_free_page_is_withdrawn_when_it_is_taken)
{
	expect(PLAIN "corrupt(none, where=free, field=locked)\np0 = alloc_pages(order=0, gfp=GFP_KERNEL) x64\n", "fixed", "");
	expect(DEBUG "corrupt(none, where=free, offset=9, order=4, field=mapping)\n"
		     "p0 = alloc_pages(order=4, gfp=GFP_KERNEL) x64\n", "fixed", "");
}

Test(misuse, a_bad_page_on_a_per_cpu_list_ends_the_search_only_with_the_fix)
{
	static const char text[] =
		"machine preset=uma-64m percpu_pagelist_fraction=8\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
		"free_pages(p0)\ncorrupt(none, where=pcp, field=locked)\np1 = alloc_pages(order=0, gfp=GFP_KERNEL)\n";

	expect(text, "fixed", "");
	expect(text, "fixed,-unlink-before-check", "HANG rmqueue_pcplist");
}

Test(misuse, a_page_that_claims_to_be_free_is_an_oops_when_its_buddy_is_freed)
{
	expect(DEBUG "p0 = alloc_pages(order=0, gfp=GFP_KERNEL) x2\ncorrupt(p0[0], field=buddy)\nfree_pages(p0[1])\n"
		     "drain_all_pages()\n", "fixed",
	       "BUG page_is_buddy: page_ref_count(buddy) != 0");
}
