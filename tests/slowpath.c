// SPDX-License-Identifier: GPL-2.0
/*
 * The slow path (specification 22 and 23). The neighbours do what reclaim_script says; stories show the calls.
 */
#include <stdio.h>

#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)
#define DMA zone_of(ZONE_DMA)

/* One zone of 256 frames of which so many are free, with marks of 20, 25 and 30 pages. */
static void boot_with_free(const char *kernel_text, unsigned int nr_free)
{
	unsigned int pfn;

	boot_kernel(kernel_text, "tiny");
	take_all_blocks(NORMAL);
	set_marks(NORMAL, 20, 25, 30);
	set_counter(NORMAL, NR_ALLOC_BATCH, 1 << 20);
	for (pfn = 0; pfn < nr_free; pfn++)
		put_block(pfn, 0, MIGRATE_UNMOVABLE);
}

/* No page is free. */
static void boot_full(const char *kernel_text)
{
	boot_with_free(kernel_text, 0);
}

/* What reclaim and the killer release: the frames from 0x80 on, one after the other. */
static unsigned long release_frames(unsigned long nr_pages, unsigned int slot)
{
	static unsigned long next_pfn = 0x80;
	unsigned long i;

	for (i = 0; i < nr_pages; i++)
		put_block(next_pfn++, 0, MIGRATE_UNMOVABLE);
	return nr_pages;
}

static void script_reclaim(unsigned int calls, unsigned int pages)
{
	reclaim_script.calls = calls;
	reclaim_script.pages = pages;
	reclaim_release = release_frames;
}

static void script_oom(enum oom_script oom, unsigned int calls, unsigned int pages)
{
	reclaim_script.oom = oom;
	reclaim_script.oom_calls = calls;
	reclaim_script.oom_pages = pages;
	reclaim_release = release_frames;
}

static unsigned int nr_reclaims(void)
{
	return count_trace(TRACE_DIRECT_RECLAIM, NULL);
}

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

/* Pages that reclaim could free, so that the back-off says a further round may help. */
static void set_reclaimable(long nr_pages)
{
	set_counter(NORMAL, NR_INACTIVE_FILE, nr_pages);
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

Test(slowpath, unreserve_before_oom_serves_the_request)
{
	cr_expect_not_null(ask_while_reserve_is_free("fixed"));

	expect_number(count_trace(TRACE_OOM, NULL), 0);
	expect_number(NORMAL->nr_reserved_highatomic, 0);
	expect_number(block_type(0x10), MIGRATE_UNMOVABLE);
}

Test(slowpath, without_unreserve_before_oom_the_killer_comes_while_pages_are_free)
{
	cr_expect_null(ask_while_reserve_is_free("fixed,-unreserve-before-oom"));

	expect_number(count_trace(TRACE_OOM, NULL), 1);
	expect_number(NORMAL->nr_reserved_highatomic, 16);
}

/*
 * The OOM killer.
 */

Test(slowpath, a_kill_gives_the_request_another_round)
{
	boot_full("fixed");
	script_oom(OOM_KILLS, 1, 40);

	cr_expect_not_null(allocate(GFP_KERNEL, 0));

	expect_story("pass 1: Normal wmark; slow; wake Normal; pass 1: Normal wmark; "
		     "reclaim 0; pass 1: Normal wmark; oom 1; wake Normal; pass 1: Normal taken");
}

Test(slowpath, a_kill_starts_the_count_of_rounds_again)
{
	boot_full("fixed");
	set_reclaimable(1000);
	script_oom(OOM_KILLS, 1, 0);

	cr_expect_null(allocate(GFP_KERNEL, 0));

	expect_number(nr_reclaims(), 32);
}

Test(slowpath, a_parallel_kill_is_noticed_at_the_high_mark)
{
	/* 31 pages are above the high mark, but not for an order-0 request that is already at the killer. */
	boot_with_free("fixed", 31);
	set_marks(NORMAL, 40, 40, 30);

	cr_expect_not_null(allocate(GFP_KERNEL, 0));

	expect_number(count_trace(TRACE_OOM, NULL), 0);
	expect_number(nr_reclaims(), 1);
}

Test(slowpath, while_somebody_else_kills_the_request_waits_a_tick)
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

Test(slowpath, an_ordinary_request_may_kill)
{
	expect_number(kills_for(GFP_KERNEL, 0), 2);
}

Test(slowpath, order_3_is_the_last_that_may_kill)
{
	expect_number(kills_for(GFP_KERNEL, 3), 2);
}

Test(slowpath, nothing_is_killed_for_a_costly_order)
{
	expect_number(kills_for(GFP_KERNEL | __GFP_REPEAT, 4), 0);
}

Test(slowpath, nothing_is_killed_for_noretry)
{
	expect_number(kills_for(GFP_KERNEL | __GFP_NORETRY, 0), 0);
}

Test(slowpath, nothing_is_killed_for_one_node)
{
	expect_number(kills_for(GFP_KERNEL | __GFP_THISNODE, 0), 0);
}

Test(slowpath, nothing_is_killed_for_a_task_that_dumps_core)
{
	boot_full("fixed");
	current->flags |= PF_DUMPCORE;

	cr_expect_null(allocate(GFP_KERNEL, 0));

	expect_number(count_trace(TRACE_OOM, NULL), 0);
}

Test(slowpath, nothing_is_killed_for_low_zones)
{
	boot_kernel("fixed", "uma-64m");
	take_all_blocks(DMA);
	set_marks(DMA, 1 << 20, 1 << 20, 1 << 20);

	cr_expect_null(allocate(GFP_KERNEL | GFP_DMA, 0));

	expect_number(nr_reclaims(), 1);
	expect_number(count_trace(TRACE_OOM, NULL), 0);
}

Test(slowpath, nofail_ignores_the_marks_after_a_kill)
{
	struct page *page;

	boot_with_free("fixed", 1);
	script_oom(OOM_KILLS, 1, 0);

	page = allocate(GFP_KERNEL | __GFP_NOFAIL, 0);

	cr_assert_not_null(page);
	cr_expect(page_is_pfmemalloc(page));
}

Test(slowpath, nofail_with_the_killer_disabled_is_warned_about)
{
	boot_with_free("fixed", 1);

	cr_expect_not_null(allocate(GFP_KERNEL | __GFP_NOFAIL, 0));

	expect_number(count_trace(TRACE_CALLER_WARNING, NULL), 1);
}

/*
 * Direct compaction.
 */

/* 32 single pages that never form a pair, and a script of what compaction says. */
static void boot_compaction(enum compact_result result, unsigned int contended)
{
	unsigned int i;

	boot_kernel("fixed", "tiny", SET(compaction, 1));
	take_all_blocks(NORMAL);
	set_marks(NORMAL, 4, 8, 12);
	set_counter(NORMAL, NR_ALLOC_BATCH, 1 << 20);
	for (i = 0; i < 32; i++)
		put_block(0x40 + 2 * i, 0, MIGRATE_UNMOVABLE);
	reclaim_script.compact_result = result;
	reclaim_script.compact_contended = contended;
}

Test(slowpath, single_pages_are_not_compacted)
{
	boot_kernel("fixed", "tiny", SET(compaction, 1));
	take_all_blocks(NORMAL);
	set_marks(NORMAL, 20, 25, 30);

	allocate(GFP_KERNEL, 0);

	expect_number(count_trace(TRACE_DIRECT_COMPACT, NULL), 0);
}

Test(slowpath, without_compaction_nothing_is_compacted)
{
	boot_full("fixed");

	allocate(GFP_KERNEL, 1);

	expect_number(count_trace(TRACE_DIRECT_COMPACT, NULL), 0);
}

Test(slowpath, compaction_that_was_put_off_is_not_a_stall)
{
	boot_compaction(COMPACT_DEFERRED, COMPACT_CONTENDED_NONE);

	allocate(GFP_KERNEL | __GFP_NORETRY, 1);

	/* Expect one try before reclaim and one last. */
	expect_number(count_trace(TRACE_DIRECT_COMPACT, NULL), 2);
	expect_number(vm_event_sum(COMPACTSTALL), 0);
}

Test(slowpath, compaction_that_did_not_help_counts_as_a_failure)
{
	boot_compaction(COMPACT_PARTIAL_SKIPPED, COMPACT_CONTENDED_NONE);

	allocate(GFP_KERNEL | __GFP_NORETRY, 1);

	expect_number(vm_event_sum(COMPACTSTALL), 2);
	expect_number(vm_event_sum(COMPACTFAIL), 2);
	expect_number(current->flags & PF_MEMALLOC, 0);
}

/* Compaction fills a gap between two free pages, seen when it is traced. */
static void fill_a_gap(const struct trace_record *record)
{
	if (record->kind == TRACE_DIRECT_COMPACT)
		put_block(0x41, 0, MIGRATE_UNMOVABLE);
}

Test(slowpath, compaction_that_helped_is_not_put_off_any_more)
{
	boot_compaction(COMPACT_PARTIAL, COMPACT_CONTENDED_NONE);
	trace_observer = fill_a_gap;
	NORMAL->compact_defer_shift = 3;
	NORMAL->compact_blockskip_flush = true;

	expect_page(allocate(GFP_KERNEL, 1), 0x40);

	expect_number(vm_event_sum(COMPACTSUCCESS), 1);
	expect_number(NORMAL->compact_defer_shift, 0);
	expect_number(NORMAL->compact_order_failed, 2);
	cr_expect_not(NORMAL->compact_blockskip_flush);
}

#define THP (GFP_TRANSHUGE | __GFP_DIRECT_RECLAIM)

Test(slowpath, huge_pages_give_up_when_compaction_is_put_off)
{
	boot_compaction(COMPACT_DEFERRED, COMPACT_CONTENDED_NONE);

	cr_expect_null(allocate(THP, 4));

	expect_number(nr_reclaims(), 0);
}

Test(slowpath, huge_pages_give_up_when_compaction_lost_a_lock)
{
	boot_compaction(COMPACT_PARTIAL, COMPACT_CONTENDED_LOCK);

	cr_expect_null(allocate(THP, 4));

	expect_number(nr_reclaims(), 0);
}

Test(slowpath, huge_pages_of_kernel_threads_do_not_mind_rescheduling)
{
	boot_compaction(COMPACT_PARTIAL, COMPACT_CONTENDED_SCHED);
	current->flags |= PF_KTHREAD;

	cr_expect_null(allocate(THP, 4));

	expect_number(nr_reclaims(), 1);
}

Test(slowpath, kswapd_reclaim_makes_a_request_no_huge_page)
{
	boot_compaction(COMPACT_DEFERRED, COMPACT_CONTENDED_NONE);

	cr_expect_null(allocate(THP | __GFP_KSWAPD_RECLAIM, 4));

	expect_number(nr_reclaims(), 1);
}

Test(slowpath, complete_compaction_is_tried_again_in_earnest)
{
	boot_compaction(COMPACT_COMPLETE, COMPACT_CONTENDED_NONE);
	script_reclaim(3, 0);

	allocate(GFP_KERNEL, 1);

	/*
	 * No zone has a block of order 1, so only compaction can ask for a round: once, to go from async to
	 * sync. Expect two rounds and the last try.
	 */
	expect_number(count_trace(TRACE_DIRECT_COMPACT, NULL), 3);
	expect_number(nr_reclaims(), 2);
}

Test(slowpath, partial_compaction_is_tried_sixteen_times_more)
{
	boot_compaction(COMPACT_PARTIAL, COMPACT_CONTENDED_NONE);
	script_reclaim(100, 0);

	allocate(GFP_KERNEL, 1);

	/* Rounds 1 to 16 ask for another, round 17 does not, then the last try. */
	expect_number(nr_reclaims(), 17);
	expect_number(count_trace(TRACE_DIRECT_COMPACT, NULL), 18);
}

Test(slowpath, costly_partial_compaction_is_tried_four_times_more)
{
	boot_compaction(COMPACT_PARTIAL, COMPACT_CONTENDED_NONE);
	script_reclaim(100, 0);

	allocate(GFP_KERNEL | __GFP_REPEAT, 4);

	expect_number(nr_reclaims(), 5);
}

Test(slowpath, compaction_that_withdrew_is_tried_again_while_a_zone_has_room_for_it)
{
	boot_compaction(COMPACT_SKIPPED, COMPACT_CONTENDED_NONE);
	script_reclaim(3, 0);

	allocate(GFP_KERNEL, 1);

	/* Room is the low mark of 8 and twice the block: 32 pages are more than 12. */
	expect_number(nr_reclaims(), 4);
}

Test(slowpath, compaction_that_withdrew_for_want_of_pages_is_not_tried_again)
{
	boot_compaction(COMPACT_SKIPPED, COMPACT_CONTENDED_NONE);
	set_marks(NORMAL, 4, 28, 60);
	script_reclaim(3, 0);

	allocate(GFP_KERNEL, 1);

	expect_number(nr_reclaims(), 1);
}

Test(slowpath, without_compaction_a_zone_without_pages_ends_the_rounds)
{
	boot_full("fixed");
	put_block(0x40, 0, MIGRATE_UNMOVABLE);
	script_reclaim(5, 0);

	allocate(GFP_KERNEL, 1);

	expect_number(nr_reclaims(), 1);
}

Test(slowpath, without_compaction_rounds_go_on_while_a_zone_has_pages_for_order_0)
{
	unsigned int i;

	boot_full("fixed");
	for (i = 0; i < 32; i++)
		put_block(0x40 + 2 * i, 0, MIGRATE_UNMOVABLE);
	script_reclaim(5, 0);

	allocate(GFP_KERNEL, 1);

	/* 32 pages are above the min mark of 20. Expect a round for each report of progress and one without. */
	expect_number(nr_reclaims(), 6);
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
