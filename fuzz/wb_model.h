/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wb_model.h - what a program has done to writeback, kept apart from mm's own counters: phantom pages (counters that an
 * operation set with no page behind them), unstable pages, and the events of which the counters must be the sums.
 */
#ifndef MMFUZZ_WB_MODEL_H
#define MMFUZZ_WB_MODEL_H

#include <linux/mmzone.h>
#include "bdi.h"
#include "fuzz/view.h"

/* Counters that may have phantom pages beside those of files. */
enum wb_item { WB_ITEM_FILE, WB_ITEM_DIRTY, WB_ITEM_WRITEBACK, WB_ITEM_UNSTABLE, NR_WB_ITEMS };

/* The tunables that a write may change. */
struct wb_tunables {
	int ratio;
	unsigned long bytes;
	int bg_ratio;
	unsigned long bg_bytes;
};

struct wb_model {
	long phantom[VIEW_SLOTS_MAX][NR_WB_ITEMS];
	long unstable[VIEW_SLOTS_MAX][BDIS_MAX];
	bool phantoms;                       /* some counter was ever set by itself */
	bool used;                           /* some operation of writeback ran */
	unsigned long changes;               /* of counters, tunables and pages by an operation */
	unsigned long unthrottled;           /* pages that became dirty without a look at the throttle */
	bool strictlimit;                    /* some device ever had a limit of its own */
	bool uncounted;                      /* some device ever had dirty pages that are not counted, until they are written */
	unsigned int unwritten;              /* devices, a bit each, that ever did not count their pages under writeback */
	unsigned int faults;                 /* devices, a bit each, that ever refused pages or put them off */

	/* The write of a tunable in this operation. */
	bool wrote_tunable;
	unsigned int tunable;
	unsigned long value;
	struct wb_tunables before;
};

extern struct wb_model wb_model;

void wb_model_begin(void);
void wb_model_next_op(void);
/* The item of a counter, NR_WB_ITEMS for any other. */
enum wb_item wb_item_of(enum zone_stat_item item);
/* An operation changes a counter of a zone by itself. */
void wb_model_phantom(unsigned int slot, enum wb_item item, long delta);
void wb_model_tunable(unsigned int name, unsigned long value);
struct wb_tunables wb_tunables(void);

/*
 * The pages of all files, from their descriptors: counted once when everything is at rest, then looked at by several
 * rules. What is nowhere stays as it was when the counting began.
 */
#define WB_FILE_WORDS (FILE_PAGES / BITS_PER_LONG)

struct wb_pages {
	long dirty;
	long writeback;
};

/* A bit for each index. */
struct wb_file {
	unsigned long present[WB_FILE_WORDS];
	unsigned long dirty[WB_FILE_WORDS];
	unsigned long writeback[WB_FILE_WORDS];
	unsigned long locked[WB_FILE_WORDS];
	unsigned long shared[WB_FILE_WORDS];  /* with other references than the file's and, under writeback, the device's */
};

struct wb_census {
	struct wb_pages zones[VIEW_SLOTS_MAX];
	struct wb_pages devices[BDIS_MAX];
	struct wb_file files[FILES_MAX];
};

extern struct wb_census wb_census;
void wb_model_count_pages(void);

#endif
