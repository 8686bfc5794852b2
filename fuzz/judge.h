/* SPDX-License-Identifier: GPL-2.0 */
/*
 * judge.h - what is judged after each call into mm, and by which file. Order matters, for the first rule that fails
 * names the finding: the call, then the pages it touched, then the sums of their zones.
 */
#ifndef MMFUZZ_JUDGE_H
#define MMFUZZ_JUDGE_H

#include "fuzz/census.h"
#include "fuzz/view.h"

/* A zone after the step. */
struct zone_now {
	struct view_zone view;
	const struct zone_census *census;
	unsigned long held;              /* pages of it that the program holds */
	unsigned long leaked;            /* and that nobody will have again */
};

enum call_kind {
	CALL_OTHER,
	CALL_ALLOC,      /* pfn (VIEW_NO_PFN: it failed), order, gfp, node, nodemask, cpu */
	CALL_FREE,       /* pfn, order */
	CALL_DRAIN_ALL,  /* slot (VIEW_SLOTS_MAX: every zone) */
	CALL_SPLIT,      /* pfn, nr_pages */
	CALL_CONTIG,     /* pfn (VIEW_NO_PFN: it failed), nr_pages, slot, pageblock_type, isolated_before */
	CALL_FREE_UNREFERENCED, /* pfn, order: misuse, and it came back */
	CALL_TUNABLE,    /* wanted, asked, got, result: one of the allocator's was written */
	CALL_ISOLATE,    /* wanted, result */
};

/* The call that has just returned. */
struct call_record {
	enum call_kind kind;
	unsigned long pfn;
	unsigned int order;
	unsigned int gfp;
	_Bool overlaps_held;             /* the program held some of these frames already */
	unsigned int node;
	unsigned int nodemask;           /* 0 = none */
	unsigned int cpu;
	unsigned int slot;
	unsigned int nr_pages;           /* CALL_ALLOC: of an exact size, otherwise 0 */
	unsigned int pageblock_type;
	unsigned long isolated_before;   /* pageblocks of the zone */
	_Bool wanted;                    /* it has to succeed, as far as the data before it say */
	int result;                      /* 0, or a negative error */
	unsigned long zones;             /* whose counters it may change and no list of theirs, a bit for each slot */
	int asked;                       /* the value that was written */
	int got;                         /* and the one that is in force now */
};
extern struct call_record last_call;

/* Judge the call and what it touched. */
void judge_step(void);

/* Its parts, each where the rules are. */
void judge_call(const struct call_record *call);         /* invariants_call.c */
void judge_slow_call(const struct call_record *call);    /* invariants_slowpath.c */
void judge_pages(void);                                  /* invariants_buddy.c */
void judge_range(const struct call_record *call);        /* invariants_range.c */
void judge_proc(unsigned int file, const char *text);    /* invariants_proc.c */
void judge_zone_lists(const struct zone_now *zone);      /* invariants_buddy.c */
void judge_zone_counters(const struct zone_now *zone);   /* invariants_counters.c */
void judge_zone_batch(const struct zone_now *zone);      /* invariants_fair.c */

#endif
