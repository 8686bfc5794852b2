// SPDX-License-Identifier: GPL-2.0
/*
 * program_bytes.c - the byte form: every byte string is a program, and a program's bytes are canonical.
 *
 * Records are written out as the bytes they are (layout: fuzz/program_bytes.c). Machines are built on preset
 * 0, which is a small one that boots; nothing here depends on more of it.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "fuzz/program.h"

#define RECORDS_MAX 400

static struct program a, b;
static unsigned char bytes[LIMIT_HEADER_BYTES + LIMIT_RECORD_BYTES * RECORDS_MAX];
static unsigned char encoded[LIMIT_PROGRAM_BYTES], encoded_again[LIMIT_PROGRAM_BYTES];

/* Decode a header for preset 0 and @nr records. */
static void decode_records(struct program *program, unsigned int nr,
			   const unsigned char records[][LIMIT_RECORD_BYTES])
{
	bytes[0] = 1;
	bytes[1] = 0;
	memcpy(bytes + LIMIT_HEADER_BYTES, records, nr * (unsigned long)LIMIT_RECORD_BYTES);
	program_decode(program, bytes, LIMIT_HEADER_BYTES + nr * (unsigned long)LIMIT_RECORD_BYTES);
}

/* Expect decode(encode(p)) == p, and the same bytes again. */
static void expect_byte_laws(const struct program *program)
{
	unsigned long size = program_encode(program, encoded);

	cr_assert_leq(size, LIMIT_PROGRAM_BYTES);
	program_decode(&b, encoded, size);
	cr_assert(program_equal(program, &b), "decode(encode(p)) is another program");
	cr_assert_eq(program_encode(&b, encoded_again), size);
	cr_assert_arr_eq(encoded, encoded_again, size, "encode(decode(encode(p))) has other bytes");
}

static unsigned int next_random(void)
{
	static unsigned long state = 20160531;

	state = state * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned int)(state >> 33);
}

static void expect_in_range(const struct op *op)
{
	const struct op_info *info = &op_infos[op->code];
	unsigned int i;

	cr_assert_lt(op->code, NR_OPS);
	cr_assert_leq(op->cpu, 7);
	cr_assert_leq(op->task, 7);
	cr_assert_lt(op->context, NR_CONTEXTS);
	cr_assert(op->repeat >= 1 && op->repeat <= 256);
	for (i = 0; i < info->nr_args; i++)
		if (info->args[i].kind != ARG_HANDLE)
			cr_assert(op->args[i] >= info->args[i].min && op->args[i] <= info->args[i].max,
				  "%s(%s=%u)", info->name, info->args[i].name, op->args[i]);
}

/* Expect the bytes alone to decide: what was in the structure before does not matter. */
Test(program_bytes, twenty_thousand_random_strings_decode_to_programs_that_keep_the_laws)
{
	unsigned int run, i;
	unsigned long size;

	for (run = 0; run < 20000; run++) {
		size = next_random() % (run % 10 ? 300 : 6000);
		for (i = 0; i < size; i++)
			bytes[i] = next_random();
		memset(&a, 0xff, sizeof(a));
		program_decode(&a, bytes, size);
		memset(&b, 0x00, sizeof(b));
		program_decode(&b, bytes, size);
		cr_assert(program_equal(&a, &b), "run %u", run);
		cr_assert_null(program_refusal(&a, a.nr_settings));
		for (i = 0; i < a.nr_ops; i++)
			expect_in_range(&a.ops[i]);
		expect_byte_laws(&a);
	}
}

/* Expect settings to survive, too: random bytes alone rarely make a machine that boots. */
Test(program_bytes, random_settings_that_boot_keep_the_laws)
{
	unsigned int run, i, nr_kept = 0;

	for (run = 0; run < 20000; run++) {
		for (i = 0; i < 2 + 3 * 16; i++)
			bytes[i] = next_random();
		bytes[2] = bytes[18] = 240;
		program_decode(&a, bytes, 2 + 3 * 16);
		nr_kept += a.nr_settings;
		expect_byte_laws(&a);
	}
	cr_assert_gt(nr_kept, 5000);
}

Test(program_bytes, nothing_and_a_lone_version_are_the_empty_program_on_preset_0)
{
	program_decode(&a, NULL, 0);
	cr_assert(a.preset == 0 && a.nr_settings == 0 && a.nr_ops == 0);
	bytes[0] = 1;
	bytes[1] = 1;
	program_decode(&a, bytes, 1);
	cr_assert(a.preset == 0 && a.nr_settings == 0 && a.nr_ops == 0);
	cr_assert_eq(program_encode(&a, encoded), 2);
	cr_assert_arr_eq(encoded, "\x01\x00", 2);
}

Test(program_bytes, any_version_reads_as_version_1)
{
	static const unsigned char ones[] = "\x01\x00\x03\x01\x00\x00"
					    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00";
	unsigned int version;

	program_decode(&a, ones, 18);
	memcpy(bytes, ones, 18);
	for (version = 0; version < 256; version++) {
		bytes[0] = version;
		program_decode(&b, bytes, 18);
		cr_assert(program_equal(&a, &b), "version %u", version);
	}
}

Test(program_bytes, a_part_of_a_record_at_the_end_is_ignored)
{
	unsigned long size;

	memset(bytes, 3, sizeof(bytes));
	for (size = 0; size < 2 + 16; size++) {
		program_decode(&a, bytes, size);
		cr_assert_eq(a.nr_ops, 0, "%lu bytes", size);
	}
	program_decode(&a, bytes, 2 + 16);
	cr_assert_eq(a.nr_ops, 1);
	program_decode(&a, bytes, 2 + 16 + 15);
	cr_assert_eq(a.nr_ops, 1);
}

Test(program_bytes, operations_beyond_the_limit_are_dropped)
{
	memset(bytes, 0, sizeof(bytes));
	program_decode(&a, bytes, 2 + 16 * 300);
	cr_assert_eq(a.nr_ops, 256);
	expect_byte_laws(&a);
}

/* jiffies is the last setting of version 1 and boots with any value. */
Test(program_bytes, settings_beyond_the_limit_are_dropped)
{
	unsigned int i;

	memset(bytes, 0, sizeof(bytes));
	for (i = 0; i < 40; i++) {
		bytes[2 + 16 * i] = 240 + i % 16;
		bytes[2 + 16 * i + 1] = SETTING_jiffies;
		bytes[2 + 16 * i + 4] = i;
	}
	program_decode(&a, bytes, 2 + 16 * 80);
	cr_assert_eq(a.nr_settings, 32);
	cr_assert_eq(a.settings[0].x, 0);
	cr_assert_eq(a.settings[31].x, 31);
	cr_assert_eq(a.nr_ops, 40);
	expect_byte_laws(&a);
}

Test(program_bytes, a_setting_code_behind_the_first_operation_is_an_operation)
{
	static const unsigned char records[][16] = {
		{240, SETTING_jiffies, 0, 0, 7},
		{OP_tick},
		{241, SETTING_jiffies, 0, 0, 8},
	};

	decode_records(&a, 3, records);
	cr_assert_eq(a.nr_settings, 1);
	cr_assert_eq(a.settings[0].x, 7);
	cr_assert_eq(a.nr_ops, 2);
	cr_assert_eq(a.ops[1].code, 241 % NR_OPS);
	expect_byte_laws(&a);
}

Test(program_bytes, an_operation_repeats_only_when_both_high_bits_say_so)
{
	static const unsigned char records[][16] = {
		{OP_tick, 0, 99, 0x3f},
		{OP_tick, 0, 99, 0x80},
		{OP_tick, 0, 99, 0xc0},
	};

	decode_records(&a, 3, records);
	cr_assert_eq(a.ops[0].repeat, 1);
	cr_assert_eq(a.ops[0].fail_nth, 63);
	cr_assert_eq(a.ops[1].repeat, 1);
	cr_assert_eq(a.ops[2].repeat, 100);
	expect_byte_laws(&a);
}

Test(program_bytes, a_record_is_little_endian_and_in_table_order)
{
	/* code, cpu 5 | task 3 << 3 | hardirq << 6, repeat - 1, repeated | fail_nth, order, gfp, node, nodemask */
	static const unsigned char records[][16] = {
		{OP_alloc_pages, 0x9d, 63, 0xc0 | 2, 9, 0xc0, 0x00, 0x40, 0x03, 1, 0x81},
	};

	decode_records(&a, 1, records);
	cr_assert_eq(a.nr_ops, 1);
	cr_assert_eq(a.ops[0].code, OP_alloc_pages);
	cr_assert_eq(a.ops[0].cpu, 5);
	cr_assert_eq(a.ops[0].task, 3);
	cr_assert_eq(a.ops[0].context, CONTEXT_HARDIRQ);
	cr_assert_eq(a.ops[0].repeat, 64);
	cr_assert_eq(a.ops[0].fail_nth, 2);
	cr_assert_eq(a.ops[0].args[0], 9);
	cr_assert_eq(a.ops[0].args[1], 0x34000c0);
	cr_assert_eq(a.ops[0].args[2], 1);
	cr_assert_eq(a.ops[0].args[3], 0x81);
	cr_assert_eq(program_encode(&a, encoded), 18);
	cr_assert_arr_eq(encoded + 2, records[0], 16);
}

Test(program_bytes, values_out_of_range_are_folded_into_it)
{
	/* order 41 of 0..40, unknown gfp bits, node 9 of 0..7, context 3 of 0..2; mems 0 of 1..255 */
	static const unsigned char records[][16] = {
		{OP_alloc_pages, 0xc0, 0, 0, 41, 0xc0, 0x00, 0x40, 0xfe, 9},
		{OP_cpuset, 0, 0, 0, 8, 0, 2},
		{OP_tick, 0, 0, 0, 0xff, 0xff, 0xff, 0xff},
	};

	decode_records(&a, 3, records);
	cr_assert_eq(a.ops[0].args[0], 0);
	cr_assert_eq(a.ops[0].args[1], 0x24000c0);
	cr_assert_eq(a.ops[0].args[2], 1);
	cr_assert_eq(a.ops[0].context, CONTEXT_TASK);
	cr_assert_eq(a.ops[1].args[0], 0);
	cr_assert_eq(a.ops[1].args[1], 1);
	cr_assert_eq(a.ops[1].args[2], 0);
	cr_assert_leq(a.ops[2].args[0], 1000000);
	expect_byte_laws(&a);
}

/* The codes from 240 on are settings, all below are operations. */
Test(program_bytes, every_code_byte_is_an_operation_or_a_setting)
{
	unsigned char record[1][16] = {{0}};
	unsigned int code;

	for (code = 0; code < 256; code++) {
		record[0][0] = code;
		record[0][1] = code < 240 ? 0 : SETTING_jiffies;
		decode_records(&a, 1, record);
		cr_assert_eq(a.nr_ops, code < 240, "code %u", code);
		cr_assert_eq(a.nr_settings, code >= 240, "code %u", code);
		if (code < 240)
			cr_assert_eq(a.ops[0].code, code % NR_OPS);
	}
}

/*
 *   p0 x4   p1 x1   free(1 back, element 2)   p2 x1   free(1 back, all)   free(3 back = 0 back)
 *    ^-----------------'                ^----------------'   p2 <------------'
 */
Test(program_bytes, a_handle_counts_back_among_the_producers_before_it)
{
	static const unsigned char records[][16] = {
		{OP_alloc_pages, 0, 3, 0xc0},
		{OP_alloc_pages},
		{OP_free_pages, 0, 0, 0, 1, 0, 3, 0},
		{OP_alloc_pages},
		{OP_free_pages, 0, 0, 0, 1, 0, 0, 0},
		{OP_free_pages, 0, 0, 0, 3, 0, 0, 0},
	};

	decode_records(&a, 6, records);
	cr_assert_eq(a.ops[2].args[0], 0);
	cr_assert_eq(a.ops[2].element, 2);
	cr_assert_eq(a.ops[4].args[0], 1);
	cr_assert_eq(a.ops[4].element, ELEMENT_ALL);
	cr_assert_eq(a.ops[5].args[0], 2);
	expect_byte_laws(&a);
}

Test(program_bytes, an_element_is_folded_into_the_repeat_of_its_producer)
{
	static const unsigned char records[][16] = {
		{OP_alloc_pages, 0, 3, 0xc0},
		{OP_free_pages, 0, 0, 0, 0, 0, 5, 0},
		{OP_free_pages, 0, 0, 0, 0, 0, 0xff, 0xff},
	};

	decode_records(&a, 3, records);
	cr_assert_eq(a.ops[1].element, 0);
	cr_assert_eq(a.ops[2].element, 0xfffe % 4);
	expect_byte_laws(&a);
}

Test(program_bytes, a_handle_before_the_first_producer_is_none_and_encodes_as_0)
{
	static const unsigned char records[][16] = {
		{OP_free_pages, 0, 0, 0, 7, 0, 9, 0, 1},
		{OP_alloc_pages},
	};

	decode_records(&a, 2, records);
	cr_assert_eq(a.ops[0].args[0], HANDLE_NONE);
	cr_assert_eq(a.ops[0].args[1], 1);
	cr_assert_eq(program_encode(&a, encoded), 2 + 2 * 16);
	cr_assert_arr_eq(encoded + 2 + 4, "\0\0\0\0\1\0\0\0\0\0\0\0", 12);
}

/* A shrinker that takes a producer away leaves such handles. */
Test(program_bytes, a_handle_to_none_behind_a_producer_is_ffff)
{
	static const unsigned char records[][16] = {
		{OP_alloc_pages},
		{OP_free_pages, 0, 0, 0, 0xff, 0xff, 1, 0},
	};

	decode_records(&a, 2, records);
	cr_assert_eq(a.ops[1].args[0], HANDLE_NONE);
	cr_assert_eq(program_encode(&a, encoded), 2 + 2 * 16);
	cr_assert_arr_eq(encoded + 2 + 16 + 4, "\xff\xff\0\0", 4);
	expect_byte_laws(&a);
}

Test(program_bytes, bytes_that_nobody_reads_encode_as_0)
{
	unsigned char records[3][16];

	memset(records, 0xff, sizeof(records));
	records[0][1] = SETTING_jiffies;
	records[1][0] = OP_drain_local_pages;
	records[1][1] = 0;
	records[2][0] = OP_drain_local_pages;
	records[2][1] = 0;
	records[2][3] = 0x80 | 5;
	decode_records(&a, 3, records);
	cr_assert_eq(program_encode(&a, encoded), 2 + 3 * 16);
	cr_assert_arr_eq(encoded + 2, "\xf0\x1c\0\0\xff\xff\xff\xff\0\0\0\0\0\0\0\0", 16);
	cr_assert_arr_eq(encoded + 18, "\x03\0\xff\xff\0\0\0\0\0\0\0\0\0\0\0\0", 16);
	/* Half of the repeat mark is none: neither it nor the count was looked at. */
	cr_assert_arr_eq(encoded + 34, "\x03\0\0\x05\0\0\0\0\0\0\0\0\0\0\0\0", 16);
}

Test(program_bytes, settings_with_a_list_of_values_choose_from_it_by_position)
{
	static const unsigned char records[][16] = {
		{240, SETTING_hz, 0, 0, 2},
		{240, SETTING_hz, 0, 0, 7},
		{240, SETTING_numa_zonelist_order, 0, 0, 1},
		{240, SETTING_numa_zonelist_order, 0, 0, 5},
	};

	decode_records(&a, 4, records);
	cr_assert_eq(a.nr_settings, 4);
	cr_assert_eq(a.settings[0].x, 300);
	cr_assert_eq(a.settings[1].x, 1000);
	cr_assert_eq(a.settings[2].x, 'n');
	cr_assert_eq(a.settings[3].x, 'z');
	expect_byte_laws(&a);
}

/* 0x0-0x4000 is 64 MiB on node 0; a range that ends before it starts cannot boot. */
Test(program_bytes, settings_are_dropped_from_the_last_until_the_machine_boots)
{
	static const unsigned char records[][16] = {
		{240, SETTING_min_free_kbytes, 0, 0, 0, 4},
		{240, SETTING_range, 0, 0, 0, 0, 0, 0, 0, 0x40},
		{240, SETTING_range, 0, 0, 0, 0x60, 0, 0, 0, 0x50},
		{240, SETTING_jiffies},
	};

	decode_records(&a, 4, records);
	cr_assert_eq(a.nr_settings, 2);
	cr_assert_eq(a.settings[0].x, 1024);
	cr_assert_eq(a.settings[1].y, 0x4000);
	expect_byte_laws(&a);
}

Test(program_bytes, ranges_of_256_MiB_stay_and_one_frame_more_is_dropped)
{
	unsigned char records[][16] = {
		{240, SETTING_range, 0, 0, 0, 0, 0, 0, 0x00, 0, 1},
	};

	decode_records(&a, 1, records);
	cr_assert_eq(a.nr_settings, 1);
	records[0][8] = 1;
	decode_records(&a, 1, records);
	cr_assert_eq(a.nr_settings, 0);
}

Test(program_bytes, every_preset_is_a_machine_and_its_byte_is_folded)
{
	unsigned int preset;

	for (preset = 0; preset < 256; preset++) {
		bytes[0] = 1;
		bytes[1] = preset;
		program_decode(&a, bytes, 2);
		cr_assert_eq(a.preset, preset < 240 ? preset % 8 : 8 + (preset - 240) % 5);
		expect_byte_laws(&a);
	}
}
