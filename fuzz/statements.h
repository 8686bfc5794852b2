/* SPDX-License-Identifier: GPL-2.0 */
/*
 * statements.h - the statements of the page_alloc specification 30 (1 to 86) and of the page-writeback specification 23
 * (I1 to I56) and 5.4 (S1 to S10) that no invariant has the number of: which ones say it all the same, or why none does.
 */
#ifndef MMFUZZ_STATEMENTS_H
#define MMFUZZ_STATEMENTS_H

#define STATEMENTS_A 86
#define STATEMENTS_I 56
#define STATEMENTS_S 10
/* More than so many must not go unstated. */
#define UNSTATED_MAX 5

struct statement {
	char series;             /* 'A' (the allocator's, which are written without it), 'I' or 'S' */
	unsigned int number;
	const char *rules;       /* names of invariants, or NULL: it is not stated */
	const char *reason;      /* why that is enough, or why not */
};

extern const struct statement statements[];   /* ends with series 0 */

/* The number of an invariant that states it. */
unsigned int statement_invariant(char series, unsigned int number);

#endif
