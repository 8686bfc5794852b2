// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_fair.c - the fair zone policy: batches are spent by takes and refilled by resets, the flag follows them,
 * and zones of a node are used in proportion (specification 30.G, and 34, 47 of it).
 *
 * Verified: 34, 47-52, 54-58. 53 is covered by verdict_follows_data (43).
 * Left out of 34: a page that the DEBUG_VM check of the per-CPU lists rejects costs a unit of the batch, too; a program
 * that damages descriptors is excused from all of these (invariants.c).
 */
#include "mm/internal.h"
#include "fuzz/fair_watch.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"
#include "fuzz/scan_expect.h"

static bool has_flag(void)
{
	return kernel.fair == FAIR_F47 || kernel.fair == FAIR_F317;
}

static long full_batch(unsigned int slot)
{
	return (long)(view_watermark(slot, WMARK_HIGH) - view_watermark(slot, WMARK_LOW));
}

static bool marks_changed(unsigned int slot)
{
	return fair_watch.marks_changed >> slot & 1;
}

/*
 * Visits.
 */

/* F317 on UP without signed-batch-read sets it at exactly 0 and breaks this rule. */
RULE(flag_follows_counter, 48, COST_SCAN, "fair",
     "after a take a zone whose batch is used up is flagged, and one that was not flagged and has batch left is not",
     const struct zone_visit *, visit)
{
	when(visit->verdict == VERDICT_TAKEN && has_flag());
	require(visit->batch_after > 0 || visit->depleted_after, "zone %s: batch %ld, not flagged",
		view_zone_name(visit->slot), visit->batch_after);
	require(visit->batch_after <= 0 || visit->depleted_before || !visit->depleted_after, "zone %s: batch %ld, flagged",
		view_zone_name(visit->slot), visit->batch_after);
	return true;
}

RULE(flag_changes_only_by_take_or_reset, 49, COST_SCAN, "fair",
     "the depleted flag is set only by a take from the zone, and cleared only by a reset", const struct zone_visit *, visit)
{
	bool may_be_set = has_flag() && visit->verdict == VERDICT_TAKEN;

	require(visit->depleted_before == visit->depleted_after || (visit->depleted_after && may_be_set),
		"zone %s: flag %d became %d in a visit that ended in %s", view_zone_name(visit->slot), visit->depleted_before,
		visit->depleted_after, watch_verdict_name(visit->verdict));
	return true;
}

/*
 * On UP, where the counter tells the truth. In the counter modes a batch below zero reads as huge and breaks this rule,
 * and so it is with F317 without signed-batch-read.
 */
RULE(no_fair_use_of_exhausted_zone, 52, COST_SCAN, "fair", "on UP a fair pass takes only from a zone with batch left",
     const struct zone_visit *, visit)
{
	when(!machine->smp && visit->verdict == VERDICT_TAKEN && visit->apply_fair && visit->local);
	when(full_batch(visit->slot) > 0 && !marks_changed(visit->slot));
	require(visit->batch_before > 0, "zone %s, order %u: taken with batch %ld of %ld", view_zone_name(visit->slot),
		watch.order, visit->batch_before, full_batch(visit->slot));
	return true;
}

/*
 * 3.16 never uses a remote zone in its fair attempt, 3.17 ends a fair pass at the first one, 4.7 uses it only while no
 * zone was skipped, and looks at the flag of the first one it comes to.
 */
static bool remote_use_is_fair(const struct zone_visit *visit)
{
	switch (kernel.fair) {
	case FAIR_F47:
		return !watch.attempt_fair_skips && !(watch.remote_visits == 1 && visit->depleted_before);
	case FAIR_F317:
	case FAIR_F316B:
		return false;
	default:
		return visit->verdict != VERDICT_TAKEN;
	}
}

RULE(remote_zone_only_when_fair_allows, 56, COST_SCAN, "fair",
     "a fair pass uses a remote zone only where its fair mode says so", const struct zone_visit *, visit)
{
	bool used = visit->verdict != VERDICT_FAIR_ABORT && visit->verdict != VERDICT_FAIR_SKIP &&
		    visit->verdict != VERDICT_CPUSET;

	when(!visit->local && watch.began_fair);
	require(!used || remote_use_is_fair(visit), "zone %s, remote: %s after %u fair skips, flag %d",
		view_zone_name(visit->slot), watch_verdict_name(visit->verdict), watch.attempt_fair_skips,
		visit->depleted_before);
	return true;
}

void judge_visit_batch(const struct zone_visit *visit)
{
	judge(visit, flag_follows_counter, flag_changes_only_by_take_or_reset, no_fair_use_of_exhausted_zone,
	      remote_zone_only_when_fair_allows);
}

/*
 * Resets.
 */
RULE(reset_needs_a_reason, 47, COST_SCAN, "fair",
     "batches are refilled only if the attempt skipped a zone for fairness, in 3.16 if the fair attempt gave no page",
     const struct batch_reset *, reset)
{
	if (has_flag())
		require(watch.attempt_fair_skips, "preferred zone %s: reset in pass %u, no zone skipped",
			view_zone_name(reset->preferred_slot), watch.pass);
	else
		require(!watch.got_page && (watch.entry_flags & ALLOC_FAIR), "preferred zone %s: reset after attempt %u",
			view_zone_name(reset->preferred_slot), watch.attempts);
	return true;
}

void judge_reset_reason(const struct batch_reset *reset)
{
	judge(reset, reset_needs_a_reason);
}

/* Specification 10.2: what a CPU's delta holds back stays held back. On UP there is none. */
RULE(reset_refills_batch, 57, COST_SCAN, "fair",
     "a reset leaves each batch at the distance of the high and low marks, not counting what deltas hold back",
     const struct batch_reset *, reset)
{
	unsigned int slot;

	for_each_slot_of(slot, reset->zones)
		require(view_counter_sum(slot, VIEW_ALLOC_BATCH) == full_batch(slot) + reset->delta[slot],
			"zone %s: batch %ld, expected %ld and %ld held back", view_zone_name(slot),
			view_counter_sum(slot, VIEW_ALLOC_BATCH), full_batch(slot), reset->delta[slot]);
	return true;
}

RULE(reset_touches_only_its_zones, 58, COST_SCAN, "fair",
     "a reset leaves the batches alone of zones that are not the preferred zone's neighbours below it",
     const struct batch_reset *, reset)
{
	unsigned int slot;

	counts_if(reset->all_zones != reset->zones);
	for_each_slot_of(slot, reset->all_zones & ~reset->zones)
		require(view_counter_sum(slot, VIEW_ALLOC_BATCH) == reset->batch[slot],
			"zone %s: batch %ld became %ld by a reset for zone %s", view_zone_name(slot), reset->batch[slot],
			view_counter_sum(slot, VIEW_ALLOC_BATCH), view_zone_name(reset->preferred_slot));
	return true;
}

RULE(reset_clears_flags_of_its_zones, 50, COST_SCAN, "fair",
     "a reset clears the depleted flags of the zones it refills, and no other", const struct batch_reset *, reset)
{
	unsigned int slot;

	for_each_slot_of(slot, reset->all_zones) {
		bool kept = !(reset->zones >> slot & 1) && (reset->depleted >> slot & 1);

		require(view_fair_depleted(slot) == kept, "zone %s: flag %d after the reset, %d before it",
			view_zone_name(slot), view_fair_depleted(slot), (int)(reset->depleted >> slot & 1));
	}
	return true;
}

void judge_reset(const struct batch_reset *reset)
{
	judge(reset, reset_refills_batch, reset_touches_only_its_zones, reset_clears_flags_of_its_zones);
}

/*
 * Cycles. What readers see of a batch lags by what the deltas of all CPUs may hold back.
 */
static long cycle_slack(unsigned int slot)
{
	return machine->smp ? 2 * view_sum_thresholds(slot) + 1 : 0;
}

/* Thresholds that fall fold nothing, so deltas may hold back more than they allow until the next update. */
static bool thresholds_hold(unsigned int slot, const struct fair_cycle *cycle)
{
	long held = cycle->held[view_zone_type(slot)], most = cycle->most_held[view_zone_type(slot)];

	return most == view_sum_thresholds(slot) && held <= most && held >= -most;
}

/* A zone without a batch gives one page before its flag is set; where there is no flag it has no share at all. */
EXCEPTIONS(cycle_is_fair,
	   "cycles with large blocks, other preferred zones, slow paths or zones kept out for other reasons, or whose marks or thresholds changed")
RULE(cycle_is_fair, 55, COST_SCAN, "fair",
     "from one reset to the next single pages come from each zone of the node in proportion to its batch",
     const struct fair_cycle *, cycle)
{
	unsigned int first = cycle->preferred_slot - view_zone_type(cycle->preferred_slot);
	unsigned int slot;

	for (slot = first; slot <= cycle->preferred_slot; slot++) {
		long pages = (long)cycle->pages[slot - first];
		long wanted = full_batch(slot) > 0 ? full_batch(slot) : 1;

		if (!view_managed(slot) || marks_changed(slot) || (full_batch(slot) <= 0 && !has_flag()) || !thresholds_hold(slot, cycle))
			continue;
		require(pages >= wanted - cycle_slack(slot) && pages <= wanted + cycle_slack(slot),
			"zone %s: %ld pages in a cycle, batch %ld, slack %ld", view_zone_name(slot), pages, wanted,
			cycle_slack(slot));
	}
	return true;
}

void judge_cycle(const struct fair_cycle *cycle)
{
	judge(cycle, cycle_is_fair);
}

/*
 * Zones.
 */
RULE(batch_accounts_for_takes, 34, COST_ZONE, "fair",
     "the batch with all deltas changes by the pages taken from the zone and by resets, and by nothing else",
     const struct zone_now *, zone)
{
	require(zone->view.alloc_batch == fair_watch.batch[zone->view.slot], "zone %s: batch %ld, expected %ld",
		view_zone_name(zone->view.slot), zone->view.alloc_batch, fair_watch.batch[zone->view.slot]);
	return true;
}

RULE(flag_as_scans_left_it, 49, COST_ZONE, "fair",
     "nothing but the scans of an allocation changes the depleted flag", const struct zone_now *, zone)
{
	bool expected = fair_watch.depleted >> zone->view.slot & 1;

	require(zone->view.depleted == expected, "zone %s: flag %d, the last scan left %d", view_zone_name(zone->view.slot),
		zone->view.depleted, expected);
	return true;
}

/* Where marks were changed since the last reset the flag is that of the former batch. */
EXCEPTIONS(flag_in_step_on_up, "zones whose marks changed since the last reset, and those without a batch")
RULE(flag_in_step_on_up, 51, COST_ZONE, "fair", "on UP a zone is flagged exactly while its batch is used up",
     const struct zone_now *, zone)
{
	when(!machine->smp && has_flag() && zone->view.full_batch > 0 && !marks_changed(zone->view.slot));
	require(zone->view.depleted == (zone->view.raw_batch <= 0), "zone %s: flag %d, batch %ld of %ld",
		view_zone_name(zone->view.slot), zone->view.depleted, zone->view.raw_batch, zone->view.full_batch);
	return true;
}

/* The last fair take began with at least one page of batch left. */
EXCEPTIONS(batch_bounded_on_up,
	   "zones whose marks changed or that gave pages outside of fair passes since the last reset, and those without a batch")
RULE(batch_bounded_on_up, 54, COST_ZONE, "fair",
     "on UP fair takes alone overdraw a batch by less than the largest block", const struct zone_now *, zone)
{
	when(!machine->smp && zone->view.full_batch > 0 && !marks_changed(zone->view.slot));
	when(!(fair_watch.unfair_takes >> zone->view.slot & 1));
	require(zone->view.raw_batch >= 1 - (1L << (VIEW_MAX_ORDER - 1)), "zone %s: batch %ld",
		view_zone_name(zone->view.slot), zone->view.raw_batch);
	return true;
}

void judge_zone_batch(const struct zone_now *zone)
{
	judge(zone, batch_accounts_for_takes, flag_as_scans_left_it, flag_in_step_on_up, batch_bounded_on_up);
}
