// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_slowpath.c - the slow path is watched (fuzz/invariants_slowpath.c).
 *
 * "uma-64m", with the marks of both zones so high that nobody can serve. FAILS does not wait; RECLAIMS tries direct reclaim
 * again and again, without progress, and fails.
 */
#include "tests/sabotage.h"

#define LOW_MARKS "watermark(node=0, zone=Normal, min=60000)\nwatermark(node=0, zone=DMA, min=60000)\n"
#define LOW "machine preset=uma-64m\n" LOW_MARKS
#define FAILS LOW "p0 = alloc_pages(order=0, gfp=GFP_NOWAIT)\n"
#define RECLAIMS LOW "p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"

static void lower_the_marks(struct trace_record *record, unsigned int number)
{
	set_all_marks(0);
}

Test(sabotage_slowpath, a_failure_although_a_zone_could_serve)
{
	expect_invariant("no_zone_left_for_a_failure", (struct sabotage){ .program = FAILS,
									  .at = TRACE_MM_PAGE_ALLOC,
									  .breaks = lower_the_marks,
									  .report = "zone Normal, order 0, flags 0x40: free 12288, min mark 0 + 0, and it has a block to give" });
}

/* As if the request that has just failed had been one that must not. */
static void fail_what_must_not_fail(struct trace_record *record, unsigned int number)
{
	watch.gfp |= __GFP_NOFAIL;
	judge_slow_call(&(struct call_record){ .kind = CALL_ALLOC,
					       .pfn = VIEW_NO_PFN,
					       .gfp = GFP_KERNEL | __GFP_NOFAIL });
}

Test(sabotage_slowpath, a_failure_that_must_not_be)
{
	expect_invariant("nofail_never_fails", (struct sabotage){ .program = RECLAIMS,
								  .at = TRACE_MM_PAGE_ALLOC,
								  .breaks = fail_what_must_not_fail });
}

static void keep_the_flag(struct trace_record *record, unsigned int number)
{
	current->flags |= PF_MEMALLOC;
}

Test(sabotage_slowpath, a_task_that_keeps_its_privilege)
{
	expect_invariant("memalloc_flag_restored", (struct sabotage){ .program = RECLAIMS,
								      .at = TRACE_MM_PAGE_ALLOC,
								      .breaks = keep_the_flag });
}

/* Four pageblocks are reserved when the first round begins, and none when the second does. */
static void release_the_whole_reserve(struct trace_record *record, unsigned int number)
{
	zone_number(ZONE_NORMAL)->nr_reserved_highatomic = number ? 0 : 4 * pageblock_nr_pages;
}

/* What can be reclaimed makes it try again. */
Test(sabotage_slowpath, a_round_that_releases_the_whole_reserve)
{
	expect_invariant("unreserve_one_pageblock",
			 (struct sabotage){ .program = LOW "counter(node=0, zone=Normal, item=inactive_file, delta=100000)\n"
							   "p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n",
					    .at = TRACE_SLOWPATH_RETRY,
					    .breaks = release_the_whole_reserve });
}

static void reclaim(struct trace_record *record, unsigned int number)
{
	const struct trace_record direct_reclaim = { .kind = TRACE_DIRECT_RECLAIM };

	scan_watch(&direct_reclaim);
}

Test(sabotage_slowpath, a_request_that_may_not_wait_and_reclaims)
{
	expect_invariant("only_waiting_requests_wait", (struct sabotage){ .program = FAILS,
									  .at = TRACE_SLOWPATH_RETRY,
									  .breaks = reclaim });
}

static void reclaim_for_ever(struct trace_record *record, unsigned int number)
{
	unsigned int i;

	for (i = 0; i < 40; i++)
		reclaim(record, number);
}

Test(sabotage_slowpath, a_request_that_does_not_give_up)
{
	expect_invariant("retries_bounded", (struct sabotage){ .program = RECLAIMS,
							       .at = TRACE_DIRECT_RECLAIM,
							       .breaks = reclaim_for_ever });
}

Test(sabotage_slowpath, a_second_try_that_was_not_allowed)
{
	expect_invariant("retries_bounded",
			 (struct sabotage){ .program = LOW "p0 = alloc_pages(order=0, gfp=GFP_KERNEL|__GFP_NORETRY)\n",
					    .at = TRACE_DIRECT_RECLAIM,
					    .breaks = reclaim });
}

static void owe_a_pageblock(struct trace_record *record, unsigned int number)
{
	zone_number(ZONE_NORMAL)->nr_reserved_highatomic = 2 * pageblock_nr_pages;
	watch.reserved_after_reclaim = 2 * pageblock_nr_pages;
}

Test(sabotage_slowpath, a_reserve_that_is_kept_although_reclaim_did_not_help)
{
	expect_invariant("reserve_given_up_after_reclaim", (struct sabotage){ .program = RECLAIMS,
									      .at = TRACE_DIRECT_RECLAIM,
									      .breaks = owe_a_pageblock });
}

static void give_up_for_another_type(struct trace_record *record, unsigned int number)
{
	if (watch.reserved_after_reclaim)
		set_pageblock_migratetype(pfn_to_page(watch.owed_pfn), MIGRATE_RECLAIMABLE);
}

Test(sabotage_slowpath, a_reserved_pageblock_that_does_not_become_the_requests)
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
