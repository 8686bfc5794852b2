// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_golden.c - mmfuzz golden [--kernel KERNEL] FILE|DIR...
 *
 * One PASS or FAIL line a file, under a FAIL both sides of the first difference, then the sum. A directory stands for
 * its *.txt files in the order of their names. Without --kernel a file is replayed on the kernel that it was recorded
 * from: v4.7, and for seed1off-* without the fix of seed 1. Exit code 0: all equal, 1: some differ, 2: a bad file or
 * option, 3: a hole in the shim, 4: the harness is wrong.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/cmd.h"
#include "fuzz/golden.h"
#include "kernel-shim/finding.h"
#include "mm/patches.h"

#define RECORDED_KERNEL "v4.7"
#define SEED_1_OFF_KERNEL "v4.7,-reset-zonelist-iterator"
#define SEED_1_OFF_PREFIX "seed1off-"

struct golden_run {
	const char *kernel_text;   /* NULL: by file name */
	unsigned int nr_passed;
	unsigned int nr_failed;
	int status;
};

static void worsen(struct golden_run *run, int status)
{
	if (status > run->status)
		run->status = status;
}

static int finding_status(void)
{
	if (finding.kind == FINDING_SHIM)
		return EXIT_SHIM;
	return finding.kind == FINDING_HARNESS ? EXIT_HARNESS : EXIT_FINDING;
}

static void print_place(const char *path, const struct golden_report *report, FILE *stream)
{
	if (report->line)
		fprintf(stream, "%s:%u: %s\n", path, report->line, report->reason);
	else
		fprintf(stream, "%s: %s\n", path, report->reason);
}

/* Both lines, and a mark under the first character that differs. */
static void print_difference(const struct golden_report *report)
{
	const char *a = report->recorded;
	const char *b = report->replayed;
	int column = 0;

	while (a[column] && a[column] == b[column])
		column++;
	if (report->op[0] && strncmp(report->op, a, strlen(report->op)) != 0)
		printf("  after    %s\n", report->op);
	printf("  recorded %s\n  replayed %s\n  %*s^\n", a, b, column + 9, "");
}

static void replay_file(struct golden_run *run, const char *path)
{
	static struct golden_report report;
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *text = run->kernel_text;
	enum golden_outcome outcome;

	if (!text)
		text = !strncmp(name, SEED_1_OFF_PREFIX, strlen(SEED_1_OFF_PREFIX)) ? SEED_1_OFF_KERNEL :
										      RECORDED_KERNEL;
	kernel_parse(&kernel, text);
	outcome = golden_replay(path, &report);
	if (outcome == GOLDEN_EQUAL) {
		printf("PASS %s\n", path);
		run->nr_passed++;
		return;
	}
	printf("FAIL %s\n", path);
	run->nr_failed++;
	if (outcome == GOLDEN_BAD_FILE) {
		fflush(stdout);
		print_place(path, &report, stderr);
		worsen(run, EXIT_USAGE);
		return;
	}
	printf("  ");
	print_place(path, &report, stdout);
	if (outcome == GOLDEN_DIFFERS) {
		print_difference(&report);
		worsen(run, EXIT_FINDING);
		return;
	}
	printf("  at       %s\n  finding  %s: %s\n", report.recorded, finding.name, finding.detail);
	worsen(run, finding_status());
}

static int is_recording(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 4 && !strcmp(entry->d_name + length - 4, ".txt");
}

static void replay_directory(struct golden_run *run, const char *path)
{
	struct dirent **entries = NULL;
	int nr = scandir(path, &entries, is_recording, alphasort);
	int i;

	if (nr <= 0) {
		fprintf(stderr, "%s: %s\n", path, nr ? "the directory cannot be read" : "no *.txt file is here");
		worsen(run, EXIT_USAGE);
	}
	for (i = 0; i < nr; i++) {
		char file[4096];

		if (snprintf(file, sizeof(file), "%s/%s", path, entries[i]->d_name) < (int)sizeof(file))
			replay_file(run, file);
		free(entries[i]);
	}
	free(entries);
}

int cmd_golden(int argc, char **argv)
{
	static const struct usage usage = {
		"golden", "FILE|DIR...",
		"Replay what a real kernel was recorded to do, and demand equality. A directory stands for its *.txt files.\n"
		"Without --kernel a file is replayed on the kernel that it was recorded from.",
		1, 0,
	};
	struct golden_run run = { 0 };
	const struct option_spec specs[] = {
		{ "kernel", 'k', "KERNEL", "replay on this kernel", .text = &run.kernel_text },
		{ 0 },
	};
	struct stat status;
	int i;
	int code = options_parse(&usage, specs, argc, argv, &i);

	if (code != OPTIONS_GO_ON)
		return code;
	if (run.kernel_text && load_kernel(&kernel, run.kernel_text, "mmfuzz golden: --kernel"))
		return EXIT_USAGE;
	for (; i < argc; i++) {
		if (!stat(argv[i], &status) && S_ISDIR(status.st_mode))
			replay_directory(&run, argv[i]);
		else
			replay_file(&run, argv[i]);
		fflush(stdout);
	}
	printf("%u passed, %u failed\n", run.nr_passed, run.nr_failed);
	return run.status;
}
