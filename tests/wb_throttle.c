// SPDX-License-Identifier: GPL-2.0
/* wb_throttle.c - dirtiers, the throttle and the flusher together, in simulated time (mm/wb_throttle.c). */
#include "tests/support.h"
#include "tests/writeback.h"

/* A task that writes a file round and round until it is killed. */
struct writer {
	unsigned int file;
	unsigned long pages;
	unsigned long written;
};

static void write_file(void *argument)
{
	struct writer *writer = argument;

	while (writer->written < writer->pages && !fatal_signal_pending(current)) {
		struct page *page = file_page(writer->file, writer->written % FILE_PAGES);
		bool newly_dirty;

		lock_page(page);
		newly_dirty = set_page_dirty(page);
		unlock_page(page);
		writer->written++;
		/* Round the end of the file: it writes over what nobody has written back. */
		if (!newly_dirty)
			sleep_on(NULL, 1);
		balance_dirty_pages_ratelimited(file_mapping(writer->file));
	}
}

/* Limits of 800 and 400 pages; one file has 512, so two files are needed to reach them. */
static void boot_with_small_limits(void)
{
	boot_machine("uma-64m");
	kernel = kernel_profile(PROFILE_FIXED);
	dirty_background_bytes_handler(400 * PAGE_SIZE);
	dirty_bytes_handler(800 * PAGE_SIZE);
	tasks_begin(1000000, ~0UL);
}

static unsigned long dirty_pages(void)
{
	return global_page_state(NR_FILE_DIRTY) + global_page_state(NR_WRITEBACK);
}

Test(wb_throttle, nobody_sleeps_below_freerun)
{
	static struct writer writer = { 0, 500, 0 };

	boot_with_small_limits();
	cr_expect(!task_run(&tasks[1], 0, write_file, &writer), "500 dirty pages are below (400 + 800) / 2");
	cr_expect_eq(writer.written, 500);
}

Test(wb_throttle, steady_writers_settle_between_freerun_and_the_limit, .timeout = 60)
{
	static struct writer writers[2] = { { 0, ~0UL, 0 }, { 4, ~0UL, 0 } };
	unsigned long start, most = 0, least = ~0UL;
	unsigned int i;

	boot_with_small_limits();
	bdi_device_set(&bdi_devices[0], 500, 0, 256);
	task_run(&tasks[1], 0, write_file, &writers[0]);
	task_run(&tasks[2], 0, write_file, &writers[1]);
	tasks_let_time_pass(60 * HZ);
	start = bdi_devices[0].written;
	for (i = 0; i < 600; i++) {
		tasks_let_time_pass(HZ / 10);
		most = max(most, dirty_pages());
		least = min(least, dirty_pages());
	}
	cr_expect_leq(most, 850, "%lu pages at most", most);
	cr_expect_geq(least, 400, "%lu pages at least", least);
	cr_expect_geq(bdi_devices[0].written - start, 29000, "the device is kept busy: %lu of 30000 pages",
		      bdi_devices[0].written - start);
	cr_expect(tasks_finish(10000));
}

/* The most that is dirty at any look in so many seconds. */
static unsigned long most_dirty(unsigned int seconds)
{
	unsigned long most = 0;
	unsigned int i;

	for (i = 0; i < 20 * seconds; i++) {
		tasks_let_time_pass(HZ / 20);
		most = max(most, dirty_pages());
	}
	return most;
}

/*
 * The rate begins at 25600 pages a second and comes down by an eighth of the way in 200 ms at best. Until it is near what
 * the device writes, a writer is stopped at the limit and let go below it, and goes as far beyond as it may dirty before
 * it looks again (I31, I32):
 *
 *	limit     /| /| /|
 *	        /  |/ |/  |  \_____
 *	freerun                    setpoint, once the rate is right
 */
Test(wb_throttle, a_slow_device_makes_writers_saw_across_the_limit_until_the_rate_has_come_down, .timeout = 60)
{
	static struct writer writers[2] = { { 0, ~0UL, 0 }, { 4, ~0UL, 0 } };
	unsigned long first, last;

	boot_with_small_limits();
	bdi_device_set(&bdi_devices[0], 100, 0, 256);
	task_run(&tasks[1], 0, write_file, &writers[0]);
	task_run(&tasks[2], 0, write_file, &writers[1]);
	first = most_dirty(20);
	cr_expect(first > 800 && first <= 800 + 2 * 32, "%lu pages at most", first);
	tasks_let_time_pass(300 * HZ);
	last = most_dirty(60);
	cr_expect_leq(last, 800, "%lu pages at most", last);
	cr_expect_leq(bdi_devices[0].bdi.wb.dirty_ratelimit, 400, "%lu pages/s", bdi_devices[0].bdi.wb.dirty_ratelimit);
	cr_expect(tasks_finish(10000));
}

Test(wb_throttle, a_stalled_device_makes_tasks_sleep_max_pause_at_a_time_until_it_recovers, .timeout = 60)
{
	static struct writer writers[2] = { { 0, 5000, 0 }, { 4, 5000, 0 } };
	struct trace_record sleep = { 0 };
	unsigned long number, stuck;

	boot_with_small_limits();
	bdi_device_set(&bdi_devices[0], 0, 0, 256);
	task_run(&tasks[1], 0, write_file, &writers[0]);
	task_run(&tasks[2], 0, write_file, &writers[1]);
	tasks_let_time_pass(100 * HZ);
	stuck = writers[0].written + writers[1].written;
	cr_expect(task_is_asleep(&tasks[1]) || task_is_asleep(&tasks[2]));
	for (number = 0; number < trace_count; number++) {
		const struct trace_record *record = trace_get(number);

		if (record && record->kind == TRACE_BALANCE_PAUSE)
			cr_assert_leq((long)record->a, (long)MAX_PAUSE);
	}
	cr_expect_gt(count_trace(TRACE_TASK_SLEEP, &sleep), 100);
	bdi_device_set(&bdi_devices[0], 5000, 0, 256);
	tasks_let_time_pass(100 * HZ);
	cr_expect_gt(writers[0].written + writers[1].written, stuck + 1000);
	cr_expect(tasks_finish(10000));
}

Test(wb_throttle, a_killed_task_leaves_after_its_sleep)
{
	static struct writer writers[2] = { { 0, 5000, 0 }, { 4, 5000, 0 } };

	boot_with_small_limits();
	bdi_device_set(&bdi_devices[0], 0, 0, 256);
	task_run(&tasks[1], 0, write_file, &writers[0]);
	task_run(&tasks[2], 0, write_file, &writers[1]);
	tasks_let_time_pass(10 * HZ);
	cr_assert(task_is_asleep(&tasks[2]));
	task_kill(&tasks[2]);
	tasks_run_due();
	cr_expect(!task_is_asleep(&tasks[2]));
}

Test(wb_throttle, the_flusher_brings_dirty_pages_below_the_background_limit)
{
	static struct writer writer = { 0, 500, 0 };

	boot_with_small_limits();
	task_run(&tasks[1], 0, write_file, &writer);
	cr_expect_eq(global_page_state(NR_FILE_DIRTY), 500);
	tasks_let_time_pass(HZ);
	cr_expect_leq(global_page_state(NR_FILE_DIRTY), 400);
	cr_expect(!wb_over_bg_thresh(&bdi_devices[0].bdi.wb));
}

Test(wb_throttle, old_pages_are_written_when_dirty_expire_is_over)
{
	static struct writer writer = { 0, 10, 0 };

	boot_with_small_limits();
	/* With no share at all the device would be written at the first look, after five seconds. */
	percpu_counter_set(&bdi_devices[0].bdi.wb.completions.events, 1);
	task_run(&tasks[1], 0, write_file, &writer);
	tasks_let_time_pass(29 * HZ);
	cr_expect_eq(global_page_state(NR_FILE_DIRTY), 10);
	tasks_let_time_pass(7 * HZ);
	cr_expect_eq(global_page_state(NR_FILE_DIRTY), 0);
	cr_expect_eq(bdi_devices[0].written, 10);
}

Test(wb_throttle, pages_of_a_task_that_exits_are_paid_by_the_next_on_its_cpu)
{
	static struct writer writer = { 0, 10, 0 };

	boot_with_small_limits();
	dirty_throttle_leaks[0] = 20;
	task_run(&tasks[1], 0, write_file, &writer);
	cr_expect_eq(dirty_throttle_leaks[0], 0);
	cr_expect_eq(tasks[1].nr_dirtied, 30);
}

Test(wb_throttle, reclaim_without_io_waits_a_tenth_of_a_second_once)
{
	struct zone *zone;
	unsigned long before;

	boot_with_small_limits();
	zone = &NODE_DATA(0)->node_zones[ZONE_NORMAL];
	mod_zone_page_state(zone, NR_WRITEBACK, 881);
	before = jiffies;
	throttle_vm_writeout(GFP_NOFS);
	cr_expect_eq(jiffies - before, HZ / 10);
	mod_zone_page_state(zone, NR_WRITEBACK, -1);
	throttle_vm_writeout(GFP_NOFS);
	cr_expect_eq(jiffies - before, HZ / 10, "880 is 1.1 times the limit");
}

Test(wb_throttle, a_ratio_of_zero_is_reachable_and_clean_memory_runs_free)
{
	static struct writer writer = { 0, 0, 0 };

	boot_machine("uma-64m");
	kernel = kernel_profile(PROFILE_FIXED);
	dirty_ratio_handler(0);
	cr_expect_eq(vm_dirty_bytes, 0);
	cr_expect_eq(vm_dirty_ratio, 0);
	current->nr_dirtied = 100;
	balance_dirty_pages_ratelimited(file_mapping(writer.file));
	cr_expect_eq(count_trace(TRACE_TASK_SLEEP, NULL), 0);
	cr_expect_eq(current->nr_dirtied, 0);
}

Test(wb_throttle, tunables_change_each_other_as_the_handlers_say)
{
	boot_machine("uma-64m");
	kernel = kernel_profile(PROFILE_V4_7_RC1);
	cr_expect_eq(dirty_ratio_handler(101), -EINVAL);
	cr_expect_eq(dirty_bytes_handler(8191), 0);
	cr_expect_eq(vm_dirty_bytes, 0, "less than two pages is skipped in silence");
	dirty_bytes_handler(8192);
	cr_expect(vm_dirty_bytes == 8192 && vm_dirty_ratio == 0);
	dirty_ratio_handler(0);
	cr_expect_eq(vm_dirty_bytes, 8192, "0 was the value already");
	dirty_background_bytes_handler(0);
	cr_expect(dirty_background_bytes == 0 && dirty_background_ratio == 0);
	dirty_writeback_centisecs_handler(-1);
	cr_expect_eq(dirty_writeback_interval, 4294967295U);
}
