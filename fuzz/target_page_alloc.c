// SPDX-License-Identifier: GPL-2.0
/*
 * target_page_alloc.c - the allocator under the invariants: input is a program, a finding is a crash.
 */
#include "fuzz/target.h"
#include "fuzz/target_ops.h"

const char target_name[] = "page_alloc";

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct run_options options = target_options();
	static struct program program;
	struct verdict verdict;

	if (!target_decode(&program, data, size))
		return TARGET_PASS_OVER;
	target_ops_keep(target_name, &program);
	target_run(&program, &options, &verdict);
	if (verdict.finding.kind == FINDING_NONE)
		return 0;
	target_finding(&program, &verdict, NULL);
	return TARGET_PASS_OVER;
}
