// SPDX-License-Identifier: GPL-2.0
/*
 * campaign.c - what is done with findings, by the built tool: shrink, triage, bisect, diff, and campaigns that cannot
 * begin. Whole campaigns are run by `make canary` and `make time-to-bug`, for they need the engines.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/tool.h"

#define FAIR "machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL) x128\n"
#define FAIR_LONG                                                                                                   \
	"machine preset=uma-64m hz=250\ntick(jiffies=3)\np0 = alloc_pages(order=1, gfp=GFP_ATOMIC)\n"               \
	"p1 = alloc_pages(order=0, gfp=GFP_KERNEL) x128\nfree_pages(p0)\ndrain_all_pages()\n"
#define TITLE "INVARIANT zone_missed_after_reset"

TestSuite(campaign, .init = tool_begin, .fini = tool_end);

/* 255 operations, most of them single allocations: one of the last uses up the second fair batch. */
static void write_long_finding(const char *name)
{
	static char text[65536];
	unsigned int i, nr = 0;
	size_t at = 0;

	at += (size_t)sprintf(text + at, "machine preset=uma-64m hz=300\n");
	for (i = 0; i < 255; i++) {
		if (i % 8 == 7)
			at += (size_t)sprintf(text + at, "tick(jiffies=2)\n");
		else
			at += (size_t)sprintf(text + at, "p%u = alloc_pages(order=%d, gfp=%s)\n", nr++,
					      i < 160 && i % 8 == 3 ? 2 : 0, i < 160 ? "GFP_ATOMIC|GFP_DMA" : "GFP_USER");
	}
	tool_write(name, text);
}

Test(campaign, a_finding_of_255_operations_shrinks_to_a_few_with_the_same_title)
{
	unsigned int i, nr = 0;

	write_long_finding("long.prog");
	cr_assert_eq(mmfuzz("run --kernel v4.7-rc1 long.prog"), 1, "%s", tool_output);
	cr_assert_eq(mmfuzz("shrink --kernel v4.7-rc1 --seconds 10 long.prog -o short.prog"), 0, "%s", tool_output);
	expect_output("255 operations before");
	cr_assert_eq(mmfuzz("run short.prog"), 0, "%s", tool_output);
	cr_assert_eq(mmfuzz("text short.prog"), 0);
	for (i = 0; tool_output[i]; i++)
		nr += !strncmp(tool_output + i, "(order", 6) || !strncmp(tool_output + i, "tick", 4);
	cr_expect(nr >= 1 && nr <= 12, "%s", tool_output);
}

/* Expect the directives to make the small program a test by itself. */
Test(campaign, shrink_writes_the_story_and_the_directives)
{
	tool_write("a.prog", FAIR_LONG);
	cr_assert_eq(mmfuzz("shrink --kernel v4.7-rc1 a.prog"), 0, "%s", tool_output);
	expect_output("# The rule: a NULL return means");
	expect_output("# kernel: v4.7-rc1\n# expect: " TITLE "\nmachine preset=uma-64m\np0 = alloc_pages(");
	cr_assert_eq(mmfuzz("shrink --kernel fixed a.prog"), 2);
	expect_output("a.prog: clean on fixed, there is nothing to keep");
}

Test(campaign, triage_groups_by_title_and_keeps_the_smallest)
{
	cr_assert_eq(shell("mkdir found"), 0);
	tool_write("found/one.prog", "# kernel: v4.7-rc1\n" FAIR);
	tool_write("found/two.prog", "# kernel: v4.7-rc1\n" FAIR_LONG);
	tool_write("found/clean.prog", FAIR);
	cr_assert_eq(mmfuzz("bytes found/one.prog -o found/one.bin"), 0);
	cr_assert_eq(mmfuzz("triage found"), 1, "%s", tool_output);
	expect_output("     2  1 -> 1      new    " TITLE);
	expect_output("found/clean.prog: clean on fixed");
	expect_output("1 new, of 3 files: 1 clean, 0 not repeatable, 0 unreadable");
	cr_assert_eq(mmfuzz("run found/triage"), 0, "%s", tool_output);
	expect_output("1 passed, 0 failed");
}

/* Expect a second triage not to take its own results for findings. */
Test(campaign, a_second_triage_says_the_same)
{
	cr_assert_eq(shell("mkdir found"), 0);
	tool_write("found/one.prog", "# kernel: v4.7-rc1\n" FAIR);
	cr_assert_eq(mmfuzz("triage found"), 1);
	cr_assert_eq(mmfuzz("triage found"), 1);
	expect_output("1 new, of 1 files");
}

Test(campaign, known_titles_are_counted_and_no_news)
{
	cr_assert_eq(shell("mkdir found"), 0);
	tool_write("found/one.prog", "# kernel: v4.7-rc1\n" FAIR);
	tool_write("known.txt", "# from the last campaign\n\n" TITLE "  \n");
	cr_assert_eq(mmfuzz("triage found --known known.txt"), 0, "%s", tool_output);
	expect_output("known  " TITLE);
	expect_output("0 new, of 1 files");
	cr_assert_eq(mmfuzz("run --kernel v4.7-rc1 --known known.txt found/one.prog"), 0, "%s", tool_output);
	expect_output("1 known, 1 passed, 0 failed");
	cr_assert_eq(mmfuzz("run --known nowhere.txt found/one.prog"), 2);
	expect_output("--known: nowhere.txt: No such file");
}

/* Expect a promotion only of what the fixed kernel does not do. */
Test(campaign, promoted_findings_are_regressions)
{
	cr_assert_eq(shell("mkdir -p found corpus/regressions"), 0);
	tool_write("found/one.prog", "# kernel: v4.7-rc1\n" FAIR);
	cr_assert_eq(mmfuzz("triage found --promote"), 1, "%s", tool_output);
	expect_output("corpus/regressions/invariant-zone_missed_after_reset.prog  promoted");
	cr_assert_eq(mmfuzz("run corpus/regressions"), 0, "%s", tool_output);
	expect_output(TITLE " on v4.7-rc1, clean on fixed");
}

Test(campaign, an_unreadable_finding_is_told_and_the_rest_is_triaged)
{
	cr_assert_eq(shell("mkdir found"), 0);
	tool_write("found/bad.prog", "machine preset=nowhere\n");
	tool_write("found/one.prog", "# kernel: v4.7-rc1\n" FAIR);
	cr_assert_eq(mmfuzz("triage found"), 2);
	expect_output("found/bad.prog:1:");
	expect_output("1 new, of 2 files: 0 clean, 0 not repeatable, 1 unreadable");
}

Test(campaign, bisect_names_the_fix)
{
	tool_write("a.prog", "# kernel: v4.7-rc1\n" FAIR);
	cr_assert_eq(mmfuzz("bisect a.prog"), 0, "%s", tool_output);
	expect_output("+reset-zonelist-iterator          clean");
	tool_write("b.prog", "machine preset=uma-64m\ntick()\n");
	cr_assert_eq(mmfuzz("bisect b.prog"), 1);
	expect_output("no single patch changes that");
}

Test(campaign, diff_tells_the_first_operation_that_differs_on_both_kernels)
{
	tool_write("a.prog", "# kernel: v4.7-rc1\n" FAIR_LONG);
	cr_assert_eq(mmfuzz("diff a.prog"), 1, "%s", tool_output);
	expect_output("a.prog: the same up to operation 3 of 5");
	expect_output("--- v4.7-rc1: " TITLE);
	expect_output("--- fixed: clean");
	cr_assert_eq(mmfuzz("diff --a v4.7 --b v4.7 a.prog"), 0);
	expect_output("the same trace and verdict (clean)");
}

/* Expect a program that reaches nothing of its own to be left out, and the small one to stay. */
Test(campaign, a_corpus_is_minimised_by_the_states_it_reaches)
{
	cr_assert_eq(shell("mkdir in"), 0);
	tool_write("in/a.prog", "machine preset=uma-64m\np0 = alloc_pages()\n");
	tool_write("in/b.prog", "machine preset=uma-64m\np0 = alloc_pages()\nkswapd_sleep()\n");
	tool_write("in/c.prog", "machine preset=uma-64m\np0 = alloc_pages(order=3)\nfree_pages(p0)\ndrain_all_pages()\n");
	cr_assert_eq(mmfuzz("corpus show in"), 0);
	expect_output("3 programs, ");
	cr_assert_eq(mmfuzz("corpus minimise in -o out --bytes"), 0, "%s", tool_output);
	expect_output("2 of 3 programs to out");
	cr_assert_eq(shell("ls out"), 0);
	cr_expect_str_eq(tool_output, "a\nc\n");
	cr_assert_eq(mmfuzz("corpus convert out -o text"), 0);
	cr_assert_eq(mmfuzz("text text/c.prog"), 0);
	expect_output("p0 = alloc_pages(order=3, gfp=GFP_KERNEL)\nfree_pages(p0)\ndrain_all_pages()\n");
	cr_assert_eq(mmfuzz("corpus minimise in"), 2);
	cr_assert_eq(mmfuzz("corpus paint in -o out"), 2);
}

/* Expect a cell that one program hits, one that all hit, and one that none does. */
Test(campaign, state_cells_of_a_corpus_are_listed_with_those_that_nobody_hits)
{
	cr_assert_eq(shell("mkdir in"), 0);
	tool_write("in/a.prog", "machine preset=uma-64m\np0 = alloc_pages()\n");
	tool_write("in/b.prog", "machine preset=uma-64m\np0 = alloc_pages(order=3)\n");
	cr_assert_eq(shell("\"$MMFUZZ\" corpus --states in >all && grep -E '/taken|/3/|/10/|programs' all"), 0);
	expect_output("\n       2  visit/Normal/above_high/taken\n");
	expect_output("\n       1  request/3/unmovable/fast\n");
	expect_output("\n   never  request/10/movable/failed\n");
	expect_output("\n2 programs on fixed, ");
	cr_assert_eq(shell("\"$MMFUZZ\" corpus --states --json in | sed 's/\"planes.*\"visit.DMA.below_min.cpuset\"/.../; "
			   "s/\"slow\\/.*//'"), 0);
	expect_output("{\"programs\": 2, \"kernel\": \"fixed\", ");
	expect_output("\"request/3/unmovable/fast\": 1,");
	cr_expect_eq(mmfuzz("corpus --states nowhere"), 2);
	cr_expect_eq(mmfuzz("corpus"), 2);
}

/* Expect what is exported to be built against the library beside the tool, and to say what the tool says. */
Test(campaign, exported_sources_compile_and_run)
{
	static const char build[] = "cc -std=gnu11 -Wall -Wextra -Werror -I\"$ROOT\" -I\"$ROOT/kernel-shim\" %s.c "
				    "\"$ROOT/build/release/libmmfuzz.a\" %s -lurcu-memb -lurcu-common -o %s && env -i ./%s";
	char command[1024];

	if (!strstr(getenv("MMFUZZ"), "/release/"))
		cr_skip_test("other flavours link with their sanitizers");
	setenv("ROOT", "", 1);
	cr_assert_eq(shell("cd \"$(dirname \"$MMFUZZ\")/../..\" && pwd"), 0);
	tool_output[strcspn(tool_output, "\n")] = '\0';
	setenv("ROOT", tool_output, 1);
	tool_write("a.prog", "# A story.\n# kernel: v4.7-rc1\n" FAIR);
	cr_assert_eq(shell("\"$MMFUZZ\" export --c a.prog >plain.c && \"$MMFUZZ\" export --criterion a.prog >test.c"), 0);
	snprintf(command, sizeof(command), build, "plain", "", "plain", "plain");
	cr_assert_eq(shell(command), 1, "%s", tool_output);
	expect_output("BUG: " TITLE);
	snprintf(command, sizeof(command), build, "test", "-lcriterion", "test", "test");
	cr_assert_eq(shell(command), 0, "%s", tool_output);
	expect_output("Passing: 1");
}

/* Engines that are not built are told of, and no failure. */
Test(campaign, a_doctor_finds_this_installation_well)
{
	cr_expect_eq(mmfuzz("doctor --canary 0"), 0, "%s", tool_output);
	expect_output("runs are deterministic and clean on 'fixed'                ok");
}

/* In place of AFL++: one discovery, and what it took from libFuzzer's corpus and from the seeds. */
#define AFL                                                                                                         \
	"#!/bin/sh\n"                                                                                               \
	"while [ \"$1\" != -o ]; do shift; done\n"                                                                 \
	"mkdir -p \"$2/job1/queue\" && cd \"$2/job1/queue\" || exit 1\n"                                          \
	"cp \"$OLDPWD/found\" id:000007,src:000000,op:custom\n"                                                   \
	"cp \"$OLDPWD/found\" id:000008,sync:corpus,src:000001\n"                                                 \
	"cp \"$OLDPWD/found\" id:000009,orig:fair\n"                                                              \
	"exec sleep 60\n"

Test(campaign, discoveries_of_afl_become_files_of_the_corpus)
{
	tool_write("found.prog", FAIR);
	tool_write("afl-fuzz", AFL);
	cr_assert_eq(mmfuzz("bytes found.prog -o found"), 0);
	cr_assert_eq(shell("chmod +x afl-fuzz && mkdir afl tool && cp \"$MMFUZZ\" tool && "
			   "touch afl/target_page_alloc afl/mutator.so"), 0);
	cr_expect_eq(shell("PATH=\"$PWD:$PATH\" tool/mmfuzz fuzz --engine afl --target page_alloc -s 1 -q -o out"), 0, "%s",
		     tool_output);
	cr_expect_eq(shell("ls out/corpus"), 0);
	cr_expect_str_eq(tool_output, "afl1-id:000007\n");
	cr_expect_eq(mmfuzz("text out/corpus/afl1-id:000007"), 0);
	expect_output(FAIR);
}

Test(campaign, mistakes_are_told_before_anything_starts)
{
	cr_expect_eq(mmfuzz("fuzz --engine honggfuzz -o here"), 2);
	expect_output("expected one of libfuzzer afl both; got 'honggfuzz'");
	cr_expect_eq(mmfuzz("fuzz --kernel v9 -o here"), 2);
	cr_expect_eq(mmfuzz("fuzz --machine toaster -o here"), 2);
	expect_output("unknown preset 'toaster'");
	cr_expect_eq(mmfuzz("fuzz --jobs 0 -o here"), 2);
	cr_expect_eq(mmfuzz("fuzz --target ../x -o here"), 2);
	cr_expect_eq(mmfuzz("fuzz --target nowhere -o here"), 2);
	expect_output("target_nowhere is not built: make build/fuzzer/target_nowhere");
	cr_expect_eq(shell("test -e here"), 1);
	cr_expect_eq(mmfuzz("bugs no-such-slug"), 2);
}
