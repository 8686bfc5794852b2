// SPDX-License-Identifier: GPL-2.0
/*
 * program_bytes.c - the byte form of a program: a total decoder and a canonical encoder.
 *
 *   byte 0      format version: 1
 *   byte 1      preset: 0..239 the small ones in their order, 240..255 the large ones, modulo how many there are
 *   byte 2...   records of LIMIT_RECORD_BYTES; a part of one at the end is ignored
 *
 *   operation   0      code: 0..239, modulo NR_OPS; behind the first operation all values, modulo NR_OPS
 *               1      cpu in bits 0-2, task in bits 3-5, context (modulo NR_CONTEXTS) in bits 6-7
 *               2      repeat - 1, if bits 6 and 7 of byte 3 are set; else it is not looked at, and repeat is 1
 *               3      fail_nth in bits 0-5
 *               4..15  arguments in table order, arg_bytes() each; the rest is 0
 *   setting     0      240..255, written as 240; only in front of the first operation
 *               1      key, modulo NR_SETTINGS
 *               2, 3   a, b
 *               4..7   x; where setting_choices() has a list, the position in it
 *               8..11  y
 *   handle      0, 1   distance back among the producers before this operation, modulo their number: 0 is
 *                      the last one, so inserting an operation elsewhere disturbs few handles; 0xffff = none
 *               2, 3   0 = all elements, else 1 + element, the element modulo the producer's repeat
 *
 * Numbers are little endian. Values out of range are folded into it; operations and settings beyond the limits are
 * dropped, and so are settings, from the last on, until the machine can boot. The encoder writes 0 where the decoder
 * does not look.
 *
 * Three rules keep blind mutation fast: a machine is changed only at the front, so that most mutants find theirs
 * booted, few values of the preset byte mean a large one, and only one operation in four repeats.
 *
 * Tables grow at their end, so the codes and keys that the encoder wrote keep their meaning. A format that
 * renumbers takes a new version, and program_decode() is the place to tell the two apart.
 */
#include <string.h>

#include "fuzz/program.h"

#define FORMAT_VERSION 1
#define CODE_SETTING 240
#define REPEATED 0xc0
#define PRESET_LARGE 240
#define BYTES_HANDLE_NONE 0xffffu

/* The producers before the operation at hand. */
struct producers {
	unsigned int nr;
	unsigned short repeat[LIMIT_OPS];
};

static unsigned int get_le(const unsigned char *at, unsigned int nr_bytes)
{
	unsigned int value = 0;

	while (nr_bytes--)
		value = value << 8 | at[nr_bytes];
	return value;
}

static void put_le(unsigned char *at, unsigned int value, unsigned int nr_bytes)
{
	for (; nr_bytes--; value >>= 8)
		*at++ = value & 0xff;
}

static unsigned int decode_preset(unsigned int byte)
{
	unsigned int nr_large = nr_machine_presets - nr_small_machine_presets;

	if (byte < PRESET_LARGE)
		return byte % nr_small_machine_presets;
	return nr_small_machine_presets + (byte - PRESET_LARGE) % nr_large;
}

static unsigned int encode_preset(unsigned int preset)
{
	return preset < nr_small_machine_presets ? preset : PRESET_LARGE + preset - nr_small_machine_presets;
}

static unsigned int decode_handle(struct op *op, const unsigned char *at, const struct producers *producers)
{
	unsigned int distance = get_le(at, 2);
	unsigned int element = get_le(at + 2, 2);
	unsigned int number;

	if (!producers->nr || distance == BYTES_HANDLE_NONE)
		return HANDLE_NONE;
	number = producers->nr - 1 - distance % producers->nr;
	if (element)
		op->element = (element - 1) % producers->repeat[number];
	return number;
}

static void decode_op(struct op *op, const unsigned char *record, struct producers *producers)
{
	const unsigned char *at = record + 4;
	const struct op_info *info;
	const struct arg_info *arg;
	unsigned int i;

	op->code = record[0] % NR_OPS;
	op->cpu = record[1] & 7;
	op->task = record[1] >> 3 & 7;
	op->context = (record[1] >> 6) % NR_CONTEXTS;
	op->repeat = (record[3] & REPEATED) == REPEATED ? record[2] % LIMIT_REPEAT + 1 : 1;
	op->fail_nth = record[3] & LIMIT_FAIL_NTH;
	op->element = ELEMENT_ALL;

	info = &op_infos[op->code];
	for (i = 0; i < info->nr_args; i++) {
		arg = &info->args[i];
		if (arg->kind == ARG_HANDLE)
			op->args[i] = decode_handle(op, at, producers);
		else if (arg->kind == ARG_GFP)
			op->args[i] = get_le(at, 4) & arg->max;
		else
			op->args[i] = value_fold(get_le(at, arg_bytes(arg->kind)), arg->min, arg->max);
		at += arg_bytes(arg->kind);
	}
	if (info->makes)
		producers->repeat[producers->nr++] = op->repeat;
}

static void decode_setting(struct machine_setting *setting, const unsigned char *record)
{
	unsigned int key = record[1] % NR_SETTINGS;
	const struct setting_info *info = &setting_infos[key];
	const unsigned int *choices;
	unsigned int nr;

	*setting = (struct machine_setting){.key = key};
	switch (info->form) {
	case FORM_ZONE:
		setting->a = record[2] % MACHINE_ZONES_MAX;
		break;
	case FORM_CPU:
		setting->a = record[2] % MACHINE_CPUS_MAX;
		break;
	case FORM_PAIR:
		setting->b = record[3] % MACHINE_NODES_MAX;
		setting->a = record[2] % MACHINE_NODES_MAX;
		break;
	case FORM_NODE:
	case FORM_RANGE:
		setting->a = record[2] % MACHINE_NODES_MAX;
		break;
	default:
		break;
	}
	choices = setting_choices(key, &nr);
	setting->x = get_le(record + 4, 4);
	setting->x = choices ? choices[setting->x % nr] : value_fold(setting->x, info->min, info->max);
	if (info->form == FORM_RANGE || info->form == FORM_FRAMES)
		setting->y = value_fold(get_le(record + 8, 4), info->min, info->max);
}

/* There is one version yet, so bytes[0] is not asked: whatever it says, the program is the same. */
void program_decode(struct program *program, const unsigned char *bytes, unsigned long size)
{
	struct producers producers;
	unsigned long at;

	producers.nr = 0;
	program->preset = size > 1 ? decode_preset(bytes[1]) : 0;
	program->nr_settings = 0;
	program->nr_ops = 0;
	for (at = LIMIT_HEADER_BYTES; at + LIMIT_RECORD_BYTES <= size; at += LIMIT_RECORD_BYTES) {
		if (bytes[at] < CODE_SETTING || program->nr_ops) {
			if (program->nr_ops < LIMIT_OPS)
				decode_op(&program->ops[program->nr_ops++], bytes + at, &producers);
		} else if (program->nr_settings < MACHINE_SETTINGS_MAX) {
			decode_setting(&program->settings[program->nr_settings++], bytes + at);
		}
	}
	program_settle(program);
}

static void encode_handle(const struct op *op, unsigned int number, unsigned int nr_producers,
			  unsigned char *at)
{
	if (number != HANDLE_NONE) {
		put_le(at, nr_producers - 1 - number, 2);
		put_le(at + 2, op->element == ELEMENT_ALL ? 0 : op->element + 1, 2);
	} else if (nr_producers) {
		put_le(at, BYTES_HANDLE_NONE, 2);
	}
}

static void encode_op(const struct op *op, unsigned int nr_producers, unsigned char *record)
{
	const struct op_info *info = &op_infos[op->code];
	unsigned char *at = record + 4;
	unsigned int i;

	record[0] = op->code;
	record[1] = op->cpu | op->task << 3 | op->context << 6;
	record[2] = op->repeat - 1;
	record[3] = op->fail_nth | (op->repeat > 1 ? REPEATED : 0);
	for (i = 0; i < info->nr_args; i++) {
		if (info->args[i].kind == ARG_HANDLE)
			encode_handle(op, op->args[i], nr_producers, at);
		else
			put_le(at, op->args[i], arg_bytes(info->args[i].kind));
		at += arg_bytes(info->args[i].kind);
	}
}

static void encode_setting(const struct machine_setting *setting, unsigned char *record)
{
	unsigned int nr, position = 0;
	const unsigned int *choices = setting_choices(setting->key, &nr);

	record[0] = CODE_SETTING;
	record[1] = setting->key;
	record[2] = setting->a;
	record[3] = setting->b;
	while (choices && choices[position] != setting->x)
		position++;
	put_le(record + 4, choices ? position : setting->x, 4);
	put_le(record + 8, setting->y, 4);
}

unsigned long program_encode(const struct program *program, unsigned char *bytes)
{
	unsigned char *record = bytes + LIMIT_HEADER_BYTES;
	unsigned int nr_producers = 0;
	unsigned int i;

	bytes[0] = FORMAT_VERSION;
	bytes[1] = encode_preset(program->preset);
	memset(record, 0, (program->nr_settings + program->nr_ops) * (unsigned long)LIMIT_RECORD_BYTES);
	for (i = 0; i < program->nr_settings; i++, record += LIMIT_RECORD_BYTES)
		encode_setting(&program->settings[i], record);
	for (i = 0; i < program->nr_ops; i++, record += LIMIT_RECORD_BYTES) {
		encode_op(&program->ops[i], nr_producers, record);
		nr_producers += op_infos[program->ops[i].code].makes;
	}
	return (unsigned long)(record - bytes);
}
