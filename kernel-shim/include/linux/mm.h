/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_MM_H
#define _LINUX_MM_H

#include <linux/gfp.h>
#include <linux/mm_types.h>
#include <linux/page-flags.h>
#include <linux/page_ref.h>
#include <linux/vmstat.h>
#include "physmem.h"

/* Modelled: descriptors by frame number; see physmem.h for how a zone is found. */
static inline struct page *pfn_to_page(unsigned long pfn)
{
	return vmemmap + pfn;
}

static inline unsigned long page_to_pfn(const struct page *page)
{
	return (unsigned long)(page - vmemmap);
}

/*
 * Modelled: the kernel's address of a frame, as in the direct map of x86-64. Nothing is ever read or written there; on a
 * machine with HighMem those frames have such an address too.
 */
#define PAGE_OFFSET 0xffff880000000000UL
#define PAGE_ALIGN(bytes) ALIGN(bytes, PAGE_SIZE)

static inline void *page_address(const struct page *page)
{
	return (void *)(PAGE_OFFSET + (page_to_pfn(page) << PAGE_SHIFT));
}

static inline struct page *virt_to_page(const void *address)
{
	return pfn_to_page(((unsigned long)address - PAGE_OFFSET) >> PAGE_SHIFT);
}

static inline bool virt_addr_valid(const void *address)
{
	return pfn_valid(((unsigned long)address - PAGE_OFFSET) >> PAGE_SHIFT);
}

/* The order of the smallest block of at least `bytes` bytes, which must not be 0. */
static inline unsigned int get_order(unsigned long bytes)
{
	return (unsigned int)fls_long((bytes - 1) >> PAGE_SHIFT);
}

static inline struct zone *page_zone(const struct page *page)
{
	return physmem_zone(page_to_pfn(page));
}

static inline int page_to_nid(const struct page *page)
{
	return page_zone(page)->zone_pgdat->node_id;
}

static inline void set_page_private(struct page *page, unsigned long private)
{
	if (page->private == private)
		return;
	world_touch_page(page);
	page->private = private;
}

static inline void set_page_index(struct page *page, unsigned long index)
{
	if (page->index == index)
		return;
	world_touch_page(page);
	page->index = index;
}

static inline void set_page_mapping(struct page *page, struct address_space *mapping)
{
	if (page->mapping == mapping)
		return;
	world_touch_page(page);
	page->mapping = mapping;
}

#define page_private(page) ((page)->private)

/* A page handed out with ALLOC_NO_WATERMARKS is marked by an index of all ones. */
static inline bool page_is_pfmemalloc(const struct page *page)
{
	return page->index == ~0UL;
}

#define TAIL_MAPPING ((struct address_space *)0x400)
#define COMPOUND_PAGE_DTOR 1

static inline unsigned int compound_order(const struct page *page)
{
	return PageHead(page) ? page[1].compound_order : 0;
}

static inline bool put_page_testzero(struct page *page)
{
	VM_BUG_ON_PAGE(page_ref_count(page) == 0, page);
	return page_ref_dec_and_test(page);
}

void prep_compound_page(struct page *page, unsigned int order);

/* The page goes from no reference to one, which is its owner's. */
static inline void set_page_refcounted(struct page *page)
{
	VM_BUG_ON_PAGE(PageTail(page), page);
	VM_BUG_ON_PAGE(page_ref_count(page) != 0, page);
	set_page_count(page, 1);
}

/* Drop a reference; the last one frees the page, or the compound page that it is part of. */
void put_page(struct page *page);
void free_compound_page(struct page *page);

/* A block becomes 2^order pages that are freed one by one. Not for compound pages. */
void split_page(struct page *page, unsigned int order);
/* Take a whole free block as single pages; zone->lock is held. Returns how many, 0 if the zone has too few. */
int split_free_page(struct page *page);

extern unsigned long totalram_pages;
extern unsigned long totalhigh_pages;
extern unsigned long vm_total_pages;
extern unsigned long totalreserve_pages;

/* Pages that can be had without swapping, an estimate for people. */
long si_mem_available(void);

/* Reports (mm/show_mem.c). They cost nothing unless somebody reads along (printk.h). */
#define SHOW_MEM_FILTER_NODES 0x0001u    /* only nodes that current may use */
void show_free_areas(unsigned int filter);
void show_mem(unsigned int filter);

unsigned long nr_free_buffer_pages(void);
unsigned long nr_free_pagecache_pages(void);
static inline unsigned long nr_free_pages(void)
{
	return global_page_state(NR_FREE_PAGES);
}

/* Boot, specification 8 and 9; machine_boot() calls them in this order. */
void free_area_init_nodes(void);
void build_all_zonelists(void);
void free_all_bootmem(void);
void setup_per_cpu_pageset(void);
int init_per_zone_wmark_min(void);
void set_zone_contiguous(struct zone *zone);
void adjust_managed_page_count(struct page *page, long count);
void free_reserved_page(struct page *page);
void mark_page_reserved(struct page *page);

/* Tunables as their handlers write them; 0 or -EINVAL with nothing changed. */
int min_free_kbytes_sysctl_handler(int value);
int watermark_scale_factor_sysctl_handler(int value);
int lowmem_reserve_ratio_sysctl_handler(int idx, int value);
int percpu_pagelist_fraction_sysctl_handler(int value);
int numa_zonelist_order_handler(char letter);
void setup_per_zone_wmarks(void);

#endif
