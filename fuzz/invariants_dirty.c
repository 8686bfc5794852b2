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

/* As the visit began, before a page was taken: kept and true limit, that of the task that runs, and what is dirty. */
static struct dirty_visit {
	const struct zone_visit *visit;
	unsigned long kept;
	unsigned long true_limit;
	unsigned long limit;
	unsigned long dirty;
	bool bonus;
	unsigned long kept_after;            /* when it was over */
	bool tested;                         /* for dirty pages, if the visit came so far */
	bool skipped_for_nothing;
} at_visit;

void judge_dirty_visit_begin(struct zone_visit *visit)
{
	visit->true_dirty_limit = expect_true_dirty_limit(visit->slot);
	at_visit.true_limit = visit->true_dirty_limit;
	at_visit.kept = view_dirty_limit_cached(visit->slot);
	at_visit.bonus = expect_dirty_bonus();
	at_visit.limit = at_visit.true_limit + (at_visit.bonus ? at_visit.true_limit / 4 : 0);
	at_visit.dirty = expect_dirty_pages(visit->slot);
}

RULE(dirty_skip_is_true, 310, COST_SCAN, "dirty",
     "a zone is passed over for its dirty pages only while it has more than its limit", const struct dirty_visit *, at)
{
	counts_if(at->visit->verdict == VERDICT_DIRTY);
	require(!at->skipped_for_nothing, "zone %s: %lu dirty pages, limit %lu, kept limit %lu",
		view_zone_name(at->visit->slot), at->dirty, at->limit, at->kept_after);
	return true;
}

RULE(dirty_page_within_limit, 311, COST_SCAN, "dirty",
     "above the low watermark no page that will be dirtied comes from a zone over its dirty limit",
     const struct dirty_visit *, at)
{
	if (at->visit->verdict != VERDICT_TAKEN || watch.slow)
		return true;
	require(at->dirty <= at->limit, "zone %s, pass %u, test %d: %lu dirty pages, limit %lu, kept limit %lu",
		view_zone_name(at->visit->slot), watch.pass, at->tested, at->dirty, at->limit, at->kept_after);
	return true;
}

RULE(kept_limit_was_true, 301, COST_SCAN, "dirty", "the kept limit of a zone is no larger than its true limit ever was",
     const struct dirty_visit *, at)
{
	unsigned long largest = history[at->visit->slot].largest_limit;

	require(at->kept_after <= largest, "zone %s: kept %lu, at most %lu", view_zone_name(at->visit->slot), at->kept_after,
		largest);
	return true;
}

RULE(refresh_is_fresh, 302, COST_SCAN, "dirty",
     "a zone that was passed over, or tested by a task with the bonus, has its true limit kept", const struct dirty_visit *,
     at)
{
	bool refreshed = at->visit->verdict == VERDICT_DIRTY || (at->bonus && at->tested && at->visit->verdict >= VERDICT_WMARK);

	if (!patched(DIRTY_LIMIT_CACHED) || !refreshed)
		return true;
	require(at->kept_after == at->true_limit, "zone %s: kept %lu, true %lu", view_zone_name(at->visit->slot),
		at->kept_after, at->true_limit);
	return true;
}

RULE(one_false_skip_per_change, 305, COST_SCAN, "dirty",
     "a zone within its limit is passed over at most once until the limit changes", const struct dirty_visit *, at)
{
	const struct zone_history *zone = &history[at->visit->slot];

	require(!at->skipped_for_nothing || !zone->skipped_for_nothing, "zone %s: limit %lu", view_zone_name(at->visit->slot),
		zone->limit);
	return true;
}

/* The base has no kept limit to be right, and decides on the true one always: dirty_skip_is_true and the next. */
RULE(right_limit_decides_as_base, 309, COST_SCAN, "dirty",
     "a zone whose kept limit is the true one is passed over iff it has more dirty pages than that",
     const struct dirty_visit *, at)
{
	bool tested = patched(DIRTY_LIMIT_CACHED) && at->tested && at->visit->verdict >= VERDICT_DIRTY;
	bool over = at->dirty > at->limit;

	counts_if(tested && at->kept == at->true_limit);
	require(!tested || at->kept != at->true_limit || over == (at->visit->verdict == VERDICT_DIRTY),
		"zone %s: %lu dirty pages, kept and true limit %lu, with the bonus %lu", view_zone_name(at->visit->slot),
		at->dirty, at->true_limit, at->limit);
	return true;
}

RULE(nothing_kept_in_the_base, 363, COST_SCAN, "dirty", "without seed 3 no zone keeps a limit", const struct dirty_visit *,
     at)
{
	require(patched(DIRTY_LIMIT_CACHED) || !at->kept_after, "zone %s: %lu", view_zone_name(at->visit->slot),
		at->kept_after);
	return true;
}

void judge_dirty_visit(const struct zone_visit *visit)
{
	struct zone_history *zone = &history[visit->slot];
	struct dirty_visit *at = &at_visit;

	at->visit = visit;
	at->kept_after = view_dirty_limit_cached(visit->slot);
	at->tested = expect_dirty_test();
	at->skipped_for_nothing = visit->verdict == VERDICT_DIRTY && at->dirty <= at->limit;
	history_used = true;
	if (!zone->seen || zone->limit != at->true_limit)
		zone->skipped_for_nothing = false;
	zone->seen = true;
	zone->limit = at->true_limit;
	zone->largest_limit = max(zone->largest_limit, at->true_limit);
	judge(at, nothing_kept_in_the_base, kept_limit_was_true, refresh_is_fresh, one_false_skip_per_change,
	      right_limit_decides_as_base);
	zone->skipped_for_nothing |= at->skipped_for_nothing;
	judge(at, dirty_skip_is_true, dirty_page_within_limit);
}
