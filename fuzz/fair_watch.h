/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fair_watch.h - what the batches and depleted flags of all zones should be, kept from the trace alone: they change by
 * takes and resets, and by a change of the marks, and by nothing else. invariants_fair.c judges them.
 */
#ifndef MMFUZZ_FAIR_WATCH_H
#define MMFUZZ_FAIR_WATCH_H

#include "fuzz/scan_watch.h"

/* A reset, before it did anything. */
struct batch_reset {
	_Bool pending;
	unsigned int preferred_slot;
	unsigned long all_zones;                 /* that are populated: a bit for each slot */
	unsigned long zones;                     /* that it ought to refill */
	unsigned long depleted;                  /* flags of all zones */
	long batch[VIEW_SLOTS_MAX];              /* with all deltas */
	long delta[VIEW_SLOTS_MAX];              /* all of them */
};

/* From one reset of a node to the next, as long as every take is like the others. */
struct fair_cycle {
	_Bool alike;
	unsigned int preferred_slot;
	unsigned long pages[VIEW_ZONE_TYPES];    /* taken */
	/* By the deltas of all CPUs, when the reset began that began it, and at most then. */
	long held[VIEW_ZONE_TYPES];
	long most_held[VIEW_ZONE_TYPES];
};

struct fair_watch {
	long batch[VIEW_SLOTS_MAX];              /* with all deltas, as it should be */
	unsigned long depleted;                  /* flags as they should be, a bit for each slot */
	unsigned long marks_changed;             /* since the last reset of the zone */
	unsigned long unfair_takes;              /* zones that were used although used up, since their last reset */
	struct fair_cycle cycles[MACHINE_NODES_MAX];
};
extern struct fair_watch fair_watch;

/* The machine has booted; a run begins; the marks of zones were set. */
void fair_watch_boot(void);
void fair_watch_begin(void);
void fair_watch_marks_changed(void);

/* From the trace. */
void fair_watch_take(const struct zone_visit *visit);
void fair_watch_verdict(const struct zone_visit *visit);
void fair_watch_reset(const struct trace_record *record);
/* A reset that is pending is complete: judge it. */
void fair_watch_settle(void);

/* Zones taken from or reset since this was asked last. */
unsigned long fair_watch_touched_zones(void);

/* Where the rules are, invariants_fair.c. */
void judge_reset_reason(const struct batch_reset *reset);
void judge_reset(const struct batch_reset *reset);
void judge_cycle(const struct fair_cycle *cycle);

#endif
