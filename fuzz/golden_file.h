/* SPDX-License-Identifier: GPL-2.0 */
/* golden_file.h - the lines of a recording: what golden_file.c reads and golden.c replays. Plain C. */
#ifndef MMFUZZ_GOLDEN_FILE_H
#define MMFUZZ_GOLDEN_FILE_H

#include "fuzz/golden.h"

enum golden_line_kind {
	LINE_COMMENT,
	LINE_MACHINE,            /* machine and distance lines, already in the configuration */
	LINE_BLOCK,              /* output of whole lines: golden_line.block */
	LINE_MARK,               /* start, end, end-before-free */
	LINE_OP,                 /* op and case lines: golden_line.op, its output in .answer */
};

struct golden_line {
	enum golden_line_kind kind;
	enum golden_block block; /* of a LINE_BLOCK; GOLDEN_STATES at a LINE_MARK that states must follow */
	struct golden_op op;
	const char *answer;      /* "" or " -> ..." inside the line */
};

struct golden_file {
	struct machine_config config;
	unsigned char zone_types[MACHINE_ZONES_MAX];   /* by index among the configured ones */
	unsigned int nr_zones;
	unsigned int nr_distances;                     /* lines */
	_Bool has_machine;
	_Bool has_boot;
	_Bool has_start;
	_Bool has_end;                                 /* the line that counts operations */
	const enum golden_block *required;             /* blocks that must come next, in this order; NULL: any line */
	enum golden_block previous;                    /* block of the line before, or NR_GOLDEN_BLOCKS */
	unsigned long nr_ops;
	unsigned long nr_allocs;
	unsigned long nr_frees;
	char error[160];                               /* why the last line is wrong */
};

/* golden_file_line - parse the next line (no newline, at most GOLDEN_LINE_BYTES). 0, or 1 with file->error set. */
int golden_file_line(struct golden_file *file, const char *text, struct golden_line *line);

#endif
