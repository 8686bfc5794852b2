// SPDX-License-Identifier: GPL-2.0
/*
 * wb_watch.c - the state machine of wb_watch.h. Tasks take turns only in their sleeps, which come last in a step, so the
 * records of one step are never mixed with another's; what lasts longer is kept for each task.
 */
#include "fuzz/wb_model.h"
#include "fuzz/wb_watch.h"

struct wb_watch wb_watch;
static bool watched;
static unsigned int spoke_stamp;         /* of the step of the last record */

static void keep_estimates(unsigned int bdi)
{
	const struct bdi_writeback *wb = &bdi_devices[bdi].bdi.wb;
	struct watched_estimates *kept = &wb_watch.estimates[bdi];

	kept->write_bandwidth = wb->write_bandwidth;
	kept->avg_write_bandwidth = wb->avg_write_bandwidth;
	kept->dirty_ratelimit = wb->dirty_ratelimit;
	kept->balanced_ratelimit = wb->balanced_dirty_ratelimit;
	kept->written_stamp = wb->written_stamp;
	kept->dirtied_stamp = wb->dirtied_stamp;
	kept->bw_time_stamp = wb->bw_time_stamp;
	kept->most_avg = max(kept->most_avg, wb->avg_write_bandwidth);
}

static void start_watching(void)
{
	unsigned int i;

	memset(&wb_watch, 0, sizeof(wb_watch));
	for (i = 0; i < BDIS_MAX; i++)
		keep_estimates(i);
	wb_watch.dirty_limit = global_wb_domain.dirty_limit;
	wb_watch.most_limit = global_wb_domain.dirty_limit;
	watched = true;
}

void wb_watch_begin(void)
{
	watched = false;
	spoke_stamp = 0;
}

bool wb_watch_spoke(void)
{
	return spoke_stamp == world_stamp;
}

static struct watched_balance *this_balance(void)
{
	return &wb_watch.balance[current->number];
}

static void watch_limits(const struct trace_record *record)
{
	wb_watch.limits = *record;
	if (current->number >= TASKS_MAX)
		wb_watch.flusher_slept[current->number - TASKS_MAX] = false;
	wb_watch.most_limit = max(wb_watch.most_limit, record->b);
	judge_dirty_limits();
}

/*
 * What tasks pay.
 */
s64 wb_watch_pages_dirtied(void)
{
	s64 sum = 0;
	unsigned int i;

	for (i = 0; i < BDIS_MAX; i++)
		sum += percpu_counter_sum(&bdi_devices[i].bdi.wb.stat[WB_DIRTIED]);
	return sum;
}

unsigned long wb_watch_pages_written(void)
{
	unsigned long sum = 0;
	unsigned int i;

	for (i = 0; i < BDIS_MAX; i++)
		sum += bdi_devices[i].written;
	return sum;
}

/* A task that was in the throttle owes nothing: whatever else its count became is not paid. */
static void note_payment(struct watched_balance *balance)
{
	if (balance->nr_dirtied && !current->nr_dirtied) {
		wb_watch.paid += balance->nr_dirtied;
		balance->nr_dirtied = 0;
	}
}

static void watch_begin(const struct trace_record *record)
{
	*this_balance() = (struct watched_balance){
		.active = true,
		.bdi = (unsigned int)record->a,
		.strictlimit = bdi_devices[record->a].bdi.capabilities & BDI_CAP_STRICTLIMIT,
		.nr_dirtied = current->nr_dirtied,
	};
	wb_watch.dirtiers[current->number].entered = true;
	wb_watch.dirtied_on[current_cpu] = 0;
}

/* A sleep is over, or the first is about to begin. */
static void note_progress(struct watched_balance *balance)
{
	unsigned long freerun = dirty_freerun_ceiling(wb_watch.balance_limits.a, wb_watch.balance_limits.b);
	unsigned long written = wb_watch_pages_written();

	if (balance->sleeps == 0) {
		balance->first_dirty = wb_watch.balance_limits.c;
		balance->least_freerun = freerun;
		balance->least_progress = ~0UL;
		balance->dirtied = wb_watch_pages_dirtied();
		balance->changes = wb_model.changes;
	} else {
		balance->least_freerun = min(balance->least_freerun, freerun);
		balance->least_progress = min(balance->least_progress, written - balance->written);
		judge_stays(balance);
	}
	balance->written = written;
}

static void watch_pause(const struct trace_record *record)
{
	struct watched_balance *balance = this_balance();

	note_progress(balance);
	balance->steps++;
	balance->pause = (long)record->a;
	balance->period = (long)record->b;
	balance->task_ratelimit = wb_watch.balance_rate.c;
	balance->wb_dirty = wb_watch.balance_device.c;
	judge_pause();
	if (balance->pause > 0) {
		balance->sleeps++;
		balance->killed_before_sleep |= fatal_signal_pending(current);
	}
}

/* The flusher updates the bandwidth alone. */
static void watch_update(unsigned int bdi)
{
	const struct bdi_writeback *wb = &bdi_devices[bdi].bdi.wb;
	const struct watched_estimates *old = &wb_watch.estimates[bdi];

	wb_watch.update = (struct watched_update){
		.pending = this_balance()->active && this_balance()->bdi == bdi,
		.rate = old->dirty_ratelimit,
		.balanced = old->balanced_ratelimit,
		.average = old->avg_write_bandwidth,
		.pages = wb->dirtied_stamp - old->dirtied_stamp,
		.elapsed = wb->bw_time_stamp - old->bw_time_stamp,
	};
}

static void watch_estimates(const struct trace_record *record)
{
	unsigned int bdi = (unsigned int)record->a;

	judge_estimates();
	watch_update(bdi);
	keep_estimates(bdi);
}

static void watch_balance(const struct trace_record *record)
{
	if (record->kind != TRACE_BALANCE_BEGIN)
		note_payment(this_balance());
	switch (record->kind) {
	case TRACE_BALANCE_BEGIN:
		wb_watch.update.pending = false;
		watch_begin(record);
		break;
	case TRACE_BALANCE_LIMITS:
		wb_watch.balance_limits = *record;
		break;
	case TRACE_BALANCE_DEVICE:
		wb_watch.balance_device = *record;
		break;
	case TRACE_BALANCE_RATE:
		wb_watch.balance_rate = *record;
		judge_rate();
		wb_watch.update.pending = false;
		break;
	case TRACE_BALANCE_PAUSE:
		watch_pause(record);
		break;
	default:
		judge_end();
		this_balance()->active = false;
		break;
	}
}

/*
 * The limit that follows slowly.
 */
static void watch_dirty_limit(const struct trace_record *record)
{
	struct watched_settling *settling = &wb_watch.settling;
	unsigned long target = max(record->b, record->c);

	judge_dirty_limit();
	if (!settling->active || target > settling->target) {
		settling->active = true;
		settling->target = target;
		settling->excess = wb_watch.dirty_limit > target ? wb_watch.dirty_limit - target : 0;
	}
	settling->excess -= settling->excess >> 5;
	wb_watch.dirty_limit = record->a;
	wb_watch.limit_followed = true;
	wb_watch.limit_jiffies = record->jiffies;
	wb_watch.most_limit = max(wb_watch.most_limit, record->a);
	judge_settling();
}

static void watch_set_ratelimit(const struct trace_record *record)
{
	judge_set_ratelimit();
	wb_watch.dirty_limit = record->a;
	wb_watch.most_limit = max(wb_watch.most_limit, record->a);
	wb_watch.settling.active = false;
}

/*
 * Walks.
 */
static void forget_owed(unsigned int file, pgoff_t index)
{
	unsigned int i;

	for (i = 0; i < SLEEPERS_MAX; i++)
		if (wb_watch.walks[i].active && wb_watch.walks[i].file == file)
			clear_bit((unsigned int)index, wb_watch.walks[i].owed);
}

static void note_written(const struct trace_record *record)
{
	struct watched_walk *walk = &wb_watch.walks[current->number];

	forget_owed((unsigned int)record->a, record->b);
	if (!walk->active || record->a != walk->file)
		return;
	walk->next = record->b + 1;
	walk->failed = record->c != 0;
}

/* What is dirty, and not what is tagged as dirty: the tags are what the walk goes by. */
static void note_owed(struct watched_walk *walk)
{
	const struct page *page;
	pgoff_t index;

	for (index = walk->start; index < FILE_PAGES && index <= walk->end; index++) {
		page = find_get_page(file_mapping(walk->file), index);
		if (page && PageDirty(page))
			set_bit((unsigned int)index, walk->owed);
	}
}

void wb_watch_record(const struct trace_record *record)
{
	if (!watched)
		start_watching();
	wb_watch.last = record;
	spoke_stamp = world_stamp;
	switch (record->kind) {
	case TRACE_DIRTY_LIMITS:
		watch_limits(record);
		break;
	case TRACE_WB_SHARE:
		wb_watch.share = *record;
		judge_share();
		break;
	case TRACE_DIRTY_LIMIT:
		watch_dirty_limit(record);
		break;
	case TRACE_SET_RATELIMIT:
		watch_set_ratelimit(record);
		break;
	case TRACE_WB_ESTIMATES:
		watch_estimates(record);
		break;
	case TRACE_OVER_BG_THRESH:
		judge_over_bg();
		break;
	case TRACE_THROTTLE_VM_WRITEOUT:
		wb_watch.throttle_rounds[current->number]++;
		judge_throttle();
		break;
	case TRACE_WRITEPAGE:
		judge_writepage();
		note_written(record);
		break;
	case TRACE_TASK_WAKE:
		if (record->a >= TASKS_MAX)
			wb_watch.flusher_slept[record->a - TASKS_MAX] = true;
		break;
	case TRACE_FLUSHER:
		if (record->b == FLUSHER_BACKGROUND)
			judge_background_done((unsigned int)record->a);
		break;
	default:
		watch_balance(record);
		break;
	}
}

/*
 * What operations tell.
 */
void wb_watch_writepages_begin(unsigned int file, const struct writeback_control *wbc)
{
	struct watched_walk *walk = &wb_watch.walks[current->number];

	if (!watched)
		start_watching();
	*walk = (struct watched_walk){
		.active = true,
		.file = file,
		.start = wbc->range_cyclic ? 0 : (pgoff_t)wbc->range_start >> PAGE_SHIFT,
		.end = wbc->range_cyclic ? ~0UL : (pgoff_t)wbc->range_end >> PAGE_SHIFT,
		.budget = wbc->nr_to_write,
		.sync_all = wbc->sync_mode == WB_SYNC_ALL,
		.cyclic = wbc->range_cyclic,
		.whole = !wbc->range_cyclic && wbc->range_start == 0 && wbc->range_end == LLONG_MAX,
		.from = wbc->range_cyclic ? file_mapping(file)->writeback_index : 0,
		.next = wbc->range_cyclic ? file_mapping(file)->writeback_index : 0,
	};
	if (walk->sync_all)
		note_owed(walk);
}

void wb_watch_writepages_end(void)
{
	wb_watch.walks[current->number].active = false;
}

void wb_watch_page_dirtied(const struct page *page)
{
	if (watched && page->mapping)
		forget_owed(page->mapping->host->number, page->index);
}

void wb_watch_throttle_begin(void)
{
	wb_watch.throttle_rounds[current->number] = 0;
}

/* Pages that it redirtied are credit: its count is below 0, and reaches the pause so much later. */
static void note_allowance(struct watched_dirtier *dirtier)
{
	dirtier->most_pages = max(dirtier->most_pages, current->nr_dirtied_pause + max(0, 1 - current->nr_dirtied));
}

void wb_watch_dirtied(const struct address_space *mapping, bool newly)
{
	struct watched_dirtier *dirtier = &wb_watch.dirtiers[current->number];

	if (!watched)
		start_watching();
	dirtier->entered = false;
	note_allowance(dirtier);
	wb_watch.dirtied_on[current_cpu] += newly && mapping_cap_account_dirty(mapping);
}

/*
 * Whoever entered the throttle may have slept, and much may have happened. A task that redirtied more than it dirtied
 * is not stopped by its CPU's count, which begins anew all the same.
 */
void wb_watch_balanced(const struct address_space *mapping)
{
	struct watched_dirtier *dirtier = &wb_watch.dirtiers[current->number];

	note_allowance(dirtier);
	if (dirtier->entered || !mapping_cap_account_dirty(mapping))
		return;
	if (current->nr_dirtied < 0)
		wb_watch.dirtied_on[current_cpu] = 0;
	judge_not_throttled(inode_to_wb(mapping->host));
}

long wb_watch_paid(void)
{
	return watched ? wb_watch.paid : 0;
}

unsigned long wb_watch_exit(unsigned int task)
{
	unsigned long pages;

	if (!watched)
		return 0;
	pages = (unsigned long)wb_watch.dirtiers[task].most_pages;
	wb_watch.dirtiers[task].most_pages = 0;
	return pages;
}

unsigned long wb_watch_most_limit(void)
{
	return watched ? wb_watch.most_limit : 0;
}
