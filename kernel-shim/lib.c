// SPDX-License-Identifier: GPL-2.0
/*
 * lib.c - the few functions of Linux's lib/ that mm needs. Strings and memory come from the host's C library, whose
 * functions a freestanding compiler expects anyway.
 */
#include <linux/kernel.h>

/* Bit by bit from the top: a bit stays if its square still fits. */
unsigned long int_sqrt(unsigned long x)
{
	unsigned long root = 0;
	unsigned long bit;

	for (bit = 1UL << 31; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= x)
			root |= bit;
	return root;
}
