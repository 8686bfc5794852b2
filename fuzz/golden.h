/* SPDX-License-Identifier: GPL-2.0 */
/*
 * golden.h - replaying what a real kernel was recorded to do, line by line. Plain C for both worlds.
 *
 * golden.c reads a file and compares; golden_kernel.c boots its machine, runs its operations through mm and says in
 * the words of the file what came out. The format is described on top of golden_file.c.
 */
#ifndef MMFUZZ_GOLDEN_H
#define MMFUZZ_GOLDEN_H

#include "kernel-shim/machine.h"

/* All lines of one block, and one line. */
#define GOLDEN_BLOCK_BYTES (1U << 16)
#define GOLDEN_LINE_BYTES 4096

enum golden_op_kind {
	GOLDEN_ALLOC,
	GOLDEN_FREE,
	GOLDEN_DRAIN_ALL,
	GOLDEN_SYSCTL,
	GOLDEN_ZONELIST_ORDER,
	GOLDEN_ISOLATE,
	GOLDEN_UNISOLATE,
	GOLDEN_CMA_INIT,
	GOLDEN_VMSTAT_REFRESH,
	GOLDEN_DIRTY_OVER,
	GOLDEN_CASE,             /* not an op line: forced sizes of the zones of node 0 */
};

enum golden_sysctl {
	GOLDEN_MIN_FREE_KBYTES,
	GOLDEN_WATERMARK_SCALE_FACTOR,
	GOLDEN_LOWMEM_RESERVE_RATIO,
	GOLDEN_PERCPU_PAGELIST_FRACTION,
};

/* Zone indexes count the configured zones only, as a kernel built for the machine does. */
struct golden_op {
	enum golden_op_kind kind;
	unsigned int cpu;
	unsigned int nid;
	unsigned int order;
	unsigned int gfp;
	_Bool has_nodemask;
	unsigned long nodemask;
	unsigned int task_flags;                  /* PF_* */
	unsigned int progress;                    /* calls of try_to_free_pages that report progress */
	unsigned long pfn;
	_Bool cold;
	int migratetype;
	unsigned long dirty_mask;                 /* bit node * 4 + zone index: over its dirty limit */
	enum golden_sysctl sysctl;
	unsigned int sysctl_index;                /* element of lowmem_reserve_ratio */
	int value;
	char letter;                              /* first of the word written to numa_zonelist_order */
	unsigned long managed[MACHINE_ZONES_MAX]; /* pages */
};

/* Output that takes whole lines, newline included. */
enum golden_block {
	GOLDEN_BOOT,
	GOLDEN_ZONES,
	GOLDEN_ZONELISTS,
	GOLDEN_STATES,
	GOLDEN_RESERVES,         /* after a case */
	GOLDEN_GROUPING,         /* after the zonelists were rebuilt */
	NR_GOLDEN_BLOCKS
};

/*
 * The kernel side. The first two return 0, or 1 when it ended in `finding`. golden_run() writes what follows the
 * arguments of the op's line: "" or " -> ...".
 */
int golden_boot(const struct machine_config *config);
int golden_run(const struct golden_op *op, char *answer, unsigned long size);
void golden_print(enum golden_block block, char *text, unsigned long size);
void golden_end(void);

enum golden_outcome {
	GOLDEN_EQUAL,
	GOLDEN_DIFFERS,
	GOLDEN_FOUND,            /* the replay ended in `finding` */
	GOLDEN_BAD_FILE,
};

struct golden_report {
	unsigned int line;                        /* 1 = first; 0 = the file as a whole */
	char reason[256];                         /* one line; empty if equal */
	char op[GOLDEN_LINE_BYTES];               /* the last op before the difference */
	char recorded[GOLDEN_LINE_BYTES];         /* the line of the file */
	char replayed[GOLDEN_LINE_BYTES];         /* what it would have to be */
};

/* golden_replay_text - replay `size` bytes on the kernel in force (mm/patches.h). */
enum golden_outcome golden_replay_text(const char *text, unsigned long size, struct golden_report *report);

/* golden_replay - the same for a file. */
enum golden_outcome golden_replay(const char *path, struct golden_report *report);

#endif
