/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_MM_TYPES_H
#define _LINUX_MM_TYPES_H

#include <linux/types.h>
#include <linux/atomic.h>
#include "world.h"

struct address_space;

/*
 * struct page - a page descriptor, 64 bytes.
 *
 * Modelled so that an all-zero descriptor is a valid page in the middle of a free block, and a boot need not write
 * it: _mapcount is stored biased by one, and zone and node are found by frame number (physmem.h), not in flags.
 * Nothing outside the accessors of <linux/mm.h>, <linux/page-flags.h> and <linux/list.h> may write a descriptor:
 * they let the undo log see it first.
 */
struct page {
	unsigned long flags;                 /* PG_* */
	union {
		struct address_space *mapping;
		int compound_mapcount;       /* of a compound head, in page[1] */
	};
	pgoff_t index;                       /* cached migratetype; all ones = pfmemalloc */
	int mapcount_biased;                 /* _mapcount + 1 */
	int refcount;
	union {
		struct list_head lru;
		struct {
			unsigned long compound_head;   /* bit 0: this is a tail */
			unsigned int compound_dtor;    /* in page[1] */
			unsigned int compound_order;   /* in page[1] */
		};
	};
	unsigned long private;               /* order of a free block */

	/* Harness only: world.h. */
	unsigned int stamp;                  /* operation that touched it last; 0 = not in this run */
	unsigned short list;                 /* arena offset of the list head it is on, 0 = none */
	unsigned short list_seen;            /* the same, as the checks last counted it; equal when the boot ends */
};

_Static_assert(sizeof(struct page) == 64, "the undo log copies 64 bytes");

/* Let the undo log see a descriptor before it is written. One compare if this operation already wrote it. */
static inline void world_touch_page(struct page *page)
{
	if (__builtin_expect(page->stamp != world_stamp, 0))
		world_touch_fresh_page(page);
}

/* The descriptors touched since world_next_op(), by number. */
static inline struct page *world_touched(unsigned long index)
{
	return &vmemmap[world_touched_pfns[index]];
}

#endif
