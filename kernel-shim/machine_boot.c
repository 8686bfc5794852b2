// SPDX-License-Identifier: GPL-2.0
/*
 * machine_boot.c - from a configuration to a booted machine: mm's own initialisation in the order of specification
 * 8.4, then the tunables, each through its handler as a boot script would.
 *
 * Left out: everything else that start_kernel() does. A tunable that has its default is not written: writing
 * recomputes marks and batches, and a kernel where nobody wrote has not done that.
 */
#include "mm/internal.h"
#include "bdi.h"
#include "machine_boot.h"
#include "reclaim.h"
#include "sleep.h"

static void allocate_nodes(void)
{
	int nid;

	for_each_online_node(nid)
		node_data[nid] = world_alloc(sizeof(pg_data_t));
}

static void hand_over_cma(void)
{
	unsigned long pfn;
	unsigned int i;

	for (i = 0; i < machine->nr_cma; i++)
		for (pfn = machine->cma_ranges[i].start_pfn; pfn < machine->cma_ranges[i].end_pfn;
		     pfn += pageblock_nr_pages)
			init_cma_reserved_pageblock(pfn_to_page(pfn));
}

static void apply_tunables(void)
{
	int idx;

	if (machine->min_free_kbytes >= 0)
		min_free_kbytes_sysctl_handler(machine->min_free_kbytes);
	if (machine->watermark_scale_factor != watermark_scale_factor)
		watermark_scale_factor_sysctl_handler(machine->watermark_scale_factor);
	for (idx = 0; idx < MAX_NR_ZONES - 1; idx++)
		if (machine->lowmem_reserve_ratio[idx] != sysctl_lowmem_reserve_ratio[idx])
			lowmem_reserve_ratio_sysctl_handler(idx, machine->lowmem_reserve_ratio[idx]);
	if (machine->percpu_pagelist_fraction)
		percpu_pagelist_fraction_sysctl_handler(machine->percpu_pagelist_fraction);
	if (machine->numa_zonelist_order != 'd')
		numa_zonelist_order_handler(machine->numa_zonelist_order);
	if (machine->numa)
		zone_reclaim_mode = machine->zone_reclaim_mode;
}

static void boot(void *argument)
{
	void (*observe)(void) = *(void (**)(void))argument;
	struct zone *zone;

	sched_init();
	time_init();
	sleep_init();
	reclaim_init();
	gfp_allowed_mask = GFP_BOOT_MASK;
	allocate_nodes();
	free_area_init_nodes();
	build_all_zonelists();
	free_all_bootmem();
	setup_per_cpu_pageset();
	page_writeback_init();
	bdi_boot();
	gfp_allowed_mask = __GFP_BITS_MASK;
	hand_over_cma();
	init_per_zone_wmark_min();
	for_each_populated_zone(zone)
		set_zone_contiguous(zone);
	apply_tunables();
	printk_clear();
	if (observe)
		observe();
}

struct world *machine_boot(const struct machine_config *config, void (*observe)(void))
{
	return world_boot(config, boot, &observe);
}
