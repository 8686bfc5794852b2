// SPDX-License-Identifier: GPL-2.0
/*
 * code_coverage.c - the engines' counters as they are found in this process (code_coverage.h). Whichever this build has;
 * the symbols of the other are missing.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/code_coverage.h"

extern unsigned char __start___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern unsigned char __stop___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern unsigned char *__afl_area_ptr __attribute__((weak));
extern unsigned int __afl_map_size __attribute__((weak));

unsigned char *code_counters(unsigned long *nr)
{
	if (&__afl_area_ptr) {
		*nr = __afl_map_size;
		return __afl_area_ptr;
	}
	*nr = (unsigned long)(__stop___sancov_cntrs - __start___sancov_cntrs);
	return __start___sancov_cntrs;
}

unsigned char *code_copy(void)
{
	unsigned long nr;
	const unsigned char *counters = code_counters(&nr);
	unsigned char *copy = nr ? malloc(nr) : NULL;

	return copy ? memcpy(copy, counters, nr) : NULL;
}

void code_put_back(const unsigned char *copy)
{
	unsigned long nr;
	unsigned char *counters = code_counters(&nr);

	if (copy)
		memcpy(counters, copy, nr);
}

long code_difference(const unsigned char *copy)
{
	unsigned long edge, nr;
	const unsigned char *counters = code_counters(&nr);

	for (edge = 0; copy && edge < nr; edge++)
		if (counters[edge] != copy[edge])
			return (long)edge;
	return -1;
}

void code_hold(_Bool hold)
{
	static unsigned char *kept;

	if (hold) {
		kept = code_copy();
		return;
	}
	code_put_back(kept);
	free(kept);
	kept = NULL;
}
