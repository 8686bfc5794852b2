/* SPDX-License-Identifier: GPL-2.0 */
/*
 * census.h - how many blocks and pages are on each list, kept without walking: each descriptor remembers which list it
 * is on (the shim's list primitives write that), and the census counts the changes of the descriptors that an operation
 * touched. census_walk() counts again the slow way and compares.
 */
#ifndef MMFUZZ_CENSUS_H
#define MMFUZZ_CENSUS_H

#include "fuzz/view.h"
#include "kernel-shim/machine.h"

struct zone_census {
	unsigned int blocks[VIEW_MAX_ORDER][VIEW_MIGRATETYPES];
	unsigned int pcp[MACHINE_CPUS_MAX][VIEW_PCPTYPES];
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

/* While booting: count every list. */
void census_boot(void);
/* Fold in what was touched since world_next_op(). */
void census_update(void);

/* The census of a populated zone. */
const struct zone_census *census_zone(unsigned int slot);
/* Zones that pages were put on or taken off a list of: a bit for each slot. */
unsigned long census_touched_zones(void);

/* A descriptor that was touched and is on a list, or claims to be a free block. */
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

/* Those of the last update, in order of first touch. */
extern const struct touched_page *census_touched;
extern unsigned long census_nr_touched;
#define for_each_touched_page(touched)                                                                 \
	for ((touched) = census_touched; (touched) < census_touched + census_nr_touched; (touched)++)

/* The list that a frame's descriptor is on. */
struct list_place census_place(unsigned long pfn);
/* The same of any frame, as a touched page. */
struct touched_page census_look(unsigned long pfn);

#define for_each_touched_zone(slot)                                                                    \
	for (unsigned long _zones = census_touched_zones();                                            \
	     _zones && ((slot) = (unsigned int)__builtin_ctzl(_zones), 1); _zones &= _zones - 1)

/* Count every list by walking it; NULL, or a sentence that names the first difference from the census. */
const char *census_walk(void);

#endif
