// SPDX-License-Identifier: GPL-2.0
/*
 * target_canary.c - a PLANTED bug: what a campaign must find before its silence means anything. The page_alloc
 * target, and one more rule that no kernel keeps: a compound block may not be freed once the per-CPU lists were drained
 * while it was allocated. It takes an order above 0 with a gfp bit, and three operations in order, two of them on the
 * same block.
 *
 * The rule is judged from the trace, after each operation, and takes the path of every finding.
 */
#include <stdio.h>

#include "fuzz/target.h"
#include "kernel-shim/trace.h"

const char target_name[] = "canary";

#define CANARY_GFP 0x4000UL       /* __GFP_COMP */
#define BLOCKS_MAX 64
#define NO_OP (~0U)

struct canary {
	const struct program *program;
	unsigned long seen;                  /* trace records */
	unsigned int nr_blocks;              /* of that kind, allocated and not freed */
	unsigned int nr_drained;             /* the first of these were there at the last drain */
	unsigned long blocks[BLOCKS_MAX];    /* pfn */
	unsigned int op;                     /* that broke the rule, or NO_OP */
	unsigned long pfn;
};

static void note_allocation(struct canary *canary, const struct trace_record *r)
{
	if (r->a != TRACE_NO_PFN && r->b && (r->c & CANARY_GFP) && canary->nr_blocks < BLOCKS_MAX)
		canary->blocks[canary->nr_blocks++] = r->a;
}

/* The order of the blocks is that of their allocation. */
static void forget_block(struct canary *canary, unsigned int block)
{
	canary->nr_drained -= block < canary->nr_drained;
	canary->nr_blocks--;
	for (; block < canary->nr_blocks; block++)
		canary->blocks[block] = canary->blocks[block + 1];
}

static void note_free(struct canary *canary, const struct trace_record *r, unsigned int op)
{
	unsigned int i;

	for (i = 0; i < canary->nr_blocks; i++) {
		if (canary->blocks[i] != r->a)
			continue;
		if (i < canary->nr_drained && canary->op == NO_OP) {
			canary->op = op;
			canary->pfn = r->a;
		}
		forget_block(canary, i);
		return;
	}
}

static _Bool is_drain(unsigned int code)
{
	return code == OP_drain_all_pages || code == OP_drain_local_pages;
}

/* The first call of a run comes before its first operation. */
static void after_op(void *argument, unsigned int op)
{
	struct canary *canary = argument;

	if (op == NO_OP)
		*canary = (struct canary){ .program = canary->program, .op = NO_OP };
	for (; canary->seen < trace_count; canary->seen++) {
		const struct trace_record *r = trace_get(canary->seen);

		if (r && r->kind == TRACE_MM_PAGE_ALLOC)
			note_allocation(canary, r);
		else if (r && r->kind == TRACE_MM_PAGE_FREE)
			note_free(canary, r, op);
	}
	if (op < canary->program->nr_ops && is_drain(canary->program->ops[op].code))
		canary->nr_drained = canary->nr_blocks;
}

static void sing(const struct canary *canary, struct verdict *verdict)
{
	struct finding *found = &verdict->finding;

	verdict->op = canary->op;
	verdict->repeat = 0;
	found->kind = FINDING_HARNESS;
	snprintf(found->name, sizeof(found->name), "canary");
	snprintf(found->subject, sizeof(found->subject), "planted");
	snprintf(found->rule, sizeof(found->rule),
		 "planted: no compound block outlives a drain of the per-CPU lists");
	snprintf(found->detail, sizeof(found->detail), "pfn 0x%lx was freed after a drain", canary->pfn);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct run_options options = target_options();
	static struct program program;
	struct canary canary = { .program = &program };
	struct verdict verdict;

	options.after_op = after_op;
	options.argument = &canary;
	if (!target_decode(&program, data, size))
		return TARGET_PASS_OVER;
	target_run(&program, &options, &verdict);
	if (verdict.finding.kind == FINDING_NONE && canary.op != NO_OP)
		sing(&canary, &verdict);
	if (verdict.finding.kind == FINDING_NONE)
		return 0;
	target_finding(&program, &verdict, "A planted bug: only the canary target sees it.");
	return TARGET_PASS_OVER;
}
