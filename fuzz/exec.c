// SPDX-License-Identifier: GPL-2.0
/*
 * exec.c - where a run is (exec.h): steps, their context, what is judged after each, and the state hash. A step is one
 * call into mm; the operations themselves are ops.c.
 */
#include "mm/internal.h"
#include "fault.h"
#include "finding.h"
#include "machine_boot.h"
#include "reclaim.h"
#include "sleep.h"
#include "fuzz/census.h"
#include "fuzz/exec.h"
#include "fuzz/fair_watch.h"
#include "fuzz/held.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"
#include "fuzz/model.h"
#include "fuzz/ops.h"
#include "fuzz/ops_writeback.h"
#include "fuzz/states.h"
#include "fuzz/wb_watch.h"

struct exec_state exec_state;

/*
 * Booting.
 */
static void observe_boot(void)
{
	census_boot();
	fair_watch_boot();
	invariants_run(COST_BOOT);
}

struct world *exec_boot_machine(const struct machine_config *config)
{
	trace_observe(NULL);
	return machine_boot(config, observe_boot);
}

/*
 * Steps.
 */
static void enter_context(const struct op *op)
{
	struct cpu_context *context;

	current_cpu = op->cpu % (int)machine->nr_cpus;
	current_task = &tasks[op->task % TASKS_MAX];
	context = this_context();
	context->serving_softirq = op->context == CONTEXT_SOFTIRQ;
	context->in_hardirq = op->context == CONTEXT_HARDIRQ;
}

static void leave_context(void)
{
	this_context()->serving_softirq = false;
	this_context()->in_hardirq = false;
	fault_nth = 0;
}

static unsigned long step_jiffies;       /* when it began */

static void begin_step(unsigned long work)
{
	world_next_op();
	wb_model_next_op();
	work_begin(work);
	exec_state.budget = work;
	exec_state.pageblock_writes = view_pageblock_writes();
	step_jiffies = jiffies;
	last_call = (struct call_record){ .pfn = VIEW_NO_PFN };
}

bool exec_step_begin(unsigned long work)
{
	if (exec_state.calls >= LIMIT_CALLS || exec_state.work >= LIMIT_RUN_WORK) {
		exec_skip(SKIP_CALLS);
		return false;
	}
	exec_state.calls++;
	begin_step(work);
	return true;
}

/* An allocation or a free that took no time, and that writeback had no part in, leaves it as it was. */
static bool writeback_may_have_changed(void)
{
	bool allocator = last_call.kind == CALL_ALLOC || last_call.kind == CALL_FREE;

	return wb_model.used && (!allocator || jiffies != step_jiffies || wb_watch_spoke());
}

/*
 * What was touched is judged now: the call, then pages and zones, then (if asked) everything. The model speaks last, for
 * what an invariant says is more precise.
 */
static void end_step(void)
{
	exec_state.work += exec_state.budget - work_left;
	if (exec_state.checks == CHECKS_OFF)
		return;
	census_update();
	judge_step();
	if (writeback_may_have_changed())
		invariants_run(COST_CALL);
	if (exec_state.checks == CHECKS_FULL)
		invariants_run(COST_WALK);
	model_step_end();
}

/*
 * Tasks whose time came meanwhile run in a step of their own: what they do is not what the operation does, and no fault is
 * meant for them. They run now and not when the next step begins, which has looked at the world already: their reclaim may
 * free what the program holds.
 */
void exec_step_end(void)
{
	unsigned int nth = fault_nth;

	end_step();
	if (in_interrupt() || !time_tasks_due())
		return;
	fault_nth = 0;
	begin_step(LIMIT_CALL_WORK);
	tasks_run_due();
	end_step();
	fault_nth = nth;
}

void exec_skip(enum skip_reason reason)
{
	exec_state.skipped++;
	trace_emit(TRACE_OP_SKIPPED, exec_state.op, reason, 0, 0);
}

/* What counts without checks, too. */
static bool is_for_ledger(enum trace_kind kind)
{
	return kind == TRACE_CALLER_WARNING || kind == TRACE_PAGE_LEAKED;
}

static void note_in_ledger(const struct trace_record *record)
{
	if (record->kind == TRACE_CALLER_WARNING)
		exec_state.caller_warnings++;
	else
		held_leak(record->a, (unsigned int)record->b);
}

static void watch_allocation(const struct trace_record *record)
{
	scan_watch(record);
	if (model_watchers[record->kind])
		model_watchers[record->kind](record);
}

static void observe(const struct trace_record *record)
{
	if (unlikely(is_for_ledger(record->kind)))
		note_in_ledger(record);
	if (wb_watch_wants(record->kind))
		wb_watch_record(record);
	else
		watch_allocation(record);
	if (exec_state.states)
		states_record(record);
}

/* Whoever is the only one to watch a kind is called without detours. */
static trace_observer_fn observer_of(enum trace_kind kind)
{
	bool watched = wb_watch_wants(kind) || scan_watchers[kind] || model_watchers[kind];

	if (exec_state.checks == CHECKS_OFF)
		return is_for_ledger(kind) ? note_in_ledger : NULL;
	if (is_for_ledger(kind) || (watched && exec_state.states))
		return observe;
	if (wb_watch_wants(kind))
		return wb_watch_record;
	return model_watchers[kind] ? watch_allocation : scan_watchers[kind];
}

/* A table for each way to run, made when it is first used. */
static void observe_run(void)
{
	static struct {
		bool made;
		trace_observer_fn observers[NR_TRACE_KINDS];
	} tables[2][2], *table;
	unsigned int kind;

	table = &tables[exec_state.checks != CHECKS_OFF][exec_state.states];
	for (kind = 0; kind < NR_TRACE_KINDS && !table->made; kind++)
		table->observers[kind] = observer_of(kind);
	table->made = true;
	trace_observe(table->observers);
}

/* The census forgets what the run before touched: a program without a call is judged, too. */
void exec_begin(const struct program *program, const struct run_options *options)
{
	exec_state = (struct exec_state){ .program = program, .checks = options->checks, .op = ~0U,
					  .states = options->states, .misuse_allowed = options->misuse,
					  .grouped = !view_mobility_disabled() };
	held_begin();
	census_update();
	ops_begin();
	scan_watch_begin();
	model_begin();
	trace_reset();
	observe_run();
	reclaim_release = ops_release_held;
	reclaim_migrate = ops_migrate_held;
	ops_writeback_begin();
	judge_dirty_begin();
}

/* A function of its own in every build: debuggers stop here (mmfuzz run --stop-at). */
__attribute__((__noinline__)) void exec_op(unsigned int index)
{
	const struct op *op = &exec_state.program->ops[index];

	exec_state.op = index;
	trace_emit(TRACE_OP, index, op->repeat, 0, 0);
	ops_op_begin(op);
	for (exec_state.repeat = 0; exec_state.repeat < op->repeat; exec_state.repeat++) {
		enter_context(op);
		exec_state.cpu = (unsigned int)current_cpu;
		fault_nth = op->fail_nth > exec_state.repeat ? op->fail_nth - exec_state.repeat : 0;
		ops_run(op);
		leave_context();
	}
}

void exec_end(void)
{
	exec_state.op = ~0U;
	ops_writeback_end();
	last_call = (struct call_record){ .pfn = VIEW_NO_PFN };
	if (exec_state.checks == CHECKS_OFF)
		return;
	judge_call(&last_call);
	invariants_run(COST_END);
}

void exec_walk(void)
{
	invariants_run(COST_WALK);
}

void exec_forget(void)
{
	trace_observe(NULL);
	held_forget();
}

unsigned long exec_jiffies(void)
{
	return jiffies;
}

void exec_count_checks(_Bool count)
{
	invariants_counted = count;
}

unsigned long exec_checks(void)
{
	return invariants_evaluated();
}

_Bool exec_nofail_used_up(void)
{
	return ops_in_nofail_call() && work_is_used_up();
}

const char *exec_zone_name(unsigned int slot)
{
	return view_zone_name(slot);
}

/*
 * The state hash.
 */
static unsigned long mix(unsigned long hash, unsigned long value)
{
	hash = (hash ^ value) * 0x9fb21c651e98df25UL;
	return hash ^ hash >> 32;
}

static unsigned long hash_zone(unsigned long hash, const struct zone *zone)
{
	int cpu, item, order;

	hash = mix(hash, zone->managed_pages);
	hash = mix(hash, zone->flags);
	hash = mix(hash, zone->nr_reserved_highatomic);
	hash = mix(hash, zone->nr_isolate_pageblock);
	hash = mix(hash, zone->dirty_limit_cached);
	for (item = 0; item < NR_WMARK; item++)
		hash = mix(hash, zone->watermark[item]);
	for (item = 0; item < NR_VM_ZONE_STAT_ITEMS; item++)
		hash = mix(hash, (unsigned long)atomic_long_read(&zone->vm_stat[item]));
	for (order = 0; order < MAX_ORDER; order++)
		hash = mix(hash, zone->free_area[order].nr_free);
	for_each_online_cpu(cpu) {
		const struct per_cpu_pageset *pset = per_cpu_ptr(zone->pageset, cpu);

		hash = mix(hash, (unsigned long)pset->pcp.count);
		hash = mix(hash, (unsigned long)pset->pcp.high << 32 | (unsigned int)pset->pcp.batch);
		for (item = 0; item < NR_VM_ZONE_STAT_ITEMS; item++)
			hash = mix(hash, (unsigned long)pset->vm_stat_diff[item]);
	}
	return hash;
}

/* Links count as the frame of the neighbour, or as the end of the list. */
static unsigned long hash_descriptor(unsigned long hash, const struct page *page)
{
	struct list_place place = census_place(page_to_pfn(page));
	const struct page *next = page->list ? list_page(page->lru.next) : NULL;

	hash = mix(hash, page_to_pfn(page));
	hash = mix(hash, page->flags);
	hash = mix(hash, (unsigned long)(unsigned int)page->refcount << 32 | (unsigned int)page->mapcount_biased);
	hash = mix(hash, page->index);
	hash = mix(hash, page->private);
	hash = mix(hash, (unsigned long)PageTail(page));
	hash = mix(hash, (unsigned long)place.kind << 24 | (unsigned long)place.slot << 16 |
				 (unsigned long)place.which << 8 | place.type);
	return mix(hash, next ? page_to_pfn(next) : ~0UL);
}

unsigned long exec_state_hash(void)
{
	const struct page *pre_image;
	unsigned long hash = 1;
	unsigned long i;
	struct zone *zone;

	for_each_zone(zone)
		hash = hash_zone(hash, zone);
	for (i = 0; i < NR_VM_ZONE_STAT_ITEMS; i++)
		hash = mix(hash, (unsigned long)atomic_long_read(&vm_stat[i]));
	for (i = 0; i < NR_VM_EVENT_ITEMS; i++)
		hash = mix(hash, vm_event_sum((enum vm_event_item)i));
	for (i = 0; i < world_nr_saved(); i++)
		hash = hash_descriptor(hash, world_saved(i, &pre_image));
	hash = ops_writeback_hash(hash, mix);
	hash = mix(hash, jiffies);
	return mix(hash, (unsigned long)page_group_by_mobility_disabled);
}
