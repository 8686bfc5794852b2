// SPDX-License-Identifier: GPL-2.0
/*
 * Free blocks: merging, splitting, falling back (specification 11 and 12).
 *
 * "tiny" is one zone of 0x100 frames with pageblocks of 0x10 frames, all MOVABLE. A test empties it and lays out the
 * blocks it needs; free lists are written as type, order and frames: "M1: 0x10".
 */
#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)

static void boot_empty(const char *kernel_text)
{
	boot_kernel(kernel_text, "tiny");
	take_all_blocks(NORMAL);
}

Test(buddy, memory_that_fits_one_block_boots_as_one_block)
{
	boot_kernel("fixed", "tiny");

	expect_free(NORMAL, "M8: 0x0");
	expect_number(NORMAL->free_area[8].nr_free, 1);
}

/*
 * Freeing.
 */

Test(buddy, freeing_both_buddies_merges_them)
{
	boot_empty("fixed");
	put_block(0x10, 0, MIGRATE_MOVABLE);

	put_block(0x11, 0, MIGRATE_MOVABLE);

	/* | 10 | 11 |  ->  | 10    |   Expect one block of order 1, headed by the lower frame. */
	expect_free(NORMAL, "M1: 0x10");
	expect_number(NORMAL->free_area[0].nr_free, 0);
	expect_number(NORMAL->free_area[1].nr_free, 1);
}

Test(buddy, the_lower_buddy_heads_the_block_whichever_is_freed_last)
{
	boot_empty("fixed");
	put_block(0x11, 0, MIGRATE_MOVABLE);

	put_block(0x10, 0, MIGRATE_MOVABLE);

	expect_free(NORMAL, "M1: 0x10");
}

Test(buddy, neighbours_that_are_not_buddies_stay_apart)
{
	boot_empty("fixed");
	put_block(0x11, 0, MIGRATE_MOVABLE);

	put_block(0x12, 0, MIGRATE_MOVABLE);

	/* | 10 | 11 | 12 | 13 |   Expect 11 and 12 to stay apart: their buddies are 10 and 13. */
	expect_free(NORMAL, "M0: 0x12 0x11");
}

Test(buddy, buddies_of_different_order_stay_apart)
{
	boot_empty("fixed");
	put_block(0x12, 0, MIGRATE_MOVABLE);

	put_block(0x10, 1, MIGRATE_MOVABLE);

	/* | 10       | 12 | 13 |   Expect no merge: the buddy of 10 at order 1 is only half free. */
	expect_free(NORMAL, "M0: 0x12, M1: 0x10");
}

Test(buddy, merging_goes_on_while_the_buddy_is_free)
{
	boot_empty("fixed");
	put_block(0x11, 0, MIGRATE_MOVABLE);
	put_block(0x12, 1, MIGRATE_MOVABLE);
	put_block(0x14, 2, MIGRATE_MOVABLE);
	put_block(0x18, 3, MIGRATE_MOVABLE);

	put_block(0x10, 0, MIGRATE_MOVABLE);

	/* |10|11|12   |14       |18               |  ->  |10 ... 1f|   Expect one block. */
	expect_free(NORMAL, "M4: 0x10");
}

Test(buddy, a_merged_block_has_the_type_of_the_page_freed_last)
{
	boot_empty("fixed");
	put_block(0x10, 0, MIGRATE_UNMOVABLE);

	put_block(0x11, 0, MIGRATE_MOVABLE);

	expect_free(NORMAL, "M1: 0x10");
}

Test(buddy, blocks_stop_growing_below_max_order)
{
	boot_kernel("fixed", "uma-64m");
	take_all_blocks(NORMAL);
	put_block(0x1000, 10, MIGRATE_MOVABLE);

	put_block(0x1400, 10, MIGRATE_MOVABLE);

	/* Expect two blocks of order 10, the highest. */
	expect_free(NORMAL, "M10: 0x1400 0x1000");
}

Test(buddy, a_block_never_merges_across_a_zone_border)
{
	/*     DMA      |    Normal
	 * ... 0x7f     | 0x80 ...        Expect 0x7f and 0x80 not to merge, nor their order-7 parents. */
	boot_kernel("fixed", "tiny", SET(zone_dma, 1), SET_OF(max_zone_pfn, ZONE_DMA, 0x80));

	expect_free(zone_of(ZONE_DMA), "M7: 0x0");
	expect_free(NORMAL, "M7: 0x80");
}

Test(buddy, a_block_that_will_soon_grow_goes_to_the_tail)
{
	boot_empty("fixed");
	put_block(0x20, 0, MIGRATE_MOVABLE);
	put_block(0x12, 1, MIGRATE_MOVABLE);

	put_block(0x10, 0, MIGRATE_MOVABLE);

	/* | 10 | busy | 12 free order 1 |   Expect 10 behind 20: once 11 is free, 10..13 become one block. */
	expect_free(NORMAL, "M0: 0x20 0x10, M1: 0x12");
}

Test(buddy, a_block_with_no_prospect_goes_to_the_head)
{
	boot_empty("fixed");
	put_block(0x20, 0, MIGRATE_MOVABLE);
	put_block(0x12, 0, MIGRATE_MOVABLE);

	put_block(0x10, 0, MIGRATE_MOVABLE);

	/* | 10 | busy | 12 | busy |   Expect 10 in front: its parent's buddy is not one free block. */
	expect_free(NORMAL, "M0: 0x10 0x12 0x20");
}

Test(buddy, a_block_of_the_last_but_one_order_always_goes_to_the_head)
{
	boot_kernel("fixed", "uma-64m");
	take_all_blocks(NORMAL);
	put_block(0x1400, 10, MIGRATE_MOVABLE);
	put_block(0x2000, 9, MIGRATE_MOVABLE);

	put_block(0x1000, 9, MIGRATE_MOVABLE);

	/* | 1000 | busy | 1400 order 10 |   Expect the head: orders 9 and up do not look at their parent. */
	expect_free(NORMAL, "M9: 0x1000 0x2000, M10: 0x1400");
}

Test(buddy, freeing_raises_the_free_counter_by_the_pages_of_the_block)
{
	boot_empty("fixed");
	expect_number(counter(NORMAL, NR_FREE_PAGES), 0);

	put_block(0x10, 3, MIGRATE_MOVABLE);

	expect_number(counter(NORMAL, NR_FREE_PAGES), 8);
}

Test(buddy, freeing_cma_pages_raises_both_counters)
{
	boot_kernel("fixed", "movable");
	take_all_blocks(NORMAL);
	set_counter(NORMAL, NR_FREE_PAGES, 0);

	put_block(0x1800, 3, MIGRATE_CMA);

	expect_number(counter_sum(NORMAL, NR_FREE_PAGES), 8);
	expect_number(counter_sum(NORMAL, NR_FREE_CMA_PAGES), 8);
}

Test(buddy, freeing_isolated_pages_does_not_count_them_as_free)
{
	boot_empty("fixed");
	isolate_block(0x10);

	put_block(0x10, 3, MIGRATE_ISOLATE);

	expect_free(NORMAL, "I3: 0x10");
	expect_number(counter(NORMAL, NR_FREE_PAGES), 0);
}

Test(buddy, freeing_ends_the_count_of_pages_scanned)
{
	unsigned long flags;

	boot_empty("fixed");
	set_counter(NORMAL, NR_PAGES_SCANNED, 77);

	local_irq_save(flags);
	free_one_page(NORMAL, pfn_to_page(0x10), 0x10, 0, MIGRATE_MOVABLE);
	local_irq_restore(flags);

	expect_number(counter(NORMAL, NR_PAGES_SCANNED), 0);
}

Test(buddy, freeing_reads_the_type_again_while_blocks_are_isolated)
{
	unsigned long flags;

	boot_empty("fixed");
	isolate_block(0x10);

	local_irq_save(flags);
	free_one_page(NORMAL, pfn_to_page(0x12), 0x12, 0, MIGRATE_MOVABLE);
	local_irq_restore(flags);

	/* The caller read MOVABLE before the block was isolated. Expect the list of isolated pages. */
	expect_free(NORMAL, "I0: 0x12");
}

Test(buddy, no_merge_across_isolation_keeps_an_ordinary_block_apart)
{
	boot_empty("fixed");
	isolate_block(0x0);
	put_block(0x0, 4, MIGRATE_ISOLATE);

	put_block(0x10, 4, MIGRATE_MOVABLE);

	/* | 00 isolated | 10 |   Expect two pageblocks, and only the ordinary one counted. */
	expect_free(NORMAL, "M4: 0x10, I4: 0x0");
	expect_number(counter(NORMAL, NR_FREE_PAGES), 16);
}

Test(buddy, no_merge_across_isolation_keeps_an_isolated_block_apart)
{
	boot_empty("fixed");
	put_block(0x10, 4, MIGRATE_MOVABLE);
	isolate_block(0x0);

	put_block(0x0, 4, MIGRATE_ISOLATE);

	expect_free(NORMAL, "M4: 0x10, I4: 0x0");
}

Test(buddy, without_no_merge_across_isolation_isolated_pages_become_free)
{
	boot_empty("fixed,-no-merge-across-isolation");
	isolate_block(0x0);
	put_block(0x0, 4, MIGRATE_ISOLATE);

	put_block(0x10, 4, MIGRATE_MOVABLE);

	/* Expect one block of two pageblocks, one of them isolated, and 16 pages counted for 32. */
	expect_free(NORMAL, "M5: 0x0");
	expect_number(counter(NORMAL, NR_FREE_PAGES), 16);
}

Test(buddy, two_isolated_pageblocks_merge)
{
	boot_empty("fixed");
	isolate_block(0x0);
	isolate_block(0x10);
	put_block(0x0, 4, MIGRATE_ISOLATE);

	put_block(0x10, 4, MIGRATE_ISOLATE);

	expect_free(NORMAL, "I5: 0x0");
}

Test(buddy, isolation_elsewhere_does_not_hinder_merging)
{
	boot_empty("fixed");
	isolate_block(0x80);
	put_block(0x0, 4, MIGRATE_MOVABLE);

	put_block(0x10, 4, MIGRATE_MOVABLE);

	expect_free(NORMAL, "M5: 0x0");
}

/*
 * What debug checks see.
 */

static void put_misaligned(void *argument)
{
	put_block(0x11, 1, MIGRATE_MOVABLE);
}

Test(buddy, freeing_a_misaligned_block_is_a_bug)
{
	boot_empty("fixed");

	expect_finding(FINDING_BUG, "__free_one_page: page_idx & ((1UL << order) - 1)", put_misaligned, NULL);
}

static void put_dirty(void *argument)
{
	SetPageDirty(pfn_to_page(0x10));
	put_block(0x10, 0, MIGRATE_MOVABLE);
}

Test(buddy, a_page_with_flags_never_enters_a_list)
{
	boot_empty("fixed");

	expect_finding(FINDING_BUG, "__free_one_page: page->flags & PAGE_FLAGS_CHECK_AT_PREP", put_dirty, NULL);
}

static void put_into_wrong_zone(void *argument)
{
	__free_one_page(pfn_to_page(0x200), 0x200, NORMAL, 0, MIGRATE_MOVABLE);
}

Test(buddy, freeing_into_the_wrong_zone_is_a_bug)
{
	boot_kernel("fixed", "uma-64m");

	expect_finding(FINDING_BUG, "__free_one_page: bad_range(zone, page)", put_into_wrong_zone, NULL);
}

/*
 * Taking.
 */

Test(buddy, taking_one_page_splits_a_block_into_halves)
{
	boot_empty("fixed");
	put_block(0x10, 4, MIGRATE_MOVABLE);

	expect_page(take_block(NORMAL, 0, MIGRATE_MOVABLE), 0x10);

	/* |10|11|12   |14       |18               |   Expect the upper halves on the lists, the first frame taken. */
	expect_free(NORMAL, "M0: 0x11, M1: 0x12, M2: 0x14, M3: 0x18");
	expect_number(counter(NORMAL, NR_FREE_PAGES), 15);
}

Test(buddy, the_smallest_block_that_fits_is_taken)
{
	boot_empty("fixed");
	put_block(0x10, 0, MIGRATE_MOVABLE);
	put_block(0x20, 2, MIGRATE_MOVABLE);
	put_block(0x40, 3, MIGRATE_MOVABLE);

	expect_page(take_block(NORMAL, 1, MIGRATE_MOVABLE), 0x20);

	expect_free(NORMAL, "M0: 0x10, M1: 0x22, M3: 0x40");
}

Test(buddy, the_block_at_the_head_of_the_list_is_taken)
{
	boot_empty("fixed");
	put_block(0x10, 0, MIGRATE_MOVABLE);
	put_block(0x20, 0, MIGRATE_MOVABLE);
	put_block(0x30, 0, MIGRATE_MOVABLE);

	expect_page(take_block(NORMAL, 0, MIGRATE_MOVABLE), 0x30);
}

Test(buddy, a_page_taken_remembers_the_list_it_came_from)
{
	boot_empty("fixed");
	put_block(0x10, 0, MIGRATE_RECLAIMABLE);

	expect_number(get_pcppage_migratetype(take_block(NORMAL, 0, MIGRATE_RECLAIMABLE)), MIGRATE_RECLAIMABLE);
}

Test(buddy, an_empty_zone_yields_nothing)
{
	boot_empty("fixed");

	cr_expect_null(take_block(NORMAL, 0, MIGRATE_MOVABLE));
}

Test(buddy, a_zone_with_smaller_blocks_only_yields_nothing)
{
	boot_empty("fixed");
	put_block(0x10, 2, MIGRATE_MOVABLE);

	cr_expect_null(take_block(NORMAL, 3, MIGRATE_MOVABLE));
	expect_free(NORMAL, "M2: 0x10");
}

/*
 * Falling back to other types. The first frames of the pageblocks 0x10, 0x20 and 0x30 are free.
 */

/* The frame that a request of `wanted` takes when the other two ordinary types have a free page each. */
static unsigned long fallback_frame(int wanted)
{
	boot_empty("fixed");
	if (wanted != MIGRATE_UNMOVABLE)
		put_block_of(0x10, 0, MIGRATE_UNMOVABLE);
	if (wanted != MIGRATE_MOVABLE)
		put_block_of(0x20, 0, MIGRATE_MOVABLE);
	if (wanted != MIGRATE_RECLAIMABLE)
		put_block_of(0x30, 0, MIGRATE_RECLAIMABLE);
	return page_to_pfn(take_block(NORMAL, 0, wanted));
}

Test(buddy, unmovable_falls_back_to_reclaimable_first)
{
	expect_number(fallback_frame(MIGRATE_UNMOVABLE), 0x30);
	/* ... and to movable when that is empty too. */
	expect_page(take_block(NORMAL, 0, MIGRATE_UNMOVABLE), 0x20);
}

Test(buddy, reclaimable_falls_back_to_unmovable_first)
{
	expect_number(fallback_frame(MIGRATE_RECLAIMABLE), 0x10);
	expect_page(take_block(NORMAL, 0, MIGRATE_RECLAIMABLE), 0x20);
}

Test(buddy, movable_falls_back_to_reclaimable_first)
{
	expect_number(fallback_frame(MIGRATE_MOVABLE), 0x30);
	expect_page(take_block(NORMAL, 0, MIGRATE_MOVABLE), 0x10);
}

Test(buddy, falling_back_takes_the_largest_block)
{
	boot_empty("fixed");
	put_block(0x10, 0, MIGRATE_MOVABLE);
	put_block(0x28, 3, MIGRATE_MOVABLE);
	put_block(0x34, 2, MIGRATE_MOVABLE);

	/* Expect the block of order 3, so that few pageblocks mix types. */
	expect_page(take_block(NORMAL, 0, MIGRATE_UNMOVABLE), 0x28);
}

Test(buddy, falling_back_never_takes_reserved_isolated_or_cma_pages)
{
	boot_kernel("fixed", "movable");
	take_all_blocks(NORMAL);
	put_block_of(0x200, 3, MIGRATE_HIGHATOMIC);
	put_block_of(0x1800, 3, MIGRATE_CMA);
	isolate_block(0x400);
	put_block(0x400, 3, MIGRATE_ISOLATE);

	cr_expect_null(take_block(NORMAL, 0, MIGRATE_UNMOVABLE));
	cr_expect_null(take_block(NORMAL, 0, MIGRATE_RECLAIMABLE));
}

Test(buddy, stealing_a_whole_pageblock_changes_its_type)
{
	boot_empty("fixed");
	put_block(0x10, 4, MIGRATE_MOVABLE);

	expect_page(take_block(NORMAL, 3, MIGRATE_UNMOVABLE), 0x10);

	expect_number(block_type(0x10), MIGRATE_UNMOVABLE);
	expect_free(NORMAL, "U3: 0x18");
}

Test(buddy, stealing_a_larger_block_changes_all_its_pageblocks)
{
	boot_empty("fixed");
	put_block(0x40, 6, MIGRATE_MOVABLE);

	take_block(NORMAL, 0, MIGRATE_RECLAIMABLE);

	expect_number(block_type(0x40), MIGRATE_RECLAIMABLE);
	expect_number(block_type(0x70), MIGRATE_RECLAIMABLE);
	expect_number(block_type(0x80), MIGRATE_MOVABLE);
}

Test(buddy, stealing_half_a_pageblock_changes_its_type)
{
	boot_empty("fixed");
	put_block(0x10, 2, MIGRATE_MOVABLE);
	put_block(0x18, 2, MIGRATE_MOVABLE);

	expect_page(take_block(NORMAL, 2, MIGRATE_UNMOVABLE), 0x18);

	/* |10..13|    |18..1b|    |   Expect both free blocks moved; 8 pages of 16 are enough for the type. */
	expect_free(NORMAL, "U2: 0x10");
	expect_number(block_type(0x10), MIGRATE_UNMOVABLE);
}

Test(buddy, stealing_less_than_half_leaves_the_pageblock_its_type)
{
	boot_empty("fixed");
	put_block(0x10, 2, MIGRATE_MOVABLE);
	put_block(0x18, 1, MIGRATE_MOVABLE);

	expect_page(take_block(NORMAL, 2, MIGRATE_UNMOVABLE), 0x10);

	/* Expect the other free block moved all the same. */
	expect_free(NORMAL, "U1: 0x18");
	expect_number(block_type(0x10), MIGRATE_MOVABLE);
}

Test(buddy, movable_does_not_steal_small_blocks)
{
	boot_empty("fixed");
	put_block_of(0x10, 0, MIGRATE_UNMOVABLE);
	put_block_of(0x18, 1, MIGRATE_UNMOVABLE);

	expect_page(take_block(NORMAL, 0, MIGRATE_MOVABLE), 0x18);

	/* Expect 10 left alone, and the rest of the split block on the requester's list. */
	expect_free(NORMAL, "U0: 0x10, M0: 0x19");
	expect_number(block_type(0x10), MIGRATE_UNMOVABLE);
}

Test(buddy, movable_steals_from_half_the_pageblock_order_on)
{
	boot_empty("fixed");
	put_block_of(0x10, 0, MIGRATE_UNMOVABLE);
	put_block_of(0x18, 2, MIGRATE_UNMOVABLE);

	expect_page(take_block(NORMAL, 2, MIGRATE_MOVABLE), 0x18);

	/* Order 2 is half of pageblock order 4. Expect the other free page of the pageblock to follow. */
	expect_free(NORMAL, "M0: 0x10");
}

Test(buddy, a_page_taken_by_falling_back_has_the_requested_type)
{
	boot_empty("fixed");
	put_block(0x10, 0, MIGRATE_MOVABLE);

	expect_number(get_pcppage_migratetype(take_block(NORMAL, 0, MIGRATE_UNMOVABLE)), MIGRATE_UNMOVABLE);
}

Test(buddy, only_stealable_blocks_interest_compaction)
{
	struct free_area *area;
	bool can_steal;

	boot_empty("fixed");
	put_block_of(0x10, 1, MIGRATE_UNMOVABLE);
	area = &NORMAL->free_area[1];

	expect_number(find_suitable_fallback(area, 1, MIGRATE_MOVABLE, false, &can_steal), MIGRATE_UNMOVABLE);
	cr_expect_not(can_steal);
	expect_number(find_suitable_fallback(area, 1, MIGRATE_MOVABLE, true, &can_steal), -1);
	expect_number(find_suitable_fallback(area, 1, MIGRATE_RECLAIMABLE, true, &can_steal), MIGRATE_UNMOVABLE);
	cr_expect(can_steal);
	expect_number(find_suitable_fallback(&NORMAL->free_area[2], 2, MIGRATE_MOVABLE, false, &can_steal), -1);
}

Test(buddy, movable_uses_cma_pages_before_it_falls_back)
{
	boot_kernel("fixed", "movable");
	take_all_blocks(NORMAL);
	put_block_of(0x200, 3, MIGRATE_UNMOVABLE);
	put_block_of(0x1800, 0, MIGRATE_CMA);

	expect_page(take_block(NORMAL, 0, MIGRATE_MOVABLE), 0x1800);

	expect_free(NORMAL, "U3: 0x200");
}

Test(buddy, label_from_list_labels_a_cma_page_as_cma)
{
	boot_kernel("fixed", "movable");
	take_all_blocks(NORMAL);
	put_block_of(0x1800, 0, MIGRATE_CMA);

	expect_number(get_pcppage_migratetype(take_block(NORMAL, 0, MIGRATE_MOVABLE)), MIGRATE_CMA);
}

Test(buddy, without_label_from_list_a_cma_page_is_labelled_movable)
{
	boot_kernel("fixed,-label-from-list", "movable");
	take_all_blocks(NORMAL);
	put_block_of(0x1800, 0, MIGRATE_CMA);

	expect_number(get_pcppage_migratetype(take_block(NORMAL, 0, MIGRATE_MOVABLE)), MIGRATE_MOVABLE);
}

/* Half of a reserved pageblock is free, but on the list of movable pages. */
static void fall_back_into_reserve(const char *kernel_text)
{
	boot_empty(kernel_text);
	set_block_type(0x10, MIGRATE_HIGHATOMIC);
	NORMAL->nr_reserved_highatomic = 16;
	put_block(0x10, 3, MIGRATE_MOVABLE);

	expect_page(take_block(NORMAL, 0, MIGRATE_UNMOVABLE), 0x10);
}

Test(buddy, keep_highatomic_block_leaves_a_reserved_pageblock_its_type)
{
	fall_back_into_reserve("fixed");

	expect_number(block_type(0x10), MIGRATE_HIGHATOMIC);
	expect_free(NORMAL, "U0: 0x11, U1: 0x12, U2: 0x14");
}

Test(buddy, without_keep_highatomic_block_the_reserve_is_stolen)
{
	fall_back_into_reserve("fixed,-keep-highatomic-block");

	/* Expect 16 pages still counted as reserved, in no pageblock. */
	expect_number(block_type(0x10), MIGRATE_UNMOVABLE);
	expect_number(NORMAL->nr_reserved_highatomic, 16);
}

/*
 * Moving the free blocks of a pageblock.
 */

Test(buddy, moving_a_pageblock_moves_its_free_blocks_and_no_others)
{
	boot_empty("fixed");
	put_block(0x10, 0, MIGRATE_MOVABLE);
	put_block(0x18, 2, MIGRATE_MOVABLE);
	put_block(0x20, 0, MIGRATE_MOVABLE);

	expect_number(move_freepages_block(NORMAL, pfn_to_page(0x1f), MIGRATE_UNMOVABLE), 5);

	expect_free(NORMAL, "U0: 0x10, M0: 0x20, U2: 0x18");
	expect_number(NORMAL->free_area[0].nr_free, 2);
}

Test(buddy, moving_counts_all_of_a_block_that_reaches_past_the_pageblock)
{
	boot_empty("fixed");
	put_block(0x20, 5, MIGRATE_MOVABLE);

	/* | 20 pageblock | 30 pageblock |  one free block of both.   Expect 32 of 16 pages. */
	expect_number(move_freepages_block(NORMAL, pfn_to_page(0x28), MIGRATE_UNMOVABLE), 32);
}

Test(buddy, a_pageblock_that_ends_outside_its_zone_is_not_moved)
{
	/* Frames 0x100..0x107 are the zone's last half pageblock. */
	boot_kernel("fixed", "tiny", MEMORY(0, 0x0, 0x108));

	expect_number(move_freepages_block(NORMAL, pfn_to_page(0x104), MIGRATE_UNMOVABLE), 0);
	expect_free(NORMAL, "M3: 0x100, M8: 0x0");
}

/* The zone begins at 0x8, in the middle of a pageblock, where 9 and c are free. */
static void boot_ragged(const char *kernel_text)
{
	boot_kernel(kernel_text, "tiny", MEMORY(0, 0x8, 0x108));
	take_all_blocks(NORMAL);
	put_block(0x9, 0, MIGRATE_MOVABLE);
	put_block(0xc, 0, MIGRATE_MOVABLE);
}

Test(buddy, move_from_zone_start_moves_all_the_pages_of_a_ragged_first_pageblock)
{
	boot_ragged("fixed");

	/* |  hole   | 8 9 a b c d e f |   Expect 8 frames looked at, whichever page names the pageblock. */
	expect_number(move_freepages_block(NORMAL, pfn_to_page(0xc), MIGRATE_UNMOVABLE), 2);
	expect_free(NORMAL, "U0: 0xc 0x9");
}

Test(buddy, without_move_from_zone_start_pages_before_the_given_one_stay)
{
	boot_ragged("fixed,-move-from-zone-start");

	expect_number(move_freepages_block(NORMAL, pfn_to_page(0xc), MIGRATE_UNMOVABLE), 1);
	expect_free(NORMAL, "U0: 0xc, M0: 0x9");
}

Test(buddy, every_frame_of_a_free_block_is_known_to_be_free)
{
	boot_empty("fixed");
	put_block(0x10, 2, MIGRATE_MOVABLE);

	cr_expect(is_free_buddy_page(pfn_to_page(0x10)));
	cr_expect(is_free_buddy_page(pfn_to_page(0x13)));
	cr_expect_not(is_free_buddy_page(pfn_to_page(0x14)));
	cr_expect_not(is_free_buddy_page(pfn_to_page(0xf)));
}

/*
 * Frames looked at, one by one: the most that a pageblock can ask for.
 */
Test(buddy, moving_a_pageblock_in_use_takes_a_step_for_each_frame)
{
	boot_empty("fixed");
	work_begin(16);

	expect_number(move_freepages_block(NORMAL, pfn_to_page(0x10), MIGRATE_UNMOVABLE), 0);

	expect_number(work_left, 0);
}
