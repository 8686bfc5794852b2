// SPDX-License-Identifier: GPL-2.0
/*
 * Contiguous ranges (mm/contig.c). 8 MiB in zone Normal with pageblocks of 16 pages, so that a MAX_ORDER block, the unit
 * that is isolated, is 64 pageblocks:
 *
 *	frames   0x000        0x400        0x800
 *	         |    1024    |    1024    |
 */
#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)

#define boot_contig(kernel_text, ...)                                                                  \
	boot_kernel(kernel_text, "tiny", MEMORY(0, 0x0, 0x800), SET(smp, 1), SET(cpus, 2), ##__VA_ARGS__)

static void expect_nothing_isolated(void)
{
	unsigned long pfn;

	expect_number(NORMAL->nr_isolate_pageblock, 0);
	for (pfn = 0; pfn < 0x800; pfn += 16)
		cr_assert_eq(block_type(pfn), MIGRATE_MOVABLE, "pageblock %#lx", pfn);
}

/*
 *	0x400      0x4ff 0x500 ... 0x51f 0x520
 *	| head, freed    | the range     | tail, freed   |
 */
Test(contig, free_frames_are_handed_over_with_one_reference_each)
{
	unsigned long pfn;

	boot_contig("fixed");

	expect_number(alloc_contig_range(0x500, 0x520, MIGRATE_MOVABLE), 0);

	for (pfn = 0x500; pfn < 0x520; pfn++)
		cr_assert_eq(page_ref_count(pfn_to_page(pfn)), 1, "frame %#lx", pfn);
	expect_number(page_ref_count(pfn_to_page(0x4ff)), 0);
	expect_number(page_ref_count(pfn_to_page(0x520)), 0);
	drain_all_pages(NULL);
	expect_number(counter_sum(NORMAL, NR_FREE_PAGES), 0x800 - 0x20);
	expect_nothing_isolated();
}

Test(contig, a_range_that_is_freed_merges_again)
{
	boot_contig("fixed");
	cr_assert_eq(alloc_contig_range(0x4f3, 0x531, MIGRATE_MOVABLE), 0);

	free_contig_range(0x4f3, 0x3e);
	drain_all_pages(NULL);

	expect_number(NORMAL->free_area[10].nr_free, 2);
	expect_number(counter_sum(NORMAL, NR_FREE_PAGES), 0x800);
}

Test(contig, a_range_may_cross_the_border_of_isolated_blocks)
{
	boot_contig("fixed");

	expect_number(alloc_contig_range(0x3f0, 0x410, MIGRATE_MOVABLE), 0);

	expect_number(page_ref_count(pfn_to_page(0x3f0)), 1);
	expect_number(page_ref_count(pfn_to_page(0x40f)), 1);
	expect_nothing_isolated();
}

Test(contig, a_page_in_use_that_nobody_moves_keeps_the_range_busy)
{
	struct page *page;

	boot_contig("fixed");
	page = allocate(GFP_HIGHUSER_MOVABLE, 0);

	expect_number(alloc_contig_range(page_to_pfn(page), page_to_pfn(page) + 8, MIGRATE_MOVABLE), -EBUSY);

	drain_all_pages(NULL);
	expect_number(counter_sum(NORMAL, NR_FREE_PAGES), 0x7ff);
	expect_number(page_ref_count(page), 1);
	expect_nothing_isolated();
}

static struct page *movable;

static _Bool move_it(unsigned long start, unsigned long end)
{
	struct page *to = alloc_pages(GFP_HIGHUSER_MOVABLE, 0);

	cr_assert(page_to_pfn(movable) >= start && page_to_pfn(movable) < end);
	__free_page(movable);
	movable = to;
	return to != NULL;
}

Test(contig, a_page_in_use_that_can_be_moved_makes_way)
{
	unsigned long pfn;

	boot_contig("fixed");
	movable = allocate(GFP_HIGHUSER_MOVABLE, 0);
	pfn = page_to_pfn(movable);
	reclaim_migrate = move_it;

	expect_number(alloc_contig_range(pfn, pfn + 8, MIGRATE_MOVABLE), 0);

	/* Expect the page in the other MAX_ORDER block: this one is isolated. */
	cr_expect_neq(page_to_pfn(movable) / 1024, pfn / 1024);
	expect_number(page_ref_count(pfn_to_page(pfn)), 1);
}

Test(contig, a_signal_ends_the_attempt)
{
	boot_contig("fixed");
	reclaim_script.migrate = MIGRATE_INTERRUPTED;

	expect_number(alloc_contig_range(0x500, 0x520, MIGRATE_MOVABLE), -EINTR);

	expect_number(counter_sum(NORMAL, NR_FREE_PAGES), 0x800);
	expect_nothing_isolated();
}

Test(contig, frames_that_are_free_in_the_end_are_handed_over_with_the_fix)
{
	boot_contig("fixed");
	reclaim_script.migrate = MIGRATE_FAILS;

	expect_number(alloc_contig_range(0x500, 0x520, MIGRATE_MOVABLE), 0);
	expect_number(count_trace(TRACE_PAGE_LEAKED, NULL), 0);
}

Test(contig, frames_that_are_free_in_the_end_are_leaked_without_the_fix)
{
	boot_contig("fixed,-contig-not-busy");
	reclaim_script.migrate = MIGRATE_FAILS;

	expect_number(alloc_contig_range(0x500, 0x520, MIGRATE_MOVABLE), -EBUSY);
	expect_number(count_trace(TRACE_PAGE_LEAKED, NULL), 0x20);
	expect_number(page_ref_count(pfn_to_page(0x500)), 1);
}

Test(contig, an_unmovable_page_keeps_its_block_from_being_isolated)
{
	struct page *page;

	boot_contig("fixed");
	page = allocate(GFP_KERNEL, 0);
	set_block_type(page_to_pfn(page), MIGRATE_UNMOVABLE);
	drain_all_pages(NULL);

	expect_number(alloc_contig_range(page_to_pfn(page) + 1, page_to_pfn(page) + 2, MIGRATE_MOVABLE), -EBUSY);
	expect_number(NORMAL->nr_isolate_pageblock, 0);
	expect_number(counter_sum(NORMAL, NR_FREE_PAGES), 0x7ff);
}

Test(contig, cma_frames_stay_cma)
{
	boot_kernel("fixed", "movable");

	expect_number(counter_sum(zone_of(ZONE_NORMAL), NR_FREE_CMA_PAGES), 0x400);
	expect_number(alloc_contig_range(0x1900, 0x1a00, MIGRATE_CMA), 0);

	drain_all_pages(NULL);
	expect_number(counter_sum(zone_of(ZONE_NORMAL), NR_FREE_CMA_PAGES), 0x300);
	expect_number(block_type(0x1800), MIGRATE_CMA);
	expect_number(block_type(0x1a00), MIGRATE_CMA);
	free_contig_range(0x1900, 0x100);
	drain_all_pages(NULL);
	expect_number(counter_sum(zone_of(ZONE_NORMAL), NR_FREE_CMA_PAGES), 0x400);
}

Test(contig, giving_back_a_page_that_somebody_else_uses_is_the_callers_fault)
{
	struct trace_record warning;

	boot_contig("fixed");
	cr_assert_eq(alloc_contig_range(0x500, 0x504, MIGRATE_MOVABLE), 0);
	page_ref_inc(pfn_to_page(0x502));
	trace_reset();

	free_contig_range(0x500, 4);

	expect_number(count_trace(TRACE_CALLER_WARNING, &warning), 1);
	expect_number(warning.a, CALLER_CONTIG_IN_USE);
	expect_number(page_ref_count(pfn_to_page(0x502)), 1);
}

/*
 * Pagesets.
 */
Test(contig, a_zone_without_its_pagesets_uses_those_of_the_boot)
{
	const struct per_cpu_pageset *before;

	boot_contig("fixed");
	before = NORMAL->pageset;
	__mod_zone_page_state(NORMAL, NR_FILE_PAGES, 1);

	zone_pcp_reset(NORMAL);

	cr_expect_neq(NORMAL->pageset, before);
	expect_number(NORMAL->pageset[0].pcp.high, 0);
	expect_number(NORMAL->pageset[0].pcp.batch, 1);
	expect_number(counter(NORMAL, NR_FILE_PAGES), 1);
}

/* Frames 0x501 and 0x502 are free, and no buddies: the range is two blocks of one page. */
Test(contig, a_range_of_single_pages_takes_a_step_for_each)
{
	boot_contig("fixed");
	take_all_blocks(NORMAL);
	put_block(0x501, 0, MIGRATE_MOVABLE);
	put_block(0x502, 0, MIGRATE_MOVABLE);

	expect_number(alloc_contig_range(0x501, 0x503, MIGRATE_MOVABLE), 0);

	expect_number(page_ref_count(pfn_to_page(0x502)), 1);
}
