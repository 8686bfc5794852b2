// SPDX-License-Identifier: GPL-2.0
/*
 * campaign_report.c - what is said about a campaign: one line while it runs, a line for each new title, stats.json, and
 * the summary.
 *
 * stats.json, written every ten seconds and at the end, is one object for both engines:
 *   target, kernel, engine, seed       as asked for
 *   seconds, over                      since this campaign began; true in the last one written
 *   programs, programs_per_second      run by all jobs in this campaign
 *   state_cells, state_cells_known     hit by some job in this campaign; there are
 *   seconds_since_news                 since the last new title, edge or state cell
 *   chance_of_news_next_minute         news.h
 *   exchanged, troubles                inputs copied from AFL++ to libFuzzer; things that went wrong and were reported
 *   crashes                            of these, libFuzzer jobs that a sanitizer or a time limit ended, without a title
 *   jobs: [{job, engine, programs, edges, corpus, starts, running}]   edges of mm/ as that engine counts them:
 *                                                                     AFL++ adds the state cells
 *   findings: [{title, known, files, first_seconds, file}]            first_seconds is null if an earlier campaign
 *                                                                     of this directory found it
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz/campaign.h"
#include "fuzz/cmd.h"
#include "fuzz/files.h"

/* The chance of news is about so long. */
#define NEXT_SECONDS 60.0

/* Between two status lines, when nobody watches a terminal. */
#define PLAIN_SECONDS 10.0

static unsigned long all_programs(const struct campaign *campaign)
{
	unsigned long programs = 0;
	unsigned int i;

	for (i = 0; i < campaign->nr_jobs; i++)
		programs += job_programs(&campaign->jobs[i]);
	return programs;
}

static unsigned long best_corpus(const struct campaign *campaign)
{
	unsigned long most = 0;
	unsigned int i;

	for (i = 0; i < campaign->nr_jobs; i++)
		if (campaign->jobs[i].corpus > most)
			most = campaign->jobs[i].corpus;
	return most;
}

static _Bool on_terminal(void)
{
	return isatty(STDERR_FILENO);
}

/* Programs a second since the last line, so that a campaign that slows down shows. */
static double current_speed(const struct campaign *campaign)
{
	static unsigned long programs;
	static double seconds, speed;
	unsigned long now = all_programs(campaign);
	double now_seconds = campaign_seconds(campaign);

	if (now_seconds - seconds >= 1) {
		speed = (double)(now - programs) / (now_seconds - seconds);
		programs = now;
		seconds = now_seconds;
	}
	return speed;
}

static void print_edges(const struct campaign *campaign)
{
	static const char *const letters[NR_ENGINES] = { "", "a" };
	unsigned int engine, nr = 0;

	fprintf(stderr, "edges ");
	for (engine = 0; engine < NR_ENGINES; engine++)
		if (campaign->best_edges[engine])
			fprintf(stderr, "%s%lu%s", nr++ ? "/" : "", campaign->best_edges[engine], letters[engine]);
	fprintf(stderr, "%s  ", nr ? "" : "-");
}

void report_status(struct campaign *campaign, _Bool last)
{
	static double told = -PLAIN_SECONDS;
	double now = campaign_seconds(campaign);

	if (campaign->options->quiet || (!on_terminal() && !last && now - told < PLAIN_SECONDS))
		return;
	told = now;
	fprintf(stderr, "%s%7.0f s  %lu programs, %.0f/s  ", on_terminal() ? "\r\033[K" : "", now,
		all_programs(campaign), last ? (double)all_programs(campaign) / now : current_speed(campaign));
	print_edges(campaign);
	fprintf(stderr, "cells %lu  corpus %lu  titles %u (%lu new)  last news %.0f s ago, next minute %.0f %%%s",
		campaign->cells, best_corpus(campaign), campaign->nr_titles, campaign->nr_new,
		news_age(&campaign->news, now), 100 * news_chance(&campaign->news, now, NEXT_SECONDS),
		on_terminal() && !last ? "" : "\n");
	fflush(stderr);
}

void report_news(struct campaign *campaign, const struct found_title *found)
{
	fprintf(stderr, "%s%7.0f s  found: %s  %s\n", on_terminal() ? "\r\033[K" : "", campaign_seconds(campaign),
		found->title, found->path);
}

static void put_jobs(FILE *out, const struct campaign *campaign)
{
	unsigned int i;

	fputs(", \"jobs\": [\n", out);
	for (i = 0; i < campaign->nr_jobs; i++) {
		const struct job *job = &campaign->jobs[i];

		json_begin(out);
		json_number(out, "job", job->index);
		json_text(out, "engine", engine_names[job->engine]);
		json_number(out, "programs", job_programs(job));
		json_number(out, "edges", job->edges);
		json_number(out, "corpus", job->corpus);
		json_number(out, "starts", job->starts);
		json_bool(out, "running", job->pid != 0);
		json_end(out);
		if (i + 1 < campaign->nr_jobs)
			fputc(',', out);
	}
	fputs("]", out);
}

static void put_findings(FILE *out, const struct campaign *campaign)
{
	unsigned int i;

	fputs(", \"findings\": [\n", out);
	for (i = 0; i < campaign->nr_titles; i++) {
		const struct found_title *found = &campaign->titles[i];

		json_begin(out);
		json_text(out, "title", found->title);
		json_bool(out, "known", found->known);
		json_number(out, "files", found->files);
		if (found->first_seconds < 0)
			json_null(out, "first_seconds");
		else
			json_real(out, "first_seconds", found->first_seconds);
		json_text(out, "file", found->path);
		json_end(out);
		if (i + 1 < campaign->nr_titles)
			fputc(',', out);
	}
	fputs("]", out);
}

static void put_stats(FILE *out, const struct campaign *campaign, _Bool over)
{
	const struct campaign_options *options = campaign->options;
	double seconds = campaign_seconds(campaign);

	json_begin(out);
	json_text(out, "target", options->target);
	json_text(out, "kernel", options->kernel);
	json_text(out, "engine", options->engine);
	json_number(out, "seed", options->seed);
	json_real(out, "seconds", seconds);
	json_bool(out, "over", over);
	json_number(out, "programs", all_programs(campaign));
	json_real(out, "programs_per_second", seconds > 0 ? (double)all_programs(campaign) / seconds : 0);
	json_number(out, "state_cells", campaign->cells);
	json_number(out, "state_cells_known", NR_STATE_CELLS);
	json_real(out, "seconds_since_news", news_age(&campaign->news, seconds));
	json_real(out, "chance_of_news_next_minute", news_chance(&campaign->news, seconds, NEXT_SECONDS));
	json_number(out, "exchanged", campaign->nr_exchanged);
	json_number(out, "troubles", campaign->nr_troubles);
	json_number(out, "crashes", campaign->nr_crashes);
	put_jobs(out, campaign);
	put_findings(out, campaign);
	json_end(out);
}

void report_stats(struct campaign *campaign, _Bool over)
{
	char path[CAMPAIGN_PATH_BYTES];
	const char *message;
	size_t size = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	put_stats(out, campaign, over);
	fclose(out);
	snprintf(path, sizeof(path), "%s/stats.json", campaign->options->output);
	message = file_write(path, text, size, EXISTING_REPLACE);
	free(text);
	if (message)
		campaign_trouble(campaign, "%s", message);
}

void report_summary(struct campaign *campaign)
{
	const struct campaign_options *options = campaign->options;
	double seconds = campaign_seconds(campaign);
	unsigned int i;

	printf("target %s, kernel %s: %lu programs in %.0f s, %u job(s)\n", options->target, options->kernel,
	       all_programs(campaign), seconds, campaign->nr_jobs);
	for (i = 0; i < campaign->nr_jobs; i++) {
		const struct job *job = &campaign->jobs[i];

		printf("  job %u  %-9s  %10lu programs  %5lu edges  %5lu inputs%s\n", job->index,
		       engine_names[job->engine], job_programs(job), job->edges, job->corpus,
		       job->starts > 1 ? "  restarted" : "");
	}
	for (i = 0; i < campaign->nr_titles; i++) {
		const struct found_title *found = &campaign->titles[i];

		printf("  %-5s %-50s  %lu file(s)  ", found->known ? "known" : found->first_seconds < 0 ? "old" : "NEW",
		       found->title, found->files);
		if (found->first_seconds >= 0)
			printf("after %.1f s  ", found->first_seconds);
		printf("%s\n", found->path);
	}
	printf("  %lu of %u state cells; the last new title, edge or cell %.0f s ago, a chance of %.0f %% of another in the next "
	       "minute\n", campaign->cells, NR_STATE_CELLS, news_age(&campaign->news, seconds),
	       100 * news_chance(&campaign->news, seconds, NEXT_SECONDS));
	if (campaign->nr_troubles)
		printf("  %lu troubles, reported above\n", campaign->nr_troubles);
	if (campaign->nr_crashes)
		printf("  %lu crashes without a title, inputs in %s/findings: a sanitizer's, or no end in time\n",
		       campaign->nr_crashes, options->output);
	if (campaign->nr_titles)
		printf("next: build/mmfuzz triage %s/findings\n", options->output);
	else if (!campaign->nr_crashes)
		printf("nothing found\n");
}
