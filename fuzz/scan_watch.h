/* SPDX-License-Identifier: GPL-2.0 */
/*
 * scan_watch.h - follows every allocation through its zonelist scans, from the trace hooks, and keeps what the scan
 * invariants (invariants_scan.c) judge. What a zone should answer is computed here from the data alone, when the zone
 * is visited.
 *
 *	call > attempt (one get_page_from_freelist) > pass > visit
 */
#ifndef MMFUZZ_SCAN_WATCH_H
#define MMFUZZ_SCAN_WATCH_H

#include "fuzz/view.h"
#include "kernel-shim/trace.h"

#define WATCH_ZONES_MAX (VIEW_SLOTS_MAX + 1)
#define WATCH_NOT_VISITED 0xff

/* A zoneref that this attempt may use. */
struct watched_zone {
	unsigned char slot;
	unsigned char position;          /* from the preferred zoneref */
	unsigned char verdict;           /* enum zone_verdict of this pass, or WATCH_NOT_VISITED */
	unsigned char expected;          /* the same, as the data say */
};

struct scan_watch {
	/* The call. */
	_Bool active;                    /* between the entry and its return */
	unsigned int order;
	unsigned int gfp;
	unsigned int high_zoneidx;
	unsigned int nodemask;           /* the caller's; 0xff = none */
	unsigned int attempts;
	unsigned int first_alloc_flags;
	_Bool slow;                      /* in the slow path */
	_Bool retried;                   /* the cpuset changed and the call starts over */
	unsigned int rounds;             /* of it */
	unsigned int batch_resets;
	unsigned int fair_skips;         /* in the whole call */
	/* Wakeups of this slow path round, a bit for each slot, and what they should be. */
	unsigned long woken;
	unsigned long expected_wakeups;
	unsigned int nr_woken;
	unsigned int nr_expected_wakeups;
	unsigned int expected_classzone;
	unsigned int wake_classzone;

	/* The attempt. */
	unsigned int entry_flags;        /* alloc_flags of pass 1 */
	unsigned int classzone;
	unsigned int preferred_slot;
	_Bool has_preferred;
	unsigned int nr_zones;
	struct watched_zone zones[WATCH_ZONES_MAX];
	unsigned int dirty_skips;
	unsigned int attempt_fair_skips;

	/* The pass. */
	unsigned int pass;
	unsigned int alloc_flags;
	_Bool apply_fair;
	long first_position;             /* of the cursor when the pass began */
	long last_position;              /* of the last visit */
	_Bool out_of_order;
	_Bool repeated;                  /* a zone was judged twice */
	unsigned int visits;
	int current;                     /* index into zones[], -1 between visits */
	_Bool zone_reclaimed;            /* zone_reclaim ran for the current zone */

	/* The result of the attempt. */
	_Bool got_page;
	unsigned int page_slot;
};

extern struct scan_watch watch;

void scan_watch(const struct trace_record *record);

/* Independent computations from the data, for the request and CPU that run now. */
_Bool watch_watermark_ok(unsigned int slot, unsigned int mark_index, unsigned int alloc_flags);
_Bool watch_can_deliver(unsigned int slot, unsigned int alloc_flags);
/* Pages that may be dirty in a zone now, without any task's bonus; by which a task is judged; and that are dirty. */
unsigned long watch_true_dirty_limit(unsigned int slot);
unsigned long watch_dirty_limit(unsigned int slot);
unsigned long watch_dirty_pages(unsigned int slot);
_Bool watch_gets_dirty_bonus(void);
/* The dirty test is part of this pass. */
_Bool watch_dirty_test_applies(void);
/* Dirtyable memory of all zones, page-writeback specification 3.4. */
unsigned long watch_global_dirtyable(void);
_Bool watch_cpuset_allows(unsigned int slot);
_Bool watch_is_local(unsigned int slot);
unsigned int watch_migratetype(void);
/* A zone that this attempt could have used without fairness, before any page was taken from it. */
_Bool watch_could_serve(const struct watched_zone *zone, unsigned int mark_index, unsigned int alloc_flags);

const char *watch_verdict_name(unsigned int verdict);

/* A visit of a request that will dirty its page, invariants_dirty.c; to begin a run. */
void judge_dirty_visit_begin(unsigned int slot);
void judge_dirty_visit(void);
void judge_dirty_begin(void);

/* Judged while the call runs, invariants_scan.c. */
struct invariant;
extern struct invariant invariant_only_eligible_zones_visited, invariant_watermark_respected,
	invariant_verdict_follows_data, invariant_zone_missed_after_reset, invariant_first_fit_zone,
	invariant_iterator_starts_over, invariant_no_fair_skip_in_last_pass, invariant_zones_in_list_order,
	invariant_one_verdict_for_each_zone, invariant_passes_bounded, invariant_no_zone_left_for_the_slow_path,
	invariant_kswapd_woken_for_each_zone, invariant_kswapd_only_from_slow_path;

#endif
