// SPDX-License-Identifier: GPL-2.0
/*
 * program_edit.c - programs composed of operations of others (program_edit.h).
 *
 * While composing, each source keeps a table from its producer numbers to those of the new program. The mutator, the
 * minimiser and the trimmer of AFL++ do all their cutting and pasting here.
 */
#include <string.h>

#include "fuzz/program_edit.h"

#define SOURCES_MAX 2

/* One program that operations come from. */
struct source {
	const struct program *program;
	unsigned int number_of_op[LIMIT_OPS];   /* producer number in the source, of its producers */
	unsigned int new_number[LIMIT_OPS];     /* by producer number in the source */
};

static void source_init(struct source *source, const struct program *program)
{
	unsigned int nr = 0;
	unsigned int i;

	source->program = program;
	for (i = 0; i < program->nr_ops; i++) {
		source->number_of_op[i] = nr;
		if (op_infos[program->ops[i].code].makes)
			source->new_number[nr++] = HANDLE_NONE;
	}
}

static struct source *source_of(struct source *sources, unsigned int *nr, const struct program *program)
{
	unsigned int i;

	for (i = 0; i < *nr; i++)
		if (sources[i].program == program)
			return &sources[i];
	source_init(&sources[*nr], program);
	return &sources[(*nr)++];
}

void program_compose(struct program *out, const struct pick *picks, unsigned int nr)
{
	static struct source sources[SOURCES_MAX];
	unsigned int nr_sources = 0, nr_producers = 0;
	unsigned int i;

	out->nr_ops = 0;
	for (i = 0; i < nr && out->nr_ops < LIMIT_OPS; i++) {
		struct source *source = source_of(sources, &nr_sources, picks[i].from);
		struct op *op = &out->ops[out->nr_ops++];
		int handle;

		*op = picks[i].from->ops[picks[i].op];
		handle = op_handle_arg(op->code);
		if (handle >= 0 && op->args[handle] != HANDLE_NONE)
			op->args[handle] = source->new_number[op->args[handle]];
		if (handle >= 0 && op->args[handle] == HANDLE_NONE)
			op->element = ELEMENT_ALL;
		if (op_infos[op->code].makes)
			source->new_number[source->number_of_op[picks[i].op]] = nr_producers++;
	}
}

void program_keep(struct program *program, const _Bool *keep)
{
	static struct program before;
	static struct pick picks[LIMIT_OPS];
	unsigned int nr = 0;
	unsigned int i;

	before = *program;
	for (i = 0; i < before.nr_ops; i++)
		if (keep[i])
			picks[nr++] = (struct pick){ &before, i };
	program_compose(program, picks, nr);
}

void program_remove(struct program *program, unsigned int at, unsigned int nr)
{
	_Bool keep[LIMIT_OPS] = { 0 };
	unsigned int i;

	for (i = 0; i < program->nr_ops; i++)
		keep[i] = i < at || i - at >= nr;
	program_keep(program, keep);
}

void program_insert(struct program *program, unsigned int at, const struct op *op)
{
	unsigned int number = program_nr_producers(program, at);
	unsigned int i;

	memmove(&program->ops[at + 1], &program->ops[at], (program->nr_ops - at) * sizeof(*op));
	program->ops[at] = *op;
	program->nr_ops++;
	for (i = at + 1; op_infos[op->code].makes && i < program->nr_ops; i++) {
		int handle = op_handle_arg(program->ops[i].code);

		if (handle >= 0 && program->ops[i].args[handle] != HANDLE_NONE && program->ops[i].args[handle] >= number)
			program->ops[i].args[handle]++;
	}
}

void program_copy_machine(struct program *to, const struct program *from)
{
	to->preset = from->preset;
	to->nr_settings = from->nr_settings;
	memcpy(to->settings, from->settings, from->nr_settings * sizeof(from->settings[0]));
}

void program_fit_handles(struct program *program)
{
	unsigned short repeats[LIMIT_OPS];
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < program->nr_ops; i++) {
		struct op *op = &program->ops[i];
		int handle = op_handle_arg(op->code);

		if (handle < 0 || op->args[handle] == HANDLE_NONE || op->args[handle] >= nr) {
			if (handle >= 0)
				op->args[handle] = HANDLE_NONE;
			op->element = ELEMENT_ALL;
		} else if (op->element != ELEMENT_ALL) {
			op->element %= repeats[op->args[handle]];
		}
		if (op_infos[op->code].makes)
			repeats[nr++] = op->repeat;
	}
}

unsigned int program_producer(const struct program *program, unsigned int number)
{
	unsigned int i;

	for (i = 0; i < program->nr_ops; i++)
		if (op_infos[program->ops[i].code].makes && number-- == 0)
			return i;
	return program->nr_ops;
}

unsigned int program_nr_producers(const struct program *program, unsigned int at)
{
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < at && i < program->nr_ops; i++)
		nr += op_infos[program->ops[i].code].makes;
	return nr;
}
