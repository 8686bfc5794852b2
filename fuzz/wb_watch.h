/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wb_watch.h - follows what writeback reports (trace/events/writeback.h) and keeps what its invariants judge: the limits
 * of the last step, each task's call of balance_dirty_pages(), each device's estimates as they were, each walk over a
 * file, and what tasks dirtied and paid.
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
	int nr_dirtied;                      /* of the task, at the last record */

	/* Since it was stopped altogether. */
	unsigned long first_dirty;           /* pages in all, at its first step */
	unsigned long least_freerun;
	unsigned long written;               /* pages that had arrived by the last step */
	unsigned long least_progress;        /* and the fewest that arrived in a sleep */
	s64 dirtied;                         /* pages ever dirtied, at its first step */
	unsigned long changes;               /* of wb_model, then */
};

/* A task that dirties pages. */
struct watched_dirtier {
	bool entered;                        /* the throttle, since its last page */
	int most_pages;                      /* it might ever dirty before it looks at the limits */
};

/* dirty_limit since its target rose last, or it was set. */
struct watched_settling {
	bool active;
	unsigned long target;                /* largest of threshold and dirty pages */
	unsigned long excess;                /* what dirty_limit may be above it */
};

/* A do_writepages() that an operation made. */
struct watched_walk {
	bool active;
	unsigned int file;
	pgoff_t start, end;                  /* of the range; everything when cyclic */
	long budget;
	bool sync_all;
	bool cyclic;
	bool whole;                          /* not cyclic, but all of the file */
	bool failed;                         /* the last page it wrote could not be written */
	pgoff_t from;                        /* where a cyclic one begins */
	pgoff_t next;                        /* behind the last page it wrote */
	bool wrapped;                        /* it has gone on at the beginning of the file */
	long written;
	unsigned long seen[FILE_PAGES / BITS_PER_LONG];
	unsigned long owed[FILE_PAGES / BITS_PER_LONG]; /* dirty when it began, and nobody wrote or cleaned them since */
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
	const struct trace_record *last;     /* that is judged now */
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
	struct watched_dirtier dirtiers[SLEEPERS_MAX];
	struct watched_settling settling;
	unsigned long most_limit;            /* largest limit that any task saw */
	long paid;                           /* pages that tasks paid for in the throttle */
	bool flusher_slept[BDIS_MAX];        /* since it looked at the background limit last */
	long dirtied_on[NR_CPUS];            /* pages since somebody entered the throttle there */
};

extern struct wb_watch wb_watch;

void wb_watch_begin(void);
static inline bool wb_watch_wants(enum trace_kind kind)
{
	return kind >= TRACE_DIRTY_LIMITS && kind <= TRACE_FLUSHER && kind != TRACE_TASK_SLEEP;
}
void wb_watch_record(const struct trace_record *record);
/* Writeback reported something in this step. */
bool wb_watch_spoke(void);

void wb_watch_writepages_begin(unsigned int file, const struct writeback_control *wbc);
void wb_watch_writepages_end(void);
/* A page of a file that was clean became dirty. */
void wb_watch_page_dirtied(const struct page *page);
void wb_watch_throttle_begin(void);
/* A task dirtied a page, or found it dirty, and is about to come to the throttle; it has come back. */
void wb_watch_dirtied(const struct address_space *mapping, bool newly);
void wb_watch_balanced(const struct address_space *mapping);
/* Pages that tasks paid for in this run. */
long wb_watch_paid(void);
/* A task exits; the most pages that it might ever dirty before it looks at the limits. */
unsigned long wb_watch_exit(unsigned int task);
/* The most pages that tasks may have dirtied in all, but for what the model counts as unthrottled; 0: not known. */
unsigned long wb_watch_most_limit(void);
/* Pages ever dirtied of all devices, but for those redirtied; and written. */
s64 wb_watch_pages_dirtied(void);
unsigned long wb_watch_pages_written(void);

/* The judges (invariants_writeback.c, invariants_wb_tasks.c), each for one kind of record. */
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
void judge_walk_over(void);
void judge_settling(void);
/* set_page_dirty() of a locked page is over. */
void judge_set_page_dirty(const struct page *page, bool was_dirty, bool newly);
/* So was redirty_page_for_writepage(), which changed the count of dirtied pages by this. */
void judge_redirty(const struct address_space *mapping, bool newly, s64 change);
void judge_stays(const struct watched_balance *balance);
void judge_not_throttled(const struct bdi_writeback *wb);
void judge_background_done(unsigned int bdi);

#endif
