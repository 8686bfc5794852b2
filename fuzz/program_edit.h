/* SPDX-License-Identifier: GPL-2.0 */
/*
 * program_edit.h - taking programs apart and putting them together without losing track of handles.
 *
 * A handle is the number of its producer, so every operation that comes or goes renumbers those behind it. All edits
 * are one: a new program is composed of operations picked from existing ones.
 */
#ifndef MMFUZZ_PROGRAM_EDIT_H
#define MMFUZZ_PROGRAM_EDIT_H

#include "fuzz/program.h"

struct pick {
	const struct program *from;
	unsigned int op;
};

/*
 * program_compose - out->ops become the picked operations, in order; at most LIMIT_OPS of them. A handle follows its
 * producer: to the last pick of it before, from the same program, or to HANDLE_NONE if there is none. *out keeps its
 * machine, may be none of the sources, and there are at most two of these.
 */
void program_compose(struct program *out, const struct pick *picks, unsigned int nr);

/* program_remove - take out @nr operations from @at on; orphaned handles become HANDLE_NONE. */
void program_remove(struct program *program, unsigned int at, unsigned int nr);

/*
 * program_insert - make room at @at for a copy of *op, whose handle counts producers as @program does now. There is
 * room: nr_ops < LIMIT_OPS.
 */
void program_insert(struct program *program, unsigned int at, const struct op *op);

/* program_keep - keep the operations whose flag is set. */
void program_keep(struct program *program, const _Bool *keep);

/* program_copy_machine - preset and settings. */
void program_copy_machine(struct program *to, const struct program *from);

/*
 * program_fit_handles - after operations were changed in place: handles name a producer before them or none, elements
 * are below its repeat. Then the program is canonical: decode(encode(p)) == p.
 */
void program_fit_handles(struct program *program);

/* program_producer - which operation makes handle number @number; nr_ops if none does. */
unsigned int program_producer(const struct program *program, unsigned int number);

/* program_nr_producers - how many of the operations before @at are producers. */
unsigned int program_nr_producers(const struct program *program, unsigned int at);

#endif
