// SPDX-License-Identifier: GPL-2.0
/*
 * flex_proportions.c - floating proportions (page-writeback specification 6.2; lib/ in Linux).
 *
 * The global count is aged when a period ends, each local one when somebody looks at it next. Left out: the sequence
 * counter that lets readers race with a new period, since nothing runs in the middle of a read here.
 */
#include <linux/flex_proportions.h>
#include "internal.h"

void fprop_global_init(struct fprop_global *p)
{
	p->period = 0;
	percpu_counter_init(&p->events, 1);
}

void fprop_local_init_percpu(struct fprop_local_percpu *pl)
{
	percpu_counter_init(&pl->events, 0);
	pl->period = 0;
	spin_lock_init(&pl->lock);
}

bool fprop_new_period(struct fprop_global *p, int periods)
{
	s64 events = percpu_counter_sum(&p->events);

	if (events <= 1)
		return false;
	if (periods < BITS_PER_LONG)
		events -= events >> periods;
	percpu_counter_add(&p->events, -events);
	p->period += (unsigned int)periods;
	return true;
}

/* Age our events by `periods`; cheap reads do while they are far from what the CPUs may hold back. */
static void age_local_events(struct fprop_local_percpu *pl, unsigned int periods)
{
	s64 events;

	if (periods >= BITS_PER_LONG) {
		percpu_counter_set(&pl->events, 0);
		return;
	}
	events = percpu_counter_read(&pl->events);
	if (events < (s64)(nr_cpu_ids * PROP_BATCH))
		events = percpu_counter_sum(&pl->events);
	__percpu_counter_add(&pl->events, -events + (events >> periods), PROP_BATCH);
}

static void fprop_reflect_period_percpu(struct fprop_global *p, struct fprop_local_percpu *pl)
{
	unsigned long flags;

	if (pl->period == p->period)
		return;
	spin_lock_irqsave(&pl->lock, flags);
	if (pl->period < p->period) {
		age_local_events(pl, p->period - pl->period);
		pl->period = p->period;
	}
	spin_unlock_irqrestore(&pl->lock, flags);
}

void fprop_fraction_percpu(struct fprop_global *p, struct fprop_local_percpu *pl, unsigned long *numerator,
			   unsigned long *denominator)
{
	s64 num, den;

	fprop_reflect_period_percpu(p, pl);
	num = percpu_counter_read_positive(&pl->events);
	den = percpu_counter_read_positive(&p->events);
	/* Counts that drift apart must not make more than all of us. */
	if (den <= num)
		den = num ? num : 1;
	*numerator = (unsigned long)num;
	*denominator = (unsigned long)den;
}

void __fprop_inc_percpu_max(struct fprop_global *p, struct fprop_local_percpu *pl, unsigned int max_frac)
{
	unsigned long numerator, denominator;

	if (max_frac < FPROP_FRAC_BASE) {
		fprop_fraction_percpu(p, pl, &numerator, &denominator);
		if (numerator > (u64)denominator * max_frac >> FPROP_FRAC_SHIFT)
			return;
	} else {
		fprop_reflect_period_percpu(p, pl);
	}
	__percpu_counter_add(&pl->events, 1, PROP_BATCH);
	percpu_counter_add(&p->events, 1);
}
