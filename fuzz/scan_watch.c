// SPDX-License-Identifier: GPL-2.0
/*
 * scan_watch.c - the state machine of scan_watch.h. It only follows; what it sees is judged by the rules.
 *
 * The zones of a zonelist are listed once and kept until a request looks elsewhere, for most look at the same list.
 */
#include "mm/internal.h"
#include "fuzz/exec.h"
#include "fuzz/fair_watch.h"
#include "fuzz/scan_expect.h"

struct scan_watch watch;
struct watch_totals watch_totals;
static struct watch_step step;

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

#define CLEAR_FIELDS(first, end)                                                                                           \
	memset((char *)&watch + __builtin_offsetof(struct scan_watch, first), 0,                                           \
	       __builtin_offsetof(struct scan_watch, end) - __builtin_offsetof(struct scan_watch, first))

/* Everything but the lists. */
static void clear_call(void)
{
	CLEAR_FIELDS(active, list);
}

void scan_watch_forget_lists(void)
{
	watch.list.made = false;
	watch.head.made = false;
}

void scan_watch_begin(void)
{
	unsigned int type;

	clear_call();
	scan_watch_forget_lists();
	step.stamp = 0;
	fair_watch_begin();
	watch_totals = (struct watch_totals){ .freed_before = view_pages_freed() };
	for (type = 0; type < VIEW_ZONE_TYPES; type++)
		watch_totals.taken_before[type] = view_pages_taken(type);
}

static struct watch_step *this_step(void)
{
	if (step.stamp != world_stamp)
		step = (struct watch_step){ .stamp = world_stamp };
	return &step;
}

const struct watch_step *watch_this_step(void)
{
	return this_step();
}

/*
 * Calls and attempts.
 */
static void begin_call(const struct trace_record *record)
{
	clear_call();
	this_step()->requests++;
	/* The slow path of a request before it in this step may have given up a pageblock. */
	exec_state.pageblock_writes = view_pageblock_writes();
	watch.active = true;
	watch.order = (unsigned int)record->a;
	watch.gfp = (unsigned int)record->b;
	watch.nodemask = (unsigned int)record->c & 0xff;
	watch.high_zoneidx = (unsigned int)record->d;
	watch.task_flags = current->flags;
	judge_request(&watch);
}

static bool node_in_mask(unsigned int slot, unsigned int nodemask)
{
	return !machine->numa || (nodemask >> view_zone_node(slot) & 1);
}

static void add_zone(struct watched_list *list, unsigned int slot, unsigned int position)
{
	list->zones[list->nr_zones] = (struct watched_zone){ .slot = (unsigned char)slot, .position = (unsigned char)position,
							     .index = (unsigned char)list->nr_zones };
	list->nr_zones++;
}

static void make_list(struct watched_list *list, unsigned long place, unsigned int high_zoneidx)
{
	unsigned int node = TRACE_PLACE_NODE(place);
	unsigned int index = TRACE_PLACE_INDEX(place);
	bool thisnode = TRACE_PLACE_LIST(place);
	unsigned int position, slot, idx;

	if (list->made && list->place == place && list->high_zoneidx == high_zoneidx)
		return;
	list->place = place;
	list->high_zoneidx = high_zoneidx;
	list->made = true;
	list->nr_zones = 0;
	if (view_zonelist_entry(node, thisnode, index, &list->preferred_slot, &list->classzone))
		list->preferred_node = view_zone_node(list->preferred_slot);
	for (position = 0; view_zonelist_entry(node, thisnode, index + position, &slot, &idx); position++)
		if (idx <= high_zoneidx && node_in_mask(slot, TRACE_PLACE_NODEMASK(place)))
			add_zone(list, slot, position);
}

/* Only the first attempts look at the low mark; one after the slow path failed means that the cpuset changed. */
static void note_retry(void)
{
	if (!watch.slow || (watch.entry_flags & ALLOC_WMARK_MASK) != ALLOC_WMARK_LOW)
		return;
	judge_round_over(&watch, false);
	CLEAR_FIELDS(rounds, entry_flags);
	exec_state.pageblock_writes = view_pageblock_writes();
	watch.slow = false;
	watch.retried = true;
	watch.batch_resets = 0;
}

static void compaction_is_over(bool tries_again)
{
	watch.tries_again = tries_again;
	if (watch.compaction_over)
		judge_after_compaction(&watch);
	watch.compaction_over = false;
}

static void begin_attempt(const struct trace_record *record)
{
	watch.attempts++;
	watch.entry_flags = (unsigned int)record->c & 0xffff;
	/* A call that starts over because its cpuset changed is done with compaction. */
	compaction_is_over((watch.entry_flags & ALLOC_WMARK_MASK) != ALLOC_WMARK_LOW);
	note_retry();
	watch.attempt_fair_skips = 0;
	watch.attempt_dirty_skips = 0;
	watch.zone_reclaims = 0;
	make_list(&watch.list, record->d, watch.high_zoneidx);
	judge_attempt_begin(&watch);
	judge_reserve_given_up(&watch);
	watch.reserved_after_reclaim = 0;
	if (watch.slow && (watch.entry_flags & ALLOC_WMARK_MASK) == ALLOC_WMARK_HIGH) {
		judge_round_over(&watch, false);
		watch.retry = RETRY_NONE;
		watch.fruitless = 0;
	}
}

static void begin_pass(const struct trace_record *record)
{
	fair_watch_settle();
	if (record->a == 1)
		begin_attempt(record);
	else
		judge_pass_begin(&watch);
	watch.pass = (unsigned int)record->a;
	watch.first_position = (long)record->b;
	watch.last_position = -1;
	watch.alloc_flags = (unsigned int)record->c & 0xffff;
	watch.apply_fair = record->c >> 16 & 1;
	watch.began_fair = watch.apply_fair;
	watch.out_of_order = false;
	watch.repeated = false;
	watch.visited = 0;
	watch.kept_out = 0;
	watch.nr_visited = 0;
	watch.visits = 0;
	watch.remote_visits = 0;
	watch.at = NULL;
}

static void end_attempt(const struct trace_record *record)
{
	fair_watch_settle();
	watch.got_page = record->a != TRACE_NO_PFN;
	watch.pass = (unsigned int)record->b;
	judge_attempt(&watch);
	if (watch.slow && (watch.entry_flags & ALLOC_WMARK_MASK) == ALLOC_WMARK_HIGH)
		watch.oom_due = !watch.got_page && expect_oom_helps();
	if (!watch.progress)
		return;
	if (watch.after_reclaim == 1 && !watch.got_page)
		expect_retry();
	/* The attempt right after reclaim; the second is the one after a reserved pageblock was given up. */
	watch.after_reclaim++;
	expect_reserve_given_up();
}

/*
 * Visits. Most lists have no zone that is left out, and there position and index are the same.
 */
static struct watched_zone *find_zone(long position)
{
	unsigned int i;

	if ((unsigned long)position < watch.list.nr_zones && watch.list.zones[position].position == position)
		return &watch.list.zones[position];
	for (i = 0; i < watch.list.nr_zones; i++)
		if (watch.list.zones[i].position == position)
			return &watch.list.zones[i];
	return NULL;
}

static void begin_visit(const struct trace_record *record)
{
	struct zone_visit *visit = &watch.visit;
	long position = (long)record->b;

	watch.out_of_order |= position <= watch.last_position;
	watch.last_position = position;
	watch.at = find_zone(position);
	watch.visits++;
	visit->slot = (unsigned int)record->a;
	visit->free_before = record->c;
	visit->eligible = watch.at != NULL;
	visit->local = expect_local(visit->slot);
	visit->apply_fair = watch.apply_fair;
	visit->reclaimed = false;
	visit->depleted_before = view_read_batch(visit->slot, &visit->batch_before);
	if (visit->eligible && (watch.gfp & __GFP_WRITE))
		judge_dirty_visit_begin(visit);
	visit->expected = visit->eligible ? (unsigned char)expect_verdict(visit) : WATCH_NO_VERDICT;
	watch.remote_visits += !visit->local;
}

static void count_take(unsigned int slot)
{
	watch_totals.takes++;
	watch_totals.taken[view_zone_type(slot)] += 1UL << watch.order;
}

/* A refill that finds no page counts none, and that folds what its CPU holds back if kswapd's threshold is smaller. */
static void note_take_in_vain(const struct zone_visit *visit)
{
	if ((unsigned long)view_counter_raw(visit->slot, VIEW_FREE_PAGES) != visit->free_before)
		watch.folded |= 1UL << visit->slot;
}

static bool keeps_out(unsigned int verdict)
{
	return verdict == VERDICT_FAIR_SKIP || verdict == VERDICT_FAIR_ABORT ||
	       (verdict == VERDICT_DIRTY && patched(DIRTY_LIMIT_CACHED));
}

static void note_verdict(struct watched_zone *zone, unsigned char verdict)
{
	watch.repeated |= watch_visited(zone);
	watch.nr_visited += !watch_visited(zone);
	watch.visited |= 1UL << zone->index;
	watch.kept_out |= (unsigned long)keeps_out(verdict) << zone->index;
	zone->verdict = verdict;
}

static void end_visit(const struct trace_record *record)
{
	struct zone_visit *visit = &watch.visit;

	visit->verdict = (unsigned char)record->b;
	visit->depleted_after = view_read_batch(visit->slot, &visit->batch_after);
	if (watch.at)
		note_verdict(watch.at, visit->verdict);
	judge_visit(visit);
	judge_visit_batch(visit);
	if (watch.at && (watch.gfp & __GFP_WRITE))
		judge_dirty_visit(visit);
	if (visit->verdict == VERDICT_TAKEN) {
		count_take(visit->slot);
		fair_watch_take(visit);
	}
	if (visit->verdict == VERDICT_TAKE_FAIL)
		note_take_in_vain(visit);
	watch.attempt_fair_skips += visit->verdict == VERDICT_FAIR_SKIP;
	watch.attempt_dirty_skips += visit->verdict == VERDICT_DIRTY;
	/* 4.7 stops being fair at the first remote zone that it may use. */
	if (kernel.fair == FAIR_F47 && visit->expected > VERDICT_FAIR_ABORT && !visit->local)
		watch.apply_fair = false;
	fair_watch_verdict(visit);
}

/*
 * The slow path.
 */
static void enter_slowpath(const struct trace_record *record)
{
	judge_slowpath_entry(&watch);
	watch.slow = true;
	watch.reserved_at_round = view_reserved_highatomic_total();
	watch.writes_at_failure = view_pageblock_writes();
}

static void expect_wakeups(const struct watched_list *list)
{
	unsigned int i;

	watch.nr_expected_wakeups = 0;
	watch.expected_wakeups = 0;
	if (!(watch.gfp & __GFP_KSWAPD_RECLAIM))
		return;
	for (i = 0; i < list->nr_zones; i++)
		watch.expected_wakeups |= 1UL << list->zones[i].slot;
	watch.nr_expected_wakeups = list->nr_zones;
}

/* Specification 0.3, V2: a request that may ignore its policy looks from the local node on. */
static bool leaves_policy(unsigned int flags)
{
	return (flags & ALLOC_NO_WATERMARKS) || (patched(RECOMPUTE_PREFERRED_ZONEREF) && !(flags & ALLOC_CPUSET));
}

static void begin_round(const struct trace_record *record)
{
	compaction_is_over(false);
	note_reserve_given_up();
	judge_round_over(&watch, true);
	watch.retry = RETRY_NONE;
	watch.oom_due = false;
	make_list(&watch.head, record->b, watch.high_zoneidx);
	watch.rounds++;
	watch.mixed = true;
	watch.progress = false;
	watch.slow_flags = expect_slow_flags();
	watch.left_policy |= leaves_policy(watch.slow_flags);
	watch.woken = 0;
	watch.nr_woken = 0;
	watch.expected_classzone = (unsigned int)record->c;
	watch.wake_classzone = watch.expected_classzone;
	expect_wakeups(&watch.head);
	judge_reserve_of_round(&watch);
	watch.reserved_at_round = view_reserved_highatomic_total();
}

static void note_wakeup(const struct trace_record *record)
{
	watch.nr_woken++;
	exec_state.kswapd_woken |= record->d != 0;
	this_step()->woken_nodes |= (unsigned long)(record->d != 0) << view_zone_node(record->a);
	watch.woken |= 1UL << record->a;
	if (record->c != watch.expected_classzone)
		watch.wake_classzone = (unsigned int)record->c;
	judge_wakeup(&watch, record);
}

static void note_reclaim(const struct trace_record *record)
{
	watch.reclaim_calls++;
	watch.progress = record->c != 0;
	watch.after_reclaim = 0;
	compaction_is_over(false);
	watch.idle_reclaims = watch.progress ? 0 : watch.idle_reclaims + 1;
	judge_neighbour(&watch);
	if (!watch.progress)
		expect_retry();
}

/* The request returns, with a page or without. */
static void end_call(const struct trace_record *record)
{
	if (watch.slow && record->a == TRACE_NO_PFN) {
		compaction_is_over(false);
		judge_round_over(&watch, false);
	}
	watch.active = false;
}

/* Once a steal changed the type of more than one pageblock, one of them may have been reserved. */
static void note_fallback(const struct trace_record *record)
{
	if (record->b >> 8 > view_pageblock_order() && view_reserved_highatomic(view_slot_of_pfn(record->a)))
		exec_state.big_steal = true;
	this_step()->fallbacks++;
	judge_fallback(record);
}

static void note_oom(const struct trace_record *record)
{
	watch.oom_calls++;
	watch.idle_reclaims = 0;
	watch.oom_due = false;
	judge_neighbour(&watch);
	judge_oom(&watch);
}

static void note_wait(const struct trace_record *record)
{
	judge_neighbour(&watch);
	judge_wait(record);
}

static void watch_compaction(const struct trace_record *record)
{
	judge_neighbour(&watch);
	watch.compaction_over = true;
	watch.compacted = (int)record->c;
	note_compaction();
}

static void note_zone_reclaim(const struct trace_record *record)
{
	watch.visit.reclaimed = true;
	watch.zone_reclaims++;
	watch.mixed = true;
}

static void note_migration(const struct trace_record *record)
{
	this_step()->migrated = true;
}

/* Without debug checks a single page is looked at later, when it leaves the per-CPU lists (24.1). */
static void note_free(const struct trace_record *record)
{
	struct watch_step *now = this_step();

	judge_freed(record);
	now->frees++;
	now->singles_freed += now->migrated && record->b == 0;
	if (unlikely(exec_state.damage) && (record->b || machine->debug_vm) && view_bad_to_free(record->a)) {
		now->bad = true;
		now->bad_pfn = record->a;
		now->bad_order = (unsigned int)record->b;
	}
	watch_totals.freed += 1UL << record->b;
}

const trace_observer_fn scan_watchers[NR_TRACE_KINDS] = {
	[TRACE_CALL_BEGIN] = begin_call,
	[TRACE_SCAN_BEGIN] = begin_pass,
	[TRACE_ZONE_VISIT] = begin_visit,
	[TRACE_ZONE_RECLAIM] = note_zone_reclaim,
	[TRACE_ZONE_VERDICT] = end_visit,
	[TRACE_BATCH_RESET] = fair_watch_reset,
	[TRACE_SCAN_END] = end_attempt,
	[TRACE_MM_PAGE_ALLOC] = end_call,
	[TRACE_MM_PAGE_FREE] = note_free,
	[TRACE_MM_PAGE_ALLOC_EXTFRAG] = note_fallback,
	[TRACE_MM_PAGE_PCPU_DRAIN] = judge_drained,
	[TRACE_SLOWPATH_ENTER] = enter_slowpath,
	[TRACE_SLOWPATH_RETRY] = begin_round,
	[TRACE_KSWAPD_WAKE] = note_wakeup,
	[TRACE_DIRECT_RECLAIM] = note_reclaim,
	[TRACE_OOM] = note_oom,
	[TRACE_SLEEP] = note_wait,
	[TRACE_DIRECT_COMPACT] = watch_compaction,
	[TRACE_MIGRATE] = note_migration,
	[TRACE_CALLER_WARNING] = judge_warning,
	[TRACE_ALLOC_FAILED] = judge_failure_report,
};
