/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_PAGEBLOCK_FLAGS_H
#define _LINUX_PAGEBLOCK_FLAGS_H

#include "machine.h"
#include "world.h"

/* Modelled: 4 bits for each pageblock, 3 of them the migratetype (mmzone.c). */
#define NR_PAGEBLOCK_BITS 4
#define PB_MIGRATE_MASK 7UL
#define pageblock_order ((unsigned int)machine->pageblock_order)
#define pageblock_nr_pages (1UL << pageblock_order)

/* The map, a record for each pageblock from frame 0 on. Written through the accessors, which let the undo log see it. */
extern unsigned long *pageblock_flags;

struct page;
int get_pageblock_migratetype(const struct page *page);
int get_pfnblock_migratetype(const struct page *page, unsigned long pfn);
unsigned long get_pfnblock_migratetype_bits(const struct page *page, unsigned long pfn);
void set_pfnblock_migratetype_bits(struct page *page, unsigned long pfn, unsigned long bits);

#endif
