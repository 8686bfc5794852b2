// SPDX-License-Identifier: GPL-2.0
/*
 * dirty_limits.c - how much memory may be dirty: of all, of a zone and of a device (page-writeback specification 3, 4,
 * 5, 8; page_alloc specification 17, 20.3).
 *
 *	dirtyable memory -> threshold, background threshold -> a device's share of both -> its state
 *
 * All in pages. Left out: the domains of control groups.
 */
#include "internal.h"

/*
 * Dirtyable memory.
 */

/* What is left of free and file pages when the reserve, which is free memory, is kept free. */
static unsigned long dirtyable_pages(unsigned long free, unsigned long file, unsigned long reserve)
{
	if (!patched(RESERVE_FROM_FREE_ONLY)) {
		unsigned long nr_pages = free + file;

		return nr_pages - (patched(RESERVE_CLAMPED) ? min(nr_pages, reserve) : reserve);
	}
	if (patched(RESERVE_CLAMPED))
		reserve = min(free, reserve);
	return free - reserve + file;
}

unsigned long zone_dirtyable_memory(const struct zone *zone)
{
	return dirtyable_pages(zone_page_state(zone, NR_FREE_PAGES),
			       zone_page_state(zone, NR_INACTIVE_FILE) + zone_page_state(zone, NR_ACTIVE_FILE),
			       zone->totalreserve_pages);
}

/* Before 4.7 a ZONE_MOVABLE of high memory was overlooked. */
static bool counts_as_highmem(const struct zone *zone)
{
	if (kernel.writeback == WRITEBACK_3_16)
		return zone_configured(ZONE_HIGHMEM) && zone_idx(zone) == ZONE_HIGHMEM;
	return is_highmem(zone);
}

/* The part of `total` that lies in highmem. */
static unsigned long highmem_dirtyable_memory(unsigned long total)
{
	struct zone *zone;
	long x = 0;

	for_each_populated_zone(zone)
		if (counts_as_highmem(zone))
			x += (long)zone_dirtyable_memory(zone);
	return min((unsigned long)max(x, 0L), total);
}

/* Not 0, so that it can divide, unless fewer than no pages are counted as free. */
unsigned long global_dirtyable_memory(void)
{
	unsigned long x = dirtyable_pages(global_page_state(NR_FREE_PAGES),
					  global_page_state(NR_INACTIVE_FILE) + global_page_state(NR_ACTIVE_FILE),
					  totalreserve_pages);

	if (!vm_highmem_is_dirtyable && zone_configured(ZONE_HIGHMEM))
		x -= highmem_dirtyable_memory(x);
	return x + 1;
}

/*
 * Limits.
 */
bool current_gets_bonus(void)
{
	return (current->flags & PF_LESS_THROTTLE) || rt_task(current);
}

/* Bytes win over the ratio. */
static unsigned long configured_limit(unsigned long bytes, int ratio, unsigned long available)
{
	if (bytes)
		return DIV_ROUND_UP(bytes, PAGE_SIZE);
	if (patched(HIGH_PRECISION_RATIO))
		return (unsigned long)ratio * PAGE_SIZE / 100 * available / PAGE_SIZE;
	return (unsigned long)ratio * available / 100;
}

static unsigned long with_bonus(unsigned long limit)
{
	unsigned long bonus = limit / 4;

	if (kernel.writeback != WRITEBACK_3_16)
		bonus += global_wb_domain.dirty_limit / 32;
	return limit + bonus;
}

/* Limits of @dtc->avail pages, for the current task. The background limit is lower, unless both are 0. */
void domain_dirty_limits(struct dirty_throttle_control *dtc)
{
	unsigned long thresh = configured_limit(vm_dirty_bytes, vm_dirty_ratio, dtc->avail);
	unsigned long bg_thresh = configured_limit(dirty_background_bytes, dirty_background_ratio, dtc->avail);

	if (bg_thresh >= thresh)
		bg_thresh = thresh / 2;
	if (current_gets_bonus()) {
		bg_thresh = with_bonus(bg_thresh);
		thresh = with_bonus(thresh);
	}
	/* After the bonus, which could lift a limit over 32 bits again. */
	if (patched(LIMITS_BELOW_UINTMAX) && thresh > UINT_MAX) {
		thresh = UINT_MAX;
		if (bg_thresh >= thresh)
			bg_thresh = thresh / 2;
	}
	dtc->thresh = thresh;
	dtc->bg_thresh = bg_thresh;
	trace_dirty_limits(dtc->avail, thresh, bg_thresh);
}

void global_dirty_limits(unsigned long *background, unsigned long *dirty)
{
	struct dirty_throttle_control gdtc = { .avail = global_dirtyable_memory() };

	domain_dirty_limits(&gdtc);
	*background = gdtc.bg_thresh;
	*dirty = gdtc.thresh;
}

/* Below this nobody is throttled. */
unsigned long dirty_freerun_ceiling(unsigned long thresh, unsigned long bg_thresh)
{
	return (thresh + bg_thresh) / 2;
}

/* At this everybody is stopped: the threshold, and while it falls the limit that follows it slowly. */
unsigned long hard_dirty_limit(const struct wb_domain *dom, unsigned long thresh)
{
	return max(thresh, dom->dirty_limit);
}

/*
 * Zones.
 */

/* The zone's part of the pages that may be dirty in all. */
static unsigned long zone_part_of(unsigned long pages, unsigned long zone_memory)
{
	unsigned long memory = global_dirtyable_memory();
	unsigned long product;

	if (__builtin_mul_overflow(pages, zone_memory, &product) && memory && patched(ZONE_LIMIT_WIDE_PRODUCT))
		return (unsigned long)((unsigned __int128)pages * zone_memory / memory);
	return div64_u64(product, memory);
}

/* Pages; with seed 3 without the bonus that some tasks get, because the value is kept for all of them. */
unsigned long zone_dirty_limit(struct zone *zone)
{
	unsigned long zone_memory = zone_dirtyable_memory(zone);
	unsigned long dirty;

	if (vm_dirty_bytes)
		dirty = zone_part_of(DIV_ROUND_UP(vm_dirty_bytes, PAGE_SIZE), zone_memory);
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

/*
 * Devices.
 */

/* The share of @thresh that the device's part of recent writes earns, within its min_ratio and max_ratio. */
static unsigned long __wb_calc_thresh(struct bdi_writeback *wb, unsigned long thresh)
{
	unsigned long numerator, denominator, most;
	u64 wb_thresh;

	fprop_fraction_percpu(&global_wb_domain.completions, &wb->completions, &numerator, &denominator);
	wb_thresh = thresh * (100 - bdi_min_ratio) / 100;
	wb_thresh *= numerator;
	wb_thresh = div_u64(wb_thresh, denominator);
	wb_thresh += thresh * wb->bdi->min_ratio / 100;
	most = thresh * wb->bdi->max_ratio / 100;
	trace_wb_share(wb->bdi->number, thresh, numerator, denominator, min(wb_thresh, (u64)most));
	return (unsigned long)min(wb_thresh, (u64)most);
}

unsigned long wb_calc_thresh(struct bdi_writeback *wb, unsigned long thresh)
{
	return __wb_calc_thresh(wb, thresh);
}

static unsigned long wb_background_share(const struct dirty_throttle_control *dtc)
{
	if (patched(STRICTLIMIT_ZERO_THRESH) && !dtc->thresh)
		return 0;
	return (unsigned long)div_u64((u64)dtc->wb_thresh * dtc->bg_thresh, dtc->thresh);
}

/*
 * wb_dirty_limits - the device's share of the limits of @dtc and how much of it is in use.
 * Counters are read exactly while their error could hide that a tiny share is used up.
 */
void wb_dirty_limits(struct dirty_throttle_control *dtc)
{
	const struct bdi_writeback *wb = dtc->wb;

	dtc->wb_thresh = __wb_calc_thresh(dtc->wb, dtc->thresh);
	dtc->wb_bg_thresh = wb_background_share(dtc);
	if (dtc->wb_thresh < 2 * wb_stat_error(wb))
		dtc->wb_dirty = wb_stat_sum(wb, WB_RECLAIMABLE) + wb_stat_sum(wb, WB_WRITEBACK);
	else
		dtc->wb_dirty = wb_stat(wb, WB_RECLAIMABLE) + wb_stat(wb, WB_WRITEBACK);
}
