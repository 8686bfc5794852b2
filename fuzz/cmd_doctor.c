// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_doctor.c - is this installation able to find anything? Each check is a line: what was asked, and ok, or what is
 * wrong and what to do. Checks of engines that are not installed are warnings; the rest are failures.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/campaign.h"
#include "fuzz/cmd.h"
#include "fuzz/files.h"
#include "fuzz/minimise.h"

#define SPEED_SECONDS 0.5
#define FINDINGS "/tmp"

static const struct usage usage = {
	"doctor", "",
	"Check that runs are deterministic, invariants fire, engines are built and instrumented and see the same coverage of\n"
	"the same program each time, and that a campaign catches a planted bug; and show how fast programs run here, as a\n"
	"ratio to an empty one.",
	0, NO_FILES,
};

static unsigned int nr_failed;

static void say(const char *question, _Bool good, const char *more)
{
	printf("%-58s %s%s%s\n", question, good ? "ok" : "FAILED", *more ? ": " : "", more);
	fflush(stdout);
	nr_failed += !good;
}

static void parse(struct program *program, const char *text)
{
	struct text_error error;

	program_parse(program, text, strlen(text), 0, NULL, &error);
}

static const char fair_cycle[] = "p0 = alloc_pages(order=0, gfp=GFP_KERNEL) x128\n"
				 "p1 = alloc_pages(order=3, gfp=GFP_HIGHUSER_MOVABLE) x8\n"
				 "free_pages(p0[5])\nfree_pages(p1)\ndrain_all_pages()\ntick(jiffies=300)\n";

/* Each small machine, twice, once after others have been booted in between. */
static void check_deterministic(void)
{
	static struct verdict first[256], again;
	static struct program program;
	struct run_options options = run_options_default();
	unsigned int preset, round, nr_different = 0;
	char more[64];

	options.hashes = 1;
	options.compare_restored = 1;
	parse(&program, fair_cycle);
	for (round = 0; round < 2; round++) {
		for (preset = 0; preset < nr_small_machine_presets; preset++) {
			program.preset = (unsigned char)preset;
			run_program(&program, &options, round ? &again : &first[preset]);
			nr_different += round && (again.state_hash != first[preset].state_hash ||
						  again.trace_hash != first[preset].trace_hash ||
						  again.finding.kind != FINDING_NONE);
		}
		run_forget_machines();
	}
	snprintf(more, sizeof(more), nr_different ? "%u machines differ or are not clean" : "%u machines",
		 nr_different ? nr_different : nr_small_machine_presets);
	say("runs are deterministic and clean on 'fixed'", !nr_different, more);
}

static void check_invariants(void)
{
	static struct program program;
	struct run_options options = run_options_default();
	char title[VERDICT_TITLE_BYTES], more[VERDICT_TITLE_BYTES + 64];
	struct verdict verdict;

	parse(&program, fair_cycle);
	options.kernel = kernel_profile(PROFILE_V4_7_RC1);
	options.count = 1;
	run_titled(&program, &options, &verdict, title);
	snprintf(more, sizeof(more), "%s, %lu invariants evaluated", *title ? title : "nothing found", verdict.checks);
	say("invariants see the bug of v4.7-rc1", verdict.finding.kind == FINDING_INVARIANT && verdict.checks, more);
}

static double microseconds(const struct program *program)
{
	struct run_options options = run_options_default();
	double began = wall_seconds(), seconds;
	struct verdict verdict;
	unsigned long nr = 0;

	options.walk_at_end = 0;
	do {
		run_program(program, &options, &verdict);
		nr++;
		seconds = wall_seconds() - began;
	} while (seconds < SPEED_SECONDS);
	return seconds / (double)nr * 1e6;
}

static void check_speed(void)
{
	static struct program empty, program;
	double least, typical;
	char more[128];

	parse(&empty, "");
	parse(&program, fair_cycle);
	least = microseconds(&empty);
	typical = microseconds(&program);
	snprintf(more, sizeof(more), "%.1f us, empty %.2f us: %.0f times", typical, least, typical / least);
	say("a program of 145 calls runs in", typical < 100000, more);
}

/* The tool's own directory is where the engines are looked for. */
static void check_engine(const char *question, const char *command, const char *advice)
{
	char output[4096] = "", line[1024];
	FILE *pipe = popen(command, "r");

	while (pipe && fgets(line, sizeof(line), pipe))
		snprintf(output, sizeof(output), "%s", line);
	output[strcspn(output, "\n")] = '\0';
	if (pipe && pclose(pipe) == 0 && *output)
		say(question, 1, output);
	else
		printf("%-58s missing: %s\n", question, advice);
	fflush(stdout);
}

static void check_engines(void)
{
	char self[CAMPAIGN_PATH_BYTES];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (length < 0)
		return;
	self[length] = '\0';
	*strrchr(self, '/') = '\0';
	setenv("MMFUZZ_DOCTOR", self, 1);
	check_engine("libFuzzer target is built, and mm/ is instrumented",
		     "for d in \"$MMFUZZ_DOCTOR/..\" \"$MMFUZZ_DOCTOR/../libexec/mmfuzz\"; do "
		     "[ ! -x \"$d/fuzzer/target_page_alloc\" ] || \"$d/fuzzer/target_page_alloc\" -runs=0 2>&1; done | "
		     "sed -n 's/.*(\\([0-9]* inline 8-bit counters\\)).*/\\1/p'",
		     "make build/fuzzer/target_page_alloc");
	check_engine("AFL++ is installed", "afl-fuzz -h 2>&1 | grep -ao 'afl-fuzz++[0-9.a-z]*'", "apt-get install afl++");
	check_engine("AFL++ target and mutator are built",
		     "for d in \"$MMFUZZ_DOCTOR/..\" \"$MMFUZZ_DOCTOR/../libexec/mmfuzz\"; do "
		     "[ ! -r \"$d/afl/mutator.so\" ] || grep -aqs SIG_AFL_PERSISTENT \"$d/afl/target_page_alloc\" && "
		     "[ -r \"$d/afl/mutator.so\" ] && echo 'persistent mode'; done; true",
		     "make build/afl/mutator.so build/afl/target_page_alloc");
}

/* Run a program that nobody listens to; its exit code, or -1. */
static int run_quietly(char **argv)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(EXIT_USAGE);
		setenv("MMFUZZ_FINDINGS", FINDINGS, 1);
		execv(argv[0], argv);
		_exit(EXIT_USAGE);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/*
 * What AFL++ calls stability, for both engines. In one run of LIMIT_FULL_WALK_INTERVAL, here the last one, the target
 * itself compares what a program covers when it runs twice (target_run).
 */
static void check_coverage(const char *question, const char *flavour)
{
	static unsigned char bytes[LIMIT_PROGRAM_BYTES];
	static struct program program;
	char target[CAMPAIGN_PATH_BYTES], file[] = FINDINGS "/mmfuzz-doctor-XXXXXX";
	char *argv[LIMIT_FULL_WALK_INTERVAL + 2] = { target };
	const char *message;
	unsigned int i;
	int out;

	if (!find_built(flavour, "target_page_alloc", target))
		return;
	out = mkstemp(file);
	if (out < 0)
		return;
	close(out);
	parse(&program, fair_cycle);
	message = file_write(file, bytes, program_encode(&program, bytes), EXISTING_REPLACE);
	for (i = 1; i <= LIMIT_FULL_WALK_INTERVAL; i++)
		argv[i] = file;
	if (message)
		say(question, 0, message);
	else if (run_quietly(argv) == EXIT_CLEAN)
		say(question, 1, "");
	else
		say(question, 0, "the report is in " FINDINGS);
	unlink(file);
}

/* A campaign of its own, in a child, with nobody watching. */
static void check_canary(unsigned long seconds)
{
	char directory[] = "/tmp/mmfuzz-doctor-XXXXXX", command[64];
	struct campaign_options options = { .target = "canary", .engine = "libfuzzer", .kernel = "fixed", .jobs = 1,
					    .seconds = seconds, .seed = 1, .no_seeds = 1, .first = 1, .quiet = 1 };
	int status = 0;
	pid_t pid;

	if (!seconds || !mkdtemp(directory))
		return;
	options.output = directory;
	pid = fork();
	if (!pid) {
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(EXIT_USAGE);
		_exit(campaign_run(&options));
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_USAGE)
		printf("%-58s missing: make build/fuzzer/target_canary\n", "a campaign catches the planted bug");
	else
		say("a campaign catches the planted bug", WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FINDING, "");
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	if (system(command))
		fprintf(stderr, "mmfuzz doctor: %s could not be removed\n", directory);
}

int cmd_doctor(int argc, char **argv)
{
	unsigned long seconds = 60;
	const struct option_spec specs[] = {
		{ "canary", 0, "SECONDS", "time for the planted bug; 0 leaves it out (60)", .number = &seconds },
		{ 0 },
	};
	int first;
	int code = options_parse(&usage, specs, argc, argv, &first);

	if (code != OPTIONS_GO_ON)
		return code;
	check_deterministic();
	check_invariants();
	check_speed();
	check_engines();
	check_coverage("the same program has the same coverage, libFuzzer", "fuzzer");
	check_coverage("the same program has the same coverage, AFL++", "afl");
	check_canary(seconds);
	return nr_failed ? EXIT_HARNESS : EXIT_CLEAN;
}
