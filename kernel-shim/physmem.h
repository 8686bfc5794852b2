/* SPDX-License-Identifier: GPL-2.0 */
/*
 * physmem.h - which zone a frame belongs to. Linux keeps that in page->flags; here it follows from the frame number,
 * so that a boot need not write descriptors. A map with an entry for each MAX_ORDER_NR_PAGES frames answers nearly
 * always; sections that several zones share are looked up in the list of ranges.
 */
#ifndef MMFUZZ_PHYSMEM_H
#define MMFUZZ_PHYSMEM_H

#include <linux/types.h>
#include <linux/compiler.h>
#include "machine.h"

struct zone;

/* MAX_ORDER_NR_PAGES frames. */
#define PHYSMEM_SECTION_ORDER 10
#define PHYSMEM_MIXED 0xff
/* Each registered range is cut at most at four zone borders. */
#define PHYSMEM_RANGES_MAX (MACHINE_RANGES_MAX * 5)

struct physmem_range {
	unsigned long start_pfn;
	unsigned long end_pfn;
	unsigned int number;                 /* of the zone, in zones[] */
};

/* A table of the machine (world_alloc_immutable), complete when it has booted. */
struct physmem {
	struct zone *zones[MACHINE_NODES_MAX * MACHINE_ZONES_MAX + 1];   /* by slot + 1; [0] is NULL */
	unsigned int nr_ranges;
	struct physmem_range ranges[PHYSMEM_RANGES_MAX];                 /* ascending and disjoint */
	unsigned char sections[];            /* 0 = no memory, slot + 1 = all of one zone, or PHYSMEM_MIXED */
};

extern struct physmem *physmem;
/* First frame above the map; 0 until the first zone is added. */
extern unsigned long physmem_end_pfn;

/* While booting: here is a zone, whose slot is set, with memory or without. */
void physmem_add_zone(struct zone *zone);
/* [start, end) are registered frames of a zone that was added. Ranges may come in any order. */
void physmem_add_range(const struct zone *zone, unsigned long start_pfn, unsigned long end_pfn);

static inline struct zone *physmem_zone_in_slot(unsigned int slot)
{
	return physmem->zones[slot + 1];
}

/* The ranges in ascending order: the zone of the one numbered `number`, NULL past the last. */
struct zone *physmem_range(unsigned int number, unsigned long *start_pfn, unsigned long *end_pfn);

struct zone *physmem_zone_in_mixed(unsigned long pfn);

/* The zone of a frame; for a frame in a hole, the zone of its section that spans it, or the one below; else NULL. */
static inline struct zone *physmem_zone(unsigned long pfn)
{
	unsigned char section;

	if (unlikely(pfn >= physmem_end_pfn))
		return NULL;
	section = physmem->sections[pfn >> PHYSMEM_SECTION_ORDER];
	return likely(section != PHYSMEM_MIXED) ? physmem->zones[section] : physmem_zone_in_mixed(pfn);
}

/* True if the frame's section has any memory: its descriptors exist. */
static inline bool pfn_valid(unsigned long pfn)
{
	return pfn < physmem_end_pfn && physmem->sections[pfn >> PHYSMEM_SECTION_ORDER];
}

/* True if the frame is registered memory. */
bool physmem_present(unsigned long pfn);

/* Clear the contents of 2^order frames. Contents are not simulated: nothing happens. */
static inline void physmem_zero(unsigned long pfn, unsigned int order)
{
}

#endif
