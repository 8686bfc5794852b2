/* SPDX-License-Identifier: GPL-2.0 */
/*
 * exec.h - running operations on the current world (kernel side, plain C interface). run.c decides what runs; this
 * does it: each operation is the few lines that call mm, and what the ledger of held blocks learns from it.
 */
#ifndef MMFUZZ_EXEC_H
#define MMFUZZ_EXEC_H

#include "fuzz/program.h"
#include "fuzz/run.h"

/*
 * What the program has broken that mm is not to blame for. From then on only the invariants hold that say so
 * (invariants.c), and a BUG, a WARN or a HANG is a consequence, not a defect.
 */
enum damage {
	DAMAGE_NONE,
	DAMAGE_PAGES,        /* descriptors: pages are withdrawn, and counters drift as specified */
	DAMAGE_LISTS,        /* pages may be in two places */
};

/* Where a run is. Valid while running and after a finding. */
struct exec_state {
	const struct program *program;
	enum run_checks checks;
	unsigned int op;
	unsigned int repeat;
	unsigned int cpu;
	unsigned long calls;
	unsigned long work;              /* list steps of all steps that are over */
	unsigned long budget;            /* of this step */
	unsigned long pageblock_writes;  /* before this step, or when a request in it last began, began anew or fell back */
	unsigned long skipped;
	unsigned long caller_warnings;
	_Bool states;                /* are noted */
	_Bool misuse_allowed;        /* operations that break the callers' contract act */
	enum damage damage;
	/* What has happened in this run that excuses a rule from here on. */
	_Bool isolation;             /* pageblocks were isolated */
	_Bool loose_isolation;       /* such that are no whole MAX_ORDER block: specification 30, 17 */
	_Bool double_isolation;      /* such that were isolated already, and it was not refused */
	_Bool pcp_sizes_changed;     /* high and batch, while there were pages on the lists */
	_Bool grouped;               /* by mobility, at some time */
	_Bool kswapd_woken;          /* which changes what deltas may hold back */
	_Bool big_steal;             /* a fallback changed the type of several pageblocks of a zone with reserved ones */
};
extern struct exec_state exec_state;

enum skip_reason {
	SKIP_NO_PRODUCER,    /* the handle names nothing */
	SKIP_DEAD,           /* already freed, or never allocated */
	SKIP_CALLS,          /* LIMIT_CALLS, or LIMIT_FILE_PAGES */
	SKIP_MISUSE,         /* would be caller misuse, and the program's target is not misuse */
	SKIP_NO_ZONE,        /* no such zone or node on this machine */
	SKIP_CONTEXT,        /* a request that may sleep in interrupt context */
	SKIP_KIND,           /* what the handle names is not of the kind that this operation works on */
	SKIP_RANGE,          /* frames that do not belong to one zone, or not to one kind of memory */
	SKIP_ASLEEP,         /* the task sleeps */
	SKIP_WAKEUPS,        /* LIMIT_WAKEUPS: time stands still */
	SKIP_NO_PAGES,       /* no page could be had for the file */
};

/* exec_begin - a fresh run of this program on the world just entered. */
void exec_begin(const struct program *program, const struct run_options *options);
/* exec_op - run one operation with all its repeats and judge each. */
void exec_op(unsigned int index);
/* exec_end - the program is over: tasks and locks must be at rest. */
void exec_end(void);
/* exec_walk - judge everything by walking it. */
void exec_walk(void);
/* exec_forget - drop what the ledger knows; after a finding too. */
void exec_forget(void);

/* exec_boot_machine - boot through mm. NULL: `finding` says why. */
struct world *exec_boot_machine(const struct machine_config *config);

/* Simulated now. */
unsigned long exec_jiffies(void);
/* From now on evaluations of invariants are counted, or not; how many were since the process started. */
void exec_count_checks(_Bool count);
unsigned long exec_checks(void);
/* True if the call that was unwound used its budget up, and is one that must not fail. */
_Bool exec_nofail_used_up(void);
/* Hash over the listed fields of zones, counters, lists and touched descriptors: no pointer, no padding. */
unsigned long exec_state_hash(void);

/* /proc-like pictures for `explain`: per zone a line of free lists. Returns the length, as snprintf does. */
unsigned long exec_picture(char *buffer, unsigned long size);
/*
 * What /proc shows of the current world, or the report that would follow a failed allocation: for an operation, and for
 * whoever looks on (also when the run has ended in a finding). The second returns the length likewise.
 */
#define EXEC_PROC_WORDS "zoneinfo buddyinfo pagetypeinfo vmstat show_mem"
enum proc_file { PROC_ZONEINFO, PROC_BUDDYINFO, PROC_PAGETYPEINFO, PROC_VMSTAT, PROC_SHOW_MEM };
struct seq_file;
void exec_read_proc(enum proc_file file, struct seq_file *m);
unsigned long exec_proc(enum proc_file file, char *text, unsigned long size);
/* "N0.Normal" of a zone slot (trace.h), or "Normal" on a one-node machine. */
const char *exec_zone_name(unsigned int slot);

#endif
