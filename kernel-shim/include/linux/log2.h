/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_LOG2_H
#define _LINUX_LOG2_H

#include <linux/bitops.h>
#include <linux/bug.h>

/* Modelled: the largest power of two that is not above n; n must not be 0. */
static inline unsigned long rounddown_pow_of_two(unsigned long n)
{
	return 1UL << (BITS_PER_LONG - 1 - __builtin_clzl(n));
}

/* The smallest power of two that is not below n; n must not be 0. */
static inline unsigned long roundup_pow_of_two(unsigned long n)
{
	return n == 1 ? 1 : 1UL << fls_long(n - 1);
}

/* The logarithm of 0 is whatever the CPU's instruction leaves behind: a finding of the function that asks for it. */
static inline int ilog2_of(unsigned long n, const char *function)
{
	if (unlikely(!n))
		bug_raise(function, "ilog2(0)");
	return fls_long(n) - 1;
}

#define ilog2(n) ilog2_of(n, __func__)

#endif
