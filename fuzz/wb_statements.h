/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wb_statements.h - the statements of the page-writeback specification 23 (I1 to I56) and 5.4 (S1 to S10) that no
 * invariant has the number of: which ones say it all the same, or why none does.
 */
#ifndef MMFUZZ_WB_STATEMENTS_H
#define MMFUZZ_WB_STATEMENTS_H

#define WB_STATEMENTS_I 56
#define WB_STATEMENTS_S 10
/* More than so many must not go unstated. */
#define WB_UNSTATED_MAX 5

struct wb_statement {
	char series;             /* 'I' or 'S' */
	unsigned int number;
	const char *rules;       /* names of invariants, or NULL: it is not stated */
	const char *reason;      /* why that is enough, or why not */
};

extern const struct wb_statement wb_statements[];   /* ends with series 0 */

/* The number of an invariant that states it. */
unsigned int wb_statement_invariant(char series, unsigned int number);

#endif
