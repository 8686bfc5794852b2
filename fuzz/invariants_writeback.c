// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_writeback.c - limits, shares, positions, estimates, pauses and walks follow the rules of the page-writeback
 * specification 23, judged over the watch (wb_watch.h) while they happen. Numbers are 200 + those of that section.
 *
 * Verified by comparing with wide arithmetic (wb_reference.h) where the specification has a formula. What must hold when
 * everything is at rest is in invariants_wb_rest.c.
 */
#include "fuzz/invariant.h"
#include "fuzz/scan_expect.h"
#include "fuzz/wb_reference.h"
#include "fuzz/wb_watch.h"
#include "fuzz/wb_model.h"

/*
 * Limits: TRACE_DIRTY_LIMITS (dirtyable, threshold, background, bonus).
 */
INVARIANT(dirtyable_memory, 201, COST_SCAN, "page-writeback",
	  "dirtyable memory is free pages beyond the reserve and file pages, without highmem unless that counts, plus one")
{
	inv_require(inv, wb_watch.last->a == expect_global_dirtyable(), "%lu pages, but the counters say %lu",
		    wb_watch.last->a, expect_global_dirtyable());
}

INVARIANT(background_below_limit, 202, COST_SCAN, "page-writeback",
	  "the background limit is below the limit, unless both are 0 before the bonus")
{
	unsigned long thresh = wb_watch.last->b, bg_thresh = wb_watch.last->c;

	inv_require(inv, bg_thresh < thresh || (bg_thresh == thresh && (!thresh || wb_watch.last->d)),
		    "background %lu, limit %lu", bg_thresh, thresh);
	inv_require(inv, thresh + bg_thresh >= thresh, "background %lu and limit %lu wrap", bg_thresh, thresh);
}

static wide bonus_of(wide limit)
{
	return limit / 4 + (kernel.writeback == WRITEBACK_3_16 ? 0 : (wide)global_wb_domain.dirty_limit / 32);
}

INVARIANT(limits_follow_tunables, 215, COST_SCAN, "page-writeback",
	  "the limits are what bytes or ratios make of dirtyable memory, with the bonus of the task that asks")
{
	wide thresh = ref_configured_limit(vm_dirty_bytes, vm_dirty_ratio, wb_watch.last->a);
	wide bg_thresh = ref_configured_limit(dirty_background_bytes, dirty_background_ratio, wb_watch.last->a);

	if (bg_thresh >= thresh)
		bg_thresh = thresh / 2;
	if (wb_watch.last->d) {
		thresh += bonus_of(thresh);
		bg_thresh += bonus_of(bg_thresh);
	}
	if (thresh > UINT_MAX && patched(LIMITS_BELOW_UINTMAX)) {
		thresh = UINT_MAX;
		bg_thresh = bg_thresh >= thresh ? thresh / 2 : bg_thresh;
	}
	inv_require(inv, wb_watch.last->b == thresh && wb_watch.last->c == bg_thresh,
		    "limit %lu and background %lu, not %lu and %lu", wb_watch.last->b, wb_watch.last->c,
		    (unsigned long)thresh, (unsigned long)bg_thresh);
}

/* Judged where the limit is made: devices come to share it out sooner or later. */
INVARIANT(limits_fit_divisors, 211, COST_SCAN, "page-writeback",
	  "a limit fits in the 32 bits that the kernel divides by when devices share it out")
{
	inv_require(inv, wb_watch.last->b <= UINT_MAX, "a limit of %lu pages", wb_watch.last->b);
}

void judge_dirty_limits(void)
{
	invariant_evaluate(&invariant_dirtyable_memory);
	invariant_evaluate(&invariant_limits_follow_tunables);
	invariant_evaluate(&invariant_background_below_limit);
	invariant_evaluate(&invariant_limits_fit_divisors);
}

/*
 * Shares: TRACE_WB_SHARE (device | threshold << 8, numerator, denominator, share).
 */
static const struct backing_dev_info *bdi_of_share(void)
{
	return &bdi_devices[wb_watch.last->a & 0xff].bdi;
}

INVARIANT(fraction_is_a_fraction, 216, COST_SCAN, "proportions",
	  "a device's part of recent writes is between nothing and all of them")
{
	inv_require(inv, wb_watch.last->c >= 1 && wb_watch.last->b <= wb_watch.last->c, "device %lu: %lu of %lu",
		    wb_watch.last->a & 0xff, wb_watch.last->b, wb_watch.last->c);
}

/* Counts that drift apart do not make more than all of it. Periods end at most once in their length. */
INVARIANT(fraction_follows_completions, 216, COST_SCAN, "proportions",
	  "a device's part is what it completed of what all did, aged by the periods that have passed")
{
	const struct fprop_global *all = &global_wb_domain.completions;
	const struct fprop_local_percpu *own = &bdi_devices[wb_watch.last->a & 0xff].bdi.wb.completions;
	s64 part = percpu_counter_read_positive(&own->events), sum = percpu_counter_read_positive(&all->events);
	unsigned int periods = ((unsigned int)jiffies - machine->jiffies) / (3 * machine->hz) + 1;

	if (sum <= part)
		sum = part ? part : 1;
	inv_require(inv, own->period == all->period && all->period <= periods, "period %u, the device's %u, at most %u",
		    all->period, own->period, periods);
	inv_require(inv, wb_watch.last->b == (unsigned long)part && wb_watch.last->c == (unsigned long)sum,
		    "%lu of %lu, expected %lld of %lld", wb_watch.last->b, wb_watch.last->c, part, sum);
}

INVARIANT(share_follows_fraction, 216, COST_SCAN, "page-writeback",
	  "a device's share is its part of the limit within its min_ratio and max_ratio")
{
	const struct backing_dev_info *bdi = bdi_of_share();
	unsigned long thresh = wb_watch.last->a >> 8;
	wide share = ref_share(thresh, wb_watch.last->b, wb_watch.last->c, bdi_min_ratio, bdi->min_ratio, bdi->max_ratio);

	/* Limits above 32 bits of pages are judged by themselves. */
	if (thresh > UINT_MAX)
		return;
	inv_require(inv, wb_watch.last->d == share, "device %u: share %lu of %lu, not %lu", bdi->number, wb_watch.last->d,
		    thresh, (unsigned long)share);
}

void judge_share(void)
{
	invariant_evaluate(&invariant_fraction_is_a_fraction);
	invariant_evaluate(&invariant_share_follows_fraction);
	invariant_evaluate(&invariant_fraction_follows_completions);
}

/*
 * The rate: TRACE_BALANCE_RATE (position, rate limit, rate of the task, pages), after its limits and device.
 */
static const struct backing_dev_info *bdi_of_balance(void)
{
	return &bdi_devices[wb_watch.balance[current->number].bdi].bdi;
}

static struct ref_position watched_position(void)
{
	const struct trace_record *limits = &wb_watch.balance_limits, *device = &wb_watch.balance_device;

	return (struct ref_position){
		.thresh = limits->a, .bg_thresh = limits->b, .dirty = limits->c, .dirty_limit = limits->d,
		.wb_thresh = device->a, .wb_bg_thresh = device->b, .wb_dirty = device->c, .bandwidth = device->d,
		.strictlimit = bdi_of_balance()->capabilities & BDI_CAP_STRICTLIMIT,
	};
}

INVARIANT(position_follows_limits, 215, COST_SCAN, "page-writeback",
	  "the position ratio is what the limits, and the device's, make of the dirty pages")
{
	struct ref_position position = watched_position();
	_Bool wraps;
	wide ratio = ref_position_ratio(&position, &wraps);

	if (wraps || position.thresh > UINT_MAX)
		return;
	inv_require(inv, wb_watch.last->a == (unsigned long)ratio,
		    "%lu, not %lu: dirty %lu of %lu/%lu (%lu), device %lu of %lu/%lu, %lu pages/s, strict %d",
		    wb_watch.last->a, (unsigned long)ratio, position.dirty, position.bg_thresh, position.thresh,
		    position.dirty_limit, position.wb_dirty, position.wb_bg_thresh, position.wb_thresh,
		    position.bandwidth, position.strictlimit);
}

INVARIANT(position_bounded, 214, COST_SCAN, "page-writeback",
	  "at the limit nobody may dirty, and below it the position ratio has a bound")
{
	struct ref_position position = watched_position();
	unsigned long limit = max(position.thresh, position.dirty_limit);
	unsigned long ratio = wb_watch.last->a;
	_Bool wraps;

	ref_position_ratio(&position, &wraps);
	inv_require(inv, position.dirty < limit || !ratio, "%lu with %lu dirty pages of %lu", ratio, position.dirty, limit);
	inv_require(inv, !position.strictlimit || ratio <= 2048, "%lu for a strict limit", ratio);
	inv_require(inv, position.dirty >= limit || wraps || position.strictlimit || ratio <= ref_position_bound(&position),
		    "%lu, the bound is %lu", ratio, (unsigned long)ref_position_bound(&position));
}

INVARIANT(background_share_below_share, 216, COST_SCAN, "page-writeback",
	  "a device's background share is its share of the background limit")
{
	struct ref_position position = watched_position();

	inv_require(inv, position.wb_bg_thresh == ref_background_share(position.wb_thresh, position.bg_thresh,
								       position.thresh),
		    "%lu of %lu", position.wb_bg_thresh, position.wb_thresh);
}

INVARIANT(strictlimit_throttled_by_its_own, 236, COST_SCAN, "page-writeback",
	  "a device with a strict limit throttles above its own freerun, and only there")
{
	struct ref_position position = watched_position();

	if (!wb_watch.balance[current->number].strictlimit)
		return;
	inv_require(inv, position.wb_dirty > (position.wb_thresh + position.wb_bg_thresh) / 2, "%lu of %lu/%lu",
		    position.wb_dirty, position.wb_bg_thresh, position.wb_thresh);
}

INVARIANT(pages_dirtied_bounded, 228, COST_SCAN, "page-writeback",
	  "a task comes to the throttle with the pages it dirtied, never with a wrapped number")
{
	inv_require(inv, wb_watch.last->d <= 1UL << 31, "%lu pages", wb_watch.last->d);
}

INVARIANT(exceeded_is_noted, 235, COST_SCAN, "page-writeback",
	  "a device that is above its share, while the limit is exceeded or its own is strict, is marked so")
{
	const struct bdi_writeback *wb = &bdi_of_balance()->wb;
	const struct trace_record *device = &wb_watch.balance_device, *all = &wb_watch.balance_limits;
	bool strict = wb_watch.balance[current->number].strictlimit;

	inv_require(inv, wb->dirty_exceeded || device->c <= device->a || (all->c <= all->a && !strict),
		    "device %u: %lu dirty of %lu, in all %lu of %lu", wb->bdi->number, device->c, device->a, all->c, all->a);
}

/* Specification 10.3; without a strict limit the domain's pages count, else the device's. */
static struct ref_rate watched_rate(void)
{
	const struct watched_update *update = &wb_watch.update;
	struct ref_position p = watched_position();
	/* The update lets the limit follow before it looks at the rate; the position is from before. */
	unsigned long limit = max(wb_watch.dirty_limit, p.thresh);
	struct ref_rate rate = {
		.rate = update->rate, .balanced = update->balanced, .average = update->average,
		.position = wb_watch.last->a, .pages = update->pages, .elapsed = update->elapsed,
		.dirty = p.dirty, .setpoint = ((p.thresh + p.bg_thresh) / 2 + limit) / 2,
	};

	if (!p.strictlimit)
		return rate;
	rate.dirty = p.wb_dirty;
	rate.setpoint = p.wb_dirty < 8 ? p.wb_dirty + 1 : (p.wb_thresh + p.wb_bg_thresh) / 2;
	return rate;
}

EXCEPTIONS(rate_follows_measurement,
	   "3.16, which measures the position at another moment; a device that was idle for a second keeps its rate")
INVARIANT(rate_follows_measurement, 222, COST_SCAN, "page-writeback",
	  "the rate limit goes toward what the device writes, by a step that the position and the measured rate agree on")
{
	const struct bdi_writeback *wb = &bdi_of_balance()->wb;
	struct ref_rate rate = watched_rate();

	if (!wb_watch.update.pending || kernel.writeback == WRITEBACK_3_16 || rate.elapsed > HZ || !rate.elapsed)
		return;
	if (rate.pages > UINT_MAX / HZ || rate.rate > UINT_MAX)
		return;
	inv_require(inv, wb->balanced_dirty_ratelimit == (unsigned long)ref_balanced_rate(&rate),
		    "balanced rate %lu, expected %lu", wb->balanced_dirty_ratelimit, (unsigned long)ref_balanced_rate(&rate));
	inv_require(inv, wb->dirty_ratelimit == (unsigned long)ref_rate_limit(&rate),
		    "rate limit %lu, expected %lu: it was %lu, position %lu, %lu pages in %lu jiffies", wb->dirty_ratelimit,
		    (unsigned long)ref_rate_limit(&rate), rate.rate, rate.position, rate.pages, rate.elapsed);
}

void judge_rate(void)
{
	invariant_evaluate(&invariant_exceeded_is_noted);
	invariant_evaluate(&invariant_rate_follows_measurement);
	invariant_evaluate(&invariant_background_share_below_share);
	invariant_evaluate(&invariant_position_follows_limits);
	invariant_evaluate(&invariant_position_bounded);
	invariant_evaluate(&invariant_strictlimit_throttled_by_its_own);
	invariant_evaluate(&invariant_pages_dirtied_bounded);
}

/*
 * Pauses: TRACE_BALANCE_PAUSE (pause, period, shortest, longest).
 */
INVARIANT(pause_within_bounds, 227, COST_SCAN, "page-writeback",
	  "1 <= shortest pause <= longest pause <= MAX_PAUSE, and no sleep is longer")
{
	long pause = (long)wb_watch.last->a, shortest = (long)wb_watch.last->c, longest = (long)wb_watch.last->d;

	inv_require(inv, 1 <= shortest && shortest <= longest && longest <= (long)MAX_PAUSE, "%ld, %ld, MAX_PAUSE %lu",
		    shortest, longest, MAX_PAUSE);
	inv_require(inv, pause <= longest && (pause <= 0 || pause >= shortest), "a pause of %ld, not %ld to %ld", pause,
		    shortest, longest);
}

INVARIANT(no_sleep_in_freerun, 229, COST_SCAN, "page-writeback",
	  "below the middle of background limit and limit nobody is throttled")
{
	struct ref_position position = watched_position();

	if (wb_watch.balance[current->number].strictlimit)
		return;
	inv_require(inv, position.dirty > (position.thresh + position.bg_thresh) / 2, "%lu dirty of %lu/%lu", position.dirty,
		    position.bg_thresh, position.thresh);
}

INVARIANT(flusher_told_before_sleep, 240, COST_SCAN, "page-writeback",
	  "nobody sleeps in the throttle before the flusher runs or is about to")
{
	const struct bdi_writeback *wb = &bdi_of_balance()->wb;

	if ((long)wb_watch.last->a <= 0 || !test_bit(WB_registered, &wb->state))
		return;
	inv_require(inv, flusher_is_due(wb), "device %u", wb->bdi->number);
}

INVARIANT(killed_task_sleeps_no_more, 234, COST_SCAN, "page-writeback",
	  "a task with a fatal signal leaves the throttle after the sleep it was in")
{
	const struct watched_balance *balance = &wb_watch.balance[current->number];

	inv_counts_if(balance->killed_before_sleep);
	inv_require(inv, !balance->killed_before_sleep, "%lu sleeps", balance->sleeps);
}

/*
 * Specification 12: the longest pause from what the device has queued, the shortest from the rates. Products that leave
 * the kernel's arithmetic are not judged.
 */
static unsigned long power_of_two(unsigned long n)
{
	unsigned long power = 1;

	while (power < n)
		power *= 2;
	return power;
}

INVARIANT(pauses_follow_rates, 227, COST_SCAN, "page-writeback",
	  "the longest pause is what the device writes in, the shortest what the rates make worth sleeping for")
{
	const struct bdi_writeback *wb = &bdi_of_balance()->wb;
	unsigned long queue = wb_watch.balance_device.c / (1 + wb->avg_write_bandwidth / power_of_two(1 + HZ / 8)) + 1;
	long longest = queue < MAX_PAUSE ? (long)queue : (long)MAX_PAUSE;
	wide pages, shortest;

	if (!patched(PAUSE_UNSIGNED_MAX) && (long)queue < 0)
		return;
	inv_require(inv, (long)wb_watch.last->d == longest, "longest %ld, expected %ld for %lu dirty pages at %lu a second",
		    (long)wb_watch.last->d, longest, wb_watch.balance_device.c, wb->avg_write_bandwidth);
	shortest = ref_min_pause(wb->avg_write_bandwidth, wb_watch.balance_rate.b, wb_watch.balance_rate.c, longest, &pages);
	if (wb_watch.balance_rate.b > UINT_MAX || pages > UINT_MAX / 2)
		return;
	inv_require(inv, (long)wb_watch.last->c == (long)shortest, "shortest %ld, expected %ld", (long)wb_watch.last->c,
		    (long)shortest);
}

INVARIANT(period_pays_for_pages, 227, COST_SCAN, "page-writeback",
	  "a task is to pause for as long as its rate takes to dirty what it dirtied")
{
	unsigned long rate = wb_watch.balance_rate.c, pages = wb_watch.balance_rate.d;
	long due = rate ? (long)(HZ * pages / rate) : (long)wb_watch.last->d;

	inv_require(inv, (long)wb_watch.last->b == due, "%ld jiffies for %lu pages at %lu a second, expected %ld",
		    (long)wb_watch.last->b, pages, rate, due);
}

void judge_pause(void)
{
	invariant_evaluate(&invariant_pause_within_bounds);
	invariant_evaluate(&invariant_no_sleep_in_freerun);
	invariant_evaluate(&invariant_flusher_told_before_sleep);
	invariant_evaluate(&invariant_killed_task_sleeps_no_more);
	invariant_evaluate(&invariant_pauses_follow_rates);
	invariant_evaluate(&invariant_period_pays_for_pages);
}

/*
 * The end of a call: TRACE_BALANCE_END (exit, exceeded, reclaimable, background limit).
 */
INVARIANT(reason_to_leave, 230, COST_SCAN, "page-writeback",
	  "a task leaves the throttle in freerun, without a pause, with a rate, with a device that has next to nothing, or killed")
{
	const struct watched_balance *balance = &wb_watch.balance[current->number];
	const struct bdi_writeback *wb = &bdi_of_balance()->wb;

	switch (wb_watch.last->a) {
	case BALANCE_FREERUN:
		inv_require(inv, !current->nr_dirtied && current->nr_dirtied_pause >= 1, "freerun: %d pages, next after %d",
			    current->nr_dirtied, current->nr_dirtied_pause);
		break;
	case BALANCE_NO_SLEEP:
		inv_require(inv, balance->pause <= 0 && balance->task_ratelimit, "pause %ld, rate %lu", balance->pause,
			    balance->task_ratelimit);
		break;
	case BALANCE_PAID:
		inv_require(inv, balance->task_ratelimit, "rate 0");
		break;
	case BALANCE_TINY:
		inv_require(inv, balance->wb_dirty <= wb_stat_error(wb) && !current->nr_dirtied_pause,
			    "%lu dirty pages, next after %d", balance->wb_dirty, current->nr_dirtied_pause);
		break;
	default:
		inv_require(inv, fatal_signal_pending(current), "exit %lu", wb_watch.last->a);
		break;
	}
	inv_require(inv, current->nr_dirtied_pause >= 0, "next after %d pages", current->nr_dirtied_pause);
}

INVARIANT(debt_is_carried_once, 230, COST_SCAN, "page-writeback",
	  "a task that need not sleep yet is asked again for nothing that it has paid for")
{
	const struct watched_balance *balance = &wb_watch.balance[current->number];
	bool paid = balance->pause < -(long)HZ || balance->period;

	if (wb_watch.last->a != BALANCE_NO_SLEEP)
		return;
	inv_require(inv, !paid || !current->nr_dirtied, "pause %ld, period %ld, and %d pages still count", balance->pause,
		    balance->period, current->nr_dirtied);
}

INVARIANT(exceeded_is_cleared, 235, COST_SCAN, "page-writeback",
	  "a call that found the device within its limit leaves it marked so")
{
	const struct bdi_writeback *wb = &bdi_of_balance()->wb;

	inv_require(inv, wb_watch.last->b || !wb->dirty_exceeded, "device %u", wb->bdi->number);
}

INVARIANT(background_started, 240, COST_SCAN, "page-writeback",
	  "after the throttle the flusher runs or is about to, if more is dirty than the background limit")
{
	const struct bdi_writeback *wb = &bdi_of_balance()->wb;

	if (laptop_mode || !test_bit(WB_registered, &wb->state) || wb_watch.last->c <= wb_watch.last->d)
		return;
	inv_require(inv, flusher_is_due(wb), "device %u: %lu dirty, background limit %lu", wb->bdi->number,
		    wb_watch.last->c, wb_watch.last->d);
}

void judge_end(void)
{
	invariant_evaluate(&invariant_reason_to_leave);
	invariant_evaluate(&invariant_debt_is_carried_once);
	invariant_evaluate(&invariant_exceeded_is_cleared);
	invariant_evaluate(&invariant_background_started);
}

/*
 * Estimates.
 */
INVARIANT(limit_follows_slowly, 225, COST_SCAN, "page-writeback",
	  "dirty_limit goes up to the threshold at once, and down by a 32nd of what it is too high")
{
	wide limit = ref_dirty_limit(wb_watch.dirty_limit, wb_watch.last->b, wb_watch.last->c);

	inv_require(inv, wb_watch.last->a == limit && wb_watch.last->a >= wb_watch.last->b,
		    "from %lu to %lu, threshold %lu, dirty %lu", wb_watch.dirty_limit, wb_watch.last->a, wb_watch.last->b,
		    wb_watch.last->c);
}

INVARIANT(limit_takes_its_time, 225, COST_SCAN, "page-writeback",
	  "dirty_limit follows the threshold at most once per BANDWIDTH_INTERVAL")
{
	unsigned int elapsed = wb_watch.last->jiffies - wb_watch.limit_jiffies;

	inv_require(inv, !wb_watch.limit_followed || elapsed >= BANDWIDTH_INTERVAL, "after %u jiffies", elapsed);
}

void judge_dirty_limit(void)
{
	invariant_evaluate(&invariant_limit_takes_its_time);
	invariant_evaluate(&invariant_limit_follows_slowly);
}

static unsigned long pages_written(const struct bdi_writeback *wb, const struct watched_estimates *old)
{
	return (long)(wb->written_stamp - old->written_stamp) > 0 ? wb->written_stamp - old->written_stamp : 0;
}

/* The estimates were left alone because the device had been idle. */
static bool only_stamped(const struct bdi_writeback *wb, const struct watched_estimates *old)
{
	return wb->bw_time_stamp - old->bw_time_stamp > HZ && wb->write_bandwidth == old->write_bandwidth &&
	       wb->avg_write_bandwidth == old->avg_write_bandwidth;
}

INVARIANT(limit_follows_in_time, 225, COST_SCAN, "page-writeback",
	  "an update of the estimates in the throttle finds that dirty_limit has followed within BANDWIDTH_INTERVAL")
{
	const struct bdi_writeback *wb = &bdi_devices[wb_watch.last->a].bdi.wb;
	const struct watched_balance *balance = &wb_watch.balance[current->number];
	unsigned int since = wb_watch.last->jiffies - (wb_watch.limit_followed ? wb_watch.limit_jiffies : machine->jiffies);

	inv_when(balance->active && balance->bdi == wb->bdi->number && !only_stamped(wb, &wb_watch.estimates[balance->bdi]));
	/* 3.16 knows by a threshold of 0 that there is no rate to update, and leaves that limit alone. */
	inv_when(wb_watch.limits.b || kernel.writeback != WRITEBACK_3_16);
	inv_require(inv, since < BANDWIDTH_INTERVAL, "device %u: %u jiffies since then, threshold %lu", balance->bdi, since,
		    wb_watch.limits.b);
}

INVARIANT(bandwidth_follows_written_pages, 220, COST_SCAN, "page-writeback",
	  "a device's bandwidth is what it wrote, for as long as that was measured, and never 0 on average")
{
	const struct bdi_writeback *wb = &bdi_devices[wb_watch.last->a].bdi.wb;
	const struct watched_estimates *old = &wb_watch.estimates[wb_watch.last->a];
	struct ref_bandwidth expected = { old->write_bandwidth, old->avg_write_bandwidth };

	if (only_stamped(wb, old))
		return;
	expected = ref_write_bandwidth(expected, pages_written(wb, old), wb->bw_time_stamp - old->bw_time_stamp);
	inv_require(inv, wb->write_bandwidth == expected.bandwidth && wb->avg_write_bandwidth == expected.average,
		    "device %u: %lu and %lu pages/s on average, not %lu and %lu", wb->bdi->number, wb->write_bandwidth,
		    wb->avg_write_bandwidth, expected.bandwidth, expected.average);
	inv_require(inv, wb->avg_write_bandwidth || kernel.writeback == WRITEBACK_3_16, "device %u: 0", wb->bdi->number);
}

INVARIANT(rate_limit_bounded, 222, COST_SCAN, "page-writeback",
	  "the rate limit is 1 to what the device ever wrote, and moves toward the balanced rate")
{
	const struct bdi_writeback *wb = &bdi_devices[wb_watch.last->a].bdi.wb;
	const struct watched_estimates *old = &wb_watch.estimates[wb_watch.last->a];
	unsigned long rate = wb->dirty_ratelimit, balanced = wb->balanced_dirty_ratelimit;

	inv_require(inv, rate >= 1 && rate <= max(old->most_avg, 25600UL), "device %u: %lu, largest bandwidth %lu",
		    wb->bdi->number, rate, old->most_avg);
	inv_require(inv, rate <= old->dirty_ratelimit || old->dirty_ratelimit < balanced, "device %u: %lu to %lu, balanced %lu",
		    wb->bdi->number, old->dirty_ratelimit, rate, balanced);
	inv_require(inv, rate >= old->dirty_ratelimit || old->dirty_ratelimit >= balanced, "device %u: %lu to %lu, balanced %lu",
		    wb->bdi->number, old->dirty_ratelimit, rate, balanced);
}

INVARIANT(estimates_take_their_time, 223, COST_SCAN, "page-writeback",
	  "estimates change at most once per BANDWIDTH_INTERVAL")
{
	const struct bdi_writeback *wb = &bdi_devices[wb_watch.last->a].bdi.wb;
	unsigned long elapsed = wb->bw_time_stamp - wb_watch.estimates[wb_watch.last->a].bw_time_stamp;

	/* A throttled task waits for the interval to be over, the flusher does not. */
	inv_require(inv, elapsed >= BANDWIDTH_INTERVAL + wb_watch.balance[current->number].active,
		    "device %u: after %lu jiffies", wb->bdi->number, elapsed);
}

void judge_estimates(void)
{
	invariant_evaluate(&invariant_estimates_take_their_time);
	invariant_evaluate(&invariant_limit_follows_in_time);
	invariant_evaluate(&invariant_bandwidth_follows_written_pages);
	invariant_evaluate(&invariant_rate_limit_bounded);
}

INVARIANT(ratelimit_pages_of_limit, 207, COST_SCAN, "page-writeback",
	  "a CPU looks after a 32nd of its part of the limit, at least 16 pages, and the domain's limit is the limit")
{
	unsigned long pages = max(wb_watch.last->a / (num_online_cpus() * 32), 16UL);

	inv_require(inv, (unsigned long)ratelimit_pages == pages && global_wb_domain.dirty_limit == wb_watch.last->a,
		    "%ld pages for a limit of %lu, dirty_limit %lu", ratelimit_pages, wb_watch.last->a,
		    global_wb_domain.dirty_limit);
}

void judge_set_ratelimit(void)
{
	invariant_evaluate(&invariant_ratelimit_pages_of_limit);
}

/*
 * The flusher: TRACE_OVER_BG_THRESH (device, dirty | result << 63, background limit, share it compared with).
 */
INVARIANT(flusher_uses_background_share, 242, COST_SCAN, "flusher",
	  "the flusher compares a device with its share of the background limit")
{
	inv_require(inv, wb_watch.share.a >> 8 == wb_watch.last->c && wb_watch.share.d == wb_watch.last->d,
		    "device %lu: a share of %lu, the background limit is %lu", wb_watch.last->a, wb_watch.share.a >> 8,
		    wb_watch.last->c);
}

INVARIANT(flusher_sees_dirty_pages, 241, COST_SCAN, "flusher",
	  "the flusher of a device with a strict limit has work while the device has more than a tiny background share")
{
	const struct bdi_writeback *wb = &bdi_devices[wb_watch.last->a].bdi.wb;
	s64 exact = percpu_counter_sum(&wb->stat[WB_RECLAIMABLE]);
	unsigned long share = wb_watch.last->d;

	if (!(wb->bdi->capabilities & BDI_CAP_STRICTLIMIT) || share >= 2 * wb_stat_error(wb))
		return;
	inv_require(inv, exact <= (s64)share || wb_watch.last->b >> 63,
		    "device %lu: %lld dirty pages, a share of %lu, a cheap read of %lld", wb_watch.last->a, exact, share,
		    percpu_counter_read(&wb->stat[WB_RECLAIMABLE]));
}

void judge_over_bg(void)
{
	invariant_evaluate(&invariant_flusher_uses_background_share);
	invariant_evaluate(&invariant_flusher_sees_dirty_pages);
}

/*
 * Reclaim's throttle: TRACE_THROTTLE_VM_WRITEOUT (gfp, limit, unstable, under writeback), once per look.
 */
INVARIANT(reclaim_without_io_waits_once, 243, COST_SCAN, "page-writeback",
	  "reclaim that may not start I/O or enter a file system waits once for writeback, no more")
{
	bool may_wait = (wb_watch.last->a & (__GFP_IO | __GFP_FS)) == (__GFP_IO | __GFP_FS);

	inv_require(inv, may_wait || wb_watch.throttle_rounds[current->number] <= 1, "gfp %#lx looks for the %u. time",
		    wb_watch.last->a, wb_watch.throttle_rounds[current->number]);
}

INVARIANT(reclaim_waits_under_the_smoothed_limit, 243, COST_SCAN, "page-writeback",
	  "reclaim waits above 1.1 times the limit that follows slowly")
{
	unsigned long limit = max(wb_watch.limits.b, global_wb_domain.dirty_limit);

	inv_require(inv, wb_watch.last->b == limit + limit / 10, "%lu, the limit is %lu", wb_watch.last->b, limit);
}

void judge_throttle(void)
{
	invariant_evaluate(&invariant_reclaim_waits_under_the_smoothed_limit);
	invariant_evaluate(&invariant_reclaim_without_io_waits_once);
}

/*
 * Walks: TRACE_WRITEPAGE (file, index, result, sync mode).
 */
INVARIANT(walk_stays_in_range, 251, COST_SCAN, "page-writeback",
	  "a walk writes pages of its range, each once, and no more than its budget unless it must write all")
{
	struct watched_walk *walk = &wb_watch.walks[current->number];
	unsigned long index = wb_watch.last->b;

	if (!walk->active || wb_watch.last->a != walk->file)
		return;
	inv_require(inv, walk->start <= index && index <= walk->end, "page %lu of %lu to %lu", index, walk->start, walk->end);
	inv_require(inv, !test_bit((unsigned int)index, walk->seen), "page %lu twice", index);
	set_bit((unsigned int)index, walk->seen);
	walk->written += wb_watch.last->c == 0;
	inv_require(inv, walk->sync_all || walk->written <= max(1L, walk->budget), "%ld pages of %ld", walk->written,
		    walk->budget);
}

INVARIANT(cyclic_walk_goes_round, 252, COST_SCAN, "page-writeback",
	  "a cyclic walk goes on where the last one ended, to the end of the file, and then once from 0 to where it began")
{
	struct watched_walk *walk = &wb_watch.walks[current->number];
	unsigned long index = wb_watch.last->b;

	inv_when(walk->active && walk->cyclic && wb_watch.last->a == walk->file);
	if (index < walk->next) {
		inv_require(inv, !walk->wrapped, "page %lu after page %lu, a second time", index, walk->next - 1);
		walk->wrapped = true;
	}
	inv_require(inv, walk->wrapped ? index < walk->from : index >= walk->from, "page %lu, it began at %lu", index,
		    walk->from);
}

void judge_writepage(void)
{
	invariant_evaluate(&invariant_cyclic_walk_goes_round);
	invariant_evaluate(&invariant_walk_stays_in_range);
}

/*
 * The end of a walk, which also has a result.
 */
static bool spent_its_budget(const struct watched_walk *walk)
{
	return !walk->sync_all && walk->written >= walk->budget;
}

/* 18 step 8. Pages that it only looked at are not known, so where it was not stopped its place is known to be behind. */
INVARIANT(walk_keeps_its_place, 252, COST_SCAN, "page-writeback",
	  "a walk that was stopped leaves the place of the page that stopped it, or of the next one if that could not be written")
{
	const struct watched_walk *walk = &wb_watch.walks[current->number];
	pgoff_t place = file_mapping(walk->file)->writeback_index;

	inv_when(walk->written || walk->failed);
	if (walk->failed)
		inv_require(inv, place == walk->next, "page %lu could not be written, the next walk begins at %lu", walk->next - 1,
			    place);
	else if (spent_its_budget(walk))
		inv_require(inv, place == walk->next - 1, "stopped at page %lu, the next walk begins at %lu", walk->next - 1, place);
	else if (walk->from == 0)
		inv_require(inv, place >= walk->next - 1, "wrote page %lu, the next walk begins at %lu", walk->next - 1, place);
	else
		inv_require(inv, place < walk->from, "went round from page %lu, the next walk begins at %lu", walk->from, place);
}

INVARIANT(integrity_walk_writes_all, 251, COST_SCAN, "page-writeback",
	  "a walk for integrity leaves no page dirty that was when it began, unless one could not be written")
{
	const struct watched_walk *walk = &wb_watch.walks[current->number];
	const struct page *page;
	pgoff_t index;

	inv_when(walk->sync_all && !walk->failed && walk->budget > 0);
	for (index = 0; index < FILE_PAGES; index++) {
		if (!test_bit((unsigned int)index, walk->owed))
			continue;
		page = find_get_page(file_mapping(walk->file), index);
		inv_require(inv, !page || !PageDirty(page), "page %lu is still dirty", index);
	}
}

void judge_walk_over(void)
{
	const struct watched_walk *walk = &wb_watch.walks[current->number];

	invariant_evaluate(&invariant_integrity_walk_writes_all);
	if (walk->cyclic || (walk->whole && walk->budget > walk->written))
		invariant_evaluate(&invariant_walk_keeps_its_place);
}
