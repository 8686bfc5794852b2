// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_bugs.c - how long a campaign takes to find a bug that is known to be there: for each fix, the kernel that has all
 * but this one, N campaigns from an empty corpus, and the medians. Each is `mmfuzz fuzz --first`, so what is measured is
 * what a user gets, start of the engine included.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/cmd.h"
#include "fuzz/campaign.h"
#include "fuzz/files.h"
#include "fuzz/minimise.h"

#define RUNS_MAX 100
#define MACHINES_MAX 16

static const struct usage usage = {
	"bugs", "[SLUG...]",
	"Time to bug: for each fix (or those named), campaigns against fixed,-SLUG from an empty corpus until the first\n"
	"finding: how many of them found it, and medians of seconds and of programs run. Runs that find nothing count as\n"
	"having taken the whole time.",
	0, 0,
};

struct bugs_args {
	const char *engine;
	const char *target;
	const char *kernel;
	const char *machines;
	const char *output;
	unsigned long runs;
	unsigned long seconds;
	unsigned long seed;
	unsigned long jobs;
};

/* What one campaign needed. */
struct sample {
	double seconds;
	double programs;
	_Bool found;
	char title[VERDICT_TITLE_BYTES];
};

/* The value behind "name": in an object, or NULL. */
static const char *json_value(const char *text, const char *name)
{
	char quoted[64];
	const char *at;

	snprintf(quoted, sizeof(quoted), "\"%s\": ", name);
	at = strstr(text, quoted);
	return at ? at + strlen(quoted) : NULL;
}

static void read_sample(const char *directory, struct sample *sample)
{
	char path[CAMPAIGN_PATH_BYTES];
	unsigned char *bytes;
	unsigned long size;
	const char *value;

	snprintf(path, sizeof(path), "%s/stats.json", directory);
	if (file_read(path, &bytes, &size))
		return;
	value = json_value((const char *)bytes, "programs");
	sample->programs = value ? strtod(value, NULL) : 0;
	value = json_value((const char *)bytes, "first_seconds");
	sample->found = value && *value != 'n';
	if (sample->found)
		sample->seconds = strtod(value, NULL);
	value = json_value((const char *)bytes, "title");
	if (value && *value == '"')
		snprintf(sample->title, sizeof(sample->title), "%.*s", (int)strcspn(value + 1, "\""), value + 1);
	free(bytes);
}

/* In a child, for a campaign keeps what it knows in static memory and ends with its process. */
static void run_campaign(const struct campaign_options *options, struct sample *sample)
{
	pid_t pid;
	int status;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(EXIT_USAGE);
		_exit(campaign_run(options));
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	sample->seconds = (double)options->seconds;
	read_sample(options->output, sample);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

static int by_value(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return difference < 0 ? -1 : difference > 0;
}

static double median(double *values, unsigned long nr)
{
	qsort(values, nr, sizeof(*values), by_value);
	return nr % 2 ? values[nr / 2] : (values[nr / 2 - 1] + values[nr / 2]) / 2;
}

static void print_row(const char *name, const char *machine, const struct sample *samples, unsigned long nr)
{
	double seconds[RUNS_MAX], programs[RUNS_MAX];
	const char *title = "-";
	unsigned long i, found = 0;

	for (i = 0; i < nr; i++) {
		seconds[i] = samples[i].seconds;
		programs[i] = samples[i].programs;
		found += samples[i].found;
		if (samples[i].found && *title == '-')
			title = samples[i].title;
	}
	printf("%-34s %-10s %3lu/%-3lu ", name, machine ? machine : "all", found, nr);
	if (2 * found > nr)
		printf("%10.1f %12.0f  %s\n", median(seconds, nr), median(programs, nr), title);
	else
		printf("%10s %12s  %s\n", "-", "-", title);
	fflush(stdout);
}

static void measure(const struct bugs_args *args, const char *name, const char *kernel_text, const char *machine)
{
	static struct sample samples[RUNS_MAX];
	char output[CAMPAIGN_PATH_BYTES];
	struct campaign_options options = { .target = args->target, .engine = args->engine, .kernel = kernel_text,
					    .machine = machine, .seconds = args->seconds, .jobs = args->jobs,
					    .no_seeds = 1, .first = 1, .quiet = 1, .output = output };
	unsigned long i;

	for (i = 0; i < args->runs && !interrupted(); i++) {
		snprintf(output, sizeof(output), "%s/%s-%s-%lu-%ld", args->output, name, machine ? machine : "all", i,
			 (long)getpid());
		options.seed = args->seed + 100000 * i;
		samples[i] = (struct sample){ .found = 0 };
		run_campaign(&options, &samples[i]);
		nftw(output, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	}
	if (i)
		print_row(name, machine, samples, i);
}

/* On each machine of a list separated by spaces, or on all at once. */
static void measure_machines(const struct bugs_args *args, const char *name, const char *kernel_text)
{
	char words[512];
	char *word;

	if (!args->machines) {
		measure(args, name, kernel_text, NULL);
		return;
	}
	snprintf(words, sizeof(words), "%s", args->machines);
	for (word = strtok(words, " "); word && !interrupted(); word = strtok(NULL, " "))
		measure(args, name, kernel_text, word);
}

static int measure_fix(const struct bugs_args *args, const char *slug)
{
	char kernel_text[KERNEL_TEXT_BYTES];
	struct kernel_config config;

	snprintf(kernel_text, sizeof(kernel_text), "fixed,-%s", slug);
	if (load_kernel(&config, kernel_text, "mmfuzz bugs"))
		return EXIT_USAGE;
	measure_machines(args, slug, kernel_text);
	return EXIT_CLEAN;
}

static int measure_named(const struct bugs_args *args, int nr, char **slugs)
{
	int code = EXIT_CLEAN;

	while (nr-- && code == EXIT_CLEAN && !interrupted())
		code = measure_fix(args, *slugs++);
	return code;
}

/* Switching off what another patch builds on is no kernel. */
static _Bool is_single(enum patch patch)
{
	enum patch other;

	for (other = 0; other < NR_PATCHES; other++)
		if (patch_infos[other].requires == patch)
			return 0;
	return patch_infos[patch].kind == PATCH_FIX;
}

int cmd_bugs(int argc, char **argv)
{
	struct bugs_args args = { .engine = "libfuzzer", .target = "page_alloc", .runs = 5, .seconds = 60, .seed = 1,
				  .jobs = 1,
				  .output = "build/bugs" };
	const struct option_spec specs[] = {
		{ "engine", 'e', "libfuzzer|afl|both", "(libfuzzer)", .text = &args.engine },
		{ "target", 't', "NAME", "the target that looks for it: page_alloc, writeback or mm (page_alloc)",
		  .text = &args.target },
		{ "kernel", 'k', "KERNEL", "this kernel instead of one for each fix", .text = &args.kernel },
		{ "machines", 'm', "PRESETS", "on each of these, one after the other (all at once)", .text = &args.machines },
		{ "runs", 'n', "N", "campaigns for each row (5)", .number = &args.runs },
		{ "seconds", 's', "N", "give up after so long (60)", .number = &args.seconds },
		{ "jobs", 'j', "N", "processes of each campaign (1)", .number = &args.jobs },
		{ "seed", 0, "N", "run n uses N + 100000 n (1)", .number = &args.seed },
		{ "output", 'o', "DIR", "where the campaigns run; they are removed (build/bugs)", .text = &args.output },
		{ 0 },
	};
	struct kernel_config config;
	enum patch patch;
	int first, code;

	code = options_parse(&usage, specs, argc, argv, &first);
	if (code != OPTIONS_GO_ON)
		return code;
	if (option_word(&usage, "engine", "libfuzzer afl both", args.engine) < 0 ||
	    option_word(&usage, "target", "page_alloc writeback mm", args.target) < 0 ||
	    (args.kernel && load_kernel(&config, args.kernel, "mmfuzz bugs: --kernel")))
		return EXIT_USAGE;
	if (!args.runs || args.runs > RUNS_MAX || !args.jobs || args.jobs > CAMPAIGN_JOBS_MAX) {
		fprintf(stderr, "mmfuzz bugs: --runs: expected 1..%d, --jobs: 1..%d\n", RUNS_MAX, CAMPAIGN_JOBS_MAX);
		return EXIT_USAGE;
	}
	interrupts_catch();
	printf("%-34s %-10s %-7s %10s %12s  %s\n", "bug", "machine", "found", "seconds", "programs", "title");
	if (args.kernel)
		measure_machines(&args, args.kernel, args.kernel);
	else if (first < argc)
		return measure_named(&args, argc - first, argv + first);
	for (patch = 0; !args.kernel && patch < NR_PATCHES && !interrupted(); patch++)
		if (is_single(patch))
			measure_fix(&args, patch_infos[patch].slug);
	return EXIT_CLEAN;
}
