/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace.h - what the simulated kernel reports while it runs: kernel tracepoints, the scan hooks of specification
 * 30.0 and the calls into the scripted neighbours, as fixed-size records in a ring. No pointer is ever recorded.
 */
#ifndef MMFUZZ_TRACE_H
#define MMFUZZ_TRACE_H

enum trace_kind {
	TRACE_NONE,
	/* Tracepoints, <trace/events/kmem.h>. */
	TRACE_MM_PAGE_ALLOC,           /* pfn or TRACE_NO_PFN, order, gfp, migratetype */
	TRACE_MM_PAGE_FREE,            /* pfn, order */
	TRACE_MM_PAGE_FREE_BATCHED,    /* pfn, cold */
	TRACE_MM_PAGE_ALLOC_ZONE_LOCKED, /* pfn, order, migratetype */
	TRACE_MM_PAGE_PCPU_DRAIN,      /* pfn, order, migratetype */
	TRACE_MM_PAGE_ALLOC_EXTFRAG,   /* pfn, alloc_order | fallback_order << 8, types | << 8 */
	/* Scan hooks, <trace/events/page_alloc.h>. */
	TRACE_CALL_BEGIN,              /* order, gfp, nodemask bits, high_zoneidx: one __alloc_pages_nodemask */
	TRACE_SCAN_BEGIN,              /* pass, position of the cursor, alloc_flags | apply_fair << 16, TRACE_PLACE_* */
	TRACE_ZONE_VISIT,              /* zone slot, position, free pages, batch (both raw) */
	TRACE_ZONE_VERDICT,            /* zone slot, enum zone_verdict, position; position 0 = preferred zoneref */
	TRACE_BATCH_RESET,             /* zone slot of the preferred zone */
	TRACE_FLAG_CHANGE,             /* zone slot, old, new (ZONE_FAIR_DEPLETED) */
	TRACE_SCAN_END,                /* pfn or TRACE_NO_PFN, passes, zone slot */
	TRACE_SLOWPATH_ENTER,          /* gfp, order, high_zoneidx */
	TRACE_SLOWPATH_RETRY,          /* round, TRACE_PLACE_* of the list's head, classzone index */
	/* Neighbours. */
	TRACE_KSWAPD_WAKE,             /* zone slot, order, classzone index, woken */
	TRACE_DIRECT_RECLAIM,          /* order, gfp, progress */
	TRACE_DIRECT_COMPACT,          /* order, gfp, result */
	TRACE_ZONE_RECLAIM,            /* zone slot, order, result */
	TRACE_OOM,                     /* order, gfp, result */
	TRACE_ALLOC_FAILED,            /* order, gfp: warn_alloc_failed would print */
	TRACE_CALLER_WARNING,          /* enum caller_warning: the caller broke the contract */
	TRACE_FAULT,                   /* number of the fault point that failed */
	TRACE_SLEEP,                   /* jiffies slept */
	TRACE_BAD_PAGE,                /* pfn, reason number */
	TRACE_PAGE_LEAKED,             /* pfn, order: bad, or grabbed and not handed over */
	TRACE_MIGRATE,                 /* start pfn, end pfn, result (0 or a negative error) */
	/* Writeback, <trace/events/writeback.h>. */
	TRACE_DIRTY_LIMITS,            /* dirtyable, threshold, background threshold, with the bonus */
	TRACE_SET_RATELIMIT,           /* threshold, pages per CPU */
	TRACE_WB_SHARE,                /* device | threshold << 8, numerator, denominator, share */
	TRACE_DIRTY_LIMIT,             /* new dirty_limit, threshold, dirty */
	TRACE_WB_ESTIMATES,            /* device, average bandwidth, rate limit, balanced rate limit */
	TRACE_BALANCE_BEGIN,           /* device, pages dirtied, task, its nr_dirtied_pause */
	TRACE_BALANCE_LIMITS,          /* threshold, background, dirty, dirty_limit */
	TRACE_BALANCE_DEVICE,          /* share, background share, dirty of the device, average bandwidth */
	TRACE_BALANCE_RATE,            /* position ratio, rate limit, rate of the task, pages dirtied */
	TRACE_BALANCE_PAUSE,           /* pause, period, shortest, longest */
	TRACE_BALANCE_END,             /* enum balance_exit, exceeded, reclaimable pages, background threshold */
	TRACE_OVER_BG_THRESH,          /* device, dirty | result << 63, background limit, background share */
	TRACE_THROTTLE_VM_WRITEOUT,    /* gfp, limit, unstable pages, pages under writeback */
	TRACE_WRITEPAGE,               /* file, index, result, sync mode */
	TRACE_TASK_SLEEP,              /* task, jiffies or ~0 */
	TRACE_TASK_WAKE,               /* task */
	TRACE_FLUSHER,                 /* device, enum flusher_event, pages */
	/* The engine. */
	TRACE_OP,                      /* op index, repeat */
	TRACE_OP_SKIPPED,              /* op index, enum skip_reason */
	NR_TRACE_KINDS
};

_Static_assert(NR_TRACE_KINDS <= 64, "a bit in a word for each kind");

enum zone_verdict {
	VERDICT_CPUSET,
	VERDICT_FAIR_SKIP,
	VERDICT_FAIR_ABORT,
	VERDICT_DIRTY,
	VERDICT_WMARK,
	VERDICT_RECLAIM_NOSCAN,
	VERDICT_RECLAIM_FULL,
	VERDICT_RECLAIM_LOW,
	VERDICT_TAKE_FAIL,
	VERDICT_TAKEN,
	NR_ZONE_VERDICTS
};

enum caller_warning {
	CALLER_ORDER_TOO_LARGE,
	CALLER_ATOMIC_WITH_RECLAIM,
	CALLER_NOFAIL_NO_RECLAIM,
	CALLER_NOFAIL_MEMALLOC,
	CALLER_NOFAIL_HIGH_ORDER,
	CALLER_NOFAIL_OOM,
	CALLER_BAD_ZONE_BITS,
	CALLER_MOBILITY_BITS,
	CALLER_CONTIG_IN_USE,
	NR_CALLER_WARNINGS
};

/*
 * Where a scan looks: the zonelist (node and list number) that holds the preferred zoneref, that zoneref's index in it,
 * and the nodemask in force (all ones = none).
 */
#define TRACE_PLACE(node, list, index, nodemask)                                                       \
	((unsigned long)(node) | (unsigned long)(list) << 8 | (unsigned long)(index) << 16 |           \
	 ((unsigned long)(nodemask) & 0xff) << 24)
#define TRACE_PLACE_NODE(place) ((unsigned int)((place) & 0xff))
#define TRACE_PLACE_LIST(place) ((unsigned int)((place) >> 8 & 0xff))
#define TRACE_PLACE_INDEX(place) ((unsigned int)((place) >> 16 & 0xff))
#define TRACE_PLACE_NODEMASK(place) ((unsigned int)((place) >> 24 & 0xff))

#define TRACE_NO_PFN 0xffffffffffffUL

struct trace_record {
	unsigned int kind;                   /* enum trace_kind */
	unsigned int jiffies;
	unsigned long a;
	unsigned long b;
	unsigned long c;
	unsigned long d;
};

/*
 * The ring keeps the newest LIMIT_TRACE_RECORDS records of a run; trace_count counts all. Tracing is cheap enough to
 * be always on.
 */
extern unsigned long trace_count;
void trace_reset(void);
/* Folds every record since the reset, in order. Whoever does not ask does not pay. */
unsigned long trace_hash(void);
/*
 * Who is called with each record after it was stored, an entry for each kind; NULL = nobody. May raise a finding. A call
 * goes to the same function each time from one place in mm, which processors guess well.
 */
typedef void (*trace_observer_fn)(const struct trace_record *record);
extern const trace_observer_fn *trace_observers;
/* From now on these observe; NULL = nobody does. */
void trace_observe(const trace_observer_fn observers[NR_TRACE_KINDS]);
/* This one observes every kind. */
void trace_observe_all(trace_observer_fn observer);
void trace_emit(enum trace_kind kind, unsigned long a, unsigned long b, unsigned long c, unsigned long d);
/* The record numbered `number` (0 = first of the run); NULL if it has been overwritten or does not exist. */
const struct trace_record *trace_get(unsigned long number);

#endif
