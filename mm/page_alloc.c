// SPDX-License-Identifier: GPL-2.0
/*
 * page_alloc.c - the heart of the allocator: the entry, the zonelist scan with its fair, dirty and watermark tests,
 * the take, and the free (specification 15, 18-21, 24). The slow path is slowpath.c; what a zone does with its blocks
 * and lists is buddy.c, pcp.c, highatomic.c.
 *
 * Left out: the zonelist cache of 3.16 and 3.17 (default off in the specification), memory policies, hugetlb.
 */
#include "internal.h"

/*
 * Taking from one zone.
 */

/* Whether the page came from where the caller would have it: one count for each call, whatever the order. */
static void zone_statistics(struct zone *preferred_zone, struct zone *zone, gfp_t gfp_mask)
{
	enum zone_stat_item local_stat = NUMA_LOCAL;
	int local_nid = numa_node_id();

	if (!machine->numa)
		return;
	if (patched(NUMA_HIT_PREFERRED)) {
		if (zone->node != local_nid)
			local_stat = NUMA_OTHER;
		local_nid = preferred_zone->node;
	} else if (gfp_mask & __GFP_OTHER_NODE) {
		local_stat = NUMA_OTHER;
		local_nid = preferred_zone->node;
	}
	if (zone->node == local_nid) {
		__inc_zone_state(zone, NUMA_HIT);
	} else {
		__inc_zone_state(zone, NUMA_MISS);
		__inc_zone_state(preferred_zone, NUMA_FOREIGN);
	}
	if (zone->node == local_nid || patched(NUMA_HIT_PREFERRED))
		__inc_zone_state(zone, local_stat);
}

/* A block of order > 0 (or a reserved page), with bad ones leaked on the way. Takes zone->lock; interrupts are off. */
static struct page *rmqueue_block(struct zone *zone, unsigned int order, int alloc_flags, int migratetype,
				  bool reserve_first)
{
	struct page *page;
	DEFINE_STEPS(steps);

	spin_lock(&zone->lock);
	do {
		work_charge("buffered_rmqueue");
		work_bound("buffered_rmqueue", ++steps, (zone->managed_pages >> order) + 1,
			   "each retry withdraws a block of the zone");
		page = NULL;
		if (alloc_flags & ALLOC_HARDER)
			page = __rmqueue_smallest(zone, order, MIGRATE_HIGHATOMIC);
		if (!page && reserve_first)
			page = __rmqueue(zone, order, migratetype);
	} while (page && check_new_pages(page, order));
	spin_unlock(&zone->lock);
	if (page)
		__mod_zone_freepage_state(zone, -(1L << order), get_pcppage_migratetype(page));
	return page;
}

static struct page *rmqueue_order0(struct zone *zone, gfp_t gfp_flags, int alloc_flags, int migratetype)
{
	struct page *page = rmqueue_pcplist(zone, gfp_flags, migratetype);

	if (page) {
		if (kernel.fair != FAIR_F47)
			__mod_zone_page_state(zone, NR_ALLOC_BATCH, -1);
		return page;
	}
	if (!patched(ATOMIC_USES_RESERVE) || !(alloc_flags & ALLOC_HARDER))
		return NULL;
	page = rmqueue_block(zone, 0, alloc_flags, migratetype, false);
	if (page)
		__mod_zone_page_state(zone, NR_ALLOC_BATCH, -1);
	return page;
}

/* Take 2^order frames from this zone; NULL if it cannot deliver, whatever the watermark check said. */
static struct page *buffered_rmqueue(struct zone *preferred_zone, struct zone *zone, unsigned int order,
				     gfp_t gfp_flags, int alloc_flags, int migratetype)
{
	unsigned long flags;
	struct page *page;

	if (order > 1 && (gfp_flags & __GFP_NOFAIL))
		caller_warning(CALLER_NOFAIL_HIGH_ORDER);
	local_irq_save(flags);
	if (likely(order == 0)) {
		page = rmqueue_order0(zone, gfp_flags, alloc_flags, migratetype);
	} else {
		page = rmqueue_block(zone, order, alloc_flags, migratetype, true);
		if (page)
			__mod_zone_page_state(zone, NR_ALLOC_BATCH, -(1L << order));
	}
	if (page) {
		note_fair_take(zone);
		__count_zone_vm_events(PGALLOC, zone, 1UL << order);
		zone_statistics(preferred_zone, zone, gfp_flags);
	}
	local_irq_restore(flags);
	VM_BUG_ON_PAGE(page && bad_range(zone, page), page);
	return page;
}

/*
 * The scan.
 */

/* What one get_page_from_freelist() carries from zone to zone and from pass to pass. */
struct scan {
	const struct alloc_context *ac;
	gfp_t gfp_mask;
	unsigned int order;
	int alloc_flags;             /* a copy: ALLOC_FAIR and ALLOC_DIRTY may be dropped */
	struct zoneref *z;           /* the cursor, kept between passes */
	int pass;
	bool apply_fair;
	unsigned int nr_fair_skipped;
	unsigned int nr_fail_dirty;
};

enum scan_step { STEP_USE, STEP_NEXT, STEP_END };

static void scan_verdict(const struct scan *scan, const struct zone *zone, enum zone_verdict verdict)
{
	trace_zone_verdict(zone, verdict, scan->z - scan->ac->preferred_zoneref);
}

/* 4.7: the flag first, then locality; a remote zone is used as long as no zone was skipped before it. */
static enum scan_step fair_step_47(struct scan *scan, struct zone *zone)
{
	if (zone_is_fair_depleted(zone)) {
		scan->nr_fair_skipped++;
		scan_verdict(scan, zone, VERDICT_FAIR_SKIP);
		return STEP_NEXT;
	}
	if (zone_local(scan->ac->preferred_zoneref->zone, zone))
		return STEP_USE;
	if (scan->nr_fair_skipped) {
		scan_verdict(scan, zone, VERDICT_FAIR_ABORT);
		return STEP_END;
	}
	scan->apply_fair = false;
	return STEP_USE;
}

/* 3.16 and 3.17: locality first, then the counter or the flag. */
static enum scan_step fair_step_3x(struct scan *scan, struct zone *zone)
{
	bool exhausted = kernel.fair == FAIR_F317 ? zone_is_fair_depleted(zone) : fair_batch_exhausted(zone);

	if (!zone_local(scan->ac->preferred_zoneref->zone, zone)) {
		bool ends = kernel.fair != FAIR_F316;

		scan_verdict(scan, zone, ends ? VERDICT_FAIR_ABORT : VERDICT_FAIR_SKIP);
		return ends ? STEP_END : STEP_NEXT;
	}
	if (!exhausted)
		return STEP_USE;
	scan->nr_fair_skipped++;
	scan_verdict(scan, zone, VERDICT_FAIR_SKIP);
	return STEP_NEXT;
}

static bool scan_dirty_ok(struct scan *scan, struct zone *zone)
{
	if (!patched(DIRTY_LIMIT_CACHED))
		return !scan->ac->spread_dirty_pages || zone_dirty_ok(zone);
	if (!(scan->alloc_flags & ALLOC_DIRTY) || zone_dirty_ok(zone))
		return true;
	scan->nr_fail_dirty++;
	zone->dirty_limit_cached = zone_dirty_limit(zone);
	return false;
}

static bool zone_allows_reclaim(struct zone *local_zone, struct zone *zone)
{
	return node_distance(zone_to_nid(local_zone), zone_to_nid(zone)) < RECLAIM_DISTANCE;
}

/* VERDICT_TAKEN stands for "try to take"; anything else says why not. */
static enum zone_verdict watermark_step(struct scan *scan, struct zone *zone)
{
	unsigned long mark = zone->watermark[scan->alloc_flags & ALLOC_WMARK_MASK];
	int classzone_idx = ac_classzone_idx(scan->ac);

	if (zone_watermark_fast(zone, scan->order, mark, classzone_idx, scan->alloc_flags) ||
	    (scan->alloc_flags & ALLOC_NO_WATERMARKS))
		return VERDICT_TAKEN;
	if (zone_reclaim_mode == 0 || !zone_allows_reclaim(scan->ac->preferred_zoneref->zone, zone))
		return VERDICT_WMARK;
	switch (zone_reclaim(zone, scan->gfp_mask, scan->order)) {
	case ZONE_RECLAIM_NOSCAN:
		return VERDICT_RECLAIM_NOSCAN;
	case ZONE_RECLAIM_FULL:
		return VERDICT_RECLAIM_FULL;
	}
	if (zone_watermark_ok(zone, scan->order, mark, classzone_idx, scan->alloc_flags))
		return VERDICT_TAKEN;
	return VERDICT_RECLAIM_LOW;
}

static struct page *take_step(struct scan *scan, struct zone *zone)
{
	struct page *page = buffered_rmqueue(scan->ac->preferred_zoneref->zone, zone, scan->order, scan->gfp_mask,
					     scan->alloc_flags, scan->ac->migratetype);

	if (!page) {
		scan_verdict(scan, zone, VERDICT_TAKE_FAIL);
		return NULL;
	}
	scan_verdict(scan, zone, VERDICT_TAKEN);
	prep_new_page(page, scan->order, scan->gfp_mask, scan->alloc_flags);
	if (scan->order && (scan->alloc_flags & ALLOC_HARDER))
		reserve_highatomic_pageblock(page, zone, scan->order);
	return page;
}

/* One pass from the cursor to the end of the list, a page, or the point where the fair policy gives up. */
static struct page *scan_zonelist(struct scan *scan)
{
	const struct alloc_context *ac = scan->ac;
	struct page *page;
	struct zone *zone;
	DEFINE_STEPS(steps);

	for_next_zone_zonelist_nodemask(zone, scan->z, (int)ac->high_zoneidx, ac->nodemask) {
		enum scan_step step = STEP_USE;
		enum zone_verdict verdict;

		work_charge("get_page_from_freelist");
		work_bound("get_page_from_freelist", ++steps, zonelist_most_zones(),
			   "a pass visits each zone of the machine at most once");
		trace_zone_visit(zone, scan->z - ac->preferred_zoneref);
		if (cpusets_enabled() && (scan->alloc_flags & ALLOC_CPUSET) &&
		    !__cpuset_zone_allowed(zone, scan->gfp_mask)) {
			scan_verdict(scan, zone, VERDICT_CPUSET);
			continue;
		}
		if (scan->apply_fair)
			step = kernel.fair == FAIR_F47 ? fair_step_47(scan, zone) : fair_step_3x(scan, zone);
		if (step == STEP_NEXT)
			continue;
		if (step == STEP_END)
			return NULL;
		if (!scan_dirty_ok(scan, zone)) {
			scan_verdict(scan, zone, VERDICT_DIRTY);
			continue;
		}
		verdict = watermark_step(scan, zone);
		if (verdict != VERDICT_TAKEN) {
			scan_verdict(scan, zone, verdict);
			continue;
		}
		page = take_step(scan, zone);
		if (page)
			return page;
	}
	return NULL;
}

/* The fair policy kept zones out of this pass: refill their batches and say whether to look again. */
static bool fair_rescan(struct scan *scan)
{
	bool rescan;

	if (!scan->apply_fair)
		return false;
	/* 3.16 refills and repeats in __alloc_pages_nodemask(), whether or not a zone was skipped. */
	if (kernel.fair == FAIR_F316 || kernel.fair == FAIR_F316B)
		return false;
	scan->apply_fair = false;
	rescan = scan->nr_fair_skipped != 0;
	if (rescan)
		reset_alloc_batches(scan->ac->preferred_zoneref->zone);
	if (kernel.fair == FAIR_F317)
		return rescan || nr_online_nodes > 1;
	scan->nr_fair_skipped = 0;
	return rescan && patched(FAIR_BEFORE_KSWAPD);
}

/* Every zone was over its dirty limit, or kept out otherwise: the limits do not matter that much. */
static bool dirty_rescan(struct scan *scan)
{
	if (!(scan->alloc_flags & ALLOC_DIRTY) || !scan->nr_fail_dirty)
		return false;
	scan->alloc_flags &= ~ALLOC_DIRTY;
	return true;
}

/* In all modes (specification 30, 45). */
#define MAX_PASSES 3

struct page *get_page_from_freelist(gfp_t gfp_mask, unsigned int order, int alloc_flags,
				    const struct alloc_context *ac)
{
	struct scan scan = {
		.ac = ac,
		.gfp_mask = gfp_mask,
		.order = order,
		.alloc_flags = alloc_flags,
		.z = ac->preferred_zoneref,
		.apply_fair = alloc_flags & ALLOC_FAIR,
	};
	struct page *page;
	bool rescan;

	do {
		scan.pass++;
		work_bound("get_page_from_freelist", scan.pass, MAX_PASSES,
			   "an attempt takes one pass, one without fairness and one without dirty limits");
		trace_scan_begin(scan.pass, scan.z - ac->preferred_zoneref, scan.alloc_flags, scan.apply_fair,
				 ac->preferred_zoneref, ac->nodemask);
		page = scan_zonelist(&scan);
		if (page)
			break;
		rescan = fair_rescan(&scan);
		rescan |= dirty_rescan(&scan);
		/* Before 4.7 every pass began at the head of the list. */
		if (patched(RESET_ZONELIST_ITERATOR) || kernel.fair != FAIR_F47)
			scan.z = ac->preferred_zoneref;
	} while (rescan);
	trace_scan_end(page, scan.pass, page ? scan.z->zone : NULL);
	return page;
}

/*
 * The entry.
 */
int gfpflags_to_migratetype(gfp_t gfp_flags)
{
	if ((gfp_flags & GFP_MOVABLE_MASK) == GFP_MOVABLE_MASK)
		caller_warning(CALLER_MOBILITY_BITS);
	if (page_group_by_mobility_disabled)
		return MIGRATE_UNMOVABLE;
	return (int)((gfp_flags & GFP_MOVABLE_MASK) >> GFP_MOVABLE_SHIFT);
}

/* The attempt that nearly always succeeds: low watermark, fair, spread over zones that are not too dirty. */
static struct page *first_attempt(gfp_t alloc_mask, unsigned int order, int alloc_flags, struct alloc_context *ac)
{
	struct page *page = get_page_from_freelist(alloc_mask, order, alloc_flags, ac);

	if (page || kernel.fair == FAIR_F47 || kernel.fair == FAIR_F317 || !(alloc_flags & ALLOC_FAIR))
		return page;
	/* 3.16: refill and look again without fairness, even if no zone was skipped. */
	reset_alloc_batches_zonelist(ac);
	return get_page_from_freelist(alloc_mask, order, alloc_flags & ~ALLOC_FAIR, ac);
}

/* Both attempts under one choice of preferred zone. */
static struct page *alloc_attempts(gfp_t gfp_mask, gfp_t alloc_mask, unsigned int order, int *alloc_flags,
				   struct alloc_context *ac, nodemask_t *nodemask)
{
	struct page *page;

	ac->spread_dirty_pages = gfp_mask & __GFP_WRITE;
	if (patched(DIRTY_LIMIT_CACHED) && (gfp_mask & __GFP_WRITE))
		*alloc_flags |= ALLOC_DIRTY;
	ac->preferred_zoneref = first_zones_zonelist(ac->zonelist, (int)ac->high_zoneidx, ac->nodemask);
	if (!ac->preferred_zoneref->zone && patched(NULL_PREFERRED_ZONE))
		return NULL;
	page = first_attempt(alloc_mask, order, *alloc_flags, ac);
	if (likely(page))
		return page;
	/* 3.16 keeps ALLOC_FAIR off when the cpuset changes and the attempts repeat. */
	if (kernel.fair == FAIR_F316 || kernel.fair == FAIR_F316B)
		*alloc_flags &= ~ALLOC_FAIR;
	ac->spread_dirty_pages = false;
	if (cpusets_enabled() && patched(RESTORE_NODEMASK))
		ac->nodemask = nodemask;
	return __alloc_pages_slowpath(memalloc_noio_flags(gfp_mask), order, ac);
}

struct page *__alloc_pages_nodemask(gfp_t gfp_mask, unsigned int order, struct zonelist *zonelist,
				    nodemask_t *nodemask)
{
	int alloc_flags = ALLOC_WMARK_LOW | ALLOC_FAIR;
	gfp_t alloc_mask = gfp_mask;             /* not masked by gfp_allowed_mask (Q2) */
	unsigned int cpuset_mems_cookie;
	struct page *page;
	struct alloc_context ac = {
		.high_zoneidx = gfp_zone(gfp_mask),
		.zonelist = zonelist,
		.nodemask = nodemask,
		.migratetype = gfpflags_to_migratetype(gfp_mask),
	};

	trace_call_begin(order, gfp_mask, nodemask, (int)ac.high_zoneidx);
	if (cpusets_enabled()) {
		alloc_mask |= __GFP_HARDWALL;
		alloc_flags |= ALLOC_CPUSET;
		if (!ac.nodemask)
			ac.nodemask = &cpuset_current_mems_allowed;
	}
	gfp_mask &= gfp_allowed_mask;
	might_sleep_if(gfp_mask & __GFP_DIRECT_RECLAIM);
	if (should_fail_alloc_page(gfp_mask, order))
		return NULL;
	if (unlikely(!zonelist->_zonerefs->zone))
		return NULL;
	if (machine->cma && ac.migratetype == MIGRATE_MOVABLE)
		alloc_flags |= ALLOC_CMA;
	for (;;) {
		cpuset_mems_cookie = read_mems_allowed_begin();
		page = alloc_attempts(gfp_mask, alloc_mask, order, &alloc_flags, &ac, nodemask);
		if (page || !read_mems_allowed_retry(cpuset_mems_cookie))
			break;
		/* The context keeps what the slow path made of it, and HARDWALL is gone (Q3). */
		alloc_mask = gfp_mask;
	}
	trace_mm_page_alloc(page, order, alloc_mask, ac.migratetype);
	return page;
}

/*
 * Freeing.
 */
static void __free_pages_ok(struct page *page, unsigned int order)
{
	unsigned long pfn = page_to_pfn(page);
	unsigned long flags;
	int migratetype;

	if (!free_pages_prepare(page, order, true))
		return;
	migratetype = get_pfnblock_migratetype(page, pfn);
	local_irq_save(flags);
	__count_vm_events(PGFREE, 1UL << order);
	free_one_page(page_zone(page), page, pfn, order, migratetype);
	local_irq_restore(flags);
}

static void free_the_page(struct page *page, unsigned int order)
{
	if (order == 0)
		free_hot_cold_page(page, false);
	else
		__free_pages_ok(page, order);
}

/* The destructor of a compound page: its order is written in it. */
void free_compound_page(struct page *page)
{
	__free_pages_ok(page, compound_order(page));
}

void __free_pages(struct page *page, unsigned int order)
{
	bool compound = PageHead(page);

	if (put_page_testzero(page))
		free_the_page(page, order);
	else if (patched(FREE_TAIL_PAGES) && !compound)
		/* Somebody else holds the head and will free one page: the others have no other owner. */
		while (order-- > 0)
			free_the_page(page + (1UL << order), order);
}
