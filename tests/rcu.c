// SPDX-License-Identifier: GPL-2.0
/* rcu.c - read-side sections are counted for each CPU, and callbacks run (kernel-shim/rcu.c, host_rcu.c). */
#include "tests/support.h"

static void leave_reader(void *argument)
{
	rcu_read_unlock();
}

static void wait_for_readers(void *argument)
{
	synchronize_rcu();
}

static void fail_inside_readers(void *argument)
{
	rcu_read_lock();
	rcu_read_lock();
	BUG();
}

Test(rcu, readers_nest)
{
	rcu_read_lock();
	rcu_read_lock();
	cr_expect_eq(cpu_contexts[0].rcu_depth, 2);
	rcu_read_unlock();
	cr_expect(in_atomic_context());
	rcu_read_unlock();
	cr_expect_not(in_atomic_context());
}

Test(rcu, leaving_a_reader_that_was_not_entered_is_a_finding)
{
	expect_finding(FINDING_LOCKING, "rcu_read_unlock: without a lock", leave_reader, NULL);
}

Test(rcu, waiting_for_readers_inside_a_reader_is_a_finding_and_not_a_deadlock)
{
	rcu_read_lock();
	expect_finding(FINDING_LOCKING, "might_sleep: in atomic context", wait_for_readers, NULL);
}

Test(rcu, a_run_that_is_unwound_inside_readers_has_left_them, .timeout = 20)
{
	expect_finding(FINDING_BUG, "fail_inside_readers: BUG()", fail_inside_readers, NULL);
	cr_expect_eq(cpu_contexts[0].rcu_depth, 0);
	synchronize_rcu();
}

struct counted {
	struct rcu_head head;
	int calls;
};

static void count_call(struct rcu_head *head)
{
	container_of(head, struct counted, head)->calls++;
}

Test(rcu, callbacks_have_run_after_a_barrier, .timeout = 20)
{
	struct counted first = { .calls = 0 };
	struct counted second = { .calls = 0 };

	call_rcu(&first.head, count_call);
	call_rcu(&second.head, count_call);
	rcu_barrier();
	cr_expect_eq(first.calls, 1);
	cr_expect_eq(second.calls, 1);
}
