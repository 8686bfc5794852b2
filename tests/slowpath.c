// SPDX-License-Identifier: GPL-2.0
/*
 * The slow path (specification 22): kswapd, marks, giving up, direct reclaim. The killer is in slowpath_oom.c, compaction in
 * slowpath_compact.c.
 */
#include <stdio.h>

#include "tests/slowpath.h"

/*
 * kswapd and the first attempts.
 */

Test(slowpath, kswapd_is_woken_for_every_zone_of_the_list)
{
	boot_kernel("fixed", "numa2");
	set_marks(NORMAL, 0, 1 << 20, 1 << 20);
	set_marks(DMA, 0, 1 << 20, 1 << 20);
	set_marks(zone_at(1, ZONE_NORMAL), 0, 1 << 20, 1 << 20);

	allocate(GFP_NOWAIT, 0);

	expect_story("pass 1: N0.Normal wmark, N0.DMA wmark, N1.Normal wmark; slow; "
		     "wake N0.Normal; wake N0.DMA; wake N1.Normal; pass 1: N0.Normal taken");
	cr_expect_not(NODE_DATA(0)->kswapd_asleep);
	cr_expect_not(NODE_DATA(1)->kswapd_asleep);
}

Test(slowpath, kswapd_hears_the_order_and_the_class_of_the_request)
{
	struct trace_record wake;

	boot_kernel("fixed", "uma-64m");
	set_marks(DMA, 1 << 20, 1 << 20, 1 << 20);

	allocate(GFP_NOWAIT | GFP_DMA, 2);

	expect_number(count_trace(TRACE_KSWAPD_WAKE, &wake), 1);
	expect_number(wake.b, 2);
	expect_number(wake.c, ZONE_DMA);
}

Test(slowpath, without_kswapd_reclaim_nobody_is_woken)
{
	boot_full("fixed");

	cr_expect_null(allocate(0, 0));

	expect_story("pass 1: Normal wmark; slow; pass 1: Normal wmark; failed");
}

Test(slowpath, the_slow_path_goes_down_to_the_min_mark)
{
	/* Of 21 pages one may be taken, of 20 none. */
	boot_with_free("fixed", 21);

	cr_expect_not_null(allocate(GFP_NOWAIT, 0));
	cr_expect_null(allocate(GFP_NOWAIT, 0));
}

Test(slowpath, high_requests_go_down_to_half_of_it)
{
	boot_with_free("fixed", 11);

	cr_expect_not_null(allocate(GFP_NOWAIT | __GFP_HIGH, 0));
	cr_expect_null(allocate(GFP_NOWAIT | __GFP_HIGH, 0));
}

Test(slowpath, atomic_requests_go_down_to_three_eighths_of_it)
{
	/* 20 - 10 - 2. */
	boot_with_free("fixed", 9);

	cr_expect_not_null(allocate(GFP_ATOMIC, 0));
	cr_expect_null(allocate(GFP_ATOMIC, 0));
}

Test(slowpath, nomemalloc_takes_the_harder_part_away_from_atomic)
{
	boot_with_free("fixed", 10);

	cr_expect_null(allocate(GFP_ATOMIC | __GFP_NOMEMALLOC, 0));
	cr_expect_not_null(allocate(GFP_ATOMIC, 0));
}

Test(slowpath, real_time_tasks_go_down_to_three_quarters)
{
	boot_with_free("fixed", 16);
	cr_expect_null(allocate(GFP_NOWAIT, 0));

	current->prio = 99;

	cr_expect_not_null(allocate(GFP_NOWAIT, 0));
	cr_expect_null(allocate(GFP_NOWAIT, 0));
}

Test(slowpath, an_interrupt_does_not_inherit_the_priority_of_the_task)
{
	boot_with_free("fixed", 16);
	current->prio = 99;
	this_context()->in_hardirq = true;

	cr_expect_null(allocate(GFP_NOWAIT, 0));
}

Test(slowpath, movable_requests_may_use_cma_pages)
{
	boot_kernel("fixed", "movable", SET(smp, 0));
	take_all_blocks(NORMAL);
	set_counter(NORMAL, NR_FREE_PAGES, 0);
	set_counter(NORMAL, NR_FREE_CMA_PAGES, 0);
	set_marks(NORMAL, 0, 1 << 20, 1 << 20);
	put_block_of(0x1800, 4, MIGRATE_CMA);

	cr_expect_null(allocate(GFP_NOWAIT, 0));
	cr_expect_not_null(allocate(GFP_NOWAIT | __GFP_MOVABLE, 0));
}

/*
 * Below all marks.
 */

Test(slowpath, memalloc_ignores_the_marks)
{
	struct page *page;

	boot_with_free("fixed", 1);

	page = allocate(GFP_NOWAIT | __GFP_MEMALLOC, 0);

	cr_assert_not_null(page);
	cr_expect(page_is_pfmemalloc(page));
	expect_story("pass 1: Normal wmark; slow; wake Normal; pass 1: Normal wmark; pass 1: Normal taken");
}

Test(slowpath, a_task_that_frees_memory_ignores_the_marks)
{
	boot_with_free("fixed", 2);
	current->flags |= PF_MEMALLOC;

	cr_expect_not_null(allocate(GFP_KERNEL, 0));
	cr_expect_null(allocate(GFP_KERNEL | __GFP_NOMEMALLOC, 0));
}

Test(slowpath, a_dying_task_ignores_the_marks)
{
	boot_with_free("fixed", 1);
	current->memdie = true;

	cr_expect_not_null(allocate(GFP_KERNEL, 0));
}

Test(slowpath, an_interrupt_does_not_inherit_the_rights_of_the_task)
{
	boot_with_free("fixed", 1);
	current->flags |= PF_MEMALLOC;

	this_context()->in_hardirq = true;
	cr_expect_null(allocate(GFP_ATOMIC, 0));
	this_context()->in_hardirq = false;

	/* A softirq of a task that frees memory has them. */
	this_context()->serving_softirq = true;
	cr_expect_not_null(allocate(GFP_ATOMIC, 0));
}

Test(slowpath, gfp_pfmemalloc_allowed_tells_who_ignores_the_marks)
{
	boot_kernel("fixed", "tiny");

	cr_expect_not(gfp_pfmemalloc_allowed(GFP_KERNEL));
	cr_expect(gfp_pfmemalloc_allowed(GFP_KERNEL | __GFP_MEMALLOC));
	cr_expect_not(gfp_pfmemalloc_allowed(GFP_KERNEL | __GFP_MEMALLOC | __GFP_NOMEMALLOC));
}

/* Node 1 is asked for, and nothing else; it is empty, node 0 is not. */
static struct page *memalloc_on_node_1(const char *kernel_text)
{
	boot_kernel(kernel_text, "numa2");
	take_all_blocks(zone_at(1, ZONE_NORMAL));
	set_marks(zone_at(1, ZONE_NORMAL), 1 << 20, 1 << 20, 1 << 20);
	return allocate_at(1, GFP_NOWAIT | __GFP_MEMALLOC | __GFP_THISNODE, 0, NULL);
}

Test(slowpath, keep_zonelist_for_thisnode_keeps_the_node_that_was_asked_for)
{
	cr_expect_null(memalloc_on_node_1("fixed"));
}

Test(slowpath, without_keep_zonelist_for_thisnode_the_page_comes_from_the_local_node)
{
	struct page *page = memalloc_on_node_1("fixed,-keep-zonelist-for-thisnode");

	cr_assert_not_null(page);
	expect_number(page_to_nid(page), 0);
}

Test(slowpath, v4_7_rc1_replaces_the_list_but_walks_on_in_the_old_one)
{
	struct zone *remote;

	boot_kernel("v4.7-rc1", "numa2");
	remote = zone_at(1, ZONE_NORMAL);
	set_marks(remote, 1 << 20, 1 << 20, 1 << 20);
	set_marks(NORMAL, 1 << 20, 1 << 20, 1 << 20);
	set_marks(DMA, 1 << 20, 1 << 20, 1 << 20);

	/* Expect the attempt without marks to begin at node 1, whatever the local list says. */
	cr_expect_eq(page_zone(allocate_at(1, GFP_NOWAIT | __GFP_MEMALLOC, 0, NULL)), remote);
}

Test(slowpath, v4_7_begins_at_the_local_list)
{
	boot_kernel("v4.7", "numa2");
	set_marks(zone_at(1, ZONE_NORMAL), 1 << 20, 1 << 20, 1 << 20);
	set_marks(NORMAL, 1 << 20, 1 << 20, 1 << 20);
	set_marks(DMA, 1 << 20, 1 << 20, 1 << 20);

	cr_expect_eq(page_zone(allocate_at(1, GFP_NOWAIT | __GFP_MEMALLOC, 0, NULL)), NORMAL);
}

/* The cpuset allows node 1 only, which comes last in the list of node 0 and is empty. */
static struct page *atomic_from_a_full_cpuset(const char *kernel_text)
{
	boot_kernel(kernel_text, "numa2", SET(cpusets, 1));
	set_mems_allowed(current, (nodemask_t){ 1UL << 1 });
	take_all_blocks(zone_at(1, ZONE_NORMAL));
	set_marks(zone_at(1, ZONE_NORMAL), 1 << 20, 1 << 20, 1 << 20);
	return allocate(GFP_ATOMIC, 0);
}

Test(slowpath, recompute_preferred_zoneref_starts_at_the_first_zone_that_is_now_allowed)
{
	struct page *page = atomic_from_a_full_cpuset("fixed");

	cr_assert_not_null(page);
	expect_number(page_to_nid(page), 0);
}

Test(slowpath, without_recompute_preferred_zoneref_the_zones_before_it_are_not_seen)
{
	cr_expect_null(atomic_from_a_full_cpuset("fixed,-recompute-preferred-zoneref"));
}

/*
 * Giving up early.
 */

Test(slowpath, without_direct_reclaim_there_is_one_round)
{
	boot_full("fixed");

	cr_expect_null(allocate(GFP_NOWAIT, 0));

	expect_story("pass 1: Normal wmark; slow; wake Normal; pass 1: Normal wmark; failed");
}

Test(slowpath, nofail_without_reclaim_fails_and_is_warned_about)
{
	boot_full("fixed");

	cr_expect_null(allocate(GFP_NOWAIT | __GFP_NOFAIL, 0));

	expect_story("pass 1: Normal wmark; slow; wake Normal; pass 1: Normal wmark; warn 2; failed");
}

Test(slowpath, a_task_that_frees_memory_does_not_recurse_into_reclaim)
{
	boot_full("fixed");
	script_reclaim(1, 32);
	current->flags |= PF_MEMALLOC;

	cr_expect_null(allocate(GFP_KERNEL, 0));

	expect_number(nr_reclaims(), 0);
}

static void allocate_nofail(void *argument)
{
	allocate(GFP_KERNEL | __GFP_NOFAIL, 0);
}

Test(slowpath, nofail_of_a_task_that_frees_memory_goes_round_for_ever)
{
	boot_full("fixed");
	current->flags |= PF_MEMALLOC;

	work_begin(10000);
	cr_expect(host_catch(allocate_nofail, NULL));

	expect_number(finding.kind, FINDING_HANG);
}

Test(slowpath, a_dying_task_does_not_reclaim)
{
	boot_full("fixed");
	current->memdie = true;

	cr_expect_null(allocate(GFP_KERNEL, 0));

	expect_number(nr_reclaims(), 0);
}

Test(slowpath, a_dying_task_that_must_not_fail_reclaims)
{
	boot_full("fixed");
	script_oom(OOM_KILLS, 1, 1);
	current->memdie = true;

	cr_expect_not_null(allocate(GFP_KERNEL | __GFP_NOFAIL, 0));

	expect_number(nr_reclaims(), 1);
}

Test(slowpath, nowarn_silences_the_warning_about_the_order)
{
	boot_full("fixed");

	cr_expect_null(allocate(GFP_KERNEL | __GFP_NOWARN, 11));

	expect_story("pass 1: Normal wmark; slow");
}

Test(slowpath, atomic_with_direct_reclaim_is_warned_about_and_loses_atomic)
{
	boot_with_free("fixed", 10);

	/* 10 pages are enough for an atomic request, but not for this one. */
	cr_expect_null(allocate(GFP_ATOMIC | __GFP_DIRECT_RECLAIM | __GFP_NORETRY, 0));

	expect_number(count_trace(TRACE_CALLER_WARNING, NULL), 1);
	expect_number(nr_reclaims(), 1);
}

Test(slowpath, failures_are_reported_ten_times_in_five_seconds)
{
	unsigned int reports = 0;
	unsigned int i;

	boot_full("fixed");
	for (i = 0; i < 12; i++) {
		allocate(GFP_NOWAIT, 0);
		reports += count_trace(TRACE_ALLOC_FAILED, NULL);
	}
	expect_number(reports, 10);

	jiffies_advance(5 * HZ + 1);
	allocate(GFP_NOWAIT, 0);

	expect_number(count_trace(TRACE_ALLOC_FAILED, NULL), 1);
}

Test(slowpath, a_failure_is_reported_with_task_order_and_flags)
{
	char text[120];

	boot_full("fixed");

	allocate(GFP_NOWAIT, 2);

	cr_assert(printk_format(0, text, sizeof(text)));
	expect_text(text, "task0: page allocation failure: order:2, mode:0x2000000(GFP_NOWAIT)");
}

Test(slowpath, nowarn_fails_in_silence)
{
	boot_full("fixed");

	cr_expect_null(allocate(GFP_NOWAIT | __GFP_NOWARN, 0));

	expect_number(count_trace(TRACE_ALLOC_FAILED, NULL), 0);
}

/*
 * Direct reclaim.
 */

Test(slowpath, reclaimed_pages_serve_the_request)
{
	boot_full("fixed");
	script_reclaim(1, 32);

	cr_expect_not_null(allocate(GFP_KERNEL, 0));

	expect_story("pass 1: Normal wmark; slow; wake Normal; pass 1: Normal wmark; "
		     "reclaim 32; pass 1: Normal taken");
	expect_number(current->flags & PF_MEMALLOC, 0);
}

Test(slowpath, reclaim_that_freed_too_little_drains_the_per_cpu_lists)
{
	struct page *page;

	boot_with_free("fixed", 20);
	script_reclaim(1, 0);
	page = pfn_to_page(0x40);
	pcp_of(NORMAL, 0)->high = 10;
	set_page_count(page, 0);
	free_hot_cold_page(page, false);
	trace_reset();

	/* The page of the per-CPU list makes 21. It is movable, so the request cannot have it from there. */
	cr_expect_not_null(allocate(GFP_KERNEL, 0));

	expect_text(drained(), "0x40");
}

Test(slowpath, noretry_reclaims_once)
{
	boot_full("fixed");
	script_reclaim(5, 0);

	cr_expect_null(allocate(GFP_KERNEL | __GFP_NORETRY, 0));

	/* NORETRY: expect one reclaim, though it reported progress. */
	expect_number(nr_reclaims(), 1);
}

Test(slowpath, costly_orders_do_not_retry)
{
	boot_full("fixed");
	script_reclaim(5, 0);

	cr_expect_null(allocate(GFP_KERNEL, 4));

	expect_number(nr_reclaims(), 1);
}

Test(slowpath, costly_orders_retry_with_repeat)
{
	boot_full("fixed");
	set_reclaimable(1000);
	put_block(0x40, 4, MIGRATE_UNMOVABLE);

	cr_expect_null(allocate(GFP_KERNEL | __GFP_REPEAT, 4));

	expect_number(nr_reclaims(), 16);
}

Test(slowpath, rounds_without_progress_end_after_sixteen)
{
	boot_full("fixed");
	set_reclaimable(1000);

	cr_expect_null(allocate(GFP_KERNEL, 0));

	/*
	 * Round n counts 1000 - ceil(n * 1000 / 16) pages: expect the rounds 1 to 15 to find more than the 20 of the
	 * min mark, and round 16 to find none.
	 */
	expect_number(nr_reclaims(), 16);
	expect_number(count_trace(TRACE_OOM, NULL), 1);
}

Test(slowpath, nothing_to_reclaim_means_one_round)
{
	boot_full("fixed");

	cr_expect_null(allocate(GFP_KERNEL, 0));

	expect_story("pass 1: Normal wmark; slow; wake Normal; pass 1: Normal wmark; "
		     "reclaim 0; pass 1: Normal wmark; oom 0; failed");
}

Test(slowpath, progress_alone_does_not_make_another_round)
{
	boot_full("fixed");
	script_reclaim(5, 0);

	cr_expect_null(allocate(GFP_KERNEL, 0));

	/* No page is free or reclaimable. Expect the killer after one round, for a single page needs no compaction. */
	expect_number(nr_reclaims(), 1);
	expect_number(count_trace(TRACE_OOM, NULL), 1);
}

/* The cpuset allows node 1 only, which is full; node 0, which the request may not use, is free. */
static void boot_full_cpuset(void)
{
	boot_kernel("fixed", "numa2", SET(cpusets, 1));
	set_mems_allowed(current, (nodemask_t){ 1UL << 1 });
	take_all_blocks(zone_at(1, ZONE_NORMAL));
	set_marks(zone_at(1, ZONE_NORMAL), 1 << 20, 1 << 20, 1 << 20);
}

Test(slowpath, a_zone_that_looks_good_but_cannot_be_used_is_hoped_for_sixteen_rounds)
{
	boot_full_cpuset();

	cr_expect_null(allocate_at(1, GFP_KERNEL | __GFP_HARDWALL, 0, NULL));

	expect_number(nr_reclaims(), 17);
}

static void allocate_kernel(void *argument)
{
	allocate(GFP_KERNEL, 0);
}

/*
 * The list of the reserve leads to a page that is not on it, so that there is always another reserve to give up. The
 * memory map has 64 pageblocks.
 */
Test(slowpath, a_reserve_that_is_given_up_again_and_again_never_ends)
{
	struct list_head *reserve;

	boot_with_free("fixed", 1);
	reserve = &NORMAL->free_area[0].free_list[MIGRATE_HIGHATOMIC];
	reserve->next = &pfn_to_page(0)->lru;
	NORMAL->nr_reserved_highatomic = 16;

	expect_step_too_far("__alloc_pages_slowpath", 17 + 64, allocate_kernel, NULL);
}

Test(slowpath, after_a_kill_nofail_leaves_its_cpuset)
{
	struct page *page;

	boot_full_cpuset();
	script_oom(OOM_KILLS, 1, 0);

	page = allocate_at(1, GFP_KERNEL | __GFP_HARDWALL | __GFP_NOFAIL, 0, NULL);

	cr_assert_not_null(page);
	expect_number(page_to_nid(page), 0);
	cr_expect(page_is_pfmemalloc(page));
}

Test(slowpath, progress_starts_the_count_of_rounds_again)
{
	boot_full("fixed");
	set_reclaimable(1000);
	script_reclaim(10, 0);

	cr_expect_null(allocate(GFP_KERNEL, 0));

	expect_number(nr_reclaims(), 26);
}

Test(slowpath, much_writeback_makes_a_round_wait)
{
	struct trace_record sleep;

	boot_full("fixed");
	set_reclaimable(40);
	set_counter(NORMAL, NR_WRITEBACK, 21);
	set_counter(NORMAL, NR_FREE_PAGES, 0);

	allocate(GFP_KERNEL, 0);

	/* 2 * 21 > 40: a tenth of a second at 100 ticks a second. */
	expect_number(count_trace(TRACE_SLEEP, &sleep), nr_reclaims() - 1);
	expect_number(sleep.a, 10);
}

Test(slowpath, little_writeback_makes_no_round_wait)
{
	boot_full("fixed");
	set_reclaimable(40);
	set_counter(NORMAL, NR_WRITEBACK, 20);

	allocate(GFP_KERNEL, 0);

	expect_number(count_trace(TRACE_SLEEP, NULL), 0);
	cr_expect_gt(nr_reclaims(), 1);
}

Test(slowpath, a_worker_sleeps_a_tick_between_rounds)
{
	struct trace_record sleep;

	boot_full("fixed");
	set_reclaimable(1000);
	current->flags |= PF_WQ_WORKER;

	allocate(GFP_KERNEL, 0);

	expect_number(count_trace(TRACE_SLEEP, &sleep), 15);
	expect_number(sleep.a, 1);
}

/*
 * What the slow path does not do.
 */

Test(slowpath, requests_without_io_are_told_so)
{
	struct trace_record reclaim;

	boot_full("fixed");
	current->flags |= PF_MEMALLOC_NOIO;

	allocate(GFP_KERNEL | __GFP_NORETRY, 0);

	count_trace(TRACE_DIRECT_RECLAIM, &reclaim);
	expect_number(reclaim.b & (__GFP_IO | __GFP_FS), 0);
}
