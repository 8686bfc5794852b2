/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wb_watch.h - follows what writeback reports (trace/events/writeback.h) and keeps what its invariants judge: the limits
 * of the last step, each task's call of balance_dirty_pages(), each device's estimates as they were, each walk over a
 * file.
 */
#ifndef MMFUZZ_WB_WATCH_H
#define MMFUZZ_WB_WATCH_H

#include "mm/internal.h"
#include "bdi.h"
#include "sleep.h"
#include "trace.h"

/* A call of balance_dirty_pages(). */
struct watched_balance {
	bool active;
	bool strictlimit;                    /* of the device, when the call began: it goes on with that */
	unsigned int bdi;
	unsigned long steps;
	unsigned long sleeps;
	bool killed_before_sleep;
	unsigned long task_ratelimit;        /* of the last step */
	long pause;
	long period;
	unsigned long wb_dirty;
};

/* A do_writepages() that an operation made. */
struct watched_walk {
	bool active;
	unsigned int file;
	pgoff_t start, end;                  /* of the range; everything when cyclic */
	long budget;
	bool sync_all;
	long written;
	unsigned long seen[FILE_PAGES / BITS_PER_LONG];
};

/* The estimates of a device. */
struct watched_estimates {
	unsigned long write_bandwidth;
	unsigned long avg_write_bandwidth;
	unsigned long dirty_ratelimit;
	unsigned long balanced_ratelimit;
	unsigned long written_stamp;
	unsigned long dirtied_stamp;
	unsigned long bw_time_stamp;
	unsigned long most_avg;              /* largest average so far */
};

/* What an update of the estimates on the way through the throttle began with; judged when the position is known. */
struct watched_update {
	bool pending;
	unsigned long rate, balanced, average;
	unsigned long pages;                 /* dirtied since the update before */
	unsigned long elapsed;               /* jiffies since */
};

struct wb_watch {
	struct trace_record last;            /* that is judged now */
	/* The last limits, and what they were computed from. */
	struct trace_record limits;
	struct trace_record share;
	unsigned long dirty_limit;           /* of the domain, before */
	bool limit_followed;                 /* it has followed the threshold, */
	unsigned int limit_jiffies;          /* and then */
	struct trace_record balance_limits;
	struct trace_record balance_device;
	struct trace_record balance_rate;
	struct watched_update update;
	struct watched_balance balance[SLEEPERS_MAX];
	struct watched_walk walks[SLEEPERS_MAX];
	unsigned int throttle_rounds[SLEEPERS_MAX];
	struct watched_estimates estimates[BDIS_MAX];
};

extern struct wb_watch wb_watch;

void wb_watch_begin(void);
static inline bool wb_watch_wants(const struct trace_record *record)
{
	return record->kind >= TRACE_DIRTY_LIMITS && record->kind <= TRACE_FLUSHER;
}
void wb_watch_record(const struct trace_record *record);

void wb_watch_writepages_begin(unsigned int file, const struct writeback_control *wbc);
void wb_watch_writepages_end(void);
void wb_watch_throttle_begin(void);

/* The judges (invariants_writeback.c), each for one kind of record. */
void judge_dirty_limits(void);
void judge_share(void);
void judge_rate(void);
void judge_pause(void);
void judge_end(void);
void judge_dirty_limit(void);
void judge_estimates(void);
void judge_set_ratelimit(void);
void judge_over_bg(void);
void judge_throttle(void);
void judge_writepage(void);

#endif
