/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_EVENTS_PAGE_ALLOC_H
#define _TRACE_EVENTS_PAGE_ALLOC_H

#include <trace/events/kmem.h>

/*
 * Modelled: the scan hooks of specification 30.0. Linux has no such tracepoints; they change no behaviour and are
 * what the scan invariants and `explain` read.
 */
static inline void trace_call_begin(unsigned int order, gfp_t gfp_mask, const nodemask_t *nodemask,
				    int high_zoneidx)
{
	trace_emit(TRACE_CALL_BEGIN, order, gfp_mask, nodemask ? nodemask->bits : ~0UL,
		   (unsigned long)high_zoneidx);
}

/* The zonelist that a zoneref is in; zonelists are parts of their nodes. */
static inline unsigned long trace_place(const struct zoneref *z, const nodemask_t *nodemask)
{
	int nid;

	for (nid = 0; nid < nr_online_nodes; nid++) {
		const struct zonelist *lists = NODE_DATA(nid)->node_zonelists;
		unsigned long offset = (unsigned long)z - (unsigned long)lists;

		if (offset < MAX_ZONELISTS * sizeof(*lists))
			return TRACE_PLACE(nid, offset / sizeof(*lists), offset % sizeof(*lists) / sizeof(*z),
					   nodemask ? nodemask->bits : ~0UL);
	}
	return 0;
}

/* Positions count zonerefs from the preferred one. */
static inline void trace_scan_begin(int pass, long position, int alloc_flags, bool apply_fair,
				    const struct zoneref *preferred_zoneref, const nodemask_t *nodemask)
{
	trace_emit(TRACE_SCAN_BEGIN, (unsigned long)pass, (unsigned long)position,
		   (unsigned long)alloc_flags | (unsigned long)apply_fair << 16,
		   trace_place(preferred_zoneref, nodemask));
}

static inline void trace_zone_visit(const struct zone *zone, long position)
{
	trace_emit(TRACE_ZONE_VISIT, zone->slot, (unsigned long)position,
		   (unsigned long)atomic_long_read(&zone->vm_stat[NR_FREE_PAGES]),
		   (unsigned long)atomic_long_read(&zone->vm_stat[NR_ALLOC_BATCH]));
}

static inline void trace_zone_verdict(const struct zone *zone, enum zone_verdict verdict, long position)
{
	trace_emit(TRACE_ZONE_VERDICT, zone->slot, verdict, (unsigned long)position, 0);
}

static inline void trace_batch_reset(const struct zone *preferred_zone)
{
	trace_emit(TRACE_BATCH_RESET, preferred_zone->slot, 0, 0, 0);
}

static inline void trace_flag_change(const struct zone *zone, bool old, bool new)
{
	trace_emit(TRACE_FLAG_CHANGE, zone->slot, old, new, 0);
}

static inline void trace_scan_end(const struct page *page, int passes, const struct zone *zone)
{
	trace_emit(TRACE_SCAN_END, trace_pfn(page), (unsigned long)passes, zone ? zone->slot : ~0UL, 0);
}

static inline void trace_slowpath_enter(gfp_t gfp_mask, unsigned int order, int high_zoneidx)
{
	trace_emit(TRACE_SLOWPATH_ENTER, order, gfp_mask, (unsigned long)high_zoneidx, 0);
}

/* zonelist: the one that is walked from its head for wakeups and retries. */
static inline void trace_slowpath_retry(unsigned int round, const struct zonelist *zonelist,
					const struct zoneref *preferred_zoneref, const nodemask_t *nodemask)
{
	trace_emit(TRACE_SLOWPATH_RETRY, round, trace_place(zonelist->_zonerefs, nodemask),
		   (unsigned long)zonelist_zone_idx(preferred_zoneref), 0);
}

static inline void trace_alloc_failed(gfp_t gfp_mask, unsigned int order)
{
	trace_emit(TRACE_ALLOC_FAILED, order, gfp_mask, 0, 0);
}

static inline void trace_bad_page(const struct page *page, unsigned int reason)
{
	trace_emit(TRACE_BAD_PAGE, trace_pfn(page), reason, 0, 0);
}

/* A block that is neither free nor anybody's from now on. */
static inline void trace_page_leaked(const struct page *page, unsigned int order)
{
	trace_emit(TRACE_PAGE_LEAKED, trace_pfn(page), order, 0, 0);
}

/* A warning that the caller earns: counted and shown, no finding. */
static inline void caller_warning(enum caller_warning warning)
{
	trace_emit(TRACE_CALLER_WARNING, warning, 0, 0, 0);
}

#endif
