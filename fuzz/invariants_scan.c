// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_scan.c - how an allocation walks its zonelist (specification 30.F, 30.I, 30.J), judged over the scan
 * watch.
 *
 * Verified: 39-46, 62, 63 (the slow path), 64 (of visits), 65, 67 (of attempts), 71, 73, 77. verdict_follows_data (43) also
 * covers 53 and 60: it computes each verdict from the data, in the order of the tests. What free says after a take (66)
 * follows from watermark_respected, which asks before it.
 * Not verified here: dirty limits (invariants_dirty.c), batches and flags (invariants_fair.c), the slow path
 * (invariants_slowpath.c).
 */
#include "mm/internal.h"
#include "fuzz/invariant.h"
#include "fuzz/scan_expect.h"

/* The zones whose verdict the last pass is missing. */
static unsigned long missed_zones(const struct scan_watch *scan)
{
	unsigned long slots = 0;
	unsigned int i;

	for (i = 0; i < scan->list.nr_zones; i++)
		if (!watch_visited(&scan->list.zones[i]))
			slots |= 1UL << scan->list.zones[i].slot;
	return slots;
}

/* 3.16 ends its fair attempt without a page by design and makes another. */
static bool may_end_early(const struct scan_watch *scan)
{
	return (scan->entry_flags & ALLOC_FAIR) && (kernel.fair == FAIR_F316 || kernel.fair == FAIR_F316B);
}

/*
 * The request.
 */
RULE(zone_limit_of_request, 39, COST_SCAN, "page_alloc", "the zone limit of a request is the one that its zone bits ask for",
     const struct scan_watch *, scan)
{
	require(scan->high_zoneidx == expect_high_zone(scan->gfp), "gfp %#x: limit %u, expected %u", scan->gfp,
		scan->high_zoneidx, expect_high_zone(scan->gfp));
	return true;
}

void judge_request(const struct scan_watch *scan)
{
	judge(scan, zone_limit_of_request);
}

/*
 * Attempts, when they end.
 */
EXCEPTIONS(zone_missed_after_reset,
	   "the fair attempt of 3.16, which ends without a page by design and is followed by another")
RULE(zone_missed_after_reset, 41, COST_SCAN, "page_alloc",
     "a NULL return means the last pass looked at every eligible zone from the preferred one on",
     const struct scan_watch *, scan)
{
	when(!scan->got_page && !may_end_early(scan));
	require(scan->nr_visited == scan->list.nr_zones, "pass %u examined %u of %u eligible zones (missed: %s)%s",
		scan->pass, scan->nr_visited, scan->list.nr_zones, view_zone_names(missed_zones(scan)),
		scan->batch_resets ? " after the fair batches of the preferred zone's node were refilled" : "");
	return true;
}

EXCEPTIONS(first_fit_zone, "attempts with zone_reclaim, for what it frees may help a zone that was passed over before")
RULE(first_fit_zone, 73, COST_SCAN, "page_alloc",
     "the page comes from the first zone of the zonelist that passes every test and can deliver",
     const struct scan_watch *, scan)
{
	const struct watched_zone *zone;

	when(scan->got_page && !scan->zone_reclaims);
	for (zone = scan->list.zones; zone < scan->list.zones + scan->list.nr_zones; zone++) {
		if (watch_visited(zone) && zone->verdict == VERDICT_TAKEN)
			return true;
		if (watch_visited(zone))
			continue;
		require(!expect_could_serve(zone->slot, scan->alloc_flags & ALLOC_WMARK_MASK, scan->alloc_flags),
			"pass %u took from a zone at position %ld and never looked at zone %s at position %u: free %lu, mark %lu",
			scan->pass, scan->last_position, view_zone_name(zone->slot), zone->position,
			view_counter_read(zone->slot, VIEW_FREE_PAGES),
			view_watermark(zone->slot, scan->alloc_flags & ALLOC_WMARK_MASK));
	}
	return true;
}

RULE(iterator_starts_over, 40, COST_SCAN, "page_alloc", "every pass after the first begins at the preferred zoneref",
     const struct scan_watch *, scan)
{
	counts_if(scan->pass > 1);
	require(scan->pass < 2 || scan->first_position == 0, "pass %u begins at position %ld from the preferred zoneref",
		scan->pass, scan->first_position);
	return true;
}

static const struct watched_zone *first_kept_out(const struct scan_watch *scan)
{
	return &scan->list.zones[__ffs(scan->kept_out)];
}

EXCEPTIONS(no_fair_skip_in_last_pass,
	   "the fair attempt of 3.16, which ends without a page by design and is followed by another")
RULE(no_fair_skip_in_last_pass, 42, COST_SCAN, "fair",
     "the last pass before a NULL return keeps no zone out for fairness or, with seed 3, for its dirty pages",
     const struct scan_watch *, scan)
{
	when(!scan->got_page && !may_end_early(scan));
	require(!scan->kept_out, "zone %s: %s in pass %u, the last", view_zone_name(first_kept_out(scan)->slot),
		watch_verdict_name(first_kept_out(scan)->verdict), scan->pass);
	return true;
}

RULE(zones_in_list_order, 44, COST_SCAN, "page_alloc", "a pass visits zonerefs in strictly increasing position",
     const struct scan_watch *, scan)
{
	counts_if(scan->visits > 1);
	require(!scan->out_of_order, "pass %u went back, last position %ld", scan->pass, scan->last_position);
	return true;
}

RULE(one_verdict_for_each_zone, 43, COST_SCAN, "page_alloc", "a pass comes to one verdict for each zone it visits",
     const struct scan_watch *, scan)
{
	counts_if(scan->visits != 0);
	require(!scan->repeated, "pass %u judged a zone twice", scan->pass);
	require(scan->nr_visited == scan->visits, "pass %u visited %u zones and judged %u", scan->pass, scan->visits,
		scan->nr_visited);
	return true;
}

static unsigned int passes_allowed(const struct scan_watch *scan)
{
	unsigned int passes = 1;

	if ((scan->entry_flags & ALLOC_FAIR) && (kernel.fair == FAIR_F47 || kernel.fair == FAIR_F317))
		passes++;
	if (scan->entry_flags & ALLOC_DIRTY)
		passes++;
	return passes;
}

RULE(passes_bounded, 45, COST_SCAN, "page_alloc",
     "an attempt takes no more passes than its fair mode allows, and a call resets the batches at most once",
     const struct scan_watch *, scan)
{
	require(scan->pass <= passes_allowed(scan), "%u passes, %u allowed", scan->pass, passes_allowed(scan));
	require(scan->batch_resets <= 1, "%u batch resets in one call", scan->batch_resets);
	return true;
}

EXCEPTIONS(another_pass_has_a_reason, "3.17 on more than one node, which always looks again")
RULE(another_pass_has_a_reason, 45, COST_SCAN, "page_alloc",
     "an attempt looks again only after a zone was kept out for fairness or its dirty pages", const struct scan_watch *, scan)
{
	require(scan->attempt_fair_skips || scan->attempt_dirty_skips || (kernel.fair == FAIR_F317 && machine->nr_nodes > 1),
		"pass %u is over, and no zone was kept out", scan->pass);
	return true;
}

void judge_pass_begin(const struct scan_watch *scan)
{
	judge(scan, another_pass_has_a_reason);
}

static bool first_zone_gave_it(const struct scan_watch *scan)
{
	return scan->got_page && scan->pass == 1 && scan->visits == 1 && scan->at == scan->list.zones && !scan->repeated &&
	       scan->at->verdict == VERDICT_TAKEN;
}

/* In the order of rank: one cause has one title. Where the first zone gave the page at once there is nothing to ask. */
void judge_attempt(const struct scan_watch *scan)
{
	if (first_zone_gave_it(scan))
		return;
	judge(scan, zone_missed_after_reset, first_fit_zone, iterator_starts_over, no_fair_skip_in_last_pass,
	      zones_in_list_order, one_verdict_for_each_zone, passes_bounded);
}

/*
 * Attempts, when they begin.
 */
RULE(fairness_only_before_slow_path, 46, COST_SCAN, "page_alloc",
     "only the attempts before the slow path are fair or spread dirty pages", const struct scan_watch *, scan)
{
	counts_if(scan->slow);
	require(!scan->slow || !(scan->entry_flags & (ALLOC_FAIR | ALLOC_DIRTY)), "attempt %u, in round %u: flags %#x",
		scan->attempts, scan->rounds, scan->entry_flags);
	return true;
}

/* ALLOC_DIRTY may be dropped between passes; each attempt before the slow path begins with it, if the caller writes. */
RULE(dirty_flag_follows_request, 62, COST_SCAN, "page_alloc",
     "with seed 3 an attempt before the slow path has ALLOC_DIRTY if the caller will write, otherwise nobody has it",
     const struct scan_watch *, scan)
{
	bool wanted = patched(DIRTY_LIMIT_CACHED) && !scan->slow && (scan->gfp & __GFP_WRITE);

	counts_if(wanted);
	require(!(scan->entry_flags & ALLOC_DIRTY) == !wanted, "attempt %u, gfp %#x: flags %#x", scan->attempts, scan->gfp,
		scan->entry_flags);
	return true;
}

RULE(kswapd_woken_for_each_zone, 77, COST_SCAN, "page_alloc",
     "each slow path round wakes kswapd once for every eligible zone from the list head on, with the class zone index",
     const struct scan_watch *, scan)
{
	when(scan->slow);
	counts_if(scan->nr_expected_wakeups != 0);
	require(scan->nr_woken == scan->nr_expected_wakeups && scan->woken == scan->expected_wakeups,
		"round %u: %u wakeups (%s), expected %u (%s)", scan->rounds, scan->nr_woken, view_zone_names(scan->woken),
		scan->nr_expected_wakeups, view_zone_names(scan->expected_wakeups));
	require(scan->wake_classzone == scan->expected_classzone, "round %u: class zone index %u, expected %u", scan->rounds,
		scan->wake_classzone, scan->expected_classzone);
	return true;
}

RULE(only_the_privileged_ignore_marks, 67, COST_SCAN, "page_alloc",
     "an attempt ignores the watermarks only if its caller may, or must not fail and the OOM killer was asked",
     const struct scan_watch *, scan)
{
	bool last_resort = (scan->gfp & __GFP_NOFAIL) && scan->oom_calls;

	when(scan->entry_flags & ALLOC_NO_WATERMARKS);
	require(scan->slow && (last_resort || (expect_slow_flags() & ALLOC_NO_WATERMARKS)),
		"attempt %u, gfp %#x, task flags %#x", scan->attempts, scan->gfp, scan->task_flags);
	return true;
}

/*
 * Specification 21 and 22 step B. Fairness and dirty pages are other rules' (46, 62); so is who may ignore the marks, but
 * whoever does asks for nothing else. Before a kill somebody else's may have brought a zone up to its high mark.
 */
static bool flags_are_of_slow_path(unsigned int flags)
{
	if (flags & ALLOC_NO_WATERMARKS)
		return !(flags & ~(ALLOC_NO_WATERMARKS | ALLOC_CPUSET));
	return flags == (watch.slow_flags & ~ALLOC_NO_WATERMARKS) || flags == (ALLOC_WMARK_HIGH | ALLOC_CPUSET);
}

static bool flags_are_of_first_attempts(unsigned int flags)
{
	unsigned int wanted = ALLOC_WMARK_LOW;

	if (machine->cpusets)
		wanted |= ALLOC_CPUSET;
	if (machine->cma && expect_migratetype() == MIGRATE_MOVABLE)
		wanted |= ALLOC_CMA;
	if (!(flags & ALLOC_FAIR) && kernel.fair != FAIR_F316 && kernel.fair != FAIR_F316B)
		return false;
	return (flags & ~(ALLOC_FAIR | ALLOC_DIRTY)) == wanted;
}

RULE(flags_follow_request, 46, COST_SCAN, "page_alloc",
     "what an attempt may use follows from the request and its task: the mark, CMA, the cpuset and the reserves",
     const struct scan_watch *, scan)
{
	bool fit = scan->slow ? flags_are_of_slow_path(scan->entry_flags) : flags_are_of_first_attempts(scan->entry_flags);

	require(fit, "attempt %u, round %u, gfp %#x, task flags %#x: flags %#x", scan->attempts, scan->rounds, scan->gfp,
		scan->task_flags, scan->entry_flags);
	return true;
}

void judge_attempt_begin(const struct scan_watch *scan)
{
	judge(scan, only_the_privileged_ignore_marks, fairness_only_before_slow_path, flags_follow_request,
	      dirty_flag_follows_request, kswapd_woken_for_each_zone);
}

/*
 * Visits.
 */
RULE(only_eligible_zones_visited, 64, COST_SCAN, "page_alloc",
     "a scan visits only zones within the request's zone limit and nodemask", const struct zone_visit *, visit)
{
	require(visit->eligible, "pass %u visits zone %s at position %ld, which is not eligible", watch.pass,
		view_zone_name(visit->slot), watch.last_position);
	return true;
}

EXCEPTIONS(watermark_respected, "visits in which zone_reclaim ran, and attempts that may ignore the marks")
RULE(watermark_respected, 65, COST_SCAN, "watermark",
     "a page is taken only from a zone that passes the watermark test of its attempt", const struct zone_visit *, visit)
{
	when(visit->verdict == VERDICT_TAKEN && !(watch.alloc_flags & ALLOC_NO_WATERMARKS) && !visit->reclaimed);
	require(visit->expected != VERDICT_WMARK,
		"zone %s, order %u: taken although it was not above its mark %lu + %ld (free now %lu)",
		view_zone_name(visit->slot), watch.order,
		view_watermark(visit->slot, watch.alloc_flags & ALLOC_WMARK_MASK),
		view_lowmem_reserve(visit->slot, watch.list.classzone), view_counter_read(visit->slot, VIEW_FREE_PAGES));
	return true;
}

static bool verdict_is_legal(const struct zone_visit *visit)
{
	if (visit->verdict == visit->expected)
		return true;
	if (visit->expected == VERDICT_TAKEN)
		return visit->verdict == VERDICT_TAKE_FAIL;
	if (visit->expected != VERDICT_WMARK || !zone_reclaim_mode)
		return false;
	if (visit->verdict == VERDICT_TAKEN || visit->verdict == VERDICT_TAKE_FAIL)
		return visit->reclaimed;
	return visit->verdict >= VERDICT_RECLAIM_NOSCAN && visit->verdict <= VERDICT_RECLAIM_LOW && visit->reclaimed;
}

/* Order of tests: cpuset, fair, dirty, watermark, take. The first that fails names the verdict. */
RULE(verdict_follows_data, 43, COST_SCAN, "page_alloc",
     "each visit ends in the verdict that cpuset, fair batch, dirty limit and watermark call for, tested in this order",
     const struct zone_visit *, visit)
{
	when(visit->eligible);
	require(verdict_is_legal(visit),
		"zone %s, order %u, pass %u: %s, but the data say %s (free %lu, batch %ld, depleted %d)",
		view_zone_name(visit->slot), watch.order, watch.pass, watch_verdict_name(visit->verdict),
		watch_verdict_name(visit->expected), view_counter_read(visit->slot, VIEW_FREE_PAGES), visit->batch_before,
		visit->depleted_before);
	return true;
}

RULE(no_dirty_skip_in_slow_path, 63, COST_SCAN, "page_alloc",
     "the slow path keeps no zone out for its dirty pages", const struct zone_visit *, visit)
{
	when(watch.slow);
	require(visit->verdict != VERDICT_DIRTY, "zone %s, round %u", view_zone_name(visit->slot), watch.rounds);
	return true;
}

void judge_visit(const struct zone_visit *visit)
{
	judge(visit, only_eligible_zones_visited, watermark_respected, verdict_follows_data,
	      no_dirty_skip_in_slow_path);
}

/*
 * Entering the slow path.
 */
EXCEPTIONS(no_zone_left_for_the_slow_path,
	   "attempts with zone_reclaim, for what it frees may help a zone that was passed over before; counters that a take in vain folded")
RULE(no_zone_left_for_the_slow_path, 71, COST_SCAN, "page_alloc",
     "the slow path is entered only when no eligible zone is above its low mark and can deliver",
     const struct scan_watch *, scan)
{
	const struct watched_zone *zone;

	when(!scan->zone_reclaims && !scan->folded);
	counts_if(scan->list.nr_zones != 0);
	for (zone = scan->list.zones; zone < scan->list.zones + scan->list.nr_zones; zone++)
		require(!expect_could_serve(zone->slot, WMARK_LOW, scan->entry_flags),
			"zone %s, order %u: free %lu, low mark %lu + %ld, and it has a block to give",
			view_zone_name(zone->slot), scan->order, view_counter_read(zone->slot, VIEW_FREE_PAGES),
			view_watermark(zone->slot, WMARK_LOW), view_lowmem_reserve(zone->slot, scan->list.classzone));
	return true;
}

void judge_slowpath_entry(const struct scan_watch *scan)
{
	judge(scan, no_zone_left_for_the_slow_path);
}

RULE(kswapd_only_from_slow_path, 77, COST_SCAN, "page_alloc",
     "kswapd is woken only from the slow path, and only for a request that allows it", const struct scan_watch *, scan)
{
	require(scan->slow, "kswapd woken after %u attempts, none of them slow", scan->attempts);
	require(scan->gfp & __GFP_KSWAPD_RECLAIM, "kswapd woken for gfp %#x", scan->gfp);
	return true;
}

/* kswapd does not ask what the request would accept beyond the task's own cpuset (29.1). Without NUMA all is node 0. */
static bool hardwall_allows(unsigned int slot)
{
	int node = machine->numa ? (int)view_zone_node(slot) : 0;

	return !cpusets_enabled() || in_interrupt() || test_thread_flag(TIF_MEMDIE) ||
	       node_isset(node, current->mems_allowed);
}

RULE(kswapd_wakes_for_zone_below_high, 77, COST_SCAN, "page_alloc",
     "kswapd wakes up exactly if it sleeps, may work for the task, and the zone is not above its high mark",
     const struct trace_record *, record)
{
	unsigned int slot = (unsigned int)record->a, order = (unsigned int)record->b;
	bool asleep = view_kswapd_asleep(view_zone_node(slot));

	counts_if(asleep);
	require(record->d == (asleep && hardwall_allows(slot) && !expect_balanced(slot, order)),
		"zone %s, order %u: woken %lu, asleep before %d, free %ld, high mark %lu", view_zone_name(slot), order, record->d,
		asleep, view_counter_sum(slot, VIEW_FREE_PAGES), view_watermark(slot, WMARK_HIGH));
	return true;
}

void judge_wakeup(const struct scan_watch *scan, const struct trace_record *record)
{
	judge(scan, kswapd_only_from_slow_path);
	judge(record, kswapd_wakes_for_zone_below_high);
}
