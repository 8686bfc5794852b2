// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_call.c - what a call gives, takes and leaves behind (specification 30.A, 30.I, 30.K).
 *
 * Verified: 6, 7, 9, 10, 22, 26, 27, 33, 64 (of the result), 67-70, 74, 84 (with debug checks; without them the program
 * has damaged the lists, and nothing is known of the page), 85.
 * Not verified: the contents of pages (70), which are not simulated. 7, 10, 22, 68 and 69 look at what a call changed, which is known as long as nothing else happened in its
 * step: no slow path, no task that woke up, no excess of an exact size.
 */
#include "mm/internal.h"
#include "fuzz/exec.h"
#include "fuzz/held.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"
#include "fuzz/scan_expect.h"

/*
 * At rest.
 */
static bool context_at_rest(const struct cpu_context *context)
{
	return !context->irqs_off && !context->preempt_count && !context->locks_held && !context->rcu_depth;
}

RULE(nothing_left_locked, 85, COST_CALL, "locking",
     "a call leaves no lock held, interrupts as they were, no preemption or RCU nesting", const struct call_record *, call)
{
	unsigned int cpu;

	for (cpu = 0; cpu < machine->nr_cpus; cpu++) {
		const struct cpu_context *context = &cpu_contexts[cpu];

		require(context_at_rest(context), "CPU %u: irqs off %d, preempt %u, locks %u, RCU %u", cpu, context->irqs_off,
			context->preempt_count, context->locks_held, context->rcu_depth);
	}
	require(!oom_lock.owner, "oom_lock held");
	return true;
}

/*
 * Allocations that gave a page.
 */
struct returned {
	const struct call_record *call;
	unsigned int slot;
	struct view_page page;           /* its head */
};

RULE(page_handed_out_once, 6, COST_CALL, "page_alloc", "a page that is returned was not held already and is on no list",
     const struct returned *, got)
{
	unsigned long around = view_block_around(got->call->pfn, got->call->order);

	require(!got->call->overlaps_held, "frame %#lx, order %u: the program holds some of it already", got->call->pfn,
		got->call->order);
	require(census_place(got->call->pfn).kind == LIST_NONE && !got->page.buddy, "frame %#lx, order %u: still on a list",
		got->call->pfn, got->call->order);
	require(around == VIEW_NO_PFN, "frame %#lx, order %u: lies inside the free block at %#lx", got->call->pfn,
		got->call->order, around);
	return true;
}

RULE(returned_block_aligned, 9, COST_CALL, "page_alloc", "a returned block is aligned to its order and lies in one zone",
     const struct returned *, got)
{
	unsigned long pfn = got->call->pfn;
	unsigned long last = pfn + (1UL << got->call->order) - 1;

	require((pfn & ((1UL << got->call->order) - 1)) == 0, "frame %#lx, order %u", pfn, got->call->order);
	require(got->call->order == 0 || view_slot_of_pfn(last) == got->slot,
		"frames %#lx and %#lx of one block are in different zones", pfn, last);
	require(view_is_memory(pfn, got->call->order), "frames %#lx to %#lx are not all memory", pfn, last);
	return true;
}

/*
 * A request that may ignore its policy is sent to the local node's list, unless the zonelist is kept for
 * THISNODE; a second try after a change of the cpuset goes on with that list (Q3).
 */
EXCEPTIONS(no_forbidden_zone, "THISNODE of a request that may ignore its policy, before keep-zonelist-for-thisnode")
RULE(no_forbidden_zone, 64, COST_CALL, "page_alloc",
     "the page is from a zone type, node, nodemask and cpuset that the request allows", const struct returned *, got)
{
	const struct call_record *call = got->call;
	unsigned int node = view_zone_node(got->slot);

	require(view_zone_type(got->slot) <= expect_high_zone(call->gfp), "zone %s for gfp %#x", view_zone_name(got->slot),
		call->gfp);
	if (!machine->numa)
		return true;
	require(!call->nodemask || (call->nodemask >> node & 1), "zone %s, nodemask %#x", view_zone_name(got->slot),
		call->nodemask);
	require(!(call->gfp & __GFP_THISNODE) || node == call->node % machine->nr_nodes ||
			(watch.left_policy && !patched(KEEP_ZONELIST_FOR_THISNODE)),
		"zone %s, THISNODE of node %u", view_zone_name(got->slot), call->node);
	require(!(watch.alloc_flags & ALLOC_CPUSET) || expect_cpuset_allows(got->slot), "zone %s, mems_allowed %#lx",
		view_zone_name(got->slot), current->mems_allowed.bits);
	return true;
}

RULE(returned_page_prepared, 70, COST_CALL, "page_alloc",
     "a returned page has one reference on its head, no mapping count and no stale flag, and is compound iff asked",
     const struct returned *, got)
{
	const struct view_page *page = &got->page;
	unsigned long pfn = got->call->pfn;
	bool compound = (got->call->gfp & __GFP_COMP) && got->call->order > 0;
	unsigned long i;

	require(page->refcount == 1 && page->mapcount == -1 && page->private == 0,
		"frame %#lx: reference count %d, mapcount %d, private %#lx", pfn, page->refcount, page->mapcount,
		page->private);
	require(page->head == compound && !page->tail, "frame %#lx: head %d, tail %d, compound wanted %d", pfn, page->head,
		page->tail, compound);
	require(!(page->flags & ~(1UL << PG_head)), "frame %#lx: flags %#lx", pfn, page->flags);
	i = got->call->order ? view_unprepared_tail(pfn, got->call->order, compound) : 0;
	require(!i, "frame %#lx, page %lu of it: reference count %d, mapcount %d, tail %d, flags %#lx", pfn, i,
		view_page(pfn + i).refcount, view_page(pfn + i).mapcount, view_page(pfn + i).tail, view_page(pfn + i).flags);
	return true;
}

RULE(pfmemalloc_marks_reserves, 67, COST_CALL, "page_alloc",
     "a page is marked pfmemalloc exactly if the attempt that gave it ignored the watermarks", const struct returned *,
     got)
{
	bool marked = got->page.index == ~0UL;
	bool ignored = watch.alloc_flags & ALLOC_NO_WATERMARKS;

	require(marked == ignored, "frame %#lx: mark %d, watermarks ignored %d", got->call->pfn, marked, ignored);
	return true;
}

/*
 * What the call took from the free lists.
 */
static bool is_move_between_types(const struct list_change *change)
{
	return change->before.kind == LIST_FREE && change->after.kind == LIST_FREE &&
	       change->before.which == change->after.which;
}

/*
 * One block of some order h leaves its list, and its upper halves of order h-1 down to the wanted one come:
 *
 *	| page |  o  |   o+1    |         h-1         |
 */
EXCEPTIONS(split_gives_back_upper_halves,
	   "calls that reclaim, drain or look again on the way, and steps with more than one request")
RULE(split_gives_back_upper_halves, 22, COST_CALL, "buddy",
     "a take splits one block: of each order below it one free block comes, all of one type, and the page is the lowest part",
     const struct call_record *, call)
{
	unsigned int taken_order = VIEW_MAX_ORDER;
	unsigned int orders = 0, types = 0, nr_halves = 0;

	for_each_change(change) {
		if (is_move_between_types(change))
			continue;
		if (change->before.kind == LIST_FREE) {
			require(taken_order == VIEW_MAX_ORDER, "order %u: two blocks taken, frame %#lx is one", call->order,
				change->pfn);
			taken_order = change->before.which;
			require(change->pfn == call->pfn, "frame %#lx taken, %#lx returned", change->pfn, call->pfn);
		} else {
			orders |= 1U << change->after.which;
			types |= 1U << change->after.type;
			nr_halves++;
		}
	}
	counts_if(nr_halves != 0);
	require(taken_order < VIEW_MAX_ORDER && taken_order >= call->order, "order %u: no block taken", call->order);
	require(nr_halves == taken_order - call->order && orders == (1U << taken_order) - (1U << call->order),
		"order %u of a block of order %u: %u halves, orders %#x", call->order, taken_order, nr_halves, orders);
	require((types & (types - 1)) == 0, "order %u of a block of order %u: halves on lists of types %#x", call->order,
		taken_order, types);
	return true;
}

static bool took_blocks(void)
{
	return census_step.nr_changes > 1 || last_call.order > 0;
}

/*
 * A refill falls back, moves what is free in the pageblock to its list, and goes on with that. Some of it may have been on
 * the list of a type that the pageblock has no more: a per-CPU list remembers the type of the day a page was freed. Before
 * keep-highatomic-block it may have that type still. A pageblock that was isolated as part of a larger free block is stolen
 * from like any other. That is no excuse before drain-rereads-type, which lets isolated pages out of per-CPU lists as well.
 */
static bool moved_by_fallback(const struct list_change *change)
{
	unsigned int type = change->before.type;
	bool may_keep_type = (type == MIGRATE_HIGHATOMIC && !patched(KEEP_HIGHATOMIC_BLOCK)) ||
			     (type == MIGRATE_ISOLATE && exec_state.loose_isolation && patched(DRAIN_REREADS_TYPE));

	return watch_this_step()->fallbacks && (may_keep_type || view_pageblock_type(change->pfn) != type);
}

static bool took_from(unsigned int type)
{
	if (!(census_step.types_taken >> type & 1))
		return false;
	for_each_change(change)
		if (change->before.kind == LIST_FREE && change->before.type == type && change->after.kind != LIST_FREE &&
		    !moved_by_fallback(change))
			return true;
	return false;
}

/* No attempt before the slow path is HARDER. */
EXCEPTIONS(reserve_only_for_harder,
	   "calls that reclaim, drain or look again on the way; blocks that a fallback moved to its own list")
RULE(reserve_only_for_harder, 68, COST_CALL, "highatomic",
     "a block of the highatomic reserve is taken only by an attempt that may use it", const struct returned *, got)
{
	counts_if(view_reserved_highatomic(got->slot) != 0);
	require(!took_from(MIGRATE_HIGHATOMIC), "frame %#lx, order %u, gfp %#x: took from the reserve", got->call->pfn,
		got->call->order, got->call->gfp);
	return true;
}

EXCEPTIONS(cma_only_for_movable,
	   "calls that reclaim, drain or look again on the way; blocks that a fallback moved to its own list")
RULE(cma_only_for_movable, 69, COST_CALL, "buddy",
     "CMA blocks are taken only for movable requests, isolated ones by no allocation", const struct returned *, got)
{
	bool movable = expect_migratetype() == MIGRATE_MOVABLE;

	counts_if(!movable);
	require(movable || !took_from(MIGRATE_CMA), "frame %#lx, gfp %#x: took from a CMA list", got->call->pfn,
		got->call->gfp);
	require(!took_from(MIGRATE_ISOLATE), "frame %#lx, gfp %#x: took from an ISOLATE list", got->call->pfn, got->call->gfp);
	return true;
}

/* Reclaim, drains and retries are part of a slow call, and touch any zone. */
EXCEPTIONS(only_the_source_zone_changes,
	   "calls that reclaim, drain or look again on the way, and steps with more than one request")
RULE(only_the_source_zone_changes, 10, COST_CALL, "page_alloc",
     "an allocation or a free changes the lists of no zone but the page's own", const struct call_record *, call)
{
	unsigned int slot = view_slot_of_pfn(call->pfn);

	require(!(census_step.zones & ~(1UL << slot)), "frame %#lx of zone %s: the lists of other zones changed: %s",
		call->pfn, view_zone_name(slot), view_zone_names(census_step.zones & ~(1UL << slot)));
	return true;
}

/* A zone takes in pageblocks until its reserve is about a percent of it. */
RULE(harder_block_is_reserved, 19, COST_CALL, "highatomic",
     "the pageblock of a block that a HARDER attempt took is reserved, unless the zone has reserved its share",
     const struct returned *, got)
{
	unsigned int type = view_pageblock_type(got->call->pfn);
	unsigned long percent = view_managed(got->slot) / 100;
	unsigned long share = patched(HIGHATOMIC_CAP) ? round_up(percent, pageblock_nr_pages) : percent + pageblock_nr_pages;

	when(got->call->order > 0 && (watch.alloc_flags & ALLOC_HARDER));
	when(type != MIGRATE_ISOLATE && type != MIGRATE_CMA);
	require(type == MIGRATE_HIGHATOMIC || view_reserved_highatomic(got->slot) >= share,
		"frame %#lx, order %u: pageblock type %u, zone %s has %lu pages reserved, its share is %lu", got->call->pfn,
		got->call->order, type, view_zone_name(got->slot), view_reserved_highatomic(got->slot), share);
	return true;
}

static void judge_page(const struct call_record *call)
{
	struct returned got = { call, view_slot_of_pfn(call->pfn), view_page(call->pfn) };

	judge(&got, page_handed_out_once, returned_block_aligned, no_forbidden_zone, returned_page_prepared,
	      pfmemalloc_marks_reserves, harder_block_is_reserved);
	if (watch.mixed || watch_this_step()->requests != 1 || watch_this_step()->frees)
		return;
	judge(call, only_the_source_zone_changes);
	/* Most pages come from a per-CPU list, and no block was taken at all. */
	if (!took_blocks())
		return;
	judge(&got, reserve_only_for_harder);
	if (machine->cma || machine->isolation)
		judge(&got, cma_only_for_movable);
	if (call->order > 0)
		judge(call, split_gives_back_upper_halves);
}

RULE(too_large_orders_fail, 74, COST_CALL, "page_alloc", "a request for MAX_ORDER or more fails and changes no free list",
     const struct call_record *, call)
{
	require(call->pfn == VIEW_NO_PFN, "order %u: frame %#lx", call->order, call->pfn);
	when(!watch.mixed && watch_this_step()->requests == 1);
	require(!census_step.zones, "order %u: the lists of zones changed: %s", call->order, view_zone_names(census_step.zones));
	return true;
}

/*
 * Frees.
 */

/* A block of order 0 may have gone to a per-CPU list, or on to the free lists with others. */
RULE(freed_page_is_somewhere, 7, COST_CALL, "page_alloc",
     "a page that was freed is in exactly one free block or on a per-CPU list", const struct call_record *, call)
{
	struct list_place place = census_place(call->pfn);
	bool in_block = place.kind == LIST_FREE ? view_free_block_of(call->pfn, call->order) :
						  view_block_around(call->pfn, call->order) != VIEW_NO_PFN;
	bool on_pcp = call->order == 0 && place.kind == LIST_PCP;

	require(in_block != on_pcp, "frame %#lx, order %u: in a free block %d, on a per-CPU list %d", call->pfn, call->order,
		in_block, on_pcp);
	return true;
}

/* As it begins. Who frees has let go of it, and nobody else holds it. */
RULE(freed_page_was_in_use, 7, COST_SCAN, "page_alloc",
     "a page that is freed was on no list, in no free block, and is not held any more", const struct trace_record *, record)
{
	unsigned long pfn = record->a;
	unsigned int order = (unsigned int)record->b;

	require(census_place(pfn).kind == LIST_NONE && !view_page(pfn).buddy, "frame %#lx, order %u: on a list already", pfn,
		order);
	require(view_block_around(pfn, order) == VIEW_NO_PFN, "frame %#lx, order %u: inside the free block at %#lx", pfn, order,
		view_block_around(pfn, order));
	require(!held_overlaps(pfn, 1UL << order), "frame %#lx, order %u: the program holds some of it", pfn, order);
	return true;
}

void judge_freed(const struct trace_record *record)
{
	judge(record, freed_page_was_in_use);
}

/* On SMP a delta may keep the change back. */
RULE(free_resets_scanned, 33, COST_CALL, "vmstat",
     "on UP a page that was freed to the buddy lists leaves its zone with no pages scanned", const struct call_record *,
     call)
{
	unsigned int slot = view_slot_of_pfn(call->pfn);

	when(census_place(call->pfn).kind != LIST_PCP);
	require(view_counter_raw(slot, VIEW_PAGES_SCANNED) == 0, "zone %s: %ld", view_zone_name(slot),
		view_counter_raw(slot, VIEW_PAGES_SCANNED));
	return true;
}

static void judge_free(const struct call_record *call)
{
	judge(call, freed_page_is_somewhere, only_the_source_zone_changes);
	if (!machine->smp)
		judge(call, free_resets_scanned);
}

RULE(free_without_reference_is_caught, 84, COST_CALL, "page_alloc",
     "with debug checks a free of a page without a reference does not come back", const struct call_record *, call)
{
	when(machine->debug_vm);
	require(false, "frame %#lx, order %u: freed without a reference", call->pfn, call->order);
	return true;
}

RULE(bad_block_goes_to_no_list, 84, COST_CALL, "page_alloc",
     "a block that is freed with its head in a bad state is withdrawn, and goes to no list", const struct watch_step *, step)
{
	require(census_place(step->bad_pfn).kind == LIST_NONE && !view_page(step->bad_pfn).buddy &&
			view_block_around(step->bad_pfn, step->bad_order) == VIEW_NO_PFN,
		"frame %#lx, order %u: on a list", step->bad_pfn, step->bad_order);
	return true;
}

/*
 * Drains.
 */
RULE(drain_empties_lists, 26, COST_CALL, "pcp", "drain_all_pages() leaves no page on a per-CPU list of the zones it is for",
     const struct call_record *, call)
{
	unsigned int slot;

	for (slot = 0; slot < view_nr_slots(); slot++) {
		if (!census_zone(slot) || (call->slot != VIEW_SLOTS_MAX && call->slot != slot))
			continue;
		require(!census_zone(slot)->pcp_pages, "zone %s: %lu pages left", view_zone_name(slot),
			census_zone(slot)->pcp_pages);
	}
	return true;
}

/* Before drain-rereads-type an isolated page went back to the type it once had. */
RULE(drain_returns_page_to_its_type, 27, COST_SCAN, "pcp",
     "a drained page goes to the list of its cached type, in a zone with isolated blocks to that of its pageblock",
     const struct trace_record *, record)
{
	unsigned long pfn = record->a;
	bool rereads = patched(DRAIN_REREADS_TYPE) && view_isolated_pageblocks(view_slot_of_pfn(pfn));
	unsigned long expected = rereads ? view_pageblock_type(pfn) : view_page(pfn).index;

	require(record->c == expected, "frame %#lx: drained to type %lu, expected %lu", pfn, record->c, expected);
	return true;
}

RULE(drain_keeps_pageblock_types, 27, COST_CALL, "pcp", "a drain writes to no pageblock's type", const struct call_record *,
     call)
{
	unsigned long writes = view_pageblock_writes() - exec_state.pageblock_writes;

	require(!writes, "zone %s: %lu pageblock types written", call->slot < VIEW_SLOTS_MAX ? view_zone_name(call->slot) : "*",
		writes);
	return true;
}

void judge_drained(const struct trace_record *record)
{
	judge(record, drain_returns_page_to_its_type);
}

/*
 * Tunables and isolation.
 */
RULE(tunable_taken_if_in_range, 35, COST_CALL, "sysctl",
     "a value in the range of its tunable is taken and in force at once, any other is refused", const struct call_record *,
     call)
{
	require(call->wanted ? call->result == 0 : call->result < 0, "%d is %s range, and the result is %d", call->asked,
		call->wanted ? "in" : "out of", call->result);
	require(!call->wanted || call->got == call->asked, "%d was written, %d is in force", call->asked, call->got);
	return true;
}

RULE(isolation_refused_while_in_use, 18, COST_CALL, "isolation",
     "pageblocks are isolated unless one is already, or is for pages that stay where they are and has one in use",
     const struct call_record *, call)
{
	counts_if(!call->wanted);
	require(call->wanted == (call->result == 0), "result %d, where %s is due", call->result,
		call->wanted ? "success" : "a refusal");
	return true;
}

void judge_call(const struct call_record *call)
{
	judge(call, nothing_left_locked);
	if (call->kind == CALL_FREE_UNREFERENCED)
		judge(call, free_without_reference_is_caught);
	if (exec_state.damage == DAMAGE_LISTS)
		return;
	if (watch_this_step()->bad)
		judge(watch_this_step(), bad_block_goes_to_no_list);
	switch (call->kind) {
	case CALL_ALLOC:
		if (call->order >= MAX_ORDER)
			judge(call, too_large_orders_fail);
		else if (call->pfn != VIEW_NO_PFN)
			judge_page(call);
		if (call->nr_pages)
			judge_range(call);
		judge_slow_call(call);
		break;
	case CALL_FREE:
		if (watch_this_step()->frees == 1 && !watch_this_step()->requests)
			judge_free(call);
		break;
	case CALL_DRAIN_ALL:
		judge(call, drain_empties_lists, drain_keeps_pageblock_types);
		break;
	case CALL_TUNABLE:
		judge(call, tunable_taken_if_in_range);
		break;
	case CALL_ISOLATE:
		judge(call, isolation_refused_while_in_use);
		break;
	case CALL_SPLIT:
	case CALL_CONTIG:
		judge_range(call);
		break;
	case CALL_TICK:
		if (!watch_this_step()->frees && !watch_this_step()->requests)
			judge_time_over(call);
		break;
	case CALL_FREE_UNREFERENCED:
	case CALL_OTHER:
		break;
	}
}
