/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_EVENTS_KMEM_H
#define _TRACE_EVENTS_KMEM_H

#include <linux/mm.h>
#include "trace.h"

/* Modelled: the tracepoints of specification 27.6, as trace records. */
static inline unsigned long trace_pfn(const struct page *page)
{
	return page ? page_to_pfn(page) : TRACE_NO_PFN;
}

static inline void trace_mm_page_alloc(const struct page *page, unsigned int order, gfp_t gfp_flags,
				       int migratetype)
{
	trace_emit(TRACE_MM_PAGE_ALLOC, trace_pfn(page), order, gfp_flags, (unsigned long)migratetype);
}

static inline void trace_mm_page_free(const struct page *page, unsigned int order)
{
	trace_emit(TRACE_MM_PAGE_FREE, trace_pfn(page), order, 0, 0);
}

static inline void trace_mm_page_free_batched(const struct page *page, bool cold)
{
	trace_emit(TRACE_MM_PAGE_FREE_BATCHED, trace_pfn(page), cold, 0, 0);
}

static inline void trace_mm_page_alloc_zone_locked(const struct page *page, unsigned int order, int migratetype)
{
	trace_emit(TRACE_MM_PAGE_ALLOC_ZONE_LOCKED, trace_pfn(page), order, (unsigned long)migratetype, 0);
}

static inline void trace_mm_page_pcpu_drain(const struct page *page, unsigned int order, int migratetype)
{
	trace_emit(TRACE_MM_PAGE_PCPU_DRAIN, trace_pfn(page), order, (unsigned long)migratetype, 0);
}

static inline void trace_mm_page_alloc_extfrag(const struct page *page, unsigned int alloc_order,
					       unsigned int fallback_order, int alloc_migratetype,
					       int fallback_migratetype)
{
	trace_emit(TRACE_MM_PAGE_ALLOC_EXTFRAG, trace_pfn(page), alloc_order | fallback_order << 8,
		   (unsigned long)(alloc_migratetype | fallback_migratetype << 8), 0);
}

#endif
