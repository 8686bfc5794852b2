// SPDX-License-Identifier: GPL-2.0
/*
 * afl_mutator.c - mutate.c as a custom mutator of AFL++ (AFL_CUSTOM_MUTATOR_LIBRARY): mutation, crossover with the
 * entry that AFL++ offers, and trimming by whole operations. The names and types are AFL++'s (custom_mutators.md).
 *
 * MMFUZZ_TARGET is the name of the target, from whose operations new ones are drawn (target_ops.h); without it, from all.
 *
 * Trimming takes out chunks of operations, then single ones, from the end on; AFL++ keeps what leaves the coverage as
 * it is. Its own trimmer would cut records in halves.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "fuzz/program_edit.h"
#include "fuzz/target_ops.h"

#define EXPORTED __attribute__((visibility("default")))
#define TRIM_CHUNK 8
/* Of longer programs only chunks are taken out: each step is a run. */
#define TRIM_SINGLE_OPS 48
/* One mutant in so many is a crossing, when there is something to cross with. */
#define CROSS_SHARE 4
/* What a finding's file name says about the last mutation. */
static const char description[] = "operations";

struct afl_mutator {
	unsigned int seed;
	unsigned char out[LIMIT_PROGRAM_BYTES];
	/* Trimming: what is left, what is tried, the chunk, and what is still in front of it. */
	struct program best;
	struct program candidate;
	unsigned int chunk;
	unsigned int at;
};

EXPORTED void *afl_custom_init(void *afl, unsigned int seed);
EXPORTED size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t size, uint8_t **out, uint8_t *other,
				size_t other_size, size_t max_size);
EXPORTED const char *afl_custom_describe(void *data, size_t max_length);
EXPORTED int32_t afl_custom_init_trim(void *data, uint8_t *buf, size_t size);
EXPORTED size_t afl_custom_trim(void *data, uint8_t **out);
EXPORTED int32_t afl_custom_post_trim(void *data, int success);
EXPORTED void afl_custom_deinit(void *data);

void *afl_custom_init(void *afl, unsigned int seed)
{
	struct afl_mutator *mutator = calloc(1, sizeof(*mutator));

	const char *target = getenv("MMFUZZ_TARGET");

	(void)afl;
	mutate_wants = target ? target_ops(target) : NULL;
	if (mutator)
		mutator->seed = seed;
	return mutator;
}

size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t size, uint8_t **out, uint8_t *other, size_t other_size,
		       size_t max_size)
{
	struct afl_mutator *mutator = data;
	unsigned int seed = mutator->seed++;

	if (max_size > sizeof(mutator->out))
		max_size = sizeof(mutator->out);
	*out = mutator->out;
	if (other && other_size && seed % CROSS_SHARE == 0)
		return cross_bytes(buf, size, other, other_size, mutator->out, max_size, seed);
	return mutate_bytes(buf, size, mutator->out, max_size, seed);
}

const char *afl_custom_describe(void *data, size_t max_length)
{
	(void)data;
	return max_length >= sizeof(description) ? description : "";
}

/* One step that is over when there is nothing left to try, as the interface allows; 0 = nothing to trim. */
int32_t afl_custom_init_trim(void *data, uint8_t *buf, size_t size)
{
	struct afl_mutator *mutator = data;

	program_decode(&mutator->best, buf, size);
	mutator->chunk = TRIM_CHUNK;
	mutator->at = mutator->best.nr_ops;
	/* The canonical form must not be longer than what it is the form of. */
	return mutator->at > 1 && program_encode(&mutator->best, mutator->out) <= size;
}

size_t afl_custom_trim(void *data, uint8_t **out)
{
	struct afl_mutator *mutator = data;

	mutator->at = mutator->at > mutator->chunk ? mutator->at - mutator->chunk : 0;
	mutator->candidate = mutator->best;
	program_remove(&mutator->candidate, mutator->at, mutator->chunk);
	*out = mutator->out;
	return program_encode(&mutator->candidate, mutator->out);
}

int32_t afl_custom_post_trim(void *data, int success)
{
	struct afl_mutator *mutator = data;

	if (success)
		mutator->best = mutator->candidate;
	if (mutator->at)
		return 0;
	if (mutator->chunk == 1 || mutator->best.nr_ops > TRIM_SINGLE_OPS || mutator->best.nr_ops < 2)
		return 1;
	mutator->chunk = 1;
	mutator->at = mutator->best.nr_ops;
	return 0;
}

void afl_custom_deinit(void *data)
{
	free(data);
}
