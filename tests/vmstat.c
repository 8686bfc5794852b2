// SPDX-License-Identifier: GPL-2.0
/*
 * Zone counters (specification 10). NR_SLAB_RECLAIMABLE stands for any counter: nothing in mm changes it.
 */
#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)
#define ITEM NR_SLAB_RECLAIMABLE

static s8 *diff_of(int cpu)
{
	return &per_cpu_ptr(NORMAL->pageset, cpu)->vm_stat_diff[ITEM];
}

/* The threshold is set by hand; it is not what the machine would have. */
static void boot_smp(unsigned int nr_cpus, int threshold)
{
	unsigned int cpu;

	boot_kernel("fixed", "uma-64m", SET(smp, 1), SET(cpus, nr_cpus));
	for (cpu = 0; cpu < nr_cpus; cpu++)
		per_cpu_ptr(NORMAL->pageset, cpu)->stat_threshold = (s8)threshold;
}

/*
 * Updates.
 */

Test(vmstat, on_up_every_change_is_central)
{
	boot_kernel("fixed", "uma-64m");

	__mod_zone_page_state(NORMAL, ITEM, 5);
	__inc_zone_state(NORMAL, ITEM);
	__dec_zone_state(NORMAL, ITEM);
	__dec_zone_state(NORMAL, ITEM);

	expect_number(counter(NORMAL, ITEM), 4);
	expect_number(atomic_long_read(&vm_stat[ITEM]), 4);
}

Test(vmstat, a_change_up_to_the_threshold_stays_with_the_cpu)
{
	boot_smp(1, 10);

	mod_zone_page_state(NORMAL, ITEM, 10);
	expect_number(counter(NORMAL, ITEM), 0);
	expect_number(*diff_of(0), 10);

	mod_zone_page_state(NORMAL, ITEM, 1);
	expect_number(counter(NORMAL, ITEM), 11);
	expect_number(*diff_of(0), 0);
}

Test(vmstat, a_negative_change_up_to_the_threshold_stays_with_the_cpu)
{
	boot_smp(1, 10);

	mod_zone_page_state(NORMAL, ITEM, -10);
	expect_number(counter(NORMAL, ITEM), 0);

	mod_zone_page_state(NORMAL, ITEM, -1);
	expect_number(counter(NORMAL, ITEM), -11);
	expect_number(*diff_of(0), 0);
}

Test(vmstat, a_step_over_the_threshold_takes_half_of_it_along)
{
	int i;

	boot_smp(1, 5);
	for (i = 0; i < 5; i++)
		__inc_zone_state(NORMAL, ITEM);
	expect_number(*diff_of(0), 5);

	__inc_zone_state(NORMAL, ITEM);

	/* Expect 6 and 2 more, half of 5, so that the next fold is 8 steps away. */
	expect_number(counter(NORMAL, ITEM), 8);
	expect_number(*diff_of(0), -2);
}

Test(vmstat, a_step_down_takes_half_the_threshold_along)
{
	int i;

	boot_smp(1, 5);
	for (i = 0; i < 6; i++)
		__dec_zone_state(NORMAL, ITEM);

	expect_number(counter(NORMAL, ITEM), -8);
	expect_number(*diff_of(0), 2);
}

Test(vmstat, with_threshold_0_every_change_is_folded)
{
	boot_smp(1, 0);

	__inc_zone_state(NORMAL, ITEM);

	expect_number(counter(NORMAL, ITEM), 1);
	expect_number(*diff_of(0), 0);
}

static void inc_item(void *argument)
{
	__inc_zone_state(NORMAL, ITEM);
}

Test(vmstat, each_cpu_has_its_own_delta)
{
	boot_smp(2, 10);

	on_cpu(0, inc_item, NULL);
	on_cpu(1, inc_item, NULL);
	on_cpu(1, inc_item, NULL);

	expect_number(*diff_of(0), 1);
	expect_number(*diff_of(1), 2);
}

Test(vmstat, free_cma_pages_count_twice)
{
	boot_kernel("fixed", "movable", SET(smp, 0));
	set_counter(NORMAL, NR_FREE_PAGES, 100);
	set_counter(NORMAL, NR_FREE_CMA_PAGES, 50);

	__mod_zone_freepage_state(NORMAL, -4, MIGRATE_CMA);
	__mod_zone_freepage_state(NORMAL, -2, MIGRATE_MOVABLE);

	expect_number(counter(NORMAL, NR_FREE_PAGES), 94);
	expect_number(counter(NORMAL, NR_FREE_CMA_PAGES), 46);
}

/*
 * Reading.
 */

Test(vmstat, on_smp_a_negative_counter_reads_as_zero)
{
	boot_smp(1, 0);
	set_counter(NORMAL, ITEM, -3);

	expect_number(zone_page_state(NORMAL, ITEM), 0);
	expect_number(global_page_state(ITEM), 0);
	expect_number(zone_page_state_snapshot(NORMAL, ITEM), 0);
}

Test(vmstat, on_up_a_negative_counter_reads_as_huge)
{
	boot_kernel("fixed", "uma-64m");
	set_counter(NORMAL, ITEM, -3);

	cr_expect_eq(zone_page_state(NORMAL, ITEM), ~0UL - 2);
	cr_expect_eq(global_page_state(ITEM), ~0UL - 2);
	cr_expect_eq(zone_page_state_snapshot(NORMAL, ITEM), ~0UL - 2);
}

Test(vmstat, a_snapshot_adds_the_deltas_of_all_cpus)
{
	boot_smp(2, 100);
	set_counter(NORMAL, ITEM, 50);
	*diff_of(0) = -10;
	*diff_of(1) = 3;

	expect_number(zone_page_state_snapshot(NORMAL, ITEM), 43);
	expect_number(zone_page_state(NORMAL, ITEM), 50);
}

Test(vmstat, a_node_sums_its_zones)
{
	boot_kernel("fixed", "numa2");
	set_counter(zone_of(ZONE_DMA), ITEM, 3);
	set_counter(NORMAL, ITEM, 4);
	set_counter(zone_at(1, ZONE_NORMAL), ITEM, 100);

	expect_number(node_page_state(0, ITEM), 7);
	expect_number(node_page_state(1, ITEM), 100);
}

Test(vmstat, without_numa_a_node_is_everything)
{
	boot_kernel("fixed", "aranym");
	set_counter(zone_at(0, ZONE_DMA), ITEM, 3);
	set_counter(zone_at(1, ZONE_DMA), ITEM, 4);

	expect_number(node_page_state(0, ITEM), 7);
}

/*
 * Thresholds, 10.4.
 */

/* Machines do not have 64 CPUs here; a copied configuration says so. */
static int normal_threshold(unsigned long managed, unsigned int nr_cpus)
{
	struct machine_config config = *machine;
	const struct machine_config *real = machine;
	int threshold;

	config.nr_cpus = nr_cpus;
	machine = &config;
	NORMAL->managed_pages = managed;
	threshold = calculate_normal_threshold(NORMAL);
	machine = real;
	return threshold;
}

Test(vmstat, thresholds_grow_with_cpus_and_memory)
{
	boot_smp(1, 0);

	expect_number(normal_threshold(4096, 1), 2);
	expect_number(normal_threshold(8192, 2), 4);
	expect_number(normal_threshold(40000, 2), 8);
	expect_number(normal_threshold(262144, 4), 30);
	expect_number(normal_threshold(1281601, 4), 42);
	expect_number(normal_threshold(1281601, 64), 98);
	expect_number(normal_threshold(1UL << 28, 64), 125);
}

Test(vmstat, under_pressure_all_cpus_together_stay_within_the_marks)
{
	boot_smp(4, 0);

	set_marks(NORMAL, 100, 140, 180);
	expect_number(calculate_pressure_threshold(NORMAL), 10);
	set_marks(NORMAL, 100, 103, 106);
	expect_number(calculate_pressure_threshold(NORMAL), 1);
	set_marks(NORMAL, 100, 10000, 20000);
	expect_number(calculate_pressure_threshold(NORMAL), 125);
}

Test(vmstat, a_zone_whose_marks_are_close_gets_a_drift_mark)
{
	boot_smp(4, 0);
	/* 12288 pages and 4 CPUs: thresholds of 6, together 24. */
	set_marks(NORMAL, 100, 123, 146);
	NORMAL->percpu_drift_mark = 0;

	refresh_zone_stat_thresholds();

	expect_number(per_cpu_ptr(NORMAL->pageset, 3)->stat_threshold, 6);
	expect_number(NORMAL->percpu_drift_mark, 170);
}

Test(vmstat, a_zone_whose_marks_are_apart_gets_none_but_keeps_an_old_one)
{
	boot_smp(4, 0);
	set_marks(NORMAL, 100, 124, 148);

	NORMAL->percpu_drift_mark = 0;
	refresh_zone_stat_thresholds();
	expect_number(NORMAL->percpu_drift_mark, 0);

	NORMAL->percpu_drift_mark = 77;
	refresh_zone_stat_thresholds();
	expect_number(NORMAL->percpu_drift_mark, 77);
}

Test(vmstat, up_has_no_thresholds)
{
	boot_kernel("fixed", "tiny");

	expect_number(per_cpu_ptr(NORMAL->pageset, 0)->stat_threshold, 0);
	expect_number(NORMAL->percpu_drift_mark, 0);
}

Test(vmstat, waking_kswapd_tightens_zones_with_a_drift_mark)
{
	boot_smp(2, 6);
	set_marks(NORMAL, 100, 104, 108);
	set_marks(zone_of(ZONE_DMA), 100, 104, 108);
	NORMAL->percpu_drift_mark = 200;
	zone_of(ZONE_DMA)->percpu_drift_mark = 0;
	per_cpu_ptr(zone_of(ZONE_DMA)->pageset, 0)->stat_threshold = 6;

	set_pgdat_percpu_threshold(NODE_DATA(0), calculate_pressure_threshold);

	expect_number(per_cpu_ptr(NORMAL->pageset, 1)->stat_threshold, 2);
	expect_number(per_cpu_ptr(zone_of(ZONE_DMA)->pageset, 0)->stat_threshold, 6);
}

/*
 * Folding, 10.5.
 */

Test(vmstat, a_cpu_folds_its_own_deltas)
{
	boot_smp(2, 100);
	refresh_cpu_vm_stats(false);
	*diff_of(0) = 7;
	*diff_of(1) = 5;

	expect_number(refresh_cpu_vm_stats(false), 1);

	expect_number(counter(NORMAL, ITEM), 7);
	expect_number(atomic_long_read(&vm_stat[ITEM]), 7);
	expect_number(*diff_of(0), 0);
	expect_number(*diff_of(1), 5);
	expect_number(refresh_cpu_vm_stats(false), 0);
}

Test(vmstat, the_deltas_of_a_dead_cpu_are_folded_by_another)
{
	boot_smp(2, 100);
	*diff_of(1) = 5;

	cpu_vm_stats_fold(1);

	expect_number(counter(NORMAL, ITEM), 5);
	expect_number(*diff_of(1), 0);
}

Test(vmstat, a_pageset_is_folded_before_its_zone_loses_it)
{
	boot_smp(1, 100);
	*diff_of(0) = -4;

	drain_zonestat(NORMAL, per_cpu_ptr(NORMAL->pageset, 0));

	expect_number(counter(NORMAL, ITEM), -4);
	expect_number(atomic_long_read(&vm_stat[ITEM]), -4);
}

Test(vmstat, a_second_folds_every_cpu)
{
	boot_smp(2, 100);
	*diff_of(0) = 7;
	*diff_of(1) = 5;

	jiffies_advance(HZ);

	expect_number(counter(NORMAL, ITEM), 12);
}

Test(vmstat, refreshing_finds_a_counter_that_cannot_be_negative)
{
	boot_smp(2, 100);
	expect_number(vmstat_refresh(), 0);
	*diff_of(1) = -1;

	expect_number(vmstat_refresh(), -EINVAL);
}

Test(vmstat, refreshing_does_not_mind_a_negative_batch)
{
	boot_smp(1, 100);
	set_counter(NORMAL, NR_ALLOC_BATCH, -100);
	set_counter(zone_of(ZONE_DMA), NR_ALLOC_BATCH, -100);

	expect_number(vmstat_refresh(), 0);
}

/* CPU 0 is on node 0 and holds two pages of node 1. */
static struct per_cpu_pageset *boot_with_remote_pages(void)
{
	struct zone *remote;
	unsigned long pfn;

	boot_kernel("fixed", "numa2");
	remote = zone_at(1, ZONE_NORMAL);
	take_all_blocks(remote);
	pcp_of(remote, 0)->high = 6;
	for (pfn = 0x1000; pfn < 0x1002; pfn++)
		free_hot_cold_page(pfn_to_page(pfn), false);
	per_cpu_ptr(remote->pageset, 0)->vm_stat_diff[ITEM] = 1;
	return per_cpu_ptr(remote->pageset, 0);
}

Test(vmstat, remote_pages_that_nobody_uses_go_home_in_the_third_second)
{
	struct per_cpu_pageset *pageset = boot_with_remote_pages();

	/* The first fold finds changes and starts the count of three. */
	refresh_cpu_vm_stats(true);
	expect_number(pageset->expire, 2);
	refresh_cpu_vm_stats(true);
	expect_number(pageset->pcp.count, 2);
	refresh_cpu_vm_stats(true);

	/* Expect one batch, a single page, gone. */
	expect_number(pageset->expire, 0);
	expect_number(pageset->pcp.count, 1);
}

Test(vmstat, local_pages_do_not_expire)
{
	struct per_cpu_pageset *pageset;

	boot_kernel("fixed", "numa2");
	take_all_blocks(NORMAL);
	pcp_of(NORMAL, 0)->high = 6;
	free_hot_cold_page(pfn_to_page(0x900), false);
	pageset = per_cpu_ptr(NORMAL->pageset, 0);
	pageset->vm_stat_diff[ITEM] = 1;

	refresh_cpu_vm_stats(true);
	refresh_cpu_vm_stats(true);
	refresh_cpu_vm_stats(true);
	refresh_cpu_vm_stats(true);

	expect_number(pageset->pcp.count, 1);
	expect_number(pageset->expire, 0);
}

Test(vmstat, folding_without_pagesets_lets_nothing_expire)
{
	struct per_cpu_pageset *pageset = boot_with_remote_pages();
	int i;

	for (i = 0; i < 5; i++)
		refresh_cpu_vm_stats(false);

	expect_number(pageset->expire, 3);
	expect_number(pageset->pcp.count, 2);
}

Test(vmstat, on_up_there_is_nothing_to_fold)
{
	boot_kernel("fixed", "uma-64m");

	expect_number(refresh_cpu_vm_stats(true), 0);
}

Test(vmstat, events_are_summed_over_cpus)
{
	boot_smp(2, 0);

	vm_event_states[COMPACTSTALL][0] = 3;
	vm_event_states[COMPACTSTALL][1] = 4;

	expect_number(vm_event_sum(COMPACTSTALL), 7);
}
