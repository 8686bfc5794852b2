// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_corpus.c - corpora as a whole: `show` says what each program reaches, `minimise` copies to OUT what together
 * reaches all that the inputs reach, `convert` writes them in the other spelling.
 *
 * What a program reaches is counted in cells of state: a kind of trace record with the small numbers that come with it
 * (order, pass, verdict, migratetype, zone), by the magnitude of how often. The tool is not instrumented; for coverage
 * of code as the engines see it there is -merge=1 of build/fuzzer/target_NAME and afl-cmin.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/cmd.h"
#include "fuzz/files.h"
#include "kernel-shim/trace.h"

#define CELLS_LOG2 16
#define CELLS (1UL << CELLS_LOG2)
#define FILE_COLUMNS 44
#define PATH_BYTES 4096

static const struct usage usage = {
	"corpus", "show|minimise|convert FILE|DIR...",
	"show: operations, calls, state cells and the verdict of each program, and how many cells are its own.\n"
	"minimise: copy to OUT the programs, small ones first, that reach a cell no smaller one does.\n"
	"convert: copy all to OUT as text, or as bytes with --bytes.",
	2, 0,
};

struct corpus_args {
	const char *output;
	const char *kernel;
	_Bool bytes;
	struct run_options options;
};

struct entry {
	struct loaded loaded;
	struct verdict verdict;
	char title[VERDICT_TITLE_BYTES];
	unsigned char *cells;            /* a bit each */
	unsigned long nr_cells;
};

struct corpus {
	struct entry **entries;
	unsigned long nr;
	unsigned long nr_unreadable;
	struct file_list files;
};

static unsigned int mix(unsigned int hash, unsigned long value)
{
	return (hash ^ (unsigned int)value) * 0x9e3779b1u;
}

/* The part of a record that is not an address, a count of pages or a time. */
static unsigned int cell_of(const struct trace_record *r)
{
	unsigned int hash = mix(0, r->kind);

	switch (r->kind) {
	case TRACE_MM_PAGE_ALLOC:
	case TRACE_MM_PAGE_ALLOC_ZONE_LOCKED:
	case TRACE_MM_PAGE_PCPU_DRAIN:
	case TRACE_MM_PAGE_FREE:
		hash = mix(mix(hash, r->b), r->kind == TRACE_MM_PAGE_ALLOC ? r->d : r->c);
		return mix(hash, r->a == TRACE_NO_PFN);
	case TRACE_MM_PAGE_ALLOC_EXTFRAG:
	case TRACE_CALL_BEGIN:
		return mix(mix(hash, r->a * (r->kind == TRACE_CALL_BEGIN)), r->kind == TRACE_CALL_BEGIN ? r->d : r->b);
	case TRACE_SCAN_BEGIN:
		return mix(mix(mix(hash, r->a), r->b), r->c);
	case TRACE_ZONE_VERDICT:
		return mix(mix(mix(hash, r->a), r->b), r->c);
	case TRACE_SCAN_END:
		return mix(mix(hash, r->a == TRACE_NO_PFN), r->b);
	case TRACE_KSWAPD_WAKE:
	case TRACE_ZONE_RECLAIM:
		return mix(mix(mix(hash, r->a), r->b), r->d);
	case TRACE_CALLER_WARNING:
	case TRACE_FLAG_CHANGE:
	case TRACE_BATCH_RESET:
		return mix(mix(hash, r->a), r->b);
	default:
		return hash;
	}
}

static void set_cell(struct entry *entry, unsigned int hash)
{
	unsigned long cell = hash >> (32 - CELLS_LOG2);

	entry->nr_cells += !(entry->cells[cell / 8] >> cell % 8 & 1);
	entry->cells[cell / 8] |= (unsigned char)(1U << cell % 8);
}

/*
 * Each kind, each kind after the one before, and how often it came by powers of four.
 * What the engine itself records is left out.
 */
static void collect_cells(struct entry *entry)
{
	unsigned long counts[NR_TRACE_KINDS] = { 0 };
	unsigned int before = 0;
	unsigned long i;

	for (i = 0; i < trace_count; i++) {
		const struct trace_record *r = trace_get(i);

		if (!r || r->kind >= TRACE_OP)
			continue;
		set_cell(entry, cell_of(r));
		set_cell(entry, mix(mix(1, before), r->kind));
		before = r->kind;
		counts[r->kind]++;
		if (!(counts[r->kind] & (counts[r->kind] - 1)))
			set_cell(entry, mix(mix(2, r->kind), counts[r->kind] > 1 ? counts[r->kind] & 0x55555555UL : 1));
	}
}

static struct entry *entry_new(const char *path, const struct corpus_args *args)
{
	struct entry *entry = calloc(1, sizeof(*entry));
	struct run_options options = args->options;

	if (!entry || load(&entry->loaded, path)) {
		free(entry);
		return NULL;
	}
	entry->cells = calloc(1, CELLS / 8);
	if (!entry->cells) {
		free(entry);
		return NULL;
	}
	options.misuse = loaded_misuse(&entry->loaded);
	run_titled(&entry->loaded.program, &options, &entry->verdict, entry->title);
	collect_cells(entry);
	return entry;
}

static void corpus_add(struct corpus *corpus, const char *path, const struct corpus_args *args)
{
	unsigned long i = corpus->files.nr;
	const char *message = file_list_add(&corpus->files, path);
	struct entry **grown = realloc(corpus->entries, (corpus->files.nr + 1) * sizeof(*grown));

	if (message)
		fprintf(stderr, "mmfuzz corpus: %s\n", message);
	corpus->nr_unreadable += message || !grown;
	if (!grown)
		return;
	corpus->entries = grown;
	for (; i < corpus->files.nr; i++) {
		grown[corpus->nr] = entry_new(corpus->files.paths[i], args);
		if (grown[corpus->nr])
			corpus->nr++;
		else
			corpus->nr_unreadable++;
	}
}

static void show(const struct corpus *corpus)
{
	unsigned short *reached = calloc(CELLS, sizeof(*reached));
	unsigned long i, cell, total = 0;

	if (!reached)
		return;
	for (i = 0; i < corpus->nr; i++)
		for (cell = 0; cell < CELLS; cell++)
			if (corpus->entries[i]->cells[cell / 8] >> cell % 8 & 1)
				total += !reached[cell]++;
	printf("%-*s  %5s %6s %6s %6s  %s\n", FILE_COLUMNS, "program", "ops", "calls", "cells", "own", "verdict");
	for (i = 0; i < corpus->nr; i++) {
		const struct entry *entry = corpus->entries[i];
		unsigned long own = 0;

		for (cell = 0; cell < CELLS; cell++)
			own += reached[cell] == 1 && (entry->cells[cell / 8] >> cell % 8 & 1);
		printf("%-*s  %5u %6lu %6lu %6lu  %s\n", FILE_COLUMNS, entry->loaded.path, entry->loaded.program.nr_ops,
		       entry->verdict.calls, entry->nr_cells, own, *entry->title ? entry->title : "clean");
	}
	printf("%lu programs, %lu cells\n", corpus->nr, total);
	free(reached);
}

/* NAME of DIR/NAME.prog in OUT, with the ending of the spelling. */
static _Bool copy_out(const struct corpus_args *args, const struct entry *entry)
{
	static unsigned char bytes[LIMIT_PROGRAM_BYTES];
	static char text[LIMIT_TEXT_BYTES];
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
		size = program_print(&entry->loaded.program, entry->loaded.directives.comments, text, sizeof(text));
	}
	message = file_write(out, contents, size, EXISTING_REFUSE);
	if (message)
		fprintf(stderr, "mmfuzz corpus: %s\n", message);
	return !message;
}

static int by_size(const void *a, const void *b)
{
	const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;

	if (x->verdict.calls != y->verdict.calls)
		return x->verdict.calls < y->verdict.calls ? -1 : 1;
	if (x->loaded.program.nr_ops != y->loaded.program.nr_ops)
		return x->loaded.program.nr_ops < y->loaded.program.nr_ops ? -1 : 1;
	return strcmp(x->loaded.path, y->loaded.path);
}

/* Small programs first; a larger one stays only for what no smaller one reaches. */
static int copy_all(struct corpus *corpus, const struct corpus_args *args, _Bool minimise)
{
	unsigned char *reached = calloc(1, CELLS / 8);
	unsigned long i, at, kept = 0, failed = 0;

	if (!reached)
		return EXIT_HARNESS;
	if (minimise && corpus->nr)
		qsort(corpus->entries, corpus->nr, sizeof(*corpus->entries), by_size);
	for (i = 0; i < corpus->nr; i++) {
		_Bool news = !minimise;

		for (at = 0; at < CELLS / 8; at++) {
			news |= (corpus->entries[i]->cells[at] & ~reached[at]) != 0;
			reached[at] |= corpus->entries[i]->cells[at];
		}
		if (!news)
			continue;
		kept++;
		failed += !copy_out(args, corpus->entries[i]);
	}
	free(reached);
	printf("%lu of %lu programs to %s\n", kept - failed, corpus->nr, args->output);
	return failed ? EXIT_USAGE : EXIT_CLEAN;
}

static void corpus_free(struct corpus *corpus)
{
	unsigned long i;

	for (i = 0; i < corpus->nr; i++) {
		free(corpus->entries[i]->cells);
		free(corpus->entries[i]);
	}
	free(corpus->entries);
	file_list_free(&corpus->files);
}

static int begin(struct corpus_args *args, _Bool writes)
{
	args->options = run_options_default();
	args->options.walk_at_end = 0;
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

int cmd_corpus(int argc, char **argv)
{
	struct corpus_args args = { .kernel = "fixed" };
	const struct option_spec specs[] = {
		{ "output", 'o', "OUT", "the directory that minimise and convert write to", .text = &args.output },
		{ "bytes", 'b', NULL, "write bytes, not text", .flag = &args.bytes },
		{ "kernel", 'k', "KERNEL", "run on this kernel (fixed)", .text = &args.kernel },
		{ 0 },
	};
	struct corpus corpus = { 0 };
	int first, what, code;

	code = options_parse(&usage, specs, argc, argv, &first);
	if (code != OPTIONS_GO_ON)
		return code;
	what = option_word(&usage, "what", "show minimise convert", argv[first]);
	if (what < 0 || begin(&args, what > 0))
		return EXIT_USAGE;
	while (++first < argc)
		corpus_add(&corpus, argv[first], &args);
	code = EXIT_CLEAN;
	if (what == 0)
		show(&corpus);
	else
		code = copy_all(&corpus, &args, what == 1);
	if (corpus.nr_unreadable)
		code = EXIT_USAGE;
	corpus_free(&corpus);
	return code;
}
