/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_ATOMIC_H
#define _LINUX_ATOMIC_H

#include <linux/types.h>

/* Modelled. Relaxed host atomics: one thread needs no more, several threads must not tear. */
#define ATOMIC_INIT(i) { (i) }
#define ATOMIC_LONG_INIT(i) { (i) }

static inline int atomic_read(const atomic_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED);
}

static inline void atomic_set(atomic_t *v, int i)
{
	__atomic_store_n(&v->counter, i, __ATOMIC_RELAXED);
}

static inline long atomic_long_read(const atomic_long_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED);
}

static inline void atomic_long_set(atomic_long_t *v, long i)
{
	__atomic_store_n(&v->counter, i, __ATOMIC_RELAXED);
}

/* PORT: a load and a store, not a locked instruction; the threaded build brings its own. */
static inline void atomic_long_add(long i, atomic_long_t *v)
{
	atomic_long_set(v, atomic_long_read(v) + i);
}

#endif
