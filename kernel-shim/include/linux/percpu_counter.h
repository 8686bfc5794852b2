/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_PERCPU_COUNTER_H
#define _LINUX_PERCPU_COUNTER_H

#include <linux/kernel.h>
#include <linux/percpu.h>

/*
 * Modelled (percpu_counter.c): a central count and what each CPU holds back. A read of the centre is cheap and wrong by
 * up to num_online_cpus() * (batch - 1). On UP machines nothing is held back, so every read is exact.
 */
struct percpu_counter {
	s64 count;
	s32 counters[NR_CPUS];
};

/* The batch of counters that bring none of their own. */
#define percpu_counter_batch ((int)max(32U, num_online_cpus() * 2))

void percpu_counter_set(struct percpu_counter *counter, s64 amount);
void __percpu_counter_add(struct percpu_counter *counter, s64 amount, int batch);
s64 percpu_counter_sum(const struct percpu_counter *counter);

#define percpu_counter_init(counter, amount) percpu_counter_set(counter, amount)
#define percpu_counter_add(counter, amount) __percpu_counter_add(counter, amount, percpu_counter_batch)

static inline s64 percpu_counter_read(const struct percpu_counter *counter)
{
	return counter->count;
}

static inline s64 percpu_counter_read_positive(const struct percpu_counter *counter)
{
	return max(counter->count, (s64)0);
}

static inline s64 percpu_counter_sum_positive(const struct percpu_counter *counter)
{
	return max(percpu_counter_sum(counter), (s64)0);
}

#endif
