/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_EVENTS_WRITEBACK_H
#define _TRACE_EVENTS_WRITEBACK_H

#include "trace.h"

/*
 * Modelled: what writeback reports, as trace records. One step of balance_dirty_pages() is up to four of them in this
 * order, because a record has four numbers: limits, device, rate, pause. Included by mm/internal.h, whose structs it
 * reads.
 */
static inline void trace_dirty_limits(unsigned long avail, unsigned long thresh, unsigned long bg_thresh)
{
	trace_emit(TRACE_DIRTY_LIMITS, avail, thresh, bg_thresh, current_gets_bonus());
}

static inline void trace_writeback_set_ratelimit(unsigned long thresh, unsigned long pages)
{
	trace_emit(TRACE_SET_RATELIMIT, thresh, pages, 0, 0);
}

static inline void trace_wb_share(unsigned int bdi, unsigned long thresh, unsigned long numerator,
				  unsigned long denominator, unsigned long share)
{
	trace_emit(TRACE_WB_SHARE, bdi | thresh << 8, numerator, denominator, share);
}

static inline void trace_dirty_limit(unsigned long dirty_limit, unsigned long thresh, unsigned long dirty)
{
	trace_emit(TRACE_DIRTY_LIMIT, dirty_limit, thresh, dirty, 0);
}

static inline void trace_wb_estimates(unsigned int bdi, unsigned long avg_write_bandwidth,
				      unsigned long dirty_ratelimit, unsigned long balanced_dirty_ratelimit)
{
	trace_emit(TRACE_WB_ESTIMATES, bdi, avg_write_bandwidth, dirty_ratelimit, balanced_dirty_ratelimit);
}

static inline void trace_balance_begin(unsigned int bdi, unsigned long pages_dirtied, const struct task_struct *task)
{
	trace_emit(TRACE_BALANCE_BEGIN, bdi, pages_dirtied, task->number, (unsigned long)task->nr_dirtied_pause);
}

/* Right after the position ratio is known: limit and bandwidth are those that it was computed from. */
static inline void trace_balance_limits(const struct dirty_throttle_control *dtc)
{
	trace_emit(TRACE_BALANCE_LIMITS, dtc->thresh, dtc->bg_thresh, dtc->dirty, global_wb_domain.dirty_limit);
	trace_emit(TRACE_BALANCE_DEVICE, dtc->wb_thresh, dtc->wb_bg_thresh, dtc->wb_dirty,
		   dtc->wb->avg_write_bandwidth);
}

static inline void trace_balance_rate(const struct balance *b)
{
	trace_emit(TRACE_BALANCE_RATE, b->dtc.pos_ratio, b->dirty_ratelimit, b->task_ratelimit, b->pages_dirtied);
}

/* pause: jiffies of sleep that follow; not positive when there is none. */
static inline void trace_balance_pause(const struct balance *b, long pause)
{
	trace_emit(TRACE_BALANCE_PAUSE, (unsigned long)pause, (unsigned long)b->period, (unsigned long)b->min_pause,
		   (unsigned long)b->max_pause);
}

static inline void trace_balance_end(const struct balance *b, enum balance_exit exit)
{
	trace_emit(TRACE_BALANCE_END, exit, b->dirty_exceeded, b->nr_reclaimable, b->dtc.bg_thresh);
}

static inline void trace_over_bg_thresh(const struct dirty_throttle_control *dtc, unsigned long share, bool over)
{
	trace_emit(TRACE_OVER_BG_THRESH, dtc->wb->bdi->number, dtc->dirty | (unsigned long)over << 63, dtc->bg_thresh,
		   share);
}

static inline void trace_throttle_vm_writeout(gfp_t gfp_mask, unsigned long thresh)
{
	trace_emit(TRACE_THROTTLE_VM_WRITEOUT, gfp_mask, thresh, global_page_state(NR_UNSTABLE_NFS),
		   global_page_state(NR_WRITEBACK));
}

static inline void trace_writepage(unsigned int inode, unsigned long index, int result,
				   enum writeback_sync_modes sync_mode)
{
	trace_emit(TRACE_WRITEPAGE, inode, index, (unsigned long)result, sync_mode);
}

#endif
