// SPDX-License-Identifier: GPL-2.0
/* story.c - trace records as prose, and what is told once (fuzz/story.c, fuzz/story_shape.c). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/exec.h"
#include "fuzz/story.h"
#include "kernel-shim/trace.h"

#define DMA 0
#define NORMAL 2
#define REMOTE_NORMAL 7
#define GFP_KERNEL 0x24000c0UL
#define FAST_FLAGS (0x1UL | 0x100UL | 1UL << 16)   /* WMARK_LOW|FAIR, and fairness applies */
#define FIRST_FLAGS_SPENT (0x1UL | 0x100UL)         /* the same in the pass after a refill */
#define NO_NODEMASK TRACE_PLACE(0, 0, 0, ~0UL)

static struct program program;
static struct story_world world;

/* A story is told of one operation; the records of a test come after this. */
static void begin(const char *text)
{
	cr_assert(program_parse(&program, text, strlen(text), 1, NULL, NULL));
	memset(&world, 0, sizeof(world));
	world.zones[DMA] = (struct story_zone){ "DMA", 4000, { 10, 12, 14 }, { 0, 0, 19 } };
	world.zones[NORMAL] = (struct story_zone){ "Normal", 12000, { 100, 130, 160 }, { 0 } };
	trace_reset();
	trace_emit(TRACE_OP, 0, program.ops[0].repeat, 0, 0);
}

static void call_begins(void)
{
	trace_emit(TRACE_CALL_BEGIN, 0, GFP_KERNEL, ~0UL, NORMAL);
}

static void visit(unsigned long slot, unsigned long position, unsigned long free, enum zone_verdict verdict)
{
	trace_emit(TRACE_ZONE_VISIT, slot, position, free, 32);
	trace_emit(TRACE_ZONE_VERDICT, slot, verdict, position, 0);
}

static void call_succeeds(unsigned long pfn, unsigned long free)
{
	call_begins();
	trace_emit(TRACE_SCAN_BEGIN, 1, 0, FAST_FLAGS, NO_NODEMASK);
	visit(NORMAL, 0, free, VERDICT_TAKEN);
	trace_emit(TRACE_SCAN_END, pfn, 1, NORMAL, 0);
	trace_emit(TRACE_MM_PAGE_ALLOC, pfn, 0, GFP_KERNEL, 0);
}

static const char *told(void)
{
	static char *text;
	size_t size;
	FILE *out;

	free(text);
	out = open_memstream(&text, &size);
	story_op(out, &world, &program, 0, 0, trace_count);
	fclose(out);
	return text;
}

#define EXPECT_TOLD(line) cr_expect(strstr(told(), line), "no '%s' in:\n%s", line, told())

Test(story, a_request_that_is_served_at_once_takes_four_lines)
{
	begin("p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n");
	call_succeeds(0x3c00, 12288);
	cr_expect_str_eq(told(), "\nop 1 of 1   p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
				 "    call      order 0, GFP_KERNEL, zones up to Normal\n"
				 "    pass 1    WMARK_LOW|FAIR\n"
				 "      Normal     free    12288  batch     32   taken\n"
				 "    result    pfn 0x3c00, order 0, Normal\n");
}

Test(story, repeats_that_went_the_same_way_are_told_once)
{
	begin("p0 = alloc_pages(order=0, gfp=GFP_KERNEL) x3\n");
	call_succeeds(0x3c00, 12288);
	call_succeeds(0x3c01, 12287);
	call_succeeds(0x3c07, 12286);
	EXPECT_TOLD("  repeat 1 of 3\n");
	EXPECT_TOLD("  (x 3, to repeat 3 with pfn 0x3c07)\n");
	cr_expect_null(strstr(told(), "repeat 2 of 3"));
}

Test(story, a_repeat_that_went_another_way_is_told)
{
	begin("p0 = alloc_pages(order=0, gfp=GFP_KERNEL) x2\n");
	call_succeeds(0x3c00, 12288);
	call_begins();
	trace_emit(TRACE_SCAN_BEGIN, 1, 0, FAST_FLAGS, NO_NODEMASK);
	visit(NORMAL, 0, 12287, VERDICT_FAIR_SKIP);
	EXPECT_TOLD("  repeat 2 of 2\n");
	EXPECT_TOLD("skipped: fair batch used up\n");
}

Test(story, a_rescan_that_starts_at_the_end_of_the_list_is_visible)
{
	begin("p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n");
	call_begins();
	trace_emit(TRACE_SCAN_BEGIN, 1, 0, FAST_FLAGS, NO_NODEMASK);
	visit(NORMAL, 0, 12288, VERDICT_FAIR_SKIP);
	trace_emit(TRACE_BATCH_RESET, NORMAL, 0, 0, 0);
	trace_emit(TRACE_FLAG_CHANGE, NORMAL, 1, 0, 0);
	trace_emit(TRACE_SCAN_BEGIN, 2, 1, FIRST_FLAGS_SPENT, NO_NODEMASK);
	trace_emit(TRACE_SCAN_END, TRACE_NO_PFN, 2, ~0UL, 0);
	EXPECT_TOLD("    refill    fair batches of the node, up to Normal\n"
		    "        Normal: ZONE_FAIR_DEPLETED cleared\n"
		    "    pass 2    WMARK_LOW, starting 1 zones behind the preferred one\n"
		    "      no zone is left to look at\n");
}

Test(story, a_zone_below_its_mark_shows_the_numbers_it_was_judged_by)
{
	begin("p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n");
	call_begins();
	trace_emit(TRACE_SCAN_BEGIN, 1, 0, FAST_FLAGS, NO_NODEMASK);
	visit(NORMAL, 0, 120, VERDICT_WMARK);
	visit(DMA, 1, 20, VERDICT_WMARK);
	EXPECT_TOLD("below the low watermark: free 120, mark 130+0\n");
	EXPECT_TOLD("below the low watermark: free 20, mark 12+19\n");
}

Test(story, a_request_that_may_go_deeper_shows_the_lower_mark)
{
	begin("p0 = alloc_pages(order=0, gfp=GFP_ATOMIC)\n");
	call_begins();
	trace_emit(TRACE_SCAN_BEGIN, 1, 0, 0x30, NO_NODEMASK);
	visit(NORMAL, 0, 38, VERDICT_WMARK);
	EXPECT_TOLD("    pass 1    WMARK_MIN|HARDER|HIGH\n");
	EXPECT_TOLD("below the min watermark: free 38, mark 38+0\n");
}

Test(story, a_zone_with_pages_but_no_block_says_so)
{
	begin("p0 = alloc_pages(order=3, gfp=GFP_KERNEL)\n");
	trace_emit(TRACE_CALL_BEGIN, 3, GFP_KERNEL, ~0UL, NORMAL);
	trace_emit(TRACE_SCAN_BEGIN, 1, 0, FAST_FLAGS, NO_NODEMASK);
	visit(NORMAL, 0, 900, VERDICT_WMARK);
	EXPECT_TOLD("no block of order 3 above the low watermark: free 900, mark 130+0\n");
}

Test(story, a_machine_of_several_nodes_names_the_zonelist)
{
	begin("p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n");
	world.zones[REMOTE_NORMAL] = (struct story_zone){ "N1.Normal", 12000, { 100, 130, 160 }, { 0 } };
	call_begins();
	trace_emit(TRACE_SCAN_BEGIN, 1, 0, FAST_FLAGS, TRACE_PLACE(0, 0, 0, 0x3UL));
	visit(NORMAL, 0, 900, VERDICT_FAIR_SKIP);
	visit(REMOTE_NORMAL, 1, 900, VERDICT_FAIR_ABORT);
	EXPECT_TOLD("    pass 1    WMARK_LOW|FAIR, zonelist of node 0, nodes 0x3\n");
	EXPECT_TOLD("      N1.Normal  free      900  batch     32   remote zone ends the fair pass\n");
}

Test(story, rounds_of_the_slow_path_that_are_alike_are_told_once)
{
	unsigned long round;

	begin("p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n");
	call_begins();
	trace_emit(TRACE_SLOWPATH_ENTER, 0, GFP_KERNEL, NORMAL, 0);
	for (round = 0; round < 17; round++) {
		trace_emit(TRACE_SLOWPATH_RETRY, round, 0, NORMAL, 0);
		trace_emit(TRACE_KSWAPD_WAKE, NORMAL, 0, NORMAL, 0);
		trace_emit(TRACE_DIRECT_RECLAIM, 0, GFP_KERNEL, 0, 0);
	}
	trace_emit(TRACE_SLOWPATH_RETRY, 17, 0, NORMAL, 0);
	trace_emit(TRACE_OOM, 0, GFP_KERNEL, 1, 0);
	trace_emit(TRACE_MM_PAGE_ALLOC, TRACE_NO_PFN, 0, GFP_KERNEL, 0);
	EXPECT_TOLD("    reclaim   order 0: no progress\n    (x 17 rounds)\n    round 18\n");
	EXPECT_TOLD("    oom       order 0: somebody is killed\n    result    NULL\n");
}

Test(story, a_burst_of_frees_and_drains_is_told_once)
{
	unsigned long i;

	begin("free_pages(none)\n");
	for (i = 0; i < 40; i++) {
		trace_emit(TRACE_MM_PAGE_FREE, 0x100 + i, 0, 0, 0);
		if (i % 10 == 9)
			trace_emit(TRACE_MM_PAGE_PCPU_DRAIN, 0x100 + i, 0, 1, 0);
	}
	EXPECT_TOLD("    freed     pfn 0x100, order 0, and 9 blocks after it\n"
		    "        1 page from a per-CPU list to the free lists of MOVABLE\n"
		    "        (x 4)\n");
}

Test(story, a_skipped_call_says_why)
{
	begin("free_pages(none)\n");
	trace_emit(TRACE_OP_SKIPPED, 0, SKIP_NO_PRODUCER, 0, 0);
	EXPECT_TOLD("    skipped   the handle names nothing\n");
}

Test(story, records_that_the_ring_has_lost_are_counted)
{
	unsigned long i;

	begin("p0 = alloc_pages(order=0, gfp=GFP_KERNEL) x256\n");
	for (i = 0; i < LIMIT_TRACE_RECORDS; i++)
		trace_emit(TRACE_MM_PAGE_FREE, i, 0, 0, 0);
	call_succeeds(0x3c00, 12288);
	EXPECT_TOLD("records of this operation are gone");
	EXPECT_TOLD("    result    pfn 0x3c00, order 0, Normal\n");
}

Test(story, only_zones_that_changed_are_shown_again)
{
	static struct story_world after;
	char *text = NULL;
	size_t size;
	FILE *out;

	begin("p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n");
	strcpy(world.picture, "DMA free 10\n    U 1*0\nNormal free 20\n    U 2*1\n");
	after = world;
	strcpy(after.picture, "DMA free 10\n    U 1*0\nNormal free 20\n    U 1*1 2*0\n");
	out = open_memstream(&text, &size);
	story_changes(out, &world, &after);
	fclose(out);
	cr_expect_str_eq(text, "    Normal free 20\n        U 1*1 2*0\n");
	free(text);
}
