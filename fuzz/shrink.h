/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shrink.h - a program made as small as it can be while something stays true of it: that it ends in the same title,
 * say. What is asked and when to give up is the caller's.
 */
#ifndef MMFUZZ_SHRINK_H
#define MMFUZZ_SHRINK_H

#include "fuzz/program.h"

struct shrinker {
	/* The condition. It holds for the program that shrinking begins with. */
	_Bool (*holds)(void *argument, const struct program *candidate);
	/* Asked before each candidate; what was reached by then is kept. */
	_Bool (*enough)(void *argument);
	/* A smaller program was found; NULL = nobody wants to know. */
	void (*progress)(void *argument, const struct program *smaller);
	void *argument;
	unsigned long tried;             /* candidates */
};

/*
 * program_shrink - whole operations first, then repeats, properties, arguments, the machine; again, until a round
 * changes nothing. Returns 1 if that was reached, 0 if it was enough before.
 */
_Bool program_shrink(struct program *program, struct shrinker *shrinker);

#endif
