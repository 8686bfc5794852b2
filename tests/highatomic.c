// SPDX-License-Identifier: GPL-2.0
/*
 * The reserve for atomic requests of order > 0 (specification 13). A pageblock of "tiny" has 16 pages.
 */
#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)

static void boot_empty(const char *kernel_text)
{
	boot_kernel(kernel_text, "tiny");
	take_all_blocks(NORMAL);
}

static struct alloc_context context_of_node_0(int migratetype)
{
	return (struct alloc_context){
		.zonelist = node_zonelist(0, 0),
		.high_zoneidx = ZONE_MOVABLE,
		.migratetype = migratetype,
	};
}

static bool unreserve(bool force)
{
	struct alloc_context ac = context_of_node_0(MIGRATE_MOVABLE);

	return unreserve_highatomic_pageblock(&ac, force);
}

/* A reserved pageblock with one free page, its first. */
static void add_reserved(unsigned long pfn)
{
	put_block_of(pfn, 0, MIGRATE_HIGHATOMIC);
	NORMAL->nr_reserved_highatomic += 16;
}

/*
 * Reserving.
 */

Test(highatomic, reserving_sets_a_pageblock_aside_with_its_free_pages)
{
	boot_empty("fixed");
	put_block(0x18, 2, MIGRATE_MOVABLE);
	put_block(0x20, 0, MIGRATE_MOVABLE);

	reserve_highatomic_pageblock(pfn_to_page(0x10), NORMAL, 1);

	/* | 10 taken   | 18..1b free | | 20 free   Expect the whole pageblock counted, its free block moved. */
	expect_number(NORMAL->nr_reserved_highatomic, 16);
	expect_number(block_type(0x10), MIGRATE_HIGHATOMIC);
	expect_free(NORMAL, "M0: 0x20, H2: 0x18");
	expect_number(counter(NORMAL, NR_FREE_PAGES), 5);
}

Test(highatomic, a_reserved_pageblock_is_not_reserved_again)
{
	boot_empty("fixed");
	set_block_type(0x10, MIGRATE_HIGHATOMIC);

	reserve_highatomic_pageblock(pfn_to_page(0x10), NORMAL, 1);

	expect_number(NORMAL->nr_reserved_highatomic, 0);
}

Test(highatomic, isolated_and_cma_pageblocks_are_not_reserved)
{
	boot_empty("fixed");
	set_block_type(0x10, MIGRATE_ISOLATE);
	set_block_type(0x20, MIGRATE_CMA);

	reserve_highatomic_pageblock(pfn_to_page(0x10), NORMAL, 1);
	reserve_highatomic_pageblock(pfn_to_page(0x20), NORMAL, 1);

	expect_number(NORMAL->nr_reserved_highatomic, 0);
	expect_number(block_type(0x10), MIGRATE_ISOLATE);
}

/* Reserve as long as the zone, with 256 pages, lets us. */
static unsigned long most_reserved(const char *kernel_text, unsigned long managed)
{
	unsigned long pfn;

	boot_empty(kernel_text);
	NORMAL->managed_pages = managed;
	for (pfn = 0; pfn < 0x100; pfn += 0x10)
		reserve_highatomic_pageblock(pfn_to_page(pfn), NORMAL, 1);
	return NORMAL->nr_reserved_highatomic;
}

Test(highatomic, highatomic_cap_is_one_percent_rounded_up_to_a_pageblock)
{
	expect_number(most_reserved("fixed", 256), 16);
	expect_number(most_reserved("fixed", 1600), 16);
	expect_number(most_reserved("fixed", 1700), 32);
}

Test(highatomic, without_highatomic_cap_there_is_up_to_a_pageblock_more)
{
	/* 1 % is 2 pages; 2 + 16 allow a second pageblock. */
	expect_number(most_reserved("fixed,-highatomic-cap", 256), 32);
	expect_number(most_reserved("fixed,-highatomic-cap", 1600), 32);
	expect_number(most_reserved("fixed,-highatomic-cap", 1700), 48);
}

Test(highatomic, an_atomic_request_of_the_slow_path_reserves_its_pageblock)
{
	boot_kernel("fixed", "tiny");
	set_marks(NORMAL, 4, 1 << 20, 1 << 20);

	allocate(GFP_ATOMIC, 1);

	expect_number(block_type(0x0), MIGRATE_HIGHATOMIC);
	expect_number(NORMAL->nr_reserved_highatomic, 16);
}

Test(highatomic, single_pages_and_ordinary_requests_reserve_nothing)
{
	boot_kernel("fixed", "tiny");
	set_marks(NORMAL, 4, 1 << 20, 1 << 20);

	allocate(GFP_ATOMIC, 0);
	allocate(GFP_NOWAIT | __GFP_HIGH, 1);

	expect_number(NORMAL->nr_reserved_highatomic, 0);
}

Test(highatomic, a_request_that_the_low_mark_serves_reserves_nothing)
{
	boot_kernel("fixed", "tiny");

	allocate(GFP_ATOMIC, 1);

	expect_number(NORMAL->nr_reserved_highatomic, 0);
}

/*
 * Giving up.
 */

Test(highatomic, giving_up_returns_a_pageblock_to_the_type_that_needs_it)
{
	boot_empty("fixed");
	add_reserved(0x10);
	add_reserved(0x20);

	cr_expect(unreserve(false));

	/* Expect the one at the head of the list, and only that one. */
	expect_number(NORMAL->nr_reserved_highatomic, 16);
	expect_number(block_type(0x20), MIGRATE_MOVABLE);
	expect_number(block_type(0x10), MIGRATE_HIGHATOMIC);
	expect_free(NORMAL, "M0: 0x20, H0: 0x10");
}

Test(highatomic, the_last_pageblock_is_given_up_only_by_force)
{
	boot_empty("fixed");
	add_reserved(0x10);

	cr_expect_not(unreserve(false));
	expect_number(NORMAL->nr_reserved_highatomic, 16);

	cr_expect(unreserve(true));
	expect_number(NORMAL->nr_reserved_highatomic, 0);
	expect_free(NORMAL, "M0: 0x10");
}

Test(highatomic, a_reserve_that_is_all_in_use_cannot_be_given_up)
{
	boot_empty("fixed");
	NORMAL->nr_reserved_highatomic = 32;

	cr_expect_not(unreserve(true));

	expect_number(NORMAL->nr_reserved_highatomic, 32);
}

Test(highatomic, only_zones_that_the_request_may_use_give_up)
{
	struct alloc_context ac;
	nodemask_t only_node_1 = { 1UL << 1 };

	boot_kernel("fixed", "numa2");
	take_all_blocks(NORMAL);
	NORMAL->nr_reserved_highatomic = 256;
	put_block_of(0x800, 0, MIGRATE_HIGHATOMIC);
	ac = context_of_node_0(MIGRATE_MOVABLE);

	ac.nodemask = &only_node_1;
	cr_expect_not(unreserve_highatomic_pageblock(&ac, true));
	ac.nodemask = NULL;
	ac.high_zoneidx = ZONE_DMA;
	cr_expect_not(unreserve_highatomic_pageblock(&ac, true));
}

/* Two pageblocks count as reserved; the free page on the list is of one that has been given up before. */
static void give_up_a_stray_page(const char *kernel_text)
{
	boot_empty(kernel_text);
	NORMAL->nr_reserved_highatomic = 32;
	put_block(0x10, 0, MIGRATE_HIGHATOMIC);
	expect_number(block_type(0x10), MIGRATE_MOVABLE);

	cr_expect(unreserve(false));
}

Test(highatomic, unreserve_own_type_does_not_count_a_stray_page_as_a_pageblock)
{
	give_up_a_stray_page("fixed");

	expect_number(NORMAL->nr_reserved_highatomic, 32);
	expect_free(NORMAL, "M0: 0x10");
}

Test(highatomic, without_unreserve_own_type_a_pageblock_is_uncounted_twice)
{
	give_up_a_stray_page("fixed,-unreserve-own-type");

	expect_number(NORMAL->nr_reserved_highatomic, 16);
}

/* The first pageblock of 0x100..0x107 ends outside the zone: it can be reserved, but not moved. */
static void boot_with_immovable_reserve(const char *kernel_text)
{
	boot_kernel(kernel_text, "tiny", MEMORY(0, 0x0, 0x108));
	take_all_blocks(NORMAL);
	put_block_of(0x100, 0, MIGRATE_HIGHATOMIC);
	put_block_of(0x10, 1, MIGRATE_HIGHATOMIC);
	NORMAL->nr_reserved_highatomic = 32;
}

Test(highatomic, unreserve_before_oom_looks_past_a_pageblock_that_cannot_be_moved)
{
	boot_with_immovable_reserve("fixed");

	cr_expect(unreserve(true));
	expect_free(NORMAL, "H0: 0x100, M1: 0x10");

	/* Expect an end: nothing is left that could be moved. */
	cr_expect_not(unreserve(true));
}

Test(highatomic, without_unreserve_before_oom_one_pageblock_is_looked_at)
{
	boot_with_immovable_reserve("fixed,-unreserve-before-oom");

	unreserve(false);

	expect_free(NORMAL, "H0: 0x100, H1: 0x10");
}

/* What reclaim frees is nothing; one zone has two reserved pageblocks. */
Test(highatomic, reclaim_that_does_not_help_gives_up_a_pageblock)
{
	boot_empty("v4.7");
	set_marks(NORMAL, 2, 4, 6);
	put_block_of(0x10, 4, MIGRATE_HIGHATOMIC);
	put_block_of(0x30, 4, MIGRATE_HIGHATOMIC);
	NORMAL->nr_reserved_highatomic = 32;
	reclaim_script.calls = 1;

	cr_expect_not_null(allocate(GFP_KERNEL, 0));

	expect_number(NORMAL->nr_reserved_highatomic, 16);
}
