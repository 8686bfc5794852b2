// SPDX-License-Identifier: GPL-2.0
/*
 * model_predict.c - the prediction (model.h): the attempts at the low mark in every fair mode (specification 18-21), then
 * the slow path as far as it is decided (22, 23, 29, 31 step 4). Written from the specification, over the view.
 *
 * Left to others: dirty limits are those of the scan watch (scan_expect.h). Not predicted: what zone_reclaim(), reclaim,
 * compaction and the OOM killer give back.
 */
#include "mm/internal.h"
#include "reclaim.h"
#include "fuzz/model.h"
#include "fuzz/scan_expect.h"

/* One get_page_from_freelist(): what it starts with, and where it stands. */
struct attempt {
	const struct model_request *request;
	struct model_prediction *prediction;
	struct model_list list;
	unsigned int start;              /* position of the preferred zoneref */
	bool has_preferred;
	unsigned int preferred;          /* zone slot */
	unsigned int class;
	unsigned int flags;              /* ALLOC_* */
	bool walled_in;                  /* the cpuset has no way out */
	bool spreads_dirty;
	bool open;                       /* zone_reclaim() gives pages back */
	bool opens_above;                /* or will, at a higher mark: a zone is above this one, but has no block to give */
	bool fair;
	bool fair_skips;                 /* a zone was skipped for fairness */
	bool dirty_skips;                /* or for its dirty pages */
	unsigned long refreshed;         /* zones whose cached dirty limit was computed anew */
};

enum step { STEP_NEXT, STEP_STOP, STEP_TAKEN };

static bool flag_modes(void)
{
	return kernel.fair == FAIR_F47 || kernel.fair == FAIR_F317;
}

/*
 * Lists.
 */

/* The first zoneref from a position on that the request may use; false at the sentinel, whose index is 0. */
static bool find_zone(const struct model_list *list, unsigned int *position, unsigned int *slot, unsigned int *index)
{
	for (; view_zonelist_entry(list->node, list->thisnode, *position, slot, index); ++*position)
		if (*index <= list->limit && (!machine->numa || (list->nodemask >> view_zone_node(*slot) & 1)))
			return true;
	return false;
}

/* 21 step 2: a request without a nodemask gets that of its task. */
static struct model_list first_list(const struct model_list *list)
{
	struct model_list first = *list;

	if (machine->cpusets && list->nodemask == ~0U)
		first.nodemask = (unsigned int)current->mems_allowed.bits;
	return first;
}

_Bool model_has_zone(const struct model_list *list)
{
	struct model_list first = first_list(list);
	unsigned int position = 0, slot, index;

	return find_zone(&first, &position, &slot, &index);
}

static void find_preferred(struct attempt *attempt)
{
	attempt->start = 0;
	attempt->has_preferred = find_zone(&attempt->list, &attempt->start, &attempt->preferred, &attempt->class);
}

static bool is_local(const struct attempt *attempt, unsigned int slot)
{
	return !machine->numa || view_zone_node(slot) == view_zone_node(attempt->preferred);
}

/* A zone is read when it is looked at first. */
static struct view_stock *zone_after(struct attempt *attempt, unsigned int slot)
{
	struct model_prediction *prediction = attempt->prediction;

	if (!(prediction->zones >> slot & 1))
		view_read_stock(slot, attempt->request->cpu, &prediction->after[slot]);
	prediction->zones |= 1UL << slot;
	return &prediction->after[slot];
}

/*
 * Batches (10.2, 15, 19).
 */
static void add_to_batch(struct view_stock *zone, long pages)
{
	long delta = zone->batch_delta + pages;

	if (machine->smp && delta <= zone->threshold && delta >= -zone->threshold) {
		zone->batch_delta = delta;
		return;
	}
	zone->batch += delta;
	zone->batch_delta = 0;
}

/* The decrement leaves half a threshold of room. */
static void take_one_from_batch(struct view_stock *zone)
{
	long overstep = machine->smp ? zone->threshold / 2 : 0;

	zone->batch_delta--;
	if (machine->smp && zone->batch_delta >= -zone->threshold)
		return;
	zone->batch += zone->batch_delta - overstep;
	zone->batch_delta = overstep;
}

/* Before signed-batch-read a batch below zero is a large one on UP. */
static bool reads_as_empty(const struct view_stock *zone, bool is_signed)
{
	return zone->batch == 0 || (zone->batch < 0 && (machine->smp || is_signed));
}

/* The one page that atomic-uses-reserve takes off a free list is a block of order 0. */
static void spend_batch(struct view_stock *zone, unsigned int order, bool through_list)
{
	if (kernel.fair == FAIR_F47 && through_list)
		take_one_from_batch(zone);
	else
		add_to_batch(zone, -(1L << order));
	if (flag_modes() && reads_as_empty(zone, kernel.fair == FAIR_F47 || patched(SIGNED_BATCH_READ)))
		zone->depleted = true;
}

static void refill(struct attempt *attempt, unsigned int slot)
{
	struct view_stock *zone = zone_after(attempt, slot);
	long full = (long)(view_watermark(slot, WMARK_HIGH) - view_watermark(slot, WMARK_LOW));

	add_to_batch(zone, full - zone->batch);
	if (flag_modes())
		zone->depleted = false;
}

/* The preferred zone's node, up to that zone. */
static void refill_node(struct attempt *attempt)
{
	unsigned int slot = attempt->preferred - view_zone_type(attempt->preferred);

	for (; slot <= attempt->preferred; slot++)
		if (view_populated(slot))
			refill(attempt, slot);
}

/* 3.16: the local zones of the list, whatever the nodemask. */
static void refill_list(struct attempt *attempt)
{
	struct model_list list = attempt->list;
	unsigned int position, slot, index;

	list.nodemask = ~0U;
	for (position = 0; attempt->has_preferred && find_zone(&list, &position, &slot, &index); position++)
		if (is_local(attempt, slot))
			refill(attempt, slot);
}

/*
 * Visits.
 */

/* 29.1, with one ancestor that allows every node. Without NUMA every zone is node 0's. */
static bool cpuset_allows(const struct attempt *attempt, unsigned int slot)
{
	unsigned int node = machine->numa ? view_zone_node(slot) : 0;

	if (!machine->cpusets || !(attempt->flags & ALLOC_CPUSET))
		return true;
	return in_interrupt() || (current->mems_allowed.bits >> node & 1) || current->memdie || !attempt->walled_in;
}

/* The fair step; STEP_TAKEN: go on with this zone. */
static enum step fair_step(struct attempt *attempt, unsigned int slot)
{
	const struct view_stock *zone = zone_after(attempt, slot);

	switch (kernel.fair) {
	case FAIR_F47:
		if (zone->depleted)
			break;
		if (is_local(attempt, slot))
			return STEP_TAKEN;
		if (attempt->fair_skips)
			return STEP_STOP;
		attempt->fair = false;
		return STEP_TAKEN;
	case FAIR_F317:
		if (!is_local(attempt, slot))
			return STEP_STOP;
		if (!zone->depleted)
			return STEP_TAKEN;
		break;
	default:
		if (!is_local(attempt, slot))
			return kernel.fair == FAIR_F316 ? STEP_NEXT : STEP_STOP;
		if (!reads_as_empty(zone, false))
			return STEP_TAKEN;
	}
	attempt->fair_skips = true;
	return STEP_NEXT;
}

/* 17; with seed 3 the limit is the cached one, until the zone was found to be over it (20.3). */
static bool is_over_dirty_limit(struct attempt *attempt, unsigned int slot)
{
	bool bonus = expect_dirty_bonus();
	bool cached = patched(DIRTY_LIMIT_CACHED) && !bonus && !(attempt->refreshed >> slot & 1);
	unsigned long limit = cached ? view_dirty_limit_cached(slot) : expect_true_dirty_limit(slot);

	if (bonus)
		limit += limit / 4;
	if (expect_dirty_pages(slot) <= limit)
		return false;
	attempt->refreshed |= 1UL << slot;
	attempt->dirty_skips = true;
	return true;
}

/* The fast test has failed, so unless zone_reclaim() gives pages back the other one fails, too. */
static bool may_be_reclaimed(const struct attempt *attempt, unsigned int slot)
{
	enum zone_reclaim_script script = reclaim_script.zone_reclaim;

	if (!machine->numa || !zone_reclaim_mode || !reclaim_script.zone_reclaim_pages)
		return false;
	if (machine->distance[view_zone_node(attempt->preferred)][view_zone_node(slot)] >= RECLAIM_DISTANCE)
		return false;
	if (script == ZONE_RECLAIM_MODEL)
		return (attempt->request->gfp & __GFP_DIRECT_RECLAIM) && !(current->flags & PF_MEMALLOC);
	return script == ZONE_RECLAIM_IS_SUCCESS;
}

static enum step visit(struct attempt *attempt, unsigned int slot)
{
	struct model_prediction *prediction = attempt->prediction;
	struct view_stock *zone;
	struct model_take take;

	if (!cpuset_allows(attempt, slot))
		return STEP_NEXT;
	if (attempt->fair) {
		enum step step = fair_step(attempt, slot);

		if (step != STEP_TAKEN)
			return step;
	}
	if (attempt->spreads_dirty && is_over_dirty_limit(attempt, slot))
		return STEP_NEXT;
	if (!(attempt->flags & ALLOC_NO_WATERMARKS) &&
	    !model_above_mark(attempt->request, slot, attempt->flags, attempt->class)) {
		attempt->open = may_be_reclaimed(attempt, slot);
		return attempt->open ? STEP_STOP : STEP_NEXT;
	}
	take = model_take(attempt->request, slot, attempt->flags);
	if (take.pfn == VIEW_NO_PFN) {
		attempt->opens_above |= may_be_reclaimed(attempt, slot);
		return STEP_NEXT;
	}
	prediction->source = slot;
	prediction->pfn = take.pfn;
	prediction->free_more = take.nr_more;
	zone = zone_after(attempt, slot);
	zone->free -= take.nr_pages;
	spend_batch(zone, attempt->request->order, take.through_list);
	return STEP_TAKEN;
}

static bool scan(struct attempt *attempt)
{
	unsigned int position, slot, index;

	for (position = attempt->start; find_zone(&attempt->list, &position, &slot, &index); position++) {
		enum step step = visit(attempt, slot);

		if (step != STEP_NEXT)
			return step == STEP_TAKEN;
	}
	return false;
}

/*
 * Attempts.
 */

/* 20.4 (a), (b): what an attempt that found nothing does before it looks again; false if it does not. */
static bool looks_again(struct attempt *attempt)
{
	bool again = flag_modes() && attempt->fair_skips;

	if (again)
		refill_node(attempt);
	if (kernel.fair == FAIR_F317 && attempt->fair)
		again |= machine->nr_nodes > 1;
	if (flag_modes()) {
		attempt->fair = false;
		attempt->fair_skips = false;
	}
	if (patched(DIRTY_LIMIT_CACHED) && attempt->spreads_dirty && attempt->dirty_skips) {
		attempt->spreads_dirty = false;
		again = true;
	}
	return again;
}

/* Every pass begins at the preferred zoneref. */
static bool run_attempt(struct attempt *attempt)
{
	do {
		attempt->prediction->passes++;
		if (scan(attempt))
			return true;
	} while (!attempt->open && looks_again(attempt));
	return false;
}

static bool first_attempts(struct attempt *attempt)
{
	bool spreads_dirty = attempt->spreads_dirty;

	if (run_attempt(attempt))
		return true;
	if (attempt->open || flag_modes())
		return false;
	refill_list(attempt);
	attempt->fair = false;
	attempt->spreads_dirty = spreads_dirty;
	attempt->dirty_skips = false;
	return run_attempt(attempt);
}

/*
 * The slow path.
 */
static bool may_ignore_marks(unsigned int gfp)
{
	bool in_reclaim = current->flags & PF_MEMALLOC;

	if (gfp & (__GFP_NOMEMALLOC | __GFP_MEMALLOC))
		return !(gfp & __GFP_NOMEMALLOC);
	if (in_interrupt())
		return in_reclaim && in_serving_softirq();
	return in_reclaim || current->memdie;
}

/* 22.1. A request that is atomic and may reclaim is not taken to be atomic (22 step B). */
static unsigned int slow_flags(const struct model_request *request)
{
	unsigned int gfp = request->gfp;
	unsigned int flags = ALLOC_WMARK_MIN | (gfp & __GFP_HIGH);

	if ((gfp & (__GFP_ATOMIC | __GFP_DIRECT_RECLAIM)) == __GFP_ATOMIC)
		flags |= gfp & __GFP_NOMEMALLOC ? 0 : ALLOC_HARDER;
	else
		flags |= ALLOC_CPUSET | (current->prio < MAX_RT_PRIO && !in_interrupt() ? ALLOC_HARDER : 0);
	if (machine->cma && request->migratetype == MIGRATE_MOVABLE)
		flags |= ALLOC_CMA;
	return flags | (may_ignore_marks(gfp) ? ALLOC_NO_WATERMARKS : 0);
}

/* 0.3 V2: who may ignore its policy looks from the head of the list on, before keep-zonelist-for-thisnode its CPU's. */
static void leave_policy(struct attempt *attempt)
{
	if (!patched(KEEP_ZONELIST_FOR_THISNODE)) {
		attempt->list.node = (unsigned int)numa_node_id();
		attempt->list.thisnode = machine->numa && (attempt->request->gfp & __GFP_THISNODE);
	}
	find_preferred(attempt);
}

static bool reserve_may_be_released(void)
{
	unsigned int slot;

	if (patched(UNRESERVE_BEFORE_OOM))
		for_each_slot_of(slot, view_populated_slots())
			if (view_reserved_highatomic(slot))
				return true;
	return false;
}

/*
 * Whether what comes after both attempts cannot help: nobody frees anything, and an attempt that asks for more than the
 * one that failed fails. Where the shortcut of the marks may wrap (16.2) asking for more may help.
 */
static bool neighbours_are_inert(const struct attempt *attempt)
{
	const struct model_request *request = attempt->request;
	bool clamped = patched(FAST_WATERMARK_CLAMP) && patched(FAST_WATERMARK_RESERVE);
	bool wraps = !clamped && (patched(FAST_WATERMARK_RESERVE) || machine->cma);

	if ((request->gfp & __GFP_NOFAIL) || wraps || attempt->opens_above || reserve_may_be_released())
		return false;
	return !reclaim_script.calls && (reclaim_script.oom == OOM_DISABLED || !reclaim_script.oom_calls);
}

/* 22 steps 5-7 and what follows: true if the request fails for sure. */
static bool fails_for_sure(const struct attempt *attempt)
{
	const struct model_request *request = attempt->request;

	if (!(request->gfp & __GFP_DIRECT_RECLAIM) || request->order >= VIEW_MAX_ORDER)
		return true;
	if ((current->flags & PF_MEMALLOC) || current->memdie)
		return !(request->gfp & __GFP_NOFAIL);
	return neighbours_are_inert(attempt);
}

/* 22 steps A-4. */
static void predict_slow(struct attempt *attempt)
{
	const struct model_request *request = attempt->request;
	unsigned int flags = slow_flags(request);
	bool found = false;

	attempt->prediction->slow = true;
	attempt->fair = false;
	attempt->spreads_dirty = false;
	attempt->walled_in = request->gfp & __GFP_HARDWALL;
	attempt->flags = flags & ~ALLOC_NO_WATERMARKS;
	attempt->list.nodemask = request->list.nodemask;
	if (patched(RECOMPUTE_PREFERRED_ZONEREF) && (flags & (ALLOC_NO_WATERMARKS | ALLOC_CPUSET)) != ALLOC_CPUSET)
		leave_policy(attempt);
	if (request->order < VIEW_MAX_ORDER)
		found = scan(attempt);
	if (!found && !attempt->open && (flags & ALLOC_NO_WATERMARKS) && request->order < VIEW_MAX_ORDER) {
		attempt->flags = ALLOC_NO_WATERMARKS;
		found = scan(attempt);
	}
	attempt->prediction->decided = !attempt->open && (found || fails_for_sure(attempt));
}

/*
 * The prediction.
 */
static unsigned long zones_within(const struct model_list *list)
{
	unsigned long zones = 0;
	unsigned int slot;

	for_each_slot_of(slot, view_populated_slots())
		if (view_zone_type(slot) <= list->limit &&
		    (!machine->numa || (list->nodemask >> view_zone_node(slot) & 1)))
			zones |= 1UL << slot;
	return zones;
}

static void begin_prediction(struct model_prediction *prediction)
{
	prediction->first_decided = true;
	prediction->decided = true;
	prediction->slow = false;
	prediction->passes = 0;
	prediction->source = MODEL_NO_SLOT;
	prediction->pfn = VIEW_NO_PFN;
	prediction->zones = 0;
}

void model_predict(const struct model_request *request, struct model_prediction *prediction)
{
	struct attempt attempt = {
		.request = request,
		.prediction = prediction,
		.list = first_list(&request->list),
		.flags = ALLOC_WMARK_LOW | ALLOC_CPUSET,
		.walled_in = true,
		.fair = true,
		.spreads_dirty = request->gfp & __GFP_WRITE,
	};

	begin_prediction(prediction);
	if (machine->cma && request->migratetype == MIGRATE_MOVABLE)
		attempt.flags |= ALLOC_CMA;
	find_preferred(&attempt);
	if (first_attempts(&attempt)) {
		prediction->may_serve = 1UL << prediction->source;
		return;
	}
	prediction->first_decided = !attempt.open;
	prediction->decided = !attempt.open;
	if (!attempt.open)
		predict_slow(&attempt);
	prediction->may_serve = prediction->decided && prediction->source != MODEL_NO_SLOT ?
					1UL << prediction->source :
					zones_within(&request->list);
}
