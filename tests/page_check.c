// SPDX-License-Identifier: GPL-2.0
/*
 * What descriptors must look like, and what happens to those that do not (specification 7.3, 7.4, 15, 24.1).
 */
#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)

/* The reason in the newest report, "" if there is none. */
static const char *last_reason(void)
{
	static const char prefix[] = "page dumped because: ";
	static char reason[120];
	char line[160];
	unsigned int number;

	reason[0] = '\0';
	for (number = 0; printk_format(number, line, sizeof(line)); number++)
		if (!strncmp(line, prefix, sizeof(prefix) - 1))
			strcpy(reason, line + sizeof(prefix) - 1);
	return reason;
}

static struct page *boot_with_page(gfp_t gfp_mask, unsigned int order)
{
	boot_kernel("fixed", "tiny");
	return allocate(gfp_mask, order);
}

static bool prepare(struct page *page, unsigned int order)
{
	page_ref_dec_and_test(page);
	return free_pages_prepare(page, order, true);
}

/*
 * One page on its way to the lists.
 */

Test(page_check, a_page_in_order_may_be_freed)
{
	struct page *page = boot_with_page(GFP_KERNEL, 0);

	cr_expect(prepare(page, 0));
	expect_text(last_reason(), "");
}

Test(page_check, freeing_forgets_harmless_flags)
{
	struct page *page = boot_with_page(GFP_KERNEL, 0);

	page_flags_write(page, 1UL << PG_dirty | 1UL << PG_uptodate | 1UL << PG_referenced | 1UL << PG_reclaim);

	cr_expect(prepare(page, 0));
	expect_number(page->flags, 0);
}

Test(page_check, freeing_keeps_the_mark_of_broken_memory)
{
	struct page *page = boot_with_page(GFP_KERNEL, 0);

	SetPageHWPoison(page);

	cr_expect(prepare(page, 0));
	expect_number(page->flags, 1UL << PG_hwpoison);
}

Test(page_check, freeing_forgets_an_anonymous_mapping)
{
	struct page *page = boot_with_page(GFP_KERNEL, 0);

	set_page_mapping(page, (struct address_space *)0x1001);

	cr_expect(prepare(page, 0));
	cr_expect_null(page->mapping);
}

Test(page_check, a_mapped_page_is_not_freed)
{
	struct page *page = boot_with_page(GFP_KERNEL, 0);

	page->mapcount_biased = 2;

	cr_expect_not(prepare(page, 0));
	expect_text(last_reason(), "nonzero mapcount");
	/* Expect it to look unmapped from now on. */
	expect_number(page_mapcount_raw(page), -1);
}

Test(page_check, a_page_of_a_file_is_not_freed)
{
	struct page *page = boot_with_page(GFP_KERNEL, 0);

	set_page_mapping(page, (struct address_space *)0x1000);

	cr_expect_not(prepare(page, 0));
	expect_text(last_reason(), "non-NULL mapping");
}

Test(page_check, a_page_with_references_is_not_freed)
{
	struct page *page = boot_with_page(GFP_KERNEL, 0);

	page_ref_inc(page);

	cr_expect_not(prepare(page, 0));
	expect_text(last_reason(), "nonzero _refcount");
}

Test(page_check, each_of_eleven_flags_keeps_a_page_from_being_freed)
{
	static const enum pageflags flags[] = { PG_lru,	     PG_locked,	   PG_private, PG_private_2,
						PG_writeback, PG_reserved, PG_slab,    PG_swapcache,
						PG_active,    PG_unevictable, PG_mlocked };
	struct page *page = boot_with_page(GFP_KERNEL, 0);
	unsigned int i;

	page_ref_dec_and_test(page);
	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		page_flags_write(page, 1UL << flags[i]);
		cr_expect_not(free_pages_prepare(page, 0, true), "flag %d", flags[i]);
	}
	expect_text(last_reason(), "PAGE_FLAGS_CHECK_AT_FREE flag(s) set");
}

Test(page_check, the_last_reason_is_the_one_reported)
{
	struct page *page = boot_with_page(GFP_KERNEL, 0);

	page->mapcount_biased = 2;
	set_page_mapping(page, (struct address_space *)0x1000);
	page_ref_inc(page);

	cr_expect_not(prepare(page, 0));
	expect_text(last_reason(), "nonzero _refcount");
}

Test(page_check, a_report_names_the_task_and_the_frame)
{
	struct page *page = boot_with_page(GFP_KERNEL, 0);
	char line[160];

	SetPageLRU(page + 0xab);
	page_ref_inc(page + 0xab);
	__free_page(page + 0xab);

	cr_assert(printk_format(0, line, sizeof(line)));
	expect_text(line, "BUG: Bad page state in process task0  pfn:000ab");
}

static void free_a_tail(void *page)
{
	free_pages_prepare((struct page *)page + 1, 0, true);
}

Test(page_check, freeing_a_tail_is_a_bug)
{
	struct page *page = boot_with_page(GFP_KERNEL | __GFP_COMP, 2);

	expect_finding(FINDING_BUG, "free_pages_prepare: PageTail(page)", free_a_tail, page);
}

/*
 * Reports are limited to 60 a minute.
 */

static unsigned int nr_reports(void)
{
	char line[160];
	unsigned int nr = 0;
	unsigned int number;

	for (number = 0; printk_format(number, line, sizeof(line)); number++)
		nr += strstr(line, "BUG: Bad page state in process") != NULL;
	return nr;
}

static void free_bad_pages(unsigned int nr)
{
	struct page *page = pfn_to_page(0x80);

	printk_clear();
	while (nr--) {
		page_flags_write(page, 1UL << PG_lru);
		free_pages_prepare(page, 0, true);
	}
}

Test(page_check, sixty_bad_pages_are_reported_in_a_minute)
{
	char line[160];

	boot_kernel("fixed", "tiny");
	trace_reset();

	free_bad_pages(30);
	expect_number(nr_reports(), 30);
	free_bad_pages(33);
	expect_number(nr_reports(), 30);
	jiffies_advance(60 * HZ - 1);
	free_bad_pages(1);
	expect_number(nr_reports(), 0);

	jiffies_advance(1);
	free_bad_pages(1);

	/* Expect the four that were held back named, and reports again. */
	cr_assert(printk_format(0, line, sizeof(line)));
	expect_text(line, "BUG: Bad page state: 4 messages suppressed");
	expect_number(nr_reports(), 1);
	/* All are in the trace. */
	expect_number(count_trace(TRACE_BAD_PAGE, NULL), 65);
}

/*
 * Blocks.
 */

Test(page_check, all_pages_of_a_block_are_checked)
{
	struct page *page = boot_with_page(GFP_KERNEL, 2);

	page_ref_inc(page + 3);

	cr_expect_not(prepare(page, 2));
	expect_text(last_reason(), "nonzero _refcount");
}

Test(page_check, a_compound_block_is_taken_apart)
{
	struct page *page = boot_with_page(GFP_KERNEL | __GFP_COMP, 2);

	cr_expect(prepare(page, 2));

	cr_expect_not(PageHead(page));
	cr_expect_not(PageTail(page + 1));
	cr_expect_not(PageTail(page + 3));
	cr_expect_null(page[1].mapping);
	cr_expect_null(page[3].mapping);
}

Test(page_check, a_compound_block_carries_its_order_and_marks)
{
	struct page *page = boot_with_page(GFP_KERNEL | __GFP_COMP, 3);

	expect_number(page[1].compound_order, 3);
	expect_number(page[1].compound_dtor, 1);
	expect_number(page[1].compound_mapcount, -1);
	cr_expect_eq(page[2].mapping, TAIL_MAPPING);
	cr_expect_eq(page[7].mapping, TAIL_MAPPING);
	cr_expect_eq(page[7].compound_head, (unsigned long)page | 1);
	expect_number(page_ref_count(&page[7]), 0);
}

static void free_as_order_1(void *page)
{
	free_pages_prepare(page, 1, true);
}

Test(page_check, freeing_a_compound_block_by_another_order_is_a_bug)
{
	struct page *page = boot_with_page(GFP_KERNEL | __GFP_COMP, 2);

	set_page_count(page, 0);

	expect_finding(FINDING_BUG, "free_tails: compound && compound_order(page) != order", free_as_order_1, page);
}

Test(page_check, a_mapped_compound_block_is_not_freed)
{
	struct page *page = boot_with_page(GFP_KERNEL | __GFP_COMP, 2);

	page[1].compound_mapcount = 0;

	cr_expect_not(prepare(page, 2));
	expect_text(last_reason(), "nonzero compound_mapcount");
}

Test(page_check, the_second_tail_may_use_its_mapping)
{
	struct page *page = boot_with_page(GFP_KERNEL | __GFP_COMP, 2);

	page[2].mapping = (struct address_space *)0x1000;

	cr_expect(prepare(page, 2));
}

Test(page_check, further_tails_may_not)
{
	struct page *page = boot_with_page(GFP_KERNEL | __GFP_COMP, 2);

	page[3].mapping = (struct address_space *)0x1000;

	cr_expect_not(prepare(page, 2));
	expect_text(last_reason(), "corrupted mapping in tail page");
}

Test(page_check, a_tail_that_is_none_is_found)
{
	struct page *page = boot_with_page(GFP_KERNEL | __GFP_COMP, 2);

	page[3].compound_head = 0;

	cr_expect_not(prepare(page, 2));
	expect_text(last_reason(), "PageTail not set");
}

Test(page_check, a_tail_of_another_head_is_found)
{
	struct page *page = boot_with_page(GFP_KERNEL | __GFP_COMP, 2);

	page[3].compound_head = (unsigned long)(page + 4) | 1;

	cr_expect_not(prepare(page, 2));
	expect_text(last_reason(), "compound_head not consistent");
}

Test(page_check, without_debug_vm_tails_are_repaired_and_not_judged)
{
	struct page *page;

	boot_kernel("fixed", "tiny", SET(debug_vm, 0));
	page = allocate(GFP_KERNEL | __GFP_COMP, 2);
	page[3].mapping = (struct address_space *)0x1000;

	cr_expect(prepare(page, 2));
	cr_expect_null(page[3].mapping);
}

/*
 * Pages on their way out.
 */

Test(page_check, any_flag_keeps_a_page_from_being_handed_out)
{
	unsigned int flag;

	boot_kernel("fixed", "tiny");
	for (flag = 0; flag < __NR_PAGEFLAGS; flag++) {
		page_flags_write(pfn_to_page(0x80), 1UL << flag);
		cr_expect(check_new_pages(pfn_to_page(0x80), 0), "flag %u", flag);
	}
	expect_text(last_reason(), "PAGE_FLAGS_CHECK_AT_PREP flag set");
	page_flags_write(pfn_to_page(0x80), 0);
	cr_expect_not(check_new_pages(pfn_to_page(0x80), 0));
}

Test(page_check, broken_memory_is_withdrawn_without_a_report)
{
	boot_kernel("fixed", "tiny");
	trace_reset();
	SetPageHWPoison(pfn_to_page(0x80));

	cr_expect(check_new_pages(pfn_to_page(0x80), 0));

	expect_text(last_reason(), "");
	expect_number(count_trace(TRACE_BAD_PAGE, NULL), 0);
}

Test(page_check, the_last_page_of_a_block_is_checked_as_well)
{
	boot_kernel("fixed", "tiny");
	page_ref_inc(pfn_to_page(0x87));

	cr_expect(check_new_pages(pfn_to_page(0x80), 3));
	cr_expect_not(check_new_pages(pfn_to_page(0x80), 2));
	expect_text(last_reason(), "nonzero _refcount");
}

Test(page_check, with_debug_vm_single_pages_are_checked_at_the_per_cpu_lists)
{
	boot_kernel("fixed", "tiny");
	page_ref_inc(pfn_to_page(0x80));

	cr_expect(check_new_pcp(pfn_to_page(0x80)));
	cr_expect_not(check_pcp_refill(pfn_to_page(0x80)));
	cr_expect_not(bulkfree_pcp_prepare(pfn_to_page(0x80)));
	cr_expect_not(free_pcp_prepare(pfn_to_page(0x80)));
}

Test(page_check, without_debug_vm_single_pages_are_checked_at_the_free_lists)
{
	boot_kernel("fixed", "tiny", SET(debug_vm, 0));
	page_ref_inc(pfn_to_page(0x80));

	cr_expect_not(check_new_pcp(pfn_to_page(0x80)));
	cr_expect(check_pcp_refill(pfn_to_page(0x80)));
	cr_expect(bulkfree_pcp_prepare(pfn_to_page(0x80)));
	cr_expect(free_pcp_prepare(pfn_to_page(0x80)));
}

Test(page_check, a_prepared_page_is_marked_if_it_was_let_below_the_marks)
{
	boot_kernel("fixed", "tiny");

	prep_new_page(pfn_to_page(0x80), 0, GFP_KERNEL, ALLOC_NO_WATERMARKS);
	prep_new_page(pfn_to_page(0x81), 0, GFP_KERNEL, ALLOC_HIGH);

	cr_expect(page_is_pfmemalloc(pfn_to_page(0x80)));
	cr_expect_not(page_is_pfmemalloc(pfn_to_page(0x81)));
}

static void prepare_a_used_page(void *argument)
{
	page_ref_inc(pfn_to_page(0x80));
	prep_new_page(pfn_to_page(0x80), 0, GFP_KERNEL, 0);
}

Test(page_check, handing_out_a_page_in_use_is_a_bug)
{
	boot_kernel("fixed", "tiny");

	expect_finding(FINDING_BUG, "prep_new_page: page_ref_count(page)", prepare_a_used_page, NULL);
}

Test(page_check, a_frame_belongs_to_one_zone)
{
	boot_kernel("fixed", "uma-64m");

	cr_expect_not(bad_range(zone_of(ZONE_DMA), pfn_to_page(0xfff)));
	cr_expect(bad_range(NORMAL, pfn_to_page(0xfff)));
	cr_expect_not(bad_range(NORMAL, pfn_to_page(0x1000)));
	cr_expect(bad_range(zone_of(ZONE_DMA), pfn_to_page(0x1000)));
}

/*
 * How large a block can be.
 */
static void put_compound_page(void *page)
{
	put_page(page);
}

Test(page_check, the_largest_block_has_1023_tails)
{
	struct page *page;

	boot_kernel("fixed", "uma-64m");
	page = allocate(GFP_KERNEL | __GFP_COMP, 10);
	work_begin(1023);

	put_compound_page(page);

	expect_number(work_left, 0);
}

Test(page_check, a_compound_block_that_claims_more_never_ends)
{
	struct page *page;

	boot_kernel("fixed", "uma-64m");
	page = allocate(GFP_KERNEL | __GFP_COMP, 10);
	page[1].compound_order = 31;

	expect_step_too_far("free_pages_prepare", 1023, put_compound_page, page);
}
