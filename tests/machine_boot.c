// SPDX-License-Identifier: GPL-2.0
/* machine_boot.c - what a machine is like when it has booted (kernel-shim/machine_boot.c, specification 8.4). */
#include "tests/support.h"
#include "mm/internal.h"

Test(machine_boot, tunables_are_in_force_when_the_machine_has_booted)
{
	boot_machine_with("numa2",
			  SETTINGS({ .key = SETTING_min_free_kbytes, .x = 800 },
				   { .key = SETTING_watermark_scale_factor, .x = 50 },
				   { .key = SETTING_lowmem_reserve_ratio, .a = MACHINE_ZONE_DMA, .x = 8 },
				   { .key = SETTING_percpu_pagelist_fraction, .x = 16 },
				   { .key = SETTING_zone_reclaim_mode, .x = 1 }),
			  5);
	cr_expect_eq(min_free_kbytes, 800);
	cr_expect_eq(watermark_scale_factor, 50);
	cr_expect_eq(sysctl_lowmem_reserve_ratio[ZONE_DMA], 8);
	cr_expect_eq(percpu_pagelist_fraction, 16);
	cr_expect_eq(zone_reclaim_mode, 1);
}

/* The preset has CMA at 0x1800-0x1c00 and pageblocks of 0x200 frames; all of it is free. */
Test(machine_boot, cma_frames_are_free_and_in_cma_pageblocks)
{
	struct zone *zone;

	boot_machine("movable");
	zone = &NODE_DATA(0)->node_zones[ZONE_NORMAL];
	cr_expect_eq(zone_page_state_snapshot(zone, NR_FREE_CMA_PAGES), 1024);
	cr_expect_eq(get_pageblock_migratetype(pfn_to_page(0x1800)), MIGRATE_CMA);
	cr_expect_eq(get_pageblock_migratetype(pfn_to_page(0x1bff)), MIGRATE_CMA);
	cr_expect_eq(get_pageblock_migratetype(pfn_to_page(0x17ff)), MIGRATE_MOVABLE);
	cr_expect_not(PageReserved(pfn_to_page(0x1900)));
}

Test(machine_boot, reserved_frames_are_not_free)
{
	struct zone *zone;

	boot_machine("movable");
	zone = &NODE_DATA(0)->node_zones[ZONE_NORMAL];
	cr_expect_eq(zone->present_pages, 0x2000);
	cr_expect_eq(zone->managed_pages, 0x2000 - 0x40);
	cr_expect(PageReserved(pfn_to_page(0x3f)));
	cr_expect_not(PageReserved(pfn_to_page(0x40)));
}

Test(machine_boot, frames_from_movable_start_up_are_zone_movable)
{
	boot_machine("movable");
	cr_expect_eq(physmem_zone(0x1fff), &NODE_DATA(0)->node_zones[ZONE_NORMAL]);
	cr_expect_eq(physmem_zone(0x2000), &NODE_DATA(0)->node_zones[ZONE_MOVABLE]);
	cr_expect_eq(NODE_DATA(0)->node_zones[ZONE_MOVABLE].managed_pages, 0x1000);
}

Test(machine_boot, every_flag_is_allowed_and_task_0_runs_on_cpu_0)
{
	boot_machine("pc");
	cr_expect_eq(gfp_allowed_mask, 0x3ffffff);
	cr_expect_eq(current_cpu, 0);
	cr_expect_eq(current, &tasks[0]);
	cr_expect(NODE_DATA(0)->kswapd_asleep);
}

Test(machine_boot, a_zone_without_holes_is_contiguous)
{
	boot_machine("pc");
	cr_expect(NODE_DATA(0)->node_zones[ZONE_NORMAL].contiguous);
	cr_expect_not(NODE_DATA(0)->node_zones[ZONE_DMA32].contiguous, "it has the hole below 4 GiB");
}

/* The configuration of the current machine is gone once another boots, so it is copied first. */
Test(machine_boot, a_booted_machine_can_boot_again_from_its_own_configuration)
{
	boot_machine("numa2");
	cr_assert_not_null(machine_boot(machine, NULL));
	cr_expect_eq(machine->nr_nodes, 2);
}
