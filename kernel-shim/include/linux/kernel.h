/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_H
#define _LINUX_KERNEL_H

#include <linux/types.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/printk.h>
#include <linux/bug.h>

/* Modelled */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define ALIGN(x, a) (((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define IS_ALIGNED(x, a) (((x) & ((__typeof__(x))(a) - 1)) == 0)
#define round_down(x, a) ((x) & ~((__typeof__(x))(a) - 1))
#define round_up(x, a) ALIGN(x, a)

#ifndef min
#define min(a, b)                                                                                      \
	({                                                                                             \
		__typeof__(a) _min_a = (a);                                                            \
		__typeof__(b) _min_b = (b);                                                            \
		_min_a < _min_b ? _min_a : _min_b;                                                     \
	})
#define max(a, b)                                                                                      \
	({                                                                                             \
		__typeof__(a) _max_a = (a);                                                            \
		__typeof__(b) _max_b = (b);                                                            \
		_max_a > _max_b ? _max_a : _max_b;                                                     \
	})
#endif
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define clamp(value, low, high) min(max(value, low), high)
#define swap(a, b)                                                                                     \
	do {                                                                                           \
		__typeof__(a) _swap = (a);                                                             \
		(a) = (b);                                                                             \
		(b) = _swap;                                                                           \
	} while (0)

/* Floor of the square root. */
unsigned long int_sqrt(unsigned long x);

#if !__STDC_HOSTED__
#define UINT_MAX (~0U)
#define LLONG_MAX 0x7fffffffffffffffLL

void *memset(void *s, int c, size_t n);
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
int memcmp(const void *a, const void *b, size_t n);
int strcmp(const char *a, const char *b);
size_t strlen(const char *s);
#else
#include <limits.h>
#include <string.h>
#endif

#endif
