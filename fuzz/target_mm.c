// SPDX-License-Identifier: GPL-2.0
/*
 * target_mm.c - the allocator and writeback in one program: input is a program that allocates pages and does something
 * to files or devices, a finding is a crash.
 */
#include "fuzz/target.h"

const char target_name[] = "mm";

static _Bool allocates(const struct program *program)
{
	unsigned int op;

	for (op = 0; op < program->nr_ops; op++)
		if (program->ops[op].code == OP_alloc_pages)
			return 1;
	return 0;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct run_options options = target_options();
	static struct program program;
	struct verdict verdict;

	if (!target_decode(&program, data, size) || !target_uses_writeback(&program) || !allocates(&program))
		return TARGET_PASS_OVER;
	target_run(&program, &options, &verdict);
	if (verdict.finding.kind == FINDING_NONE)
		return 0;
	target_finding(&program, &verdict, NULL);
	return TARGET_PASS_OVER;
}
