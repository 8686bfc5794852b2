// SPDX-License-Identifier: GPL-2.0
/*
 * mutate.c - the record-wise mutator and crossover (mutate.h). Driven by ops.def and machine.def: a new operation or
 * setting needs nothing here.
 *
 * Values are drawn by the kind of argument: gfp masks as callers in the kernel build them, with a small share of
 * nonsense; orders mostly low, with the borders 10 and 11; counts near powers of two and near zero, where batches,
 * watermarks and thresholds lie; shifts as units are: bytes, pages, MiB; handles mostly to producers that nobody has
 * freed yet. Some operations are others of the program over again, but for one argument, and another one step off: what
 * depends on two numbers that are close together is not found by drawing both. Machines change rarely, for every new
 * one must boot.
 */
#include <string.h>

#include "fuzz/mutate.h"
#include "fuzz/program_edit.h"

#define ECHOES 8                 /* one new operation in so many is nearly another one */
#define NONSENSE 32              /* one gfp mask in so many is random bits */
#define STEPS_MAX 5
#define PAGES_BITS 6             /* of most numbers of pages that an operation goes through */
#define PAGES_USUAL 512          /* that all operations of a program go through, */
#define LAVISH 8                 /* but for one in so many */
#define WEIGHTS 110              /* of all changes together */

_Bool (*mutate_wants)(unsigned int code);

/* splitmix64: any seed is a good one. */
struct rng {
	unsigned long state;
};

static unsigned int next(struct rng *rng)
{
	unsigned long z = rng->state += 0x9e3779b97f4a7c15UL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9UL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebUL;
	return (unsigned int)((z ^ z >> 31) >> 16);
}

/* 0..n-1; n > 0. */
static unsigned int below(struct rng *rng, unsigned int n)
{
	return (unsigned int)(((unsigned long)next(rng) * n) >> 32);
}

static _Bool one_in(struct rng *rng, unsigned int n)
{
	return below(rng, n) == 0;
}

/*
 * Values.
 */
static unsigned int draw_gfp(struct rng *rng, unsigned int max)
{
	static const unsigned int classes[] = {
		0x24000c0, 0x24000c0, 0x2080020, 0x24200ca, 0x24200c2, 0x24200c0, 0x24000d0,
		0x2400040, 0x2400000, 0x2000000, 0x24000c1, 0x24000c4, 0x352ca,   0x1000000,
	};
	unsigned int gfp;
	unsigned int nr;

	if (one_in(rng, NONSENSE))
		return next(rng) & max;
	gfp = classes[below(rng, sizeof(classes) / sizeof(classes[0]))];
	for (nr = below(rng, 3); nr; nr--)
		gfp ^= gfp_names[below(rng, nr_gfp_names)].mask;
	return gfp & max;
}

static unsigned int draw_order(struct rng *rng)
{
	static const unsigned int orders[] = { 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 7, 9, 10, 11 };

	return orders[below(rng, sizeof(orders) / sizeof(orders[0]))];
}

/* Near a power of two, or small; half of what is left is near zero. */
static unsigned int draw_number(struct rng *rng, unsigned int bits)
{
	switch (below(rng, 4)) {
	case 0:
		return below(rng, 4);
	case 1:
		return (1U << below(rng, bits)) + below(rng, 3) - 1;
	case 2:
		return below(rng, 1U << (1 + below(rng, bits - 1)));
	default:
		return 1U << below(rng, bits);
	}
}

/* Of the largest value that an argument takes: what does not fit is folded, and then near nothing in particular. */
static unsigned int bits_up_to(unsigned int max, unsigned int most)
{
	unsigned int bits = 2;

	while (bits < most && max >> bits)
		bits++;
	return bits;
}

/* Often none, for what is no size; else bytes, pages, the usual units, and where 32 bits of pages end. */
static unsigned int draw_shift(struct rng *rng)
{
	static const unsigned char shifts[] = { 0, 10, 12, 12, 20, 30, 32, 43, 44, 63 };

	if (one_in(rng, 3))
		return 0;
	return one_in(rng, 2) ? below(rng, 64) : shifts[below(rng, sizeof(shifts))];
}

/*
 * How often: most operations once, some as often as empties a per-CPU batch or a fair batch. Long programs are slow
 * programs, so the long repeats are the rare ones.
 */
static unsigned short draw_repeat(struct rng *rng)
{
	static const unsigned short repeats[] = { 2, 2, 3, 4, 6, 8, 8, 16, 31, 32, 64, 128, 256 };

	if (!one_in(rng, 4))
		return 1;
	if (!one_in(rng, 8))
		return repeats[below(rng, sizeof(repeats) / sizeof(repeats[0]))];
	return (unsigned short)(1 + below(rng, LIMIT_REPEAT));
}

/* A producer before operation @at, preferably one whose blocks nobody frees before it. */
static unsigned int draw_producer(struct rng *rng, const struct program *program, unsigned int at)
{
	unsigned int nr = program_nr_producers(program, at);
	unsigned int live[LIMIT_OPS], nr_live = 0;
	_Bool freed[LIMIT_OPS] = { 0 };
	unsigned int i;

	if (!nr || one_in(rng, 64))
		return HANDLE_NONE;
	for (i = 0; i < at; i++) {
		int handle = op_handle_arg(program->ops[i].code);

		if (handle >= 0 && program->ops[i].args[handle] < nr && program->ops[i].element == ELEMENT_ALL)
			freed[program->ops[i].args[handle]] = 1;
	}
	for (i = 0; i < nr; i++)
		if (!freed[i])
			live[nr_live++] = i;
	if (!nr_live || one_in(rng, 8))
		return below(rng, nr);
	return live[below(rng, nr_live)];
}

static void draw_handle(struct rng *rng, const struct program *program, unsigned int at, struct op *op,
			unsigned int *arg)
{
	*arg = draw_producer(rng, program, at);
	op->element = ELEMENT_ALL;
	if (*arg != HANDLE_NONE && one_in(rng, 3))
		op->element = below(rng, program->ops[program_producer(program, *arg)].repeat);
}

/* Argument @index of an operation that is, or will be, at @at. */
static void draw_arg(struct rng *rng, const struct program *program, unsigned int at, struct op *op,
		     unsigned int index)
{
	const struct arg_info *info = &op_infos[op->code].args[index];
	unsigned int *arg = &op->args[index];

	switch (info->kind) {
	case ARG_HANDLE:
		draw_handle(rng, program, at, op, arg);
		return;
	case ARG_GFP:
		*arg = draw_gfp(rng, info->max);
		return;
	case ARG_ORDER:
		*arg = one_in(rng, 32) ? below(rng, info->max + 1) : draw_order(rng);
		break;
	case ARG_COUNT:
		*arg = draw_number(rng, bits_up_to(info->max, 16));
		/* A byte may be bits, or a percentage: any. */
		if (info->max < 256 && one_in(rng, 2))
			*arg = one_in(rng, 2) ? 1U << below(rng, 8) : below(rng, info->max + 1);
		break;
	case ARG_PAGES:
		*arg = draw_number(rng, bits_up_to(info->max, one_in(rng, 4) ? 16 : PAGES_BITS));
		break;
	case ARG_NUMBER:
		*arg = draw_number(rng, bits_up_to(info->max, one_in(rng, 4) ? 32 : 16));
		break;
	case ARG_DELTA:
		*arg = draw_number(rng, 16);
		*arg = one_in(rng, 2) ? -*arg : *arg;
		break;
	case ARG_SHIFT:
		*arg = draw_shift(rng);
		break;
	case ARG_NODE:
	case ARG_CPU:
	case ARG_TASK:
		*arg = below(rng, one_in(rng, 4) ? 8 : 2);
		break;
	default:
		*arg = info->min + below(rng, info->max - info->min + 1);
		break;
	}
	*arg = value_fold(*arg, info->min, info->max);
}

/*
 * Operations.
 */

static _Bool is_of_kind(unsigned int code, unsigned int kind)
{
	return kind < 2 ? op_infos[code].makes : kind == 2 ? op_handle_arg(code) >= 0 : !op_infos[code].makes;
}

/* An operation with many words is many operations, but not all of them matter as much. */
static _Bool is_due(struct rng *rng, unsigned int code)
{
	unsigned int i, words = 1;

	for (i = 0; i < op_infos[code].nr_args; i++)
		if (op_infos[code].args[i].kind == ARG_WORD && op_infos[code].args[i].max >= words)
			words = op_infos[code].args[i].max + 1;
	return below(rng, 10) < 2 + words;
}

/*
 * Half of all new operations produce, a quarter uses what was produced, the rest is everything else; where no such
 * operations are wanted, all are.
 */
static unsigned int draw_code(struct rng *rng)
{
	unsigned int kind = below(rng, 4);
	unsigned int wanted = 0;
	unsigned int code, tries;

	for (tries = 0; tries < 128; tries++) {
		if (tries == 64)
			kind = 3;
		code = below(rng, NR_OPS);
		if (mutate_wants && !mutate_wants(code))
			continue;
		wanted = code;
		if (is_of_kind(code, kind) && (kind < 3 || is_due(rng, code)))
			break;
	}
	return wanted;
}

static void draw_properties(struct rng *rng, struct op *op)
{
	op->cpu = one_in(rng, 4) ? (unsigned char)below(rng, one_in(rng, 4) ? MACHINE_CPUS_MAX : 2) : 0;
	op->task = one_in(rng, 8) ? (unsigned char)below(rng, 8) : 0;
	op->context = one_in(rng, 16) ? (unsigned char)below(rng, NR_CONTEXTS) : CONTEXT_TASK;
	op->fail_nth = one_in(rng, 16) ? (unsigned char)(1 + below(rng, one_in(rng, 4) ? LIMIT_FAIL_NTH : 4)) : 0;
}

/* One bit or one step: what a threshold is found with. */
static void nudge_arg(struct rng *rng, const struct program *program, unsigned int at, struct op *op,
		      unsigned int index)
{
	const struct arg_info *info = &op_infos[op->code].args[index];
	unsigned int *arg = &op->args[index];

	if (info->kind == ARG_HANDLE)
		draw_handle(rng, program, at, op, arg);
	else if (info->kind == ARG_GFP)
		*arg = (*arg ^ gfp_names[below(rng, nr_gfp_names)].mask) & info->max;
	else
		*arg = value_fold(*arg + (one_in(rng, 2) ? 1 : -1U), info->min, info->max);
}

/* What some operation of the program says, with one argument drawn anew and as often as not another nudged. */
static _Bool draw_echo(struct rng *rng, const struct program *program, unsigned int at, struct op *op)
{
	unsigned int nr;

	if (!program->nr_ops)
		return 0;
	*op = program->ops[below(rng, program->nr_ops)];
	nr = op_infos[op->code].nr_args;
	if (!nr || op_handle_arg(op->code) >= 0)
		return 0;
	draw_arg(rng, program, at, op, below(rng, nr));
	if (one_in(rng, 2))
		nudge_arg(rng, program, at, op, below(rng, nr));
	return 1;
}

/*
 * What an operation is about: without its word, or with a change by 0, it is no operation. Numbers are what limits are
 * made of, and the one that is meant when nobody says any is seldom the one that matters.
 */
static _Bool is_drawn(struct rng *rng, enum arg_kind kind)
{
	if (kind == ARG_HANDLE || kind == ARG_GFP || kind == ARG_WORD || kind == ARG_DELTA || kind == ARG_SHIFT)
		return 1;
	return kind == ARG_NUMBER ? !one_in(rng, 4) : one_in(rng, 2);
}

/* Each other argument is its default as often as not, unless a word in front of it says what it is about. */
static void draw_op(struct rng *rng, const struct program *program, unsigned int at, struct op *op)
{
	const struct op_info *info;
	_Bool worded = 0;
	unsigned int i;

	if (one_in(rng, ECHOES) && draw_echo(rng, program, at, op))
		return;
	*op = (struct op){ .code = (unsigned char)draw_code(rng), .element = ELEMENT_ALL };
	op->repeat = draw_repeat(rng);
	draw_properties(rng, op);
	info = &op_infos[op->code];
	for (i = 0; i < info->nr_args; i++) {
		op->args[i] = info->args[i].def;
		worded |= info->args[i].kind == ARG_WORD;
		if (worded || is_drawn(rng, info->args[i].kind))
			draw_arg(rng, program, at, op, i);
	}
}

/* A list of picks under construction. */
struct picks {
	unsigned int nr;
	struct pick pick[2 * LIMIT_OPS];
};

static void pick_range(struct picks *picks, const struct program *from, unsigned int at, unsigned int nr)
{
	for (; nr && at < from->nr_ops && picks->nr < 2 * LIMIT_OPS; nr--)
		picks->pick[picks->nr++] = (struct pick){ from, at++ };
}

/* A short stretch of a program that has operations. */
static unsigned int draw_range(struct rng *rng, const struct program *program, unsigned int *at)
{
	unsigned int most;

	*at = below(rng, program->nr_ops);
	most = program->nr_ops - *at;
	if (!one_in(rng, 16) && most > 4)
		most = 4;
	return 1 + below(rng, most);
}

/* Every second insertion goes to the end, where it can use all that is there. */
static unsigned int draw_place(struct rng *rng, const struct program *program)
{
	return one_in(rng, 2) ? program->nr_ops : below(rng, program->nr_ops + 1U);
}

static struct program before;
static struct picks picks;

static void mutate_insert(struct rng *rng, struct program *program)
{
	unsigned int at = draw_place(rng, program);
	unsigned int nr = 1 + (one_in(rng, 4) ? below(rng, 4) : 0);
	struct op op;

	for (; nr && program->nr_ops < LIMIT_OPS; nr--, at++) {
		draw_op(rng, program, at, &op);
		program_insert(program, at, &op);
	}
}

static void mutate_remove(struct rng *rng, struct program *program)
{
	unsigned int at, nr;

	nr = draw_range(rng, program, &at);
	program_remove(program, at, nr);
}

/* A stretch comes again, right behind itself or elsewhere. */
static void mutate_duplicate(struct rng *rng, struct program *program)
{
	unsigned int from, nr, to;

	nr = draw_range(rng, program, &from);
	to = one_in(rng, 2) ? from + nr : draw_place(rng, program);
	before = *program;
	picks.nr = 0;
	pick_range(&picks, &before, 0, to);
	pick_range(&picks, &before, from, nr);
	pick_range(&picks, &before, to, LIMIT_OPS);
	program_compose(program, picks.pick, picks.nr);
}

/* Two neighbouring stretches change places. */
static void mutate_swap(struct rng *rng, struct program *program)
{
	unsigned int a, b, nr_a, nr_b;

	nr_a = draw_range(rng, program, &a);
	b = a + nr_a;
	nr_b = b < program->nr_ops ? 1 + below(rng, program->nr_ops - b) : 0;
	before = *program;
	picks.nr = 0;
	pick_range(&picks, &before, 0, a);
	pick_range(&picks, &before, b, nr_b);
	pick_range(&picks, &before, a, nr_a);
	pick_range(&picks, &before, b + nr_b, LIMIT_OPS);
	program_compose(program, picks.pick, picks.nr);
}

/* One argument, of any operation that has one. */
static void mutate_arg(struct rng *rng, struct program *program)
{
	unsigned int at = below(rng, program->nr_ops);
	unsigned int nr = op_infos[program->ops[at].code].nr_args;

	if (nr)
		draw_arg(rng, program, at, &program->ops[at], below(rng, nr));
}

static void mutate_nudge(struct rng *rng, struct program *program)
{
	unsigned int at = below(rng, program->nr_ops);
	unsigned int nr = op_infos[program->ops[at].code].nr_args;

	if (nr)
		nudge_arg(rng, program, at, &program->ops[at], below(rng, nr));
}

static void mutate_repeat(struct rng *rng, struct program *program)
{
	struct op *op = &program->ops[below(rng, program->nr_ops)];

	if (one_in(rng, 4))
		op->repeat = LIMIT_REPEAT;
	else
		op->repeat = draw_repeat(rng);
}

static void mutate_properties(struct rng *rng, struct program *program)
{
	draw_properties(rng, &program->ops[below(rng, program->nr_ops)]);
}

static void mutate_replace(struct rng *rng, struct program *program)
{
	unsigned int at = below(rng, program->nr_ops);

	program_remove(program, at, 1);
	if (program->nr_ops < LIMIT_OPS) {
		struct op op;

		draw_op(rng, program, at, &op);
		program_insert(program, at, &op);
	}
}

/*
 * Machines.
 */
static void draw_setting(struct rng *rng, struct machine_setting *setting)
{
	unsigned int key = below(rng, NR_SETTINGS);
	const struct setting_info *info = &setting_infos[key];
	unsigned int nr;
	const unsigned int *choices = setting_choices(key, &nr);

	*setting = (struct machine_setting){ .key = (unsigned char)key };
	if (info->form == FORM_ZONE)
		setting->a = (unsigned char)below(rng, MACHINE_ZONES_MAX);
	else if (info->form == FORM_CPU)
		setting->a = (unsigned char)below(rng, MACHINE_CPUS_MAX);
	else if (info->form == FORM_NODE || info->form == FORM_RANGE || info->form == FORM_PAIR)
		setting->a = (unsigned char)below(rng, MACHINE_NODES_MAX);
	if (info->form == FORM_PAIR)
		setting->b = (unsigned char)below(rng, MACHINE_NODES_MAX);
	if (choices)
		setting->x = choices[below(rng, nr)];
	else
		setting->x = value_fold(draw_number(rng, 17), info->min, info->max);
	if (info->form == FORM_RANGE || info->form == FORM_FRAMES)
		setting->y = value_fold(setting->x + draw_number(rng, 15), info->min, info->max);
}

/* Presets are few, and stay booted. */
static void mutate_preset(struct rng *rng, struct program *program)
{
	program->nr_settings = 0;
	program->preset = (unsigned char)below(rng, nr_small_machine_presets);
}

static void mutate_settings(struct rng *rng, struct program *program)
{
	unsigned int what = below(rng, 4);

	if (what == 0 && program->nr_settings)
		program->nr_settings--;
	else if (what == 1 && program->nr_settings)
		draw_setting(rng, &program->settings[below(rng, program->nr_settings)]);
	else if (program->nr_settings < MACHINE_SETTINGS_MAX)
		draw_setting(rng, &program->settings[program->nr_settings++]);
}

/*
 * The doors.
 */
static void mutate_once(struct rng *rng, struct program *program)
{
	static const struct {
		unsigned int weight;
		void (*change)(struct rng *rng, struct program *program);
	} changes[] = {
		{ 24, mutate_insert }, { 18, mutate_remove }, { 10, mutate_duplicate }, { 8, mutate_swap },
		{ 16, mutate_arg },    { 10, mutate_nudge },  { 10, mutate_repeat },    { 4, mutate_properties },
		{ 6, mutate_replace }, { 3, mutate_preset },   { 1, mutate_settings },
	};
	unsigned int ticket = below(rng, WEIGHTS);
	unsigned int i = 0;

	if (!program->nr_ops) {
		mutate_insert(rng, program);
		return;
	}
	while (ticket >= changes[i].weight)
		ticket -= changes[i++].weight;
	changes[i].change(rng, program);
}

static int op_pages_arg(unsigned int code)
{
	unsigned int i;

	for (i = 0; i < op_infos[code].nr_args; i++)
		if (op_infos[code].args[i].kind == ARG_PAGES)
			return (int)i;
	return -1;
}

/* Pages are what time goes into: what comes after too many of them goes through few. */
static void economize(struct program *program, unsigned int pages_left)
{
	unsigned int i;

	for (i = 0; i < program->nr_ops; i++) {
		struct op *op = &program->ops[i];
		int arg = op_pages_arg(op->code);
		unsigned int *nr;

		if (arg < 0)
			continue;
		nr = &op->args[arg];
		if (*nr > pages_left)
			*nr = pages_left ? pages_left : 1;
		if (*nr * op->repeat > pages_left)
			op->repeat = (unsigned short)(pages_left > *nr ? pages_left / *nr : 1);
		pages_left -= *nr * op->repeat < pages_left ? *nr * op->repeat : pages_left;
	}
}

void program_mutate(struct program *program, unsigned int ops_max, unsigned int seed)
{
	struct rng rng = { seed };
	unsigned int steps = 1;

	while (steps < STEPS_MAX && one_in(&rng, 2))
		steps++;
	while (steps--)
		mutate_once(&rng, program);
	if (!one_in(&rng, LAVISH))
		economize(program, PAGES_USUAL);
	if (program->nr_ops > ops_max)
		program_remove(program, ops_max, program->nr_ops - ops_max);
	program_fit_handles(program);
	program_settle(program);
}

/* Operations that lost their producer in a crossing mostly find another. */
static void adopt_orphans(struct rng *rng, struct program *program)
{
	unsigned int i;

	for (i = 0; i < program->nr_ops; i++) {
		struct op *op = &program->ops[i];
		int handle = op_handle_arg(op->code);

		if (handle >= 0 && op->args[handle] == HANDLE_NONE && !one_in(rng, 4))
			draw_handle(rng, program, i, op, &op->args[handle]);
	}
}

/* A head of one and a tail of the other, or a stretch of the other inserted. */
void program_cross(struct program *child, const struct program *a, const struct program *b, unsigned int ops_max,
		   unsigned int seed)
{
	struct rng rng = { seed };
	unsigned int cut = below(&rng, a->nr_ops + 1U);
	unsigned int from = below(&rng, b->nr_ops + 1U);

	program_copy_machine(child, one_in(&rng, 8) ? b : a);
	picks.nr = 0;
	pick_range(&picks, a, 0, cut);
	if (one_in(&rng, 2)) {
		pick_range(&picks, b, from, LIMIT_OPS);
	} else {
		pick_range(&picks, b, from, 1 + below(&rng, 16));
		pick_range(&picks, a, cut, LIMIT_OPS);
	}
	program_compose(child, picks.pick, picks.nr < ops_max ? picks.nr : ops_max);
	adopt_orphans(&rng, child);
	program_fit_handles(child);
}

/* How many operations fit behind the header and the settings; settings that do not fit are dropped. */
static unsigned int fit(struct program *program, unsigned long max)
{
	unsigned long records = (max - LIMIT_HEADER_BYTES) / LIMIT_RECORD_BYTES;

	if (program->nr_settings > records)
		program->nr_settings = (unsigned char)records;
	records -= program->nr_settings;
	return records < LIMIT_OPS ? (unsigned int)records : LIMIT_OPS;
}

static void drop_unwanted(struct program *program)
{
	_Bool keep[LIMIT_OPS];
	unsigned int op, nr_kept = 0;

	for (op = 0; op < program->nr_ops; op++)
		nr_kept += keep[op] = !mutate_wants || mutate_wants(program->ops[op].code);
	if (nr_kept < program->nr_ops)
		program_keep(program, keep);
}

static unsigned long encode_fitting(struct program *program, unsigned char *out, unsigned long max)
{
	static unsigned char bytes[LIMIT_PROGRAM_BYTES];
	unsigned int ops_max = fit(program, max);
	unsigned long size;

	drop_unwanted(program);
	if (program->nr_ops > ops_max)
		program_remove(program, ops_max, program->nr_ops - ops_max);
	program_settle(program);
	size = program_encode(program, bytes);
	memcpy(out, bytes, size);
	return size;
}

unsigned long mutate_bytes(const unsigned char *bytes, unsigned long size, unsigned char *out, unsigned long max,
			   unsigned int seed)
{
	static struct program program;

	if (max < LIMIT_HEADER_BYTES)
		return 0;
	program_decode(&program, bytes, size);
	program_mutate(&program, LIMIT_OPS, seed);
	return encode_fitting(&program, out, max);
}

unsigned long cross_bytes(const unsigned char *a, unsigned long a_size, const unsigned char *b, unsigned long b_size,
			  unsigned char *out, unsigned long max, unsigned int seed)
{
	static struct program parents[2], child;

	if (max < LIMIT_HEADER_BYTES)
		return 0;
	program_decode(&parents[0], a, a_size);
	program_decode(&parents[1], b, b_size);
	program_cross(&child, &parents[0], &parents[1], LIMIT_OPS, seed);
	return encode_fitting(&child, out, max);
}

unsigned long settle_bytes(const unsigned char *bytes, unsigned long size, unsigned char *out, unsigned long max)
{
	static struct program program;

	if (max < LIMIT_HEADER_BYTES)
		return 0;
	program_decode(&program, bytes, size);
	return encode_fitting(&program, out, max);
}
