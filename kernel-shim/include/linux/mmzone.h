/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_MMZONE_H
#define _LINUX_MMZONE_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/nodemask.h>
#include <linux/percpu.h>
#include <linux/atomic.h>
#include <linux/topology.h>
#include <linux/page-flags.h>
#include <linux/pageblock-flags.h>

/*
 * Modelled, specification 3, 4, 5 and 6. One superset of zone types and migratetypes serves every machine;
 * zone_configured() and migratetype_configured() say which of them this one has.
 */
#define PAGE_SHIFT MACHINE_PAGE_SHIFT
#define PAGE_SIZE (1UL << PAGE_SHIFT)
#define MAX_ORDER 11
#define MAX_ORDER_NR_PAGES (1UL << (MAX_ORDER - 1))
#define PAGE_ALLOC_COSTLY_ORDER 3

enum migratetype {
	MIGRATE_UNMOVABLE,
	MIGRATE_MOVABLE,
	MIGRATE_RECLAIMABLE,
	MIGRATE_PCPTYPES,
	MIGRATE_HIGHATOMIC = MIGRATE_PCPTYPES,
	MIGRATE_CMA,
	MIGRATE_ISOLATE,
	MIGRATE_TYPES
};

extern const char *const migratetype_names[MIGRATE_TYPES];

static inline bool migratetype_configured(int migratetype)
{
	return migratetype < MIGRATE_CMA || (migratetype == MIGRATE_CMA && machine->cma) ||
	       (migratetype == MIGRATE_ISOLATE && machine->isolation);
}

#define is_migrate_cma(migratetype) ((migratetype) == MIGRATE_CMA)

enum zone_type { ZONE_DMA, ZONE_DMA32, ZONE_NORMAL, ZONE_HIGHMEM, ZONE_MOVABLE, __MAX_NR_ZONES };
#define MAX_NR_ZONES __MAX_NR_ZONES
_Static_assert(MAX_NR_ZONES == MACHINE_ZONES_MAX, "machine.h numbers the zones as mm does");

#define zone_configured(idx) ((machine->zones >> (idx)) & 1)

enum zone_stat_item {
	NR_FREE_PAGES,
	NR_ALLOC_BATCH,
	NR_LRU_BASE,
	NR_INACTIVE_ANON = NR_LRU_BASE,
	NR_ACTIVE_ANON,
	NR_INACTIVE_FILE,
	NR_ACTIVE_FILE,
	NR_UNEVICTABLE,
	NR_MLOCK,
	NR_ANON_PAGES,
	NR_FILE_MAPPED,
	NR_FILE_PAGES,
	NR_FILE_DIRTY,
	NR_WRITEBACK,
	NR_SLAB_RECLAIMABLE,
	NR_SLAB_UNRECLAIMABLE,
	NR_PAGETABLE,
	NR_KERNEL_STACK,
	NR_UNSTABLE_NFS,
	NR_BOUNCE,
	NR_VMSCAN_WRITE,
	NR_VMSCAN_IMMEDIATE,
	NR_WRITEBACK_TEMP,
	NR_ISOLATED_ANON,
	NR_ISOLATED_FILE,
	NR_SHMEM,
	NR_DIRTIED,
	NR_WRITTEN,
	NR_PAGES_SCANNED,
	NUMA_HIT,
	NUMA_MISS,
	NUMA_FOREIGN,
	NUMA_INTERLEAVE_HIT,
	NUMA_LOCAL,
	NUMA_OTHER,
	WORKINGSET_REFAULT,
	WORKINGSET_ACTIVATE,
	WORKINGSET_NODERECLAIM,
	NR_ANON_TRANSPARENT_HUGEPAGES,
	NR_FREE_CMA_PAGES,
	NR_VM_ZONE_STAT_ITEMS
};

enum zone_watermarks { WMARK_MIN, WMARK_LOW, WMARK_HIGH, NR_WMARK };
#define min_wmark_pages(z) ((z)->watermark[WMARK_MIN])
#define low_wmark_pages(z) ((z)->watermark[WMARK_LOW])
#define high_wmark_pages(z) ((z)->watermark[WMARK_HIGH])

/* zone->flags, bit numbers. */
enum zone_flags {
	ZONE_RECLAIM_LOCKED,
	ZONE_OOM_LOCKED,
	ZONE_CONGESTED,
	ZONE_DIRTY,
	ZONE_WRITEBACK,
	ZONE_FAIR_DEPLETED,
};

struct free_area {
	struct list_head free_list[MIGRATE_TYPES];
	unsigned long nr_free;               /* blocks on all lists of this order */
};

struct per_cpu_pages {
	int count;                           /* pages on the three lists */
	int high;                            /* a free that reaches it drains `batch` pages */
	int batch;
	struct list_head lists[MIGRATE_PCPTYPES];
};

struct per_cpu_pageset {
	struct per_cpu_pages pcp;
	s8 expire;
	s8 stat_threshold;
	s8 vm_stat_diff[NR_VM_ZONE_STAT_ITEMS];
};

struct pglist_data;

/* managed == free + pcp + held + leaked (pages) */
struct zone {
	unsigned long watermark[NR_WMARK];           /* pages; written under lock */
	unsigned long nr_reserved_highatomic;        /* pages in HIGHATOMIC pageblocks, whole blocks */
	long lowmem_reserve[MAX_NR_ZONES];           /* pages kept from requests of each class */
	int node;
	unsigned char slot;                          /* harness: node * MAX_NR_ZONES + index */
	struct pglist_data *zone_pgdat;
	struct per_cpu_pageset __percpu *pageset;
	unsigned long totalreserve_pages;
	unsigned long zone_start_pfn;
	unsigned long managed_pages;                 /* given to the buddy system */
	unsigned long spanned_pages;
	unsigned long present_pages;                 /* spanned - holes */
	unsigned long min_unmapped_pages;
	unsigned long min_slab_pages;
	unsigned long nr_isolate_pageblock;
	const char *name;
	bool initialized;
	bool contiguous;
	struct free_area free_area[MAX_ORDER];
	unsigned long flags;                         /* enum zone_flags */
	unsigned long dirty_limit_cached;            /* seed 3, pages */
	spinlock_t lock;
	unsigned long percpu_drift_mark;
	unsigned int compact_considered;
	unsigned int compact_defer_shift;
	int compact_order_failed;
	bool compact_blockskip_flush;
	atomic_long_t vm_stat[NR_VM_ZONE_STAT_ITEMS];
};

struct zoneref {
	struct zone *zone;
	int zone_idx;
};

#define MAX_ZONES_PER_ZONELIST (MAX_NUMNODES * MAX_NR_ZONES)
enum { ZONELIST_FALLBACK, ZONELIST_NOFALLBACK, MAX_ZONELISTS };

struct zonelist {
	struct zoneref _zonerefs[MAX_ZONES_PER_ZONELIST + 1];
};

typedef struct pglist_data {
	struct zone node_zones[MAX_NR_ZONES];
	struct zonelist node_zonelists[MAX_ZONELISTS];
	int nr_zones;
	int node_id;
	unsigned long node_start_pfn;
	unsigned long node_present_pages;
	unsigned long node_spanned_pages;
	/* kswapd */
	int kswapd_max_order;
	enum zone_type classzone_idx;
	bool kswapd_asleep;
} pg_data_t;

extern pg_data_t *node_data[MAX_NUMNODES];
#define NODE_DATA(nid) (node_data[nid])

#define zone_idx(zone) ((int)((zone) - (zone)->zone_pgdat->node_zones))
#define zone_to_nid(zone) (machine->numa ? (zone)->node : 0)

static inline bool populated_zone(const struct zone *zone)
{
	return zone->present_pages != 0;
}

static inline unsigned long zone_end_pfn(const struct zone *zone)
{
	return zone->zone_start_pfn + zone->spanned_pages;
}

static inline bool zone_spans_pfn(const struct zone *zone, unsigned long pfn)
{
	return zone->zone_start_pfn <= pfn && pfn < zone_end_pfn(zone);
}

static inline bool zone_is_empty(const struct zone *zone)
{
	return zone->spanned_pages == 0;
}

static inline bool zone_is_initialized(const struct zone *zone)
{
	return zone->initialized;
}

static inline bool is_migrate_isolate(int migratetype)
{
	return migratetype == MIGRATE_ISOLATE;
}

static inline bool has_isolate_pageblock(const struct zone *zone)
{
	return zone->nr_isolate_pageblock != 0;
}

static inline bool zone_is_fair_depleted(const struct zone *zone)
{
	return test_bit(ZONE_FAIR_DEPLETED, &zone->flags);
}

/* The highest non-movable zone, the one ZONE_MOVABLE takes its frames from. */
extern int movable_zone;

static inline bool is_highmem_idx(int idx)
{
	return zone_configured(ZONE_HIGHMEM) &&
	       (idx == ZONE_HIGHMEM || (idx == ZONE_MOVABLE && movable_zone == ZONE_HIGHMEM));
}

#define is_highmem(zone) is_highmem_idx(zone_idx(zone))

/* Walks (mm/mmzone.c). */
struct zone *first_zone(void);
struct zone *next_zone(struct zone *zone);
#define for_each_online_pgdat(pgdat)                                                                   \
	for (pgdat = NODE_DATA(0); pgdat;                                                              \
	     pgdat = node_online(pgdat->node_id + 1) ? NODE_DATA(pgdat->node_id + 1) : NULL)
#define for_each_zone(zone) for (zone = first_zone(); zone; zone = next_zone(zone))
#define for_each_populated_zone(zone)                                                                  \
	for_each_zone(zone)                                                                            \
		if (populated_zone(zone))

/* Zonelist iteration, specification 6.4. */
struct zoneref *next_zones_zonelist(struct zoneref *z, int highest_zoneidx, nodemask_t *nodes);

static inline struct zoneref *first_zones_zonelist(struct zonelist *zonelist, int highest_zoneidx,
						   nodemask_t *nodes)
{
	return next_zones_zonelist(zonelist->_zonerefs, highest_zoneidx, nodes);
}

#define for_each_zone_zonelist_nodemask(zone, z, zonelist, highidx, nodes)                             \
	for (z = first_zones_zonelist(zonelist, highidx, nodes), zone = z->zone; zone;                 \
	     z = next_zones_zonelist(z + 1, highidx, nodes), zone = z->zone)
/* Resumes at z as it is, without looking for a first match. */
#define for_next_zone_zonelist_nodemask(zone, z, highidx, nodes)                                       \
	for (zone = z->zone; zone;                                                                     \
	     z = next_zones_zonelist(z + 1, highidx, nodes), zone = z->zone)
#define for_each_zone_zonelist(zone, z, zonelist, highidx)                                             \
	for_each_zone_zonelist_nodemask(zone, z, zonelist, highidx, NULL)

#define zonelist_zone_idx(zoneref) ((zoneref)->zone_idx)
#define zonelist_node_idx(zoneref) zone_to_nid((zoneref)->zone)

/* Tunables. */
extern int min_free_kbytes;
extern int user_min_free_kbytes;
extern int watermark_scale_factor;
extern int sysctl_lowmem_reserve_ratio[MAX_NR_ZONES - 1];
extern int percpu_pagelist_fraction;
extern int zone_reclaim_mode;
extern int page_group_by_mobility_disabled;

#endif
