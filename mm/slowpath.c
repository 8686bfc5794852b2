// SPDX-License-Identifier: GPL-2.0
/*
 * slowpath.c - what happens when no zone is above its low watermark: kswapd, deeper reserves, compaction, reclaim, the
 * OOM killer, and giving up (specification 22 and 23). Part of Linux's page_alloc.c.
 */
#include "internal.h"

#define MAX_RECLAIM_RETRIES 16
#define MAX_COMPACT_RETRIES 16

__world DEFINE_MUTEX(oom_lock);

/* One slow allocation. */
struct slowpath {
	gfp_t gfp_mask;
	unsigned int order;
	struct alloc_context *ac;
	int alloc_flags;                   /* of this round */
	enum migrate_mode migration_mode;
	enum compact_result compact_result;
	int compaction_retries;
	int no_progress_loops;
	unsigned long did_some_progress;
	unsigned int round;
	unsigned int idle_rounds;          /* since reclaim or the OOM killer made progress */
};

/* What a round ends in. */
enum slow_step { SLOW_DONE, SLOW_RETRY, SLOW_LAST, SLOW_FAIL };

/*
 * Flags.
 */
static bool is_thp_gfp_mask(gfp_t gfp_mask)
{
	return (gfp_mask & (GFP_TRANSHUGE | __GFP_KSWAPD_RECLAIM)) == GFP_TRANSHUGE;
}

/* May this request ignore the watermarks? */
static bool no_watermarks_allowed(gfp_t gfp_mask)
{
	if (gfp_mask & __GFP_NOMEMALLOC)
		return false;
	if (gfp_mask & __GFP_MEMALLOC)
		return true;
	if (in_serving_softirq() && (current->flags & PF_MEMALLOC))
		return true;
	return !in_interrupt() && ((current->flags & PF_MEMALLOC) || unlikely(test_thread_flag(TIF_MEMDIE)));
}

static int gfp_to_alloc_flags(gfp_t gfp_mask)
{
	int alloc_flags = ALLOC_WMARK_MIN | ALLOC_CPUSET;

	alloc_flags |= (int)(gfp_mask & __GFP_HIGH);
	if (gfp_mask & __GFP_ATOMIC) {
		if (!(gfp_mask & __GFP_NOMEMALLOC))
			alloc_flags |= ALLOC_HARDER;
		/* Better a page from elsewhere than none for a caller that cannot wait. */
		alloc_flags &= ~ALLOC_CPUSET;
	} else if (rt_task(current) && !in_interrupt()) {
		alloc_flags |= ALLOC_HARDER;
	}
	if (no_watermarks_allowed(gfp_mask))
		alloc_flags |= ALLOC_NO_WATERMARKS;
	if (machine->cma && gfpflags_to_migratetype(gfp_mask) == MIGRATE_MOVABLE)
		alloc_flags |= ALLOC_CMA;
	return alloc_flags;
}

bool gfp_pfmemalloc_allowed(gfp_t gfp_mask)
{
	return gfp_to_alloc_flags(gfp_mask) & ALLOC_NO_WATERMARKS;
}

/*
 * The parts of a round.
 */
static void wake_all_kswapds(unsigned int order, const struct alloc_context *ac)
{
	struct zoneref *z;
	struct zone *zone;

	for_each_zone_zonelist_nodemask(zone, z, ac->zonelist, (int)ac->high_zoneidx, ac->nodemask)
		wakeup_kswapd(zone, (int)order, (enum zone_type)ac_classzone_idx(ac));
}

/* Nodes that the request could not have used are left out of the report, unless it may use reserves or cannot wait. */
static unsigned int failure_filter(gfp_t gfp_mask)
{
	bool reserves = !(gfp_mask & __GFP_NOMEMALLOC) &&
			(test_thread_flag(TIF_MEMDIE) || (current->flags & (PF_MEMALLOC | PF_EXITING)));

	return reserves || in_interrupt() || !(gfp_mask & __GFP_DIRECT_RECLAIM) ? 0 : SHOW_MEM_FILTER_NODES;
}

/* At most 10 reports in 5 seconds, none for those who asked for none. */
static void warn_alloc_failed(gfp_t gfp_mask, unsigned int order)
{
	static __world struct ratelimit_state nopage_rs;

	nopage_rs.interval = 5 * HZ;
	nopage_rs.burst = 10;
	if ((gfp_mask & __GFP_NOWARN) || !__ratelimit(&nopage_rs))
		return;
	trace_alloc_failed(gfp_mask, order);
	printk("%s: page allocation failure: order:%u, mode:%#x(%pGg)", (unsigned long)current->comm, order, gfp_mask,
	       gfp_mask);
	show_mem(failure_filter(gfp_mask));
}

static struct page *ordinary_attempt(const struct slowpath *slow)
{
	return get_page_from_freelist(slow->gfp_mask, slow->order, slow->alloc_flags & ~ALLOC_NO_WATERMARKS, slow->ac);
}

/* A request that may ignore its cpuset and policy looks from the local node on, or at least from the right place. */
static void recompute_preferred_zoneref(struct slowpath *slow)
{
	struct alloc_context *ac = slow->ac;

	if (!(slow->alloc_flags & ALLOC_NO_WATERMARKS) && (slow->alloc_flags & ALLOC_CPUSET))
		return;
	if (!patched(KEEP_ZONELIST_FOR_THISNODE))
		ac->zonelist = node_zonelist(numa_node_id(), slow->gfp_mask);
	ac->preferred_zoneref = first_zones_zonelist(ac->zonelist, (int)ac->high_zoneidx, ac->nodemask);
}

static struct page *no_watermarks_attempt(struct slowpath *slow)
{
	if (!(slow->alloc_flags & ALLOC_NO_WATERMARKS))
		return NULL;
	/* The preferred zoneref still points into the list that this replaces, and the walk follows it (Q13). */
	if (!patched(RECOMPUTE_PREFERRED_ZONEREF) && !patched(KEEP_ZONELIST_FOR_THISNODE))
		slow->ac->zonelist = node_zonelist(numa_node_id(), slow->gfp_mask);
	return get_page_from_freelist(slow->gfp_mask, slow->order, ALLOC_NO_WATERMARKS, slow->ac);
}

/* What compaction that lost a race reports (specification 22.2). */
static void note_contended(struct slowpath *slow, int contended)
{
	if (contended == COMPACT_CONTENDED_LOCK ||
	    (contended == COMPACT_CONTENDED_SCHED && !(current->flags & PF_KTHREAD)))
		slow->compact_result = COMPACT_CONTENDED;
}

static struct page *__alloc_pages_direct_compact(struct slowpath *slow)
{
	int contended = COMPACT_CONTENDED_NONE;
	struct page *page;

	if (!machine->compaction) {
		slow->compact_result = COMPACT_SKIPPED;
		return NULL;
	}
	if (!slow->order)
		return NULL;
	current->flags |= PF_MEMALLOC;
	slow->compact_result = try_to_compact_pages(slow->gfp_mask, slow->order, (unsigned int)slow->alloc_flags,
						    slow->ac, slow->migration_mode, &contended);
	current->flags &= ~PF_MEMALLOC;
	if (slow->compact_result <= COMPACT_INACTIVE)
		return NULL;
	count_vm_event(COMPACTSTALL);
	page = ordinary_attempt(slow);
	if (page) {
		struct zone *zone = page_zone(page);

		zone->compact_blockskip_flush = false;
		compaction_defer_reset(zone, (int)slow->order, true);
		count_vm_event(COMPACTSUCCESS);
		return page;
	}
	count_vm_event(COMPACTFAIL);
	note_contended(slow, contended);
	cond_resched();
	return NULL;
}

static unsigned long __perform_reclaim(const struct slowpath *slow)
{
	struct reclaim_state reclaim_state = { 0 };
	unsigned long progress;

	cond_resched();
	current->flags |= PF_MEMALLOC;
	current->reclaim_state = &reclaim_state;
	progress = try_to_free_pages(slow->ac->zonelist, (int)slow->order, slow->gfp_mask, slow->ac->nodemask);
	current->reclaim_state = NULL;
	current->flags &= ~PF_MEMALLOC;
	cond_resched();
	return progress;
}

static struct page *__alloc_pages_direct_reclaim(struct slowpath *slow)
{
	struct page *page;

	slow->did_some_progress = __perform_reclaim(slow);
	if (unlikely(!slow->did_some_progress))
		return NULL;
	page = ordinary_attempt(slow);
	if (page)
		return page;
	/* What was reclaimed may sit on per-CPU lists or in the highatomic reserve. */
	unreserve_highatomic_pageblock(slow->ac, false);
	drain_all_pages(NULL);
	return ordinary_attempt(slow);
}

/* Attempts of last resort for a request that must not fail, after an OOM kill. */
static struct page *nofail_attempts(const struct slowpath *slow)
{
	struct page *page = get_page_from_freelist(slow->gfp_mask, slow->order, ALLOC_NO_WATERMARKS | ALLOC_CPUSET,
						   slow->ac);

	if (!page)
		page = get_page_from_freelist(slow->gfp_mask, slow->order, ALLOC_NO_WATERMARKS, slow->ac);
	return page;
}

/* Killing would not help, or would hit the wrong one. */
static bool oom_useless(const struct slowpath *slow)
{
	if (slow->gfp_mask & __GFP_NOFAIL)
		return false;
	return (current->flags & PF_DUMPCORE) || slow->order > PAGE_ALLOC_COSTLY_ORDER ||
	       slow->ac->high_zoneidx < ZONE_NORMAL || (slow->gfp_mask & __GFP_THISNODE);
}

static struct page *__alloc_pages_may_oom(struct slowpath *slow)
{
	struct oom_control oc = { slow->ac->zonelist, slow->ac->nodemask, slow->gfp_mask, (int)slow->order };
	struct page *page;

	slow->did_some_progress = 0;
	/* Somebody else is killing already: wait for the memory that frees. */
	if (!mutex_trylock(&oom_lock)) {
		slow->did_some_progress = 1;
		schedule_timeout_uninterruptible(1);
		return NULL;
	}
	/* Only a parallel kill can have brought the zones up to the high mark. */
	page = get_page_from_freelist(slow->gfp_mask | __GFP_HARDWALL, slow->order, ALLOC_WMARK_HIGH | ALLOC_CPUSET,
				      slow->ac);
	if (page || oom_useless(slow))
		goto out;
	if (out_of_memory(&oc)) {
		slow->did_some_progress = 1;
	} else if (slow->gfp_mask & __GFP_NOFAIL) {
		caller_warning(CALLER_NOFAIL_OOM);
		slow->did_some_progress = 1;
	}
	if (slow->did_some_progress && (slow->gfp_mask & __GFP_NOFAIL))
		page = nofail_attempts(slow);
out:
	mutex_unlock(&oom_lock);
	return page;
}

/*
 * Whether another round is worth it.
 */

/* Would the zone pass its minimum if all that can be reclaimed were free? Backs off with every fruitless round. */
static bool zone_could_serve(const struct slowpath *slow, struct zone *zone, unsigned long reclaimable)
{
	unsigned long available = reclaimable;

	available -= DIV_ROUND_UP((unsigned long)slow->no_progress_loops * available, MAX_RECLAIM_RETRIES);
	available += zone_page_state_snapshot(zone, NR_FREE_PAGES);
	return __zone_watermark_ok(zone, slow->order, min_wmark_pages(zone), ac_classzone_idx(slow->ac),
				   slow->alloc_flags, (long)available);
}

static void wait_before_retry(const struct slowpath *slow, const struct zone *zone, unsigned long reclaimable)
{
	if (!slow->did_some_progress) {
		unsigned long in_flight = zone_page_state_snapshot(zone, NR_WRITEBACK) +
					  zone_page_state_snapshot(zone, NR_FILE_DIRTY);

		if (2 * in_flight > reclaimable) {
			congestion_wait((long)(HZ / 10));
			return;
		}
	}
	if (current->flags & PF_WQ_WORKER)
		schedule_timeout_uninterruptible(1);
	else
		cond_resched();
}

static bool reclaim_may_still_help(const struct slowpath *slow)
{
	struct alloc_context *ac = slow->ac;
	struct zoneref *z;
	struct zone *zone;

	if (slow->no_progress_loops > MAX_RECLAIM_RETRIES)
		return false;
	for_each_zone_zonelist_nodemask(zone, z, ac->zonelist, (int)ac->high_zoneidx, ac->nodemask) {
		unsigned long reclaimable = zone_reclaimable_pages(zone);

		if (zone_could_serve(slow, zone, reclaimable)) {
			wait_before_retry(slow, zone, reclaimable);
			return true;
		}
	}
	return false;
}

static bool should_reclaim_retry(struct slowpath *slow)
{
	if (reclaim_may_still_help(slow))
		return true;
	/* However the rounds end, not while pages are reserved for others. */
	return patched(UNRESERVE_BEFORE_OOM) && unreserve_highatomic_pageblock(slow->ac, true);
}

static bool some_zone_above_min(const struct slowpath *slow)
{
	struct alloc_context *ac = slow->ac;
	struct zoneref *z;
	struct zone *zone;

	for_each_zone_zonelist_nodemask(zone, z, ac->zonelist, (int)ac->high_zoneidx, ac->nodemask)
		if (zone_watermark_ok(zone, 0, min_wmark_pages(zone), ac_classzone_idx(ac), slow->alloc_flags))
			return true;
	return false;
}

static bool should_compact_retry(struct slowpath *slow)
{
	int max_retries = MAX_COMPACT_RETRIES;

	if (!slow->order)
		return false;
	if (!machine->compaction)
		return slow->order <= PAGE_ALLOC_COSTLY_ORDER && some_zone_above_min(slow);
	if (compaction_failed(slow->compact_result)) {
		if (slow->migration_mode != MIGRATE_ASYNC)
			return false;
		slow->migration_mode = MIGRATE_SYNC_LIGHT;
		return true;
	}
	if (compaction_withdrawn(slow->compact_result))
		return compaction_zonelist_suitable(slow->ac, (int)slow->order, slow->alloc_flags);
	if (slow->order > PAGE_ALLOC_COSTLY_ORDER)
		max_retries /= 4;
	return slow->compaction_retries <= max_retries;
}

/*
 * A round: everything up to direct reclaim, then what follows it.
 */

/* Steps 1 to 4: what needs no waiting. */
static struct page *atomic_attempts(struct slowpath *slow)
{
	struct page *page;

	if (slow->gfp_mask & __GFP_KSWAPD_RECLAIM)
		wake_all_kswapds(slow->order, slow->ac);
	slow->alloc_flags = gfp_to_alloc_flags(slow->gfp_mask);
	if (patched(RECOMPUTE_PREFERRED_ZONEREF))
		recompute_preferred_zoneref(slow);
	page = ordinary_attempt(slow);
	return page ? page : no_watermarks_attempt(slow);
}

/* Steps 5 to 7: who may not go on to reclaim. SLOW_DONE: go on. */
static enum slow_step may_reclaim(struct slowpath *slow)
{
	bool nofail = slow->gfp_mask & __GFP_NOFAIL;

	if (!(slow->gfp_mask & __GFP_DIRECT_RECLAIM)) {
		if (nofail)
			caller_warning(CALLER_NOFAIL_NO_RECLAIM);
		return SLOW_FAIL;
	}
	if (current->flags & PF_MEMALLOC) {
		if (!nofail)
			return SLOW_FAIL;
		caller_warning(CALLER_NOFAIL_MEMALLOC);
		cond_resched();
		return SLOW_RETRY;
	}
	if (test_thread_flag(TIF_MEMDIE) && !nofail)
		return SLOW_FAIL;
	return SLOW_DONE;
}

/* Rounds without progress: 17 (specification 30, 78), and as many as there are reserves to give up. */
static unsigned long most_idle_rounds(void)
{
	unsigned long nr_pageblocks = nr_vmemmap >> pageblock_order;

	return MAX_RECLAIM_RETRIES + 1 + (patched(UNRESERVE_BEFORE_OOM) ? nr_pageblocks : 0);
}

static void bound_idle_rounds(struct slowpath *slow)
{
	if (slow->did_some_progress)
		slow->idle_rounds = 0;
	else
		work_bound("__alloc_pages_slowpath", ++slow->idle_rounds, most_idle_rounds(),
			   "17 rounds without progress are enough, and each pageblock can be given up once");
}

/* Steps 12 to 17: reclaim did not yield a page. */
static enum slow_step after_reclaim(struct slowpath *slow, struct page **page)
{
	if (slow->gfp_mask & __GFP_NORETRY)
		return SLOW_LAST;
	if (slow->order > PAGE_ALLOC_COSTLY_ORDER && !(slow->gfp_mask & __GFP_REPEAT))
		return SLOW_LAST;
	bound_idle_rounds(slow);
	if (slow->did_some_progress && slow->order <= PAGE_ALLOC_COSTLY_ORDER)
		slow->no_progress_loops = 0;
	else
		slow->no_progress_loops++;
	if (should_reclaim_retry(slow))
		return SLOW_RETRY;
	if (slow->did_some_progress > 0 && should_compact_retry(slow))
		return SLOW_RETRY;
	*page = __alloc_pages_may_oom(slow);
	if (*page)
		return SLOW_DONE;
	if (slow->did_some_progress) {
		bound_idle_rounds(slow);
		slow->no_progress_loops = 0;
		return SLOW_RETRY;
	}
	return SLOW_LAST;
}

static enum slow_step slowpath_round(struct slowpath *slow, struct page **page)
{
	enum slow_step step;

	work_charge("__alloc_pages_slowpath");
	trace_slowpath_retry(slow->round++, slow->ac->zonelist, slow->ac->preferred_zoneref, slow->ac->nodemask);
	*page = atomic_attempts(slow);
	if (*page)
		return SLOW_DONE;
	step = may_reclaim(slow);
	if (step != SLOW_DONE)
		return step;
	*page = __alloc_pages_direct_compact(slow);
	if (*page)
		return SLOW_DONE;
	if (is_thp_gfp_mask(slow->gfp_mask) &&
	    (slow->compact_result == COMPACT_DEFERRED || slow->compact_result == COMPACT_CONTENDED))
		return SLOW_FAIL;
	if (slow->order && slow->compact_result == COMPACT_PARTIAL)
		slow->compaction_retries++;
	*page = __alloc_pages_direct_reclaim(slow);
	if (*page)
		return SLOW_DONE;
	return after_reclaim(slow, page);
}

struct page *__alloc_pages_slowpath(gfp_t gfp_mask, unsigned int order, struct alloc_context *ac)
{
	struct slowpath slow = {
		.gfp_mask = gfp_mask,
		.order = order,
		.ac = ac,
		.migration_mode = MIGRATE_ASYNC,
		.compact_result = COMPACT_SKIPPED,
	};
	struct page *page = NULL;
	enum slow_step step;

	trace_slowpath_enter(gfp_mask, order, (int)ac->high_zoneidx);
	if (order >= MAX_ORDER) {
		if (!(gfp_mask & __GFP_NOWARN))
			caller_warning(CALLER_ORDER_TOO_LARGE);
		return NULL;
	}
	if ((gfp_mask & (__GFP_ATOMIC | __GFP_DIRECT_RECLAIM)) == (__GFP_ATOMIC | __GFP_DIRECT_RECLAIM)) {
		caller_warning(CALLER_ATOMIC_WITH_RECLAIM);
		slow.gfp_mask &= ~__GFP_ATOMIC;
	}
	do {
		step = slowpath_round(&slow, &page);
	} while (step == SLOW_RETRY);
	if (step == SLOW_LAST) {
		bool thp = is_thp_gfp_mask(gfp_mask) && !(current->flags & PF_KTHREAD);

		slow.migration_mode = thp ? MIGRATE_ASYNC : MIGRATE_SYNC_LIGHT;
		page = __alloc_pages_direct_compact(&slow);
	}
	if (!page)
		warn_alloc_failed(gfp_mask, order);
	return page;
}
