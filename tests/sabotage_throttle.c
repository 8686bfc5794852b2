// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_throttle.c - how a writer is throttled is watched (fuzz/invariants_writeback.c), where the rule is about what
 * several records, or one and the state beside it, have to do with each other. A writer that is faster than its device.
 */
#include "tests/sabotage.h"
#include "bdi.h"
#include "fuzz/wb_watch.h"

#define AGAIN "tick(jiffies=87)\ndirty_pages(nr=2048)\n"
#define WRITER "machine preset=uma-64m hz=1000\n"                                                           \
	       "vm_sysctl(name=dirty_background_bytes, value=819200)\nvm_sysctl(name=dirty_bytes, value=1802240)\n" \
	       "device(bandwidth=20000)\ndirty_pages(nr=2048)\ntick(jiffies=87)\ndirty_pages(nr=2048)\n" AGAIN AGAIN AGAIN AGAIN

#define EXPECT(name_, at_, breaks_) \
	expect_invariant(name_, (struct sabotage){ .program = WRITER, .at = at_, .breaks = breaks_ })

/* No sleep, and a longest pause that is one jiffy less than the device needs. */
static void shorten_the_longest_pause(struct trace_record *record, unsigned int number)
{
	record->a = 0;
	record->c = 1;
	record->d = record->d > 1 ? record->d - 1 : 2;
}

Test(sabotage_throttle, a_longest_pause_that_does_not_follow)
{
	EXPECT("pauses_follow_rates", TRACE_BALANCE_PAUSE, shorten_the_longest_pause);
}

static void ask_for_a_longer_period(struct trace_record *record, unsigned int number)
{
	record->b++;
}

Test(sabotage_throttle, a_period_that_does_not_follow)
{
	EXPECT("period_pays_for_pages", TRACE_BALANCE_PAUSE, ask_for_a_longer_period);
}

/* Just above its share and the limit, and nobody has marked it. */
static void exceed(struct trace_record *record, unsigned int number)
{
	record->c = record->a + 1;
}

static void exceed_everywhere(struct trace_record *record, unsigned int number)
{
	bdi_devices[0].bdi.wb.dirty_exceeded = 0;
	wb_watch.balance[current->number].strictlimit = true;
	exceed(record, number);
}

Test(sabotage_throttle, a_device_above_its_share_that_is_not_marked)
{
	EXPECT("exceeded_is_noted", TRACE_BALANCE_DEVICE, exceed_everywhere);
}

static void follow_again(struct trace_record *record, unsigned int number)
{
	wb_watch.limit_followed = true;
	wb_watch.limit_jiffies = record->jiffies;
}

Test(sabotage_throttle, a_limit_that_follows_twice_at_once)
{
	EXPECT("limit_takes_its_time", TRACE_DIRTY_LIMIT, follow_again);
}

static void follow_long_ago(struct trace_record *record, unsigned int number)
{
	wb_watch.limit_followed = true;
	wb_watch.limit_jiffies = record->jiffies - BANDWIDTH_INTERVAL;
}

Test(sabotage_throttle, a_limit_that_does_not_follow)
{
	EXPECT("limit_follows_in_time", TRACE_WB_ESTIMATES, follow_long_ago);
}

static void measure_something_else(struct trace_record *record, unsigned int number)
{
	bdi_devices[record->a].bdi.wb.balanced_dirty_ratelimit++;
}

Test(sabotage_throttle, a_rate_that_was_not_measured)
{
	EXPECT("rate_follows_measurement", TRACE_WB_ESTIMATES, measure_something_else);
}

static void let_it_count_again(struct trace_record *record, unsigned int number)
{
	if (record->a == BALANCE_NO_SLEEP)
		current->nr_dirtied = 7;
}

Test(sabotage_throttle, pages_that_are_paid_for_twice)
{
	EXPECT("debt_is_carried_once", TRACE_BALANCE_END, let_it_count_again);
}

static void have_completed_more(struct trace_record *record, unsigned int number)
{
	record->c++;
}

Test(sabotage_throttle, a_part_of_something_else)
{
	EXPECT("fraction_follows_completions", TRACE_WB_SHARE, have_completed_more);
}
