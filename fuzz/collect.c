// SPDX-License-Identifier: GPL-2.0
/*
 * collect.c - collecting titles (collect.h).
 */
#include <stdio.h>
#include <string.h>

#include "fuzz/collect.h"
#include "fuzz/invariant.h"
#include "fuzz/verdict.h"

/* Every invariant may fail in one run, and something else end it. */
#define TITLES_MAX 257

static struct {
	void (*seen)(void *argument, const char *title);
	void *argument;
	char titles[TITLES_MAX][VERDICT_TITLE_BYTES];
	unsigned int nr;
} collection;

static void note(const char *title)
{
	unsigned int i;

	for (i = 0; i < collection.nr; i++)
		if (!strcmp(collection.titles[i], title))
			return;
	if (collection.nr == TITLES_MAX)
		return;
	snprintf(collection.titles[collection.nr++], VERDICT_TITLE_BYTES, "%s", title);
	collection.seen(collection.argument, title);
}

static void note_invariant(const struct invariant *inv)
{
	char title[VERDICT_TITLE_BYTES];

	snprintf(title, sizeof(title), "%s %s", inv->cost == COST_MODEL ? "MODEL" : "INVARIANT", inv->name);
	note(title);
}

void collect_begin(void (*seen)(void *argument, const char *title), void *argument)
{
	collection.seen = seen;
	collection.argument = argument;
	collection.nr = 0;
	invariant_failed = note_invariant;
}

void collect_end_of_run(const char *title)
{
	if (*title)
		note(title);
}

const char *collect_first(void)
{
	return collection.nr ? collection.titles[0] : "";
}

void collect_end(void)
{
	invariant_failed = NULL;
}
