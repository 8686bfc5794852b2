// SPDX-License-Identifier: GPL-2.0
/*
 * percpu_counter.c - counters that many CPUs add to (page-writeback specification 1.6). They live in the world, so they
 * need no allocation and no list of all of them: CPUs do not come and go.
 */
#include <linux/irqflags.h>
#include <linux/percpu_counter.h>

void percpu_counter_set(struct percpu_counter *counter, s64 amount)
{
	*counter = (struct percpu_counter){ .count = amount };
}

void __percpu_counter_add(struct percpu_counter *counter, s64 amount, int batch)
{
	unsigned long flags;
	s32 *local;
	s64 count;

	if (!machine->smp) {
		counter->count += amount;
		return;
	}
	local_irq_save(flags);
	local = &counter->counters[smp_processor_id()];
	count = *local + amount;
	if (count >= batch || count <= -batch) {
		counter->count += count;
		*local = 0;
	} else {
		*local = (s32)count;
	}
	local_irq_restore(flags);
}

s64 percpu_counter_sum(const struct percpu_counter *counter)
{
	s64 sum = counter->count;
	int cpu;

	for_each_online_cpu(cpu)
		sum += counter->counters[cpu];
	return sum;
}
