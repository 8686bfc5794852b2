// SPDX-License-Identifier: GPL-2.0
/*
 * scan_watch.c - the state machine of scan_watch.h and what it expects of each zone (specification 16, 18, 19, 20).
 *
 * The fair, dirty, cpuset and watermark rules are written here once more, from the specification and over the view, so
 * that a mistake in mm/ does not repeat itself. Left out: what zone_reclaim frees is not predicted, only that its
 * verdicts are legal.
 */
#include "mm/internal.h"
#include "fuzz/invariant.h"
#include "fuzz/ops.h"
#include "fuzz/scan_watch.h"

struct scan_watch watch;

const char *watch_verdict_name(unsigned int verdict)
{
	static const char *const names[NR_ZONE_VERDICTS] = {
		[VERDICT_CPUSET] = "CPUSET",		 [VERDICT_FAIR_SKIP] = "FAIR_SKIP",
		[VERDICT_FAIR_ABORT] = "FAIR_ABORT",	 [VERDICT_DIRTY] = "DIRTY",
		[VERDICT_WMARK] = "WMARK",		 [VERDICT_RECLAIM_NOSCAN] = "RECLAIM_NOSCAN",
		[VERDICT_RECLAIM_FULL] = "RECLAIM_FULL", [VERDICT_RECLAIM_LOW] = "RECLAIM_LOW",
		[VERDICT_TAKE_FAIL] = "TAKE_FAIL",	 [VERDICT_TAKEN] = "TAKEN",
	};

	return verdict < NR_ZONE_VERDICTS ? names[verdict] : "not visited";
}

/*
 * What the data say.
 */
unsigned int watch_migratetype(void)
{
	if (view_mobility_disabled())
		return MIGRATE_UNMOVABLE;
	if (watch.gfp & __GFP_MOVABLE)
		return MIGRATE_MOVABLE;
	return watch.gfp & __GFP_RECLAIMABLE ? MIGRATE_RECLAIMABLE : MIGRATE_UNMOVABLE;
}

_Bool watch_is_local(unsigned int slot)
{
	return !machine->numa || view_zone_node(slot) == view_zone_node(watch.preferred_slot);
}

/* The first attempts and the one before an OOM kill always wall a request in (21 step 2, 14; 23). */
static bool walled_in(void)
{
	if (watch.gfp & __GFP_HARDWALL)
		return true;
	return watch.slow ? (watch.alloc_flags & ALLOC_WMARK_MASK) == ALLOC_WMARK_HIGH : !watch.retried;
}

/* Specification 29.1, with one ancestor that allows every node. */
_Bool watch_cpuset_allows(unsigned int slot)
{
	/* Without NUMA every zone counts as node 0's, whatever node it is on. */
	unsigned int node = machine->numa ? view_zone_node(slot) : 0;
	bool in_mask = current->mems_allowed.bits >> node & 1;

	if (!machine->cpusets || in_interrupt() || in_mask || current->memdie)
		return true;
	return !walled_in();
}

static unsigned long uncounted_cma(unsigned int slot, unsigned int alloc_flags)
{
	return machine->cma && !(alloc_flags & ALLOC_CMA) ? view_counter_read(slot, VIEW_FREE_CMA_PAGES) : 0;
}

/* The order-0 shortcut, 16.2; unsigned as there. */
static bool fast_ok(unsigned int slot, unsigned long mark, unsigned int alloc_flags)
{
	unsigned long free = view_counter_read(slot, VIEW_FREE_PAGES);
	unsigned long unusable = uncounted_cma(slot, alloc_flags);

	if (patched(FAST_WATERMARK_RESERVE)) {
		unusable += alloc_flags & ALLOC_HARDER ? 0 : view_reserved_highatomic(slot);
		if (patched(FAST_WATERMARK_CLAMP) && unusable > free)
			unusable = free;
	}
	return free - unusable > mark + (unsigned long)view_lowmem_reserve(slot, watch.classzone);
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

static bool full_ok(unsigned int slot, unsigned long mark, unsigned int alloc_flags)
{
	long free = (long)view_counter_read(slot, VIEW_FREE_PAGES) - ((1L << watch.order) - 1);
	long min_pages = (long)mark;
	long usable;

	if (alloc_flags & ALLOC_HIGH)
		min_pages = min_pages - min_pages / 2;
	if (alloc_flags & ALLOC_HARDER)
		min_pages = min_pages - min_pages / 4;
	else if (kernel.watermarks == WATERMARKS_4_7)
		free -= (long)view_reserved_highatomic(slot);
	usable = free - (long)uncounted_cma(slot, alloc_flags);
	if (usable <= min_pages + view_lowmem_reserve(slot, watch.classzone))
		return false;
	if (kernel.watermarks == WATERMARKS_3_16)
		return blocks_remain_316(slot, free, min_pages);
	return watch.order == 0 || block_in_sight(slot, alloc_flags);
}

_Bool watch_watermark_ok(unsigned int slot, unsigned int mark_index, unsigned int alloc_flags)
{
	unsigned long mark = view_watermark(slot, mark_index);

	if (watch.order == 0 && kernel.watermarks == WATERMARKS_4_7 && fast_ok(slot, mark, alloc_flags))
		return true;
	return full_ok(slot, mark, alloc_flags);
}

/* Would a take succeed? The CPU's list, then any block that the type may be served from. */
_Bool watch_can_deliver(unsigned int slot, unsigned int alloc_flags)
{
	unsigned int wanted = watch_migratetype();
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

static bool gets_dirty_bonus(void)
{
	return (current->flags & PF_LESS_THROTTLE) || current->prio < MAX_RT_PRIO;
}

static unsigned long beyond_reserve(unsigned long free, unsigned long reserve, unsigned long file)
{
	return (free > reserve ? free - reserve : 0) + file;
}

static unsigned long zone_dirtyable(const struct zone *zone)
{
	return beyond_reserve(zone_page_state(zone, NR_FREE_PAGES), view_zone_totalreserve(zone->slot),
			      zone_page_state(zone, NR_INACTIVE_FILE) + zone_page_state(zone, NR_ACTIVE_FILE));
}

static bool is_high_memory(unsigned int slot)
{
	return kernel.writeback == WRITEBACK_3_16 ? view_zone_type(slot) == ZONE_HIGHMEM && view_highmem(slot) :
						    view_highmem(slot);
}

unsigned long watch_global_dirtyable(void)
{
	unsigned long sum = beyond_reserve(global_page_state(NR_FREE_PAGES), view_totalreserve(),
					   global_page_state(NR_INACTIVE_FILE) + global_page_state(NR_ACTIVE_FILE));
	unsigned long high = 0;
	unsigned int slot;

	for (slot = 0; !vm_highmem_is_dirtyable && slot < view_nr_slots(); slot++)
		if (view_populated(slot) && is_high_memory(slot))
			high += zone_dirtyable(&NODE_DATA(view_zone_node(slot))->node_zones[view_zone_type(slot)]);
	return sum - min(high, sum) + 1;
}

/* Specification 17, and 4.4 of page-writeback's. */
unsigned long watch_true_dirty_limit(unsigned int slot)
{
	const struct zone *zone = &NODE_DATA(view_zone_node(slot))->node_zones[view_zone_type(slot)];
	unsigned __int128 limit = zone_dirtyable(zone);

	if (vm_dirty_bytes)
		limit = limit * (((unsigned __int128)vm_dirty_bytes + PAGE_SIZE - 1) / PAGE_SIZE) /
			watch_global_dirtyable();
	else
		limit = limit * (unsigned int)vm_dirty_ratio / 100;
	return limit > ~0UL ? ~0UL : (unsigned long)limit;
}

_Bool watch_gets_dirty_bonus(void)
{
	return gets_dirty_bonus();
}

/* Seed 3 trusts what it kept, but for tasks with the bonus. */
unsigned long watch_dirty_limit(unsigned int slot)
{
	bool kept = patched(DIRTY_LIMIT_CACHED) && !gets_dirty_bonus();
	unsigned long limit = kept ? view_dirty_limit_cached(slot) : watch_true_dirty_limit(slot);

	return gets_dirty_bonus() ? limit + limit / 4 : limit;
}

unsigned long watch_dirty_pages(unsigned int slot)
{
	const struct zone *zone = &NODE_DATA(view_zone_node(slot))->node_zones[view_zone_type(slot)];

	return zone_page_state(zone, NR_FILE_DIRTY) + zone_page_state(zone, NR_UNSTABLE_NFS) +
	       zone_page_state(zone, NR_WRITEBACK);
}

static bool over_dirty_limit(unsigned int slot)
{
	return watch_dirty_pages(slot) > watch_dirty_limit(slot);
}

_Bool watch_dirty_test_applies(void)
{
	if (patched(DIRTY_LIMIT_CACHED))
		return watch.alloc_flags & ALLOC_DIRTY;
	return !watch.slow && (watch.gfp & __GFP_WRITE);
}

/* The fair step: VERDICT_TAKEN = go on with this zone. */
static enum zone_verdict expected_fair(unsigned int slot)
{
	bool local = watch_is_local(slot);

	if (!watch.apply_fair)
		return VERDICT_TAKEN;
	if (kernel.fair == FAIR_F47) {
		if (view_fair_depleted(slot))
			return VERDICT_FAIR_SKIP;
		return !local && watch.attempt_fair_skips ? VERDICT_FAIR_ABORT : VERDICT_TAKEN;
	}
	if (!local)
		return kernel.fair == FAIR_F316 ? VERDICT_FAIR_SKIP : VERDICT_FAIR_ABORT;
	if (kernel.fair == FAIR_F317 ? view_fair_depleted(slot) : view_counter_read(slot, VIEW_ALLOC_BATCH) == 0)
		return VERDICT_FAIR_SKIP;
	return VERDICT_TAKEN;
}

/* What this visit should end in; VERDICT_TAKEN also stands for a take that then fails. */
static enum zone_verdict expected_verdict(unsigned int slot)
{
	enum zone_verdict fair;

	if ((watch.alloc_flags & ALLOC_CPUSET) && !watch_cpuset_allows(slot))
		return VERDICT_CPUSET;
	fair = expected_fair(slot);
	if (fair != VERDICT_TAKEN)
		return fair;
	if (watch_dirty_test_applies() && over_dirty_limit(slot))
		return VERDICT_DIRTY;
	if (watch_watermark_ok(slot, watch.alloc_flags & ALLOC_WMARK_MASK, watch.alloc_flags) ||
	    (watch.alloc_flags & ALLOC_NO_WATERMARKS))
		return VERDICT_TAKEN;
	return VERDICT_WMARK;
}

_Bool watch_could_serve(const struct watched_zone *zone, unsigned int mark_index, unsigned int alloc_flags)
{
	if ((alloc_flags & ALLOC_CPUSET) && !watch_cpuset_allows(zone->slot))
		return false;
	if (!patched(DIRTY_LIMIT_CACHED) && !watch.slow && (watch.gfp & __GFP_WRITE) && over_dirty_limit(zone->slot))
		return false;
	return watch_watermark_ok(zone->slot, mark_index, alloc_flags) && watch_can_deliver(zone->slot, alloc_flags);
}

/*
 * Following the trace.
 */
static void begin_call(const struct trace_record *record)
{
	watch = (struct scan_watch){
		.active = true,
		.order = (unsigned int)record->a,
		.gfp = (unsigned int)record->b,
		.nodemask = (unsigned int)record->c & 0xff,
		.high_zoneidx = (unsigned int)record->d,
		.current = -1,
	};
}

static bool node_in_mask(unsigned int slot, unsigned int nodemask)
{
	return !machine->numa || (nodemask >> view_zone_node(slot) & 1);
}

/* The zonerefs of a list, from `index` on, that pass the limit and the nodemask. */
static void list_zones(unsigned long place)
{
	unsigned int index = TRACE_PLACE_INDEX(place);
	unsigned int position, slot, idx;

	watch.nr_zones = 0;
	watch.has_preferred = view_zonelist_entry(TRACE_PLACE_NODE(place), TRACE_PLACE_LIST(place), index,
						  &watch.preferred_slot, &watch.classzone);
	for (position = 0; view_zonelist_entry(TRACE_PLACE_NODE(place), TRACE_PLACE_LIST(place), index + position, &slot,
					       &idx);
	     position++)
		if (idx <= watch.high_zoneidx && node_in_mask(slot, TRACE_PLACE_NODEMASK(place)))
			watch.zones[watch.nr_zones++] = (struct watched_zone){
				(unsigned char)slot, (unsigned char)position, WATCH_NOT_VISITED, WATCH_NOT_VISITED
			};
}

/* Only the first attempts look at the low mark; one after the slow path means that the cpuset changed. */
static void note_retry(void)
{
	if (!watch.slow || (watch.entry_flags & ALLOC_WMARK_MASK) != ALLOC_WMARK_LOW)
		return;
	watch.slow = false;
	watch.retried = true;
	watch.batch_resets = 0;
}

static void begin_attempt(const struct trace_record *record)
{
	watch.attempts++;
	watch.entry_flags = (unsigned int)record->c & 0xffff;
	note_retry();
	if (watch.attempts == 1)
		watch.first_alloc_flags = watch.entry_flags;
	watch.dirty_skips = 0;
	watch.attempt_fair_skips = 0;
	list_zones(record->d);
	if (watch.slow)
		invariant_evaluate(&invariant_kswapd_woken_for_each_zone);
}

static void begin_pass(const struct trace_record *record)
{
	unsigned int i;

	if (record->a == 1)
		begin_attempt(record);
	watch.pass = (unsigned int)record->a;
	watch.first_position = (long)record->b;
	watch.last_position = -1;
	watch.alloc_flags = (unsigned int)record->c & 0xffff;
	watch.apply_fair = record->c >> 16 & 1;
	watch.out_of_order = false;
	watch.repeated = false;
	watch.visits = 0;
	watch.current = -1;
	for (i = 0; i < watch.nr_zones; i++)
		watch.zones[i].verdict = WATCH_NOT_VISITED;
}

static int find_zone(long position)
{
	unsigned int i;

	for (i = 0; i < watch.nr_zones; i++)
		if (watch.zones[i].position == position)
			return (int)i;
	return -1;
}

static void visit(const struct trace_record *record)
{
	long position = (long)record->b;

	watch.out_of_order |= position <= watch.last_position;
	watch.last_position = position;
	watch.current = find_zone(position);
	watch.zone_reclaimed = false;
	watch.visits++;
	invariant_evaluate(&invariant_only_eligible_zones_visited);
	if (watch.current < 0)
		return;
	if (watch.gfp & __GFP_WRITE)
		judge_dirty_visit_begin((unsigned int)record->a);
	watch.zones[watch.current].expected = (unsigned char)expected_verdict((unsigned int)record->a);
}

static void judge_visit(const struct trace_record *record)
{
	struct watched_zone *zone;

	if (watch.current < 0)
		return;
	zone = &watch.zones[watch.current];
	watch.repeated |= zone->verdict != WATCH_NOT_VISITED;
	zone->verdict = (unsigned char)record->b;
	invariant_evaluate(&invariant_watermark_respected);
	invariant_evaluate(&invariant_verdict_follows_data);
	if (watch.gfp & __GFP_WRITE)
		judge_dirty_visit();
	switch (record->b) {
	case VERDICT_FAIR_SKIP:
		watch.fair_skips++;
		watch.attempt_fair_skips++;
		break;
	case VERDICT_DIRTY:
		watch.dirty_skips++;
		break;
	}
	/* 4.7 stops being fair at the first remote zone that it may use. */
	if (kernel.fair == FAIR_F47 && zone->expected > VERDICT_FAIR_ABORT && !watch_is_local(zone->slot))
		watch.apply_fair = false;
}

/* One cause has one title: coverage of the last pass, first fit, iterator start, bounds. */
static void end_attempt(const struct trace_record *record)
{
	watch.got_page = record->a != TRACE_NO_PFN;
	watch.page_slot = (unsigned int)record->c;
	watch.pass = (unsigned int)record->b;
	invariant_evaluate(&invariant_zone_missed_after_reset);
	invariant_evaluate(&invariant_first_fit_zone);
	invariant_evaluate(&invariant_iterator_starts_over);
	invariant_evaluate(&invariant_no_fair_skip_in_last_pass);
	invariant_evaluate(&invariant_zones_in_list_order);
	invariant_evaluate(&invariant_one_verdict_for_each_zone);
	invariant_evaluate(&invariant_passes_bounded);
}

static void expect_wakeups(unsigned long place)
{
	struct scan_watch saved = watch;

	list_zones(place);
	saved.nr_expected_wakeups = 0;
	saved.expected_wakeups = 0;
	if (watch.gfp & __GFP_KSWAPD_RECLAIM) {
		unsigned int i;

		for (i = 0; i < watch.nr_zones; i++)
			saved.expected_wakeups |= 1UL << watch.zones[i].slot;
		saved.nr_expected_wakeups = watch.nr_zones;
	}
	watch = saved;
}

static void begin_round(const struct trace_record *record)
{
	watch.rounds++;
	watch.woken = 0;
	watch.nr_woken = 0;
	watch.expected_classzone = (unsigned int)record->c;
	watch.wake_classzone = watch.expected_classzone;
	expect_wakeups(record->b);
}

static void note_wakeup(const struct trace_record *record)
{
	watch.nr_woken++;
	watch.woken |= 1UL << record->a;
	if (record->c != watch.expected_classzone)
		watch.wake_classzone = (unsigned int)record->c;
	invariant_evaluate(&invariant_kswapd_only_from_slow_path);
}

void scan_watch(const struct trace_record *record)
{
	switch (record->kind) {
	case TRACE_CALL_BEGIN:
		begin_call(record);
		break;
	case TRACE_SCAN_BEGIN:
		begin_pass(record);
		break;
	case TRACE_ZONE_VISIT:
		visit(record);
		break;
	case TRACE_ZONE_RECLAIM:
		watch.zone_reclaimed = true;
		break;
	case TRACE_ZONE_VERDICT:
		judge_visit(record);
		break;
	case TRACE_BATCH_RESET:
		watch.batch_resets++;
		break;
	case TRACE_SCAN_END:
		end_attempt(record);
		break;
	case TRACE_SLOWPATH_ENTER:
		invariant_evaluate(&invariant_no_zone_left_for_the_slow_path);
		watch.slow = true;
		break;
	case TRACE_SLOWPATH_RETRY:
		begin_round(record);
		break;
	case TRACE_KSWAPD_WAKE:
		note_wakeup(record);
		break;
	case TRACE_MM_PAGE_ALLOC:
		watch.active = false;
		break;
	}
}
