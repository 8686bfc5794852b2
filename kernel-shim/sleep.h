/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sleep.h - tasks that sleep in the middle of what they do. Each is a fiber while it runs something that may sleep; an
 * operation starts it, simulated time wakes it, and no program ends before all have come to their end.
 */
#ifndef MMFUZZ_SLEEP_H
#define MMFUZZ_SLEEP_H

#include <linux/sched.h>

#define FLUSHERS_MAX 4
#define SLEEPERS_MAX (TASKS_MAX + FLUSHERS_MAX)

/* The kernel threads that write back, one for each device. */
extern struct task_struct flusher_tasks[FLUSHERS_MAX];

void sleep_init(void);

/*
 * task_run - body(argument) as this task on this CPU, until it ends or sleeps for the first time. The task must not be
 * asleep; the caller is no fiber. Returns true when the task sleeps.
 */
bool task_run(struct task_struct *task, int cpu, void (*body)(void *argument), void *argument);
bool task_is_asleep(const struct task_struct *task);
unsigned int tasks_asleep(void);

/*
 * Sleep until wake_up(channel), or for so many jiffies (MAX_SCHEDULE_TIMEOUT: no limit). Outside a fiber, or while
 * pinned, nobody else runs: time passes.
 */
#define MAX_SCHEDULE_TIMEOUT ((long)(~0UL >> 1))
void sleep_on(const void *channel, long timeout_jiffies);
void wake_up(const void *channel);
/* While pinned a fiber does not hand over: an allocation is one step, as it is for the operations that only allocate. */
void task_pin(void);
void task_unpin(void);
/* A fatal signal: killable sleeps end. */
void task_kill(struct task_struct *task);

/*
 * Let n ticks pass, and let tasks run whose time comes. A run has so many wakeups, and each passing of time may cause so
 * much work (tasks_begin); beyond that time stands still and false is returned.
 */
bool tasks_let_time_pass(unsigned long n);
void tasks_begin(unsigned long wakeups, unsigned long work);
/* Run the tasks that are due already. */
void tasks_run_due(void);
/* Kill and run until all have ended; false if some never do. */
bool tasks_finish(unsigned long wakeups);

#endif
