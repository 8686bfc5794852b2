/* SPDX-License-Identifier: GPL-2.0 */
/*
 * census_look.h - reading a descriptor, inline: what a loop does not use of it is not read. Kernel side.
 */
#ifndef MMFUZZ_CENSUS_LOOK_H
#define MMFUZZ_CENSUS_LOOK_H

#include <linux/mm.h>
#include "fuzz/census.h"

/* Which list a head is the head of, by its arena offset (world.h). The table never changes after the boot. */
extern struct list_place *census_places;

static inline struct list_place census_place_of(unsigned short list)
{
	return census_places[list];
}

static inline bool census_linked(const struct list_head *node)
{
	/* A node that was never on a list, or left it, has no neighbours to ask. */
	if (list_link_is_broken(node->next) || list_link_is_broken(node->prev))
		return false;
	return node->next->prev == node && node->prev->next == node;
}

static inline struct touched_page census_read(unsigned long pfn)
{
	const struct page *page = pfn_to_page(pfn);
	const struct zone *zone = physmem_zone(pfn);

	return (struct touched_page){
		.pfn = pfn,
		.place = census_place_of(page->list),
		.slot = zone ? zone->slot : VIEW_SLOTS_MAX,
		.buddy = PageBuddy(page),
		.linked = census_linked(&page->lru),
		.order = (unsigned int)page_private(page),
		.refcount = page_ref_count(page),
		.mapcount = page_mapcount_raw(page),
		.index = page->index,
	};
}

#endif
