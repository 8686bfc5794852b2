// SPDX-License-Identifier: GPL-2.0
/*
 * fair.c - the fair zone policy: how far a zone may be used before its neighbours on the node get a turn
 * (specification 9.5, 18, 19, 20.2). Part of Linux's page_alloc.c.
 *
 * NR_ALLOC_BATCH counts down from the distance between the high and the low mark with every page taken. In the flag
 * modes (F317, F47) a take that exhausts it sets ZONE_FAIR_DEPLETED and only a reset clears that; in the counter modes
 * (F316, F316B) every visit reads the counter.
 */
#include "internal.h"

/* Without NUMA every zone is local, whatever node it is on. */
bool zone_local(struct zone *local_zone, struct zone *zone)
{
	return !machine->numa || local_zone->node == zone->node;
}

/*
 * Move the batch to the full distance. `marks_changed` says that this is setup_per_zone_wmarks(), which before
 * signed-batch-read measured from the clamped counter (specification 9.2).
 */
void refill_alloc_batch(struct zone *zone, bool marks_changed)
{
	long batch = (long)(high_wmark_pages(zone) - low_wmark_pages(zone));
	long now = atomic_long_read(&zone->vm_stat[NR_ALLOC_BATCH]);

	if (marks_changed && !patched(SIGNED_BATCH_READ))
		now = (long)zone_page_state(zone, NR_ALLOC_BATCH);
	mod_zone_page_state(zone, NR_ALLOC_BATCH, batch - now);
}

/* The counter modes' test. Unsigned: on UP a negative batch reads as huge (the underflow of specification 19.1). */
bool fair_batch_exhausted(struct zone *zone)
{
	return zone_page_state(zone, NR_ALLOC_BATCH) == 0;
}

static bool take_exhausted_batch(struct zone *zone)
{
	if (!patched(SIGNED_BATCH_READ))
		return fair_batch_exhausted(zone);
	return atomic_long_read(&zone->vm_stat[NR_ALLOC_BATCH]) <= 0;
}

/* After every successful take, fair or not. */
void note_fair_take(struct zone *zone)
{
	if (kernel.fair == FAIR_F316 || kernel.fair == FAIR_F316B)
		return;
	if (take_exhausted_batch(zone) && !zone_is_fair_depleted(zone)) {
		set_bit(ZONE_FAIR_DEPLETED, &zone->flags);
		trace_flag_change(zone, false, true);
	}
}

/* Flag modes: every zone of the preferred zone's node up to the preferred one, populated or not. */
void reset_alloc_batches(struct zone *preferred_zone)
{
	struct zone *zone = preferred_zone->zone_pgdat->node_zones;
	DEFINE_STEPS(steps);

	trace_batch_reset(preferred_zone);
	do {
		work_bound("reset_alloc_batches", ++steps, MAX_NR_ZONES, "the preferred zone is one of its node");
		refill_alloc_batch(zone, false);
		if (zone_is_fair_depleted(zone)) {
			clear_bit(ZONE_FAIR_DEPLETED, &zone->flags);
			trace_flag_change(zone, true, false);
		}
	} while (zone++ != preferred_zone);
}

/* Counter modes: the local zones of the zonelist, whatever the nodemask. */
void reset_alloc_batches_zonelist(const struct alloc_context *ac)
{
	struct zone *preferred_zone = ac->preferred_zoneref->zone;
	struct zoneref *z;
	struct zone *zone;

	if (!preferred_zone)
		return;
	trace_batch_reset(preferred_zone);
	for_each_zone_zonelist(zone, z, ac->zonelist, (int)ac->high_zoneidx)
		if (zone_local(preferred_zone, zone))
			refill_alloc_batch(zone, false);
}
