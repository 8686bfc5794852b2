/* SPDX-License-Identifier: GPL-2.0 */
/*
 * census.h - how many blocks and pages are on each list, kept without walking: each descriptor remembers which list it
 * is on (the shim's list primitives write that), and the census counts the changes of the descriptors that an operation
 * touched. census_walk() counts again the slow way and compares.
 *
 * census_look.h reads descriptors inline, for loops over all that were touched.
 *
 * A step is what happens between two updates: one call into mm.
 */
#ifndef MMFUZZ_CENSUS_H
#define MMFUZZ_CENSUS_H

#include "fuzz/view.h"
#include "kernel-shim/machine.h"

struct zone_census {
	unsigned int blocks[VIEW_MAX_ORDER][VIEW_MIGRATETYPES];
	unsigned long blocks_of_order[VIEW_MAX_ORDER];
	unsigned long pages_of_type[VIEW_MIGRATETYPES];
	unsigned int pcp[MACHINE_CPUS_MAX][VIEW_PCPTYPES];
	unsigned int pcp_of_cpu[MACHINE_CPUS_MAX];
	unsigned long listed_pages;      /* on the free lists */
	unsigned long pcp_pages;         /* on the per-CPU lists */
};

enum list_kind { LIST_NONE, LIST_FREE, LIST_PCP, LIST_OTHER };

/* Which list a descriptor is on. */
struct list_place {
	unsigned char kind;              /* enum list_kind */
	unsigned char slot;
	unsigned char which;             /* order, or CPU */
	unsigned char type;              /* migratetype */
};

/* A descriptor, as far as the rules of lists look at it. */
struct touched_page {
	unsigned long pfn;
	struct list_place place;
	unsigned char slot;              /* of the zone that the frame belongs to */
	_Bool buddy;                     /* marked free */
	_Bool linked;                    /* its two neighbours point back at it */
	unsigned int order;              /* of a free block */
	int refcount;
	int mapcount;
	unsigned long index;             /* cached migratetype */
};

/* A descriptor that went from one list, or none, to another. */
struct list_change {
	unsigned long pfn;
	struct list_place before;
	struct list_place after;
};

/* What the last step touched. */
struct census_step {
	unsigned long zones;             /* that pages were put on or taken off a list of: a bit for each slot */
	unsigned int types_taken;        /* whose free lists blocks left: a bit for each migratetype */
	struct list_change *changes;
	unsigned long nr_changes;
};
extern struct census_step census_step;
#define for_each_change(change)                                                                        \
	for (const struct list_change *change = census_step.changes, *_end = change + census_step.nr_changes; \
	     change < _end; change++)

/* While booting: count every list. */
void census_boot(void);
/* Fold in what was touched since world_next_op(). */
void census_update(void);

/* The census of a populated zone. */
const struct zone_census *census_zone(unsigned int slot);
/* The list that a frame's descriptor is on. */
struct list_place census_place(unsigned long pfn);
/* A frame's descriptor. */
struct touched_page census_look(unsigned long pfn);

/* Count every list by walking it; NULL, or a sentence that names the first difference from the census. */
const char *census_walk(void);

#endif
