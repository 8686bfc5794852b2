// SPDX-License-Identifier: GPL-2.0
/*
 * highatomic.c - pageblocks reserved for atomic requests of order > 0 (specification 13). Part of Linux's page_alloc.c.
 */
#include "internal.h"

/* Pages that a zone may reserve before it stops adding blocks. */
static unsigned long highatomic_limit(const struct zone *zone)
{
	if (patched(HIGHATOMIC_CAP))
		return round_up(zone->managed_pages / 100, pageblock_nr_pages);
	return zone->managed_pages / 100 + pageblock_nr_pages;
}

/* After a HARDER request of order > 0 got this page: keep its pageblock for the next one. */
void reserve_highatomic_pageblock(struct page *page, struct zone *zone, unsigned int order)
{
	unsigned long max_managed = highatomic_limit(zone);
	unsigned long flags;
	int mt;

	if (zone->nr_reserved_highatomic >= max_managed)
		return;
	spin_lock_irqsave(&zone->lock, flags);
	if (zone->nr_reserved_highatomic >= max_managed)
		goto out_unlock;
	mt = get_pageblock_migratetype(page);
	if (mt != MIGRATE_HIGHATOMIC && !is_migrate_isolate(mt) && !is_migrate_cma(mt)) {
		zone->nr_reserved_highatomic += pageblock_nr_pages;
		set_pageblock_migratetype(page, MIGRATE_HIGHATOMIC);
		move_freepages_block(zone, page, MIGRATE_HIGHATOMIC);
	}
out_unlock:
	spin_unlock_irqrestore(&zone->lock, flags);
}

/* Give the pageblock of a free block on the HIGHATOMIC lists to the type that needs it. Returns pages moved. */
static unsigned long unreserve_block(struct zone *zone, struct page *page, int migratetype)
{
	if (!patched(UNRESERVE_OWN_TYPE) || get_pageblock_migratetype(page) == MIGRATE_HIGHATOMIC)
		zone->nr_reserved_highatomic -= min(pageblock_nr_pages, zone->nr_reserved_highatomic);
	set_pageblock_migratetype(page, migratetype);
	return move_freepages_block(zone, page, migratetype);
}

/*
 * The first block on the lists, orders ascending. A pageblock that ends outside its zone cannot be moved: whoever
 * retries for as long as there are blocks must not count it, and looks further (29fac03bef72).
 */
static bool unreserve_first_block(struct zone *zone, int migratetype)
{
	unsigned int order;

	for (order = 0; order < MAX_ORDER; order++) {
		struct list_head *list = &zone->free_area[order].free_list[MIGRATE_HIGHATOMIC];

		if (list_empty(list))
			continue;
		if (unreserve_block(zone, list_first_entry(list, struct page, lru), migratetype) ||
		    !patched(UNRESERVE_BEFORE_OOM))
			return true;
	}
	return false;
}

/*
 * A request that reclaim could not help gets one pageblock. `force` also takes a zone's last one. True if a block was
 * released.
 */
bool unreserve_highatomic_pageblock(const struct alloc_context *ac, bool force)
{
	unsigned long flags;
	struct zoneref *z;
	struct zone *zone;

	for_each_zone_zonelist_nodemask(zone, z, ac->zonelist, (int)ac->high_zoneidx, ac->nodemask) {
		bool released;

		if (zone->nr_reserved_highatomic == 0 ||
		    (!force && zone->nr_reserved_highatomic <= pageblock_nr_pages))
			continue;
		spin_lock_irqsave(&zone->lock, flags);
		released = unreserve_first_block(zone, ac->migratetype);
		spin_unlock_irqrestore(&zone->lock, flags);
		if (released)
			return true;
	}
	return false;
}
