/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_RCUPDATE_H
#define _LINUX_RCUPDATE_H

#include <linux/types.h>
#include <linux/compiler.h>

/* Modelled over liburcu (rcu.c); read-side depth is kept per simulated CPU, sleeping inside is a finding. */
void rcu_read_lock(void);
void rcu_read_unlock(void);
void synchronize_rcu(void);
void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head));
void rcu_barrier(void);
/* A run is unwound from wherever it is: leave all its read-side sections. */
void rcu_read_abandon(void);

#define rcu_dereference(p) READ_ONCE(p)
#define rcu_assign_pointer(p, v) __atomic_store_n(&(p), (v), __ATOMIC_RELEASE)

#endif
