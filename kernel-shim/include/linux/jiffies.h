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

/* Start at the low word that the machine says. */
void time_init(void);
/* Let n ticks pass; each second that ends folds the counter deltas of every CPU, as the vmstat workers do. */
void jiffies_advance(unsigned long n);

#endif
