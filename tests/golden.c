// SPDX-License-Identifier: GPL-2.0
/*
 * golden.c - the port does what a real 4.7 kernel was recorded to do (fuzz/golden.c), and the comparison can fail.
 *
 * tests/data/golden holds a selection of recordings: boots of every shape of machine, watermark arithmetic, the fair
 * policy, fallback, reserves, isolation, CMA, dirty spreading and zonelist orders.
 */
#include <stdio.h>
#include <string.h>
#include "tests/support.h"
#include "fuzz/golden.h"
#include "mm/patches.h"

#define DIRECTORY "tests/data/golden/"
#define V4_7 "v4.7"
#define V4_7_WITH_SEED_1 "v4.7,-reset-zonelist-iterator"

/* What is wrong with a file, in the words of the report. */
static struct golden_report report;

static void use_kernel(const char *text)
{
	const char *why = kernel_parse(&kernel, text);

	cr_assert_null(why, "%s: %s", text, why);
}

static void expect_equal(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), DIRECTORY "%s.txt", name);
	cr_expect_eq(golden_replay(path, &report), GOLDEN_EQUAL, "%s:%u: %s\n  after    %s\n  recorded %s\n  replayed %s",
		     path, report.line, report.reason, report.op, report.recorded, report.replayed);
}

static void expect_all_equal(const char *const *names)
{
	for (; *names; names++)
		expect_equal(*names);
}

/* A recording in memory, to be damaged. */
static char *load(const char *name)
{
	static char text[1 << 17];
	FILE *stream;
	char path[256];
	size_t size;

	snprintf(path, sizeof(path), DIRECTORY "%s.txt", name);
	stream = fopen(path, "r");
	cr_assert_not_null(stream, "%s", path);
	size = fread(text, 1, sizeof(text) - 1, stream);
	cr_assert(size && feof(stream), "%s does not fit", path);
	text[size] = '\0';
	fclose(stream);
	return text;
}

static enum golden_outcome replay(const char *text)
{
	return golden_replay_text(text, strlen(text), &report);
}

/* Replace the first occurrence of `old` by as many bytes. */
static void damage(char *text, const char *old, const char *new)
{
	char *at = strstr(text, old);

	cr_assert_not_null(at, "'%s' is not there", old);
	while (*new)
		*at++ = *new++;
}

Test(golden, every_recorded_boot_gives_the_same_zones_and_lists)
{
	static const char *const names[] = { "boot-up16",    "boot-uphole",   "boot-hm1g", "boot-numa4asym",
					     "boot-x86-mini", "boot-x86-8g", NULL };

	use_kernel(V4_7);
	expect_all_equal(names);
}

Test(golden, marks_and_reserves_follow_from_the_sizes_of_the_zones)
{
	static const char *const names[] = { "wm-dma-normal", "wm-dma32-smp", "wm-edges", "wm-highmem", NULL };

	use_kernel(V4_7);
	expect_all_equal(names);
}

Test(golden, zonelists_follow_the_order_that_was_asked_for)
{
	use_kernel(V4_7);
	expect_equal("numa4-zl");
}

Test(golden, every_operation_gets_the_page_that_linux_gave)
{
	static const char *const names[] = { "smp24-a", "uphole-b1", "up4-c", "up24-d", "hm48-w", NULL };

	use_kernel(V4_7);
	expect_all_equal(names);
}

Test(golden, reserved_isolated_and_contiguous_pageblocks_are_handled_as_in_linux)
{
	static const char *const names[] = { "iso24-u", "numa2-u", "x86mini-i", "x86mini-x", NULL };

	use_kernel(V4_7);
	expect_all_equal(names);
}

/* The recording of a kernel with the defect of seed 1 is only equal to a port with that defect. */
Test(golden, seed_1_is_told_from_its_fix)
{
	use_kernel(V4_7_WITH_SEED_1);
	expect_equal("seed1off-up24-a-trace");
	use_kernel(V4_7);
	cr_expect_eq(golden_replay(DIRECTORY "seed1off-up24-a-trace.txt", &report), GOLDEN_DIFFERS);
	cr_expect_eq(report.line, 127, "the first wakeup of kswapd, not line %u", report.line);
}

Test(golden, a_changed_digit_in_a_state_is_a_difference)
{
	char *text = load("boot-up16");

	use_kernel(V4_7);
	damage(text, "area=U:[] M:[0,0,0,0,0,1", "area=U:[] M:[0,0,0,0,0,2");
	/*
	 * Expect the line of the state and both sides of it.
	 */
	cr_expect_eq(replay(text), GOLDEN_DIFFERS);
	cr_expect_not_null(strstr(report.recorded, "[0,0,0,0,0,2"));
	cr_expect_not_null(strstr(report.replayed, "[0,0,0,0,0,1"));
}

Test(golden, a_changed_digit_in_an_answer_is_a_difference)
{
	char *text = load("up24-d");

	use_kernel(V4_7);
	damage(text, "-> pfn=0x1000", "-> pfn=0x1400");
	cr_expect_eq(replay(text), GOLDEN_DIFFERS);
	cr_expect_not_null(strstr(report.recorded, "pfn=0x1400"));
	cr_expect_not_null(strstr(report.replayed, "pfn=0x1000"));
}

Test(golden, a_truncated_file_is_refused)
{
	char *text = load("boot-up16");
	size_t length = strlen(text);
	size_t cut;

	use_kernel(V4_7);
	cr_assert_eq(replay(text), GOLDEN_EQUAL);
	/* Wherever it is cut, between lines or inside one. */
	for (cut = 0; cut < length; cut++)
		cr_expect_eq(golden_replay_text(text, cut, &report), GOLDEN_BAD_FILE, "cut after %zu bytes", cut);
}

Test(golden, a_missing_line_is_refused_or_a_difference)
{
	char *text = load("boot-uphole");
	char *line = strstr(text, "zonelist ");

	use_kernel(V4_7);
	memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n')));
	cr_expect_eq(replay(text), GOLDEN_BAD_FILE);
	cr_expect_str_eq(report.reason, "a zonelist line is missing before this one");
}

Test(golden, garbage_is_refused_with_its_line)
{
	use_kernel(V4_7);
	cr_expect_eq(replay("# a comment\nnonsense\n"), GOLDEN_BAD_FILE);
	cr_expect_eq(report.line, 2);
	cr_expect_eq(replay(""), GOLDEN_BAD_FILE);
	cr_expect_eq(golden_replay_text("\0\n", 2, &report), GOLDEN_BAD_FILE);
	cr_expect_eq(golden_replay(DIRECTORY "no-such-file.txt", &report), GOLDEN_BAD_FILE);
	cr_expect_eq(golden_replay(DIRECTORY, &report), GOLDEN_BAD_FILE, "a directory is not a recording");
}

/* A recording never makes the allocator free what it does not own. */
Test(golden, a_free_of_a_block_that_is_not_held_is_refused)
{
	char *text = load("up24-d");
	char *at = strstr(text, " free pfn=0x");

	use_kernel(V4_7);
	at[strlen(" free pfn=0x") + 1] ^= 1;
	cr_expect_eq(replay(text), GOLDEN_BAD_FILE);
	cr_expect_str_eq(report.reason, "no allocated block of this order begins at this frame");
}
