/* SPDX-License-Identifier: GPL-2.0 */
/* run.h - the only door to the engine: a program goes in, a verdict comes out. Every front end calls this. */
#ifndef MMFUZZ_RUN_H
#define MMFUZZ_RUN_H

#include "fuzz/program.h"
#include "fuzz/verdict.h"

enum run_checks {
	CHECKS_OFF,      /* mm's own checks only */
	CHECKS_OP,       /* invariants after every call and every operation: what was touched */
	CHECKS_FULL,     /* and the full walk over every list and descriptor after every operation */
};

struct run_options {
	struct kernel_config kernel;
	enum run_checks checks;
	_Bool walk_at_end;       /* one full walk when the program ends */
	_Bool compare_restored;  /* compare every byte of the world with its pristine image after the restore */
	_Bool hashes;            /* compute verdict->trace_hash and verdict->state_hash */
	_Bool count;             /* count how often rules are evaluated, in verdict->checks and for each */
	_Bool states;            /* note which state cells the run hits (fuzz/states.h) */
	_Bool misuse;            /* operations that break the callers' contract act; else they are skipped */
	unsigned int stop_before; /* operation to stop before, LIMIT_OPS or more = none */
	/*
	 * Called after each operation (and with op = ~0 after the boot) while its world can be looked at; NULL = nobody.
	 */
	void (*after_op)(void *argument, unsigned int op);
	/* Called once when the run is over, finding or not, while its world can still be looked at; NULL = nobody. */
	void (*at_end)(void *argument);
	void *argument;
};

/* CHECKS_OP on `fixed`, a full walk at the end. */
struct run_options run_options_default(void);

/*
 * run_program - run a program on its machine and restore the world. Deterministic: equal programs and options leave
 * equal verdicts. Not reentrant.
 */
void run_program(const struct program *program, const struct run_options *options, struct verdict *verdict);

/*
 * Called before and after what a run does that is no part of its program, for whoever watches what runs: a boot, for the
 * next program finds the machine booted, and the walk at the end, which is made in some runs and not in others. NULL =
 * nobody.
 */
extern void (*run_aside)(_Bool begins);

/* Forget the booted machines. */
void run_forget_machines(void);

#endif
