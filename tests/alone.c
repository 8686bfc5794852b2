// SPDX-License-Identifier: GPL-2.0
/* alone.c - rules that nobody else can stand in for (alone.h). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/alone.h"
#include "fuzz/invariant.h"

struct invariant *find_invariant(const char *name)
{
	struct invariant *inv;

	for (inv = __start_invariants; inv < __stop_invariants; inv++)
		if (!strcmp(inv->name, name))
			return inv;
	cr_assert_fail("there is no invariant %s", name);
	return NULL;
}

static _Bool is_masked_alone(const char *name)
{
	const struct invariant *inv;

	for (inv = __start_invariants; inv < __stop_invariants; inv++)
		if (inv->masked != !strcmp(inv->name, name))
			return 0;
	return 1;
}

void note_if_alone(const char *name, struct verdict (*again)(void))
{
	const char *path = getenv("SABOTAGE_ALONE");
	FILE *stream;

	if (!path || !is_masked_alone(name) || again().finding.kind != FINDING_NONE)
		return;
	stream = fopen(path, "a");
	cr_assert_not_null(stream, "%s", path);
	fprintf(stream, "%s\n", name);
	fclose(stream);
}
