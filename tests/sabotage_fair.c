// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_fair.c - batches, flags and cycles of the fair policy are watched (fuzz/invariants_fair.c).
 *
 * "uma-64m" is UP, zonelist Normal, DMA, batches of 48 and 15 pages: 128 requests for a page exhaust both, twice. "numa2"
 * is SMP: Normal and DMA on node 0, Normal on node 1.
 */
#include "tests/sabotage.h"
#include "fuzz/fair_watch.h"

#define PAGE "machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
#define CYCLES "machine preset=uma-64m\np0 = alloc_pages(order=0, gfp=GFP_KERNEL) x200\n"
#define CYCLES_OF_NUMA "machine preset=numa2\np0 = alloc_pages(order=0, gfp=GFP_KERNEL) x128\n"
#define FREE PAGE "free_pages(p0)\n"

static void spend_one_more(struct trace_record *record, unsigned int number)
{
	change_counter(zone_of_frame(record->a), NR_ALLOC_BATCH, -1, true);
}

Test(sabotage_fair, a_page_of_the_batch_that_nobody_took)
{
	expect_invariant("batch_accounts_for_takes", (struct sabotage){ .program = PAGE,
									.at = TRACE_MM_PAGE_ALLOC,
									.breaks = spend_one_more });
}

static void reset_for_nothing(struct trace_record *record, unsigned int number)
{
	const struct trace_record reset = { .kind = TRACE_BATCH_RESET, .a = record->a };

	scan_watch(&reset);
}

Test(sabotage_fair, a_reset_without_a_reason)
{
	expect_invariant("reset_needs_a_reason", (struct sabotage){ .program = PAGE,
								    .at = TRACE_ZONE_VISIT,
								    .breaks = reset_for_nothing });
}

static void reset_after_a_page(struct trace_record *record, unsigned int number)
{
	record->kind = TRACE_BATCH_RESET;
	record->a = watch.list.preferred_slot;
}

Test(sabotage_fair, a_reset_of_3_16_without_a_reason)
{
	expect_invariant("reset_needs_a_reason", (struct sabotage){ .program = PAGE,
								    .kernel = "v3.16",
								    .at = TRACE_MM_PAGE_ALLOC,
								    .breaks = reset_after_a_page });
}

/* The take leaves the batch used up, and no flag. */
static void use_up_the_batch(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_number((unsigned int)record->a);

	change_counter(zone, NR_ALLOC_BATCH, -atomic_long_read(&zone->vm_stat[NR_ALLOC_BATCH]), true);
}

Test(sabotage_fair, a_used_up_zone_that_is_not_flagged)
{
	expect_invariant("flag_follows_counter", (struct sabotage){ .program = PAGE,
								    .at = TRACE_ZONE_VERDICT,
								    .breaks = use_up_the_batch,
								    .then = { "batch_accounts_for_takes",
									      "flag_in_step_on_up" } });
}

static void flag_the_zone(struct trace_record *record, unsigned int number)
{
	set_bit(ZONE_FAIR_DEPLETED, &zone_number((unsigned int)record->a)->flags);
}

Test(sabotage_fair, a_flagged_zone_with_batch_left)
{
	expect_invariant("flag_follows_counter", (struct sabotage){ .program = PAGE,
								    .at = TRACE_ZONE_VERDICT,
								    .breaks = flag_the_zone,
								    .then = { "flag_in_step_on_up" } });
}

Test(sabotage_fair, a_flag_set_where_nothing_was_taken)
{
	expect_invariant("flag_changes_only_by_take_or_reset",
			 (struct sabotage){ .program = "machine preset=uma-64m\n"
						       "watermark(node=0, zone=Normal, min=60000)\n"
						       "watermark(node=0, zone=DMA, min=60000)\n"
						       "p0 = alloc_pages(order=0, gfp=GFP_NOWAIT)\n",
					    .at = TRACE_ZONE_VERDICT,
					    .breaks = flag_the_zone });
}

static void flag_the_zone_of_the_page(struct trace_record *record, unsigned int number)
{
	set_bit(ZONE_FAIR_DEPLETED, &zone_of_frame(record->a)->flags);
}

Test(sabotage_fair, a_flag_set_by_a_free)
{
	expect_invariant("flag_as_scans_left_it", (struct sabotage){ .program = FREE,
								     .at = TRACE_MM_PAGE_FREE,
								     .breaks = flag_the_zone_of_the_page,
								     .then = { "flag_in_step_on_up" } });
}

static void change_the_batch(struct trace_record *record, unsigned int number)
{
	change_counter(zone_of_frame(record->a), NR_ALLOC_BATCH, -100, true);
}

Test(sabotage_fair, a_batch_changed_by_a_free)
{
	expect_invariant("batch_accounts_for_takes", (struct sabotage){ .program = FREE,
									.at = TRACE_MM_PAGE_FREE,
									.breaks = change_the_batch,
									.then = { "flag_in_step_on_up" } });
}

static void overdraw_the_batch(struct trace_record *record, unsigned int number)
{
	change_counter(zone_of_frame(record->a), NR_ALLOC_BATCH, -5000, true);
	flag_the_zone_of_the_page(record, number);
}

Test(sabotage_fair, a_batch_that_sinks_on_and_on)
{
	expect_invariant("batch_accounts_for_takes", (struct sabotage){ .program = PAGE,
									.at = TRACE_MM_PAGE_ALLOC,
									.breaks = overdraw_the_batch,
									.then = { "flag_as_scans_left_it",
										  "batch_bounded_on_up" } });
}

/* The flag is clear, so the zone is used once more. */
static void sink_below_zero(struct trace_record *record, unsigned int number)
{
	struct zone *zone = zone_number((unsigned int)record->a);

	change_counter(zone, NR_ALLOC_BATCH, -5 - atomic_long_read(&zone->vm_stat[NR_ALLOC_BATCH]), true);
}

Test(sabotage_fair, a_used_up_zone_that_is_used)
{
	expect_invariant("no_fair_use_of_exhausted_zone", (struct sabotage){ .program = PAGE,
									     .at = TRACE_ZONE_VISIT,
									     .breaks = sink_below_zero,
									     .report = "zone Normal, order 0: taken with batch -5 of 48",
									     .then = { "batch_accounts_for_takes" } });
}

static void say_that_a_zone_was_skipped(struct trace_record *record, unsigned int number)
{
	if (record->b == VERDICT_TAKEN)
		watch.attempt_fair_skips++;
}

/* Node 0 is low, so node 1 serves; nothing was skipped for fairness. */
Test(sabotage_fair, a_remote_zone_used_after_a_fair_skip)
{
	expect_invariant("remote_zone_only_when_fair_allows",
			 (struct sabotage){ .program = "machine preset=numa2\n"
						       "watermark(node=0, zone=Normal, min=60000)\n"
						       "watermark(node=0, zone=DMA, min=60000)\n"
						       "p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n",
					    .at = TRACE_ZONE_VERDICT,
					    .breaks = say_that_a_zone_was_skipped });
}

/* The second pass begins: the reset is over, and Normal got too much. */
static void refill_too_much(struct trace_record *record, unsigned int number)
{
	if (record->a == 2)
		change_counter(zone_number(ZONE_NORMAL), NR_ALLOC_BATCH, 7, true);
}

Test(sabotage_fair, a_reset_to_another_value)
{
	expect_invariant("reset_refills_batch", (struct sabotage){ .program = CYCLES,
								   .at = TRACE_SCAN_BEGIN,
								   .breaks = refill_too_much,
								   .report = "zone Normal: batch 55, expected 48 and 0 held back" });
}

static void refill_another_node(struct trace_record *record, unsigned int number)
{
	if (record->a == 2)
		change_counter(&NODE_DATA(1)->node_zones[ZONE_NORMAL], NR_ALLOC_BATCH, 7, true);
}

Test(sabotage_fair, a_reset_of_another_node)
{
	expect_invariant("reset_touches_only_its_zones", (struct sabotage){ .program = CYCLES_OF_NUMA,
									    .at = TRACE_SCAN_BEGIN,
									    .breaks = refill_another_node });
}

static void keep_the_flag(struct trace_record *record, unsigned int number)
{
	if (record->a == 2)
		set_bit(ZONE_FAIR_DEPLETED, &zone_number(ZONE_DMA)->flags);
}

Test(sabotage_fair, a_reset_that_leaves_a_flag)
{
	expect_invariant("reset_clears_flags_of_its_zones", (struct sabotage){ .program = CYCLES,
									       .at = TRACE_SCAN_BEGIN,
									       .breaks = keep_the_flag });
}

static void take_some_more(struct trace_record *record, unsigned int number)
{
	fair_watch.cycles[0].pages[ZONE_DMA] += 9;
}

Test(sabotage_fair, a_zone_that_gave_more_than_its_share)
{
	expect_invariant("cycle_is_fair", (struct sabotage){ .program = CYCLES,
							     .at = TRACE_BATCH_RESET,
							     .breaks = take_some_more });
}
