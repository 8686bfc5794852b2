// SPDX-License-Identifier: GPL-2.0
/*
 * target_page_alloc.c - the allocator under the invariants: input is a program, a finding is a crash.
 */
#include "fuzz/target.h"

_Bool target_runs(unsigned int code)
{
	return !target_is_writeback(code);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct run_options options = target_options();
	static struct program program;
	struct verdict verdict;

	if (!target_decode(&program, data, size))
		return TARGET_PASS_OVER;
	target_drop_writeback(&program);
	target_run(&program, &options, &verdict);
	if (verdict.finding.kind == FINDING_NONE)
		return 0;
	target_finding(&program, &verdict, NULL);
	return TARGET_PASS_OVER;
}
