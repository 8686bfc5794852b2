/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_GFP_H
#define _LINUX_GFP_H

#include <linux/mmzone.h>
#include <linux/mmdebug.h>

/* Modelled, specification 2: the values of 4.7. */
#define __GFP_DMA ((gfp_t)0x01)
#define __GFP_HIGHMEM ((gfp_t)0x02)
#define __GFP_DMA32 ((gfp_t)0x04)
#define __GFP_MOVABLE ((gfp_t)0x08)
#define __GFP_RECLAIMABLE ((gfp_t)0x10)
#define __GFP_HIGH ((gfp_t)0x20)
#define __GFP_IO ((gfp_t)0x40)
#define __GFP_FS ((gfp_t)0x80)
#define __GFP_COLD ((gfp_t)0x100)
#define __GFP_NOWARN ((gfp_t)0x200)
#define __GFP_REPEAT ((gfp_t)0x400)
#define __GFP_NOFAIL ((gfp_t)0x800)
#define __GFP_NORETRY ((gfp_t)0x1000)
#define __GFP_MEMALLOC ((gfp_t)0x2000)
#define __GFP_COMP ((gfp_t)0x4000)
#define __GFP_ZERO ((gfp_t)0x8000)
#define __GFP_NOMEMALLOC ((gfp_t)0x10000)
#define __GFP_HARDWALL ((gfp_t)0x20000)
#define __GFP_THISNODE ((gfp_t)0x40000)
#define __GFP_ATOMIC ((gfp_t)0x80000)
#define __GFP_ACCOUNT ((gfp_t)0x100000)
#define __GFP_NOTRACK ((gfp_t)0x200000)
#define __GFP_DIRECT_RECLAIM ((gfp_t)0x400000)
#define __GFP_OTHER_NODE ((gfp_t)0x800000)
#define __GFP_WRITE ((gfp_t)0x1000000)
#define __GFP_KSWAPD_RECLAIM ((gfp_t)0x2000000)
#define __GFP_BITS_SHIFT 26
#define __GFP_BITS_MASK ((gfp_t)((1 << __GFP_BITS_SHIFT) - 1))

#define GFP_ZONEMASK (__GFP_DMA | __GFP_HIGHMEM | __GFP_DMA32 | __GFP_MOVABLE)
#define GFP_MOVABLE_MASK (__GFP_RECLAIMABLE | __GFP_MOVABLE)
#define GFP_MOVABLE_SHIFT 3
#define __GFP_RECLAIM (__GFP_DIRECT_RECLAIM | __GFP_KSWAPD_RECLAIM)
#define GFP_ATOMIC (__GFP_HIGH | __GFP_ATOMIC | __GFP_KSWAPD_RECLAIM)
#define GFP_NOWAIT __GFP_KSWAPD_RECLAIM
#define GFP_NOIO __GFP_RECLAIM
#define GFP_NOFS (__GFP_RECLAIM | __GFP_IO)
#define GFP_KERNEL (__GFP_RECLAIM | __GFP_IO | __GFP_FS)
#define GFP_USER (GFP_KERNEL | __GFP_HARDWALL)
#define GFP_HIGHUSER (GFP_USER | __GFP_HIGHMEM)
#define GFP_HIGHUSER_MOVABLE (GFP_HIGHUSER | __GFP_MOVABLE)
#define GFP_DMA __GFP_DMA
#define GFP_DMA32 __GFP_DMA32
#define GFP_TRANSHUGE                                                                                  \
	((GFP_HIGHUSER_MOVABLE | __GFP_COMP | __GFP_NOMEMALLOC | __GFP_NORETRY | __GFP_NOWARN) &       \
	 ~__GFP_RECLAIM)
#define GFP_BOOT_MASK (__GFP_BITS_MASK & ~(__GFP_RECLAIM | __GFP_IO | __GFP_FS))

_Static_assert(GFP_KERNEL == 0x24000c0 && GFP_HIGHUSER_MOVABLE == 0x24200ca && GFP_ATOMIC == 0x2080020 &&
		       GFP_TRANSHUGE == 0x352ca && GFP_BOOT_MASK == 0x1bfff3f,
	       "specification 2");

extern gfp_t gfp_allowed_mask;

static inline bool gfpflags_allow_blocking(gfp_t gfp_flags)
{
	return gfp_flags & __GFP_DIRECT_RECLAIM;
}

/* Highest zone a request may use (specification 3.2); machine-dependent, hence a table built at boot. */
extern unsigned char gfp_zone_table[16];
enum zone_type gfp_zone(gfp_t flags);

static inline int gfp_zonelist(gfp_t flags)
{
	return machine->numa && (flags & __GFP_THISNODE) ? ZONELIST_NOFALLBACK : ZONELIST_FALLBACK;
}

static inline struct zonelist *node_zonelist(int nid, gfp_t flags)
{
	return &NODE_DATA(nid)->node_zonelists[gfp_zonelist(flags)];
}

int gfpflags_to_migratetype(gfp_t gfp_flags);

struct page *__alloc_pages_nodemask(gfp_t gfp_mask, unsigned int order, struct zonelist *zonelist,
				    nodemask_t *nodemask);

static inline struct page *__alloc_pages(gfp_t gfp_mask, unsigned int order, struct zonelist *zonelist)
{
	return __alloc_pages_nodemask(gfp_mask, order, zonelist, NULL);
}

static inline struct page *__alloc_pages_node(int nid, gfp_t gfp_mask, unsigned int order)
{
	VM_BUG_ON(nid < 0 || nid >= MAX_NUMNODES);
	return __alloc_pages(gfp_mask, order, node_zonelist(nid, gfp_mask));
}

static inline struct page *alloc_pages_node(int nid, gfp_t gfp_mask, unsigned int order)
{
	return __alloc_pages_node(nid == NUMA_NO_NODE ? numa_mem_id() : nid, gfp_mask, order);
}

static inline struct page *alloc_pages(gfp_t gfp_mask, unsigned int order)
{
	return alloc_pages_node(numa_node_id(), gfp_mask, order);
}

#define alloc_page(gfp_mask) alloc_pages(gfp_mask, 0)

void __free_pages(struct page *page, unsigned int order);
void free_hot_cold_page(struct page *page, bool cold);
void free_hot_cold_page_list(struct list_head *list, bool cold);
#define __free_page(page) __free_pages(page, 0)

/* Addresses instead of descriptors (mm/exact.c); 0 or NULL = none. */
unsigned long __get_free_pages(gfp_t gfp_mask, unsigned int order);
unsigned long get_zeroed_page(gfp_t gfp_mask);
void free_pages(unsigned long addr, unsigned int order);
#define __get_free_page(gfp_mask) __get_free_pages(gfp_mask, 0)
#define __get_dma_pages(gfp_mask, order) __get_free_pages((gfp_mask) | GFP_DMA, order)
#define free_page(addr) free_pages(addr, 0)

/* Just the pages that `size` bytes need, not a power of two; freed by the same size. No __GFP_COMP. */
void *alloc_pages_exact(size_t size, gfp_t gfp_mask);
void *alloc_pages_exact_nid(int nid, size_t size, gfp_t gfp_mask);
void free_pages_exact(void *virt, size_t size);

/*
 * Frames [start, end) of one zone, wherever they are (mm/contig.c): 0 with one reference on each page, -EBUSY, or what
 * migration says. The type is that of the pageblocks, which they have again afterwards.
 */
int alloc_contig_range(unsigned long start, unsigned long end, unsigned int migratetype);
void free_contig_range(unsigned long pfn, unsigned int nr_pages);

void drain_zone_pages(struct zone *zone, struct per_cpu_pages *pcp);
void drain_pages(unsigned int cpu);
void drain_all_pages(struct zone *zone);
void drain_local_pages(struct zone *zone);
bool gfp_pfmemalloc_allowed(gfp_t gfp_mask);

#endif
