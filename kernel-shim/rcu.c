// SPDX-License-Identifier: GPL-2.0
/*
 * rcu.c - RCU over liburcu (host_rcu.c), with the depth of readers kept for each simulated CPU.
 *
 * The depth is part of the world, what liburcu knows is not: a run that is unwound inside a reader must leave it
 * there as well, which rcu_read_abandon() does.
 */
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include "finding.h"
#include "host.h"

void rcu_read_lock(void)
{
	this_context()->rcu_depth++;
	host_rcu_read_lock();
}

void rcu_read_unlock(void)
{
	struct cpu_context *context = this_context();

	if (unlikely(!context->rcu_depth))
		finding_raise(FINDING_LOCKING, "rcu_read_unlock: without a lock", "rcu", NULL,
			      "CPU %d is not in a reader", current_cpu);
	host_rcu_read_unlock();
	context->rcu_depth--;
}

void rcu_read_abandon(void)
{
	int cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++)
		for (; cpu_contexts[cpu].rcu_depth; cpu_contexts[cpu].rcu_depth--)
			host_rcu_read_unlock();
}

void synchronize_rcu(void)
{
	might_sleep();
	host_synchronize_rcu();
}

static void run_callback(void *argument)
{
	struct rcu_head *head = argument;

	head->func(head);
}

void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	head->func = func;
	host_call_rcu(run_callback, head);
}

void rcu_barrier(void)
{
	might_sleep();
	host_rcu_barrier();
}
