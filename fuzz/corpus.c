// SPDX-License-Identifier: GPL-2.0
/*
 * corpus.c - what the programs of a corpus reach, and which of them are enough (corpus.h).
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/code_coverage.h"
#include "fuzz/corpus.h"

static unsigned long nr_features(const struct corpus *corpus)
{
	return NR_STATE_CELLS + corpus->nr_edges;
}

static void collect(const struct corpus *corpus, struct corpus_entry *entry)
{
	const unsigned char *hit = (const unsigned char *)&state_cells;
	unsigned long i, nr;
	const unsigned char *counters = code_counters(&nr);

	for (i = 0; i < NR_STATE_CELLS; i++)
		entry->nr_cells += entry->reached[i] = hit[i];
	for (i = 0; i < corpus->nr_edges; i++)
		entry->nr_edges += entry->reached[NR_STATE_CELLS + i] = counters[i] != 0;
}

static struct corpus_entry *entry_new(const struct corpus *corpus, const char *path, const struct run_options *asked)
{
	struct corpus_entry *entry = calloc(1, sizeof(*entry));
	struct run_options options = *asked;
	unsigned long nr;
	unsigned char *counters = code_counters(&nr);

	if (!entry || load(&entry->loaded, path)) {
		free(entry);
		return NULL;
	}
	entry->reached = calloc(nr_features(corpus), 1);
	if (!entry->reached) {
		free(entry);
		return NULL;
	}
	options.misuse = loaded_misuse(&entry->loaded);
	if (nr)
		memset(counters, 0, nr);
	run_titled(&entry->loaded.program, &options, &entry->verdict, entry->title);
	collect(corpus, entry);
	return entry;
}

void corpus_add(struct corpus *corpus, const char *path, const struct run_options *options)
{
	unsigned long i = corpus->files.nr;
	const char *message = file_list_add(&corpus->files, path);
	struct corpus_entry **grown = realloc(corpus->entries, (corpus->files.nr + 1) * sizeof(*grown));

	run_aside = code_hold;
	code_counters(&corpus->nr_edges);
	if (message)
		fprintf(stderr, "mmfuzz corpus: %s\n", message);
	corpus->nr_unreadable += message || !grown;
	if (!grown)
		return;
	corpus->entries = grown;
	for (; i < corpus->files.nr; i++) {
		grown[corpus->nr] = entry_new(corpus, corpus->files.paths[i], options);
		if (grown[corpus->nr])
			corpus->nr++;
		else
			corpus->nr_unreadable++;
	}
}

void corpus_free(struct corpus *corpus)
{
	unsigned long i;

	for (i = 0; i < corpus->nr; i++) {
		free(corpus->entries[i]->reached);
		free(corpus->entries[i]);
	}
	free(corpus->entries);
	file_list_free(&corpus->files);
}

unsigned long *corpus_count(const struct corpus *corpus)
{
	unsigned long *programs = calloc(nr_features(corpus), sizeof(*programs));
	unsigned long i, at;

	for (i = 0; programs && i < corpus->nr; i++)
		for (at = 0; at < nr_features(corpus); at++)
			programs[at] += corpus->entries[i]->reached[at];
	return programs;
}

static int by_size(const void *a, const void *b)
{
	const struct corpus_entry *x = *(struct corpus_entry *const *)a, *y = *(struct corpus_entry *const *)b;

	if (x->verdict.calls != y->verdict.calls)
		return x->verdict.calls < y->verdict.calls ? -1 : 1;
	if (x->loaded.program.nr_ops != y->loaded.program.nr_ops)
		return x->loaded.program.nr_ops < y->loaded.program.nr_ops ? -1 : 1;
	return strcmp(x->loaded.path, y->loaded.path);
}

/* True if every feature of the program is one of at least so many programs. */
static _Bool shared(const struct corpus *corpus, const struct corpus_entry *entry, const unsigned long *programs,
		    unsigned long least)
{
	unsigned long at;

	for (at = 0; at < nr_features(corpus); at++)
		if (entry->reached[at] && programs[at] < least)
			return 0;
	return 1;
}

static void count(const struct corpus *corpus, const struct corpus_entry *entry, unsigned long *programs, int add)
{
	unsigned long at;

	for (at = 0; at < nr_features(corpus); at++)
		programs[at] += entry->reached[at] ? (unsigned long)add : 0;
}

/*
 * Small programs first; a larger one stays only for what no smaller one reaches. Then from the large ones down, what the
 * others reach without it goes again.
 */
unsigned long corpus_minimise(struct corpus *corpus)
{
	unsigned long *programs = calloc(nr_features(corpus), sizeof(*programs));
	unsigned long i, kept = 0;

	if (!programs)
		return 0;
	if (corpus->nr)
		qsort(corpus->entries, corpus->nr, sizeof(*corpus->entries), by_size);
	for (i = 0; i < corpus->nr; i++) {
		corpus->entries[i]->kept = !shared(corpus, corpus->entries[i], programs, 1);
		if (corpus->entries[i]->kept)
			count(corpus, corpus->entries[i], programs, 1);
	}
	for (i = corpus->nr; i-- > 0;) {
		struct corpus_entry *entry = corpus->entries[i];

		if (entry->kept && shared(corpus, entry, programs, 2)) {
			entry->kept = 0;
			count(corpus, entry, programs, -1);
		}
		kept += entry->kept;
	}
	free(programs);
	return kept;
}
