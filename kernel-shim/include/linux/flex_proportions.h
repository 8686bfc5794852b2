/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_FLEX_PROPORTIONS_H
#define _LINUX_FLEX_PROPORTIONS_H

#include <linux/log2.h>
#include <linux/percpu_counter.h>
#include <linux/spinlock.h>

/*
 * Modelled (mm/flex_proportions.c): what part of all recent events was ours, where events count half as much with each
 * period that has passed.
 */
#define FPROP_FRAC_SHIFT 10
#define FPROP_FRAC_BASE (1UL << FPROP_FRAC_SHIFT)
#define PROP_BATCH (8 * (1 + ilog2(nr_cpu_ids)))

struct fprop_global {
	struct percpu_counter events;        /* aged events of all, at least 1 at first */
	unsigned int period;                 /* periods that have passed */
};

struct fprop_local_percpu {
	struct percpu_counter events;        /* aged events of one, as of `period` */
	unsigned int period;
	spinlock_t lock;                     /* period, and ageing the events */
};

void fprop_global_init(struct fprop_global *p);
void fprop_local_init_percpu(struct fprop_local_percpu *pl);
/* Let `periods` periods pass. False, with nothing changed, when hardly any event is left to age. */
bool fprop_new_period(struct fprop_global *p, int periods);
/* Count an event, unless ours are already more than max_frac (of FPROP_FRAC_BASE) of all. */
void __fprop_inc_percpu_max(struct fprop_global *p, struct fprop_local_percpu *pl, unsigned int max_frac);
/* Our fraction: 0 <= numerator <= denominator, denominator >= 1. */
void fprop_fraction_percpu(struct fprop_global *p, struct fprop_local_percpu *pl, unsigned long *numerator,
			   unsigned long *denominator);

#endif
