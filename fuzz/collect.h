/* SPDX-License-Identifier: GPL-2.0 */
/*
 * collect.h - what every invariant has to say about a program, not only the first that fails: for kill matrices. While
 * collecting, an invariant that fails is noted once and the run goes on as if it was masked. Anything else that is found
 * still ends the run, and what broke while the machine booted is noted by the run that booted it.
 */
#ifndef MMFUZZ_COLLECT_H
#define MMFUZZ_COLLECT_H

/*
 * collect_begin - until collect_end(), each title is passed to `seen` the first time, at once: a process that dies later
 * has told what it saw.
 */
void collect_begin(void (*seen)(void *argument, const char *title), void *argument);
/* A title that an invariant did not bring: how the run ended. "" is none. */
void collect_end_of_run(const char *title);
/* The first title, or "". */
const char *collect_first(void);
void collect_end(void);

#endif
