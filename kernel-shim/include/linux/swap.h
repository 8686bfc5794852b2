/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_SWAP_H
#define _LINUX_SWAP_H

#include <linux/mmzone.h>

/* Modelled: what vmscan does is scripted by the program (reclaim.c), specification 22.3, 29.2, 29.3. */
#define SWAP_CLUSTER_MAX 32UL
#define DEF_PRIORITY 12
#define ZONE_RECLAIM_NOSCAN (-2)
#define ZONE_RECLAIM_FULL (-1)
#define ZONE_RECLAIM_SOME 0
#define ZONE_RECLAIM_SUCCESS 1

unsigned long try_to_free_pages(struct zonelist *zonelist, int order, gfp_t gfp_mask, nodemask_t *nodemask);
int zone_reclaim(struct zone *zone, gfp_t gfp_mask, unsigned int order);
void wakeup_kswapd(struct zone *zone, int order, enum zone_type classzone_idx);
unsigned long zone_reclaimable_pages(struct zone *zone);
bool zone_reclaimable(struct zone *zone);
void congestion_wait(long timeout_jiffies);
/* kswapd of a node is done: it sleeps until the next wakeup, and counters may drift as usual. */
void kswapd_sleep(pg_data_t *pgdat);

#endif
