// SPDX-License-Identifier: GPL-2.0
/*
 * page_isolation.c - pageblocks set aside: their free pages are on lists of their own, and no allocation takes from
 * those (specification 25). has_unmovable_pages() is part of Linux's page_alloc.c.
 *
 * Left out: memory_isolate_notify(), through which balloon drivers claim that pages in use are movable after all, and
 * huge pages, which do not exist here.
 */
#include "internal.h"

/* Free blocks, pages on the LRU and, if asked for, broken pages are no obstacle; any other page in use is. */
bool has_unmovable_pages(struct zone *zone, struct page *page, int count, bool skip_hwpoisoned_pages)
{
	unsigned long start_pfn = round_down(page_to_pfn(page), pageblock_nr_pages);
	int mt = get_pageblock_migratetype(page);
	DEFINE_STEPS(steps);
	unsigned long i;
	int found = 0;

	if (zone_idx(zone) == ZONE_MOVABLE || mt == MIGRATE_MOVABLE || is_migrate_cma(mt))
		return false;
	for (i = 0; i < pageblock_nr_pages; i++) {
		const struct page *check = pfn_to_page(start_pfn + i);

		work_charge("has_unmovable_pages");
		work_bound("has_unmovable_pages", ++steps, pageblock_nr_pages,
			   "a step goes on by a free block or by one frame of the pageblock");
		if (page_ref_count(check) == 0) {
			if (PageBuddy(check))
				i += (1UL << page_order(check)) - 1;
			continue;
		}
		if (PageLRU(check) || (skip_hwpoisoned_pages && PageHWPoison(check)))
			continue;
		if (++found > count)
			return true;
	}
	return false;
}

/* Isolating a block twice counts it twice, unless that is refused; the undo counts it down once. */
int set_migratetype_isolate(struct page *page, bool skip_hwpoisoned_pages)
{
	struct zone *zone = page_zone(page);
	unsigned long flags;
	int ret = -EBUSY;
	int mt;

	spin_lock_irqsave(&zone->lock, flags);
	mt = get_pageblock_migratetype(page);
	if (patched(REFUSE_DOUBLE_ISOLATION) && is_migrate_isolate(mt))
		goto out;
	if (!has_unmovable_pages(zone, page, 0, skip_hwpoisoned_pages)) {
		unsigned long nr_pages;

		set_pageblock_migratetype(page, MIGRATE_ISOLATE);
		zone->nr_isolate_pageblock++;
		nr_pages = move_freepages_block(zone, page, MIGRATE_ISOLATE);
		__mod_zone_freepage_state(zone, -(long)nr_pages, mt);
		ret = 0;
	}
out:
	spin_unlock_irqrestore(&zone->lock, flags);
	if (!ret)
		drain_all_pages(zone);
	return ret;
}

/* True if the block that begins here has a neighbour that it was kept from merging with. */
static bool isolation_kept_apart(const struct page *page)
{
	unsigned long pfn = page_to_pfn(page);
	unsigned int order;

	if (!PageBuddy(page) || page_order(page) < pageblock_order)
		return false;
	order = page_order(page);
	pfn = __find_buddy_index(pfn, order);
	return pfn_valid(pfn) && !is_migrate_isolate_page(pfn_to_page(pfn));
}

void unset_migratetype_isolate(struct page *page, int migratetype)
{
	struct zone *zone = page_zone(page);
	bool isolated_page = false;
	unsigned int order = 0;
	unsigned long flags;

	spin_lock_irqsave(&zone->lock, flags);
	if (!is_migrate_isolate_page(page))
		goto out;
	/* A block that is freed anew merges; one that is only moved to another list does not. */
	if (isolation_kept_apart(page)) {
		order = page_order(page);
		__isolate_free_page(page, order);
		set_page_count(page, 1);
		isolated_page = true;
	} else {
		unsigned long nr_pages = move_freepages_block(zone, page, migratetype);

		__mod_zone_freepage_state(zone, (long)nr_pages, migratetype);
	}
	set_pageblock_migratetype(page, migratetype);
	zone->nr_isolate_pageblock--;
out:
	spin_unlock_irqrestore(&zone->lock, flags);
	if (isolated_page)
		__free_pages(page, order);
}

int undo_isolate_page_range(unsigned long start_pfn, unsigned long end_pfn, int migratetype)
{
	unsigned long pfn;

	BUG_ON(!IS_ALIGNED(start_pfn, pageblock_nr_pages));
	BUG_ON(!IS_ALIGNED(end_pfn, pageblock_nr_pages));
	for (pfn = start_pfn; pfn < end_pfn; pfn += pageblock_nr_pages)
		if (pfn_valid(pfn) && is_migrate_isolate_page(pfn_to_page(pfn)))
			unset_migratetype_isolate(pfn_to_page(pfn), migratetype);
	return 0;
}

int start_isolate_page_range(unsigned long start_pfn, unsigned long end_pfn, int migratetype,
			     bool skip_hwpoisoned_pages)
{
	unsigned long pfn;

	BUG_ON(!IS_ALIGNED(start_pfn, pageblock_nr_pages));
	BUG_ON(!IS_ALIGNED(end_pfn, pageblock_nr_pages));
	for (pfn = start_pfn; pfn < end_pfn; pfn += pageblock_nr_pages) {
		if (pfn_valid(pfn) && set_migratetype_isolate(pfn_to_page(pfn), skip_hwpoisoned_pages)) {
			undo_isolate_page_range(start_pfn, pfn, migratetype);
			return -EBUSY;
		}
	}
	return 0;
}

/* The frame after the last one that is free or, if asked for, broken. */
static unsigned long first_busy_pfn(unsigned long start_pfn, unsigned long end_pfn, bool skip_hwpoisoned_pages)
{
	unsigned long pfn = start_pfn;
	DEFINE_STEPS(steps);

	while (pfn < end_pfn) {
		const struct page *page = pfn_to_page(pfn);

		work_charge("test_pages_isolated");
		work_bound("test_pages_isolated", ++steps, end_pfn - start_pfn,
			   "a step goes on by a free block or by one frame of the range");
		if (!pfn_valid(pfn) || (skip_hwpoisoned_pages && PageHWPoison(page)))
			pfn++;
		else if (PageBuddy(page))
			pfn += 1UL << page_order(page);
		else
			break;
	}
	return pfn;
}

int test_pages_isolated(unsigned long start_pfn, unsigned long end_pfn, bool skip_hwpoisoned_pages)
{
	unsigned long flags;
	unsigned long pfn;
	struct zone *zone;

	for (pfn = start_pfn; pfn < end_pfn; pfn += pageblock_nr_pages)
		if (pfn_valid(pfn) && !is_migrate_isolate_page(pfn_to_page(pfn)))
			return -EBUSY;
	if (!pfn_valid(start_pfn))
		return -EBUSY;
	zone = page_zone(pfn_to_page(start_pfn));
	spin_lock_irqsave(&zone->lock, flags);
	pfn = first_busy_pfn(start_pfn, end_pfn, skip_hwpoisoned_pages);
	spin_unlock_irqrestore(&zone->lock, flags);
	return pfn < end_pfn ? -EBUSY : 0;
}
