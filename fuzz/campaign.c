// SPDX-License-Identifier: GPL-2.0
/*
 * campaign.c - a campaign from its directory to its end (campaign.h). Five times a second: what the jobs say, what lies in
 * findings/, what AFL++ discovered and libFuzzer should know.
 *
 * Nothing that goes wrong on the way ends a campaign: it is said, counted, and the campaign goes on. All that matters is
 * in files that are written whole or not at all, so that a campaign can be killed at any time and resumed by another
 * one in the same directory.
 */
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/campaign.h"
#include "fuzz/files.h"
#include "fuzz/minimise.h"
#include "fuzz/mutate.h"
#include "fuzz/target_ops.h"

#define POLL_MICROSECONDS 200000
#define STATS_SECONDS 10.0

double campaign_seconds(const struct campaign *campaign)
{
	return wall_seconds() - campaign->began;
}

void campaign_trouble(struct campaign *campaign, const char *format, ...)
{
	va_list arguments;

	campaign->nr_troubles++;
	fprintf(stderr, "%s%7.0f s  trouble: ", isatty(STDERR_FILENO) ? "\r\033[K" : "", campaign_seconds(campaign));
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

/*
 * Names that were seen already, sorted.
 */
struct names {
	char **names;
	unsigned long nr;
};

static _Bool names_add(struct names *names, const char *name)
{
	unsigned long low = 0, high = names->nr;
	char **grown;

	while (low < high) {
		unsigned long middle = (low + high) / 2;
		int order = strcmp(names->names[middle], name);

		if (!order)
			return 0;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	grown = realloc(names->names, (names->nr + 1) * sizeof(*grown));
	if (!grown)
		return 0;
	names->names = grown;
	memmove(&grown[low + 1], &grown[low], (names->nr - low) * sizeof(*grown));
	grown[low] = strdup(name);
	names->nr += grown[low] != NULL;
	return grown[low] != NULL;
}

/*
 * The directory.
 */
static _Bool make_directory(const char *format, const char *output)
{
	char path[CAMPAIGN_PATH_BYTES];
	char *slash;

	snprintf(path, sizeof(path), format, output);
	for (slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
	if (!mkdir(path, 0777) || (errno == EEXIST && !access(path, W_OK)))
		return 1;
	fprintf(stderr, "mmfuzz fuzz: %s: %s\n", path, strerror(errno));
	return 0;
}

static void plant(struct campaign *campaign, const void *bytes, unsigned long size)
{
	const unsigned char *at = bytes;
	char path[CAMPAIGN_PATH_BYTES];
	unsigned int hash = 2166136261u;
	const char *message;
	unsigned long i;

	for (i = 0; i < size; i++)
		hash = (hash ^ at[i]) * 16777619u;
	snprintf(path, sizeof(path), "%s/seeds/%08x", campaign->options->output, hash);
	message = file_write(path, bytes, size, EXISTING_KEEP);
	if (message)
		campaign_trouble(campaign, "%s", message);
}

/* Programs become bytes, whatever they were. A file that is no program is said, and left out. */
static void plant_all(struct campaign *campaign, const char *directory)
{
	static unsigned char bytes[LIMIT_PROGRAM_BYTES];
	static struct loaded loaded;
	struct file_list list = { 0 };
	const char *message;
	unsigned long i;

	if (access(directory, F_OK))
		return;
	message = file_list_add(&list, directory);
	if (message)
		campaign_trouble(campaign, "%s", message);
	for (i = 0; i < list.nr; i++) {
		if (load(&loaded, list.paths[i]))
			campaign->nr_troubles++;
		else
			plant(campaign, bytes, program_encode(&loaded.program, bytes));
	}
	file_list_free(&list);
}

static void make_seeds(struct campaign *campaign)
{
	const struct campaign_options *options = campaign->options;
	char path[CAMPAIGN_PATH_BYTES];

	/* AFL++ wants something to begin with. */
	plant(campaign, "\1", 2);
	if (!options->no_seeds) {
		snprintf(path, sizeof(path), "corpus/seeds/%s", options->target);
		plant_all(campaign, path);
		snprintf(path, sizeof(path), "corpus/bytes/%s", options->target);
		plant_all(campaign, path);
	}
	if (options->corpus && access(options->corpus, R_OK))
		campaign_trouble(campaign, "%s: %s", options->corpus, strerror(errno));
	else if (options->corpus)
		plant_all(campaign, options->corpus);
}

/*
 * Findings.
 */
static struct found_title *title_of(struct campaign *campaign, const char *title)
{
	struct found_title *found;
	unsigned int i;

	for (i = 0; i < campaign->nr_titles; i++)
		if (!strcmp(campaign->titles[i].title, title))
			return &campaign->titles[i];
	if (campaign->nr_titles == CAMPAIGN_TITLES_MAX)
		return NULL;
	found = &campaign->titles[campaign->nr_titles++];
	snprintf(found->title, sizeof(found->title), "%s", title);
	found->known = known_has(&campaign->known, title);
	found->files = 0;
	return found;
}

static void add_found(struct campaign *campaign, const char *path, _Bool earlier)
{
	static struct loaded loaded;
	struct found_title *found;

	if (load(&loaded, path)) {
		campaign->nr_troubles++;
		return;
	}
	found = title_of(campaign, loaded.directives.expect);
	if (!found || found->files++)
		return;
	if (snprintf(found->path, sizeof(found->path), "%s", path) >= (int)sizeof(found->path))
		campaign->nr_troubles++;
	found->first_seconds = earlier ? -1 : campaign_seconds(campaign);
	if (earlier || found->known)
		return;
	campaign->nr_new++;
	news_add(&campaign->news, campaign_seconds(campaign));
	report_news(campaign, found);
}

static void look_for_findings(struct campaign *campaign, _Bool earlier)
{
	static struct names seen;
	char directory[CAMPAIGN_PATH_BYTES], path[CAMPAIGN_PATH_BYTES + 512];
	const struct dirent *entry;
	DIR *dir;

	snprintf(directory, sizeof(directory), "%s/findings", campaign->options->output);
	dir = opendir(directory);
	if (!dir) {
		campaign_trouble(campaign, "%s: %s", directory, strerror(errno));
		return;
	}
	while ((entry = readdir(dir))) {
		if (!path_ends(entry->d_name, ".prog") || !names_add(&seen, entry->d_name))
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		add_found(campaign, path, earlier);
	}
	closedir(dir);
}

/* What the target made of it: AFL++'s own mutations know nothing of operations, and the target leaves some out. */
static const char *copy_settled(const struct campaign *campaign, const char *from, const char *to)
{
	static unsigned char settled[LIMIT_PROGRAM_BYTES];
	unsigned char *bytes;
	unsigned long size;
	const char *message = file_read(from, &bytes, &size);

	if (message)
		return message;
	if (!strcmp(campaign->options->target, "text")) {
		message = file_write(to, bytes, size, EXISTING_REPLACE);
	} else {
		mutate_wants = target_ops(campaign->options->target);
		message = file_write(to, settled, settle_bytes(bytes, size, settled, sizeof(settled)), EXISTING_REPLACE);
	}
	free(bytes);
	return message;
}

/*
 * From AFL++ to libFuzzer: files of its queue become files of the corpus, which libFuzzer reads again and again, and which
 * is what a campaign of any engine leaves. The other way AFL++ goes by itself. What it took from there needs no copy.
 */
static void copy_queue(struct campaign *campaign, const struct job *job)
{
	static struct names seen;
	char queue[CAMPAIGN_PATH_BYTES], from[CAMPAIGN_PATH_BYTES + 512], to[CAMPAIGN_PATH_BYTES + 512];
	const struct dirent *entry;
	DIR *dir;

	snprintf(queue, sizeof(queue), "%s/afl/job%u/queue", campaign->options->output, job->index);
	dir = opendir(queue);
	while (dir && (entry = readdir(dir))) {
		const char *message;

		snprintf(to, sizeof(to), "%s/corpus/afl%u-%.9s", campaign->options->output, job->index, entry->d_name);
		if (strncmp(entry->d_name, "id:", 3) || strstr(entry->d_name, "sync:") ||
		    strstr(entry->d_name, "orig:") || !names_add(&seen, to))
			continue;
		snprintf(from, sizeof(from), "%s/%s", queue, entry->d_name);
		message = copy_settled(campaign, from, to);
		campaign->nr_exchanged += !message;
		if (message)
			campaign_trouble(campaign, "%s", message);
	}
	if (dir)
		closedir(dir);
}

static void exchange(struct campaign *campaign, _Bool last)
{
	_Bool wanted = last;
	unsigned int i;

	for (i = 0; i < campaign->nr_jobs; i++)
		wanted |= campaign->jobs[i].engine == ENGINE_LIBFUZZER;
	for (i = 0; wanted && i < campaign->nr_jobs; i++)
		if (campaign->jobs[i].engine == ENGINE_AFL)
			copy_queue(campaign, &campaign->jobs[i]);
}

/* More edges or state cells than ever are news. */
static void notice_progress(struct campaign *campaign)
{
	unsigned long cells = jobs_cells(campaign);
	_Bool more = cells > campaign->cells;
	unsigned int i;

	campaign->cells = cells;
	for (i = 0; i < campaign->nr_jobs; i++) {
		const struct job *job = &campaign->jobs[i];

		if (job->edges <= campaign->best_edges[job->engine])
			continue;
		campaign->best_edges[job->engine] = job->edges;
		more = 1;
	}
	if (more)
		news_add(&campaign->news, campaign_seconds(campaign));
}

static _Bool is_over(const struct campaign *campaign)
{
	const struct campaign_options *options = campaign->options;

	return interrupted() || (options->first && campaign->nr_new) ||
	       (options->seconds && campaign_seconds(campaign) >= (double)options->seconds);
}

/* Returns 0 if no engine could be kept running. */
static _Bool watch(struct campaign *campaign)
{
	double stats_at = 0;
	_Bool running = 1;

	while (running && !is_over(campaign)) {
		usleep(POLL_MICROSECONDS);
		running = jobs_watch(campaign, 1) != 0;
		look_for_findings(campaign, 0);
		exchange(campaign, 0);
		notice_progress(campaign);
		report_status(campaign, 0);
		if (campaign_seconds(campaign) < stats_at)
			continue;
		report_stats(campaign, 0);
		stats_at = campaign_seconds(campaign) + STATS_SECONDS;
	}
	return running;
}

static _Bool prepare(struct campaign *campaign)
{
	const char *output = campaign->options->output;
	const char *message;

	message = campaign->options->known_path ? known_read(&campaign->known, campaign->options->known_path) : NULL;
	if (message) {
		fprintf(stderr, "mmfuzz fuzz: --known: %s\n", message);
		return 0;
	}
	if (!jobs_plan(campaign) || !make_directory("%s/corpus", output) || !make_directory("%s/seeds", output) ||
	    !make_directory("%s/findings", output) || !make_directory("%s/afl", output))
		return 0;
	make_seeds(campaign);
	look_for_findings(campaign, 1);
	return 1;
}

int campaign_run(const struct campaign_options *options)
{
	static struct campaign campaign;
	unsigned int i;
	_Bool running;

	campaign = (struct campaign){ .options = options, .began = wall_seconds() };
	if (!prepare(&campaign))
		return EXIT_USAGE;
	interrupts_catch();
	campaign.began = wall_seconds();
	for (i = 0; i < campaign.nr_jobs; i++)
		job_start(&campaign, &campaign.jobs[i]);
	running = watch(&campaign);
	jobs_stop(&campaign);
	look_for_findings(&campaign, 0);
	exchange(&campaign, 1);
	notice_progress(&campaign);
	report_status(&campaign, 1);
	report_stats(&campaign, 1);
	report_summary(&campaign);
	known_free(&campaign.known);
	return !running ? EXIT_HARNESS : campaign.nr_new || campaign.nr_crashes ? EXIT_FINDING : EXIT_CLEAN;
}
