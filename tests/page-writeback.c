// SPDX-License-Identifier: GPL-2.0
/*
 * How many dirty pages a zone may hold (specification 17, and seed 3 of 20.3). The zone below can hold 1000 dirtyable
 * pages: 700 free beyond the reserve, and 300 of files.
 */
#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)
#define DMA zone_of(ZONE_DMA)

static void boot_dirtyable(const char *kernel_text)
{
	boot_kernel(kernel_text, "uma-64m");
	NORMAL->totalreserve_pages = 50;
	set_counter(NORMAL, NR_FREE_PAGES, 750);
	set_counter(NORMAL, NR_INACTIVE_FILE, 200);
	set_counter(NORMAL, NR_ACTIVE_FILE, 100);
}

Test(page_writeback, a_zone_may_hold_a_fifth_of_its_dirtyable_pages)
{
	boot_dirtyable("fixed");

	expect_number(zone_dirty_limit(NORMAL), 200);
}

Test(page_writeback, a_zone_within_its_reserve_has_only_file_pages)
{
	boot_dirtyable("fixed");
	set_counter(NORMAL, NR_FREE_PAGES, 49);

	expect_number(zone_dirty_limit(NORMAL), 60);
}

Test(page_writeback, the_ratio_is_a_percentage)
{
	boot_dirtyable("fixed");

	vm_dirty_ratio = 7;
	expect_number(zone_dirty_limit(NORMAL), 70);
	vm_dirty_ratio = 0;
	expect_number(zone_dirty_limit(NORMAL), 0);
}

Test(page_writeback, bytes_are_shared_out_by_dirtyable_pages)
{
	boot_dirtyable("fixed");
	totalreserve_pages = 0;
	/* 1000 pages here and 3000 in DMA. The sum counts one more. */
	NORMAL->totalreserve_pages = 0;
	set_counter(NORMAL, NR_FREE_PAGES, 700);
	set_counter(DMA, NR_FREE_PAGES, 3000);

	/* One byte more than 99 pages is 100. */
	vm_dirty_bytes = 99 * 4096 + 1;

	/* 100 * 1000 / 4001, and 100 * 3000 / 4001. */
	expect_number(zone_dirty_limit(NORMAL), 24);
	DMA->totalreserve_pages = 0;
	expect_number(zone_dirty_limit(DMA), 74);
}

Test(page_writeback, highmem_counts_for_bytes_only_if_it_is_dirtyable)
{
	struct zone *highmem;

	boot_kernel("fixed", "i386", SET(smp, 0));
	highmem = zone_of(ZONE_HIGHMEM);
	totalreserve_pages = 0;
	NORMAL->totalreserve_pages = 0;
	highmem->totalreserve_pages = 0;
	set_counter(DMA, NR_FREE_PAGES, 0);
	set_counter(NORMAL, NR_FREE_PAGES, 1000);
	set_counter(highmem, NR_FREE_PAGES, 3000);
	vm_dirty_bytes = 4096 * 100;

	/* 100 * 1000 / 1001, or with highmem 100 * 1000 / 4001. */
	expect_number(zone_dirty_limit(NORMAL), 99);
	vm_highmem_is_dirtyable = 1;
	expect_number(zone_dirty_limit(NORMAL), 24);
}

Test(page_writeback, with_no_dirtyable_page_nothing_is_divided_by_zero)
{
	boot_dirtyable("fixed");
	set_counter(NORMAL, NR_FREE_PAGES, 0);
	set_counter(DMA, NR_FREE_PAGES, 0);
	set_counter(NORMAL, NR_INACTIVE_FILE, 0);
	set_counter(NORMAL, NR_ACTIVE_FILE, 0);
	vm_dirty_bytes = 4096;

	expect_number(zone_dirty_limit(NORMAL), 0);
}

Test(page_writeback, real_time_and_less_throttled_tasks_get_a_quarter_more)
{
	boot_dirtyable("fixed");

	current->prio = 99;
	expect_number(zone_dirty_limit(NORMAL), 250);
	current->prio = 120;
	current->flags |= PF_LESS_THROTTLE;
	expect_number(zone_dirty_limit(NORMAL), 250);
}

Test(page_writeback, a_zone_is_ok_up_to_its_limit)
{
	boot_dirtyable("fixed");

	set_counter(NORMAL, NR_FILE_DIRTY, 100);
	set_counter(NORMAL, NR_UNSTABLE_NFS, 60);
	set_counter(NORMAL, NR_WRITEBACK, 40);
	cr_expect(zone_dirty_ok(NORMAL));

	set_counter(NORMAL, NR_WRITEBACK, 41);
	cr_expect_not(zone_dirty_ok(NORMAL));
}

Test(page_writeback, without_dirty_limit_cached_nothing_is_cached)
{
	boot_dirtyable("fixed");

	allocate(GFP_KERNEL | __GFP_WRITE, 0);

	expect_number(NORMAL->dirty_limit_cached, 0);
}

/*
 * Seed 3: the limit is computed when the cached one does not admit a request, for the next one.
 */

Test(page_writeback, dirty_limit_cached_is_what_the_test_trusts)
{
	boot_dirtyable("fixed,+dirty-limit-cached");
	set_counter(NORMAL, NR_FILE_DIRTY, 150);

	/* 150 pages are within the limit of 200, but the cache does not know it yet. */
	cr_expect_not(zone_dirty_ok(NORMAL));
	NORMAL->dirty_limit_cached = 150;
	cr_expect(zone_dirty_ok(NORMAL));
	/* Too high a cached limit is believed as well. */
	NORMAL->dirty_limit_cached = 5000;
	set_counter(NORMAL, NR_FILE_DIRTY, 4000);
	cr_expect(zone_dirty_ok(NORMAL));
	expect_number(NORMAL->dirty_limit_cached, 5000);
}

Test(page_writeback, dirty_limit_cached_starts_at_zero_which_a_clean_zone_passes)
{
	boot_dirtyable("fixed,+dirty-limit-cached");

	expect_number(NORMAL->dirty_limit_cached, 0);
	cr_expect(zone_dirty_ok(NORMAL));
}

Test(page_writeback, a_request_that_fails_the_cached_limit_refreshes_it)
{
	boot_dirtyable("fixed,+dirty-limit-cached");
	set_marks(NORMAL, 0, 0, 0);
	set_counter(NORMAL, NR_FILE_DIRTY, 150);

	/* Expect the zone passed by although the new limit would admit the request, and used by the next one. */
	allocate(GFP_KERNEL | __GFP_WRITE, 0);
	expect_story("pass 1: Normal dirty, DMA taken");
	expect_number(NORMAL->dirty_limit_cached, 200);

	allocate(GFP_KERNEL | __GFP_WRITE, 0);
	expect_story("pass 1: Normal taken");
}

Test(page_writeback, requests_that_do_not_write_leave_the_cache_alone)
{
	boot_dirtyable("fixed,+dirty-limit-cached");
	set_marks(NORMAL, 0, 0, 0);
	set_counter(NORMAL, NR_FILE_DIRTY, 150);

	allocate(GFP_KERNEL, 0);

	expect_story("pass 1: Normal taken");
	expect_number(NORMAL->dirty_limit_cached, 0);
}

Test(page_writeback, with_a_cache_the_limit_itself_has_no_bonus)
{
	boot_dirtyable("fixed,+dirty-limit-cached");
	current->prio = 99;

	expect_number(zone_dirty_limit(NORMAL), 200);
}

Test(page_writeback, a_task_with_a_bonus_refreshes_the_cache_and_gets_a_quarter_more)
{
	boot_dirtyable("fixed,+dirty-limit-cached");
	current->flags |= PF_LESS_THROTTLE;

	set_counter(NORMAL, NR_FILE_DIRTY, 250);
	cr_expect(zone_dirty_ok(NORMAL));
	/* Expect the bonus not to be cached for others. */
	expect_number(NORMAL->dirty_limit_cached, 200);

	set_counter(NORMAL, NR_FILE_DIRTY, 251);
	cr_expect_not(zone_dirty_ok(NORMAL));
}

Test(page_writeback, the_cached_limit_of_a_request_is_refreshed_in_every_pass_that_fails)
{
	boot_dirtyable("fixed,+dirty-limit-cached");
	set_counter(NORMAL, NR_FILE_DIRTY, 1000);
	set_counter(DMA, NR_FILE_DIRTY, 1 << 20);
	set_marks(NORMAL, 0, 0, 0);

	allocate(GFP_KERNEL | __GFP_WRITE, 0);

	/* Expect the dirty test dropped instead of the slow path, and both caches fresh. */
	expect_story("pass 1: Normal dirty, DMA dirty; pass 2: Normal taken");
	expect_number(NORMAL->dirty_limit_cached, 200);
	cr_expect_gt(DMA->dirty_limit_cached, 0);
}
