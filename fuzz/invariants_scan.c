// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_scan.c - how an allocation walks its zonelist (specification 30.F, 30.J), judged over the scan watch.
 *
 * Verified: which zones are looked at, in which order and how often, that each verdict follows from the data, when the
 * slow path and kswapd may come in. Not verified here: what a take leaves in the counters (invariants_counters.c).
 */
#include "mm/internal.h"
#include "fuzz/invariant.h"
#include "fuzz/scan_watch.h"
#include "host.h"

/* "Normal, DMA" of the zones whose verdict this pass is (or is not) missing. */
static const char *zone_names(bool visited)
{
	static char names[160];
	unsigned long at = 0;
	unsigned int i;

	names[0] = '\0';
	for (i = 0; i < watch.nr_zones; i++) {
		const char *name = view_zone_name(watch.zones[i].slot);

		if ((watch.zones[i].verdict != WATCH_NOT_VISITED) != visited || at + strlen(name) + 3 > sizeof(names))
			continue;
		if (at) {
			memcpy(names + at, ", ", 2);
			at += 2;
		}
		memcpy(names + at, name, strlen(name) + 1);
		at += strlen(name);
	}
	return names;
}

static unsigned int zones_visited(void)
{
	unsigned int visited = 0;
	unsigned int i;

	for (i = 0; i < watch.nr_zones; i++)
		visited += watch.zones[i].verdict != WATCH_NOT_VISITED;
	return visited;
}

static bool fair_attempt(void)
{
	return watch.entry_flags & ALLOC_FAIR;
}

/* 3.16 ends its fair attempt without a page by design and makes another. */
static bool may_end_early(void)
{
	return fair_attempt() && (kernel.fair == FAIR_F316 || kernel.fair == FAIR_F316B);
}

INVARIANT(zone_missed_after_reset, 41, COST_SCAN, "page_alloc",
	  "a NULL return means the last pass looked at every eligible zone from the preferred one on")
{
	if (watch.got_page || may_end_early())
		return;
	inv->held++;
	if (zones_visited() == watch.nr_zones)
		return;
	inv_fail(inv, "pass %u examined %u of %u eligible zones (missed: %s)%s", watch.pass, zones_visited(),
		 watch.nr_zones, zone_names(false),
		 watch.batch_resets ? " after the fair batches of the preferred zone's node were refilled" : "");
}

INVARIANT(first_fit_zone, 73, COST_SCAN, "page_alloc",
	  "the page comes from the first zone of the zonelist that passes every test and can deliver")
{
	unsigned int i;

	if (!watch.got_page)
		return;
	inv->held++;
	for (i = 0; i < watch.nr_zones; i++) {
		const struct watched_zone *zone = &watch.zones[i];

		if (zone->verdict == VERDICT_TAKEN)
			return;
		if (zone->verdict != WATCH_NOT_VISITED ||
		    !watch_could_serve(zone, watch.alloc_flags & ALLOC_WMARK_MASK, watch.alloc_flags))
			continue;
		inv_fail(inv, "pass %u took from a zone at position %ld and never looked at zone %s at position %u: free %lu, mark %lu",
			 watch.pass, watch.last_position, view_zone_name(zone->slot), zone->position,
			 view_counter_read(zone->slot, VIEW_FREE_PAGES),
			 view_watermark(zone->slot, watch.alloc_flags & ALLOC_WMARK_MASK));
	}
}

INVARIANT(iterator_starts_over, 40, COST_SCAN, "page_alloc",
	  "every pass after the first begins at the preferred zoneref")
{
	inv->held += watch.pass > 1;
	inv_require(inv, watch.pass < 2 || watch.first_position == 0,
		    "pass %u begins at position %ld from the preferred zoneref", watch.pass, watch.first_position);
}

INVARIANT(no_fair_skip_in_last_pass, 42, COST_SCAN, "fair",
	  "the last pass before a NULL return keeps no zone out for fairness or for its dirty pages")
{
	unsigned int i;

	if (watch.got_page || may_end_early())
		return;
	for (i = 0; i < watch.nr_zones; i++) {
		unsigned int verdict = watch.zones[i].verdict;
		bool fair = verdict == VERDICT_FAIR_SKIP || verdict == VERDICT_FAIR_ABORT;
		bool dirty = verdict == VERDICT_DIRTY && patched(DIRTY_LIMIT_CACHED);

		inv->held++;
		inv_require(inv, !fair && !dirty, "zone %s: %s in pass %u, the last",
			    view_zone_name(watch.zones[i].slot), watch_verdict_name(verdict), watch.pass);
	}
}

INVARIANT(zones_in_list_order, 44, COST_SCAN, "page_alloc",
	  "a pass visits zonerefs in strictly increasing position")
{
	inv->held += watch.visits > 1;
	inv_require(inv, !watch.out_of_order, "pass %u went back, last position %ld", watch.pass, watch.last_position);
}

INVARIANT(one_verdict_for_each_zone, 43, COST_SCAN, "page_alloc", "a pass comes to one verdict for each zone it visits")
{
	inv->held += watch.visits != 0;
	inv_require(inv, !watch.repeated, "pass %u judged a zone twice", watch.pass);
	inv_require(inv, zones_visited() == watch.visits, "pass %u visited %u zones and judged %u", watch.pass,
		    watch.visits, zones_visited());
}

static unsigned int passes_allowed(void)
{
	unsigned int passes = 1;

	if (fair_attempt() && (kernel.fair == FAIR_F47 || kernel.fair == FAIR_F317))
		passes++;
	if (watch.entry_flags & ALLOC_DIRTY)
		passes++;
	return passes;
}

INVARIANT(passes_bounded, 45, COST_SCAN, "page_alloc",
	  "an attempt takes no more passes than its fair mode allows, and a call resets the batches at most once")
{
	inv->held++;
	inv_require(inv, watch.pass <= passes_allowed(), "%u passes, %u allowed", watch.pass, passes_allowed());
	inv_require(inv, watch.batch_resets <= 1, "%u batch resets in one call", watch.batch_resets);
}

INVARIANT(only_eligible_zones_visited, 64, COST_SCAN, "page_alloc",
	  "a scan visits only zones within the request's zone limit and nodemask")
{
	inv->held++;
	inv_require(inv, watch.current >= 0, "pass %u visits position %ld, which is not eligible", watch.pass,
		    watch.last_position);
}

/* The verdict of the zone just judged. */
static const struct watched_zone *judged(void)
{
	return &watch.zones[watch.current];
}

INVARIANT(watermark_respected, 65, COST_SCAN, "watermark",
	  "a page is taken only from a zone that passes the watermark test of its attempt")
{
	const struct watched_zone *zone = judged();
	unsigned int mark = watch.alloc_flags & ALLOC_WMARK_MASK;

	if (zone->verdict != VERDICT_TAKEN || (watch.alloc_flags & ALLOC_NO_WATERMARKS) || watch.zone_reclaimed)
		return;
	inv->held++;
	inv_require(inv, zone->expected != VERDICT_WMARK,
		    "zone %s, order %u: taken although it was not above its mark %lu + %ld (free now %lu)",
		    view_zone_name(zone->slot), watch.order, view_watermark(zone->slot, mark),
		    view_lowmem_reserve(zone->slot, watch.classzone), view_counter_read(zone->slot, VIEW_FREE_PAGES));
}

static bool verdict_is_legal(unsigned int verdict, unsigned int expected)
{
	if (verdict == expected)
		return true;
	if (expected == VERDICT_TAKEN)
		return verdict == VERDICT_TAKE_FAIL;
	if (expected != VERDICT_WMARK || !zone_reclaim_mode)
		return false;
	if (verdict == VERDICT_TAKEN || verdict == VERDICT_TAKE_FAIL)
		return watch.zone_reclaimed;
	return verdict >= VERDICT_RECLAIM_NOSCAN && verdict <= VERDICT_RECLAIM_LOW && watch.zone_reclaimed;
}

/* Order of tests: cpuset, fair, dirty, watermark, take. The first that fails names the verdict. */
INVARIANT(verdict_follows_data, 52, COST_SCAN, "page_alloc",
	  "each visit ends in the verdict that cpuset, fair batch, dirty limit and watermark call for, tested in this order")
{
	const struct watched_zone *zone = judged();

	inv->held++;
	inv_require(inv, verdict_is_legal(zone->verdict, zone->expected),
		    "zone %s, order %u, pass %u: %s, but the data say %s (free %lu, batch %ld, depleted %d)",
		    view_zone_name(zone->slot), watch.order, watch.pass, watch_verdict_name(zone->verdict),
		    watch_verdict_name(zone->expected), view_counter_read(zone->slot, VIEW_FREE_PAGES),
		    view_counter_raw(zone->slot, VIEW_ALLOC_BATCH), view_fair_depleted(zone->slot));
}

INVARIANT(no_zone_left_for_the_slow_path, 71, COST_SCAN, "page_alloc",
	  "the slow path is entered only when no eligible zone is above its low mark and can deliver")
{
	unsigned int i;

	for (i = 0; i < watch.nr_zones; i++) {
		const struct watched_zone *zone = &watch.zones[i];

		inv->held++;
		inv_require(inv, !watch_could_serve(zone, WMARK_LOW, watch.entry_flags),
			    "zone %s, order %u: free %lu, low mark %lu + %ld, and it has a block to give",
			    view_zone_name(zone->slot), watch.order, view_counter_read(zone->slot, VIEW_FREE_PAGES),
			    view_watermark(zone->slot, WMARK_LOW), view_lowmem_reserve(zone->slot, watch.classzone));
	}
}

INVARIANT(kswapd_only_from_slow_path, 77, COST_SCAN, "page_alloc",
	  "kswapd is woken only from the slow path, and only for a request that allows it")
{
	inv->held++;
	inv_require(inv, watch.slow, "kswapd woken after %u attempts, none of them slow", watch.attempts);
	inv_require(inv, watch.gfp & __GFP_KSWAPD_RECLAIM, "kswapd woken for gfp %#x", watch.gfp);
}

INVARIANT(kswapd_woken_for_each_zone, 77, COST_SCAN, "page_alloc",
	  "each slow path round wakes kswapd once for every eligible zone from the list head on, with the class zone index")
{
	inv->held += watch.nr_expected_wakeups != 0;
	inv_require(inv, watch.nr_woken == watch.nr_expected_wakeups && watch.woken == watch.expected_wakeups,
		    "round %u: %u wakeups (zones %#lx), expected %u (zones %#lx)", watch.rounds, watch.nr_woken,
		    watch.woken, watch.nr_expected_wakeups, watch.expected_wakeups);
	inv_require(inv, watch.wake_classzone == watch.expected_classzone, "round %u: class zone index %u, expected %u",
		    watch.rounds, watch.wake_classzone, watch.expected_classzone);
}
