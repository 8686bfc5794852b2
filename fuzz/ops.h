/* SPDX-License-Identifier: GPL-2.0 */
/* ops.h - what exec.c and ops.c share: an operation is a few lines between exec_step_begin() and exec_step_end(). */
#ifndef MMFUZZ_OPS_H
#define MMFUZZ_OPS_H

#include "fuzz/exec.h"

/* False if the program has used up its calls. `work` is the budget of list steps. */
_Bool exec_step_begin(unsigned long work);
void exec_step_end(void);
/* This repeat makes no call, for a reason that is traced. */
void exec_skip(enum skip_reason reason);

struct zone;
/* A node and a zone type of this machine, or NULL. */
struct zone *ops_zone_at(unsigned int node, unsigned int type);

/* Which operations are producers. */
extern const _Bool op_makes[NR_OPS];

void ops_begin(void);
void ops_op_begin(const struct op *op);
/* Run one repeat. */
void ops_run(const struct op *op);
/* reclaim_release of reclaim.h. */
unsigned long ops_release_held(unsigned long nr_pages);

/* True while the marks of a zone are not those of setup_per_zone_wmarks(). */
_Bool ops_marks_forced(unsigned int slot);
_Bool ops_any_marks_forced(void);
/* True if the request that runs now must not fail, and may therefore loop for as long as nobody frees memory. */
_Bool ops_in_nofail_call(void);

#endif
