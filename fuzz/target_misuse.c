// SPDX-License-Identifier: GPL-2.0
/*
 * target_misuse.c - the allocator under callers that break their contract: double frees, wrong orders, impossible requests,
 * corrupted descriptors. What the kernel itself does about it (BUG, WARN, a loop that does not end) is no finding; what
 * must hold all the same is.
 */
#include "fuzz/target.h"
#include "fuzz/target_ops.h"

const char target_name[] = "misuse";

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct run_options options = target_options();
	static struct program program;
	struct verdict verdict;

	options.misuse = 1;
	if (!target_decode(&program, data, size))
		return TARGET_PASS_OVER;
	target_ops_keep(target_name, &program);
	target_run(&program, &options, &verdict);
	if (verdict.finding.kind == FINDING_NONE || verdict.consequence)
		return 0;
	target_finding(&program, &verdict, NULL);
	return TARGET_PASS_OVER;
}
