// SPDX-License-Identifier: GPL-2.0
/*
 * mmfuzz.c - the command-line tool: finds the verb. Everything a verb does is in its cmd_*.c; no logic is here.
 * The build names itself through MMFUZZ_FLAVOUR, MMFUZZ_COMPILER and MMFUZZ_COMMIT (Makefile, version.h).
 */
#include <string.h>

#include "fuzz/cmd.h"

static const struct verb {
	const char *name;
	const char *arguments;
	const char *sentence;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{ "run", "FILE|DIR...", "play programs, demand the verdicts they announce", cmd_run },
	{ "explain", "FILE", "tell the story of a program: each zone tried or skipped, and why", cmd_explain },
	{ "plot", "FILE", "draw dirty pages against their limits over simulated time", cmd_plot },
	{ "text", "FILE", "the text form of a program", cmd_text },
	{ "bytes", "FILE", "the byte form of a program", cmd_bytes },
	{ "shrink", "FILE", "make a finding as small as it can be with the same title", cmd_shrink },
	{ "fuzz", "", "a campaign: libFuzzer and AFL++, a status line, a summary", cmd_fuzz },
	{ "triage", "DIR", "group the findings of a campaign by title, shrink and keep them", cmd_triage },
	{ "bisect", "FILE", "which single patch changes the verdict", cmd_bisect },
	{ "diff", "FILE", "the first operation that goes another way on another kernel", cmd_diff },
	{ "bugs", "[SLUG...]", "time to bug, for each fix switched off", cmd_bugs },
	{ "export", "FILE", "a program as C source, or as a Criterion test", cmd_export },
	{ "corpus", "show|minimise|convert ...", "what programs reach, states too; fewer programs; the other spelling", cmd_corpus },
	{ "doctor", "", "can this installation find anything", cmd_doctor },
	{ "golden", "FILE|DIR...", "replay what a real kernel was recorded to do, demand equality", cmd_golden },
	{ "ops", "", "the operations a program is made of", cmd_ops },
	{ "machines", "", "the preset machines", cmd_machines },
	{ "kernels", "", "the kernels under test, and which patches each has", cmd_kernels },
	{ "patches", "", "the switchable patches", cmd_patches },
	{ "invariants", "", "the rules that runs are judged by", cmd_invariants },
	{ "bench", "exec FILE|DIR...", "how fast programs run", cmd_bench },
};

#define NR_VERBS (sizeof(verbs) / sizeof(verbs[0]))

static void print_help(FILE *file)
{
	unsigned int i;

	fputs("mmfuzz - the Linux page allocator as a program, fuzzed and held to its invariants\n\n", file);
	for (i = 0; i < NR_VERBS; i++) {
		char left[64];

		snprintf(left, sizeof(left), "mmfuzz %s %s", verbs[i].name, verbs[i].arguments);
		fprintf(file, "  %-34s %s\n", left, verbs[i].sentence);
	}
	fputs("\nmmfuzz VERB --help says more. A FILE ending in .prog is text, anything else is bytes.\n"
	      "KERNEL is BASE[,+PATCH][,-PATCH][,fair=MODE], for example v4.7-rc1 or fixed,-clamp-bulk-free.\n"
	      "Exit codes: 0 clean, 1 a finding, 2 a wrong option or file, 3 a hole in the shim, 4 a broken harness.\n",
	      file);
}

static int print_version(void)
{
	printf("mmfuzz %s, %s build by %s\n", MMFUZZ_COMMIT, MMFUZZ_FLAVOUR, MMFUZZ_COMPILER);
	return EXIT_CLEAN;
}

/* What could not be written was not said. */
static int finish(int code)
{
	if (!fflush(stdout) && !ferror(stdout))
		return code;
	perror("mmfuzz: standard output");
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	unsigned int i;

	if (!strcmp(verb, "--help") || !strcmp(verb, "-h") || !strcmp(verb, "help")) {
		print_help(stdout);
		return finish(EXIT_CLEAN);
	}
	if (!strcmp(verb, "--version"))
		return finish(print_version());
	for (i = 0; i < NR_VERBS; i++)
		if (!strcmp(verb, verbs[i].name))
			return finish(verbs[i].run(argc - 1, argv + 1));
	if (*verb)
		fprintf(stderr, "mmfuzz: unknown verb '%s'\n\n", verb);
	print_help(stderr);
	return EXIT_USAGE;
}
