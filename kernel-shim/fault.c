// SPDX-License-Identifier: GPL-2.0
/*
 * fault.c - allocations that fail because an operation says so, in two independent ways: the attributes of Linux's
 * fail_page_alloc (specification 21 step 5), and the nth request of an operation, whatever it asks for. Neither
 * ever fails a request that must not fail.
 */
#include <linux/fault-inject.h>
#include <linux/gfp.h>
#include "fault.h"
#include "trace.h"

__world struct fail_page_alloc fail_page_alloc = {
	.min_order = 1,
	.ignore_gfp_highmem = true,
	.ignore_gfp_reclaim = true,
};
__world unsigned int fault_nth;
/* Questions asked in this run. */
__world static unsigned long nr_fault_points;

static bool fail_page_alloc_applies(gfp_t gfp_mask, unsigned int order)
{
	if (order < fail_page_alloc.min_order)
		return false;
	if (fail_page_alloc.ignore_gfp_highmem && (gfp_mask & __GFP_HIGHMEM))
		return false;
	return !(fail_page_alloc.ignore_gfp_reclaim && (gfp_mask & __GFP_DIRECT_RECLAIM));
}

bool should_fail_alloc_page(gfp_t gfp_mask, unsigned int order)
{
	bool fail;

	if (gfp_mask & __GFP_NOFAIL)
		return false;
	nr_fault_points++;
	fail = fault_nth && --fault_nth == 0;
	if (!fail && fail_page_alloc.times && fail_page_alloc_applies(gfp_mask, order)) {
		fail_page_alloc.times--;
		fail = true;
	}
	if (fail)
		trace_emit(TRACE_FAULT, nr_fault_points, 0, 0, 0);
	return fail;
}
