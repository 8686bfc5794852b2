// SPDX-License-Identifier: GPL-2.0
/*
 * afl_mutator.c - the custom mutator of AFL++ as AFL++ calls it (fuzz/afl_mutator.c), and which operations the programs of a
 * target are made of (fuzz/target_ops.c).
 */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "fuzz/target_ops.h"

void *afl_custom_init(void *afl, unsigned int seed);
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t size, uint8_t **out, uint8_t *other, size_t other_size,
		       size_t max_size);
int32_t afl_custom_init_trim(void *data, uint8_t *buf, size_t size);
size_t afl_custom_trim(void *data, uint8_t **out);
int32_t afl_custom_post_trim(void *data, int success);
void afl_custom_deinit(void *data);

static struct program program;
static unsigned char bytes[LIMIT_PROGRAM_BYTES];

/* Operations that occur in so many mutants of an empty program, and whether each is wanted; a line of descent each. */
static void draw(const char *target, unsigned int drawn[NR_OPS])
{
	static unsigned char parent[LIMIT_PROGRAM_BYTES];
	size_t size = 2;
	unsigned int i, op;
	uint8_t *out;
	void *afl;

	if (target)
		setenv("MMFUZZ_TARGET", target, 1);
	else
		unsetenv("MMFUZZ_TARGET");
	afl = afl_custom_init(NULL, 1);
	memcpy(parent, "\1", 2);
	for (i = 0; i < 3000; i++) {
		size = afl_custom_fuzz(afl, parent, i % 20 ? size : 2, &out, NULL, 0, sizeof(parent));
		memcpy(parent, out, size);
		program_decode(&program, out, size);
		for (op = 0; op < program.nr_ops; op++)
			drawn[program.ops[op].code]++;
	}
	afl_custom_deinit(afl);
}

Test(afl_mutator, operations_that_the_target_leaves_out_are_not_drawn)
{
	static const char *const names[] = { "page_alloc", "misuse", "writeback" };
	unsigned int target, code;

	for (target = 0; target < 3; target++) {
		unsigned int drawn[NR_OPS] = { 0 };

		draw(names[target], drawn);
		for (code = 0; code < NR_OPS; code++)
			cr_expect_eq(drawn[code] != 0, target_ops(names[target])(code), "%s: %s was drawn %u times",
				     names[target], op_infos[code].name, drawn[code]);
	}
}

Test(afl_mutator, without_the_name_of_a_target_everything_is_drawn)
{
	unsigned int code, drawn[NR_OPS] = { 0 };

	draw(NULL, drawn);
	for (code = 0; code < NR_OPS; code++)
		cr_expect(drawn[code], "%s", op_infos[code].name);
	cr_expect_null(target_ops("mm"));
	cr_expect_null(target_ops("a target of one's own"));
}

Test(afl_mutator, a_target_keeps_its_own_operations_in_their_order)
{
	static const char text[] = "machine preset=uma-64m\np0 = alloc_pages(order=2)\ndirty_pages()\ntick(jiffies=5)\n"
				   "free_pages(p0)\n";

	cr_assert(program_parse(&program, text, strlen(text), 1, NULL, NULL));
	target_ops_keep("page_alloc", &program);
	cr_assert_eq(program.nr_ops, 3);
	cr_expect_eq(program.ops[2].code, OP_free_pages);
	cr_expect_eq(program.ops[2].args[0], program.ops[0].code == OP_alloc_pages ? 0 : ~0U);
	cr_assert(program_parse(&program, text, strlen(text), 1, NULL, NULL));
	target_ops_keep("writeback", &program);
	cr_assert_eq(program.nr_ops, 2);
	cr_expect_eq(program.ops[0].code, OP_dirty_pages);
	cr_expect_eq(program.ops[1].code, OP_tick);
	target_ops_keep("mm", &program);
	cr_expect_eq(program.nr_ops, 2);
}

/* What AFL++ would keep: as long as a free_pages is left, the coverage is the same. */
static _Bool frees(const uint8_t *out, size_t size)
{
	unsigned int op;

	program_decode(&program, out, size);
	for (op = 0; op < program.nr_ops; op++)
		if (program.ops[op].code == OP_free_pages)
			return 1;
	return 0;
}

Test(afl_mutator, trimming_leaves_the_operations_that_matter)
{
	static const char text[] = "machine preset=uma-64m\np0 = alloc_pages(order=2)\ntick()\ntick()\nfree_pages(p0)\n"
				   "drain_all_pages()\n";
	void *afl = afl_custom_init(NULL, 1);
	size_t size, trimmed;
	int32_t step;
	uint8_t *out;

	cr_assert(program_parse(&program, text, strlen(text), 1, NULL, NULL));
	size = program_encode(&program, bytes);
	for (step = !afl_custom_init_trim(afl, bytes, size); step < 1;) {
		trimmed = afl_custom_trim(afl, &out);
		if (frees(out, trimmed)) {
			memcpy(bytes, out, size = trimmed);
			step = afl_custom_post_trim(afl, 1);
		} else {
			step = afl_custom_post_trim(afl, 0);
		}
	}
	program_decode(&program, bytes, size);
	cr_expect_eq(program.nr_ops, 1);
	afl_custom_deinit(afl);
}
