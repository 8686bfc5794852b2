// SPDX-License-Identifier: GPL-2.0
/*
 * vmstat.c - zone counters with per-CPU deltas, thresholds and folding (specification 10).
 *
 * One build serves UP and SMP machines: on UP there are no deltas and every primitive changes the central values.
 * The /proc files over these counters are proc.c.
 */
#include "internal.h"

__world atomic_long_t vm_stat[NR_VM_ZONE_STAT_ITEMS];
__world unsigned long vm_event_states[NR_VM_EVENT_ITEMS][NR_CPUS];

unsigned long vm_event_sum(enum vm_event_item item)
{
	unsigned long sum = 0;
	int cpu;

	for_each_online_cpu(cpu)
		sum += vm_event_states[item][cpu];
	return sum;
}

static void zone_page_state_add(long x, struct zone *zone, enum zone_stat_item item)
{
	atomic_long_add(x, &zone->vm_stat[item]);
	atomic_long_add(x, &vm_stat[item]);
}

unsigned long zone_page_state_snapshot(const struct zone *zone, enum zone_stat_item item)
{
	long x = atomic_long_read(&zone->vm_stat[item]);
	int cpu;

	if (!machine->smp)
		return (unsigned long)x;
	for_each_online_cpu(cpu)
		x += per_cpu_ptr(zone->pageset, cpu)->vm_stat_diff[item];
	return x < 0 ? 0 : (unsigned long)x;
}

unsigned long node_page_state(int nid, enum zone_stat_item item)
{
	unsigned long sum = 0;
	int idx;

	if (!machine->numa)
		return global_page_state(item);
	for (idx = 0; idx < MAX_NR_ZONES; idx++)
		sum += zone_page_state(&NODE_DATA(nid)->node_zones[idx], item);
	return sum;
}

void __mod_zone_page_state(struct zone *zone, enum zone_stat_item item, long delta)
{
	struct per_cpu_pageset *pset;
	long x;

	if (!machine->smp) {
		zone_page_state_add(delta, zone, item);
		return;
	}
	pset = this_cpu_ptr(zone->pageset);
	x = delta + pset->vm_stat_diff[item];
	if (unlikely(x > pset->stat_threshold || x < -pset->stat_threshold)) {
		zone_page_state_add(x, zone, item);
		x = 0;
	}
	pset->vm_stat_diff[item] = (s8)x;
}

void mod_zone_page_state(struct zone *zone, enum zone_stat_item item, long delta)
{
	unsigned long flags;

	local_irq_save(flags);
	__mod_zone_page_state(zone, item, delta);
	local_irq_restore(flags);
}

/*
 * A single step that crosses the threshold is folded together with half a threshold more, so that a counter which
 * moves in one direction is folded half as often.
 */
void __inc_zone_state(struct zone *zone, enum zone_stat_item item)
{
	struct per_cpu_pageset *pset;

	if (!machine->smp) {
		zone_page_state_add(1, zone, item);
		return;
	}
	pset = this_cpu_ptr(zone->pageset);
	if (unlikely(++pset->vm_stat_diff[item] > pset->stat_threshold)) {
		s8 overstep = (s8)(pset->stat_threshold >> 1);

		zone_page_state_add(pset->vm_stat_diff[item] + overstep, zone, item);
		pset->vm_stat_diff[item] = (s8)-overstep;
	}
}

void __dec_zone_state(struct zone *zone, enum zone_stat_item item)
{
	struct per_cpu_pageset *pset;

	if (!machine->smp) {
		zone_page_state_add(-1, zone, item);
		return;
	}
	pset = this_cpu_ptr(zone->pageset);
	if (unlikely(--pset->vm_stat_diff[item] < -pset->stat_threshold)) {
		s8 overstep = (s8)(pset->stat_threshold >> 1);

		zone_page_state_add(pset->vm_stat_diff[item] - overstep, zone, item);
		pset->vm_stat_diff[item] = overstep;
	}
}

void __inc_zone_page_state(struct page *page, enum zone_stat_item item)
{
	__inc_zone_state(page_zone(page), item);
}

void inc_zone_page_state(struct page *page, enum zone_stat_item item)
{
	unsigned long flags;

	local_irq_save(flags);
	__inc_zone_state(page_zone(page), item);
	local_irq_restore(flags);
}

void dec_zone_page_state(struct page *page, enum zone_stat_item item)
{
	unsigned long flags;

	local_irq_save(flags);
	__dec_zone_state(page_zone(page), item);
	local_irq_restore(flags);
}

void __mod_zone_freepage_state(struct zone *zone, long nr_pages, int migratetype)
{
	__mod_zone_page_state(zone, NR_FREE_PAGES, nr_pages);
	if (is_migrate_cma(migratetype))
		__mod_zone_page_state(zone, NR_FREE_CMA_PAGES, nr_pages);
}

/*
 * Thresholds, specification 10.4.
 */
#define MAX_STAT_THRESHOLD 125

int calculate_pressure_threshold(struct zone *zone)
{
	long watermark_distance = (long)low_wmark_pages(zone) - (long)min_wmark_pages(zone);

	return (int)min(MAX_STAT_THRESHOLD, max(1L, watermark_distance / (long)num_online_cpus()));
}

int calculate_normal_threshold(struct zone *zone)
{
	int mem = fls((unsigned int)(zone->managed_pages >> (27 - PAGE_SHIFT)));

	return min(MAX_STAT_THRESHOLD, 2 * fls(num_online_cpus()) * (1 + mem));
}

static void set_stat_threshold(struct zone *zone, int threshold)
{
	int cpu;

	for_each_online_cpu(cpu)
		per_cpu_ptr(zone->pageset, cpu)->stat_threshold = (s8)threshold;
}

void refresh_zone_stat_thresholds(void)
{
	struct zone *zone;

	if (!machine->smp)
		return;
	for_each_populated_zone(zone) {
		int threshold = calculate_normal_threshold(zone);
		unsigned long tolerate_drift = low_wmark_pages(zone) - min_wmark_pages(zone);
		unsigned long max_drift = (unsigned long)threshold * num_online_cpus();

		set_stat_threshold(zone, threshold);
		if (max_drift > tolerate_drift)
			zone->percpu_drift_mark = high_wmark_pages(zone) + max_drift;
	}
}

void set_pgdat_percpu_threshold(pg_data_t *pgdat, int (*calculate)(struct zone *zone))
{
	int idx;

	if (!machine->smp)
		return;
	for (idx = 0; idx < pgdat->nr_zones; idx++) {
		struct zone *zone = &pgdat->node_zones[idx];

		if (zone->percpu_drift_mark)
			set_stat_threshold(zone, calculate(zone));
	}
}

/*
 * Folding, specification 10.5.
 */
static int fold_diff(const long *diff)
{
	int changes = 0;
	int item;

	for (item = 0; item < NR_VM_ZONE_STAT_ITEMS; item++) {
		if (diff[item]) {
			atomic_long_add(diff[item], &vm_stat[item]);
			changes++;
		}
	}
	return changes;
}

/* Most are clean when the worker of the second looks at them, so eight are looked at together. */
static bool no_deltas(const struct per_cpu_pageset *pset)
{
	const s8 *diff = pset->vm_stat_diff;
	unsigned long any = 0, word;
	int item;

	for (item = 0; item + (int)sizeof(word) <= NR_VM_ZONE_STAT_ITEMS; item += (int)sizeof(word)) {
		memcpy(&word, &diff[item], sizeof(word));
		any |= word;
	}
	for (; item < NR_VM_ZONE_STAT_ITEMS; item++)
		any |= (unsigned long)diff[item];
	return !any;
}

/* Move a pageset's deltas into its zone; adds them to global_diff. True if there were any. */
static bool fold_pageset(struct zone *zone, struct per_cpu_pageset *pset, long *global_diff)
{
	bool changed = false;
	int item;

	if (no_deltas(pset))
		return false;
	for (item = 0; item < NR_VM_ZONE_STAT_ITEMS; item++) {
		int v = pset->vm_stat_diff[item];

		if (!v)
			continue;
		pset->vm_stat_diff[item] = 0;
		atomic_long_add(v, &zone->vm_stat[item]);
		global_diff[item] += v;
		changed = true;
	}
	return changed;
}

/* Pages of remote nodes that nobody uses do not stay on this CPU's lists for ever. */
static void expire_remote_pageset(struct zone *zone, struct per_cpu_pageset *pset)
{
	if (!pset->expire || !pset->pcp.count)
		return;
	if (zone_to_nid(zone) == numa_node_id()) {
		pset->expire = 0;
		return;
	}
	if (--pset->expire == 0)
		drain_zone_pages(zone, &pset->pcp);
}

/* Fold the deltas of this CPU. Returns how many global counters changed. */
int refresh_cpu_vm_stats(bool do_pagesets)
{
	long global_diff[NR_VM_ZONE_STAT_ITEMS] = { 0 };
	bool any = false;
	struct zone *zone;

	if (!machine->smp)
		return 0;
	for_each_populated_zone(zone) {
		struct per_cpu_pageset *pset = this_cpu_ptr(zone->pageset);
		bool changed = fold_pageset(zone, pset, global_diff);

		any |= changed;
		if (changed && machine->numa)
			pset->expire = 3;
		if (machine->numa && do_pagesets)
			expire_remote_pageset(zone, pset);
	}
	return any ? fold_diff(global_diff) : 0;
}

/* Fold what a CPU that is gone has left behind. */
void cpu_vm_stats_fold(int cpu)
{
	long global_diff[NR_VM_ZONE_STAT_ITEMS] = { 0 };
	struct zone *zone;

	for_each_populated_zone(zone)
		fold_pageset(zone, per_cpu_ptr(zone->pageset, cpu), global_diff);
	fold_diff(global_diff);
}

/* Fold one pageset of a zone that loses it. */
void drain_zonestat(struct zone *zone, struct per_cpu_pageset *pset)
{
	long global_diff[NR_VM_ZONE_STAT_ITEMS] = { 0 };

	fold_pageset(zone, pset, global_diff);
	fold_diff(global_diff);
}

static void refresh_vm_stats(void *info)
{
	refresh_cpu_vm_stats(true);
}

/* Fold everywhere, then -EINVAL if a counter that cannot be negative is. */
int vmstat_refresh(void)
{
	int err = 0;
	int item;
	int cpu;

	for_each_online_cpu(cpu)
		on_cpu(cpu, refresh_vm_stats, NULL);
	for (item = 0; item < NR_VM_ZONE_STAT_ITEMS; item++) {
		/* Both are adjusted without looking at what other CPUs hold back. */
		if (item == NR_ALLOC_BATCH || item == NR_PAGES_SCANNED)
			continue;
		if (atomic_long_read(&vm_stat[item]) < 0) {
			pr_warn("vmstat_refresh: counter %d %ld", (unsigned long)item,
				(unsigned long)atomic_long_read(&vm_stat[item]));
			err = -EINVAL;
		}
	}
	return err;
}
