/* SPDX-License-Identifier: GPL-2.0 */
/* story_shape.h - when two stretches of the trace tell the same story. */
#ifndef MMFUZZ_STORY_SHAPE_H
#define MMFUZZ_STORY_SHAPE_H

#include "kernel-shim/trace.h"

/* shape_split - the first record of this kind in [first, end), or end. */
unsigned long shape_split(unsigned long first, unsigned long end, enum trace_kind kind);

/* shape_burst - how many records from first on are one burst of list moves or frees; 0 = not such a record. */
unsigned long shape_burst(unsigned long first, unsigned long end);

/* shape_of - equal for stretches that went the same way. */
unsigned long shape_of(unsigned long first, unsigned long end);

#endif
