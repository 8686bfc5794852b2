// SPDX-License-Identifier: GPL-2.0
/*
 * mutate.c - mutants are programs like any other: canonical, within the limits, and the same for the same seed.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "fuzz/program_edit.h"

static struct program p, q, child, decoded;
static unsigned char bytes[LIMIT_PROGRAM_BYTES], again[LIMIT_PROGRAM_BYTES], mutant[LIMIT_PROGRAM_BYTES];

static void expect_canonical(const struct program *program, unsigned int seed)
{
	unsigned long size = program_encode(program, bytes);

	cr_assert_leq(program->nr_ops, LIMIT_OPS);
	cr_assert_null(program_refusal(program, program->nr_settings), "seed %u", seed);
	program_decode(&decoded, bytes, size);
	cr_assert(program_equal(program, &decoded), "seed %u: decode(encode(m)) is another program", seed);
	cr_assert_eq(program_encode(&decoded, again), size);
	cr_assert_arr_eq(bytes, again, size, "seed %u", seed);
}

Test(mutate, a_long_line_of_mutants_stays_canonical)
{
	unsigned int seed;

	program_decode(&p, NULL, 0);
	for (seed = 0; seed < 30000; seed++) {
		program_mutate(&p, LIMIT_OPS, seed);
		expect_canonical(&p, seed);
	}
	cr_assert_gt(p.nr_ops, 0);
}

Test(mutate, children_of_two_lines_stay_canonical)
{
	unsigned int seed;

	program_decode(&p, NULL, 0);
	program_decode(&q, NULL, 0);
	for (seed = 0; seed < 5000; seed++) {
		program_mutate(&p, LIMIT_OPS, seed);
		program_mutate(&q, LIMIT_OPS, ~seed);
		program_cross(&child, &p, &q, LIMIT_OPS, seed);
		expect_canonical(&child, seed);
	}
}

Test(mutate, the_seed_decides)
{
	unsigned int seed, same = 0;
	unsigned long size, other;

	for (seed = 1; seed < 500; seed++) {
		size = mutate_bytes((const unsigned char *)"\1", 1, mutant, sizeof(mutant), seed);
		other = mutate_bytes((const unsigned char *)"\1", 1, again, sizeof(again), seed);
		cr_assert(size == other && !memcmp(mutant, again, size), "seed %u", seed);
		other = mutate_bytes((const unsigned char *)"\1", 1, again, sizeof(again), seed + 1);
		same += size == other && !memcmp(mutant, again, size);
	}
	cr_assert_lt(same, 25);
}

/* Expect no mutant of a full program to be larger than was asked for, down to the bare header. */
Test(mutate, mutants_fit_where_they_are_put)
{
	unsigned long size, max;
	unsigned int seed = 0;

	program_decode(&p, NULL, 0);
	while (p.nr_ops < LIMIT_OPS)
		program_mutate(&p, LIMIT_OPS, seed++);
	size = program_encode(&p, bytes);
	for (max = 0; max < 400; max++) {
		cr_assert_leq(mutate_bytes(bytes, size, mutant, max, (unsigned int)max), max);
		cr_assert_leq(cross_bytes(bytes, size, bytes, size, mutant, max, (unsigned int)max), max);
	}
}

/* Pages that the operations of a program go through, each time they run. */
static unsigned long pages_of(const struct program *program)
{
	unsigned long pages = 0;
	unsigned int op, arg;

	for (op = 0; op < program->nr_ops; op++)
		for (arg = 0; arg < op_infos[program->ops[op].code].nr_args; arg++)
			if (op_infos[program->ops[op].code].args[arg].kind == ARG_PAGES)
				pages += (unsigned long)program->ops[op].args[arg] * program->ops[op].repeat;
	return pages;
}

static _Bool is_writeback_op(unsigned int code)
{
	return code >= OP_dirty_pages && code <= OP_idle;
}

/* A program of 8000 pages, mutated: expect one mutant in eight, more or less, to go through as many. */
Test(mutate, most_mutants_go_through_few_pages)
{
	unsigned int seed, lavish = 0;

	for (seed = 0; seed < 2000; seed++) {
		program_decode(&p, NULL, 0);
		p.ops[p.nr_ops++] = (struct op){ .code = OP_dirty_pages, .repeat = 4, .args = { 0, 0, 2000, 1 },
						 .element = ELEMENT_ALL };
		program_mutate(&p, LIMIT_OPS, seed);
		lavish += pages_of(&p) > 512 + LIMIT_OPS;
	}
	cr_expect(2000 / 16 < lavish && lavish < 2000 / 5, "%u of 2000", lavish);
}

/* Expect an operation of eight words to come two or three times as often as one without any. */
Test(mutate, operations_of_many_words_are_drawn_more_often)
{
	static unsigned int drawn[NR_OPS];
	unsigned int seed, op;

	mutate_wants = is_writeback_op;
	for (seed = 0; seed < 20000; seed++) {
		program_decode(&p, NULL, 0);
		program_mutate(&p, LIMIT_OPS, seed);
		for (op = 0; op < p.nr_ops; op++)
			drawn[p.ops[op].code]++;
	}
	mutate_wants = NULL;
	cr_expect(2 * drawn[OP_flush] < drawn[OP_vm_sysctl] && drawn[OP_vm_sysctl] < 5 * drawn[OP_flush], "%u and %u",
		  drawn[OP_vm_sysctl], drawn[OP_flush]);
	cr_expect_eq(drawn[OP_alloc_pages], 0);
}

static _Bool is_tick(unsigned int code)
{
	return code == OP_tick;
}

/* Expect byte strings to hold wanted operations alone, mutants, children, and what an engine made. */
Test(mutate, bytes_are_of_wanted_operations)
{
	static const char text[] = "machine preset=uma-64m\np0 = alloc_pages()\ntick()\nfree_pages(p0)\ntick(jiffies=7)\n";
	unsigned long size, out_size;
	unsigned int seed, i, op;

	cr_assert(program_parse(&p, text, strlen(text), 1, NULL, NULL));
	size = program_encode(&p, bytes);
	mutate_wants = is_tick;
	for (seed = 0; seed < 300; seed++) {
		for (i = 0; i < 3; i++) {
			out_size = i == 0 ? mutate_bytes(bytes, size, mutant, sizeof(mutant), seed) :
				      i == 1 ? cross_bytes(bytes, size, bytes, size, mutant, sizeof(mutant), seed) :
					       settle_bytes(bytes, size, mutant, sizeof(mutant));
			program_decode(&decoded, mutant, out_size);
			for (op = 0; op < decoded.nr_ops; op++)
				cr_assert_eq(decoded.ops[op].code, OP_tick, "seed %u", seed);
		}
	}
	cr_expect_eq(decoded.nr_ops, 2, "settled, the two ticks are left");
	cr_expect_eq(decoded.ops[1].args[0], 7);
}
