/* SPDX-License-Identifier: GPL-2.0 */
/*
 * minimise.h - shrinking a finding, for the verbs that do it: the title stays the same, progress goes to standard
 * error, and the time that is up or Ctrl-C leave what was reached.
 */
#ifndef MMFUZZ_MINIMISE_H
#define MMFUZZ_MINIMISE_H

#include "fuzz/cmd.h"

enum minimise_end { MINIMISE_DONE, MINIMISE_TIME_UP, MINIMISE_INTERRUPTED };

/*
 * minimise - shrink a program that ends in this title under these options. `seconds` of wall-clock time, 0 = no limit.
 * The number of runs is added to *runs.
 */
enum minimise_end minimise(struct program *program, const struct run_options *options, const char *title,
			   unsigned long seconds, unsigned long *runs);

/* interrupted - true from the first Ctrl-C on. interrupts_catch - from now on Ctrl-C only says so. */
void interrupts_catch(void);
_Bool interrupted(void);

/* The wall clock, in seconds from some point on. */
double wall_seconds(void);

#endif
