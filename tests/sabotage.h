/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sabotage.h - breaking the state, or what is told about it, under a program's feet, and demanding the invariant that
 * is there to notice. The program must be clean when nobody breaks anything.
 */
#ifndef MMFUZZ_TESTS_SABOTAGE_H
#define MMFUZZ_TESTS_SABOTAGE_H

#include "tests/support.h"
#include "mm/internal.h"
#include "fuzz/exec.h"
#include "fuzz/judge.h"
#include "fuzz/scan_watch.h"

/*
 * A record that nobody is to see becomes TRACE_NONE. What is not said here is 0: the kernel is `fixed`, the machine's
 * preset is in the program.
 */
struct sabotage {
	const char *program;             /* text, one operation a line */
	const char *kernel;
	enum trace_kind at;              /* breaks() is shown each record of this kind, before anybody else sees it */
	void (*breaks)(struct trace_record *record, unsigned int number);
	const char *report;              /* what the finding says, if that is part of the test */
	const char *then[4];             /* with the ones before it masked, these fire one after the other */
};

/* Runs the program without and with sabotage; fails the test unless the invariant `name` notices, and only then. */
void expect_invariant(const char *name, struct sabotage sabotage);

/* The zone of a frame, or by number on node 0. */
struct zone *zone_of_frame(unsigned long pfn);
struct zone *zone_number(unsigned int type);

/* The first free block of an order or more, of a type or (MIGRATE_TYPES) of any. */
struct page *any_free_block(struct zone *zone, unsigned int order, int migratetype);
/* Move a block to the list of another type. */
void move_to_type(struct page *page, struct zone *zone, int migratetype);
/* Take a block off its list and out of the counts of its list, as if it were handed out. */
void lose_block(struct page *page, struct zone *zone);
/* A page claims to be a free block and stands on that list. */
void list_as_free(struct page *page, struct zone *zone, unsigned int order, int migratetype);
/* The same on the per-CPU list of CPU 0. */
void list_as_pcp(struct page *page, struct zone *zone, int migratetype);
/* A page becomes referenced so many times. */
void reference(struct page *page, int count);
/* Change a counter of a zone by this, and if asked the global one. */
void change_counter(struct zone *zone, enum zone_stat_item item, long by, bool global);
/* All marks of every zone. */
void set_all_marks(unsigned long pages);

#endif
