/* SPDX-License-Identifier: GPL-2.0 */
/* story_shape.h - when two stretches of the trace tell the same story. */
#ifndef MMFUZZ_STORY_SHAPE_H
#define MMFUZZ_STORY_SHAPE_H

#include "kernel-shim/trace.h"

/* Where stretches begin: a set of record kinds. */
#define SHAPE_KIND(kind) (1UL << (kind))
#define SHAPE_REPEAT (SHAPE_KIND(TRACE_CALL_BEGIN) | SHAPE_KIND(TRACE_OP_SKIPPED))
#define SHAPE_ROUND SHAPE_KIND(TRACE_SLOWPATH_RETRY)

/* shape_split - the first record of one of these kinds in [first, end), or end. */
unsigned long shape_split(unsigned long first, unsigned long end, unsigned long kinds);

/* shape_burst - how many records from first on are one burst of list moves or frees; 0 = not such a record. */
unsigned long shape_burst(unsigned long first, unsigned long end);

/* shape_pairs - how often the two bursts that begin here are repeated, 0 = there are none; *next is behind the last. */
unsigned long shape_pairs(unsigned long first, unsigned long end, unsigned long *next);

/* shape_of - equal for stretches that went the same way. */
unsigned long shape_of(unsigned long first, unsigned long end);

#endif
