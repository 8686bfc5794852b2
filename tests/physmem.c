// SPDX-License-Identifier: GPL-2.0
/*
 * physmem.c - the zone of a frame (kernel-shim/physmem.c), on a map that a person can draw, a section a line:
 *
 *   0x0     DMA DMA DMA DMA
 *   0x400   DMA DMA  .   .        ends at 0x600
 *   0x800   DMA DMA DMA DMA
 *   0xc00    .   .   .   .
 *   0x1000   .  Nor Mov Mov       Normal 0x1100-0x1200, a hole, Movable 0x1280-0x1400
 *   0x1400   .   .   .   .
 *   0x1800   .  Nor Nor Nor       starts at 0x1900
 */
#include "tests/support.h"

static struct zone dma = { .slot = 0 };
static struct zone normal = { .slot = 2 };
static struct zone movable = { .slot = 4 };

static void add_ranges(void *argument)
{
	physmem_add_zone(&dma);
	physmem_add_zone(&normal);
	physmem_add_zone(&movable);
	physmem_add_range(&movable, 0x1280, 0x1400);
	physmem_add_range(&dma, 0x0, 0x600);
	physmem_add_range(&normal, 0x1100, 0x1200);
	physmem_add_range(&dma, 0x800, 0xc00);
	physmem_add_range(&normal, 0x1200, 0x1200);
	physmem_add_range(&normal, 0x1900, 0x1c00);
}

static void boot_map(void)
{
	static const struct machine_setting memory[] = { { .key = SETTING_range, .x = 0, .y = 0x1c00 } };
	struct machine_config config;

	cr_assert_null(machine_configure(&config, preset_number("tiny"), memory, 1));
	cr_assert_not_null(world_boot(&config, add_ranges, NULL));
}

Test(physmem, a_frame_in_a_section_of_one_zone_belongs_to_it)
{
	boot_map();
	cr_expect_eq(physmem_zone(0x0), &dma);
	cr_expect_eq(physmem_zone(0x3ff), &dma);
	cr_expect_eq(physmem_zone(0x800), &dma);
	cr_expect_eq(physmem_zone(0xbff), &dma);
}

Test(physmem, frames_of_a_mixed_section_are_told_apart)
{
	boot_map();
	cr_expect_eq(physmem_zone(0x1100), &normal);
	cr_expect_eq(physmem_zone(0x11ff), &normal);
	cr_expect_eq(physmem_zone(0x1280), &movable);
	cr_expect_eq(physmem_zone(0x13ff), &movable);
}

Test(physmem, a_frame_in_a_hole_belongs_to_the_zone_below_it_in_its_section)
{
	boot_map();
	cr_expect_eq(physmem_zone(0x600), &dma);
	cr_expect_eq(physmem_zone(0x7ff), &dma);
	cr_expect_eq(physmem_zone(0x1200), &normal);
}

Test(physmem, a_hole_at_the_start_of_a_section_belongs_to_nobody)
{
	boot_map();
	cr_expect_null(physmem_zone(0x10ff));
	cr_expect_null(physmem_zone(0x1800));
	cr_expect_null(physmem_zone(0x18ff));
	cr_expect_eq(physmem_zone(0x1900), &normal);
	cr_expect(pfn_valid(0x1800), "its descriptors exist all the same");
}

Test(physmem, a_section_without_memory_has_no_zone_and_no_descriptors)
{
	boot_map();
	cr_expect_null(physmem_zone(0xc00));
	cr_expect_null(physmem_zone(0x1400));
	cr_expect_not(pfn_valid(0xc00));
	cr_expect_not(pfn_valid(0xfff));
	cr_expect(pfn_valid(0x1000));
	cr_expect(pfn_valid(0x7ff));
}

Test(physmem, frames_above_the_map_are_nothing)
{
	boot_map();
	cr_expect_null(physmem_zone(0x1c00));
	cr_expect_not(pfn_valid(0x1c00));
	cr_expect_not(physmem_present(0x1c00));
	cr_expect_null(physmem_zone(~0UL));
}

Test(physmem, only_registered_frames_are_present)
{
	boot_map();
	cr_expect(physmem_present(0x0));
	cr_expect(physmem_present(0x5ff));
	cr_expect_not(physmem_present(0x600));
	cr_expect_not(physmem_present(0x1000));
	cr_expect(physmem_present(0x1100));
	cr_expect_not(physmem_present(0x1200));
	cr_expect(physmem_present(0x13ff));
}

Test(physmem, ranges_are_listed_in_ascending_order)
{
	unsigned long start_pfn;
	unsigned long end_pfn;

	boot_map();
	cr_expect_eq(physmem_range(0, &start_pfn, &end_pfn), &dma);
	cr_expect_eq(end_pfn, 0x600);
	cr_expect_eq(physmem_range(2, &start_pfn, &end_pfn), &normal);
	cr_expect_eq(start_pfn, 0x1100);
	cr_expect_eq(physmem_range(3, &start_pfn, &end_pfn), &movable);
	cr_expect_eq(physmem_range(4, &start_pfn, &end_pfn), &normal);
	cr_expect_null(physmem_range(5, &start_pfn, &end_pfn));
}

/* On numa4 node 0 ends and node 1 starts in the middle of a section, at 0x1005. */
Test(physmem, two_nodes_that_share_a_section_keep_their_frames)
{
	boot_machine("numa4");
	cr_expect_eq(physmem_zone(0x1004), &NODE_DATA(0)->node_zones[ZONE_NORMAL]);
	cr_expect_eq(physmem_zone(0x1005), &NODE_DATA(1)->node_zones[ZONE_NORMAL]);
}
