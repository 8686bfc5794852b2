// SPDX-License-Identifier: GPL-2.0
/*
 * wb_wide.c - the formulas of mm/dirty_limits.c and mm/wb_*.c give what wide arithmetic gives (fuzz/wb_reference.c), over
 * page counts to 2^32 (limits) and 2^36 (memory), every HZ, and up to 128 possible CPUs: page-writeback I13 to I16, I27.
 */
#include "tests/support.h"
#include "tests/writeback.h"
#include "fuzz/wb_reference.h"

#define ROUNDS 200000

static struct machine_config one_machine;
static unsigned long seed;

static unsigned long random_long(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* Small numbers and large ones alike, and now and then a round one. */
static unsigned long up_to_bits(unsigned int bits)
{
	unsigned long x = random_long() >> (64 - bits) >> (random_long() % bits);

	return random_long() % 8 ? x : 1UL << (random_long() % bits);
}

static void pretend(enum kernel_profile profile)
{
	static const unsigned short hz[] = { 100, 250, 300, 1000 };

	one_machine = (struct machine_config){ .hz = hz[random_long() % 4], .nr_cpus = 1 + random_long() % 128, .smp = 1 };
	machine = &one_machine;
	kernel = kernel_profile(profile);
	/* The overflow has a test of its own. */
	kernel.patches |= 1UL << PATCH_STRICTLIMIT_CUBIC_WIDE;
	current_task = &tasks[0];
	tasks[0] = (struct task_struct){ .prio = DEFAULT_PRIO };
}

static struct ref_position random_position(void)
{
	struct ref_position p = { .thresh = up_to_bits(32), .dirty = up_to_bits(33), .dirty_limit = up_to_bits(32) };

	p.bg_thresh = p.thresh ? random_long() % p.thresh : 0;
	p.wb_thresh = random_long() % 2 ? random_long() % (p.thresh + 1) : p.thresh;
	p.wb_bg_thresh = p.thresh ? (unsigned long)ref_background_share(p.wb_thresh, p.bg_thresh, p.thresh) : 0;
	p.wb_dirty = random_long() % (p.dirty + 1);
	p.bandwidth = 1 + up_to_bits(24);
	p.strictlimit = random_long() % 2;
	return p;
}

static unsigned long position_of(const struct ref_position *p)
{
	static struct backing_dev_info bdi;
	struct dirty_throttle_control dtc = {
		.wb = &bdi.wb, .thresh = p->thresh, .bg_thresh = p->bg_thresh, .dirty = p->dirty,
		.wb_thresh = p->wb_thresh, .wb_bg_thresh = p->wb_bg_thresh, .wb_dirty = p->wb_dirty,
	};

	bdi.wb.bdi = &bdi;
	bdi.capabilities = p->strictlimit ? BDI_CAP_STRICTLIMIT : 0;
	bdi.wb.avg_write_bandwidth = p->bandwidth;
	global_wb_domain.dirty_limit = p->dirty_limit;
	wb_position_ratio(&dtc);
	return dtc.pos_ratio;
}

static void check_position(enum kernel_profile profile)
{
	unsigned int compared = 0;
	unsigned int i;

	seed = 0x9e3779b97f4a7c15UL;
	for (i = 0; i < ROUNDS; i++) {
		struct ref_position p = random_position();
		_Bool wraps;
		wide expected;

		pretend(profile);
		/* In 3.16 a limit of 2^32 - 1 has no divisor. */
		if (profile == PROFILE_V3_16 && p.thresh == UINT_MAX)
			continue;
		expected = ref_position_ratio(&p, &wraps);
		if (wraps)
			continue;
		compared++;
		cr_assert_eq(position_of(&p), (unsigned long)expected,
			     "T %lu B %lu dirty %lu L %lu share %lu/%lu dirty %lu bw %lu strict %d: %lu, not %lu", p.thresh,
			     p.bg_thresh, p.dirty, p.dirty_limit, p.wb_thresh, p.wb_bg_thresh, p.wb_dirty, p.bandwidth,
			     p.strictlimit, position_of(&p), (unsigned long)expected);
		cr_assert(p.strictlimit || p.dirty >= max(p.thresh, p.dirty_limit) || expected <= ref_position_bound(&p));
	}
	cr_assert_gt(compared, ROUNDS / 2);
}

Test(wb_wide, the_position_ratio_of_the_fixed_kernel_is_exact)
{
	check_position(PROFILE_FIXED);
}

Test(wb_wide, the_position_ratio_of_3_16_is_exact_with_its_own_divisors)
{
	check_position(PROFILE_V3_16);
}

Test(wb_wide, the_polynom_is_within_its_range_and_never_rises)
{
	unsigned int i;

	seed = 77;
	for (i = 0; i < ROUNDS; i++) {
		unsigned long limit = 2 + up_to_bits(36);
		unsigned long setpoint = random_long() % limit;
		unsigned long dirty = random_long() % limit;
		long long here, next;

		pretend(PROFILE_FIXED);
		here = pos_ratio_polynom(setpoint, dirty, limit);
		next = pos_ratio_polynom(setpoint, dirty + 1, limit);
		cr_assert_eq(here, (long long)ref_polynom(setpoint, dirty, limit));
		cr_assert(here >= 0 && here <= 2048 && next <= here);
		cr_assert_eq(pos_ratio_polynom(setpoint, setpoint, limit), 1024);
	}
}

Test(wb_wide, limits_of_up_to_2_to_the_36_pages_are_exact)
{
	unsigned int i;

	seed = 5;
	for (i = 0; i < ROUNDS; i++) {
		struct dirty_throttle_control dtc = { .avail = 1 + up_to_bits(36) };
		wide thresh, bg_thresh;

		pretend(i % 2 ? PROFILE_V4_7_RC1 : PROFILE_V4_7);
		vm_dirty_bytes = random_long() % 2 ? up_to_bits(48) : 0;
		dirty_background_bytes = random_long() % 2 ? up_to_bits(48) : 0;
		vm_dirty_ratio = (int)(random_long() % 101);
		dirty_background_ratio = (int)(random_long() % 101);
		thresh = ref_configured_limit(vm_dirty_bytes, vm_dirty_ratio, dtc.avail);
		bg_thresh = ref_configured_limit(dirty_background_bytes, dirty_background_ratio, dtc.avail);
		domain_dirty_limits(&dtc);
		cr_assert_eq(dtc.thresh, (unsigned long)thresh);
		cr_assert_eq(dtc.bg_thresh, (unsigned long)(bg_thresh >= thresh ? thresh / 2 : bg_thresh));
	}
}

Test(wb_wide, estimates_are_exact)
{
	unsigned int i;

	seed = 6;
	for (i = 0; i < ROUNDS; i++) {
		unsigned long written = up_to_bits(31), elapsed;
		struct bdi_writeback wb = { .write_bandwidth = up_to_bits(26), .avg_write_bandwidth = 1 + up_to_bits(26),
					    .written_stamp = up_to_bits(31) };
		struct ref_bandwidth expected = { wb.write_bandwidth, wb.avg_write_bandwidth };

		pretend(PROFILE_FIXED);
		elapsed = BANDWIDTH_INTERVAL + up_to_bits(14);
		expected = ref_write_bandwidth(expected, written > wb.written_stamp ? written - wb.written_stamp : 0, elapsed);
		wb_update_write_bandwidth(&wb, elapsed, written);
		cr_assert_eq(wb.write_bandwidth, expected.bandwidth);
		cr_assert_eq(wb.avg_write_bandwidth, expected.average);
	}
}

Test(wb_wide, pauses_are_exact_and_within_their_bounds)
{
	unsigned int i;

	seed = 7;
	for (i = 0; i < ROUNDS; i++) {
		struct bdi_writeback wb = { .avg_write_bandwidth = 1 + up_to_bits(24), .dirty_ratelimit = 1 + up_to_bits(20) };
		unsigned long task_rate = up_to_bits(24);
		long max_pause, min_pause;
		wide pages;
		int nr;

		pretend(PROFILE_FIXED);
		max_pause = (long)wb_max_pause(&wb, up_to_bits(36));
		cr_assert(max_pause >= 1 && max_pause <= (long)MAX_PAUSE);
		min_pause = wb_min_pause(&wb, max_pause, task_rate, wb.dirty_ratelimit, &nr);
		cr_assert_eq(min_pause, (long)ref_min_pause(wb.avg_write_bandwidth, wb.dirty_ratelimit, task_rate, max_pause,
							    &pages));
		cr_assert_eq(nr, (int)pages);
		cr_assert(min_pause >= 1 && min_pause <= max_pause && nr >= 0);
		cr_assert(task_rate || nr == 0);
	}
}

Test(wb_wide, the_rate_limit_stays_between_1_and_what_the_device_writes)
{
	unsigned int i;

	seed = 8;
	for (i = 0; i < ROUNDS; i++) {
		static struct backing_dev_info bdi;
		struct ref_position p = random_position();
		struct dirty_throttle_control dtc = {
			.wb = &bdi.wb, .thresh = p.thresh, .bg_thresh = p.bg_thresh, .dirty = p.dirty,
			.wb_thresh = p.wb_thresh, .wb_bg_thresh = p.wb_bg_thresh, .wb_dirty = p.wb_dirty,
			.pos_ratio = up_to_bits(20),
		};
		unsigned long rate = 1 + up_to_bits(24), balanced;

		pretend(PROFILE_FIXED);
		bdi = (struct backing_dev_info){ .wb = { .bdi = &bdi, .dirty_ratelimit = rate,
							 .balanced_dirty_ratelimit = up_to_bits(24),
							 .avg_write_bandwidth = p.bandwidth } };
		wb_update_dirty_ratelimit(&dtc, up_to_bits(30), BANDWIDTH_INTERVAL + up_to_bits(12));
		balanced = bdi.wb.balanced_dirty_ratelimit;
		cr_assert_leq(balanced, p.bandwidth);
		cr_assert(bdi.wb.dirty_ratelimit >= 1 && bdi.wb.dirty_ratelimit <= max(rate, p.bandwidth));
		cr_assert(bdi.wb.dirty_ratelimit <= rate || rate < balanced);
		cr_assert(bdi.wb.dirty_ratelimit >= rate || rate >= balanced);
	}
}
