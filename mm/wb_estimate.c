// SPDX-License-Identifier: GPL-2.0
/*
 * wb_estimate.c - what a device can write, what its dirtiers may dirty, and the limit that follows the threshold
 * (page-writeback specification 10). Bandwidths and rates are pages per second.
 */
#include "internal.h"

static unsigned long measured_pages(const struct bdi_writeback *wb, unsigned long written)
{
	if (patched(BANDWIDTH_NO_UNDERFLOW))
		return written - min(written, wb->written_stamp);
	return written - wb->written_stamp;
}

/* The average follows only while the estimate itself moves the same way. */
static unsigned long smoothed_bandwidth(unsigned long avg, unsigned long old, unsigned long bw)
{
	if (avg > old && old >= bw)
		avg -= (avg - old) >> 3;
	if (avg < old && old <= bw)
		avg += (old - avg) >> 3;
	return avg;
}

static void set_bandwidth(struct bdi_writeback *wb, unsigned long bw, unsigned long avg)
{
	if (kernel.writeback != WRITEBACK_3_16)
		avg = max(avg, 1UL);
	if (test_bit(WB_has_dirty_io, &wb->state)) {
		wb->bdi->tot_write_bandwidth += (long)(avg - wb->avg_write_bandwidth);
		WARN_ON_ONCE(wb->bdi->tot_write_bandwidth <= 0 && kernel.writeback != WRITEBACK_3_16);
	}
	wb->write_bandwidth = bw;
	wb->avg_write_bandwidth = avg;
}

/*
 * wb_update_write_bandwidth - fold in what was written in @elapsed jiffies.
 * Over a period of three seconds, rounded up, a new measurement replaces as much of the old one as it lasted.
 */
void wb_update_write_bandwidth(struct bdi_writeback *wb, unsigned long elapsed, unsigned long written)
{
	unsigned long period = roundup_pow_of_two(3 * HZ);
	unsigned long avg = wb->avg_write_bandwidth;
	unsigned long old = wb->write_bandwidth;
	u64 bw = measured_pages(wb, written) * HZ;

	if (unlikely(elapsed > period)) {
		bw = div_u64(bw, elapsed);
		avg = (unsigned long)bw;
	} else {
		bw += (u64)old * (period - elapsed);
		bw >>= ilog2(period);
		avg = smoothed_bandwidth(avg, old, (unsigned long)bw);
	}
	set_bandwidth(wb, (unsigned long)bw, avg);
}

/* Up at once, down by a 32nd at a time, and not below what is dirty: nobody is stopped by a limit that falls. */
void update_dirty_limit(const struct dirty_throttle_control *dtc)
{
	struct wb_domain *dom = &global_wb_domain;
	unsigned long limit = dom->dirty_limit;
	unsigned long target;

	if (limit < dtc->thresh) {
		dom->dirty_limit = dtc->thresh;
		return;
	}
	target = max(dtc->thresh, dtc->dirty);
	if (limit > target)
		dom->dirty_limit = limit - ((limit - target) >> 5);
}

void domain_update_bandwidth(const struct dirty_throttle_control *dtc, unsigned long now)
{
	struct wb_domain *dom = &global_wb_domain;

	if (time_before(now, dom->dirty_limit_tstamp + BANDWIDTH_INTERVAL))
		return;
	spin_lock(&dom->lock);
	if (time_after_eq(now, dom->dirty_limit_tstamp + BANDWIDTH_INTERVAL)) {
		update_dirty_limit(dtc);
		dom->dirty_limit_tstamp = now;
		trace_dirty_limit(dom->dirty_limit, dtc->thresh, dtc->dirty);
	}
	spin_unlock(&dom->lock);
}

/* What the dirty pages are compared with, and with which pages. */
struct rate_target {
	unsigned long dirty;
	unsigned long setpoint;
};

static struct rate_target rate_target(const struct dirty_throttle_control *dtc)
{
	unsigned long limit = hard_dirty_limit(&global_wb_domain, dtc->thresh);
	unsigned long freerun = dirty_freerun_ceiling(dtc->thresh, dtc->bg_thresh);
	unsigned long wb_bg_thresh = dtc->wb_bg_thresh;

	if (!(dtc->wb->bdi->capabilities & BDI_CAP_STRICTLIMIT))
		return (struct rate_target){ dtc->dirty, (freerun + limit) / 2 };
	if (dtc->wb_dirty < 8)
		return (struct rate_target){ dtc->wb_dirty, dtc->wb_dirty + 1 };
	if (kernel.writeback == WRITEBACK_3_16)
		wb_bg_thresh = wb_calc_thresh(dtc->wb, dtc->bg_thresh);
	return (struct rate_target){ dtc->wb_dirty, (dtc->wb_thresh + wb_bg_thresh) / 2 };
}

/* A step that is small beside the rate is noise: the smaller, the more of it is dropped. */
static unsigned long damped_step(unsigned long rate, unsigned long step)
{
	unsigned long shift = rate / (2 * step + 1);

	if (shift >= BITS_PER_LONG) {
		if (!patched(RATELIMIT_SHIFT_BOUNDED))
			bug_raise("wb_update_dirty_ratelimit", "shift by more than a word");
		return 0;
	}
	return DIV_ROUND_UP(step >> shift, 8);
}

/* How far the rate is from the nearest of what it was to be, is to be and is for the task, if they agree on the side. */
static unsigned long rate_step(unsigned long rate, struct rate_target target, unsigned long previous,
			       unsigned long balanced, unsigned long task_rate)
{
	unsigned long x;

	if (target.dirty < target.setpoint) {
		x = min(previous, min(balanced, task_rate));
		return rate < x ? x - rate : 0;
	}
	x = max(previous, max(balanced, task_rate));
	return rate > x ? rate - x : 0;
}

/*
 * wb_update_dirty_ratelimit - the rate at which N dirtiers together dirty as fast as the device writes.
 * @dirtied: WB_DIRTIED now; @elapsed jiffies ago it was dirtied_stamp. 3.16 asks for the position ratio once more.
 */
void wb_update_dirty_ratelimit(struct dirty_throttle_control *dtc, unsigned long dirtied, unsigned long elapsed)
{
	struct bdi_writeback *wb = dtc->wb;
	unsigned long rate = wb->dirty_ratelimit;
	unsigned long dirty_rate = (dirtied - wb->dirtied_stamp) * HZ / elapsed;
	unsigned long task_rate, balanced, step;

	if (kernel.writeback == WRITEBACK_3_16)
		wb_position_ratio(dtc);
	task_rate = (unsigned long)((u64)rate * dtc->pos_ratio >> RATELIMIT_CALC_SHIFT) + 1;
	balanced = (unsigned long)div_u64((u64)task_rate * wb->avg_write_bandwidth, dirty_rate | 1);
	balanced = min(balanced, wb->avg_write_bandwidth);
	step = damped_step(rate, rate_step(rate, rate_target(dtc), wb->balanced_dirty_ratelimit, balanced, task_rate));
	if (rate < balanced)
		rate += step;
	else
		rate -= step;
	wb->dirty_ratelimit = max(rate, 1UL);
	wb->balanced_dirty_ratelimit = balanced;
}

/*
 * __wb_update_bandwidth - estimate again, once per BANDWIDTH_INTERVAL; the caller holds list_lock.
 * @start_time: a device idle for a second before then measured nothing. 3.16 knows that there is no rate to update by
 * a threshold of 0.
 */
void __wb_update_bandwidth(struct dirty_throttle_control *dtc, unsigned long start_time, bool update_ratelimit)
{
	struct bdi_writeback *wb = dtc->wb;
	unsigned long now = jiffies;
	unsigned long elapsed = now - wb->bw_time_stamp;
	unsigned long dirtied, written;

	if (elapsed < BANDWIDTH_INTERVAL)
		return;
	if (kernel.writeback == WRITEBACK_3_16)
		update_ratelimit = dtc->thresh != 0;
	dirtied = (unsigned long)percpu_counter_read(&wb->stat[WB_DIRTIED]);
	written = (unsigned long)percpu_counter_read(&wb->stat[WB_WRITTEN]);
	if (!(elapsed > HZ && time_before(wb->bw_time_stamp, start_time))) {
		if (update_ratelimit) {
			domain_update_bandwidth(dtc, now);
			wb_update_dirty_ratelimit(dtc, dirtied, elapsed);
		}
		wb_update_write_bandwidth(wb, elapsed, written);
	}
	wb->dirtied_stamp = dirtied;
	wb->written_stamp = written;
	wb->bw_time_stamp = now;
	trace_wb_estimates(wb->bdi->number, wb->avg_write_bandwidth, wb->dirty_ratelimit, wb->balanced_dirty_ratelimit);
}

/* The flusher's call: bandwidth alone. */
void wb_update_bandwidth(struct bdi_writeback *wb, unsigned long start_time)
{
	struct dirty_throttle_control gdtc = { .wb = wb };

	spin_lock(&wb->list_lock);
	__wb_update_bandwidth(&gdtc, start_time, false);
	spin_unlock(&wb->list_lock);
}
