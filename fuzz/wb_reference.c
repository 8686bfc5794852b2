// SPDX-License-Identifier: GPL-2.0
/*
 * wb_reference.c - the reference of wb_reference.h. Written from the specification, with no look at mm/: same rules,
 * 128-bit numbers, plain division. It knows what an era adds to its divisors, because results differ by it.
 */
#include "mm/internal.h"
#include "fuzz/wb_reference.h"

#define WORD_MAX ((wide)~0UL)

static wide at_least(wide x, wide low)
{
	return x < low ? low : x;
}

static wide at_most(wide x, wide high)
{
	return x > high ? high : x;
}

/* Division that rounds down, as shifts of signed numbers do. */
static wide shifted(wide x, unsigned int bits)
{
	return x >> bits;
}

static wide divisor_of(wide x)
{
	return kernel.writeback == WRITEBACK_3_16 ? x + 1 : x | 1;
}

wide ref_polynom(unsigned long setpoint, unsigned long dirty, unsigned long limit)
{
	wide x = ((wide)setpoint - (wide)dirty) * 1024 / divisor_of((wide)limit - setpoint);

	/* Beyond these the cube is out of the range that counts. */
	if (x >= 1024)
		return 2048;
	if (x <= -1024)
		return 0;
	return at_most(at_least(1024 + shifted(shifted(x * x, 10) * x, 10), 0), 2048);
}

static wide strict_ratio(const struct ref_position *p, wide ratio)
{
	unsigned long setpoint = (p->wb_thresh + p->wb_bg_thresh) / 2;

	if (p->wb_dirty < 8)
		return at_most(2 * ratio, 2048);
	if (p->wb_dirty >= p->wb_thresh || setpoint == 0 || setpoint == p->wb_thresh)
		return 0;
	return at_most(ratio, ref_polynom(setpoint, p->wb_dirty, p->wb_thresh));
}

/* Where the device's line starts, and how wide it is. */
struct line {
	wide share;
	wide setpoint;
	wide span;
	_Bool wraps;
};

static wide limit_of(const struct ref_position *p)
{
	return at_least(p->thresh, p->dirty_limit);
}

static struct line line_of(const struct ref_position *p)
{
	wide limit = limit_of(p);
	wide setpoint = (((wide)p->thresh + p->bg_thresh) / 2 + limit) / 2;
	struct line line = { .share = at_least(at_most(p->wb_thresh, p->thresh), (limit - p->dirty) / 8) };
	wide x = line.share * 65536 / divisor_of(p->thresh);
	wide bracket = (wide)p->thresh - line.share + 8 * (wide)p->bandwidth;

	line.wraps = bracket < 0 || setpoint * x > WORD_MAX || bracket * x > WORD_MAX;
	line.setpoint = setpoint * x / 65536;
	line.span = bracket * x / 65536;
	return line;
}

wide ref_position_ratio(const struct ref_position *p, _Bool *wraps)
{
	struct line line;
	wide end, ratio;

	*wraps = 0;
	if (p->dirty >= limit_of(p))
		return 0;
	ratio = ref_polynom((unsigned long)((((wide)p->thresh + p->bg_thresh) / 2 + limit_of(p)) / 2), p->dirty,
			    (unsigned long)limit_of(p));
	if (p->strictlimit)
		return strict_ratio(p, ratio);
	line = line_of(p);
	*wraps = line.wraps;
	end = line.setpoint + line.span;
	*wraps |= ratio * end > WORD_MAX;
	if (p->wb_dirty < end - line.span / 4)
		ratio = ratio * (end - p->wb_dirty) / divisor_of(end - line.setpoint);
	else
		ratio = ratio / 4;
	*wraps |= ratio * (line.share / 2) > WORD_MAX;
	if (p->wb_dirty >= line.share / 2)
		return ratio;
	if (p->wb_dirty > line.share / 2 / 8)
		return ratio * (line.share / 2) / p->wb_dirty;
	return ratio * 8;
}

wide ref_position_bound(const struct ref_position *p)
{
	struct line line = line_of(p);

	return 8 * 2048 * (1 + (line.setpoint + line.span) / divisor_of(line.span));
}

wide ref_configured_limit(unsigned long bytes, int ratio, unsigned long available)
{
	if (bytes)
		return ((wide)bytes + PAGE_SIZE - 1) / PAGE_SIZE;
	if (patched(HIGH_PRECISION_RATIO))
		return (wide)ratio * PAGE_SIZE / 100 * available / PAGE_SIZE;
	return (wide)ratio * available / 100;
}

wide ref_share(unsigned long thresh, unsigned long numerator, unsigned long denominator, unsigned int min_sum,
	       unsigned int min_ratio, unsigned int max_ratio)
{
	wide share = (wide)thresh * (100 - (wide)min_sum) / 100 * numerator / denominator;

	return at_most(share + (wide)thresh * min_ratio / 100, (wide)thresh * max_ratio / 100);
}

wide ref_background_share(unsigned long wb_thresh, unsigned long bg_thresh, unsigned long thresh)
{
	return thresh ? (wide)wb_thresh * bg_thresh / thresh : 0;
}

struct ref_bandwidth ref_write_bandwidth(struct ref_bandwidth old, unsigned long pages, unsigned long elapsed)
{
	wide period = roundup_pow_of_two(3 * HZ);
	wide bw = (wide)pages * HZ;
	wide avg = old.average;

	if (elapsed > period) {
		bw /= elapsed;
		avg = bw;
	} else {
		bw = (bw + (wide)old.bandwidth * (period - elapsed)) / period;
		if (avg > old.bandwidth && old.bandwidth >= bw)
			avg -= (avg - old.bandwidth) / 8;
		if (avg < old.bandwidth && old.bandwidth <= bw)
			avg += (old.bandwidth - avg) / 8;
	}
	if (kernel.writeback != WRITEBACK_3_16)
		avg = at_least(avg, 1);
	return (struct ref_bandwidth){ (unsigned long)bw, (unsigned long)avg };
}

wide ref_dirty_limit(unsigned long limit, unsigned long thresh, unsigned long dirty)
{
	wide target = at_least(thresh, dirty);

	if (limit < thresh)
		return thresh;
	return limit > target ? limit - (limit - target) / 32 : limit;
}

static int log_of(unsigned long x)
{
	int log = 0;

	while (x >>= 1)
		log++;
	return log;
}

wide ref_min_pause(unsigned long bandwidth, unsigned long rate, unsigned long task_rate, long max_pause, wide *pages)
{
	wide second = roundup_pow_of_two(HZ);
	wide t = at_least(HZ / 100, 1);
	int excess = log_of(bandwidth) - log_of(rate);

	if (excess > 0)
		t += excess * (10 * (wide)HZ) / 1024;
	t = at_most(t, 1 + max_pause / 2);
	*pages = (wide)rate * t / second;
	if (*pages < 32) {
		t = max_pause;
		*pages = (wide)rate * t / second;
		if (*pages > 32) {
			*pages = 32;
			t = (wide)HZ * 32 / rate;
		}
	}
	if ((wide)HZ * *pages / ((wide)task_rate + 1) > max_pause) {
		t = max_pause;
		*pages = (wide)task_rate * t / second;
	}
	return *pages >= 32 ? 1 + t / 2 : t;
}

static wide ref_task_rate(const struct ref_rate *r)
{
	return (wide)r->rate * r->position / 1024 + 1;
}

/* What all dirtiers together would dirty at the rate of a task, scaled to what the device writes. */
wide ref_balanced_rate(const struct ref_rate *r)
{
	wide measured = (wide)(r->pages * HZ / r->elapsed);

	return at_most(ref_task_rate(r) * r->average / (measured | 1), r->average);
}

/* The nearest of three rates, if all are on the side where the dirty pages want the limit to go. */
static wide ref_step(const struct ref_rate *r, wide balanced)
{
	wide others[] = { r->balanced, balanced, ref_task_rate(r) };
	wide nearest = others[0];
	unsigned int i;

	for (i = 1; i < 3; i++)
		nearest = r->dirty < r->setpoint ? at_most(nearest, others[i]) : at_least(nearest, others[i]);
	return at_least(r->dirty < r->setpoint ? nearest - r->rate : r->rate - nearest, 0);
}

wide ref_rate_limit(const struct ref_rate *r)
{
	wide balanced = ref_balanced_rate(r);
	wide step = ref_step(r, balanced);
	wide shift = r->rate / (2 * step + 1);

	step = shift < 64 ? ((step >> shift) + 7) / 8 : 0;
	return at_least(r->rate < balanced ? r->rate + step : r->rate - step, 1);
}
