/* SPDX-License-Identifier: GPL-2.0 */
/*
 * story.h - the story of a program, for `mmfuzz explain`: trace records and pictures of a world as prose with fixed
 * columns. A story_world is a picture; everything else is told from the trace ring, so it can be told after the run.
 */
#ifndef MMFUZZ_STORY_H
#define MMFUZZ_STORY_H

#include <stdio.h>

#include "fuzz/program.h"

#define STORY_SLOTS 40
#define STORY_PICTURE_BYTES 32768

struct story_zone {
	char name[24];           /* empty: not populated */
	unsigned long managed;   /* pages, as all below */
	unsigned long mark[3];
	long reserve[MACHINE_ZONES_MAX];
};

/* What a story quotes of a world. */
struct story_world {
	struct story_zone zones[STORY_SLOTS];
	char picture[STORY_PICTURE_BYTES];   /* free lists, a line a zone */
};

/* story_look - take a picture of the current world. */
void story_look(struct story_world *world);

/* The zones of a machine, with their marks. */
void story_machine(FILE *out, const struct story_world *world);

/* The line of an operation, and all that the trace records [first, end) say about it. */
void story_op(FILE *out, const struct story_world *world, const struct program *program, unsigned int op,
	      unsigned long first, unsigned long end);

/* Marks and free lists that changed. */
void story_changes(FILE *out, const struct story_world *before, const struct story_world *after);

#endif
