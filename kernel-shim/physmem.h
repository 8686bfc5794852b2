/* SPDX-License-Identifier: GPL-2.0 */
/*
 * physmem.h - which zone a frame belongs to. Linux keeps that in page->flags; here it follows from the frame number,
 * so that a boot need not write descriptors. A map with an entry for each MAX_ORDER_NR_PAGES frames answers nearly
 * always; sections that several zones share are looked up in the list of ranges.
 */
#ifndef MMFUZZ_PHYSMEM_H
#define MMFUZZ_PHYSMEM_H

#include <linux/types.h>

struct zone;

/* While booting: [start, end) are registered frames of `zone`. Ranges may come in any order. */
void physmem_add_range(struct zone *zone, unsigned long start_pfn, unsigned long end_pfn);

/* The ranges in ascending order: the zone of the one numbered `number`, NULL past the last. */
struct zone *physmem_range(unsigned int number, unsigned long *start_pfn, unsigned long *end_pfn);

/* The zone of a frame; for a frame in a hole, the zone of the range below it in its section, else NULL. */
struct zone *physmem_zone(unsigned long pfn);

/* True if the frame's section (MAX_ORDER_NR_PAGES frames) has any memory: its descriptors exist. */
bool pfn_valid(unsigned long pfn);

/* True if the frame is registered memory. */
bool physmem_present(unsigned long pfn);

/* Clear the contents of 2^order frames. Contents are not simulated: nothing happens. */
static inline void physmem_zero(unsigned long pfn, unsigned int order)
{
}

#endif
