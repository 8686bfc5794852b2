/* SPDX-License-Identifier: GPL-2.0 */
/* verdict.h - what a run leaves behind: a plain record, so that builds and kernels can be compared. */
#ifndef MMFUZZ_VERDICT_H
#define MMFUZZ_VERDICT_H

#include "kernel-shim/finding.h"
#include "mm/patches.h"

#define VERDICT_TITLE_BYTES (FINDING_NAME_BYTES + 16)

struct verdict {
	struct finding finding;          /* .kind FINDING_NONE: clean */
	struct kernel_config kernel;     /* that was run */
	unsigned int op;                 /* operation that was running, ~0 outside of any (boot, end) */
	unsigned int nr_ops;
	unsigned int repeat;             /* which repeat of it, from 0 */
	unsigned int cpu;
	unsigned long jiffies;
	unsigned long calls;             /* calls into mm */
	unsigned long skipped;           /* calls not made: dead handle, limit, misuse */
	unsigned long caller_warnings;   /* warnings that the caller earned */
	_Bool misuse;                    /* operations that break the callers' contract acted */
	_Bool consequence;               /* the finding is what the kernel does about such an operation, not a defect */
	_Bool nofail_loop;               /* ended in a request that must not fail and could not succeed */
	unsigned long checks;            /* invariants evaluated; 0 unless asked for, as are the hashes */
	unsigned long trace_hash;
	unsigned long state_hash;
};

/* Exit codes of every front door. */
enum exit_code { EXIT_CLEAN, EXIT_FINDING, EXIT_USAGE, EXIT_SHIM, EXIT_HARNESS };
enum exit_code verdict_exit_code(const struct verdict *verdict);

/* The title that findings are grouped by: "INVARIANT zone_missed_after_reset"; "" when clean. Returns buf. */
const char *verdict_title(const struct verdict *verdict, char *buf, unsigned long size);

struct program;
/*
 * The report, a letter to a stranger: title, detail, rule, where, how to see it again. `file` is the path that the
 * "again" line names. Writes at most size bytes, terminated; returns the whole length.
 */
unsigned long verdict_report(const struct verdict *verdict, const struct program *program, const char *file,
			     char *text, unsigned long size);

#endif
