/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_TIMER_H
#define _LINUX_TIMER_H

#include <linux/jiffies.h>
#include <linux/types.h>

/*
 * Modelled (time.c): a function that is called once when its time has come, in the order of the times and then of the
 * arming, never early. A deferrable one may be late: an idle machine does not wake up for it.
 */
enum timer_kind {
	TIMER_IRQ,           /* device interrupts and the like: run wherever time passes */
	TIMER_DEFERRABLE,
	TIMER_TASK,          /* wakes a task: runs only where tasks may run */
};

struct timer_list {
	struct timer_list *next;             /* in order of arming */
	unsigned long expires;               /* jiffies */
	void (*function)(unsigned long data);
	unsigned long data;
	unsigned char kind;                  /* enum timer_kind */
	bool pending;
};

static inline void setup_timer(struct timer_list *timer, void (*function)(unsigned long data), unsigned long data,
			       enum timer_kind kind)
{
	*timer = (struct timer_list){ .function = function, .data = data, .kind = (unsigned char)kind };
}

void mod_timer(struct timer_list *timer, unsigned long expires);
void del_timer(struct timer_list *timer);

static inline bool timer_pending(const struct timer_list *timer)
{
	return timer->pending;
}

#endif
