/* SPDX-License-Identifier: GPL-2.0 */
/* writeback.h - what the unit tests of writeback share. */
#ifndef MMFUZZ_TESTS_WRITEBACK_H
#define MMFUZZ_TESTS_WRITEBACK_H

#include "mm/internal.h"
#include "bdi.h"
#include "sleep.h"

/* The page of a file at an index, allocated if it is not there yet; unlocked. */
static inline struct page *file_page(unsigned int file, unsigned long index)
{
	struct address_space *mapping = file_mapping(file);
	struct page *page = find_get_page(mapping, index);

	if (page)
		return page;
	page = __alloc_pages_nodemask(GFP_KERNEL | __GFP_WRITE, 0, node_zonelist(0, GFP_KERNEL), NULL);
	add_to_page_cache_lru(page, mapping, index);
	unlock_page(page);
	return page;
}

#endif
