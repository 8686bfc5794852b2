// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_walk.c - what only a walk over all lists and pageblocks can see is watched (fuzz/invariants_walk.c). Everything
 * here is broken behind the back of the census, or in a zone that nobody touches.
 */
#include "tests/sabotage.h"

#define ONE_PAGE "machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
#define NOTHING "machine preset=uma-64m\ntick()\n"

/* The list loses its first block, and nobody notes it. */
static void unlink_silently(struct trace_record *record, unsigned int number)
{
	struct page *page = any_free_block(zone_number(ZONE_DMA), 0, MIGRATE_TYPES);

	list_touch(page->lru.next);
	page->lru.prev->next = page->lru.next;
	page->lru.next->prev = page->lru.prev;
}

Test(sabotage_walk, a_block_that_is_off_its_list)
{
	expect_invariant("lists_match_census", (struct sabotage){ .program = NOTHING,
								  .at = TRACE_OP,
								  .breaks = unlink_silently });
}

static void reference_a_block_of_dma(struct trace_record *record, unsigned int number)
{
	reference(any_free_block(zone_number(ZONE_DMA), 0, MIGRATE_TYPES), 1);
}

Test(sabotage_walk, a_free_block_in_use)
{
	expect_invariant("every_list_well_formed", (struct sabotage){ .program = NOTHING,
								      .at = TRACE_OP,
								      .breaks = reference_a_block_of_dma });
}

static void manage_one_more_of_dma(struct trace_record *record, unsigned int number)
{
	zone_number(ZONE_DMA)->managed_pages++;
}

Test(sabotage_walk, a_page_that_is_lost)
{
	expect_invariant("every_page_conserved", (struct sabotage){ .program = NOTHING,
								    .at = TRACE_OP,
								    .breaks = manage_one_more_of_dma });
}

/* A page of a free block is on a per-CPU list as well. */
static void put_a_free_page_on_a_cpu(struct trace_record *record, unsigned int number)
{
	struct zone *dma = zone_number(ZONE_DMA);
	struct page *page = any_free_block(dma, 2, MIGRATE_TYPES) + 1;

	list_as_pcp(page, dma, MIGRATE_MOVABLE);
}

Test(sabotage_walk, a_frame_in_two_places)
{
	expect_invariant("lists_match_census",
			 (struct sabotage){ .program = NOTHING,
					    .at = TRACE_OP,
					    .breaks = put_a_free_page_on_a_cpu,
					    .then = { "every_frame_in_one_place" } });
}

static void count_an_isolated_pageblock(struct trace_record *record, unsigned int number)
{
	zone_number(ZONE_DMA)->nr_isolate_pageblock++;
}

Test(sabotage_walk, an_isolated_pageblock_that_is_not_there)
{
	expect_invariant("isolated_pageblocks_counted", (struct sabotage){ .program = NOTHING,
									   .at = TRACE_OP,
									   .breaks = count_an_isolated_pageblock });
}

static void count_a_reserved_pageblock(struct trace_record *record, unsigned int number)
{
	zone_number(ZONE_DMA)->nr_reserved_highatomic += pageblock_nr_pages;
}

Test(sabotage_walk, a_reserved_pageblock_that_is_not_there)
{
	expect_invariant("highatomic_pageblocks_counted", (struct sabotage){ .program = NOTHING,
									     .at = TRACE_OP,
									     .breaks = count_a_reserved_pageblock });
}

static void give_a_pageblock_no_type(struct trace_record *record, unsigned int number)
{
	struct page *page = pfn_to_page(0x400);

	set_pfnblock_migratetype_bits(page, 0x400, 7);
}

Test(sabotage_walk, a_pageblock_of_no_type)
{
	expect_invariant("pageblock_types_valid", (struct sabotage){ .program = NOTHING,
								     .at = TRACE_OP,
								     .breaks = give_a_pageblock_no_type });
}
