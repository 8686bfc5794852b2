// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_triage.c - what a campaign found, made readable: every file of a directory is replayed three times, findings are
 * grouped by title, and the smallest of each title is shrunk and written with its story and its directives.
 *
 * NAME.bin beside NAME.prog is the same finding in the other spelling, and is passed over. Files that are clean, or
 * whose replays differ, are counted and named: neither must disappear.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/files.h"
#include "fuzz/findings.h"
#include "fuzz/minimise.h"

#define REPLAYS 3
#define PATH_BYTES 4096
#define REGRESSIONS "corpus/regressions"

static const struct usage usage = {
	"triage", "DIR",
	"Replay every finding of a directory three times, group them by title, shrink the smallest of each title and\n"
	"write it to OUT as .prog, with its story and directives. A file without a '# kernel:' line is played on KERNEL.\n"
	"--promote also copies what is clean on 'fixed' to " REGRESSIONS "/.",
	1, 1,
};

/* All findings of one title. The file with the fewest operations stands for them. */
struct group {
	char title[VERDICT_TITLE_BYTES];
	unsigned long nr_files;
	struct loaded best;
	struct kernel_config kernel;
	unsigned int nr_ops_before;
	_Bool known;
	_Bool clean_on_fixed;
	const char *fate;                /* what became of the promotion; "" = not asked for */
	char path[PATH_BYTES];           /* written */
	struct group *next;
};

struct triage {
	const char *output;
	const char *kernel;
	const char *known_path;
	unsigned long seconds;
	_Bool promote;
	_Bool json;
	struct known_titles known;
	struct group *groups;            /* in the order of their titles */
	unsigned long nr_files, nr_clean, nr_unsteady, nr_unreadable, runs;
	_Bool failed;                    /* something could not be written */
};

/* Three times the same, or nothing is known. */
static _Bool replay(const struct program *program, const struct run_options *options, char *title)
{
	char again[VERDICT_TITLE_BYTES];
	struct verdict first, verdict;
	unsigned int i;

	run_titled(program, options, &first, title);
	for (i = 1; i < REPLAYS; i++) {
		run_titled(program, options, &verdict, again);
		if (strcmp(title, again) || verdict.trace_hash != first.trace_hash ||
		    verdict.state_hash != first.state_hash)
			return 0;
	}
	return 1;
}

static struct run_options options_for(const struct kernel_config *kernel_config, const struct loaded *loaded)
{
	struct run_options options = run_options_default();

	options.kernel = *kernel_config;
	options.hashes = 1;
	options.misuse = loaded_misuse(loaded);
	return options;
}

static struct group *group_of(struct triage *triage, const char *title)
{
	struct group **at = &triage->groups;
	struct group *group;

	while (*at && strcmp((*at)->title, title) < 0)
		at = &(*at)->next;
	if (*at && !strcmp((*at)->title, title))
		return *at;
	group = calloc(1, sizeof(*group));
	if (!group)
		return NULL;
	snprintf(group->title, sizeof(group->title), "%s", title);
	group->known = known_has(&triage->known, title);
	group->fate = "";
	group->next = *at;
	*at = group;
	return group;
}

static void add_finding(struct triage *triage, const struct loaded *loaded, const struct kernel_config *kernel_config,
			const char *title)
{
	struct group *group = group_of(triage, title);

	if (!group)
		return;
	if (!group->nr_files || loaded->program.nr_ops < group->best.program.nr_ops) {
		group->best = *loaded;
		group->kernel = *kernel_config;
	}
	group->nr_files++;
}

static void add_file(struct triage *triage, const char *path)
{
	static struct loaded loaded;
	char title[VERDICT_TITLE_BYTES];
	struct kernel_config kernel_config;
	struct run_options options;
	const char *text;

	triage->nr_files++;
	if (load(&loaded, path)) {
		triage->nr_unreadable++;
		return;
	}
	text = loaded.directives.kernel[0] ? loaded.directives.kernel : triage->kernel;
	if (load_kernel(&kernel_config, text, path)) {
		triage->nr_unreadable++;
		return;
	}
	options = options_for(&kernel_config, &loaded);
	if (!replay(&loaded.program, &options, title)) {
		fprintf(stderr, "%s: replays differ\n", path);
		triage->nr_unsteady++;
	} else if (!*title) {
		fprintf(stderr, "%s: clean on %s\n", path, text);
		triage->nr_clean++;
	} else {
		add_finding(triage, &loaded, &kernel_config, title);
	}
}

/* NAME.bin with NAME.prog beside it, and what an earlier triage wrote. */
static _Bool is_passed_over(const struct triage *triage, const char *path)
{
	size_t length = strlen(triage->output);
	char text[PATH_BYTES];

	if (!strncmp(path, triage->output, length) && path[length] == '/')
		return 1;
	if (!path_ends(path, ".bin"))
		return path_ends(path, ".new");
	snprintf(text, sizeof(text), "%.*s.prog", (int)(strlen(path) - 4), path);
	return !access(text, R_OK);
}

static int collect(struct triage *triage, const char *directory)
{
	struct file_list list = { 0 };
	const char *message = file_list_add(&list, directory);
	unsigned long i;

	for (i = 0; i < list.nr && !interrupted(); i++)
		if (!is_passed_over(triage, list.paths[i]))
			add_file(triage, list.paths[i]);
	file_list_free(&list);
	if (!message)
		return EXIT_CLEAN;
	fprintf(stderr, "mmfuzz triage: %s\n", message);
	return EXIT_USAGE;
}

static void write_group(struct triage *triage, const char *directory, struct group *group, const char *text,
			unsigned long length)
{
	char slug[SLUG_BYTES];
	const char *message;

	snprintf(group->path, sizeof(group->path), "%.3900s/%s.prog", directory, finding_slug(slug, group->title));
	message = file_write(group->path, text, length,
			     directory == triage->output ? EXISTING_REPLACE : EXISTING_REFUSE);
	if (!message)
		return;
	fprintf(stderr, "mmfuzz triage: %s\n", message);
	group->fate = "not written";
	triage->failed = 1;
}

/* A regression must be clean on fixed; what fails there is an open finding. */
static void promote(struct triage *triage, struct group *group, const char *text, unsigned long length)
{
	char written[PATH_BYTES];

	if (!group->clean_on_fixed) {
		group->fate = "open on fixed, not promoted";
		return;
	}
	group->fate = "promoted";
	snprintf(written, sizeof(written), "%s", group->path);
	write_group(triage, REGRESSIONS, group, text, length);
	if (strcmp(group->fate, "promoted"))
		snprintf(group->path, sizeof(group->path), "%s", written);
}

static void finish_group(struct triage *triage, struct group *group)
{
	static char text[LIMIT_TEXT_BYTES];
	struct kernel_config fixed = kernel_profile(PROFILE_FIXED);
	struct run_options options = options_for(&group->kernel, &group->best), fixed_options = options_for(&fixed, &group->best);
	char title[VERDICT_TITLE_BYTES];
	struct verdict verdict;
	unsigned long length;

	group->nr_ops_before = group->best.program.nr_ops;
	minimise(&group->best.program, &options, group->title, triage->seconds, &triage->runs);
	run_titled(&group->best.program, &fixed_options, &verdict, title);
	group->clean_on_fixed = !*title;
	run_titled(&group->best.program, &options, &verdict, title);
	length = finding_text(&group->best.program, &verdict, NULL, text, sizeof(text));
	write_group(triage, triage->output, group, text, length);
	if (triage->promote && !group->known)
		promote(triage, group, text, length);
}

static void print_group(const struct triage *triage, const struct group *group)
{
	char ops[32];

	if (triage->json) {
		json_begin(stdout);
		json_text(stdout, "title", group->title);
		json_number(stdout, "files", group->nr_files);
		json_bool(stdout, "known", group->known);
		json_number(stdout, "ops_before", group->nr_ops_before);
		json_number(stdout, "ops", group->best.program.nr_ops);
		json_bool(stdout, "clean_on_fixed", group->clean_on_fixed);
		json_text(stdout, "file", group->path);
		json_end(stdout);
		return;
	}
	snprintf(ops, sizeof(ops), "%u -> %u", group->nr_ops_before, group->best.program.nr_ops);
	printf("%6lu  %-10s  %-5s  %-50s  %s%s%s\n", group->nr_files, ops, group->known ? "known" : "new", group->title,
	       group->path, *group->fate ? "  " : "", group->fate);
}

static int triage_directory(struct triage *triage, const char *directory)
{
	unsigned long nr_new = 0;
	struct group *group;
	int code = collect(triage, directory);

	if (code != EXIT_CLEAN)
		return code;
	if (triage->groups && mkdir(triage->output, 0777) && access(triage->output, W_OK)) {
		perror(triage->output);
		return EXIT_USAGE;
	}
	if (triage->groups && !triage->json)
		printf("%6s  %-10s  %-5s  %-50s  %s\n", "files", "operations", "", "title", "written to");
	while ((group = triage->groups)) {
		finish_group(triage, group);
		print_group(triage, group);
		fflush(stdout);
		nr_new += !group->known;
		triage->groups = group->next;
		free(group);
	}
	if (!triage->json)
		printf("%lu new, of %lu files: %lu clean, %lu not repeatable, %lu unreadable\n", nr_new,
		       triage->nr_files, triage->nr_clean, triage->nr_unsteady, triage->nr_unreadable);
	if (triage->failed || triage->nr_unreadable)
		return EXIT_USAGE;
	return triage->nr_unsteady ? EXIT_HARNESS : nr_new ? EXIT_FINDING : EXIT_CLEAN;
}

int cmd_triage(int argc, char **argv)
{
	struct triage triage = { .seconds = 10, .kernel = "fixed" };
	const struct option_spec specs[] = {
		{ "output", 'o', "OUT", "where the small ones go (DIR/triage)", .text = &triage.output },
		{ "kernel", 'k', "KERNEL", "for files that do not name one (fixed)", .text = &triage.kernel },
		{ "known", 0, "FILE", "titles that are no news, one a line", .text = &triage.known_path },
		{ "seconds", 's', "N", "for shrinking each title (10)", .number = &triage.seconds },
		{ "promote", 0, NULL, "copy new ones to " REGRESSIONS "/", .flag = &triage.promote },
		{ "json", 0, NULL, "one JSON object a line for each title", .flag = &triage.json },
		{ 0 },
	};
	char output[PATH_BYTES];
	const char *message;
	int first;
	int code = options_parse(&usage, specs, argc, argv, &first);

	if (code != OPTIONS_GO_ON)
		return code;
	message = triage.known_path ? known_read(&triage.known, triage.known_path) : NULL;
	if (message) {
		fprintf(stderr, "mmfuzz triage: --known: %s\n", message);
		return EXIT_USAGE;
	}
	snprintf(output, sizeof(output), "%s/triage", argv[first]);
	if (!triage.output)
		triage.output = output;
	interrupts_catch();
	code = triage_directory(&triage, argv[first]);
	known_free(&triage.known);
	return code;
}
