// SPDX-License-Identifier: GPL-2.0
/* Direct compaction in the slow path (specification 22.5). */
#include "tests/slowpath.h"

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

Test(slowpath_compact, single_pages_are_not_compacted)
{
	boot_kernel("fixed", "tiny", SET(compaction, 1));
	take_all_blocks(NORMAL);
	set_marks(NORMAL, 20, 25, 30);

	allocate(GFP_KERNEL, 0);

	expect_number(count_trace(TRACE_DIRECT_COMPACT, NULL), 0);
}

Test(slowpath_compact, without_compaction_nothing_is_compacted)
{
	boot_full("fixed");

	allocate(GFP_KERNEL, 1);

	expect_number(count_trace(TRACE_DIRECT_COMPACT, NULL), 0);
}

Test(slowpath_compact, compaction_that_was_put_off_is_not_a_stall)
{
	boot_compaction(COMPACT_DEFERRED, COMPACT_CONTENDED_NONE);

	allocate(GFP_KERNEL | __GFP_NORETRY, 1);

	/* Expect one try before reclaim and one last. */
	expect_number(count_trace(TRACE_DIRECT_COMPACT, NULL), 2);
	expect_number(vm_event_sum(COMPACTSTALL), 0);
}

Test(slowpath_compact, compaction_that_did_not_help_counts_as_a_failure)
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

Test(slowpath_compact, compaction_that_helped_is_not_put_off_any_more)
{
	boot_compaction(COMPACT_PARTIAL, COMPACT_CONTENDED_NONE);
	trace_observe_all(fill_a_gap);
	NORMAL->compact_defer_shift = 3;
	NORMAL->compact_blockskip_flush = true;

	expect_page(allocate(GFP_KERNEL, 1), 0x40);

	expect_number(vm_event_sum(COMPACTSUCCESS), 1);
	expect_number(NORMAL->compact_defer_shift, 0);
	expect_number(NORMAL->compact_order_failed, 2);
	cr_expect_not(NORMAL->compact_blockskip_flush);
}

#define THP (GFP_TRANSHUGE | __GFP_DIRECT_RECLAIM)

Test(slowpath_compact, huge_pages_give_up_when_compaction_is_put_off)
{
	boot_compaction(COMPACT_DEFERRED, COMPACT_CONTENDED_NONE);

	cr_expect_null(allocate(THP, 4));

	expect_number(nr_reclaims(), 0);
}

Test(slowpath_compact, huge_pages_give_up_when_compaction_lost_a_lock)
{
	boot_compaction(COMPACT_PARTIAL, COMPACT_CONTENDED_LOCK);

	cr_expect_null(allocate(THP, 4));

	expect_number(nr_reclaims(), 0);
}

Test(slowpath_compact, huge_pages_of_kernel_threads_do_not_mind_rescheduling)
{
	boot_compaction(COMPACT_PARTIAL, COMPACT_CONTENDED_SCHED);
	current->flags |= PF_KTHREAD;

	cr_expect_null(allocate(THP, 4));

	expect_number(nr_reclaims(), 1);
}

Test(slowpath_compact, kswapd_reclaim_makes_a_request_no_huge_page)
{
	boot_compaction(COMPACT_DEFERRED, COMPACT_CONTENDED_NONE);

	cr_expect_null(allocate(THP | __GFP_KSWAPD_RECLAIM, 4));

	expect_number(nr_reclaims(), 1);
}

Test(slowpath_compact, complete_compaction_is_tried_again_in_earnest)
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

Test(slowpath_compact, partial_compaction_is_tried_sixteen_times_more)
{
	boot_compaction(COMPACT_PARTIAL, COMPACT_CONTENDED_NONE);
	script_reclaim(100, 0);

	allocate(GFP_KERNEL, 1);

	/* Rounds 1 to 16 ask for another, round 17 does not, then the last try. */
	expect_number(nr_reclaims(), 17);
	expect_number(count_trace(TRACE_DIRECT_COMPACT, NULL), 18);
}

Test(slowpath_compact, costly_partial_compaction_is_tried_four_times_more)
{
	boot_compaction(COMPACT_PARTIAL, COMPACT_CONTENDED_NONE);
	script_reclaim(100, 0);

	allocate(GFP_KERNEL | __GFP_REPEAT, 4);

	expect_number(nr_reclaims(), 5);
}

Test(slowpath_compact, compaction_that_withdrew_is_tried_again_while_a_zone_has_room_for_it)
{
	boot_compaction(COMPACT_SKIPPED, COMPACT_CONTENDED_NONE);
	script_reclaim(3, 0);

	allocate(GFP_KERNEL, 1);

	/* Room is the low mark of 8 and twice the block: 32 pages are more than 12. */
	expect_number(nr_reclaims(), 4);
}

Test(slowpath_compact, compaction_that_withdrew_for_want_of_pages_is_not_tried_again)
{
	boot_compaction(COMPACT_SKIPPED, COMPACT_CONTENDED_NONE);
	set_marks(NORMAL, 4, 28, 60);
	script_reclaim(3, 0);

	allocate(GFP_KERNEL, 1);

	expect_number(nr_reclaims(), 1);
}

Test(slowpath_compact, without_compaction_a_zone_without_pages_ends_the_rounds)
{
	boot_full("fixed");
	put_block(0x40, 0, MIGRATE_UNMOVABLE);
	script_reclaim(5, 0);

	allocate(GFP_KERNEL, 1);

	expect_number(nr_reclaims(), 1);
}

Test(slowpath_compact, without_compaction_rounds_go_on_while_a_zone_has_pages_for_order_0)
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
