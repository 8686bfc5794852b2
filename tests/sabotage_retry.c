// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_retry.c - what a round of the slow path does after it asked a neighbour is watched (fuzz/invariants_retry.c).
 *
 * "uma-64m", with the marks of both zones so high that nobody can serve. FAILS asks the OOM killer, who finds nobody;
 * RETRIES tries for as long as there is something to reclaim; COMPACTS has memory for an order that fails its mark.
 */
#include "tests/sabotage.h"

#define LOW "watermark(node=0, zone=Normal, min=60000)\nwatermark(node=0, zone=DMA, min=60000)\n"
#define UMA "machine preset=uma-64m\n" LOW
#define PAGE "p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
#define FAILS UMA "reclaim_script(oom=disabled)\n" PAGE
#define RETRIES UMA "counter(node=0, zone=Normal, item=inactive_file, delta=100000)\nreclaim_script(oom=disabled)\n" PAGE
#define COMPACTS "machine preset=uma-64m compaction=1\n" LOW                                               \
		 "compaction_script(result=continue)\nreclaim_script(oom=disabled)\n"                       \
		 "p0 = alloc_pages(order=2, gfp=GFP_KERNEL)\n"

static void begin_another_round(struct trace_record *record, unsigned int number)
{
	const struct trace_record again = { .kind = TRACE_SLOWPATH_RETRY, .a = 1 };

	watch.compaction_may_help = false;
	watch.retry = RETRY_NEEDS_REASON;
	watch.oom_due = false;
	scan_watch(&again);
}

Test(sabotage_retry, a_round_for_nothing)
{
	expect_invariant("retry_has_a_reason", (struct sabotage){ .program = FAILS,
								  .at = TRACE_ALLOC_FAILED,
								  .breaks = begin_another_round });
}

Test(sabotage_retry, a_round_for_a_reserve_that_was_kept)
{
	expect_invariant("retry_has_a_reason",
			 (struct sabotage){ .program = "machine preset=uma-64m\nwatermark(zone=Normal, min=0, low_gap=60000)\n"
						       "watermark(zone=DMA, min=0, low_gap=60000)\n"
						       "p0 = alloc_pages(order=1, gfp=GFP_ATOMIC)\n" LOW
						       "reclaim_script(oom=disabled)\n"
						       "p1 = alloc_pages(order=0, gfp=GFP_KERNEL)\n",
					    .kernel = "fixed,-unreserve-before-oom",
					    .at = TRACE_ALLOC_FAILED,
					    .breaks = begin_another_round });
}

static void give_up(struct trace_record *record, unsigned int number)
{
	const struct trace_record end = { .kind = TRACE_MM_PAGE_ALLOC, .a = TRACE_NO_PFN };

	if (number > 0)
		scan_watch(&end);
}

Test(sabotage_retry, a_request_that_gives_up_too_early)
{
	expect_invariant("retry_while_reclaim_may_help", (struct sabotage){ .program = RETRIES,
									    .at = TRACE_SLOWPATH_RETRY,
									    .breaks = give_up });
}

static void ask_nobody(struct trace_record *record, unsigned int number)
{
	record->kind = TRACE_NONE;
}

Test(sabotage_retry, a_request_that_fails_without_a_kill)
{
	expect_invariant("oom_killer_asked_where_it_helps", (struct sabotage){ .program = FAILS,
									       .at = TRACE_OOM,
									       .breaks = ask_nobody });
}

static void ask_for_dma(struct trace_record *record, unsigned int number)
{
	watch.high_zoneidx = ZONE_DMA;
}

Test(sabotage_retry, a_kill_that_does_not_help)
{
	expect_invariant("oom_killer_not_asked_in_vain", (struct sabotage){ .program = FAILS,
									    .at = TRACE_OOM,
									    .breaks = ask_for_dma });
}

static void say_that_it_did_not_run(struct trace_record *record, unsigned int number)
{
	record->c = COMPACT_SKIPPED;
}

Test(sabotage_retry, an_attempt_after_no_compaction)
{
	expect_invariant("attempt_follows_compaction", (struct sabotage){ .program = COMPACTS,
									  .at = TRACE_DIRECT_COMPACT,
									  .breaks = say_that_it_did_not_run });
}

static void warn(struct trace_record *record, unsigned int number)
{
	const struct trace_record warning = { .kind = TRACE_CALLER_WARNING, .a = CALLER_NOFAIL_OOM };

	scan_watch(&warning);
}

Test(sabotage_retry, a_warning_that_nobody_earned)
{
	expect_invariant("warnings_are_earned", (struct sabotage){ .program = FAILS, .at = TRACE_OOM, .breaks = warn });
}

static void report_another_order(struct trace_record *record, unsigned int number)
{
	record->a++;
}

Test(sabotage_retry, a_report_about_another_request)
{
	expect_invariant("failure_names_request", (struct sabotage){ .program = FAILS,
								     .at = TRACE_ALLOC_FAILED,
								     .breaks = report_another_order });
}

static void wait_long(struct trace_record *record, unsigned int number)
{
	const struct trace_record wait = { .kind = TRACE_SLEEP, .a = 1 + machine->hz / 10 };

	scan_watch(&wait);
}

Test(sabotage_retry, a_wait_of_more_than_a_tenth_of_a_second)
{
	expect_invariant("waits_are_short", (struct sabotage){ .program = FAILS, .at = TRACE_OOM, .breaks = wait_long });
}

/*
 * Compaction that has some success in each round, and reclaim that makes progress.
 */
#define ALMOST "machine preset=uma-64m compaction=1\n" LOW                                                   \
	       "compaction_script(result=partial)\nreclaim_script(calls=8, oom=disabled)\n"                  \
	       "p0 = alloc_pages(order=2, gfp=GFP_KERNEL)\n"

static void have_compacted_enough(struct trace_record *record, unsigned int number)
{
	watch.partial_compactions = 17;
}

Test(sabotage_retry, a_round_after_compaction_that_never_helped)
{
	expect_invariant("retry_has_a_reason", (struct sabotage){ .program = ALMOST,
								  .at = TRACE_DIRECT_RECLAIM,
								  .breaks = have_compacted_enough });
}

Test(sabotage_retry, a_request_that_does_not_believe_compaction)
{
	expect_invariant("retry_while_reclaim_may_help",
			 (struct sabotage){ .program = ALMOST, .at = TRACE_SLOWPATH_RETRY, .breaks = give_up });
}

/*
 * A request that starts over because its cpuset changed.
 */
static void give_up_the_first_time(struct trace_record *record, unsigned int number)
{
	if (number == 0)
		watch.retry = RETRY_DUE;
}

Test(sabotage_retry, a_request_that_starts_over_and_gave_up_too_early)
{
	expect_invariant("retry_while_reclaim_may_help",
			 (struct sabotage){ .program = "machine preset=uma-64m cpusets=1\n" LOW
						       "reclaim_script(oom=disabled)\ncpuset(race=1)\n" PAGE,
					    .at = TRACE_ALLOC_FAILED,
					    .breaks = give_up_the_first_time });
}
