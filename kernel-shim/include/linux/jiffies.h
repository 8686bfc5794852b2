/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_JIFFIES_H
#define _LINUX_JIFFIES_H

#include <linux/types.h>
#include "machine.h"
#include "world.h"

/* Modelled: simulated time (time.c). It moves only when an operation or a sleep says so. */
extern unsigned long jiffies;
#define HZ ((unsigned long)machine->hz)

#define time_after(a, b) ((long)((b) - (a)) < 0)
#define time_before(a, b) time_after(b, a)
#define time_after_eq(a, b) ((long)((a) - (b)) >= 0)
#define time_before_eq(a, b) time_after_eq(b, a)

static inline unsigned long msecs_to_jiffies(unsigned int ms)
{
	return ((unsigned long)ms * HZ + 999) / 1000;
}

/* Start where the machine says. */
void time_init(void);
/*
 * Let n ticks pass: timers fire, but no task runs (sleep.h). Each second that ends folds the counter deltas of every
 * CPU, as the vmstat workers do.
 */
void jiffies_advance(unsigned long n);
/* The same on an idle machine: deferrable timers are as late as can be. */
void jiffies_advance_idle(unsigned long n);
/* Until `now` with tasks; false when a task would be next, but *wakeups_left is 0 or more than `work` has been charged. */
bool time_let_tasks_run(unsigned long now, const unsigned long *wakeups_left, unsigned long work);
/* A task waits to be woken. */
bool time_tasks_due(void);

#endif
