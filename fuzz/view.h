/* SPDX-License-Identifier: GPL-2.0 */
/*
 * view.h - how the engine sees a kernel under test: accessors that return plain values and change nothing. A zone is
 * named by its slot, node * VIEW_ZONE_TYPES + zone type. Another kernel under test is another view.c.
 */
#ifndef MMFUZZ_VIEW_H
#define MMFUZZ_VIEW_H

#include "kernel-shim/machine.h"

#define VIEW_ZONE_TYPES 5
#define VIEW_SLOTS_MAX 40
#define VIEW_MAX_ORDER 11
#define VIEW_MIGRATETYPES 6
#define VIEW_PCPTYPES 3

#define VIEW_NO_PFN (~0UL)

/* Slots are 0..view_nr_slots()-1; some name zones that are not populated. */
unsigned int view_nr_slots(void);
_Bool view_populated(unsigned int slot);
/* The populated ones, a bit each. */
unsigned long view_populated_slots(void);
#define for_each_slot_of(slot, mask)                                                                   \
	for (unsigned long _slots = (mask); _slots && ((slot) = (unsigned int)__builtin_ctzl(_slots), 1); \
	     _slots &= _slots - 1)
const char *view_zone_name(unsigned int slot);
/* "DMA, Normal", or "none". */
const char *view_zone_names(unsigned long slots);
#define view_zone_type(slot) ((slot) % VIEW_ZONE_TYPES)
#define view_zone_node(slot) ((slot) / VIEW_ZONE_TYPES)

/* Sizes, pages. */
unsigned long view_start_pfn(unsigned int slot);
unsigned long view_spanned(unsigned int slot);
unsigned long view_present(unsigned int slot);
unsigned long view_managed(unsigned int slot);
unsigned long view_totalram(void);
/* The slot that a frame belongs to, VIEW_SLOTS_MAX for none. */
unsigned int view_slot_of_pfn(unsigned long pfn);
/* True if a block's frames are all memory of one range. */
_Bool view_is_memory(unsigned long pfn, unsigned int order);

/* Marks and reserves, pages. */
unsigned long view_watermark(unsigned int slot, unsigned int which);
long view_lowmem_reserve(unsigned int slot, unsigned int class);
unsigned long view_zone_totalreserve(unsigned int slot);
unsigned long view_totalreserve(void);
unsigned long view_reserved_highatomic(unsigned int slot);
unsigned long view_reserved_highatomic_total(void);
unsigned long view_isolated_pageblocks(unsigned int slot);
unsigned long view_dirty_limit_cached(unsigned int slot);
int view_min_free_kbytes(void);
int view_watermark_scale_factor(void);
int view_lowmem_reserve_ratio(unsigned int type);
int view_percpu_pagelist_fraction(void);
_Bool view_mobility_disabled(void);
_Bool view_highmem(unsigned int slot);

/* What a watermark test of a zone looks at, in one call; counters as readers see them. */
struct view_marks {
	unsigned long free;
	unsigned long free_cma;
	unsigned long reserved_highatomic;
	unsigned long mark;
	unsigned long reserve;
};
struct view_marks view_read_marks(unsigned int slot, unsigned int which, unsigned int class);

/* Free lists. */
unsigned long view_nr_free(unsigned int slot, unsigned int order);
/* The first block on a list, and the one after a block; VIEW_NO_PFN at the end. */
unsigned long view_first_block(unsigned int slot, unsigned int order, unsigned int migratetype);
unsigned long view_next_block(unsigned long pfn, unsigned int slot, unsigned int order, unsigned int migratetype);
_Bool view_list_empty(unsigned int slot, unsigned int order, unsigned int migratetype);

/* Per-CPU lists. */
int view_pcp_count(unsigned int slot, unsigned int cpu);
int view_pcp_high(unsigned int slot, unsigned int cpu);
int view_pcp_batch(unsigned int slot, unsigned int cpu);
unsigned long view_first_pcp_page(unsigned int slot, unsigned int cpu, unsigned int type);
unsigned long view_next_pcp_page(unsigned long pfn, unsigned int slot, unsigned int cpu, unsigned int type);
unsigned long view_last_pcp_page(unsigned int slot, unsigned int cpu, unsigned int type);

/* Counters: the central value as it is, the same as readers see it, and with every CPU's delta. */
enum view_item {
	VIEW_FREE_PAGES,
	VIEW_ALLOC_BATCH,
	VIEW_FREE_CMA_PAGES,
	VIEW_DIRTY_PAGES,
	VIEW_PAGES_SCANNED,
	VIEW_NUMA_HIT,
	VIEW_NUMA_MISS,
	VIEW_NUMA_FOREIGN,
	VIEW_NUMA_LOCAL,
	VIEW_NUMA_OTHER,
	NR_VIEW_ITEMS
};
long view_counter_raw(unsigned int slot, enum view_item item);
unsigned long view_counter_read(unsigned int slot, enum view_item item);
long view_counter_delta(unsigned int slot, enum view_item item, unsigned int cpu);
long view_counter_sum(unsigned int slot, enum view_item item);

/* Some counter of the zone has a delta on the CPU. */
_Bool view_holds_back(unsigned int slot, unsigned int cpu);
int view_cpu_threshold(unsigned int slot, unsigned int cpu);
/* Of all CPUs: what their deltas may hold back together. On UP there are none. */
long view_sum_thresholds(unsigned int slot);
_Bool view_thresholds_move(unsigned int slot);   /* kswapd may lower them */
/* Below so many free pages readers add up the deltas; 0: never. */
unsigned long view_drift_mark(unsigned int slot);
_Bool view_kswapd_asleep(unsigned int node);
/* Every counter there is, by number. */
unsigned int view_nr_counters(void);
long view_global_counter(unsigned int counter);
/* One of a zone, as readers see it. */
unsigned long view_zone_counter_read(unsigned int slot, unsigned int counter);
/* The central values of all zones added up, and all deltas. */
#define VIEW_COUNTERS_MAX 48
void view_sum_zone_counters(long sums[VIEW_COUNTERS_MAX]);
void view_sum_deltas(long sums[VIEW_COUNTERS_MAX]);
/* Pages that the event counters say were taken from a zone type, and freed, since the boot began. */
unsigned long view_pages_taken(unsigned int zone_type);
unsigned long view_pages_freed(void);

/* The depleted flag of a zone, and with it the central value of its batch. */
_Bool view_fair_depleted(unsigned int slot);
_Bool view_read_batch(unsigned int slot, long *batch);

/* What an allocation on a CPU may change of a zone, in one call: central values and the deltas of that CPU. */
struct view_stock {
	long batch;
	long batch_delta;
	long free;               /* central value + delta */
	int threshold;
	_Bool depleted;
};
void view_read_stock(unsigned int slot, unsigned int cpu, struct view_stock *stock);

/*
 * What the rules of a zone look at, read at one moment: one call instead of forty.
 */
struct view_cpu {
	int count;               /* of the per-CPU lists */
	int high;
	int batch;
	int threshold;           /* of the deltas */
	int free_delta;
	int batch_delta;
};

struct view_zone {
	unsigned int slot;
	unsigned int nr_cpus;
	unsigned long managed;
	unsigned long reserved_highatomic;
	unsigned long isolated_pageblocks;
	unsigned long other_flags;       /* of the zone, but for the depleted one */
	_Bool depleted;
	_Bool thresholds_move;           /* kswapd may lower them, and they apply from the next update on */
	long full_batch;                 /* high mark - low mark */
	long raw_batch;
	long free_pages;                 /* these with all deltas */
	long alloc_batch;
	long free_cma;
	struct view_cpu cpus[MACHINE_CPUS_MAX];
};
void view_read_zone(unsigned int slot, struct view_zone *view);

/* Zonelists: the slot and index of entry `position`; 0 at the sentinel. thisnode: the list without fallback. */
_Bool view_zonelist_entry(unsigned int node, _Bool thisnode, unsigned int position, unsigned int *slot,
			  unsigned int *index);

/* A descriptor. */
struct view_page {
	_Bool buddy;
	_Bool tail;
	_Bool head;
	int refcount;
	int mapcount;
	unsigned long private;
	unsigned long index;     /* cached migratetype; all ones = pfmemalloc */
	unsigned long flags;     /* as checked when a page is handed out */
};
struct view_page view_page(unsigned long pfn);
/* In a state in which no page in use is given back (7.4), as the free of its block begins. */
_Bool view_bad_to_free(unsigned long pfn);
/* The first page but the head of a block handed out that is not as it should be; 0 if all are. */
unsigned long view_unprepared_tail(unsigned long pfn, unsigned int order, _Bool compound);
/* True if a free block of exactly this order (of at least this order) begins here. */
_Bool view_free_block(unsigned long pfn, unsigned int order);
_Bool view_free_block_of(unsigned long pfn, unsigned int min_order);
/* A larger free block that a frame lies in without being its head, or VIEW_NO_PFN. */
unsigned long view_block_around(unsigned long pfn, unsigned int above_order);
/* The zone that the buddy of a block belongs to if that is a free block of the same order, else VIEW_SLOTS_MAX. */
unsigned int view_free_buddy_slot(unsigned long pfn, unsigned int order);

/* Pageblocks. */
unsigned int view_pageblock_order(void);
unsigned int view_pageblock_type(unsigned long pfn);
/* Writes to the types of pageblocks since the process started. */
unsigned long view_pageblock_writes(void);

#endif
