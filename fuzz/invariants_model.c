// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_model.c - an allocation does what the model predicts (model.h; specification 31). Their findings are of the
 * kind MODEL. In the order of rank: one cause has one title.
 *
 * Not judged is what the specification leaves open: whatever follows once zone_reclaim(), reclaim, compaction or the
 * OOM killer gives pages back, once time passed or a take in vain was counted (which fold deltas) or another task ran in
 * the middle of the call, or once the cpuset changed and a failed call starts over. Requests that failed by fault
 * injection, and programs that damaged something, are not predicted at all.
 */
#include <linux/kernel.h>
#include "fuzz/invariant.h"
#include "fuzz/model.h"

/* Two names at a time. */
static const char *name_of(unsigned int slot)
{
	static char names[2][16];
	static unsigned int turn;

	if (slot >= MODEL_NO_SLOT)
		return "none";
	turn ^= 1;
	memcpy(names[turn], view_zone_name(slot), strlen(view_zone_name(slot)) + 1);
	return names[turn];
}

static unsigned int first_slot(unsigned long zones)
{
	return zones ? (unsigned int)__builtin_ctzl(zones) : 0;
}

/* The result is known; where there is no page a cpuset that changed gives another try. */
static bool is_decided(const struct model_call *call)
{
	return call->predicted.decided && !call->disturbed &&
	       !(call->cpuset_changed && call->predicted.source == MODEL_NO_SLOT);
}

/* So is what it leaves behind. */
static bool is_known(const struct model_call *call)
{
	return is_decided(call) && call->source == call->predicted.source;
}

RULE(slow_path_entered, 71, COST_MODEL, "page_alloc",
     "the slow path is entered exactly if the model finds no zone for the attempts at the low mark",
     const struct model_call *, call)
{
	when(call->predicted.first_decided && !call->folded);
	require(call->slow == call->predicted.slow, "order %u, gfp %#x: slow path entered %d, predicted %d; zone %s, predicted %s",
		call->request.order, call->request.gfp, call->slow, call->predicted.slow, name_of(call->source),
		name_of(call->predicted.source));
	return true;
}

RULE(passes_made, 45, COST_MODEL, "page_alloc", "the attempts at the low mark make as many passes as the model",
     const struct model_call *, call)
{
	when(call->predicted.first_decided && !call->folded);
	counts_if(call->predicted.passes > 1);
	require(call->passes == call->predicted.passes, "order %u, gfp %#x: %u passes, predicted %u; zone %s",
		call->request.order, call->request.gfp, call->passes, call->predicted.passes, name_of(call->source));
	return true;
}

RULE(page_or_none, 72, COST_MODEL, "page_alloc", "a request fails exactly if the model finds no zone for it",
     const struct model_call *, call)
{
	when(is_decided(call));
	counts_if(call->predicted.slow);
	require((call->source == MODEL_NO_SLOT) == (call->predicted.source == MODEL_NO_SLOT),
		"order %u, gfp %#x: zone %s, predicted %s", call->request.order, call->request.gfp, name_of(call->source),
		name_of(call->predicted.source));
	return true;
}

RULE(source_zone, 73, COST_MODEL, "page_alloc", "the page is from the zone that the model takes it from",
     const struct model_call *, call)
{
	when(call->source != MODEL_NO_SLOT && !call->disturbed && !call->cpuset_changed);
	require(call->predicted.may_serve >> call->source & 1, "order %u, gfp %#x, pass %u: zone %s, predicted %s (any of %#lx)",
		call->request.order, call->request.gfp, call->passes, name_of(call->source),
		name_of(call->predicted.source), call->predicted.may_serve);
	return true;
}

RULE(page_taken, 73, COST_MODEL, "buddy",
     "the page is the one that the order of lists, blocks and types puts first in its zone", const struct model_call *, call)
{
	when(is_known(call) && call->source != MODEL_NO_SLOT);
	require(call->pfn == call->predicted.pfn, "zone %s, order %u, gfp %#x: frame %#lx, predicted %#lx",
		name_of(call->source), call->request.order, call->request.gfp, call->pfn, call->predicted.pfn);
	return true;
}

RULE(flag_after, 48, COST_MODEL, "fair", "each zone is flagged as depleted exactly if the model's is",
     const struct model_call *, call)
{
	unsigned int slot = first_slot(call->other_flag);

	when(is_known(call) && !call->thresholds_moved);
	require(!call->other_flag, "zone %s: flag %d, predicted %d (batch %ld); page of order %u from zone %s",
		name_of(slot), call->left[slot].depleted, call->predicted.after[slot].depleted, call->left[slot].batch,
		call->request.order, name_of(call->source));
	return true;
}

/* With the thresholds that kswapd sets what a delta holds back differs. */
EXCEPTIONS(batch_after, "calls that wake kswapd, for its thresholds change what is held back")
RULE(batch_after, 34, COST_MODEL, "fair", "the batch of each zone and the delta of the CPU are those of the model",
     const struct model_call *, call)
{
	unsigned int slot = first_slot(call->other_batch);

	when(is_known(call) && !call->thresholds_moved);
	require(!call->other_batch, "zone %s: batch %ld and %ld held back, predicted %ld and %ld; page of order %u from zone %s",
		name_of(slot), call->left[slot].batch, call->left[slot].batch_delta, call->predicted.after[slot].batch,
		call->predicted.after[slot].batch_delta, call->request.order, name_of(call->source));
	return true;
}

RULE(free_after, 66, COST_MODEL, "page_alloc",
     "the free pages of the source drop by the block or the refill of the model, those of other zones stay",
     const struct model_call *, call)
{
	unsigned int slot = first_slot(call->other_free);

	when(is_known(call));
	require(!call->other_free, "zone %s: %ld pages free, predicted %ld or up to %ld fewer; page of order %u from zone %s",
		name_of(slot), call->left[slot].free, call->predicted.after[slot].free, call->predicted.free_more,
		call->request.order, name_of(call->source));
	return true;
}

/* Most calls are: the page from the first pass, and everything as it should be. */
static bool went_as_predicted(const struct model_call *call)
{
	const struct model_prediction *predicted = &call->predicted;

	return predicted->passes == 1 && call->passes == 1 && !call->slow && !predicted->slow && call->pfn == predicted->pfn &&
	       !call->other_flag && !call->other_batch && !call->other_free;
}

/* Where that is so there is nothing to ask. */
void judge_model(const struct model_call *call)
{
	if (went_as_predicted(call))
		return;
	judge(call, slow_path_entered, passes_made, page_or_none, source_zone, page_taken, flag_after, batch_after,
	      free_after);
}

RULE(refused_at_once, 72, COST_MODEL, "page_alloc",
     "a request is refused without a look at a zone only if it may use none", const struct model_request *, request)
{
	require(!model_has_zone(&request->list), "order %u, gfp %#x, node %u, nodemask %#x: no scan", request->order,
		request->gfp, request->list.node, request->list.nodemask);
	return true;
}

void judge_model_refusal(const struct model_request *request)
{
	judge(request, refused_at_once);
}
