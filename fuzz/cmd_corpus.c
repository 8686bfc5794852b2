// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_corpus.c - corpora as a whole: `show` says what each program reaches, `minimise` copies to OUT what together
 * reaches all that the inputs reach, `convert` writes them in the other spelling, and --states lists the state cells.
 *
 * mm/ is instrumented in build/fuzzer, the tool that lies there included: to minimise by the edges of the code too, the
 * tool hands over to that one. libFuzzer's -merge=1 and afl-cmin keep more, for they also look at how often an edge is
 * taken.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/code_coverage.h"
#include "fuzz/corpus.h"

#define FILE_COLUMNS 44
#define PATH_BYTES 4096

static const struct usage usage = {
	"corpus", "show|minimise|convert FILE|DIR... | --states [FILE|DIR]...",
	"show: operations, calls, state cells, edges of mm/ and the verdict of each program, and what it alone reaches.\n"
	"minimise: copy to OUT the programs, small ones first, that reach a state cell or an edge no smaller one does.\n"
	"convert: copy all to OUT as text, or as bytes with --bytes.\n"
	"--states: each state cell and how many of the programs (corpus) hit it, also those that none does.\n"
	"Edges are counted by the tool of build/fuzzer, which minimise calls when it is built.",
	0, 0,
};

struct corpus_args {
	const char *output;
	const char *kernel;
	_Bool bytes;
	_Bool states;
	_Bool json;
	struct run_options options;
};

static void print_entry(const struct corpus *corpus, const struct corpus_entry *entry, const unsigned long *programs)
{
	unsigned long at, own = 0;

	for (at = 0; at < NR_STATE_CELLS + corpus->nr_edges; at++)
		own += entry->reached[at] && programs[at] == 1;
	printf("%-*s  %5u %6lu %6lu ", FILE_COLUMNS, entry->loaded.path, entry->loaded.program.nr_ops,
	       entry->verdict.calls, entry->nr_cells);
	if (corpus->nr_edges)
		printf("%6lu ", entry->nr_edges);
	printf("%6lu  %s\n", own, *entry->title ? entry->title : "clean");
}

static void print_totals(const struct corpus *corpus, const unsigned long *programs)
{
	unsigned long at, cells = 0, edges = 0;

	for (at = 0; at < NR_STATE_CELLS + corpus->nr_edges; at++)
		*(at < NR_STATE_CELLS ? &cells : &edges) += programs[at] != 0;
	printf("%lu programs, %lu of %u state cells", corpus->nr, cells, NR_STATE_CELLS);
	if (corpus->nr_edges)
		printf(", %lu of %lu edges", edges, corpus->nr_edges);
	printf("\n");
}

static void show(const struct corpus *corpus)
{
	unsigned long *programs = corpus_count(corpus);
	unsigned long i;

	if (!programs)
		return;
	printf("%-*s  %5s %6s %6s ", FILE_COLUMNS, "program", "ops", "calls", "cells");
	printf(corpus->nr_edges ? "%6s %6s  %s\n" : "%.0s%6s  %s\n", "edges", "own", "verdict");
	for (i = 0; i < corpus->nr; i++)
		print_entry(corpus, corpus->entries[i], programs);
	print_totals(corpus, programs);
	free(programs);
}

/* NAME of DIR/NAME.prog in OUT, with the ending of the spelling. */
static _Bool copy_out(const struct corpus_args *args, const struct corpus_entry *entry)
{
	static unsigned char bytes[LIMIT_PROGRAM_BYTES];
	static char text[LIMIT_TEXT_BYTES];
	const char *comments = entry->loaded.directives.comments;
	const char *path = entry->loaded.path, *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	size_t length = strlen(name) - (path_ends(name, ".prog") ? 5 : path_ends(name, ".bin") ? 4 : 0);
	const void *contents = text;
	char out[PATH_BYTES];
	const char *message;
	unsigned long size;

	snprintf(out, sizeof(out), "%s/%.*s%s", args->output, (int)length, name, args->bytes ? "" : ".prog");
	if (args->bytes) {
		size = program_encode(&entry->loaded.program, bytes);
		contents = bytes;
	} else {
		if (!entry->loaded.text && loaded_misuse(&entry->loaded))
			comments = "# misuse: yes\n";
		size = program_print(&entry->loaded.program, comments, text, sizeof(text));
	}
	message = file_write(out, contents, size, EXISTING_REFUSE);
	if (message)
		fprintf(stderr, "mmfuzz corpus: %s\n", message);
	return !message;
}

static int copy_all(struct corpus *corpus, const struct corpus_args *args, _Bool minimise)
{
	unsigned long i, copied = 0, failed = 0;

	if (minimise)
		corpus_minimise(corpus);
	for (i = 0; i < corpus->nr; i++) {
		if (minimise && !corpus->entries[i]->kept)
			continue;
		if (copy_out(args, corpus->entries[i]))
			copied++;
		else
			failed++;
	}
	printf("%lu of %lu programs to %s", copied, corpus->nr, args->output);
	if (minimise)
		printf(", by state cells%s", corpus->nr_edges ? " and edges" : " alone: build/fuzzer/mmfuzz is not built");
	printf("\n");
	return failed ? EXIT_USAGE : EXIT_CLEAN;
}

/* The tool of build/fuzzer counts edges. Returns if there is none, or this is it. */
static void hand_over(char **argv)
{
	char path[PATH_BYTES];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - sizeof("/../fuzzer/mmfuzz"));
	unsigned long nr;

	code_counters(&nr);
	if (nr || length < 0)
		return;
	path[length] = '\0';
	strcpy(strrchr(path, '/'), "/../fuzzer/mmfuzz");
	fflush(NULL);
	execv(path, argv - 1);
}

static int begin(struct corpus_args *args, _Bool writes)
{
	args->options = run_options_default();
	args->options.walk_at_end = 0;
	args->options.states = 1;
	if (load_kernel(&args->options.kernel, args->kernel, "mmfuzz corpus: --kernel"))
		return EXIT_USAGE;
	if (!writes)
		return EXIT_CLEAN;
	if (!args->output) {
		fprintf(stderr, "mmfuzz corpus: -o OUT is missing\n");
		return EXIT_USAGE;
	}
	if (mkdir(args->output, 0777) && access(args->output, W_OK)) {
		perror(args->output);
		return EXIT_USAGE;
	}
	return EXIT_CLEAN;
}

enum what { SHOW, MINIMISE, CONVERT, STATES };

/* What is asked for; *first is then the first file. -1 after a message. */
static int what_is_asked(const struct corpus_args *args, int argc, char **argv, int *first)
{
	if (args->states)
		return STATES;
	if (argc - *first < 2) {
		fprintf(stderr, "mmfuzz corpus: expected %s\nSee: mmfuzz corpus --help\n", usage.arguments);
		return -1;
	}
	return option_word(&usage, "what", "show minimise convert", argv[(*first)++]);
}

static int do_it(struct corpus *corpus, const struct corpus_args *args, enum what what)
{
	int code = EXIT_CLEAN;

	if (!corpus->nr && corpus->nr_unreadable)
		return EXIT_USAGE;
	if (what == STATES)
		corpus_print_states(corpus, args->kernel, args->json);
	else if (what == SHOW)
		show(corpus);
	else
		code = copy_all(corpus, args, what == MINIMISE);
	return corpus->nr_unreadable ? EXIT_USAGE : code;
}

int cmd_corpus(int argc, char **argv)
{
	struct corpus_args args = { .kernel = "fixed" };
	const struct option_spec specs[] = {
		{ "output", 'o', "OUT", "the directory that minimise and convert write to", .text = &args.output },
		{ "bytes", 'b', NULL, "write bytes, not text", .flag = &args.bytes },
		{ "kernel", 'k', "KERNEL", "run on this kernel (fixed)", .text = &args.kernel },
		{ "states", 0, NULL, "list the state cells that are hit, and those that never are", .flag = &args.states },
		{ "json", 0, NULL, "with --states: one JSON object", .flag = &args.json },
		{ 0 },
	};
	struct corpus corpus = { 0 };
	int first, what, code;

	code = options_parse(&usage, specs, argc, argv, &first);
	if (code != OPTIONS_GO_ON)
		return code;
	what = what_is_asked(&args, argc, argv, &first);
	if (what < 0 || begin(&args, what == MINIMISE || what == CONVERT))
		return EXIT_USAGE;
	if (what == MINIMISE)
		hand_over(argv);
	if (first == argc)
		corpus_add(&corpus, "corpus", &args.options);
	for (; first < argc; first++)
		corpus_add(&corpus, argv[first], &args.options);
	code = do_it(&corpus, &args, (enum what)what);
	corpus_free(&corpus);
	return code;
}
