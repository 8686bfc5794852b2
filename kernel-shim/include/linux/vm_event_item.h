/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_VM_EVENT_ITEM_H
#define _LINUX_VM_EVENT_ITEM_H

#include <linux/types.h>

/* Modelled: the events that the port counts. PGALLOC_* follow enum zone_type. */
enum vm_event_item {
	PGALLOC_DMA,
	PGALLOC_DMA32,
	PGALLOC_NORMAL,
	PGALLOC_HIGH,
	PGALLOC_MOVABLE,
	PGFREE,
	COMPACTSTALL,
	COMPACTFAIL,
	COMPACTSUCCESS,
	PGSCAN_ZONE_RECLAIM_FAILED,
	NR_VM_EVENT_ITEMS
};

#endif
