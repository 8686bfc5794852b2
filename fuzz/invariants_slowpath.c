// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_slowpath.c - the slow path gives up only when nothing is left, asks its neighbours only for requests that
 * may wait, and ends (specification 30.I, 30.J, 30.K).
 *
 * Verified: 72, 75, 76, 78, 79.
 * Not verified: what reclaim, compaction and the OOM killer themselves do: they are scripts.
 */
#include "mm/internal.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"
#include "fuzz/scan_expect.h"
#include "reclaim.h"

/*
 * What the call gave.
 */

/* The attempt that ignores the marks, and takes whatever block there is, comes before reclaim only. */
static bool could_have_served(unsigned int slot, unsigned int flags)
{
	if ((flags & ALLOC_NO_WATERMARKS) && !watch.progress && expect_deliverable(slot, ALLOC_NO_WATERMARKS))
		return true;
	return !(watch.folded >> slot & 1) && expect_could_serve(slot, WMARK_MIN, flags);
}

/*
 * Since unreserve-before-oom the last round may give up a reserve of which no page can be moved, as in a pageblock that
 * ends outside its zone. That alone can lift the zone above its mark, and nobody looks again. The blocks stay where they
 * were, which tells it from a reserve that was released and then not tried.
 */
static bool gave_up_in_vain(unsigned int slot)
{
	unsigned int order;

	if (!patched(UNRESERVE_BEFORE_OOM) || view_reserved_highatomic_total() >= watch.reserved_at_round)
		return false;
	for (order = 0; order < MAX_ORDER; order++)
		if (!view_list_empty(slot, order, MIGRATE_HIGHATOMIC))
			return true;
	return false;
}

/* The zones from the preferred zoneref of the last attempt on; before recompute-preferred-zoneref that may be stale. */
EXCEPTIONS(no_zone_left_for_a_failure,
	   "attempts with zone_reclaim; the marks, if a take in vain folded the counter; a reserve given up without a page moved")
RULE(no_zone_left_for_a_failure, 72, COST_CALL, "page_alloc",
     "a request fails only when no eligible zone is above its min mark, as the request sees it, and can deliver",
     const struct call_record *, call)
{
	unsigned int flags = expect_slow_flags();
	const struct watched_zone *zone;

	when(!watch.zone_reclaims);
	counts_if(watch.list.nr_zones != 0);
	for (zone = watch.list.zones; zone < watch.list.zones + watch.list.nr_zones; zone++)
		require(!could_have_served(zone->slot, flags) || gave_up_in_vain(zone->slot),
			"zone %s, order %u, flags %#x: free %lu, min mark %lu + %ld, and it has a block to give",
			view_zone_name(zone->slot), watch.order, flags, view_counter_read(zone->slot, VIEW_FREE_PAGES),
			view_watermark(zone->slot, WMARK_MIN), view_lowmem_reserve(zone->slot, watch.list.classzone));
	return true;
}

EXCEPTIONS(nofail_never_fails, "no zone is eligible; costly orders; __GFP_NORETRY, which is looked at first")
RULE(nofail_never_fails, 75, COST_CALL, "page_alloc", "a request that must not fail and may reclaim does not fail",
     const struct call_record *, call)
{
	when((call->gfp & __GFP_NOFAIL) && (call->gfp & __GFP_DIRECT_RECLAIM) && !(call->gfp & __GFP_NORETRY));
	when(watch.order <= PAGE_ALLOC_COSTLY_ORDER && watch.attempts && watch.list.nr_zones);
	require(call->pfn != VIEW_NO_PFN, "order %u, gfp %#x: failed after %u rounds", watch.order, call->gfp, watch.rounds);
	return true;
}

RULE(memalloc_flag_restored, 79, COST_CALL, "page_alloc", "a call leaves PF_MEMALLOC of its task as it was",
     const struct call_record *, call)
{
	counts_if(watch.slow);
	require(!((current->flags ^ watch.task_flags) & PF_MEMALLOC), "task flags %#x before, %#x after", watch.task_flags,
		current->flags);
	return true;
}

void judge_slow_call(const struct call_record *call)
{
	judge(call, memalloc_flag_restored, nofail_never_fails);
	if (!watch.slow)
		return;
	if (call->pfn == VIEW_NO_PFN) {
		judge_reserve_of_round(&watch);
		if (watch.order < MAX_ORDER)
			judge(call, no_zone_left_for_a_failure);
	}
}

/*
 * Neighbours.
 */
RULE(only_waiting_requests_wait, 76, COST_SCAN, "page_alloc",
     "a request without __GFP_DIRECT_RECLAIM never reclaims, compacts, kills or sleeps", const struct scan_watch *, scan)
{
	require(scan->gfp & __GFP_DIRECT_RECLAIM, "gfp %#x, round %u", scan->gfp, scan->rounds);
	return true;
}

#define MAX_IDLE_ROUNDS 17

/*
 * After 16 rounds without progress a request gives up or asks the OOM killer. Since unreserve-before-oom each pageblock that
 * can be taken off the reserve's lists buys another round, and that may be more than are reserved: what merges with a block
 * of the reserve is on its lists too.
 */
EXCEPTIONS(retries_bounded,
	   "while somebody else holds oom_lock, which counts as progress; rounds for which a part of the reserve was given up")
RULE(retries_bounded, 78, COST_SCAN, "page_alloc",
     "17 rounds without progress, and the OOM killer is asked or the request fails; one round where it may not retry",
     const struct scan_watch *, scan)
{
	bool once = (scan->gfp & __GFP_NORETRY) || (scan->order > PAGE_ALLOC_COSTLY_ORDER && !(scan->gfp & __GFP_REPEAT));

	when(reclaim_script.oom != OOM_BLOCKED);
	counts_if(scan->idle_reclaims > 1 || once);
	require(scan->idle_reclaims <= MAX_IDLE_ROUNDS + scan->reserve_rounds, "order %u, gfp %#x: %u reclaims in a row without progress",
		scan->order, scan->gfp, scan->idle_reclaims);
	require(!once || scan->reclaim_calls <= 1, "order %u, gfp %#x: %u reclaims, one is allowed", scan->order, scan->gfp,
		scan->reclaim_calls);
	return true;
}

void judge_neighbour(const struct scan_watch *scan)
{
	if (!scan->active)
		return;
	judge(scan, only_waiting_requests_wait, retries_bounded);
}
