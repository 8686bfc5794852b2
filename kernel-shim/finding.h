/* SPDX-License-Identifier: GPL-2.0 */
/*
 * finding.h - how anything that watches the kernel says that something is wrong. The first finding of a run is kept
 * and the run is unwound to run_program(); see fuzz/verdict.h for what is made of it.
 */
#ifndef MMFUZZ_FINDING_H
#define MMFUZZ_FINDING_H

enum finding_kind {
	FINDING_NONE,
	FINDING_BUG,        /* mm broke its own rule: BUG_ON, VM_BUG_ON */
	FINDING_WARN,       /* the kernel would print a warning about its own state and go on */
	FINDING_LOCKING,    /* wrong context: lock, irq, sleep checks */
	FINDING_INVARIANT,  /* mm never noticed, an invariant did */
	FINDING_MODEL,      /* mm never noticed, the independent model disagrees */
	FINDING_HANG,       /* a loop went past its bound, or a call used its work budget up */
	FINDING_SHIM,       /* a hole in the shim was reached */
	FINDING_HARNESS,    /* the harness itself is wrong */
	NR_FINDING_KINDS
};

#define FINDING_NAME_BYTES 120
#define FINDING_TEXT_BYTES 400

struct finding {
	enum finding_kind kind;
	char name[FINDING_NAME_BYTES];     /* stable: the invariant, or function and condition */
	char subject[40];                  /* mm/page_alloc, buddy, ... */
	char rule[FINDING_TEXT_BYTES];     /* one sentence; empty if the name says it all */
	char detail[FINDING_TEXT_BYTES];   /* zone, order, both numbers */
};

/* The finding of this run; .kind is FINDING_NONE while there is none. Not part of the world: survives the restore. */
extern struct finding finding;

/* Fills `finding` and unwinds. rule may be NULL. */
void finding_raise(enum finding_kind kind, const char *name, const char *subject, const char *rule,
		   const char *format, ...) __attribute__((noreturn, format(printf, 5, 6)));

/* CHECK - a condition of the harness itself, never of mm. */
#define CHECK(condition, ...)                                                                          \
	do {                                                                                           \
		if (__builtin_expect(!(condition), 0))                                                 \
			finding_raise(FINDING_HARNESS, #condition, __FILE__, 0, __VA_ARGS__);          \
	} while (0)

#endif
