// SPDX-License-Identifier: GPL-2.0
/*
 * view.c - the view (view.h) of the port: plain reads of mm's structures, nothing computed by mm.
 */
#include <linux/mm.h>
#include "world.h"
#include "fuzz/view.h"

_Static_assert(VIEW_ZONE_TYPES == MAX_NR_ZONES && VIEW_MAX_ORDER == MAX_ORDER && VIEW_MIGRATETYPES == MIGRATE_TYPES &&
		       VIEW_PCPTYPES == MIGRATE_PCPTYPES && VIEW_SLOTS_MAX == MAX_NUMNODES * MAX_NR_ZONES &&
		       VIEW_COUNTERS_MAX >= NR_VM_ZONE_STAT_ITEMS,
	       "the view's constants are mm's");

static const enum zone_stat_item stat_items[NR_VIEW_ITEMS] = {
	[VIEW_FREE_PAGES] = NR_FREE_PAGES,
	[VIEW_ALLOC_BATCH] = NR_ALLOC_BATCH,
	[VIEW_FREE_CMA_PAGES] = NR_FREE_CMA_PAGES,
	[VIEW_DIRTY_PAGES] = NR_FILE_DIRTY,
	[VIEW_PAGES_SCANNED] = NR_PAGES_SCANNED,
	[VIEW_NUMA_HIT] = NUMA_HIT,
	[VIEW_NUMA_MISS] = NUMA_MISS,
	[VIEW_NUMA_FOREIGN] = NUMA_FOREIGN,
	[VIEW_NUMA_LOCAL] = NUMA_LOCAL,
	[VIEW_NUMA_OTHER] = NUMA_OTHER,
};

static const struct list_head *free_list(unsigned int slot, unsigned int order, unsigned int migratetype)
{
	return &physmem_zone_in_slot(slot)->free_area[order].free_list[migratetype];
}

static struct per_cpu_pages *pcp_of(unsigned int slot, unsigned int cpu)
{
	return &per_cpu_ptr(physmem_zone_in_slot(slot)->pageset, cpu)->pcp;
}

unsigned int view_nr_slots(void)
{
	return (unsigned int)nr_online_nodes * MAX_NR_ZONES;
}

_Bool view_populated(unsigned int slot)
{
	return slot < view_nr_slots() && populated_zone(physmem_zone_in_slot(slot));
}

/* No memory comes or goes after the boot. */
unsigned long view_populated_slots(void)
{
	__world static unsigned long slots;
	unsigned int slot;

	if (unlikely(!slots))
		for (slot = 0; slot < view_nr_slots(); slot++)
			slots |= (unsigned long)populated_zone(physmem_zone_in_slot(slot)) << slot;
	return slots;
}

/* A report may name several zones. */
#define NAMES_AT_ONCE 4

const char *view_zone_name(unsigned int slot)
{
	static char names[NAMES_AT_ONCE][16];
	static unsigned int next;
	char *name = names[next++ % NAMES_AT_ONCE];

	if (nr_online_nodes == 1)
		return physmem_zone_in_slot(slot)->name;
	name[0] = 'N';
	name[1] = (char)('0' + view_zone_node(slot));
	name[2] = '.';
	memcpy(name + 3, physmem_zone_in_slot(slot)->name, strlen(physmem_zone_in_slot(slot)->name) + 1);
	return name;
}

const char *view_zone_names(unsigned long slots)
{
	static char texts[NAMES_AT_ONCE][VIEW_SLOTS_MAX * 16];
	static unsigned int next;
	char *text = texts[next++ % NAMES_AT_ONCE];
	size_t at = 0;
	unsigned int slot;

	memcpy(text, "none", sizeof("none"));
	for_each_slot_of(slot, slots) {
		const char *name = view_zone_name(slot);

		if (at) {
			memcpy(text + at, ", ", 2);
			at += 2;
		}
		memcpy(text + at, name, strlen(name) + 1);
		at += strlen(name);
	}
	return text;
}

unsigned long view_start_pfn(unsigned int slot)
{
	return physmem_zone_in_slot(slot)->zone_start_pfn;
}

unsigned long view_spanned(unsigned int slot)
{
	return physmem_zone_in_slot(slot)->spanned_pages;
}

unsigned long view_present(unsigned int slot)
{
	return physmem_zone_in_slot(slot)->present_pages;
}

unsigned long view_managed(unsigned int slot)
{
	return physmem_zone_in_slot(slot)->managed_pages;
}

unsigned long view_totalram(void)
{
	return totalram_pages;
}

unsigned int view_slot_of_pfn(unsigned long pfn)
{
	const struct zone *zone = physmem_zone(pfn);

	return zone ? zone->slot : VIEW_SLOTS_MAX;
}

_Bool view_is_memory(unsigned long pfn, unsigned int order)
{
	unsigned long start, end;
	unsigned int i;

	for (i = 0; physmem_range(i, &start, &end); i++)
		if (pfn < end)
			return start <= pfn && pfn + (1UL << order) <= end;
	return false;
}

unsigned long view_watermark(unsigned int slot, unsigned int which)
{
	return physmem_zone_in_slot(slot)->watermark[which];
}

long view_lowmem_reserve(unsigned int slot, unsigned int class)
{
	return physmem_zone_in_slot(slot)->lowmem_reserve[class];
}

unsigned long view_zone_totalreserve(unsigned int slot)
{
	return physmem_zone_in_slot(slot)->totalreserve_pages;
}

unsigned long view_totalreserve(void)
{
	return totalreserve_pages;
}

unsigned long view_reserved_highatomic(unsigned int slot)
{
	return physmem_zone_in_slot(slot)->nr_reserved_highatomic;
}

unsigned long view_reserved_highatomic_total(void)
{
	unsigned long pages = 0;
	unsigned int slot;

	for_each_slot_of(slot, view_populated_slots())
		pages += view_reserved_highatomic(slot);
	return pages;
}

unsigned long view_isolated_pageblocks(unsigned int slot)
{
	return physmem_zone_in_slot(slot)->nr_isolate_pageblock;
}

unsigned long view_dirty_limit_cached(unsigned int slot)
{
	return physmem_zone_in_slot(slot)->dirty_limit_cached;
}

struct view_marks view_read_marks(unsigned int slot, unsigned int which, unsigned int class)
{
	const struct zone *zone = physmem_zone_in_slot(slot);

	return (struct view_marks){
		.free = zone_page_state(zone, NR_FREE_PAGES),
		.free_cma = machine->cma ? zone_page_state(zone, NR_FREE_CMA_PAGES) : 0,
		.reserved_highatomic = zone->nr_reserved_highatomic,
		.mark = zone->watermark[which],
		.reserve = (unsigned long)zone->lowmem_reserve[class],
	};
}

int view_min_free_kbytes(void)
{
	return min_free_kbytes;
}

int view_watermark_scale_factor(void)
{
	return watermark_scale_factor;
}

int view_lowmem_reserve_ratio(unsigned int type)
{
	return sysctl_lowmem_reserve_ratio[type];
}

int view_percpu_pagelist_fraction(void)
{
	return percpu_pagelist_fraction;
}

_Bool view_mobility_disabled(void)
{
	return page_group_by_mobility_disabled;
}

_Bool view_highmem(unsigned int slot)
{
	return is_highmem(physmem_zone_in_slot(slot));
}

unsigned long view_nr_free(unsigned int slot, unsigned int order)
{
	return physmem_zone_in_slot(slot)->free_area[order].nr_free;
}

static unsigned long pfn_after(const struct list_head *node, const struct list_head *head)
{
	return node->next == head ? VIEW_NO_PFN : page_to_pfn(list_entry(node->next, struct page, lru));
}

unsigned long view_first_block(unsigned int slot, unsigned int order, unsigned int migratetype)
{
	const struct list_head *head = free_list(slot, order, migratetype);

	return pfn_after(head, head);
}

unsigned long view_next_block(unsigned long pfn, unsigned int slot, unsigned int order, unsigned int migratetype)
{
	return pfn_after(&pfn_to_page(pfn)->lru, free_list(slot, order, migratetype));
}

_Bool view_list_empty(unsigned int slot, unsigned int order, unsigned int migratetype)
{
	return list_empty(free_list(slot, order, migratetype));
}

int view_pcp_count(unsigned int slot, unsigned int cpu)
{
	return pcp_of(slot, cpu)->count;
}

int view_pcp_high(unsigned int slot, unsigned int cpu)
{
	return pcp_of(slot, cpu)->high;
}

int view_pcp_batch(unsigned int slot, unsigned int cpu)
{
	return pcp_of(slot, cpu)->batch;
}

unsigned long view_first_pcp_page(unsigned int slot, unsigned int cpu, unsigned int type)
{
	const struct list_head *head = &pcp_of(slot, cpu)->lists[type];

	return pfn_after(head, head);
}

unsigned long view_next_pcp_page(unsigned long pfn, unsigned int slot, unsigned int cpu, unsigned int type)
{
	return pfn_after(&pfn_to_page(pfn)->lru, &pcp_of(slot, cpu)->lists[type]);
}

unsigned long view_last_pcp_page(unsigned int slot, unsigned int cpu, unsigned int type)
{
	const struct list_head *head = &pcp_of(slot, cpu)->lists[type];

	return head->prev == head ? VIEW_NO_PFN : page_to_pfn(list_entry(head->prev, struct page, lru));
}

long view_counter_raw(unsigned int slot, enum view_item item)
{
	return atomic_long_read(&physmem_zone_in_slot(slot)->vm_stat[stat_items[item]]);
}

static unsigned long as_read(long raw)
{
	return machine->smp && raw < 0 ? 0 : (unsigned long)raw;
}

unsigned long view_counter_read(unsigned int slot, enum view_item item)
{
	return as_read(view_counter_raw(slot, item));
}

unsigned long view_zone_counter_read(unsigned int slot, unsigned int counter)
{
	return as_read(atomic_long_read(&physmem_zone_in_slot(slot)->vm_stat[counter]));
}

long view_counter_delta(unsigned int slot, enum view_item item, unsigned int cpu)
{
	return machine->smp ? per_cpu_ptr(physmem_zone_in_slot(slot)->pageset, cpu)->vm_stat_diff[stat_items[item]] : 0;
}

long view_counter_sum(unsigned int slot, enum view_item item)
{
	long sum = view_counter_raw(slot, item);
	unsigned int cpu;

	for (cpu = 0; cpu < machine->nr_cpus; cpu++)
		sum += view_counter_delta(slot, item, cpu);
	return sum;
}

unsigned int view_nr_counters(void)
{
	return NR_VM_ZONE_STAT_ITEMS;
}

long view_global_counter(unsigned int counter)
{
	return atomic_long_read(&vm_stat[counter]);
}

/* Zones that are not populated have a batch, too. */
void view_sum_zone_counters(long sums[VIEW_COUNTERS_MAX])
{
	unsigned int slot, i;

	memset(sums, 0, VIEW_COUNTERS_MAX * sizeof(*sums));
	for (slot = 0; slot < view_nr_slots(); slot++)
		for (i = 0; i < NR_VM_ZONE_STAT_ITEMS; i++)
			sums[i] += atomic_long_read(&physmem_zone_in_slot(slot)->vm_stat[i]);
}

/* Zones that are not populated share their deltas, whose threshold is 0. */
void view_sum_deltas(long sums[VIEW_COUNTERS_MAX])
{
	unsigned int slot, cpu, i;

	memset(sums, 0, VIEW_COUNTERS_MAX * sizeof(*sums));
	for (slot = 0; slot < view_nr_slots(); slot++) {
		for (cpu = 0; view_populated(slot) && cpu < machine->nr_cpus; cpu++) {
			const s8 *deltas = per_cpu_ptr(physmem_zone_in_slot(slot)->pageset, cpu)->vm_stat_diff;

			for (i = 0; i < NR_VM_ZONE_STAT_ITEMS; i++)
				sums[i] += deltas[i];
		}
	}
}

_Bool view_holds_back(unsigned int slot, unsigned int cpu)
{
	const struct per_cpu_pageset *pset = per_cpu_ptr(physmem_zone_in_slot(slot)->pageset, cpu);
	int item;

	for (item = 0; item < NR_VM_ZONE_STAT_ITEMS; item++)
		if (pset->vm_stat_diff[item])
			return 1;
	return 0;
}

int view_cpu_threshold(unsigned int slot, unsigned int cpu)
{
	return per_cpu_ptr(physmem_zone_in_slot(slot)->pageset, cpu)->stat_threshold;
}

long view_sum_thresholds(unsigned int slot)
{
	long sum = 0;
	unsigned int cpu;

	for (cpu = 0; machine->smp && cpu < machine->nr_cpus; cpu++)
		sum += view_cpu_threshold(slot, cpu);
	return sum;
}

_Bool view_thresholds_move(unsigned int slot)
{
	return physmem_zone_in_slot(slot)->percpu_drift_mark != 0;
}

unsigned long view_drift_mark(unsigned int slot)
{
	return physmem_zone_in_slot(slot)->percpu_drift_mark;
}

_Bool view_kswapd_asleep(unsigned int node)
{
	return NODE_DATA(node)->kswapd_asleep;
}

static unsigned long event_sum(enum vm_event_item item)
{
	unsigned long sum = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < machine->nr_cpus; cpu++)
		sum += vm_event_states[item][cpu];
	return sum;
}

unsigned long view_pages_taken(unsigned int zone_type)
{
	return event_sum((enum vm_event_item)(PGALLOC_DMA + zone_type));
}

unsigned long view_pages_freed(void)
{
	return event_sum(PGFREE);
}

static void read_cpu(const struct per_cpu_pageset *pset, struct view_cpu *cpu)
{
	cpu->count = pset->pcp.count;
	cpu->high = pset->pcp.high;
	cpu->batch = pset->pcp.batch;
	cpu->threshold = pset->stat_threshold;
	cpu->free_delta = pset->vm_stat_diff[NR_FREE_PAGES];
	cpu->batch_delta = pset->vm_stat_diff[NR_ALLOC_BATCH];
}

/* On UP the deltas are always 0. */
void view_read_zone(unsigned int slot, struct view_zone *view)
{
	const struct zone *zone = physmem_zone_in_slot(slot);
	unsigned int i;

	view->slot = slot;
	view->nr_cpus = machine->nr_cpus;
	view->managed = zone->managed_pages;
	view->reserved_highatomic = zone->nr_reserved_highatomic;
	view->isolated_pageblocks = zone->nr_isolate_pageblock;
	view->other_flags = zone->flags & ~(1UL << ZONE_FAIR_DEPLETED);
	view->depleted = zone_is_fair_depleted(zone);
	view->thresholds_move = zone->percpu_drift_mark != 0;
	view->full_batch = (long)(zone->watermark[WMARK_HIGH] - zone->watermark[WMARK_LOW]);
	view->raw_batch = atomic_long_read(&zone->vm_stat[NR_ALLOC_BATCH]);
	view->free_pages = atomic_long_read(&zone->vm_stat[NR_FREE_PAGES]);
	view->alloc_batch = view->raw_batch;
	view->free_cma = atomic_long_read(&zone->vm_stat[NR_FREE_CMA_PAGES]);
	for (i = 0; i < view->nr_cpus; i++) {
		const struct per_cpu_pageset *pset = per_cpu_ptr(zone->pageset, i);

		read_cpu(pset, &view->cpus[i]);
		view->free_pages += view->cpus[i].free_delta;
		view->alloc_batch += view->cpus[i].batch_delta;
		view->free_cma += pset->vm_stat_diff[NR_FREE_CMA_PAGES];
	}
}

_Bool view_fair_depleted(unsigned int slot)
{
	return zone_is_fair_depleted(physmem_zone_in_slot(slot));
}

_Bool view_read_batch(unsigned int slot, long *batch)
{
	const struct zone *zone = physmem_zone_in_slot(slot);

	*batch = atomic_long_read(&zone->vm_stat[NR_ALLOC_BATCH]);
	return zone_is_fair_depleted(zone);
}

/* On UP the deltas are always 0. */
void view_read_stock(unsigned int slot, unsigned int cpu, struct view_stock *stock)
{
	const struct zone *zone = physmem_zone_in_slot(slot);
	const struct per_cpu_pageset *pset = per_cpu_ptr(zone->pageset, cpu);

	stock->batch = atomic_long_read(&zone->vm_stat[NR_ALLOC_BATCH]);
	stock->batch_delta = pset->vm_stat_diff[NR_ALLOC_BATCH];
	stock->free = atomic_long_read(&zone->vm_stat[NR_FREE_PAGES]) + pset->vm_stat_diff[NR_FREE_PAGES];
	stock->threshold = pset->stat_threshold;
	stock->depleted = zone_is_fair_depleted(zone);
}

_Bool view_zonelist_entry(unsigned int node, _Bool thisnode, unsigned int position, unsigned int *slot,
			  unsigned int *index)
{
	const struct zoneref *z =
		&NODE_DATA(node)->node_zonelists[thisnode ? ZONELIST_NOFALLBACK : ZONELIST_FALLBACK]._zonerefs[position];

	*index = (unsigned int)z->zone_idx;
	if (!z->zone)
		return false;
	*slot = z->zone->slot;
	return true;
}

struct view_page view_page(unsigned long pfn)
{
	const struct page *page = pfn_to_page(pfn);

	return (struct view_page){
		.buddy = PageBuddy(page),
		.tail = PageTail(page),
		.head = PageHead(page),
		.refcount = page_ref_count(page),
		.mapcount = page_mapcount_raw(page),
		.private = page_private(page),
		.index = page->index,
		.flags = page->flags & PAGE_FLAGS_CHECK_AT_PREP,
	};
}

/* Bit 0 of the mapping says that the page is anonymous, and is forgotten first. */
_Bool view_bad_to_free(unsigned long pfn)
{
	const struct page *page = pfn_to_page(pfn);

	return page_ref_count(page) || page_mapcount_raw(page) != -1 || (page->flags & PAGE_FLAGS_CHECK_AT_FREE) ||
	       (page->mapping && !((unsigned long)page->mapping & 1));
}

unsigned long view_unprepared_tail(unsigned long pfn, unsigned int order, _Bool compound)
{
	const struct page *head = pfn_to_page(pfn);
	const struct page *page;

	/* One branch for what four would say: large blocks are many pages. */
	for (page = head + 1; page < head + (1UL << order); page++)
		if ((unsigned long)(unsigned int)(page->refcount | page->mapcount_biased) |
		    ((page->compound_head ^ compound) & 1) | (page->flags & PAGE_FLAGS_CHECK_AT_PREP))
			return (unsigned long)(page - head);
	return 0;
}

_Bool view_free_block(unsigned long pfn, unsigned int order)
{
	const struct page *page = pfn_to_page(pfn);

	return PageBuddy(page) && page_private(page) == order;
}

_Bool view_free_block_of(unsigned long pfn, unsigned int min_order)
{
	const struct page *page = pfn_to_page(pfn);

	return PageBuddy(page) && page_private(page) >= min_order && page_private(page) < MAX_ORDER;
}

unsigned long view_block_around(unsigned long pfn, unsigned int above_order)
{
	unsigned long bits = pfn & ((MAX_ORDER_NR_PAGES - 1) & ~((1UL << above_order) - 1));
	unsigned long head = pfn;

	/* Each bit of the frame number at an order is a head at the next. */
	for (; bits; bits &= bits - 1) {
		const struct page *page;

		head &= ~(bits & -bits);
		page = pfn_to_page(head);
		if (PageBuddy(page) && page_private(page) > __ffs(bits) && page_private(page) < MAX_ORDER)
			return head;
	}
	return VIEW_NO_PFN;
}

unsigned int view_free_buddy_slot(unsigned long pfn, unsigned int order)
{
	unsigned long buddy = pfn ^ (1UL << order);

	return view_free_block(buddy, order) ? view_slot_of_pfn(buddy) : VIEW_SLOTS_MAX;
}

unsigned int view_pageblock_order(void)
{
	return pageblock_order;
}

unsigned int view_pageblock_type(unsigned long pfn)
{
	return (unsigned int)get_pfnblock_migratetype_bits(pfn_to_page(pfn), pfn);
}

unsigned long view_pageblock_writes(void)
{
	return world_pageblock_writes;
}
