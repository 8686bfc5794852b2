/* SPDX-License-Identifier: GPL-2.0 */
/* slowpath.h - what the tests of the slow path share: a full machine, and neighbours that do what reclaim_script says. */
#ifndef MMFUZZ_TESTS_SLOWPATH_H
#define MMFUZZ_TESTS_SLOWPATH_H

#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)
#define DMA zone_of(ZONE_DMA)

/* One zone of 256 frames of which so many are free, with marks of 20, 25 and 30 pages. */
static inline void boot_with_free(const char *kernel_text, unsigned int nr_free)
{
	unsigned int pfn;

	boot_kernel(kernel_text, "tiny");
	take_all_blocks(NORMAL);
	set_marks(NORMAL, 20, 25, 30);
	set_counter(NORMAL, NR_ALLOC_BATCH, 1 << 20);
	for (pfn = 0; pfn < nr_free; pfn++)
		put_block(pfn, 0, MIGRATE_UNMOVABLE);
}

/* No page is free. */
static inline void boot_full(const char *kernel_text)
{
	boot_with_free(kernel_text, 0);
}

/* What reclaim and the killer release: the frames from 0x80 on, one after the other. */
static inline unsigned long release_frames(unsigned long nr_pages, unsigned int slot)
{
	static unsigned long next_pfn = 0x80;
	unsigned long i;

	for (i = 0; i < nr_pages; i++)
		put_block(next_pfn++, 0, MIGRATE_UNMOVABLE);
	return nr_pages;
}

static inline void script_reclaim(unsigned int calls, unsigned int pages)
{
	reclaim_script.calls = calls;
	reclaim_script.pages = pages;
	reclaim_release = release_frames;
}

static inline void script_oom(enum oom_script oom, unsigned int calls, unsigned int pages)
{
	reclaim_script.oom = oom;
	reclaim_script.oom_calls = calls;
	reclaim_script.oom_pages = pages;
	reclaim_release = release_frames;
}

static inline unsigned int nr_reclaims(void)
{
	return count_trace(TRACE_DIRECT_RECLAIM, NULL);
}

/* Pages that reclaim could free, so that the back-off says a further round may help. */
static inline void set_reclaimable(long nr_pages)
{
	set_counter(NORMAL, NR_INACTIVE_FILE, nr_pages);
}

#endif
