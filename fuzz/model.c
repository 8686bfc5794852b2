// SPDX-License-Identifier: GPL-2.0
/*
 * model.c - predicting and watching each allocation (model.h): the prediction is made when the first scan begins, for
 * nothing has changed until then, and what came of it is read when the call ends. It is judged when the step is over,
 * after the invariants of the same call, or when the next call of the same step begins.
 */
#include "mm/internal.h"
#include "fuzz/exec.h"
#include "fuzz/judge.h"
#include "fuzz/model.h"
#include "fuzz/scan_watch.h"

static struct model_call call;
static bool scanned;                     /* in this step */
static bool injected;                    /* a failure, in this step */

void model_begin(void)
{
	call.active = false;
	call.finished = false;
	scanned = false;
	injected = false;
}

static unsigned int migratetype_of(unsigned int gfp)
{
	if (view_mobility_disabled() || !(gfp & GFP_MOVABLE_MASK))
		return MIGRATE_UNMOVABLE;
	return gfp & __GFP_MOVABLE ? MIGRATE_MOVABLE : MIGRATE_RECLAIMABLE;
}

/* Specification 3.2. */
static unsigned int limit_of(unsigned int gfp)
{
	switch (gfp & GFP_ZONEMASK) {
	case __GFP_DMA:
	case __GFP_DMA | __GFP_MOVABLE:
		return zone_configured(ZONE_DMA) ? ZONE_DMA : ZONE_NORMAL;
	case __GFP_DMA32:
	case __GFP_DMA32 | __GFP_MOVABLE:
		return zone_configured(ZONE_DMA32) ? ZONE_DMA32 : ZONE_NORMAL;
	case __GFP_HIGHMEM:
		return zone_configured(ZONE_HIGHMEM) ? ZONE_HIGHMEM : ZONE_NORMAL;
	case __GFP_HIGHMEM | __GFP_MOVABLE:
		return ZONE_MOVABLE;
	default:
		return ZONE_NORMAL;
	}
}

struct model_request model_request_of(unsigned int order, unsigned int gfp)
{
	return (struct model_request){
		.order = order,
		.gfp = gfp,
		.migratetype = migratetype_of(gfp),
		.cpu = (unsigned int)current_cpu,
		.list = { .limit = limit_of(gfp), .nodemask = ~0U },
	};
}

/*
 * Watching.
 */
static void judge_finished(void)
{
	if (!call.finished)
		return;
	call.finished = false;
	judge_model(&call);
}

/* A program that has damaged something is not predicted. */
static void begin_call(const struct trace_record *record)
{
	judge_finished();
	call.active = exec_state.damage == DAMAGE_NONE;
	call.predicted_any = false;
	call.task = current;
	call.cpuset_stamp = current->mems_allowed_seq;
	call.jiffies = record->jiffies;
	call.passes = 0;
	call.slow = false;
	call.disturbed = false;
	call.thresholds_moved = false;
	call.request = model_request_of((unsigned int)record->a, (unsigned int)record->b);
	if (record->c != ~0UL)
		call.request.list.nodemask = (unsigned int)record->c;
}

/* A call is followed, and this is heard; from another task it disturbs. */
static bool follows(void)
{
	call.disturbed |= call.active && call.task != current;
	return call.active;
}

static void begin_pass(const struct trace_record *record)
{
	if (!follows())
		return;
	scanned = true;
	if (!call.predicted_any) {
		call.predicted_any = true;
		call.request.list.node = TRACE_PLACE_NODE(record->d);
		call.request.list.thisnode = TRACE_PLACE_LIST(record->d);
		model_predict(&call.request, &call.predicted);
	}
	call.passes += !call.slow;
}

/* Free pages may be as many as a refill took, which is not always known. */
static __attribute__((__noinline__, __cold__)) void note_difference(unsigned int slot, const struct view_stock *left)
{
	const struct view_stock *predicted = &call.predicted.after[slot];
	long most = slot == call.predicted.source ? call.predicted.free_more : 0;
	unsigned long bit = 1UL << slot;

	call.left[slot] = *left;
	if (left->depleted != predicted->depleted)
		call.other_flag |= bit;
	if (left->batch != predicted->batch || left->batch_delta != predicted->batch_delta)
		call.other_batch |= bit;
	if (left->free > predicted->free || left->free < predicted->free - most)
		call.other_free |= bit;
}

static void compare_zone(unsigned int slot)
{
	const struct view_stock *predicted = &call.predicted.after[slot];
	struct view_stock left;

	view_read_stock(slot, call.request.cpu, &left);
	if (left.free != predicted->free || left.batch != predicted->batch ||
	    left.batch_delta != predicted->batch_delta || left.depleted != predicted->depleted)
		note_difference(slot, &left);
}

static void end_call(const struct trace_record *record)
{
	unsigned int slot;

	if (!follows())
		return;
	call.active = false;
	call.finished = call.predicted_any && call.task == current;
	if (!call.finished)
		return;
	call.folded = watch.folded != 0;
	call.disturbed |= call.folded || call.jiffies != record->jiffies;
	call.cpuset_changed = call.cpuset_stamp != current->mems_allowed_seq;
	call.pfn = record->a == TRACE_NO_PFN ? VIEW_NO_PFN : record->a;
	call.source = call.pfn == VIEW_NO_PFN ? MODEL_NO_SLOT : view_slot_of_pfn(call.pfn);
	call.other_flag = 0;
	call.other_batch = 0;
	call.other_free = 0;
	for_each_slot_of(slot, call.predicted.zones)
		compare_zone(slot);
}

static void enter_slowpath(const struct trace_record *record)
{
	if (follows())
		call.slow = true;
}

static void note_wakeup(const struct trace_record *record)
{
	if (follows())
		call.thresholds_moved |= record->d != 0;
}

static void note_free(const struct trace_record *record)
{
	follows();
}

static void note_fault(const struct trace_record *record)
{
	injected = true;
	follows();
}

const trace_observer_fn model_watchers[NR_TRACE_KINDS] = {
	[TRACE_CALL_BEGIN] = begin_call,
	[TRACE_SCAN_BEGIN] = begin_pass,
	[TRACE_SLOWPATH_ENTER] = enter_slowpath,
	[TRACE_KSWAPD_WAKE] = note_wakeup,
	[TRACE_MM_PAGE_FREE] = note_free,
	[TRACE_MM_PAGE_ALLOC] = end_call,
	[TRACE_FAULT] = note_fault,
};

/*
 * The step is over.
 */
static void judge_refusal(void)
{
	struct model_request request;

	if (last_call.kind != CALL_ALLOC || last_call.pfn != VIEW_NO_PFN || scanned || injected || exec_state.damage)
		return;
	request = model_request_of(last_call.order, last_call.gfp);
	request.list.node = last_call.node % machine->nr_nodes;
	request.list.thisnode = machine->numa && (last_call.gfp & __GFP_THISNODE);
	if (last_call.nodemask)
		request.list.nodemask = last_call.nodemask;
	judge_model_refusal(&request);
}

void model_step_end(void)
{
	judge_finished();
	judge_refusal();
	scanned = false;
	injected = false;
}
