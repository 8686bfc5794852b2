// SPDX-License-Identifier: GPL-2.0
/*
 * contig.c - frames at a given place: set their pageblocks aside, move away what is in use, take what is free then, and
 * give the pageblocks their type back (specification 25). Part of Linux's page_alloc.c, with isolate_freepages_range()
 * from compaction.c.
 *
 *	| outer: whole MAX_ORDER blocks, isolated                     |
 *	          | block  start ................. end | excess |
 *	          ^ outer_start                                  ^ outer_end
 *
 * Left out: draining the LRU's per-CPU lists, and clean page cache that is dropped instead of moved.
 */
#include "internal.h"
#include <linux/migrate.h>

static unsigned long contig_alignment(void)
{
	return max(MAX_ORDER_NR_PAGES, pageblock_nr_pages);
}

/* The beginning of the free block that contains `start`, or start if none does. */
static unsigned long block_around(unsigned long start)
{
	unsigned long pfn = start;
	unsigned int order = 0;

	while (!PageBuddy(pfn_to_page(pfn))) {
		if (++order >= MAX_ORDER)
			return start;
		pfn &= ~0UL << order;
	}
	if (pfn + (1UL << page_order(pfn_to_page(pfn))) <= start)
		return start;
	return pfn;
}

/* Take the free blocks from `start` on that cover [start, end). Returns the frame after the last, 0 if one is not free. */
static unsigned long isolate_freepages_range(struct zone *zone, unsigned long start, unsigned long end)
{
	unsigned long pfn = start;
	unsigned long flags;
	DEFINE_STEPS(steps);

	spin_lock_irqsave(&zone->lock, flags);
	while (pfn < end) {
		struct page *page = pfn_to_page(pfn);
		int taken = PageBuddy(page) ? split_free_page(page) : 0;

		work_charge("isolate_freepages_range");
		work_bound("isolate_freepages_range", ++steps, end - start,
			   "a step takes a free block of the range");
		if (!taken)
			break;
		pfn += (unsigned long)taken;
	}
	spin_unlock_irqrestore(&zone->lock, flags);
	if (pfn >= end)
		return pfn;
	free_contig_range(start, (unsigned int)(pfn - start));
	return 0;
}

/* The pageblocks are isolated and their pages free, as far as they will ever be. */
static int grab_range(unsigned long start, unsigned long end)
{
	unsigned long outer_start = block_around(start);
	unsigned long outer_end;

	if (test_pages_isolated(outer_start, end, false)) {
		pr_info("%s: [%lx, %lx) PFNs busy", (unsigned long)"alloc_contig_range", outer_start, end);
		return -EBUSY;
	}
	outer_end = isolate_freepages_range(page_zone(pfn_to_page(start)), outer_start, end);
	if (!outer_end)
		return -EBUSY;
	if (start != outer_start)
		free_contig_range(outer_start, (unsigned int)(start - outer_start));
	if (end != outer_end)
		free_contig_range(end, (unsigned int)(outer_end - end));
	return 0;
}

static void leak_range(unsigned long start, unsigned long end)
{
	for (; start < end; start++)
		trace_page_leaked(pfn_to_page(start), 0);
}

int alloc_contig_range(unsigned long start, unsigned long end, unsigned int migratetype)
{
	unsigned long first = round_down(start, contig_alignment());
	unsigned long last = round_up(end, contig_alignment());
	int busy;
	int ret = start_isolate_page_range(first, last, (int)migratetype, false);

	if (ret)
		return ret;
	busy = migrate_contig_range(start, end);
	/* Pages that could not be moved may still have become free by themselves. */
	if (busy && busy != -EBUSY) {
		undo_isolate_page_range(first, last, (int)migratetype);
		return busy;
	}
	drain_all_pages(page_zone(pfn_to_page(start)));
	ret = grab_range(start, end);
	undo_isolate_page_range(first, last, (int)migratetype);
	/* Without the fix the caller is told that they are busy, and nobody has the pages. */
	if (!ret && busy && !patched(CONTIG_NOT_BUSY)) {
		leak_range(start, end);
		return busy;
	}
	return ret;
}

void free_contig_range(unsigned long pfn, unsigned int nr_pages)
{
	unsigned int count = 0;

	for (; nr_pages--; pfn++) {
		struct page *page = pfn_to_page(pfn);

		count += page_ref_count(page) != 1;
		__free_page(page);
	}
	if (count) {
		pr_warn("%d pages are still in use!", count);
		caller_warning(CALLER_CONTIG_IN_USE);
	}
}
