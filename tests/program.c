// SPDX-License-Identifier: GPL-2.0
/*
 * program.c - the tables of a program are sound, gfp masks have the kernel's names, and equal means equal.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "fuzz/program.h"

/* ---- the table ---- */

Test(program, the_arguments_of_every_operation_fit_in_a_record)
{
	unsigned int code, i, nr_bytes;

	for (code = 0; code < NR_OPS; code++) {
		nr_bytes = 4;
		for (i = 0; i < op_infos[code].nr_args; i++)
			nr_bytes += arg_bytes(op_infos[code].args[i].kind);
		cr_assert_leq(nr_bytes, LIMIT_RECORD_BYTES, "%s takes %u bytes", op_infos[code].name,
			      nr_bytes);
	}
}

static unsigned int count_words(const char *words)
{
	unsigned int nr = 1;

	for (; *words; words++)
		nr += *words == ' ';
	return nr;
}

Test(program, every_argument_has_its_default_in_range_and_a_word_for_every_value)
{
	const struct arg_info *arg;
	unsigned int code, i;

	for (code = 0; code < NR_OPS; code++) {
		for (i = 0; i < op_infos[code].nr_args; i++) {
			arg = &op_infos[code].args[i];
			cr_assert(arg->def >= arg->min && arg->def <= arg->max, "%s: %s", op_infos[code].name,
				  arg->name);
			if (arg->kind == ARG_WORD)
				cr_assert_eq(count_words(arg->words), arg->max + 1, "%s", arg->name);
			if (arg->kind == ARG_GFP)
				cr_assert_eq(arg->max & (arg->max + 1), 0, "%s is folded by mask", arg->name);
		}
	}
}

Test(program, no_operation_has_two_handles_or_an_argument_named_like_a_property)
{
	unsigned int code, i, j, nr_handles;

	for (code = 0; code < NR_OPS; code++) {
		nr_handles = 0;
		for (i = 0; i < op_infos[code].nr_args; i++) {
			nr_handles += op_infos[code].args[i].kind == ARG_HANDLE;
			for (j = 0; j < NR_PROPERTIES; j++)
				cr_assert_str_neq(op_infos[code].args[i].name, op_properties[j].name);
		}
		cr_assert_leq(nr_handles, 1);
		cr_assert_eq(op_handle_arg(code) >= 0, nr_handles == 1);
	}
}

Test(program, folding_keeps_what_is_in_range_and_moves_the_rest_into_it)
{
	cr_assert_eq(value_fold(40, 0, 40), 40);
	cr_assert_eq(value_fold(41, 0, 40), 0);
	cr_assert_eq(value_fold(100, 10, 19), 10);
	cr_assert_eq(value_fold(0, 10, 254), 10 + (0xfffffff6 % 245));
	cr_assert_eq(value_fold(0xffffffff, 0, 0xffffffff), 0xffffffff);
}

/* ---- gfp names ---- */

Test(program, gfp_masks_print_as_the_kernel_prints_them)
{
	static const struct {
		unsigned int gfp;
		const char *name;
	} cases[] = {
		{0, "0"},
		{0x24000c0, "GFP_KERNEL"},
		{0x2080020, "GFP_ATOMIC"},
		{0x2400000, "GFP_NOIO"},
		{0x2000000, "GFP_NOWAIT"},
		{0x400000, "__GFP_DIRECT_RECLAIM"},
		{0x352ca, "GFP_TRANSHUGE"},
		{0x24352ca, "GFP_TRANSHUGE|GFP_NOIO"},
		{0x24200ca, "GFP_HIGHUSER_MOVABLE"},
		{0x24000d0, "GFP_TEMPORARY"},
		{0x25000c0, "GFP_KERNEL_ACCOUNT"},
		{0x24000c1, "GFP_KERNEL|GFP_DMA"},
		{0x34000c4, "GFP_KERNEL|GFP_DMA32|__GFP_WRITE"},
		{0x24082c0, "GFP_KERNEL|__GFP_NOWARN|__GFP_ZERO"},
		{0x4000000, "0x4000000"},
		{0x64000c0, "GFP_KERNEL|0x4000000"},
	};
	unsigned int i;
	char buf[512];

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_assert_str_eq(gfp_print(buf, sizeof(buf), cases[i].gfp), cases[i].name);
	cr_assert_str_eq(gfp_print(buf, 8, 0x24000c1), "GFP_KER");
	cr_assert_str_eq(gfp_print(buf, 1, 0x24000c1), "");
}

/* ---- equality ---- */

static void fill(struct program *p)
{
	memset(p, 0x5a, sizeof(*p));
	p->preset = 0;
	p->nr_settings = 1;
	p->settings[0] = (struct machine_setting){SETTING_range, 0, 0, 0, 0x4000};
	p->nr_ops = 2;
	p->ops[0] = (struct op){.code = OP_alloc_pages, .repeat = 2, .element = ELEMENT_ALL};
	p->ops[1] = (struct op){.code = OP_free_pages, .repeat = 1, .element = 1};
}

/* Expect a difference in one field, made by @change, to count. */
#define EXPECT_COUNTS(change)                                  \
	do {                                                   \
		fill(&b);                                      \
		change;                                        \
		cr_assert_not(program_equal(&a, &b), #change); \
	} while (0)

Test(program, a_difference_in_any_field_makes_another_program)
{
	static struct program a, b;

	fill(&a);
	fill(&b);
	cr_assert(program_equal(&a, &b));
	EXPECT_COUNTS(b.preset = 1);
	EXPECT_COUNTS(b.nr_settings = 0);
	EXPECT_COUNTS(b.nr_ops = 1);
	EXPECT_COUNTS(b.settings[0].key = SETTING_reserved);
	EXPECT_COUNTS(b.settings[0].a = 1);
	EXPECT_COUNTS(b.settings[0].b = 1);
	EXPECT_COUNTS(b.settings[0].x = 1);
	EXPECT_COUNTS(b.settings[0].y = 1);
	EXPECT_COUNTS(b.ops[0].code = OP_drain_local_pages);
	EXPECT_COUNTS(b.ops[0].cpu = 1);
	EXPECT_COUNTS(b.ops[0].task = 1);
	EXPECT_COUNTS(b.ops[0].context = 1);
	EXPECT_COUNTS(b.ops[0].fail_nth = 1);
	EXPECT_COUNTS(b.ops[0].repeat = 1);
	EXPECT_COUNTS(b.ops[0].args[3] = 1);
	EXPECT_COUNTS(b.ops[1].args[0] = HANDLE_NONE);
	EXPECT_COUNTS(b.ops[1].element = 0);
}

Test(program, what_a_program_does_not_use_of_its_arrays_does_not_count)
{
	static struct program a, b;

	fill(&a);
	fill(&b);
	b.settings[1].x = 1;
	b.ops[0].args[4] = 1;
	b.ops[0].element = 1;
	b.ops[2].code = OP_tick;
	cr_assert(program_equal(&a, &b));
}
