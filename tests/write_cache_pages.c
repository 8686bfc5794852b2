// SPDX-License-Identifier: GPL-2.0
/* write_cache_pages.c - walks over the dirty pages of a file (mm/write_cache_pages.c, page-writeback specification 18). */
#include "tests/support.h"
#include "tests/writeback.h"

static pgoff_t written[64];
static unsigned int nr_written;
static int result_of_next;

static int note_page(struct page *page, struct writeback_control *wbc, void *data)
{
	int result = result_of_next;

	result_of_next = 0;
	written[nr_written++] = page->index;
	if (result != AOP_WRITEPAGE_ACTIVATE)
		unlock_page(page);
	return result;
}

static void dirty(pgoff_t first, pgoff_t last)
{
	for (; first <= last; first++)
		set_page_dirty(file_page(0, first));
}

static int walk(struct writeback_control *wbc)
{
	nr_written = 0;
	return write_cache_pages(file_mapping(0), wbc, note_page, NULL);
}

static void expect_written(unsigned int nr, pgoff_t first)
{
	unsigned int i;

	cr_expect_eq(nr_written, nr, "%u pages", nr_written);
	for (i = 0; i < nr && i < nr_written; i++)
		cr_expect_eq(written[i], first + i, "the %u. is %lu", i, written[i]);
}

Test(write_cache_pages, a_range_is_written_in_order_to_its_last_page)
{
	struct writeback_control wbc = { .nr_to_write = 100, .range_start = 3 << PAGE_SHIFT,
					 .range_end = (20 << PAGE_SHIFT) + 5 };

	boot_machine("uma-64m");
	dirty(0, 40);
	cr_expect_eq(walk(&wbc), 0);
	expect_written(18, 3);
	cr_expect_eq(wbc.nr_to_write, 82);
}

Test(write_cache_pages, the_budget_ends_a_walk_that_need_not_write_all)
{
	struct writeback_control wbc = { .nr_to_write = 5, .range_end = LLONG_MAX };

	boot_machine("uma-64m");
	dirty(0, 20);
	walk(&wbc);
	expect_written(5, 0);
	wbc = (struct writeback_control){ .nr_to_write = 5, .range_end = LLONG_MAX, .sync_mode = WB_SYNC_ALL };
	walk(&wbc);
	expect_written(16, 5);
	cr_expect_eq(wbc.nr_to_write, -11);
}

Test(write_cache_pages, a_cyclic_walk_goes_on_and_comes_round)
{
	struct writeback_control wbc = { .nr_to_write = 4, .range_cyclic = true };

	boot_machine("uma-64m");
	dirty(0, 5);
	walk(&wbc);
	expect_written(4, 0);
	cr_expect_eq(file_mapping(0)->writeback_index, 3, "the last page looked at");
	dirty(0, 1);
	wbc.nr_to_write = 10;
	walk(&wbc);
	cr_expect_eq(nr_written, 4);
	cr_expect(written[0] == 4 && written[1] == 5 && written[2] == 0 && written[3] == 1);
	cr_expect_eq(file_mapping(0)->writeback_index, 2, "page 2 was looked at: it is tagged, though clean");
}

static int count_page(struct page *page, struct writeback_control *wbc, void *data)
{
	nr_written++;
	unlock_page(page);
	return 0;
}

Test(write_cache_pages, a_walk_that_comes_round_takes_a_step_for_each_page_of_the_file)
{
	struct writeback_control wbc = { .nr_to_write = 1000, .range_cyclic = true };

	boot_machine("uma-64m");
	dirty(0, 511);
	file_mapping(0)->writeback_index = 100;
	nr_written = 0;
	work_begin(512);
	write_cache_pages(file_mapping(0), &wbc, count_page, NULL);
	cr_expect_eq(nr_written, 512);
	cr_expect_eq(work_left, 0);
}

Test(write_cache_pages, an_error_ends_the_walk_behind_its_page)
{
	struct writeback_control wbc = { .nr_to_write = 10, .range_cyclic = true };

	boot_machine("uma-64m");
	dirty(0, 5);
	result_of_next = -ENOSPC;
	cr_expect_eq(walk(&wbc), -ENOSPC);
	expect_written(1, 0);
	cr_expect_eq(wbc.nr_to_write, 10, "the page is not charged");
	cr_expect_eq(file_mapping(0)->writeback_index, 1);
}

Test(write_cache_pages, activating_a_page_is_no_error)
{
	struct writeback_control wbc = { .nr_to_write = 10, .range_end = LLONG_MAX };

	boot_machine("uma-64m");
	dirty(0, 2);
	result_of_next = AOP_WRITEPAGE_ACTIVATE;
	cr_expect_eq(walk(&wbc), 0);
	expect_written(3, 0);
}

static int dirty_behind(struct page *page, struct writeback_control *wbc, void *data)
{
	written[nr_written++] = page->index;
	unlock_page(page);
	set_page_dirty(file_page(0, page->index + 1));
	return 0;
}

Test(write_cache_pages, pages_dirtied_behind_its_back_do_not_keep_a_walk_going)
{
	struct writeback_control wbc = { .nr_to_write = 10, .range_end = LLONG_MAX, .sync_mode = WB_SYNC_ALL };

	boot_machine("uma-64m");
	dirty(0, 3);
	nr_written = 0;
	write_cache_pages(file_mapping(0), &wbc, dirty_behind, NULL);
	expect_written(4, 0);
	cr_expect(PageDirty(file_page(0, 4)));
}

Test(write_cache_pages, do_writepages_writes_nothing_without_a_budget)
{
	struct writeback_control wbc = { .nr_to_write = 0, .range_end = LLONG_MAX };

	boot_machine("uma-64m");
	dirty(0, 3);
	cr_expect_eq(do_writepages(file_mapping(0), &wbc), 0);
	cr_expect_eq(global_page_state(NR_WRITEBACK), 0);
}

Test(write_cache_pages, the_budget_of_an_inode_is_a_multiple_of_four_megabytes)
{
	boot_machine("uma-64m");
	global_wb_domain.dirty_limit = 200000;
	cr_expect_eq(writeback_chunk_size(&bdi_devices[0].bdi.wb, MAX_SCHEDULE_TIMEOUT), 13312);
	cr_expect_eq(writeback_chunk_size(&bdi_devices[0].bdi.wb, 1), 1024);
	bdi_devices[0].bdi.wb.avg_write_bandwidth = 1;
	cr_expect_eq(writeback_chunk_size(&bdi_devices[0].bdi.wb, MAX_SCHEDULE_TIMEOUT), 1024);
}

/* write_one_page() on a locked page, as a task of its own would call it. */
struct one_page {
	struct page *page;
	bool wait;
	int ret;
	bool done;
};

static void write_it(void *argument)
{
	struct one_page *one = argument;

	lock_page(one->page);
	one->ret = write_one_page(one->page, one->wait);
	one->done = true;
}

static struct one_page write_one(struct page *page, bool wait)
{
	static struct one_page one;

	one = (struct one_page){ .page = page, .wait = wait };
	task_run(&tasks[1], 0, write_it, &one);
	return one;
}

Test(write_cache_pages, one_page_is_submitted_and_not_waited_for)
{
	struct one_page one;

	boot_machine("uma-64m");
	dirty(0, 0);
	one = write_one(file_page(0, 0), false);
	cr_expect(one.done);
	cr_expect_eq(one.ret, 0);
	cr_expect(PageWriteback(one.page));
	cr_expect(!PageLocked(one.page));
}

Test(write_cache_pages, one_clean_page_is_only_unlocked)
{
	struct one_page one;

	boot_machine("uma-64m");
	one = write_one(file_page(0, 0), true);
	cr_expect(one.done);
	cr_expect_eq(one.ret, 0);
	cr_expect(!PageLocked(one.page) && !PageWriteback(one.page));
}

Test(write_cache_pages, one_page_that_the_file_system_refuses_is_an_error_at_once)
{
	struct one_page one;

	boot_machine("uma-64m");
	dirty(0, 0);
	bdi_devices[0].refuse_every = 1;
	one = write_one(file_page(0, 0), false);
	cr_expect_eq(one.ret, -ENOSPC);
}

/* What a task that waits will return is known when it has woken. */
static struct one_page *write_one_and_wait(struct page *page)
{
	static struct one_page one;

	one = (struct one_page){ .page = page, .wait = true };
	task_run(&tasks[1], 0, write_it, &one);
	cr_expect(!one.done, "it waits for the device");
	tasks_begin(1000, ~0UL);
	tasks_let_time_pass(HZ);
	cr_expect(one.done);
	return &one;
}

Test(write_cache_pages, one_page_that_the_device_cannot_write_is_an_error_for_who_waits)
{
	boot_machine("uma-64m");
	dirty(0, 0);
	bdi_devices[0].error_every = 1;
	cr_expect_eq(write_one_and_wait(file_page(0, 0))->ret, -EIO);
	cr_expect_eq(file_mapping(0)->error, -EIO);
}

/* Expect the error of another's write to stay with the file: this call had nothing to write. */
Test(write_cache_pages, one_page_whose_writeback_failed_before_is_clean_and_no_error)
{
	struct page *page;

	boot_machine("uma-64m");
	dirty(0, 0);
	page = file_page(0, 0);
	bdi_devices[0].error_every = 1;
	write_one(page, false);
	cr_expect_eq(write_one_and_wait(page)->ret, 0);
	cr_expect(PageError(page));
	cr_expect_eq(file_mapping(0)->error, -EIO);
}

/* A file system that puts the page off has written nothing, and that is no error. */
Test(write_cache_pages, one_page_that_is_put_off_stays_dirty_and_is_no_error)
{
	struct one_page one;

	boot_machine("uma-64m");
	dirty(0, 0);
	bdi_devices[0].redirty_every = 1;
	one = write_one(file_page(0, 0), true);
	cr_expect(one.done);
	cr_expect_eq(one.ret, 0);
	cr_expect(PageDirty(one.page) && !PageLocked(one.page));
}
