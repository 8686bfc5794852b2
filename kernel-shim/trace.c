// SPDX-License-Identifier: GPL-2.0
/*
 * trace.c - the ring of trace records and their hash.
 *
 * Not part of the world: a run begins with trace_reset() and its records outlive the restore. The hash depends on
 * every field of every record and on their order, and on nothing else.
 */
#include <linux/compiler.h>
#include <linux/jiffies.h>
#include "fuzz/limits.h"
#include "trace.h"

_Static_assert((LIMIT_TRACE_RECORDS & (LIMIT_TRACE_RECORDS - 1)) == 0, "the ring is indexed by masking");
#define RING_MASK (LIMIT_TRACE_RECORDS - 1UL)

/* Odd and irregular, so that small numbers in different fields land on different bits. */
#define HASH_A 0x9e3779b97f4a7c15UL
#define HASH_B 0xc2b2ae3d27d4eb4fUL
#define HASH_C 0x165667b19e3779f9UL
#define HASH_D 0xd6e8feb86659fd93UL
#define HASH_KIND 0xff51afd7ed558ccdUL
#define HASH_SEED 0x6d6d66757a7aUL

unsigned long trace_count;

static const trace_observer_fn nobody[NR_TRACE_KINDS];
const trace_observer_fn *trace_observers = nobody;

static struct trace_record ring[LIMIT_TRACE_RECORDS];
static unsigned long hash = HASH_SEED;
static unsigned long nr_hashed;          /* records that are folded into the hash */

void trace_reset(void)
{
	trace_count = 0;
	nr_hashed = 0;
	hash = HASH_SEED;
}

static void hash_record(const struct trace_record *record)
{
	hash ^= record->a * HASH_A + record->b * HASH_B + record->c * HASH_C + record->d * HASH_D +
		((unsigned long)record->kind << 32 | record->jiffies) * HASH_KIND;
	hash *= HASH_A;
	hash ^= hash >> 29;
}

unsigned long trace_hash(void)
{
	for (; nr_hashed < trace_count; nr_hashed++)
		hash_record(&ring[nr_hashed & RING_MASK]);
	return hash;
}

void trace_observe(const trace_observer_fn observers[NR_TRACE_KINDS])
{
	trace_observers = observers ? observers : nobody;
}

void trace_observe_all(trace_observer_fn observer)
{
	static trace_observer_fn everybody[NR_TRACE_KINDS];
	unsigned int kind;

	for (kind = 0; kind < NR_TRACE_KINDS; kind++)
		everybody[kind] = observer;
	trace_observe(everybody);
}

void trace_emit(enum trace_kind kind, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	struct trace_record *record = &ring[trace_count & RING_MASK];

	/* What is overwritten from here on must be in the hash. */
	if (unlikely(record == ring))
		trace_hash();
	trace_count++;
	record->kind = kind;
	record->jiffies = (unsigned int)jiffies;
	record->a = a;
	record->b = b;
	record->c = c;
	record->d = d;
	if (trace_observers[kind])
		trace_observers[kind](record);
}

const struct trace_record *trace_get(unsigned long number)
{
	if (number >= trace_count || trace_count - number > LIMIT_TRACE_RECORDS)
		return NULL;
	return &ring[number & RING_MASK];
}
