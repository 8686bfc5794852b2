// SPDX-License-Identifier: GPL-2.0
/*
 * ops.c - each operation of ops.def: the few lines that call mm as its callers would, and what the ledger learns
 * (ops.h says which file has which).
 *
 * A request that a caller may not make (undefined zone bits, both mobility bits, sleeping in interrupt context) is
 * skipped here: it would find the program's fault, not mm's.
 */
#include "mm/internal.h"
#include <linux/seq_file.h>
#include "fault.h"
#include "reclaim.h"
#include "sleep.h"
#include "fuzz/fair_watch.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"
#include "fuzz/ops.h"
#include "fuzz/ops_writeback.h"

/* Reclaim scripts must end: so many OOM kills of one script do something. */
#define OOM_KILLS_PER_SCRIPT 4
/* Every file of every machine is shorter. */
#define PROC_BYTES (128 << 10)
/* Counters that stand for pages elsewhere in the kernel stay within what a machine could have. */
#define COUNTER_MAX (1L << 24)

__world static unsigned long forced_marks;   /* a bit for each zone slot */
__world static char asked_zonelist_order;     /* 0: the machine's */
__world static bool vm_tunables_written;
__world static bool min_free_written;
static unsigned int next_producer;
static bool nofail_call;

void ops_begin(void)
{
	next_producer = 0;
	nofail_call = false;
}

void ops_op_begin(const struct op *op)
{
	if (op_makes[op->code])
		held_producer_begin(next_producer++);
}

_Bool ops_marks_forced(unsigned int slot)
{
	return forced_marks >> slot & 1;
}

_Bool ops_any_marks_forced(void)
{
	return forced_marks != 0;
}

_Bool ops_vm_tunables_written(void)
{
	return vm_tunables_written;
}

_Bool ops_min_free_written(void)
{
	return min_free_written;
}

void ops_note_vm_tunable(void)
{
	vm_tunables_written = true;
}

char ops_zonelist_order(void)
{
	return asked_zonelist_order ? asked_zonelist_order : machine->numa_zonelist_order;
}

_Bool ops_in_nofail_call(void)
{
	return nofail_call;
}

struct zone *ops_zone_at(unsigned int node, unsigned int type)
{
	struct zone *zone;

	if (!node_online((int)node))
		return NULL;
	zone = &NODE_DATA(node)->node_zones[type];
	return populated_zone(zone) ? zone : NULL;
}

/*
 * Allocating and freeing.
 */
_Bool ops_bits_are_misuse(unsigned int gfp)
{
	return (0xe8e8U >> (gfp & GFP_ZONEMASK) & 1) || (gfp & GFP_MOVABLE_MASK) == GFP_MOVABLE_MASK;
}

_Bool ops_request_begin(unsigned int gfp)
{
	if ((gfp & __GFP_DIRECT_RECLAIM) && in_interrupt()) {
		exec_skip(SKIP_CONTEXT);
	} else if (exec_step_begin(gfp & __GFP_NOFAIL ? LIMIT_NOFAIL_WORK : LIMIT_CALL_WORK)) {
		nofail_call = gfp & __GFP_NOFAIL;
		return true;
	}
	held_add_nothing();
	return false;
}

void ops_request_end(const struct page *page, unsigned int order, unsigned int gfp, unsigned int node,
		     unsigned int nodemask)
{
	nofail_call = false;
	last_call = (struct call_record){
		.kind = CALL_ALLOC,
		.pfn = page ? page_to_pfn(page) : VIEW_NO_PFN,
		.order = order,
		.gfp = gfp,
		.node = node,
		.nodemask = nodemask,
		.cpu = exec_state.cpu,
	};
	last_call.overlaps_held = page && held_overlaps(last_call.pfn, 1UL << order);
}

void op_alloc_pages(const struct op *op)
{
	unsigned int order = op->args[0];
	gfp_t gfp = op->args[1];
	int node = (int)(op->args[2] % (unsigned int)nr_online_nodes);
	nodemask_t mask = { op->args[3] };
	struct page *page;

	if (ops_bits_are_misuse(gfp)) {
		exec_skip(SKIP_MISUSE);
		held_add_nothing();
		return;
	}
	if (!ops_request_begin(gfp))
		return;
	page = __alloc_pages_nodemask(gfp, order, node_zonelist(node, gfp), mask.bits ? &mask : NULL);
	ops_request_end(page, order, gfp, op->args[2], op->args[3]);
	if (page)
		held_add(page_to_pfn(page), order, PageHead(page));
	else
		held_add_nothing();
	exec_step_end();
}

static void free_block(struct page *page, unsigned int order, bool cold)
{
	if (!cold || order)
		__free_pages(page, order);
	else if (put_page_testzero(page))
		free_hot_cold_page(page, true);
}

void ops_free_entry(unsigned int entry, _Bool cold)
{
	const struct held_block *block = held_block(entry);
	struct page *page = pfn_to_page(block->pfn);
	unsigned int i;

	held_drop(entry);
	switch (block->kind) {
	case HELD_BLOCK:
		free_block(page, block->order, cold);
		break;
	case HELD_SPLIT:
		for (i = 0; i < block->nr_pages; i++)
			free_block(page + i, 0, cold);
		break;
	case HELD_EXACT:
		free_pages_exact(page_address(page), (size_t)block->nr_pages << PAGE_SHIFT);
		break;
	case HELD_CONTIG:
		free_contig_range(block->pfn, block->nr_pages);
		break;
	}
}

void ops_for_each(const struct op *op, _Bool (*fits)(const struct op *op, const struct held_block *block),
		  void (*body)(const struct op *op, unsigned int entry))
{
	bool any = false, any_live = false;
	unsigned int entry, end;

	held_resolve(op->args[0], op->element, &entry, &end);
	if (entry == end) {
		exec_skip(SKIP_NO_PRODUCER);
		return;
	}
	for (; entry < end; entry++) {
		any_live |= held_block(entry)->live;
		if (!fits(op, held_block(entry)))
			continue;
		if (!exec_step_begin(LIMIT_CALL_WORK))
			return;
		any = true;
		body(op, entry);
		exec_step_end();
	}
	if (!any)
		exec_skip(any_live ? SKIP_KIND : SKIP_DEAD);
}

static _Bool is_live(const struct op *op, const struct held_block *block)
{
	return block->live;
}

static void free_one(const struct op *op, unsigned int entry)
{
	const struct held_block *block = held_block(entry);

	if (block->kind == HELD_BLOCK)
		last_call = (struct call_record){ .kind = CALL_FREE, .pfn = block->pfn, .order = block->order };
	ops_free_entry(entry, op->args[1]);
}

void op_free_pages(const struct op *op)
{
	ops_for_each(op, is_live, free_one);
}

/* Oldest first; called from inside a call, so it is part of that call's step. */
unsigned long ops_release_held(unsigned long nr_pages, unsigned int slot)
{
	unsigned long released = 0;
	unsigned int entry;

	for (entry = held_oldest(); entry < held_count() && released < nr_pages; entry++) {
		const struct held_block *block = held_block(entry);

		if (!block->live || (slot != RECLAIM_ANY_ZONE && view_slot_of_pfn(block->pfn) != slot))
			continue;
		released += block->nr_pages;
		ops_free_entry(entry, false);
	}
	return released;
}

/*
 * Per-CPU lists and counters.
 */
void op_drain_all_pages(const struct op *op)
{
	struct zone *zone = op->args[0] ? NULL : ops_zone_at(op->args[1], op->args[2]);

	if (!op->args[0] && !zone) {
		exec_skip(SKIP_NO_ZONE);
		return;
	}
	if (in_interrupt()) {
		exec_skip(SKIP_CONTEXT);
		return;
	}
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	last_call = (struct call_record){ .kind = CALL_DRAIN_ALL, .slot = zone ? zone->slot : VIEW_SLOTS_MAX };
	drain_all_pages(zone);
	exec_step_end();
}

void op_drain_local_pages(const struct op *op)
{
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	drain_local_pages(NULL);
	exec_step_end();
}

void op_vmstat_fold(const struct op *op)
{
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	if (op->args[0] && machine->smp)
		vmstat_refresh();
	else
		refresh_cpu_vm_stats(true);
	exec_step_end();
}

void op_refresh_thresholds(const struct op *op)
{
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	refresh_zone_stat_thresholds();
	exec_step_end();
}

void op_read_proc(const struct op *op)
{
	static char text[PROC_BYTES];
	struct seq_file m = { text, sizeof(text), 0 };

	/* Nothing changes by reading, and a text is dear. */
	if (exec_state.repeat || !exec_step_begin(LIMIT_CALL_WORK))
		return;
	exec_read_proc((enum proc_file)op->args[0], &m);
	CHECK(m.count < m.size, "/proc text of %lu bytes", (unsigned long)m.count);
	if (exec_state.checks != CHECKS_OFF)
		judge_proc(op->args[0], text);
	exec_step_end();
}

void op_tick(const struct op *op)
{
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	if (exec_state.checks != CHECKS_OFF)
		judge_time_begins();
	last_call = (struct call_record){ .kind = CALL_TICK, .asked = (int)op->args[0] };
	/* Tasks do not run on top of an interrupt. */
	if (in_interrupt()) {
		jiffies_advance(op->args[0]);
	} else if (!tasks_let_time_pass(op->args[0])) {
		last_call.kind = CALL_OTHER;
		exec_skip(SKIP_WAKEUPS);
	}
	exec_step_end();
}

/*
 * Tunables and marks.
 */
enum { SYSCTL_MIN_FREE_KBYTES, SYSCTL_WATERMARK_SCALE_FACTOR, SYSCTL_LOWMEM_RESERVE_RATIO,
       SYSCTL_PERCPU_PAGELIST_FRACTION, SYSCTL_ZONE_RECLAIM_MODE, SYSCTL_NUMA_ZONELIST_ORDER };

/* What was written, whether it has to be taken, and what the handler made of it. */
static struct call_record tunable(bool in_range, unsigned int value, int result, int got)
{
	return (struct call_record){
		.kind = CALL_TUNABLE, .wanted = in_range, .asked = (int)value, .result = result, .got = got
	};
}

static void write_marks(unsigned int name, unsigned int value)
{
	bool kbytes = name == SYSCTL_MIN_FREE_KBYTES;
	bool in_range = kbytes ? (int)value >= 0 : value >= 1 && value <= 1000;
	int result = kbytes ? min_free_kbytes_sysctl_handler((int)value) :
			      watermark_scale_factor_sysctl_handler((int)value);

	if (result == 0)
		forced_marks = 0;
	min_free_written |= kbytes;
	last_call = tunable(in_range, value, result, kbytes ? view_min_free_kbytes() : view_watermark_scale_factor());
}

static void write_ratio(unsigned int index, unsigned int value)
{
	bool in_range = index < MAX_NR_ZONES - 1;
	int result = lowmem_reserve_ratio_sysctl_handler((int)index, (int)value);

	last_call = tunable(in_range, value, result, in_range ? view_lowmem_reserve_ratio(index) : 0);
}

static void write_fraction(unsigned int value)
{
	bool in_range = value == 0 || (int)value >= 8;
	int result = percpu_pagelist_fraction_sysctl_handler((int)value);

	exec_state.pcp_sizes_changed |= result == 0;
	last_call = tunable(in_range, value, result, view_percpu_pagelist_fraction());
}

static void write_zonelist_order(char order)
{
	int result = numa_zonelist_order_handler(order);

	asked_zonelist_order = order;
	last_call = tunable(true, 0, result, 0);
}

static void write_sysctl(unsigned int name, unsigned int index, unsigned int value)
{
	switch (name) {
	case SYSCTL_MIN_FREE_KBYTES:
	case SYSCTL_WATERMARK_SCALE_FACTOR:
		write_marks(name, value);
		break;
	case SYSCTL_LOWMEM_RESERVE_RATIO:
		write_ratio(index, value);
		break;
	case SYSCTL_PERCPU_PAGELIST_FRACTION:
		write_fraction(value);
		break;
	case SYSCTL_ZONE_RECLAIM_MODE:
		if (machine->numa)
			zone_reclaim_mode = (int)(value & 7);
		break;
	case SYSCTL_NUMA_ZONELIST_ORDER:
		write_zonelist_order("dnz"[value % 3]);
		break;
	}
}

/* Marks, sizes and zonelists are what the formulas say, and what follows from them starts anew. */
static void judge_configuration(void)
{
	if (exec_state.checks == CHECKS_OFF)
		return;
	invariants_run(COST_BOOT);
	fair_watch_marks_changed();
	scan_watch_forget_lists();
}

void op_sysctl(const struct op *op)
{
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	write_sysctl(op->args[0], op->args[1], op->args[2]);
	exec_state.grouped |= !view_mobility_disabled();
	judge_configuration();
	exec_step_end();
}

void op_watermark(const struct op *op)
{
	struct zone *zone = ops_zone_at(op->args[0], op->args[1]);

	if (!zone) {
		exec_skip(SKIP_NO_ZONE);
		return;
	}
	zone->watermark[WMARK_MIN] = op->args[2];
	zone->watermark[WMARK_LOW] = op->args[2] + op->args[3];
	zone->watermark[WMARK_HIGH] = op->args[2] + op->args[3] + op->args[4];
	forced_marks |= 1UL << zone->slot;
	fair_watch_marks_changed();
}

/*
 * What the rest of the kernel does.
 */
void op_cpuset(const struct op *op)
{
	nodemask_t mems = { op->args[1] & ((1UL << nr_online_nodes) - 1) };

	if (!mems.bits) {
		exec_skip(SKIP_NO_ZONE);
		return;
	}
	if (op->args[2])
		set_mems_allowed_later(&tasks[op->args[0]], mems);
	else
		set_mems_allowed(&tasks[op->args[0]], mems);
}

#define TASK_FLAGS                                                                                     \
	(PF_EXITING | PF_WQ_WORKER | PF_DUMPCORE | PF_MEMALLOC | PF_KSWAPD | PF_MEMALLOC_NOIO |        \
	 PF_LESS_THROTTLE | PF_KTHREAD)

void op_task(const struct op *op)
{
	struct task_struct *task = &tasks[op->args[0]];

	task->flags = op->args[1] & TASK_FLAGS;
	task->prio = (int)op->args[2];
	task->memdie = op->args[3];
}

void op_counter(const struct op *op)
{
	static const enum zone_stat_item items[] = { NR_INACTIVE_FILE, NR_ACTIVE_FILE, NR_INACTIVE_ANON,
						     NR_ACTIVE_ANON,   NR_FILE_DIRTY,  NR_WRITEBACK,
						     NR_UNSTABLE_NFS,  NR_PAGES_SCANNED };
	struct zone *zone = ops_zone_at(op->args[0], op->args[1]);
	enum zone_stat_item item = items[op->args[2]];
	long now, wanted;

	if (!zone) {
		exec_skip(SKIP_NO_ZONE);
		return;
	}
	/* Of what pages of files count in, only phantoms can go away. */
	if (wb_item_of(item) < NR_WB_ITEMS)
		now = wb_model.phantom[zone->slot][wb_item_of(item)];
	else
		now = (long)zone_page_state_snapshot(zone, item);
	wanted = clamp(now + (int)op->args[3], 0L, COUNTER_MAX);
	mod_zone_page_state(zone, item, wanted - now);
	if (wb_item_of(item) < NR_WB_ITEMS)
		wb_model_phantom(zone->slot, wb_item_of(item), wanted - now);
}

void op_reclaim_script(const struct op *op)
{
	reclaim_script.calls = op->args[0];
	reclaim_script.pages = op->args[1];
	reclaim_script.oom = (enum oom_script)op->args[2];
	reclaim_script.oom_calls = OOM_KILLS_PER_SCRIPT;
	reclaim_script.oom_pages = op->args[3];
}

void op_compaction_script(const struct op *op)
{
	reclaim_script.compact_result = op->args[0];
	reclaim_script.compact_contended = op->args[1];
}

void op_zone_reclaim_script(const struct op *op)
{
	reclaim_script.zone_reclaim = (enum zone_reclaim_script)op->args[0];
	reclaim_script.zone_reclaim_pages = op->args[1];
}

void op_kswapd_sleep(const struct op *op)
{
	if (node_online((int)op->args[0]))
		kswapd_sleep(NODE_DATA(op->args[0]));
	else
		exec_skip(SKIP_NO_ZONE);
}

void op_fail_page_alloc(const struct op *op)
{
	fail_page_alloc = (struct fail_page_alloc){ op->args[0], op->args[1], op->args[2], op->args[3] };
}

/*
 * The table.
 */
#define OP(name, makes, ...) [OP_##name] = makes,
const bool op_makes[NR_OPS] = {
#include "fuzz/ops.def"
};
#undef OP

#define OP(name, ...) [OP_##name] = op_##name,
static void (*const run[NR_OPS])(const struct op *op) = {
#include "fuzz/ops.def"
};
#undef OP

void ops_run(const struct op *op)
{
	run[op->code](op);
}
