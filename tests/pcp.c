// SPDX-License-Identifier: GPL-2.0
/*
 * Per-CPU lists (specification 9.6, 11.1, 12.8, 14).
 *
 * The Normal zone of "uma-64m" has 12288 managed pages, so its lists hold up to 18 and move 3 at a time. Its frames
 * start at 0x1000. Lists are written as frames, head first.
 */
#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)
#define PCP pcp_of(NORMAL, 0)

static void boot_empty(const char *kernel_text)
{
	boot_kernel(kernel_text, "uma-64m");
	take_all_blocks(NORMAL);
	set_counter(NORMAL, NR_FREE_PAGES, 0);
	trace_reset();
}

/* A page that somebody holds; its pageblock gets the type. */
static struct page *held_page(unsigned long pfn, int migratetype)
{
	set_block_type(pfn, migratetype);
	set_page_count(pfn_to_page(pfn), 1);
	return pfn_to_page(pfn);
}

static void free_held(unsigned long pfn, int migratetype)
{
	__free_page(held_page(pfn, migratetype));
}

static struct page *take_from_lists(gfp_t gfp_mask, int migratetype)
{
	struct page *page;
	unsigned long flags;

	local_irq_save(flags);
	page = rmqueue_pcplist(NORMAL, gfp_mask, migratetype);
	local_irq_restore(flags);
	return page;
}

/*
 * Sizes.
 */

Test(pcp, sizes_follow_from_the_pages_of_the_zone)
{
	static const struct {
		unsigned long managed;
		int high;
		int batch;
	} rows[] = {
		{ 0, 0, 1 },	    { 8191, 0, 1 },	 { 8192, 6, 1 },     { 12287, 6, 1 },	 { 12288, 18, 3 },
		{ 16384, 18, 3 },   { 24575, 18, 3 },	 { 24576, 42, 7 },   { 45055, 42, 7 },	 { 45056, 90, 15 },
		{ 65536, 90, 15 },  { 90111, 90, 15 },	 { 90112, 186, 31 }, { 131072, 186, 31 },
		{ 1 << 24, 186, 31 },
	};
	unsigned int i;

	boot_kernel("fixed", "uma-64m");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		NORMAL->managed_pages = rows[i].managed;
		zone_pcp_update(NORMAL);
		cr_expect(PCP->high == rows[i].high && PCP->batch == rows[i].batch,
			  "%lu managed pages: high %d, batch %d", rows[i].managed, PCP->high, PCP->batch);
	}
}

Test(pcp, a_fraction_gives_each_list_that_part_of_the_zone)
{
	boot_kernel("fixed", "uma-64m");

	expect_number(percpu_pagelist_fraction_sysctl_handler(1000), 0);

	/* 12288 / 1000. */
	expect_number(PCP->high, 12);
	expect_number(PCP->batch, 3);
}

Test(pcp, a_fraction_never_moves_more_than_96_pages_at_a_time)
{
	boot_kernel("fixed", "uma-64m");

	expect_number(percpu_pagelist_fraction_sysctl_handler(8), 0);

	expect_number(PCP->high, 1536);
	expect_number(PCP->batch, 96);
}

Test(pcp, a_fraction_below_8_is_refused)
{
	boot_kernel("fixed", "uma-64m");

	expect_number(percpu_pagelist_fraction_sysctl_handler(7), -EINVAL);
	expect_number(percpu_pagelist_fraction_sysctl_handler(-1), -EINVAL);

	expect_number(percpu_pagelist_fraction, 0);
	expect_number(PCP->high, 18);
}

Test(pcp, writing_the_same_fraction_changes_nothing)
{
	boot_kernel("fixed", "uma-64m");
	PCP->high = 99;

	expect_number(percpu_pagelist_fraction_sysctl_handler(0), 0);

	expect_number(PCP->high, 99);
}

Test(pcp, fraction_0_brings_the_default_sizes_back)
{
	boot_kernel("fixed", "uma-64m");
	percpu_pagelist_fraction_sysctl_handler(8);

	expect_number(percpu_pagelist_fraction_sysctl_handler(0), 0);

	expect_number(PCP->high, 18);
	expect_number(PCP->batch, 3);
}

/*
 * Freeing one page.
 */

Test(pcp, a_freed_page_goes_to_the_head_of_the_list_of_its_pageblock)
{
	unsigned long nr_freed;

	boot_empty("fixed");
	nr_freed = vm_event_sum(PGFREE);

	free_held(0x1000, MIGRATE_MOVABLE);
	free_held(0x1001, MIGRATE_MOVABLE);
	free_held(0x1400, MIGRATE_UNMOVABLE);

	expect_text(pcp_list(NORMAL, 0, MIGRATE_MOVABLE), "0x1001 0x1000");
	expect_text(pcp_list(NORMAL, 0, MIGRATE_UNMOVABLE), "0x1400");
	expect_number(PCP->count, 3);
	expect_number(counter(NORMAL, NR_FREE_PAGES), 0);
	expect_number(vm_event_sum(PGFREE), nr_freed + 3);
}

Test(pcp, a_cold_page_goes_to_the_tail)
{
	boot_empty("fixed");
	free_held(0x1000, MIGRATE_MOVABLE);

	set_page_count(pfn_to_page(0x1001), 0);
	free_hot_cold_page(pfn_to_page(0x1001), true);

	expect_text(pcp_list(NORMAL, 0, MIGRATE_MOVABLE), "0x1000 0x1001");
}

Test(pcp, reserved_pages_wait_on_the_movable_list_and_keep_their_label)
{
	boot_empty("fixed");

	free_held(0x1000, MIGRATE_HIGHATOMIC);

	expect_text(pcp_list(NORMAL, 0, MIGRATE_MOVABLE), "0x1000");
	expect_number(get_pcppage_migratetype(pfn_to_page(0x1000)), MIGRATE_HIGHATOMIC);

	drain_local_pages(NORMAL);

	expect_free(NORMAL, "H0: 0x1000");
}

Test(pcp, isolated_pages_go_straight_to_the_free_lists)
{
	unsigned long nr_freed;

	boot_empty("fixed");
	isolate_block(0x1000);
	nr_freed = vm_event_sum(PGFREE);

	free_held(0x1000, MIGRATE_ISOLATE);

	expect_number(PCP->count, 0);
	expect_free(NORMAL, "I0: 0x1000");
	expect_number(vm_event_sum(PGFREE), nr_freed + 1);
}

Test(pcp, the_free_that_reaches_high_drains_one_batch)
{
	unsigned long pfn;

	boot_empty("fixed");
	for (pfn = 0x1000; pfn < 0x1000 + 17; pfn++)
		free_held(pfn, MIGRATE_MOVABLE);
	expect_text(drained(), "");

	free_held(0x1020, MIGRATE_MOVABLE);

	/* Expect the 3 pages that were freed first, from the tail. */
	expect_text(drained(), "0x1000 0x1001 0x1002");
	expect_number(PCP->count, 15);
	expect_number(counter(NORMAL, NR_FREE_PAGES), 3);
}

Test(pcp, lists_of_size_0_drain_each_page_at_once)
{
	boot_kernel("fixed", "tiny");
	take_all_blocks(NORMAL);

	free_held(0x10, MIGRATE_MOVABLE);

	expect_number(PCP->count, 0);
	expect_free(NORMAL, "M0: 0x10");
}

/*
 * Draining.
 */

static void drain(int count)
{
	unsigned long flags;

	trace_reset();
	local_irq_save(flags);
	free_pcppages_bulk(NORMAL, count, PCP);
	local_irq_restore(flags);
	PCP->count -= count;
}

/* Three pages of each type, freed in ascending order, hence drained so as well. */
static void fill_lists(unsigned int types)
{
	unsigned long i;

	for (i = 0; i < 3; i++) {
		if (types & 1 << MIGRATE_UNMOVABLE)
			free_held(0x1000 + i, MIGRATE_UNMOVABLE);
		if (types & 1 << MIGRATE_MOVABLE)
			free_held(0x1400 + i, MIGRATE_MOVABLE);
		if (types & 1 << MIGRATE_RECLAIMABLE)
			free_held(0x1800 + i, MIGRATE_RECLAIMABLE);
	}
}

Test(pcp, draining_goes_round_the_three_lists)
{
	boot_empty("fixed");
	fill_lists(1 << MIGRATE_UNMOVABLE | 1 << MIGRATE_MOVABLE | 1 << MIGRATE_RECLAIMABLE);

	drain(5);

	/* Expect movable, reclaimable, unmovable and so on, each from the tail. */
	expect_text(drained(), "0x1400 0x1800 0x1000 0x1401 0x1801");
}

Test(pcp, draining_takes_more_from_a_list_after_an_empty_one)
{
	boot_empty("fixed");
	fill_lists(1 << MIGRATE_UNMOVABLE | 1 << MIGRATE_RECLAIMABLE);

	drain(4);

	/* Expect two reclaimable pages, for the movable list before them is empty, then one unmovable one. */
	expect_text(drained(), "0x1800 0x1801 0x1000 0x1802");
}

Test(pcp, draining_takes_all_from_the_only_list)
{
	boot_empty("fixed");
	fill_lists(1 << MIGRATE_UNMOVABLE);

	drain(3);

	expect_text(drained(), "0x1000 0x1001 0x1002");
	expect_text(pcp_list(NORMAL, 0, MIGRATE_UNMOVABLE), "");
}

Test(pcp, drained_pages_merge)
{
	boot_empty("fixed");
	free_held(0x1000, MIGRATE_MOVABLE);
	free_held(0x1001, MIGRATE_MOVABLE);

	drain(2);

	expect_free(NORMAL, "M1: 0x1000");
	expect_number(counter(NORMAL, NR_FREE_PAGES), 2);
}

static void drain_normal(void *argument)
{
	drain_local_pages(NORMAL);
}

Test(pcp, a_cached_type_of_isolate_is_a_bug)
{
	boot_empty("fixed");
	free_held(0x1000, MIGRATE_MOVABLE);
	set_pcppage_migratetype(pfn_to_page(0x1000), MIGRATE_ISOLATE);

	expect_finding(FINDING_BUG, "free_one_pcp_page: is_migrate_isolate(mt)", drain_normal, NULL);
}

Test(pcp, drain_zone_pages_drains_one_batch_at_most)
{
	boot_empty("fixed");
	fill_lists(1 << MIGRATE_MOVABLE | 1 << MIGRATE_UNMOVABLE);

	drain_zone_pages(NORMAL, PCP);
	expect_number(PCP->count, 3);
	drain_zone_pages(NORMAL, PCP);
	expect_number(PCP->count, 0);
	drain_zone_pages(NORMAL, PCP);
	expect_number(counter(NORMAL, NR_FREE_PAGES), 6);
}

static void free_on_cpu(void *pfn)
{
	set_page_count(pfn_to_page((unsigned long)pfn), 0);
	free_hot_cold_page(pfn_to_page((unsigned long)pfn), false);
}

/* CPUs 0 to 3 have freed the frames 0x1000 to 0x1003. */
static void boot_with_pages_on_every_cpu(void)
{
	int cpu;

	boot_kernel("fixed", "uma-64m", SET(smp, 1), SET(cpus, 4));
	take_all_blocks(NORMAL);
	for (cpu = 0; cpu < 4; cpu++)
		on_cpu(cpu, free_on_cpu, (void *)(0x1000UL + (unsigned long)cpu));
	trace_reset();
}

static void drain_everything(void *zone)
{
	drain_all_pages(zone);
}

Test(pcp, each_cpu_frees_to_its_own_lists)
{
	boot_with_pages_on_every_cpu();

	expect_text(pcp_list(NORMAL, 0, MIGRATE_MOVABLE), "0x1000");
	expect_text(pcp_list(NORMAL, 3, MIGRATE_MOVABLE), "0x1003");
}

Test(pcp, drain_all_pages_drains_other_cpus_first)
{
	boot_with_pages_on_every_cpu();

	on_cpu(2, drain_everything, NULL);

	/* Expect CPUs 0, 1, 3 and then the caller's own, CPU 2. */
	expect_text(drained(), "0x1000 0x1001 0x1003 0x1002");
	expect_free(NORMAL, "M2: 0x1000");
}

Test(pcp, drain_local_pages_leaves_other_cpus_alone)
{
	boot_with_pages_on_every_cpu();

	drain_local_pages(NULL);

	expect_text(drained(), "0x1000");
}

Test(pcp, drain_all_pages_of_a_zone_leaves_other_zones_alone)
{
	boot_kernel("fixed", "uma-64m", SET(percpu_pagelist_fraction, 100));
	take_all_blocks(zone_of(ZONE_DMA));
	free_held(0x800, MIGRATE_MOVABLE);
	free_held(0x1000, MIGRATE_MOVABLE);

	drain_all_pages(NORMAL);

	expect_number(pcp_of(zone_of(ZONE_DMA), 0)->count, 1);
	expect_number(PCP->count, 0);
}

/*
 * Taking one page.
 */

Test(pcp, the_page_freed_last_is_taken_first)
{
	boot_empty("fixed");
	fill_lists(1 << MIGRATE_MOVABLE);

	expect_page(take_from_lists(0, MIGRATE_MOVABLE), 0x1402);

	expect_number(PCP->count, 2);
}

Test(pcp, a_cold_request_takes_the_page_freed_first)
{
	boot_empty("fixed");
	fill_lists(1 << MIGRATE_MOVABLE);

	expect_page(take_from_lists(__GFP_COLD, MIGRATE_MOVABLE), 0x1400);
}

Test(pcp, an_empty_list_is_refilled_by_one_batch)
{
	boot_empty("fixed");
	put_block(0x1400, 3, MIGRATE_MOVABLE);

	expect_page(take_from_lists(0, MIGRATE_MOVABLE), 0x1400);

	/* Expect 3 pages out of the block, in the order in which they came. */
	expect_text(pcp_list(NORMAL, 0, MIGRATE_MOVABLE), "0x1401 0x1402");
	expect_number(PCP->count, 2);
	expect_number(counter(NORMAL, NR_FREE_PAGES), 5);
}

Test(pcp, a_cold_refill_stands_the_other_way_round)
{
	boot_empty("fixed");
	put_block(0x1400, 3, MIGRATE_MOVABLE);

	expect_page(take_from_lists(__GFP_COLD, MIGRATE_MOVABLE), 0x1400);

	expect_text(pcp_list(NORMAL, 0, MIGRATE_MOVABLE), "0x1402 0x1401");
}

Test(pcp, a_refill_takes_what_there_is)
{
	boot_empty("fixed");
	put_block(0x1400, 1, MIGRATE_MOVABLE);

	expect_page(take_from_lists(0, MIGRATE_MOVABLE), 0x1400);

	expect_number(PCP->count, 1);
	expect_number(counter(NORMAL, NR_FREE_PAGES), 0);
}

Test(pcp, nothing_is_taken_from_a_zone_without_pages)
{
	boot_empty("fixed");

	cr_expect_null(take_from_lists(0, MIGRATE_MOVABLE));

	expect_number(PCP->count, 0);
}

Test(pcp, other_types_on_the_lists_are_not_taken)
{
	boot_empty("fixed");
	fill_lists(1 << MIGRATE_MOVABLE);

	cr_expect_null(take_from_lists(0, MIGRATE_UNMOVABLE));
}

Test(pcp, refilling_with_cma_pages_lowers_both_counters)
{
	boot_kernel("fixed", "movable", SET(smp, 0));
	take_all_blocks(NORMAL);
	set_counter(NORMAL, NR_FREE_PAGES, 0);
	set_counter(NORMAL, NR_FREE_CMA_PAGES, 0);
	put_block(0x1800, 3, MIGRATE_CMA);

	expect_page(take_from_lists(0, MIGRATE_MOVABLE), 0x1800);

	expect_number(counter(NORMAL, NR_FREE_PAGES), 7);
	expect_number(counter(NORMAL, NR_FREE_CMA_PAGES), 7);
}

/*
 * Bad pages, and the patches about them. Without debug_vm pages are checked between the free lists and these lists.
 */

static void boot_without_debug(const char *kernel_text)
{
	boot_kernel(kernel_text, "uma-64m", SET(debug_vm, 0));
	take_all_blocks(NORMAL);
	set_counter(NORMAL, NR_FREE_PAGES, 0);
	trace_reset();
}

/* Of 8 free pages the second is broken. */
static void refill_with_a_bad_page(const char *kernel_text)
{
	boot_without_debug(kernel_text);
	put_block(0x1400, 3, MIGRATE_MOVABLE);
	SetPageDirty(pfn_to_page(0x1401));

	expect_page(take_from_lists(0, MIGRATE_MOVABLE), 0x1400);

	expect_text(pcp_list(NORMAL, 0, MIGRATE_MOVABLE), "0x1402");
	expect_number(counter(NORMAL, NR_FREE_PAGES), 5);
	expect_number(count_trace(TRACE_BAD_PAGE, NULL), 1);
}

Test(pcp, count_refilled_pages_counts_what_the_list_holds)
{
	refill_with_a_bad_page("fixed");

	expect_number(PCP->count, 1);
	drain_local_pages(NORMAL);
	expect_number(PCP->count, 0);
}

Test(pcp, without_count_refilled_pages_the_next_drain_never_ends)
{
	refill_with_a_bad_page("fixed,-count-refilled-pages");

	/* Expect one page more than the lists hold, which the drain looks for. */
	expect_number(PCP->count, 2);
	expect_step_too_far("free_pcppages_bulk", 3, drain_normal, NULL);
}

Test(pcp, without_debug_vm_a_bad_page_is_dropped_when_it_is_drained)
{
	boot_without_debug("fixed");
	held_page(0x1400, MIGRATE_MOVABLE);
	pfn_to_page(0x1400)->mapcount_biased = 3;
	__free_page(pfn_to_page(0x1400));
	expect_number(PCP->count, 1);

	drain_local_pages(NORMAL);

	expect_number(PCP->count, 0);
	expect_free(NORMAL, "");
	expect_number(count_trace(TRACE_BAD_PAGE, NULL), 1);
}

static void free_1400(void *argument)
{
	free_held(0x1400, MIGRATE_MOVABLE);
}

/* A batch larger than the lists may grow, as while the sizes are being written. */
static void boot_with_batch_above_high(const char *kernel_text)
{
	boot_empty(kernel_text);
	PCP->high = 0;
	PCP->batch = 31;
}

Test(pcp, clamp_bulk_free_drains_no_more_than_there_is)
{
	boot_with_batch_above_high("fixed");

	free_1400(NULL);

	expect_number(PCP->count, 0);
	expect_free(NORMAL, "M0: 0x1400");
}

Test(pcp, without_clamp_bulk_free_a_large_batch_never_ends)
{
	boot_with_batch_above_high("fixed,-clamp-bulk-free");

	expect_step_too_far("free_pcppages_bulk", 3, free_1400, NULL);
}

static struct page *taken;

static void take_movable(void *argument)
{
	taken = take_from_lists(0, MIGRATE_MOVABLE);
}

/* The page freed last was written to while it was free. */
static void boot_with_a_bad_page_at_the_head(const char *kernel_text)
{
	boot_empty(kernel_text);
	fill_lists(1 << MIGRATE_MOVABLE);
	SetPageDirty(pfn_to_page(0x1402));
	set_counter(NORMAL, NR_ALLOC_BATCH, 10);
}

Test(pcp, unlink_before_check_goes_on_with_the_next_page)
{
	boot_with_a_bad_page_at_the_head("fixed");

	take_movable(NULL);

	/* Expect the bad page gone from the list and a step of the batch for either page. */
	expect_page(taken, 0x1401);
	expect_text(pcp_list(NORMAL, 0, MIGRATE_MOVABLE), "0x1400");
	expect_number(PCP->count, 1);
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 8);
}

Test(pcp, without_unlink_before_check_the_bad_page_is_met_for_ever)
{
	boot_with_a_bad_page_at_the_head("fixed,-unlink-before-check");

	/* Expect no more looks than the zone has pages to lose, and one. */
	expect_step_too_far("rmqueue_pcplist", 12289, take_movable, NULL);
}

/* Three pages, of which the first two to be taken are bad. */
static void boot_with_two_bad_pages(void)
{
	boot_with_a_bad_page_at_the_head("fixed");
	SetPageDirty(pfn_to_page(0x1401));
}

Test(pcp, a_zone_may_lose_all_its_pages_but_the_last)
{
	boot_with_two_bad_pages();
	NORMAL->managed_pages = 2;

	take_movable(NULL);

	expect_page(taken, 0x1400);
}

Test(pcp, a_zone_that_loses_more_pages_than_it_has_never_ends)
{
	boot_with_two_bad_pages();
	NORMAL->managed_pages = 1;

	expect_step_too_far("rmqueue_pcplist", 2, take_movable, NULL);
}

static void isolate_under_a_freed_page(const char *kernel_text)
{
	boot_empty(kernel_text);
	free_held(0x1400, MIGRATE_MOVABLE);
	isolate_block(0x1400);

	drain_local_pages(NORMAL);
}

Test(pcp, drain_rereads_type_puts_a_page_where_its_pageblock_now_belongs)
{
	isolate_under_a_freed_page("fixed");

	expect_free(NORMAL, "I0: 0x1400");
	expect_number(counter(NORMAL, NR_FREE_PAGES), 0);
}

Test(pcp, without_drain_rereads_type_an_isolated_page_becomes_free)
{
	isolate_under_a_freed_page("fixed,-drain-rereads-type");

	expect_free(NORMAL, "M0: 0x1400");
	expect_number(counter(NORMAL, NR_FREE_PAGES), 1);
}
