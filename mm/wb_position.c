// SPDX-License-Identifier: GPL-2.0
/*
 * wb_position.c - the position ratio: how much faster or slower than its rate a task may dirty pages, for where the
 * dirty pages stand between the limits (page-writeback specification 9). 1024 is 1.0.
 *
 *	pos_ratio
 *	2048 |*
 *	     |   *
 *	1024 |        *
 *	     |             *
 *	   0 |                *
 *	     +-freerun--setpoint--limit-> dirty
 */
#include "internal.h"

/* What 3.16 adds 1 to, so that it can divide, 4.7 makes odd, so that it cannot become 0 in 32 bits either. */
static u64 as_divisor(u64 x)
{
	return kernel.writeback == WRITEBACK_3_16 ? x + 1 : x | 1;
}

/* x * x * x in units of 1024 each; without the fix the products wrap as they do on the hardware. */
static s64 cube(s64 x)
{
	s64 product = (s64)((u64)x * (u64)x) >> RATELIMIT_CALC_SHIFT;

	return (s64)((u64)product * (u64)x) >> RATELIMIT_CALC_SHIFT;
}

/*
 * pos_ratio_polynom - 1024 + ((setpoint - dirty) / (limit - setpoint))^3, within [0, 2048].
 */
long long pos_ratio_polynom(unsigned long setpoint, unsigned long dirty, unsigned long limit)
{
	const s64 one = 1 << RATELIMIT_CALC_SHIFT;
	s64 distance = ((s64)setpoint - (s64)dirty) * one;
	s64 divisor = (s64)as_divisor(limit - setpoint);
	s64 x;

	if (patched(POLYNOM_WIDE_DIVISOR))
		x = div64_s64(distance, divisor);
	else
		x = div_s64(distance, limit - setpoint + 1);
	if (patched(STRICTLIMIT_CUBIC_WIDE)) {
		/* From here on the result is cut off anyway. */
		if (x >= one)
			return 2 * one;
		if (x <= -one)
			return 0;
	}
	return clamp(one + cube(x), 0LL, 2LL * one);
}

/* A device with a strict limit is steered by its own position, as long as that is worse than the global one. */
static s64 strictlimit_position_ratio(const struct dirty_throttle_control *dtc, s64 pos_ratio)
{
	unsigned long wb_setpoint;

	if (dtc->wb_dirty < 8)
		return min(pos_ratio * 2, 2LL << RATELIMIT_CALC_SHIFT);
	if (dtc->wb_dirty >= dtc->wb_thresh)
		return 0;
	wb_setpoint = dirty_freerun_ceiling(dtc->wb_thresh, dtc->wb_bg_thresh);
	if (wb_setpoint == 0 || wb_setpoint == dtc->wb_thresh)
		return 0;
	return min(pos_ratio, pos_ratio_polynom(wb_setpoint, dtc->wb_dirty, dtc->wb_thresh));
}

/* The line that falls from the device's setpoint to its x_intercept, and never below a quarter. */
static u64 below_line(const struct dirty_throttle_control *dtc, u64 pos_ratio, unsigned long wb_thresh,
		      unsigned long setpoint)
{
	u64 x = div_u64((u64)wb_thresh << 16, as_divisor(dtc->thresh));
	u64 wb_setpoint = setpoint * x >> 16;
	unsigned long span = (dtc->thresh - wb_thresh + 8 * dtc->wb->avg_write_bandwidth) * x >> 16;
	unsigned long x_intercept = wb_setpoint + span;
	u64 divisor = as_divisor(x_intercept - wb_setpoint);

	if (dtc->wb_dirty >= x_intercept - span / 4)
		return pos_ratio / 4;
	pos_ratio *= x_intercept - dtc->wb_dirty;
	return patched(POLYNOM_WIDE_DIVISOR) ? div64_u64(pos_ratio, divisor) : div_u64(pos_ratio, divisor);
}

/* A device with few dirty pages may run dry: its dirtiers get up to eight times as much. */
static u64 reserve_area(const struct dirty_throttle_control *dtc, u64 pos_ratio, unsigned long wb_thresh)
{
	unsigned long wb_half = wb_thresh / 2;

	if (dtc->wb_dirty >= wb_half)
		return pos_ratio;
	if (dtc->wb_dirty > wb_half / 8)
		return div_u64(pos_ratio * wb_half, dtc->wb_dirty);
	return pos_ratio * 8;
}

/* wb_position_ratio - fill in @dtc->pos_ratio from everything else in @dtc. */
void wb_position_ratio(struct dirty_throttle_control *dtc)
{
	unsigned long freerun = dirty_freerun_ceiling(dtc->thresh, dtc->bg_thresh);
	unsigned long limit = hard_dirty_limit(&global_wb_domain, dtc->thresh);
	unsigned long setpoint = (freerun + limit) / 2;
	unsigned long wb_thresh;
	s64 pos_ratio;

	dtc->pos_ratio = 0;
	if (unlikely(dtc->dirty >= limit))
		return;
	pos_ratio = pos_ratio_polynom(setpoint, dtc->dirty, limit);
	if (unlikely(dtc->wb->bdi->capabilities & BDI_CAP_STRICTLIMIT)) {
		dtc->pos_ratio = (unsigned long)strictlimit_position_ratio(dtc, pos_ratio);
		return;
	}
	/* An idle device still gets a part of what is left. */
	wb_thresh = max(min(dtc->wb_thresh, dtc->thresh), (limit - dtc->dirty) / 8);
	pos_ratio = (s64)below_line(dtc, (u64)pos_ratio, wb_thresh, setpoint);
	dtc->pos_ratio = (unsigned long)reserve_area(dtc, (u64)pos_ratio, wb_thresh);
}
