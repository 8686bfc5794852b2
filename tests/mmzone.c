// SPDX-License-Identifier: GPL-2.0
/*
 * Zones of a request, zonelists and pageblock types (specification 3, 4, 6).
 */
#include <stdio.h>

#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)

/*
 * gfp_zone, 3.2: the zone names for the keys 0x0 to 0xf in a row. A bad key yields the lowest zone without debug_vm.
 */
static const char *gfp_zone_row(void)
{
	static char text[200];
	unsigned int key;
	int at = 0;

	for (key = 0; key < 16; key++)
		at += sprintf(text + at, "%s%s", key ? " " : "", machine_zone_name(gfp_zone(key)));
	return text;
}

Test(mmzone, zones_of_a_request_with_dma_and_dma32)
{
	boot_kernel("fixed", "pc", SET(debug_vm, 0));

	expect_text(gfp_zone_row(),
		    "Normal DMA Normal DMA DMA32 DMA DMA DMA Normal DMA Movable DMA DMA32 DMA DMA DMA");
}

Test(mmzone, zones_of_a_request_with_dma_and_highmem)
{
	boot_kernel("fixed", "i386", SET(debug_vm, 0));

	expect_text(gfp_zone_row(),
		    "Normal DMA HighMem DMA Normal DMA DMA DMA Normal DMA Movable DMA Normal DMA DMA DMA");
}

Test(mmzone, zones_of_a_request_with_normal_alone)
{
	boot_kernel("fixed", "tiny", SET(debug_vm, 0));

	expect_text(gfp_zone_row(), "Normal Normal Normal Normal Normal Normal Normal Normal "
				    "Normal Normal Movable Normal Normal Normal Normal Normal");
}

Test(mmzone, zones_of_a_request_with_all_five)
{
	boot_kernel("fixed", "i386", SET(debug_vm, 0), SET(zone_dma32, 1), MEMORY(0, 0, 0x40000),
		    SET_OF(max_zone_pfn, ZONE_DMA32, 0x2000));

	expect_text(gfp_zone_row(),
		    "Normal DMA HighMem DMA DMA32 DMA DMA DMA Normal DMA Movable DMA DMA32 DMA DMA DMA");
}

static void ask_for_dma_and_highmem(void *argument)
{
	gfp_zone(__GFP_DMA | __GFP_HIGHMEM);
}

Test(mmzone, contradicting_zone_modifiers_are_a_bug)
{
	boot_kernel("fixed", "pc");

	expect_finding(FINDING_BUG, "gfp_zone: 0xe8e8U >> key & 1", ask_for_dma_and_highmem, NULL);
}

Test(mmzone, only_the_highest_movable_request_reaches_the_movable_zone)
{
	boot_kernel("fixed", "movable");

	cr_expect_eq(page_zone(allocate(GFP_HIGHUSER_MOVABLE, 0)), zone_of(ZONE_MOVABLE));
	cr_expect_eq(page_zone(allocate(GFP_KERNEL | __GFP_MOVABLE, 0)), NORMAL);
}

/*
 * Zonelists. Distances and lists of the four-node machines are what a real 4.7 builds.
 */

static void expect_lists(const char *const lists[][2], int nr_nodes)
{
	int nid;

	for (nid = 0; nid < nr_nodes; nid++) {
		expect_text(zonelist_text(&NODE_DATA(nid)->node_zonelists[ZONELIST_FALLBACK]), lists[nid][0]);
		expect_text(zonelist_text(&NODE_DATA(nid)->node_zonelists[ZONELIST_NOFALLBACK]), lists[nid][1]);
	}
}

Test(mmzone, one_node_lists_its_zones_from_the_highest)
{
	boot_kernel("fixed", "i386");

	expect_text(zonelist_text(node_zonelist(0, 0)), "HighMem Normal DMA");
}

Test(mmzone, the_movable_zone_comes_first)
{
	boot_kernel("fixed", "movable");

	expect_text(zonelist_text(node_zonelist(0, 0)), "Movable Normal");
}

/* Four nodes of which 0 has DMA, 1 has DMA and Normal, 2 and 3 have Normal; CPUs are on nodes 1 and 2. */
#define MACHINE_OF_4                                                                                   \
	"numa4", SET(cpusets, 0), SET(cpus, 2), SET_OF(cpu_node, 0, 1), SET_OF(cpu_node, 1, 2),        \
		MEMORY(0, 0x0, 0x1000), MEMORY(1, 0x1000, 0x1c00), MEMORY(2, 0x1c00, 0x3000),          \
		MEMORY(3, 0x3000, 0x3400), SET_OF(max_zone_pfn, ZONE_DMA, 0x1400)
/* A square with unequal diagonals, and a way back that is longer than the way there. */
#define ASYMMETRIC                                                                                     \
	DISTANCE(0, 1, 15), DISTANCE(0, 2, 22), DISTANCE(0, 3, 31), DISTANCE(1, 0, 15), DISTANCE(1, 2, 31), \
		DISTANCE(1, 3, 22), DISTANCE(2, 0, 22), DISTANCE(2, 1, 31), DISTANCE(2, 3, 15),        \
		DISTANCE(3, 0, 17), DISTANCE(3, 1, 22), DISTANCE(3, 2, 15)

static const char *const asymmetric_by_node[4][2] = {
	{ "N0.DMA N1.Normal N1.DMA N2.Normal N3.Normal", "N0.DMA" },
	{ "N1.Normal N1.DMA N0.DMA N3.Normal N2.Normal", "N1.Normal N1.DMA" },
	{ "N2.Normal N3.Normal N0.DMA N1.Normal N1.DMA", "N2.Normal" },
	{ "N3.Normal N2.Normal N0.DMA N1.Normal N1.DMA", "N3.Normal" },
};

static const char *const asymmetric_by_zone[4][2] = {
	{ "N1.Normal N2.Normal N3.Normal N0.DMA N1.DMA", "N0.DMA" },
	{ "N1.Normal N3.Normal N2.Normal N1.DMA N0.DMA", "N1.Normal N1.DMA" },
	{ "N2.Normal N3.Normal N1.Normal N0.DMA N1.DMA", "N2.Normal" },
	{ "N3.Normal N2.Normal N1.Normal N0.DMA N1.DMA", "N3.Normal" },
};

Test(mmzone, node_order_goes_from_the_nearest_node_to_the_farthest)
{
	boot_kernel("fixed", MACHINE_OF_4, ASYMMETRIC);

	expect_lists(asymmetric_by_node, 4);
}

Test(mmzone, zone_order_goes_from_the_highest_zone_type_to_the_lowest)
{
	boot_kernel("fixed", MACHINE_OF_4, ASYMMETRIC, SET(numa_zonelist_order, 'z'));

	expect_lists(asymmetric_by_zone, 4);
}

Test(mmzone, writing_the_order_rebuilds_the_lists)
{
	boot_kernel("fixed", MACHINE_OF_4, ASYMMETRIC);

	expect_number(numa_zonelist_order_handler('Z'), 0);
	expect_lists(asymmetric_by_zone, 4);
	expect_number(numa_zonelist_order_handler('n'), 0);
	expect_lists(asymmetric_by_node, 4);
	expect_number(numa_zonelist_order_handler('z'), 0);
	expect_number(numa_zonelist_order_handler('d'), 0);
	expect_lists(asymmetric_by_node, 4);
}

Test(mmzone, an_unknown_order_is_refused)
{
	boot_kernel("fixed", MACHINE_OF_4, ASYMMETRIC);

	expect_number(numa_zonelist_order_handler('x'), -EINVAL);
	expect_number(numa_zonelist_order_handler('\0'), -EINVAL);
	expect_lists(asymmetric_by_node, 4);
}

/* Every node is 20 from every other; CPUs are on nodes 2 and 3. */
#define FLAT                                                                                           \
	"numa4", SET(cpusets, 0), SET(cpus, 3), SET_OF(cpu_node, 0, 2), SET_OF(cpu_node, 1, 3),        \
		SET_OF(cpu_node, 2, 3), MEMORY(0, 0x0, 0x1000), MEMORY(1, 0x1000, 0x1c00),             \
		MEMORY(2, 0x1c00, 0x3000), MEMORY(3, 0x3000, 0x3400), SET_OF(max_zone_pfn, ZONE_DMA, 0x400), \
		DISTANCE(0, 1, 20), DISTANCE(0, 2, 20), DISTANCE(0, 3, 20), DISTANCE(1, 0, 20),        \
		DISTANCE(1, 2, 20), DISTANCE(1, 3, 20), DISTANCE(2, 0, 20), DISTANCE(2, 1, 20),        \
		DISTANCE(2, 3, 20), DISTANCE(3, 0, 20), DISTANCE(3, 1, 20), DISTANCE(3, 2, 20)

Test(mmzone, nodes_at_one_distance_are_spread_over_but_those_with_cpus_come_later)
{
	static const char *const lists[4][2] = {
		{ "N0.Normal N0.DMA N1.Normal N2.Normal N3.Normal", "N0.Normal N0.DMA" },
		{ "N1.Normal N0.Normal N0.DMA N2.Normal N3.Normal", "N1.Normal" },
		{ "N2.Normal N3.Normal N0.Normal N0.DMA N1.Normal", "N2.Normal" },
		{ "N3.Normal N0.Normal N0.DMA N1.Normal N2.Normal", "N3.Normal" },
	};

	boot_kernel("fixed", FLAT);

	expect_lists(lists, 4);
}

Test(mmzone, zone_order_over_nodes_at_one_distance)
{
	static const char *const lists[4][2] = {
		{ "N0.Normal N1.Normal N2.Normal N3.Normal N0.DMA", "N0.Normal N0.DMA" },
		{ "N1.Normal N0.Normal N2.Normal N3.Normal N0.DMA", "N1.Normal" },
		{ "N2.Normal N3.Normal N0.Normal N1.Normal N0.DMA", "N2.Normal" },
		{ "N3.Normal N0.Normal N1.Normal N2.Normal N0.DMA", "N3.Normal" },
	};

	boot_kernel("fixed", FLAT, SET(numa_zonelist_order, 'z'));

	expect_lists(lists, 4);
}

Test(mmzone, a_memoryless_node_has_no_list_of_its_own)
{
	boot_kernel("fixed", "numa4");

	expect_text(zonelist_text(&NODE_DATA(2)->node_zonelists[ZONELIST_NOFALLBACK]), "");
	cr_expect_neq(NODE_DATA(2)->node_zonelists[ZONELIST_FALLBACK]._zonerefs[0].zone, NULL);
}

Test(mmzone, without_numa_nodes_follow_by_number_and_wrap)
{
	boot_kernel("fixed", "aranym", SET(nodes, 3), MEMORY(0, 0, 0x1000), MEMORY(1, 0x1000, 0x2000),
		    MEMORY(2, 0x2000, 0x3000), SET_OF(max_zone_pfn, ZONE_DMA, 0x3000));

	expect_text(zonelist_text(&NODE_DATA(0)->node_zonelists[ZONELIST_FALLBACK]), "N0.DMA N1.DMA N2.DMA");
	expect_text(zonelist_text(&NODE_DATA(1)->node_zonelists[ZONELIST_FALLBACK]), "N1.DMA N2.DMA N0.DMA");
	expect_text(zonelist_text(&NODE_DATA(2)->node_zonelists[ZONELIST_FALLBACK]), "N2.DMA N0.DMA N1.DMA");
}

Test(mmzone, without_numa_thisnode_means_nothing)
{
	boot_kernel("fixed", "aranym");

	cr_expect_eq(node_zonelist(1, __GFP_THISNODE), node_zonelist(1, 0));
}

static const char *rebuild_message(void)
{
	static char text[160];

	printk_clear();
	build_all_zonelists();
	cr_assert(printk_format(0, text, sizeof(text)));
	return text;
}

Test(mmzone, building_the_lists_says_how)
{
	boot_kernel("fixed", "tiny");
	/* 256 pages less the high mark. */
	expect_number(high_wmark_pages(NORMAL), 48);
	expect_text(rebuild_message(), "Built 1 zonelists in Zone order, mobility grouping on.  Total pages: 208");

	boot_kernel("fixed", "numa2");
	cr_expect_not_null(strstr(rebuild_message(), "Built 2 zonelists in Node order, mobility grouping on."));
	numa_zonelist_order_handler('z');
	page_group_by_mobility_disabled = 0;
	cr_expect_not_null(strstr(rebuild_message(), "Built 2 zonelists in Zone order, mobility grouping on."));
}

/* All of DMA was taken by a balloon while the lists were built. */
static void boot_with_balloon(const char *kernel_text)
{
	boot_kernel(kernel_text, "uma-64m");
	zone_of(ZONE_DMA)->managed_pages = 0;
	build_all_zonelists();
}

Test(mmzone, zonelist_present_pages_lists_a_zone_without_managed_pages)
{
	boot_with_balloon("fixed");

	expect_text(zonelist_text(node_zonelist(0, 0)), "Normal DMA");
}

Test(mmzone, without_zonelist_present_pages_the_zone_is_in_no_list)
{
	boot_with_balloon("fixed,-zonelist-present-pages");

	expect_text(zonelist_text(node_zonelist(0, 0)), "Normal");
}

/*
 * Walking a list.
 */

Test(mmzone, a_walk_begins_at_the_first_zone_that_the_limit_allows)
{
	struct zoneref *z;

	boot_kernel("fixed", "i386");

	z = first_zones_zonelist(node_zonelist(0, 0), ZONE_NORMAL, NULL);

	cr_expect_eq(z->zone, NORMAL);
	/* The search includes its starting point. */
	cr_expect_eq(next_zones_zonelist(z, ZONE_NORMAL, NULL), z);
	cr_expect_eq(next_zones_zonelist(z + 1, ZONE_NORMAL, NULL)->zone, zone_of(ZONE_DMA));
}

Test(mmzone, a_walk_ends_at_the_sentinel)
{
	nodemask_t nowhere = { 1UL << 1 };
	struct zoneref *z;

	boot_kernel("fixed", "numa2");

	z = first_zones_zonelist(node_zonelist(1, __GFP_THISNODE), ZONE_DMA, NULL);
	cr_expect_null(z->zone);
	z = first_zones_zonelist(node_zonelist(0, __GFP_THISNODE), ZONE_MOVABLE, &nowhere);
	cr_expect_null(z->zone);
}

Test(mmzone, every_zone_of_every_node_is_walked_present_or_not)
{
	struct zone *zone;
	int nr = 0;

	boot_kernel("fixed", "numa4");

	for_each_zone(zone)
		nr++;
	expect_number(nr, 20);
	nr = 0;
	for_each_populated_zone(zone)
		nr++;
	/* DMA and Normal on node 0, Normal on nodes 1 and 3. */
	expect_number(nr, 4);
}

/*
 * Pageblock types.
 */

Test(mmzone, a_pageblock_has_its_own_type)
{
	boot_kernel("fixed", "tiny");

	set_block_type(0x1f, MIGRATE_RECLAIMABLE);

	/* | 00 M | 10 E | 20 M |   Expect all frames of the pageblock to follow, and the neighbours not to. */
	expect_number(block_type(0x10), MIGRATE_RECLAIMABLE);
	expect_number(block_type(0x0f), MIGRATE_MOVABLE);
	expect_number(block_type(0x20), MIGRATE_MOVABLE);
}

Test(mmzone, every_pageblock_of_a_zone_can_have_any_type)
{
	unsigned long pfn;

	boot_kernel("fixed", "tiny");
	for (pfn = 0; pfn < 0x100; pfn += 0x10)
		set_block_type(pfn, (int)(pfn / 0x10 % MIGRATE_TYPES));
	for (pfn = 0; pfn < 0x100; pfn += 0x10)
		expect_number(block_type(pfn), pfn / 0x10 % MIGRATE_TYPES);
}

Test(mmzone, pageblocks_are_counted_from_the_one_that_a_ragged_zone_begins_in)
{
	boot_kernel("fixed", "tiny", MEMORY(0, 0x8, 0x108));

	set_block_type(0x10, MIGRATE_RECLAIMABLE);

	/* Expect the first, partial pageblock never set at boot, hence unmovable. */
	expect_number(block_type(0x8), MIGRATE_UNMOVABLE);
	expect_number(block_type(0x10), MIGRATE_RECLAIMABLE);
	expect_number(block_type(0x20), MIGRATE_MOVABLE);
}

Test(mmzone, without_grouping_ordinary_types_become_unmovable)
{
	boot_kernel("fixed", "tiny");
	page_group_by_mobility_disabled = 1;

	set_block_type(0x10, MIGRATE_MOVABLE);
	set_block_type(0x20, MIGRATE_HIGHATOMIC);

	expect_number(block_type(0x10), MIGRATE_UNMOVABLE);
	expect_number(block_type(0x20), MIGRATE_HIGHATOMIC);
}

Test(mmzone, grouping_needs_a_pageblock_of_every_type)
{
	/* 256 frames less 4 for the descriptors: 15 pageblocks of 16 are enough for 5 types, 3 of 64 are not. */
	boot_kernel("fixed", "tiny");
	expect_number(page_group_by_mobility_disabled, 0);
	expect_number(vm_total_pages, 252);

	boot_kernel("fixed", "tiny", SET(pageblock_order, 6));
	expect_number(page_group_by_mobility_disabled, 1);
	expect_number(block_type(0x40), MIGRATE_MOVABLE);
}

static void set_type_outside(void *argument)
{
	set_pageblock_migratetype(pfn_to_page(0x3ff), MIGRATE_MOVABLE);
}

Test(mmzone, setting_a_type_outside_the_zone_is_a_bug)
{
	boot_kernel("fixed", "tiny");

	expect_finding(FINDING_BUG, "set_pfnblock_migratetype_bits: !zone_spans_pfn(page_zone(page), pfn)",
		       set_type_outside, NULL);
}
