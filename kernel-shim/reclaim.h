/* SPDX-License-Identifier: GPL-2.0 */
/*
 * reclaim.h - what the program says that vmscan, compaction, zone reclaim and the OOM killer do. Plain C. The hooks
 * themselves (try_to_free_pages and friends) are declared in the kernel's headers; each call is a trace record.
 */
#ifndef MMFUZZ_RECLAIM_H
#define MMFUZZ_RECLAIM_H

enum oom_script {
	OOM_DISABLED,          /* out_of_memory() returns false */
	OOM_KILLS,             /* returns true after releasing oom_pages held pages */
	OOM_BLOCKED,           /* somebody else holds oom_lock: the try-lock fails, oom_calls times */
};

/* zone_reclaim: the rules of specification 29.2, or a fixed answer. */
enum zone_reclaim_script { ZONE_RECLAIM_MODEL, ZONE_RECLAIM_IS_NOSCAN, ZONE_RECLAIM_IS_FULL, ZONE_RECLAIM_IS_SOME,
			   ZONE_RECLAIM_IS_SUCCESS };

/* Moving pages out of a contiguous range. */
enum migrate_script { MIGRATE_MOVES, MIGRATE_FAILS, MIGRATE_INTERRUPTED };

struct reclaim_script {
	unsigned int calls;              /* try_to_free_pages reports progress for so many more calls */
	unsigned int pages;              /* held pages it releases in each of them, at most */
	unsigned int oom_calls;          /* OOM_KILLS, OOM_BLOCKED: so many more times, then as OOM_DISABLED */
	enum oom_script oom;
	unsigned int oom_pages;
	enum zone_reclaim_script zone_reclaim;
	unsigned int zone_reclaim_pages;
	unsigned int compact_result;     /* enum compact_result */
	unsigned int compact_contended;  /* COMPACT_CONTENDED_* */
	enum migrate_script migrate;
};

/* In force now; part of the world. At boot: no progress, compaction skipped, OOM disabled, pages move. */
extern struct reclaim_script reclaim_script;

/*
 * Releases about nr_pages of the pages the program holds in the zone `slot` (or anywhere), oldest first, back to the
 * allocator; returns how many. Set by the engine; NULL releases nothing.
 */
#define RECLAIM_ANY_ZONE 0xffU
extern unsigned long (*reclaim_release)(unsigned long nr_pages, unsigned int slot);

/*
 * Moves the pages that the program holds in the frames [start, end) to other frames; false if some could not be moved.
 * Set by the engine; NULL has nothing to move.
 */
extern _Bool (*reclaim_migrate)(unsigned long start, unsigned long end);

/* Boot: let the script decide who holds oom_lock. */
void reclaim_init(void);

#endif
