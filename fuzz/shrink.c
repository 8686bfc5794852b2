// SPDX-License-Identifier: GPL-2.0
/*
 * shrink.c - the minimiser (shrink.h). Each step proposes a candidate that is simpler by construction, and keeps it if
 * the condition holds, so that shrinking ends, and can be stopped at any time with what it has.
 *
 * Operations go in chunks of half of them, a quarter, and so on, as in ddmin, from the end on, for what is behind the
 * finding goes first. A finding may need a hundred allocations; these become one operation with a repeat count, by
 * merging neighbours that are alike and by trying the largest repeat for one operation while others go.
 */
#include "fuzz/program_edit.h"
#include "fuzz/shrink.h"

/* A program on its way. */
struct shrinking {
	struct shrinker *shrinker;
	struct program *best;
	struct program candidate;
	_Bool stopped;
	_Bool changed;                   /* in this round */
};

/* Make the candidate the best if the condition holds. */
static _Bool accept(struct shrinking *s)
{
	struct shrinker *shrinker = s->shrinker;

	program_fit_handles(&s->candidate);
	if (s->stopped || program_equal(&s->candidate, s->best))
		return 0;
	if (shrinker->enough(shrinker->argument)) {
		s->stopped = 1;
		return 0;
	}
	shrinker->tried++;
	if (program_refusal(&s->candidate, s->candidate.nr_settings) ||
	    !shrinker->holds(shrinker->argument, &s->candidate))
		return 0;
	*s->best = s->candidate;
	s->changed = 1;
	if (shrinker->progress)
		shrinker->progress(shrinker->argument, s->best);
	return 1;
}

/* The candidate, to be changed by the caller. */
static struct program *propose(struct shrinking *s)
{
	s->candidate = *s->best;
	return &s->candidate;
}

static struct op *propose_op(struct shrinking *s, unsigned int at)
{
	return &propose(s)->ops[at];
}

/*
 * Whole operations.
 */
static void remove_chunks(struct shrinking *s, unsigned int chunk)
{
	unsigned int at = s->best->nr_ops;

	while (at && !s->stopped) {
		at = at > chunk ? at - chunk : 0;
		program_remove(propose(s), at, chunk);
		accept(s);
	}
}

static void shrink_ops(struct shrinking *s)
{
	unsigned int chunk;

	for (chunk = (s->best->nr_ops + 1U) / 2; chunk && !s->stopped; chunk /= 2)
		remove_chunks(s, chunk);
}

static _Bool alike(const struct op *a, const struct op *b)
{
	return a->code == b->code && op_handle_arg(a->code) < 0 && a->repeat + b->repeat <= LIMIT_REPEAT;
}

/* Two neighbours of one kind become one operation, with the arguments of either. */
static void merge_neighbours(struct shrinking *s)
{
	unsigned int at = 0;

	while (at + 1U < s->best->nr_ops && !s->stopped) {
		const struct op *op = &s->best->ops[at];
		unsigned int repeat = op[0].repeat + op[1].repeat;
		_Bool merged = 0;
		unsigned int which;

		for (which = 0; which < 2 && !merged && alike(&op[0], &op[1]); which++) {
			propose_op(s, at + which)->repeat = (unsigned short)repeat;
			program_remove(&s->candidate, at + 1 - which, 1);
			merged = accept(s);
		}
		at += !merged;
	}
}

/* One producer does the work of many: it repeats as often as it can, and others go, in chunks. */
static void repeat_instead(struct shrinking *s)
{
	unsigned int at, chunk, from;

	for (at = 0; at < s->best->nr_ops && !s->stopped; at++) {
		if (op_handle_arg(s->best->ops[at].code) >= 0 || s->best->ops[at].repeat == LIMIT_REPEAT)
			continue;
		for (chunk = s->best->nr_ops / 2U; chunk && !s->stopped; chunk /= 2) {
			for (from = at + 1; from + chunk <= s->best->nr_ops && !s->stopped;) {
				propose_op(s, at)->repeat = LIMIT_REPEAT;
				program_remove(&s->candidate, from, chunk);
				if (!accept(s))
					from += chunk;
			}
		}
	}
}

/*
 * What operations say.
 */
static void shrink_repeat(struct shrinking *s, unsigned int at)
{
	unsigned int step;

	propose_op(s, at)->repeat = 1;
	if (accept(s))
		return;
	for (step = s->best->ops[at].repeat / 2U; step && !s->stopped; step /= 2)
		while (s->best->ops[at].repeat > step) {
			propose_op(s, at)->repeat -= (unsigned short)step;
			if (!accept(s))
				break;
		}
}

static void shrink_properties(struct shrinking *s, unsigned int at)
{
	propose_op(s, at)->cpu = 0;
	accept(s);
	propose_op(s, at)->task = 0;
	accept(s);
	propose_op(s, at)->context = CONTEXT_TASK;
	accept(s);
	propose_op(s, at)->fail_nth = 0;
	accept(s);
	while (s->best->ops[at].fail_nth > 1) {
		propose_op(s, at)->fail_nth--;
		if (!accept(s))
			break;
	}
	propose_op(s, at)->element = ELEMENT_ALL;
	accept(s);
}

/* Fewer bits; names first, for one bit of a composite says more than the composite. */
static void shrink_gfp(struct shrinking *s, unsigned int at, unsigned int index)
{
	unsigned int i;

	for (i = 0; i < nr_gfp_names; i++) {
		unsigned int mask = gfp_names[i].mask;

		/* What the default has does not make a mask longer. */
		mask &= ~op_infos[s->best->ops[at].code].args[index].def;
		if (!(s->best->ops[at].args[index] & mask))
			continue;
		propose_op(s, at)->args[index] &= ~mask;
		accept(s);
	}
}

/* Towards @goal, in halves of the way. */
static void shrink_number(struct shrinking *s, unsigned int at, unsigned int index, unsigned int goal)
{
	unsigned int value = s->best->ops[at].args[index];
	unsigned int way;

	for (way = value > goal ? value - goal : goal - value; way; way /= 2) {
		value = s->best->ops[at].args[index];
		if (way > (value > goal ? value - goal : goal - value))
			continue;
		propose_op(s, at)->args[index] = value > goal ? value - way : value + way;
		accept(s);
	}
}

static void shrink_args(struct shrinking *s, unsigned int at)
{
	const struct op_info *info = &op_infos[s->best->ops[at].code];
	unsigned int i;

	for (i = 0; i < info->nr_args && !s->stopped; i++) {
		const struct arg_info *arg = &info->args[i];

		if (arg->kind == ARG_HANDLE)
			continue;
		propose_op(s, at)->args[i] = arg->def;
		if (accept(s))
			continue;
		if (arg->kind == ARG_GFP)
			shrink_gfp(s, at, i);
		else if (arg->kind != ARG_WORD && arg->kind != ARG_DELTA)
			shrink_number(s, at, i, arg->def);
	}
}

/*
 * The machine.
 */
static void shrink_machine(struct shrinking *s)
{
	unsigned int i;

	propose(s)->nr_settings = 0;
	accept(s);
	for (i = s->best->nr_settings; i-- && !s->stopped;) {
		struct program *candidate = propose(s);
		unsigned int next;

		for (next = i + 1; next < candidate->nr_settings; next++)
			candidate->settings[next - 1] = candidate->settings[next];
		candidate->nr_settings--;
		accept(s);
	}
	for (i = 0; i < s->best->preset && !s->stopped; i++) {
		propose(s)->preset = (unsigned char)i;
		accept(s);
	}
}

_Bool program_shrink(struct program *program, struct shrinker *shrinker)
{
	static struct shrinking s;
	unsigned int at;

	s = (struct shrinking){ .shrinker = shrinker, .best = program };
	do {
		s.changed = 0;
		shrink_ops(&s);
		merge_neighbours(&s);
		repeat_instead(&s);
		for (at = 0; at < program->nr_ops && !s.stopped; at++) {
			shrink_repeat(&s, at);
			shrink_properties(&s, at);
			shrink_args(&s, at);
		}
		shrink_machine(&s);
	} while (s.changed && !s.stopped);
	return !s.stopped;
}
