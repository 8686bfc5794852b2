// SPDX-License-Identifier: GPL-2.0
/* statements.c - every statement of the specifications has an invariant, a row that says which, or a reason. */
#include <stdio.h>
#include "tests/support.h"
#include "fuzz/invariant.h"
#include "fuzz/statements.h"

static bool has_invariant(char series, unsigned int number)
{
	const struct invariant *inv;

	for (inv = __start_invariants; inv < __stop_invariants; inv++)
		if (inv->number == statement_invariant(series, number))
			return true;
	return false;
}

static const struct statement *row_of(char series, unsigned int number)
{
	const struct statement *row;

	for (row = statements; row->series; row++)
		if (row->series == series && row->number == number)
			return row;
	return NULL;
}

static bool is_invariant(const char *name)
{
	const struct invariant *inv;

	for (inv = __start_invariants; inv < __stop_invariants; inv++)
		if (!strcmp(inv->name, name))
			return true;
	return false;
}

static void expect_each(char series, unsigned int nr)
{
	unsigned int i;

	for (i = 1; i <= nr; i++)
		cr_expect_neq(has_invariant(series, i), row_of(series, i) != NULL, "%c%u", series, i);
}

Test(statements, each_has_an_invariant_of_its_number_or_a_row)
{
	expect_each('A', STATEMENTS_A);
	expect_each('I', STATEMENTS_I);
	expect_each('S', STATEMENTS_S);
}

Test(statements, rows_name_invariants_that_exist_and_give_a_reason)
{
	const struct statement *row;
	unsigned int unstated = 0;

	for (row = statements; row->series; row++) {
		char names[256], *name;

		cr_expect(row->reason && *row->reason);
		unstated += !row->rules;
		snprintf(names, sizeof(names), "%s", row->rules ? row->rules : "");
		for (name = strtok(names, " "); name; name = strtok(NULL, " "))
			cr_expect(is_invariant(name), "%c%u: %s", row->series, row->number, name);
	}
	cr_expect_leq(unstated, UNSTATED_MAX);
}
