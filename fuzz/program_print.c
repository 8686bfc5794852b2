// SPDX-License-Identifier: GPL-2.0
/*
 * program_print.c - program to text, in the one canonical spelling of what program_parse.c reads.
 *
 * A machine line with the preset always comes first, so that a reader knows the machine and the text survives
 * another order of the presets. Orders, gfp masks, words and handles are always printed, because they say
 * what the operation is; every other argument or property that has its default value is left out.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/program.h"
#include "fuzz/sink.h"

#define MACHINE_LINE_COLUMNS 110

/* The word at a position of a list separated by spaces. */
static void put_word(struct sink *sink, const char *words, unsigned int position)
{
	while (position--)
		words += strcspn(words, " ") + 1;
	sink_put(sink, "%.*s", (int)strcspn(words, " "), words);
}

static void put_value(struct sink *sink, const struct arg_info *info, unsigned int value)
{
	char gfp[512];

	sink_put(sink, "%s=", info->name);
	switch (info->kind) {
	case ARG_GFP:
		sink_put(sink, "%s", gfp_print(gfp, sizeof(gfp), value));
		break;
	case ARG_NODEMASK:
		sink_put(sink, "0x%x", value);
		break;
	case ARG_ZONE:
		sink_put(sink, "%s", machine_zone_name(value));
		break;
	case ARG_DELTA:
		sink_put(sink, "%d", (int)value);
		break;
	case ARG_WORD:
		put_word(sink, info->words, value);
		break;
	default:
		sink_put(sink, "%u", value);
	}
}

static void put_handle(struct sink *sink, unsigned int number, unsigned int element)
{
	if (number == HANDLE_NONE)
		sink_put(sink, "none");
	else if (element == ELEMENT_ALL)
		sink_put(sink, "p%u", number);
	else
		sink_put(sink, "p%u[%u]", number, element);
}

static bool always_printed(enum arg_kind kind)
{
	return kind == ARG_ORDER || kind == ARG_GFP || kind == ARG_WORD || kind == ARG_HANDLE;
}

static void put_args(struct sink *sink, const struct op *op)
{
	const unsigned int properties[NR_PROPERTIES] = {op->cpu, op->task, op->context};
	const struct op_info *info = &op_infos[op->code];
	const char *comma = "";
	unsigned int i;

	for (i = 0; i < info->nr_args; i++) {
		if (!always_printed(info->args[i].kind) && op->args[i] == info->args[i].def)
			continue;
		sink_put(sink, "%s", comma);
		if (info->args[i].kind == ARG_HANDLE)
			put_handle(sink, op->args[i], op->element);
		else
			put_value(sink, &info->args[i], op->args[i]);
		comma = ", ";
	}
	for (i = 0; i < NR_PROPERTIES; i++) {
		if (properties[i] == op_properties[i].def)
			continue;
		sink_put(sink, "%s", comma);
		put_value(sink, &op_properties[i], properties[i]);
		comma = ", ";
	}
}

/* @number: the producer number of this operation, if it makes anything. */
static void put_op(struct sink *sink, const struct op *op, unsigned int number)
{
	if (op_infos[op->code].makes)
		sink_put(sink, "p%u = ", number);
	sink_put(sink, "%s(", op_infos[op->code].name);
	put_args(sink, op);
	sink_put(sink, ")");
	if (op->repeat > 1)
		sink_put(sink, " x%u", op->repeat);
	if (op->fail_nth)
		sink_put(sink, " (fail_nth=%u)", op->fail_nth);
}

static void put_setting(struct sink *sink, const struct machine_setting *setting)
{
	const struct setting_info *info = &setting_infos[setting->key];

	sink_put(sink, "%s=", info->name);
	switch (info->form) {
	case FORM_CHAR:
		sink_put(sink, "%c", (int)setting->x);
		return;
	case FORM_RANGE:
		sink_put(sink, "%u:0x%x-0x%x", setting->a, setting->x, setting->y);
		return;
	case FORM_FRAMES:
		sink_put(sink, "0x%x-0x%x", setting->x, setting->y);
		return;
	case FORM_ZONE:
		sink_put(sink, "%s:", machine_zone_name(setting->a));
		break;
	case FORM_NODE:
	case FORM_CPU:
		sink_put(sink, "%u:", setting->a);
		break;
	case FORM_PAIR:
		sink_put(sink, "%u:%u:", setting->a, setting->b);
		break;
	default:
		break;
	}
	/* A setting that may be as large as the last frame is a frame. */
	sink_put(sink, info->max == MACHINE_PFN_MAX ? "0x%x" : "%u", setting->x);
}

static void put_machine(struct sink *sink, const struct program *program)
{
	char buf[80];
	struct sink one;
	unsigned long start = sink->length;
	unsigned int i;

	sink_put(sink, "machine preset=%s", machine_presets[program->preset].name);
	for (i = 0; i < program->nr_settings; i++) {
		one = (struct sink){buf, sizeof(buf), 0};
		put_setting(&one, &program->settings[i]);
		if (sink->length - start + 1 + one.length > MACHINE_LINE_COLUMNS) {
			sink_put(sink, "\n");
			start = sink->length;
			sink_put(sink, "machine");
		}
		sink_put(sink, " %s", buf);
	}
	sink_put(sink, "\n");
}

unsigned long program_print(const struct program *program, const char *comments, char *text,
			    unsigned long size)
{
	struct sink sink = {text, size, 0};
	unsigned int nr_producers = 0;
	unsigned int i;

	sink_put(&sink, "%s", comments ? comments : "");
	put_machine(&sink, program);
	for (i = 0; i < program->nr_ops; i++) {
		put_op(&sink, &program->ops[i], nr_producers);
		sink_put(&sink, "\n");
		nr_producers += op_infos[program->ops[i].code].makes;
	}
	return sink.length;
}

unsigned long op_print(const struct program *program, unsigned int index, char *text, unsigned long size)
{
	struct sink sink = {text, size, 0};
	unsigned int nr_producers = 0;
	unsigned int i;

	for (i = 0; i < index; i++)
		nr_producers += op_infos[program->ops[i].code].makes;
	put_op(&sink, &program->ops[index], nr_producers);
	return sink.length;
}
