// SPDX-License-Identifier: GPL-2.0
/*
 * sleep.c - tasks that sleep (sleep.h), over the fibers of the host.
 *
 * Fiber n is task n, and after the tasks come the flushers. Only the thread's own stack starts and resumes fibers, and
 * only where an operation lets time pass or is about to begin: everywhere else a wakeup waits for that.
 */
#include <linux/timer.h>
#include <linux/pagemap.h>
#include <asm/work_budget.h>
#include "finding.h"
#include "host.h"
#include "sleep.h"
#include "trace.h"

struct sleeper {
	struct timer_list timer;             /* wakes it */
	const void *channel;                 /* what it waits for; NULL = for time alone */
	void (*body)(void *argument);
	void *argument;
	int cpu;
	bool alive;                          /* has a fiber */
	bool asleep;
	bool killable;
};

_Static_assert(SLEEPERS_MAX <= HOST_FIBERS_MAX, "a fiber for each task");
_Static_assert(SLEEPERS_MAX <= 32, "a bit in a word for each task");

__world struct task_struct flusher_tasks[FLUSHERS_MAX];
__world static struct sleeper sleepers[SLEEPERS_MAX];
__world static unsigned int nr_asleep;
__world static unsigned int waiting;         /* those on a channel, a bit each */
__world static unsigned int pinned;
__world static unsigned long wakeups_left;
__world static unsigned long work_each_time;

void (*page_cache_freed)(struct page *page);

static struct task_struct *task_of(unsigned int number)
{
	return number < TASKS_MAX ? &tasks[number] : &flusher_tasks[number - TASKS_MAX];
}

static struct sleeper *sleeper_of(const struct task_struct *task)
{
	return &sleepers[task->number];
}

/* Take the CPU as this task, on its fiber, and give it back to whoever had it. */
static void run_as(struct task_struct *task, int (*run)(unsigned int number))
{
	struct sleeper *sleeper = sleeper_of(task);
	struct task_struct *old_task = current_task;
	int old_cpu = current_cpu;

	current_task = task;
	current_cpu = sleeper->cpu;
	sleeper->alive = run(task->number);
	current_task = old_task;
	current_cpu = old_cpu;
}

static int start_fiber(unsigned int number)
{
	return host_fiber_start(number, sleepers[number].body, sleepers[number].argument);
}

static void wake_task(unsigned long number)
{
	struct sleeper *sleeper = &sleepers[number];

	CHECK(sleeper->asleep, "task %lu wakes and was not asleep", number);
	sleeper->asleep = false;
	sleeper->channel = NULL;
	waiting &= ~(1U << number);
	nr_asleep--;
	if (wakeups_left)
		wakeups_left--;
	trace_emit(TRACE_TASK_WAKE, number, 0, 0, 0);
	run_as(task_of((unsigned int)number), host_fiber_resume);
}

void sleep_init(void)
{
	unsigned int i;

	for (i = 0; i < SLEEPERS_MAX; i++)
		setup_timer(&sleepers[i].timer, wake_task, i, TIMER_TASK);
	for (i = 0; i < FLUSHERS_MAX; i++)
		flusher_tasks[i] = (struct task_struct){
			.flags = PF_KTHREAD | PF_WQ_WORKER,
			.prio = DEFAULT_PRIO,
			.number = (unsigned char)(TASKS_MAX + i),
			.comm = { 'f', 'l', 'u', 's', 'h', (char)('0' + i) },
			.mems_allowed = { (1UL << nr_online_nodes) - 1 },
			.nr_dirtied_pause = INITIAL_NR_DIRTIED_PAUSE,
		};
}

bool task_run(struct task_struct *task, int cpu, void (*body)(void *argument), void *argument)
{
	struct sleeper *sleeper = sleeper_of(task);

	CHECK(!sleeper->alive && host_fiber_current() < 0, "%s is busy", task->comm);
	sleeper->body = body;
	sleeper->argument = argument;
	sleeper->cpu = cpu;
	run_as(task, start_fiber);
	return sleeper->alive;
}

bool task_is_asleep(const struct task_struct *task)
{
	return sleeper_of(task)->asleep;
}

unsigned int tasks_asleep(void)
{
	return nr_asleep;
}

static void go_to_sleep(const void *channel, long timeout_jiffies, bool killable)
{
	struct sleeper *sleeper = sleeper_of(current);

	might_sleep();
	if (host_fiber_current() < 0 || pinned) {
		jiffies_advance(timeout_jiffies == MAX_SCHEDULE_TIMEOUT ? 1 : (unsigned long)timeout_jiffies);
		return;
	}
	trace_emit(TRACE_TASK_SLEEP, current->number, (unsigned long)timeout_jiffies, killable, 0);
	sleeper->channel = channel;
	waiting |= (unsigned int)(channel != NULL) << current->number;
	sleeper->killable = killable;
	sleeper->asleep = true;
	nr_asleep++;
	if (timeout_jiffies != MAX_SCHEDULE_TIMEOUT)
		mod_timer(&sleeper->timer, jiffies + (unsigned long)timeout_jiffies);
	host_fiber_park();
}

void sleep_on(const void *channel, long timeout_jiffies)
{
	go_to_sleep(channel, timeout_jiffies, false);
}

void io_schedule_timeout_killable(long timeout_jiffies)
{
	if (!fatal_signal_pending(current))
		go_to_sleep(NULL, timeout_jiffies, true);
}

static void wake(struct sleeper *sleeper)
{
	if (sleeper->asleep && (!timer_pending(&sleeper->timer) || time_after(sleeper->timer.expires, jiffies)))
		mod_timer(&sleeper->timer, jiffies);
}

void wake_up(const void *channel)
{
	unsigned int left;

	for (left = waiting; left; left &= left - 1) {
		struct sleeper *sleeper = &sleepers[__ffs(left)];

		if (sleeper->channel == channel)
			wake(sleeper);
	}
}

void task_pin(void)
{
	pinned++;
}

void task_unpin(void)
{
	pinned--;
}

void task_kill(struct task_struct *task)
{
	task->fatal_signal = true;
	if (sleeper_of(task)->killable)
		wake(sleeper_of(task));
}

/*
 * Time.
 */
void tasks_begin(unsigned long wakeups, unsigned long work)
{
	wakeups_left = wakeups;
	work_each_time = work;
}

bool tasks_let_time_pass(unsigned long n)
{
	return time_let_tasks_run(jiffies + n, &wakeups_left, work_each_time);
}

void tasks_run_due(void)
{
	if (time_tasks_due())
		tasks_let_time_pass(0);
}

bool tasks_finish(unsigned long wakeups)
{
	unsigned int i;

	wakeups_left = wakeups;
	for (i = 0; i < TASKS_MAX; i++)
		if (sleepers[i].asleep)
			task_kill(&tasks[i]);
	while (nr_asleep && wakeups_left)
		tasks_let_time_pass(HZ);
	return !nr_asleep;
}

/*
 * Pages that tasks wait for.
 */
bool trylock_page(struct page *page)
{
	if (PageLocked(page))
		return false;
	SetPageLocked(page);
	return true;
}

void lock_page(struct page *page)
{
	might_sleep();
	while (!trylock_page(page)) {
		work_charge("lock_page");
		sleep_on(page, MAX_SCHEDULE_TIMEOUT);
	}
}

void unlock_page(struct page *page)
{
	BUG_ON(!PageLocked(page));
	ClearPageLocked(page);
	wake_up(page);
}

void wait_on_page_writeback(struct page *page)
{
	while (PageWriteback(page)) {
		work_charge("wait_on_page_writeback");
		sleep_on(page, MAX_SCHEDULE_TIMEOUT);
	}
}

void wake_up_page(struct page *page)
{
	wake_up(page);
}

void page_cache_release(struct page *page)
{
	if (page_cache_freed && page_ref_count(page) == 1)
		page_cache_freed(page);
	put_page(page);
}
