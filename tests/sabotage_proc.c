// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_proc.c - what /proc shows is watched (fuzz/invariants_proc.c): a file is read, then what it is about changes.
 */
#include <linux/seq_file.h>
#include "tests/sabotage.h"

#define READS "machine preset=uma-64m\nread_proc(file=vmstat)\n"

static char text[128 << 10];

static void read_file(enum proc_file file)
{
	struct seq_file m = { text, sizeof(text), 0 };

	exec_read_proc(file, &m);
}

static void buddyinfo_of_before(struct trace_record *record, unsigned int number)
{
	read_file(PROC_BUDDYINFO);
	zone_number(ZONE_NORMAL)->free_area[3].nr_free++;
	judge_proc(PROC_BUDDYINFO, text);
}

Test(sabotage_proc, a_wrong_column_of_buddyinfo)
{
	expect_invariant("buddyinfo_shows_free_blocks",
			 (struct sabotage){ .program = READS, .at = TRACE_OP, .breaks = buddyinfo_of_before });
}

static void pagetypeinfo_of_before(struct trace_record *record, unsigned int number)
{
	read_file(PROC_PAGETYPEINFO);
	zone_number(ZONE_DMA)->free_area[10].nr_free--;
	judge_proc(PROC_PAGETYPEINFO, text);
}

Test(sabotage_proc, wrong_rows_of_pagetypeinfo)
{
	expect_invariant("pagetypeinfo_shows_free_blocks",
			 (struct sabotage){ .program = READS, .at = TRACE_OP, .breaks = pagetypeinfo_of_before });
}

/* The last digit of the last column: pageblocks of Normal that are isolated. */
static void one_pageblock_more(struct trace_record *record, unsigned int number)
{
	read_file(PROC_PAGETYPEINFO);
	text[strlen(text) - 3]++;
	judge_proc(PROC_PAGETYPEINFO, text);
}

Test(sabotage_proc, a_wrong_number_of_pageblocks_in_pagetypeinfo)
{
	expect_invariant("pagetypeinfo_shows_free_blocks",
			 (struct sabotage){ .program = READS, .at = TRACE_OP, .breaks = one_pageblock_more });
}

static void zoneinfo_of_before(struct trace_record *record, unsigned int number)
{
	read_file(PROC_ZONEINFO);
	per_cpu_ptr(zone_number(ZONE_NORMAL)->pageset, 0)->pcp.high++;
	judge_proc(PROC_ZONEINFO, text);
}

Test(sabotage_proc, a_wrong_pageset_in_zoneinfo)
{
	expect_invariant("zoneinfo_shows_zone",
			 (struct sabotage){ .program = READS, .at = TRACE_OP, .breaks = zoneinfo_of_before });
}

static void zoneinfo_of_a_dirty_zone(struct trace_record *record, unsigned int number)
{
	read_file(PROC_ZONEINFO);
	change_counter(zone_number(ZONE_NORMAL), NR_FILE_DIRTY, 7, true);
	judge_proc(PROC_ZONEINFO, text);
}

Test(sabotage_proc, a_wrong_counter_in_zoneinfo)
{
	expect_invariant("zoneinfo_shows_zone",
			 (struct sabotage){ .program = READS, .at = TRACE_OP, .breaks = zoneinfo_of_a_dirty_zone });
}

static void show_mem_of_before(struct trace_record *record, unsigned int number)
{
	read_file(PROC_SHOW_MEM);
	zone_number(ZONE_NORMAL)->free_area[0].nr_free++;
	judge_proc(PROC_SHOW_MEM, text);
}

Test(sabotage_proc, a_wrong_total_in_the_report_of_a_failure)
{
	expect_invariant("show_mem_totals_free_blocks",
			 (struct sabotage){ .program = READS, .at = TRACE_OP, .breaks = show_mem_of_before });
}
