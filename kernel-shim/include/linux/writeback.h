/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_WRITEBACK_H
#define _LINUX_WRITEBACK_H

#include <linux/types.h>

struct zone;

/* Modelled */
extern int vm_dirty_ratio;             /* percent, 0..100 */
extern unsigned long vm_dirty_bytes;   /* 0: the ratio counts */
extern int vm_highmem_is_dirtyable;

bool zone_dirty_ok(struct zone *zone);
unsigned long zone_dirty_limit(struct zone *zone);

#endif
