/* SPDX-License-Identifier: GPL-2.0 */
/*
 * counters.h - what a target counts for whoever started it: the contents of the file that MMFUZZ_COUNTERS names. The file
 * is mapped by both sides, so that it survives either.
 */
#ifndef MMFUZZ_COUNTERS_H
#define MMFUZZ_COUNTERS_H

#include "fuzz/states.h"

struct target_counters {
	unsigned long programs;                  /* run */
	unsigned char cells[NR_STATE_CELLS];     /* 1 = some program has hit it */
};

#endif
