// SPDX-License-Identifier: GPL-2.0
/*
 * The report of memory (mm/show_mem.c): what it says, that it follows a failed allocation, and that nobody pays for it who
 * does not read it.
 */
#include <linux/printk.h>
#include <linux/seq_file.h>
#include "tests/machines.h"

static char text[16384];
static struct seq_file console = { text, sizeof(text), 0 };

static void expect_line(const char *line)
{
	const char *at = strstr(text, line);

	cr_expect(at && (at == text || at[-1] == '\n') && at[strlen(line)] == '\n', "no line '%s' in\n%s", line, text);
}

Test(show_mem, counters_come_first_in_six_lines)
{
	boot_kernel("fixed", "tiny");
	set_counter(zone_of(ZONE_NORMAL), NR_FILE_DIRTY, 3);
	set_counter(zone_of(ZONE_NORMAL), NR_FILE_PAGES, 70);
	printk_console = &console;

	show_mem(0);

	cr_expect(!strncmp(text, "Mem-Info:\nactive_anon:0 inactive_anon:0 isolated_anon:0\n", 56), "%s", text);
	expect_line(" active_file:0 inactive_file:0 isolated_file:0");
	expect_line(" unevictable:0 dirty:3 writeback:0 unstable:0");
	expect_line(" slab_reclaimable:0 slab_unreclaimable:0");
	expect_line(" mapped:0 shmem:0 pagetables:0 bounce:0");
	expect_line(" free:256 free_pcp:0 free_cma:0");
	expect_line("70 total pagecache pages");
	expect_line("Free swap  = 0kB");
}

Test(show_mem, a_zone_is_a_line_of_kilobytes_and_one_of_reserves)
{
	boot_kernel("fixed", "tiny");
	set_marks(zone_of(ZONE_NORMAL), 10, 20, 30);
	set_counter(zone_of(ZONE_NORMAL), NR_KERNEL_STACK, 2);
	set_counter(zone_of(ZONE_NORMAL), NR_PAGES_SCANNED, 8);
	printk_console = &console;

	show_free_areas(0);

	expect_line("Normal free:1024kB min:40kB low:80kB high:120kB active_anon:0kB inactive_anon:0kB active_file:0kB "
		    "inactive_file:0kB unevictable:0kB isolated(anon):0kB isolated(file):0kB present:1024kB "
		    "managed:1024kB mlocked:0kB dirty:0kB writeback:0kB mapped:0kB shmem:0kB slab_reclaimable:0kB "
		    "slab_unreclaimable:0kB kernel_stack:32kB pagetables:0kB unstable:0kB bounce:0kB free_pcp:0kB "
		    "local_pcp:0kB free_cma:0kB writeback_tmp:0kB pages_scanned:32 all_unreclaimable? yes");
	expect_line("lowmem_reserve[]: 0 0");
	expect_line("Normal: 0*4kB 0*8kB 0*16kB 0*32kB 0*64kB 0*128kB 0*256kB 0*512kB 1*1024kB (M) 0*2048kB 0*4096kB "
		    "= 1024kB");
}

Test(show_mem, numa_machines_name_the_node_and_leave_out_those_of_other_cpusets)
{
	boot_kernel("fixed", "mini-pc");
	current->mems_allowed.bits = 0x2;
	printk_console = &console;

	show_free_areas(SHOW_MEM_FILTER_NODES);

	cr_expect_not_null(strstr(text, "\nNode 1 Normal free:"), "%s", text);
	cr_expect_null(strstr(text, "Node 0 "), "%s", text);
}

Test(show_mem, the_end_counts_pages)
{
	boot_kernel("fixed", "i386");
	printk_console = &console;

	show_mem(0);

	expect_line("262047 pages RAM");
	expect_line("32768 pages HighMem/MovableOnly");
	expect_line("1537 pages reserved");
}

Test(show_mem, a_failed_allocation_is_followed_by_the_report)
{
	boot_kernel("fixed", "tiny");
	take_all_blocks(zone_of(ZONE_NORMAL));
	printk_console = &console;

	cr_assert_null(allocate(GFP_ATOMIC, 3));

	cr_expect(!strncmp(text, "Mem-Info:\n", 10), "%s", text);
	expect_line(" free:0 free_pcp:0 free_cma:0");
}

Test(show_mem, nothing_is_written_when_nobody_reads)
{
	boot_kernel("fixed", "tiny");
	take_all_blocks(zone_of(ZONE_NORMAL));

	cr_assert_null(allocate(GFP_ATOMIC, 3));

	expect_number(count_trace(TRACE_ALLOC_FAILED, NULL), 1);
	expect_number(console.count, 0);
}

Test(show_mem, half_of_small_caches_counts_as_available)
{
	boot_kernel("fixed", "tiny");
	set_marks(zone_of(ZONE_NORMAL), 0, 20, 20);
	totalreserve_pages = 16;
	set_counter(zone_of(ZONE_NORMAL), NR_ACTIVE_FILE, 10);
	set_counter(zone_of(ZONE_NORMAL), NR_INACTIVE_FILE, 20);
	set_counter(zone_of(ZONE_NORMAL), NR_SLAB_RECLAIMABLE, 100);

	/* Expect 256 free - 16 reserved, 30 - 15 of the files, 100 - 20 of the slab. */
	expect_number(si_mem_available(), 240 + 15 + 80);
	totalreserve_pages = 1000;
	expect_number(si_mem_available(), 0);
}
