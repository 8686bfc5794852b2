// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_buddy.c - free blocks, per-CPU lists and conservation are watched (fuzz/invariants_buddy.c).
 *
 * "uma-64m" has per-CPU lists in zone Normal; on "tiny" they are always empty, so that a freed page goes on to the free
 * lists at once.
 */
#include "tests/sabotage.h"

#define ONE_PAGE "machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
#define ONE_FREE ONE_PAGE "free_pages(p0)\n"
#define TWO_PAGES ONE_PAGE "p1 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
#define BLOCK_OF_TINY "machine preset=tiny\np0 = alloc_pages(order=1, gfp=GFP_KERNEL)\n"
#define PAGE_OF_CMA "machine preset=movable\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"

static void manage_one_more(struct trace_record *record, unsigned int number)
{
	zone_of_frame(record->a)->managed_pages++;
}

Test(sabotage_buddy, a_page_that_is_lost)
{
	expect_invariant("pages_conserved", (struct sabotage){ .program = ONE_PAGE,
							       .at = TRACE_MM_PAGE_ALLOC,
							       .breaks = manage_one_more,
							       .then = { "every_page_conserved" } });
}

static void count_one_more_block(struct trace_record *record, unsigned int number)
{
	zone_of_frame(record->a)->free_area[3].nr_free++;
}

Test(sabotage_buddy, a_block_that_is_not_there)
{
	expect_invariant("free_area_counts", (struct sabotage){ .program = ONE_PAGE,
								.at = TRACE_MM_PAGE_ALLOC,
								.breaks = count_one_more_block,
								.report = "zone Normal, order 3: nr_free 2, blocks 1" });
}

static void reference_a_free_block(struct trace_record *record, unsigned int number)
{
	reference(any_free_block(zone_of_frame(record->a), 0, MIGRATE_TYPES), 1);
}

Test(sabotage_buddy, a_free_block_in_use)
{
	expect_invariant("free_blocks_well_formed", (struct sabotage){ .program = BLOCK_OF_TINY,
								       .at = TRACE_MM_PAGE_ALLOC,
								       .breaks = reference_a_free_block,
								       .then = { "every_list_well_formed" } });
}

static void change_the_order_of_a_free_block(struct trace_record *record, unsigned int number)
{
	struct page *page = any_free_block(zone_of_frame(record->a), 2, MIGRATE_TYPES);

	set_page_private(page, page_order(page) - 1);
}

Test(sabotage_buddy, a_block_on_the_list_of_another_order)
{
	expect_invariant("free_blocks_well_formed", (struct sabotage){ .program = BLOCK_OF_TINY,
								       .at = TRACE_MM_PAGE_ALLOC,
								       .breaks = change_the_order_of_a_free_block });
}

static void mark_the_first_page_free(struct trace_record *record, unsigned int number)
{
	static unsigned long first;

	if (number == 0)
		first = record->a;
	else
		__SetPageBuddy(pfn_to_page(first));
}

Test(sabotage_buddy, a_page_in_use_that_is_marked_free)
{
	expect_invariant("free_mark_only_on_lists", (struct sabotage){ .program = TWO_PAGES,
								       .at = TRACE_MM_PAGE_ALLOC,
								       .breaks = mark_the_first_page_free,
								       .report = "frame 0x3c00: marked free, but on no free list" });
}

/*
 *	|      order n + 1      |   ->   |  order n  |  order n  |
 */
static void forget_to_merge(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_of_frame(record->a);
	struct page *page = any_free_block(zone, 1, MIGRATE_TYPES);
	unsigned int order = page_order(page);

	lose_block(page, zone);
	list_as_free(page, zone, order - 1, MIGRATE_MOVABLE);
	list_as_free(page + (1UL << (order - 1)), zone, order - 1, MIGRATE_MOVABLE);
}

Test(sabotage_buddy, two_buddies_that_were_not_merged)
{
	expect_invariant("buddies_merged", (struct sabotage){ .program = ONE_FREE,
							      .at = TRACE_MM_PAGE_FREE,
							      .breaks = forget_to_merge,
							      .report = "zone Normal, order 1: frames 0x3c04 and 0x3c06 are both free",
							      .then = { "every_list_well_formed" } });
}

static void free_a_page_of_a_free_block(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_of_frame(record->a);

	list_as_free(any_free_block(zone, 2, MIGRATE_TYPES) + 1, zone, 0, MIGRATE_MOVABLE);
}

Test(sabotage_buddy, a_block_inside_a_block)
{
	expect_invariant("free_blocks_disjoint", (struct sabotage){ .program = ONE_FREE,
								    .at = TRACE_MM_PAGE_FREE,
								    .breaks = free_a_page_of_a_free_block,
								    .report = "frame 0x3c05, order 0: lies inside the free block at 0x3c04",
								    .then = { "pages_conserved", "free_pages_counter" } });
}

static void mix_up_cma(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_of_frame(record->a);

	move_to_type(any_free_block(zone, 0, MIGRATE_CMA), zone, MIGRATE_MOVABLE);
}

Test(sabotage_buddy, a_cma_block_on_an_ordinary_list)
{
	expect_invariant("cma_blocks_on_cma_lists", (struct sabotage){ .program = PAGE_OF_CMA,
								       .at = TRACE_MM_PAGE_ALLOC,
								       .breaks = mix_up_cma,
								       .then = { "free_cma_counter" } });
}

static void isolate_a_block_only(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_of_frame(record->a);

	move_to_type(any_free_block(zone, 2, MIGRATE_TYPES), zone, MIGRATE_ISOLATE);
}

Test(sabotage_buddy, an_isolated_block_of_an_ordinary_pageblock)
{
	expect_invariant("isolated_blocks_on_isolate_lists", (struct sabotage){ .program = ONE_FREE,
										.at = TRACE_MM_PAGE_FREE,
										.breaks = isolate_a_block_only,
										.then = { "free_pages_counter" } });
}

static void give_a_pcp_page_a_type_of_its_own(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_of_frame(record->a);
	struct per_cpu_pages *pcp = &per_cpu_ptr(zone->pageset, 0)->pcp;
	struct page *page = list_first_entry(&pcp->lists[MIGRATE_UNMOVABLE], struct page, lru);

	set_page_index(page, MIGRATE_ISOLATE);
}

Test(sabotage_buddy, a_page_on_the_wrong_per_cpu_list)
{
	expect_invariant("pcp_pages_well_formed", (struct sabotage){ .program = TWO_PAGES,
								     .at = TRACE_MM_PAGE_ALLOC,
								     .breaks = give_a_pcp_page_a_type_of_its_own,
								     .report = "frame 0x3c01: cached type 5 on the list of type 0" });
}

static void count_one_more_pcp_page(struct trace_record *record, unsigned int number)
{
	per_cpu_ptr(zone_of_frame(record->a)->pageset, 0)->pcp.count++;
}

Test(sabotage_buddy, a_pcp_count_that_is_too_high)
{
	expect_invariant("pcp_counts", (struct sabotage){ .program = ONE_PAGE,
							  .at = TRACE_MM_PAGE_ALLOC,
							  .breaks = count_one_more_pcp_page,
							  .report = "zone Normal, CPU 0: count 3, lists 2" });
}

static void allow_no_page(struct trace_record *record, unsigned int number)
{
	struct per_cpu_pages *pcp = &per_cpu_ptr(zone_of_frame(record->a)->pageset, 0)->pcp;

	pcp->high = 0;
	pcp->batch = 1;
}

Test(sabotage_buddy, more_pages_on_a_cpu_than_it_may_have)
{
	expect_invariant("pcp_lists_bounded", (struct sabotage){ .program = ONE_PAGE,
								 .at = TRACE_MM_PAGE_ALLOC,
								 .breaks = allow_no_page,
								 .report = "zone Normal, CPU 0: 2 pages, high 0, batch 1" });
}

static void reserve_one_page(struct trace_record *record, unsigned int number)
{
	zone_of_frame(record->a)->nr_reserved_highatomic = 1;
}

Test(sabotage_buddy, a_reserve_of_part_of_a_pageblock)
{
	expect_invariant("highatomic_reserve_bounded", (struct sabotage){ .program = ONE_PAGE,
									  .at = TRACE_MM_PAGE_ALLOC,
									  .breaks = reserve_one_page,
									  .report = "zone Normal: 1 pages, at most 1024 in pageblocks of 1024",
									  .then = { "highatomic_pageblocks_counted" } });
}

static void congest_the_zone(struct trace_record *record, unsigned int number)
{
	set_bit(ZONE_CONGESTED, &zone_of_frame(record->a)->flags);
}

Test(sabotage_buddy, a_zone_flag_that_mm_does_not_own)
{
	expect_invariant("other_zone_flags_clear", (struct sabotage){ .program = ONE_PAGE,
								      .at = TRACE_MM_PAGE_ALLOC,
								      .breaks = congest_the_zone });
}
