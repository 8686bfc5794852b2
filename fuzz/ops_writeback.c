// SPDX-License-Identifier: GPL-2.0
/*
 * ops_writeback.c - operations on files, devices and dirty limits: the few lines that call mm as file systems do.
 *
 * What may sleep runs on the fiber of its task, and may still be asleep when the operation is over; then the task's
 * further operations of this kind are skipped until it wakes. A program ends when all tasks have come to their end.
 */
#include "mm/internal.h"
#include "host.h"
#include "sleep.h"
#include "fuzz/held.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"
#include "fuzz/ops_writeback.h"
#include "fuzz/states.h"
#include "fuzz/view.h"
#include "fuzz/wb_watch.h"

#define RECOVERED_BANDWIDTH 25600
#define RECOVERED_DEPTH 1024
#define UNSTABLE_MAX (1L << 24)

/* Which operation each task is in. */
static const struct op *jobs[TASKS_MAX];

/* Of LIMIT_FILE_PAGES in this run. */
static unsigned long file_pages_left;

/*
 * Operations that may sleep. They cost what the pages cost that they go through.
 */
static void run_on_fiber(const struct op *op, unsigned int nr_pages, void (*body)(void *op))
{
	struct task_struct *task = current;

	if (in_interrupt()) {
		exec_skip(SKIP_CONTEXT);
		return;
	}
	if (nr_pages > file_pages_left) {
		exec_skip(SKIP_CALLS);
		return;
	}
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	wb_model.used = true;
	if (task_is_asleep(task)) {
		exec_skip(SKIP_ASLEEP);
	} else {
		file_pages_left -= nr_pages;
		jobs[task->number] = op;
		task_run(task, current_cpu, body, (void *)op);
	}
	exec_step_end();
}

/* The n-th page from the one that the operation names, round the end of the file. */
static pgoff_t nth_index(const struct op *op, unsigned int n)
{
	return (op->args[1] + n) % FILE_PAGES;
}

static struct address_space *mapping_of(const struct op *op)
{
	return file_mapping(op->args[0]);
}

/* Locked, with a reference; NULL if the file does not have it, or had it no more once it was locked. */
static struct page *lock_cached_page(struct address_space *mapping, pgoff_t index)
{
	struct page *page = find_get_page(mapping, index);

	if (!page)
		return NULL;
	page_ref_inc(page);
	lock_page(page);
	if (page->mapping == mapping && page->index == index)
		return page;
	unlock_page(page);
	page_cache_release(page);
	return NULL;
}

static void unlock_cached_page(struct page *page)
{
	unlock_page(page);
	page_cache_release(page);
}

/* For writing, so the allocator is told that it will be dirty if that is going to be counted. */
static struct page *make_page(struct address_space *mapping, pgoff_t index)
{
	gfp_t gfp = GFP_HIGHUSER | (mapping_cap_account_dirty(mapping) ? __GFP_WRITE : 0);
	int node = (int)((unsigned int)numa_node_id() % (unsigned int)nr_online_nodes);
	struct page *page;

	task_pin();
	page = __alloc_pages_nodemask(gfp, 0, node_zonelist(node, gfp), NULL);
	task_unpin();
	if (!page)
		return NULL;
	held_by_file(page_to_pfn(page));
	add_to_page_cache_lru(page, mapping, index);
	page_ref_inc(page);
	return page;
}

static void balance(struct address_space *mapping, bool newly)
{
	if (exec_state.checks == CHECKS_OFF) {
		balance_dirty_pages_ratelimited(mapping);
		return;
	}
	wb_watch_dirtied(mapping, newly);
	balance_dirty_pages_ratelimited(mapping);
	wb_watch_balanced(mapping);
}

static bool dirty_one(const struct op *op, pgoff_t index)
{
	struct address_space *mapping = mapping_of(op);
	struct page *page = lock_cached_page(mapping, index);
	bool was_dirty, newly;

	if (!page && !find_get_page(mapping, index))
		page = make_page(mapping, index);
	if (!page) {
		exec_skip(SKIP_NO_PAGES);
		return false;
	}
	wait_for_stable_page(page);
	was_dirty = PageDirty(page);
	newly = set_page_dirty(page);
	if (exec_state.checks != CHECKS_OFF)
		judge_set_page_dirty(page, was_dirty, newly);
	if (newly)
		wb_watch_page_dirtied(page);
	unlock_cached_page(page);
	if (op->args[3])
		balance(mapping, newly);
	/* Nobody stops who has a fatal signal, or what is not counted. */
	if (newly && (!op->args[3] || fatal_signal_pending(current) || !mapping_cap_account_dirty(mapping)))
		wb_model.unthrottled++;
	return !fatal_signal_pending(current);
}

static void dirty_body(void *argument)
{
	const struct op *op = argument;
	unsigned int i;

	for (i = 0; i < op->args[2]; i++)
		if (!dirty_one(op, nth_index(op, i)))
			break;
}

void op_dirty_pages(const struct op *op)
{
	run_on_fiber(op, op->args[2], dirty_body);
}

static bool redirty_one(struct writeback_control *wbc, struct page *page)
{
	s64 dirtied = wb_watch_pages_dirtied();
	bool newly = redirty_page_for_writepage(wbc, page);

	if (exec_state.checks != CHECKS_OFF)
		judge_redirty(page->mapping, newly, wb_watch_pages_dirtied() - dirtied);
	if (newly)
		wb_watch_page_dirtied(page);
	return newly;
}

static void redirty_body(void *argument)
{
	const struct op *op = argument;
	struct writeback_control wbc = { .nr_to_write = 1 };
	unsigned int i;

	for (i = 0; i < op->args[2]; i++) {
		struct page *page = lock_cached_page(mapping_of(op), nth_index(op, i));

		if (!page)
			continue;
		wb_model.changes++;
		wb_model.unthrottled += redirty_one(&wbc, page);
		unlock_cached_page(page);
	}
}

void op_redirty_pages(const struct op *op)
{
	run_on_fiber(op, op->args[2], redirty_body);
}

static void clean_body(void *argument)
{
	const struct op *op = argument;
	unsigned int i;

	for (i = 0; i < op->args[2]; i++) {
		struct page *page = lock_cached_page(mapping_of(op), nth_index(op, i));

		if (!page)
			continue;
		wait_on_page_writeback(page);
		cancel_dirty_page(page);
		if (op->args[3]) {
			delete_from_page_cache(page);
			page_cache_release(page);
		}
		unlock_cached_page(page);
	}
}

void op_clean_pages(const struct op *op)
{
	run_on_fiber(op, op->args[2], clean_body);
}

static void start_writeback_body(void *argument)
{
	const struct op *op = argument;
	struct bdi_device *device = bdi_device_of(inode_to_bdi(mapping_of(op)->host));
	unsigned int i;

	for (i = 0; i < op->args[2]; i++) {
		struct page *page = lock_cached_page(mapping_of(op), nth_index(op, i));

		if (!page)
			continue;
		if (!PageWriteback(page) && clear_page_dirty_for_io(page))
			bdi_device_submit(device, page, op->args[3]);
		else
			unlock_page(page);
		page_cache_release(page);
	}
}

void op_start_writeback(const struct op *op)
{
	run_on_fiber(op, op->args[2], start_writeback_body);
}

enum { WRITEPAGES_NONE, WRITEPAGES_ALL, WRITEPAGES_CYCLIC, WRITEPAGES_TAGGED };

static void writepages_body(void *argument)
{
	const struct op *op = argument;
	struct writeback_control wbc = {
		.nr_to_write = op->args[3],
		.range_start = (loff_t)op->args[1] << PAGE_SHIFT,
		.range_end = op->args[2] < FILE_PAGES ? ((loff_t)op->args[2] << PAGE_SHIFT) + PAGE_SIZE - 1 : LLONG_MAX,
		.sync_mode = op->args[4] == WRITEPAGES_ALL ? WB_SYNC_ALL : WB_SYNC_NONE,
		.range_cyclic = op->args[4] == WRITEPAGES_CYCLIC,
		.tagged_writepages = op->args[4] == WRITEPAGES_TAGGED,
	};

	wb_watch_writepages_begin(op->args[0], &wbc);
	do_writepages(mapping_of(op), &wbc);
	if (exec_state.checks != CHECKS_OFF)
		judge_walk_over();
	wb_watch_writepages_end();
}

void op_writepages(const struct op *op)
{
	run_on_fiber(op, PAGEVEC_SIZE, writepages_body);
}

static void throttle_body(void *argument)
{
	wb_watch_throttle_begin();
	throttle_vm_writeout(((const struct op *)argument)->args[0]);
}

void op_throttle_vm_writeout(const struct op *op)
{
	run_on_fiber(op, PAGEVEC_SIZE, throttle_body);
}

/*
 * Operations that do not.
 */
void op_end_writeback(const struct op *op)
{
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	bdi_device_complete(&bdi_devices[op->args[0]], op->args[1]);
	exec_step_end();
}

enum { VM_DIRTY_RATIO, VM_DIRTY_BYTES, VM_DIRTY_BACKGROUND_RATIO, VM_DIRTY_BACKGROUND_BYTES,
       VM_DIRTY_WRITEBACK_CENTISECS, VM_DIRTY_EXPIRE_CENTISECS, VM_HIGHMEM_IS_DIRTYABLE, VM_LAPTOP_MODE };

/* A number in range is in force at once; others are refused. */
static struct call_record written_int(bool in_range, int value, int result, int got)
{
	return (struct call_record){
		.kind = CALL_TUNABLE, .wanted = in_range, .asked = value, .result = result, .got = got
	};
}

/* Bytes below the least are passed over in silence, as by the parser; too many to count in pages are refused. */
static struct call_record written_bytes(unsigned long value, unsigned long least, int result, unsigned long got)
{
	bool fits = !patched(LIMITS_BELOW_UINTMAX) || value / PAGE_SIZE + (value % PAGE_SIZE != 0) <= UINT_MAX;

	return written_int(fits, true, result, value < least || got == value);
}

static struct call_record write_vm_bytes(unsigned int name, unsigned long value)
{
	int result;

	if (name == VM_DIRTY_BYTES) {
		result = dirty_bytes_handler(value);
		return written_bytes(value, 2 * PAGE_SIZE, result, vm_dirty_bytes);
	}
	result = dirty_background_bytes_handler(value);
	return written_bytes(value, 1, result, dirty_background_bytes);
}

static struct call_record write_vm_ratio(unsigned int name, int value)
{
	bool in_range = 0 <= value && value <= 100;
	int result;

	if (name == VM_DIRTY_RATIO) {
		result = dirty_ratio_handler(value);
		return written_int(in_range, value, result, vm_dirty_ratio);
	}
	result = dirty_background_ratio_handler(value);
	return written_int(in_range, value, result, dirty_background_ratio);
}

static struct call_record write_vm_time(unsigned int name, int value)
{
	int result;

	if (name == VM_DIRTY_WRITEBACK_CENTISECS) {
		result = dirty_writeback_centisecs_handler(value);
		return written_int(true, value, result, (int)dirty_writeback_interval);
	}
	if (name == VM_DIRTY_EXPIRE_CENTISECS) {
		result = dirty_expire_centisecs_handler(value);
		return written_int(value >= 0, value, result, (int)dirty_expire_interval);
	}
	result = laptop_mode_handler(value);
	return written_int(true, (int)((unsigned int)value * machine->hz), result, laptop_mode);
}

static struct call_record write_vm_sysctl(unsigned int name, unsigned long value)
{
	switch (name) {
	case VM_DIRTY_RATIO:
	case VM_DIRTY_BACKGROUND_RATIO:
		return write_vm_ratio(name, (int)value);
	case VM_DIRTY_BYTES:
	case VM_DIRTY_BACKGROUND_BYTES:
		return write_vm_bytes(name, value);
	case VM_HIGHMEM_IS_DIRTYABLE:
		if (zone_configured(ZONE_HIGHMEM)) {
			int flag = (int)value;
			int result = highmem_is_dirtyable_handler(flag);

			return written_int(flag == 0 || flag == 1, flag, result, vm_highmem_is_dirtyable);
		}
		return (struct call_record){ .kind = CALL_OTHER, .pfn = VIEW_NO_PFN };
	default:
		return write_vm_time(name, (int)value);
	}
}

static void write_vm_tunable(unsigned int name, unsigned long value)
{
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	wb_model_tunable(name, value);
	ops_note_vm_tunable();
	last_call = write_vm_sysctl(name, value);
	exec_step_end();
}

void op_vm_sysctl(const struct op *op)
{
	write_vm_tunable(op->args[0], (unsigned long)op->args[1] << op->args[2]);
}

/* As who sets one sets the other. A gap beyond the limit leaves a background limit of one page. */
void op_dirty_limits(const struct op *op)
{
	unsigned long pages = op->args[0], gap = min(pages - 1, (unsigned long)op->args[1]);

	write_vm_tunable(VM_DIRTY_BYTES, pages * PAGE_SIZE);
	write_vm_tunable(VM_DIRTY_BACKGROUND_BYTES, (pages - gap) * PAGE_SIZE);
}

void op_device(const struct op *op)
{
	struct bdi_device *device = &bdi_devices[op->args[0]];

	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	wb_model.used = true;
	bdi_device_set(device, op->args[1], op->args[2], op->args[3]);
	wb_model.faults |= (op->args[4] || op->args[5]) << op->args[0];
	device->refuse_every = op->args[4];
	device->redirty_every = op->args[5];
	device->error_every = op->args[6];
	exec_step_end();
}

enum { BDI_MIN_RATIO, BDI_MAX_RATIO, BDI_CAPABILITIES, BDI_REGISTERED };

#define BDI_CAPABILITIES_MASK 0x1fU
/* What decides whether a page is counted must not change while pages are. */
#define BDI_CAPABILITIES_ACCOUNT (BDI_CAP_NO_ACCT_DIRTY | BDI_CAP_NO_WRITEBACK | BDI_CAP_NO_ACCT_WB)

static void write_max_ratio(struct backing_dev_info *bdi, unsigned int value)
{
	bool in_range = value <= 100 && value >= bdi->min_ratio;
	int result = bdi_set_max_ratio(bdi, value);

	last_call = written_int(in_range, (int)value, result, (int)bdi->max_ratio);
}

static bool has_pages(unsigned int number)
{
	unsigned int file;

	for (file = number; file < FILES_MAX; file += BDIS_MAX)
		if (file_mapping(file)->nrpages)
			return true;
	return bdi_devices[number].nr_queued != 0;
}

static void set_capabilities(struct backing_dev_info *bdi, unsigned int capabilities)
{
	capabilities &= BDI_CAPABILITIES_MASK;
	if (((capabilities ^ bdi->capabilities) & BDI_CAPABILITIES_ACCOUNT) && has_pages(bdi->number))
		exec_skip(SKIP_MISUSE);
	else
		bdi->capabilities = capabilities;
	wb_model.uncounted |= !bdi_cap_account_dirty(bdi);
	wb_model.unwritten |= (unsigned int)!bdi_cap_account_writeback(bdi) << bdi->number;
	wb_model.strictlimit |= bdi->capabilities & BDI_CAP_STRICTLIMIT;
}

/* Who is gone has no ratios in sysfs, and can only come back. */
static void change_bdi(struct backing_dev_info *bdi, unsigned int what, unsigned int value)
{
	if (!test_bit(WB_registered, &bdi->wb.state) && what != BDI_REGISTERED)
		exec_skip(SKIP_DEAD);
	else if (what == BDI_MIN_RATIO)
		bdi_set_min_ratio(bdi, value);
	else if (what == BDI_MAX_RATIO)
		write_max_ratio(bdi, value);
	else if (what == BDI_CAPABILITIES)
		set_capabilities(bdi, value);
	else if (value & 1)
		bdi_register(bdi);
	else
		bdi_unregister(bdi);
}

static void change_device(unsigned int number, unsigned int what, unsigned int value)
{
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	wb_model.used = true;
	change_bdi(&bdi_devices[number].bdi, what, value);
	if (exec_state.states && exec_state.checks != CHECKS_OFF)
		states_device(number);
	exec_step_end();
}

void op_bdi(const struct op *op)
{
	change_device(op->args[0], op->args[1], op->args[2]);
}

/* As FUSE does for its own devices. */
void op_strictlimit(const struct op *op)
{
	unsigned int others = bdi_devices[op->args[0]].bdi.capabilities & ~(unsigned int)BDI_CAP_STRICTLIMIT;

	change_device(op->args[0], BDI_CAPABILITIES, others | (op->args[1] ? BDI_CAP_STRICTLIMIT : 0));
}

void op_unstable(const struct op *op)
{
	struct zone *zone = ops_zone_at(op->args[0], op->args[1]);
	unsigned int bdi = op->args[2];
	long now, delta;

	if (!zone) {
		exec_skip(SKIP_NO_ZONE);
		return;
	}
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	wb_model.used = true;
	now = wb_model.unstable[zone->slot][bdi];
	delta = clamp(now + (int)op->args[3], 0L, UNSTABLE_MAX) - now;
	wb_model.unstable[zone->slot][bdi] += delta;
	wb_model.changes++;
	wb_model.unthrottled += delta > 0 ? (unsigned long)delta : 0;
	mod_zone_page_state(zone, NR_UNSTABLE_NFS, delta);
	__add_wb_stat(&bdi_devices[bdi].bdi.wb, WB_RECLAIMABLE, delta);
	exec_step_end();
}

void op_kill(const struct op *op)
{
	task_kill(&tasks[op->args[0]]);
}

/*
 * Work that a short-lived task has not paid for is not forgiven: its CPU keeps it for others. But a killed task may leave
 * without a pause, and what another had to its credit pays for several. Whoever comes next has an allowance of its own.
 */
void op_exit(const struct op *op)
{
	struct task_struct *task = &tasks[op->args[0]];

	if (task_is_asleep(task)) {
		exec_skip(SKIP_ASLEEP);
		return;
	}
	wb_model.unthrottled += wb_watch_exit(task->number);
	*this_cpu_ptr(dirty_throttle_leaks) += task->nr_dirtied;
	task->nr_dirtied = 0;
	task->nr_dirtied_pause = INITIAL_NR_DIRTIED_PAUSE;
	task->dirty_paused_when = 0;
	task->fatal_signal = false;
}

void op_flush(const struct op *op)
{
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	wakeup_flusher_threads(op->args[0]);
	exec_step_end();
}

void op_idle(const struct op *op)
{
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	jiffies_advance_idle(op->args[0]);
	exec_step_end();
}

/*
 * A run.
 */
static void forget_page(struct page *page)
{
	held_by_file_no_more(page_to_pfn(page));
}

void ops_writeback_begin(void)
{
	host_fibers_forget();
	file_pages_left = LIMIT_FILE_PAGES;
	tasks_begin(LIMIT_WAKEUPS, LIMIT_PASSING_WORK);
	page_cache_freed = forget_page;
	wb_model_begin();
	wb_watch_begin();
}

static void take_away(unsigned int slot, enum wb_item item, enum zone_stat_item counter)
{
	long phantom = wb_model.phantom[slot][item];

	mod_zone_page_state(physmem_zone_in_slot(slot), counter, -phantom);
	wb_model.phantom[slot][item] = 0;
}

/* Servers commit, and writeback with no page behind it is over: nobody must wait for that for ever. */
static void end_phantoms(void)
{
	unsigned int slot, bdi;

	for (slot = 0; slot < view_nr_slots(); slot++) {
		if (!view_populated(slot))
			continue;
		take_away(slot, WB_ITEM_WRITEBACK, NR_WRITEBACK);
		take_away(slot, WB_ITEM_UNSTABLE, NR_UNSTABLE_NFS);
		for (bdi = 0; bdi < BDIS_MAX; bdi++) {
			long unstable = wb_model.unstable[slot][bdi];

			mod_zone_page_state(physmem_zone_in_slot(slot), NR_UNSTABLE_NFS, -unstable);
			__add_wb_stat(&bdi_devices[bdi].bdi.wb, WB_RECLAIMABLE, -unstable);
			wb_model.unstable[slot][bdi] = 0;
		}
	}
}

static void recover_devices(void)
{
	unsigned int i;

	for (i = 0; i < BDIS_MAX; i++) {
		struct bdi_device *device = &bdi_devices[i];

		if (device->bandwidth < RECOVERED_BANDWIDTH || device->latency || device->depth < RECOVERED_DEPTH)
			bdi_device_set(device, RECOVERED_BANDWIDTH, 0, RECOVERED_DEPTH);
	}
}

void ops_writeback_end(void)
{
	unsigned long calls = exec_state.calls, work = exec_state.work;

	if (!wb_model.used)
		return;
	/* This step does not count: it is always made. */
	exec_state.calls = exec_state.work = 0;
	exec_step_begin(LIMIT_CALL_WORK);
	exec_state.calls = calls;
	exec_state.work = work;
	recover_devices();
	/* An interrupt may have left tasks due: what they begin must come to an end, too. */
	tasks_run_due();
	if (tasks_asleep())
		end_phantoms();
	CHECK(tasks_finish(LIMIT_WAKEUPS), "%u tasks do not come to an end", tasks_asleep());
	exec_step_end();
	if (exec_state.checks == CHECKS_OFF)
		return;
	wb_model_count_pages();
	invariants_run(COST_REST);
}

static unsigned long hash_wb(const struct bdi_writeback *wb, unsigned long hash,
			     unsigned long (*mix)(unsigned long hash, unsigned long value))
{
	unsigned int i;

	hash = mix(hash, wb->state);
	for (i = 0; i < NR_WB_STAT_ITEMS; i++)
		hash = mix(hash, (unsigned long)percpu_counter_sum(&wb->stat[i]));
	hash = mix(hash, wb->bw_time_stamp);
	hash = mix(hash, wb->write_bandwidth);
	hash = mix(hash, wb->avg_write_bandwidth);
	hash = mix(hash, wb->dirty_ratelimit);
	hash = mix(hash, wb->balanced_dirty_ratelimit);
	hash = mix(hash, (unsigned long)percpu_counter_sum(&wb->completions.events));
	return mix(hash, (unsigned long)wb->dirty_exceeded);
}

unsigned long ops_writeback_hash(unsigned long hash, unsigned long (*mix)(unsigned long hash, unsigned long value))
{
	unsigned int i;

	hash = mix(hash, global_wb_domain.dirty_limit);
	hash = mix(hash, global_wb_domain.period_time);
	hash = mix(hash, (unsigned long)ratelimit_pages);
	for (i = 0; i < BDIS_MAX; i++) {
		hash = hash_wb(&bdi_devices[i].bdi.wb, hash, mix);
		hash = mix(hash, bdi_devices[i].nr_queued);
		hash = mix(hash, bdi_devices[i].written);
	}
	for (i = 0; i < TASKS_MAX; i++) {
		hash = mix(hash, (unsigned long)tasks[i].nr_dirtied);
		hash = mix(hash, (unsigned long)tasks[i].nr_dirtied_pause);
		hash = mix(hash, tasks[i].dirty_paused_when);
	}
	return hash;
}
