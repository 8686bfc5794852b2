// SPDX-License-Identifier: GPL-2.0
/*
 * Pages by address, split blocks, exact sizes, references (mm/exact.c). "tiny" is 1 MiB in zone Normal, all of it free.
 */
#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)

static unsigned long address_of(unsigned long pfn)
{
	return 0xffff880000000000UL + pfn * 4096;
}

Test(exact, an_order_is_the_smallest_that_holds_the_bytes)
{
	expect_number(get_order(1), 0);
	expect_number(get_order(4096), 0);
	expect_number(get_order(4097), 1);
	expect_number(get_order(8192), 1);
	expect_number(get_order(5 * 4096), 3);
	expect_number(get_order(4 << 20), 10);
	expect_number(get_order((4 << 20) + 1), 11);
}

Test(exact, free_pages_takes_what_get_free_pages_gave)
{
	unsigned long free_pages_before;

	boot_kernel("fixed", "tiny");
	free_pages_before = zone_page_state(NORMAL, NR_FREE_PAGES);

	cr_assert_eq(__get_free_pages(GFP_KERNEL, 2), address_of(0x0));
	expect_number(zone_page_state(NORMAL, NR_FREE_PAGES), free_pages_before - 4);
	free_pages(address_of(0x0), 2);
	expect_number(zone_page_state(NORMAL, NR_FREE_PAGES), free_pages_before);
	/* Expect nothing of address 0. */
	free_pages(0, 2);
	expect_number(zone_page_state(NORMAL, NR_FREE_PAGES), free_pages_before);
}

Test(exact, a_zeroed_page_and_a_dma_page_are_pages_by_address)
{
	boot_kernel("fixed", "uma-64m");

	cr_expect_neq(get_zeroed_page(GFP_KERNEL), 0);
	/* Expect a frame below 16 MiB. */
	cr_expect_lt(__get_dma_pages(GFP_KERNEL, 0), address_of(0x1000));
}

static void ask_for_highmem_address(void *argument)
{
	__get_free_pages(GFP_HIGHUSER, 0);
}

Test(exact, a_highmem_page_has_no_address)
{
	boot_kernel("fixed", "mini-i386");

	expect_finding(FINDING_BUG, "__get_free_pages: (gfp_mask & __GFP_HIGHMEM) != 0", ask_for_highmem_address, NULL);
}

/*
 *	before   | 1 0 0 0 |      a block of order 2
 *	after    | 1 1 1 1 |      four pages
 */
Test(exact, a_split_block_is_as_many_pages_with_a_reference_each)
{
	struct page *page;
	int i;

	boot_kernel("fixed", "tiny");
	page = allocate(GFP_KERNEL, 2);

	split_page(page, 2);

	for (i = 0; i < 4; i++)
		expect_number(page_ref_count(page + i), 1);
}

Test(exact, freeing_the_pages_of_a_split_block_one_by_one_makes_it_whole_again)
{
	struct page *page;
	int i;

	boot_kernel("fixed", "tiny");
	expect_free(NORMAL, "M8: 0x0");
	page = allocate(GFP_KERNEL, 3);
	split_page(page, 3);

	for (i = 0; i < 8; i++)
		__free_page(page + i);
	drain_all_pages(NULL);

	expect_number(NORMAL->free_area[8].nr_free, 1);
	expect_number(zone_page_state(NORMAL, NR_FREE_PAGES), 256);
}

static void split(void *argument)
{
	split_page(argument, 1);
}

Test(exact, a_compound_page_cannot_be_split)
{
	boot_kernel("fixed", "tiny");

	expect_finding(FINDING_BUG, "split_page: PageCompound(page)", split, allocate(GFP_KERNEL | __GFP_COMP, 1));
}

/*
 *	| 5 pages asked for | 3 freed |       one block of order 3
 */
Test(exact, an_exact_allocation_keeps_no_page_more_than_it_needs)
{
	char *address;

	boot_kernel("fixed", "tiny");

	address = alloc_pages_exact(5 * 4096 - 1, GFP_KERNEL);
	drain_all_pages(NULL);

	cr_assert_eq((unsigned long)address, address_of(0x0));
	expect_number(zone_page_state(NORMAL, NR_FREE_PAGES), 251);
	expect_number(page_ref_count(pfn_to_page(4)), 1);
	expect_number(page_ref_count(pfn_to_page(5)), 0);

	free_pages_exact(address, 5 * 4096 - 1);
	drain_all_pages(NULL);
	expect_number(zone_page_state(NORMAL, NR_FREE_PAGES), 256);
	expect_number(NORMAL->free_area[8].nr_free, 1);
}

Test(exact, an_exact_allocation_can_name_its_node)
{
	void *address;

	boot_kernel("fixed", "numa2");

	address = alloc_pages_exact_nid(1, 3 * 4096, GFP_KERNEL);

	expect_number(page_to_nid(virt_to_page(address)), 1);
}

Test(exact, what_no_block_holds_is_not_allocated_exactly)
{
	boot_kernel("fixed", "tiny");

	cr_expect_null(alloc_pages_exact((4 << 20) + 1, GFP_KERNEL));
	cr_expect_null(alloc_pages_exact_nid(0, (4 << 20) + 1, GFP_KERNEL));
}

/*
 * Free blocks taken whole.
 */
Test(exact, a_free_block_becomes_single_pages)
{
	int i;

	boot_kernel("fixed", "tiny");
	take_all_blocks(NORMAL);
	set_marks(NORMAL, 0, 0, 0);
	put_block(0x40, 4, MIGRATE_MOVABLE);
	put_block(0x80, 0, MIGRATE_MOVABLE);

	expect_number(split_free_page(pfn_to_page(0x40)), 16);

	for (i = 0; i < 16; i++)
		expect_number(page_ref_count(pfn_to_page(0x40 + i)), 1);
	expect_free(NORMAL, "M0: 0x80");
	expect_number(zone_page_state(NORMAL, NR_FREE_PAGES), 1);
}

Test(exact, a_free_block_that_the_low_watermark_needs_stays)
{
	boot_kernel("fixed", "tiny");

	expect_number(split_free_page(pfn_to_page(0x0)), 0);
	expect_free(NORMAL, "M8: 0x0");
}

/*
 * References.
 */
Test(exact, the_last_reference_frees_a_compound_page_whole)
{
	struct page *page;

	boot_kernel("fixed", "tiny");
	page = allocate(GFP_KERNEL | __GFP_COMP, 3);
	page_ref_inc(page);

	put_page(page + 5);
	expect_number(zone_page_state(NORMAL, NR_FREE_PAGES), 248);
	put_page(page);
	expect_number(zone_page_state(NORMAL, NR_FREE_PAGES), 256);
	cr_expect_not(PageHead(page));
}

Test(exact, the_last_reference_frees_a_page)
{
	struct page *page;

	boot_kernel("fixed", "tiny");
	page = allocate(GFP_KERNEL, 0);

	put_page(page);
	drain_all_pages(NULL);
	expect_number(zone_page_state(NORMAL, NR_FREE_PAGES), 256);
}

Test(exact, pages_of_a_list_are_freed_in_its_order)
{
	struct page *a, *b;
	LIST_HEAD(list);

	boot_kernel("fixed", "uma-64m", SET(percpu_pagelist_fraction, 8));
	a = allocate(GFP_KERNEL, 0);
	b = allocate(GFP_KERNEL, 0);
	drain_all_pages(NULL);
	set_page_count(a, 0);
	set_page_count(b, 0);
	list_add_tail(&a->lru, &list);
	list_add_tail(&b->lru, &list);
	trace_reset();

	free_hot_cold_page_list(&list, true);

	/* Expect them at the cold end, where the tail is drained first. */
	expect_number(count_trace(TRACE_MM_PAGE_FREE_BATCHED, NULL), 2);
	drain_pages(0);
	expect_text(drained(), "0x3c01 0x3c00");
}
