// SPDX-License-Identifier: GPL-2.0
/*
 * flusher.c - the kernel thread of each device that writes dirty pages back: in the background above the background
 * limit, periodically what is old, and what somebody asked for (page-writeback specification 14).
 *
 * PORT: the lists b_dirty, b_io and b_more_io are one bit in each inode; an inode whose pages were redirtied under the
 * writer is left alone for the rest of the work. Left out: dirty time stamps, sync, laptop mode's disk power.
 */
#include "mm/internal.h"
#include "bdi.h"
#include "sleep.h"

#define WORKS_MAX 4

struct writeback_work {
	long nr_pages;
	bool background;
	bool kupdate;
	bool range_cyclic;
	unsigned int left_alone;             /* bit per inode */
};

struct flusher {
	struct timer_list dwork;             /* runs it */
	struct writeback_work works[WORKS_MAX];
	unsigned int nr_works;
	bool running;
	bool again;                          /* woken while it ran */
};

__world static struct flusher flushers[BDIS_MAX];

static struct flusher *flusher_of(const struct bdi_writeback *wb)
{
	return &flushers[wb->bdi->number];
}

static bool is_dirty_on(const struct inode *inode, const struct bdi_writeback *wb)
{
	return (inode->i_state & I_DIRTY_PAGES) && inode_to_wb(inode) == wb;
}

static unsigned long nr_dirty_inodes(const struct bdi_writeback *wb)
{
	unsigned long nr = 0;
	unsigned int i;

	for (i = 0; i < FILES_MAX; i++)
		nr += is_dirty_on(&file_inodes[i], wb);
	return nr;
}

/* The interval times ten may wrap, and a huge one become a tiny timeout. */
static unsigned long interval_jiffies(unsigned int centiseconds)
{
	return msecs_to_jiffies(centiseconds * 10);
}

/*
 * Waking.
 */
static void wb_wakeup(struct bdi_writeback *wb)
{
	struct flusher *flusher = flusher_of(wb);

	if (!test_bit(WB_registered, &wb->state))
		return;
	if (flusher->running)
		flusher->again = true;
	else if (!timer_pending(&flusher->dwork) || time_after(flusher->dwork.expires, jiffies))
		mod_timer(&flusher->dwork, jiffies);
}

static void wb_wakeup_delayed(struct bdi_writeback *wb)
{
	struct flusher *flusher = flusher_of(wb);

	/* PORT: a run takes no time, so a timeout that wrapped to 0 is a jiffy, or time would stand still. */
	if (test_bit(WB_registered, &wb->state) && dirty_writeback_interval && !timer_pending(&flusher->dwork))
		mod_timer(&flusher->dwork, jiffies + max(1UL, interval_jiffies(dirty_writeback_interval)));
}

void wb_start_background_writeback(struct bdi_writeback *wb)
{
	trace_emit(TRACE_FLUSHER, wb->bdi->number, FLUSHER_WAKE, 0, 0);
	wb_wakeup(wb);
}

bool flusher_is_due(const struct bdi_writeback *wb)
{
	const struct flusher *flusher = flusher_of(wb);

	return flusher->running ||
	       (timer_pending(&flusher->dwork) && time_after_eq(jiffies, flusher->dwork.expires));
}

bool flusher_has_work(const struct bdi_writeback *wb)
{
	return flusher_of(wb)->nr_works != 0;
}

void __mark_inode_dirty(struct inode *inode, unsigned int flags)
{
	struct bdi_writeback *wb = inode_to_wb(inode);

	if ((inode->i_state & flags) == flags)
		return;
	inode->i_state |= flags;
	inode->dirtied_when = jiffies;
	if (!test_bit(WB_has_dirty_io, &wb->state)) {
		wb_io_lists_populated(wb);
		wb_wakeup_delayed(wb);
	}
}

void wakeup_flusher_threads(long nr_pages)
{
	unsigned int i;

	if (!nr_pages)
		nr_pages = (long)(global_page_state(NR_FILE_DIRTY) + global_page_state(NR_UNSTABLE_NFS));
	for (i = 0; i < BDIS_MAX; i++) {
		struct bdi_writeback *wb = &bdi_devices[i].bdi.wb;
		struct flusher *flusher = &flushers[i];

		if (!test_bit(WB_has_dirty_io, &wb->state) || !test_bit(WB_registered, &wb->state) ||
		    flusher->nr_works == WORKS_MAX)
			continue;
		flusher->works[flusher->nr_works++] = (struct writeback_work){ .nr_pages = nr_pages };
		wb_wakeup(wb);
	}
}

/*
 * Writing.
 */
long writeback_chunk_size(const struct bdi_writeback *wb, long nr_pages)
{
	long pages = (long)min(wb->avg_write_bandwidth / 2, global_wb_domain.dirty_limit / 8);

	pages = min(pages, nr_pages);
	return round_down(pages + MIN_WRITEBACK_PAGES, MIN_WRITEBACK_PAGES);
}

/* Clean inodes leave the list, and with the last one the device has no dirty inodes. */
static void requeue_inode(struct inode *inode, struct writeback_work *work, const struct writeback_control *wbc)
{
	struct bdi_writeback *wb = inode_to_wb(inode);

	if (wbc->pages_skipped) {
		inode->dirtied_when = jiffies;
		work->left_alone |= 1U << inode->number;
	}
	if (mapping_tagged(inode->i_mapping, PAGECACHE_TAG_DIRTY))
		return;
	inode->i_state &= ~I_DIRTY_PAGES;
	if (!nr_dirty_inodes(wb))
		wb_io_lists_depopulated(wb);
}

static long write_inode(struct inode *inode, struct writeback_work *work)
{
	long chunk = writeback_chunk_size(inode_to_wb(inode), work->nr_pages);
	struct writeback_control wbc = {
		.sync_mode = WB_SYNC_NONE,
		.nr_to_write = chunk,
		.range_end = LLONG_MAX,
		.for_background = work->background,
		.for_kupdate = work->kupdate,
		.range_cyclic = work->range_cyclic,
	};

	do_writepages(inode->i_mapping, &wbc);
	requeue_inode(inode, work, &wbc);
	return chunk - wbc.nr_to_write;
}

static bool is_old_enough(const struct inode *inode, const struct writeback_work *work)
{
	return !work->kupdate ||
	       time_before_eq(inode->dirtied_when, jiffies - interval_jiffies(dirty_expire_interval));
}

/* Each inode once, until 100 ms are over. Returns the pages written. */
static long write_batch(struct bdi_writeback *wb, struct writeback_work *work)
{
	unsigned long start = jiffies;
	long wrote = 0;
	unsigned int i;

	for (i = 0; i < FILES_MAX; i++) {
		struct inode *inode = &file_inodes[i];

		if (!is_dirty_on(inode, wb) || !is_old_enough(inode, work) || (work->left_alone >> i & 1))
			continue;
		wrote += write_inode(inode, work);
		if (wrote && (time_after(jiffies, start + HZ / 10) || work->nr_pages <= wrote))
			break;
	}
	work->nr_pages -= wrote;
	return wrote;
}

static void wb_writeback(struct bdi_writeback *wb, struct writeback_work *work, enum flusher_event event)
{
	const struct flusher *flusher = flusher_of(wb);
	unsigned long start = jiffies;
	long total = 0;
	long wrote;

	do {
		if (work->nr_pages <= 0)
			break;
		if ((work->background || work->kupdate) && flusher->nr_works)
			break;
		if (work->background && !wb_over_bg_thresh(wb))
			break;
		work_charge("wb_writeback");
		wrote = write_batch(wb, work);
		total += wrote;
		wb_update_bandwidth(wb, start);
	} while (wrote);
	trace_emit(TRACE_FLUSHER, wb->bdi->number, event, (unsigned long)total, 0);
}

static void wb_check_old_data_flush(struct bdi_writeback *wb)
{
	struct writeback_work work = { .kupdate = true, .range_cyclic = true };

	if (!dirty_writeback_interval ||
	    time_before(jiffies, wb->last_old_flush + interval_jiffies(dirty_writeback_interval)))
		return;
	wb->last_old_flush = jiffies;
	work.nr_pages = (long)(global_page_state(NR_FILE_DIRTY) + global_page_state(NR_UNSTABLE_NFS) +
			       nr_dirty_inodes(wb));
	if (work.nr_pages)
		wb_writeback(wb, &work, FLUSHER_PERIODIC);
}

static void wb_check_background_flush(struct bdi_writeback *wb)
{
	struct writeback_work work = { .nr_pages = MAX_SCHEDULE_TIMEOUT, .background = true, .range_cyclic = true };

	if (wb_over_bg_thresh(wb))
		wb_writeback(wb, &work, FLUSHER_BACKGROUND);
}

static void run_works(struct bdi_writeback *wb)
{
	struct flusher *flusher = flusher_of(wb);

	while (flusher->nr_works) {
		struct writeback_work work = flusher->works[0];

		flusher->nr_works--;
		memmove(&flusher->works[0], &flusher->works[1], flusher->nr_works * sizeof(work));
		wb_writeback(wb, &work, FLUSHER_WORK);
	}
}

static void wb_workfn(void *argument)
{
	struct bdi_writeback *wb = argument;
	struct flusher *flusher = flusher_of(wb);

	set_bit(WB_writeback_running, &wb->state);
	do {
		flusher->again = false;
		run_works(wb);
		wb_check_old_data_flush(wb);
		wb_check_background_flush(wb);
	} while (flusher->nr_works);
	clear_bit(WB_writeback_running, &wb->state);
	flusher->running = false;
	if (flusher->again)
		wb_wakeup(wb);
	else if (test_bit(WB_has_dirty_io, &wb->state))
		wb_wakeup_delayed(wb);
}

static void run_flusher(unsigned long number)
{
	struct bdi_writeback *wb = &bdi_devices[number].bdi.wb;

	flushers[number].running = true;
	trace_emit(TRACE_FLUSHER, number, FLUSHER_BEGIN, 0, 0);
	task_run(&flusher_tasks[number], (int)(number % machine->nr_cpus), wb_workfn, wb);
}

void flusher_boot(void)
{
	unsigned int i;

	for (i = 0; i < BDIS_MAX; i++)
		setup_timer(&flushers[i].dwork, run_flusher, i, TIMER_TASK);
}
