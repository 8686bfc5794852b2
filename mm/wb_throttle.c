// SPDX-License-Identifier: GPL-2.0
/*
 * wb_throttle.c - tasks that dirty pages faster than devices write are put to sleep, and the flusher is told when to
 * start (page-writeback specification 11 to 15).
 *
 *	dirtied pages -> [as many as the task's or the CPU's rate limit] -> balance_dirty_pages: freerun, no sleep, or
 *	sleep and then go on, or look again
 */
#include "internal.h"

DEFINE_PER_CPU(int, bdp_ratelimits);
/* Pages that tasks had dirtied, but not paid for, when they exited. */
DEFINE_PER_CPU(int, dirty_throttle_leaks);

/* Pages after which a task looks again; the closer to the threshold, the fewer. */
unsigned long dirty_poll_interval(unsigned long dirty, unsigned long thresh)
{
	if (thresh > dirty)
		return 1UL << (ilog2(thresh - dirty) >> 1);
	return 1;
}

/* Jiffies in which a device must not run dry while its dirtiers sleep. */
unsigned long wb_max_pause(const struct bdi_writeback *wb, unsigned long wb_dirty)
{
	unsigned long bw = wb->avg_write_bandwidth;
	unsigned long t = wb_dirty / (1 + bw / roundup_pow_of_two(1 + HZ / 8)) + 1;

	if (!patched(PAUSE_UNSIGNED_MAX))
		return (unsigned long)min((long)t, (long)MAX_PAUSE);
	return min(t, MAX_PAUSE);
}

/* The more tasks share the device, the longer each sleeps, so that there are not too many wakeups. */
static long target_pause(const struct bdi_writeback *wb, long max_pause)
{
	long hi = ilog2(wb->avg_write_bandwidth);
	long lo = ilog2(wb->dirty_ratelimit);
	long t = max(1L, (long)HZ / 100);

	if (hi > lo)
		t += (hi - lo) * (10 * (long)HZ) / 1024;
	return min(t, 1 + max_pause / 2);
}

/*
 * wb_min_pause - jiffies below which a sleep is not worth it, and in *nr_dirtied_pause the pages that the task may
 * dirty until it looks again.
 */
long wb_min_pause(const struct bdi_writeback *wb, long max_pause, unsigned long task_ratelimit,
		  unsigned long dirty_ratelimit, int *nr_dirtied_pause)
{
	unsigned long second = roundup_pow_of_two(HZ);
	long t = target_pause(wb, max_pause);
	long pause;
	int pages = (int)(dirty_ratelimit * t / second);

	if (pages < DIRTY_POLL_THRESH) {
		t = max_pause;
		pages = (int)(dirty_ratelimit * t / second);
		if (pages > DIRTY_POLL_THRESH) {
			pages = DIRTY_POLL_THRESH;
			t = (long)(HZ * DIRTY_POLL_THRESH / dirty_ratelimit);
		}
	}
	pause = (long)(HZ * pages / (task_ratelimit + 1));
	if (pause > max_pause) {
		t = max_pause;
		pages = (int)(task_ratelimit * t / second);
	}
	*nr_dirtied_pause = pages;
	return pages >= DIRTY_POLL_THRESH ? 1 + t / 2 : t;
}

/*
 * balance_dirty_pages(), one step of its loop at a time.
 */
static void begin_step(struct balance *b)
{
	struct dirty_throttle_control *dtc = &b->dtc;

	b->now = jiffies;
	b->nr_reclaimable = global_page_state(NR_FILE_DIRTY) + global_page_state(NR_UNSTABLE_NFS);
	dtc->avail = global_dirtyable_memory();
	dtc->dirty = b->nr_reclaimable + global_page_state(NR_WRITEBACK);
	domain_dirty_limits(dtc);
	if (b->strictlimit)
		wb_dirty_limits(dtc);
}

/* Below freerun nobody pays. */
static bool in_freerun(const struct balance *b)
{
	const struct dirty_throttle_control *dtc = &b->dtc;
	unsigned long dirty = b->strictlimit ? dtc->wb_dirty : dtc->dirty;
	unsigned long thresh = b->strictlimit ? dtc->wb_thresh : dtc->thresh;
	unsigned long bg_thresh = b->strictlimit ? dtc->wb_bg_thresh : dtc->bg_thresh;
	unsigned long freerun = dirty_freerun_ceiling(thresh, bg_thresh);

	if (patched(EXIT_ADMITS_EQUALITY) ? dirty > freerun : dirty >= freerun)
		return false;
	current->dirty_paused_when = b->now;
	current->nr_dirtied = 0;
	current->nr_dirtied_pause = (int)dirty_poll_interval(dirty, thresh);
	return true;
}

static void update_bandwidth(struct balance *b)
{
	struct bdi_writeback *wb = b->wb;

	if (!time_after(jiffies, wb->bw_time_stamp + BANDWIDTH_INTERVAL))
		return;
	spin_lock(&wb->list_lock);
	__wb_update_bandwidth(&b->dtc, b->start_time, true);
	spin_unlock(&wb->list_lock);
}

static void find_position(struct dirty_throttle_control *dtc)
{
	wb_position_ratio(dtc);
	trace_balance_limits(dtc);
}

/* The rate, from the position; 3.16 asks for the position after it has updated the estimates. */
static void find_rate(struct balance *b)
{
	struct dirty_throttle_control *dtc = &b->dtc;
	struct bdi_writeback *wb = b->wb;

	if (!b->strictlimit)
		wb_dirty_limits(dtc);
	b->dirty_exceeded = dtc->wb_dirty > dtc->wb_thresh && (dtc->dirty > dtc->thresh || b->strictlimit);
	if (kernel.writeback != WRITEBACK_3_16)
		find_position(dtc);
	if (b->dirty_exceeded && !wb->dirty_exceeded)
		wb->dirty_exceeded = 1;
	update_bandwidth(b);
	if (kernel.writeback == WRITEBACK_3_16)
		find_position(dtc);
	b->dirty_ratelimit = wb->dirty_ratelimit;
	b->task_ratelimit = (unsigned long)((u64)b->dirty_ratelimit * dtc->pos_ratio >> RATELIMIT_CALC_SHIFT);
}

static void find_pause_bounds(struct balance *b)
{
	b->max_pause = (long)wb_max_pause(b->wb, b->dtc.wb_dirty);
	b->min_pause = wb_min_pause(b->wb, b->max_pause, b->task_ratelimit, b->dirty_ratelimit, &b->nr_dirtied_pause);
}

/* Too short to sleep for: the task pays later, or not at all when it is a light one. */
static void carry_debt(struct balance *b)
{
	if (b->pause < -(long)HZ) {
		current->dirty_paused_when = b->now;
		current->nr_dirtied = 0;
	} else if (b->period) {
		current->dirty_paused_when += (unsigned long)b->period;
		current->nr_dirtied = 0;
	} else if (current->nr_dirtied_pause <= (int)b->pages_dirtied) {
		current->nr_dirtied_pause += (int)b->pages_dirtied;
	}
}

/* How long to sleep. False: not at all. */
static bool find_pause(struct balance *b)
{
	if (unlikely(b->task_ratelimit == 0)) {
		b->period = b->max_pause;
		b->pause = b->max_pause;
		return true;
	}
	b->period = (long)(HZ * b->pages_dirtied / b->task_ratelimit);
	b->pause = b->period;
	if (current->dirty_paused_when)
		b->pause -= (long)(b->now - current->dirty_paused_when);
	if (b->pause < b->min_pause) {
		trace_balance_rate(b);
		trace_balance_pause(b, min(b->pause, 0L));
		carry_debt(b);
		return false;
	}
	if (unlikely(b->pause > b->max_pause)) {
		b->now += (unsigned long)min(b->pause - b->max_pause, b->max_pause);
		b->pause = b->max_pause;
	}
	return true;
}

static void sleep_off(struct balance *b)
{
	trace_balance_rate(b);
	trace_balance_pause(b, b->pause);
	io_schedule_timeout_killable(b->pause);
	current->dirty_paused_when = b->now + (unsigned long)b->pause;
	current->nr_dirtied = 0;
	current->nr_dirtied_pause = b->nr_dirtied_pause;
}

/*
 * What was decided before the sleep holds after it. A task that was stopped altogether goes on if its device has next to
 * nothing dirty, so that a dead device does not take the others with it.
 */
static enum balance_exit after_sleep(const struct balance *b)
{
	if (b->task_ratelimit)
		return BALANCE_PAID;
	if (b->dtc.wb_dirty <= wb_stat_error(b->wb))
		return BALANCE_TINY;
	return fatal_signal_pending(current) ? BALANCE_KILLED : BALANCE_AGAIN;
}

static enum balance_exit balance_step(struct balance *b)
{
	begin_step(b);
	if (in_freerun(b))
		return BALANCE_FREERUN;
	if (unlikely(!writeback_in_progress(b->wb)))
		wb_start_background_writeback(b->wb);
	find_rate(b);
	find_pause_bounds(b);
	if (!find_pause(b))
		return BALANCE_NO_SLEEP;
	sleep_off(b);
	return after_sleep(b);
}

static void finish_balancing(const struct balance *b)
{
	struct bdi_writeback *wb = b->wb;

	if (!b->dirty_exceeded && wb->dirty_exceeded)
		wb->dirty_exceeded = 0;
	if (writeback_in_progress(wb) || unlikely(laptop_mode))
		return;
	if (b->nr_reclaimable > b->dtc.bg_thresh)
		wb_start_background_writeback(wb);
}

static void balance_dirty_pages(struct bdi_writeback *wb, unsigned long pages_dirtied)
{
	struct balance balance = {
		.wb = wb,
		.dtc.wb = wb,
		.strictlimit = wb->bdi->capabilities & BDI_CAP_STRICTLIMIT,
		.start_time = jiffies,
		.pages_dirtied = pages_dirtied,
	};
	enum balance_exit exit;

	trace_balance_begin(wb->bdi->number, pages_dirtied, current);
	do {
		work_charge("balance_dirty_pages");
		exit = balance_step(&balance);
	} while (exit == BALANCE_AGAIN);
	finish_balancing(&balance);
	trace_balance_end(&balance, exit);
}

/* Pages that exited tasks left unpaid on this CPU are charged to whoever dirties there next. */
static void take_over_leaks(int ratelimit)
{
	int *leaks = this_cpu_ptr(dirty_throttle_leaks);

	if (unlikely(*leaks > 0 && current->nr_dirtied < ratelimit)) {
		int nr_pages_dirtied = min(*leaks, ratelimit - current->nr_dirtied);

		*leaks -= nr_pages_dirtied;
		current->nr_dirtied += nr_pages_dirtied;
	}
}

/* balance_dirty_pages_ratelimited - called after each page that was dirtied, with nothing locked: may sleep. */
void balance_dirty_pages_ratelimited(struct address_space *mapping)
{
	struct backing_dev_info *bdi = inode_to_bdi(mapping->host);
	struct bdi_writeback *wb = &bdi->wb;
	int ratelimit = current->nr_dirtied_pause;
	int *p;

	if (!bdi_cap_account_dirty(bdi))
		return;
	if (wb->dirty_exceeded)
		ratelimit = min(ratelimit, 32 >> (PAGE_SHIFT - 10));
	preempt_disable();
	/* A CPU on which many tasks dirty a little each looks as well. */
	p = this_cpu_ptr(bdp_ratelimits);
	if (unlikely(current->nr_dirtied >= ratelimit)) {
		*p = 0;
	} else if (unlikely(*p >= ratelimit_pages)) {
		*p = 0;
		ratelimit = 0;
	}
	take_over_leaks(ratelimit);
	preempt_enable();
	if (unlikely(current->nr_dirtied >= ratelimit))
		balance_dirty_pages(wb, (unsigned long)current->nr_dirtied);
}

/* Has the device more than this to be written? Near 0 the cheap read may see nothing at all. */
static bool wb_over_share(const struct bdi_writeback *wb, unsigned long share)
{
	if (patched(EXACT_SHARE_NEAR_ZERO) && share < 2 * wb_stat_error(wb))
		return wb_stat_sum(wb, WB_RECLAIMABLE) > share;
	return wb_stat(wb, WB_RECLAIMABLE) > share;
}

/* Has the flusher of a device something to do? What is under writeback already does not count. */
bool wb_over_bg_thresh(struct bdi_writeback *wb)
{
	struct dirty_throttle_control gdtc = { .wb = wb, .avail = global_dirtyable_memory() };
	unsigned long share;
	bool over;

	gdtc.dirty = global_page_state(NR_FILE_DIRTY) + global_page_state(NR_UNSTABLE_NFS);
	domain_dirty_limits(&gdtc);
	if (gdtc.dirty > gdtc.bg_thresh)
		return true;
	share = wb_calc_thresh(wb, patched(FLUSHER_BACKGROUND_SHARE) ? gdtc.bg_thresh : gdtc.thresh);
	over = wb_over_share(wb, share);
	trace_over_bg_thresh(&gdtc, share, over);
	return over;
}

/* Reclaim waits here while far too much is under writeback; once only when it may not start I/O itself. */
void throttle_vm_writeout(gfp_t gfp_mask)
{
	unsigned long background_thresh;
	unsigned long dirty_thresh;

	for (;;) {
		work_charge("throttle_vm_writeout");
		global_dirty_limits(&background_thresh, &dirty_thresh);
		if (patched(THROTTLE_SMOOTHED_LIMIT))
			dirty_thresh = hard_dirty_limit(&global_wb_domain, dirty_thresh);
		dirty_thresh += dirty_thresh / 10;
		trace_throttle_vm_writeout(gfp_mask, dirty_thresh);
		if (global_page_state(NR_UNSTABLE_NFS) + global_page_state(NR_WRITEBACK) <= dirty_thresh)
			break;
		congestion_wait((long)HZ / 10);
		if ((gfp_mask & (__GFP_FS | __GFP_IO)) != (__GFP_FS | __GFP_IO))
			break;
	}
}
