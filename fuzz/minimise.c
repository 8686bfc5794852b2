// SPDX-License-Identifier: GPL-2.0
/*
 * minimise.c - a finding as condition, the clock and Ctrl-C as reasons to stop shrinking (minimise.h).
 */
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/minimise.h"
#include "fuzz/shrink.h"

/* Nobody needs to be told about work that takes less. */
#define QUIET_SECONDS 2.0
#define BETWEEN_LINES 0.5

struct minimising {
	const struct run_options *options;
	const char *title;
	double began;
	double deadline;                 /* 0 = none */
	double told;
	unsigned int nr_ops_before;
	struct shrinker *shrinker;
};

static volatile sig_atomic_t was_interrupted;

static void on_interrupt(int signal)
{
	(void)signal;
	was_interrupted = 1;
}

void interrupts_catch(void)
{
	struct sigaction action = { .sa_handler = on_interrupt };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

_Bool interrupted(void)
{
	return was_interrupted;
}

double wall_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static _Bool same_title(void *argument, const struct program *candidate)
{
	struct minimising *m = argument;
	char title[VERDICT_TITLE_BYTES];
	struct verdict verdict;

	run_titled(candidate, m->options, &verdict, title);
	return !strcmp(title, m->title);
}

static _Bool enough(void *argument)
{
	const struct minimising *m = argument;

	return was_interrupted || (m->deadline > 0 && wall_seconds() >= m->deadline);
}

static void tell(void *argument, const struct program *smaller)
{
	struct minimising *m = argument;
	double now = wall_seconds();
	_Bool terminal = isatty(STDERR_FILENO);

	if (now - m->began < QUIET_SECONDS || now - m->told < (terminal ? BETWEEN_LINES : QUIET_SECONDS))
		return;
	m->told = now;
	fprintf(stderr, "%sshrink: %5.1f s, %u of %u operations left, %lu runs%s", terminal ? "\r" : "", now - m->began,
		smaller->nr_ops, m->nr_ops_before, m->shrinker->tried, terminal ? "   " : "\n");
	fflush(stderr);
}

enum minimise_end minimise(struct program *program, const struct run_options *options, const char *title,
			   unsigned long seconds, unsigned long *runs)
{
	struct minimising m = { .options = options, .title = title, .began = wall_seconds() };
	struct shrinker shrinker = { same_title, enough, tell, &m, 0 };
	_Bool done;

	m.deadline = seconds ? m.began + (double)seconds : 0;
	m.nr_ops_before = program->nr_ops;
	m.shrinker = &shrinker;
	done = program_shrink(program, &shrinker);
	if (m.told > 0 && isatty(STDERR_FILENO))
		fputc('\n', stderr);
	*runs += shrinker.tried;
	return done ? MINIMISE_DONE : was_interrupted ? MINIMISE_INTERRUPTED : MINIMISE_TIME_UP;
}
