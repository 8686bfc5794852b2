/* SPDX-License-Identifier: GPL-2.0 */
/*
 * scan_expect.h - what the data say about a zone, for the request that the scan watch follows, on the CPU and in the
 * task that run now.
 */
#ifndef MMFUZZ_SCAN_EXPECT_H
#define MMFUZZ_SCAN_EXPECT_H

#include "fuzz/scan_watch.h"

/* The highest zone type and the migratetype of a request. */
unsigned int expect_high_zone(unsigned int gfp);
unsigned int expect_migratetype(void);
/* Flags of the slow path, specification 22.1. */
unsigned int expect_slow_flags(void);

/* What a visit that has just begun should end in; VERDICT_TAKEN also stands for a take that then fails. */
enum zone_verdict expect_verdict(const struct zone_visit *visit);

_Bool expect_cpuset_allows(unsigned int slot);
_Bool expect_local(unsigned int slot);
/* A zone is balanced for kswapd: above its high mark for an order and the lowest class, counted exactly where it is close. */
_Bool expect_balanced(unsigned int slot, unsigned int order);
_Bool expect_watermark_ok(unsigned int slot, unsigned int mark_index, unsigned int alloc_flags);
/* The same of the min mark in the slow path, if what can be reclaimed were free: less of it after fruitless rounds. */
_Bool expect_min_mark_after_reclaim(unsigned int slot, unsigned int fruitless);
/* The min mark, for single pages. */
_Bool expect_min_mark_of_pages(unsigned int slot);
/* Would a take succeed? */
_Bool expect_deliverable(unsigned int slot, unsigned int alloc_flags);
/* Pages that may be dirty in a zone now, without any task's bonus; by which, given that, a task is judged; that are dirty. */
unsigned long expect_true_dirty_limit(unsigned int slot);
unsigned long expect_dirty_limit(unsigned int slot, unsigned long true_limit);
unsigned long expect_dirty_pages(unsigned int slot);
/* The task has the bonus; the dirty test is part of this pass. */
_Bool expect_dirty_bonus(void);
_Bool expect_dirty_test(void);
/* Dirtyable memory of all zones, page-writeback specification 3.4. */
unsigned long expect_global_dirtyable(void);
/* A zone that an attempt with these flags could use, were it not for fairness. */
_Bool expect_could_serve(unsigned int slot, unsigned int mark_index, unsigned int alloc_flags);

#endif
