/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_WRITEBACK_H
#define _LINUX_WRITEBACK_H

#include <linux/backing-dev.h>
#include <linux/fs.h>
#include <linux/timer.h>

/* Modelled, page-writeback specification 2. */
extern int dirty_background_ratio;             /* percent, 0..100 */
extern unsigned long dirty_background_bytes;   /* 0: the ratio counts */
extern int vm_dirty_ratio;                     /* percent, 0..100 */
extern unsigned long vm_dirty_bytes;           /* 0: the ratio counts */
extern int vm_highmem_is_dirtyable;
extern unsigned int dirty_writeback_interval;  /* centiseconds; 0 = no periodic flush */
extern unsigned int dirty_expire_interval;     /* centiseconds */
extern int laptop_mode;                        /* jiffies; 0 = off */

/* Tunables as their handlers write them: 0, or an error with nothing changed. Unsigned longs skip what is out of range. */
int dirty_background_ratio_handler(int value);
int dirty_background_bytes_handler(unsigned long value);
int dirty_ratio_handler(int value);
int dirty_bytes_handler(unsigned long value);
int dirty_writeback_centisecs_handler(int value);
int dirty_expire_centisecs_handler(int value);
int highmem_is_dirtyable_handler(int value);
int laptop_mode_handler(int seconds);

/* Who shares a dirty limit: without control groups, everybody. */
struct wb_domain {
	spinlock_t lock;
	struct fprop_global completions;       /* pages written, aged */
	struct timer_list period_timer;        /* deferrable: ages completions */
	unsigned long period_time;             /* jiffies when the period ends; 0 = not counting */
	unsigned long dirty_limit_tstamp;      /* jiffies of the last change of dirty_limit */
	unsigned long dirty_limit;             /* pages; follows the threshold up at once and down slowly */
};

extern struct wb_domain global_wb_domain;

enum writeback_sync_modes { WB_SYNC_NONE, WB_SYNC_ALL };

/* What to write; page-writeback specification 18. */
struct writeback_control {
	long nr_to_write;                      /* pages left */
	long pages_skipped;
	loff_t range_start;                    /* bytes, inclusive */
	loff_t range_end;
	enum writeback_sync_modes sync_mode;
	bool for_kupdate;
	bool for_background;
	bool tagged_writepages;
	bool for_reclaim;
	bool range_cyclic;
	bool for_sync;
};

typedef int (*writepage_t)(struct page *page, struct writeback_control *wbc, void *data);

void page_writeback_init(void);
int wb_domain_init(struct wb_domain *dom);
void writeback_set_ratelimit(void);
void global_dirty_limits(unsigned long *background, unsigned long *dirty);
bool zone_dirty_ok(struct zone *zone);
unsigned long zone_dirty_limit(struct zone *zone);
unsigned long wb_calc_thresh(struct bdi_writeback *wb, unsigned long thresh);
void wb_update_bandwidth(struct bdi_writeback *wb, unsigned long start_time);
bool wb_over_bg_thresh(struct bdi_writeback *wb);
void balance_dirty_pages_ratelimited(struct address_space *mapping);
void throttle_vm_writeout(gfp_t gfp_mask);

void tag_pages_for_writeback(struct address_space *mapping, pgoff_t start, pgoff_t end);
int write_cache_pages(struct address_space *mapping, struct writeback_control *wbc, writepage_t writepage, void *data);
int generic_writepages(struct address_space *mapping, struct writeback_control *wbc);
int do_writepages(struct address_space *mapping, struct writeback_control *wbc);
int write_one_page(struct page *page, bool wait);

/* Page events, page-writeback specification 17. */
void account_page_dirtied(struct page *page, struct address_space *mapping);
void account_page_cleaned(struct page *page, struct address_space *mapping, struct bdi_writeback *wb);
void account_page_redirty(struct page *page);
bool __set_page_dirty_nobuffers(struct page *page);
bool __set_page_dirty_no_writeback(struct page *page);
bool redirty_page_for_writepage(struct writeback_control *wbc, struct page *page);
bool set_page_dirty(struct page *page);
bool set_page_dirty_lock(struct page *page);
void cancel_dirty_page(struct page *page);
bool clear_page_dirty_for_io(struct page *page);
bool test_clear_page_writeback(struct page *page);
bool __test_set_page_writeback(struct page *page, bool keep_write);
#define set_page_writeback(page) ((void)__test_set_page_writeback(page, false))
#define set_page_writeback_keepwrite(page) ((void)__test_set_page_writeback(page, true))
void wait_for_stable_page(struct page *page);
void wb_writeout_inc(struct bdi_writeback *wb);

#endif
