// SPDX-License-Identifier: GPL-2.0
/*
 * The entry, the zonelist scan, the take and the free (specification 15, 18, 21, 24). The fair part of the scan is in
 * tests/fair.c, the slow path in tests/slowpath.c.
 */
#include <stdio.h>

#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)
#define DMA zone_of(ZONE_DMA)

static void make_low(struct zone *zone)
{
	set_marks(zone, 0, 1 << 20, 1 << 20);
}

static void make_empty(struct zone *zone)
{
	take_all_blocks(zone);
	set_marks(zone, 1 << 20, 1 << 20, 1 << 20);
}

/*
 * What an allocation returns.
 */

Test(page_alloc, a_page_has_one_reference_and_no_history)
{
	struct page *page;

	boot_kernel("fixed", "tiny");

	page = allocate(GFP_KERNEL, 0);

	expect_page(page, 0x0);
	expect_number(page_ref_count(page), 1);
	expect_number(page_mapcount_raw(page), -1);
	expect_number(page->private, 0);
	expect_number(page->index, 0);
	expect_number(page->flags, 0);
	cr_expect_not(page_is_pfmemalloc(page));
}

Test(page_alloc, only_the_head_of_a_block_has_a_reference)
{
	struct page *page;

	boot_kernel("fixed", "tiny");

	page = allocate(GFP_KERNEL, 2);

	expect_page(page, 0x0);
	expect_number(page_ref_count(page), 1);
	expect_number(page_ref_count(page + 1), 0);
	expect_number(page_ref_count(page + 3), 0);
	cr_expect_not(PageCompound(page));
}

Test(page_alloc, comp_makes_a_block_compound)
{
	struct page *page;

	boot_kernel("fixed", "tiny");

	page = allocate(GFP_KERNEL | __GFP_COMP, 2);

	cr_expect(PageHead(page));
	expect_number(compound_order(page), 2);
	cr_expect(PageTail(page + 3));
	cr_expect_eq(compound_head(page + 3), page);
}

Test(page_alloc, comp_means_nothing_for_one_page)
{
	boot_kernel("fixed", "tiny");

	cr_expect_not(PageCompound(allocate(GFP_KERNEL | __GFP_COMP, 0)));
}

Test(page_alloc, an_allocation_counts_its_pages)
{
	boot_kernel("fixed", "tiny");
	expect_number(vm_event_sum(PGALLOC_NORMAL), 0);

	allocate(GFP_KERNEL, 3);

	expect_number(vm_event_sum(PGALLOC_NORMAL), 8);
	expect_number(counter(NORMAL, NR_FREE_PAGES), 248);
}

Test(page_alloc, orders_from_max_order_on_are_never_served)
{
	boot_kernel("fixed", "uma-64m");

	cr_expect_null(allocate(GFP_KERNEL, 11));

	/* Expect both zones declined, then a warning and no report. */
	expect_story("pass 1: Normal wmark, DMA wmark; slow; warn 0");
	cr_expect_not_null(allocate(GFP_KERNEL, 10));
}

Test(page_alloc, the_mobility_bits_are_the_migratetype)
{
	boot_kernel("fixed", "tiny");

	expect_number(gfpflags_to_migratetype(GFP_KERNEL), MIGRATE_UNMOVABLE);
	expect_number(gfpflags_to_migratetype(GFP_KERNEL | __GFP_RECLAIMABLE), MIGRATE_RECLAIMABLE);
	expect_number(gfpflags_to_migratetype(GFP_HIGHUSER_MOVABLE), MIGRATE_MOVABLE);
	expect_story("");
	/* Both are the caller's mistake, and the type of the reserve. */
	expect_number(gfpflags_to_migratetype(__GFP_RECLAIMABLE | __GFP_MOVABLE), MIGRATE_HIGHATOMIC);
	expect_story("warn 7");
}

Test(page_alloc, without_grouping_everything_is_unmovable)
{
	boot_kernel("fixed", "tiny");
	page_group_by_mobility_disabled = 1;

	expect_number(gfpflags_to_migratetype(GFP_HIGHUSER_MOVABLE), MIGRATE_UNMOVABLE);
}

/*
 * Which zone.
 */

Test(page_alloc, the_first_zone_of_the_list_is_used)
{
	boot_kernel("fixed", "uma-64m");

	cr_expect_eq(page_zone(allocate(GFP_KERNEL, 0)), NORMAL);
	expect_story("pass 1: Normal taken");
}

Test(page_alloc, a_zone_modifier_starts_at_a_lower_zone)
{
	boot_kernel("fixed", "uma-64m");

	cr_expect_eq(page_zone(allocate(GFP_KERNEL | GFP_DMA, 0)), DMA);
	expect_story("pass 1: DMA taken");
}

Test(page_alloc, a_zone_at_its_low_mark_is_passed_by)
{
	boot_kernel("fixed", "uma-64m");
	set_marks(NORMAL, 0, counter(NORMAL, NR_FREE_PAGES), 1 << 20);

	allocate(GFP_KERNEL, 0);
	expect_story("pass 1: Normal wmark, DMA taken");

	set_marks(NORMAL, 0, counter(NORMAL, NR_FREE_PAGES) - 1, 1 << 20);
	allocate(GFP_KERNEL, 0);
	expect_story("pass 1: Normal taken");
}

Test(page_alloc, lower_zones_keep_a_reserve_from_requests_for_higher_ones)
{
	boot_kernel("fixed", "uma-64m");
	make_low(NORMAL);
	set_marks(DMA, 0, counter(DMA, NR_FREE_PAGES) - 1, 1 << 20);

	/* The reserve of DMA against Normal is 48 pages. A request for DMA itself may have them. */
	expect_number(DMA->lowmem_reserve[ZONE_NORMAL], 48);
	allocate(GFP_NOWAIT, 0);
	cr_expect_not_null(strstr(story(), "pass 1: Normal wmark, DMA wmark; slow"));
	allocate(GFP_NOWAIT | GFP_DMA, 0);
	expect_story("pass 1: DMA taken");
}

Test(page_alloc, a_zone_that_cannot_deliver_is_passed_by)
{
	/* The check of 4.7 counts reserved pages as free for order 0, but they are not for ordinary requests. */
	boot_kernel("v4.7", "uma-64m", SET(min_free_kbytes, 128));
	take_all_blocks(NORMAL);
	put_block_of(0x1000, 10, MIGRATE_HIGHATOMIC);

	cr_expect_eq(page_zone(allocate(GFP_KERNEL, 0)), DMA);
	expect_story("pass 1: Normal takefail, DMA taken");
}

Test(page_alloc, a_nodemask_leaves_zones_out)
{
	nodemask_t only_node_1 = { 1UL << 1 };

	boot_kernel("fixed", "numa2");

	cr_expect_eq(page_zone(allocate_at(0, GFP_KERNEL, 0, &only_node_1)), zone_at(1, ZONE_NORMAL));
	expect_story("pass 1: N1.Normal taken");
}

Test(page_alloc, without_numa_a_nodemask_means_nothing)
{
	nodemask_t only_node_1 = { 1UL << 1 };

	boot_kernel("fixed", "aranym");

	cr_expect_eq(page_zone(allocate_at(0, GFP_KERNEL, 0, &only_node_1)), zone_at(0, ZONE_DMA));
}

Test(page_alloc, thisnode_never_leaves_the_node)
{
	boot_kernel("fixed", "numa2");
	make_empty(zone_at(1, ZONE_NORMAL));

	cr_expect_null(allocate_at(1, GFP_NOWAIT | __GFP_THISNODE, 0, NULL));
	cr_expect_not_null(allocate_at(1, GFP_NOWAIT, 0, NULL));
}

Test(page_alloc, an_empty_list_fails_without_a_word)
{
	boot_kernel("fixed", "numa4");

	/* Node 2 has no memory, so its list without fallback is empty. */
	cr_expect_null(allocate_at(2, GFP_KERNEL | __GFP_THISNODE, 0, NULL));
	expect_story("");
}

Test(page_alloc, a_memoryless_node_allocates_from_its_neighbours)
{
	boot_kernel("fixed", "numa4");

	/* Node 2 is 22, 31 and 16 away from nodes 0, 1 and 3. */
	cr_expect_eq(page_to_nid(allocate_at(2, GFP_KERNEL, 0, NULL)), 3);
}

static void ask_with_no_zone(const char *kernel_text)
{
	nodemask_t nowhere = { 1UL << 2 };

	boot_kernel(kernel_text, "numa2");
	cr_expect_null(allocate_at(0, GFP_NOWAIT, 0, &nowhere));
}

Test(page_alloc, null_preferred_zone_fails_at_once)
{
	ask_with_no_zone("fixed");

	expect_story("");
}

Test(page_alloc, without_null_preferred_zone_the_slow_path_runs_with_no_zones)
{
	ask_with_no_zone("fixed,-null-preferred-zone");

	expect_story("pass 1:; slow; pass 1:; failed");
}

Test(page_alloc, without_null_preferred_zone_3_16_survives_the_reset)
{
	ask_with_no_zone("fixed,-null-preferred-zone,fair=f316");

	expect_story("pass 1:; pass 1:; slow; pass 1:; failed");
}

/*
 * Reclaim of one zone, inside the scan.
 */

static void boot_zone_reclaim(enum zone_reclaim_script script)
{
	boot_kernel("fixed", "numa2", SET(zone_reclaim_mode, 1));
	reclaim_script.zone_reclaim = script;
	make_low(NORMAL);
}

Test(page_alloc, without_zone_reclaim_mode_nothing_is_reclaimed)
{
	boot_zone_reclaim(ZONE_RECLAIM_IS_SUCCESS);
	zone_reclaim_mode = 0;

	allocate(GFP_KERNEL, 0);

	expect_story("pass 1: N0.Normal wmark, N0.DMA taken");
}

Test(page_alloc, a_zone_that_was_not_scanned_is_passed_by)
{
	boot_zone_reclaim(ZONE_RECLAIM_IS_NOSCAN);

	allocate(GFP_KERNEL, 0);

	expect_story("pass 1:; zone_reclaim -2, N0.Normal noscan, N0.DMA taken");
}

Test(page_alloc, a_zone_with_nothing_to_reclaim_is_passed_by)
{
	boot_zone_reclaim(ZONE_RECLAIM_IS_FULL);

	allocate(GFP_KERNEL, 0);

	expect_story("pass 1:; zone_reclaim -1, N0.Normal full, N0.DMA taken");
}

Test(page_alloc, a_zone_still_below_its_mark_after_reclaim_is_passed_by)
{
	boot_zone_reclaim(ZONE_RECLAIM_IS_SOME);

	allocate(GFP_KERNEL, 0);

	expect_story("pass 1:; zone_reclaim 0, N0.Normal low, N0.DMA taken");
}

static unsigned long release_in_normal(unsigned long nr_pages, unsigned int slot)
{
	set_counter(NORMAL, NR_FREE_PAGES, counter(NORMAL, NR_FREE_PAGES) + (long)nr_pages);
	return nr_pages;
}

Test(page_alloc, a_zone_above_its_mark_after_reclaim_is_used)
{
	boot_zone_reclaim(ZONE_RECLAIM_IS_SUCCESS);
	reclaim_script.zone_reclaim_pages = 32;
	reclaim_release = release_in_normal;
	set_marks(NORMAL, 0, counter(NORMAL, NR_FREE_PAGES), 1 << 20);

	allocate(GFP_KERNEL, 0);

	expect_story("pass 1:; zone_reclaim 1, N0.Normal taken");
}

Test(page_alloc, a_distant_node_is_not_reclaimed)
{
	boot_kernel("fixed", "numa2", SET(zone_reclaim_mode, 1), DISTANCE(0, 1, 30), DISTANCE(1, 0, 30));
	reclaim_script.zone_reclaim = ZONE_RECLAIM_IS_SUCCESS;
	make_low(zone_at(1, ZONE_NORMAL));
	make_low(NORMAL);

	allocate_at(1, GFP_KERNEL, 0, NULL);

	/* Expect reclaim on the preferred node, and none at distance 30. */
	expect_story("pass 1:; zone_reclaim 1, N1.Normal low, N0.Normal wmark, N0.DMA taken");
}

/*
 * Cpusets.
 */

#define NODE_0 ((nodemask_t){ 1UL << 0 })
#define NODE_1 ((nodemask_t){ 1UL << 1 })

Test(page_alloc, a_cpuset_decides_where_the_scan_begins)
{
	boot_kernel("fixed", "numa2", SET(cpusets, 1));
	set_mems_allowed(current, NODE_1);

	cr_expect_eq(page_to_nid(allocate(GFP_KERNEL, 0)), 1);
	expect_story("pass 1: N1.Normal taken");
}

Test(page_alloc, a_cpuset_keeps_zones_out_of_a_nodemask)
{
	nodemask_t both = { 1UL << 0 | 1UL << 1 };

	boot_kernel("fixed", "numa2", SET(cpusets, 1));
	set_mems_allowed(current, NODE_1);

	allocate_at(0, GFP_KERNEL, 0, &both);

	/* The caller's nodemask stands, the zones of node 0 are looked at and refused. */
	expect_story("pass 1: N0.Normal cpuset, N0.DMA cpuset, N1.Normal taken");
}

Test(page_alloc, an_interrupt_has_no_cpuset)
{
	nodemask_t both = { 1UL << 0 | 1UL << 1 };

	boot_kernel("fixed", "numa2", SET(cpusets, 1));
	set_mems_allowed(current, NODE_1);
	this_context()->in_hardirq = true;

	allocate_at(0, GFP_ATOMIC, 0, &both);

	expect_story("pass 1: N0.Normal taken");
}

Test(page_alloc, a_failed_request_repeats_when_its_cpuset_has_changed)
{
	boot_kernel("fixed", "numa2", SET(cpusets, 1));
	set_mems_allowed(current, NODE_1);
	make_empty(zone_at(1, ZONE_NORMAL));
	set_mems_allowed_later(current, NODE_0);

	/* Thanks to HARDWALL the slow path stays on node 1 too. */
	cr_expect_eq(page_to_nid(allocate(GFP_NOWAIT | __GFP_HARDWALL, 0)), 0);
	expect_number(count_trace(TRACE_SLOWPATH_ENTER, NULL), 1);
}

Test(page_alloc, a_failed_request_fails_when_its_cpuset_has_not_changed)
{
	boot_kernel("fixed", "numa2", SET(cpusets, 1));
	set_mems_allowed(current, NODE_1);
	make_empty(zone_at(1, ZONE_NORMAL));

	cr_expect_null(allocate(GFP_NOWAIT | __GFP_HARDWALL, 0));
}

/* Node 1 is full; while the request looks there, the cpuset moves to node 0, whose first zone is depleted. */
static void repeat_in_a_depleted_cpuset(const char *kernel_text)
{
	boot_kernel(kernel_text, "numa2", SET(cpusets, 1));
	set_mems_allowed(current, NODE_1);
	make_empty(zone_at(1, ZONE_NORMAL));
	deplete(NORMAL);
	set_mems_allowed_later(current, NODE_0);
	allocate(GFP_NOWAIT | __GFP_HARDWALL | __GFP_NOWARN, 0);
}

Test(page_alloc, a_repeated_request_is_fair_again)
{
	repeat_in_a_depleted_cpuset("v4.7");

	cr_expect_not_null(strstr(story(), "; pass 1: N0.Normal fair, N0.DMA taken"));
}

Test(page_alloc, in_3_16_a_repeated_request_is_not_fair_any_more)
{
	repeat_in_a_depleted_cpuset("v4.7,fair=f316");

	cr_expect_not_null(strstr(story(), "; pass 1: N0.Normal taken"));
}

/* Node 0 is forbidden and free, node 1 allowed and empty. The list of node 1 begins with its own zone. */
static struct page *atomic_outside_the_cpuset(const char *kernel_text)
{
	boot_kernel(kernel_text, "numa2", SET(cpusets, 1));
	set_mems_allowed(current, NODE_1);
	make_empty(zone_at(1, ZONE_NORMAL));
	current_cpu = 1;
	return allocate_at(1, GFP_ATOMIC, 0, NULL);
}

Test(page_alloc, restore_nodemask_lets_an_atomic_request_leave_its_cpuset)
{
	struct page *page = atomic_outside_the_cpuset("fixed");

	cr_assert_not_null(page);
	expect_number(page_to_nid(page), 0);
}

Test(page_alloc, without_restore_nodemask_the_cpuset_binds_the_slow_path)
{
	cr_expect_null(atomic_outside_the_cpuset("fixed,-restore-nodemask"));
}

/*
 * Dirty limits in the scan. The limits themselves are in tests/page-writeback.c.
 */

static void boot_dirty(const char *kernel_text)
{
	boot_kernel(kernel_text, "uma-64m");
	set_counter(NORMAL, NR_FILE_DIRTY, 1 << 20);
}

Test(page_alloc, a_write_request_passes_by_a_zone_over_its_dirty_limit)
{
	boot_dirty("fixed");

	allocate(GFP_KERNEL | __GFP_WRITE, 0);
	expect_story("pass 1: Normal dirty, DMA taken");
	allocate(GFP_KERNEL, 0);
	expect_story("pass 1: Normal taken");
}

Test(page_alloc, the_slow_path_does_not_care_about_dirty_limits)
{
	boot_dirty("fixed");
	set_counter(DMA, NR_FILE_DIRTY, 1 << 20);

	allocate(GFP_NOWAIT | __GFP_WRITE, 0);

	expect_story("pass 1: Normal dirty, DMA dirty; slow; wake Normal; wake DMA; pass 1: Normal taken");
}

Test(page_alloc, dirty_limit_cached_drops_the_dirty_test_before_the_slow_path)
{
	boot_dirty("fixed,+dirty-limit-cached");
	set_counter(DMA, NR_FILE_DIRTY, 1 << 20);

	allocate(GFP_NOWAIT | __GFP_WRITE, 0);

	expect_story("pass 1: Normal dirty, DMA dirty; pass 2: Normal taken");
}

Test(page_alloc, dirty_limit_cached_and_a_fair_reset_make_three_passes)
{
	boot_dirty("fixed,+dirty-limit-cached");
	deplete(DMA);
	set_counter(DMA, NR_FILE_DIRTY, 1 << 20);

	allocate(GFP_NOWAIT | __GFP_WRITE, 0);

	/* Expect the fair reset and the dirty drop to come together, for both kept zones out of pass 1. */
	expect_story("pass 1: Normal dirty, DMA fair; reset; pass 2: Normal taken");
}

Test(page_alloc, dirty_limit_cached_can_fail_the_dirty_test_after_a_fair_reset)
{
	boot_kernel("fixed,+dirty-limit-cached", "uma-64m");
	deplete(NORMAL);
	deplete(DMA);
	set_counter(NORMAL, NR_FILE_DIRTY, 1 << 20);
	set_counter(DMA, NR_FILE_DIRTY, 1 << 20);

	allocate(GFP_NOWAIT | __GFP_WRITE, 0);

	expect_story("pass 1: Normal fair, DMA fair; reset; pass 2: Normal dirty, DMA dirty; pass 3: Normal taken");
}

/*
 * Highatomic reserve in the take.
 */

Test(page_alloc, a_harder_block_comes_from_the_reserve_first)
{
	struct alloc_context ac = { .high_zoneidx = ZONE_NORMAL, .migratetype = MIGRATE_UNMOVABLE };

	boot_kernel("fixed", "tiny");
	take_all_blocks(NORMAL);
	put_block_of(0x10, 4, MIGRATE_HIGHATOMIC);
	put_block_of(0x20, 4, MIGRATE_UNMOVABLE);
	ac.zonelist = node_zonelist(0, 0);
	ac.preferred_zoneref = ac.zonelist->_zonerefs;

	expect_page(get_page_from_freelist(GFP_ATOMIC, 2, ALLOC_NO_WATERMARKS | ALLOC_HARDER, &ac), 0x10);
	expect_page(get_page_from_freelist(GFP_KERNEL, 2, ALLOC_NO_WATERMARKS, &ac), 0x20);
}

/* Only reserved pages are free. */
static struct page *atomic_page_from_reserve(const char *kernel_text)
{
	boot_kernel(kernel_text, "tiny");
	take_all_blocks(NORMAL);
	set_marks(NORMAL, 4, 8, 12);
	put_block_of(0x10, 4, MIGRATE_HIGHATOMIC);
	NORMAL->nr_reserved_highatomic = 16;
	return allocate(GFP_ATOMIC, 0);
}

Test(page_alloc, atomic_uses_reserve_for_one_page)
{
	expect_page(atomic_page_from_reserve("fixed"), 0x10);

	expect_free(NORMAL, "H0: 0x11, H1: 0x12, H2: 0x14, H3: 0x18");
	expect_number(counter(NORMAL, NR_FREE_PAGES), 15);
}

Test(page_alloc, without_atomic_uses_reserve_one_page_fails)
{
	cr_expect_null(atomic_page_from_reserve("fixed,-atomic-uses-reserve"));

	expect_story("pass 1: Normal wmark; slow; wake Normal; pass 1: Normal takefail; failed");
}

/*
 * Statistics: one count for each request, on the machine of two nodes with a CPU each.
 */

static const char *numa_counts(const struct zone *zone)
{
	static char text[4][100];
	static unsigned int next;
	char *to = text[next++ % 4];

	sprintf(to, "hit %ld miss %ld foreign %ld local %ld other %ld", counter_sum(zone, NUMA_HIT),
		counter_sum(zone, NUMA_MISS), counter_sum(zone, NUMA_FOREIGN), counter_sum(zone, NUMA_LOCAL),
		counter_sum(zone, NUMA_OTHER));
	return to;
}

Test(page_alloc, a_page_of_the_own_node_is_a_local_hit)
{
	boot_kernel("v4.7", "numa2");

	allocate(GFP_KERNEL, 3);

	expect_text(numa_counts(NORMAL), "hit 1 miss 0 foreign 0 local 1 other 0");
}

Test(page_alloc, a_page_of_another_node_is_a_miss_there_and_foreign_here)
{
	boot_kernel("v4.7", "numa2");
	make_low(NORMAL);
	make_low(DMA);

	allocate(GFP_KERNEL, 0);

	expect_text(numa_counts(zone_at(1, ZONE_NORMAL)), "hit 0 miss 1 foreign 0 local 0 other 0");
	expect_text(numa_counts(NORMAL), "hit 0 miss 0 foreign 1 local 0 other 0");
}

Test(page_alloc, other_node_counts_a_hit_for_the_preferred_node)
{
	boot_kernel("v4.7", "numa2");

	allocate_at(1, GFP_KERNEL | __GFP_OTHER_NODE, 0, NULL);

	expect_text(numa_counts(zone_at(1, ZONE_NORMAL)), "hit 1 miss 0 foreign 0 local 0 other 1");
}

Test(page_alloc, numa_hit_preferred_counts_a_hit_where_the_page_was_wanted)
{
	boot_kernel("fixed", "numa2");

	allocate_at(1, GFP_KERNEL, 0, NULL);

	expect_text(numa_counts(zone_at(1, ZONE_NORMAL)), "hit 1 miss 0 foreign 0 local 0 other 1");
}

Test(page_alloc, without_numa_hit_preferred_a_wanted_page_is_a_miss)
{
	boot_kernel("fixed,-numa-hit-preferred", "numa2");

	allocate_at(1, GFP_KERNEL, 0, NULL);

	expect_text(numa_counts(zone_at(1, ZONE_NORMAL)), "hit 0 miss 1 foreign 1 local 0 other 0");
}

Test(page_alloc, numa_hit_preferred_counts_a_page_from_elsewhere_as_a_miss)
{
	boot_kernel("fixed", "numa2");
	make_low(NORMAL);
	make_low(DMA);

	allocate(GFP_KERNEL, 0);

	expect_text(numa_counts(zone_at(1, ZONE_NORMAL)), "hit 0 miss 1 foreign 0 local 0 other 1");
	expect_text(numa_counts(NORMAL), "hit 0 miss 0 foreign 1 local 0 other 0");
}

/*
 * Failing on purpose.
 */

Test(page_alloc, an_injected_failure_looks_at_no_zone)
{
	boot_kernel("fixed", "tiny");
	fail_page_alloc.times = 1;

	cr_expect_null(allocate(GFP_ATOMIC, 1));
	expect_story("");
	cr_expect_not_null(allocate(GFP_ATOMIC, 1));
}

Test(page_alloc, injected_failures_spare_single_pages_and_those_who_may_reclaim)
{
	boot_kernel("fixed", "tiny");
	fail_page_alloc.times = 1;

	cr_expect_not_null(allocate(GFP_ATOMIC, 0));
	cr_expect_not_null(allocate(GFP_KERNEL, 1));
	cr_expect_not_null(allocate(GFP_ATOMIC | __GFP_HIGHMEM, 1));
	cr_expect_not_null(allocate(GFP_ATOMIC | __GFP_NOFAIL, 1));
	expect_number(fail_page_alloc.times, 1);
}

static void sleep_in_interrupt(void *argument)
{
	this_context()->in_hardirq = true;
	allocate(GFP_KERNEL, 0);
}

Test(page_alloc, a_request_that_may_sleep_in_an_interrupt_is_found)
{
	boot_kernel("fixed", "tiny");

	cr_expect(host_catch(sleep_in_interrupt, NULL));
	expect_number(finding.kind, FINDING_LOCKING);
}

/*
 * Freeing.
 */

Test(page_alloc, the_last_reference_frees_a_block)
{
	struct page *page;

	boot_kernel("fixed", "tiny");
	page = allocate(GFP_KERNEL, 3);
	page_ref_inc(page);

	page_ref_dec_and_test(page);
	expect_number(counter(NORMAL, NR_FREE_PAGES), 248);
	__free_pages(page, 3);

	expect_number(counter(NORMAL, NR_FREE_PAGES), 256);
	expect_free(NORMAL, "U8: 0x0");
}

/* A second reference on the head of four pages outlives the block. */
static struct page *free_with_another_reference(const char *kernel_text, gfp_t gfp_mask)
{
	struct page *page;

	boot_kernel(kernel_text, "tiny");
	page = allocate(gfp_mask, 2);
	page_ref_inc(page);
	__free_pages(page, 2);
	return page;
}

Test(page_alloc, free_tail_pages_frees_what_nobody_else_owns)
{
	struct page *page = free_with_another_reference("fixed", GFP_KERNEL);

	/* | head | 1 | 2 . 3 |   Expect all but the head free, and all once the other reference goes. */
	expect_number(counter(NORMAL, NR_FREE_PAGES), 255);
	expect_number(page_ref_count(page), 1);
	__free_pages(page, 0);
	expect_free(NORMAL, "U8: 0x0");
}

Test(page_alloc, without_free_tail_pages_three_pages_are_lost)
{
	struct page *page = free_with_another_reference("fixed,-free-tail-pages", GFP_KERNEL);

	__free_pages(page, 0);

	expect_number(counter(NORMAL, NR_FREE_PAGES), 253);
}

Test(page_alloc, free_tail_pages_leaves_a_compound_block_whole)
{
	struct page *page = free_with_another_reference("fixed", GFP_KERNEL | __GFP_COMP);

	/* The other reference will free the whole. */
	expect_number(counter(NORMAL, NR_FREE_PAGES), 252);
	__free_pages(page, 2);
	expect_free(NORMAL, "U8: 0x0");
}

static void free_twice(void *page)
{
	__free_pages(page, 1);
	__free_pages(page, 1);
}

Test(page_alloc, freeing_twice_is_a_bug)
{
	boot_kernel("fixed", "tiny");

	expect_finding(FINDING_BUG, "put_page_testzero: page_ref_count(page) == 0", free_twice,
		       allocate(GFP_KERNEL, 1));
}

Test(page_alloc, a_bad_page_takes_its_whole_block_out_of_use)
{
	struct page *page;

	boot_kernel("fixed", "tiny");
	page = allocate(GFP_KERNEL, 2);
	page_ref_inc(page + 3);

	__free_pages(page, 2);

	expect_number(counter(NORMAL, NR_FREE_PAGES), 252);
	expect_number(count_trace(TRACE_BAD_PAGE, NULL), 1);
}

Test(page_alloc, a_bad_free_block_is_passed_over)
{
	boot_kernel("fixed", "tiny");
	take_all_blocks(NORMAL);
	set_marks(NORMAL, 0, 0, 0);
	put_block_of(0x10, 1, MIGRATE_UNMOVABLE);
	put_block_of(0x20, 1, MIGRATE_UNMOVABLE);
	SetPageDirty(pfn_to_page(0x21));

	/* Expect the block of frame 0x20 met first and leaked; the free counter keeps its two pages. */
	expect_page(allocate(GFP_KERNEL, 1), 0x10);
	expect_number(count_trace(TRACE_BAD_PAGE, NULL), 1);
	expect_number(counter(NORMAL, NR_FREE_PAGES), 2);
}

Test(page_alloc, nofail_of_more_than_two_pages_is_warned_about)
{
	boot_kernel("fixed", "tiny");

	allocate(GFP_KERNEL | __GFP_NOFAIL, 1);
	expect_number(count_trace(TRACE_CALLER_WARNING, NULL), 0);
	allocate(GFP_KERNEL | __GFP_NOFAIL, 2);
	expect_story("pass 1:; warn 4, Normal taken");
}

/*
 * Where a scan ends, and a take.
 */
static struct alloc_context scan_of_node_0;

static void scan_node_0(void *argument)
{
	get_page_from_freelist(GFP_KERNEL, 0, ALLOC_WMARK_LOW, &scan_of_node_0);
}

/* A list that has Normal, which is too low for any request, so many times. */
static void repeat_normal(unsigned int times)
{
	struct zonelist *zonelist;
	unsigned int i;

	boot_kernel("fixed", "uma-64m");
	make_low(NORMAL);
	zonelist = node_zonelist(0, 0);
	for (i = 0; i < times; i++)
		zonelist->_zonerefs[i] = (struct zoneref){ NORMAL, ZONE_NORMAL };
	zonelist->_zonerefs[times] = (struct zoneref){ NULL, 0 };
	scan_of_node_0 = (struct alloc_context){ .zonelist = zonelist, .high_zoneidx = ZONE_NORMAL,
						 .preferred_zoneref = zonelist->_zonerefs };
}

Test(page_alloc, a_pass_visits_as_many_zones_as_the_machine_can_have)
{
	repeat_normal(5);

	scan_node_0(NULL);

	expect_story("pass 1: Normal wmark, Normal wmark, Normal wmark, Normal wmark, Normal wmark");
}

Test(page_alloc, a_list_with_more_zones_than_the_machine_can_have_never_ends)
{
	repeat_normal(6);

	expect_step_too_far("get_page_from_freelist", 5, scan_node_0, NULL);
}

static void skip_normal(void *argument)
{
	next_zones_zonelist(scan_of_node_0.preferred_zoneref, ZONE_DMA, NULL);
}

Test(page_alloc, zones_that_a_request_may_not_use_are_skipped_as_often)
{
	repeat_normal(5);

	skip_normal(NULL);
}

Test(page_alloc, a_list_without_an_end_is_skipped_for_ever)
{
	repeat_normal(6);

	expect_step_too_far("next_zones_zonelist", 5, skip_normal, NULL);
}

static struct page *pair;

static void take_a_pair(void *argument)
{
	pair = allocate(GFP_KERNEL, 1);
}

/* Three pairs are free; the two that come first are bad. */
static void boot_with_two_bad_pairs(unsigned long managed_pages)
{
	boot_kernel("fixed", "tiny");
	take_all_blocks(NORMAL);
	set_marks(NORMAL, 0, 0, 0);
	put_block(0x10, 1, MIGRATE_UNMOVABLE);
	put_block(0x20, 1, MIGRATE_UNMOVABLE);
	put_block(0x30, 1, MIGRATE_UNMOVABLE);
	SetPageDirty(pfn_to_page(0x30));
	SetPageDirty(pfn_to_page(0x20));
	NORMAL->managed_pages = managed_pages;
}

Test(page_alloc, a_zone_may_lose_all_its_blocks_but_the_last)
{
	boot_with_two_bad_pairs(4);

	take_a_pair(NULL);

	expect_page(pair, 0x10);
}

Test(page_alloc, a_zone_that_loses_more_blocks_than_it_has_never_ends)
{
	boot_with_two_bad_pairs(3);

	expect_step_too_far("buffered_rmqueue", 2, take_a_pair, NULL);
}
