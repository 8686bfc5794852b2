// SPDX-License-Identifier: GPL-2.0
/*
 * program_edit.c - edits keep handles with their producers. Programs are written as text, so that what moved where can
 * be read.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "fuzz/program_edit.h"

static struct program p, q, out;

static void parse(struct program *program, const char *text)
{
	struct text_error error = { 0 };

	cr_assert(program_parse(program, text, strlen(text), 1, NULL, &error), "%u:%u: %s", error.line, error.column,
		  error.message);
}

static void expect_ops(const struct program *program, const char *text)
{
	static char printed[LIMIT_TEXT_BYTES];
	const char *ops;

	program_print(program, NULL, printed, sizeof(printed));
	ops = strchr(printed, '\n') + 1;
	cr_assert_str_eq(ops, text, "got:\n%s", ops);
}

static const char three[] = "machine preset=uma-64m\n"
			    "p0 = alloc_pages(order=0, gfp=GFP_KERNEL) x4\n"
			    "p1 = alloc_pages(order=1, gfp=GFP_KERNEL)\n"
			    "free_pages(p0[3])\n"
			    "free_pages(p1)\n";

/* Expect p1 to be called p0 now, and the operation that freed the lost block to name no producer. */
Test(program_edit, removing_a_producer_renumbers_those_behind_it_and_orphans_its_users)
{
	parse(&p, three);
	program_remove(&p, 0, 1);
	expect_ops(&p, "p0 = alloc_pages(order=1, gfp=GFP_KERNEL)\n"
		       "free_pages(none)\n"
		       "free_pages(p0)\n");
}

Test(program_edit, removing_everything_leaves_the_machine)
{
	parse(&p, three);
	program_remove(&p, 0, LIMIT_OPS);
	cr_assert_eq(p.nr_ops, 0);
	cr_assert_str_eq(machine_presets[p.preset].name, "uma-64m");
}

/* Expect later handles to count the newcomer, and earlier ones not to. */
Test(program_edit, inserting_a_producer_moves_the_handles_behind_it)
{
	struct op op;

	parse(&p, three);
	op = p.ops[1];
	program_insert(&p, 1, &op);
	expect_ops(&p, "p0 = alloc_pages(order=0, gfp=GFP_KERNEL) x4\n"
		       "p1 = alloc_pages(order=1, gfp=GFP_KERNEL)\n"
		       "p2 = alloc_pages(order=1, gfp=GFP_KERNEL)\n"
		       "free_pages(p0[3])\n"
		       "free_pages(p2)\n");
}

/* Expect each handle to follow its own program, and a repeated producer to be used by what comes behind it. */
Test(program_edit, composing_from_two_programs_keeps_their_handles_apart)
{
	const struct pick picks[] = { { &p, 0 }, { &q, 0 }, { &q, 1 }, { &p, 2 }, { &p, 0 }, { &p, 2 } };

	parse(&p, three);
	parse(&q, "machine preset=uma-64m\np0 = alloc_pages(order=5, gfp=GFP_KERNEL)\nfree_pages(p0)\n");
	parse(&out, "machine preset=uma-64m\n");
	program_compose(&out, picks, 6);
	expect_ops(&out, "p0 = alloc_pages(order=0, gfp=GFP_KERNEL) x4\n"
			 "p1 = alloc_pages(order=5, gfp=GFP_KERNEL)\n"
			 "free_pages(p1)\n"
			 "free_pages(p0[3])\n"
			 "p2 = alloc_pages(order=0, gfp=GFP_KERNEL) x4\n"
			 "free_pages(p2[3])\n");
}

Test(program_edit, elements_are_folded_into_a_smaller_producer)
{
	parse(&p, three);
	p.ops[0].repeat = 2;
	program_fit_handles(&p);
	cr_assert_eq(p.ops[2].element, 1);
}
