// SPDX-License-Identifier: GPL-2.0
/*
 * model.c - what the model predicts (fuzz/model.h), by the vectors of specification 16 and 32 and by states made by hand.
 * Where a prediction is followed by the allocation itself, both must say the same.
 */
#include "tests/machines.h"
#include "fuzz/model.h"

#define NORMAL zone_of(ZONE_NORMAL)
#define DMA zone_of(ZONE_DMA)
#define N0_NORMAL zone_at(0, ZONE_NORMAL)
#define N0_DMA zone_at(0, ZONE_DMA)
#define N1_NORMAL zone_at(1, ZONE_NORMAL)

static struct model_request request(gfp_t gfp, unsigned int order)
{
	struct model_request request = model_request_of(order, gfp);

	request.list.node = (unsigned int)numa_node_id();
	request.list.thisnode = machine->numa && (gfp & __GFP_THISNODE);
	return request;
}

static const struct model_prediction *predict(gfp_t gfp, unsigned int order)
{
	static struct model_prediction prediction;
	const struct model_request asked = request(gfp, order);

	model_predict(&asked, &prediction);
	return &prediction;
}

static void expect_source(const struct model_prediction *p, const struct zone *zone, unsigned int passes, bool slow)
{
	unsigned int slot = zone ? zone->slot : MODEL_NO_SLOT;

	cr_expect(p->decided);
	cr_expect_eq(p->source, slot, "from slot %u, expected %u", p->source, slot);
	cr_expect_eq(p->passes, passes, "%u passes, expected %u", p->passes, passes);
	cr_expect_eq(p->slow, slow, "slow path %d", p->slow);
}

/* Predicts a request, then makes it. */
static void expect_to_come_true(gfp_t gfp, unsigned int order)
{
	const struct model_prediction *p = predict(gfp, order);
	struct page *page = allocate(gfp, order);

	cr_assert(p->decided);
	cr_assert_not_null(page);
	expect_number(page_to_pfn(page), p->pfn);
	expect_number(page_zone(page)->slot, p->source);
	expect_number(counter(page_zone(page), NR_ALLOC_BATCH), p->after[p->source].batch);
	expect_number(zone_is_fair_depleted(page_zone(page)), p->after[p->source].depleted);
}

static void make_low(struct zone *zone)
{
	set_marks(zone, 0, 1 << 20, 1 << 20);
}

static void make_useless(struct zone *zone)
{
	set_marks(zone, 1 << 20, 1 << 20, 1 << 20);
}

/*
 * The worked cycle, 32.3: A = Normal with a batch of 3, B = DMA with one of 2.
 */
#define CYCLE "uma-64m", MEMORY(0, 0, 5000), SET_OF(max_zone_pfn, ZONE_DMA, 2000), SET(min_free_kbytes, 40)

static void use_up_both_batches(void)
{
	static const bool from_dma[] = { false, false, false, true, true };
	unsigned int i;

	for (i = 0; i < 5; i++) {
		expect_source(predict(GFP_KERNEL, 0), from_dma[i] ? DMA : NORMAL, 1, false);
		expect_to_come_true(GFP_KERNEL, 0);
	}
}

static void expect_sixth_call(const char *kernel_text)
{
	const struct model_prediction *p;

	boot_kernel(kernel_text, CYCLE);
	use_up_both_batches();

	p = predict(GFP_KERNEL, 0);

	expect_source(p, NORMAL, 2, false);
	expect_number(p->after[NORMAL->slot].batch, 2);
	expect_number(p->after[DMA->slot].batch, 2);
	cr_expect_not(p->after[NORMAL->slot].depleted);
	cr_expect_not(p->after[DMA->slot].depleted);
	expect_to_come_true(GFP_KERNEL, 0);
}

Test(model, a_cycle_ends_in_a_second_pass)
{
	expect_sixth_call("v4.7");
}

Test(model, a_cycle_of_3_17_ends_in_a_second_pass)
{
	expect_sixth_call("v4.7,fair=f317up");
}

Test(model, a_cycle_of_3_16_ends_in_a_second_attempt)
{
	expect_sixth_call("v4.7,fair=f316");
}

/* Expect what a kernel without the defect would do; v4.7-rc1 goes to the slow path. */
Test(model, the_defect_of_the_iterator_is_not_repeated)
{
	boot_kernel("v4.7-rc1", CYCLE);
	use_up_both_batches();

	expect_source(predict(GFP_KERNEL, 0), NORMAL, 2, false);
}

/*
 * 32.4: one zone, batch 3, blocks of 2 pages: 3, 1, -1.
 */
static bool flagged_at_minus_1(const char *kernel_text)
{
	boot_kernel(kernel_text, CYCLE);
	make_useless(DMA);
	expect_to_come_true(GFP_KERNEL, 1);
	expect_to_come_true(GFP_KERNEL, 1);
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), -1);
	return zone_is_fair_depleted(NORMAL);
}

Test(model, on_up_a_batch_below_zero_is_used_up)
{
	cr_expect(flagged_at_minus_1("v4.7"));
	expect_source(predict(GFP_KERNEL, 1), NORMAL, 2, false);
}

Test(model, on_up_f317_takes_a_batch_below_zero_for_a_large_one)
{
	cr_expect_not(flagged_at_minus_1("v4.7,fair=f317,-signed-batch-read"));
	expect_source(predict(GFP_KERNEL, 1), NORMAL, 1, false);
}

Test(model, on_up_f316_takes_a_batch_below_zero_for_a_large_one)
{
	cr_expect_not(flagged_at_minus_1("v4.7,fair=f316"));
	expect_source(predict(GFP_KERNEL, 1), NORMAL, 1, false);
}

/*
 * 32.5: N0.Normal, N0.DMA, N1.Normal.
 */
static void expect_remote(const char *kernel_text, bool depleted, struct zone *(*zone)(void), unsigned int passes)
{
	boot_kernel(kernel_text, "numa2");
	if (depleted) {
		deplete(N0_NORMAL);
		deplete(N0_DMA);
	} else {
		make_low(N0_NORMAL);
		make_low(N0_DMA);
	}
	expect_source(predict(GFP_KERNEL, 0), zone(), passes, false);
	expect_to_come_true(GFP_KERNEL, 0);
}

static struct zone *local(void)
{
	return N0_NORMAL;
}

static struct zone *remote(void)
{
	return N1_NORMAL;
}

Test(model, depleted_local_zones_are_refilled_before_a_remote_one_is_used)
{
	expect_remote("v4.7", true, local, 2);
	expect_remote("v4.7,fair=f317up", true, local, 2);
	expect_remote("v4.7,fair=f316", true, local, 2);
	expect_remote("v4.7,fair=f316b", true, local, 2);
}

Test(model, low_local_zones_give_way_to_a_remote_one)
{
	expect_remote("v4.7", false, remote, 1);
	expect_remote("v4.7,fair=f317up", false, remote, 2);
	expect_remote("v4.7,fair=f316", false, remote, 2);
	expect_remote("v4.7,fair=f316b", false, remote, 2);
}

/*
 * Batches with deltas, 10.2.
 */
Test(model, on_smp_one_page_leaves_half_a_threshold_of_room)
{
	const struct model_prediction *p;
	struct per_cpu_pageset *pset;

	boot_kernel("v4.7", "numa2");
	pset = per_cpu_ptr(N0_NORMAL->pageset, 0);
	pset->stat_threshold = 4;
	pset->vm_stat_diff[NR_ALLOC_BATCH] = -4;
	set_counter(N0_NORMAL, NR_ALLOC_BATCH, 10);

	p = predict(GFP_KERNEL, 0);

	/* -5 is one too many: 10 - 5 - 2, and 2 in hand. */
	expect_number(p->after[N0_NORMAL->slot].batch, 3);
	expect_number(p->after[N0_NORMAL->slot].batch_delta, 2);
	expect_to_come_true(GFP_KERNEL, 0);
}

Test(model, on_smp_a_block_is_folded_as_a_whole)
{
	const struct model_prediction *p;
	struct per_cpu_pageset *pset;

	boot_kernel("v4.7", "numa2");
	pset = per_cpu_ptr(N0_NORMAL->pageset, 0);
	pset->stat_threshold = 4;
	pset->vm_stat_diff[NR_ALLOC_BATCH] = -1;
	set_counter(N0_NORMAL, NR_ALLOC_BATCH, 5);

	p = predict(GFP_KERNEL, 2);

	expect_number(p->after[N0_NORMAL->slot].batch, 0);
	expect_number(p->after[N0_NORMAL->slot].batch_delta, 0);
	cr_expect(p->after[N0_NORMAL->slot].depleted);
	expect_to_come_true(GFP_KERNEL, 2);
}

/*
 * Marks, 16.1: the least number of free pages that is above a mark.
 */
static long least_free(unsigned int order, long mark, unsigned int flags)
{
	const struct model_request asked = request(GFP_KERNEL, order);
	long free = 0;

	set_marks(NORMAL, (unsigned long)mark, 0, 0);
	do
		set_counter(NORMAL, NR_FREE_PAGES, ++free);
	while (!model_above_mark(&asked, NORMAL->slot, flags, ZONE_NORMAL));
	return free;
}

Test(model, high_and_harder_requests_may_go_deeper)
{
	boot_kernel("v4.7", "uma-64m");

	expect_number(least_free(0, 101, 0), 102);
	expect_number(least_free(0, 101, ALLOC_HIGH), 52);
	expect_number(least_free(0, 101, ALLOC_HARDER), 77);
	expect_number(least_free(0, 101, ALLOC_HIGH | ALLOC_HARDER), 40);
	expect_number(least_free(0, 128, ALLOC_HIGH | ALLOC_HARDER), 49);
	/* All of a block but one page are spoken for. */
	expect_number(least_free(3, 101, 0), 109);
}

Test(model, the_reserve_counts_for_harder_requests_only)
{
	boot_kernel("fixed", "uma-64m");
	NORMAL->nr_reserved_highatomic = 50;

	expect_number(least_free(0, 100, 0), 151);
	expect_number(least_free(0, 100, ALLOC_HARDER), 76);
	expect_number(least_free(1, 100, 0), 152);
}

Test(model, the_shortcut_forgot_the_reserve_once)
{
	boot_kernel("v4.7", "uma-64m");
	NORMAL->nr_reserved_highatomic = 50;

	expect_number(least_free(0, 100, 0), 101);
}

static bool above_mark_of_0(unsigned int order, unsigned int flags)
{
	const struct model_request asked = request(GFP_KERNEL, order);

	set_marks(NORMAL, 0, 0, 0);
	set_counter(NORMAL, NR_FREE_PAGES, 1000);
	return model_above_mark(&asked, NORMAL->slot, flags, ZONE_NORMAL);
}

Test(model, a_block_must_be_large_enough_and_on_a_list_in_sight)
{
	boot_kernel("fixed", "uma-64m");
	take_all_blocks(NORMAL);

	cr_expect_not(above_mark_of_0(2, 0));
	put_block_of(0x1000, 2, MIGRATE_HIGHATOMIC);
	cr_expect_not(above_mark_of_0(2, 0));
	cr_expect(above_mark_of_0(2, ALLOC_HARDER));
	cr_expect_not(above_mark_of_0(3, ALLOC_HARDER));
	put_block_of(0x2000, 2, MIGRATE_RECLAIMABLE);
	cr_expect(above_mark_of_0(2, 0));
}

/* In 3.16 what is free in smaller blocks does not count, and each order asks for half of what the one below does. */
Test(model, small_blocks_do_not_count_in_3_16)
{
	struct model_request asked;

	boot_kernel("v3.16", "uma-64m");
	asked = request(GFP_KERNEL, 1);
	set_marks(NORMAL, 20, 0, 0);
	take_all_blocks(NORMAL);
	NORMAL->free_area[0].nr_free = 30;

	/* 42 pages: 1 is spoken for, 30 are single, 11 remain, and more than 10 are asked for. */
	set_counter(NORMAL, NR_FREE_PAGES, 42);
	cr_expect(model_above_mark(&asked, NORMAL->slot, 0, ZONE_NORMAL));
	set_counter(NORMAL, NR_FREE_PAGES, 41);
	cr_expect_not(model_above_mark(&asked, NORMAL->slot, 0, ZONE_NORMAL));
}

/*
 * Blocks, 12, 14 and 15.
 */
static struct model_take take(gfp_t gfp, unsigned int order, unsigned int flags)
{
	const struct model_request asked = request(gfp, order);

	return model_take(&asked, NORMAL->slot, flags);
}

static void expect_take(struct model_take take, unsigned long pfn, long nr_pages)
{
	expect_number(take.pfn, pfn);
	expect_number(take.nr_pages, nr_pages);
	expect_number(take.nr_more, 0);
}

static void boot_empty(const char *kernel_text)
{
	boot_kernel(kernel_text, "uma-64m");
	take_all_blocks(NORMAL);
}

Test(model, a_hot_page_is_the_first_and_a_cold_one_the_last_of_the_list)
{
	boot_empty("fixed");
	set_marks(NORMAL, 0, 0, 0);
	put_block_of(0x1000, 2, MIGRATE_UNMOVABLE);
	expect_to_come_true(GFP_KERNEL, 0);
	expect_text(pcp_list(NORMAL, 0, MIGRATE_UNMOVABLE), "0x1001 0x1002");

	expect_take(take(GFP_KERNEL, 0, 0), 0x1001, 0);
	expect_take(take(GFP_KERNEL | __GFP_COLD, 0, 0), 0x1002, 0);
	expect_to_come_true(GFP_KERNEL | __GFP_COLD, 0);
}

Test(model, a_refill_takes_a_batch_or_what_there_is)
{
	boot_empty("fixed");
	put_block_of(0x1000, 1, MIGRATE_UNMOVABLE);
	expect_number(pcp_of(NORMAL, 0)->batch, 3);
	expect_take(take(GFP_KERNEL, 0, 0), 0x1000, 2);

	put_block_of(0x2000, 0, MIGRATE_RECLAIMABLE);
	expect_take(take(GFP_KERNEL, 0, 0), 0x1000, 3);
	put_block_of(0x3000, 9, MIGRATE_UNMOVABLE);
	expect_take(take(GFP_KERNEL, 0, 0), 0x1000, 3);
}

/* The steal moves all free blocks of the pageblock, and the reserved one may be among them. */
Test(model, a_refill_may_get_what_a_steal_moves)
{
	struct model_take taken;

	boot_empty("fixed");
	put_block_of(0x1000, 0, MIGRATE_RECLAIMABLE);
	put_block(0x1010, 0, MIGRATE_HIGHATOMIC);

	taken = take(GFP_KERNEL, 0, 0);

	expect_number(taken.pfn, 0x1000);
	expect_number(taken.nr_pages, 1);
	expect_number(taken.nr_more, 1);
}

Test(model, the_smallest_block_of_the_type_is_taken)
{
	boot_empty("fixed");
	put_block_of(0x1000, 5, MIGRATE_UNMOVABLE);
	put_block_of(0x2000, 3, MIGRATE_UNMOVABLE);
	put_block_of(0x3000, 2, MIGRATE_MOVABLE);

	expect_take(take(GFP_KERNEL, 2, 0), 0x2000, 4);
	expect_take(take(GFP_KERNEL | __GFP_MOVABLE, 2, 0), 0x3000, 4);
}

Test(model, the_largest_block_of_another_type_is_taken)
{
	boot_empty("fixed");
	put_block_of(0x1000, 5, MIGRATE_UNMOVABLE);
	put_block_of(0x2000, 3, MIGRATE_RECLAIMABLE);

	/* Movable falls back on Reclaimable first, but the size comes before the type. */
	expect_take(take(GFP_KERNEL | __GFP_MOVABLE, 2, 0), 0x1000, 4);
	expect_take(take(GFP_KERNEL | __GFP_MOVABLE, 6, 0), VIEW_NO_PFN, 64);
}

Test(model, the_reserve_is_the_first_choice_of_a_harder_block_and_the_last_of_a_harder_page)
{
	boot_empty("fixed");
	put_block_of(0x1000, 5, MIGRATE_UNMOVABLE);
	put_block_of(0x2000, 3, MIGRATE_HIGHATOMIC);

	expect_take(take(GFP_ATOMIC, 1, ALLOC_HARDER), 0x2000, 2);
	expect_take(take(GFP_ATOMIC, 1, 0), 0x1000, 2);
	expect_take(take(GFP_ATOMIC, 0, ALLOC_HARDER), 0x1000, 3);
	expect_page(take_block(NORMAL, 5, MIGRATE_UNMOVABLE), 0x1000);
	expect_take(take(GFP_ATOMIC, 0, ALLOC_HARDER), 0x2000, 1);
	expect_take(take(GFP_ATOMIC, 0, 0), VIEW_NO_PFN, 0);
}

/*
 * The slow path, 22.
 */
static void make_all_low(void)
{
	make_low(NORMAL);
	make_low(DMA);
}

static void make_all_useless(void)
{
	make_useless(NORMAL);
	make_useless(DMA);
}

Test(model, the_min_mark_serves_what_the_low_mark_turned_away)
{
	boot_kernel("fixed", "uma-64m");
	make_all_low();

	expect_source(predict(GFP_KERNEL, 0), NORMAL, 1, true);
	expect_to_come_true(GFP_KERNEL, 0);
}

Test(model, who_may_ignore_the_marks_does)
{
	boot_kernel("fixed", "uma-64m");
	make_all_useless();

	expect_source(predict(GFP_NOWAIT, 0), NULL, 1, true);
	expect_source(predict(GFP_NOWAIT | __GFP_MEMALLOC, 0), NORMAL, 1, true);
	expect_source(predict(GFP_NOWAIT | __GFP_MEMALLOC | __GFP_NOMEMALLOC, 0), NULL, 1, true);
	current->flags |= PF_MEMALLOC;
	expect_source(predict(GFP_NOWAIT, 0), NORMAL, 1, true);
	expect_to_come_true(GFP_NOWAIT, 0);
}

Test(model, a_request_fails_for_sure_if_nobody_can_help)
{
	boot_kernel("fixed", "uma-64m");
	make_all_useless();

	expect_source(predict(GFP_KERNEL, 0), NULL, 1, true);
	cr_expect_null(allocate(GFP_KERNEL, 0));
}

Test(model, nothing_is_said_of_a_request_that_its_neighbours_may_help)
{
	boot_kernel("fixed", "uma-64m");
	make_all_useless();

	cr_expect_not(predict(GFP_KERNEL | __GFP_NOFAIL, 0)->decided);
	reclaim_script.calls = 1;
	cr_expect_not(predict(GFP_KERNEL, 0)->decided);
	cr_expect(predict(GFP_KERNEL, 0)->first_decided);
	cr_expect(predict(GFP_NOWAIT, 0)->decided);
	reclaim_script.calls = 0;
	NORMAL->nr_reserved_highatomic = 1024;
	cr_expect_not(predict(GFP_KERNEL, 0)->decided);
}

Test(model, nothing_is_said_once_zone_reclaim_gives_pages_back)
{
	boot_kernel("fixed", "numa2", SET(zone_reclaim_mode, 1));
	make_low(N0_NORMAL);
	expect_source(predict(GFP_KERNEL, 0), N0_DMA, 1, false);

	reclaim_script.zone_reclaim_pages = 4;

	cr_expect_not(predict(GFP_KERNEL, 0)->first_decided);
	cr_expect_not(predict(GFP_KERNEL, 0)->decided);
	cr_expect(predict(GFP_NOWAIT, 0)->decided);
}

/*
 * Who may use which zone.
 */
Test(model, an_atomic_request_leaves_the_cpuset_in_the_slow_path)
{
	nodemask_t only_node_1 = { 1UL << 1 };

	boot_kernel("fixed", "numa2", SET(cpusets, 1));
	set_mems_allowed(current, only_node_1);
	expect_source(predict(GFP_KERNEL, 0), N1_NORMAL, 1, false);
	make_useless(N1_NORMAL);

	expect_source(predict(GFP_NOWAIT | __GFP_HARDWALL, 0), NULL, 1, true);
	expect_source(predict(GFP_ATOMIC, 0), N0_NORMAL, 1, true);
	expect_to_come_true(GFP_ATOMIC, 0);
}

Test(model, before_recompute_preferred_zoneref_it_starts_where_it_stood)
{
	nodemask_t only_node_1 = { 1UL << 1 };

	boot_kernel("fixed,-recompute-preferred-zoneref", "numa2", SET(cpusets, 1));
	set_mems_allowed(current, only_node_1);
	make_useless(N1_NORMAL);

	expect_source(predict(GFP_ATOMIC, 0), NULL, 1, true);
	cr_expect_null(allocate(GFP_ATOMIC, 0));
}

Test(model, a_request_for_one_node_sees_no_other)
{
	boot_kernel("fixed", "numa2");
	make_useless(N0_NORMAL);
	make_useless(N0_DMA);

	expect_source(predict(GFP_NOWAIT, 0), N1_NORMAL, 1, false);
	expect_source(predict(GFP_NOWAIT | __GFP_THISNODE, 0), NULL, 1, true);
}

Test(model, no_zone_is_above_the_one_that_the_request_names)
{
	struct model_request asked;

	boot_kernel("fixed", "numa2");

	expect_source(predict(GFP_KERNEL | GFP_DMA, 0), N0_DMA, 1, false);
	asked = request(GFP_KERNEL | GFP_DMA, 0);
	cr_expect(model_has_zone(&asked.list));
	asked.list.nodemask = 1U << 1;
	cr_expect_not(model_has_zone(&asked.list));
}

/*
 * Dirty pages, 17 and 20.3.
 */
static void make_dirty(struct zone *zone)
{
	set_counter(zone, NR_FILE_DIRTY, 1 << 20);
}

Test(model, a_writer_passes_over_zones_full_of_dirty_pages)
{
	boot_kernel("fixed", "uma-64m");
	make_dirty(NORMAL);

	expect_source(predict(GFP_KERNEL | __GFP_WRITE, 0), DMA, 1, false);
	expect_source(predict(GFP_KERNEL, 0), NORMAL, 1, false);
	make_dirty(DMA);
	expect_source(predict(GFP_KERNEL | __GFP_WRITE, 0), NORMAL, 1, true);
}

Test(model, with_seed_3_a_writer_looks_once_more)
{
	boot_kernel("fixed,+dirty-limit-cached", "uma-64m");
	make_dirty(NORMAL);
	make_dirty(DMA);

	expect_source(predict(GFP_KERNEL | __GFP_WRITE, 0), NORMAL, 2, false);
	expect_to_come_true(GFP_KERNEL | __GFP_WRITE, 0);
}

/* With both batches used up the reset and the dropped flag are events of their own. */
Test(model, with_seed_3_fairness_and_dirty_pages_make_three_passes)
{
	boot_kernel("fixed,+dirty-limit-cached", "uma-64m");
	make_dirty(NORMAL);
	make_dirty(DMA);
	deplete(NORMAL);
	deplete(DMA);

	expect_source(predict(GFP_KERNEL | __GFP_WRITE, 0), NORMAL, 3, false);
	expect_to_come_true(GFP_KERNEL | __GFP_WRITE, 0);
}
