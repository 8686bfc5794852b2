// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_fallback.c - a take that falls back to another type (specification 12), when it has taken its block: which
 * block that was, and what became of the pageblock around it.
 *
 * Verified: the order of search, the free pages that are stolen with the block, and that a pageblock changes its type if
 * half of it or more was free, and otherwise does not.
 */
#include "mm/internal.h"
#include "fuzz/census_look.h"
#include "fuzz/exec.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"
#include "fuzz/scan_watch.h"

struct fallback {
	unsigned long pfn;
	unsigned int slot;
	unsigned int order;              /* that was asked for */
	unsigned int block_order;        /* of the block that was taken */
	unsigned int type;               /* that was asked for */
	unsigned int from;               /* whose list the block was on */
};

/* Tried in this order. */
static const unsigned char other_types[MIGRATE_PCPTYPES][2] = {
	[MIGRATE_UNMOVABLE] = { MIGRATE_RECLAIMABLE, MIGRATE_MOVABLE },
	[MIGRATE_RECLAIMABLE] = { MIGRATE_UNMOVABLE, MIGRATE_MOVABLE },
	[MIGRATE_MOVABLE] = { MIGRATE_RECLAIMABLE, MIGRATE_UNMOVABLE },
};

RULE(fallback_takes_largest_block, 22, COST_SCAN, "buddy",
     "a fallback takes the largest block of another type, and of two types the one that comes first",
     const struct fallback *, taken)
{
	unsigned int first = other_types[taken->type][0], second = other_types[taken->type][1];
	unsigned int order;

	require(taken->from == first || taken->from == second, "type %s: took from type %u", migratetype_names[taken->type],
		taken->from);
	require(taken->from == first || view_list_empty(taken->slot, taken->block_order, first),
		"type %s, order %u: took from type %s, though %s has a block", migratetype_names[taken->type],
		taken->block_order, migratetype_names[second], migratetype_names[first]);
	for (order = taken->block_order + 1; order < MAX_ORDER; order++)
		require(view_list_empty(taken->slot, order, first) && view_list_empty(taken->slot, order, second),
			"type %s: took a block of order %u, there is one of order %u", migratetype_names[taken->type],
			taken->block_order, order);
	return true;
}

/* The block is large enough, or would mix types that cannot be moved into the pageblock: then take what else there is. */
static bool steals(const struct fallback *taken)
{
	if (patched(KEEP_HIGHATOMIC_BLOCK) && view_pageblock_type(taken->pfn) == MIGRATE_HIGHATOMIC)
		return false;
	return taken->block_order >= pageblock_order / 2 || taken->type != MIGRATE_MOVABLE || view_mobility_disabled();
}

RULE(steal_changes_whole_pageblocks, 21, COST_SCAN, "buddy",
     "the pageblocks of a block that a fallback steals whole have the type that was asked for", const struct fallback *,
     taken)
{
	unsigned long end = taken->pfn + (1UL << taken->block_order);
	unsigned long pfn;

	when(taken->block_order >= pageblock_order && steals(taken));
	for (pfn = taken->pfn; pfn < end; pfn += pageblock_nr_pages)
		require(view_pageblock_type(pfn) == taken->type, "frame %#lx, of the block of order %u at %#lx: type %u, not %u",
			pfn, taken->block_order, taken->pfn, view_pageblock_type(pfn), taken->type);
	return true;
}

/* The slow path gives up reserved pageblocks, and a contiguous range isolates those that it is from. */
static bool others_write_types(void)
{
	return watch.slow || last_call.kind == CALL_CONTIG;
}

/* A pageblock that ends outside its zone is left alone; one that begins outside is looked at from the zone on, or the block. */
EXCEPTIONS(steal_moves_free_pages, "pageblocks that end outside their zone, which are left alone")
RULE(steal_moves_free_pages, 21, COST_SCAN, "buddy",
     "a fallback that steals takes all free blocks of the pageblock to its list, and the pageblock if half of it was free",
     const struct fallback *, taken)
{
	unsigned long pfn = round_down(taken->pfn, pageblock_nr_pages);
	unsigned long end = pfn + pageblock_nr_pages;
	unsigned long zone_start = view_start_pfn(taken->slot);
	unsigned long pages = 1UL << taken->order;

	when(taken->block_order < pageblock_order && steals(taken) && end <= zone_start + view_spanned(taken->slot));
	if (pfn < zone_start)
		pfn = patched(MOVE_FROM_ZONE_START) ? zone_start : taken->pfn;
	while (pfn < end) {
		struct touched_page page = census_read(pfn);

		if (!page.buddy) {
			pfn++;
			continue;
		}
		require(page.place.type == taken->type, "frame %#lx, order %u: left on the list of type %u when type %u stole",
			pfn, page.order, page.place.type, taken->type);
		pages += 1UL << page.order;
		pfn += 1UL << page.order;
	}
	require(pages < pageblock_nr_pages / 2 || view_pageblock_type(taken->pfn) == taken->type,
		"frame %#lx: %lu pages of the pageblock were free, and its type is still %u", taken->pfn, pages,
		view_pageblock_type(taken->pfn));
	require(pages >= pageblock_nr_pages / 2 || view_mobility_disabled() || others_write_types() ||
			view_pageblock_writes() == exec_state.pageblock_writes,
		"frame %#lx: only %lu pages of the pageblock were free, and its type was written", taken->pfn, pages);
	return true;
}

void judge_fallback(const struct trace_record *record)
{
	struct fallback taken = {
		.pfn = record->a,
		.slot = view_slot_of_pfn(record->a),
		.order = record->b & 0xff,
		.block_order = (unsigned int)record->b >> 8,
		.type = record->c & 0xff,
		.from = (unsigned int)record->c >> 8,
	};

	if (exec_state.damage == DAMAGE_LISTS)
		return;
	judge(&taken, fallback_takes_largest_block, steal_changes_whole_pageblocks, steal_moves_free_pages);
	exec_state.pageblock_writes = view_pageblock_writes();
}
