// SPDX-License-Identifier: GPL-2.0
/*
 * From ranges of frames to zones and free blocks (specification 8).
 */
#include <stdio.h>

#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)
#define DMA zone_of(ZONE_DMA)
#define MOVABLE zone_of(ZONE_MOVABLE)

/* "0x1000+0x3000 present 12288 managed 12288" */
static const char *size_of(const struct zone *zone)
{
	static char texts[4][100];
	static unsigned int next;
	char *text = texts[next++ % 4];

	sprintf(text, "0x%lx+0x%lx present %lu managed %lu", zone->zone_start_pfn, zone->spanned_pages,
		zone->present_pages, zone->managed_pages);
	return text;
}

/* Free blocks of each order, as far as there are any. */
static const char *nr_free_of(const struct zone *zone)
{
	static char texts[4][100];
	static unsigned int next;
	char *text = texts[next++ % 4];
	int last = MAX_ORDER - 1;
	int at = 0;
	int order;

	while (last && !zone->free_area[last].nr_free)
		last--;
	for (order = 0; order <= last; order++)
		at += sprintf(text + at, "%s%lu", order ? " " : "", zone->free_area[order].nr_free);
	return text;
}

/*
 * Sizes.
 */

Test(mm_init, zones_share_the_memory_at_their_borders)
{
	boot_kernel("fixed", "uma-64m");

	/* 32 and 97 frames of DMA are reserved. */
	expect_text(size_of(DMA), "0x0+0x1000 present 4096 managed 3967");
	expect_text(size_of(NORMAL), "0x1000+0x3000 present 12288 managed 12288");
	expect_text(size_of(MOVABLE), "0x0+0x0 present 0 managed 0");
	expect_number(totalram_pages, 16255);
	expect_number(totalhigh_pages, 0);
	expect_number(NODE_DATA(0)->nr_zones, ZONE_NORMAL + 1);
	expect_number(NODE_DATA(0)->node_present_pages, 16384);
}

Test(mm_init, all_memory_but_the_reserved_is_free)
{
	boot_kernel("fixed", "uma-64m");

	expect_number(counter(DMA, NR_FREE_PAGES), 3967);
	expect_number(counter(NORMAL, NR_FREE_PAGES), 12288);
	expect_number(nr_free_pages(), 16255);
}

Test(mm_init, a_reserved_frame_can_be_given_to_the_buddy_system)
{
	struct page *page;

	boot_kernel("fixed", "uma-64m");
	page = pfn_to_page(0x1f);
	cr_assert(PageReserved(page));

	free_reserved_page(page);
	drain_all_pages(NULL);

	cr_expect_not(PageReserved(page));
	expect_number(counter(DMA, NR_FREE_PAGES), 3968);
	expect_number(DMA->managed_pages, 3968);
	expect_number(totalram_pages, 16256);
}

Test(mm_init, a_held_page_can_be_taken_out_of_the_managed_memory)
{
	struct page *page;

	boot_kernel("fixed", "uma-64m");
	page = alloc_pages(GFP_KERNEL, 0);

	mark_page_reserved(page);

	cr_expect(PageReserved(page));
	expect_number(NORMAL->managed_pages, 12287);
	expect_number(totalram_pages, 16254);
}

Test(mm_init, a_hole_is_spanned_but_not_present)
{
	boot_kernel("fixed", "tiny", MEMORY(0, 0x0, 0x80), MEMORY(0, 0xc0, 0x140));

	/* | 0 .. 7f |  hole  | c0 .. 13f |   Expect no block to cross the hole. */
	expect_text(size_of(NORMAL), "0x0+0x140 present 256 managed 256");
	expect_free(NORMAL, "M6: 0x100 0xc0, M7: 0x0");
}

Test(mm_init, a_ragged_zone_is_handed_over_in_the_largest_aligned_blocks)
{
	boot_kernel("fixed", "tiny", MEMORY(0, 0x9, 0x109));

	/* 9 | a b | c..f | 10..1f | ... | 80..ff | 100..107 | 108. The block before 0x10 has type unmovable. */
	expect_text(size_of(NORMAL), "0x9+0x100 present 256 managed 256");
	expect_free(NORMAL, "U0: 0x9, M0: 0x108, U1: 0xa, U2: 0xc, "
			    "M3: 0x100, M4: 0x10, M5: 0x20, M6: 0x40, M7: 0x80");
}

Test(mm_init, reserved_frames_split_the_free_memory)
{
	boot_kernel("fixed", "tiny", MEMORY(0, 0x0, 0x100), RESERVED(0x41, 0x42));

	expect_number(NORMAL->managed_pages, 255);
	expect_free(NORMAL, "M0: 0x40, M1: 0x42, M2: 0x44, M3: 0x48, M4: 0x50, M5: 0x60, M6: 0x0, M7: 0x80");
}

Test(mm_init, a_reserved_frame_looks_like_one)
{
	const struct page *page;

	boot_kernel("fixed", "tiny", MEMORY(0, 0x0, 0x100), RESERVED(0x41, 0x42));
	page = pfn_to_page(0x41);

	cr_expect(PageReserved(page));
	expect_number(page_ref_count(page), 1);
	cr_expect_eq(page->lru.next, &page->lru);
	cr_expect_not(PageBuddy(page));
}

Test(mm_init, a_page_inside_a_free_block_is_all_zero)
{
	static const struct page zero;

	boot_kernel("fixed", "tiny");

	cr_expect(!memcmp(pfn_to_page(0x41), &zero, sizeof(zero)));
}

/* Both machines below were booted by a real 4.7; sizeof(struct page) was 56. */

Test(mm_init, a_machine_with_a_hole_boots_as_a_real_one)
{
	boot_kernel("v4.7", "uma-64m", SET(isolation, 0), SET(struct_page_bytes, 56), MEMORY(0, 0x10, 0x9f),
		    MEMORY(0, 0x100, 0x1745), SET_OF(max_zone_pfn, ZONE_DMA, 0x400), RESERVED(0x10, 0x23),
		    RESERVED(0x233, 0x301), RESERVED(0x1001, 0x1002), RESERVED(0x173c, 0x173d),
		    RESERVED(0x1744, 0x1745));

	expect_number(min_free_kbytes, 599);
	expect_number(totalram_pages, 5616);
	expect_number(totalreserve_pages, 239);
	expect_number(vm_total_pages, 5763);
	expect_text(size_of(DMA), "0x10+0x3f0 present 911 managed 686");
	expect_text(size_of(NORMAL), "0x400+0x1345 present 4933 managed 4930");
	expect_text(nr_free_of(DMA), "4 3 3 3 4 2 2 1 1");
	expect_text(nr_free_of(NORMAL), "2 2 3 2 2 2 1 1 2 2 3");
	expect_number(block_type(0x10), MIGRATE_UNMOVABLE);
	expect_number(block_type(0x400), MIGRATE_MOVABLE);
	cr_expect(DMA->contiguous);
	cr_expect(NORMAL->contiguous);
}

Test(mm_init, a_machine_with_highmem_boots_as_a_real_one)
{
	struct zone *highmem;

	boot_kernel("v4.7", "i386", SET(smp, 0), SET(isolation, 0), SET(struct_page_bytes, 56), MEMORY(0, 0, 0x3000),
		    SET_OF(max_zone_pfn, ZONE_DMA, 0x400), SET_OF(max_zone_pfn, ZONE_NORMAL, 0x1400),
		    RESERVED(0x0, 0x20), RESERVED(0x13f7, 0x13f8), RESERVED(0x13ff, 0x1400));
	highmem = zone_of(ZONE_HIGHMEM);

	expect_number(min_free_kbytes, 570);
	expect_number(totalram_pages, 12254);
	expect_number(totalhigh_pages, 7168);
	expect_number(totalreserve_pages, 608);
	expect_number(vm_total_pages, 12218);
	expect_text(size_of(DMA), "0x0+0x400 present 1024 managed 992");
	expect_text(size_of(highmem), "0x1400+0x1c00 present 7168 managed 7168");
	/* Highmem is freed page by page, and merges. */
	expect_text(nr_free_of(highmem), "0 0 0 0 0 0 0 0 0 0 7");
	cr_expect(is_highmem(highmem));
	cr_expect(is_highmem(MOVABLE));
	cr_expect_not(is_highmem(NORMAL));
}

Test(mm_init, four_nodes_boot_as_real_ones)
{
	boot_kernel("v4.7", "numa4", SET(compaction, 0), SET(cpusets, 0), SET(isolation, 0),
		    SET(struct_page_bytes, 56),
		    SET(pageblock_order, 10), SET(cpus, 2), SET_OF(cpu_node, 0, 1), SET_OF(cpu_node, 1, 2),
		    MEMORY(0, 0x0, 0x1000), MEMORY(1, 0x1000, 0x1c00), MEMORY(2, 0x1c00, 0x3000),
		    MEMORY(3, 0x3000, 0x3400), SET_OF(max_zone_pfn, ZONE_DMA, 0x1400), RESERVED(0x0, 0x20),
		    RESERVED(0xfff, 0x1000), RESERVED(0x1bff, 0x1c00), RESERVED(0x2fff, 0x3000),
		    RESERVED(0x33ff, 0x3400));

	expect_number(min_free_kbytes, 921);
	expect_number(totalram_pages, 13276);
	expect_number(totalreserve_pages, 344);
	expect_number(vm_total_pages, 13130);
	expect_text(size_of(DMA), "0x0+0x1000 present 4096 managed 4063");
	expect_text(size_of(zone_at(1, ZONE_DMA)), "0x1000+0x400 present 1024 managed 1024");
	expect_text(size_of(zone_at(1, ZONE_NORMAL)), "0x1400+0x800 present 2048 managed 2047");
	expect_number(zone_at(1, ZONE_DMA)->percpu_drift_mark, 33);
	expect_number(zone_at(2, ZONE_NORMAL)->percpu_drift_mark, 0);
	expect_number(zone_at(2, ZONE_DMA)->lowmem_reserve[ZONE_NORMAL], 19);
	expect_text(nr_free_of(zone_at(2, ZONE_NORMAL)), "1 1 1 1 1 1 1 1 1 1 4");
}

/*
 * Nodes.
 */

Test(mm_init, a_memoryless_node_has_no_zone_with_frames)
{
	pg_data_t *node;
	int idx;

	boot_kernel("fixed", "numa4");
	node = NODE_DATA(2);

	expect_number(node->nr_zones, 0);
	expect_number(node->node_present_pages, 0);
	for (idx = 0; idx < MAX_NR_ZONES; idx++) {
		cr_expect_not(populated_zone(&node->node_zones[idx]));
		cr_expect_eq(node->node_zones[idx].zone_pgdat, node);
		expect_number(zone_to_nid(&node->node_zones[idx]), 2);
	}
}

Test(mm_init, every_frame_knows_its_zone_where_a_section_is_shared)
{
	boot_kernel("fixed", "numa4");

	/* Frame 0x1005 is the first of node 1; the section 0x1000..0x13ff holds frames of both. */
	cr_expect_eq(page_zone(pfn_to_page(0x1004)), NORMAL);
	cr_expect_eq(page_zone(pfn_to_page(0x1005)), zone_at(1, ZONE_NORMAL));
	cr_expect_eq(page_zone(pfn_to_page(0x7f2)), DMA);
	cr_expect_eq(page_zone(pfn_to_page(0x900)), NORMAL);
}

Test(mm_init, node_sizes_matter_to_zone_reclaim_on_numa_only)
{
	boot_kernel("fixed", "numa2");
	/* 1 % and 5 % of 2048 frames less 32 for the descriptors. */
	expect_number(NORMAL->min_unmapped_pages, 20);
	expect_number(NORMAL->min_slab_pages, 100);

	boot_kernel("fixed", "uma-64m");
	expect_number(NORMAL->min_unmapped_pages, 0);
}

/*
 * The movable zone.
 */

Test(mm_init, the_movable_zone_begins_inside_the_highest_one)
{
	boot_kernel("fixed", "movable");

	/* Expect Normal to span the frames of Movable, but not to have them. */
	expect_text(size_of(NORMAL), "0x0+0x3000 present 8192 managed 8128");
	expect_text(size_of(MOVABLE), "0x2000+0x1000 present 4096 managed 4096");
	cr_expect(zone_spans_pfn(NORMAL, 0x2000));
	cr_expect_eq(page_zone(pfn_to_page(0x2000)), MOVABLE);
	cr_expect_eq(page_zone(pfn_to_page(0x1fff)), NORMAL);
	expect_number(movable_zone, ZONE_NORMAL);
	cr_expect_not(is_highmem(MOVABLE));
	cr_expect_not(NORMAL->contiguous);
	cr_expect(MOVABLE->contiguous);
}

Test(mm_init, a_node_that_lies_above_its_movable_start_has_nothing_else)
{
	boot_kernel("fixed", "numa2", SET_OF(movable_start, 1, 0x1000));

	expect_text(size_of(zone_at(1, ZONE_NORMAL)), "0x0+0x0 present 0 managed 0");
	expect_text(size_of(zone_at(1, ZONE_MOVABLE)), "0x1000+0xc00 present 3072 managed 3072");
}

Test(mm_init, movable_frames_may_come_from_highmem)
{
	boot_kernel("fixed", "i386", SET_OF(movable_start, 0, 0x3c000));

	expect_number(movable_zone, ZONE_HIGHMEM);
	expect_text(size_of(MOVABLE), "0x3c000+0x4000 present 16384 managed 16384");
	expect_number(zone_of(ZONE_HIGHMEM)->present_pages, 0x4000);
	expect_number(totalhigh_pages, 0x8000);
}

/*
 * CMA.
 */

Test(mm_init, cma_frames_are_managed_and_free_with_their_own_type)
{
	boot_kernel("fixed", "movable");

	expect_number(counter_sum(NORMAL, NR_FREE_CMA_PAGES), 0x400);
	expect_number(block_type(0x1800), MIGRATE_CMA);
	expect_number(block_type(0x1a00), MIGRATE_CMA);
	expect_number(block_type(0x1c00), MIGRATE_MOVABLE);
	expect_number(page_ref_count(pfn_to_page(0x1801)), 0);
	cr_expect_not(PageReserved(pfn_to_page(0x1801)));
	expect_number(counter_sum(NORMAL, NR_FREE_PAGES), 8128);
}

/*
 * Order of the steps, 8.4.
 */

Test(mm_init, a_booted_kernel_may_use_all_flags)
{
	boot_kernel("fixed", "tiny");

	expect_number(gfp_allowed_mask, __GFP_BITS_MASK);
}

Test(mm_init, a_boot_leaves_no_page_on_per_cpu_lists)
{
	int cpu;

	boot_kernel("fixed", "pc");

	for_each_online_cpu(cpu)
		expect_number(pcp_of(NORMAL, cpu)->count, 0);
	expect_number(counter_sum(NORMAL, NR_FREE_PAGES), NORMAL->managed_pages);
}

Test(mm_init, a_terabyte_boots)
{
	boot_kernel("fixed", "huge-1t");

	expect_number(totalram_pages, 1L << 28);
	expect_number(min_free_kbytes, 65536);
	cr_expect_not_null(allocate_at(7, GFP_KERNEL, 10, NULL));
}

Test(mm_init, managed_pages_can_change_later)
{
	unsigned long ram;

	boot_kernel("fixed", "i386");
	ram = totalram_pages;

	adjust_managed_page_count(pfn_to_page(0x38000), -3);
	adjust_managed_page_count(pfn_to_page(0x10000), 1);

	expect_number(totalram_pages, ram - 2);
	expect_number(totalhigh_pages, 0x8000 - 3);
	expect_number(zone_of(ZONE_HIGHMEM)->managed_pages, 0x8000 - 3);
}
