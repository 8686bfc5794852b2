/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target.h - what fuzz targets have in common: the kernel under test (MMFUZZ_KERNEL, default fixed), and what is done
 * with a finding. A target turns input into a program, runs it, and hands both here. What booting a machine reaches in
 * mm/ does not count as reached by the program, for the next program finds the machine booted: equal inputs have equal
 * coverage.
 */
#ifndef MMFUZZ_TARGET_H
#define MMFUZZ_TARGET_H

#include <stddef.h>

#include "fuzz/program.h"
#include "fuzz/run.h"

/* What both engines call, in every target. */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

/* What a target returns for an input that is not worth keeping. */
#define TARGET_PASS_OVER (-1)

/*
 * target_decode - the program that the input is, or 0 if its machine is too large for a campaign. MMFUZZ_MACHINE pins
 * every program to one preset, without settings.
 */
_Bool target_decode(struct program *program, const unsigned char *data, size_t size);

/* Whether a program does anything to files, devices or dirty limits. */
_Bool target_uses_writeback(const struct program *program);

/* NAME of fuzz/target_NAME.c, which defines it: mutants are made of its operations (target_ops.h). */
extern const char target_name[];

/*
 * target_options - how a campaign runs a program: checks after every operation, and the full walk in one run of
 * LIMIT_FULL_WALK_INTERVAL. The walk looks and changes nothing, and what it reaches is not counted, so that counting runs
 * is no input.
 */
struct run_options target_options(void);

/*
 * target_run - run_program(), and tell the engine which state cells it has hit (states.h) beside the code it reached.
 * MMFUZZ_STATES=off leaves that out. MMFUZZ_COUNTERS is a file to count in (counters.h). With the
 * walk it is run twice, and a HARNESS finding unless both cover the same edges.
 */
void target_run(const struct program *program, const struct run_options *options, struct verdict *verdict);

/*
 * target_finding - keep the program of a finding in MMFUZZ_FINDINGS (default: here) as NAME.bin, NAME.txt and NAME.prog
 * (NAME from title and bytes; existing files stay), print the report, and abort. remark: NULL, or a comment line.
 * Titles listed in the file MMFUZZ_KNOWN, and with MMFUZZ_KEEP_GOING=1 all but those of a broken harness, do not abort:
 * the first few of each are kept, and the run goes on.
 */
void target_finding(const struct program *program, const struct verdict *verdict, const char *remark);

#endif
