// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_buddy.c - free blocks are well formed, and pages are conserved (specification 30.A, 30.B, 30.C).
 *
 * Verified after each call, over the descriptors and zones it touched: 1, 2, 3, 11-17, 19, 23-25, 86. What a walk over
 * every list finds besides is in invariants_walk.c.
 * Not verified after each call: that no descriptor inside a larger free block is on a list (13, 15): only the block
 * that moved looks up, not down; conservation notices it by the count, the walk by name.
 */
#include "mm/internal.h"
#include "fuzz/census_look.h"
#include "fuzz/exec.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"

/*
 * Blocks. The rules about a descriptor take its frame number and read it themselves: only what they compare is read.
 */
RULE(free_mark_only_on_lists, 13, COST_ZONE, "buddy", "a page that is on no list is not marked free", unsigned long, pfn)
{
	require(!PageBuddy(pfn_to_page(pfn)), "frame %#lx: marked free, but on no free list", pfn);
	return true;
}

RULE(free_blocks_well_formed, 12, COST_ZONE, "buddy",
     "a block on a free list is marked free, unreferenced, aligned, of its list's order and zone, and linked both ways",
     unsigned long, pfn)
{
	struct touched_page page = census_read(pfn);

	require(page.buddy, "frame %#lx: on a free list, but not marked free", pfn);
	require(page.order == page.place.which, "frame %#lx: order %u on the list of order %u", pfn, page.order,
		page.place.which);
	require((pfn & ((1UL << page.place.which) - 1)) == 0, "frame %#lx: not aligned to order %u", pfn, page.place.which);
	require(page.refcount == 0, "frame %#lx: free with reference count %d", pfn, page.refcount);
	require(page.slot == page.place.slot, "frame %#lx: on a list of zone %s", pfn, view_zone_name(page.place.slot));
	require(page.linked, "frame %#lx: its list neighbours do not point back", pfn);
	return true;
}

RULE(free_blocks_disjoint, 15, COST_ZONE, "buddy", "free blocks do not overlap", const struct list_change *, change)
{
	unsigned long around = view_block_around(change->pfn, change->after.which);

	require(around == VIEW_NO_PFN, "frame %#lx, order %u: lies inside the free block at %#lx", change->pfn,
		change->after.which, around);
	return true;
}

static bool may_be_kept_apart(unsigned int slot)
{
	return exec_state.loose_isolation || view_isolated_pageblocks(slot);
}

EXCEPTIONS(buddies_merged,
	   "blocks of whole pageblocks, while the zone has isolated ones or after an isolation of less than MAX_ORDER")
RULE(buddies_merged, 14, COST_ZONE, "buddy", "no two free blocks of one order are buddies", const struct list_change *,
     change)
{
	unsigned int order = change->after.which;

	when(order < VIEW_MAX_ORDER - 1);
	when(order < view_pageblock_order() || !may_be_kept_apart(change->after.slot));
	require(view_free_buddy_slot(change->pfn, order) != change->after.slot, "zone %s, order %u: frames %#lx and %#lx are both free",
		view_zone_name(change->after.slot), order, change->pfn, change->pfn ^ (1UL << order));
	return true;
}

/* True if the types of all pageblocks that a block touches are (or are not) this one. */
static bool pageblocks_are(unsigned long pfn, unsigned int order, unsigned int type, bool wanted)
{
	unsigned long end = pfn + (1UL << order);

	for (; pfn < end; pfn += 1UL << view_pageblock_order())
		if ((view_pageblock_type(pfn) == type) != wanted)
			return false;
	return true;
}

/*
 * CMA ranges are aligned so that no block can straddle their border (machine_check()). While parts of one are isolated
 * their pageblocks have another type.
 */
EXCEPTIONS(cma_blocks_on_cma_lists,
	   "while the zone has isolated pageblocks, and after an isolation of less than MAX_ORDER")
RULE(cma_blocks_on_cma_lists, 16, COST_ZONE, "buddy",
     "a block is on a CMA list exactly if its pageblocks are CMA", const struct list_change *, change)
{
	bool on_cma_list = change->after.type == MIGRATE_CMA;

	when(!exec_state.loose_isolation && !view_isolated_pageblocks(change->after.slot));
	require(pageblocks_are(change->pfn, change->after.which, MIGRATE_CMA, on_cma_list),
		"frame %#lx, order %u: on a list of type %s, pageblock type %u", change->pfn, change->after.which,
		migratetype_names[change->after.type], view_pageblock_type(change->pfn));
	return true;
}

/*
 * A program that isolates nothing has nothing to look up: what else marks a pageblock as isolated is for the walk to find.
 */
EXCEPTIONS(isolated_blocks_on_isolate_lists,
	   "after an isolation of less than MAX_ORDER, for a larger block may straddle its border on the list it was on")
RULE(isolated_blocks_on_isolate_lists, 17, COST_ZONE, "isolation",
     "a block is on an ISOLATE list exactly if its pageblocks are isolated", const struct list_change *, change)
{
	bool on_isolate_list = change->after.type == MIGRATE_ISOLATE;

	when(!exec_state.loose_isolation && (on_isolate_list || exec_state.isolation));
	require(pageblocks_are(change->pfn, change->after.which, MIGRATE_ISOLATE, on_isolate_list),
		"frame %#lx, order %u: on a list of type %s, pageblock type %u", change->pfn, change->after.which,
		migratetype_names[change->after.type], view_pageblock_type(change->pfn));
	return true;
}

static bool may_be_cached(unsigned long cached_type, unsigned int list_type)
{
	return cached_type == list_type ||
	       (list_type == MIGRATE_MOVABLE && (cached_type == MIGRATE_HIGHATOMIC || cached_type == MIGRATE_CMA));
}

RULE(pcp_pages_well_formed, 25, COST_ZONE, "pcp",
     "a page on a per-CPU list is unreferenced, not marked free, of its zone, and its cached type may be there",
     unsigned long, pfn)
{
	struct touched_page page = census_read(pfn);

	require(!page.buddy && page.refcount == 0 && page.mapcount == -1,
		"frame %#lx: marked free %d, reference count %d, mapcount %d", pfn, page.buddy, page.refcount, page.mapcount);
	require(page.slot == page.place.slot, "frame %#lx: on a list of zone %s", pfn, view_zone_name(page.place.slot));
	require(may_be_cached(page.index, page.place.type), "frame %#lx: cached type %lu on the list of type %u", pfn,
		page.index, page.place.type);
	require(page.linked, "frame %#lx: its list neighbours do not point back", pfn);
	return true;
}

static inline void judge_descriptor(unsigned long pfn, bool counted)
{
	switch (census_place_of(pfn_to_page(pfn)->list).kind) {
	case LIST_FREE:
		judge_in_loop(counted, pfn, free_blocks_well_formed);
		break;
	case LIST_PCP:
		judge_in_loop(counted, pfn, pcp_pages_well_formed);
		break;
	default:
		judge_in_loop(counted, pfn, free_mark_only_on_lists);
	}
}

static inline void judge_new_block(const struct list_change *change, bool counted)
{
	judge_in_loop(counted, change, free_blocks_disjoint, buddies_merged);
	if (machine->cma)
		judge_in_loop(counted, change, cma_blocks_on_cma_lists);
	if (machine->isolation)
		judge_in_loop(counted, change, isolated_blocks_on_isolate_lists);
}

static inline __attribute__((__always_inline__)) void judge_all_pages(bool counted)
{
	const unsigned int *pfn = world_touched_pfns, *end = pfn + world_nr_touched();

	for (; pfn < end; pfn++)
		judge_descriptor(*pfn, counted);
	for_each_change(change)
		if (change->after.kind == LIST_FREE)
			judge_new_block(change, counted);
}

/*
 * What stayed where it was met the rules about its neighbours when it came there; what changed is in the census.
 */
void judge_pages(void)
{
	if (unlikely(invariants_counted))
		judge_all_pages(true);
	else
		judge_all_pages(false);
}

/*
 * Zones.
 */
RULE(pages_conserved, 1, COST_ZONE, "buddy",
     "managed pages are on the free lists, on the per-CPU lists, held by the program or leaked", const struct zone_now *,
     zone)
{
	unsigned long found = zone->census->listed_pages + zone->census->pcp_pages + zone->held + zone->leaked;

	require(found == zone->view.managed,
		"zone %s: managed %lu, found %lu (free blocks %lu, per-CPU lists %lu, held %lu, leaked %lu)",
		view_zone_name(zone->view.slot), zone->view.managed, found, zone->census->listed_pages,
		zone->census->pcp_pages, zone->held, zone->leaked);
	return true;
}

RULE(free_area_counts, 11, COST_ZONE, "buddy", "nr_free of an order is the number of blocks on that order's lists",
     const struct zone_now *, zone)
{
	unsigned int order;

	for (order = 0; order < VIEW_MAX_ORDER; order++)
		require(view_nr_free(zone->view.slot, order) == zone->census->blocks_of_order[order],
			"zone %s, order %u: nr_free %lu, blocks %lu", view_zone_name(zone->view.slot), order,
			view_nr_free(zone->view.slot, order), zone->census->blocks_of_order[order]);
	return true;
}

RULE(pcp_counts, 23, COST_ZONE, "pcp", "pcp->count is the number of pages on the CPU's three lists",
     const struct zone_now *, zone)
{
	unsigned int cpu;

	counts_if(zone->census->pcp_pages != 0);
	for (cpu = 0; cpu < zone->view.nr_cpus; cpu++)
		require(zone->view.cpus[cpu].count == (int)zone->census->pcp_of_cpu[cpu],
			"zone %s, CPU %u: count %d, lists %u", view_zone_name(zone->view.slot), cpu,
			zone->view.cpus[cpu].count, zone->census->pcp_of_cpu[cpu]);
	return true;
}

/*
 * Only a free looks at high; a refill of an empty list does not, so the two other lists can each add batch - 1 on top
 * of high - 1.
 */
EXCEPTIONS(pcp_lists_bounded, "batch 2, for then a drain never takes from list 0; after high or batch changed")
RULE(pcp_lists_bounded, 24, COST_ZONE, "pcp", "a CPU's lists hold at most high - 1 + 2 * (batch - 1) pages",
     const struct zone_now *, zone)
{
	unsigned int cpu;

	when(!exec_state.pcp_sizes_changed);
	for (cpu = 0; cpu < zone->view.nr_cpus; cpu++) {
		const struct view_cpu *pcp = &zone->view.cpus[cpu];

		if (pcp->batch == 2)
			continue;
		require(pcp->count <= (pcp->high > 1 ? pcp->high : 1) - 1 + 2 * (pcp->batch - 1),
			"zone %s, CPU %u: %d pages, high %d, batch %d", view_zone_name(zone->view.slot), cpu, pcp->count,
			pcp->high, pcp->batch);
	}
	return true;
}

/* The limit is tested before a block is added; highatomic-cap rounds it to whole pageblocks. */
RULE(highatomic_reserve_bounded, 19, COST_ZONE, "highatomic",
     "the highatomic reserve is a number of whole pageblocks, and about a percent of the zone at most",
     const struct zone_now *, zone)
{
	unsigned long pageblock = 1UL << view_pageblock_order();
	unsigned long reserved = zone->view.reserved_highatomic;
	unsigned long percent = zone->view.managed / 100;
	unsigned long most = patched(HIGHATOMIC_CAP) ? round_up(percent, pageblock) : percent + 2 * pageblock - 1;

	counts_if(reserved != 0);
	require(reserved % pageblock == 0 && reserved <= most, "zone %s: %lu pages, at most %lu in pageblocks of %lu",
		view_zone_name(zone->view.slot), reserved, most, pageblock);
	return true;
}

RULE(other_zone_flags_clear, 86, COST_ZONE, "zone", "between calls a zone has no flag but the depleted one",
     const struct zone_now *, zone)
{
	require(!zone->view.other_flags, "zone %s: flags %#lx", view_zone_name(zone->view.slot), zone->view.other_flags);
	return true;
}

void judge_zone_lists(const struct zone_now *zone)
{
	judge(zone, pages_conserved, free_area_counts, pcp_counts, pcp_lists_bounded, highatomic_reserve_bounded,
	      other_zone_flags_clear);
}
