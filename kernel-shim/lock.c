// SPDX-License-Identifier: GPL-2.0
/*
 * lock.c - spinlocks and mutexes that never wait, because one thread plays every CPU and task: whoever would wait
 * would wait for ever. What is left of a lock is its rules, and breaking one is a LOCKING finding.
 */
#include <linux/compiler.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include "finding.h"

void spin_lock_init(spinlock_t *lock)
{
	*lock = (spinlock_t){ 0 };
}

void spin_lock(spinlock_t *lock)
{
	struct cpu_context *context = this_context();

	if (unlikely(lock->owner))
		finding_raise(FINDING_LOCKING, "spin_lock: held already", "lock", "a CPU that waits here waits for ever",
			      "CPU %d takes a lock that CPU %d holds", current_cpu, lock->owner - 1);
	if (context->irqs_off)
		lock->taken_irqs_off = true;
	else if (unlikely(lock->taken_irqs_off))
		finding_raise(FINDING_LOCKING, "spin_lock: interrupts are on", "lock",
			      "a lock once taken with interrupts off is always taken so",
			      "CPU %d could be interrupted by somebody who wants the lock", current_cpu);
	lock->owner = (unsigned char)(current_cpu + 1);
	context->locks_held++;
}

void spin_unlock(spinlock_t *lock)
{
	if (unlikely(!lock->owner))
		finding_raise(FINDING_LOCKING, "spin_unlock: not held", "lock", NULL,
			      "CPU %d releases a lock that nobody holds", current_cpu);
	if (unlikely(lock->owner != current_cpu + 1))
		finding_raise(FINDING_LOCKING, "spin_unlock: held by another CPU", "lock", NULL,
			      "CPU %d releases a lock that CPU %d holds", current_cpu, lock->owner - 1);
	lock->owner = 0;
	this_context()->locks_held--;
}

void mutex_lock(struct mutex *lock)
{
	might_sleep();
	if (unlikely(lock->owner))
		finding_raise(FINDING_LOCKING, "mutex_lock: held already", "lock", "a task that waits here waits for ever",
			      "%s takes a mutex that %s holds", current->comm, tasks[lock->owner - 1].comm);
	lock->owner = (unsigned char)(current->number + 1);
}

/* Does not sleep, but in an interrupt there is no task that could own the mutex. */
bool mutex_trylock(struct mutex *lock)
{
	if (unlikely(in_interrupt()))
		finding_raise(FINDING_LOCKING, "mutex_trylock: in an interrupt", "lock", NULL,
			      "CPU %d is not in a task", current_cpu);
	if (lock->owner || (lock->busy && lock->busy()))
		return false;
	lock->owner = (unsigned char)(current->number + 1);
	return true;
}

void mutex_unlock(struct mutex *lock)
{
	if (unlikely(lock->owner != current->number + 1))
		finding_raise(FINDING_LOCKING, lock->owner ? "mutex_unlock: held by another task" : "mutex_unlock: not held",
			      "lock", NULL, "%s releases a mutex that %s holds", current->comm,
			      lock->owner ? tasks[lock->owner - 1].comm : "nobody");
	lock->owner = 0;
}
