// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_scan.c - how an allocation walks its zonelist is watched (fuzz/invariants_scan.c): what the scan says it did is
 * changed on the way to the watch, or the data are, after the scan has looked at them.
 *
 * "uma-64m": zonelist Normal, DMA. LOW_NORMAL and LOW make the marks of Normal, or of both, so high that a request is
 * turned away there. A request without reclaim that nobody can serve tries once more in the slow path and fails.
 */
#include "tests/sabotage.h"

#define UMA "machine preset=uma-64m\n"
#define LOW_NORMAL "watermark(node=0, zone=Normal, min=60000)\n"
#define LOW LOW_NORMAL "watermark(node=0, zone=DMA, min=60000)\n"
#define PAGE "p0 = alloc_pages(order=0, gfp=GFP_NOWAIT)\n"

static void ask_for_another_zone(struct trace_record *record, unsigned int number)
{
	record->d = ZONE_MOVABLE;
}

Test(sabotage_scan, a_limit_that_the_request_did_not_ask_for)
{
	expect_invariant("zone_limit_of_request", (struct sabotage){ .program = UMA PAGE,
								     .at = TRACE_CALL_BEGIN,
								     .breaks = ask_for_another_zone });
}

static void hide(struct trace_record *record, unsigned int number)
{
	record->kind = TRACE_NONE;
}

static void hide_the_first(struct trace_record *record, unsigned int number)
{
	if (number == 0)
		hide(record, number);
}

Test(sabotage_scan, a_zone_that_no_pass_came_to)
{
	expect_invariant("zone_missed_after_reset", (struct sabotage){ .program = UMA LOW PAGE,
								       .at = TRACE_ZONE_VERDICT,
								       .breaks = hide_the_first,
								       .report = "pass 1 examined 1 of 2 eligible zones (missed: Normal)",
								       .then = { "one_verdict_for_each_zone" } });
}

/* Normal is not seen, and it could have served after all. */
static void hide_a_zone_that_could_serve(struct trace_record *record, unsigned int number)
{
	if (record->b != VERDICT_WMARK)
		return;
	hide(record, number);
	set_all_marks(0);
}

Test(sabotage_scan, a_page_from_the_second_zone_that_fits)
{
	expect_invariant("first_fit_zone", (struct sabotage){ .program = UMA LOW_NORMAL PAGE,
							      .at = TRACE_ZONE_VERDICT,
							      .breaks = hide_a_zone_that_could_serve,
							      .report = "pass 1 took from a zone at position 1 and never looked at zone Normal at position 0: free 12288, mark 0",
							      .then = { "one_verdict_for_each_zone" } });
}

#define DEPLETE UMA "p0 = alloc_pages(order=0, gfp=GFP_KERNEL) x128\n"

static void begin_at_the_second_zone(struct trace_record *record, unsigned int number)
{
	if (record->a == 2)
		record->b = 1;
}

Test(sabotage_scan, a_second_pass_that_does_not_start_over)
{
	expect_invariant("iterator_starts_over", (struct sabotage){ .program = DEPLETE,
								    .at = TRACE_SCAN_BEGIN,
								    .breaks = begin_at_the_second_zone });
}

static void call_it_unfair(struct trace_record *record, unsigned int number)
{
	record->b = VERDICT_FAIR_SKIP;
}

Test(sabotage_scan, a_fair_skip_where_the_mark_turned_away)
{
	expect_invariant("verdict_follows_data", (struct sabotage){ .program = UMA LOW PAGE,
								    .at = TRACE_ZONE_VERDICT,
								    .breaks = call_it_unfair,
								    .then = { "no_fair_skip_in_last_pass" } });
}

static void go_back(struct trace_record *record, unsigned int number)
{
	if (record->b == 1)
		record->b = 0;
}

Test(sabotage_scan, a_pass_that_goes_back)
{
	expect_invariant("zones_in_list_order", (struct sabotage){ .program = UMA LOW_NORMAL PAGE,
								   .at = TRACE_ZONE_VISIT,
								   .breaks = go_back,
								   .then = { "one_verdict_for_each_zone" } });
}

static void judge_twice(struct trace_record *record, unsigned int number)
{
	scan_watch(record);
}

Test(sabotage_scan, a_zone_that_is_judged_twice)
{
	expect_invariant("one_verdict_for_each_zone", (struct sabotage){ .program = UMA LOW PAGE,
									 .at = TRACE_ZONE_VERDICT,
									 .breaks = judge_twice });
}

static void take_five_passes(struct trace_record *record, unsigned int number)
{
	record->b = 5;
}

Test(sabotage_scan, more_passes_than_there_are_reasons_for)
{
	expect_invariant("passes_bounded", (struct sabotage){ .program = UMA LOW PAGE,
							      .at = TRACE_SCAN_END,
							      .breaks = take_five_passes });
}

static void be_fair_in_the_slow_path(struct trace_record *record, unsigned int number)
{
	if (number == 1)
		record->c |= ALLOC_FAIR;
}

Test(sabotage_scan, a_slow_attempt_that_is_fair)
{
	expect_invariant("fairness_only_before_slow_path", (struct sabotage){ .program = UMA LOW PAGE,
									      .at = TRACE_SCAN_BEGIN,
									      .breaks = be_fair_in_the_slow_path });
}

static void spread_dirty_pages(struct trace_record *record, unsigned int number)
{
	record->c |= ALLOC_DIRTY;
}

Test(sabotage_scan, a_reader_that_spreads_dirty_pages)
{
	expect_invariant("dirty_flag_follows_request", (struct sabotage){ .program = UMA PAGE,
									  .at = TRACE_SCAN_BEGIN,
									  .breaks = spread_dirty_pages });
}

static void ignore_the_marks(struct trace_record *record, unsigned int number)
{
	if (number == 1)
		record->c |= ALLOC_NO_WATERMARKS;
}

Test(sabotage_scan, an_ordinary_request_that_ignores_the_marks)
{
	expect_invariant("only_the_privileged_ignore_marks", (struct sabotage){ .program = UMA LOW PAGE,
										.at = TRACE_SCAN_BEGIN,
										.breaks = ignore_the_marks });
}

static void look_elsewhere(struct trace_record *record, unsigned int number)
{
	record->b = 9;
}

Test(sabotage_scan, a_visit_to_a_zone_that_is_not_eligible)
{
	expect_invariant("only_eligible_zones_visited", (struct sabotage){ .program = UMA PAGE,
									   .at = TRACE_ZONE_VISIT,
									   .breaks = look_elsewhere });
}

static void take_all_the_same(struct trace_record *record, unsigned int number)
{
	record->b = VERDICT_TAKEN;
}

Test(sabotage_scan, a_page_taken_below_the_mark)
{
	expect_invariant("watermark_respected", (struct sabotage){ .program = UMA LOW PAGE,
								   .at = TRACE_ZONE_VERDICT,
								   .breaks = take_all_the_same,
								   .report = "zone Normal, order 0: taken although it was not above its mark 60000 + 0 (free now 12288)",
								   .then = { "verdict_follows_data" } });
}

/* A zone turned a writer away in the slow path, and is said to have done so for its dirty pages. */
static void call_it_dirty(struct trace_record *record, unsigned int number)
{
	if (watch.slow)
		record->b = VERDICT_DIRTY;
}

Test(sabotage_scan, a_slow_attempt_that_spreads_dirty_pages)
{
	expect_invariant("verdict_follows_data", (struct sabotage){ .program = UMA LOW PAGE,
								    .at = TRACE_ZONE_VERDICT,
								    .breaks = call_it_dirty,
								    .then = { "no_dirty_skip_in_slow_path" } });
}

static void lower_the_marks(struct trace_record *record, unsigned int number)
{
	set_all_marks(0);
}

Test(sabotage_scan, a_slow_path_that_nobody_needs)
{
	expect_invariant("no_zone_left_for_the_slow_path", (struct sabotage){ .program = UMA LOW PAGE,
									      .at = TRACE_SLOWPATH_ENTER,
									      .breaks = lower_the_marks,
									      .report = "zone Normal, order 0: free 12288, low mark 0 + 0, and it has a block to give" });
}

static void wake_kswapd(struct trace_record *record, unsigned int number)
{
	const struct trace_record wake = { .kind = TRACE_KSWAPD_WAKE, .a = record->a };

	scan_watch(&wake);
}

Test(sabotage_scan, a_wakeup_outside_the_slow_path)
{
	expect_invariant("kswapd_only_from_slow_path", (struct sabotage){ .program = UMA PAGE,
									  .at = TRACE_ZONE_VISIT,
									  .breaks = wake_kswapd });
}

Test(sabotage_scan, a_zone_whose_kswapd_sleeps_on)
{
	expect_invariant("kswapd_woken_for_each_zone", (struct sabotage){ .program = UMA LOW PAGE,
									  .at = TRACE_KSWAPD_WAKE,
									  .breaks = hide_the_first });
}

static void be_harder(struct trace_record *record, unsigned int number)
{
	if (number == 1)
		record->c |= ALLOC_HARDER;
}

Test(sabotage_scan, an_attempt_that_may_more_than_its_request)
{
	expect_invariant("flags_follow_request", (struct sabotage){ .program = UMA LOW PAGE,
								    .at = TRACE_SCAN_BEGIN,
								    .breaks = be_harder });
}

static void look_again(struct trace_record *record, unsigned int number)
{
	const struct trace_record again = { .kind = TRACE_SCAN_BEGIN, .a = 2, .c = record->c, .d = record->d };

	if (number == 1)
		scan_watch(&again);
}

Test(sabotage_scan, a_second_pass_for_nothing)
{
	expect_invariant("another_pass_has_a_reason", (struct sabotage){ .program = UMA LOW PAGE,
									 .at = TRACE_SCAN_BEGIN,
									 .breaks = look_again });
}

static void say_it_woke(struct trace_record *record, unsigned int number)
{
	record->d ^= 1;
}

Test(sabotage_scan, a_kswapd_that_sleeps_on)
{
	expect_invariant("kswapd_wakes_for_zone_below_high",
			 (struct sabotage){ .program = UMA LOW PAGE, .at = TRACE_KSWAPD_WAKE, .breaks = say_it_woke });
}
