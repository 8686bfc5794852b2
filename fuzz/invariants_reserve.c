// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_reserve.c - the slow path gives up pageblocks of the highatomic reserve one at a time, and the right ones
 * (specification 13, 30.K). Which one is due is found when an attempt after reclaim has failed, from the lists as they are
 * then.
 *
 * Verified: 80.
 */
#include "mm/internal.h"
#include "fuzz/invariant.h"
#include "fuzz/scan_expect.h"

/* The first on a zone's HIGHATOMIC lists, orders ascending: its pageblock is the one that is given up. */
static unsigned long first_reserved_block(unsigned int slot)
{
	unsigned long pfn = VIEW_NO_PFN;
	unsigned int order;

	for (order = 0; order < MAX_ORDER && pfn == VIEW_NO_PFN; order++)
		pfn = view_first_block(slot, order, MIGRATE_HIGHATOMIC);
	return pfn;
}

/* Not if it has another type by now, or ends outside the zone. */
static bool can_give_up(unsigned int slot, unsigned long pfn)
{
	unsigned long end_of_zone = view_start_pfn(slot) + view_spanned(slot);

	return view_pageblock_type(pfn) == MIGRATE_HIGHATOMIC &&
	       round_down(pfn, pageblock_nr_pages) + pageblock_nr_pages <= end_of_zone;
}

/* It has more than one pageblock reserved, and a block on the reserve's lists. */
static unsigned long block_to_give_up(unsigned int slot)
{
	return view_reserved_highatomic(slot) > pageblock_nr_pages ? first_reserved_block(slot) : VIEW_NO_PFN;
}

/*
 * Some zone that the request may use has a reserved pageblock to give up. A block whose pageblock is reserved no more is given
 * up as well, and lowers no count: it must not come first.
 */
static bool owes_pageblock(void)
{
	unsigned int slot;
	unsigned int i;

	for_each_slot_of(slot, view_populated_slots()) {
		unsigned long pfn = block_to_give_up(slot);

		if (pfn != VIEW_NO_PFN && !can_give_up(slot, pfn))
			return false;
	}
	for (i = 0; i < watch.list.nr_zones; i++)
		if (block_to_give_up(watch.list.zones[i].slot) != VIEW_NO_PFN)
			return true;
	return false;
}

/*
 * The first block of the first zone of the list that has more than one pageblock reserved (specification 13). Not known when
 * the request may have gone over to another list.
 */
static unsigned long owed_pageblock(void)
{
	unsigned int i;

	for (i = 0; i < watch.head.nr_zones && !watch.left_policy; i++) {
		unsigned long pfn = block_to_give_up(watch.head.zones[i].slot);

		if (pfn != VIEW_NO_PFN)
			return pfn;
	}
	return VIEW_NO_PFN;
}

/* An attempt after reclaim has failed. If it was the first, a pageblock is given up before the second. */
void expect_reserve_given_up(void)
{
	bool due = watch.after_reclaim == 1 && owes_pageblock();

	watch.reserved_after_reclaim = due ? view_reserved_highatomic_total() : 0;
	watch.owed_pfn = due ? owed_pageblock() : VIEW_NO_PFN;
}

/*
 * Another round begins. Nothing else writes the type of a pageblock once the last attempt of a round has failed, and where
 * nothing is reserved nothing is given up, whatever is on the reserve's lists.
 */
void note_reserve_given_up(void)
{
	watch.gave_up_reserve = watch.reserved_at_round && view_pageblock_writes() != watch.writes_at_failure;
	watch.reserve_rounds += watch.gave_up_reserve;
}

/*
 * A round may release one pageblock after reclaim, and since unreserve-before-oom another before it gives up. Since then one
 * that ends outside its zone, from which no page can be moved, is released on the way.
 */
static unsigned long most_released(void)
{
	unsigned long pageblocks = 1;
	unsigned int slot;

	if (patched(UNRESERVE_BEFORE_OOM)) {
		pageblocks++;
		for_each_slot_of(slot, view_populated_slots())
			pageblocks += (view_start_pfn(slot) + view_spanned(slot)) % pageblock_nr_pages != 0;
	}
	return pageblocks << view_pageblock_order();
}

RULE(unreserve_one_pageblock, 80, COST_SCAN, "highatomic",
     "a round of the slow path releases one pageblock of the highatomic reserve at most, and before unreserve-before-oom not a zone's last",
     const struct scan_watch *, scan)
{
	unsigned long now = view_reserved_highatomic_total();

	when(scan->reserved_at_round != 0);
	require(now + most_released() >= scan->reserved_at_round, "round %u: %lu pages reserved before it, %lu now",
		scan->rounds, scan->reserved_at_round, now);
	require(patched(UNRESERVE_BEFORE_OOM) || now, "round %u: %lu pages reserved before it, none now",
		scan->rounds, scan->reserved_at_round);
	return true;
}

RULE(reserve_given_up_after_reclaim, 80, COST_SCAN, "highatomic",
     "when reclaim made progress and that did not help, a zone with more than one reserved pageblock gives one up",
     const struct scan_watch *, scan)
{
	unsigned long now = view_reserved_highatomic_total();

	when(scan->reserved_after_reclaim != 0);
	require(now < scan->reserved_after_reclaim, "round %u: %lu pages reserved before, %lu now", scan->rounds,
		scan->reserved_after_reclaim, now);
	return true;
}

/* While pages are not grouped every ordinary pageblock is UNMOVABLE. */
EXCEPTIONS(first_reserved_pageblock_given_up,
	   "pageblocks that cannot be moved as a whole, and requests that may have gone over to another list")
RULE(first_reserved_pageblock_given_up, 80, COST_SCAN, "highatomic",
     "the reserved pageblock that is given up is that of the zone's smallest free block, and gets the type of the request",
     const struct scan_watch *, scan)
{
	unsigned int wanted = view_mobility_disabled() ? MIGRATE_UNMOVABLE : expect_migratetype();

	when(scan->reserved_after_reclaim && scan->owed_pfn != VIEW_NO_PFN);
	require(view_pageblock_type(scan->owed_pfn) == wanted, "round %u: the pageblock of frame %#lx has type %u, wanted %u",
		scan->rounds, scan->owed_pfn, view_pageblock_type(scan->owed_pfn), wanted);
	return true;
}

void judge_reserve_given_up(const struct scan_watch *scan)
{
	judge(scan, reserve_given_up_after_reclaim, first_reserved_pageblock_given_up);
}

/* Between two rounds, and after the last. */
void judge_reserve_of_round(const struct scan_watch *scan)
{
	judge(scan, unreserve_one_pageblock);
}
