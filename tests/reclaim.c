// SPDX-License-Identifier: GPL-2.0
/* reclaim.c - the scripted neighbours do what the script says, in bounds, and leave a record (kernel-shim/reclaim.c). */
#include "tests/support.h"
#include "mm/internal.h"

static unsigned long asked_for;

static unsigned long release_half(unsigned long nr_pages, unsigned int slot)
{
	asked_for = nr_pages;
	return nr_pages / 2;
}

static struct zone *normal_zone(int nid)
{
	return &NODE_DATA(nid)->node_zones[ZONE_NORMAL];
}

static unsigned long direct_reclaim(void)
{
	return try_to_free_pages(node_zonelist(0, GFP_KERNEL), 0, GFP_KERNEL, NULL);
}

Test(reclaim, direct_reclaim_makes_progress_as_often_as_the_script_says)
{
	struct trace_record record = { 0 };

	boot_machine("tiny");
	reclaim_release = release_half;
	reclaim_script.calls = 2;
	reclaim_script.pages = 8;
	cr_expect_eq(direct_reclaim(), 4);
	cr_expect_eq(asked_for, 8);
	cr_expect_eq(direct_reclaim(), 4);
	cr_expect_eq(direct_reclaim(), 0);
	cr_expect_eq(count_trace(TRACE_DIRECT_RECLAIM, &record), 3);
	cr_expect_eq(record.c, 0);
}

Test(reclaim, progress_can_be_reported_without_a_page)
{
	boot_machine("tiny");
	reclaim_script.calls = 1;
	cr_expect_eq(direct_reclaim(), 1);
}

Test(reclaim, nothing_is_reclaimed_unless_a_script_says_so)
{
	boot_machine("tiny");
	cr_expect_eq(direct_reclaim(), 0);
	cr_expect_not(out_of_memory(&(struct oom_control){ .gfp_mask = GFP_KERNEL }));
}

Test(reclaim, the_oom_killer_kills_as_often_as_the_script_says)
{
	struct oom_control oc = { .gfp_mask = GFP_KERNEL };

	boot_machine("tiny");
	reclaim_release = release_half;
	reclaim_script.oom = OOM_KILLS;
	reclaim_script.oom_calls = 1;
	reclaim_script.oom_pages = 32;
	cr_expect(out_of_memory(&oc));
	cr_expect_eq(asked_for, 32);
	cr_expect_not(out_of_memory(&oc));
	cr_expect_eq(count_trace(TRACE_OOM, NULL), 2);
}

Test(reclaim, nothing_is_killed_for_a_request_that_must_stay_out_of_file_systems)
{
	struct oom_control oc = { .gfp_mask = GFP_NOFS };

	boot_machine("tiny");
	reclaim_release = release_half;
	reclaim_script.oom = OOM_KILLS;
	reclaim_script.oom_calls = 1;
	reclaim_script.oom_pages = 32;
	cr_expect(out_of_memory(&oc));
	cr_expect_eq(asked_for, 0);
}

Test(reclaim, somebody_else_holds_the_oom_lock_as_often_as_the_script_says)
{
	boot_machine("tiny");
	reclaim_script.oom = OOM_BLOCKED;
	reclaim_script.oom_calls = 2;
	cr_expect_not(mutex_trylock(&oom_lock));
	cr_expect_not(mutex_trylock(&oom_lock));
	cr_expect(mutex_trylock(&oom_lock));
}

Test(reclaim, kswapd_wakes_once_until_it_sleeps_again)
{
	struct trace_record record = { 0 };
	struct zone *zone;

	boot_machine("uma-64m");
	zone = normal_zone(0);
	zone->watermark[WMARK_HIGH] = 1000000;
	wakeup_kswapd(zone, 2, ZONE_NORMAL);
	cr_expect_eq(count_trace(TRACE_KSWAPD_WAKE, &record), 1);
	cr_expect_eq(record.d, 1);
	cr_expect_not(NODE_DATA(0)->kswapd_asleep);
	cr_expect_eq(NODE_DATA(0)->kswapd_max_order, 2);
	cr_expect_eq(NODE_DATA(0)->classzone_idx, ZONE_NORMAL);
	wakeup_kswapd(zone, 3, ZONE_DMA);
	cr_expect_eq(count_trace(TRACE_KSWAPD_WAKE, &record), 2);
	cr_expect_eq(record.d, 0);
	cr_expect_eq(NODE_DATA(0)->kswapd_max_order, 3);
	cr_expect_eq(NODE_DATA(0)->classzone_idx, ZONE_DMA);
	kswapd_sleep(NODE_DATA(0));
	cr_expect(NODE_DATA(0)->kswapd_asleep);
	cr_expect_eq(NODE_DATA(0)->kswapd_max_order, 0);
	wakeup_kswapd(zone, 0, ZONE_NORMAL);
	count_trace(TRACE_KSWAPD_WAKE, &record);
	cr_expect_eq(record.d, 1);
}

Test(reclaim, kswapd_of_a_zone_above_its_high_mark_sleeps_on)
{
	struct trace_record record = { 0 };

	boot_machine("uma-64m");
	wakeup_kswapd(normal_zone(0), 0, ZONE_NORMAL);
	cr_expect_eq(count_trace(TRACE_KSWAPD_WAKE, &record), 1);
	cr_expect_eq(record.d, 0);
	cr_expect(NODE_DATA(0)->kswapd_asleep);
}

Test(reclaim, kswapd_of_an_unpopulated_zone_or_a_forbidden_node_is_only_recorded)
{
	struct trace_record record = { 0 };

	boot_machine_with("numa2", SETTINGS({ .key = SETTING_cpusets, .x = 1 }), 1);
	wakeup_kswapd(&NODE_DATA(1)->node_zones[ZONE_MOVABLE], 4, ZONE_NORMAL);
	cr_expect_eq(NODE_DATA(1)->kswapd_max_order, 0);
	set_mems_allowed(current, (nodemask_t){ 1 });
	normal_zone(1)->watermark[WMARK_HIGH] = 1000000;
	wakeup_kswapd(normal_zone(1), 4, ZONE_NORMAL);
	cr_expect_eq(NODE_DATA(1)->kswapd_max_order, 0);
	cr_expect_eq(count_trace(TRACE_KSWAPD_WAKE, &record), 2);
	cr_expect_eq(record.d, 0);
}

/* LOW - MIN of the zone is 12 pages and there are 8 CPUs: the pressure threshold is 12/8, the normal one 2*4. */
Test(reclaim, counters_drift_less_while_kswapd_is_awake)
{
	struct zone *zone;

	boot_machine_with("numa2", SETTINGS({ .key = SETTING_cpus, .x = 8 }), 1);
	zone = normal_zone(0);
	cr_assert_neq(zone->percpu_drift_mark, 0);
	cr_assert_eq(zone->pageset[0].stat_threshold, 8);
	zone->watermark[WMARK_HIGH] = 1000000;
	wakeup_kswapd(zone, 0, ZONE_NORMAL);
	cr_expect_eq(zone->pageset[0].stat_threshold, 1);
	kswapd_sleep(NODE_DATA(0));
	cr_expect_eq(zone->pageset[0].stat_threshold, 8);
}

Test(reclaim, zone_reclaim_says_what_the_script_says)
{
	struct zone *zone;

	boot_machine("numa2");
	zone = normal_zone(0);
	reclaim_script.zone_reclaim = ZONE_RECLAIM_IS_NOSCAN;
	cr_expect_eq(zone_reclaim(zone, GFP_KERNEL, 0), -2);
	reclaim_script.zone_reclaim = ZONE_RECLAIM_IS_FULL;
	cr_expect_eq(zone_reclaim(zone, GFP_KERNEL, 0), -1);
	reclaim_script.zone_reclaim = ZONE_RECLAIM_IS_SOME;
	cr_expect_eq(zone_reclaim(zone, GFP_KERNEL, 0), 0);
	reclaim_script.zone_reclaim = ZONE_RECLAIM_IS_SUCCESS;
	cr_expect_eq(zone_reclaim(zone, GFP_KERNEL, 0), 1);
	cr_expect_eq(count_trace(TRACE_ZONE_RECLAIM, NULL), 4);
}

/* A zone with more page cache than it must keep: then it depends on the caller. */
Test(reclaim, zone_reclaim_by_the_rules)
{
	struct zone *zone;

	boot_machine("numa2");
	reclaim_release = release_half;
	reclaim_script.zone_reclaim_pages = 8;
	zone = normal_zone(0);
	cr_expect_eq(zone_reclaim(zone, GFP_KERNEL, 0), -1, "there is nothing to reclaim");
	mod_zone_page_state(zone, NR_INACTIVE_FILE, 500);
	cr_expect_eq(zone_reclaim(zone, GFP_ATOMIC, 0), -2, "the caller must not wait");
	cr_expect_eq(zone_reclaim(zone, GFP_KERNEL, 2), 1, "4 pages are enough for order 2");
	cr_expect_eq(zone_reclaim(zone, GFP_KERNEL, 3), 0, "4 pages are not enough for order 3");
	cr_expect_eq(vm_event_sum(PGSCAN_ZONE_RECLAIM_FAILED), 1);
	current->flags |= PF_MEMALLOC;
	cr_expect_eq(zone_reclaim(zone, GFP_KERNEL, 0), -2, "the caller is reclaiming already");
	current->flags = 0;
	zone->flags |= 1UL << ZONE_RECLAIM_LOCKED;
	cr_expect_eq(zone_reclaim(zone, GFP_KERNEL, 0), -2, "somebody is here already");
	zone = normal_zone(1);
	mod_zone_page_state(zone, NR_INACTIVE_FILE, 500);
	cr_expect_eq(zone_reclaim(zone, GFP_KERNEL, 0), -2, "the node has a CPU of its own");
	mod_zone_page_state(zone, NR_PAGES_SCANNED, 3000);
	cr_expect_eq(zone_reclaim(zone, GFP_KERNEL, 0), -1, "the zone has been scanned six times over");
}

Test(reclaim, without_numa_zone_reclaim_does_nothing)
{
	boot_machine("uma-64m");
	reclaim_script.zone_reclaim = ZONE_RECLAIM_IS_FULL;
	cr_expect_eq(zone_reclaim(normal_zone(0), GFP_KERNEL, 0), 0);
}

Test(reclaim, compaction_says_what_the_script_says_unless_it_must_refuse)
{
	struct alloc_context ac = { .zonelist = NULL };
	int contended = -1;

	boot_machine("tiny");
	cr_expect_eq(try_to_compact_pages(GFP_KERNEL, 3, 0, &ac, MIGRATE_ASYNC, &contended), COMPACT_SKIPPED);
	cr_expect_eq(contended, 0);
	reclaim_script.compact_result = COMPACT_CONTENDED;
	reclaim_script.compact_contended = COMPACT_CONTENDED_LOCK;
	cr_expect_eq(try_to_compact_pages(GFP_KERNEL, 3, 0, &ac, MIGRATE_ASYNC, &contended), COMPACT_CONTENDED);
	cr_expect_eq(contended, 2);
	cr_expect_eq(try_to_compact_pages(GFP_NOFS, 3, 0, &ac, MIGRATE_ASYNC, &contended), COMPACT_SKIPPED);
	cr_expect_eq(try_to_compact_pages(GFP_KERNEL, 0, 0, &ac, MIGRATE_ASYNC, &contended), COMPACT_SKIPPED);
	cr_expect_eq(contended, 0);
	cr_expect_eq(count_trace(TRACE_DIRECT_COMPACT, NULL), 4);
}

Test(reclaim, a_successful_compaction_is_not_put_off_again)
{
	struct zone *zone;

	boot_machine("tiny");
	zone = normal_zone(0);
	zone->compact_considered = 5;
	zone->compact_defer_shift = 2;
	zone->compact_order_failed = 3;
	compaction_defer_reset(zone, 4, false);
	cr_expect_eq(zone->compact_considered, 5);
	cr_expect_eq(zone->compact_order_failed, 5);
	compaction_defer_reset(zone, 2, true);
	cr_expect_eq(zone->compact_considered, 0);
	cr_expect_eq(zone->compact_defer_shift, 0);
	cr_expect_eq(zone->compact_order_failed, 5);
}

Test(reclaim, compaction_is_worth_it_where_an_order_0_page_would_be_left)
{
	struct zonelist *zonelist;
	struct alloc_context ac;
	struct zone *zone;

	boot_machine("tiny");
	zonelist = node_zonelist(0, GFP_KERNEL);
	ac = (struct alloc_context){ .zonelist = zonelist, .high_zoneidx = ZONE_NORMAL,
				     .preferred_zoneref = zonelist->_zonerefs };
	zone = normal_zone(0);
	cr_expect(compaction_zonelist_suitable(&ac, 3, 0));
	zone->watermark[WMARK_LOW] = 256;
	cr_expect_not(compaction_zonelist_suitable(&ac, 3, 0));
	mod_zone_page_state(zone, NR_INACTIVE_FILE, 3 * 20);
	cr_expect(compaction_zonelist_suitable(&ac, 3, 0), "256 free and 60/3 reclaimable pages exceed 256 + 2*8");
}
