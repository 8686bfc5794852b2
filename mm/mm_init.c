// SPDX-License-Identifier: GPL-2.0
/*
 * mm_init.c - from registered frame ranges to zones, and from zones to free blocks (specification 8). Part of Linux's
 * page_alloc.c, with what memblock and nobootmem do for it.
 *
 * PORT: an all-zero descriptor already is a page inside a free block, so only reserved frames and the heads of free
 * blocks are written. kernelcore= and movablecore= are replaced by an explicit first movable frame for each node.
 */
#include "internal.h"

__world unsigned long totalram_pages;
__world unsigned long totalhigh_pages;
__world gfp_t gfp_allowed_mask = GFP_BOOT_MASK;

static const char *const zone_names[MAX_NR_ZONES] = { "DMA", "DMA32", "Normal", "HighMem", "Movable" };

/* Frames [lowest, highest) that a zone type may have; ZONE_MOVABLE's stay 0. */
__world static unsigned long arch_zone_lowest_possible_pfn[MAX_NR_ZONES];
__world static unsigned long arch_zone_highest_possible_pfn[MAX_NR_ZONES];

/*
 * Sizing, 8.1.
 */
static void find_zone_limits(void)
{
	unsigned long end = machine->nr_ranges ? machine->ranges[0].start_pfn : 0;
	int idx;

	for (idx = 0; idx < ZONE_MOVABLE; idx++) {
		arch_zone_lowest_possible_pfn[idx] = end;
		if (zone_configured(idx))
			end = max(machine->max_zone_pfn[idx], end);
		arch_zone_highest_possible_pfn[idx] = end;
	}
	movable_zone = ZONE_NORMAL;
	for (idx = 0; idx < ZONE_MOVABLE; idx++)
		if (arch_zone_highest_possible_pfn[idx] > arch_zone_lowest_possible_pfn[idx])
			movable_zone = idx;
}

static void get_pfn_range_for_nid(int nid, unsigned long *start_pfn, unsigned long *end_pfn)
{
	unsigned int i;

	*start_pfn = ~0UL;
	*end_pfn = 0;
	for (i = 0; i < machine->nr_ranges; i++) {
		if ((int)machine->ranges[i].node != nid)
			continue;
		*start_pfn = min(*start_pfn, machine->ranges[i].start_pfn);
		*end_pfn = max(*end_pfn, machine->ranges[i].end_pfn);
	}
	if (*end_pfn == 0)
		*start_pfn = 0;
}

/* Frames of node nid registered in [start, end); tells physmem that they are the zone's when it is not NULL. */
static unsigned long present_pages_in(int nid, unsigned long start, unsigned long end, struct zone *zone)
{
	unsigned long present = 0;
	unsigned int i;

	for (i = 0; i < machine->nr_ranges; i++) {
		unsigned long from = max(start, machine->ranges[i].start_pfn);
		unsigned long to = min(end, machine->ranges[i].end_pfn);

		if ((int)machine->ranges[i].node != nid || from >= to)
			continue;
		present += to - from;
		if (zone)
			physmem_add_range(zone, from, to);
	}
	return present;
}

/*
 * The frames [*start, *end) that a zone spans, and [*start, *own_end) that are its own: where the node has movable
 * frames, a zone below them keeps its span but not their frames.
 */
static void zone_span(int nid, int idx, unsigned long *start, unsigned long *end, unsigned long *own_end)
{
	unsigned long movable_start = machine->movable_start_pfn[nid];
	unsigned long node_start, node_end;

	get_pfn_range_for_nid(nid, &node_start, &node_end);
	if (idx == ZONE_MOVABLE) {
		*start = movable_start ? max(movable_start, arch_zone_lowest_possible_pfn[movable_zone]) : 0;
		*end = movable_start ? min(node_end, arch_zone_highest_possible_pfn[movable_zone]) : 0;
		*start = max(*start, movable_start ? node_start : 0);
		*own_end = *end;
	} else {
		*start = max(node_start, arch_zone_lowest_possible_pfn[idx]);
		*end = min(node_end, arch_zone_highest_possible_pfn[idx]);
		*own_end = *end;
		if (movable_start && idx == movable_zone) {
			if (movable_start <= *start)
				*end = *start;
			*own_end = min(*end, max(movable_start, *start));
		}
	}
	if (*end <= *start)
		*start = *end = *own_end = 0;
}

static void calculate_zone_pages(pg_data_t *pgdat, struct zone *zone)
{
	unsigned long start, end, own_end;

	zone_span(pgdat->node_id, zone_idx(zone), &start, &end, &own_end);
	zone->zone_start_pfn = start;
	zone->spanned_pages = end - start;
	zone->present_pages = present_pages_in(pgdat->node_id, start, own_end, zone);
	pgdat->node_spanned_pages += zone->spanned_pages;
	pgdat->node_present_pages += zone->present_pages;
}

/*
 * Zones, 8.2.
 */

/* Pages that the descriptors of the zone take, as Linux estimates it before it knows. */
static unsigned long calc_memmap_size(unsigned long spanned_pages, unsigned long present_pages)
{
	unsigned long pages = spanned_pages;

	if (spanned_pages > present_pages + (present_pages >> 4))
		pages = present_pages;
	return DIV_ROUND_UP(pages * machine->struct_page_bytes, PAGE_SIZE);
}

static void setup_pageblock_types(struct zone *zone)
{
	unsigned long pfn;

	/* A block that begins before its zone is left as the zone below made it, or UNMOVABLE. */
	for (pfn = round_up(zone->zone_start_pfn, pageblock_nr_pages); pfn < zone_end_pfn(zone);
	     pfn += pageblock_nr_pages)
		if (pfn_valid(pfn) && physmem_zone(pfn) == zone)
			set_pageblock_migratetype(pfn_to_page(pfn), MIGRATE_MOVABLE);
}

static void init_free_lists(struct zone *zone)
{
	int order;
	int mt;

	for (order = 0; order < MAX_ORDER; order++) {
		zone->free_area[order].nr_free = 0;
		for (mt = 0; mt < MIGRATE_TYPES; mt++)
			INIT_LIST_HEAD(&zone->free_area[order].free_list[mt]);
	}
}

static void free_area_init_zone(pg_data_t *pgdat, struct zone *zone)
{
	unsigned long memmap_pages = calc_memmap_size(zone->spanned_pages, zone->present_pages);
	unsigned long freesize = zone->present_pages;

	if (!is_highmem(zone) && freesize >= memmap_pages)
		freesize -= memmap_pages;
	zone->managed_pages = is_highmem(zone) ? zone->present_pages : freesize;
	if (machine->numa) {
		zone->node = pgdat->node_id;
		zone->min_unmapped_pages = freesize * 1 / 100;
		zone->min_slab_pages = freesize * 5 / 100;
	}
	spin_lock_init(&zone->lock);
	boot_pageset_init(zone);
	/* The provisional batch, until the watermarks are known. */
	mod_zone_page_state(zone, NR_ALLOC_BATCH, (long)zone->managed_pages);
	init_free_lists(zone);
	if (!zone->spanned_pages)
		return;
	pgdat->nr_zones = zone_idx(zone) + 1;
	zone->initialized = true;
	setup_pageblock_types(zone);
}

static void free_area_init_node(pg_data_t *pgdat)
{
	unsigned long node_end;
	int idx;

	get_pfn_range_for_nid(pgdat->node_id, &pgdat->node_start_pfn, &node_end);
	for (idx = 0; idx < MAX_NR_ZONES; idx++) {
		struct zone *zone = &pgdat->node_zones[idx];

		zone->zone_pgdat = pgdat;
		zone->name = zone_names[idx];
		zone->slot = (unsigned char)(pgdat->node_id * MAX_NR_ZONES + idx);
		physmem_add_zone(zone);
		calculate_zone_pages(pgdat, zone);
	}
	for (idx = 0; idx < MAX_NR_ZONES; idx++)
		free_area_init_zone(pgdat, &pgdat->node_zones[idx]);
}

static void set_page_reserved(struct page *page)
{
	SetPageReserved(page);
	set_page_count(page, 1);
	INIT_LIST_HEAD(&page->lru);
}

static void reserve_frames(const struct machine_range *frames)
{
	unsigned long pfn;

	for (pfn = frames->start_pfn; pfn < frames->end_pfn; pfn++)
		if (physmem_present(pfn))
			set_page_reserved(pfn_to_page(pfn));
}

/* Nodes and zones from the machine's ranges; node_data[] points to zeroed nodes. */
void free_area_init_nodes(void)
{
	pg_data_t *pgdat;
	unsigned int i;
	int nid;

	find_zone_limits();
	pageblock_flags_init();
	for_each_online_node(nid) {
		NODE_DATA(nid)->node_id = nid;
		NODE_DATA(nid)->kswapd_asleep = true;
		NODE_DATA(nid)->classzone_idx = MAX_NR_ZONES - 1;
	}
	for_each_online_pgdat(pgdat)
		free_area_init_node(pgdat);
	for (i = 0; i < machine->nr_reserved; i++)
		reserve_frames(&machine->reserved[i]);
	for (i = 0; i < machine->nr_cma; i++)
		reserve_frames(&machine->cma_ranges[i]);
}

/*
 * Handing the frames to the buddy system, 8.3.
 */
void adjust_managed_page_count(struct page *page, long count)
{
	struct zone *zone = page_zone(page);

	zone->managed_pages += (unsigned long)count;
	totalram_pages += (unsigned long)count;
	if (is_highmem(zone))
		totalhigh_pages += (unsigned long)count;
}

/* Gives a frame that was reserved at boot to the buddy system. */
void free_reserved_page(struct page *page)
{
	ClearPageReserved(page);
	set_page_count(page, 1);
	__free_page(page);
	adjust_managed_page_count(page, 1);
}

/* Takes a page that the caller holds out of the managed memory. */
void mark_page_reserved(struct page *page)
{
	SetPageReserved(page);
	adjust_managed_page_count(page, -1);
}

/*
 * PORT: Linux frees a boot block like any other, and so looks at each of its descriptors. Here they are known to be
 * zero, and looking would make the cost of a boot grow with RAM.
 */
static void __free_pages_bootmem(unsigned long pfn, unsigned int order)
{
	struct page *page = pfn_to_page(pfn);
	unsigned long flags;

	adjust_managed_page_count(page, 1L << order);
	local_irq_save(flags);
	__count_vm_events(PGFREE, 1UL << order);
	free_one_page(page_zone(page), page, pfn, order, get_pfnblock_migratetype(page, pfn));
	local_irq_restore(flags);
}

static void free_frames(unsigned long start, unsigned long end)
{
	while (start < end) {
		unsigned int order = start ? min((unsigned int)__ffs(start), MAX_ORDER - 1U) : MAX_ORDER - 1U;

		while (start + (1UL << order) > end)
			order--;
		__free_pages_bootmem(start, order);
		start += 1UL << order;
	}
}

/* The first reserved frame range that intersects [start, end), in ascending order. */
static const struct machine_range *first_reserved(unsigned long start, unsigned long end)
{
	const struct machine_range *first = NULL;
	unsigned int i;

	for (i = 0; i < machine->nr_reserved + machine->nr_cma; i++) {
		const struct machine_range *range = i < machine->nr_reserved ?
							    &machine->reserved[i] :
							    &machine->cma_ranges[i - machine->nr_reserved];

		if (range->start_pfn < end && range->end_pfn > start &&
		    (!first || range->start_pfn < first->start_pfn))
			first = range;
	}
	return first;
}

static void free_unreserved(unsigned long start, unsigned long end)
{
	while (start < end) {
		const struct machine_range *reserved = first_reserved(start, end);
		unsigned long stop = reserved ? reserved->start_pfn : end;

		if (start < stop)
			free_frames(start, stop);
		start = reserved ? reserved->end_pfn : end;
	}
}

/*
 * Lowmem first, then highmem; a block never crosses a zone. PORT: Linux frees highmem page by page, ascending. Each page
 * that completes an aligned block makes it as if the block had been freed at once, so the lists come out the same.
 */
static void free_zone_kind(bool highmem)
{
	struct zone *zone;
	unsigned long start, end;
	unsigned int i;

	for (i = 0; (zone = physmem_range(i, &start, &end)) != NULL; i++)
		if (is_highmem(zone) == highmem)
			free_unreserved(start, end);
}

void free_all_bootmem(void)
{
	struct zone *zone;

	for_each_zone(zone)
		zone->managed_pages = 0;
	free_zone_kind(false);
	free_zone_kind(true);
}

/* A reserved pageblock becomes CMA memory. */
void init_cma_reserved_pageblock(struct page *page)
{
	unsigned long i;

	for (i = 0; i < pageblock_nr_pages; i++) {
		ClearPageReserved(page + i);
		set_page_count(page + i, 0);
	}
	set_pageblock_migratetype(page, MIGRATE_CMA);
	set_page_count(page, 1);
	__free_pages(page, pageblock_order);
	adjust_managed_page_count(page, (long)pageblock_nr_pages);
}

/* True if every pageblock of the zone begins and ends in it. */
void set_zone_contiguous(struct zone *zone)
{
	unsigned long pfn = zone->zone_start_pfn;

	while (pfn < zone_end_pfn(zone)) {
		unsigned long end = min(round_up(pfn + 1, pageblock_nr_pages), zone_end_pfn(zone));

		if (!pfn_valid(pfn) || !pfn_valid(end - 1) || physmem_zone(pfn) != zone ||
		    physmem_zone(end - 1) != zone)
			return;
		pfn = end;
	}
	zone->contiguous = zone->spanned_pages != 0;
}
