// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_bench.c - how fast programs run: `bench exec`. Each program is run again and again for a slice of time, in each
 * mode of checking, in 5 rounds; what is printed are medians over the rounds, so that one disturbed round does not
 * show. How many times the time without checks a mode takes is found in each round, where a program runs in one mode
 * after the other. CPU time of the process is measured, not the clock on the wall. The run before each slice is not
 * measured: it boots the machine if need be. Programs that end in a finding are left out, for they measure something
 * else.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/cmd.h"
#include "fuzz/files.h"

#define ROUNDS 5U
#define NR_MODES 3
#define SLOWEST_SHOWN 5

static const char *const mode_names[NR_MODES] = { [CHECKS_OFF] = "off", [CHECKS_OP] = "op", [CHECKS_FULL] = "full" };

static const struct usage usage = {
	"bench", "exec FILE|DIR...",
	"Run programs for about N seconds in each mode of checking: programs and operations a second, nanoseconds per\n"
	"call into mm, invariants evaluated per program, and how many times the time without checks it takes (medians of\n"
	"5 rounds), and the slowest programs. With --pair, how much longer the first of two programs takes than the\n"
	"second: the same program on two machines, say.",
	2, 0,
};

struct bench_file {
	char *path;
	struct program program;
	unsigned long calls;                  /* into mm, in one run */
	unsigned long checks[NR_MODES];       /* invariants evaluated in one run */
	double samples[NR_MODES][ROUNDS];     /* ns of one run */
	double ns[NR_MODES];                  /* their median */
};

struct bench {
	struct bench_file *files;
	unsigned long nr;
	struct kernel_config kernel;
	double slice_ns;
	double times_off[NR_MODES];           /* of all programs, against the mode without checks */
};

static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* As in a campaign. */
static struct run_options mode_options(const struct bench *bench, enum run_checks mode)
{
	struct run_options options = run_options_default();

	options.kernel = bench->kernel;
	options.checks = mode;
	options.walk_at_end = 0;
	return options;
}

static int add_file(struct bench *bench, const char *path)
{
	struct bench_file *files = realloc(bench->files, (bench->nr + 1) * sizeof(*files));
	struct run_options options = mode_options(bench, CHECKS_OP);
	char title[VERDICT_TITLE_BYTES];
	static struct loaded loaded;
	struct verdict verdict;
	struct bench_file *file;

	if (!files)
		return EXIT_HARNESS;
	bench->files = files;
	if (load(&loaded, path))
		return EXIT_USAGE;
	run_titled(&loaded.program, &options, &verdict, title);
	if (*title) {
		fprintf(stderr, "%s: left out: %s\n", path, title);
		return EXIT_CLEAN;
	}
	file = &files[bench->nr];
	memset(file, 0, sizeof(*file));
	file->path = strdup(path);
	file->program = loaded.program;
	file->calls = verdict.calls;
	bench->nr++;
	return file->path ? EXIT_CLEAN : EXIT_HARNESS;
}

static int add_argument(struct bench *bench, const char *path)
{
	struct file_list list = { 0 };
	const char *message = file_list_add(&list, path);
	int code = message ? EXIT_USAGE : EXIT_CLEAN;
	unsigned long i;

	if (message)
		fprintf(stderr, "mmfuzz bench: %s\n", message);
	for (i = 0; i < list.nr && code == EXIT_CLEAN; i++)
		code = add_file(bench, list.paths[i]);
	file_list_free(&list);
	return code;
}

/* ns of one run, over a slice. */
static double measure(const struct bench *bench, struct bench_file *file, enum run_checks mode)
{
	struct run_options options = mode_options(bench, mode);
	struct verdict verdict;
	unsigned long runs = 0;
	double begin, ns;

	options.count = 1;
	run_program(&file->program, &options, &verdict);
	file->checks[mode] = verdict.checks;
	options.count = 0;
	begin = cpu_ns();
	do {
		run_program(&file->program, &options, &verdict);
		runs++;
		ns = cpu_ns() - begin;
	} while (ns < bench->slice_ns);
	return ns / (double)runs;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(const double values[ROUNDS])
{
	double sorted[ROUNDS];

	memcpy(sorted, values, sizeof(sorted));
	qsort(sorted, ROUNDS, sizeof(double), by_value);
	return sorted[ROUNDS / 2];
}

static double ns_of_round(const struct bench *bench, unsigned int mode, unsigned int round)
{
	double ns = 0;
	unsigned long i;

	for (i = 0; i < bench->nr; i++)
		ns += bench->files[i].samples[mode][round];
	return ns;
}

static void take_medians(struct bench *bench)
{
	double times[ROUNDS];
	unsigned int round, mode;
	unsigned long i;

	for (mode = 0; mode < NR_MODES; mode++) {
		for (i = 0; i < bench->nr; i++)
			bench->files[i].ns[mode] = median(bench->files[i].samples[mode]);
		for (round = 0; round < ROUNDS; round++)
			times[round] = ns_of_round(bench, mode, round) / ns_of_round(bench, CHECKS_OFF, round);
		bench->times_off[mode] = median(times);
	}
}

static void measure_all(struct bench *bench)
{
	_Bool progress = isatty(STDERR_FILENO);
	unsigned int round, mode;
	unsigned long i;

	for (round = 0; round < ROUNDS; round++) {
		if (progress)
			fprintf(stderr, "\rround %u of %u ", round + 1, ROUNDS);
		for (i = 0; i < bench->nr; i++)
			for (mode = 0; mode < NR_MODES; mode++)
				bench->files[i].samples[mode][round] =
					measure(bench, &bench->files[i], (enum run_checks)mode);
	}
	if (progress)
		fprintf(stderr, "\r%40s\r", "");
	take_medians(bench);
}

/* One mode: every program counts the same. */
static void print_mode(const struct bench *bench, unsigned int mode, _Bool json)
{
	double ns = 0, ops = 0, calls = 0, checks = 0;
	unsigned long i;

	for (i = 0; i < bench->nr; i++) {
		ns += bench->files[i].ns[mode];
		ops += bench->files[i].program.nr_ops;
		calls += (double)bench->files[i].calls;
		checks += (double)bench->files[i].checks[mode];
	}
	if (!json) {
		printf("%-8s %12.0f %12.0f %14.1f %24.1f %10.2f\n", mode_names[mode], (double)bench->nr * 1e9 / ns,
		       ops * 1e9 / ns, calls ? ns / calls : 0, checks / (double)bench->nr, bench->times_off[mode]);
		return;
	}
	json_begin(stdout);
	json_text(stdout, "checks", mode_names[mode]);
	json_number(stdout, "programs", bench->nr);
	json_real(stdout, "programs_per_second", (double)bench->nr * 1e9 / ns);
	json_real(stdout, "ops_per_second", ops * 1e9 / ns);
	json_real(stdout, "ns_per_call", calls ? ns / calls : 0);
	json_real(stdout, "invariants_per_program", checks / (double)bench->nr);
	json_real(stdout, "times_off", bench->times_off[mode]);
	json_end(stdout);
}

static int by_time(const void *a, const void *b)
{
	const struct bench_file *x = a, *y = b;

	return by_value(&y->ns[CHECKS_OP], &x->ns[CHECKS_OP]);
}

static void print_slowest(struct bench *bench)
{
	unsigned long i;

	qsort(bench->files, bench->nr, sizeof(*bench->files), by_time);
	printf("\nslowest (us per run)\n%10s %10s %10s %8s\n", "off", "op", "full", "calls");
	for (i = 0; i < bench->nr && i < SLOWEST_SHOWN; i++) {
		const struct bench_file *file = &bench->files[i];

		printf("%10.1f %10.1f %10.1f %8lu  %s\n", file->ns[CHECKS_OFF] / 1e3, file->ns[CHECKS_OP] / 1e3,
		       file->ns[CHECKS_FULL] / 1e3, file->calls, file->path);
	}
}

static void print_all(struct bench *bench, _Bool json)
{
	unsigned int mode;

	if (!json)
		printf("%-8s %12s %12s %14s %24s %10s\n", "checks", "programs/s", "ops/s", "ns per call",
		       "invariants per program", "times off");
	for (mode = 0; mode < NR_MODES; mode++)
		print_mode(bench, mode, json);
	if (!json)
		print_slowest(bench);
}

static void print_pair(const struct bench *bench, _Bool json)
{
	const struct bench_file *a = &bench->files[0], *b = &bench->files[1];
	unsigned int mode;

	if (!json)
		printf("%-8s %12s %12s %8s\n", "checks", "first us", "second us", "ratio");
	for (mode = 0; mode < NR_MODES; mode++) {
		if (!json) {
			printf("%-8s %12.1f %12.1f %8.3f\n", mode_names[mode], a->ns[mode] / 1e3, b->ns[mode] / 1e3,
			       a->ns[mode] / b->ns[mode]);
			continue;
		}
		json_begin(stdout);
		json_text(stdout, "checks", mode_names[mode]);
		json_real(stdout, "first_us", a->ns[mode] / 1e3);
		json_real(stdout, "second_us", b->ns[mode] / 1e3);
		json_real(stdout, "ratio", a->ns[mode] / b->ns[mode]);
		json_end(stdout);
	}
}

struct bench_args {
	const char *kernel_text;
	unsigned long seconds;
	_Bool pair;
	_Bool json;
};

static int bench_exec(struct bench *bench, const struct bench_args *args, char **paths)
{
	int code = load_kernel(&bench->kernel, args->kernel_text, "mmfuzz bench: --kernel");

	for (; *paths && code == EXIT_CLEAN; paths++)
		code = add_argument(bench, *paths);
	if (code != EXIT_CLEAN)
		return code;
	if (!bench->nr || (args->pair && bench->nr != 2)) {
		fprintf(stderr, "mmfuzz bench: expected %s; got %lu\n", args->pair ? "two programs" : "programs", bench->nr);
		return EXIT_USAGE;
	}
	bench->slice_ns = (double)args->seconds * 1e9 / (double)(ROUNDS * bench->nr);
	measure_all(bench);
	if (args->pair)
		print_pair(bench, args->json);
	else
		print_all(bench, args->json);
	return EXIT_CLEAN;
}

int cmd_bench(int argc, char **argv)
{
	struct bench_args args = { .kernel_text = "fixed", .seconds = 5 };
	const struct option_spec specs[] = {
		{ "seconds", 's', "N", "about so long in each mode (5)", .number = &args.seconds },
		{ "kernel", 'k', "KERNEL", "on this kernel (fixed)", .text = &args.kernel_text },
		{ "pair", 0, NULL, "compare two programs", .flag = &args.pair },
		{ "json", 0, NULL, "one JSON object a line for each mode", .flag = &args.json },
		{ 0 },
	};
	struct bench bench = { 0 };
	unsigned long i;
	int first;
	int code = options_parse(&usage, specs, argc, argv, &first);

	if (code != OPTIONS_GO_ON)
		return code;
	if (strcmp(argv[first], "exec")) {
		fprintf(stderr, "mmfuzz bench: unknown benchmark '%s'; there is: exec\n", argv[first]);
		return EXIT_USAGE;
	}
	code = bench_exec(&bench, &args, argv + first + 1);
	for (i = 0; i < bench.nr; i++)
		free(bench.files[i].path);
	free(bench.files);
	return code;
}
