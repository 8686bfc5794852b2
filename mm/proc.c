// SPDX-License-Identifier: GPL-2.0
/*
 * proc.c - /proc/buddyinfo, pagetypeinfo, zoneinfo and vmstat, in the layout of 4.7 (specification 10.1 and 27.2-27.4).
 * Part of Linux's vmstat.c. Each zone is shown under its lock; columns that the machine has not configured are left out.
 *
 * Left out of vmstat: the events that nothing in the port counts, except those of disk and swap, which nothing ever does
 * here.
 */
#include "internal.h"
#include <linux/seq_file.h>

static const char *const stat_names[NR_VM_ZONE_STAT_ITEMS] = {
	"nr_free_pages", "nr_alloc_batch", "nr_inactive_anon", "nr_active_anon", "nr_inactive_file", "nr_active_file",
	"nr_unevictable", "nr_mlock", "nr_anon_pages", "nr_mapped", "nr_file_pages", "nr_dirty", "nr_writeback",
	"nr_slab_reclaimable", "nr_slab_unreclaimable", "nr_page_table_pages", "nr_kernel_stack", "nr_unstable",
	"nr_bounce", "nr_vmscan_write", "nr_vmscan_immediate_reclaim", "nr_writeback_temp", "nr_isolated_anon",
	"nr_isolated_file", "nr_shmem", "nr_dirtied", "nr_written", "nr_pages_scanned", "numa_hit", "numa_miss",
	"numa_foreign", "numa_interleave", "numa_local", "numa_other", "workingset_refault", "workingset_activate",
	"workingset_nodereclaim", "nr_anon_transparent_hugepages", "nr_free_cma",
};

static const char *const event_names[NR_VM_EVENT_ITEMS] = {
	[PGALLOC_DMA] = "pgalloc_dma",
	[PGALLOC_DMA32] = "pgalloc_dma32",
	[PGALLOC_NORMAL] = "pgalloc_normal",
	[PGALLOC_HIGH] = "pgalloc_high",
	[PGALLOC_MOVABLE] = "pgalloc_movable",
	[PGFREE] = "pgfree",
	[COMPACTSTALL] = "compact_stall",
	[COMPACTFAIL] = "compact_fail",
	[COMPACTSUCCESS] = "compact_success",
	[PGSCAN_ZONE_RECLAIM_FAILED] = "zone_reclaim_failed",
};

static bool stat_configured(int item)
{
	return machine->numa || item < NUMA_HIT || item > NUMA_OTHER;
}

/* The zones of the machine in order, each under its lock. */
static void walk_zones(struct seq_file *m, const pg_data_t *pgdat, void (*print)(struct seq_file *m, struct zone *zone))
{
	struct zone *zone;
	unsigned long flags;

	for_each_populated_zone(zone) {
		if (pgdat && zone->zone_pgdat != pgdat)
			continue;
		spin_lock_irqsave(&zone->lock, flags);
		print(m, zone);
		spin_unlock_irqrestore(&zone->lock, flags);
	}
}

static int nid_of(const struct zone *zone)
{
	return zone->zone_pgdat->node_id;
}

/*
 * buddyinfo.
 */
static void frag_show_print(struct seq_file *m, struct zone *zone)
{
	unsigned int order;

	seq_printf(m, "Node %d, zone %8s ", nid_of(zone), zone->name);
	for (order = 0; order < MAX_ORDER; order++)
		seq_printf(m, "%6lu ", zone->free_area[order].nr_free);
	seq_putc(m, '\n');
}

void buddyinfo_show(struct seq_file *m)
{
	walk_zones(m, NULL, frag_show_print);
}

/*
 * pagetypeinfo.
 */
static unsigned long count_free_blocks(const struct zone *zone, unsigned int order, int migratetype)
{
	const struct list_head *entry;
	unsigned long length = 0;

	list_for_each(entry, &zone->free_area[order].free_list[migratetype]) {
		length++;
		work_charge("pagetypeinfo_show");
		work_bound("pagetypeinfo_show", length, zone->spanned_pages >> order,
			   "free blocks lie side by side in their zone");
	}
	return length;
}

static void pagetypeinfo_showfree_print(struct seq_file *m, struct zone *zone)
{
	unsigned int order;
	int mt;

	for (mt = 0; mt < MIGRATE_TYPES; mt++) {
		if (!migratetype_configured(mt))
			continue;
		seq_printf(m, "Node %4d, zone %8s, type %12s ", nid_of(zone), zone->name, migratetype_names[mt]);
		for (order = 0; order < MAX_ORDER; order++)
			seq_printf(m, "%6lu ", count_free_blocks(zone, order, mt));
		seq_putc(m, '\n');
	}
}

static void pagetypeinfo_showblockcount_print(struct seq_file *m, struct zone *zone)
{
	unsigned long count[MIGRATE_TYPES] = { 0 };
	unsigned long pfn;
	int mt;

	for (pfn = zone->zone_start_pfn; pfn < zone_end_pfn(zone); pfn += pageblock_nr_pages) {
		work_charge("pagetypeinfo_show");
		if (!pfn_valid(pfn) || page_zone(pfn_to_page(pfn)) != zone)
			continue;
		mt = get_pageblock_migratetype(pfn_to_page(pfn));
		if (mt < MIGRATE_TYPES)
			count[mt]++;
	}
	seq_printf(m, "Node %d, zone %8s ", nid_of(zone), zone->name);
	for (mt = 0; mt < MIGRATE_TYPES; mt++)
		if (migratetype_configured(mt))
			seq_printf(m, "%12lu ", count[mt]);
	seq_putc(m, '\n');
}

static void pagetypeinfo_show_node(struct seq_file *m, const pg_data_t *pgdat)
{
	unsigned int order;
	int mt;

	seq_printf(m, "Page block order: %d\nPages per block:  %lu\n\n", (int)pageblock_order, pageblock_nr_pages);
	seq_printf(m, "%-43s ", "Free pages count per migrate type at order");
	for (order = 0; order < MAX_ORDER; order++)
		seq_printf(m, "%6u ", order);
	seq_putc(m, '\n');
	walk_zones(m, pgdat, pagetypeinfo_showfree_print);
	seq_putc(m, '\n');
	seq_printf(m, "%-23s", "Number of blocks type ");
	for (mt = 0; mt < MIGRATE_TYPES; mt++)
		if (migratetype_configured(mt))
			seq_printf(m, "%12s ", migratetype_names[mt]);
	seq_putc(m, '\n');
	walk_zones(m, pgdat, pagetypeinfo_showblockcount_print);
}

void pagetypeinfo_show(struct seq_file *m)
{
	const pg_data_t *pgdat;

	for_each_online_pgdat(pgdat)
		if (pgdat->node_present_pages)
			pagetypeinfo_show_node(m, pgdat);
}

/*
 * zoneinfo.
 */

/* How many inactive anonymous pages there may be for each active one: the square root of ten times the zone's GiB. */
static unsigned long inactive_ratio(const struct zone *zone)
{
	unsigned long gb = zone->managed_pages >> (30 - PAGE_SHIFT);

	return gb ? int_sqrt(10 * gb) : 1;
}

static void show_protection(struct seq_file *m, const struct zone *zone)
{
	const char *separator = "";
	int idx;

	seq_puts(m, "\n        protection: (");
	for (idx = 0; idx < MAX_NR_ZONES; idx++) {
		if (!zone_configured(idx))
			continue;
		seq_printf(m, "%s%ld", separator, zone->lowmem_reserve[idx]);
		separator = ", ";
	}
	seq_putc(m, ')');
}

static void show_pagesets(struct seq_file *m, const struct zone *zone)
{
	int cpu;

	seq_puts(m, "\n  pagesets");
	for_each_online_cpu(cpu) {
		const struct per_cpu_pageset *pageset = per_cpu_ptr(zone->pageset, cpu);

		seq_printf(m, "\n    cpu: %i\n              count: %i\n              high:  %i\n              batch: %i", cpu,
			   pageset->pcp.count, pageset->pcp.high, pageset->pcp.batch);
		if (machine->smp)
			seq_printf(m, "\n  vm stats threshold: %d", pageset->stat_threshold);
	}
}

static void zoneinfo_show_print(struct seq_file *m, struct zone *zone)
{
	int item;

	seq_printf(m, "Node %d, zone %8s", nid_of(zone), zone->name);
	seq_printf(m, "\n  pages free     %lu\n        min      %lu\n        low      %lu\n        high     %lu",
		   zone_page_state(zone, NR_FREE_PAGES), min_wmark_pages(zone), low_wmark_pages(zone),
		   high_wmark_pages(zone));
	seq_printf(m, "\n        scanned  %lu\n        spanned  %lu\n        present  %lu\n        managed  %lu",
		   zone_page_state(zone, NR_PAGES_SCANNED), zone->spanned_pages, zone->present_pages,
		   zone->managed_pages);
	for (item = 0; item < NR_VM_ZONE_STAT_ITEMS; item++)
		if (stat_configured(item))
			seq_printf(m, "\n    %-12s %lu", stat_names[item], zone_page_state(zone, (enum zone_stat_item)item));
	show_protection(m, zone);
	show_pagesets(m, zone);
	seq_printf(m, "\n  all_unreclaimable: %u\n  start_pfn:         %lu\n  inactive_ratio:    %lu\n",
		   !zone_reclaimable(zone), zone->zone_start_pfn, inactive_ratio(zone));
}

void zoneinfo_show(struct seq_file *m)
{
	walk_zones(m, NULL, zoneinfo_show_print);
}

/*
 * vmstat.
 */
static bool event_configured(int item)
{
	return item > PGALLOC_MOVABLE || zone_configured(item - PGALLOC_DMA);
}

void vmstat_show(struct seq_file *m)
{
	unsigned long background, dirty;
	int item;

	for (item = 0; item < NR_VM_ZONE_STAT_ITEMS; item++)
		if (stat_configured(item))
			seq_printf(m, "%s %lu\n", stat_names[item], global_page_state((enum zone_stat_item)item));
	global_dirty_limits(&background, &dirty);
	seq_printf(m, "nr_dirty_threshold %lu\nnr_dirty_background_threshold %lu\n", dirty, background);
	seq_puts(m, "pgpgin 0\npgpgout 0\npswpin 0\npswpout 0\n");
	for (item = 0; item < NR_VM_EVENT_ITEMS; item++)
		if (event_configured(item))
			seq_printf(m, "%s %lu\n", event_names[item], vm_event_sum((enum vm_event_item)item));
}
