// SPDX-License-Identifier: GPL-2.0
/*
 * host_rcu.c - RCU over liburcu, memb flavour: the only one whose read side is a few instructions and whose updaters
 * notice an unbalanced reader. A thread is registered the first time it takes part, and stays so for its life.
 * call_rcu callbacks run on liburcu's own thread, so nothing that must be deterministic may depend on when.
 */
/* Inline read side: this file is GPL, which the header asks for. */
#define _LGPL_SOURCE
#include <stdlib.h>
#include <urcu/urcu-memb.h>

#include "host.h"

struct deferred_call {
	struct rcu_head head;
	void (*function)(void *argument);
	void *argument;
};

static _Thread_local _Bool registered;

static inline void register_thread(void)
{
	if (__builtin_expect(!registered, 0)) {
		urcu_memb_register_thread();
		registered = 1;
	}
}

void host_rcu_read_lock(void)
{
	register_thread();
	urcu_memb_read_lock();
}

void host_rcu_read_unlock(void)
{
	urcu_memb_read_unlock();
}

void host_synchronize_rcu(void)
{
	register_thread();
	urcu_memb_synchronize_rcu();
}

static void run_deferred_call(struct rcu_head *head)
{
	struct deferred_call *call = caa_container_of(head, struct deferred_call, head);

	call->function(call->argument);
	free(call);
}

void host_call_rcu(void (*function)(void *argument), void *argument)
{
	struct deferred_call *call = malloc(sizeof(*call));

	if (!call)
		host_panic("no memory for a deferred call");
	register_thread();
	call->function = function;
	call->argument = argument;
	urcu_memb_call_rcu(&call->head, run_deferred_call);
}

void host_rcu_barrier(void)
{
	register_thread();
	urcu_memb_barrier();
}
