/* SPDX-License-Identifier: GPL-2.0 */
/*
 * code_coverage.h - the counters of edges in mm/, in builds that have them: those for libFuzzer (build/fuzzer, the tool
 * included) and for AFL++.
 */
#ifndef MMFUZZ_CODE_COVERAGE_H
#define MMFUZZ_CODE_COVERAGE_H

/* code_counters - a byte for each edge, counting up; *nr of them, 0 if mm/ is not instrumented. */
unsigned char *code_counters(unsigned long *nr);

/* code_copy - the counters as they are now, for the caller to free; NULL if there are none. */
unsigned char *code_copy(void);
/* code_put_back - the counters become what they were when they were copied. */
void code_put_back(const unsigned char *copy);
/* code_difference - the first edge that is counted otherwise than in the copy; below 0: none. */
long code_difference(const unsigned char *copy);

/*
 * code_hold - 1: remember what has been counted; 0: nothing more was. Boots, walks over everything, and what is written
 * about findings, are not what a program covers.
 */
void code_hold(_Bool hold);

#endif
