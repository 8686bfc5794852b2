// SPDX-License-Identifier: GPL-2.0
/*
 * mutant_points.c - where `make mutants` changes a source (tests/mutants/tokens.c, points.c): every point of a small one
 * (tests/data/mutants/), and what must never be one.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/files.h"
#include "tests/mutants/points.h"

#define INPUT "tests/data/mutants/input.txt"

static struct source source;
static struct outside outside;
static struct points points;

static void find_points(void)
{
	cr_assert_null(source_read(&source, INPUT));
	cr_assert_null(outside_read(&outside, "tests/data/mutants/outside.txt"));
	cr_assert_null(points_find(&points, &source, &outside));
}

static void forget_points(void)
{
	points_free(&points);
	outside_free(&outside);
	source_free(&source);
}

TestSuite(mutant_points, .init = find_points, .fini = forget_points);

/* The point with this key, or NULL. */
static const struct point *find(const char *key)
{
	char text[POINT_KEY_BYTES];
	unsigned int i;

	for (i = 0; i < points.nr; i++)
		if (!strcmp(point_key(&source, &points.all[i], text), key))
			return &points.all[i];
	return NULL;
}

/* Expect each operator, constant, call, assignment and pair of arguments once for each mistake, and nothing else. */
Test(mutant_points, are_those_of_the_list)
{
	char text[POINT_KEY_BYTES], line[POINT_KEY_BYTES + 32];
	unsigned char *expected = NULL;
	const char *at;
	unsigned long size;
	unsigned int i;

	cr_assert_null(file_read("tests/data/mutants/points.txt", &expected, &size));
	at = (const char *)expected;
	for (i = 0; i < points.nr; i++) {
		snprintf(line, sizeof(line), "%u:%u %s\n", points.all[i].line, points.all[i].column,
			 point_key(&source, &points.all[i], text));
		cr_assert(!strncmp(at, line, strlen(line)), "point %u is %s", i, line);
		at += strlen(line);
	}
	cr_expect_str_empty(at);
	free(expected);
}

Test(mutant_points, stand_where_they_say)
{
	const struct point *point = find(INPUT ":first arithmetic '~' -> '' #1");

	cr_assert_not_null(point);
	cr_expect_eq(point->length, 1);
	cr_expect_eq(source.text[point->start], '~');
}

Test(mutant_points, of_one_change_are_counted_within_their_function)
{
	cr_expect_not_null(find(INPUT ":first constant '0' -> '1' #2"));
	cr_expect_null(find(INPUT ":first constant '0' -> '1' #3"));
	cr_expect_not_null(find(INPUT ":(table) constant '0' -> '1' #1"));
}

Test(mutant_points, of_a_file_that_is_outside_are_none)
{
	struct points none;

	outside_free(&outside);
	outside.text = strdup(INPUT ": all of it\n");
	cr_assert_null(points_find(&none, &source, &outside));
	cr_expect_eq(none.nr, 0);
}

Test(mutant_points, what_is_outside_is_named_whole_or_by_its_beginning)
{
	cr_expect(outside_has(&outside, NULL, "VM_BUG_ON"));
	cr_expect(outside_has(&outside, NULL, "VM_BUG_ON_PAGE"));
	cr_expect_not(outside_has(&outside, NULL, "BUG_ON"));
	cr_expect(outside_has(&outside, INPUT, "hidden"));
	cr_expect_not(outside_has(&outside, INPUT, "hid"));
	cr_expect_not(outside_has(&outside, INPUT, NULL));
}

/* Expect the order of a sample to depend on nothing but seed and key, and on both. */
Test(mutant_points, are_drawn_by_seed_and_key)
{
	cr_expect_eq(point_hash(1, "a"), point_hash(1, "a"));
	cr_expect_neq(point_hash(1, "a"), point_hash(2, "a"));
	cr_expect_neq(point_hash(1, "a"), point_hash(1, "b"));
}

Test(mutant_points, of_a_broken_source_are_found_without_harm)
{
	static const char *const broken[] = { "f() { if (", "f(a { b; }", "/* open", "int x = {", "\"open", "f() { a(b; }", "}" };
	struct source other;
	struct points few;
	unsigned int i;

	for (i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		char path[] = "/tmp/mmfuzz-test-XXXXXX";
		int file = mkstemp(path);

		cr_assert_geq(file, 0);
		cr_assert_eq(write(file, broken[i], strlen(broken[i])), (ssize_t)strlen(broken[i]));
		close(file);
		cr_assert_null(source_read(&other, path));
		cr_assert_null(points_find(&few, &other, &outside));
		points_free(&few);
		source_free(&other);
		remove(path);
	}
}
