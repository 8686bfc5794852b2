// SPDX-License-Identifier: GPL-2.0
/* lock.c - spinlocks and mutexes check their rules (kernel-shim/lock.c). */
#include "tests/support.h"

static spinlock_t lock;
static struct mutex mutex;
static struct mutex other_mutex;

static void take_lock(void *argument)
{
	spin_lock(&lock);
}

static void release_lock(void *argument)
{
	spin_unlock(&lock);
}

static void take_mutex(void *argument)
{
	mutex_lock(&mutex);
}

static void try_mutex(void *argument)
{
	mutex_trylock(&mutex);
}

static void release_mutex(void *argument)
{
	mutex_unlock(&mutex);
}

Test(lock, a_lock_is_held_between_lock_and_unlock)
{
	spin_lock(&lock);
	cr_expect(spin_is_locked(&lock));
	cr_expect_eq(cpu_contexts[0].locks_held, 1);
	spin_unlock(&lock);
	cr_expect_not(spin_is_locked(&lock));
	cr_expect_eq(cpu_contexts[0].locks_held, 0);
}

Test(lock, taking_a_held_lock_is_a_finding)
{
	spin_lock(&lock);
	expect_finding(FINDING_LOCKING, "spin_lock: held already", take_lock, NULL);
}

Test(lock, releasing_a_free_lock_is_a_finding)
{
	expect_finding(FINDING_LOCKING, "spin_unlock: not held", release_lock, NULL);
}

Test(lock, releasing_the_lock_of_another_cpu_is_a_finding)
{
	boot_machine("numa2");
	on_cpu(1, take_lock, NULL);
	expect_finding(FINDING_LOCKING, "spin_unlock: held by another CPU", release_lock, NULL);
}

Test(lock, a_lock_once_taken_with_interrupts_off_must_not_be_taken_with_them_on)
{
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	spin_unlock_irqrestore(&lock, flags);
	expect_finding(FINDING_LOCKING, "spin_lock: interrupts are on", take_lock, NULL);
}

Test(lock, a_lock_always_taken_with_interrupts_on_is_fine)
{
	spin_lock(&lock);
	spin_unlock(&lock);
	spin_lock(&lock);
	spin_unlock(&lock);
}

Test(lock, an_initialised_lock_has_forgotten_how_it_was_taken)
{
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	spin_unlock_irqrestore(&lock, flags);
	spin_lock_init(&lock);
	spin_lock(&lock);
	spin_unlock(&lock);
}

Test(lock, trying_a_held_mutex_fails_and_a_free_one_succeeds)
{
	boot_machine("tiny");
	cr_expect(mutex_trylock(&mutex));
	cr_expect_not(mutex_trylock(&mutex));
	mutex_unlock(&mutex);
	cr_expect(mutex_trylock(&mutex));
}

Test(lock, waiting_for_a_held_mutex_is_a_finding)
{
	boot_machine("tiny");
	mutex_lock(&mutex);
	expect_finding(FINDING_LOCKING, "mutex_lock: held already", take_mutex, NULL);
}

Test(lock, taking_a_mutex_under_a_spinlock_is_a_finding)
{
	boot_machine("tiny");
	spin_lock(&lock);
	expect_finding(FINDING_LOCKING, "might_sleep: in atomic context", take_mutex, NULL);
}

Test(lock, trying_a_mutex_in_an_interrupt_is_a_finding)
{
	boot_machine("tiny");
	cpu_contexts[0].serving_softirq = true;
	expect_finding(FINDING_LOCKING, "mutex_trylock: in an interrupt", try_mutex, NULL);
}

Test(lock, releasing_a_free_mutex_is_a_finding)
{
	boot_machine("tiny");
	expect_finding(FINDING_LOCKING, "mutex_unlock: not held", release_mutex, NULL);
}

Test(lock, releasing_the_mutex_of_another_task_is_a_finding)
{
	boot_machine("tiny");
	mutex_lock(&mutex);
	current_task = &tasks[1];
	expect_finding(FINDING_LOCKING, "mutex_unlock: held by another task", release_mutex, NULL);
}

static bool always_busy(void)
{
	return true;
}

Test(lock, a_mutex_that_somebody_outside_holds_cannot_be_had)
{
	boot_machine("tiny");
	other_mutex.busy = always_busy;
	cr_expect_not(mutex_trylock(&other_mutex));
	cr_expect_eq(other_mutex.owner, 0);
}
