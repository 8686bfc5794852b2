// SPDX-License-Identifier: GPL-2.0
/*
 * campaign_jobs.c - the processes of a campaign: how an engine is called, what it says about itself, and what is done
 * when it dies. Both engines are used as their users know them; only the findings are the target's own work, so that
 * they have the same names and forms whoever found them.
 *
 * AFL++ is told not to ask for a crash handler that suits it, a CPU governor or a CPU of its own: no root is needed,
 * and nothing of the system is changed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/campaign.h"
#include "fuzz/minimise.h"

#define ARGUMENTS_MAX 40
#define TEXT_BYTES (CAMPAIGN_PATH_BYTES + 256)
/* An engine that dies sooner than this after its start waits, and one that does so this often is given up. */
#define SHORT_LIFE 5.0
#define STARTS_MAX 20
#define STOP_SECONDS 5.0

const char *const engine_names[NR_ENGINES] = { "libfuzzer", "afl" };

/* A command line under construction. */
struct command {
	char text[ARGUMENTS_MAX][TEXT_BYTES];
	char *argv[ARGUMENTS_MAX + 1];
	unsigned int nr;
};

__attribute__((format(printf, 2, 3))) static void add(struct command *command, const char *format, ...)
{
	va_list arguments;

	if (command->nr == ARGUMENTS_MAX)
		return;
	va_start(arguments, format);
	vsnprintf(command->text[command->nr], TEXT_BYTES, format, arguments);
	va_end(arguments);
	command->argv[command->nr] = command->text[command->nr];
	command->argv[++command->nr] = NULL;
}

_Bool find_built(const char *flavour, const char *name, char *path)
{
	static const char *const places[] = { "..", "../libexec/mmfuzz" };
	char self[CAMPAIGN_PATH_BYTES / 2];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	unsigned int i;

	if (length < 0)
		return 0;
	self[length] = '\0';
	*strrchr(self, '/') = '\0';
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(path, CAMPAIGN_PATH_BYTES, "%s/%s/%s/%s", self, places[i], flavour, name);
		if (!access(path, R_OK))
			return 1;
	}
	return 0;
}

static _Bool find_beside(const char *flavour, const char *name, char *path)
{
	if (find_built(flavour, name, path))
		return 1;
	fprintf(stderr, "mmfuzz fuzz: %s/%s is not built: make build/%s/%s\n", flavour, name, flavour, name);
	return 0;
}

static _Bool find_target(const struct campaign *campaign, enum engine engine, char *path)
{
	char name[256];

	snprintf(name, sizeof(name), "target_%.200s", campaign->options->target);
	return find_beside(engine == ENGINE_AFL ? "afl" : "fuzzer", name, path);
}

/* Half of the jobs to each engine, the odd one to libFuzzer, which is the faster. */
_Bool jobs_plan(struct campaign *campaign)
{
	const struct campaign_options *options = campaign->options;
	_Bool both = !strcmp(options->engine, "both");
	char path[CAMPAIGN_PATH_BYTES];
	unsigned int i;

	campaign->nr_jobs = (unsigned int)options->jobs;
	if (both && campaign->nr_jobs < 2)
		campaign->nr_jobs = 2;
	for (i = 0; i < campaign->nr_jobs; i++) {
		struct job *job = &campaign->jobs[i];

		job->index = i + 1;
		job->engine = both ? (enum engine)(i % 2) : !strcmp(options->engine, "afl");
		if (!find_target(campaign, job->engine, path))
			return 0;
		if (job->engine == ENGINE_AFL && strcmp(options->target, "text") &&
		    !find_beside("afl", "mutator.so", path))
			return 0;
	}
	return 1;
}

static void libfuzzer_command(const struct campaign *campaign, const struct job *job, struct command *command)
{
	const char *output = campaign->options->output;
	char path[CAMPAIGN_PATH_BYTES];

	find_target(campaign, ENGINE_LIBFUZZER, path);
	add(command, "%s", path);
	add(command, "-max_len=%u", LIMIT_PROGRAM_BYTES);
	add(command, "-len_control=0");
	add(command, "-timeout=60");
	add(command, "-rss_limit_mb=4096");
	add(command, "-reload=1");
	add(command, "-seed=%lu", campaign->options->seed + job->index + 1000 * job->starts);
	add(command, "-artifact_prefix=%s/findings/", output);
	add(command, "%s/corpus", output);
	add(command, "%s/seeds", output);
}

/* The first is the main one, which alone may read a foreign corpus. */
static _Bool is_first_afl(const struct campaign *campaign, const struct job *job)
{
	unsigned int i;

	for (i = 0; &campaign->jobs[i] != job; i++)
		if (campaign->jobs[i].engine == ENGINE_AFL)
			return 0;
	return 1;
}

static void afl_command(const struct campaign *campaign, const struct job *job, struct command *command)
{
	const char *output = campaign->options->output;
	_Bool first = is_first_afl(campaign, job);
	char path[CAMPAIGN_PATH_BYTES];

	add(command, "afl-fuzz");
	add(command, "%s", first ? "-M" : "-S");
	add(command, "job%u", job->index);
	if (first) {
		add(command, "-F");
		add(command, "%s/corpus", output);
	}
	add(command, "-s");
	add(command, "%lu", campaign->options->seed + job->index + 1000 * job->starts);
	add(command, "-G");
	add(command, "%u", LIMIT_PROGRAM_BYTES);
	add(command, "-t");
	add(command, "10000");
	add(command, "-i");
	add(command, "%s/seeds", output);
	add(command, "-o");
	add(command, "%s/afl", output);
	add(command, "--");
	find_target(campaign, ENGINE_AFL, path);
	add(command, "%s", path);
}

static void set_environment(const struct campaign *campaign, const struct job *job)
{
	static const char *const afl_settings[] = {
		"AFL_NO_UI", "AFL_AUTORESUME", "AFL_SKIP_CPUFREQ", "AFL_NO_AFFINITY",
		"AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "AFL_IMPORT_FIRST", "AFL_QUIET",
	};
	const struct campaign_options *options = campaign->options;
	char text[TEXT_BYTES];
	unsigned int i;

	setenv("MMFUZZ_KERNEL", options->kernel, 1);
	setenv("MMFUZZ_KEEP_GOING", "1", 1);
	snprintf(text, sizeof(text), "%s/findings", options->output);
	setenv("MMFUZZ_FINDINGS", text, 1);
	snprintf(text, sizeof(text), "%s/job-%u.counters", options->output, job->index);
	setenv("MMFUZZ_COUNTERS", text, 1);
	if (options->machine)
		setenv("MMFUZZ_MACHINE", options->machine, 1);
	if (options->known_path)
		setenv("MMFUZZ_KNOWN", options->known_path, 1);
	if (job->engine != ENGINE_AFL)
		return;
	setenv("MMFUZZ_TARGET", options->target, 1);
	for (i = 0; i < sizeof(afl_settings) / sizeof(afl_settings[0]); i++)
		setenv(afl_settings[i], "1", 1);
	if (strcmp(options->target, "text") && find_beside("afl", "mutator.so", text))
		setenv("AFL_CUSTOM_MUTATOR_LIBRARY", text, 1);
}

/* In the child: its own process group, so that Ctrl-C reaches only the campaign, and its own log. */
__attribute__((noreturn)) static void become_engine(const struct campaign *campaign, const struct job *job,
						     const struct command *command)
{
	char log[TEXT_BYTES];
	int null = open("/dev/null", O_RDONLY), out;

	snprintf(log, sizeof(log), "%s/job-%u.log", campaign->options->output, job->index);
	out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	setpgid(0, 0);
	set_environment(campaign, job);
	if (null < 0 || out < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(out, STDERR_FILENO) < 0)
		_exit(127);
	execvp(command->argv[0], command->argv);
	perror(command->argv[0]);
	_exit(127);
}

/* What the target counts, in a file, so that it survives both sides. Programs are counted on; cells begin anew. */
static struct target_counters *map_counters(const struct campaign *campaign, const struct job *job)
{
	struct target_counters *counters;
	char path[TEXT_BYTES];
	int file;

	snprintf(path, sizeof(path), "%s/job-%u.counters", campaign->options->output, job->index);
	file = open(path, O_RDWR | O_CREAT, 0666);
	if (file < 0 || ftruncate(file, sizeof(*counters))) {
		if (file >= 0)
			close(file);
		return NULL;
	}
	counters = mmap(NULL, sizeof(*counters), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	if (counters == MAP_FAILED)
		return NULL;
	memset(counters->cells, 0, sizeof(counters->cells));
	return counters;
}

_Bool job_start(struct campaign *campaign, struct job *job)
{
	static struct command command;
	pid_t pid;

	command.nr = 0;
	if (job->engine == ENGINE_AFL)
		afl_command(campaign, job, &command);
	else
		libfuzzer_command(campaign, job, &command);
	if (!job->counters) {
		job->counters = map_counters(campaign, job);
		job->programs_before = job->counters ? job->counters->programs : 0;
	}
	fflush(NULL);
	pid = fork();
	if (!pid)
		become_engine(campaign, job, &command);
	if (pid < 0) {
		campaign_trouble(campaign, "job %u: %s", job->index, strerror(errno));
		return 0;
	}
	setpgid(pid, pid);
	job->pid = pid;
	job->started = campaign_seconds(campaign);
	job->starts++;
	job->log_at = 0;
	return 1;
}

unsigned long job_programs(const struct job *job)
{
	return job->counters ? job->counters->programs - job->programs_before : 0;
}

unsigned long jobs_cells(const struct campaign *campaign)
{
	unsigned long cell, cells = 0;
	unsigned int i;

	for (cell = 0; cell < NR_STATE_CELLS; cell++) {
		for (i = 0; i < campaign->nr_jobs; i++)
			if (campaign->jobs[i].counters && campaign->jobs[i].counters->cells[cell])
				break;
		cells += i < campaign->nr_jobs;
	}
	return cells;
}

/* "#1234 NEW    cov: 876 ft: 4078 corp: 479/296Kb lim: ..." */
static void read_libfuzzer(const struct campaign *campaign, struct job *job)
{
	char path[TEXT_BYTES], line[1024];
	FILE *log;

	snprintf(path, sizeof(path), "%s/job-%u.log", campaign->options->output, job->index);
	log = fopen(path, "r");
	if (!log)
		return;
	fseek(log, job->log_at, SEEK_SET);
	while (fgets(line, sizeof(line), log) && strchr(line, '\n')) {
		const char *at = line[0] == '#' ? strstr(line, "cov: ") : NULL;
		const char *corpus = at ? strstr(at, "corp: ") : NULL;

		job->log_at = ftell(log);
		if (corpus) {
			job->edges = strtoul(at + strlen("cov: "), NULL, 10);
			job->corpus = strtoul(corpus + strlen("corp: "), NULL, 10);
		}
	}
	fclose(log);
}

/* The nth value of a line of values separated by commas, from 1; NULL if there are fewer. */
static const char *nth_value(const char *line, unsigned int n)
{
	while (--n && line) {
		line = strchr(line, ',');
		line += line != NULL;
	}
	return line;
}

/* The last line of plot_data: corpus_count is its fourth value, edges_found its last. */
static void read_afl(const struct campaign *campaign, struct job *job)
{
	char path[TEXT_BYTES], line[1024];
	FILE *plot;

	snprintf(path, sizeof(path), "%s/afl/job%u/plot_data", campaign->options->output, job->index);
	plot = fopen(path, "r");
	if (!plot)
		return;
	if (job->log_at)
		fseek(plot, job->log_at, SEEK_SET);
	while (fgets(line, sizeof(line), plot) && strchr(line, '\n')) {
		const char *last = strrchr(line, ',');
		const char *fourth = line[0] == '#' ? NULL : nth_value(line, 4);

		job->log_at = ftell(plot);
		if (!fourth)
			continue;
		job->corpus = strtoul(fourth, NULL, 10);
		job->edges = strtoul(last + 1, NULL, 10);
	}
	fclose(plot);
}

/*
 * A finding with a title ends libFuzzer with 77, if at all. These are its own: 1 from a sanitizer, 70 no end in time, 71 too
 * much memory. Somebody who kills an engine has found nothing.
 */
static _Bool is_crash(int status)
{
	if (WIFSIGNALED(status))
		return WTERMSIG(status) != SIGKILL && WTERMSIG(status) != SIGTERM && WTERMSIG(status) != SIGINT;
	return WEXITSTATUS(status) == 1 || WEXITSTATUS(status) == 70 || WEXITSTATUS(status) == 71;
}

/* An engine ends by itself only when something is wrong: the campaign stops it when the time is up. */
static void bury(struct campaign *campaign, struct job *job, int status, _Bool restart)
{
	double life = campaign_seconds(campaign) - job->started;

	job->pid = 0;
	if (!restart)
		return;
	if (job->engine == ENGINE_LIBFUZZER && is_crash(status))
		campaign->nr_crashes++;
	campaign_trouble(campaign, "job %u (%s) ended after %.0f s with %s %d; see %s/job-%u.log", job->index,
			 engine_names[job->engine], life, WIFSIGNALED(status) ? "signal" : "exit code",
			 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), campaign->options->output,
			 job->index);
	if (job->starts >= STARTS_MAX)
		campaign_trouble(campaign, "job %u is given up after %lu starts", job->index, job->starts);
}

/* After a short life the next one waits. */
static _Bool is_due(const struct campaign *campaign, const struct job *job)
{
	return job->starts < STARTS_MAX && campaign_seconds(campaign) - job->started >= SHORT_LIFE;
}

unsigned int jobs_watch(struct campaign *campaign, _Bool restart)
{
	unsigned int i, running = 0;
	int status;

	for (i = 0; i < campaign->nr_jobs; i++) {
		struct job *job = &campaign->jobs[i];

		if (job->pid && waitpid(job->pid, &status, WNOHANG) == job->pid)
			bury(campaign, job, status, restart);
		if (!job->pid && restart && is_due(campaign, job))
			job_start(campaign, job);
		if (job->engine == ENGINE_AFL)
			read_afl(campaign, job);
		else
			read_libfuzzer(campaign, job);
		running += job->pid != 0 || (restart && job->starts < STARTS_MAX);
	}
	return running;
}

static void signal_jobs(const struct campaign *campaign, int signal)
{
	unsigned int i;

	for (i = 0; i < campaign->nr_jobs; i++)
		if (campaign->jobs[i].pid)
			kill(-campaign->jobs[i].pid, signal);
}

/* AFL++ writes its last numbers on SIGINT; whoever does not end in time is killed. */
void jobs_stop(struct campaign *campaign)
{
	double deadline = campaign_seconds(campaign) + STOP_SECONDS;

	signal_jobs(campaign, SIGINT);
	while (jobs_watch(campaign, 0) && campaign_seconds(campaign) < deadline)
		usleep(20000);
	signal_jobs(campaign, SIGKILL);
	while (jobs_watch(campaign, 0))
		usleep(20000);
}
