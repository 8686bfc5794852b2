// SPDX-License-Identifier: GPL-2.0
/*
 * story_shape.c - the shape of a stretch of the trace: a hash over its records that leaves out what differs between
 * repeats that went the same way - frame numbers, free pages, batches, rounds, times. Whether there was a page at all
 * stays in. A burst of frees is one thing, however many pages it frees; and that a per-CPU list was refilled or drained
 * on the way is no other story.
 */
#include <stddef.h>

#include "fuzz/story_shape.h"

/* Which fields of a kind say where the story goes. */
enum { A = 1, B = 2, C = 4, D = 8, PAGE = 16 /* a is a pfn: whether there is one */ };

static const unsigned char fields[NR_TRACE_KINDS] = {
	[TRACE_MM_PAGE_ALLOC] = PAGE | B | C | D,
	[TRACE_MM_PAGE_FREE] = B,
	[TRACE_MM_PAGE_FREE_BATCHED] = B,
	[TRACE_MM_PAGE_ALLOC_ZONE_LOCKED] = B | C,
	[TRACE_MM_PAGE_PCPU_DRAIN] = B | C,
	[TRACE_MM_PAGE_ALLOC_EXTFRAG] = B | C,
	[TRACE_CALL_BEGIN] = A | B | C | D,
	[TRACE_SCAN_BEGIN] = A | B | C | D,
	[TRACE_ZONE_VISIT] = A | B,
	[TRACE_ZONE_VERDICT] = A | B,
	[TRACE_BATCH_RESET] = A,
	[TRACE_FLAG_CHANGE] = A | B | C,
	[TRACE_SCAN_END] = PAGE | B | C,
	[TRACE_SLOWPATH_ENTER] = A | B | C,
	[TRACE_SLOWPATH_RETRY] = B | C,
	[TRACE_KSWAPD_WAKE] = A | B | C | D,
	[TRACE_DIRECT_RECLAIM] = A | B | C,
	[TRACE_DIRECT_COMPACT] = A | B | C,
	[TRACE_ZONE_RECLAIM] = A | B | C,
	[TRACE_OOM] = A | B | C,
	[TRACE_ALLOC_FAILED] = A | B,
	[TRACE_CALLER_WARNING] = A,
	[TRACE_SLEEP] = A,
	[TRACE_BAD_PAGE] = B,
	[TRACE_BALANCE_BEGIN] = A | C,
	[TRACE_BALANCE_END] = A | B,
	[TRACE_TASK_SLEEP] = A,
	[TRACE_TASK_WAKE] = A,
	[TRACE_FLUSHER] = A | B,
	[TRACE_PAGE_LEAKED] = B,
	[TRACE_MIGRATE] = C,
	[TRACE_OP] = A,
	[TRACE_OP_SKIPPED] = A | B,
};

_Static_assert(NR_TRACE_KINDS <= 64, "a set of kinds is a word");

unsigned long shape_split(unsigned long first, unsigned long end, unsigned long kinds)
{
	while (first < end && !(kinds >> trace_get(first)->kind & 1))
		first++;
	return first;
}

static _Bool same_burst(const struct trace_record *a, const struct trace_record *b)
{
	return a->kind == b->kind && a->b == b->b && a->c == b->c;
}

unsigned long shape_burst(unsigned long first, unsigned long end)
{
	const struct trace_record *head = trace_get(first);
	unsigned long nr = 0;

	switch (head->kind) {
	case TRACE_MM_PAGE_ALLOC_ZONE_LOCKED:
	case TRACE_MM_PAGE_PCPU_DRAIN:
	case TRACE_MM_PAGE_FREE:
	case TRACE_MM_PAGE_FREE_BATCHED:
		while (first + nr < end && same_burst(head, trace_get(first + nr)))
			nr++;
		return nr;
	default:
		return 0;
	}
}

static _Bool is_pcp_move(const struct trace_record *r)
{
	return (r->kind == TRACE_MM_PAGE_ALLOC_ZONE_LOCKED || r->kind == TRACE_MM_PAGE_PCPU_DRAIN) && r->b == 0;
}

static unsigned long fold(unsigned long hash, unsigned long value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15UL;
	return hash ^ hash >> 29;
}

unsigned long shape_of(unsigned long first, unsigned long end)
{
	unsigned long hash = 0;

	while (first < end) {
		const struct trace_record *r = trace_get(first);
		unsigned long burst = shape_burst(first, end);
		unsigned int mask = r->kind < NR_TRACE_KINDS ? fields[r->kind] : 0;

		first += burst ? burst : 1;
		if (is_pcp_move(r))
			continue;
		hash = fold(hash, r->kind);
		if (mask & PAGE)
			hash = fold(hash, r->a == TRACE_NO_PFN);
		if (mask & A)
			hash = fold(hash, r->a);
		if (mask & B)
			hash = fold(hash, r->b);
		if (mask & C)
			hash = fold(hash, r->c);
		if (mask & D)
			hash = fold(hash, r->d);
	}
	return hash;
}

/* The end of two bursts in a row that begin here, or `first` if there are none. */
static unsigned long pair_end(unsigned long first, unsigned long end)
{
	unsigned long middle = first < end ? first + shape_burst(first, end) : first;
	unsigned long second = first < middle && middle < end ? shape_burst(middle, end) : 0;

	return second ? middle + second : first;
}

unsigned long shape_pairs(unsigned long first, unsigned long end, unsigned long *next)
{
	unsigned long at = pair_end(first, end);
	unsigned long shape = shape_of(first, at);
	unsigned long nr = 0;

	*next = first;
	while (at != *next && shape_of(*next, at) == shape) {
		*next = at;
		at = pair_end(at, end);
		nr++;
	}
	return nr;
}
