// SPDX-License-Identifier: GPL-2.0
/*
 * corpus_states.c - which state cells a corpus hits and which it never does (corpus.h). The JSON object has programs,
 * kernel, cells, hit, planes: [{plane, cells, hit}] and programs_by_cell: {name: programs that hit it}.
 */
#include <stdlib.h>

#include "fuzz/corpus.h"

#define NAME_BYTES 128

static unsigned long nr_hit(const unsigned long *programs, unsigned int first, unsigned int nr)
{
	unsigned long hit = 0;
	unsigned int cell;

	for (cell = first; cell < first + nr; cell++)
		hit += programs[cell] != 0;
	return hit;
}

static void print_plane(const struct state_plane *plane, const unsigned long *programs)
{
	char name[NAME_BYTES];
	unsigned int cell;

	printf("\n%s: %lu of %u  %s\n", plane->name, nr_hit(programs, plane->first, plane->nr), plane->nr, plane->sentence);
	for (cell = plane->first; cell < plane->first + plane->nr; cell++) {
		if (programs[cell])
			printf("%8lu  %s\n", programs[cell], state_name(cell, name, sizeof(name)));
		else
			printf("   never  %s\n", state_name(cell, name, sizeof(name)));
	}
}

static void print_text(const struct corpus *corpus, const char *kernel_text, const unsigned long *programs)
{
	unsigned int i;

	for (i = 0; i < nr_state_planes; i++)
		print_plane(&state_planes[i], programs);
	printf("\n%lu programs on %s, %lu of %u state cells\n", corpus->nr, kernel_text,
	       nr_hit(programs, 0, NR_STATE_CELLS), NR_STATE_CELLS);
}

static void print_json(const struct corpus *corpus, const char *kernel_text, const unsigned long *programs)
{
	char name[NAME_BYTES];
	unsigned int i;

	json_begin(stdout);
	json_number(stdout, "programs", corpus->nr);
	json_text(stdout, "kernel", kernel_text);
	json_number(stdout, "cells", NR_STATE_CELLS);
	json_number(stdout, "hit", nr_hit(programs, 0, NR_STATE_CELLS));
	printf(", \"planes\": [");
	for (i = 0; i < nr_state_planes; i++) {
		if (i)
			putchar(',');
		json_begin(stdout);
		json_text(stdout, "plane", state_planes[i].name);
		json_number(stdout, "cells", state_planes[i].nr);
		json_number(stdout, "hit", nr_hit(programs, state_planes[i].first, state_planes[i].nr));
		json_end(stdout);
	}
	printf("], \"programs_by_cell\": ");
	json_begin(stdout);
	for (i = 0; i < NR_STATE_CELLS; i++)
		json_number(stdout, state_name(i, name, sizeof(name)), programs[i]);
	json_end(stdout);
	json_end(stdout);
}

void corpus_print_states(const struct corpus *corpus, const char *kernel_text, _Bool json)
{
	unsigned long *programs = corpus_count(corpus);

	if (!programs)
		return;
	if (json)
		print_json(corpus, kernel_text, programs);
	else
		print_text(corpus, kernel_text, programs);
	free(programs);
}
