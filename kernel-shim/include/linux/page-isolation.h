/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_PAGE_ISOLATION_H
#define _LINUX_PAGE_ISOLATION_H

#include <linux/mm.h>

/*
 * Modelled, specification 25: pageblocks that nobody may allocate from while their pages are being moved away
 * (mm/page_isolation.c). Ranges are frames [start_pfn, end_pfn), both aligned to pageblocks.
 */

static inline bool is_migrate_isolate_page(const struct page *page)
{
	return is_migrate_isolate(get_pageblock_migratetype(page));
}

/* 0, or -EBUSY with nothing changed. */
int start_isolate_page_range(unsigned long start_pfn, unsigned long end_pfn, int migratetype,
			     bool skip_hwpoisoned_pages);
/* Gives the pageblocks of the range that are isolated the type migratetype. */
int undo_isolate_page_range(unsigned long start_pfn, unsigned long end_pfn, int migratetype);
/* 0 if every pageblock is isolated and every page free, else -EBUSY. */
int test_pages_isolated(unsigned long start_pfn, unsigned long end_pfn, bool skip_hwpoisoned_pages);

/* One pageblock: 0 or -EBUSY. */
int set_migratetype_isolate(struct page *page, bool skip_hwpoisoned_pages);
void unset_migratetype_isolate(struct page *page, int migratetype);

/* True if the pageblock holds more than `count` pages that cannot be moved away. zone->lock is not needed. */
bool has_unmovable_pages(struct zone *zone, struct page *page, int count, bool skip_hwpoisoned_pages);

#endif
