/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mutate.h - changing programs at random, operation by operation, and crossing two of them. Both engines use these.
 * The result depends on the arguments alone, is canonical (decode(encode(p)) == p), and keeps every limit.
 */
#ifndef MMFUZZ_MUTATE_H
#define MMFUZZ_MUTATE_H

#include "fuzz/program.h"

/*
 * Operations that new ones are drawn from, and that the byte strings below are made of: those that whoever runs the
 * programs would not leave out. NULL: all of them.
 */
extern _Bool (*mutate_wants)(unsigned int code);

/* program_mutate - a few random changes. At most @ops_max operations remain. */
void program_mutate(struct program *program, unsigned int ops_max, unsigned int seed);

/* program_cross - a child of both, on the machine of one. *child may be neither. */
void program_cross(struct program *child, const struct program *a, const struct program *b, unsigned int ops_max,
		   unsigned int seed);

/*
 * mutate_bytes, cross_bytes - the same between byte strings; settle_bytes - nothing but what all of them do: settings and
 * operations that do not fit in @max bytes, and operations that nobody wants, are left out. Return the size of what is now
 * in out[max]; 0 if not even the header fits.
 */
unsigned long mutate_bytes(const unsigned char *bytes, unsigned long size, unsigned char *out, unsigned long max,
			   unsigned int seed);
unsigned long cross_bytes(const unsigned char *a, unsigned long a_size, const unsigned char *b, unsigned long b_size,
			  unsigned char *out, unsigned long max, unsigned int seed);
unsigned long settle_bytes(const unsigned char *bytes, unsigned long size, unsigned char *out, unsigned long max);

#endif
