// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_slowpath.c - the slow path is watched (fuzz/invariants_slowpath.c).
 *
 * "uma-64m", with the marks of both zones so high that nobody can serve. FAILS does not wait; RECLAIMS tries direct reclaim
 * again and again, without progress, and fails.
 */
#include "tests/sabotage.h"

#define LOW "machine preset=uma-64m\nwatermark(node=0, zone=Normal, min=60000)\nwatermark(node=0, zone=DMA, min=60000)\n"
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
