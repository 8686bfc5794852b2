// SPDX-License-Identifier: GPL-2.0
/* The end of the slow path: the highatomic reserve is given up, and somebody is killed (specification 13 and 23). */
#include "tests/slowpath.h"

/*
 * The reserve before the killer.
 */

/* All that is free is a reserved pageblock; reclaim finds nothing, but lets 16 rounds pass. */
static struct page *ask_while_reserve_is_free(const char *kernel_text)
{
	boot_full(kernel_text);
	set_marks(NORMAL, 4, 8, 12);
	put_block_of(0x10, 4, MIGRATE_HIGHATOMIC);
	NORMAL->nr_reserved_highatomic = 16;
	set_reclaimable(1000);
	return allocate(GFP_KERNEL, 0);
}

Test(slowpath_oom, unreserve_before_oom_serves_the_request)
{
	cr_expect_not_null(ask_while_reserve_is_free("fixed"));

	expect_number(count_trace(TRACE_OOM, NULL), 0);
	expect_number(NORMAL->nr_reserved_highatomic, 0);
	expect_number(block_type(0x10), MIGRATE_UNMOVABLE);
}

Test(slowpath_oom, without_unreserve_before_oom_the_killer_comes_while_pages_are_free)
{
	cr_expect_null(ask_while_reserve_is_free("fixed,-unreserve-before-oom"));

	expect_number(count_trace(TRACE_OOM, NULL), 1);
	expect_number(NORMAL->nr_reserved_highatomic, 16);
}

/*
 * The OOM killer.
 */

Test(slowpath_oom, a_kill_gives_the_request_another_round)
{
	boot_full("fixed");
	script_oom(OOM_KILLS, 1, 40);

	cr_expect_not_null(allocate(GFP_KERNEL, 0));

	expect_story("pass 1: Normal wmark; slow; wake Normal; pass 1: Normal wmark; "
		     "reclaim 0; pass 1: Normal wmark; oom 1; wake Normal; pass 1: Normal taken");
}

Test(slowpath_oom, a_kill_starts_the_count_of_rounds_again)
{
	boot_full("fixed");
	set_reclaimable(1000);
	script_oom(OOM_KILLS, 1, 0);

	cr_expect_null(allocate(GFP_KERNEL, 0));

	expect_number(nr_reclaims(), 32);
}

Test(slowpath_oom, a_parallel_kill_is_noticed_at_the_high_mark)
{
	/* 31 pages are above the high mark, but not for an order-0 request that is already at the killer. */
	boot_with_free("fixed", 31);
	set_marks(NORMAL, 40, 40, 30);

	cr_expect_not_null(allocate(GFP_KERNEL, 0));

	expect_number(count_trace(TRACE_OOM, NULL), 0);
	expect_number(nr_reclaims(), 1);
}

Test(slowpath_oom, while_somebody_else_kills_the_request_waits_a_tick)
{
	struct trace_record sleep;

	boot_full("fixed");
	script_oom(OOM_BLOCKED, 2, 0);

	cr_expect_null(allocate(GFP_KERNEL, 0));

	expect_number(count_trace(TRACE_SLEEP, &sleep), 2);
	expect_number(sleep.a, 1);
	expect_number(nr_reclaims(), 3);
	expect_number(oom_lock.owner, 0);
}

static unsigned int kills_for(gfp_t gfp_mask, unsigned int order)
{
	boot_full("fixed");
	script_oom(OOM_KILLS, 1, 0);
	allocate(gfp_mask, order);
	return count_trace(TRACE_OOM, NULL);
}

Test(slowpath_oom, an_ordinary_request_may_kill)
{
	expect_number(kills_for(GFP_KERNEL, 0), 2);
}

Test(slowpath_oom, order_3_is_the_last_that_may_kill)
{
	expect_number(kills_for(GFP_KERNEL, 3), 2);
}

Test(slowpath_oom, nothing_is_killed_for_a_costly_order)
{
	expect_number(kills_for(GFP_KERNEL | __GFP_REPEAT, 4), 0);
}

Test(slowpath_oom, nothing_is_killed_for_noretry)
{
	expect_number(kills_for(GFP_KERNEL | __GFP_NORETRY, 0), 0);
}

Test(slowpath_oom, nothing_is_killed_for_one_node)
{
	expect_number(kills_for(GFP_KERNEL | __GFP_THISNODE, 0), 0);
}

Test(slowpath_oom, nothing_is_killed_for_a_task_that_dumps_core)
{
	boot_full("fixed");
	current->flags |= PF_DUMPCORE;

	cr_expect_null(allocate(GFP_KERNEL, 0));

	expect_number(count_trace(TRACE_OOM, NULL), 0);
}

Test(slowpath_oom, nothing_is_killed_for_low_zones)
{
	boot_kernel("fixed", "uma-64m");
	take_all_blocks(DMA);
	set_marks(DMA, 1 << 20, 1 << 20, 1 << 20);

	cr_expect_null(allocate(GFP_KERNEL | GFP_DMA, 0));

	expect_number(nr_reclaims(), 1);
	expect_number(count_trace(TRACE_OOM, NULL), 0);
}

Test(slowpath_oom, nofail_ignores_the_marks_after_a_kill)
{
	struct page *page;

	boot_with_free("fixed", 1);
	script_oom(OOM_KILLS, 1, 0);

	page = allocate(GFP_KERNEL | __GFP_NOFAIL, 0);

	cr_assert_not_null(page);
	cr_expect(page_is_pfmemalloc(page));
}

Test(slowpath_oom, nofail_with_the_killer_disabled_is_warned_about)
{
	boot_with_free("fixed", 1);

	cr_expect_not_null(allocate(GFP_KERNEL | __GFP_NOFAIL, 0));

	expect_number(count_trace(TRACE_CALLER_WARNING, NULL), 1);
}
