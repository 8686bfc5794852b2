// SPDX-License-Identifier: GPL-2.0
/*
 * scan_expect.c - what a zone should answer to the request that the scan watch follows (specification 16-20, 22.1,
 * 29.1). The fair, dirty, cpuset and watermark rules are written here once more, from the specification and over the
 * view, so that a mistake in mm/ does not repeat itself. Left out: what zone_reclaim frees is not predicted.
 */
#include "mm/internal.h"
#include "fuzz/scan_expect.h"

/* Specification 3.2. */
unsigned int expect_high_zone(unsigned int gfp)
{
	if ((gfp & __GFP_DMA) && zone_configured(ZONE_DMA))
		return ZONE_DMA;
	if ((gfp & __GFP_DMA32) && zone_configured(ZONE_DMA32))
		return ZONE_DMA32;
	if ((gfp & (__GFP_HIGHMEM | __GFP_MOVABLE)) == (__GFP_HIGHMEM | __GFP_MOVABLE))
		return ZONE_MOVABLE;
	if ((gfp & __GFP_HIGHMEM) && zone_configured(ZONE_HIGHMEM))
		return ZONE_HIGHMEM;
	return ZONE_NORMAL;
}

unsigned int expect_migratetype(void)
{
	if (view_mobility_disabled())
		return MIGRATE_UNMOVABLE;
	if (watch.gfp & __GFP_MOVABLE)
		return MIGRATE_MOVABLE;
	return watch.gfp & __GFP_RECLAIMABLE ? MIGRATE_RECLAIMABLE : MIGRATE_UNMOVABLE;
}

_Bool expect_local(unsigned int slot)
{
	return !machine->numa || view_zone_node(slot) == watch.list.preferred_node;
}

/* The first attempts and the one before an OOM kill always wall a request in (21 step 2, 14; 23). */
static bool walled_in(void)
{
	if (watch.gfp & __GFP_HARDWALL)
		return true;
	return watch.slow ? (watch.alloc_flags & ALLOC_WMARK_MASK) == ALLOC_WMARK_HIGH : !watch.retried;
}

/* Specification 29.1, with one ancestor that allows every node. */
_Bool expect_cpuset_allows(unsigned int slot)
{
	/* Without NUMA every zone counts as node 0's, whatever node it is on. */
	unsigned int node = machine->numa ? view_zone_node(slot) : 0;
	bool in_mask = current->mems_allowed.bits >> node & 1;

	if (!machine->cpusets || in_interrupt() || in_mask || current->memdie)
		return true;
	return !walled_in();
}

static bool may_ignore_watermarks(void)
{
	bool memalloc = current->flags & PF_MEMALLOC;

	if (watch.gfp & __GFP_NOMEMALLOC)
		return false;
	if (watch.gfp & __GFP_MEMALLOC)
		return true;
	return (in_serving_softirq() && memalloc) || (!in_interrupt() && (memalloc || current->memdie));
}

/* A request that is atomic and may reclaim loses the former (22 step B). */
unsigned int expect_slow_flags(void)
{
	bool atomic = (watch.gfp & __GFP_ATOMIC) && !(watch.gfp & __GFP_DIRECT_RECLAIM);
	unsigned int flags = ALLOC_WMARK_MIN | (watch.gfp & __GFP_HIGH);

	if (!atomic)
		flags |= ALLOC_CPUSET;
	if (atomic ? !(watch.gfp & __GFP_NOMEMALLOC) : current->prio < MAX_RT_PRIO && !in_interrupt())
		flags |= ALLOC_HARDER;
	if (may_ignore_watermarks())
		flags |= ALLOC_NO_WATERMARKS;
	if (machine->cma && expect_migratetype() == MIGRATE_MOVABLE)
		flags |= ALLOC_CMA;
	return flags;
}

static unsigned long uncounted_cma(const struct view_marks *zone, unsigned int alloc_flags)
{
	return machine->cma && !(alloc_flags & ALLOC_CMA) ? zone->free_cma : 0;
}

/* The order-0 shortcut, 16.2; unsigned as there. */
static bool fast_ok(const struct view_marks *zone, unsigned int alloc_flags)
{
	unsigned long unusable = uncounted_cma(zone, alloc_flags);

	if (patched(FAST_WATERMARK_RESERVE)) {
		unusable += alloc_flags & ALLOC_HARDER ? 0 : zone->reserved_highatomic;
		if (patched(FAST_WATERMARK_CLAMP) && unusable > zone->free)
			unusable = zone->free;
	}
	return zone->free - unusable > zone->mark + zone->reserve;
}

/* A block of at least this order on a list that the check counts, 16.1 step 6. */
static bool block_in_sight(unsigned int slot, unsigned int alloc_flags)
{
	unsigned int order, type;

	for (order = watch.order; order < MAX_ORDER; order++) {
		for (type = 0; type < MIGRATE_TYPES; type++) {
			bool counted = type < MIGRATE_PCPTYPES || (type == MIGRATE_CMA && (alloc_flags & ALLOC_CMA));

			if (alloc_flags & ALLOC_HARDER)
				counted |= type == MIGRATE_HIGHATOMIC || !patched(WATERMARK_USABLE_LISTS);
			if (counted && !view_list_empty(slot, order, type))
				return true;
		}
	}
	return false;
}

/* 16.3: each order below the wanted one takes its pages out and halves what must remain. */
static bool blocks_remain_316(unsigned int slot, long free, long min_pages)
{
	unsigned int order;

	for (order = 0; order < watch.order && order < MAX_ORDER; order++) {
		free -= (long)(view_nr_free(slot, order) << order);
		min_pages /= 2;
		if (free <= min_pages)
			return false;
	}
	return true;
}

static bool full_ok(unsigned int slot, const struct view_marks *zone, unsigned int alloc_flags)
{
	long free = (long)zone->free - ((1L << watch.order) - 1);
	long min_pages = (long)zone->mark;
	long usable;

	if (alloc_flags & ALLOC_HIGH)
		min_pages = min_pages - min_pages / 2;
	if (alloc_flags & ALLOC_HARDER)
		min_pages = min_pages - min_pages / 4;
	else if (kernel.watermarks == WATERMARKS_4_7)
		free -= (long)zone->reserved_highatomic;
	usable = free - (long)uncounted_cma(zone, alloc_flags);
	if (usable <= min_pages + (long)zone->reserve)
		return false;
	if (kernel.watermarks == WATERMARKS_3_16)
		return blocks_remain_316(slot, free, min_pages);
	return watch.order == 0 || block_in_sight(slot, alloc_flags);
}

_Bool expect_watermark_ok(unsigned int slot, unsigned int mark_index, unsigned int alloc_flags)
{
	struct view_marks zone = view_read_marks(slot, mark_index, watch.list.classzone);

	if (watch.order == 0 && kernel.watermarks == WATERMARKS_4_7 && fast_ok(&zone, alloc_flags))
		return true;
	return full_ok(slot, &zone, alloc_flags);
}

_Bool expect_balanced(unsigned int slot, unsigned int order)
{
	struct view_marks marks = view_read_marks(slot, WMARK_HIGH, 0);
	unsigned int order_of_request = watch.order;
	long exact = view_counter_sum(slot, VIEW_FREE_PAGES);
	bool ok;

	if (marks.free < view_drift_mark(slot))
		marks.free = exact > 0 ? (unsigned long)exact : 0;
	watch.order = order;
	ok = full_ok(slot, &marks, 0);
	watch.order = order_of_request;
	return ok;
}

_Bool expect_min_mark_of_pages(unsigned int slot)
{
	struct view_marks marks = view_read_marks(slot, WMARK_MIN, watch.list.classzone);
	unsigned int order = watch.order;
	bool ok;

	watch.order = 0;
	ok = full_ok(slot, &marks, watch.slow_flags);
	watch.order = order;
	return ok;
}

_Bool expect_min_mark_after_reclaim(unsigned int slot, unsigned int fruitless)
{
	const struct zone *zone = physmem_zone_in_slot(slot);
	struct view_marks marks = view_read_marks(slot, WMARK_MIN, watch.list.classzone);
	unsigned long pages = zone_page_state_snapshot(zone, NR_ACTIVE_FILE) +
			      zone_page_state_snapshot(zone, NR_INACTIVE_FILE) +
			      zone_page_state_snapshot(zone, NR_ISOLATED_FILE);

	pages -= (fruitless * pages + 15) / 16;
	marks.free = pages + zone_page_state_snapshot(zone, NR_FREE_PAGES);
	return full_ok(slot, &marks, watch.slow_flags);
}

/* Would a take succeed? The CPU's list, then any block that the type may be served from. */
_Bool expect_deliverable(unsigned int slot, unsigned int alloc_flags)
{
	unsigned int wanted = expect_migratetype();
	unsigned int order, type;

	if (watch.order == 0 && view_first_pcp_page(slot, (unsigned int)current_cpu, wanted) != VIEW_NO_PFN)
		return true;
	for (order = watch.order; order < MAX_ORDER; order++) {
		for (type = 0; type < MIGRATE_TYPES; type++) {
			bool usable = type < MIGRATE_PCPTYPES || (type == MIGRATE_CMA && wanted == MIGRATE_MOVABLE);

			if (type == MIGRATE_HIGHATOMIC)
				usable = (alloc_flags & ALLOC_HARDER) &&
					 (watch.order > 0 || patched(ATOMIC_USES_RESERVE));
			if (usable && !view_list_empty(slot, order, type))
				return true;
		}
	}
	return false;
}

_Bool expect_dirty_bonus(void)
{
	return (current->flags & PF_LESS_THROTTLE) || current->prio < MAX_RT_PRIO;
}

static unsigned long beyond_reserve(unsigned long free, unsigned long reserve, unsigned long file)
{
	return (free > reserve ? free - reserve : 0) + file;
}

static unsigned long zone_dirtyable(unsigned int slot)
{
	const struct zone *zone = physmem_zone_in_slot(slot);

	return beyond_reserve(view_counter_read(slot, VIEW_FREE_PAGES), view_zone_totalreserve(slot),
			      zone_page_state(zone, NR_INACTIVE_FILE) + zone_page_state(zone, NR_ACTIVE_FILE));
}

static bool is_high_memory(unsigned int slot)
{
	return view_highmem(slot) && (kernel.writeback != WRITEBACK_3_16 || view_zone_type(slot) == ZONE_HIGHMEM);
}

unsigned long expect_global_dirtyable(void)
{
	unsigned long sum = beyond_reserve(global_page_state(NR_FREE_PAGES), view_totalreserve(),
					   global_page_state(NR_INACTIVE_FILE) + global_page_state(NR_ACTIVE_FILE));
	unsigned long high = 0;
	unsigned int slot;

	if (vm_highmem_is_dirtyable || !zone_configured(ZONE_HIGHMEM))
		return sum + 1;
	for_each_slot_of(slot, view_populated_slots())
		if (is_high_memory(slot))
			high += zone_dirtyable(slot);
	return sum - min(high, sum) + 1;
}

/* x * y / z without a wrap, all ones if that is too large or no number. Most products fit, and narrow division is fast. */
static unsigned long scaled(unsigned long x, unsigned long y, unsigned long z)
{
	unsigned __int128 wide;
	unsigned long product;

	if (!z)
		return ~0UL;
	if (!__builtin_mul_overflow(x, y, &product))
		return product / z;
	wide = (unsigned __int128)x * y / z;
	return wide > ~0UL ? ~0UL : (unsigned long)wide;
}

/* Specification 17, and 4.4 of page-writeback's. */
unsigned long expect_true_dirty_limit(unsigned int slot)
{
	unsigned long pages = vm_dirty_bytes / PAGE_SIZE + (vm_dirty_bytes % PAGE_SIZE != 0);

	if (vm_dirty_bytes)
		return scaled(zone_dirtyable(slot), pages, expect_global_dirtyable());
	return scaled(zone_dirtyable(slot), (unsigned int)vm_dirty_ratio, 100);
}

/* Seed 3 trusts what it kept, but for tasks with the bonus (20.3 step 7). */
unsigned long expect_dirty_limit(unsigned int slot, unsigned long true_limit)
{
	bool bonus = expect_dirty_bonus();
	bool kept = patched(DIRTY_LIMIT_CACHED) && !bonus;
	unsigned long limit = kept ? view_dirty_limit_cached(slot) : true_limit;

	return bonus ? limit + limit / 4 : limit;
}

unsigned long expect_dirty_pages(unsigned int slot)
{
	const struct zone *zone = physmem_zone_in_slot(slot);

	return zone_page_state(zone, NR_FILE_DIRTY) + zone_page_state(zone, NR_UNSTABLE_NFS) +
	       zone_page_state(zone, NR_WRITEBACK);
}

static bool over_dirty_limit(unsigned int slot, unsigned long true_limit)
{
	return expect_dirty_pages(slot) > expect_dirty_limit(slot, true_limit);
}

_Bool expect_dirty_test(void)
{
	if (patched(DIRTY_LIMIT_CACHED))
		return watch.alloc_flags & ALLOC_DIRTY;
	return !watch.slow && (watch.gfp & __GFP_WRITE);
}

/* The fair step: VERDICT_TAKEN = go on with this zone. */
static enum zone_verdict expected_fair(const struct zone_visit *visit)
{
	bool exhausted = visit->depleted_before;

	if (!visit->apply_fair)
		return VERDICT_TAKEN;
	if (kernel.fair == FAIR_F47) {
		if (exhausted)
			return VERDICT_FAIR_SKIP;
		return !visit->local && watch.attempt_fair_skips ? VERDICT_FAIR_ABORT : VERDICT_TAKEN;
	}
	if (!visit->local)
		return kernel.fair == FAIR_F316 ? VERDICT_FAIR_SKIP : VERDICT_FAIR_ABORT;
	if (kernel.fair != FAIR_F317)
		exhausted = view_counter_read(visit->slot, VIEW_ALLOC_BATCH) == 0;
	return exhausted ? VERDICT_FAIR_SKIP : VERDICT_TAKEN;
}

enum zone_verdict expect_verdict(const struct zone_visit *visit)
{
	enum zone_verdict fair;

	if ((watch.alloc_flags & ALLOC_CPUSET) && !expect_cpuset_allows(visit->slot))
		return VERDICT_CPUSET;
	fair = expected_fair(visit);
	if (fair != VERDICT_TAKEN)
		return fair;
	if (expect_dirty_test() && over_dirty_limit(visit->slot, visit->true_dirty_limit))
		return VERDICT_DIRTY;
	if (expect_watermark_ok(visit->slot, watch.alloc_flags & ALLOC_WMARK_MASK, watch.alloc_flags) ||
	    (watch.alloc_flags & ALLOC_NO_WATERMARKS))
		return VERDICT_TAKEN;
	return VERDICT_WMARK;
}

_Bool expect_could_serve(unsigned int slot, unsigned int mark_index, unsigned int alloc_flags)
{
	if ((alloc_flags & ALLOC_CPUSET) && !expect_cpuset_allows(slot))
		return false;
	if (!patched(DIRTY_LIMIT_CACHED) && !watch.slow && (watch.gfp & __GFP_WRITE) &&
	    over_dirty_limit(slot, expect_true_dirty_limit(slot)))
		return false;
	return expect_watermark_ok(slot, mark_index, alloc_flags) && expect_deliverable(slot, alloc_flags);
}
