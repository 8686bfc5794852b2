// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_writeback.c - each invariant of writeback raises its own title when what it watches over is broken
 * (fuzz/invariants_writeback.c, fuzz/invariants_wb_rest.c, fuzz/invariants_dirty.c).
 */
#include "tests/support.h"
#include "tests/alone.h"
#include "tests/writeback.h"
#include "fuzz/invariant.h"
#include "fuzz/run.h"
#include "fuzz/scan_watch.h"
#include "fuzz/wb_model.h"
#include "fuzz/wb_watch.h"

/* Twenty dirty pages, then an operation that changes nothing, so that what was broken in between is looked at. */
static const char program_text[] = "machine preset=numa2\n"
				   "dirty_pages(nr=20)\n"
				   "device()\n";

struct sabotage {
	const char *invariant;
	void (*break_it)(void);
};

static const struct sabotage *sabotage;

/* The first record makes the watch look at how things are. */
static void after_op(void *argument, unsigned int op)
{
	if (op != 0)
		return;
	trace_emit(TRACE_FLUSHER, 0, 0, 0, 0);
	sabotage->break_it();
}

static struct verdict run_with_sabotage(void)
{
	static struct program program;
	struct run_options options = run_options_default();
	struct verdict verdict;

	cr_assert(program_parse(&program, program_text, strlen(program_text), true, NULL, NULL));
	options.after_op = after_op;
	run_program(&program, &options, &verdict);
	return verdict;
}

static void expect_titles(const struct sabotage *rows, unsigned int nr)
{
	for (sabotage = rows; sabotage < rows + nr; sabotage++) {
		struct invariant *inv = find_invariant(sabotage->invariant);
		struct verdict verdict = run_with_sabotage();

		cr_expect_eq(verdict.finding.kind, FINDING_INVARIANT, "%s: nothing was found", sabotage->invariant);
		cr_expect_str_eq(verdict.finding.name, sabotage->invariant, "%s: %s", sabotage->invariant,
				 verdict.finding.detail);
		inv->masked = true;
		note_if_alone(sabotage->invariant, run_with_sabotage);
		inv->masked = false;
	}
}

#define EXPECT(rows) expect_titles(rows, ARRAY_SIZE(rows))

/*
 * Reports that no step could make.
 */
static void report(enum trace_kind kind, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	trace_emit(kind, a, b, c, d);
}

static void limits(unsigned long thresh, unsigned long bg_thresh)
{
	report(TRACE_DIRTY_LIMITS, global_dirtyable_memory(), thresh, bg_thresh, 0);
}

static void wrong_dirtyable(void)
{
	report(TRACE_DIRTY_LIMITS, 1, 0, 0, 0);
}

static void wrong_limits(void)
{
	limits(100, 50);
}

static void background_above(void)
{
	/* A ratio of the background alone that is no percentage: the formula follows it, the order does not. */
	vm_dirty_bytes = ~0UL << 13;
	dirty_background_bytes = vm_dirty_bytes - PAGE_SIZE;
	kernel.patches &= ~(1UL << PATCH_LIMITS_BELOW_UINTMAX);
	limits(~0UL, ~0UL);
}

static void share_too_large(void)
{
	report(TRACE_WB_SHARE, 1000UL << 8, 1, 2, 501);
}

static void more_than_all(void)
{
	report(TRACE_WB_SHARE, 1000UL << 8, 3, 2, 1000);
}

static void limit_too_wide(void)
{
	vm_dirty_bytes = 1UL << 44;
	dirty_background_bytes = PAGE_SIZE;
	kernel.patches &= ~(1UL << PATCH_LIMITS_BELOW_UINTMAX);
	limits(1UL << 32, 1);
}

/* A step of a device whose share of 1000 is 500. */
static void step(unsigned long dirty, unsigned long wb_dirty, unsigned long pos_ratio, unsigned long pages)
{
	report(TRACE_BALANCE_BEGIN, 0, pages, current->number, 32);
	report(TRACE_BALANCE_LIMITS, 1000, 500, dirty, 1000);
	report(TRACE_BALANCE_DEVICE, 500, 250, wb_dirty, 25600);
	report(TRACE_BALANCE_RATE, pos_ratio, 25600, 25600, pages);
}

static void wrong_position(void)
{
	step(800, 100, 1, 32);
}

static void rate_at_the_limit(void)
{
	step(1000, 100, 1, 32);
}

static void wrong_background_share(void)
{
	report(TRACE_BALANCE_BEGIN, 0, 32, current->number, 32);
	report(TRACE_BALANCE_LIMITS, 1000, 500, 1000, 1000);
	report(TRACE_BALANCE_DEVICE, 500, 400, 100, 25600);
	report(TRACE_BALANCE_RATE, 0, 25600, 0, 32);
}

static void strict_in_its_freerun(void)
{
	bdi_devices[0].bdi.capabilities = BDI_CAP_STRICTLIMIT;
	step(1000, 300, 0, 32);
}

static void wrapped_pages(void)
{
	step(1000, 100, 0, ~0UL - 5);
}

static void pause_too_long(void)
{
	step(1000, 100, 0, 32);
	report(TRACE_BALANCE_PAUSE, MAX_PAUSE + 1, 1, 1, MAX_PAUSE);
}

static void pause_in_freerun(void)
{
	step(1000, 100, 0, 32);
	wb_watch.balance_limits.c = 700;
	report(TRACE_BALANCE_PAUSE, 0, 1, 1, 1);
}

/* The device writes 801 of its dirty pages in a jiffy, and all of them are worth one pause. */
static void pause(unsigned long task_ratelimit, unsigned long wb_dirty)
{
	unsigned long jiffies_worth = wb_dirty / 801 + 1;

	report(TRACE_BALANCE_LIMITS, 1000, 500, 1000, 1000);
	report(TRACE_BALANCE_DEVICE, 500, 250, wb_dirty, 25600);
	report(TRACE_BALANCE_RATE, 0, 25600, task_ratelimit, 32);
	report(TRACE_BALANCE_PAUSE, jiffies_worth, task_ratelimit ? HZ * 32 / task_ratelimit : jiffies_worth,
	       jiffies_worth, jiffies_worth);
}

/* Nobody wakes the flusher of a device that is gone. */
static void begin_pauses(void)
{
	bdi_devices[0].bdi.wb.state = 0;
	report(TRACE_BALANCE_BEGIN, 0, 32, current->number, 32);
}

static void pause_without_flusher(void)
{
	step(1000, 100, 0, 32);
	report(TRACE_BALANCE_PAUSE, 1, 1, 1, 1);
}

static void sleep_of_the_dead(void)
{
	current->fatal_signal = true;
	begin_pauses();
	pause(0, 100);
	pause(0, 100);
}

static void leave_without_reason(void)
{
	report(TRACE_BALANCE_BEGIN, 0, 32, current->number, 32);
	report(TRACE_BALANCE_END, BALANCE_PAID, 0, 0, 0);
}

static void exceeded_for_ever(void)
{
	current->fatal_signal = true;
	bdi_devices[0].bdi.wb.dirty_exceeded = 1;
	report(TRACE_BALANCE_BEGIN, 0, 32, current->number, 32);
	report(TRACE_BALANCE_END, BALANCE_KILLED, 0, 0, 0);
}

static void background_asleep(void)
{
	current->fatal_signal = true;
	report(TRACE_BALANCE_BEGIN, 0, 32, current->number, 32);
	report(TRACE_BALANCE_END, BALANCE_KILLED, 0, 100, 50);
}

static void limit_that_sinks(void)
{
	report(TRACE_DIRTY_LIMIT, 0, 0, 0, 0);
}

static void bandwidth_from_nothing(void)
{
	struct bdi_writeback *wb = &bdi_devices[0].bdi.wb;

	wb->bw_time_stamp += BANDWIDTH_INTERVAL;
	wb->write_bandwidth *= 2;
	report(TRACE_WB_ESTIMATES, 0, 0, 0, 0);
}

/* The bandwidth of an interval in which nothing was written is right. */
static void rate_from_nothing(void)
{
	struct bdi_writeback *wb = &bdi_devices[0].bdi.wb;

	wb->bw_time_stamp += BANDWIDTH_INTERVAL;
	wb->write_bandwidth = wb->write_bandwidth * (1024 - BANDWIDTH_INTERVAL) >> 10;
	wb->dirty_ratelimit = 30000;
	report(TRACE_WB_ESTIMATES, 0, 0, 0, 0);
}

static void estimates_in_a_hurry(void)
{
	bdi_devices[0].bdi.wb.bw_time_stamp++;
	report(TRACE_WB_ESTIMATES, 0, 0, 0, 0);
}

static void ratelimit_of_another_limit(void)
{
	report(TRACE_SET_RATELIMIT, 1, 16, 0, 0);
}

static void flusher_with_the_wrong_share(void)
{
	report(TRACE_WB_SHARE, 1000UL << 8, 0, 1, 0);
	report(TRACE_OVER_BG_THRESH, 0, 0, 500, 0);
}

static void blind_flusher(void)
{
	bdi_devices[0].bdi.capabilities = BDI_CAP_STRICTLIMIT;
	report(TRACE_WB_SHARE, 500UL << 8, 0, 1, 0);
	report(TRACE_OVER_BG_THRESH, 0, 0, 500, 0);
}

static void reclaim_under_another_limit(void)
{
	report(TRACE_THROTTLE_VM_WRITEOUT, GFP_KERNEL, 1, 0, 0);
}

static void reclaim_that_waits_again(void)
{
	unsigned long limit = max(wb_watch.limits.b, global_wb_domain.dirty_limit);

	report(TRACE_THROTTLE_VM_WRITEOUT, GFP_NOFS, limit + limit / 10, 0, 0);
	report(TRACE_THROTTLE_VM_WRITEOUT, GFP_NOFS, limit + limit / 10, 0, 0);
}

static void walk_out_of_range(void)
{
	struct writeback_control wbc = { .nr_to_write = 5, .range_start = 10 << PAGE_SHIFT, .range_end = 11 << PAGE_SHIFT };

	wb_watch_writepages_begin(0, &wbc);
	report(TRACE_WRITEPAGE, 0, 12, 0, WB_SYNC_NONE);
}

static void walk_goes_round_twice(void)
{
	struct writeback_control wbc = { .nr_to_write = 5, .range_cyclic = true };

	file_mapping(0)->writeback_index = 5;
	wb_watch_writepages_begin(0, &wbc);
	report(TRACE_WRITEPAGE, 0, 6, 0, WB_SYNC_NONE);
	report(TRACE_WRITEPAGE, 0, 2, 0, WB_SYNC_NONE);
	report(TRACE_WRITEPAGE, 0, 5, 0, WB_SYNC_NONE);
}

Test(invariants_writeback, a_false_report_is_caught_by_its_own_invariant)
{
	static const struct sabotage rows[] = {
		{ "dirtyable_memory", wrong_dirtyable },
		{ "limits_follow_tunables", wrong_limits },
		{ "share_follows_fraction", share_too_large },
		{ "fraction_is_a_fraction", more_than_all },
		{ "limits_fit_divisors", limit_too_wide },
		{ "position_follows_limits", wrong_position },
		{ "background_share_below_share", wrong_background_share },
		{ "strictlimit_throttled_by_its_own", strict_in_its_freerun },
		{ "pages_dirtied_bounded", wrapped_pages },
		{ "pause_within_bounds", pause_too_long },
		{ "no_sleep_in_freerun", pause_in_freerun },
		{ "flusher_told_before_sleep", pause_without_flusher },
		{ "killed_task_sleeps_no_more", sleep_of_the_dead },
		{ "reason_to_leave", leave_without_reason },
		{ "exceeded_is_cleared", exceeded_for_ever },
		{ "background_started", background_asleep },
		{ "limit_follows_slowly", limit_that_sinks },
		{ "bandwidth_follows_written_pages", bandwidth_from_nothing },
		{ "rate_limit_bounded", rate_from_nothing },
		{ "estimates_take_their_time", estimates_in_a_hurry },
		{ "ratelimit_pages_of_limit", ratelimit_of_another_limit },
		{ "flusher_uses_background_share", flusher_with_the_wrong_share },
		{ "flusher_sees_dirty_pages", blind_flusher },
		{ "reclaim_waits_under_the_smoothed_limit", reclaim_under_another_limit },
		{ "reclaim_without_io_waits_once", reclaim_that_waits_again },
		{ "walk_stays_in_range", walk_out_of_range },
		{ "cyclic_walk_goes_round", walk_goes_round_twice },
	};

	EXPECT(rows);
}

extern struct invariant invariant_limits_follow_tunables, invariant_position_follows_limits;

/* These stand behind another one that compares with the formula and speaks first. */
Test(invariants_writeback, order_and_bound_are_judged_without_the_formula)
{
	static const struct sabotage order = { "background_below_limit", background_above };
	static const struct sabotage bound = { "position_bounded", rate_at_the_limit };

	invariant_limits_follow_tunables.masked = true;
	expect_titles(&order, 1);
	kernel = kernel_profile(PROFILE_FIXED);
	invariant_position_follows_limits.masked = true;
	expect_titles(&bound, 1);
}

/*
 * State that no call leaves behind.
 */
static void max_ratio_below_min(void)
{
	bdi_devices[1].bdi.max_ratio = 101;
}

static void sum_too_large(void)
{
	bdi_min_ratio = 1;
}

static void bandwidth_without_inodes(void)
{
	bdi_devices[1].bdi.tot_write_bandwidth = 1;
}

static void period_without_timer(void)
{
	global_wb_domain.period_time = 1;
}

static void counter_that_drifts(void)
{
	bdi_devices[1].bdi.wb.stat[WB_WRITTEN].counters[0] = 1000;
}

static void lost_dirty_page(void)
{
	ClearPageDirty(find_get_page(file_mapping(0), 3));
}

static void lost_writeback_page(void)
{
	SetPageWriteback(find_get_page(file_mapping(0), 3));
}

static void dirty_page_of_the_device(void)
{
	__add_wb_stat(&bdi_devices[1].bdi.wb, WB_RECLAIMABLE, 1);
}

static void page_written_twice(void)
{
	__add_wb_stat(&bdi_devices[1].bdi.wb, WB_WRITTEN, 1);
}

static void tag_without_page(void)
{
	page_cache_tag_set(file_mapping(0), 300, PAGECACHE_TAG_DIRTY);
}

static void completions_from_nowhere(void)
{
	percpu_counter_add(&bdi_devices[1].bdi.wb.completions.events, 1000);
}

static void forgotten_file(void)
{
	file_inodes[0].i_state &= ~I_DIRTY_PAGES;
}

Test(invariants_writeback, broken_state_is_caught_by_its_own_invariant)
{
	static const struct sabotage rows[] = {
		{ "ratios_of_devices", max_ratio_below_min },
		{ "min_ratios_of_registered_devices", sum_too_large },
		{ "bandwidth_of_dirty_devices", bandwidth_without_inodes },
		{ "period_has_a_timer", period_without_timer },
		{ "cheap_reads_are_close", counter_that_drifts },
		{ "zone_counts_dirty_pages", lost_dirty_page },
		{ "zone_counts_writeback_pages", lost_writeback_page },
		{ "device_counts_its_pages", dirty_page_of_the_device },
		{ "written_counts_arrivals", page_written_twice },
		{ "tags_follow_pages", tag_without_page },
		{ "tagged_file_is_dirty", forgotten_file },
		{ "completions_add_up", completions_from_nowhere },
	};

	EXPECT(rows);
}

/*
 * Tasks, and what was stopped.
 */
static void page_that_nobody_dirtied(void)
{
	current->nr_dirtied++;
}

static void new_although_dirty(void)
{
	judge_set_page_dirty(find_get_page(file_mapping(0), 3), true, true);
}

static void redirtied_for_nothing(void)
{
	judge_redirty(file_mapping(0), false, 0);
}

static void dirty_without_end(void)
{
	current->nr_dirtied = 33;
	wb_watch_dirtied(file_mapping(0), false);
	wb_watch_balanced(file_mapping(0));
}

static void dirty_in_turns(void)
{
	wb_watch_dirtied(file_mapping(0), true);
	wb_watch.dirtied_on[0] = ratelimit_pages + 1;
	wb_watch_balanced(file_mapping(0));
}

static void more_than_anybody_may(void)
{
	mod_zone_page_state(&NODE_DATA(0)->node_zones[ZONE_NORMAL], NR_WRITEBACK, 1 << 20);
}

static void sleep_after_payment(void)
{
	begin_pauses();
	pause(100, 100);
	pause(0, 100);
}

static void sleep_beside_a_dead_device(void)
{
	begin_pauses();
	pause(0, 0);
	pause(0, 0);
}

/* 250 pages above freerun, and 200 arrive in each sleep: two sleeps take them, and two more are granted. */
static void sleep_while_pages_arrive(void)
{
	unsigned int i;

	begin_pauses();
	for (i = 0; i < 7; i++) {
		pause(0, 1000);
		bdi_devices[3].written += 200;
	}
}

static void limit_that_stays_up(void)
{
	wb_watch.dirty_limit = 2000;
	wb_watch.settling = (struct watched_settling){ .active = true, .target = 1000, .excess = 500 };
	report(TRACE_DIRTY_LIMIT, 1969, 1000, 0, 0);
}

static void background_given_up(void)
{
	atomic_long_add(100, &vm_stat[NR_UNSTABLE_NFS]);
	report(TRACE_FLUSHER, 0, FLUSHER_BACKGROUND, 0, 0);
}

Test(invariants_writeback, whoever_gets_away_is_caught_by_its_own_invariant)
{
	static const struct sabotage rows[] = {
		{ "dirtied_pages_are_paid_for", page_that_nobody_dirtied },
		{ "dirtied_once", new_although_dirty },
		{ "redirtied_is_taken_back", redirtied_for_nothing },
		{ "task_comes_in_time", dirty_without_end },
		{ "cpu_comes_in_time", dirty_in_turns },
		{ "overshoot_bounded", more_than_anybody_may },
		{ "stopped_task_goes_on", sleep_after_payment },
		{ "stopped_task_goes_on", sleep_beside_a_dead_device },
		{ "stopped_task_goes_on", sleep_while_pages_arrive },
		{ "limit_settles", limit_that_stays_up },
		{ "background_goes_on", background_given_up },
	};

	EXPECT(rows);
}

/*
 * Tunables and kept limits, which nothing but a write or a visit looks at.
 */
extern struct invariant invariant_tunables_valid, invariant_refused_write_changes_nothing,
	invariant_limit_follows_tunables, invariant_dirty_skip_is_true, invariant_refresh_is_fresh;

static void ratio_of_200(void)
{
	wb_model_tunable(0, 200);
	vm_dirty_ratio = 200;
	invariant_evaluate(&invariant_tunables_valid);
}

static void refused_but_written(void)
{
	wb_model_tunable(1, 1);
	vm_dirty_bytes = 1;
	invariant_evaluate(&invariant_refused_write_changes_nothing);
}

static void limit_left_behind(void)
{
	wb_model_tunable(0, 40);
	vm_dirty_ratio = 40;
	invariant_evaluate(&invariant_limit_follows_tunables);
}

/* A visit of the first zone that ends like this, by a request that will dirty its page. */
static void visit(enum zone_verdict verdict)
{
	unsigned int slot = NODE_DATA(0)->node_zones[ZONE_NORMAL].slot;

	watch.gfp = GFP_KERNEL | __GFP_WRITE;
	watch.slow = false;
	watch.visit = (struct zone_visit){ .slot = slot, .verdict = (unsigned char)verdict };
	judge_dirty_visit_begin(&watch.visit);
	judge_dirty_visit(&watch.visit);
}

static void kept_without_the_seed(void)
{
	NODE_DATA(0)->node_zones[ZONE_NORMAL].dirty_limit_cached = 5;
	visit(VERDICT_TAKEN);
}

static void passed_over_for_nothing(void)
{
	visit(VERDICT_DIRTY);
}

static void taken_beyond_the_limit(void)
{
	mod_zone_page_state(&NODE_DATA(0)->node_zones[ZONE_NORMAL], NR_FILE_DIRTY, 1 << 20);
	visit(VERDICT_TAKEN);
}

static void with_the_seed(void)
{
	kernel.patches |= 1UL << PATCH_DIRTY_LIMIT_CACHED;
}

static void kept_more_than_ever(void)
{
	with_the_seed();
	NODE_DATA(0)->node_zones[ZONE_NORMAL].dirty_limit_cached = 1UL << 40;
	visit(VERDICT_TAKEN);
}

static void not_refreshed(void)
{
	with_the_seed();
	visit(VERDICT_DIRTY);
}

static void passed_over_again(void)
{
	invariant_dirty_skip_is_true.masked = true;
	invariant_refresh_is_fresh.masked = true;
	visit(VERDICT_DIRTY);
	visit(VERDICT_DIRTY);
}

Test(invariants_writeback, tunables_and_kept_limits_are_judged_by_their_own_invariants)
{
	static const struct sabotage rows[] = {
		{ "tunables_valid", ratio_of_200 },
		{ "refused_write_changes_nothing", refused_but_written },
		{ "limit_follows_tunables", limit_left_behind },
		{ "nothing_kept_in_the_base", kept_without_the_seed },
		{ "dirty_skip_is_true", passed_over_for_nothing },
		{ "dirty_page_within_limit", taken_beyond_the_limit },
		{ "kept_limit_was_true", kept_more_than_ever },
		{ "refresh_is_fresh", not_refreshed },
		{ "one_false_skip_per_change", passed_over_again },
	};

	EXPECT(rows);
}
