// SPDX-License-Identifier: GPL-2.0
/*
 * shrink.c - the minimiser against conditions that are cheap to judge: what must stay stays, all else goes.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "fuzz/program_edit.h"
#include "fuzz/shrink.h"

static struct program p;

static void parse(const char *text)
{
	struct text_error error = { 0 };

	cr_assert(program_parse(&p, text, strlen(text), 1, NULL, &error), "%s", error.message);
}

static void expect_text(const char *text)
{
	static char printed[LIMIT_TEXT_BYTES];

	program_print(&p, NULL, printed, sizeof(printed));
	cr_assert_str_eq(printed, text, "got:\n%s", printed);
}

static _Bool never_enough(void *argument)
{
	(void)argument;
	return 0;
}

static unsigned long calls_of_order(const struct program *program, unsigned int order)
{
	unsigned long calls = 0;
	unsigned int i;

	for (i = 0; i < program->nr_ops; i++)
		if (program->ops[i].code == OP_alloc_pages && program->ops[i].args[0] == order)
			calls += program->ops[i].repeat;
	return calls;
}

static _Bool hundred_calls(void *argument, const struct program *candidate)
{
	(void)argument;
	return calls_of_order(candidate, 2) >= 100;
}

/* Expect 240 single calls among others to become one operation that repeats. */
Test(shrink, many_operations_become_one_that_repeats)
{
	struct shrinker shrinker = { hundred_calls, never_enough, NULL, NULL, 0 };
	unsigned int i;

	parse("machine preset=numa2\n");
	p.nr_ops = 240;
	for (i = 0; i < 240; i++) {
		p.ops[i] = (struct op){ .code = OP_alloc_pages, .cpu = 1, .task = i % 3, .repeat = 1,
					.element = ELEMENT_ALL };
		p.ops[i].args[0] = i % 2 ? 2 : 1;
		p.ops[i].args[1] = 0x24200ca;
	}
	cr_assert(program_shrink(&p, &shrinker));
	expect_text("machine preset=uma-64m\np0 = alloc_pages(order=2, gfp=GFP_KERNEL) x100\n");
}

static _Bool frees_element_three(void *argument, const struct program *candidate)
{
	unsigned int i;

	(void)argument;
	for (i = 0; i < candidate->nr_ops; i++)
		if (candidate->ops[i].code == OP_free_pages && candidate->ops[i].args[0] != HANDLE_NONE &&
		    candidate->ops[i].element == 3)
			return 1;
	return 0;
}

/* Expect the producer of a handle to stay, with just enough repeats for the element. */
Test(shrink, a_handle_keeps_what_it_names)
{
	struct shrinker shrinker = { frees_element_three, never_enough, NULL, NULL, 0 };

	parse("machine preset=uma-64m hz=250\n"
	      "p0 = alloc_pages(order=0, gfp=GFP_KERNEL) x200\n"
	      "p1 = alloc_pages(order=1, gfp=GFP_ATOMIC, cpu=0) x9\n"
	      "free_pages(p0)\n"
	      "free_pages(p1[3])\n"
	      "drain_all_pages()\n");
	cr_assert(program_shrink(&p, &shrinker));
	expect_text("machine preset=uma-64m\n"
		    "p0 = alloc_pages(order=0, gfp=GFP_KERNEL) x4\n"
		    "free_pages(p0[3])\n");
}

static _Bool enough_after_ten(void *argument)
{
	return ++*(unsigned int *)argument > 10;
}


/* Expect what was reached when somebody stopped it to fulfil the condition still. */
Test(shrink, a_partial_result_is_kept)
{
	unsigned int asked = 0;
	struct shrinker shrinker = { hundred_calls, enough_after_ten, NULL, &asked, 0 };
	unsigned int seed;

	parse("machine preset=uma-64m\np0 = alloc_pages(order=2) x256\n");
	for (seed = 1; p.nr_ops < 200; seed++) {
		program_mutate(&p, LIMIT_OPS, seed);
		if (!hundred_calls(NULL, &p))
			parse("machine preset=uma-64m\np0 = alloc_pages(order=2) x256\n");
	}
	cr_assert_not(program_shrink(&p, &shrinker));
	cr_assert(hundred_calls(NULL, &p));
	cr_assert_leq(shrinker.tried, 10);
}
