// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_dirty.c - where pages that will be dirtied are placed, judged at each visit of a scan (page_alloc
 * specification 30.H, page-writeback specification 5.3 and 5.4; numbers are 300 + those of S1 to S10, C1 to C9 are 310 on).
 *
 * The first two say what dirty balancing is for. Seed 3 breaks them by design: with a cold cache or a raised limit it
 * passes over a zone for nothing (C1, C3), with a lowered one it goes on filling it (C2), and when every zone is over its
 * limit it takes a page where the base wakes kswapd (C5, C6). The others hold for seed 3 too: that is what bounded
 * staleness means. S3 and S4 are verdict_follows_data, S7 is passes_bounded; S9 has no bound, and its number is S10's.
 */
#include "mm/internal.h"
#include "fuzz/invariant.h"
#include "fuzz/scan_expect.h"

/* What is remembered of a zone. */
struct zone_history {
	unsigned long largest_limit;         /* true limit at any visit */
	unsigned long limit;                 /* at the last one */
	bool skipped_for_nothing;            /* since the limit changed */
	bool seen;
};

static struct zone_history history[VIEW_SLOTS_MAX];
static bool history_used;

void judge_dirty_begin(void)
{
	if (history_used)
		memset(history, 0, sizeof(history));
	history_used = false;
}

static unsigned int visited_slot(void)
{
	return watch.visit.slot;
}

static unsigned int visited_verdict(void)
{
	return watch.visit.verdict;
}

/* As the visit began, before a page was taken: kept and true limit, that of the task that runs, and what is dirty. */
static struct {
	unsigned long kept;
	unsigned long true_limit;
	unsigned long limit;
	unsigned long dirty;
} at_visit;

void judge_dirty_visit_begin(const struct zone_visit *visit)
{
	at_visit.kept = view_dirty_limit_cached(visit->slot);
	at_visit.true_limit = expect_true_dirty_limit(visit->slot);
	at_visit.limit = at_visit.true_limit + (expect_dirty_bonus() ? at_visit.true_limit / 4 : 0);
	at_visit.dirty = expect_dirty_pages(visit->slot);
}

static bool skipped_for_nothing(void)
{
	return visited_verdict() == VERDICT_DIRTY && at_visit.dirty <= at_visit.limit;
}

INVARIANT(dirty_skip_is_true, 310, COST_SCAN, "dirty",
	  "a zone is passed over for its dirty pages only while it has more than its limit")
{
	unsigned int slot = visited_slot();

	counts_if(visited_verdict() == VERDICT_DIRTY);
	inv_require(inv, !skipped_for_nothing(), "zone %s: %lu dirty pages, limit %lu, kept limit %lu",
		    view_zone_name(slot), at_visit.dirty, at_visit.limit, view_dirty_limit_cached(slot));
}

INVARIANT(dirty_page_within_limit, 311, COST_SCAN, "dirty",
	  "above the low watermark no page that will be dirtied comes from a zone over its dirty limit")
{
	unsigned int slot = visited_slot();

	if (visited_verdict() != VERDICT_TAKEN || watch.slow)
		return;
	inv_require(inv, at_visit.dirty <= at_visit.limit,
		    "zone %s, pass %u, test %d: %lu dirty pages, limit %lu, kept limit %lu", view_zone_name(slot), watch.pass,
		    expect_dirty_test(), at_visit.dirty, at_visit.limit, view_dirty_limit_cached(slot));
}

INVARIANT(kept_limit_was_true, 301, COST_SCAN, "dirty", "the kept limit of a zone is no larger than its true limit ever was")
{
	unsigned int slot = visited_slot();

	inv_require(inv, view_dirty_limit_cached(slot) <= history[slot].largest_limit, "zone %s: kept %lu, at most %lu",
		    view_zone_name(slot), view_dirty_limit_cached(slot), history[slot].largest_limit);
}

INVARIANT(refresh_is_fresh, 302, COST_SCAN, "dirty",
	  "a zone that was passed over, or tested by a task with the bonus, has its true limit kept")
{
	unsigned int slot = visited_slot();
	bool refreshed = visited_verdict() == VERDICT_DIRTY || (expect_dirty_bonus() && expect_dirty_test() &&
								 visited_verdict() >= VERDICT_WMARK);

	if (!patched(DIRTY_LIMIT_CACHED) || !refreshed)
		return;
	inv_require(inv, view_dirty_limit_cached(slot) == at_visit.true_limit, "zone %s: kept %lu, true %lu",
		    view_zone_name(slot), view_dirty_limit_cached(slot), at_visit.true_limit);
}

INVARIANT(one_false_skip_per_change, 305, COST_SCAN, "dirty",
	  "a zone within its limit is passed over at most once until the limit changes")
{
	unsigned int slot = visited_slot();

	inv_require(inv, !skipped_for_nothing() || !history[slot].skipped_for_nothing, "zone %s: limit %lu",
		    view_zone_name(slot), history[slot].limit);
}

/* The base has no kept limit to be right, and decides on the true one always: dirty_skip_is_true and the next. */
INVARIANT(right_limit_decides_as_base, 309, COST_SCAN, "dirty",
	  "a zone whose kept limit is the true one is passed over iff it has more dirty pages than that")
{
	bool tested = patched(DIRTY_LIMIT_CACHED) && expect_dirty_test() && visited_verdict() >= VERDICT_DIRTY;
	bool over = at_visit.dirty > at_visit.limit;

	counts_if(tested && at_visit.kept == at_visit.true_limit);
	inv_require(inv, !tested || at_visit.kept != at_visit.true_limit || over == (visited_verdict() == VERDICT_DIRTY),
		    "zone %s: %lu dirty pages, kept and true limit %lu, with the bonus %lu", view_zone_name(visited_slot()),
		    at_visit.dirty, at_visit.true_limit, at_visit.limit);
}

INVARIANT(nothing_kept_in_the_base, 363, COST_SCAN, "dirty", "without seed 3 no zone keeps a limit")
{
	inv_require(inv, patched(DIRTY_LIMIT_CACHED) || !view_dirty_limit_cached(visited_slot()), "zone %s: %lu",
		    view_zone_name(visited_slot()), view_dirty_limit_cached(visited_slot()));
}

void judge_dirty_visit(const struct zone_visit *visit)
{
	struct zone_history *zone = &history[visit->slot];
	unsigned long limit = at_visit.true_limit;

	history_used = true;
	if (!zone->seen || zone->limit != limit)
		zone->skipped_for_nothing = false;
	zone->seen = true;
	zone->limit = limit;
	zone->largest_limit = max(zone->largest_limit, limit);
	invariant_evaluate(&invariant_nothing_kept_in_the_base);
	invariant_evaluate(&invariant_kept_limit_was_true);
	invariant_evaluate(&invariant_refresh_is_fresh);
	invariant_evaluate(&invariant_one_false_skip_per_change);
	invariant_evaluate(&invariant_right_limit_decides_as_base);
	zone->skipped_for_nothing |= skipped_for_nothing();
	invariant_evaluate(&invariant_dirty_skip_is_true);
	invariant_evaluate(&invariant_dirty_page_within_limit);
}
