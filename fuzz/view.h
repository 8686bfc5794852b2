/* SPDX-License-Identifier: GPL-2.0 */
/*
 * view.h - how the engine sees a kernel under test: accessors that return plain values and change nothing. A zone is
 * named by its slot, node * VIEW_ZONE_TYPES + zone type. Another kernel under test is another view.c.
 */
#ifndef MMFUZZ_VIEW_H
#define MMFUZZ_VIEW_H

#define VIEW_ZONE_TYPES 5
#define VIEW_SLOTS_MAX 40
#define VIEW_MAX_ORDER 11
#define VIEW_MIGRATETYPES 6
#define VIEW_PCPTYPES 3

#define VIEW_NO_PFN (~0UL)

/* Slots are 0..view_nr_slots()-1; some name zones that are not populated. */
unsigned int view_nr_slots(void);
_Bool view_populated(unsigned int slot);
const char *view_zone_name(unsigned int slot);
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

/* Marks and reserves, pages. */
unsigned long view_watermark(unsigned int slot, unsigned int which);
long view_lowmem_reserve(unsigned int slot, unsigned int class);
unsigned long view_zone_totalreserve(unsigned int slot);
unsigned long view_totalreserve(void);
unsigned long view_reserved_highatomic(unsigned int slot);
unsigned long view_isolated_pageblocks(unsigned int slot);
unsigned long view_dirty_limit_cached(unsigned int slot);
int view_min_free_kbytes(void);
int view_watermark_scale_factor(void);
int view_lowmem_reserve_ratio(unsigned int type);
_Bool view_mobility_disabled(void);
_Bool view_highmem(unsigned int slot);

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

/* Counters: the central value as it is, the same as readers see it, and with every CPU's delta. */
enum view_item { VIEW_FREE_PAGES, VIEW_ALLOC_BATCH, VIEW_FREE_CMA_PAGES, VIEW_DIRTY_PAGES, NR_VIEW_ITEMS };
long view_counter_raw(unsigned int slot, enum view_item item);
unsigned long view_counter_read(unsigned int slot, enum view_item item);
long view_counter_delta(unsigned int slot, enum view_item item, unsigned int cpu);
long view_counter_sum(unsigned int slot, enum view_item item);

/* Flags. */
_Bool view_fair_depleted(unsigned int slot);

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
	unsigned long flags;     /* as checked when a page is handed out */
};
struct view_page view_page(unsigned long pfn);
/* True if a free block of exactly this order (of at least this order) begins here. */
_Bool view_free_block(unsigned long pfn, unsigned int order);
_Bool view_free_block_of(unsigned long pfn, unsigned int min_order);
unsigned int view_pageblock_type(unsigned long pfn);

#endif
