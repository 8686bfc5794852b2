// SPDX-License-Identifier: GPL-2.0
/* time.c - jiffies, the vmstat workers, sleeping and rate limits (kernel-shim/time.c, specification 10.5). */
#include "tests/support.h"
#include <linux/ratelimit.h>
#include "fuzz/files.h"
#include "fuzz/program.h"
#include "fuzz/run.h"

/* Give CPU `cpu` a delta that is too small to be folded at once. */
static void leave_delta(int cpu, struct zone *zone, long delta)
{
	zone->pageset[cpu].vm_stat_diff[NR_FILE_DIRTY] = (s8)delta;
}

Test(time, jiffies_start_just_below_the_wrap_of_a_32_bit_counter)
{
	boot_machine("uma-64m");
	cr_expect_eq(jiffies, 4294937296);
	jiffies_advance(100000);
	cr_expect_eq(jiffies, 4295037296, "a 64-bit counter does not wrap");
}

Test(time, with_a_high_word_of_ones_all_of_jiffies_wraps)
{
	boot_machine_with("uma-64m", SETTINGS({ .key = SETTING_jiffies_high, .x = 0xffffffff }), 1);
	cr_expect_eq(jiffies, -30000UL);
	jiffies_advance(100000);
	cr_expect_eq(jiffies, 70000);
}

static unsigned long trace_hash_of(struct program *program, unsigned int jiffies_high)
{
	struct run_options options = run_options_default();
	struct verdict verdict;

	options.hashes = 1;
	program->settings[program->nr_settings++] = (struct machine_setting){ .key = SETTING_jiffies_high, .x = jiffies_high };
	run_program(program, &options, &verdict);
	program->nr_settings--;
	cr_expect_eq(verdict.finding.kind, FINDING_NONE, "%s", verdict.finding.name);
	return verdict.trace_hash;
}

/* Records have the low word alone. */
Test(time, writers_do_not_notice_that_jiffies_wraps, .timeout = 60)
{
	static struct text_directives directives;
	static struct program program;
	struct file_list list = { 0 };
	struct text_error error;
	unsigned char *bytes;
	unsigned long i, size;

	cr_assert_null(file_list_add(&list, "corpus/seeds/writeback"));
	cr_assert_gt(list.nr, 10);
	for (i = 0; i < list.nr; i++) {
		cr_assert_null(file_read(list.paths[i], &bytes, &size));
		cr_assert(program_parse(&program, (const char *)bytes, size, true, &directives, &error));
		cr_assert_lt(program.nr_settings, MACHINE_SETTINGS_MAX);
		cr_expect_eq(trace_hash_of(&program, 0), trace_hash_of(&program, 0xffffffff), "%s", list.paths[i]);
		free(bytes);
	}
	file_list_free(&list);
}

Test(time, a_second_folds_the_deltas_of_every_cpu)
{
	struct zone *zone;

	boot_machine("numa2");
	zone = &NODE_DATA(0)->node_zones[ZONE_NORMAL];
	leave_delta(0, zone, 3);
	leave_delta(1, zone, -1);
	jiffies_advance(249);
	cr_expect_eq(zone_page_state(zone, NR_FILE_DIRTY), 0);
	jiffies_advance(1);
	cr_expect_eq(zone_page_state(zone, NR_FILE_DIRTY), 2);
	cr_expect_eq(zone->pageset[1].vm_stat_diff[NR_FILE_DIRTY], 0);
}

Test(time, seconds_are_counted_from_boot_however_time_is_cut)
{
	struct zone *zone;
	unsigned int i;

	boot_machine("numa2");
	zone = &NODE_DATA(0)->node_zones[ZONE_NORMAL];
	for (i = 0; i < 7; i++)
		jiffies_advance(100);
	leave_delta(0, zone, 3);
	jiffies_advance(49);
	cr_expect_eq(zone->pageset[0].vm_stat_diff[NR_FILE_DIRTY], 3);
	jiffies_advance(1);
	cr_expect_eq(zone->pageset[0].vm_stat_diff[NR_FILE_DIRTY], 0);
}

Test(time, a_long_time_passes_quickly_and_keeps_the_rhythm, .timeout = 10)
{
	struct zone *zone;

	boot_machine("numa2");
	zone = &NODE_DATA(0)->node_zones[ZONE_NORMAL];
	jiffies_advance(4000000000000UL + 200);
	leave_delta(0, zone, 3);
	jiffies_advance(49);
	cr_expect_eq(zone->pageset[0].vm_stat_diff[NR_FILE_DIRTY], 3);
	jiffies_advance(1);
	cr_expect_eq(zone->pageset[0].vm_stat_diff[NR_FILE_DIRTY], 0);
}

Test(time, without_smp_there_is_nothing_to_fold)
{
	struct zone *zone;

	boot_machine("uma-64m");
	zone = &NODE_DATA(0)->node_zones[ZONE_NORMAL];
	leave_delta(0, zone, 3);
	jiffies_advance(1000);
	cr_expect_eq(zone->pageset[0].vm_stat_diff[NR_FILE_DIRTY], 3);
}

/* CPU 0 is on node 0; four pages of node 1 on its list are given back in the third second without use. */
Test(time, remote_pages_that_nobody_uses_leave_the_lists_of_a_cpu)
{
	struct page *pages[4];
	struct zone *zone;
	unsigned int i;

	boot_machine_with("numa2", SETTINGS({ .key = SETTING_percpu_pagelist_fraction, .x = 8 }), 1);
	zone = &NODE_DATA(1)->node_zones[ZONE_NORMAL];
	for (i = 0; i < 4; i++)
		pages[i] = alloc_pages_node(1, GFP_KERNEL | __GFP_THISNODE, 0);
	for (i = 0; i < 4; i++)
		__free_pages(pages[i], 0);
	cr_assert_gt(zone->pageset[0].pcp.count, 0);
	jiffies_advance(1000000);
	cr_expect_eq(zone->pageset[0].pcp.count, 0);
}

Test(time, sleeping_moves_time_and_is_traced)
{
	struct trace_record record = { 0 };

	boot_machine("uma-64m");
	schedule_timeout_uninterruptible(7);
	cr_expect_eq(jiffies, 4294937303);
	cr_expect_eq(count_trace(TRACE_SLEEP, &record), 1);
	cr_expect_eq(record.a, 7);
}

Test(time, a_rate_limit_lets_a_burst_through_in_each_interval)
{
	struct ratelimit_state state = { .interval = 500, .burst = 2 };

	boot_machine("uma-64m");
	cr_expect(__ratelimit(&state));
	jiffies_advance(400);
	cr_expect(__ratelimit(&state));
	cr_expect_not(__ratelimit(&state));
	jiffies_advance(100);
	cr_expect_not(__ratelimit(&state), "500 ticks after the first event the interval is not over");
	jiffies_advance(1);
	cr_expect(__ratelimit(&state));
}
