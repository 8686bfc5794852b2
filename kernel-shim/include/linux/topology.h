/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_TOPOLOGY_H
#define _LINUX_TOPOLOGY_H

#include <linux/nodemask.h>
#include <linux/smp.h>

/* Modelled. Without NUMA every CPU is on node 0 and every distance is local. */
#define LOCAL_DISTANCE 10
#define REMOTE_DISTANCE 20
#define RECLAIM_DISTANCE 30
#define PENALTY_FOR_NODE_WITH_CPUS 1

static inline int cpu_to_node(int cpu)
{
	return machine->numa ? machine->cpu_node[cpu] : 0;
}

static inline int numa_node_id(void)
{
	return cpu_to_node(smp_processor_id());
}

static inline int node_distance(int from, int to)
{
	return machine->numa ? machine->distance[from][to] : LOCAL_DISTANCE;
}

/* A node without memory allocates from its list like any other: its fallback list starts elsewhere. */
#define numa_mem_id() numa_node_id()

static inline bool node_has_cpus(int nid)
{
	unsigned int cpu;

	for (cpu = 0; cpu < machine->nr_cpus; cpu++)
		if (cpu_to_node((int)cpu) == nid)
			return true;
	return false;
}

#endif
