// SPDX-License-Identifier: GPL-2.0
/*
 * buddy.c - free blocks: merging on free, splitting on take, falling back to other migratetypes (specification 11 and
 * 12). Part of Linux's page_alloc.c. zone->lock is held by every caller unless said otherwise.
 *
 * Left out: debug guard pages (no option of the machine turns them on).
 */
#include "internal.h"

static void set_page_order(struct page *page, unsigned int order)
{
	VM_BUG_ON_PAGE(page_mapcount_raw(page) != -1, page);
	set_page_private(page, order);
	__SetPageBuddy(page);
}

static void rmv_page_order(struct page *page)
{
	VM_BUG_ON_PAGE(!PageBuddy(page), page);
	__ClearPageBuddy(page);
	set_page_private(page, 0);
}

bool page_is_buddy(const struct page *page, const struct page *buddy, unsigned int order)
{
	if (!PageBuddy(buddy) || page_order(buddy) != order)
		return false;
	if (page_zone(page) != page_zone(buddy))
		return false;
	VM_BUG_ON_PAGE(page_ref_count(buddy) != 0, buddy);
	return true;
}

void del_page_from_free_area(struct page *page, struct free_area *area)
{
	list_del(&page->lru);
	rmv_page_order(page);
	area->nr_free--;
}

static void add_to_free_area(struct page *page, struct zone *zone, unsigned int order, int migratetype)
{
	list_add(&page->lru, &zone->free_area[order].free_list[migratetype]);
	zone->free_area[order].nr_free++;
}

/*
 * Freeing.
 */

/* True if a block of `migratetype` must not merge with this buddy: exactly one of the two is isolated. */
static bool isolation_border(const struct zone *zone, const struct page *buddy, int migratetype)
{
	if (likely(!has_isolate_pageblock(zone)) || !patched(NO_MERGE_ACROSS_ISOLATION))
		return false;
	return is_migrate_isolate(migratetype) != is_migrate_isolate_page(buddy);
}

/*
 * The frame with index `to`, given that `page` has index `from`.
 * PORT: Linux lets the unsigned difference wrap, which is undefined for a pointer.
 */
static struct page *page_at_index(struct page *page, unsigned long from, unsigned long to)
{
	return page + (long)(to - from);
}

/*
 * A block whose parent's buddy is free will soon be merged further: it goes to the tail, where it is likely to stay.
 *
 *	| page | buddy |  free 2^(order+1)  |
 */
static bool buddy_of_parent_is_free(struct page *page, unsigned long page_idx, unsigned int order)
{
	unsigned long parent_idx = page_idx & ~(1UL << order);
	struct page *parent = page_at_index(page, page_idx, parent_idx);
	struct page *parent_buddy =
		page_at_index(parent, parent_idx, __find_buddy_index(parent_idx, order + 1));

	return page_is_buddy(parent, parent_buddy, order + 1);
}

void __free_one_page(struct page *page, unsigned long pfn, struct zone *zone, unsigned int order, int migratetype)
{
	unsigned int max_order = min(MAX_ORDER, pageblock_order + 1);
	unsigned long page_idx = pfn & ((1UL << MAX_ORDER) - 1);

	VM_BUG_ON(!zone_is_initialized(zone));
	VM_BUG_ON_PAGE(page->flags & PAGE_FLAGS_CHECK_AT_PREP, page);
	VM_BUG_ON(migratetype == -1);
	VM_BUG_ON_PAGE(page_idx & ((1UL << order) - 1), page);
	VM_BUG_ON_PAGE(bad_range(zone, page), page);
	if (likely(!is_migrate_isolate(migratetype)))
		__mod_zone_freepage_state(zone, 1L << order, migratetype);

	while (order < MAX_ORDER - 1) {
		struct page *buddy = page_at_index(page, page_idx, __find_buddy_index(page_idx, order));

		/* From pageblock order up an isolated and an ordinary block may be neighbours. */
		if (order >= max_order - 1 && isolation_border(zone, buddy, migratetype))
			break;
		if (!page_is_buddy(page, buddy, order))
			break;
		del_page_from_free_area(buddy, &zone->free_area[order]);
		page = min(page, buddy);
		page_idx &= ~(1UL << order);
		order++;
	}
	set_page_order(page, order);
	if (order < MAX_ORDER - 2 && buddy_of_parent_is_free(page, page_idx, order)) {
		list_add_tail(&page->lru, &zone->free_area[order].free_list[migratetype]);
		zone->free_area[order].nr_free++;
	} else {
		add_to_free_area(page, zone, order, migratetype);
	}
}

/* A page that becomes free makes reclaim worth trying again. */
void reset_pages_scanned(struct zone *zone)
{
	unsigned long nr_scanned = zone_page_state(zone, NR_PAGES_SCANNED);

	if (nr_scanned)
		__mod_zone_page_state(zone, NR_PAGES_SCANNED, -(long)nr_scanned);
}

/* Takes zone->lock; interrupts are off. */
void free_one_page(struct zone *zone, struct page *page, unsigned long pfn, unsigned int order, int migratetype)
{
	spin_lock(&zone->lock);
	reset_pages_scanned(zone);
	if (unlikely(has_isolate_pageblock(zone) || is_migrate_isolate(migratetype)))
		migratetype = get_pfnblock_migratetype(page, pfn);
	__free_one_page(page, pfn, zone, order, migratetype);
	spin_unlock(&zone->lock);
}

/*
 * Taking.
 */

/* Give back the upper halves until a block of order `low` is left. */
void expand(struct zone *zone, struct page *page, unsigned int low, unsigned int high, int migratetype)
{
	while (high > low) {
		struct page *half;

		high--;
		half = page + (1UL << high);
		VM_BUG_ON_PAGE(bad_range(zone, half), half);
		add_to_free_area(half, zone, high, migratetype);
		set_page_order(half, high);
	}
}

struct page *__rmqueue_smallest(struct zone *zone, unsigned int order, int migratetype)
{
	unsigned int current_order;

	for (current_order = order; current_order < MAX_ORDER; current_order++) {
		struct free_area *area = &zone->free_area[current_order];
		struct page *page = list_first_entry_or_null(&area->free_list[migratetype], struct page, lru);

		if (!page)
			continue;
		del_page_from_free_area(page, area);
		expand(zone, page, order, current_order, migratetype);
		set_pcppage_migratetype(page, migratetype);
		return page;
	}
	return NULL;
}

/* Where to look when the wanted lists are empty, in this order; never HIGHATOMIC, CMA or ISOLATE. */
static const unsigned char fallbacks[MIGRATE_PCPTYPES][3] = {
	[MIGRATE_UNMOVABLE] = { MIGRATE_RECLAIMABLE, MIGRATE_MOVABLE, MIGRATE_TYPES },
	[MIGRATE_RECLAIMABLE] = { MIGRATE_UNMOVABLE, MIGRATE_MOVABLE, MIGRATE_TYPES },
	[MIGRATE_MOVABLE] = { MIGRATE_RECLAIMABLE, MIGRATE_UNMOVABLE, MIGRATE_TYPES },
};

/* Move the free blocks in [start_pfn, end_pfn) to the lists of migratetype; the last may reach past the end. */
static unsigned long move_freepages(struct zone *zone, unsigned long start_pfn, unsigned long end_pfn,
				    int migratetype)
{
	unsigned long pages_moved = 0;
	unsigned long pfn = start_pfn;
	DEFINE_STEPS(steps);

	VM_BUG_ON(physmem_zone(start_pfn) != physmem_zone(end_pfn - 1));
	while (pfn < end_pfn) {
		struct page *page = pfn_to_page(pfn);
		unsigned int order = 0;

		work_charge("move_freepages");
		work_bound("move_freepages", ++steps, end_pfn - start_pfn,
			   "a step goes on by a free block or by one frame of the pageblock");
		if (PageBuddy(page)) {
			order = page_order(page);
			list_move(&page->lru, &zone->free_area[order].free_list[migratetype]);
			pages_moved += 1UL << order;
		}
		pfn += 1UL << order;
	}
	return pages_moved;
}

/* Returns pages moved; 0 without looking when the pageblock ends outside the zone (Q18). */
unsigned long move_freepages_block(struct zone *zone, struct page *page, int migratetype)
{
	unsigned long pfn = page_to_pfn(page);
	unsigned long start_pfn = round_down(pfn, pageblock_nr_pages);
	unsigned long end_pfn = start_pfn + pageblock_nr_pages;

	if (!zone_spans_pfn(zone, start_pfn))
		start_pfn = patched(MOVE_FROM_ZONE_START) ? zone->zone_start_pfn : pfn;
	if (!zone_spans_pfn(zone, end_pfn - 1))
		return 0;
	return move_freepages(zone, start_pfn, end_pfn, migratetype);
}

/* Worth taking the whole pageblock, or at least its free pages? `order` is that of the block at hand. */
static bool can_steal_fallback(unsigned int order, int start_mt)
{
	return order >= pageblock_order / 2 || start_mt == MIGRATE_RECLAIMABLE || start_mt == MIGRATE_UNMOVABLE ||
	       page_group_by_mobility_disabled;
}

static void change_pageblock_range(struct page *page, unsigned int order, int migratetype)
{
	unsigned long nr_pageblocks = 1UL << (order - pageblock_order);

	while (nr_pageblocks--) {
		set_pageblock_migratetype(page, migratetype);
		page += pageblock_nr_pages;
	}
}

static void steal_suitable_fallback(struct zone *zone, struct page *page, int start_type)
{
	unsigned int current_order = page_order(page);
	unsigned long pages;

	if (current_order >= pageblock_order) {
		change_pageblock_range(page, current_order, start_type);
		return;
	}
	pages = move_freepages_block(zone, page, start_type);
	if (pages >= 1UL << (pageblock_order - 1) || page_group_by_mobility_disabled)
		set_pageblock_migratetype(page, start_type);
}

/* The first fallback type with a free block in this area, -1 if none; `order` is the area's. */
int find_suitable_fallback(struct free_area *area, unsigned int order, int migratetype, bool only_stealable,
			   bool *can_steal)
{
	int i;

	*can_steal = false;
	if (area->nr_free == 0)
		return -1;
	for (i = 0; fallbacks[migratetype][i] != MIGRATE_TYPES; i++) {
		int fallback_mt = fallbacks[migratetype][i];

		if (list_empty(&area->free_list[fallback_mt]))
			continue;
		*can_steal = can_steal_fallback(order, migratetype);
		if (!only_stealable || *can_steal)
			return fallback_mt;
	}
	return -1;
}

/* Take from another type, the largest block first so that types mix in as few pageblocks as possible. */
static struct page *__rmqueue_fallback(struct zone *zone, unsigned int order, int start_migratetype)
{
	unsigned int current_order;

	/* PORT: with both mobility bits Linux reads a row of the table that nobody wrote (Q15). */
	BUG_ON(start_migratetype >= MIGRATE_PCPTYPES);
	for (current_order = MAX_ORDER - 1; current_order >= order && current_order < MAX_ORDER; current_order--) {
		struct free_area *area = &zone->free_area[current_order];
		struct page *page;
		bool can_steal;
		int fallback_mt;

		fallback_mt = find_suitable_fallback(area, current_order, start_migratetype, false, &can_steal);
		if (fallback_mt == -1)
			continue;
		page = list_first_entry(&area->free_list[fallback_mt], struct page, lru);
		if (patched(KEEP_HIGHATOMIC_BLOCK) && get_pageblock_migratetype(page) == MIGRATE_HIGHATOMIC)
			can_steal = false;
		if (can_steal)
			steal_suitable_fallback(zone, page, start_migratetype);
		del_page_from_free_area(page, area);
		expand(zone, page, order, current_order, start_migratetype);
		set_pcppage_migratetype(page, start_migratetype);
		trace_mm_page_alloc_extfrag(page, order, current_order, start_migratetype, fallback_mt);
		return page;
	}
	return NULL;
}

/* The caller adjusts NR_FREE_PAGES. */
struct page *__rmqueue(struct zone *zone, unsigned int order, int migratetype)
{
	struct page *page = __rmqueue_smallest(zone, order, migratetype);

	if (!page && migratetype == MIGRATE_MOVABLE && machine->cma) {
		page = __rmqueue_smallest(zone, order, MIGRATE_CMA);
		if (page && !patched(LABEL_FROM_LIST))
			set_pcppage_migratetype(page, migratetype);
	}
	if (!page)
		page = __rmqueue_fallback(zone, order, migratetype);
	if (page)
		trace_mm_page_alloc_zone_locked(page, order, migratetype);
	return page;
}

/* True if the frame lies in a free block. */
bool is_free_buddy_page(const struct page *page)
{
	unsigned long pfn = page_to_pfn(page);
	unsigned int order;

	for (order = 0; order < MAX_ORDER; order++) {
		const struct page *head = page - (pfn & ((1UL << order) - 1));

		if (PageBuddy(head) && page_order(head) >= order)
			return true;
	}
	return false;
}

/* Every pageblock that a block taken by __isolate_free_page() covers, or nearly so, becomes MOVABLE. */
static void make_movable(struct page *page, unsigned int order)
{
	const struct page *last = page + (1UL << order) - 1;

	for (; page < last; page += pageblock_nr_pages) {
		int mt = get_pageblock_migratetype(page);

		/* A HIGHATOMIC block stays counted in nr_reserved_highatomic (Q11). */
		if (is_migrate_isolate(mt) || is_migrate_cma(mt) ||
		    (patched(KEEP_HIGHATOMIC_BLOCK) && mt == MIGRATE_HIGHATOMIC))
			continue;
		set_pageblock_migratetype(page, MIGRATE_MOVABLE);
	}
}

/*
 * Take a whole free block, if the zone stays above its low watermark. Returns its pages, 0 if not.
 * Blocks of isolated pageblocks are not counted as free and may always be taken.
 */
int __isolate_free_page(struct page *page, unsigned int order)
{
	struct zone *zone = page_zone(page);
	int mt = get_pageblock_migratetype(page);

	BUG_ON(!PageBuddy(page));
	if (!is_migrate_isolate(mt)) {
		if (!zone_watermark_ok(zone, 0, low_wmark_pages(zone) + (1UL << order), 0, 0))
			return 0;
		__mod_zone_freepage_state(zone, -(1L << order), mt);
	}
	del_page_from_free_area(page, &zone->free_area[order]);
	if (order >= pageblock_order - 1)
		make_movable(page, order);
	return 1 << order;
}
