/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_VMSTAT_H
#define _LINUX_VMSTAT_H

#include <linux/mmzone.h>
#include <linux/vm_event_item.h>

/* Modelled, specification 10. The counters themselves are mm/vmstat.c. */
extern atomic_long_t vm_stat[NR_VM_ZONE_STAT_ITEMS];

extern unsigned long vm_event_states[NR_VM_EVENT_ITEMS][NR_CPUS];

static inline void count_vm_events(enum vm_event_item item, unsigned long delta)
{
	vm_event_states[item][smp_processor_id()] += delta;
}

#define count_vm_event(item) count_vm_events(item, 1)
#define __count_vm_events(item, delta) count_vm_events(item, delta)
#define __count_zone_vm_events(item, zone, delta)                                                      \
	count_vm_events((enum vm_event_item)((int)item##_NORMAL - ZONE_NORMAL + zone_idx(zone)), delta)
unsigned long vm_event_sum(enum vm_event_item item);

/* Central value of a zone; on SMP a negative one reads as 0, on UP as a huge number. */
static inline unsigned long zone_page_state(const struct zone *zone, enum zone_stat_item item)
{
	long x = atomic_long_read(&zone->vm_stat[item]);

	if (machine->smp && x < 0)
		x = 0;
	return (unsigned long)x;
}

static inline unsigned long global_page_state(enum zone_stat_item item)
{
	long x = atomic_long_read(&vm_stat[item]);

	if (machine->smp && x < 0)
		x = 0;
	return (unsigned long)x;
}

/* Central value plus the deltas of all CPUs, negative reads as 0 on SMP. */
unsigned long zone_page_state_snapshot(const struct zone *zone, enum zone_stat_item item);
unsigned long node_page_state(int nid, enum zone_stat_item item);

void __mod_zone_page_state(struct zone *zone, enum zone_stat_item item, long delta);
void mod_zone_page_state(struct zone *zone, enum zone_stat_item item, long delta);
void __inc_zone_state(struct zone *zone, enum zone_stat_item item);
void __dec_zone_state(struct zone *zone, enum zone_stat_item item);
void __inc_zone_page_state(struct page *page, enum zone_stat_item item);
void inc_zone_page_state(struct page *page, enum zone_stat_item item);
void dec_zone_page_state(struct page *page, enum zone_stat_item item);
void __mod_zone_freepage_state(struct zone *zone, long nr_pages, int migratetype);

int calculate_normal_threshold(struct zone *zone);
int calculate_pressure_threshold(struct zone *zone);
void refresh_zone_stat_thresholds(void);
void set_pgdat_percpu_threshold(pg_data_t *pgdat, int (*calculate)(struct zone *zone));
int refresh_cpu_vm_stats(bool do_pagesets);
void drain_zonestat(struct zone *zone, struct per_cpu_pageset *pset);
void cpu_vm_stats_fold(int cpu);
int vmstat_refresh(void);

#endif
