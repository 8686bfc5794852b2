// SPDX-License-Identifier: GPL-2.0
/*
 * program_text.c - the text form: what it spells, what it refuses and where, and the laws that tie it down.
 *
 * Texts stand here as people would write them. Machines are built on preset 0, uma-64m, which is a small one
 * that boots.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/program.h"

static struct program program, other;
static struct text_directives directives, directives_again;
static struct text_error error;
static char printed[LIMIT_TEXT_BYTES], printed_again[LIMIT_TEXT_BYTES];
static char input[LIMIT_TEXT_BYTES];
static unsigned char bytes[LIMIT_PROGRAM_BYTES];

/* One operation of every kind, and every kind of argument, property and suffix. */
static const char every_operation[] =
	"machine preset=uma-64m\n"
	"p0 = alloc_pages(order=0, gfp=GFP_KERNEL) x64\n"
	"p1 = alloc_pages(order=10, gfp=GFP_HIGHUSER_MOVABLE|__GFP_WRITE, node=1, nodemask=0x3, cpu=1,"
	" task=2, context=hardirq) x256 (fail_nth=63)\n"
	"p2 = alloc_pages(order=40, gfp=0)\n"
	"free_pages(p0)\n"
	"free_pages(p0[7], cold=1)\n"
	"free_pages(p1[255], cpu=7, task=7, context=softirq) x2 (fail_nth=1)\n"
	"free_pages(none)\n"
	"drain_all_pages()\n"
	"drain_all_pages(all=0, node=7, zone=Movable)\n"
	"drain_local_pages()\n"
	"drain_local_pages(cpu=3)\n"
	"sysctl(name=min_free_kbytes, value=2048)\n"
	"sysctl(name=lowmem_reserve_ratio, index=DMA32, value=4294967295)\n"
	"watermark(node=1, zone=DMA, min=1, low_gap=2, high_gap=65535)\n"
	"cpuset(who=3, mems=0x1, race=1)\n"
	"task(who=7, flags=2048, prio=0, memdie=1)\n"
	"counter(node=1, zone=HighMem, item=pages_scanned, delta=-2147483648)\n"
	"counter(item=inactive_file, delta=2147483647)\n"
	"reclaim_script(calls=32, pages=1024, oom=kills, oom_pages=1)\n"
	"compaction_script(result=skipped, contended=lock)\n"
	"zone_reclaim_script(result=success, pages=3)\n"
	"kswapd_sleep(node=1)\n"
	"tick(jiffies=1000000)\n"
	"vmstat_fold(all=1)\n"
	"fail_page_alloc(times=2, min_order=0, ignore_gfp_highmem=0, ignore_gfp_reclaim=0)\n"
	"p3 = alloc_exact(bytes=8388608, gfp=GFP_ATOMIC, any=0, node=1)\n"
	"split(p0[3])\n"
	"p4 = split_free(node=1, zone=DMA, order=10)\n"
	"free_last(p3, pages=1024)\n"
	"put_page(p0)\n"
	"free_list(p0, cold=1)\n"
	"isolate(node=1, zone=DMA32, index=65535, blocks=1024, whole=0)\n"
	"undo_isolate(index=2)\n"
	"p5 = alloc_contig(zone=Movable, start=4294967295, pages=4096)\n"
	"migrate_script(result=interrupted)\n"
	"refresh_thresholds()\n"
	"corrupt(p0[1], offset=1023, where=pcp, node=1, zone=DMA, order=10, field=buddy)\n"
	"double_free(p0)\n"
	"free_wrong_order(p0, order=10)\n"
	"p6 = alloc_raw(order=32, gfp=GFP_DMA|__GFP_HIGHMEM, node=7)\n"
	"dirty_pages(file=7, index=511, nr=2048, throttle=0)\n"
	"redirty_pages(file=1, index=2, nr=512)\n"
	"clean_pages(nr=3, drop=0)\n"
	"start_writeback(index=1, nr=4, keep=1)\n"
	"end_writeback(bdi=3, nr=4096)\n"
	"writepages(start=5, end=6, nr=65535, mode=cyclic)\n"
	"vm_sysctl(name=dirty_bytes, value=-1, shift=63)\n"
	"device(bdi=1, bandwidth=0, latency=10000, depth=1, refuse=255, redirty=2, error=3)\n"
	"bdi(bdi=2, what=max_ratio, value=100)\n"
	"unstable(zone=HighMem, bdi=1, delta=-5)\n"
	"kill(who=7)\n"
	"exit(who=1)\n"
	"throttle_vm_writeout(gfp=GFP_NOFS)\n"
	"flush(nr=8)\n"
	"idle(jiffies=1000000)\n"
	"read_proc(file=show_mem)\n"
	"dirty_limits(pages=4294967295, gap=0)\n"
	"strictlimit(bdi=3, on=0)\n";

/* Every setting, on as many lines as it takes. */
static const char every_setting[] =
	"machine preset=uma-64m smp=1 numa=1 debug_vm=0 cma=1 isolation=1 compaction=1 cpusets=1 zone_dma=1\n"
	"machine zone_dma32=0 zone_highmem=1 pageblock_order=10 struct_page_bytes=64 hz=100 cpus=2 "
	"cpu_node=1:1 nodes=2\n"
	"machine distance=0:1:20 range=0:0x0-0x4000 range=1:0x4000-0x8000 reserved=0x10-0x20 "
	"cma_range=0x1000-0x1400\n"
	"machine max_zone_pfn=DMA:0x400 max_zone_pfn=Normal:0x6000\n"
	"machine movable_start=1:0x7000 min_free_kbytes=1024 watermark_scale_factor=10\n"
	"machine lowmem_reserve_ratio=DMA:256 percpu_pagelist_fraction=8 zone_reclaim_mode=7 "
	"numa_zonelist_order=n jiffies=4294937296 jiffies_high=1\n";

static bool parse(struct program *to, const char *text, _Bool strict)
{
	memset(&error, 0, sizeof(error));
	return program_parse(to, text, strlen(text), strict, &directives, &error);
}

static void expect_parses(const char *text)
{
	cr_assert(parse(&program, text, 1), "%u:%u: %s\n%s", error.line, error.column, error.message, text);
}

/* Expect the four laws of a program, whatever it came from. */
static void expect_laws(const struct program *p, const char *comments)
{
	unsigned long length = program_print(p, comments, printed, sizeof(printed));

	cr_assert_lt(length, sizeof(printed));
	cr_assert(program_parse(&other, printed, length, 1, &directives_again, &error), "%u:%u: %s\n%s",
		  error.line, error.column, error.message, printed);
	cr_assert(program_equal(p, &other), "parse(print(p)) is another program:\n%s", printed);
	program_print(&other, directives_again.comments, printed_again, sizeof(printed_again));
	cr_assert_str_eq(printed_again, printed);
	program_decode(&other, bytes, program_encode(p, bytes));
	cr_assert(program_equal(p, &other), "decode(encode(p)) is another program:\n%s", printed);
}

/* Expect a text that is its own print. */
static void expect_canonical(const char *text)
{
	expect_parses(text);
	program_print(&program, directives.comments, printed, sizeof(printed));
	cr_assert_str_eq(printed, text);
	expect_laws(&program, directives.comments);
	cr_assert(parse(&other, text, 0));
	cr_assert(program_equal(&program, &other), "lenient parse differs");
}

/* Expect a print of @text, which is otherwise spelled. */
static void expect_prints(const char *text, const char *expected)
{
	expect_parses(text);
	program_print(&program, directives.comments, printed, sizeof(printed));
	cr_assert_str_eq(printed, expected);
	expect_laws(&program, directives.comments);
}

/* Expect a lenient print of @text, which strict refuses. */
static void expect_lenient(const char *text, const char *expected)
{
	cr_assert_not(parse(&program, text, 1), "strict parse took %s", text);
	cr_assert(parse(&program, text, 0));
	program_print(&program, directives.comments, printed, sizeof(printed));
	cr_assert_str_eq(printed, expected);
	expect_laws(&program, directives.comments);
}

/* ---- spelling ---- */

Test(program_text, every_operation_prints_as_it_is_written)
{
	bool seen[NR_OPS] = {false};
	unsigned int i;

	expect_canonical(every_operation);
	for (i = 0; i < program.nr_ops; i++)
		seen[program.ops[i].code] = true;
	for (i = 0; i < NR_OPS; i++)
		cr_assert(seen[i], "%s is missing in this test", op_infos[i].name);
}

Test(program_text, every_setting_keeps_its_value)
{
	bool seen[NR_SETTINGS] = {false};
	unsigned int i;

	expect_parses(every_setting);
	expect_laws(&program, "");
	for (i = 0; i < program.nr_settings; i++)
		seen[program.settings[i].key] = true;
	for (i = 0; i < NR_SETTINGS; i++)
		cr_assert(seen[i], "%s is missing in this test", setting_infos[i].name);
}

Test(program_text, frames_print_in_hex_and_other_numbers_in_decimal)
{
	expect_canonical(
		"machine preset=uma-64m hz=1000 distance=0:1:20 range=0:0x0-0x4000 reserved=0x10-0x20 "
		"max_zone_pfn=DMA:0x400\n"
		"machine movable_start=0:0x3000 lowmem_reserve_ratio=DMA32:256 numa_zonelist_order=z "
		"jiffies=4294967295\n");
}

Test(program_text, a_long_machine_is_wrapped_at_110_columns)
{
	const char *at, *line_end;
	unsigned int nr_lines = 0;

	expect_parses(every_setting);
	program_print(&program, NULL, printed, sizeof(printed));
	for (at = printed; *at; at = line_end + 1) {
		line_end = strchr(at, '\n');
		cr_assert_leq(line_end - at, 110);
		cr_assert_eq(strncmp(at, "machine ", 8), 0);
		nr_lines++;
	}
	cr_assert_eq(nr_lines, 6);
}

Test(program_text, values_arrive_where_the_table_says)
{
	expect_parses(every_operation);
	cr_assert_eq(program.ops[1].args[0], 10);
	cr_assert_eq(program.ops[1].args[1], 0x34200ca);
	cr_assert_eq(program.ops[1].args[2], 1);
	cr_assert_eq(program.ops[1].args[3], 3);
	cr_assert_eq(program.ops[1].cpu, 1);
	cr_assert_eq(program.ops[1].task, 2);
	cr_assert_eq(program.ops[1].context, CONTEXT_HARDIRQ);
	cr_assert_eq(program.ops[1].repeat, 256);
	cr_assert_eq(program.ops[1].fail_nth, 63);
	cr_assert_eq(program.ops[3].element, ELEMENT_ALL);
	cr_assert_eq(program.ops[5].args[0], 1);
	cr_assert_eq(program.ops[5].element, 255);
	cr_assert_eq(program.ops[6].args[0], HANDLE_NONE);
	cr_assert_eq(program.ops[16].args[3], 0x80000000);
}

Test(program_text, what_is_left_out_has_its_default)
{
	expect_prints("p0 = alloc_pages()\nfail_page_alloc()\ncpuset()\ntick()",
		      "machine preset=uma-64m\n"
		      "p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
		      "fail_page_alloc(min_order=1)\n"
		      "cpuset()\n"
		      "tick()\n");
	cr_assert_eq(program.ops[2].args[1], 255);
	cr_assert_eq(program.ops[3].args[0], 1);
}

Test(program_text, blanks_hex_and_order_of_arguments_are_free)
{
	expect_prints("\n  p0=alloc_pages ( gfp = 0x24000c0 |__GFP_ZERO,order=0x2,cpu=0 )x1\t\n"
		      "\tfree_pages( cold=1 , p0 [ 0 ] ) ( fail_nth = 0x10 )",
		      "machine preset=uma-64m\n"
		      "p0 = alloc_pages(order=2, gfp=GFP_KERNEL|__GFP_ZERO)\n"
		      "free_pages(p0[0], cold=1) (fail_nth=16)\n");
}

Test(program_text, lines_may_end_in_cr_lf_and_the_last_one_in_nothing)
{
	expect_prints(
		"# one\r\nmachine cpus=2\r\n\r\ndrain_local_pages()\r\ndrain_local_pages(cpu=1)",
		"# one\nmachine preset=uma-64m cpus=2\ndrain_local_pages()\ndrain_local_pages(cpu=1)\n");
}

Test(program_text, an_empty_text_is_the_empty_program)
{
	expect_prints("", "machine preset=uma-64m\n");
	expect_prints("\n\r\n  \n", "machine preset=uma-64m\n");
	expect_prints("machine", "machine preset=uma-64m\n");
}

Test(program_text, every_preset_has_its_name)
{
	unsigned int preset;
	char text[200];

	for (preset = 0; preset < nr_machine_presets; preset++) {
		snprintf(text, sizeof(text), "machine preset=%s\n", machine_presets[preset].name);
		expect_canonical(text);
		cr_assert_eq(program.preset, preset);
	}
}

Test(program_text, an_operation_prints_alone_as_it_does_in_the_program)
{
	char line[200];

	expect_parses(
		"machine cpus=2\np0 = alloc_pages()\ndrain_local_pages()\np1 = alloc_pages(order=3) x2\n");
	cr_assert_eq(op_print(&program, 2, line, sizeof(line)),
		     strlen("p1 = alloc_pages(order=3, gfp=GFP_KERNEL) x2"));
	cr_assert_str_eq(line, "p1 = alloc_pages(order=3, gfp=GFP_KERNEL) x2");
	op_print(&program, 1, line, sizeof(line));
	cr_assert_str_eq(line, "drain_local_pages()");
}

Test(program_text, a_print_that_does_not_fit_is_cut_and_says_how_long_it_is)
{
	unsigned long length, size;
	char small[64];

	expect_parses("p0 = alloc_pages()\n");
	length = program_print(&program, "# c\n", printed, sizeof(printed));
	cr_assert_eq(length, strlen(printed));
	cr_assert_eq(program_print(&program, "# c\n", NULL, 0), length);
	for (size = 1; size < sizeof(small); size++) {
		memset(small, 'x', sizeof(small));
		cr_assert_eq(program_print(&program, "# c\n", small, size), length);
		cr_assert_eq(strlen(small), size - 1);
		cr_assert_eq(memcmp(small, printed, size - 1), 0);
	}
}

Test(program_text, every_gfp_bit_and_name_can_be_said)
{
	static const char aliases[] =
		"p0 = alloc_pages(gfp=__GFP_DMA|__GFP_DMA32|__GFP_NOTRACK_FALSE_POSITIVE)";
	unsigned int i;
	char text[200];

	expect_parses(aliases);
	cr_assert_eq(program.ops[0].args[1], 0x200005);
	for (i = 0; i < nr_gfp_names; i++) {
		snprintf(text, sizeof(text), "p0 = alloc_pages(gfp=%s)", gfp_names[i].name);
		expect_parses(text);
		cr_assert_eq(program.ops[0].args[1], gfp_names[i].mask, "%s", gfp_names[i].name);
	}
	for (i = 0; i < 26; i++) {
		snprintf(text, sizeof(text), "p0 = alloc_pages(gfp=0x%x)", 1U << i);
		expect_parses(text);
		cr_assert_eq(program.ops[0].args[1], 1U << i);
		expect_laws(&program, "");
	}
}

/* ---- comments ---- */

Test(program_text, comments_survive_and_come_first)
{
	expect_prints(
		"  # one \n\nmachine cpus=2 # two\n#\ndrain_local_pages()# thr\303\251e\n",
		"# one\n# two\n#\n# thr\303\251e\nmachine preset=uma-64m cpus=2\ndrain_local_pages()\n");
}

Test(program_text, three_comments_direct_the_run)
{
	expect_parses("# Why.\n# kernel: v4.7-rc1\n#expect:  INVARIANT zone_missed_after_reset \n"
		      "# clean-on: fixed\n");
	cr_assert_str_eq(directives.kernel, "v4.7-rc1");
	cr_assert_str_eq(directives.expect, "INVARIANT zone_missed_after_reset");
	cr_assert_str_eq(directives.clean_on, "fixed");
	cr_assert_eq(directives.comment_bytes, strlen(directives.comments));
	expect_parses("# kernel:\n# kernels: x\n");
	cr_assert_str_eq(directives.kernel, "");
	cr_assert(program_parse(&program, "# kernel: a", 11, 1, NULL, NULL));
}

/* 4095 bytes with their newlines. */
Test(program_text, comments_fit_up_to_the_limit)
{
	memset(input, '#', 4094);
	strcpy(input + 4094, "\n");
	expect_parses(input);
	cr_assert_eq(directives.comment_bytes, 4095);
	expect_laws(&program, directives.comments);
	memset(input, '#', 4095);
	strcpy(input + 4095, "\n");
	cr_assert_not(parse(&program, input, 1));
	cr_assert_str_eq(error.message, "expected at most 4095 bytes of comments; got more");
	cr_assert(parse(&program, input, 0));
	cr_assert_eq(directives.comment_bytes, 0);
}

/* ---- refusals ---- */

struct refusal {
	const char *text;
	unsigned int line;
	unsigned int column;
	const char *message;
};

static void expect_refusals(const struct refusal *cases, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		cr_assert_not(parse(&program, cases[i].text, 1), "took %s", cases[i].text);
		cr_expect_str_eq(error.message, cases[i].message, "%s\n  got:      %s\n  expected: %s",
				 cases[i].text, error.message, cases[i].message);
		cr_expect(error.line == cases[i].line && error.column == cases[i].column, "%s\n  at %u:%u",
			  cases[i].text, error.line, error.column);
		cr_assert(parse(&program, cases[i].text, 0), "lenient refused %s", cases[i].text);
		expect_laws(&program, directives.comments);
	}
}

#define EXPECT_REFUSALS(cases) expect_refusals(cases, sizeof(cases) / sizeof((cases)[0]))

Test(program_text, a_bad_line_is_refused_at_its_place)
{
	static const struct refusal cases[] = {
		{"\n# x\n  aloc_pages()\n", 3, 3,
		 "expected an operation such as alloc_pages; got aloc_pages"},
		{"p0 = aloc_pages()\n", 1, 6, "expected an operation such as alloc_pages; got aloc_pages"},
		{"p0 = \n", 1, 5, "expected an operation; got end of line"},
		{"alloc_pages()", 1, 1, "expected p0 =; got alloc_pages"},
		{"p1 = alloc_pages()", 1, 1, "expected p0 =; got p1"},
		{"p0 = alloc_pages()\np0 = alloc_pages()", 2, 1, "expected p1 =; got p0"},
		{"p00 = alloc_pages()", 1, 1, "expected an operation; got p00"},
		{"p0 = tick()", 1, 1, "expected no handle before tick, which makes none; got p0"},
		{"tick", 1, 5, "expected (; got end of line"},
		{"tick(", 1, 6, "expected an argument: jiffies, cpu, task, context; got end of line"},
		{"tick(jiffies=1", 1, 15, "expected , or ); got end of line"},
		{"tick(jiffies=1 cpu=2)", 1, 16, "expected , or ); got cpu"},
		{"tick() tick()", 1, 8, "expected end of line; got tick"},
		{"tick() x", 1, 9, "expected repeat 1..256; got end of line"},
		{"tick() x0", 1, 9, "expected repeat 1..256; got 0"},
		{"tick() x257", 1, 9, "expected repeat 1..256; got 257"},
		{"tick() (fail_nth=64)", 1, 18, "expected fail_nth 0..63; got 64"},
		{"tick() (nth=2)", 1, 9, "expected fail_nth; got nth"},
		{"tick() (fail_nth=2", 1, 19, "expected ); got end of line"},
		{"tick() (fail_nth=2) x2", 1, 21, "expected end of line; got x2"},
		{"tick();", 1, 7, "expected end of line; got ;"},
		{"\\tick()", 1, 1, "expected an operation; got \\"},
		{"tick()\xff", 1, 7, "expected end of line; got \\xff"},
		{"tick()\r\x01", 1, 7, "expected end of line; got \\x0d"},
		{"# expect: a\n# expect: b", 2, 1, "expected one # expect: line; got another"},
	};

	EXPECT_REFUSALS(cases);
}

Test(program_text, a_bad_argument_is_refused_at_its_place)
{
	static const struct refusal cases[] = {
		{"p0 = alloc_pages(order=41)", 1, 24, "expected order 0..40; got 41"},
		{"p0 = alloc_pages(order=-1)", 1, 24, "expected order 0..40; got -1"},
		{"p0 = alloc_pages(order=)", 1, 24, "expected order 0..40; got )"},
		{"p0 = alloc_pages(order=1x)", 1, 24, "expected order 0..40; got 1x"},
		{"p0 = alloc_pages(order=99999999999999999999)", 1, 24,
		 "expected order 0..40; got 99999999999999999999"},
		{"p0 = alloc_pages(order 1)", 1, 24, "expected =; got 1"},
		{"p0 = alloc_pages(order=1, order=1)", 1, 27, "expected every argument once; got order"},
		{"p0 = alloc_pages(cpu=1, cpu=1)", 1, 25, "expected every argument once; got cpu"},
		{"p0 = alloc_pages(ordr=1)", 1, 18,
		 "expected an argument: order, gfp, node, nodemask, cpu, task, context; got ordr"},
		{"p0 = alloc_pages(order=1,)", 1, 26,
		 "expected an argument: order, gfp, node, nodemask, cpu, task, context; got )"},
		{"p0 = alloc_pages(gfp=GFP_KERNAL)", 1, 22,
		 "expected a gfp flag such as GFP_KERNEL; got GFP_KERNAL"},
		{"p0 = alloc_pages(gfp=GFP_KERNEL|)", 1, 33, "expected a gfp flag; got )"},
		{"p0 = alloc_pages(gfp=0x4000000)", 1, 22, "expected gfp bits 0..67108863; got 0x4000000"},
		{"p0 = alloc_pages(nodemask=0x100)", 1, 27, "expected nodemask 0..255; got 0x100"},
		{"drain_all_pages(zone=Norml)", 1, 22, "expected a zone such as Normal; got Norml"},
		{"drain_all_pages(all=2)", 1, 21, "expected all 0..1; got 2"},
		{"reclaim_script(oom=maybe)", 1, 20, "expected oom=disabled|kills|blocked; got maybe"},
		{"tick(context=nmi)", 1, 14, "expected context=task|softirq|hardirq; got nmi"},
		{"tick(cpu=8)", 1, 10, "expected cpu 0..7; got 8"},
		{"counter(delta=2147483648)", 1, 15,
		 "expected delta -2147483648..2147483647; got 2147483648"},
		{"counter(delta=-2147483649)", 1, 15,
		 "expected delta -2147483648..2147483647; got -2147483649"},
		{"counter(delta=x)", 1, 15, "expected delta -2147483648..2147483647; got x"},
		{"cpuset(mems=0)", 1, 13, "expected mems 1..255; got 0"},
	};

	EXPECT_REFUSALS(cases);
}

Test(program_text, a_bad_handle_is_refused_at_its_place)
{
	static const struct refusal cases[] = {
		{"free_pages()", 1, 12, "expected a handle; got )"},
		{"free_pages(p0)", 1, 12, "expected none, as nothing is made before this operation; got p0"},
		{"free_pages(p0)\np0 = alloc_pages()", 1, 12,
		 "expected none, as nothing is made before this operation; got p0"},
		{"p0 = alloc_pages()\nfree_pages(p1)", 2, 12, "expected a handle p0..p0 or none; got p1"},
		{"p0 = alloc_pages()\nfree_pages(p0, p0)", 2, 16, "expected one handle; got p0"},
		{"p0 = alloc_pages()\nfree_pages(cold)", 2, 12, "expected a handle p0..p0 or none; got cold"},
		{"p0 = alloc_pages()\nfree_pages(handle=p0)", 2, 12,
		 "expected an argument: a handle, cold, cpu, task, context; got handle"},
		{"p0 = alloc_pages() x64\nfree_pages(p0[64])", 2, 15,
		 "expected element of p0, 0..63; got 64"},
		{"p0 = alloc_pages() x64\nfree_pages(p0[])", 2, 15, "expected element of p0, 0..63; got ]"},
		{"p0 = alloc_pages() x64\nfree_pages(p0[1)", 2, 16, "expected ]; got )"},
		{"free_pages(none[1])", 1, 16, "expected , or ); got ["},
	};

	EXPECT_REFUSALS(cases);
}

Test(program_text, a_bad_machine_is_refused_at_its_place)
{
	static const struct refusal cases[] = {
		{"machine preset=uma-64n", 1, 16, "expected a preset such as uma-64m; got uma-64n"},
		{"machine preset", 1, 15, "expected =; got end of line"},
		{"machine cpus=2 preset=uma-64m", 1, 16,
		 "expected preset= as the first word of the machine, or not at all; got preset"},
		{"machine preset=uma-64m\nmachine preset=uma-64m", 2, 9,
		 "expected preset= as the first word of the machine, or not at all; got preset"},
		{"machine cpu=2", 1, 9, "expected a setting such as cpus; got cpu"},
		{"machine cpus", 1, 13, "expected =; got end of line"},
		{"machine cpus=9", 1, 14, "expected cpus 1..8; got 9"},
		{"machine cpus=2,nodes=2", 1, 15, "expected a setting; got ,"},
		{"machine hz=200", 1, 12, "expected hz=100|250|300|1000; got 200"},
		{"machine numa_zonelist_order=x", 1, 29, "expected numa_zonelist_order=d|n|z; got x"},
		{"machine max_zone_pfn=DNA:1", 1, 22, "expected a zone such as DMA; got DNA"},
		{"machine max_zone_pfn=Lowmem:1", 1, 22,
		 "expected a zone: DMA, DMA32, Normal, HighMem, Movable; got Lowmem"},
		{"machine max_zone_pfn=DMA", 1, 25, "expected :; got end of line"},
		{"machine distance=0:8:20", 1, 20, "expected node 0..7; got 8"},
		{"machine distance=0:1:9", 1, 22, "expected distance 10..254; got 9"},
		{"machine cpu_node=8:0", 1, 18, "expected cpu 0..7; got 8"},
		{"machine range=0:0x0", 1, 20, "expected -; got end of line"},
		{"machine range=0:0x0-0x10000001", 1, 21, "expected range 0..268435456; got 0x10000001"},
		{"tick()\nmachine cpus=2", 2, 1,
		 "expected machine lines before the first operation; got machine"},
		{"machine range=0:0x0-0x10001", 1, 9,
		 "expected a machine that can boot; ranges of more than 256 MiB in all need a preset"},
	};

	EXPECT_REFUSALS(cases);
}

/* Settings 0 and 1 boot, setting 2 does not, setting 3 does not mend it: the place is that of setting 2. */
Test(program_text, a_machine_that_cannot_boot_is_refused_at_the_setting_that_breaks_it)
{
	static const char text[] =
		"machine jiffies=1\nmachine range=0:0x0-0x4000 range=0:0x6000-0x5000\nmachine cpus=1\n"
		"nonsense\n";

	cr_assert_not(parse(&program, text, 1));
	cr_assert_eq(error.line, 2);
	cr_assert_eq(error.column, 28);
	cr_assert_eq(strncmp(error.message, "expected a machine that can boot; ", 34), 0);
	cr_assert(parse(&program, text, 0));
	cr_assert_eq(program.nr_settings, 2);
}

Test(program_text, a_NUL_is_an_unexpected_character)
{
	static const char text[] = "tick()\0\n";
	static const char comment[] = "# a\0b\n";

	cr_assert_not(program_parse(&program, text, sizeof(text) - 1, 1, &directives, &error));
	cr_assert(error.line == 1 && error.column == 7);
	cr_assert_str_eq(error.message, "expected end of line; got \\x00");
	cr_assert_not(program_parse(&program, comment, sizeof(comment) - 1, 1, &directives, &error));
	cr_assert(error.line == 1 && error.column == 4);
	cr_assert_str_eq(error.message, "expected a comment of text; got \\x00");
}

Test(program_text, one_operation_or_setting_too_many_is_refused)
{
	unsigned int i;

	input[0] = '\0';
	for (i = 0; i < 257; i++)
		strcat(input, "tick()\n");
	cr_assert_not(parse(&program, input, 1));
	cr_assert_eq(error.line, 257);
	cr_assert_str_eq(error.message, "expected at most 256 operations; got tick");
	cr_assert(parse(&program, input, 0));
	cr_assert_eq(program.nr_ops, 256);
	expect_laws(&program, "");

	strcpy(input, "machine");
	for (i = 0; i < 33; i++)
		strcat(input, " cpus=1");
	cr_assert_not(parse(&program, input, 1));
	cr_assert_eq(error.column, 8 + 32 * 7 + 1);
	cr_assert_str_eq(error.message, "expected at most 32 settings; got cpus");
	cr_assert(parse(&program, input, 0));
	cr_assert_eq(program.nr_settings, 32);
}

Test(program_text, a_refusal_quotes_only_so_much)
{
	memset(input, 'a', 1000);
	input[1000] = '\0';
	cr_assert_not(parse(&program, input, 1));
	cr_assert_str_eq(error.message, "expected an operation; "
					"got aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...");
}

/* ---- lenient ---- */

Test(program_text, lenient_text_keeps_what_it_understands)
{
	expect_lenient(
		"machine preset=no-such cpus=2 nonsense hz=17 nodes\n"
		"what is this\n"
		"p0 = alloc_pages(order=42, gfp=GFP_KERNEL|__GFP_ZER0, colour=red, cpu=9) x300 please\n"
		"free_pages(p0[70]\n",
		"machine preset=uma-64m cpus=2\n"
		"p0 = alloc_pages(order=1, gfp=GFP_KERNEL, cpu=1) x44\n"
		"free_pages(p0[26])\n");
}

/* A line was deleted by hand, and the handles still mean what they meant. */
Test(program_text, lenient_text_may_number_its_producers_as_it_likes)
{
	expect_lenient("p1 = alloc_pages(order=1)\n"
		       "p7 = alloc_pages(order=7)\n"
		       "alloc_pages(order=9)\n"
		       "free_pages(p0)\n"
		       "free_pages(p7)\n"
		       "free_pages(p1)\n",
		       "machine preset=uma-64m\n"
		       "p0 = alloc_pages(order=1, gfp=GFP_KERNEL)\n"
		       "p1 = alloc_pages(order=7, gfp=GFP_KERNEL)\n"
		       "p2 = alloc_pages(order=9, gfp=GFP_KERNEL)\n"
		       "free_pages(none)\n"
		       "free_pages(p1)\n"
		       "free_pages(p0)\n");
}

/* ---- laws ---- */

static unsigned int next_random(void)
{
	static unsigned long state = 20140626;

	state = state * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned int)(state >> 33);
}

Test(program_text, twenty_thousand_programs_from_random_bytes_keep_the_laws)
{
	unsigned int run, i, size;

	for (run = 0; run < 20000; run++) {
		size = next_random() % (run % 20 ? 200 : LIMIT_PROGRAM_BYTES);
		for (i = 0; i < size; i++)
			bytes[i] = next_random();
		program_decode(&program, bytes, size);
		expect_laws(&program, "# any comment\n");
	}
}

/* Every operation and setting, with bytes of the text replaced: most are refused, none breaks a law. */
Test(program_text, twenty_thousand_damaged_texts_keep_the_laws)
{
	static const char signs[] = " \n#=,()[]|:-x0p9A_\r\t";
	unsigned int run, i, at, length, nr_strict = 0;

	for (run = 0; run < 20000; run++) {
		strcpy(input, every_setting);
		strcat(input, strchr(every_operation, '\n') + 1);
		length = strlen(input);
		for (i = next_random() % 6; i; i--) {
			at = next_random() % length;
			input[at] = next_random() % 4 ? signs[next_random() % (sizeof(signs) - 1)]
						      : (char)next_random();
		}
		program_parse(&program, input, length, 0, &directives, NULL);
		expect_laws(&program, directives.comments);
		if (program_parse(&other, input, length, 1, NULL, NULL)) {
			nr_strict++;
			cr_assert(program_equal(&program, &other), "strict and lenient differ:\n%s", input);
		}
	}
	cr_assert(nr_strict > 2000 && nr_strict < 18000, "%u", nr_strict);
}

/* The longest names and numbers, in every operation there can be. */
Test(program_text, the_longest_program_fits_in_its_limit)
{
	unsigned int i;

	expect_parses(every_setting);
	for (i = 0; i < 256; i++) {
		program.ops[i] = (struct op){
			.code = OP_alloc_pages,
			.cpu = 7,
			.task = 7,
			.context = 2,
			.fail_nth = 63,
			.repeat = 256,
			.args = {40, 0x3ffffff & ~0x40, 7, 255},
			.element = ELEMENT_ALL,
		};
	}
	program.nr_ops = 256;
	memset(input, '#', 4094);
	strcpy(input + 4094, "\n");
	cr_assert_lt(program_print(&program, input, printed, sizeof(printed)), LIMIT_TEXT_BYTES);
	expect_laws(&program, input);
}
