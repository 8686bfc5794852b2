// SPDX-License-Identifier: GPL-2.0
/*
 * pcp.c - per-CPU lists of order-0 pages: sizes, refill, free, drain (specification 9.6, 11.1, 12.8, 14). Part of
 * Linux's page_alloc.c. A CPU's lists are touched only by that CPU with interrupts off.
 */
#include "internal.h"

#define MIN_PERCPU_PAGELIST_FRACTION 8

__world int percpu_pagelist_fraction;

/* Every zone starts on these, shared: no list ever holds a page for longer than the call that put it there. */
__world static struct per_cpu_pageset boot_pageset[NR_CPUS];

/*
 * Sizes.
 */
static int zone_batchsize(const struct zone *zone)
{
	unsigned long batch = zone->managed_pages / 1024;

	batch = min(batch, 512 * 1024 / PAGE_SIZE) / 4;
	batch = max(batch, 1UL);
	/* One less than a power of two: aliasing with power-of-two users of the lists is bad for caches. */
	return (int)rounddown_pow_of_two(batch + batch / 2) - 1;
}

/* The order of the writes keeps high >= batch for a CPU that reads in between. */
static void pageset_update(struct per_cpu_pages *pcp, unsigned long high, unsigned long batch)
{
	WRITE_ONCE(pcp->batch, 1);
	WRITE_ONCE(pcp->high, (int)high);
	WRITE_ONCE(pcp->batch, (int)batch);
}

static void pageset_set_batch(struct per_cpu_pageset *p, unsigned long batch)
{
	pageset_update(&p->pcp, 6 * batch, max(1UL, batch));
}

static void pageset_set_high(struct per_cpu_pageset *p, unsigned long high)
{
	unsigned long batch = max(1UL, high / 4);

	if (high / 4 > PAGE_SHIFT * 8)
		batch = PAGE_SHIFT * 8;
	pageset_update(&p->pcp, high, batch);
}

static void pageset_set_high_and_batch(struct zone *zone, struct per_cpu_pageset *pcp)
{
	if (percpu_pagelist_fraction)
		pageset_set_high(pcp, zone->managed_pages / (unsigned long)percpu_pagelist_fraction);
	else
		pageset_set_batch(pcp, (unsigned long)zone_batchsize(zone));
}

static void pageset_init(struct per_cpu_pageset *p)
{
	int migratetype;

	for (migratetype = 0; migratetype < MIGRATE_PCPTYPES; migratetype++)
		INIT_LIST_HEAD(&p->pcp.lists[migratetype]);
}

void boot_pageset_init(struct zone *zone)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (!boot_pageset[cpu].pcp.batch) {
			pageset_init(&boot_pageset[cpu]);
			pageset_set_batch(&boot_pageset[cpu], 0);
		}
	}
	zone->pageset = boot_pageset;
}

void setup_zone_pageset(struct zone *zone)
{
	int cpu;

	zone->pageset = world_alloc(machine->nr_cpus * sizeof(struct per_cpu_pageset));
	for_each_possible_cpu(cpu) {
		pageset_init(per_cpu_ptr(zone->pageset, cpu));
		pageset_set_high_and_batch(zone, per_cpu_ptr(zone->pageset, cpu));
	}
}

void setup_per_cpu_pageset(void)
{
	struct zone *zone;

	for_each_populated_zone(zone)
		setup_zone_pageset(zone);
}

/* Compute the sizes again, after managed_pages changed. */
void zone_pcp_update(struct zone *zone)
{
	int cpu;

	for_each_possible_cpu(cpu)
		pageset_set_high_and_batch(zone, per_cpu_ptr(zone->pageset, cpu));
}

/* The zone loses its memory: back to the boot pagesets. PORT: the old ones stay in the arena. */
void zone_pcp_reset(struct zone *zone)
{
	unsigned long flags;
	int cpu;

	local_irq_save(flags);
	if (zone->pageset != boot_pageset) {
		for_each_online_cpu(cpu)
			drain_zonestat(zone, per_cpu_ptr(zone->pageset, cpu));
		zone->pageset = boot_pageset;
	}
	local_irq_restore(flags);
}

/* 0 = the default sizes, else each list may hold 1/value of the zone. */
int percpu_pagelist_fraction_sysctl_handler(int value)
{
	struct zone *zone;

	if (value && value < MIN_PERCPU_PAGELIST_FRACTION)
		return -EINVAL;
	if (value == percpu_pagelist_fraction)
		return 0;
	percpu_pagelist_fraction = value;
	for_each_populated_zone(zone)
		zone_pcp_update(zone);
	return 0;
}

/*
 * Draining.
 */

/* The next non-empty list, round robin; *run counts the lists looked at. Never returns when all are empty (Q20). */
static struct list_head *next_pcp_list(struct per_cpu_pages *pcp, int *migratetype, int *run)
{
	struct list_head *list;
	DEFINE_STEPS(steps);

	do {
		work_charge("free_pcppages_bulk");
		work_bound("free_pcppages_bulk", ++steps, MIGRATE_PCPTYPES,
			   "a page that is to be freed is on one of the CPU's lists");
		(*run)++;
		if (++*migratetype == MIGRATE_PCPTYPES)
			*migratetype = 0;
		list = &pcp->lists[*migratetype];
	} while (list_empty(list));
	return list;
}

/* Take one page off the tail of a per-CPU list and give it to the buddy system. */
static void free_one_pcp_page(struct zone *zone, struct list_head *list)
{
	struct page *page = list_last_entry(list, struct page, lru);
	int mt = get_pcppage_migratetype(page);

	list_del(&page->lru);
	VM_BUG_ON_PAGE(is_migrate_isolate(mt), page);
	/* The pageblock may have been isolated since the page came here. */
	if (unlikely(has_isolate_pageblock(zone)) && patched(DRAIN_REREADS_TYPE))
		mt = get_pageblock_migratetype(page);
	if (bulkfree_pcp_prepare(page))
		return;
	__free_one_page(page, page_to_pfn(page), zone, 0, mt);
	trace_mm_page_pcpu_drain(page, 0, mt);
}

/* Frees exactly `count` pages, which must be on the lists. Interrupts are off. */
void free_pcppages_bulk(struct zone *zone, int count, struct per_cpu_pages *pcp)
{
	int migratetype = 0;
	int run = 0;

	spin_lock(&zone->lock);
	reset_pages_scanned(zone);
	while (count) {
		struct list_head *list = next_pcp_list(pcp, &migratetype, &run);

		/* This is the only non-empty list: all pages come from it. */
		if (run == MIGRATE_PCPTYPES)
			run = count;
		do {
			free_one_pcp_page(zone, list);
		} while (--count && --run && !list_empty(list));
	}
	spin_unlock(&zone->lock);
}

static void drain_pcp(struct zone *zone, struct per_cpu_pages *pcp, int count)
{
	if (patched(CLAMP_BULK_FREE))
		count = min(count, pcp->count);
	free_pcppages_bulk(zone, count, pcp);
	pcp->count -= count;
}

/* Called by the vmstat worker for a CPU's unused lists on a remote node. */
void drain_zone_pages(struct zone *zone, struct per_cpu_pages *pcp)
{
	unsigned long flags;
	int to_drain;

	local_irq_save(flags);
	to_drain = min(pcp->count, READ_ONCE(pcp->batch));
	if (to_drain > 0)
		drain_pcp(zone, pcp, to_drain);
	local_irq_restore(flags);
}

void drain_pages_zone(int cpu, struct zone *zone)
{
	struct per_cpu_pages *pcp = &per_cpu_ptr(zone->pageset, cpu)->pcp;
	unsigned long flags;

	local_irq_save(flags);
	if (pcp->count)
		drain_pcp(zone, pcp, pcp->count);
	local_irq_restore(flags);
}

/* The lists of a CPU in every zone. For the CPU itself, or for one that is gone. */
void drain_pages(unsigned int cpu)
{
	struct zone *zone;

	for_each_populated_zone(zone)
		drain_pages_zone((int)cpu, zone);
}

/* This CPU's lists of one zone, or of all. */
void drain_local_pages(struct zone *zone)
{
	int cpu = smp_processor_id();

	if (zone)
		drain_pages_zone(cpu, zone);
	else
		drain_pages((unsigned int)cpu);
}

static void drain_local_pages_of(void *zone)
{
	drain_local_pages(zone);
}

static bool cpu_has_pcp_pages(int cpu, struct zone *zone)
{
	if (zone)
		return per_cpu_ptr(zone->pageset, cpu)->pcp.count != 0;
	for_each_populated_zone(zone)
		if (per_cpu_ptr(zone->pageset, cpu)->pcp.count)
			return true;
	return false;
}

/* Every CPU's lists; the others drain first, in ascending order, then the caller. */
void drain_all_pages(struct zone *zone)
{
	int self = smp_processor_id();
	bool self_has_pages = cpu_has_pcp_pages(self, zone);
	int cpu;

	for_each_online_cpu(cpu)
		if (cpu != self && cpu_has_pcp_pages(cpu, zone))
			on_cpu(cpu, drain_local_pages_of, zone);
	if (self_has_pages)
		on_cpu(self, drain_local_pages_of, zone);
}

/*
 * Freeing and taking one page.
 */

/* A cold page goes to the tail, where it is drained first. */
void free_hot_cold_page(struct page *page, bool cold)
{
	struct zone *zone = page_zone(page);
	unsigned long pfn = page_to_pfn(page);
	struct per_cpu_pages *pcp;
	unsigned long flags;
	int migratetype;

	if (!free_pcp_prepare(page))
		return;
	migratetype = get_pfnblock_migratetype(page, pfn);
	set_pcppage_migratetype(page, migratetype);
	local_irq_save(flags);
	count_vm_event(PGFREE);
	if (migratetype >= MIGRATE_PCPTYPES) {
		if (unlikely(is_migrate_isolate(migratetype))) {
			free_one_page(zone, page, pfn, 0, migratetype);
			goto out;
		}
		migratetype = MIGRATE_MOVABLE;
	}
	pcp = &this_cpu_ptr(zone->pageset)->pcp;
	if (!cold)
		list_add(&page->lru, &pcp->lists[migratetype]);
	else
		list_add_tail(&page->lru, &pcp->lists[migratetype]);
	pcp->count++;
	if (pcp->count >= pcp->high)
		drain_pcp(zone, pcp, READ_ONCE(pcp->batch));
out:
	local_irq_restore(flags);
}

/* Pages without a reference, in the order of the list, which is used up. */
void free_hot_cold_page_list(struct list_head *list, bool cold)
{
	struct page *page, *next;

	list_for_each_entry_safe(page, next, list, lru) {
		trace_mm_page_free_batched(page, cold);
		free_hot_cold_page(page, cold);
	}
}

/* Take up to `count` pages out of the buddy lists. Returns what pcp->count shall grow by. */
static int rmqueue_bulk(struct zone *zone, int count, struct list_head *list, int migratetype, bool cold)
{
	int linked = 0;
	int i;

	spin_lock(&zone->lock);
	for (i = 0; i < count; i++) {
		struct page *page = __rmqueue(zone, 0, migratetype);

		if (unlikely(!page))
			break;
		if (unlikely(check_pcp_refill(page)))
			continue;
		/* Hot pages stand in the order in which they came, cold ones the other way round. */
		if (likely(!cold))
			list_add(&page->lru, list);
		else
			list_add_tail(&page->lru, list);
		list = &page->lru;
		linked++;
		if (is_migrate_cma(get_pcppage_migratetype(page)))
			__mod_zone_page_state(zone, NR_FREE_CMA_PAGES, -1);
	}
	__mod_zone_page_state(zone, NR_FREE_PAGES, -(long)i);
	spin_unlock(&zone->lock);
	return patched(COUNT_REFILLED_PAGES) ? linked : i;
}

static void unlink_pcp_page(struct zone *zone, struct per_cpu_pages *pcp, struct page *page)
{
	/* 3.16 and 3.17 lower the batch once for every order, when the take is complete. */
	if (kernel.fair == FAIR_F47)
		__dec_zone_state(zone, NR_ALLOC_BATCH);
	list_del(&page->lru);
	pcp->count--;
}

/* Interrupts are off. NULL when the zone has no page that this type may use. */
struct page *rmqueue_pcplist(struct zone *zone, gfp_t gfp_flags, int migratetype)
{
	struct per_cpu_pages *pcp = &this_cpu_ptr(zone->pageset)->pcp;
	struct list_head *list = &pcp->lists[migratetype];
	bool cold = gfp_flags & __GFP_COLD;
	struct page *page;
	DEFINE_STEPS(steps);

	/* PORT: with both mobility bits Linux takes what lies behind the lists for a list (Q15). */
	BUG_ON(migratetype >= MIGRATE_PCPTYPES);
	do {
		work_charge("rmqueue_pcplist");
		work_bound("rmqueue_pcplist", ++steps, zone->managed_pages + 1,
			   "each retry withdraws a page of the zone");
		if (list_empty(list)) {
			pcp->count += rmqueue_bulk(zone, pcp->batch, list, migratetype, cold);
			if (unlikely(list_empty(list)))
				return NULL;
		}
		page = cold ? list_last_entry(list, struct page, lru) : list_first_entry(list, struct page, lru);
		if (patched(UNLINK_BEFORE_CHECK))
			unlink_pcp_page(zone, pcp, page);
	} while (check_new_pcp(page));
	if (!patched(UNLINK_BEFORE_CHECK))
		unlink_pcp_page(zone, pcp, page);
	return page;
}
