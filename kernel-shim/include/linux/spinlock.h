/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_SPINLOCK_H
#define _LINUX_SPINLOCK_H

#include <linux/irqflags.h>

/*
 * Modelled (lock.c): one thread runs at a time, so a lock never waits; it checks. Taking a held lock, releasing a
 * free one or another CPU's, and taking an irq-safe lock with interrupts on are LOCKING findings.
 */
typedef struct {
	unsigned char owner;     /* CPU + 1, 0 = free */
	bool taken_irqs_off;     /* taken at least once with interrupts off: must always be */
} spinlock_t;

void spin_lock_init(spinlock_t *lock);
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
#define spin_is_locked(lock) ((lock)->owner != 0)

#define spin_lock_irqsave(lock, flags)                                                                 \
	do {                                                                                           \
		local_irq_save(flags);                                                                 \
		spin_lock(lock);                                                                       \
	} while (0)
#define spin_unlock_irqrestore(lock, flags)                                                            \
	do {                                                                                           \
		spin_unlock(lock);                                                                     \
		local_irq_restore(flags);                                                              \
	} while (0)

#endif
