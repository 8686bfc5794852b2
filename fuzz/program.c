// SPDX-License-Identifier: GPL-2.0
/*
 * program.c - the tables of a program, and what its two spellings share.
 *
 * Owns op_infos[] (from ops.def), equality, and the question whether a preset and settings are
 * a machine. The byte form lives in program_bytes.c, the text form in program_parse.c and program_print.c.
 */
#include <stdio.h>
#include <string.h>

#include "fuzz/program.h"

#define A(name, kind, def, min, max, words) {#name, kind, def, min, max, words},
#define NR_ARGS(...) (sizeof((struct arg_info[]){__VA_ARGS__}) / sizeof(struct arg_info))
#define OP(name, makes, sentence, ...) {#name, makes, sentence, NR_ARGS(__VA_ARGS__), {__VA_ARGS__}},

const struct op_info op_infos[NR_OPS] = {
#include "fuzz/ops.def"
};

#undef OP
#undef NR_ARGS
#undef A

const struct arg_info op_properties[NR_PROPERTIES] = {
	[PROPERTY_CPU] = {"cpu", ARG_CPU, 0, 0, MACHINE_CPUS_MAX - 1, NULL},
	[PROPERTY_TASK] = {"task", ARG_TASK, 0, 0, 7, NULL},
	[PROPERTY_CONTEXT] = {"context", ARG_WORD, CONTEXT_TASK, 0, NR_CONTEXTS - 1, "task softirq hardirq"},
};

const char *gfp_print(char *buf, unsigned long size, unsigned int gfp)
{
	if (gfp)
		return gfp_format(buf, size, gfp);
	snprintf(buf, size, "0");
	return buf;
}

unsigned int arg_bytes(enum arg_kind kind)
{
	switch (kind) {
	case ARG_GFP:
	case ARG_HANDLE:
	case ARG_NUMBER:
	case ARG_DELTA:
		return 4;
	case ARG_COUNT:
	case ARG_PAGES:
		return 2;
	default:
		return 1;
	}
}

int op_handle_arg(unsigned int code)
{
	const struct op_info *info = &op_infos[code];
	unsigned int i;

	for (i = 0; i < info->nr_args; i++)
		if (info->args[i].kind == ARG_HANDLE)
			return (int)i;
	return -1;
}

unsigned int value_fold(unsigned int value, unsigned int min, unsigned int max)
{
	if (value >= min && value <= max)
		return value;
	/* Out of range means that [min, max] is not everything, so its length is no overflow. */
	return min + (value - min) % (max - min + 1);
}

const unsigned int *setting_choices(unsigned int key, unsigned int *nr)
{
	static const unsigned int hz[] = {100, 250, 300, 1000};
	static const unsigned int zonelist_orders[] = {'d', 'n', 'z'};

	if (key == SETTING_hz) {
		*nr = sizeof(hz) / sizeof(hz[0]);
		return hz;
	}
	if (setting_infos[key].form == FORM_CHAR) {
		*nr = sizeof(zonelist_orders) / sizeof(zonelist_orders[0]);
		return zonelist_orders;
	}
	return NULL;
}

const char *program_refusal(const struct program *program, unsigned int nr_settings)
{
	struct machine_config config;
	const char *why;
	unsigned int i;

	if (!nr_settings)
		return NULL;
	why = machine_configure(&config, program->preset, program->settings, nr_settings);
	if (why)
		return why;
	for (i = 0; i < nr_settings; i++)
		if (program->settings[i].key == SETTING_range &&
		    machine_ram_pages(&config) > LIMIT_BYTES_RAM_PAGES)
			return "ranges of more than 256 MiB in all need a preset";
	return NULL;
}

void program_settle(struct program *program)
{
	while (program_refusal(program, program->nr_settings))
		program->nr_settings--;
}

static _Bool setting_equal(const struct machine_setting *a, const struct machine_setting *b)
{
	return a->key == b->key && a->a == b->a && a->b == b->b && a->x == b->x && a->y == b->y;
}

static _Bool op_equal(const struct op *a, const struct op *b)
{
	int handle = op_handle_arg(a->code);

	return a->code == b->code && a->cpu == b->cpu && a->task == b->task && a->context == b->context &&
	       a->fail_nth == b->fail_nth && a->repeat == b->repeat &&
	       !memcmp(a->args, b->args, op_infos[a->code].nr_args * sizeof(a->args[0])) &&
	       (handle < 0 || a->args[handle] == HANDLE_NONE || a->element == b->element);
}

_Bool program_equal(const struct program *a, const struct program *b)
{
	unsigned int i;

	if (a->preset != b->preset || a->nr_settings != b->nr_settings || a->nr_ops != b->nr_ops)
		return 0;
	for (i = 0; i < a->nr_settings; i++)
		if (!setting_equal(&a->settings[i], &b->settings[i]))
			return 0;
	for (i = 0; i < a->nr_ops; i++)
		if (!op_equal(&a->ops[i], &b->ops[i]))
			return 0;
	return 1;
}
