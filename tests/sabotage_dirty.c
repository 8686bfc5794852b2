// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_dirty.c - the dirty limits of zones, kept or not, and the tunables behind them are watched
 * (fuzz/invariants_dirty.c, fuzz/invariants_wb_rest.c). tests/invariants_writeback.c breaks the rest of writeback.
 *
 * "uma-64m": zonelist Normal, DMA. OVER has more dirty pages in Normal than its limit.
 */
#include "tests/sabotage.h"
#include "fuzz/wb_model.h"

#define UMA "machine preset=uma-64m\n"
#define OVER UMA "counter(zone=Normal, item=dirty, delta=20000)\n"
#define WRITE "p0 = alloc_pages(order=0, gfp=GFP_KERNEL|__GFP_WRITE)\n"
#define SEVERAL_WRITES UMA "p0 = alloc_pages(order=0, gfp=GFP_KERNEL|__GFP_WRITE) x8\n"
#define SEED_3 "fixed,+dirty-limit-cached"

static struct zone *visited(const struct trace_record *record)
{
	return zone_number((unsigned int)record->a);
}

static void keep_too_much(struct trace_record *record, unsigned int number)
{
	visited(record)->dirty_limit_cached = 1UL << 30;
}

Test(sabotage_dirty, a_limit_that_never_was)
{
	expect_invariant("kept_limit_was_true", (struct sabotage){ .program = OVER WRITE,
								   .kernel = SEED_3,
								   .at = TRACE_ZONE_VERDICT,
								   .breaks = keep_too_much });
}

static void keep_too_little(struct trace_record *record, unsigned int number)
{
	if (record->b == VERDICT_DIRTY)
		visited(record)->dirty_limit_cached--;
}

Test(sabotage_dirty, a_limit_that_was_not_refreshed)
{
	expect_invariant("refresh_is_fresh", (struct sabotage){ .program = OVER WRITE,
								.kernel = SEED_3,
								.at = TRACE_ZONE_VERDICT,
								.breaks = keep_too_little });
}

static void call_it_dirty(struct trace_record *record, unsigned int number)
{
	record->b = VERDICT_DIRTY;
}

Test(sabotage_dirty, a_zone_passed_over_for_nothing_again_and_again)
{
	expect_invariant("verdict_follows_data", (struct sabotage){ .program = SEVERAL_WRITES,
								    .at = TRACE_ZONE_VERDICT,
								    .breaks = call_it_dirty,
								    .then = { "dirty_skip_is_true", "first_fit_zone",
									      "batch_accounts_for_takes",
									      "one_false_skip_per_change" } });
}

static void take_all_the_same(struct trace_record *record, unsigned int number)
{
	record->b = VERDICT_TAKEN;
}

Test(sabotage_dirty, a_page_from_a_zone_over_its_limit)
{
	expect_invariant("verdict_follows_data", (struct sabotage){ .program = OVER WRITE,
								    .at = TRACE_ZONE_VERDICT,
								    .breaks = take_all_the_same,
								    .then = { "dirty_page_within_limit" } });
}

static void take_the_second(struct trace_record *record, unsigned int number)
{
	if (number == 2)
		record->b = VERDICT_TAKEN;
}

Test(sabotage_dirty, a_right_limit_that_is_not_obeyed)
{
	expect_invariant("verdict_follows_data",
			 (struct sabotage){ .program = OVER "p0 = alloc_pages(order=0, gfp=GFP_KERNEL|__GFP_WRITE) x2\n",
					    .kernel = SEED_3,
					    .at = TRACE_ZONE_VERDICT,
					    .breaks = take_the_second,
					    .then = { "right_limit_decides_as_base" } });
}

static void keep_a_limit(struct trace_record *record, unsigned int number)
{
	visited(record)->dirty_limit_cached = 1;
}

Test(sabotage_dirty, a_kept_limit_without_seed_3)
{
	expect_invariant("nothing_kept_in_the_base", (struct sabotage){ .program = UMA WRITE,
									.at = TRACE_ZONE_VERDICT,
									.breaks = keep_a_limit });
}

/*
 * The handler has taken a new ratio over and computes what follows from it.
 */
#define NEW_RATIO UMA "vm_sysctl(name=dirty_ratio, value=10)\n"

static void exceed_all(struct trace_record *record, unsigned int number)
{
	vm_dirty_ratio = 101;
}

Test(sabotage_dirty, more_than_everything)
{
	expect_invariant("tunable_taken_if_in_range", (struct sabotage){ .program = NEW_RATIO,
									 .at = TRACE_SET_RATELIMIT,
									 .breaks = exceed_all,
									 .then = { "tunables_valid" } });
}

static void mean_something_impossible(struct trace_record *record, unsigned int number)
{
	wb_model.value = 200;
}

Test(sabotage_dirty, a_write_that_should_have_been_refused)
{
	expect_invariant("refused_write_changes_nothing", (struct sabotage){ .program = NEW_RATIO,
									     .at = TRACE_SET_RATELIMIT,
									     .breaks = mean_something_impossible });
}

static void raise_the_limit(struct trace_record *record, unsigned int number)
{
	if (number == 0)
		global_wb_domain.dirty_limit += 5;
}

Test(sabotage_dirty, a_limit_that_does_not_follow)
{
	expect_invariant("ratelimit_pages_of_limit", (struct sabotage){ .program = NEW_RATIO,
									.at = TRACE_SET_RATELIMIT,
									.breaks = raise_the_limit,
									.then = { "limit_follows_tunables" } });
}
