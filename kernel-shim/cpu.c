// SPDX-License-Identifier: GPL-2.0
/*
 * cpu.c - the simulated CPUs: which one runs, and what each is in the middle of.
 *
 * One thread plays all of them in turn. A CPU only changes hands inside on_cpu(), so a remote call is complete when
 * it returns, as on_each_cpu() with wait is in Linux.
 */
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include "finding.h"

__world int current_cpu;
__world struct cpu_context cpu_contexts[NR_CPUS];

bool in_atomic_context(void)
{
	const struct cpu_context *context = this_context();

	return context->irqs_off || context->in_hardirq || context->serving_softirq || context->preempt_count ||
	       context->locks_held || context->rcu_depth;
}

unsigned long irq_save(void)
{
	struct cpu_context *context = this_context();
	unsigned long flags = context->irqs_off;

	context->irqs_off = true;
	return flags;
}

void irq_restore(unsigned long flags)
{
	struct cpu_context *context = this_context();

	if (flags > 1)
		finding_raise(FINDING_LOCKING, "irq_restore: not a saved state", "irq", NULL,
			      "CPU %d restores %#lx, which no irq_save() returned", current_cpu, flags);
	if (!context->irqs_off)
		finding_raise(FINDING_LOCKING, "irq_restore: interrupts are on already", "irq",
			      "each irq_restore() ends what one irq_save() began",
			      "CPU %d restores %lu with interrupts on", current_cpu, flags);
	context->irqs_off = flags;
}

void on_cpu(int cpu, void (*func)(void *info), void *info)
{
	int caller = current_cpu;
	unsigned long flags;

	CHECK(cpu >= 0 && cpu < (int)num_online_cpus(), "CPU %d of %u", cpu, num_online_cpus());
	current_cpu = cpu;
	flags = irq_save();
	func(info);
	irq_restore(flags);
	current_cpu = caller;
}
