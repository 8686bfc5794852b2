/* SPDX-License-Identifier: GPL-2.0 */
/*
 * internal.h - what the files of mm/ share, under the file that owns it. Linux's page_alloc.c is cut by concept here;
 * the functions keep their names.
 */
#ifndef __MM_INTERNAL_H
#define __MM_INTERNAL_H

#include <linux/mm.h>
#include <linux/swap.h>
#include <linux/compaction.h>
#include <linux/cpuset.h>
#include <linux/oom.h>
#include <linux/page-isolation.h>
#include <linux/sched/rt.h>
#include <linux/ratelimit.h>
#include <linux/fault-inject.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/pagemap.h>
#include <linux/writeback.h>
#include <asm/work_budget.h>
#include <trace/events/page_alloc.h>
#include "mm/patches.h"

/* Allocation flags, specification 1.1. */
#define ALLOC_WMARK_MIN WMARK_MIN
#define ALLOC_WMARK_LOW WMARK_LOW
#define ALLOC_WMARK_HIGH WMARK_HIGH
#define ALLOC_NO_WATERMARKS 0x04
#define ALLOC_WMARK_MASK (ALLOC_NO_WATERMARKS - 1)
#define ALLOC_HARDER 0x10
#define ALLOC_HIGH 0x20
#define ALLOC_CPUSET 0x40
#define ALLOC_CMA 0x80
#define ALLOC_FAIR 0x100
#define ALLOC_DIRTY 0x200

_Static_assert(ALLOC_NO_WATERMARKS >= NR_WMARK, "the watermark index fits below the flags");
_Static_assert(__GFP_HIGH == (gfp_t)ALLOC_HIGH, "__GFP_HIGH is copied as ALLOC_HIGH");
_Static_assert(__GFP_MOVABLE == 1 << GFP_MOVABLE_SHIFT && __GFP_MOVABLE >> GFP_MOVABLE_SHIFT == MIGRATE_MOVABLE &&
		       __GFP_RECLAIMABLE >> GFP_MOVABLE_SHIFT == MIGRATE_RECLAIMABLE,
	       "the mobility bits are the migratetype");

/* What stays the same over the attempts of one allocation, specification 5.4. */
struct alloc_context {
	struct zonelist *zonelist;
	nodemask_t *nodemask;                /* NULL = every node */
	struct zoneref *preferred_zoneref;
	int migratetype;
	enum zone_type high_zoneidx;
	bool spread_dirty_pages;
};

#define ac_classzone_idx(ac) zonelist_zone_idx((ac)->preferred_zoneref)

/* mm/page_alloc.c: entry, zonelist scan, slow path */
struct page *get_page_from_freelist(gfp_t gfp_mask, unsigned int order, int alloc_flags,
				    const struct alloc_context *ac);

/* mm/slowpath.c: when no zone is above its low mark */
struct page *__alloc_pages_slowpath(gfp_t gfp_mask, unsigned int order, struct alloc_context *ac);

/* mm/buddy.c: free lists of blocks */
static inline unsigned int page_order(const struct page *page)
{
	return (unsigned int)page_private(page);
}

static inline unsigned long __find_buddy_index(unsigned long page_idx, unsigned int order)
{
	return page_idx ^ (1UL << order);
}

static inline int get_pcppage_migratetype(const struct page *page)
{
	return (int)page->index;
}

static inline void set_pcppage_migratetype(struct page *page, int migratetype)
{
	set_page_index(page, (unsigned long)migratetype);
}

/* True if `buddy` is a free block of exactly this order in the zone of page. */
bool page_is_buddy(const struct page *page, const struct page *buddy, unsigned int order);
void __free_one_page(struct page *page, unsigned long pfn, struct zone *zone, unsigned int order, int migratetype);
void reset_pages_scanned(struct zone *zone);
void free_one_page(struct zone *zone, struct page *page, unsigned long pfn, unsigned int order, int migratetype);
void del_page_from_free_area(struct page *page, struct free_area *area);
void expand(struct zone *zone, struct page *page, unsigned int low, unsigned int high, int migratetype);
struct page *__rmqueue_smallest(struct zone *zone, unsigned int order, int migratetype);
struct page *__rmqueue(struct zone *zone, unsigned int order, int migratetype);
int find_suitable_fallback(struct free_area *area, unsigned int order, int migratetype, bool only_stealable,
			   bool *can_steal);
unsigned long move_freepages_block(struct zone *zone, struct page *page, int migratetype);
bool is_free_buddy_page(const struct page *page);
int __isolate_free_page(struct page *page, unsigned int order);

/* mm/page_check.c: descriptors of pages that are free, being freed and being handed out */
bool bad_range(const struct zone *zone, const struct page *page);
bool check_new_pages(struct page *page, unsigned int order);
bool check_new_pcp(struct page *page);
bool check_pcp_refill(struct page *page);
bool bulkfree_pcp_prepare(struct page *page);
bool free_pcp_prepare(struct page *page);
bool free_pages_prepare(struct page *page, unsigned int order, bool check_head);
void prep_new_page(struct page *page, unsigned int order, gfp_t gfp_flags, int alloc_flags);

/* mm/pcp.c: per-CPU lists */
void free_pcppages_bulk(struct zone *zone, int count, struct per_cpu_pages *pcp);
struct page *rmqueue_pcplist(struct zone *zone, gfp_t gfp_flags, int migratetype);
void boot_pageset_init(struct zone *zone);
void setup_zone_pageset(struct zone *zone);
void zone_pcp_update(struct zone *zone);
void zone_pcp_reset(struct zone *zone);
void drain_pages_zone(int cpu, struct zone *zone);

/* mm/highatomic.c: the reserve for atomic requests of order > 0 */
void reserve_highatomic_pageblock(struct page *page, struct zone *zone, unsigned int order);
bool unreserve_highatomic_pageblock(const struct alloc_context *ac, bool force);

/* mm/watermark.c: marks, reserves, checks */
bool __zone_watermark_ok(struct zone *z, unsigned int order, unsigned long mark, int classzone_idx,
			 int alloc_flags, long free_pages);
bool zone_watermark_ok(struct zone *z, unsigned int order, unsigned long mark, int classzone_idx, int alloc_flags);
bool zone_watermark_fast(struct zone *z, unsigned int order, unsigned long mark, int classzone_idx, int alloc_flags);
bool zone_watermark_ok_safe(struct zone *z, unsigned int order, unsigned long mark, int classzone_idx);

/* mm/fair.c: the fair zone policy, its batches and its flag */
bool zone_local(struct zone *local_zone, struct zone *zone);
bool fair_batch_exhausted(struct zone *zone);
void note_fair_take(struct zone *zone);
void refill_alloc_batch(struct zone *zone, bool marks_changed);
void reset_alloc_batches(struct zone *preferred_zone);
void reset_alloc_batches_zonelist(const struct alloc_context *ac);

/* mm/mmzone.c: zones, zonelists, pageblock types */
#define zonelist_most_zones() (nr_online_nodes * MAX_NR_ZONES)

void pageblock_flags_init(void);
void set_pageblock_migratetype(struct page *page, int migratetype);

/* mm/exact.c: pages by address, split blocks; mm/contig.c: frames at a place. All in <linux/gfp.h> and <linux/mm.h>. */

/* mm/show_mem.c, mm/proc.c: what people read */
struct seq_file;
void buddyinfo_show(struct seq_file *m);
void pagetypeinfo_show(struct seq_file *m);
void zoneinfo_show(struct seq_file *m);
void vmstat_show(struct seq_file *m);
/* mm/page-writeback.c: tunables, and the domain that shares dirty memory */
extern long ratelimit_pages;
void __wb_writeout_inc(struct bdi_writeback *wb);

#define MAX_PAUSE max(HZ / 5, 1UL)
#define BANDWIDTH_INTERVAL max(HZ / 5, 1UL)
#define DIRTY_POLL_THRESH (128 >> (PAGE_SHIFT - 10))
#define RATELIMIT_CALC_SHIFT 10
#define MIN_WRITEBACK_PAGES (4096L >> (PAGE_SHIFT - 10))

/* What balance_dirty_pages() decides by; page-writeback specification 9.1. All pages, but for pos_ratio. */
struct dirty_throttle_control {
	struct bdi_writeback *wb;
	unsigned long avail;                 /* dirtyable */
	unsigned long dirty;                 /* dirty, unstable and under writeback, of all devices */
	unsigned long thresh;
	unsigned long bg_thresh;
	unsigned long wb_dirty;              /* the same of this device, and its shares */
	unsigned long wb_thresh;
	unsigned long wb_bg_thresh;
	unsigned long pos_ratio;             /* 1 << RATELIMIT_CALC_SHIFT is 1.0 */
};

/* mm/dirty_limits.c: how much may be dirty */
unsigned long zone_dirtyable_memory(const struct zone *zone);
unsigned long global_dirtyable_memory(void);
bool current_gets_bonus(void);
void domain_dirty_limits(struct dirty_throttle_control *dtc);
unsigned long dirty_freerun_ceiling(unsigned long thresh, unsigned long bg_thresh);
unsigned long hard_dirty_limit(const struct wb_domain *dom, unsigned long thresh);
void wb_dirty_limits(struct dirty_throttle_control *dtc);

/* mm/wb_position.c: where the dirty pages stand between the limits */
long long pos_ratio_polynom(unsigned long setpoint, unsigned long dirty, unsigned long limit);
void wb_position_ratio(struct dirty_throttle_control *dtc);

/* mm/wb_estimate.c: bandwidths and rates */
void wb_update_write_bandwidth(struct bdi_writeback *wb, unsigned long elapsed, unsigned long written);
void update_dirty_limit(const struct dirty_throttle_control *dtc);
void domain_update_bandwidth(const struct dirty_throttle_control *dtc, unsigned long now);
void wb_update_dirty_ratelimit(struct dirty_throttle_control *dtc, unsigned long dirtied, unsigned long elapsed);
void __wb_update_bandwidth(struct dirty_throttle_control *dtc, unsigned long start_time, bool update_ratelimit);

/* mm/wb_throttle.c: who sleeps, and for how long */
DECLARE_PER_CPU(int, bdp_ratelimits);
DECLARE_PER_CPU(int, dirty_throttle_leaks);

/* Why a task leaves balance_dirty_pages(). */
enum balance_exit { BALANCE_AGAIN, BALANCE_FREERUN, BALANCE_NO_SLEEP, BALANCE_PAID, BALANCE_TINY, BALANCE_KILLED };

/* One call of balance_dirty_pages(). Times in jiffies, rates in pages per second. */
struct balance {
	struct dirty_throttle_control dtc;
	struct bdi_writeback *wb;
	bool strictlimit;
	bool dirty_exceeded;
	unsigned long start_time;
	unsigned long now;
	unsigned long pages_dirtied;
	unsigned long nr_reclaimable;        /* dirty and unstable pages, not yet under writeback */
	unsigned long dirty_ratelimit;
	unsigned long task_ratelimit;
	long period;
	long pause;
	long max_pause;
	long min_pause;
	int nr_dirtied_pause;                /* for after the sleep */
};

unsigned long dirty_poll_interval(unsigned long dirty, unsigned long thresh);
unsigned long wb_max_pause(const struct bdi_writeback *wb, unsigned long wb_dirty);
long wb_min_pause(const struct bdi_writeback *wb, long max_pause, unsigned long task_ratelimit,
		  unsigned long dirty_ratelimit, int *nr_dirtied_pause);

/* mm/backing-dev.c: devices */
extern unsigned int bdi_min_ratio;

#include <trace/events/writeback.h>

/* mm/mm_init.c: from ranges of frames to zones and free blocks */
void init_cma_reserved_pageblock(struct page *page);

#endif
