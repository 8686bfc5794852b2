/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_MATH64_H
#define _LINUX_MATH64_H

#include <linux/types.h>
#include <linux/bug.h>

/*
 * Modelled. The 64-by-32 helpers cut their divisor to 32 bits without a word, as Linux does; what is zero after that is
 * a divide error, and a finding of the function that divides.
 */
static inline u64 divide_u64(u64 dividend, u64 divisor, const char *function)
{
	if (unlikely(!divisor))
		bug_raise(function, "divide error");
	return dividend / divisor;
}

static inline s64 divide_s64(s64 dividend, s64 divisor, const char *function)
{
	if (unlikely(!divisor))
		bug_raise(function, "divide error");
	return dividend / divisor;
}

#define div_u64(dividend, divisor) divide_u64(dividend, (u32)(divisor), __func__)
#define div_s64(dividend, divisor) divide_s64(dividend, (s32)(divisor), __func__)
#define div64_u64(dividend, divisor) divide_u64(dividend, divisor, __func__)
#define div64_s64(dividend, divisor) divide_s64(dividend, divisor, __func__)

#endif
