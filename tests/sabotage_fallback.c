// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_fallback.c - takes that fall back to another type are watched (fuzz/invariants_fallback.c). On "tiny" all memory
 * is MOVABLE at first, so that the first request for an unmovable page steals a pageblock.
 */
#include "tests/sabotage.h"

#define FALLS_BACK "machine preset=tiny\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
#define MANY_BLOCKS "machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
/* Blocks of a quarter of a pageblock are all there is, and some pageblocks have two of them. */
#define SMALL_STEAL "machine preset=tiny\nwatermark(zone=Normal)\np0 = alloc_pages(order=2, gfp=GFP_HIGHUSER_MOVABLE) x64\n" \
		    "free_pages(p0[8])\nfree_pages(p0[10])\nfree_pages(p0[21])\nfree_pages(p0[23])\n"                  \
		    "p1 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"

/* As if a block of order 0 had been taken, while there are large ones. */
static void take_a_small_one(struct trace_record *record, unsigned int number)
{
	record->b = 0;
}

Test(sabotage_fallback, a_fallback_to_a_small_block)
{
	expect_invariant("fallback_takes_largest_block", (struct sabotage){ .program = MANY_BLOCKS,
									    .at = TRACE_MM_PAGE_ALLOC_EXTFRAG,
									    .breaks = take_a_small_one });
}

static void keep_the_type(struct trace_record *record, unsigned int number)
{
	set_pageblock_migratetype(pfn_to_page(record->a), MIGRATE_RECLAIMABLE);
}

Test(sabotage_fallback, a_large_block_whose_pageblocks_keep_their_type)
{
	expect_invariant("steal_changes_whole_pageblocks", (struct sabotage){ .program = FALLS_BACK,
									      .at = TRACE_MM_PAGE_ALLOC_EXTFRAG,
									      .breaks = keep_the_type });
}

static void leave_a_block_behind(struct trace_record *record, unsigned int number)
{
	unsigned long pfn = round_down(record->a, pageblock_nr_pages);
	unsigned long end = pfn + pageblock_nr_pages;

	for (; record->b >> 8 < pageblock_order && pfn < end; pfn++)
		if (PageBuddy(pfn_to_page(pfn)))
			move_to_type(pfn_to_page(pfn), zone_of_frame(pfn), MIGRATE_HIGHATOMIC);
}

Test(sabotage_fallback, a_steal_that_leaves_free_blocks_behind)
{
	expect_invariant("steal_moves_free_pages", (struct sabotage){ .program = SMALL_STEAL,
								      .at = TRACE_MM_PAGE_ALLOC_EXTFRAG,
								      .breaks = leave_a_block_behind });
}
