// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_call.c - what a call gives, takes and leaves behind is watched (fuzz/invariants_call.c).
 *
 * "tiny": 1 MiB in zone Normal, pageblocks of 16 pages, no page stays on a per-CPU list. In "uma-64m" a first request for
 * one page fills the per-CPU list of its type.
 */
#include "tests/sabotage.h"

#define ONE_PAGE "machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
#define TWO_PAGES ONE_PAGE "p1 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
#define BLOCK_OF_TINY "machine preset=tiny\np0 = alloc_pages(order=1, gfp=GFP_KERNEL)\n"
#define FREE_OF_TINY "machine preset=tiny\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\nfree_pages(p0)\n"

static struct page *page_of(const struct trace_record *record)
{
	return pfn_to_page(record->a);
}

static void lose_a_preempt_enable(struct trace_record *record, unsigned int number)
{
	cpu_contexts[0].preempt_count = 1;
}

Test(sabotage_call, preemption_that_stays_off)
{
	expect_invariant("nothing_left_locked", (struct sabotage){ .program = ONE_PAGE,
								   .at = TRACE_MM_PAGE_ALLOC,
								   .breaks = lose_a_preempt_enable });
}

static void keep_on_the_list(struct trace_record *record, unsigned int number)
{
	list_as_pcp(page_of(record), zone_of_frame(record->a), MIGRATE_UNMOVABLE);
}

Test(sabotage_call, a_page_that_is_still_on_a_list)
{
	expect_invariant("page_handed_out_once", (struct sabotage){ .program = ONE_PAGE,
								    .at = TRACE_MM_PAGE_ALLOC,
								    .breaks = keep_on_the_list,
								    .then = { "returned_page_prepared", "pages_conserved" } });
}

static void free_the_first_page_silently(struct trace_record *record, unsigned int number)
{
	if (number == 0)
		keep_on_the_list(record, number);
}

/* The first page is known to be held; the second request gets it again from the list. */
Test(sabotage_call, a_page_that_is_held_already)
{
	expect_invariant("page_handed_out_once", (struct sabotage){ .program = TWO_PAGES,
								    .at = TRACE_MM_PAGE_ALLOC,
								    .breaks = free_the_first_page_silently });
}

/*
 *	reserved   | 0x40 | 0x41 | 0x42 | 0x43 |
 *	                  |    a block   |
 */
static void offer_an_unaligned_block(struct trace_record *record, unsigned int number)
{
	struct page *page = pfn_to_page(0x41);

	world_touch_page(page);
	world_touch_page(page + 1);
	page[0].flags = page[1].flags = 0;
	reference(page, 0);
	reference(page + 1, 0);
	list_as_free(page, zone_of_frame(0x41), 1, MIGRATE_UNMOVABLE);
}

Test(sabotage_call, a_block_that_is_not_aligned)
{
	expect_invariant("returned_block_aligned",
			 (struct sabotage){ .program = "machine preset=tiny reserved=0x40-0x44\n"
						       "p0 = alloc_pages(order=1, gfp=GFP_KERNEL)\n",
					    .at = TRACE_CALL_BEGIN,
					    .breaks = offer_an_unaligned_block });
}

/* The lists of DMA get a page of Normal. */
static void mix_up_zones(struct trace_record *record, unsigned int number)
{
	struct per_cpu_pages *pcp = &per_cpu_ptr(zone_number(ZONE_NORMAL)->pageset, 0)->pcp;
	struct page *page = list_first_entry_or_null(&pcp->lists[MIGRATE_UNMOVABLE], struct page, lru);

	if (number == 0)
		return;
	list_del(&page->lru);
	pcp->count--;
	list_as_pcp(page, zone_number(ZONE_DMA), MIGRATE_UNMOVABLE);
}

Test(sabotage_call, a_page_of_a_zone_that_was_not_asked_for)
{
	expect_invariant("no_forbidden_zone",
			 (struct sabotage){ .program = "machine preset=uma-64m debug_vm=0\n"
						       "p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
						       "p1 = alloc_pages(order=0, gfp=GFP_DMA)\n",
					    .at = TRACE_CALL_BEGIN,
					    .breaks = mix_up_zones });
}

static void lock_the_page(struct trace_record *record, unsigned int number)
{
	page_flags_write(page_of(record), 1UL << PG_locked);
}

Test(sabotage_call, a_page_with_a_stale_flag)
{
	expect_invariant("returned_page_prepared", (struct sabotage){ .program = ONE_PAGE,
								      .at = TRACE_MM_PAGE_ALLOC,
								      .breaks = lock_the_page });
}

static void reference_the_last_page(struct trace_record *record, unsigned int number)
{
	reference(page_of(record) + 1, 1);
}

Test(sabotage_call, a_block_whose_last_page_is_referenced)
{
	expect_invariant("returned_page_prepared", (struct sabotage){ .program = BLOCK_OF_TINY,
								      .at = TRACE_MM_PAGE_ALLOC,
								      .breaks = reference_the_last_page });
}

static void mark_pfmemalloc(struct trace_record *record, unsigned int number)
{
	set_page_index(page_of(record), ~0UL);
}

Test(sabotage_call, a_mark_of_reserves_on_an_ordinary_page)
{
	expect_invariant("pfmemalloc_marks_reserves", (struct sabotage){ .program = ONE_PAGE,
									 .at = TRACE_MM_PAGE_ALLOC,
									 .breaks = mark_pfmemalloc });
}

static void change_zone_dma(struct trace_record *record, unsigned int number)
{
	struct zone *dma = zone_number(ZONE_DMA);

	move_to_type(any_free_block(dma, 0, MIGRATE_MOVABLE), dma, MIGRATE_UNMOVABLE);
}

Test(sabotage_call, an_allocation_that_changes_another_zone)
{
	expect_invariant("only_the_source_zone_changes", (struct sabotage){ .program = ONE_PAGE,
									    .at = TRACE_MM_PAGE_ALLOC,
									    .breaks = change_zone_dma });
}

/* A half of the split block goes to the list of another type. */
static void scatter_the_halves(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_of_frame(record->a);

	move_to_type(any_free_block(zone, 1, MIGRATE_UNMOVABLE), zone, MIGRATE_MOVABLE);
}

Test(sabotage_call, halves_on_lists_of_two_types)
{
	expect_invariant("split_gives_back_upper_halves", (struct sabotage){ .program = BLOCK_OF_TINY,
									     .at = TRACE_MM_PAGE_ALLOC,
									     .breaks = scatter_the_halves });
}

static void take_another_block(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_of_frame(record->a);

	lose_block(any_free_block(zone, 4, MIGRATE_TYPES), zone);
}

Test(sabotage_call, two_blocks_taken_for_one)
{
	expect_invariant("split_gives_back_upper_halves", (struct sabotage){ .program = BLOCK_OF_TINY,
									     .at = TRACE_MM_PAGE_ALLOC,
									     .breaks = take_another_block,
									     .then = { "pages_conserved" } });
}

/* A block that came to the reserve with the first request leaves it with the second. */
static void plunder_the_reserve(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_of_frame(record->a);

	if (number == 0)
		move_to_type(any_free_block(zone, 4, MIGRATE_TYPES), zone, MIGRATE_HIGHATOMIC);
	else
		lose_block(any_free_block(zone, 4, MIGRATE_HIGHATOMIC), zone);
}

Test(sabotage_call, an_ordinary_request_that_takes_from_the_reserve)
{
	expect_invariant("reserve_only_for_harder",
			 (struct sabotage){ .program = "machine preset=tiny\n"
						       "p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
						       "p1 = alloc_pages(order=1, gfp=GFP_KERNEL)\n",
					    .at = TRACE_MM_PAGE_ALLOC,
					    .breaks = plunder_the_reserve,
					    .then = { "split_gives_back_upper_halves", "pages_conserved" } });
}

static void plunder_cma(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_of_frame(record->a);

	lose_block(any_free_block(zone, 0, MIGRATE_CMA), zone);
}

Test(sabotage_call, an_unmovable_request_that_takes_from_cma)
{
	expect_invariant("cma_only_for_movable",
			 (struct sabotage){ .program = "machine preset=movable\n"
						       "p0 = alloc_pages(order=1, gfp=GFP_KERNEL)\n",
					    .at = TRACE_MM_PAGE_ALLOC,
					    .breaks = plunder_cma,
					    .then = { "split_gives_back_upper_halves", "pages_conserved" } });
}

static void change_a_free_list(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_number(ZONE_NORMAL);

	move_to_type(any_free_block(zone, 0, MIGRATE_MOVABLE), zone, MIGRATE_UNMOVABLE);
}

Test(sabotage_call, an_impossible_order_that_changes_free_lists)
{
	expect_invariant("too_large_orders_fail",
			 (struct sabotage){ .program = "machine preset=tiny\np0 = alloc_pages(order=11, gfp=GFP_KERNEL)\n",
					    .at = TRACE_SLOWPATH_ENTER,
					    .breaks = change_a_free_list });
}

/* The page has just come to its free list, alone or in a larger block. */
static void lose_the_freed_page(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_of_frame(record->a);
	unsigned int order;

	for (order = 0; order < MAX_ORDER; order++) {
		struct page *head = pfn_to_page(record->a & ~((1UL << order) - 1));

		if (PageBuddy(head) && page_order(head) == order) {
			lose_block(head, zone);
			return;
		}
	}
}

Test(sabotage_call, a_freed_page_that_is_nowhere)
{
	expect_invariant("freed_page_is_somewhere", (struct sabotage){ .program = FREE_OF_TINY,
								       .at = TRACE_MM_PAGE_PCPU_DRAIN,
								       .breaks = lose_the_freed_page,
								       .then = { "pages_conserved" } });
}

static void scan_some_pages(struct trace_record *record, unsigned int number)
{
	change_counter(zone_of_frame(record->a), NR_PAGES_SCANNED, 5, true);
}

Test(sabotage_call, pages_scanned_that_a_free_did_not_reset)
{
	expect_invariant("free_resets_scanned", (struct sabotage){ .program = FREE_OF_TINY,
								   .at = TRACE_MM_PAGE_PCPU_DRAIN,
								   .breaks = scan_some_pages });
}

/* It was on a free list, and now is on the CPU's. */
static void put_a_page_back(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_of_frame(record->a);
	struct page *page = any_free_block(zone, 0, MIGRATE_TYPES);

	if (number)
		return;
	lose_block(page, zone);
	list_as_pcp(page, zone, MIGRATE_UNMOVABLE);
}

Test(sabotage_call, a_drain_that_leaves_a_page)
{
	expect_invariant("drain_empties_lists", (struct sabotage){ .program = ONE_PAGE "free_pages(p0)\ndrain_all_pages()\n",
								   .at = TRACE_MM_PAGE_PCPU_DRAIN,
								   .breaks = put_a_page_back });
}

static void drain_to_another_type(struct trace_record *record, unsigned int number)
{
	record->c = MIGRATE_RECLAIMABLE;
}

Test(sabotage_call, a_drain_to_another_type)
{
	expect_invariant("drain_returns_page_to_its_type",
			 (struct sabotage){ .program = ONE_PAGE "free_pages(p0)\ndrain_all_pages()\n",
					    .at = TRACE_MM_PAGE_PCPU_DRAIN,
					    .breaks = drain_to_another_type });
}

static void free_a_free_block(struct trace_record *record, unsigned int number)
{
	record->a = page_to_pfn(any_free_block(zone_of_frame(record->a), 0, MIGRATE_TYPES));
}

Test(sabotage_call, a_free_block_that_is_freed)
{
	expect_invariant("freed_page_was_in_use", (struct sabotage){ .program = FREE_OF_TINY,
								     .at = TRACE_MM_PAGE_FREE,
								     .breaks = free_a_free_block });
}

/* As if this had been the write of a tunable, or an isolation. */
static void refuse_a_value(struct trace_record *record, unsigned int number)
{
	judge_call(&(struct call_record){ .kind = CALL_TUNABLE, .wanted = true, .result = -EINVAL });
}

Test(sabotage_call, a_value_in_range_that_is_refused)
{
	expect_invariant("tunable_taken_if_in_range", (struct sabotage){ .program = ONE_PAGE,
									 .at = TRACE_MM_PAGE_ALLOC,
									 .breaks = refuse_a_value });
}

static void isolate_what_is_in_use(struct trace_record *record, unsigned int number)
{
	judge_call(&(struct call_record){ .kind = CALL_ISOLATE, .wanted = false, .result = 0 });
}

Test(sabotage_call, an_isolation_that_had_to_be_refused)
{
	expect_invariant("isolation_refused_while_in_use", (struct sabotage){ .program = ONE_PAGE,
									      .at = TRACE_MM_PAGE_ALLOC,
									      .breaks = isolate_what_is_in_use });
}

/* The slow path of "tiny", where an atomic request reserves the pageblock that it took a block of. */
#define HARDER "machine preset=tiny\nwatermark(zone=Normal, min=2, low_gap=1000, high_gap=10)\n"                \
	       "p0 = alloc_pages(order=2, gfp=GFP_ATOMIC)\n"

static void reserve_nothing(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_of_frame(record->a);

	set_pageblock_migratetype(page_of(record), MIGRATE_UNMOVABLE);
	zone->nr_reserved_highatomic = 0;
}

Test(sabotage_call, a_block_of_a_harder_attempt_that_reserves_nothing)
{
	expect_invariant("harder_block_is_reserved", (struct sabotage){ .program = HARDER,
									.at = TRACE_MM_PAGE_ALLOC,
									.breaks = reserve_nothing });
}
