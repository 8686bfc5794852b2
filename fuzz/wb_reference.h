/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wb_reference.h - the formulas of writeback once more, in arithmetic that is wide enough for all they are given
 * (page-writeback specification 4, 8 to 11). Plain C. Results say when the kernel's own arithmetic is known to wrap.
 */
#ifndef MMFUZZ_WB_REFERENCE_H
#define MMFUZZ_WB_REFERENCE_H

typedef __int128 wide;

/* What the position ratio depends on; pages and pages per second. */
struct ref_position {
	unsigned long thresh;
	unsigned long bg_thresh;
	unsigned long dirty;
	unsigned long dirty_limit;
	unsigned long wb_thresh;
	unsigned long wb_bg_thresh;
	unsigned long wb_dirty;
	unsigned long bandwidth;
	_Bool strictlimit;
};

wide ref_polynom(unsigned long setpoint, unsigned long dirty, unsigned long limit);
/* *wraps: T - t + 8 * bw is negative, or a product needs more than 64 bits, because dirty_limit is far above T (H2). */
wide ref_position_ratio(const struct ref_position *p, _Bool *wraps);
/* The bound of 9.3 for a device without a strict limit. */
wide ref_position_bound(const struct ref_position *p);

/* bytes or ratio of `available` pages, before anything else is done to it. */
wide ref_configured_limit(unsigned long bytes, int ratio, unsigned long available);
/* A device's share. */
wide ref_share(unsigned long thresh, unsigned long numerator, unsigned long denominator, unsigned int min_sum,
	       unsigned int min_ratio, unsigned int max_ratio);
wide ref_background_share(unsigned long wb_thresh, unsigned long bg_thresh, unsigned long thresh);

/* Estimates: what they were, what was measured, what they become. */
struct ref_bandwidth {
	unsigned long bandwidth;
	unsigned long average;
};
struct ref_bandwidth ref_write_bandwidth(struct ref_bandwidth old, unsigned long pages, unsigned long elapsed);

/* The rate limit of a device: what it was, what was measured since, and where the dirty pages are against the setpoint. */
struct ref_rate {
	unsigned long rate;
	unsigned long balanced;          /* that it was to be */
	unsigned long average;           /* bandwidth */
	unsigned long position;          /* ratio, of 1024 */
	unsigned long pages;             /* dirtied */
	unsigned long elapsed;           /* jiffies */
	unsigned long dirty;
	unsigned long setpoint;
};
wide ref_balanced_rate(const struct ref_rate *r);
wide ref_rate_limit(const struct ref_rate *r);

wide ref_dirty_limit(unsigned long limit, unsigned long thresh, unsigned long dirty);
wide ref_min_pause(unsigned long bandwidth, unsigned long rate, unsigned long task_rate, long max_pause, wide *pages);

#endif
