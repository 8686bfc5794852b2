// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_counters.c - counters stay within what their updates allow (specification 30.D, 30.G).
 */
#include "mm/internal.h"
#include "fuzz/census.h"
#include "fuzz/invariant.h"
#include "fuzz/view.h"

static long magnitude(long x)
{
	return x < 0 ? -x : x;
}

INVARIANT(free_never_negative, 66, COST_ZONE, "vmstat", "a zone never has fewer than no free pages")
{
	unsigned int slot;

	for_each_touched_zone(slot) {
		inv->held++;
		inv_require(inv, view_counter_sum(slot, VIEW_FREE_PAGES) >= 0, "zone %s: %ld", view_zone_name(slot),
			    view_counter_sum(slot, VIEW_FREE_PAGES));
	}
}

INVARIANT(deltas_within_threshold, 29, COST_ZONE, "vmstat",
	  "each per-CPU delta of the free pages and the batch stays within the CPU's threshold")
{
	unsigned int slot, cpu;

	if (!machine->smp)
		return;
	for_each_touched_zone(slot) {
		const struct zone *zone = &NODE_DATA(view_zone_node(slot))->node_zones[view_zone_type(slot)];

		/* Thresholds that kswapd lowered apply from the next update on. */
		if (zone->percpu_drift_mark)
			continue;
		for (cpu = 0; cpu < machine->nr_cpus; cpu++) {
			long threshold = per_cpu_ptr(zone->pageset, cpu)->stat_threshold;
			long free = view_counter_delta(slot, VIEW_FREE_PAGES, cpu);
			long batch = view_counter_delta(slot, VIEW_ALLOC_BATCH, cpu);

			inv->held++;
			inv_require(inv, magnitude(free) <= threshold && magnitude(batch) <= threshold,
				    "zone %s, CPU %u: free %ld, batch %ld, threshold %ld", view_zone_name(slot), cpu, free,
				    batch, threshold);
		}
	}
}
