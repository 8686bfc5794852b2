/* SPDX-License-Identifier: GPL-2.0 */
/* story_writeback.h - the part of a story that is about dirty limits, the throttle and the flusher. */
#ifndef MMFUZZ_STORY_WRITEBACK_H
#define MMFUZZ_STORY_WRITEBACK_H

#include <stdio.h>
#include "kernel-shim/trace.h"

/* Tell a record of writeback; records that say nothing new are passed over. */
void story_writeback(FILE *out, const struct trace_record *record);

#endif
