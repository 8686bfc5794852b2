// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_buddy.c - pages are conserved and free blocks are well formed (specification 30.A, 30.B, 30.C).
 *
 * After each operation: the zones and descriptors it touched, over the census. In the full walk: every list.
 * Not verified after each operation: that no descriptor inside a large block is on a list; the walk does that, and
 * conservation notices it by the count.
 */
#include "mm/internal.h"
#include "fuzz/census.h"
#include "fuzz/exec.h"
#include "fuzz/held.h"
#include "fuzz/invariant.h"

static unsigned long listed_of_type(const struct zone_census *census, unsigned int type)
{
	unsigned long pages = 0;
	unsigned int order;

	for (order = 0; order < VIEW_MAX_ORDER; order++)
		pages += (unsigned long)census->blocks[order][type] << order;
	return pages;
}

/* managed == free blocks + per-CPU lists + held by the program + leaked */
static void check_conservation(struct invariant *inv, unsigned int slot)
{
	const struct zone_census *census = census_zone(slot);
	unsigned long found = census->listed_pages + census->pcp_pages + held_pages(slot) + held_leaked(slot);

	inv->held++;
	inv_require(inv, found == view_managed(slot),
		    "zone %s: managed %lu, found %lu (free blocks %lu, per-CPU lists %lu, held %lu, leaked %lu)",
		    view_zone_name(slot), view_managed(slot), found, census->listed_pages, census->pcp_pages,
		    held_pages(slot), held_leaked(slot));
}

INVARIANT(pages_conserved, 1, COST_ZONE, "buddy",
	  "managed pages are on the free lists, on the per-CPU lists, held by the program or leaked")
{
	unsigned int slot;

	for_each_touched_zone(slot)
		check_conservation(inv, slot);
}

INVARIANT(free_pages_counter, 2, COST_ZONE, "vmstat",
	  "NR_FREE_PAGES with all deltas is the pages on the free lists that are not isolated")
{
	unsigned int slot;

	/* Undoing the isolation of less than a MAX_ORDER block can count free pages twice (specification 30.A, 2). */
	if (exec_state.loose_isolation)
		return;
	for_each_touched_zone(slot) {
		const struct zone_census *census = census_zone(slot);
		long listed = (long)(census->listed_pages - listed_of_type(census, MIGRATE_ISOLATE));

		inv->held++;
		inv_require(inv, view_counter_sum(slot, VIEW_FREE_PAGES) == listed, "zone %s: counter %ld, lists %ld",
			    view_zone_name(slot), view_counter_sum(slot, VIEW_FREE_PAGES), listed);
	}
}

INVARIANT(free_cma_counter, 3, COST_ZONE, "vmstat",
	  "NR_FREE_CMA_PAGES with all deltas is the pages on the CMA lists")
{
	unsigned int slot;

	if (exec_state.loose_isolation)
		return;
	for_each_touched_zone(slot) {
		long listed = (long)listed_of_type(census_zone(slot), MIGRATE_CMA);

		inv->held += listed != 0;
		inv_require(inv, view_counter_sum(slot, VIEW_FREE_CMA_PAGES) == listed, "zone %s: counter %ld, lists %ld",
			    view_zone_name(slot), view_counter_sum(slot, VIEW_FREE_CMA_PAGES), listed);
	}
}

INVARIANT(free_area_counts, 11, COST_ZONE, "buddy", "nr_free of an order is the number of blocks on that order's lists")
{
	unsigned int slot, order, type;

	for_each_touched_zone(slot) {
		const struct zone_census *census = census_zone(slot);

		for (order = 0; order < VIEW_MAX_ORDER; order++) {
			unsigned long blocks = 0;

			for (type = 0; type < VIEW_MIGRATETYPES; type++)
				blocks += census->blocks[order][type];
			inv->held++;
			inv_require(inv, view_nr_free(slot, order) == blocks, "zone %s, order %u: nr_free %lu, blocks %lu",
				    view_zone_name(slot), order, view_nr_free(slot, order), blocks);
		}
	}
}

/*
 * One descriptor that claims to be free, or stands on a free list.
 */
static void check_block_form(struct invariant *inv, const struct touched_page *page)
{
	bool listed = page->place.kind == LIST_FREE;

	if (!listed && !page->buddy)
		return;
	inv->held++;
	inv_require(inv, page->buddy && listed, "frame %#lx: %s", page->pfn,
		    page->buddy ? "marked free, but on no free list" : "on a free list, but not marked free");
	inv_require(inv, page->order == page->place.which, "frame %#lx: order %u on the list of order %u", page->pfn,
		    page->order, page->place.which);
	inv_require(inv, (page->pfn & ((1UL << page->place.which) - 1)) == 0, "frame %#lx: not aligned to order %u",
		    page->pfn, page->place.which);
	inv_require(inv, page->refcount == 0, "frame %#lx: free with reference count %d", page->pfn, page->refcount);
	inv_require(inv, page->slot == page->place.slot, "frame %#lx: on a list of zone %s", page->pfn,
		    view_zone_name(page->place.slot));
	inv_require(inv, page->linked, "frame %#lx: its list neighbours do not point back", page->pfn);
}

INVARIANT(free_blocks_well_formed, 12, COST_ZONE, "buddy",
	  "a block on a free list is marked free, unreferenced, aligned, of its list's order and zone, and linked both ways")
{
	const struct touched_page *page;

	for_each_touched_page(page)
		check_block_form(inv, page);
}

/* A larger free block that a frame lies in, or VIEW_NO_PFN. */
static unsigned long block_around(unsigned long pfn, unsigned int above_order)
{
	unsigned int order;

	for (order = above_order + 1; order < VIEW_MAX_ORDER; order++) {
		unsigned long head = pfn & ~((1UL << order) - 1);

		if (head != pfn && view_free_block_of(head, order))
			return head;
	}
	return VIEW_NO_PFN;
}

INVARIANT(free_blocks_disjoint, 15, COST_ZONE, "buddy", "free blocks do not overlap")
{
	const struct touched_page *page;

	for_each_touched_page(page) {
		if (page->place.kind != LIST_FREE)
			continue;
		inv->held++;
		inv_require(inv, block_around(page->pfn, page->place.which) == VIEW_NO_PFN,
			    "frame %#lx, order %u: lies inside the free block at %#lx", page->pfn, page->place.which,
			    block_around(page->pfn, page->place.which));
	}
}

static void check_merged(struct invariant *inv, const struct touched_page *page)
{
	unsigned int order = page->place.which;
	unsigned long buddy = page->pfn ^ (1UL << order);

	if (order >= VIEW_MAX_ORDER - 1)
		return;
	if (order >= pageblock_order && (view_isolated_pageblocks(page->slot) || exec_state.loose_isolation))
		return;
	inv->held++;
	inv_require(inv, !view_free_block(buddy, order) || view_slot_of_pfn(buddy) != page->slot,
		    "zone %s, order %u: frames %#lx and %#lx are both free", view_zone_name(page->slot), order, page->pfn,
		    buddy);
}

/* Exceptions: blocks of whole pageblocks, while the zone has isolated ones or after an isolation of less than MAX_ORDER. */
INVARIANT(buddies_merged, 14, COST_ZONE, "buddy", "no two free blocks of one order are buddies")
{
	const struct touched_page *page;

	for_each_touched_page(page)
		if (page->place.kind == LIST_FREE)
			check_merged(inv, page);
}

INVARIANT(pcp_counts, 23, COST_ZONE, "pcp", "pcp->count is the number of pages on the CPU's three lists")
{
	unsigned int slot, cpu;

	for_each_touched_zone(slot) {
		for (cpu = 0; cpu < machine->nr_cpus; cpu++) {
			const unsigned int *lists = census_zone(slot)->pcp[cpu];
			int listed = (int)(lists[0] + lists[1] + lists[2]);

			inv->held += listed != 0;
			inv_require(inv, view_pcp_count(slot, cpu) == listed, "zone %s, CPU %u: count %d, lists %d",
				    view_zone_name(slot), cpu, view_pcp_count(slot, cpu), listed);
		}
	}
}

static bool may_be_cached(unsigned long cached_type, unsigned int list_type)
{
	return cached_type == list_type ||
	       (list_type == MIGRATE_MOVABLE && (cached_type == MIGRATE_HIGHATOMIC || cached_type == MIGRATE_CMA));
}

INVARIANT(pcp_pages_well_formed, 25, COST_ZONE, "pcp",
	  "a page on a per-CPU list is unreferenced, not marked free, of its zone, and its cached type may be there")
{
	const struct touched_page *page;

	for_each_touched_page(page) {
		if (page->place.kind != LIST_PCP)
			continue;
		inv->held++;
		inv_require(inv, !page->buddy && page->refcount == 0 && page->mapcount == -1,
			    "frame %#lx: marked free %d, reference count %d, mapcount %d", page->pfn, page->buddy,
			    page->refcount, page->mapcount);
		inv_require(inv, page->slot == page->place.slot, "frame %#lx: on a list of zone %s", page->pfn,
			    view_zone_name(page->place.slot));
		inv_require(inv, may_be_cached(page->index, page->place.type),
			    "frame %#lx: cached type %lu on the list of type %u", page->pfn, page->index,
			    page->place.type);
	}
}

/*
 * Calls.
 */
INVARIANT(page_handed_out_once, 6, COST_CALL, "page_alloc",
	  "a page that is returned was not held already and is on no list")
{
	struct list_place place;

	if (!last_call.allocation || last_call.pfn == VIEW_NO_PFN)
		return;
	inv->held++;
	inv_require(inv, !last_call.overlaps_held, "frame %#lx, order %u: the program holds some of it already",
		    last_call.pfn, last_call.order);
	place = census_place(last_call.pfn);
	inv_require(inv, place.kind == LIST_NONE && !view_page(last_call.pfn).buddy,
		    "frame %#lx, order %u: still on a list", last_call.pfn, last_call.order);
	inv_require(inv, block_around(last_call.pfn, last_call.order) == VIEW_NO_PFN,
		    "frame %#lx, order %u: lies inside the free block at %#lx", last_call.pfn, last_call.order,
		    block_around(last_call.pfn, last_call.order));
}

INVARIANT(returned_block_aligned, 9, COST_CALL, "page_alloc",
	  "a returned block is aligned to its order and lies in one zone")
{
	unsigned long last;

	if (!last_call.allocation || last_call.pfn == VIEW_NO_PFN)
		return;
	last = last_call.pfn + (1UL << last_call.order) - 1;
	inv->held++;
	inv_require(inv, (last_call.pfn & ((1UL << last_call.order) - 1)) == 0, "frame %#lx, order %u", last_call.pfn,
		    last_call.order);
	inv_require(inv, view_slot_of_pfn(last_call.pfn) == view_slot_of_pfn(last),
		    "frames %#lx and %#lx of one block are in different zones", last_call.pfn, last);
}

INVARIANT(returned_page_prepared, 70, COST_CALL, "page_alloc",
	  "a returned page has one reference on its head, no mapping count and no stale flag, and is compound iff asked")
{
	struct view_page page;
	bool compound = (last_call.gfp & __GFP_COMP) && last_call.order > 0;

	if (!last_call.allocation || last_call.pfn == VIEW_NO_PFN)
		return;
	page = view_page(last_call.pfn);
	inv->held++;
	inv_require(inv, page.refcount == 1 && page.mapcount == -1, "frame %#lx: reference count %d, mapcount %d",
		    last_call.pfn, page.refcount, page.mapcount);
	inv_require(inv, page.head == compound && !page.tail, "frame %#lx: head %d, tail %d, compound wanted %d",
		    last_call.pfn, page.head, page.tail, compound);
	inv_require(inv, !(page.flags & ~(1UL << PG_head)), "frame %#lx: flags %#lx", last_call.pfn, page.flags);
}

/*
 * The walk.
 */
static void walk_list(struct invariant *inv, unsigned int slot, unsigned int order, unsigned int type)
{
	unsigned long pfn;

	for (pfn = view_first_block(slot, order, type); pfn != VIEW_NO_PFN;
	     pfn = view_next_block(pfn, slot, order, type)) {
		struct touched_page page = census_look(pfn);

		page.place = (struct list_place){ LIST_FREE, (unsigned char)slot, (unsigned char)order,
						  (unsigned char)type };
		check_block_form(inv, &page);
		check_merged(inv, &page);
		inv_require(inv, block_around(pfn, order) == VIEW_NO_PFN,
			    "frame %#lx, order %u: lies inside the free block at %#lx", pfn, order,
			    block_around(pfn, order));
	}
}

INVARIANT(every_list_well_formed, 12, COST_WALK, "buddy",
	  "walking every free list finds well-formed, merged, disjoint blocks")
{
	unsigned int slot, order, type;

	for (slot = 0; slot < view_nr_slots(); slot++)
		for (order = 0; view_populated(slot) && order < VIEW_MAX_ORDER; order++)
			for (type = 0; type < VIEW_MIGRATETYPES; type++)
				walk_list(inv, slot, order, type);
}

INVARIANT(every_page_conserved, 1, COST_WALK, "buddy",
	  "managed pages are on the free lists, on the per-CPU lists, held by the program or leaked, in every zone")
{
	unsigned int slot;

	for (slot = 0; slot < view_nr_slots(); slot++)
		if (view_populated(slot))
			check_conservation(inv, slot);
}

INVARIANT(lists_match_census, 11, COST_WALK, "harness", "walking the lists finds what the census counted")
{
	const char *difference = census_walk();

	inv->held++;
	inv_require(inv, !difference, "%s", difference);
}
