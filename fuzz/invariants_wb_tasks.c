// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_wb_tasks.c - what tasks dirty and pay, how far all of them get, and that what was stopped goes on
 * (page-writeback specification 23; numbers are 200 + those of that section).
 *
 * These are sums over what the watch and the model saw (wb_watch.h, wb_model.h), so they do not depend on a formula
 * being right, only on nobody getting away.
 */
#include "mm/internal.h"
#include "bdi.h"
#include "sleep.h"
#include "fuzz/exec.h"
#include "fuzz/invariant.h"
#include "fuzz/view.h"
#include "fuzz/wb_model.h"
#include "fuzz/wb_watch.h"

/*
 * Payment. WB_DIRTIED rises with each page that is dirtied and falls with each that is redirtied, and so does the count
 * of the task that does it.
 */
static long pages_unpaid(void)
{
	long sum = 0;
	int i;

	for (i = 0; i < TASKS_MAX; i++)
		sum += tasks[i].nr_dirtied;
	for (i = 0; i < FLUSHERS_MAX; i++)
		sum += flusher_tasks[i].nr_dirtied;
	for_each_online_cpu(i)
		sum += *per_cpu_ptr(dirty_throttle_leaks, i);
	return sum;
}

INVARIANT(dirtied_pages_are_paid_for, 238, COST_CALL, "page-writeback",
	  "each page that was dirtied is on a task's account or on that of a CPU where one exited, or was paid for")
{
	if (!wb_model.used)
		return;
	inv_require(inv, pages_unpaid() + wb_watch_paid() == wb_watch_pages_dirtied(),
		    "%ld on accounts and %ld paid, %lld dirtied", pages_unpaid(), wb_watch_paid(), wb_watch_pages_dirtied());
}

/* That counters move with it is what the rules at rest say. */
static struct {
	const struct page *page;
	bool was_dirty;
	bool newly;
} dirtying;

INVARIANT(dirtied_once, 250, COST_SCAN, "page-writeback",
	  "set_page_dirty() leaves a dirty page, and says that it is newly dirty exactly when it was not")
{
	inv_require(inv, PageDirty(dirtying.page) && dirtying.newly == !dirtying.was_dirty, "page %lu: dirty %d to %d, new %d",
		    dirtying.page->index, dirtying.was_dirty, PageDirty(dirtying.page), dirtying.newly);
}

void judge_set_page_dirty(const struct page *page, bool was_dirty, bool newly)
{
	dirtying.page = page;
	dirtying.was_dirty = was_dirty;
	dirtying.newly = newly;
	invariant_evaluate(&invariant_dirtied_once);
}

static struct {
	bool accounts, newly;
	long change;
} redirtying;

INVARIANT(redirtied_is_taken_back, 250, COST_SCAN, "page-writeback",
	  "a page that is redirtied counts as one dirtied page less, and as one more only if it was clean")
{
	long due = redirtying.accounts ? (long)redirtying.newly - 1 : 0;

	inv_require(inv, redirtying.change == due, "dirtied pages changed by %ld, expected %ld", redirtying.change, due);
}

void judge_redirty(const struct address_space *mapping, bool newly, s64 change)
{
	redirtying.accounts = mapping_cap_account_dirty(mapping);
	redirtying.newly = newly;
	redirtying.change = (long)change;
	invariant_evaluate(&invariant_redirtied_is_taken_back);
}

/*
 * Who was not sent to the throttle after a page.
 */
static int pages_until_throttle(const struct bdi_writeback *wb)
{
	return wb->dirty_exceeded ? min(current->nr_dirtied_pause, 32 >> (PAGE_SHIFT - 10)) : current->nr_dirtied_pause;
}

static const struct bdi_writeback *wb_not_throttled;

INVARIANT(task_comes_in_time, 231, COST_SCAN, "page-writeback",
	  "a task goes on dirtying only while it has dirtied fewer pages than it may, and at most 8 once its device has too many")
{
	inv_require(inv, current->nr_dirtied < pages_until_throttle(wb_not_throttled), "task %u: %d pages, it may dirty %d",
		    current->number, current->nr_dirtied, pages_until_throttle(wb_not_throttled));
}

INVARIANT(cpu_comes_in_time, 239, COST_SCAN, "page-writeback",
	  "on a CPU at most ratelimit_pages pages are dirtied before somebody there looks at the limits")
{
	inv_require(inv, wb_watch.dirtied_on[current_cpu] <= max(1L, (long)ratelimit_pages), "CPU %d: %ld pages, limit %ld",
		    current_cpu, wb_watch.dirtied_on[current_cpu], (long)ratelimit_pages);
}

void judge_not_throttled(const struct bdi_writeback *wb)
{
	wb_not_throttled = wb;
	invariant_evaluate(&invariant_task_comes_in_time);
	invariant_evaluate(&invariant_cpu_comes_in_time);
}

/*
 * All together. The allowance is that of I32, with the largest number of pages that each task ever was allowed in place
 * of the last one below the limit. Devices with strict limits let their tasks run free above the limit of all; so do
 * those that do not count their pages under writeback, for they never have many.
 */
static unsigned long pages_in_flight(void)
{
	return global_page_state(NR_FILE_DIRTY) + global_page_state(NR_UNSTABLE_NFS) + global_page_state(NR_WRITEBACK);
}

static unsigned long task_allowance(void)
{
	unsigned long sum = 0;
	unsigned int i;

	for (i = 0; i < TASKS_MAX; i++)
		sum += (unsigned long)max(1, wb_watch.dirtiers[i].most_pages);
	for (i = 0; i < BDIS_MAX; i++)
		sum += 3 * wb_stat_error(&bdi_devices[i].bdi.wb) + TASKS_MAX;
	return sum;
}

#define LARGEST_THRESHOLD 125            /* page_alloc specification 10.4 */

/* What a woken kswapd lets a delta hold back may be more, and reaches the counter when it sleeps again. */
static unsigned long most_held_back(unsigned int slot, unsigned int cpu)
{
	return exec_state.kswapd_woken ? LARGEST_THRESHOLD : (unsigned long)view_cpu_threshold(slot, cpu);
}

/* What zones may hold back of three counters, and CPUs of what tasks left unpaid. */
static unsigned long drift_allowance(void)
{
	unsigned long sum = 0;
	unsigned int slot, cpu;

	for (cpu = 0; cpu < machine->nr_cpus; cpu++) {
		sum += (unsigned long)max(0, *per_cpu_ptr(dirty_throttle_leaks, (int)cpu));
		for_each_slot_of(slot, machine->smp ? view_populated_slots() : 0)
			sum += 3 * most_held_back(slot, cpu);
	}
	return sum;
}

EXCEPTIONS(overshoot_bounded,
	   "pages that were dirtied without throttling, and devices with a strict limit or that do not count writeback")
INVARIANT(overshoot_bounded, 232, COST_CALL, "page-writeback",
	  "dirty pages exceed the largest limit by no more than what each task may dirty before it looks at it again")
{
	unsigned long most = wb_watch_most_limit();

	inv_when(wb_model.used && most && !wb_model.strictlimit && !wb_model.unwritten && pages_in_flight() > most);
	most += wb_model.unthrottled + task_allowance() + drift_allowance();
	inv_require(inv, pages_in_flight() <= most, "%lu dirty pages, at most %lu: the limit was %lu, unthrottled are %lu",
		    pages_in_flight(), most, wb_watch_most_limit(), wb_model.unthrottled);
}

/*
 * Going on.
 */
static const struct watched_balance *stays;

static bool alone(void)
{
	return !wb_model.uncounted && wb_watch_pages_dirtied() == stays->dirtied && wb_model.changes == stays->changes;
}

/* The first count may be short of what is dirty by as much as the last may be beyond it. */
INVARIANT(stopped_task_goes_on, 233, COST_SCAN, "page-writeback",
	  "only a task that was stopped altogether on a device with dirty pages sleeps again, and while pages arrive not for long")
{
	const struct bdi_writeback *wb = &bdi_devices[stays->bdi].bdi.wb;
	unsigned long dirty = stays->first_dirty + 2 * drift_allowance();
	unsigned long pauses;

	inv_require(inv, !stays->task_ratelimit && stays->wb_dirty > wb_stat_error(wb),
		    "device %u: rate %lu, %lu dirty pages", stays->bdi, stays->task_ratelimit, stays->wb_dirty);
	if (stays->strictlimit || !stays->least_progress || !alone())
		return;
	pauses = dirty > stays->least_freerun ? DIV_ROUND_UP(dirty - stays->least_freerun, stays->least_progress) : 0;
	inv_require(inv, stays->sleeps <= pauses + 2, "%lu sleeps, %lu dirty pages above %lu, %lu arrive in each",
		    stays->sleeps, stays->first_dirty, stays->least_freerun, stays->least_progress);
}

void judge_stays(const struct watched_balance *balance)
{
	stays = balance;
	invariant_evaluate(&invariant_stopped_task_goes_on);
}

INVARIANT(limit_settles, 226, COST_SCAN, "page-writeback",
	  "while it is not told to aim higher, dirty_limit comes down to within 31 pages of what it aims at, a 32nd at a time")
{
	const struct watched_settling *settling = &wb_watch.settling;

	inv_counts_if(settling->excess <= 31);
	inv_require(inv, wb_watch.dirty_limit <= settling->target + settling->excess, "%lu, it aims at %lu, and %lu more are due",
		    wb_watch.dirty_limit, settling->target, settling->excess);
}

void judge_settling(void)
{
	invariant_evaluate(&invariant_limit_settles);
}

/*
 * The flusher has come to the end of its background work. What it may leave behind: pages that are on their way already,
 * what its file system refused or put off, what arrived behind its back while it slept in the last walk, and everything
 * when others asked for work of their own.
 */
static unsigned int background_of;

static unsigned int pages_to_write(const struct address_space *mapping)
{
	unsigned int word, pages = 0;

	for (word = 0; word < WB_FILE_WORDS; word++) {
		unsigned long left = mapping->tags[PAGECACHE_TAG_DIRTY][word] & ~mapping->tags[PAGECACHE_TAG_WRITEBACK][word];

		for (; left; left &= left - 1) {
			const struct page *page = find_get_page(mapping, word * BITS_PER_LONG + __ffs(left));

			pages += page && PageDirty(page) && !PageLocked(page);
		}
	}
	return pages;
}

INVARIANT(background_goes_on, 241, COST_SCAN, "flusher",
	  "the flusher ends its background work when no more is dirty than the background limit, or it has no page to write")
{
	const struct bdi_device *device = &bdi_devices[background_of];
	unsigned long dirty = global_page_state(NR_FILE_DIRTY) + global_page_state(NR_UNSTABLE_NFS);
	unsigned int file;

	inv_when(dirty > wb_watch.limits.c && !(wb_model.faults >> background_of & 1) && !wb_watch.flusher_slept[background_of] &&
		 !flusher_has_work(&device->bdi.wb));
	for (file = background_of; file < FILES_MAX; file += BDIS_MAX)
		inv_require(inv, !(file_inodes[file].i_state & I_DIRTY_PAGES) || !pages_to_write(file_mapping(file)),
			    "device %u: %u pages of file %u, %lu dirty pages, background limit %lu", background_of,
			    pages_to_write(file_mapping(file)), file, dirty, wb_watch.limits.c);
}

void judge_background_done(unsigned int bdi)
{
	background_of = bdi;
	invariant_evaluate(&invariant_background_goes_on);
}
