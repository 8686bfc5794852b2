// SPDX-License-Identifier: GPL-2.0
/*
 * target_writeback.c - dirty limits, throttling and writeback under the invariants: input is a program, of which only
 * what files, devices and their surroundings do is run, and a finding is a crash. Target mm has all of it.
 */
#include "fuzz/target.h"

_Bool target_runs(unsigned int code)
{
	switch (code) {
	case OP_tick:
	case OP_counter:
	case OP_task:
	case OP_watermark:
	case OP_vmstat_fold:
		return 1;
	default:
		return target_is_writeback(code);
	}
}

/* None of these makes or takes a handle, so the others can go. */
static void keep_writeback(struct program *program)
{
	unsigned int op, kept = 0;

	for (op = 0; op < program->nr_ops; op++)
		if (target_runs(program->ops[op].code))
			program->ops[kept++] = program->ops[op];
	program->nr_ops = (unsigned short)kept;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct run_options options = target_options();
	static struct program program;
	struct verdict verdict;

	if (!target_decode(&program, data, size) || !target_uses_writeback(&program))
		return TARGET_PASS_OVER;
	keep_writeback(&program);
	target_run(&program, &options, &verdict);
	if (verdict.finding.kind == FINDING_NONE)
		return 0;
	target_finding(&program, &verdict, NULL);
	return TARGET_PASS_OVER;
}
