/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_WORK_BUDGET_H
#define _ASM_WORK_BUDGET_H

/*
 * Modelled: the hang oracle. Every loop whose length depends on data charges its steps to the call's budget; using it
 * up is a HANG finding that names the loop. The bound is LIMIT_CALL_WORK of the engine.
 */
extern unsigned long work_left;
void work_exhausted(const char *loop) __attribute__((noreturn));
void work_begin(unsigned long budget);

#define work_charge(loop)                                                                              \
	do {                                                                                           \
		if (__builtin_expect(work_left-- == 0, 0))                                             \
			work_exhausted(loop);                                                          \
	} while (0)

#endif
