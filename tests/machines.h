/* SPDX-License-Identifier: GPL-2.0 */
/*
 * machines.h - what the tests of mm/ share: a kernel and a machine in one line, free memory laid out by hand, and
 * lists and scans as text, so that a test can say the whole of what it expects.
 */
#ifndef MMFUZZ_TESTS_MACHINES_H
#define MMFUZZ_TESTS_MACHINES_H

#include "tests/support.h"
#include "mm/internal.h"

/* Settings of a machine. */
#define SET(name, value) { .key = SETTING_##name, .x = (value) }
#define SET_OF(name, index, value) { .key = SETTING_##name, .a = (index), .x = (value) }
#define MEMORY(nid, start, end) { .key = SETTING_range, .a = (nid), .x = (start), .y = (end) }
#define RESERVED(start, end) { .key = SETTING_reserved, .x = (start), .y = (end) }
#define CMA_FRAMES(start, end) { .key = SETTING_cma_range, .x = (start), .y = (end) }
#define DISTANCE(from, to, value) { .key = SETTING_distance, .a = (from), .b = (to), .x = (value) }

/* Boot a preset, changed by settings, under KERNEL (mm/patches.h) and enter it with an empty trace. */
#define boot_kernel(...) boot_kernel_as(__VA_ARGS__)
#define boot_kernel_as(kernel_text, preset, ...)                                                          \
	boot_kernel_with(kernel_text, preset, SETTINGS(__VA_ARGS__),                                   \
			 sizeof(SETTINGS(__VA_ARGS__)) / sizeof(struct machine_setting))
void boot_kernel_with(const char *kernel_text, const char *preset, const struct machine_setting *settings,
		      unsigned long nr_settings);

/* A zone of node 0, or of any node. */
#define zone_of(idx) zone_at(0, idx)
struct zone *zone_at(int nid, enum zone_type idx);

/*
 * Free memory by hand. take_all_blocks() leaves a zone without a free block; put_block() frees one that was taken, as
 * if its frames were of `migratetype`; put_block_of() gives their pageblock that type first.
 */
void take_all_blocks(struct zone *zone);
void put_block(unsigned long pfn, unsigned int order, int migratetype);
void put_block_of(unsigned long pfn, unsigned int order, int migratetype);
/* Take a block as __rmqueue() delivers it; the counters follow. */
struct page *take_block(struct zone *zone, unsigned int order, int migratetype);
void set_block_type(unsigned long pfn, int migratetype);
int block_type(unsigned long pfn);
/* What set_migratetype_isolate() would do to a pageblock without free pages. */
void isolate_block(unsigned long pfn);

/* Numbers of a zone. */
void set_marks(struct zone *zone, unsigned long min_mark, unsigned long low_mark, unsigned long high_mark);
void set_counter(struct zone *zone, enum zone_stat_item item, long value);
long counter(const struct zone *zone, enum zone_stat_item item);
long counter_sum(const struct zone *zone, enum zone_stat_item item);
struct per_cpu_pages *pcp_of(struct zone *zone, int cpu);
/* The state after a batch was used up. */
void deplete(struct zone *zone);

/*
 * Text, in static buffers that a few later calls do not overwrite.
 *	free lists     "U0: 0x3 0x5, M4: 0x10"   types U M E H C I, order, frames in list order
 *	pcp list       "0x7 0x6"
 *	zonelist       "N0.Normal N0.DMA"
 *	story          "pass 1: Normal fair, DMA fair; reset; pass 2: Normal taken": scans with a word for each zone,
 *	               and between them reset, slow, wake ZONE, reclaim N, compact N, zone_reclaim N, oom N, sleep N,
 *	               warn N, failed; zones are N1.Normal on machines of several nodes
 */
const char *free_lists(const struct zone *zone);
const char *pcp_list(struct zone *zone, int cpu, int migratetype);
const char *zonelist_text(const struct zonelist *zonelist);
const char *story(void);
/* Frames given back by drains, in order. */
const char *drained(void);

#define expect_text(actual, expected)                                                                  \
	cr_expect_str_eq(actual, expected, "got \"%s\", expected \"%s\"", actual, expected)
#define expect_free(zone, expected) expect_text(free_lists(zone), expected)
#define expect_story(expected) expect_text(story(), expected)
#define expect_number(actual, expected)                                                                \
	do {                                                                                           \
		long _actual = (long)(actual);                                                         \
		long _expected = (long)(expected);                                                     \
		cr_expect(_actual == _expected, "%s is %ld (%#lx), expected %ld (%#lx)", #actual,      \
			  _actual, (unsigned long)_actual, _expected, (unsigned long)_expected);       \
	} while (0)
#define expect_page(actual, pfn)                                                                       \
	do {                                                                                           \
		const struct page *_page = (actual);                                                   \
		cr_expect(_page == pfn_to_page(pfn), "%s is frame %#lx, expected %#lx", #actual,       \
			  _page ? page_to_pfn(_page) : ~0UL, (unsigned long)(pfn));                    \
	} while (0)

/* Allocate from node 0's list, or with everything said, with an empty trace before. */
struct page *allocate(gfp_t gfp_mask, unsigned int order);
struct page *allocate_at(int nid, gfp_t gfp_mask, unsigned int order, nodemask_t *nodemask);

/* Runs body(argument). Fails the test unless `loop` begins one step more than the `most` it may take, and says so. */
void expect_step_too_far(const char *loop, unsigned long most, void (*body)(void *argument), void *argument);

#endif
