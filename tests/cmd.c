// SPDX-License-Identifier: GPL-2.0
/*
 * cmd.c - the tool as its users meet it: output, messages and exit codes of build/FLAVOUR/mmfuzz, which lies beside
 * this test program; and files in and out (fuzz/files.c, fuzz/options.c, fuzz/cmd_*.c).
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/files.h"
#include "tests/tool.h"

static void make_subdirectory(const char *name)
{
	cr_assert_eq(mkdir(tool_path(name), 0777), 0);
}

TestSuite(cmd, .init = tool_begin, .fini = tool_end);

#define CLEAN "machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL) x4\nfree_pages(p0)\n"
#define FAIR_CYCLE "machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL) x128\n"

Test(cmd, help_names_every_verb_and_every_verb_has_help)
{
	static const char *const verbs[] = { "run",     "explain",    "text",  "bytes", "ops", "machines", "kernels",
					     "patches", "invariants", "bench", "golden", "shrink", "triage" };
	unsigned int i;
	char line[64];

	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		cr_expect_eq(mmfuzz("--help"), 0);
		snprintf(line, sizeof(line), "\n  mmfuzz %s ", verbs[i]);
		expect_output(line);
		snprintf(line, sizeof(line), "%s --help", verbs[i]);
		cr_expect_eq(mmfuzz(line), 0, "%s", verbs[i]);
		expect_output("this text");
	}
}

Test(cmd, the_version_names_compiler_flavour_and_commit)
{
	cr_expect_eq(mmfuzz("--version"), 0);
	expect_output(" build by ");
}

Test(cmd, a_mistake_on_the_command_line_is_exit_code_2_and_says_what_it_is)
{
	cr_expect_eq(mmfuzz("fly"), 2);
	expect_output("unknown verb 'fly'");
	cr_expect_eq(mmfuzz("run --fast x"), 2);
	expect_output("mmfuzz run: unknown option '--fast'\nSee: mmfuzz run --help\n");
	cr_expect_eq(mmfuzz("run --kernel"), 2);
	expect_output("an argument must follow '--kernel'");
	cr_expect_eq(mmfuzz("run"), 2);
	expect_output("expected FILE|DIR...; got 0 arguments");
	cr_expect_eq(mmfuzz("run --checks some x"), 2);
	expect_output("--checks: expected one of off op full; got 'some'");
	cr_expect_eq(mmfuzz("ops now"), 2);
	cr_expect_eq(mmfuzz("bench exec --seconds -1 x"), 2);
}

Test(cmd, run_plays_what_the_comments_of_a_program_announce)
{
	tool_write("seed1.prog", "# kernel: v4.7-rc1\n# expect: INVARIANT zone_missed_after_reset\n" FAIR_CYCLE);
	cr_expect_eq(mmfuzz("run seed1.prog"), 0, "%s", tool_output);
	expect_output("PASS  seed1.prog ");
	expect_output("INVARIANT zone_missed_after_reset on v4.7-rc1, clean on fixed\n1 passed, 0 failed\n");
}

/* Expect the run to go on after the first invariant that failed, and each that fails to be told once. */
Test(cmd, run_collects_everything_that_fails)
{
	tool_write("seed1.prog", "# kernel: v4.7-rc1\n# expect: INVARIANT zone_missed_after_reset\n" FAIR_CYCLE);
	cr_expect_eq(mmfuzz("run --collect seed1.prog"), 0, "%s", tool_output);
	expect_output("INVARIANT zone_missed_after_reset on v4.7-rc1\nSEEN  seed1.prog ");
	expect_output(" INVARIANT iterator_starts_over on v4.7-rc1\n");
	expect_output("PASS  seed1.prog ");
	cr_expect_eq(mmfuzz("run --collect --json --kernel v4.7-rc1 seed1.prog"), 1);
	expect_output("\"kernel\": \"v4.7-rc1\", \"seen\": \"INVARIANT iterator_starts_over\"}\n");
	expect_output("\"title\": \"INVARIANT zone_missed_after_reset\"");
}

Test(cmd, run_on_a_kernel_of_the_command_line_fails_on_any_finding)
{
	tool_write("seed1.prog", "# kernel: v4.7-rc1\n# expect: INVARIANT zone_missed_after_reset\n" FAIR_CYCLE);
	cr_expect_eq(mmfuzz("run --kernel v4.7-rc1 seed1.prog"), 1);
	expect_output("FAIL  seed1.prog ");
	expect_output("BUG: INVARIANT zone_missed_after_reset: page_alloc\n");
	expect_output("  again: build/mmfuzz run --kernel v4.7-rc1 seed1.prog ");
	cr_expect_eq(mmfuzz("run --kernel fixed seed1.prog"), 0);
}

Test(cmd, a_title_that_was_announced_and_does_not_come_is_a_failure)
{
	tool_write("clean.prog", "# expect: INVARIANT zone_missed_after_reset\n" CLEAN);
	cr_expect_eq(mmfuzz("run clean.prog"), 1);
	expect_output("clean on fixed (expected INVARIANT zone_missed_after_reset)");
	expect_output("0 passed, 1 failed\n");
}

Test(cmd, a_file_that_cannot_be_parsed_is_named_with_its_place_and_the_others_are_played)
{
	tool_write("a.prog", "machine preset=uma-64m\nmake_coffee()\n");
	tool_write("b.prog", CLEAN);
	cr_expect_eq(mmfuzz("run ."), 2);
	expect_output("./a.prog:2:1: ");
	expect_output("PASS  ./b.prog ");
	expect_output("1 passed, 1 failed\n");
}

Test(cmd, a_file_that_is_not_there_is_exit_code_2)
{
	cr_expect_eq(mmfuzz("run nowhere.prog"), 2);
	expect_output("nowhere.prog: No such file or directory");
}

/* Bytes in a directory of that target act as it would have them, and what the kernel does about that is no failure. */
Test(cmd, bytes_of_target_misuse_act_and_may_end_in_what_the_kernel_does_about_it)
{
	tool_write("a.prog", "# misuse: yes\nmachine preset=mini-pc\n"
			     "p0 = alloc_raw(gfp=GFP_KERNEL|GFP_DMA|GFP_DMA32)\n");
	make_subdirectory("misuse");
	cr_expect_eq(mmfuzz("bytes a.prog -o a"), 0);
	cr_expect_eq(mmfuzz("bytes a.prog -o misuse/a"), 0);
	cr_expect_eq(mmfuzz("run a misuse/a"), 0);
	expect_output("PASS  misuse/a ");
	expect_output("BUG gfp_zone");
	cr_expect_eq(mmfuzz("run a.prog"), 1);
	cr_expect_eq(mmfuzz("corpus convert misuse -o text"), 0);
	cr_expect_eq(mmfuzz("text text/a.prog"), 0);
	expect_output("# misuse: yes\n");
}

Test(cmd, run_prints_one_json_object_for_each_run)
{
	tool_write("seed1.prog", "# kernel: v4.7-rc1\n# expect: INVARIANT zone_missed_after_reset\n" FAIR_CYCLE);
	cr_expect_eq(mmfuzz("run --json seed1.prog"), 0);
	expect_output("{\"file\": \"seed1.prog\", \"kernel\": \"v4.7-rc1\", ");
	expect_output("\"op\": 1, \"trace_hash\": \"");
	expect_output("\"kernel\": \"fixed\", \"expect\": \"\", \"title\": \"\", \"op\": null, ");
	cr_expect_null(strstr(tool_output, "passed, "));
}

/* Expect the pages of the first operation to be gone from the zone, and those of the second to be there still. */
Test(cmd, run_stops_in_front_of_an_operation_and_names_the_way_into_it)
{
	tool_write("a.prog", "machine preset=uma-64m\np0 = alloc_pages(order=10)\nfree_pages(p0)\n");
	cr_expect_eq(mmfuzz("run --stop-at 1 --proc buddyinfo a.prog"), 0, "%s", tool_output);
	expect_output("before operation 1 of 2: p0 = alloc_pages(order=10, gfp=GFP_KERNEL)\n---- buddyinfo\n");
	expect_output(" 12 \n");
	cr_expect_eq(mmfuzz("run --stop-at 2 a.prog"), 0, "%s", tool_output);
	expect_output("before operation 2 of 2: free_pages(p0)\n---- zoneinfo\nNode 0, zone ");
	expect_output("---- buddyinfo\n");
	expect_output(" 11 \n");
	expect_output("---- pagetypeinfo\n");
	expect_output("\ngdb -q -ex 'break exec_op if index == 1' -ex run --args build/mmfuzz run --kernel fixed a.prog\n");
}

Test(cmd, run_says_why_it_does_not_get_to_an_operation)
{
	tool_write("seed1.prog", "# kernel: v4.7-rc1\n" FAIR_CYCLE "free_pages(p0)\n");
	cr_expect_eq(mmfuzz("run --stop-at 2 seed1.prog"), 1);
	expect_output("the program does not get there:\nBUG: INVARIANT zone_missed_after_reset");
	cr_expect_eq(mmfuzz("run --stop-at 3 seed1.prog"), 2);
	expect_output("seed1.prog: --stop-at 3: the program has 2 operations\n");
}

Test(cmd, bytes_and_text_are_each_others_inverse)
{
	tool_write("a.prog", "# what it is for\n" CLEAN);
	cr_expect_eq(mmfuzz("bytes a.prog -o a.bin"), 0, "%s", tool_output);
	cr_expect_eq(mmfuzz("text a.bin"), 0);
	cr_expect_str_eq(tool_output, CLEAN);
	cr_expect_eq(mmfuzz("text a.prog"), 0);
	cr_expect_str_eq(tool_output, "# what it is for\n" CLEAN);
	cr_expect_eq(mmfuzz("run a.bin"), 0);
}

Test(cmd, a_different_file_is_replaced_only_when_asked_for)
{
	tool_write("a.prog", CLEAN);
	tool_write("out", "something else");
	cr_expect_eq(mmfuzz("text a.prog -o out"), 2);
	expect_output("out: exists and is different; -f replaces it");
	cr_expect_eq(mmfuzz("text -f a.prog -o out"), 0);
	cr_expect_eq(mmfuzz("text a.prog -o out"), 0, "the same contents are no reason to complain");
}

Test(cmd, explain_tells_where_each_request_was_served_and_ends_with_the_verdict)
{
	tool_write("seed1.prog", FAIR_CYCLE);
	cr_expect_eq(mmfuzz("explain --kernel v4.7-rc1 seed1.prog"), 1);
	expect_output("kernel v4.7-rc1, machine uma-64m: ");
	expect_output("      no zone is left to look at\n");
	expect_output("BUG: INVARIANT zone_missed_after_reset: page_alloc\n");
	cr_expect_eq(mmfuzz("explain --op 1 seed1.prog"), 0);
	expect_output("\nclean: 128 calls, ");
	cr_expect_eq(mmfuzz("explain --op 2 seed1.prog"), 2);
}

Test(cmd, the_tables_have_a_row_for_everything)
{
	cr_expect_eq(mmfuzz("ops"), 0);
	expect_output("p = alloc_pages(order=0, gfp=GFP_KERNEL, node=0, nodemask=0x0)\n");
	cr_expect_eq(mmfuzz("machines"), 0);
	expect_output("uma-64m      64 MiB      1     1  DMA,Normal,Movable");
	cr_expect_eq(mmfuzz("kernels --json"), 0);
	expect_output("{\"name\": \"v4.7-rc1\", \"fair\": \"f47\", \"watermarks\": \"4.7\", "
		      "\"writeback\": \"4.7\", \"reset-zonelist-iterator\": false, ");
	cr_expect_eq(mmfuzz("patches"), 0);
	expect_output("fast-watermark-clamp           fix ");
	cr_expect_eq(mmfuzz("invariants"), 0);
	expect_output("zone_missed_after_reset            41  scan  page_alloc ");
}

Test(cmd, bench_compares_two_programs)
{
	tool_write("a.prog", CLEAN);
	tool_write("b.prog", CLEAN);
	cr_expect_eq(mmfuzz("bench exec --seconds 0 --pair a.prog b.prog"), 0, "%s", tool_output);
	expect_output("   ratio\noff ");
	cr_expect_eq(mmfuzz("bench exec --seconds 0 ."), 0, "%s", tool_output);
	expect_output(" times off\noff ");
	expect_output(" 1.00\nop ");
	expect_output("slowest (us per run)\n");
}

Test(cmd, a_directory_is_read_in_the_order_of_names_without_what_lies_beside_programs)
{
	struct file_list list = { 0 };

	tool_write("b.prog", "b");
	tool_write("a.bin", "a");
	tool_write("note.txt", "no program");
	tool_write(".hidden", "no program");
	cr_expect_null(file_list_add(&list, tool_path("")));
	cr_assert_eq(list.nr, 2);
	cr_expect_str_eq(list.paths[0], tool_path("a.bin"));
	cr_expect_str_eq(list.paths[1], tool_path("b.prog"));
	file_list_free(&list);
}

Test(cmd, a_kept_file_is_left_as_it_is)
{
	unsigned char *bytes;
	unsigned long size;

	tool_write("finding", "first");
	cr_expect_null(file_write(tool_path("finding"), "second", 6, EXISTING_KEEP));
	cr_assert_null(file_read(tool_path("finding"), &bytes, &size));
	cr_expect_eq(size, 5);
	cr_expect_str_eq((char *)bytes, "first");
	free(bytes);
}
