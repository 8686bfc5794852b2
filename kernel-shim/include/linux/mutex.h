/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_MUTEX_H
#define _LINUX_MUTEX_H

#include <linux/types.h>

/* Modelled (lock.c): a sleeping lock that checks its context and its owner. */
struct mutex {
	unsigned char owner;     /* task + 1, 0 = free */
	bool (*busy)(void);      /* harness: trylock fails when it says that somebody outside the program holds the lock */
};

#define DEFINE_MUTEX(name) __world struct mutex name

void mutex_lock(struct mutex *lock);
bool mutex_trylock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);

#endif
