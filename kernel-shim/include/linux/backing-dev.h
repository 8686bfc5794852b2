/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_BACKING_DEV_H
#define _LINUX_BACKING_DEV_H

#include <linux/flex_proportions.h>
#include <linux/fs.h>
#include <linux/mmzone.h>

/* Modelled, page-writeback specification 7. Without control groups a device has one bdi_writeback, its own. */
#define BDI_CAP_NO_ACCT_DIRTY 0x01
#define BDI_CAP_NO_WRITEBACK 0x02
#define BDI_CAP_NO_ACCT_WB 0x04
#define BDI_CAP_STABLE_WRITES 0x08
#define BDI_CAP_STRICTLIMIT 0x10

#define WB_STAT_BATCH (8 * (1 + ilog2(nr_cpu_ids)))

enum wb_state {
	WB_registered,
	WB_writeback_running,
	WB_has_dirty_io,
};

enum wb_stat_item { WB_RECLAIMABLE, WB_WRITEBACK, WB_DIRTIED, WB_WRITTEN, NR_WB_STAT_ITEMS };

struct bdi_writeback {
	struct backing_dev_info *bdi;
	unsigned long state;                         /* bits WB_* */
	unsigned long last_old_flush;                /* jiffies of the last periodic flush */
	spinlock_t list_lock;                        /* the estimates below */
	struct percpu_counter stat[NR_WB_STAT_ITEMS];

	unsigned long bw_time_stamp;                 /* jiffies of the last estimate */
	unsigned long dirtied_stamp;                 /* WB_DIRTIED and WB_WRITTEN at that time */
	unsigned long written_stamp;
	unsigned long write_bandwidth;               /* pages/s */
	unsigned long avg_write_bandwidth;           /* pages/s, smoothed; never 0 from 4.7 on */
	unsigned long dirty_ratelimit;               /* pages/s, what each dirtier may do before the position ratio */
	unsigned long balanced_dirty_ratelimit;      /* pages/s */

	struct fprop_local_percpu completions;
	int dirty_exceeded;                          /* over its limit: dirtiers look more often */
};

/* tot_write_bandwidth == sum of avg_write_bandwidth over its wbs that have dirty inodes (pages/s) */
struct backing_dev_info {
	unsigned int capabilities;                   /* BDI_CAP_* */
	unsigned int min_ratio;                      /* percent */
	unsigned int max_ratio;                      /* percent */
	unsigned int max_prop_frac;                  /* max_ratio in units of 1/FPROP_FRAC_BASE */
	long tot_write_bandwidth;
	struct bdi_writeback wb;
	unsigned char number;
};

int bdi_init(struct backing_dev_info *bdi);
int bdi_register(struct backing_dev_info *bdi);
void bdi_unregister(struct backing_dev_info *bdi);
int bdi_set_min_ratio(struct backing_dev_info *bdi, unsigned int min_ratio);
int bdi_set_max_ratio(struct backing_dev_info *bdi, unsigned int max_ratio);

/* WB_has_dirty_io and tot_write_bandwidth follow the first dirty inode and the last. */
void wb_io_lists_populated(struct bdi_writeback *wb);
void wb_io_lists_depopulated(struct bdi_writeback *wb);

static inline void __add_wb_stat(struct bdi_writeback *wb, enum wb_stat_item item, s64 amount)
{
	__percpu_counter_add(&wb->stat[item], amount, WB_STAT_BATCH);
}

/* The cheap read, the exact one, and by how much one cheap read may be wrong. */
static inline unsigned long wb_stat(const struct bdi_writeback *wb, enum wb_stat_item item)
{
	return (unsigned long)percpu_counter_read_positive(&wb->stat[item]);
}

static inline unsigned long wb_stat_sum(const struct bdi_writeback *wb, enum wb_stat_item item)
{
	return (unsigned long)percpu_counter_sum_positive(&wb->stat[item]);
}

static inline unsigned long wb_stat_error(const struct bdi_writeback *wb)
{
	return machine->smp ? nr_cpu_ids * (unsigned long)WB_STAT_BATCH : 1;
}

static inline bool writeback_in_progress(const struct bdi_writeback *wb)
{
	return test_bit(WB_writeback_running, &wb->state);
}

static inline struct backing_dev_info *inode_to_bdi(const struct inode *inode)
{
	return inode->i_bdi;
}

static inline struct bdi_writeback *inode_to_wb(const struct inode *inode)
{
	return &inode->i_bdi->wb;
}

static inline bool bdi_cap_account_dirty(const struct backing_dev_info *bdi)
{
	return !(bdi->capabilities & BDI_CAP_NO_ACCT_DIRTY);
}

static inline bool bdi_cap_account_writeback(const struct backing_dev_info *bdi)
{
	return !(bdi->capabilities & (BDI_CAP_NO_ACCT_WB | BDI_CAP_NO_WRITEBACK));
}

static inline bool mapping_cap_account_dirty(const struct address_space *mapping)
{
	return bdi_cap_account_dirty(inode_to_bdi(mapping->host));
}

/* Run the flusher of a wb now, if it is registered (kernel-shim/flusher.c). */
void wb_start_background_writeback(struct bdi_writeback *wb);

#endif
