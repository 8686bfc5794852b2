// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_fuzz.c - the options of a campaign; the campaign itself is campaign.c.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/campaign.h"
#include "fuzz/cmd.h"

static const struct usage usage = {
	"fuzz", "",
	"Fuzz until the time is up or Ctrl-C, with libFuzzer, AFL++ or both on one corpus. Findings do not end it: each is\n"
	"kept in DIR/findings, a line says so when its title is new, and 'mmfuzz triage' makes them readable. The next\n"
	"campaign in the same DIR goes on where this one ended. Progress goes to standard error, numbers to\n"
	"DIR/stats.json. Exit code 1: something new was found.\n"
	"News are new titles, edges of mm/ and state cells; 'next minute' is the chance of some: 1 - (T/(T+60))^(k+1) for k\n"
	"moments with news in the last half, T seconds, of the campaign, as of events at one unknown rate.",
	0, NO_FILES,
};

/* Mistakes are told now, not by each engine. */
static int check(struct campaign_options *options)
{
	struct kernel_config kernel_config;
	unsigned int i;

	if (option_word(&usage, "engine", "libfuzzer afl both", options->engine) < 0 ||
	    load_kernel(&kernel_config, options->kernel, "mmfuzz fuzz: --kernel"))
		return EXIT_USAGE;
	if (!options->jobs || options->jobs > CAMPAIGN_JOBS_MAX) {
		fprintf(stderr, "mmfuzz fuzz: --jobs: expected 1..%d; got %lu\n", CAMPAIGN_JOBS_MAX, options->jobs);
		return EXIT_USAGE;
	}
	if (strpbrk(options->target, "/.")) {
		fprintf(stderr, "mmfuzz fuzz: --target: expected a name, as in fuzz/target_NAME.c; got '%s'\n",
			options->target);
		return EXIT_USAGE;
	}
	for (i = 0; options->machine && i < nr_machine_presets; i++)
		if (!strcmp(machine_presets[i].name, options->machine))
			return EXIT_CLEAN;
	if (!options->machine)
		return EXIT_CLEAN;
	fprintf(stderr, "mmfuzz fuzz: --machine: unknown preset '%s'; they are listed by: mmfuzz machines\n",
		options->machine);
	return EXIT_USAGE;
}

int cmd_fuzz(int argc, char **argv)
{
	struct campaign_options options = { .target = "page_alloc", .engine = "libfuzzer", .kernel = "fixed",
					    .seconds = 60 };
	const struct option_spec specs[] = {
		{ "target", 't', "NAME", "fuzz/target_NAME.c (page_alloc)", .text = &options.target },
		{ "engine", 'e', "libfuzzer|afl|both", "(libfuzzer)", .text = &options.engine },
		{ "kernel", 'k', "KERNEL", "kernel under test (fixed)", .text = &options.kernel },
		{ "machine", 'm', "PRESET", "every program on this machine", .text = &options.machine },
		{ "seconds", 's', "N", "how long; 0 = until Ctrl-C (60)", .number = &options.seconds },
		{ "jobs", 'j', "N", "processes (one per CPU)", .number = &options.jobs },
		{ "seed", 0, "N", "of the engines (from the clock)", .number = &options.seed },
		{ "corpus", 'c', "DIR", "more programs to begin with, text or bytes", .text = &options.corpus },
		{ "no-seeds", 0, NULL, "leave out the programs of corpus/", .flag = &options.no_seeds },
		{ "output", 'o', "DIR", "(build/campaigns/NAME)", .text = &options.output },
		{ "known", 0, "FILE", "titles that are no news, one a line", .text = &options.known_path },
		{ "first", '1', NULL, "end at the first new title", .flag = &options.first },
		{ "quiet", 'q', NULL, "no status line", .flag = &options.quiet },
		{ 0 },
	};
	char output[CAMPAIGN_PATH_BYTES];
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int first, code;

	options.jobs = cpus > 0 ? (unsigned long)cpus : 1;
	options.seed = (unsigned long)time(NULL) % 1000000000UL;
	code = options_parse(&usage, specs, argc, argv, &first);
	if (code != OPTIONS_GO_ON)
		return code;
	code = check(&options);
	if (code != EXIT_CLEAN)
		return code;
	snprintf(output, sizeof(output), "build/campaigns/%s", options.target);
	if (!options.output)
		options.output = output;
	if (!options.quiet)
		fprintf(stderr, "fuzz: target %s, kernel %s, engine %s, seed %lu, in %s\n", options.target,
			options.kernel, options.engine, options.seed, options.output);
	return campaign_run(&options);
}
