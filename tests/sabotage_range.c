// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_range.c - blocks taken apart and contiguous ranges are watched (fuzz/invariants_range.c), and so is what a drain
 * does to pageblocks (fuzz/invariants_call.c).
 *
 * "movable": frames 4000 to 4095 end a MAX_ORDER block of zone Movable, so a range of 64 frames has an excess of 32 that is
 * freed page by page.
 */
#include "tests/sabotage.h"

#define RANGE "machine preset=movable\np0 = alloc_contig(zone=Movable, start=4000, pages=64)\n"

static void reference_the_page_before(struct trace_record *record, unsigned int number)
{
	if (number == 0)
		reference(pfn_to_page(record->a - 1), 2);
}

/*
 *	| 0 | 1 | 2 |  3: excess |
 */
Test(sabotage_range, an_exact_size_with_a_page_somebody_else_holds)
{
	expect_invariant("taken_apart_into_single_pages",
			 (struct sabotage){ .program = "machine preset=uma-64m\np0 = alloc_exact(bytes=12288, gfp=GFP_KERNEL)\n",
					    .at = TRACE_MM_PAGE_FREE,
					    .breaks = reference_the_page_before });
}

static void reference_the_first_page(struct trace_record *record, unsigned int number)
{
	if (number == 0)
		reference(pfn_to_page(zone_of_frame(record->a)->zone_start_pfn + 4000), 2);
}

Test(sabotage_range, a_contiguous_range_with_a_page_somebody_else_holds)
{
	expect_invariant("contiguous_range_is_held", (struct sabotage){ .program = RANGE,
									.at = TRACE_MM_PAGE_FREE,
									.breaks = reference_the_first_page });
}

static void count_a_pageblock_twice(struct trace_record *record, unsigned int number)
{
	if (number == 0)
		zone_of_frame(record->a)->nr_isolate_pageblock++;
}

Test(sabotage_range, a_contiguous_range_that_leaves_an_isolated_pageblock_counted)
{
	expect_invariant("contiguous_range_gives_types_back", (struct sabotage){ .program = RANGE,
										 .at = TRACE_MM_PAGE_FREE,
										 .breaks = count_a_pageblock_twice });
}

static void change_the_pageblock(struct trace_record *record, unsigned int number)
{
	set_pageblock_migratetype(pfn_to_page(record->a), MIGRATE_RECLAIMABLE);
}

Test(sabotage_range, a_drain_that_changes_a_pageblock)
{
	expect_invariant("drain_keeps_pageblock_types",
			 (struct sabotage){ .program = "machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
						       "free_pages(p0)\ndrain_all_pages()\n",
					    .at = TRACE_MM_PAGE_PCPU_DRAIN,
					    .breaks = change_the_pageblock });
}

static void free_a_free_page(struct trace_record *record, unsigned int number)
{
	judge_call(&(struct call_record){ .kind = CALL_FREE_UNREFERENCED, .pfn = record->a });
}

Test(sabotage_range, a_second_free_that_comes_back)
{
	expect_invariant("free_without_reference_is_caught",
			 (struct sabotage){ .program = "machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
						       "free_pages(p0)\n",
					    .at = TRACE_MM_PAGE_FREE,
					    .breaks = free_a_free_page });
}

/* The block that is given back when the isolation is undone passes for a page that was grabbed. */
static void free_a_single_page(struct trace_record *record, unsigned int number)
{
	record->b = 0;
}

Test(sabotage_range, a_refused_range_of_which_something_was_taken)
{
	expect_invariant("refused_range_is_not_grabbed",
			 (struct sabotage){ .program = "machine preset=movable\n"
						       "p0 = alloc_contig(zone=Movable, start=32, pages=32)\n"
						       "migrate_script(result=fails)\n"
						       "p1 = alloc_contig(zone=Movable, start=0, pages=64)\n",
					    .at = TRACE_MM_PAGE_FREE,
					    .breaks = free_a_single_page,
					    .report = "1 pages of a range that is refused were taken and freed" });
}

/* The watch sees a bad page freed, and mm a good one. */
static void free_a_bad_page(struct trace_record *record, unsigned int number)
{
	struct page *page = pfn_to_page(record->a);

	exec_state.damage = DAMAGE_PAGES;
	SetPageLocked(page);
	scan_watch(record);
	ClearPageLocked(page);
}

Test(sabotage_range, a_bad_page_that_is_not_withdrawn)
{
	expect_invariant("bad_block_goes_to_no_list",
			 (struct sabotage){ .program = "machine preset=uma-64m\np0 = alloc_pages(order=1, gfp=GFP_KERNEL)\n"
						       "free_pages(p0)\n",
					    .at = TRACE_MM_PAGE_FREE,
					    .breaks = free_a_bad_page });
}
