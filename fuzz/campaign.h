/* SPDX-License-Identifier: GPL-2.0 */
/*
 * campaign.h - one campaign: jobs of one or both engines over one corpus, what they found, and what is said about it.
 *
 *   DIR/corpus/      libFuzzer's corpus; what AFL++ discovers is copied here, at once if libFuzzer runs as well
 *   DIR/afl/         the queues of AFL++, which reads corpus/ by itself
 *   DIR/seeds/       text programs as bytes, made anew each time
 *   DIR/findings/    NAME.prog, NAME.bin, NAME.txt, written by the targets
 *   DIR/job-N.log    what the engine of job N printed
 *   DIR/stats.json   campaign_report.c
 */
#ifndef MMFUZZ_CAMPAIGN_H
#define MMFUZZ_CAMPAIGN_H

#include <sys/types.h>

#include "fuzz/counters.h"
#include "fuzz/findings.h"
#include "fuzz/news.h"

#define CAMPAIGN_JOBS_MAX 64
#define CAMPAIGN_TITLES_MAX 256
#define CAMPAIGN_PATH_BYTES 4096

enum engine { ENGINE_LIBFUZZER, ENGINE_AFL, NR_ENGINES };
extern const char *const engine_names[NR_ENGINES];

struct campaign_options {
	const char *target;
	const char *engine;              /* libfuzzer, afl or both */
	const char *kernel;
	const char *machine;             /* preset, NULL = all */
	const char *corpus;              /* more seeds, NULL = none */
	const char *output;              /* DIR */
	const char *known_path;
	unsigned long seconds;           /* 0 = until Ctrl-C */
	unsigned long jobs;
	unsigned long seed;
	_Bool no_seeds;
	_Bool first;                     /* stop at the first new title */
	_Bool quiet;
};

/* A process of an engine, started again if it dies. */
struct job {
	enum engine engine;
	unsigned int index;
	pid_t pid;                       /* 0 = not running */
	double started;
	unsigned long starts;
	struct target_counters *counters; /* shared with the target, which counts */
	unsigned long programs_before;   /* in earlier campaigns of this directory */
	unsigned long edges;             /* reached in mm/, as the engine counts them: AFL++ adds the state cells */
	unsigned long corpus;            /* inputs it keeps */
	long log_at;                     /* read so far */
};

struct found_title {
	char title[VERDICT_TITLE_BYTES];
	char path[CAMPAIGN_PATH_BYTES];  /* the first file */
	unsigned long files;
	double first_seconds;            /* since the campaign began; below 0: it was there before */
	_Bool known;
};

struct campaign {
	const struct campaign_options *options;
	struct known_titles known;
	struct job jobs[CAMPAIGN_JOBS_MAX];
	unsigned int nr_jobs;
	struct found_title titles[CAMPAIGN_TITLES_MAX];
	unsigned int nr_titles;
	unsigned long nr_new;            /* titles found by this campaign and not known */
	unsigned long nr_crashes;        /* engines that ended without a title: a sanitizer, a signal, a timeout */
	unsigned long nr_troubles;       /* reported: an engine that died, a file that could not be read or written */
	unsigned long nr_exchanged;      /* inputs copied from AFL++ to libFuzzer */
	double began;
	struct news news;                /* titles, edges and state cells that are new */
	unsigned long best_edges[NR_ENGINES];
	unsigned long cells;             /* state cells that some job has hit */
};

/* campaign_run - the whole campaign; an exit code. */
int campaign_run(const struct campaign_options *options);

double campaign_seconds(const struct campaign *campaign);
/* Say that something went wrong, and go on. */
void campaign_trouble(struct campaign *campaign, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * find_built - path[CAMPAIGN_PATH_BYTES] of what `make build/FLAVOUR/NAME` makes: beside the tool as it is built, or
 * where it is installed. Returns 0 if it is not there.
 */
_Bool find_built(const char *flavour, const char *name, char *path);
/* jobs_plan - who runs what. Returns 0 after a message if an engine is not built. */
_Bool jobs_plan(struct campaign *campaign);
_Bool job_start(struct campaign *campaign, struct job *job);
/* jobs_watch - reap, restart, and read the numbers of all jobs. Returns how many run. */
unsigned int jobs_watch(struct campaign *campaign, _Bool restart);
void jobs_stop(struct campaign *campaign);
unsigned long job_programs(const struct job *job);
/* jobs_cells - state cells that some job has hit in this campaign. */
unsigned long jobs_cells(const struct campaign *campaign);

void report_status(struct campaign *campaign, _Bool last);
void report_news(struct campaign *campaign, const struct found_title *found);
void report_stats(struct campaign *campaign, _Bool over);
void report_summary(struct campaign *campaign);

#endif
