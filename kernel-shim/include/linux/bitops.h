/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_BITOPS_H
#define _LINUX_BITOPS_H

#include <linux/types.h>

/* Modelled */
#define BITS_PER_LONG 64
#define BITS_TO_LONGS(bits) (((bits) + BITS_PER_LONG - 1) / BITS_PER_LONG)

static inline bool test_bit(unsigned int nr, const unsigned long *word)
{
	return (word[nr / BITS_PER_LONG] >> (nr % BITS_PER_LONG)) & 1;
}

static inline void set_bit(unsigned int nr, unsigned long *word)
{
	word[nr / BITS_PER_LONG] |= 1UL << (nr % BITS_PER_LONG);
}

static inline void clear_bit(unsigned int nr, unsigned long *word)
{
	word[nr / BITS_PER_LONG] &= ~(1UL << (nr % BITS_PER_LONG));
}

static inline bool test_and_set_bit(unsigned int nr, unsigned long *word)
{
	bool old = test_bit(nr, word);

	set_bit(nr, word);
	return old;
}

/* Position of the lowest set bit; word must not be 0. */
static inline unsigned long __ffs(unsigned long word)
{
	return (unsigned long)__builtin_ctzl(word);
}

/* Position of the highest set bit, counted from 1; 0 for 0. */
static inline int fls(unsigned int x)
{
	return x ? 32 - __builtin_clz(x) : 0;
}

static inline int fls_long(unsigned long x)
{
	return x ? 64 - __builtin_clzl(x) : 0;
}

#endif
