// SPDX-License-Identifier: GPL-2.0
/*
 * target_mutator.c - mutate.c as libFuzzer's custom mutator and crossover, for every target whose input is a program.
 * MMFUZZ_MUTATOR=engine leaves mutation to the engine, for comparison.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "fuzz/target.h"
#include "fuzz/target_ops.h"

/* libFuzzer's own mutations; other engines need not have the function. */
size_t LLVMFuzzerMutate(unsigned char *data, size_t size, size_t max_size) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const unsigned char *a, size_t a_size, const unsigned char *b, size_t b_size,
				 unsigned char *out, size_t max_out, unsigned int seed);

/*
 * One mutant in so many is the engine's own, which changes bytes without a thought of what they mean. What it makes is
 * settled, so that a corpus holds only what the target runs.
 */
#define ENGINE_SHARE 4

static _Bool engine_only(void)
{
	static int known = -1;

	if (known < 0) {
		const char *who = getenv("MMFUZZ_MUTATOR");

		known = who && !strcmp(who, "engine");
	}
	return known;
}

size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t max_size, unsigned int seed)
{
	mutate_wants = target_ops(target_name);
	if (LLVMFuzzerMutate && engine_only())
		return LLVMFuzzerMutate(data, size, max_size);
	if (LLVMFuzzerMutate && seed % ENGINE_SHARE == 0)
		return settle_bytes(data, LLVMFuzzerMutate(data, size, max_size), data, max_size);
	return mutate_bytes(data, size, data, max_size, seed);
}

size_t LLVMFuzzerCustomCrossOver(const unsigned char *a, size_t a_size, const unsigned char *b, size_t b_size,
				 unsigned char *out, size_t max_out, unsigned int seed)
{
	return cross_bytes(a, a_size, b, b_size, out, max_out, seed);
}
