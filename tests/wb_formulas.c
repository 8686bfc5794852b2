// SPDX-License-Identifier: GPL-2.0
/*
 * wb_formulas.c - dirty limits, position ratio, estimators and pauses (mm/dirty_limits.c, mm/wb_*.c): the vectors of the
 * page-writeback specification, literally. What is compared with wide arithmetic over large ranges is wb_wide.c.
 */
#include "tests/support.h"
#include "tests/writeback.h"

static struct machine_config one_machine;

/* The formulas ask the machine for HZ and for the number of CPUs, so most of them need no boot. */
static void pretend(unsigned int hz, unsigned int nr_cpus)
{
	one_machine = (struct machine_config){ .hz = (unsigned short)hz, .nr_cpus = nr_cpus, .smp = nr_cpus > 1 };
	machine = &one_machine;
	kernel = kernel_profile(PROFILE_V4_7_RC1);
	current_task = &tasks[0];
	tasks[0] = (struct task_struct){ .prio = DEFAULT_PRIO };
}

Test(wb_formulas, constants_follow_hz)
{
	static const struct {
		unsigned int hz;
		unsigned long max_pause, period, eighth, second;
	} rows[] = { { 100, 20, 512, 16, 128 }, { 250, 50, 1024, 32, 256 }, { 300, 60, 1024, 64, 512 }, { 1000, 200, 4096, 128, 1024 } };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		pretend(rows[i].hz, 1);
		cr_expect_eq(MAX_PAUSE, rows[i].max_pause);
		cr_expect_eq(BANDWIDTH_INTERVAL, rows[i].max_pause);
		cr_expect_eq(roundup_pow_of_two(3 * HZ), rows[i].period);
		cr_expect_eq(roundup_pow_of_two(1 + HZ / 8), rows[i].eighth);
		cr_expect_eq(roundup_pow_of_two(HZ), rows[i].second);
	}
}

Test(wb_formulas, the_error_of_a_counter_grows_with_the_possible_cpus)
{
	static const unsigned long rows[][2] = { { 2, 32 }, { 4, 96 }, { 8, 256 }, { 16, 640 }, { 64, 3584 }, { 128, 8192 } };
	struct bdi_writeback wb = { 0 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		pretend(1000, (unsigned int)rows[i][0]);
		cr_expect_eq(wb_stat_error(&wb), rows[i][1], "%lu CPUs: %lu", rows[i][0], wb_stat_error(&wb));
	}
	pretend(1000, 1);
	cr_expect_eq(wb_stat_error(&wb), 1, "on UP a counter is exact");
	one_machine.smp = 1;
	cr_expect_eq(wb_stat_error(&wb), 8);
}

Test(wb_formulas, the_polynom_falls_from_two_over_one_to_zero)
{
	static const struct {
		unsigned long setpoint, dirty, limit;
		long long ratio;
	} rows[] = {
		{ 1500, 1000, 2000, 2039 }, { 1500, 1250, 2000, 1150 }, { 1500, 1500, 2000, 1024 },
		{ 1500, 1750, 2000, 897 },  { 1500, 1999, 2000, 14 },   { 100, 0, 200, 2015 },
		{ 999, 0, 1000, 2048 },     { 150, 149, 151, 2048 },    { 1UL << 33, 1UL << 32, 1UL << 34, 1151 },
	};
	unsigned int i;

	pretend(1000, 1);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_eq(pos_ratio_polynom(rows[i].setpoint, rows[i].dirty, rows[i].limit), rows[i].ratio, "row %u: %lld",
			     i, pos_ratio_polynom(rows[i].setpoint, rows[i].dirty, rows[i].limit));
}

/* A device of its own, with the bandwidth and capabilities of a row. */
static struct backing_dev_info row_bdi;

static unsigned long position_ratio(const unsigned long *row)
{
	struct dirty_throttle_control dtc = {
		.wb = &row_bdi.wb, .thresh = row[0], .bg_thresh = row[1], .dirty = row[3],
		.wb_thresh = row[4], .wb_bg_thresh = row[5], .wb_dirty = row[6],
	};

	row_bdi.wb.bdi = &row_bdi;
	row_bdi.wb.avg_write_bandwidth = row[7];
	row_bdi.capabilities = (unsigned int)row[8];
	global_wb_domain.dirty_limit = row[2];
	wb_position_ratio(&dtc);
	return dtc.pos_ratio;
}

Test(wb_formulas, the_position_ratio_weighs_the_device_and_the_whole)
{
	/* threshold, background, dirty_limit, dirty, share, background share, dirty of the device, bandwidth, strict; result */
	static const unsigned long rows[][10] = {
		{ 2000, 1000, 2000, 1600, 2000, 1000, 1600, 25600, 0, 1241 },
		{ 2000, 1000, 2000, 1750, 2000, 1000, 1750, 25600, 0, 1023 },
		{ 2000, 1000, 2000, 1999, 2000, 1000, 1999, 25600, 0, 25 },
		{ 2000, 1000, 2000, 2000, 2000, 1000, 2000, 25600, 0, 0 },
		{ 200000, 100000, 200000, 160000, 200000, 100000, 160000, 25600, 0, 1335 },
		{ 200000, 100000, 200000, 195000, 200000, 100000, 195000, 25600, 0, 451 },
		{ 200000, 100000, 200000, 175000, 100000, 50000, 90000, 2560, 0, 981 },
		{ 200000, 100000, 200000, 160000, 50000, 25000, 10000, 2560, 0, 5572 },
		{ 200000, 100000, 200000, 160000, 50000, 25000, 2000, 2560, 0, 19696 },
		{ 200000, 100000, 200000, 160000, 0, 0, 500, 2560, 0, 10690 },
		{ 200000, 100000, 250000, 180000, 200000, 100000, 180000, 25600, 0, 1195 },
		{ 1000, 500, 200000, 1000, 1000, 500, 1000, 100, 0, 16312 },
		{ 200000, 100000, 200000, 120000, 2000, 1000, 1600, 2560, BDI_CAP_STRICTLIMIT, 1016 },
		{ 200000, 100000, 200000, 120000, 2000, 1000, 7, 2560, BDI_CAP_STRICTLIMIT, 2048 },
		{ 200000, 100000, 200000, 120000, 2000, 1000, 1999, 2560, BDI_CAP_STRICTLIMIT, 14 },
	};
	unsigned int i;

	pretend(1000, 1);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_eq(position_ratio(rows[i]), rows[i][9], "row %u: %lu", i, position_ratio(rows[i]));
}

Test(wb_formulas, a_background_limit_next_to_the_limit_overflows_the_cubic)
{
	static const unsigned long row[] = { 1048576, 1048575, 1048576, 0, 100000, 50000, 60000, 25600, BDI_CAP_STRICTLIMIT };

	pretend(1000, 1);
	cr_expect_eq(position_ratio(row), 0, "a healthy writer is stopped: %lu", position_ratio(row));
	kernel = kernel_profile(PROFILE_FIXED);
	cr_expect_eq(position_ratio(row), 1244, "%lu", position_ratio(row));
}

Test(wb_formulas, bandwidth_follows_what_was_written)
{
	/* bandwidth, average, stamp, elapsed, written; bandwidth and average after */
	static const unsigned long rows[][7] = {
		{ 25600, 25600, 0, 200, 5120, 25600, 25600 },   { 25600, 25600, 0, 200, 1000, 24594, 25600 },
		{ 25600, 25600, 1000, 200, 900, 24350, 25600 }, { 25600, 20000, 0, 200, 8000, 26303, 20700 },
		{ 25600, 30000, 0, 200, 100, 24374, 29450 },    { 25600, 25600, 0, 5000, 5000, 1000, 1000 },
		{ 0, 1, 0, 200, 0, 0, 1 },
	};
	unsigned int i;

	pretend(1000, 1);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const unsigned long *row = rows[i];
		struct bdi_writeback wb = { .write_bandwidth = row[0], .avg_write_bandwidth = row[1],
					    .written_stamp = row[2] };

		wb_update_write_bandwidth(&wb, row[3], row[4]);
		cr_expect_eq(wb.write_bandwidth, row[5], "row %u: %lu", i, wb.write_bandwidth);
		cr_expect_eq(wb.avg_write_bandwidth, row[6], "row %u: %lu", i, wb.avg_write_bandwidth);
	}
}

static unsigned long followed_limit(unsigned long limit, unsigned long thresh, unsigned long dirty)
{
	struct dirty_throttle_control dtc = { .thresh = thresh, .dirty = dirty };

	global_wb_domain.dirty_limit = limit;
	update_dirty_limit(&dtc);
	return global_wb_domain.dirty_limit;
}

Test(wb_formulas, the_limit_jumps_up_and_creeps_down)
{
	unsigned int steps = 0;
	unsigned long limit = 200000, next;

	pretend(1000, 1);
	cr_expect_eq(followed_limit(1000, 2000, 500), 2000);
	cr_expect_eq(followed_limit(2000, 1000, 500), 1969);
	cr_expect_eq(followed_limit(2000, 1000, 1500), 1985);
	cr_expect_eq(followed_limit(1032, 1000, 0), 1031);
	cr_expect_eq(followed_limit(1031, 1000, 0), 1031);
	cr_expect_eq(followed_limit(3000, 1000, 2990), 3000);
	while ((next = followed_limit(limit, 100000, 0)) != limit) {
		limit = next;
		steps++;
	}
	cr_expect_eq(limit, 100031);
	cr_expect_eq(steps, 272);
}

Test(wb_formulas, tasks_with_the_bonus_lift_the_limit_by_nine_thirty_firsts)
{
	unsigned long limit = 0;
	unsigned int i;

	pretend(1000, 1);
	vm_dirty_bytes = 100000 * PAGE_SIZE;
	current->flags = PF_LESS_THROTTLE;
	for (i = 0; i < 100; i++) {
		struct dirty_throttle_control dtc = { .avail = 1000000 };

		domain_dirty_limits(&dtc);
		limit = followed_limit(global_wb_domain.dirty_limit, dtc.thresh, 0);
	}
	cr_expect_eq(limit, 129032, "%lu", limit);
}

Test(wb_formulas, the_rate_limit_follows_the_balanced_rate)
{
	/* dirty, bandwidth, position, rate, previous balanced, stamp, dirtied; rate and balanced after */
	static const unsigned long rows[][9] = {
		{ 160000, 25600, 1100, 25600, 25600, 0, 5120, 25600, 25600 },
		{ 180000, 25600, 700, 25600, 25600, 0, 5120, 25600, 17500 },
		{ 160000, 25600, 2048, 1000, 25600, 0, 200, 1126, 25600 },
		{ 160000, 25600, 1024, 25600, 25600, 100, 90, 25600, 0 },
	};
	unsigned int i;

	pretend(1000, 1);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const unsigned long *row = rows[i];
		struct backing_dev_info bdi = {
			.wb = { .avg_write_bandwidth = row[1], .dirty_ratelimit = row[3],
				.balanced_dirty_ratelimit = row[4], .dirtied_stamp = row[5] },
		};
		struct dirty_throttle_control dtc = {
			.wb = &bdi.wb, .thresh = 200000, .bg_thresh = 100000, .dirty = row[0], .wb_thresh = 200000,
			.wb_bg_thresh = 100000, .wb_dirty = row[0], .pos_ratio = row[2],
		};

		bdi.wb.bdi = &bdi;
		global_wb_domain.dirty_limit = 200000;
		wb_update_dirty_ratelimit(&dtc, row[6], 200);
		cr_expect_eq(bdi.wb.dirty_ratelimit, row[7], "row %u: %lu", i, bdi.wb.dirty_ratelimit);
		cr_expect_eq(bdi.wb.balanced_dirty_ratelimit, row[8], "row %u: %lu", i, bdi.wb.balanced_dirty_ratelimit);
	}
}

Test(wb_formulas, the_poll_interval_is_the_root_of_the_gap)
{
	pretend(1000, 1);
	cr_expect_eq(dirty_poll_interval(0, 1), 1);
	cr_expect_eq(dirty_poll_interval(0, 2), 1);
	cr_expect_eq(dirty_poll_interval(0, 16), 4);
	cr_expect_eq(dirty_poll_interval(0, 17), 4);
	cr_expect_eq(dirty_poll_interval(0, 1000), 16);
	cr_expect_eq(dirty_poll_interval(0, 1UL << 20), 1024);
	cr_expect_eq(dirty_poll_interval(5, 5), 1);
	cr_expect_eq(dirty_poll_interval(6, 5), 1);
}

Test(wb_formulas, the_longest_pause_keeps_the_device_busy)
{
	struct bdi_writeback wb = { .avg_write_bandwidth = 25600 };

	pretend(1000, 1);
	cr_expect_eq(wb_max_pause(&wb, 0), 1);
	cr_expect_eq(wb_max_pause(&wb, 1000), 5);
	cr_expect_eq(wb_max_pause(&wb, 100000), 200);
	wb.avg_write_bandwidth = 1000;
	cr_expect_eq(wb_max_pause(&wb, 1000), 126);
}

Test(wb_formulas, a_pause_compared_as_signed_could_be_negative)
{
	struct bdi_writeback wb = { .avg_write_bandwidth = 1 };

	pretend(1000, 1);
	cr_expect_eq(wb_max_pause(&wb, ~0UL - 1), 200);
	kernel.patches &= ~(1UL << PATCH_PAUSE_UNSIGNED_MAX);
	cr_expect_lt((long)wb_max_pause(&wb, ~0UL - 1), 0);
}

Test(wb_formulas, the_shortest_pause_comes_with_the_pages_until_the_next)
{
	/* HZ, bandwidth, rate, longest pause, rate of the task; shortest pause, pages */
	static const long rows[][7] = {
		{ 1000, 25600, 25600, 200, 25600, 6, 250 }, { 1000, 25600, 2560, 200, 2560, 20, 97 },
		{ 1000, 25600, 100, 200, 100, 200, 19 },    { 1000, 25600, 100, 200, 0, 200, 0 },
		{ 1000, 25600, 25600, 1, 25600, 1, 25 },    { 250, 25600, 6400, 50, 6400, 4, 150 },
		{ 250, 25600, 3200, 50, 800, 5, 112 },      { 100, 25600, 4095, 20, 4095, 2, 95 },
		{ 1000, 1, 1, 1, 0, 1, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const long *row = rows[i];
		struct bdi_writeback wb = { .avg_write_bandwidth = (unsigned long)row[1],
					    .dirty_ratelimit = (unsigned long)row[2] };
		int pages;
		long pause;

		pretend((unsigned int)row[0], 1);
		pause = wb_min_pause(&wb, row[3], (unsigned long)row[4], (unsigned long)row[2], &pages);
		cr_expect_eq(pause, row[5], "row %u: %ld", i, pause);
		cr_expect_eq(pages, row[6], "row %u: %d", i, pages);
	}
}

/* As many completions of the device, and of all. */
static void set_fraction(struct bdi_writeback *wb, s64 ours, s64 all)
{
	percpu_counter_set(&wb->completions.events, ours);
	percpu_counter_set(&global_wb_domain.completions.events, all);
}

Test(wb_formulas, a_share_is_the_part_of_recent_writes_within_the_ratios)
{
	struct bdi_writeback *wb;

	boot_machine("uma-64m");
	wb = &bdi_devices[0].bdi.wb;
	set_fraction(wb, 30, 40);
	bdi_min_ratio = 10;
	wb->bdi->min_ratio = 5;
	cr_expect_eq(wb_calc_thresh(wb, 200000), 145000);
	wb->bdi->max_ratio = 50;
	cr_expect_eq(wb_calc_thresh(wb, 200000), 100000);
	set_fraction(wb, 0, 40);
	cr_expect_eq(wb_calc_thresh(wb, 200000), 10000, "a device that wrote nothing has its min_ratio");
}

Test(wb_formulas, precise_ratios_count_in_parts_of_a_page)
{
	struct dirty_throttle_control dtc = { .avail = 12345 };

	pretend(1000, 1);
	global_wb_domain.dirty_limit = 0;
	vm_dirty_bytes = 0;
	vm_dirty_ratio = 20;
	domain_dirty_limits(&dtc);
	cr_expect_eq(dtc.thresh, 2469);
	kernel = kernel_profile(PROFILE_V4_7);
	domain_dirty_limits(&dtc);
	cr_expect_eq(dtc.thresh, 2468);
	vm_dirty_ratio = 1;
	dtc.avail = 1UL << 24;
	domain_dirty_limits(&dtc);
	cr_expect_eq(dtc.thresh, 163840);
	kernel = kernel_profile(PROFILE_V4_7_RC1);
	domain_dirty_limits(&dtc);
	cr_expect_eq(dtc.thresh, 167772);
}

Test(wb_formulas, the_background_limit_stays_below_the_limit)
{
	struct dirty_throttle_control dtc = { .avail = 1000 };

	pretend(1000, 1);
	global_wb_domain.dirty_limit = 320;
	vm_dirty_ratio = 10;
	dirty_background_ratio = 10;
	domain_dirty_limits(&dtc);
	cr_expect_eq(dtc.thresh, 100);
	cr_expect_eq(dtc.bg_thresh, 50);
	current->prio = 50;
	domain_dirty_limits(&dtc);
	cr_expect_eq(dtc.thresh, 100 + 25 + 10);
	cr_expect_eq(dtc.bg_thresh, 50 + 12 + 10);
	kernel = kernel_profile(PROFILE_V3_16);
	domain_dirty_limits(&dtc);
	cr_expect_eq(dtc.thresh, 125, "3.16 has no part of dirty_limit in its bonus");
}

Test(wb_formulas, limits_above_32_bits_of_pages_are_cut_off_after_the_bonus)
{
	struct dirty_throttle_control dtc = { .avail = 1UL << 36 };

	pretend(1000, 1);
	kernel = kernel_profile(PROFILE_FIXED);
	global_wb_domain.dirty_limit = 0;
	vm_dirty_ratio = 100;
	domain_dirty_limits(&dtc);
	cr_expect_eq(dtc.thresh, UINT_MAX);
	cr_expect_lt(dtc.bg_thresh, dtc.thresh);
	vm_dirty_bytes = 3435973837UL * PAGE_SIZE;
	current->flags = PF_LESS_THROTTLE;
	domain_dirty_limits(&dtc);
	cr_expect_eq(dtc.thresh, UINT_MAX, "not 2^32, which would be 0 as a divisor");
}

static void divide_by_the_limit(void *argument)
{
	(void)argument;
	wb_dirty_limits(&(struct dirty_throttle_control){ .wb = &bdi_devices[0].bdi.wb, .thresh = 1UL << 32,
							   .bg_thresh = 1UL << 31 });
}

Test(wb_formulas, a_limit_of_16_tib_divides_by_zero)
{
	boot_machine("uma-64m");
	kernel = kernel_profile(PROFILE_V4_7_RC1);
	expect_finding(FINDING_BUG, "wb_background_share: divide error", divide_by_the_limit, NULL);
}
