/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_NODEMASK_H
#define _LINUX_NODEMASK_H

#include <linux/bitops.h>
#include "machine.h"
#include "world.h"

/* Modelled: up to MACHINE_NODES_MAX nodes, all online nodes are 0..nr_online_nodes-1. */
#define MAX_NUMNODES MACHINE_NODES_MAX
#define NUMA_NO_NODE (-1)

typedef struct {
	unsigned long bits;
} nodemask_t;

#define nr_online_nodes ((int)machine->nr_nodes)

static inline bool node_isset(int nid, nodemask_t mask)
{
	return (mask.bits >> nid) & 1;
}

static inline void node_set(int nid, nodemask_t *mask)
{
	mask->bits |= 1UL << nid;
}

static inline bool node_online(int nid)
{
	return nid >= 0 && nid < nr_online_nodes;
}

#define for_each_online_node(nid) for ((nid) = 0; (nid) < nr_online_nodes; (nid)++)

#endif
