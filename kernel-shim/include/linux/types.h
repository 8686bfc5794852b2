/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_TYPES_H
#define _LINUX_TYPES_H

/* Modelled. A hosted build (the unit tests) takes the names that libc also has from libc. */
#if __STDC_HOSTED__
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#else
typedef unsigned long size_t;
typedef long ssize_t;
typedef long long loff_t;
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#define bool _Bool
#define true 1
#define false 0
#endif

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;

typedef unsigned int gfp_t;
typedef unsigned long pgoff_t;
typedef unsigned int fmode_t;

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	long counter;
} atomic_long_t;

struct list_head {
	struct list_head *next, *prev;
};

struct rcu_head {
	struct rcu_head *next;
	void (*func)(struct rcu_head *head);
};

#endif
