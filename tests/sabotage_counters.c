// SPDX-License-Identifier: GPL-2.0
/* sabotage_counters.c - zone, global and event counters are watched (fuzz/invariants_counters.c). */
#include "tests/sabotage.h"

#define ONE_PAGE "machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
#define PAGE_OF_CMA "machine preset=movable\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
#define PAGE_OF_NUMA "machine preset=numa2\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"

static void count_one_more_free_page(struct trace_record *record, unsigned int number)
{
	change_counter(zone_of_frame(record->a), NR_FREE_PAGES, 1, false);
}

Test(sabotage_counters, a_free_page_that_is_not_there)
{
	expect_invariant("free_pages_counter", (struct sabotage){ .program = ONE_PAGE,
								  .at = TRACE_MM_PAGE_ALLOC,
								  .breaks = count_one_more_free_page,
								  .then = { "free_after", "global_counters_add_up" } });
}

static void count_one_more_cma_page(struct trace_record *record, unsigned int number)
{
	change_counter(zone_of_frame(record->a), NR_FREE_CMA_PAGES, 1, false);
}

Test(sabotage_counters, a_free_cma_page_that_is_not_there)
{
	expect_invariant("free_cma_counter", (struct sabotage){ .program = PAGE_OF_CMA,
								.at = TRACE_MM_PAGE_ALLOC,
								.breaks = count_one_more_cma_page,
								.report = "zone Normal: counter 1025, lists 1024",
								.then = { "global_counters_add_up" } });
}

static void overdraw_free_pages(struct trace_record *record, unsigned int number)
{
	change_counter(zone_of_frame(record->a), NR_FREE_PAGES, -(1L << 20), true);
}

Test(sabotage_counters, fewer_than_no_free_pages)
{
	expect_invariant("free_pages_counter", (struct sabotage){ .program = ONE_PAGE,
								  .at = TRACE_MM_PAGE_ALLOC,
								  .breaks = overdraw_free_pages,
								  .then = { "free_never_negative" } });
}

/* The sum stays what it was. */
static void hold_too_much_back(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_of_frame(record->a);

	per_cpu_ptr(zone->pageset, 0)->vm_stat_diff[NR_FREE_PAGES] += 100;
	change_counter(zone, NR_FREE_PAGES, -100, true);
}

Test(sabotage_counters, a_delta_above_its_threshold)
{
	expect_invariant("deltas_within_threshold", (struct sabotage){ .program = PAGE_OF_NUMA,
								       .at = TRACE_MM_PAGE_ALLOC,
								       .breaks = hold_too_much_back,
								       .report = "zone N0.Normal, CPU 0: free 99, batch -1, threshold 4" });
}

static void lose_a_dirty_page(struct trace_record *record, unsigned int number)
{
	atomic_long_add(1, &vm_stat[NR_FILE_DIRTY]);
}

Test(sabotage_counters, a_global_counter_that_no_zone_has)
{
	expect_invariant("global_counters_add_up", (struct sabotage){ .program = ONE_PAGE,
								      .at = TRACE_MM_PAGE_ALLOC,
								      .breaks = lose_a_dirty_page });
}

static void clean_more_than_was_dirty(struct trace_record *record, unsigned int number)
{
	change_counter(zone_of_frame(record->a), NR_FILE_DIRTY, -5, true);
}

Test(sabotage_counters, a_global_counter_below_zero)
{
	expect_invariant("global_counters_not_negative", (struct sabotage){ .program = PAGE_OF_NUMA,
									    .at = TRACE_MM_PAGE_ALLOC,
									    .breaks = clean_more_than_was_dirty });
}

static void count_a_free_that_was_none(struct trace_record *record, unsigned int number)
{
	vm_event_states[PGFREE][0]++;
}

Test(sabotage_counters, an_event_that_did_not_happen)
{
	expect_invariant("events_count_pages", (struct sabotage){ .program = ONE_PAGE,
								  .at = TRACE_MM_PAGE_ALLOC,
								  .breaks = count_a_free_that_was_none });
}

static void count_a_hit_that_was_none(struct trace_record *record, unsigned int number)
{
	change_counter(zone_of_frame(record->a), NUMA_HIT, 1, true);
}

Test(sabotage_counters, a_numa_hit_that_did_not_happen)
{
	expect_invariant("numa_statistics_add_up", (struct sabotage){ .program = PAGE_OF_NUMA,
								      .at = TRACE_MM_PAGE_ALLOC,
								      .breaks = count_a_hit_that_was_none });
}

/*
 * kswapd and time.
 */
static void raise_a_threshold(struct trace_record *record, unsigned int number)
{
	per_cpu_ptr(zone_number(ZONE_NORMAL)->pageset, 1)->stat_threshold = 99;
}

Test(sabotage_counters, a_threshold_that_stays_high_when_kswapd_wakes)
{
	expect_invariant("thresholds_fall_when_kswapd_wakes",
			 (struct sabotage){ .program = "machine preset=numa2\nwatermark(zone=Normal, min=60, low_gap=1, high_gap=1)\n"
						       "refresh_thresholds()\nwatermark(zone=Normal, min=60000)\nwatermark(zone=DMA, min=60000)\n"
						       "p0 = alloc_pages(order=0, gfp=GFP_KERNEL|__GFP_NORETRY|__GFP_THISNODE)\n",
					    .at = TRACE_MM_PAGE_ALLOC,
					    .breaks = raise_a_threshold });
}

/* As if more ought to have gone. */
static void enlarge_the_batch(struct trace_record *record, unsigned int number)
{
	if (number == 0)
		per_cpu_ptr(zone_of_frame(record->a)->pageset, 0)->pcp.batch = 50;
}

Test(sabotage_counters, pages_of_another_node_that_stay_on_a_list)
{
	expect_invariant("remote_lists_expire",
			 (struct sabotage){ .program = "machine preset=numa2 percpu_pagelist_fraction=100\n"
						       "p0 = alloc_pages(order=0, gfp=GFP_KERNEL|__GFP_THISNODE, node=1) x20\n"
						       "free_pages(p0)\ntick(jiffies=750)\n",
					    .at = TRACE_MM_PAGE_PCPU_DRAIN,
					    .breaks = enlarge_the_batch });
}
