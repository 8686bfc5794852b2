/* SPDX-License-Identifier: GPL-2.0 */
/*
 * scan_watch.h - follows every allocation through its zonelist scans, from the trace hooks, and keeps what the rules of
 * invariants_scan.c, invariants_fair.c and invariants_slowpath.c judge.
 *
 *	call > attempt (one get_page_from_freelist) > pass > visit
 */
#ifndef MMFUZZ_SCAN_WATCH_H
#define MMFUZZ_SCAN_WATCH_H

#include "fuzz/view.h"
#include "kernel-shim/trace.h"

#define WATCH_ZONES_MAX (VIEW_SLOTS_MAX + 1)
#define WATCH_NO_VERDICT 0xff

/* A zoneref that this attempt may use. */
struct watched_zone {
	unsigned char slot;
	unsigned char position;          /* from the preferred zoneref */
	unsigned char index;             /* in the list */
	unsigned char verdict;           /* enum zone_verdict of this pass, once it has visited the zone */
};

/* The zonerefs of a list from the preferred one on that pass the zone limit and the nodemask. */
struct watched_list {
	unsigned long place;             /* TRACE_PLACE_* that it was made from */
	unsigned int high_zoneidx;
	_Bool made;
	unsigned int classzone;
	unsigned int preferred_slot;
	unsigned int preferred_node;
	unsigned int nr_zones;
	struct watched_zone zones[WATCH_ZONES_MAX];
};

/* One zone in one pass, before and after. */
struct zone_visit {
	unsigned int slot;
	unsigned char expected;          /* enum zone_verdict that the data call for */
	unsigned char verdict;
	_Bool eligible;                  /* within the zone limit and the nodemask */
	_Bool local;
	_Bool apply_fair;                /* when the visit began */
	_Bool depleted_before;
	_Bool depleted_after;
	_Bool reclaimed;                 /* zone_reclaim ran */
	unsigned long free_before;       /* raw */
	unsigned long true_dirty_limit;  /* when the visit began, of a request that will dirty its page */
	long batch_before;               /* raw */
	long batch_after;
};

/* What the data say about another round of the slow path, once the attempts of this one have failed. */
enum retry { RETRY_NONE, RETRY_DUE, RETRY_NEEDS_REASON };

struct scan_watch {
	/* The call. */
	_Bool active;                    /* between the entry and its return */
	_Bool slow;                      /* in the slow path, or failed there */
	_Bool retried;                   /* the cpuset changed and the call starts over */
	_Bool left_policy;               /* the slow path may have gone over to the local node's list, for good */
	_Bool mixed;                     /* reclaim or a round of the slow path freed and drained pages on the way */
	unsigned int order;
	unsigned int gfp;
	unsigned int high_zoneidx;
	unsigned int nodemask;           /* the caller's; 0xff = none */
	unsigned int attempts;
	unsigned int batch_resets;
	unsigned int task_flags;         /* of the caller, at the entry */
	unsigned long folded;            /* zones whose free pages read otherwise since a take in vain, a bit for each slot */

	/* The slow path, which begins anew when it failed and the cpuset has changed meanwhile. */
	unsigned int rounds;
	unsigned int slow_flags;         /* ALLOC_* that the request and its task ask for in this round */
	enum retry retry;
	_Bool compaction_may_help;
	unsigned int fruitless;          /* rounds without progress, as the request counts them */
	unsigned long writes_at_failure; /* of pageblock types, when the last attempt of this round had failed */
	_Bool gave_up_reserve;           /* between that and the next round */
	unsigned int reserve_rounds;     /* that began so */

	/* Neighbours that it asked. */
	unsigned int reclaim_calls;
	unsigned int idle_reclaims;      /* in a row, without progress and without the OOM killer */
	_Bool progress;                  /* reclaim made some in this round */
	unsigned int oom_calls;
	unsigned long reserved_at_round; /* highatomic pages of all zones when this round began */
	unsigned long reserved_after_reclaim; /* and when the attempt after reclaim failed; 0 = nothing to give up */
	unsigned long owed_pfn;          /* a frame of the pageblock that is to be given up, or VIEW_NO_PFN */
	unsigned int after_reclaim;      /* attempts since reclaim made progress */
	_Bool oom_due;                   /* the attempt before a kill has failed, and a kill would help */
	_Bool compaction_over;           /* and nothing has happened since */
	_Bool tries_again;
	int compacted;                   /* enum compact_result */
	unsigned int partial_compactions; /* rounds in which compaction had some success */

	/* Wakeups of this round, a bit for each slot, and what they should be. */
	unsigned long woken;
	unsigned long expected_wakeups;
	unsigned int nr_woken;
	unsigned int nr_expected_wakeups;
	unsigned int expected_classzone;
	unsigned int wake_classzone;

	/* The attempt. */
	unsigned int entry_flags;        /* alloc_flags of pass 1 */
	unsigned int zone_reclaims;
	unsigned int attempt_fair_skips;
	unsigned int attempt_dirty_skips;
	_Bool got_page;

	/* The pass. */
	unsigned int pass;
	unsigned int alloc_flags;
	_Bool began_fair;                /* apply_fair at its start */
	_Bool apply_fair;
	_Bool out_of_order;
	_Bool repeated;                  /* a zone was judged twice */
	unsigned long visited;           /* zones of the list that have a verdict, a bit for each index */
	unsigned long kept_out;          /* those of them that were skipped for fairness, or with seed 3 for dirty pages */
	unsigned int nr_visited;
	unsigned int visits;
	unsigned int remote_visits;
	long first_position;             /* of the cursor when the pass began */
	long last_position;              /* of the last visit */
	struct watched_zone *at;         /* NULL between visits, and for a zone that is not eligible */
	struct zone_visit visit;

	/* These stay over calls, for most use the same list. */
	struct watched_list list;
	struct watched_list head;        /* from the head of the list on, as this round sees it */
};

extern struct scan_watch watch;

/* What the takes and frees of this run should have added to the event counters. */
struct watch_totals {
	unsigned long taken[VIEW_ZONE_TYPES];    /* pages */
	unsigned long takes;
	unsigned long freed;
	unsigned long taken_before[VIEW_ZONE_TYPES];
	unsigned long freed_before;
};
extern struct watch_totals watch_totals;

/* What ran in the step so far: an exact size frees what it does not need, and tasks that wake up come in between. */
struct watch_step {
	unsigned int stamp;              /* of the step (world.h) */
	unsigned int requests;
	unsigned int frees;
	unsigned int fallbacks;          /* takes that fell back to another type */
	_Bool migrated;                  /* the pages of a contiguous range were moved out of it, as far as they could be, */
	unsigned int singles_freed;      /* and since then so many single pages were freed */
	unsigned long woken_nodes;       /* whose kswapd woke up, a bit each */
	_Bool bad;                       /* the last block that was freed with a head in a bad state: */
	unsigned long bad_pfn;
	unsigned int bad_order;
};
const struct watch_step *watch_this_step(void);

/* A run begins. */
void scan_watch_begin(void);
/* The zonelists were built anew. */
void scan_watch_forget_lists(void);
/* What it does about a record of each kind; NULL = nothing. */
extern const trace_observer_fn scan_watchers[NR_TRACE_KINDS];

static inline void scan_watch(const struct trace_record *record)
{
	if (scan_watchers[record->kind])
		scan_watchers[record->kind](record);
}

/* Has the last pass come to a verdict on this zone of the list? */
static inline _Bool watch_visited(const struct watched_zone *zone)
{
	return watch.visited >> zone->index & 1;
}
const char *watch_verdict_name(unsigned int verdict);

/* Where the rules are. */
void judge_visit(const struct zone_visit *visit);            /* invariants_scan.c */
void judge_visit_batch(const struct zone_visit *visit);      /* invariants_fair.c */
void judge_attempt(const struct scan_watch *scan);           /* invariants_scan.c */
void judge_attempt_begin(const struct scan_watch *scan);
void judge_request(const struct scan_watch *scan);
void judge_wakeup(const struct scan_watch *scan, const struct trace_record *record);
void judge_slowpath_entry(const struct scan_watch *scan);
void judge_neighbour(const struct scan_watch *scan);         /* invariants_slowpath.c */
void expect_reserve_given_up(void);                          /* invariants_reserve.c */
void note_reserve_given_up(void);
void judge_reserve_given_up(const struct scan_watch *scan);
void judge_reserve_of_round(const struct scan_watch *scan);
void expect_retry(void);                                     /* invariants_retry.c */
void note_compaction(void);
_Bool expect_oom_helps(void);
void judge_round_over(const struct scan_watch *scan, _Bool again);
void judge_oom(const struct scan_watch *scan);
void judge_after_compaction(const struct scan_watch *scan);
void judge_warning(const struct trace_record *record);
void judge_failure_report(const struct trace_record *record);
void judge_wait(const struct trace_record *record);
void judge_pass_begin(const struct scan_watch *scan);         /* invariants_scan.c: every pass but an attempt's first */
void judge_drained(const struct trace_record *record);       /* invariants_call.c */
void judge_freed(const struct trace_record *record);
void judge_fallback(const struct trace_record *record);      /* invariants_fallback.c */
/* A visit of a request that will dirty its page: as it begins and when it is over; to begin a run. */
void judge_dirty_visit_begin(struct zone_visit *visit); /* invariants_dirty.c */
void judge_dirty_visit(const struct zone_visit *visit);
void judge_dirty_begin(void);

#endif
