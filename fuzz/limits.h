/* SPDX-License-Identifier: GPL-2.0 */
/* limits.h - every bound of the engine, in one place, with the relations between them checked. */
#ifndef MMFUZZ_LIMITS_H
#define MMFUZZ_LIMITS_H

/* A program. */
#define LIMIT_OPS 256             /* operations */
#define LIMIT_REPEAT 256          /* repeats of one operation (x256) */
#define LIMIT_FAIL_NTH 63         /* (fail_nth=63) */
#define LIMIT_ARGS 8              /* arguments of one operation */
#define LIMIT_RECORD_BYTES 16     /* one operation or machine setting in bytes */
#define LIMIT_HEADER_BYTES 2      /* format version, preset */
#define LIMIT_COMMENT_BYTES 4096  /* comment lines kept of a text program, with the final NUL */
#define LIMIT_TEXT_BYTES 131072   /* what program_print writes at most, with the final NUL */

/* A run. */
#define LIMIT_HELD_BLOCKS 65536   /* blocks a program may hold; a skipped or failed allocation is one, of nothing */
#define LIMIT_CALLS 4096          /* calls into mm of one program; the rest is skipped */
#define LIMIT_CALL_WORK 400000    /* list steps and zones looked at in one call, in all its loops, before it is a HANG */
#define LIMIT_WAKEUPS 4096        /* wakeups of sleeping tasks in one program; then time stands still */
#define LIMIT_FILE_PAGES 8192     /* pages of files that the operations of one program go through; the rest is skipped */
#define LIMIT_PASSING_WORK 50000  /* the same while time passes for tasks and flushers; then time stands still */
#define LIMIT_RUN_WORK 400000     /* the same in all calls of a program; the rest is skipped */
#define LIMIT_NOFAIL_WORK 20000   /* the same for a request that may loop by contract */
#define LIMIT_TRACE_RECORDS 16384 /* trace ring, newest kept */
#define LIMIT_MACHINES_CACHED 8   /* booted machines kept */

#define LIMIT_CONTIG_PAGES 16384  /* frames isolated or allocated at a place by one operation, as far as pageblocks allow */

/* A machine that bytes describe; presets may be larger. */
#define LIMIT_BYTES_RAM_PAGES (256UL << 8)

/* Campaigns pass over presets that are larger: their boots would be all that a campaign does. */
#define LIMIT_CAMPAIGN_RAM_PAGES (4UL << 20)

/* One run in so many ends with the full walk over every list and descriptor in campaigns. */
#define LIMIT_FULL_WALK_INTERVAL 64

#define LIMIT_PROGRAM_BYTES (LIMIT_HEADER_BYTES + LIMIT_RECORD_BYTES * (LIMIT_OPS + 32))

_Static_assert(LIMIT_REPEAT <= 256, "a repeat count is one byte");
_Static_assert(LIMIT_FAIL_NTH == 63, "and the number of a fault point six bits");
_Static_assert(LIMIT_OPS < 65535, "a handle's distance is two bytes, and one value of them means none");
_Static_assert(LIMIT_HELD_BLOCKS >= LIMIT_OPS * LIMIT_REPEAT, "what the operations of a program can make must fit");
_Static_assert(LIMIT_CALL_WORK >= 4 * LIMIT_PASSING_WORK, "whoever runs when time has stopped still has a budget");
_Static_assert(LIMIT_CALL_WORK >= 16 * LIMIT_CONTIG_PAGES, "each frame of a contiguous range is looked at a few times");
_Static_assert(LIMIT_CAMPAIGN_RAM_PAGES >= LIMIT_BYTES_RAM_PAGES, "campaigns run what bytes describe");
_Static_assert(LIMIT_BYTES_RAM_PAGES <= 65536, "256 MiB of simulated RAM");

#endif
