// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_range.c - blocks taken apart, and ranges of frames taken at their place (specification 25, and 81, 82 of
 * 30.K).
 *
 * Verified: 81, 82. That singly freed pages become the block again is buddies_merged (14); that a failure loses no page is
 * pages_conserved (1).
 */
#include "mm/internal.h"
#include "fuzz/exec.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"
#include "fuzz/scan_watch.h"

static unsigned long end_of(const struct call_record *call)
{
	return call->pfn + call->nr_pages;
}

/* The first page of the range that has not just one reference or is on a list, or the end of the range. */
static unsigned long first_not_single(const struct call_record *call)
{
	unsigned long pfn = call->pfn;

	while (pfn < end_of(call) && view_page(pfn).refcount == 1 && census_place(pfn).kind == LIST_NONE)
		pfn++;
	return pfn;
}

RULE(taken_apart_into_single_pages, 82, COST_CALL, "page_alloc",
     "each page of a split block or an exact size has one reference of its own, and is on no list",
     const struct call_record *, call)
{
	unsigned long pfn = first_not_single(call);

	require(pfn == end_of(call), "frame %#lx of %u from %#lx: reference count %d, on a list %d", pfn, call->nr_pages,
		call->pfn, view_page(pfn).refcount, census_place(pfn).kind != LIST_NONE);
	return true;
}

RULE(contiguous_range_is_held, 81, COST_CALL, "contig",
     "each page of a contiguous range that was handed over has one reference, and is on no list",
     const struct call_record *, call)
{
	unsigned long pfn;

	when(call->pfn != VIEW_NO_PFN);
	pfn = first_not_single(call);
	require(pfn == end_of(call), "frame %#lx of %u from %#lx: reference count %d, on a list %d", pfn, call->nr_pages,
		call->pfn, view_page(pfn).refcount, census_place(pfn).kind != LIST_NONE);
	return true;
}

/* While pages are not grouped by mobility every ordinary pageblock becomes UNMOVABLE when its type is written. */
static unsigned int type_given_back(const struct call_record *call)
{
	return view_mobility_disabled() && call->pageblock_type < MIGRATE_PCPTYPES ? MIGRATE_UNMOVABLE : call->pageblock_type;
}

EXCEPTIONS(contiguous_range_gives_types_back, "after a pageblock was isolated twice")
RULE(contiguous_range_gives_types_back, 81, COST_CALL, "contig",
     "after a request for a contiguous range the zone has as many isolated pageblocks as before, and those of the range have their type",
     const struct call_record *, call)
{
	unsigned long isolated = view_isolated_pageblocks(call->slot);
	unsigned long block = 1UL << view_pageblock_order();
	unsigned long pfn = call->pfn & -block;

	/* Isolated twice, counted down once. */
	when(!exec_state.double_isolation);
	require(isolated == call->isolated_before, "zone %s: %lu isolated pageblocks before, %lu after",
		view_zone_name(call->slot), call->isolated_before, isolated);
	for (; call->pfn != VIEW_NO_PFN && pfn < call->pfn + call->nr_pages; pfn += block)
		require(view_pageblock_type(pfn) == type_given_back(call), "zone %s, pageblock at %#lx: type %u, wanted %u",
			view_zone_name(call->slot), pfn, view_pageblock_type(pfn), type_given_back(call));
	return true;
}

/* Before contig-not-busy a range that was grabbed all the same is refused, too. */
EXCEPTIONS(refused_range_is_not_grabbed, "before contig-not-busy")
RULE(refused_range_is_not_grabbed, 81, COST_CALL, "contig",
     "a contiguous range is refused before any of its free pages is taken, and none has to be given back",
     const struct call_record *, call)
{
	when(call->pfn == VIEW_NO_PFN && patched(CONTIG_NOT_BUSY));
	require(!watch_this_step()->singles_freed, "%u pages of a range that is refused were taken and freed",
		watch_this_step()->singles_freed);
	return true;
}

void judge_range(const struct call_record *call)
{
	if (call->kind != CALL_CONTIG) {
		judge(call, taken_apart_into_single_pages);
		return;
	}
	judge(call, contiguous_range_is_held, refused_range_is_not_grabbed, contiguous_range_gives_types_back);
}
