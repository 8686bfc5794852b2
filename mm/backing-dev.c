// SPDX-License-Identifier: GPL-2.0
/*
 * backing-dev.c - the life of a backing device as far as limits need it (page-writeback specification 7). What the
 * device does with its pages is kernel-shim/bdi.c.
 */
#include "internal.h"

#define INIT_BW (100UL << (20 - PAGE_SHIFT))

/* The sum of all min_ratio, at most 99 percent. */
__world unsigned int bdi_min_ratio;
__world static spinlock_t bdi_lock;

static void wb_init(struct bdi_writeback *wb, struct backing_dev_info *bdi)
{
	int i;

	memset(wb, 0, sizeof(*wb));
	wb->bdi = bdi;
	spin_lock_init(&wb->list_lock);
	wb->last_old_flush = jiffies;
	wb->bw_time_stamp = jiffies;
	wb->write_bandwidth = INIT_BW;
	wb->avg_write_bandwidth = INIT_BW;
	wb->dirty_ratelimit = INIT_BW;
	wb->balanced_dirty_ratelimit = INIT_BW;
	for (i = 0; i < NR_WB_STAT_ITEMS; i++)
		percpu_counter_init(&wb->stat[i], 0);
	fprop_local_init_percpu(&wb->completions);
}

int bdi_init(struct backing_dev_info *bdi)
{
	bdi->capabilities = 0;
	bdi->min_ratio = 0;
	bdi->max_ratio = 100;
	bdi->max_prop_frac = FPROP_FRAC_BASE;
	bdi->tot_write_bandwidth = 0;
	wb_init(&bdi->wb, bdi);
	return 0;
}

int bdi_register(struct backing_dev_info *bdi)
{
	set_bit(WB_registered, &bdi->wb.state);
	return 0;
}

/* The device is gone; whoever registers it again finds its ratios as they were left. */
void bdi_unregister(struct backing_dev_info *bdi)
{
	if (patched(MIN_RATIO_RETURNED))
		bdi_set_min_ratio(bdi, 0);
	clear_bit(WB_registered, &bdi->wb.state);
}

int bdi_set_min_ratio(struct backing_dev_info *bdi, unsigned int min_ratio)
{
	int ret = 0;

	spin_lock(&bdi_lock);
	if (min_ratio > bdi->max_ratio) {
		ret = -EINVAL;
	} else {
		min_ratio -= bdi->min_ratio;
		if (bdi_min_ratio + min_ratio < 100) {
			bdi_min_ratio += min_ratio;
			bdi->min_ratio += min_ratio;
		} else {
			ret = -EINVAL;
		}
	}
	spin_unlock(&bdi_lock);
	return ret;
}

int bdi_set_max_ratio(struct backing_dev_info *bdi, unsigned int max_ratio)
{
	int ret = 0;

	if (max_ratio > 100)
		return -EINVAL;
	spin_lock(&bdi_lock);
	if (bdi->min_ratio > max_ratio) {
		ret = -EINVAL;
	} else {
		bdi->max_ratio = max_ratio;
		bdi->max_prop_frac = (unsigned int)(FPROP_FRAC_BASE * max_ratio / 100);
	}
	spin_unlock(&bdi_lock);
	return ret;
}

void wb_io_lists_populated(struct bdi_writeback *wb)
{
	if (test_and_set_bit(WB_has_dirty_io, &wb->state))
		return;
	wb->bdi->tot_write_bandwidth += (long)wb->avg_write_bandwidth;
}

void wb_io_lists_depopulated(struct bdi_writeback *wb)
{
	if (!test_bit(WB_has_dirty_io, &wb->state))
		return;
	clear_bit(WB_has_dirty_io, &wb->state);
	wb->bdi->tot_write_bandwidth -= (long)wb->avg_write_bandwidth;
}
