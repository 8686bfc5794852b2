// SPDX-License-Identifier: GPL-2.0
/*
 * The fair zone policy (specification 9.5, 18, 19, 20 and the vectors of 32.3-32.5).
 *
 * A story says which zones each pass looked at and why it went on; see tests/machines.h.
 */
#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)
#define DMA zone_of(ZONE_DMA)

/*
 * The worked cycle, 32.3: one node with A = Normal, whose batch is 3, and B = DMA, whose batch is 2.
 */
#define CYCLE "uma-64m", MEMORY(0, 0, 5000), SET_OF(max_zone_pfn, ZONE_DMA, 2000), SET(min_free_kbytes, 40)

/* Five requests use up both batches. */
static void use_up_both_batches(void)
{
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 3);
	expect_number(counter(DMA, NR_ALLOC_BATCH), 2);

	allocate(GFP_KERNEL, 0);
	allocate(GFP_KERNEL, 0);
	expect_story("pass 1: Normal taken");
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 1);
	allocate(GFP_KERNEL, 0);
	expect_story("pass 1: Normal taken");
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 0);

	allocate(GFP_KERNEL, 0);
	expect_story("pass 1: Normal fair, DMA taken");
	expect_number(counter(DMA, NR_ALLOC_BATCH), 1);
	allocate(GFP_KERNEL, 0);
	expect_story("pass 1: Normal fair, DMA taken");
	expect_number(counter(DMA, NR_ALLOC_BATCH), 0);
}

Test(fair, a_cycle_ends_in_a_reset_and_a_second_pass_over_all_zones)
{
	boot_kernel("v4.7", CYCLE);
	use_up_both_batches();
	cr_expect(zone_is_fair_depleted(NORMAL));
	cr_expect(zone_is_fair_depleted(DMA));

	allocate(GFP_KERNEL, 0);

	expect_story("pass 1: Normal fair, DMA fair; reset; pass 2: Normal taken");
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 2);
	expect_number(counter(DMA, NR_ALLOC_BATCH), 2);
	cr_expect_not(zone_is_fair_depleted(NORMAL));
	cr_expect_not(zone_is_fair_depleted(DMA));

	allocate(GFP_KERNEL, 0);
	expect_story("pass 1: Normal taken");
}

Test(fair, without_reset_zonelist_iterator_the_second_pass_sees_no_zone)
{
	boot_kernel("v4.7,-reset-zonelist-iterator", CYCLE);
	use_up_both_batches();

	allocate(GFP_KERNEL, 0);

	/* Expect a page from Normal all the same, but by way of kswapd and the min mark. */
	expect_story("pass 1: Normal fair, DMA fair; reset; pass 2:; "
		     "slow; wake Normal; wake DMA; pass 1: Normal taken");
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 2);
	expect_number(counter(DMA, NR_ALLOC_BATCH), 2);

	allocate(GFP_KERNEL, 0);
	expect_story("pass 1: Normal taken");
}

Test(fair, v4_7_rc1_has_the_defect_of_the_iterator)
{
	boot_kernel("v4.7-rc1", CYCLE);
	use_up_both_batches();

	allocate(GFP_KERNEL, 0);

	cr_expect_eq(count_trace(TRACE_SLOWPATH_ENTER, NULL), 1);
}

Test(fair, the_cycle_of_3_16_resets_between_two_attempts)
{
	boot_kernel("v4.7,fair=f316", CYCLE);
	use_up_both_batches();

	allocate(GFP_KERNEL, 0);

	/* Each attempt is one scan of one pass. */
	expect_story("pass 1: Normal fair, DMA fair; reset; pass 1: Normal taken");
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 2);
	expect_number(counter(DMA, NR_ALLOC_BATCH), 2);
	cr_expect_not(zone_is_fair_depleted(NORMAL));

	allocate(GFP_KERNEL, 0);
	expect_story("pass 1: Normal taken");
}

Test(fair, the_cycle_of_3_17_resets_and_starts_at_the_head)
{
	/* The iterator patch makes no difference: every pass of 3.17 begins at the head of the list. */
	boot_kernel("v4.7,fair=f317,-reset-zonelist-iterator", CYCLE);
	use_up_both_batches();

	allocate(GFP_KERNEL, 0);

	expect_story("pass 1: Normal fair, DMA fair; reset; pass 2: Normal taken");
}

Test(fair, without_fair_before_kswapd_depleted_batches_lead_to_the_slow_path)
{
	boot_kernel("v4.7,-fair-before-kswapd", CYCLE);
	use_up_both_batches();

	allocate(GFP_KERNEL, 0);

	/* Expect kswapd woken although every zone is above its low mark. The batches are refilled. */
	expect_story("pass 1: Normal fair, DMA fair; reset; slow; wake Normal; wake DMA; pass 1: Normal taken");
	expect_number(counter(DMA, NR_ALLOC_BATCH), 2);
}

Test(fair, a_cycle_of_blocks_counts_their_pages)
{
	boot_kernel("v4.7", CYCLE);

	allocate(GFP_KERNEL, 1);
	allocate(GFP_KERNEL, 1);

	/* 3 - 2 - 2. */
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), -1);
	cr_expect(zone_is_fair_depleted(NORMAL));
}

Test(fair, freeing_does_not_refill_a_batch)
{
	struct page *page;

	boot_kernel("v4.7", CYCLE);
	page = allocate(GFP_KERNEL, 0);

	__free_page(page);

	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 2);
}

Test(fair, nothing_is_reset_when_zones_are_merely_low)
{
	boot_kernel("v4.7", CYCLE);
	set_marks(NORMAL, 0, 1 << 20, 1 << 20);
	set_marks(DMA, 0, 1 << 20, 1 << 20);

	allocate(GFP_NOWAIT, 0);

	expect_story("pass 1: Normal wmark, DMA wmark; slow; wake Normal; wake DMA; pass 1: Normal taken");
}

Test(fair, the_slow_path_is_not_fair)
{
	boot_kernel("v4.7", CYCLE);
	deplete(NORMAL);
	set_marks(NORMAL, 0, 1 << 20, 1 << 20);
	set_marks(DMA, 0, 1 << 20, 1 << 20);

	allocate(GFP_NOWAIT, 0);

	/* Expect the reset of the first attempt to find all zones low, and the slow path to take without asking. */
	expect_story("pass 1: Normal fair, DMA wmark; reset; pass 2: Normal wmark, DMA wmark; "
		     "slow; wake Normal; wake DMA; pass 1: Normal taken");
}

Test(fair, takes_of_the_slow_path_set_the_flag_too)
{
	boot_kernel("v4.7", CYCLE);
	set_counter(NORMAL, NR_ALLOC_BATCH, 1);
	set_marks(NORMAL, 0, 1 << 20, 1 << 20);
	set_marks(DMA, 1 << 20, 1 << 20, 1 << 20);

	allocate(GFP_NOWAIT, 0);

	cr_expect(zone_is_fair_depleted(NORMAL));
}

Test(fair, in_3_16_the_second_attempt_comes_even_if_no_zone_was_skipped)
{
	boot_kernel("v4.7,fair=f316", CYCLE);
	set_marks(NORMAL, 0, 1 << 20, 1 << 20);
	set_marks(DMA, 0, 1 << 20, 1 << 20);

	allocate(GFP_NOWAIT, 0);

	expect_story("pass 1: Normal wmark, DMA wmark; reset; pass 1: Normal wmark, DMA wmark; "
		     "slow; wake Normal; wake DMA; pass 1: Normal taken");
}

Test(fair, in_3_17_one_node_is_scanned_once_if_no_zone_was_skipped)
{
	boot_kernel("v4.7,fair=f317", CYCLE);
	set_marks(NORMAL, 0, 1 << 20, 1 << 20);
	set_marks(DMA, 0, 1 << 20, 1 << 20);

	allocate(GFP_NOWAIT, 0);

	expect_story("pass 1: Normal wmark, DMA wmark; slow; wake Normal; wake DMA; pass 1: Normal taken");
}

/*
 * A batch that jumps over zero, 32.4: one zone whose batch is 3, requests of order 1.
 */
#define ONE_ZONE "uma-64m", SET(zone_dma, 0), MEMORY(0, 0, 3000), SET(min_free_kbytes, 40)

static void take_two_pairs(const char *kernel_text)
{
	boot_kernel(kernel_text, ONE_ZONE);
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 3);

	allocate(GFP_KERNEL, 1);
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 1);
	cr_expect_not(zone_is_fair_depleted(NORMAL));
	allocate(GFP_KERNEL, 1);
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), -1);
}

Test(fair, on_up_4_7_sees_that_the_batch_jumped_over_zero)
{
	take_two_pairs("v4.7");
	cr_expect(zone_is_fair_depleted(NORMAL));

	allocate(GFP_KERNEL, 1);

	expect_story("pass 1: Normal fair; reset; pass 2: Normal taken");
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 1);
}

Test(fair, on_up_3_17_takes_a_negative_batch_for_a_huge_one)
{
	take_two_pairs("v4.7,fair=f317");
	cr_expect_not(zone_is_fair_depleted(NORMAL));

	allocate(GFP_KERNEL, 1);

	expect_story("pass 1: Normal taken");
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), -3);
	cr_expect_not(zone_is_fair_depleted(NORMAL));
}

Test(fair, on_up_3_17_with_signed_batch_read_sees_it)
{
	take_two_pairs("v4.7,fair=f317up");
	cr_expect(zone_is_fair_depleted(NORMAL));

	allocate(GFP_KERNEL, 1);

	expect_story("pass 1: Normal fair; reset; pass 2: Normal taken");
}

Test(fair, on_up_3_17_sees_a_batch_of_exactly_zero)
{
	boot_kernel("v4.7,fair=f317", ONE_ZONE);

	allocate(GFP_KERNEL, 1);
	allocate(GFP_KERNEL, 0);

	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 0);
	cr_expect(zone_is_fair_depleted(NORMAL));
}

Test(fair, on_up_3_16_takes_a_negative_batch_for_a_huge_one)
{
	take_two_pairs("v4.7,fair=f316");

	allocate(GFP_KERNEL, 1);

	expect_story("pass 1: Normal taken");
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), -3);
}

/* On SMP a CPU holds up to 2 pages back (4096 pages or less, one CPU), so the batch that all see lags. */
static void take_pairs_on_smp(const char *kernel_text)
{
	boot_kernel(kernel_text, ONE_ZONE, SET(smp, 1));
	set_counter(NORMAL, NR_ALLOC_BATCH, 3);
	this_cpu_ptr(NORMAL->pageset)->vm_stat_diff[NR_ALLOC_BATCH] = 0;
	expect_number(this_cpu_ptr(NORMAL->pageset)->stat_threshold, 2);

	allocate(GFP_KERNEL, 1);
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 3);
	cr_expect_not(zone_is_fair_depleted(NORMAL));
	allocate(GFP_KERNEL, 1);
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), -1);
	cr_expect(zone_is_fair_depleted(NORMAL));
}

Test(fair, on_smp_4_7_sees_the_batch_once_it_is_folded)
{
	take_pairs_on_smp("v4.7");
}

Test(fair, on_smp_3_17_sees_it_too_for_negative_reads_as_zero)
{
	take_pairs_on_smp("v4.7,fair=f317");
}

Test(fair, on_smp_3_16_skips_a_zone_with_a_negative_batch)
{
	boot_kernel("v4.7,fair=f316", ONE_ZONE, SET(smp, 1));
	set_counter(NORMAL, NR_ALLOC_BATCH, -1);

	allocate(GFP_KERNEL, 1);

	expect_story("pass 1: Normal fair; reset; pass 1: Normal taken");
}

/*
 * Two nodes, 32.5. The list of node 0 is N0.Normal, N0.DMA32, N1.Normal.
 */
#define TWO_NODES                                                                                      \
	"numa2", SET(zone_dma, 0), SET(zone_dma32, 1), MEMORY(0, 0, 0x1000), MEMORY(1, 0x1000, 0x1c00), \
		SET_OF(max_zone_pfn, ZONE_DMA32, 0x800)

/* Both zones of node 0 are depleted, N1.Normal is not. */
static void boot_depleted(const char *kernel_text)
{
	boot_kernel(kernel_text, TWO_NODES);
	expect_text(zonelist_text(node_zonelist(0, GFP_KERNEL)), "N0.Normal N0.DMA32 N1.Normal");
	deplete(NORMAL);
	deplete(zone_of(ZONE_DMA32));
	allocate(GFP_KERNEL, 0);
}

Test(fair, a_remote_zone_ends_the_fair_pass_after_a_skipped_one)
{
	boot_depleted("v4.7");

	expect_story("pass 1: N0.Normal fair, N0.DMA32 fair, N1.Normal abort; reset; pass 2: N0.Normal taken");
}

Test(fair, without_reset_zonelist_iterator_the_page_comes_from_the_remote_node)
{
	boot_depleted("v4.7,-reset-zonelist-iterator");

	/* Expect the second pass to begin where the first ended. */
	expect_story("pass 1: N0.Normal fair, N0.DMA32 fair, N1.Normal abort; reset; pass 2: N1.Normal taken");
}

Test(fair, in_3_17_a_remote_zone_ends_the_fair_pass)
{
	boot_depleted("v4.7,fair=f317up");

	expect_story("pass 1: N0.Normal fair, N0.DMA32 fair, N1.Normal abort; reset; pass 2: N0.Normal taken");
}

Test(fair, in_3_16_remote_zones_are_skipped)
{
	boot_depleted("v4.7,fair=f316");

	expect_story("pass 1: N0.Normal fair, N0.DMA32 fair, N1.Normal fair; reset; pass 1: N0.Normal taken");
}

Test(fair, f316b_ends_the_pass_at_a_remote_zone)
{
	boot_depleted("v4.7,fair=f316b");

	expect_story("pass 1: N0.Normal fair, N0.DMA32 fair, N1.Normal abort; reset; pass 1: N0.Normal taken");
}

/* No zone is depleted, but those of node 0 are below their low marks. */
static void boot_low(const char *kernel_text)
{
	boot_kernel(kernel_text, TWO_NODES);
	set_marks(NORMAL, 0, 1 << 20, 1 << 20);
	set_marks(zone_of(ZONE_DMA32), 0, 1 << 20, 1 << 20);
	allocate(GFP_KERNEL, 0);
}

Test(fair, a_remote_zone_is_used_at_once_when_none_was_skipped)
{
	boot_low("v4.7");

	expect_story("pass 1: N0.Normal wmark, N0.DMA32 wmark, N1.Normal taken");
}

Test(fair, in_3_17_remote_zones_get_a_second_pass)
{
	boot_low("v4.7,fair=f317up");

	expect_story("pass 1: N0.Normal wmark, N0.DMA32 wmark, N1.Normal abort; "
		     "pass 2: N0.Normal wmark, N0.DMA32 wmark, N1.Normal taken");
}

Test(fair, in_3_16_remote_zones_get_a_second_attempt)
{
	boot_low("v4.7,fair=f316");

	expect_story("pass 1: N0.Normal wmark, N0.DMA32 wmark, N1.Normal fair; reset; "
		     "pass 1: N0.Normal wmark, N0.DMA32 wmark, N1.Normal taken");
}

Test(fair, a_depleted_remote_zone_is_skipped_like_a_local_one)
{
	boot_kernel("v4.7", TWO_NODES);
	set_marks(NORMAL, 0, 1 << 20, 1 << 20);
	set_marks(zone_of(ZONE_DMA32), 0, 1 << 20, 1 << 20);
	deplete(zone_at(1, ZONE_NORMAL));

	allocate(GFP_KERNEL, 0);

	/* The flag is read before locality. The reset leaves it alone, but pass 2 does not look at it. */
	expect_story("pass 1: N0.Normal wmark, N0.DMA32 wmark, N1.Normal fair; reset; "
		     "pass 2: N0.Normal wmark, N0.DMA32 wmark, N1.Normal taken");
	cr_expect(zone_is_fair_depleted(zone_at(1, ZONE_NORMAL)));
}

Test(fair, zone_order_puts_local_zones_behind_remote_ones)
{
	boot_kernel("v4.7,fair=f316", TWO_NODES, SET(numa_zonelist_order, 'z'));
	expect_text(zonelist_text(node_zonelist(0, GFP_KERNEL)), "N0.Normal N1.Normal N0.DMA32");
	deplete(NORMAL);

	allocate(GFP_KERNEL, 0);

	/* Expect 3.16 to walk on to the local zone behind the remote one. */
	expect_story("pass 1: N0.Normal fair, N1.Normal fair, N0.DMA32 taken");
}

Test(fair, f316b_does_not_reach_local_zones_behind_remote_ones)
{
	boot_kernel("v4.7,fair=f316b", TWO_NODES, SET(numa_zonelist_order, 'z'));
	deplete(NORMAL);

	allocate(GFP_KERNEL, 0);

	expect_story("pass 1: N0.Normal fair, N1.Normal abort; reset; pass 1: N0.Normal taken");
}

/*
 * The reset.
 */

Test(fair, a_reset_reaches_from_the_lowest_zone_to_the_preferred_one)
{
	boot_kernel("v4.7", "numa2");
	deplete(NORMAL);
	deplete(DMA);
	deplete(zone_at(1, ZONE_NORMAL));

	reset_alloc_batches(DMA);

	/* Expect the zone above and the other node left alone. */
	cr_expect_not(zone_is_fair_depleted(DMA));
	cr_expect(zone_is_fair_depleted(NORMAL));
	cr_expect(zone_is_fair_depleted(zone_at(1, ZONE_NORMAL)));
	expect_number(counter_sum(DMA, NR_ALLOC_BATCH) - counter_sum(NORMAL, NR_ALLOC_BATCH),
		      high_wmark_pages(DMA) - low_wmark_pages(DMA));
}

Test(fair, a_reset_includes_zones_without_memory)
{
	boot_kernel("v4.7", "numa2");
	set_bit(ZONE_FAIR_DEPLETED, &zone_at(1, ZONE_DMA)->flags);

	reset_alloc_batches(zone_at(1, ZONE_NORMAL));

	cr_expect_not(zone_is_fair_depleted(zone_at(1, ZONE_DMA)));
}

Test(fair, a_reset_of_3_16_reaches_the_local_zones_of_the_list)
{
	struct alloc_context ac = { .high_zoneidx = ZONE_NORMAL };

	boot_kernel("v4.7,fair=f316", TWO_NODES, SET(smp, 0), SET(numa_zonelist_order, 'z'));
	set_counter(NORMAL, NR_ALLOC_BATCH, -7);
	set_counter(zone_of(ZONE_DMA32), NR_ALLOC_BATCH, -7);
	set_counter(zone_at(1, ZONE_NORMAL), NR_ALLOC_BATCH, -7);
	ac.zonelist = node_zonelist(0, GFP_KERNEL);
	ac.preferred_zoneref = ac.zonelist->_zonerefs;

	reset_alloc_batches_zonelist(&ac);

	expect_number(counter(NORMAL, NR_ALLOC_BATCH), high_wmark_pages(NORMAL) - low_wmark_pages(NORMAL));
	cr_expect_gt(counter(zone_of(ZONE_DMA32), NR_ALLOC_BATCH), 0);
	expect_number(counter(zone_at(1, ZONE_NORMAL), NR_ALLOC_BATCH), -7);
}

Test(fair, on_smp_a_small_reset_stays_in_the_delta_of_the_cpu)
{
	boot_kernel("v4.7", ONE_ZONE, SET(smp, 1));
	set_marks(NORMAL, 1, 2, 3);
	set_counter(NORMAL, NR_ALLOC_BATCH, 0);
	this_cpu_ptr(NORMAL->pageset)->vm_stat_diff[NR_ALLOC_BATCH] = 0;
	set_bit(ZONE_FAIR_DEPLETED, &NORMAL->flags);

	reset_alloc_batches(NORMAL);

	/* A batch of 1 with a threshold of 2: expect the flag clear and the batch that all see still used up. */
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 0);
	expect_number(counter_sum(NORMAL, NR_ALLOC_BATCH), 1);
	cr_expect_not(zone_is_fair_depleted(NORMAL));
}

Test(fair, on_smp_a_large_reset_leaves_the_delta_on_top_of_the_distance)
{
	boot_kernel("v4.7", ONE_ZONE, SET(smp, 1));
	set_counter(NORMAL, NR_ALLOC_BATCH, -20);
	this_cpu_ptr(NORMAL->pageset)->vm_stat_diff[NR_ALLOC_BATCH] = -2;

	reset_alloc_batches(NORMAL);

	/* Expect V' + d' = T + d: 3 - 2. */
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 1);
	expect_number(counter_sum(NORMAL, NR_ALLOC_BATCH), 1);
}

Test(fair, without_numa_every_zone_is_local)
{
	boot_kernel("v4.7", "aranym");

	cr_expect(zone_local(zone_at(0, ZONE_DMA), zone_at(1, ZONE_DMA)));
}

Test(fair, with_numa_zones_of_one_node_are_local)
{
	boot_kernel("v4.7", "numa2");

	cr_expect(zone_local(NORMAL, DMA));
	cr_expect_not(zone_local(NORMAL, zone_at(1, ZONE_NORMAL)));
}

static void reset_batches_of(void *zone)
{
	reset_alloc_batches(zone);
}

Test(fair, a_reset_reaches_every_zone_of_a_node_and_no_further)
{
	boot_kernel("fixed", "numa2");
	reset_batches_of(zone_of(ZONE_MOVABLE));

	NORMAL->zone_pgdat = NODE_DATA(1);

	expect_step_too_far("reset_alloc_batches", 5, reset_batches_of, NORMAL);
}
