/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_COMPACTION_H
#define _LINUX_COMPACTION_H

#include <linux/mmzone.h>

/* Modelled: direct compaction is scripted by the program (reclaim.c), specification 22.2. */
enum migrate_mode { MIGRATE_ASYNC, MIGRATE_SYNC_LIGHT, MIGRATE_SYNC };

enum compact_result {
	COMPACT_NOT_SUITABLE_ZONE,
	COMPACT_SKIPPED,
	COMPACT_DEFERRED,
	COMPACT_INACTIVE = COMPACT_DEFERRED,
	COMPACT_NO_SUITABLE_PAGE,
	COMPACT_CONTINUE,
	COMPACT_COMPLETE,
	COMPACT_PARTIAL_SKIPPED,
	COMPACT_CONTENDED,
	COMPACT_PARTIAL,
};

enum { COMPACT_CONTENDED_NONE, COMPACT_CONTENDED_SCHED, COMPACT_CONTENDED_LOCK };

struct alloc_context;

enum compact_result try_to_compact_pages(gfp_t gfp_mask, unsigned int order, unsigned int alloc_flags,
					 const struct alloc_context *ac, enum migrate_mode mode, int *contended);
void compaction_defer_reset(struct zone *zone, int order, bool alloc_success);
bool compaction_zonelist_suitable(struct alloc_context *ac, int order, int alloc_flags);

static inline bool compaction_failed(enum compact_result result)
{
	return result == COMPACT_COMPLETE;
}

static inline bool compaction_withdrawn(enum compact_result result)
{
	return result == COMPACT_SKIPPED || result == COMPACT_DEFERRED || result == COMPACT_CONTENDED ||
	       result == COMPACT_PARTIAL_SKIPPED;
}

#endif
