/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_PREEMPT_H
#define _LINUX_PREEMPT_H

#include <linux/types.h>
#include <linux/cpumask.h>
#include <linux/smp.h>

/* Modelled: what each simulated CPU is in the middle of (cpu.c). */
struct cpu_context {
	bool irqs_off;
	bool in_hardirq;
	bool serving_softirq;
	unsigned int preempt_count;
	unsigned int locks_held;
	unsigned int rcu_depth;
};

extern struct cpu_context cpu_contexts[NR_CPUS];

#define this_context() (&cpu_contexts[smp_processor_id()])
#define in_interrupt() (this_context()->in_hardirq || this_context()->serving_softirq)
#define in_serving_softirq() (this_context()->serving_softirq)

#define preempt_disable() ((void)this_context()->preempt_count++)
#define preempt_enable() ((void)this_context()->preempt_count--)

/* True while the CPU must not sleep. */
bool in_atomic_context(void);

#endif
