// SPDX-License-Identifier: GPL-2.0
/* sleep.c - tasks that sleep and wake in simulated time (kernel-shim/sleep.c, host_fiber.c) and timers (time.c). */
#include "tests/support.h"
#include "tests/writeback.h"

static char order[32];
static unsigned int nr_order;

static void note(char c)
{
	order[nr_order++] = c;
}

static void nap(void *argument)
{
	long *jiffies_each = argument;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		note((char)('0' + current->number));
		sleep_on(NULL, *jiffies_each);
	}
	note((char)('a' + current->number));
}

Test(sleep, tasks_wake_in_the_order_of_time)
{
	static long three = 3, five = 5;

	boot_machine("uma-64m");
	tasks_begin(100, ~0UL);
	cr_expect(task_run(&tasks[1], 0, nap, &five));
	cr_expect(task_run(&tasks[2], 0, nap, &three));
	cr_expect_eq(tasks_asleep(), 2);
	tasks_let_time_pass(100);
	cr_expect_str_eq(order, "1221cb", "%s", order);
	cr_expect_eq(tasks_asleep(), 0);
	cr_expect_eq(current, &tasks[0], "whoever let time pass is himself again");
}

Test(sleep, time_stands_still_when_the_wakeups_are_used_up)
{
	static long one = 1;

	boot_machine("uma-64m");
	tasks_begin(1, ~0UL);
	task_run(&tasks[1], 0, nap, &one);
	cr_expect(!tasks_let_time_pass(1000));
	cr_expect(task_is_asleep(&tasks[1]));
	cr_expect(tasks_finish(10));
}

static void wait_for_page(void *page)
{
	lock_page(page);
	note('L');
	unlock_page(page);
}

Test(sleep, a_task_waits_for_the_lock_of_a_page)
{
	struct page *page;

	boot_machine("uma-64m");
	tasks_begin(100, ~0UL);
	page = file_page(0, 0);
	lock_page(page);
	cr_expect(task_run(&tasks[1], 0, wait_for_page, page));
	tasks_let_time_pass(1000);
	cr_expect_eq(nr_order, 0);
	unlock_page(page);
	tasks_run_due();
	cr_expect_str_eq(order, "L");
}

static void fail(void *argument)
{
	sleep_on(NULL, 1);
	BUG();
}

static void run_into_bug(void *argument)
{
	task_run(&tasks[1], 0, fail, NULL);
	tasks_let_time_pass(1);
}

Test(sleep, a_bug_inside_a_task_ends_the_run_that_woke_it)
{
	boot_machine("uma-64m");
	tasks_begin(100, ~0UL);
	expect_finding(FINDING_BUG, "fail: BUG()", run_into_bug, NULL);
	cr_expect_eq(host_fiber_current(), -1);
}

static char fired[8];
static unsigned int nr_fired;

static void fire(unsigned long data)
{
	fired[nr_fired++] = (char)data;
}

Test(sleep, timers_fire_in_order_and_deferrable_ones_may_be_late)
{
	static struct timer_list a, b, c;

	boot_machine("uma-64m");
	setup_timer(&a, fire, 'a', TIMER_IRQ);
	setup_timer(&b, fire, 'b', TIMER_IRQ);
	setup_timer(&c, fire, 'c', TIMER_DEFERRABLE);
	mod_timer(&a, jiffies + 7);
	mod_timer(&b, jiffies + 5);
	mod_timer(&c, jiffies + 1);
	jiffies_advance_idle(4);
	cr_expect_str_eq(fired, "c", "time ends, and with it the idleness");
	jiffies_advance(4);
	cr_expect_str_eq(fired, "cba");
}
