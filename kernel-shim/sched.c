// SPDX-License-Identifier: GPL-2.0
/*
 * sched.c - the simulated tasks, and sleeping.
 *
 * Tasks are what mm asks about: flags, priority, memory nodes. They do not run by themselves; an operation says who
 * it is. Every function here that may sleep checks the context first, and is where another task may run one day.
 */
#include <linux/cpuset.h>
#include <linux/gfp.h>
#include <linux/sched.h>
#include "finding.h"
#include "trace.h"

__world struct task_struct tasks[TASKS_MAX];
__world struct task_struct *current_task = tasks;

void sched_init(void)
{
	unsigned int i;

	for (i = 0; i < TASKS_MAX; i++) {
		tasks[i] = (struct task_struct){
			.prio = DEFAULT_PRIO,
			.number = (unsigned char)i,
			.comm = { 't', 'a', 's', 'k', (char)('0' + i) },
			.mems_allowed = { (1UL << nr_online_nodes) - 1 },
			.nr_dirtied_pause = INITIAL_NR_DIRTIED_PAUSE,
		};
	}
	current_task = &tasks[0];
}

void might_sleep(void)
{
	const struct cpu_context *context = this_context();

	if (unlikely(in_atomic_context()))
		finding_raise(FINDING_LOCKING, "might_sleep: in atomic context", "sched",
			      "nothing sleeps with interrupts off, in an interrupt, under a spinlock or in an RCU reader",
			      "CPU %d: irqs off %d, hardirq %d, softirq %d, preempt count %u, locks %u, RCU depth %u",
			      current_cpu, context->irqs_off, context->in_hardirq, context->serving_softirq,
			      context->preempt_count, context->locks_held, context->rcu_depth);
}

void cond_resched(void)
{
	might_sleep();
}

void schedule_timeout_uninterruptible(long timeout_jiffies)
{
	might_sleep();
	trace_emit(TRACE_SLEEP, (unsigned long)timeout_jiffies, 0, 0, 0);
	jiffies_advance((unsigned long)timeout_jiffies);
}

gfp_t memalloc_noio_flags(gfp_t flags)
{
	if (current->flags & PF_MEMALLOC_NOIO)
		flags &= ~(__GFP_IO | __GFP_FS);
	return flags;
}
