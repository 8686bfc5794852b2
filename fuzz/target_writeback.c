// SPDX-License-Identifier: GPL-2.0
/*
 * target_writeback.c - dirty limits, throttling and writeback under the invariants: input is a program, of which only
 * what files, devices and their surroundings do is run, and a finding is a crash. Target mm has all of it.
 */
#include "fuzz/target.h"
#include "fuzz/target_ops.h"

const char target_name[] = "writeback";

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct run_options options = target_options();
	static struct program program;
	struct verdict verdict;

	if (!target_decode(&program, data, size) || !target_uses_writeback(&program))
		return TARGET_PASS_OVER;
	target_ops_keep(target_name, &program);
	target_run(&program, &options, &verdict);
	if (verdict.finding.kind == FINDING_NONE)
		return 0;
	target_finding(&program, &verdict, NULL);
	return TARGET_PASS_OVER;
}
