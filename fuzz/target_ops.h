/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_ops.h - which operations the programs of a target are made of. A target leaves out the others, and mutators draw
 * none of them: those of both engines ask here, so that neither makes mutants of which nothing is run.
 */
#ifndef MMFUZZ_TARGET_OPS_H
#define MMFUZZ_TARGET_OPS_H

#include "fuzz/program.h"

/* Operations about files, devices and dirty limits. */
_Bool op_is_writeback(unsigned int code);

/* target_ops - true for the operations of fuzz/target_NAME.c; NULL = all there are, as for a name that is not known. */
_Bool (*target_ops(const char *name))(unsigned int code);

/* target_ops_keep - leave all other operations out of a program. None of them makes or takes a handle of one that stays. */
void target_ops_keep(const char *name, struct program *program);

#endif
