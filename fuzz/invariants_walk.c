// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_walk.c - what only a walk over every list and pageblock shows (specification 30.A, 30.B). In tests after
 * each operation, in campaigns at a stated interval.
 *
 * Verified: 1 and 11-15 of everything, 8, 18, 20, 21.
 */
#include "mm/internal.h"
#include "fuzz/exec.h"
#include "fuzz/held.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"
#include "host.h"

/*
 * Lists.
 */
INVARIANT(lists_match_census, 11, COST_WALK, "harness", "walking the lists finds what the census counted")
{
	const char *difference = census_walk();

	inv_require(inv, !difference, "%s", difference);
}

static bool block_is_sound(const struct touched_page *page)
{
	unsigned int order = page->place.which;
	bool may_stay_apart = order >= view_pageblock_order() &&
			      (exec_state.loose_isolation || view_isolated_pageblocks(page->slot));

	return page->buddy && page->order == order && !(page->pfn & ((1UL << order) - 1)) && !page->refcount &&
	       page->slot == page->place.slot && page->linked && view_block_around(page->pfn, order) == VIEW_NO_PFN &&
	       (may_stay_apart || order == VIEW_MAX_ORDER - 1 || view_free_buddy_slot(page->pfn, order) != page->slot);
}

static void walk_list(struct invariant *inv, unsigned int slot, unsigned int order, unsigned int type)
{
	unsigned long pfn;

	for (pfn = view_first_block(slot, order, type); pfn != VIEW_NO_PFN;
	     pfn = view_next_block(pfn, slot, order, type)) {
		struct touched_page page = census_look(pfn);
		struct list_place place = { LIST_FREE, (unsigned char)slot, (unsigned char)order, (unsigned char)type };

		inv_require(inv, !memcmp(&page.place, &place, sizeof(place)),
			    "frame %#lx: on the list of zone %s, order %u, type %u, and thinks it is elsewhere", pfn,
			    view_zone_name(slot), order, type);
		inv_require(inv, block_is_sound(&page),
			    "zone %s, frame %#lx, order %u: marked free %d of order %u, reference count %d, linked %d",
			    view_zone_name(slot), pfn, order, page.buddy, page.order, page.refcount, page.linked);
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

	for (slot = 0; slot < view_nr_slots(); slot++) {
		const struct zone_census *census = census_zone(slot);

		if (!census)
			continue;
		inv_require(inv,
			    census->listed_pages + census->pcp_pages + held_pages(slot) + held_leaked(slot) ==
				    view_managed(slot),
			    "zone %s: managed %lu, free blocks %lu, per-CPU lists %lu, held %lu, leaked %lu",
			    view_zone_name(slot), view_managed(slot), census->listed_pages, census->pcp_pages,
			    held_pages(slot), held_leaked(slot));
	}
}

/*
 * Frames. A block is where no other is, nothing in it is held or reserved, and all of it is memory; by conservation
 * every managed frame is then in exactly one place.
 */
static unsigned long *seen;      /* a bit for each frame, clear between walks */

static bool see_frames(unsigned long pfn, unsigned int order, bool mark)
{
	unsigned long mask = order >= 6 ? ~0UL : ((1UL << (1U << order)) - 1) << (pfn % 64);
	unsigned long nr_words = order > 6 ? 1UL << (order - 6) : 1;
	bool clash = false;
	unsigned long i;

	for (i = pfn / 64; i < pfn / 64 + nr_words; i++) {
		clash |= (seen[i] & mask) != 0;
		seen[i] = mark ? seen[i] | mask : seen[i] & ~mask;
	}
	return clash;
}

static bool is_reserved(unsigned long pfn, unsigned int order)
{
	unsigned int i;

	for (i = 0; i < machine->nr_reserved; i++)
		if (machine->reserved[i].start_pfn < pfn + (1UL << order) && machine->reserved[i].end_pfn > pfn)
			return true;
	return false;
}

/* Does something for each block on the lists of a zone: returns the first frame that is wrong, or VIEW_NO_PFN. */
static unsigned long see_free_blocks(unsigned int slot, bool mark)
{
	unsigned long wrong = VIEW_NO_PFN;
	unsigned int order, type;
	unsigned long pfn;

	for (order = 0; order < VIEW_MAX_ORDER; order++)
		for (type = 0; type < VIEW_MIGRATETYPES; type++)
			for (pfn = view_first_block(slot, order, type); pfn != VIEW_NO_PFN;
			     pfn = view_next_block(pfn, slot, order, type))
				if (see_frames(pfn, order, mark) || held_overlaps(pfn, 1UL << order) || is_reserved(pfn, order) ||
				    !physmem_present(pfn) || !physmem_present(pfn + (1UL << order) - 1))
					wrong = pfn;
	return wrong;
}

static unsigned long see_pcp_pages(unsigned int slot, bool mark)
{
	unsigned long wrong = VIEW_NO_PFN;
	unsigned int cpu, type;
	unsigned long pfn;

	for (cpu = 0; cpu < machine->nr_cpus; cpu++)
		for (type = 0; type < VIEW_PCPTYPES; type++)
			for (pfn = view_first_pcp_page(slot, cpu, type); pfn != VIEW_NO_PFN;
			     pfn = view_next_pcp_page(pfn, slot, cpu, type))
				if (see_frames(pfn, 0, mark) || held_overlaps(pfn, 1) || is_reserved(pfn, 0))
					wrong = pfn;
	return wrong;
}

INVARIANT(every_frame_in_one_place, 8, COST_WALK, "buddy",
	  "a frame is in one free block, on one per-CPU list, held or reserved, and never two of these")
{
	unsigned long wrong_block = VIEW_NO_PFN, wrong_page = VIEW_NO_PFN;
	unsigned int slot;

	if (!seen)
		seen = host_map(MACHINE_PFN_MAX / 8);
	for (slot = 0; slot < view_nr_slots(); slot++) {
		if (!census_zone(slot))
			continue;
		wrong_block = min(wrong_block, see_free_blocks(slot, true));
		wrong_page = min(wrong_page, see_pcp_pages(slot, true));
	}
	for (slot = 0; slot < view_nr_slots(); slot++) {
		if (!census_zone(slot))
			continue;
		see_free_blocks(slot, false);
		see_pcp_pages(slot, false);
	}
	inv_require(inv, wrong_block == VIEW_NO_PFN, "the free block at frame %#lx has frames that are elsewhere, too",
		    wrong_block);
	inv_require(inv, wrong_page == VIEW_NO_PFN, "frame %#lx is on a per-CPU list and elsewhere, too", wrong_page);
}

/*
 * Pageblocks.
 */

#define PAGEBLOCK_TYPES 16       /* that four bits can say */

/* Pageblocks by type, of those that begin in the zone or, if it begins inside one, that it begins in. */
static void count_pageblocks(unsigned int slot, unsigned long counts[PAGEBLOCK_TYPES])
{
	unsigned long pageblock = 1UL << view_pageblock_order();
	unsigned long end = view_start_pfn(slot) + view_spanned(slot);
	unsigned long pfn;

	memset(counts, 0, PAGEBLOCK_TYPES * sizeof(*counts));
	for (pfn = view_start_pfn(slot) & ~(pageblock - 1); pfn < end; pfn += pageblock)
		if (view_slot_of_pfn(max(pfn, view_start_pfn(slot))) == slot)
			counts[view_pageblock_type(pfn)]++;
}

EXCEPTIONS(isolated_pageblocks_counted,
	   "a pageblock isolated twice counts twice; one that is only part of a larger free block loses its type when that is stolen")
INVARIANT(isolated_pageblocks_counted, 18, COST_WALK, "isolation",
	  "nr_isolate_pageblock is the number of the zone's pageblocks that are isolated")
{
	unsigned long counts[PAGEBLOCK_TYPES];
	unsigned long any = 0;
	unsigned int slot;

	inv_when(!exec_state.double_isolation);
	for (slot = 0; slot < view_nr_slots(); slot++) {
		if (!census_zone(slot))
			continue;
		count_pageblocks(slot, counts);
		any += counts[MIGRATE_ISOLATE];
		inv_require(inv,
			    view_isolated_pageblocks(slot) == counts[MIGRATE_ISOLATE] ||
				    (exec_state.loose_isolation &&
				     view_isolated_pageblocks(slot) > counts[MIGRATE_ISOLATE]),
			    "zone %s: counted %lu, there are %lu", view_zone_name(slot), view_isolated_pageblocks(slot),
			    counts[MIGRATE_ISOLATE]);
	}
	inv_counts_if(any != 0);
}

/* The zone begins or ends inside a pageblock of which the other spans a part. */
static bool ends_inside(unsigned int slot, unsigned int other)
{
	unsigned long pageblock = 1UL << view_pageblock_order();
	unsigned long edges[] = { view_start_pfn(slot), view_start_pfn(slot) + view_spanned(slot) };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		unsigned long start = edges[i] & ~(pageblock - 1);

		if (start != edges[i] && start < view_start_pfn(other) + view_spanned(other) &&
		    view_start_pfn(other) < start + pageblock)
			return true;
	}
	return false;
}

/* The first frame of such a pageblock, which says whose it is, may be in a hole. */
static bool shares_pageblock(unsigned int slot)
{
	unsigned int other;

	for_each_slot_of(other, view_populated_slots())
		if (other != slot && (ends_inside(slot, other) || ends_inside(other, slot)))
			return true;
	return false;
}

/*
 * Before unreserve-own-type and keep-highatomic-block pages with a stale type convert the wrong block, and the count
 * drifts (specification 30.B, 20). With them it is exact until a steal of more than a pageblock, whose other
 * pageblocks nobody looks at. One that two zones share is reserved by one of them and may be released by the other.
 */
EXCEPTIONS(highatomic_pageblocks_counted,
	   "before unreserve-own-type and keep-highatomic-block; after a steal of more than a pageblock, and an isolation; zones that share one")
INVARIANT(highatomic_pageblocks_counted, 20, COST_WALK, "highatomic",
	  "nr_reserved_highatomic is the pages of the zone's HIGHATOMIC pageblocks")
{
	unsigned long counts[PAGEBLOCK_TYPES];
	unsigned long any = 0;
	unsigned int slot;

	inv_when(patched(UNRESERVE_OWN_TYPE) && patched(KEEP_HIGHATOMIC_BLOCK));
	inv_when(!exec_state.big_steal && !exec_state.isolation);
	for (slot = 0; slot < view_nr_slots(); slot++) {
		unsigned long pages;

		if (!census_zone(slot) || shares_pageblock(slot))
			continue;
		count_pageblocks(slot, counts);
		pages = counts[MIGRATE_HIGHATOMIC] << view_pageblock_order();
		any += pages;
		inv_require(inv, view_reserved_highatomic(slot) == pages, "zone %s: counted %lu, there are %lu",
			    view_zone_name(slot), view_reserved_highatomic(slot), pages);
	}
	inv_counts_if(any != 0);
}

/*
 * With grouping disabled a pageblock may still be MOVABLE, as all are when a boot begins, and have any type if there was
 * grouping before new zonelists were built.
 */
INVARIANT(pageblock_types_valid, 21, COST_WALK, "pageblock",
	  "a pageblock has a type there is on this machine, and is not RECLAIMABLE where there was never mobility grouping")
{
	unsigned long counts[PAGEBLOCK_TYPES];
	unsigned int slot, type;

	for (slot = 0; slot < view_nr_slots(); slot++) {
		if (!census_zone(slot))
			continue;
		count_pageblocks(slot, counts);
		for (type = 0; type < PAGEBLOCK_TYPES; type++)
			inv_require(inv, !counts[type] || (type < MIGRATE_TYPES && migratetype_configured((int)type)),
				    "zone %s: %lu pageblocks of type %u", view_zone_name(slot), counts[type], type);
		inv_require(inv, !counts[MIGRATE_RECLAIMABLE] || exec_state.grouped,
			    "zone %s: %lu pageblocks are RECLAIMABLE, and pages were never grouped", view_zone_name(slot),
			    counts[MIGRATE_RECLAIMABLE]);
	}
}
