// SPDX-License-Identifier: GPL-2.0
/*
 * ops_pages.c - operations on pages that are not one block: exact sizes, split blocks, lists, pageblocks set aside, frames
 * at a place.
 *
 * A range of frames must be of one zone, and all CMA or all not, up to whole MAX_ORDER blocks around it: the kernel's
 * callers see to that, and pageblocks get their type back by it.
 */
#include "mm/internal.h"
#include "reclaim.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"
#include "fuzz/ops.h"
#include "fuzz/view.h"

/*
 * Exact sizes.
 */
void op_alloc_exact(const struct op *op)
{
	size_t bytes = op->args[0];
	gfp_t gfp = op->args[1];
	unsigned int node = op->args[3] % (unsigned int)nr_online_nodes;
	void *address;

	if (ops_bits_are_misuse(gfp) || (gfp & (__GFP_HIGHMEM | __GFP_COMP))) {
		exec_skip(SKIP_MISUSE);
		held_add_nothing();
		return;
	}
	if (!ops_request_begin(gfp))
		return;
	if (op->args[2])
		node = (unsigned int)numa_node_id();
	address = op->args[2] ? alloc_pages_exact(bytes, gfp) : alloc_pages_exact_nid((int)node, bytes, gfp);
	ops_request_end(address ? virt_to_page(address) : NULL, 0, gfp, node, 0);
	if (address) {
		last_call.nr_pages = (unsigned int)(PAGE_ALIGN(bytes) >> PAGE_SHIFT);
		held_add_pages(last_call.pfn, last_call.nr_pages, HELD_EXACT);
	} else
		held_add_nothing();
	exec_step_end();
}

static _Bool can_be_split(const struct op *op, const struct held_block *block)
{
	return block->live && block->kind == HELD_BLOCK && block->order && !block->compound;
}

static void split_entry(const struct op *op, unsigned int entry)
{
	const struct held_block *block = held_block(entry);

	split_page(pfn_to_page(block->pfn), block->order);
	last_call = (struct call_record){ .kind = CALL_SPLIT, .pfn = block->pfn, .nr_pages = 1U << block->order };
	held_split(entry);
}

void op_split(const struct op *op)
{
	ops_for_each(op, can_be_split, split_entry);
}

/* The first free block of at least this order, smallest order and lowest type first; isolated ones are somebody's. */
static struct page *first_free_block(struct zone *zone, unsigned int order)
{
	int mt;

	for (; order < MAX_ORDER; order++)
		for (mt = 0; mt < MIGRATE_ISOLATE; mt++)
			if (!list_empty(&zone->free_area[order].free_list[mt]))
				return list_first_entry(&zone->free_area[order].free_list[mt], struct page, lru);
	return NULL;
}

void op_split_free(const struct op *op)
{
	struct zone *zone = ops_zone_at(op->args[0], op->args[1]);
	unsigned long flags;
	struct page *page;
	int taken = 0;

	if (!zone || !exec_step_begin(LIMIT_CALL_WORK)) {
		if (!zone)
			exec_skip(SKIP_NO_ZONE);
		held_add_nothing();
		return;
	}
	spin_lock_irqsave(&zone->lock, flags);
	page = first_free_block(zone, op->args[2]);
	if (page)
		taken = split_free_page(page);
	spin_unlock_irqrestore(&zone->lock, flags);
	if (taken)
		held_add_pages(page_to_pfn(page), (unsigned int)taken, HELD_SPLIT);
	else
		held_add_nothing();
	exec_step_end();
}

static _Bool is_run_of_pages(const struct op *op, const struct held_block *block)
{
	return block->live && block->kind != HELD_BLOCK;
}

static void free_last_pages(const struct op *op, unsigned int entry)
{
	const struct held_block *block = held_block(entry);
	unsigned int nr_pages = op->args[1];
	unsigned long pfn;

	if (nr_pages >= block->nr_pages) {
		ops_free_entry(entry, false);
		return;
	}
	held_shrink(entry, nr_pages);
	for (pfn = block->pfn + block->nr_pages; nr_pages--; pfn++)
		__free_page(pfn_to_page(pfn));
}

void op_free_last(const struct op *op)
{
	ops_for_each(op, is_run_of_pages, free_last_pages);
}

/* A block without a head would lose all but its first page. */
static _Bool has_one_reference(const struct op *op, const struct held_block *block)
{
	return block->live && block->kind == HELD_BLOCK && (!block->order || block->compound) &&
	       exec_state.damage < DAMAGE_LISTS;
}

static void put_entry(const struct op *op, unsigned int entry)
{
	struct page *page = pfn_to_page(held_block(entry)->pfn);

	held_drop(entry);
	put_page(page);
}

void op_put_page(const struct op *op)
{
	ops_for_each(op, has_one_reference, put_entry);
}

/* Moves the pages of order 0 of a handle from the ledger to the list; false if there are none. */
static bool gather(const struct op *op, struct list_head *list)
{
	unsigned int entry, end;

	held_resolve(op->args[0], op->element, &entry, &end);
	for (; entry < end; entry++) {
		const struct held_block *block = held_block(entry);

		if (!block->live || block->kind != HELD_BLOCK || block->order)
			continue;
		held_drop(entry);
		if (put_page_testzero(pfn_to_page(block->pfn)))
			list_add_tail(&pfn_to_page(block->pfn)->lru, list);
	}
	return !list_empty(list);
}

void op_free_list(const struct op *op)
{
	LIST_HEAD(list);

	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	if (gather(op, &list))
		free_hot_cold_page_list(&list, op->args[1]);
	else
		exec_skip(SKIP_KIND);
	exec_step_end();
}

/*
 * Ranges of frames.
 */
struct range {
	unsigned long start;
	unsigned long end;
};

static struct range widened(struct range range)
{
	unsigned long alignment = max(MAX_ORDER_NR_PAGES, pageblock_nr_pages);

	return (struct range){ round_down(range.start, alignment), round_up(range.end, alignment) };
}

static bool is_cma(unsigned long pfn)
{
	unsigned int i;

	for (i = 0; i < machine->nr_cma; i++)
		if (machine->cma_ranges[i].start_pfn <= pfn && pfn < machine->cma_ranges[i].end_pfn)
			return true;
	return false;
}

/* Every pageblock begins and ends in the zone, and all are CMA or none is. */
static bool is_uniform(const struct zone *zone, struct range range)
{
	unsigned long pfn;

	if (range.start < zone->zone_start_pfn || range.end > zone_end_pfn(zone))
		return false;
	for (pfn = range.start; pfn < range.end; pfn += pageblock_nr_pages)
		if (!pfn_valid(pfn) || physmem_zone(pfn) != zone ||
		    physmem_zone(pfn + pageblock_nr_pages - 1) != zone || is_cma(pfn) != is_cma(range.start))
			return false;
	return true;
}

static int type_of(struct range range)
{
	return is_cma(range.start) ? MIGRATE_CMA : MIGRATE_MOVABLE;
}

/* The pageblocks that isolate and undo_isolate name; false, with a traced skip, if they are no range. */
static bool pageblocks_of(const struct op *op, struct range *range)
{
	const struct zone *zone = machine->isolation ? ops_zone_at(op->args[0], op->args[1]) : NULL;
	unsigned long blocks = min((unsigned long)op->args[3], max(LIMIT_CONTIG_PAGES >> pageblock_order, 1UL));
	unsigned long first, nr;

	if (!zone) {
		exec_skip(SKIP_NO_ZONE);
		return false;
	}
	first = round_up(zone->zone_start_pfn, pageblock_nr_pages);
	nr = first < zone_end_pfn(zone) ? (zone_end_pfn(zone) - first) >> pageblock_order : 0;
	if (nr) {
		range->start = first + op->args[2] % nr * pageblock_nr_pages;
		range->end = range->start + blocks * pageblock_nr_pages;
		if (op->args[4])
			*range = widened(*range);
	}
	if (!nr || !is_uniform(zone, *range)) {
		exec_skip(SKIP_RANGE);
		return false;
	}
	return true;
}

/* What the rules about isolated pageblocks need to know. */
static void note_isolation(struct range range)
{
	unsigned long pfn;

	exec_state.isolation = true;
	if (widened(range).start != range.start || widened(range).end != range.end)
		exec_state.loose_isolation = true;
	for (pfn = range.start; pfn < range.end; pfn += pageblock_nr_pages)
		if (is_migrate_isolate_page(pfn_to_page(pfn)) && !patched(REFUSE_DOUBLE_ISOLATION))
			exec_state.double_isolation = true;
}

/* Isolation drains the lists of every CPU. */
static bool range_step_begin(struct range range)
{
	if (in_interrupt()) {
		exec_skip(SKIP_CONTEXT);
		return false;
	}
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return false;
	note_isolation(range);
	return true;
}

/* Specification 25: a page in use that is not on an LRU list holds a pageblock that is not for what can be moved. */
static bool holds_unmovable_page(unsigned long pfn)
{
	unsigned int type = view_pageblock_type(pfn);
	unsigned long end = pfn + pageblock_nr_pages;

	if (view_zone_type(view_slot_of_pfn(pfn)) == ZONE_MOVABLE || type == MIGRATE_MOVABLE || type == MIGRATE_CMA)
		return false;
	for (; pfn < end; pfn++)
		if (view_page(pfn).refcount && !PageLRU(pfn_to_page(pfn)))
			return true;
	return false;
}

static bool may_be_isolated(struct range range)
{
	unsigned long pfn;

	for (pfn = range.start; pfn < range.end; pfn += pageblock_nr_pages) {
		if (view_pageblock_type(pfn) == MIGRATE_ISOLATE && patched(REFUSE_DOUBLE_ISOLATION))
			return false;
		if (holds_unmovable_page(pfn))
			return false;
	}
	return true;
}

void op_isolate(const struct op *op)
{
	struct range range;
	bool wanted;
	int result;

	if (!pageblocks_of(op, &range) || !range_step_begin(range))
		return;
	wanted = exec_state.checks != CHECKS_OFF && may_be_isolated(range);
	result = start_isolate_page_range(range.start, range.end, type_of(range), false);
	last_call = (struct call_record){
		.kind = CALL_ISOLATE,
		.wanted = wanted,
		.result = result,
		.zones = 1UL << view_slot_of_pfn(range.start),
	};
	exec_step_end();
}

void op_undo_isolate(const struct op *op)
{
	struct range range;

	if (!pageblocks_of(op, &range) || !range_step_begin(range))
		return;
	undo_isolate_page_range(range.start, range.end, type_of(range));
	last_call.zones = 1UL << view_slot_of_pfn(range.start);
	exec_step_end();
}

void op_alloc_contig(const struct op *op)
{
	const struct zone *zone = machine->isolation ? ops_zone_at(op->args[0], op->args[1]) : NULL;
	struct range range;
	int ret;

	if (!zone) {
		exec_skip(SKIP_NO_ZONE);
		held_add_nothing();
		return;
	}
	range.start = zone->zone_start_pfn + op->args[2] % zone->spanned_pages;
	range.end = range.start + op->args[3];
	if (!is_uniform(zone, widened(range))) {
		exec_skip(SKIP_RANGE);
		held_add_nothing();
		return;
	}
	if (!range_step_begin(widened(range))) {
		held_add_nothing();
		return;
	}
	last_call = (struct call_record){ .kind = CALL_CONTIG,
					  .nr_pages = op->args[3],
					  .slot = zone->slot,
					  .pageblock_type = (unsigned int)type_of(range),
					  .isolated_before = zone->nr_isolate_pageblock };
	ret = alloc_contig_range(range.start, range.end, (unsigned int)type_of(range));
	last_call.pfn = ret ? VIEW_NO_PFN : range.start;
	if (ret == 0)
		held_add_pages(range.start, op->args[3], HELD_CONTIG);
	else
		held_add_nothing();
	exec_step_end();
}

void op_migrate_script(const struct op *op)
{
	reclaim_script.migrate = (enum migrate_script)op->args[0];
}

/*
 * Only blocks move, as pages that a driver took page by page do not. Zone reclaim may free the block while its new frames
 * are looked for; then there is nothing left to move.
 */
static bool migrate_entry(unsigned int entry)
{
	const struct held_block *block = held_block(entry);
	gfp_t gfp = GFP_NOWAIT | __GFP_MOVABLE | __GFP_NOWARN | (block->compound ? __GFP_COMP : 0);
	struct page *from = pfn_to_page(block->pfn);
	struct page *to;

	if (block->kind != HELD_BLOCK)
		return false;
	to = alloc_pages(gfp, block->order);
	if (!to)
		return false;
	if (!block->live) {
		__free_pages(to, block->order);
		return true;
	}
	held_move(entry, page_to_pfn(to));
	__free_pages(from, block->order);
	return true;
}

/* Called from inside a call, so it is part of that call's step. */
_Bool ops_migrate_held(unsigned long start, unsigned long end)
{
	bool moved = true;
	unsigned int entry;

	for (entry = held_oldest(); entry < held_count(); entry++) {
		const struct held_block *block = held_block(entry);

		work_charge("ops_migrate_held");
		if (block->live && block->pfn < end && block->pfn + block->nr_pages > start)
			moved &= migrate_entry(entry);
	}
	return moved;
}
