/* SPDX-License-Identifier: GPL-2.0 */
/*
 * states.h - state coverage: which small facts about the allocator a run has seen, beside the code that it has reached. The
 * same code runs with a zone above its marks and below them; a fuzzer that is told the difference keeps both. The cells
 * are those of states.def; hitting one is a byte store. Plain C, for both worlds.
 *
 * Cells are hit where the rules look (exec.c, judge.c), in runs that ask for them, so one with CHECKS_OFF hits none. They
 * depend on the program and the kernel alone, and change nothing.
 */
#ifndef MMFUZZ_STATES_H
#define MMFUZZ_STATES_H

#define AXIS(name, ...) STATE_VALUES_##name = sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *),
enum {
#include "fuzz/states.def"
};

/* One byte a cell: 1 = hit. */
#define PLANE(name, sentence, a, b, c, d) \
	unsigned char name[STATE_VALUES_##a][STATE_VALUES_##b][STATE_VALUES_##c][STATE_VALUES_##d];
struct state_cells {
#include "fuzz/states.def"
};
#define NR_STATE_CELLS ((unsigned int)sizeof(struct state_cells))

/* Of the run that is on, or was last. */
extern struct state_cells state_cells;

/* A run begins; a record was traced and judged; a step is over, and this zone was touched, or this device changed. */
struct trace_record;
struct zone_now;
void states_begin(void);
void states_record(const struct trace_record *record);
void states_zone(const struct zone_now *now);
void states_device(unsigned int number);

/* The table, for the host's side (states_table.c). */
struct state_plane {
	const char *name;
	const char *sentence;
	unsigned int first;              /* cell */
	unsigned int nr;
};
extern const struct state_plane state_planes[];
extern const unsigned int nr_state_planes;

/* "visit/Normal/below_low/taken". Returns buf. */
const char *state_name(unsigned int cell, char *buf, unsigned long size);

/* Add the cells of the last run to `programs`, one count for each program that hit a cell; returns how many were new. */
unsigned int states_add(unsigned long programs[NR_STATE_CELLS]);

#endif
