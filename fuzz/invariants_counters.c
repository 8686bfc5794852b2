// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_counters.c - counters say what the lists say, stay within what their updates allow, and add up
 * (specification 30.A, 30.D).
 *
 * Verified after each call for the zones it touched: 2, 3, 29 (of the free pages and the batch), 66 (not negative); for
 * those of a node whose kswapd woke up: 29 (the thresholds).
 * Verified when a program ends: 4, 30, 31, 32.
 */
#include "mm/internal.h"
#include "fuzz/exec.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"
#include "fuzz/scan_watch.h"
#include "fuzz/wb_model.h"

EXCEPTIONS(free_pages_counter, "after an isolation of less than MAX_ORDER, for undoing it can count free pages twice")
RULE(free_pages_counter, 2, COST_ZONE, "vmstat",
     "NR_FREE_PAGES with all deltas is the pages on the free lists that are not isolated", const struct zone_now *, zone)
{
	long listed = (long)(zone->census->listed_pages - zone->census->pages_of_type[MIGRATE_ISOLATE]);

	when(!exec_state.loose_isolation);
	require(zone->view.free_pages == listed, "zone %s: counter %ld, lists %ld", view_zone_name(zone->view.slot),
		zone->view.free_pages, listed);
	return true;
}

EXCEPTIONS(free_cma_counter, "after an isolation of less than MAX_ORDER, for undoing it can count free pages twice")
RULE(free_cma_counter, 3, COST_ZONE, "vmstat", "NR_FREE_CMA_PAGES with all deltas is the pages on the CMA lists",
     const struct zone_now *, zone)
{
	long listed = (long)zone->census->pages_of_type[MIGRATE_CMA];

	when(!exec_state.loose_isolation);
	counts_if(listed != 0);
	require(zone->view.free_cma == listed, "zone %s: counter %ld, lists %ld", view_zone_name(zone->view.slot),
		zone->view.free_cma, listed);
	return true;
}

EXCEPTIONS(free_never_negative, "after an isolation of less than MAX_ORDER, which leaves uncounted pages to be stolen")
RULE(free_never_negative, 66, COST_ZONE, "vmstat", "a zone never has fewer than no free pages", const struct zone_now *,
     zone)
{
	when(!exec_state.loose_isolation);
	require(zone->view.free_pages >= 0, "zone %s: %ld", view_zone_name(zone->view.slot), zone->view.free_pages);
	return true;
}

static bool within(int delta, int threshold)
{
	return delta <= threshold && delta >= -threshold;
}

EXCEPTIONS(deltas_within_threshold, "while kswapd's thresholds are in force or come and go")
RULE(deltas_within_threshold, 29, COST_ZONE, "vmstat",
     "each per-CPU delta of the free pages and the batch stays within the CPU's threshold", const struct zone_now *, zone)
{
	unsigned int i;

	when(machine->smp && !zone->view.thresholds_move);
	for (i = 0; i < zone->view.nr_cpus; i++) {
		const struct view_cpu *cpu = &zone->view.cpus[i];

		require(within(cpu->free_delta, cpu->threshold) && within(cpu->batch_delta, cpu->threshold),
			"zone %s, CPU %u: free %d, batch %d, threshold %d", view_zone_name(zone->view.slot), i,
			cpu->free_delta, cpu->batch_delta, cpu->threshold);
	}
	return true;
}

void judge_zone_counters(const struct zone_now *zone)
{
	judge(zone, free_pages_counter, free_cma_counter, free_never_negative, deltas_within_threshold);
}

/*
 * kswapd (specification 10.4): while it is awake readers are to see a counter that is near, at whatever cost. The marks
 * stay as they are for the rest of the step.
 */
RULE(thresholds_fall_when_kswapd_wakes, 29, COST_CALL, "vmstat",
     "when kswapd wakes up each CPU's threshold falls to its part of the pages between the marks, in all zones that may drift",
     unsigned int, slot)
{
	long part = (long)(view_watermark(slot, WMARK_LOW) - view_watermark(slot, WMARK_MIN)) / (long)machine->nr_cpus;
	int expected = part < 1 ? 1 : part > 125 ? 125 : (int)part;
	unsigned int cpu;

	when(view_thresholds_move(slot));
	for (cpu = 0; cpu < machine->nr_cpus; cpu++)
		require(view_cpu_threshold(slot, cpu) == expected, "zone %s, CPU %u: threshold %d, expected %d",
			view_zone_name(slot), cpu, view_cpu_threshold(slot, cpu), expected);
	return true;
}

void judge_low_thresholds(unsigned long nodes)
{
	unsigned int slot;

	for_each_slot_of(slot, view_populated_slots())
		if (nodes >> view_zone_node(slot) & 1)
			judge(slot, thresholds_fall_when_kswapd_wakes);
}

/*
 * Time (specification 10.5). What a CPU holds back of a zone is folded in the first second and gives the lists of a remote
 * one three more folds, that one included; then a batch of them goes.
 */
struct waiting_list {
	unsigned int slot;
	unsigned int cpu;
	int count;                       /* pages on it */
};

static struct waiting_list waiting[VIEW_SLOTS_MAX * MACHINE_CPUS_MAX];
static unsigned int nr_waiting;

static bool is_remote(unsigned int slot, unsigned int cpu)
{
	return (int)view_zone_node(slot) != cpu_to_node((int)cpu);
}

void judge_time_begins(void)
{
	unsigned int slot, cpu;

	nr_waiting = 0;
	/* A flusher may change counters meanwhile. */
	if (!machine->smp || !machine->numa || wb_model.used)
		return;
	for_each_slot_of(slot, view_populated_slots())
		for (cpu = 0; cpu < machine->nr_cpus; cpu++)
			if (is_remote(slot, cpu) && view_pcp_count(slot, cpu) > 0 && view_holds_back(slot, cpu))
				waiting[nr_waiting++] =
					(struct waiting_list){ slot, cpu, view_pcp_count(slot, cpu) };
}

RULE(remote_lists_expire, 23, COST_CALL, "vmstat",
     "three quiet seconds after a CPU used a zone of another node, a batch of what is on its lists has gone back",
     const struct waiting_list *, list)
{
	int most = max(list->count - view_pcp_batch(list->slot, list->cpu), 0);

	require(view_pcp_count(list->slot, list->cpu) <= most, "zone %s, CPU %u: %d pages before, %d now", view_zone_name(list->slot),
		list->cpu, list->count, view_pcp_count(list->slot, list->cpu));
	return true;
}

void judge_time_over(const struct call_record *call)
{
	unsigned int i;

	if (call->asked < 3 * (int)machine->hz)
		return;
	for (i = 0; i < nr_waiting; i++)
		judge(&waiting[i], remote_lists_expire);
}

/*
 * When a program ends.
 */
INVARIANT(global_counters_add_up, 4, COST_END, "vmstat", "each global counter is the sum of the zones' counters")
{
	long sums[VIEW_COUNTERS_MAX];
	unsigned int counter;

	view_sum_zone_counters(sums);
	for (counter = 0; counter < view_nr_counters(); counter++)
		inv_require(inv, view_global_counter(counter) == sums[counter], "counter %u: global %ld, zones %ld", counter,
			    view_global_counter(counter), sums[counter]);
}

/*
 * NR_ALLOC_BATCH and NR_PAGES_SCANNED are changed without a look at what other CPUs hold back (10.5, 11.1), and redirtying
 * a page that is dirty takes back from NR_DIRTIED what nothing added (page-writeback specification 17.4).
 */
static bool may_be_negative(unsigned int counter)
{
	if (counter == NR_FREE_PAGES || counter == NR_FREE_CMA_PAGES)
		return exec_state.loose_isolation;
	return counter == NR_ALLOC_BATCH || counter == NR_PAGES_SCANNED || counter == NR_DIRTIED;
}

EXCEPTIONS(global_counters_not_negative,
	   "NR_ALLOC_BATCH, NR_PAGES_SCANNED and NR_DIRTIED, which are changed without a look at what is held back; "
	   "those of free pages after an isolation of less than MAX_ORDER")
INVARIANT(global_counters_not_negative, 32, COST_END, "vmstat", "with all deltas no global counter is below zero")
{
	long sums[VIEW_COUNTERS_MAX];
	unsigned int counter;

	inv_when(machine->smp);
	view_sum_deltas(sums);
	for (counter = 0; counter < view_nr_counters(); counter++) {
		if (may_be_negative(counter))
			continue;
		inv_require(inv, view_global_counter(counter) + sums[counter] >= 0, "counter %u: %ld and %ld held back", counter,
			    view_global_counter(counter), sums[counter]);
	}
}

INVARIANT(events_count_pages, 30, COST_END, "vmstat",
	  "PGALLOC of a zone type counts the pages taken from it, PGFREE those given back")
{
	unsigned int type;

	inv_counts_if(watch_totals.takes != 0);
	for (type = 0; type < VIEW_ZONE_TYPES; type++) {
		unsigned long counted = view_pages_taken(type) - watch_totals.taken_before[type];

		inv_require(inv, counted == watch_totals.taken[type], "zone type %u: %lu pages counted, %lu taken", type, counted,
			    watch_totals.taken[type]);
	}
	inv_require(inv, view_pages_freed() - watch_totals.freed_before == watch_totals.freed, "%lu pages counted, %lu freed",
		    view_pages_freed() - watch_totals.freed_before, watch_totals.freed);
}

static long sum_over_zones(enum view_item item)
{
	unsigned int slot;
	long sum = 0;

	for (slot = 0; slot < view_nr_slots(); slot++)
		if (view_populated(slot))
			sum += view_counter_sum(slot, item);
	return sum;
}

/* Since numa-hit-preferred a miss, too, is either local or not. */
INVARIANT(numa_statistics_add_up, 31, COST_END, "vmstat",
	  "every take is a NUMA hit or a miss, every miss is foreign to another zone, every hit is local or other")
{
	long hits, misses, placed;

	inv_when(machine->numa);
	hits = sum_over_zones(VIEW_NUMA_HIT);
	misses = sum_over_zones(VIEW_NUMA_MISS);
	placed = sum_over_zones(VIEW_NUMA_LOCAL) + sum_over_zones(VIEW_NUMA_OTHER);
	inv_counts_if(watch_totals.takes != 0);
	inv_require(inv, hits + misses == (long)watch_totals.takes, "%ld hits and %ld misses of %lu takes", hits, misses,
		    watch_totals.takes);
	inv_require(inv, misses == sum_over_zones(VIEW_NUMA_FOREIGN), "%ld misses, %ld foreign", misses,
		    sum_over_zones(VIEW_NUMA_FOREIGN));
	inv_require(inv, placed == hits + (patched(NUMA_HIT_PREFERRED) ? misses : 0), "%ld hits, %ld misses, %ld local or other",
		    hits, misses, placed);
}
