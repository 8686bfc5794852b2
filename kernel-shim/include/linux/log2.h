/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_LOG2_H
#define _LINUX_LOG2_H

#include <linux/bitops.h>

/* Modelled: the largest power of two that is not above n; n must not be 0. */
static inline unsigned long rounddown_pow_of_two(unsigned long n)
{
	return 1UL << (BITS_PER_LONG - 1 - __builtin_clzl(n));
}

#endif
