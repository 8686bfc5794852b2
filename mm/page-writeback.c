// SPDX-License-Identifier: GPL-2.0
/*
 * page-writeback.c - how many dirty pages a zone may hold (page_alloc specification 17 and 20.3). This is what the
 * allocator's dirty test needs; global limits, throttling and accounting are not here yet.
 */
#include "internal.h"

__world int vm_dirty_ratio = 20;
__world unsigned long vm_dirty_bytes;
__world int vm_highmem_is_dirtyable;

static unsigned long zone_dirtyable_memory(const struct zone *zone)
{
	unsigned long nr_pages = zone_page_state(zone, NR_FREE_PAGES);

	nr_pages -= min(nr_pages, zone->totalreserve_pages);
	nr_pages += zone_page_state(zone, NR_INACTIVE_FILE);
	nr_pages += zone_page_state(zone, NR_ACTIVE_FILE);
	return nr_pages;
}

/* The part of `total` that lies in highmem. */
static unsigned long highmem_dirtyable_memory(unsigned long total)
{
	struct zone *zone;
	long x = 0;

	for_each_populated_zone(zone)
		if (is_highmem(zone))
			x += (long)zone_dirtyable_memory(zone);
	return min((unsigned long)max(x, 0L), total);
}

static unsigned long global_dirtyable_memory(void)
{
	unsigned long x = global_page_state(NR_FREE_PAGES);

	x -= min(x, totalreserve_pages);
	x += global_page_state(NR_INACTIVE_FILE);
	x += global_page_state(NR_ACTIVE_FILE);
	if (!vm_highmem_is_dirtyable)
		x -= highmem_dirtyable_memory(x);
	return x + 1;
}

static bool current_gets_bonus(void)
{
	return (current->flags & PF_LESS_THROTTLE) || rt_task(current);
}

/* Pages; with seed 3 without the bonus that some tasks get, because the value is kept for all of them. */
unsigned long zone_dirty_limit(struct zone *zone)
{
	unsigned long zone_memory = zone_dirtyable_memory(zone);
	unsigned long dirty;

	if (vm_dirty_bytes)
		dirty = DIV_ROUND_UP(vm_dirty_bytes, PAGE_SIZE) * zone_memory / global_dirtyable_memory();
	else
		dirty = (unsigned long)vm_dirty_ratio * zone_memory / 100;
	if (!patched(DIRTY_LIMIT_CACHED) && current_gets_bonus())
		dirty += dirty / 4;
	return dirty;
}

/* The limit of this test: seed 3 trusts the cache, except for tasks with a bonus, which bring it up to date. */
static unsigned long zone_dirty_test_limit(struct zone *zone)
{
	if (!patched(DIRTY_LIMIT_CACHED))
		return zone_dirty_limit(zone);
	if (!current_gets_bonus())
		return zone->dirty_limit_cached;
	zone->dirty_limit_cached = zone_dirty_limit(zone);
	return zone->dirty_limit_cached + zone->dirty_limit_cached / 4;
}

bool zone_dirty_ok(struct zone *zone)
{
	unsigned long limit = zone_dirty_test_limit(zone);

	return zone_page_state(zone, NR_FILE_DIRTY) + zone_page_state(zone, NR_UNSTABLE_NFS) +
		       zone_page_state(zone, NR_WRITEBACK) <=
	       limit;
}
