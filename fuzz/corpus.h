/* SPDX-License-Identifier: GPL-2.0 */
/*
 * corpus.h - programs of a corpus and what each reaches: the state cells (states.h) and, in builds whose mm/ is instrumented,
 * the edges of the code.
 */
#ifndef MMFUZZ_CORPUS_H
#define MMFUZZ_CORPUS_H

#include "fuzz/cmd.h"
#include "fuzz/files.h"
#include "fuzz/states.h"

struct corpus_entry {
	struct loaded loaded;
	struct verdict verdict;
	char title[VERDICT_TITLE_BYTES];
	unsigned char *reached;          /* 0 or 1 for each state cell, then for each edge */
	unsigned long nr_cells;
	unsigned long nr_edges;
	_Bool kept;                      /* by corpus_minimise() */
};

struct corpus {
	struct corpus_entry **entries;
	unsigned long nr;
	unsigned long nr_unreadable;     /* told on standard error */
	unsigned long nr_edges;          /* there are; 0: code is not counted */
	struct file_list files;
};

/* corpus_add - run the programs of a file or directory, in the order of their names. */
void corpus_add(struct corpus *corpus, const char *path, const struct run_options *options);
void corpus_free(struct corpus *corpus);

/* corpus_count - programs[i] = how many reach cell or edge i. To be freed; NULL = no memory. */
unsigned long *corpus_count(const struct corpus *corpus);

/*
 * corpus_minimise - sort by size and set `kept`: all that the programs reach, those that are kept reach too, and none of
 * them could go. Returns how many are kept.
 */
unsigned long corpus_minimise(struct corpus *corpus);

/* corpus_print_states - every cell and how many programs hit it, plane by plane; or one JSON object. */
void corpus_print_states(const struct corpus *corpus, const char *kernel_text, _Bool json);

#endif
