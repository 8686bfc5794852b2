// SPDX-License-Identifier: GPL-2.0
/* states.c - fuzz/states.c: which cells a program hits; fuzz/states_table.c: their names and sums. */
#include <stdio.h>
#include <string.h>

#include "tests/support.h"
#include "fuzz/program.h"
#include "fuzz/run.h"
#include "fuzz/states.h"

#define NAME_BYTES 128

static void run_text(const char *text, enum run_checks checks)
{
	static struct program program;
	struct run_options options = run_options_default();
	struct verdict verdict;
	struct text_error error;

	cr_assert(program_parse(&program, text, strlen(text), true, NULL, &error), "%u: %s", error.line, error.message);
	options.checks = checks;
	options.states = true;
	run_program(&program, &options, &verdict);
	cr_assert_eq(verdict.finding.kind, FINDING_NONE, "%s", verdict.finding.detail);
}

static bool is_hit(const char *wanted)
{
	char name[NAME_BYTES];
	unsigned int cell;

	for (cell = 0; cell < NR_STATE_CELLS; cell++)
		if (!strcmp(state_name(cell, name, sizeof(name)), wanted))
			return ((const unsigned char *)&state_cells)[cell];
	cr_assert_fail("there is no cell %s", wanted);
	return false;
}

static unsigned int nr_hit(void)
{
	const unsigned char *hit = (const unsigned char *)&state_cells;
	unsigned int cell, nr = 0;

	for (cell = 0; cell < NR_STATE_CELLS; cell++)
		nr += hit[cell];
	return nr;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

Test(states, every_cell_has_a_name_of_its_own)
{
	static char names[NR_STATE_CELLS][NAME_BYTES];
	unsigned int cell;

	for (cell = 0; cell < NR_STATE_CELLS; cell++)
		state_name(cell, names[cell], NAME_BYTES);
	cr_expect_str_eq(names[0], "visit/DMA/below_min/cpuset");
	cr_expect_str_eq(names[NR_STATE_CELLS - 1], "device/registered/min_ratio/all_of_it/uncounted");
	qsort(names, NR_STATE_CELLS, NAME_BYTES, compare_names);
	for (cell = 1; cell < NR_STATE_CELLS; cell++)
		cr_expect_str_neq(names[cell - 1], names[cell]);
}

Test(states, the_planes_are_all_cells_in_order)
{
	unsigned int plane, next = 0;

	for (plane = 0; plane < nr_state_planes; plane++) {
		cr_expect_eq(state_planes[plane].first, next, "%s", state_planes[plane].name);
		next += state_planes[plane].nr;
	}
	cr_expect_eq(next, NR_STATE_CELLS);
}

/* One page from a zone far above its marks, on a machine that has just booted. */
Test(states, a_page_without_trouble_hits_the_cells_that_say_so)
{
	run_text("machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n", CHECKS_OP);
	cr_expect(is_hit("visit/Normal/above_high/taken"));
	cr_expect(is_hit("fair/batch_left/not_depleted/local/pass_1"));
	cr_expect(is_hit("mark/low/no_reserve/order_0/yes"));
	cr_expect(is_hit("scan/pass_1/1_zone/low/yes"));
	cr_expect(is_hit("request/0/unmovable/fast"));
	cr_expect(is_hit("context/plain/process/Normal"));
	cr_expect(is_hit("zone/Normal/above_high/not_depleted/no_highatomic"));
	cr_expect_not(is_hit("slow/entered/order_0"));
	cr_expect_not(is_hit("visit/Normal/below_low/watermark"));
}

/* 128 pages use up the batches of both zones: they are refilled, and pass 2 finds a page. */
Test(states, a_refill_of_the_fair_batches_is_seen)
{
	run_text("machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL) x128\n", CHECKS_OP);
	cr_expect(is_hit("visit/Normal/above_high/fair_skip"));
	cr_expect(is_hit("policy/fair/depleted/fair_skip"));
	cr_expect(is_hit("refill/2_skips/2_zones/order_0"));
	cr_expect(is_hit("scan/pass_2/1_zone/low/yes"));
}

/* Marks above all memory: the slow path asks reclaim and the OOM killer, and fails. */
Test(states, the_stages_of_a_request_that_fails_are_seen)
{
	run_text("machine preset=uma-64m\nwatermark(zone=Normal, min=60000)\nwatermark(zone=DMA, min=60000)\n"
		 "p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n",
		 CHECKS_OP);
	cr_expect(is_hit("visit/Normal/below_min/watermark"));
	cr_expect(is_hit("slow/entered/order_0"));
	cr_expect(is_hit("slow_caller/kswapd_woken/plain"));
	cr_expect(is_hit("slow/reclaim_idle/order_0"));
	cr_expect(is_hit("slow/oom_idle/order_0"));
	cr_expect(is_hit("slow/failed/order_0"));
	cr_expect(is_hit("request/0/unmovable/failed"));
}

Test(states, cells_are_those_of_the_last_run_alone_and_the_same_each_time)
{
	static struct state_cells first;

	run_text("machine preset=uma-64m\np0 = alloc_pages(order=3, gfp=GFP_ATOMIC)\nfree_pages(p0)\n", CHECKS_OP);
	first = state_cells;
	run_text("machine preset=numa2\np0 = alloc_pages(order=0, gfp=GFP_KERNEL) x64\n", CHECKS_OP);
	cr_expect_not(is_hit("request/3/unmovable/fast"));
	run_text("machine preset=uma-64m\np0 = alloc_pages(order=3, gfp=GFP_ATOMIC)\nfree_pages(p0)\n", CHECKS_OP);
	cr_expect_arr_eq(&first, &state_cells, sizeof(first));
}

Test(states, a_run_without_checks_hits_no_cell)
{
	run_text("machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n", CHECKS_OFF);
	cr_expect_eq(nr_hit(), 0);
}

Test(states, sums_count_programs_and_tell_what_is_new)
{
	static unsigned long programs[NR_STATE_CELLS];

	run_text("machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n", CHECKS_OP);
	cr_expect_eq(states_add(programs), nr_hit());
	cr_expect_eq(states_add(programs), 0);
	cr_expect_eq(programs[offsetof(struct state_cells, request)] +
			     programs[offsetof(struct state_cells, request[0][0][1])], 2);
	run_text("machine preset=uma-64m\np0 = alloc_pages(order=10, gfp=GFP_KERNEL)\n", CHECKS_OP);
	cr_expect_gt(states_add(programs), 0);
}

/* A device with a limit of its own and no share yet, far below a limit that is four pages above the background limit. */
Test(states, a_steep_position_of_a_strict_device_is_seen)
{
	run_text("machine preset=uma-64m\ndirty_limits(pages=20000, gap=4)\nstrictlimit()\n"
		 "dirty_pages(file=1, nr=31)\ndirty_pages(nr=1)\n",
		 CHECKS_OP);
	cr_expect(is_hit("limits/beyond_memory/4096th_up/no_bonus"));
	cr_expect(is_hit("device/registered/no_min_ratio/all_of_it/strict"));
	cr_expect(is_hit("position/below_65536/next_to_nothing/strict"));
	cr_expect(is_hit("throttle/below_freerun/over_share/ratio_one_up/strict"));
	cr_expect_not(is_hit("position/below_65536/next_to_nothing/loose"));
}

/* Ten pages in a CPU's delta: a cheap read of the device sees none of them. */
Test(states, what_the_flusher_sees_of_a_device_is_seen)
{
	run_text("machine preset=numa2\nbdi(what=capabilities, value=16)\ndirty_pages(nr=10)\ntick(jiffies=2000)\n", CHECKS_OP);
	cr_expect(is_hit("flusher/no_share/held_back/strict/yes"));
	cr_expect_not(is_hit("flusher/no_share/over_share/strict/yes"));
}

/* Expect the other capabilities to stay as they are. */
Test(states, a_strict_limit_comes_and_goes_by_itself)
{
	run_text("machine preset=uma-64m\nbdi(what=capabilities, value=1)\nstrictlimit()\nstrictlimit(bdi=1)\n"
		 "strictlimit(bdi=2, on=0)\n", CHECKS_OP);
	cr_expect(is_hit("device/registered/no_min_ratio/all_of_it/uncounted"));
	cr_expect(is_hit("device/registered/no_min_ratio/all_of_it/strict"));
	cr_expect(is_hit("device/registered/no_min_ratio/all_of_it/plain"));
}

Test(states, a_device_that_goes_away_is_seen_without_its_min_ratio)
{
	run_text("machine preset=uma-64m\nbdi(what=min_ratio, value=10)\nbdi(what=registered, value=0)\n", CHECKS_OP);
	cr_expect(is_hit("device/registered/min_ratio/all_of_it/plain"));
	cr_expect(is_hit("device/gone/no_min_ratio/all_of_it/plain"));
}
