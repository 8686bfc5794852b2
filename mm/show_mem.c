// SPDX-License-Identifier: GPL-2.0
/*
 * show_mem.c - the report that follows a failed allocation, and the estimate of what could be had (specification 26 and
 * 27.1). Part of Linux's page_alloc.c; show_mem() itself is lib/show_mem.c.
 *
 * PORT: the lines go to printk_console, and nowhere when nobody reads along: a failure costs an operation nothing.
 * There is no swap and nothing is hugetlb; broken pages (hwpoison) are not counted.
 */
#include "internal.h"
#include <linux/seq_file.h>

#define K(x) ((x) << (PAGE_SHIFT - 10))
#define THREAD_SIZE_KB 16UL

long si_mem_available(void)
{
	unsigned long pagecache = global_page_state(NR_ACTIVE_FILE) + global_page_state(NR_INACTIVE_FILE);
	unsigned long slab = global_page_state(NR_SLAB_RECLAIMABLE);
	unsigned long wmark_low = 0;
	struct zone *zone;
	long available;

	for_each_zone(zone)
		wmark_low += low_wmark_pages(zone);
	available = (long)(global_page_state(NR_FREE_PAGES) - totalreserve_pages);
	/* Some of the page cache and of the slabs is in use, or will have to stay. */
	available += (long)(pagecache - min(pagecache / 2, wmark_low));
	available += (long)(slab - min(slab / 2, wmark_low));
	return max(available, 0L);
}

static bool skip_free_areas_node(unsigned int filter, int nid)
{
	return (filter & SHOW_MEM_FILTER_NODES) && cpusets_enabled() && !node_isset(nid, current->mems_allowed);
}

static unsigned long zone_pcp_pages(const struct zone *zone)
{
	unsigned long pages = 0;
	int cpu;

	for_each_online_cpu(cpu)
		pages += (unsigned long)per_cpu_ptr(zone->pageset, cpu)->pcp.count;
	return pages;
}

/* A field of the report, and the counter behind it. */
struct shown_item {
	const char *name;
	enum zone_stat_item item;
};

/* A name that ends a line of the first block has the line end in it. */
static void show_totals(struct seq_file *m, unsigned int filter)
{
	static const struct shown_item items[] = {
		{ "active_anon:%lu ", NR_ACTIVE_ANON },          { "inactive_anon:%lu ", NR_INACTIVE_ANON },
		{ "isolated_anon:%lu\n", NR_ISOLATED_ANON },     { " active_file:%lu ", NR_ACTIVE_FILE },
		{ "inactive_file:%lu ", NR_INACTIVE_FILE },      { "isolated_file:%lu\n", NR_ISOLATED_FILE },
		{ " unevictable:%lu ", NR_UNEVICTABLE },         { "dirty:%lu ", NR_FILE_DIRTY },
		{ "writeback:%lu ", NR_WRITEBACK },              { "unstable:%lu\n", NR_UNSTABLE_NFS },
		{ " slab_reclaimable:%lu ", NR_SLAB_RECLAIMABLE }, { "slab_unreclaimable:%lu\n", NR_SLAB_UNRECLAIMABLE },
		{ " mapped:%lu ", NR_FILE_MAPPED },              { "shmem:%lu ", NR_SHMEM },
		{ "pagetables:%lu ", NR_PAGETABLE },             { "bounce:%lu\n", NR_BOUNCE },
		{ " free:%lu ", NR_FREE_PAGES },
	};
	unsigned long free_pcp = 0;
	struct zone *zone;
	unsigned int i;

	for_each_populated_zone(zone)
		if (!skip_free_areas_node(filter, zone_to_nid(zone)))
			free_pcp += zone_pcp_pages(zone);
	for (i = 0; i < ARRAY_SIZE(items); i++)
		seq_printf(m, items[i].name, global_page_state(items[i].item));
	seq_printf(m, "free_pcp:%lu free_cma:%lu\n", free_pcp, global_page_state(NR_FREE_CMA_PAGES));
}

static void show_node(struct seq_file *m, const struct zone *zone)
{
	if (machine->numa)
		seq_printf(m, "Node %d ", zone->node);
}

static void show_zone_items(struct seq_file *m, const struct zone *zone, const struct shown_item *items,
			    unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		seq_printf(m, " %s:%lukB", items[i].name, K(zone_page_state(zone, items[i].item)));
}

static void show_zone(struct seq_file *m, struct zone *zone)
{
	static const struct shown_item before_size[] = {
		{ "active_anon", NR_ACTIVE_ANON },    { "inactive_anon", NR_INACTIVE_ANON },
		{ "active_file", NR_ACTIVE_FILE },    { "inactive_file", NR_INACTIVE_FILE },
		{ "unevictable", NR_UNEVICTABLE },    { "isolated(anon)", NR_ISOLATED_ANON },
		{ "isolated(file)", NR_ISOLATED_FILE },
	};
	static const struct shown_item before_stack[] = {
		{ "mlocked", NR_MLOCK },      { "dirty", NR_FILE_DIRTY },
		{ "writeback", NR_WRITEBACK }, { "mapped", NR_FILE_MAPPED },
		{ "shmem", NR_SHMEM },        { "slab_reclaimable", NR_SLAB_RECLAIMABLE },
		{ "slab_unreclaimable", NR_SLAB_UNRECLAIMABLE },
	};
	static const struct shown_item after_stack[] = {
		{ "pagetables", NR_PAGETABLE },
		{ "unstable", NR_UNSTABLE_NFS },
		{ "bounce", NR_BOUNCE },
	};
	int idx;

	show_node(m, zone);
	seq_printf(m, "%s free:%lukB min:%lukB low:%lukB high:%lukB", zone->name, K(zone_page_state(zone, NR_FREE_PAGES)),
		   K(min_wmark_pages(zone)), K(low_wmark_pages(zone)), K(high_wmark_pages(zone)));
	show_zone_items(m, zone, before_size, ARRAY_SIZE(before_size));
	seq_printf(m, " present:%lukB managed:%lukB", K(zone->present_pages), K(zone->managed_pages));
	show_zone_items(m, zone, before_stack, ARRAY_SIZE(before_stack));
	seq_printf(m, " kernel_stack:%lukB", zone_page_state(zone, NR_KERNEL_STACK) * THREAD_SIZE_KB);
	show_zone_items(m, zone, after_stack, ARRAY_SIZE(after_stack));
	seq_printf(m, " free_pcp:%lukB local_pcp:%dkB free_cma:%lukB writeback_tmp:%lukB", K(zone_pcp_pages(zone)),
		   K(this_cpu_ptr(zone->pageset)->pcp.count), K(zone_page_state(zone, NR_FREE_CMA_PAGES)),
		   K(zone_page_state(zone, NR_WRITEBACK_TEMP)));
	seq_printf(m, " pages_scanned:%lu all_unreclaimable? %s\nlowmem_reserve[]:",
		   K(zone_page_state(zone, NR_PAGES_SCANNED)), zone_reclaimable(zone) ? "no" : "yes");
	for (idx = 0; idx < MAX_NR_ZONES; idx++)
		if (zone_configured(idx))
			seq_printf(m, " %ld", zone->lowmem_reserve[idx]);
	seq_putc(m, '\n');
}

/* "(UME) ": the types that have blocks of this order. */
static void show_migration_types(struct seq_file *m, const struct free_area *area)
{
	static const char letters[MIGRATE_TYPES] = { 'U', 'M', 'E', 'H', 'C', 'I' };
	int mt;

	seq_putc(m, '(');
	for (mt = 0; mt < MIGRATE_TYPES; mt++)
		if (!list_empty(&area->free_list[mt]))
			seq_putc(m, letters[mt]);
	seq_puts(m, ") ");
}

static void show_zone_blocks(struct seq_file *m, struct zone *zone)
{
	unsigned long total = 0;
	unsigned long flags;
	unsigned int order;

	show_node(m, zone);
	seq_printf(m, "%s: ", zone->name);
	spin_lock_irqsave(&zone->lock, flags);
	for (order = 0; order < MAX_ORDER; order++) {
		const struct free_area *area = &zone->free_area[order];

		total += area->nr_free << order;
		seq_printf(m, "%lu*%lukB ", area->nr_free, K(1UL) << order);
		if (area->nr_free)
			show_migration_types(m, area);
	}
	spin_unlock_irqrestore(&zone->lock, flags);
	seq_printf(m, "= %lukB\n", K(total));
}

void show_free_areas(unsigned int filter)
{
	struct seq_file *m = printk_console;
	struct zone *zone;

	if (!m)
		return;
	show_totals(m, filter);
	for_each_populated_zone(zone)
		if (!skip_free_areas_node(filter, zone_to_nid(zone)))
			show_zone(m, zone);
	for_each_populated_zone(zone)
		if (!skip_free_areas_node(filter, zone_to_nid(zone)))
			show_zone_blocks(m, zone);
	seq_printf(m, "%lu total pagecache pages\n", global_page_state(NR_FILE_PAGES));
	seq_puts(m, "0 pages in swap cache\nSwap cache stats: add 0, delete 0, find 0/0\n"
		    "Free swap  = 0kB\nTotal swap = 0kB\n");
}

void show_mem(unsigned int filter)
{
	unsigned long total = 0, reserved = 0, highmem = 0, cma = 0;
	struct seq_file *m = printk_console;
	struct zone *zone;
	unsigned int i;

	if (!m)
		return;
	seq_puts(m, "Mem-Info:\n");
	show_free_areas(filter);
	for_each_populated_zone(zone) {
		total += zone->present_pages;
		reserved += zone->present_pages - zone->managed_pages;
		highmem += is_highmem(zone) ? zone->present_pages : 0;
	}
	for (i = 0; i < machine->nr_cma; i++)
		cma += machine->cma_ranges[i].end_pfn - machine->cma_ranges[i].start_pfn;
	seq_printf(m, "%lu pages RAM\n%lu pages HighMem/MovableOnly\n%lu pages reserved\n", total, highmem, reserved);
	if (machine->cma)
		seq_printf(m, "%lu pages cma reserved\n", cma);
}
