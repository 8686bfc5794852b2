// SPDX-License-Identifier: GPL-2.0
/*
 * watermark.c - how much of a zone must stay free, and for whom: min_free_kbytes, the three marks, lowmem reserves,
 * total reserves (specification 9.1-9.4), and the checks against them (16). Part of Linux's page_alloc.c.
 */
#include "internal.h"

__world int min_free_kbytes = 1024;
__world int user_min_free_kbytes = -1;
__world int watermark_scale_factor = 10;
__world int sysctl_lowmem_reserve_ratio[MAX_NR_ZONES - 1] = { 256, 256, 32, 32 };
__world unsigned long totalreserve_pages;

/*
 * Setting the marks.
 */

/* Pages above the high marks in the zones up to `offset` that the local node's GFP_KERNEL requests can reach. */
static unsigned long nr_free_zone_pages(enum zone_type offset)
{
	struct zonelist *zonelist = node_zonelist(numa_node_id(), GFP_KERNEL);
	unsigned long sum = 0;
	struct zoneref *z;
	struct zone *zone;

	for_each_zone_zonelist(zone, z, zonelist, (int)offset) {
		unsigned long high = high_wmark_pages(zone);

		if (zone->managed_pages > high)
			sum += zone->managed_pages - high;
	}
	return sum;
}

unsigned long nr_free_buffer_pages(void)
{
	return nr_free_zone_pages(gfp_zone(GFP_USER));
}

unsigned long nr_free_pagecache_pages(void)
{
	return nr_free_zone_pages(gfp_zone(GFP_HIGHUSER_MOVABLE));
}

static void calculate_totalreserve_pages(void)
{
	unsigned long reserve_pages = 0;
	struct zone *zone;

	for_each_zone(zone) {
		long reserve = 0;
		int idx;

		for (idx = zone_idx(zone); idx < MAX_NR_ZONES; idx++)
			reserve = max(reserve, zone->lowmem_reserve[idx]);
		reserve += (long)high_wmark_pages(zone);
		zone->totalreserve_pages = min((unsigned long)reserve, zone->managed_pages);
		reserve_pages += zone->totalreserve_pages;
	}
	totalreserve_pages = reserve_pages;
}

/* Zone i keeps managed(i+1..j) / ratio[i] pages from requests whose highest zone is j. */
static void setup_per_zone_lowmem_reserve(void)
{
	pg_data_t *pgdat;

	for_each_online_pgdat(pgdat) {
		int j;

		for (j = 0; j < MAX_NR_ZONES; j++) {
			unsigned long managed_pages = pgdat->node_zones[j].managed_pages;
			int idx;

			pgdat->node_zones[j].lowmem_reserve[j] = 0;
			for (idx = j - 1; idx >= 0; idx--) {
				struct zone *lower_zone = &pgdat->node_zones[idx];
				int ratio = max(sysctl_lowmem_reserve_ratio[idx], 1);

				lower_zone->lowmem_reserve[j] = (long)(managed_pages / (unsigned long)ratio);
				managed_pages += lower_zone->managed_pages;
			}
		}
	}
	calculate_totalreserve_pages();
}

/* The distance between the marks: from the scale factor, but not less than a quarter of the uncapped minimum. */
static unsigned long watermark_distance(const struct zone *zone, u64 tmp)
{
	unsigned long factor = (unsigned long)watermark_scale_factor;
	unsigned long scaled = zone->managed_pages / 10000 * factor + zone->managed_pages % 10000 * factor / 10000;

	return max((unsigned long)(tmp >> 2), scaled);
}

static void set_zone_wmarks(struct zone *zone, u64 tmp)
{
	unsigned long min_mark = tmp;

	if (is_highmem(zone))
		min_mark = clamp(zone->managed_pages / 1024, SWAP_CLUSTER_MAX, 128UL);
	zone->watermark[WMARK_MIN] = min_mark;
	if (kernel.watermarks == WATERMARKS_3_16) {
		zone->watermark[WMARK_LOW] = min_mark + (tmp >> 2);
		zone->watermark[WMARK_HIGH] = min_mark + (tmp >> 1);
	} else {
		unsigned long distance = watermark_distance(zone, tmp);

		zone->watermark[WMARK_LOW] = min_mark + distance;
		zone->watermark[WMARK_HIGH] = min_mark + 2 * distance;
	}
}

void setup_per_zone_wmarks(void)
{
	unsigned long pages_min = (unsigned long)min_free_kbytes >> (PAGE_SHIFT - 10);
	unsigned long lowmem_pages = 0;
	unsigned long flags;
	struct zone *zone;

	for_each_zone(zone)
		if (!is_highmem(zone))
			lowmem_pages += zone->managed_pages;

	for_each_zone(zone) {
		spin_lock_irqsave(&zone->lock, flags);
		/* PORT: a machine without lowmem divides by 0 in Linux; machine_check() refuses it. */
		set_zone_wmarks(zone, (u64)pages_min * zone->managed_pages / max(lowmem_pages, 1UL));
		refill_alloc_batch(zone, true);
		spin_unlock_irqrestore(&zone->lock, flags);
	}
	calculate_totalreserve_pages();
}

int init_per_zone_wmark_min(void)
{
	unsigned long lowmem_kbytes = nr_free_buffer_pages() * (PAGE_SIZE >> 10);
	int new_min_free_kbytes = (int)int_sqrt(lowmem_kbytes * 16);

	if (new_min_free_kbytes > user_min_free_kbytes)
		min_free_kbytes = clamp(new_min_free_kbytes, 128, 65536);
	else
		pr_warn("min_free_kbytes is not updated to %d because user defined value %d is preferred",
			(unsigned long)new_min_free_kbytes, (unsigned long)user_min_free_kbytes);
	setup_per_zone_wmarks();
	refresh_zone_stat_thresholds();
	setup_per_zone_lowmem_reserve();
	return 0;
}

/*
 * Tunables. Neither of the first two refreshes the stat thresholds.
 */
int min_free_kbytes_sysctl_handler(int value)
{
	if (value < 0)
		return -EINVAL;
	min_free_kbytes = value;
	user_min_free_kbytes = value;
	setup_per_zone_wmarks();
	return 0;
}

int watermark_scale_factor_sysctl_handler(int value)
{
	if (value < 1 || value > 1000)
		return -EINVAL;
	watermark_scale_factor = value;
	setup_per_zone_wmarks();
	return 0;
}

int lowmem_reserve_ratio_sysctl_handler(int idx, int value)
{
	if (idx < 0 || idx >= MAX_NR_ZONES - 1)
		return -EINVAL;
	sysctl_lowmem_reserve_ratio[idx] = value;
	setup_per_zone_lowmem_reserve();
	return 0;
}

/*
 * Checks, specification 16.
 */

/* True if some order from `order` up has a free block on a list that this request may take from. */
static bool has_usable_block(const struct zone *z, unsigned int order, int alloc_flags)
{
	for (; order < MAX_ORDER; order++) {
		const struct free_area *area = &z->free_area[order];
		int mt;

		if (!area->nr_free)
			continue;
		if ((alloc_flags & ALLOC_HARDER) && !patched(WATERMARK_USABLE_LISTS))
			return true;
		for (mt = 0; mt < MIGRATE_PCPTYPES; mt++)
			if (!list_empty(&area->free_list[mt]))
				return true;
		if ((alloc_flags & ALLOC_CMA) && machine->cma && !list_empty(&area->free_list[MIGRATE_CMA]))
			return true;
		if ((alloc_flags & ALLOC_HARDER) && !list_empty(&area->free_list[MIGRATE_HIGHATOMIC]))
			return true;
	}
	return false;
}

/* 3.16: no order may be short, each demands half of what the order below it does. */
static bool wmark_316_ok(const struct zone *z, unsigned int order, long min_pages, long free_pages)
{
	unsigned int o;

	for (o = 0; o < order && o < MAX_ORDER; o++) {
		free_pages -= (long)(z->free_area[o].nr_free << o);
		min_pages >>= 1;
		if (free_pages <= min_pages)
			return false;
	}
	return true;
}

bool __zone_watermark_ok(struct zone *z, unsigned int order, unsigned long mark, int classzone_idx, int alloc_flags,
			 long free_pages)
{
	long min_pages = (long)mark;
	long cma_pages = 0;

	free_pages -= (1L << order) - 1;
	if (alloc_flags & ALLOC_HIGH)
		min_pages -= min_pages / 2;
	if (alloc_flags & ALLOC_HARDER)
		min_pages -= min_pages / 4;
	else if (kernel.watermarks == WATERMARKS_4_7)
		free_pages -= (long)z->nr_reserved_highatomic;
	if (machine->cma && !(alloc_flags & ALLOC_CMA))
		cma_pages = (long)zone_page_state(z, NR_FREE_CMA_PAGES);
	if (free_pages - cma_pages <= min_pages + z->lowmem_reserve[classzone_idx])
		return false;
	if (kernel.watermarks == WATERMARKS_3_16)
		return wmark_316_ok(z, order, min_pages, free_pages);
	return order == 0 || has_usable_block(z, order, alloc_flags);
}

bool zone_watermark_ok(struct zone *z, unsigned int order, unsigned long mark, int classzone_idx, int alloc_flags)
{
	return __zone_watermark_ok(z, order, mark, classzone_idx, alloc_flags,
				   (long)zone_page_state(z, NR_FREE_PAGES));
}

/* Free pages that the order-0 shortcut does not count. */
static unsigned long fast_unusable(struct zone *z, int alloc_flags, unsigned long free_pages)
{
	unsigned long unusable = 0;

	if (machine->cma && !(alloc_flags & ALLOC_CMA))
		unusable = zone_page_state(z, NR_FREE_CMA_PAGES);
	if (patched(FAST_WATERMARK_RESERVE)) {
		if (!(alloc_flags & ALLOC_HARDER))
			unusable += z->nr_reserved_highatomic;
		if (patched(FAST_WATERMARK_CLAMP))
			unusable = min(unusable, free_pages);
	}
	return unusable;
}

bool zone_watermark_fast(struct zone *z, unsigned int order, unsigned long mark, int classzone_idx, int alloc_flags)
{
	unsigned long free_pages = zone_page_state(z, NR_FREE_PAGES);

	/* The difference is unsigned: below zero it passes. */
	if (order == 0 && kernel.watermarks == WATERMARKS_4_7 &&
	    free_pages - fast_unusable(z, alloc_flags, free_pages) >
		    mark + (unsigned long)z->lowmem_reserve[classzone_idx])
		return true;
	return __zone_watermark_ok(z, order, mark, classzone_idx, alloc_flags, (long)free_pages);
}

bool zone_watermark_ok_safe(struct zone *z, unsigned int order, unsigned long mark, int classzone_idx)
{
	unsigned long free_pages = zone_page_state(z, NR_FREE_PAGES);

	if (z->percpu_drift_mark && free_pages < z->percpu_drift_mark)
		free_pages = zone_page_state_snapshot(z, NR_FREE_PAGES);
	return __zone_watermark_ok(z, order, mark, classzone_idx, 0, (long)free_pages);
}
