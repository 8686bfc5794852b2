// SPDX-License-Identifier: GPL-2.0
/*
 * page_isolation.c - pageblocks that nobody may allocate from (mm/page_isolation.c). "tiny": 1 MiB in zone Normal, with
 * pageblocks of 16 pages, all free after the boot.
 *
 *   frames   0x00      0x10      0x20      0x30      0x40
 *            |  block  |  block  |  block  |  block  | ...
 */
#include "tests/support.h"
#include "mm/internal.h"
#include "mm/patches.h"

#define BLOCK 16UL

static struct zone *boot_tiny(const char *kernel_text)
{
	cr_assert_null(kernel_parse(&kernel, kernel_text));
	boot_machine("tiny");
	return &NODE_DATA(0)->node_zones[ZONE_NORMAL];
}

static int isolate(unsigned long start_pfn, unsigned long end_pfn)
{
	return start_isolate_page_range(start_pfn, end_pfn, MIGRATE_MOVABLE, false);
}

/* An unmovable page inside the block at `pfn`. */
static void use_page_of_block(unsigned long pfn)
{
	set_pageblock_migratetype(pfn_to_page(pfn), MIGRATE_UNMOVABLE);
	set_page_count(pfn_to_page(pfn + 5), 1);
}

Test(page_isolation, isolated_pages_are_not_counted_as_free)
{
	struct zone *zone = boot_tiny("fixed");
	unsigned long free_pages = zone_page_state(zone, NR_FREE_PAGES);

	cr_assert_eq(isolate(0x0, 0x100), 0);
	/*
	 * Expect the whole machine to be set aside.
	 */
	cr_expect_eq(zone_page_state(zone, NR_FREE_PAGES), free_pages - 0x100);
	cr_expect_eq(zone->nr_isolate_pageblock, 16);
	cr_expect_eq(test_pages_isolated(0x0, 0x100, false), 0);
	cr_expect_null(alloc_pages(GFP_ATOMIC, 0));
}

Test(page_isolation, undoing_gives_everything_back)
{
	struct zone *zone = boot_tiny("fixed");
	unsigned long free_pages = zone_page_state(zone, NR_FREE_PAGES);

	cr_assert_eq(isolate(0x0, 0x100), 0);
	cr_assert_eq(undo_isolate_page_range(0x0, 0x100, MIGRATE_MOVABLE), 0);
	cr_expect_eq(zone_page_state(zone, NR_FREE_PAGES), free_pages);
	cr_expect_eq(zone->nr_isolate_pageblock, 0);
	cr_expect_eq(get_pageblock_migratetype(pfn_to_page(0x20)), MIGRATE_MOVABLE);
}

Test(page_isolation, a_range_with_an_unmovable_page_is_left_as_it_was)
{
	struct zone *zone = boot_tiny("fixed");
	struct page *page = alloc_pages(GFP_KERNEL, 0);
	unsigned long pfn = page_to_pfn(page);
	unsigned long free_pages;

	set_pageblock_migratetype(page, MIGRATE_UNMOVABLE);
	drain_all_pages(NULL);
	free_pages = zone_page_state(zone, NR_FREE_PAGES);
	/*
	 * Expect the blocks below the page to be isolated first, and released again.
	 */
	cr_expect_eq(isolate(0x0, round_down(pfn, BLOCK) + BLOCK), -EBUSY);
	cr_expect_eq(zone->nr_isolate_pageblock, 0);
	cr_expect_eq(zone_page_state(zone, NR_FREE_PAGES), free_pages);
	cr_expect_eq(get_pageblock_migratetype(page), MIGRATE_UNMOVABLE);
}

Test(page_isolation, pages_on_the_lru_and_broken_ones_can_be_moved_away)
{
	struct zone *zone = boot_tiny("fixed");
	struct page *page = pfn_to_page(0x15);

	use_page_of_block(0x10);
	cr_expect(has_unmovable_pages(zone, page, 0, false));
	cr_expect_not(has_unmovable_pages(zone, page, 1, false), "one page more than allowed");
	SetPageHWPoison(page);
	cr_expect(has_unmovable_pages(zone, page, 0, false));
	cr_expect_not(has_unmovable_pages(zone, page, 0, true));
	ClearPageHWPoison(page);
	SetPageLRU(page);
	cr_expect_not(has_unmovable_pages(zone, page, 0, false));
}

Test(page_isolation, a_page_in_use_keeps_an_isolated_range_busy)
{
	struct page *page;
	unsigned long pfn;

	boot_tiny("fixed");
	page = alloc_pages(GFP_HIGHUSER_MOVABLE, 0);
	pfn = round_down(page_to_pfn(page), BLOCK);
	cr_assert_eq(isolate(pfn, pfn + BLOCK), 0);
	cr_expect_eq(test_pages_isolated(pfn, pfn + BLOCK, false), -EBUSY);
	/*
	 * Expect the page to go straight to the isolated list when it is freed.
	 */
	__free_pages(page, 0);
	cr_expect_eq(test_pages_isolated(pfn, pfn + BLOCK, false), 0);
}

Test(page_isolation, isolating_twice_is_refused_with_the_fix)
{
	struct zone *zone = boot_tiny("fixed");

	cr_assert_eq(isolate(0x10, 0x20), 0);
	cr_expect_eq(isolate(0x10, 0x20), -EBUSY);
	cr_expect_eq(zone->nr_isolate_pageblock, 1);
}

Test(page_isolation, isolating_twice_counts_twice_without_the_fix)
{
	struct zone *zone = boot_tiny("fixed,-refuse-double-isolation");

	cr_assert_eq(isolate(0x10, 0x20), 0);
	cr_expect_eq(isolate(0x10, 0x20), 0);
	undo_isolate_page_range(0x10, 0x20, MIGRATE_MOVABLE);
	cr_expect_eq(zone->nr_isolate_pageblock, 1, "the undo counts down once");
}

/* The first free block of the boot that fills whole pageblocks. */
static struct page *largest_free_block(struct zone *zone)
{
	unsigned int order = MAX_ORDER;

	while (order-- > 0)
		if (!list_empty(&zone->free_area[order].free_list[MIGRATE_MOVABLE]))
			return list_first_entry(&zone->free_area[order].free_list[MIGRATE_MOVABLE], struct page, lru);
	cr_assert_fail("there is no free block");
	return NULL;
}

/*
 * Takes the free block A, of a pageblock that is HIGHATOMIC, while its buddy B is in use.
 *
 *	| A free 2^4 | B used 2^4 |  free ...
 */
static int type_after_taking_highatomic_block(const char *kernel_text)
{
	struct zone *zone = boot_tiny(kernel_text);
	struct page *a = alloc_pages(GFP_KERNEL, 4);
	const struct page *b = alloc_pages(GFP_KERNEL, 4);

	cr_assert_eq(page_to_pfn(b) ^ page_to_pfn(a), BLOCK);
	set_pageblock_migratetype(a, MIGRATE_HIGHATOMIC);
	__free_pages(a, 4);
	zone->watermark[WMARK_LOW] = 0;
	cr_assert_eq(__isolate_free_page(a, 4), BLOCK);
	cr_expect_not(PageBuddy(a));
	return get_pageblock_migratetype(a);
}

Test(page_isolation, taking_a_highatomic_block_keeps_its_type_with_the_fix)
{
	cr_expect_eq(type_after_taking_highatomic_block("fixed"), MIGRATE_HIGHATOMIC);
}

Test(page_isolation, taking_a_highatomic_block_makes_it_movable_without_the_fix)
{
	cr_expect_eq(type_after_taking_highatomic_block("fixed,-keep-highatomic-block"), MIGRATE_MOVABLE);
}

Test(page_isolation, a_free_block_is_not_taken_below_the_low_watermark)
{
	struct zone *zone = boot_tiny("fixed");
	struct page *page = largest_free_block(zone);
	unsigned long free_pages = zone_page_state(zone, NR_FREE_PAGES);

	cr_expect_eq(__isolate_free_page(page, page_order(page)), 0);
	cr_expect(PageBuddy(page));
	cr_expect_eq(zone_page_state(zone, NR_FREE_PAGES), free_pages);
}

/* Every frame of the block is in use and can be moved away. */
Test(page_isolation, looking_at_a_block_in_use_takes_a_step_for_each_frame)
{
	struct zone *zone = boot_tiny("fixed");
	unsigned long pfn;

	use_page_of_block(0x10);
	for (pfn = 0x10; pfn < 0x20; pfn++) {
		set_page_count(pfn_to_page(pfn), 1);
		SetPageHWPoison(pfn_to_page(pfn));
	}
	work_begin(BLOCK);
	cr_expect_not(has_unmovable_pages(zone, pfn_to_page(0x15), 0, true));
	cr_expect_eq(work_left, 0);
	set_pageblock_migratetype(pfn_to_page(0x10), MIGRATE_ISOLATE);
	work_begin(BLOCK);
	cr_expect_eq(test_pages_isolated(0x10, 0x20, true), 0);
	cr_expect_eq(work_left, 0);
}
