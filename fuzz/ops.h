/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ops.h - what exec.c and ops*.c share: an operation is a few lines between exec_step_begin() and exec_step_end().
 * ops.c has the table, single blocks and what surrounds the allocator; ops_pages.c exact sizes, isolation and contiguous
 * ranges; ops_misuse.c what no caller may do.
 */
#ifndef MMFUZZ_OPS_H
#define MMFUZZ_OPS_H

#include "fuzz/exec.h"
#include "fuzz/held.h"

struct page;
struct zone;

/* False if the program has used up its calls. `work` is the budget of list steps. */
_Bool exec_step_begin(unsigned long work);
void exec_step_end(void);
/* This repeat makes no call, for a reason that is traced. */
void exec_skip(enum skip_reason reason);

struct zone;

/* Which operations are producers. */
extern const _Bool op_makes[NR_OPS];

/* One repeat of each operation. */
#define OP(name, ...) void op_##name(const struct op *op);
#include "fuzz/ops.def"
#undef OP

void ops_begin(void);
void ops_op_begin(const struct op *op);
/* Run one repeat. */
void ops_run(const struct op *op);
/* reclaim_release and reclaim_migrate of reclaim.h. */
unsigned long ops_release_held(unsigned long nr_pages, unsigned int slot);
_Bool ops_migrate_held(unsigned long start, unsigned long end);

/* True while the marks of a zone are not those of setup_per_zone_wmarks(). */
_Bool ops_marks_forced(unsigned int slot);
_Bool ops_any_marks_forced(void);
/* True once a program has written a tunable of writeback, or min_free_kbytes. */
_Bool ops_vm_tunables_written(void);
_Bool ops_min_free_written(void);
void ops_note_vm_tunable(void);
/* The order of zonelists that was asked for last: 'z' by zone, 'n' or 'd' by node. */
char ops_zonelist_order(void);
/* True if the request that runs now must not fail, and may therefore loop for as long as nobody frees memory. */
_Bool ops_in_nofail_call(void);

/* A node and a zone type of this machine, or NULL. */
struct zone *ops_zone_at(unsigned int node, unsigned int type);
/* Zone or mobility bits that no request may have. */
_Bool ops_bits_are_misuse(unsigned int gfp);
/* Begin the step of a request; false, and the ledger knows, if it cannot be made. */
_Bool ops_request_begin(unsigned int gfp);
/* The request is over: record what it gave, of 2^order frames, before anybody can judge it. */
void ops_request_end(const struct page *page, unsigned int order, unsigned int gfp, unsigned int node,
		     unsigned int nodemask);

/*
 * A step for each entry of the operation's handle that fits; a traced skip if none does. body() says what becomes of it.
 */
void ops_for_each(const struct op *op, _Bool (*fits)(const struct op *op, const struct held_block *block),
		  void (*body)(const struct op *op, unsigned int entry));
/* Give back what an entry holds, as its kind wants. */
void ops_free_entry(unsigned int entry, _Bool cold);

#endif
