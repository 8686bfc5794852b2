// SPDX-License-Identifier: GPL-2.0
/*
 * fair_watch.c - following batches and flags (fair_watch.h; specification 9.5, 19, 20.2). After something was judged
 * what should be is set to what is, so that one mistake is told once.
 */
#include "mm/internal.h"
#include "fuzz/fair_watch.h"

__world struct fair_watch fair_watch;

static struct batch_reset reset;
static unsigned long touched;

static void take_over(unsigned int slot)
{
	unsigned long bit = 1UL << slot;

	fair_watch.batch[slot] = view_counter_sum(slot, VIEW_ALLOC_BATCH);
	fair_watch.depleted = view_fair_depleted(slot) ? fair_watch.depleted | bit : fair_watch.depleted & ~bit;
}

static void take_over_all(void)
{
	unsigned int slot;

	for_each_slot_of(slot, view_populated_slots())
		take_over(slot);
}

void fair_watch_boot(void)
{
	take_over_all();
}

void fair_watch_begin(void)
{
	touched = 0;
	reset.pending = false;
}

void fair_watch_marks_changed(void)
{
	unsigned int node;

	take_over_all();
	fair_watch.marks_changed = ~0UL;
	for (node = 0; node < MACHINE_NODES_MAX; node++)
		fair_watch.cycles[node].alike = false;
}

/*
 * Cycles. What makes one comparable: pages of order 0, for the same preferred zone, none from the slow path, and no
 * zone kept out by anything but its batch.
 */
static struct fair_cycle *cycle_of(unsigned int slot)
{
	return &fair_watch.cycles[view_zone_node(slot)];
}

/* In the counter modes a reset goes over the zonelist, and into the middle of the cycles of other nodes. */
static void begin_cycle(void)
{
	struct fair_cycle *cycle = cycle_of(reset.preferred_slot);
	unsigned int slot;

	for_each_slot_of(slot, reset.zones)
		cycle_of(slot)->alike = false;
	*cycle = (struct fair_cycle){ .alike = true, .preferred_slot = reset.preferred_slot };
	for_each_slot_of(slot, reset.all_zones) {
		if (cycle_of(slot) != cycle)
			continue;
		cycle->held[view_zone_type(slot)] = reset.delta[slot];
		cycle->most_held[view_zone_type(slot)] = view_sum_thresholds(slot);
	}
}

/* In zone order a remote zone may end the pass before every zone of the node had its turn. */
static bool every_zone_is_used_up(void)
{
	const struct watched_zone *zone;

	for (zone = watch.list.zones; zone < watch.list.zones + watch.list.nr_zones; zone++)
		if (view_zone_node(zone->slot) == view_zone_node(reset.preferred_slot) &&
		    !(watch_visited(zone) && zone->verdict == VERDICT_FAIR_SKIP))
			return false;
	return true;
}

static void end_cycle(void)
{
	struct fair_cycle *cycle = cycle_of(reset.preferred_slot);

	if (cycle->alike && cycle->preferred_slot == reset.preferred_slot && every_zone_is_used_up())
		judge_cycle(cycle);
}

static bool take_is_alike(const struct fair_cycle *cycle)
{
	return watch.order == 0 && !watch.slow && watch.list.preferred_slot == cycle->preferred_slot;
}

void fair_watch_take(const struct zone_visit *visit)
{
	struct fair_cycle *cycle = cycle_of(visit->slot);

	touched |= 1UL << visit->slot;
	fair_watch.batch[visit->slot] -= 1L << watch.order;
	fair_watch.depleted |= (unsigned long)visit->depleted_after << visit->slot;
	if (!visit->apply_fair && visit->batch_before <= 0)
		fair_watch.unfair_takes |= 1UL << visit->slot;
	cycle->alike &= take_is_alike(cycle);
	cycle->pages[view_zone_type(visit->slot)]++;
}

void fair_watch_verdict(const struct zone_visit *visit)
{
	if (visit->verdict != VERDICT_TAKEN && visit->verdict != VERDICT_FAIR_SKIP)
		cycle_of(visit->slot)->alike = false;
}

/*
 * Resets.
 */

/* Flag modes: the node's zones up to the preferred one. Counter modes: the local zones of the list within the limit. */
static unsigned long zones_to_refill(unsigned int preferred)
{
	unsigned int first = view_zone_node(preferred) * VIEW_ZONE_TYPES;
	unsigned long place = watch.list.place & ~TRACE_PLACE(0, 0, 0xff, 0);
	unsigned long zones = 0;
	unsigned int position, slot, index;

	if (kernel.fair == FAIR_F47 || kernel.fair == FAIR_F317)
		return ((2UL << preferred) - 1) & ~((1UL << first) - 1);
	for (position = 0; view_zonelist_entry(TRACE_PLACE_NODE(place), TRACE_PLACE_LIST(place), position, &slot, &index);
	     position++)
		if (index <= watch.high_zoneidx && (!machine->numa || view_zone_node(slot) == view_zone_node(preferred)))
			zones |= 1UL << slot;
	return zones;
}

void fair_watch_reset(const struct trace_record *record)
{
	unsigned int slot;

	watch.batch_resets++;
	reset.pending = true;
	reset.preferred_slot = (unsigned int)record->a;
	reset.all_zones = view_populated_slots();
	reset.zones = zones_to_refill(reset.preferred_slot) & reset.all_zones;
	reset.depleted = 0;
	for_each_slot_of(slot, reset.all_zones) {
		reset.depleted |= (unsigned long)view_fair_depleted(slot) << slot;
		reset.batch[slot] = view_counter_sum(slot, VIEW_ALLOC_BATCH);
		reset.delta[slot] = reset.batch[slot] - view_counter_raw(slot, VIEW_ALLOC_BATCH);
	}
	judge_reset_reason(&reset);
}

void fair_watch_settle(void)
{
	if (!reset.pending)
		return;
	reset.pending = false;
	judge_reset(&reset);
	end_cycle();
	begin_cycle();
	take_over_all();
	fair_watch.marks_changed &= ~reset.zones;
	fair_watch.unfair_takes &= ~reset.zones;
	touched |= reset.zones;
}

unsigned long fair_watch_touched_zones(void)
{
	unsigned long zones = touched;

	touched = 0;
	return zones;
}
