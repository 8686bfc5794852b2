// SPDX-License-Identifier: GPL-2.0
/*
 * target_ops.c - the operations of targets that do not run all of them (target_ops.h). The allocator's handles are made and
 * taken by operations of the allocator alone, so that those of writeback go, or stay, by themselves.
 */
#include <string.h>

#include "fuzz/target_ops.h"

_Bool op_is_writeback(unsigned int code)
{
	return (code >= OP_dirty_pages && code <= OP_idle) || code == OP_dirty_limits || code == OP_strictlimit;
}

static _Bool allocator(unsigned int code)
{
	return !op_is_writeback(code);
}

/* And what surrounds files and devices. */
static _Bool writeback(unsigned int code)
{
	switch (code) {
	case OP_tick:
	case OP_counter:
	case OP_task:
	case OP_watermark:
	case OP_vmstat_fold:
		return 1;
	default:
		return op_is_writeback(code);
	}
}

static const struct {
	const char *target;
	_Bool (*ops)(unsigned int code);
} targets[] = {
	{ "page_alloc", allocator },
	{ "misuse", allocator },
	{ "writeback", writeback },
};

_Bool (*target_ops(const char *name))(unsigned int code)
{
	unsigned int i;

	for (i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		if (!strcmp(targets[i].target, name))
			return targets[i].ops;
	return NULL;
}

void target_ops_keep(const char *name, struct program *program)
{
	_Bool (*ops)(unsigned int code) = target_ops(name);
	unsigned int op, kept = 0;

	for (op = 0; op < program->nr_ops; op++)
		if (!ops || ops(program->ops[op].code))
			program->ops[kept++] = program->ops[op];
	program->nr_ops = (unsigned short)kept;
}
