// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_reserve.c - what the slow path gives up of the highatomic reserve is watched (fuzz/invariants_reserve.c).
 */
#include "tests/sabotage.h"

/* So high that nobody can serve. */
#define LOW_MARKS "watermark(node=0, zone=Normal, min=60000)\nwatermark(node=0, zone=DMA, min=60000)\n"
#define LOW "machine preset=uma-64m\n" LOW_MARKS
#define RECLAIMS "p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"

/* Four pageblocks are reserved when the first round begins, and none when the second does. */
static void release_the_whole_reserve(struct trace_record *record, unsigned int number)
{
	zone_number(ZONE_NORMAL)->nr_reserved_highatomic = number ? 0 : 4 * pageblock_nr_pages;
}

/* What can be reclaimed makes it try again. */
Test(sabotage_reserve, a_round_that_releases_the_whole_reserve)
{
	expect_invariant("unreserve_one_pageblock",
			 (struct sabotage){ .program = LOW "counter(node=0, zone=Normal, item=inactive_file, delta=100000)\n" RECLAIMS,
					    .at = TRACE_SLOWPATH_RETRY,
					    .breaks = release_the_whole_reserve });
}

static void owe_a_pageblock(struct trace_record *record, unsigned int number)
{
	zone_number(ZONE_NORMAL)->nr_reserved_highatomic = 2 * pageblock_nr_pages;
	watch.reserved_after_reclaim = 2 * pageblock_nr_pages;
}

Test(sabotage_reserve, a_reserve_that_is_kept_although_reclaim_did_not_help)
{
	expect_invariant("reserve_given_up_after_reclaim", (struct sabotage){ .program = LOW RECLAIMS,
									      .at = TRACE_DIRECT_RECLAIM,
									      .breaks = owe_a_pageblock });
}

static void give_up_for_another_type(struct trace_record *record, unsigned int number)
{
	if (watch.reserved_after_reclaim)
		set_pageblock_migratetype(pfn_to_page(watch.owed_pfn), MIGRATE_RECLAIMABLE);
}

Test(sabotage_reserve, a_reserved_pageblock_that_does_not_become_the_requests)
{
	expect_invariant("first_reserved_pageblock_given_up",
			 (struct sabotage){ .program = "machine preset=uma-64m pageblock_order=2 percpu_pagelist_fraction=100000\n"
						       "watermark(zone=Normal, min=0, low_gap=60000)\n"
						       "watermark(zone=DMA, min=0, low_gap=60000)\n"
						       "p0 = alloc_pages(order=0, gfp=GFP_ATOMIC)\n"
						       "p1 = alloc_pages(order=1, gfp=GFP_ATOMIC) x2\n" LOW_MARKS
						       "reclaim_script(calls=1, oom=disabled)\n"
						       "p2 = alloc_pages(order=1, gfp=GFP_KERNEL)\n",
					    .at = TRACE_SCAN_BEGIN,
					    .breaks = give_up_for_another_type });
}
