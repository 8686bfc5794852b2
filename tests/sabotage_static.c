// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_static.c - what a boot and its tunables have computed is watched (fuzz/invariants_static.c). It is judged
 * again after each write of a tunable; each of these writes one that the broken number does not depend on.
 */
#include "tests/sabotage.h"

#define WRITE_RATIO "sysctl(name=lowmem_reserve_ratio, index=DMA, value=64)\n"
#define WRITE_MIN "sysctl(name=min_free_kbytes, index=DMA, value=600)\n"

static void lower_a_mark(struct trace_record *record, unsigned int number)
{
	zone_number(ZONE_NORMAL)->watermark[WMARK_LOW]--;
}

Test(sabotage_static, a_mark_that_does_not_follow)
{
	expect_invariant("watermarks_follow_formula", (struct sabotage){ .program = "machine preset=uma-64m\n" WRITE_RATIO,
									 .at = TRACE_OP,
									 .breaks = lower_a_mark,
									 .report = "zone Normal: min 192 low 239 high 288, expected 192 240 288" });
}

static void reserve_one_more(struct trace_record *record, unsigned int number)
{
	zone_number(ZONE_DMA)->lowmem_reserve[ZONE_NORMAL]++;
}

Test(sabotage_static, a_reserve_that_does_not_follow)
{
	expect_invariant("reserves_follow_formula", (struct sabotage){ .program = "machine preset=uma-64m\n" WRITE_MIN,
								       .at = TRACE_OP,
								       .breaks = reserve_one_more,
								       .report = "zone DMA, class 2: reserve 49, expected 48" });
}

static void add_ram(struct trace_record *record, unsigned int number)
{
	totalram_pages++;
}

Test(sabotage_static, ram_that_no_zone_manages)
{
	expect_invariant("managed_is_totalram", (struct sabotage){ .program = "machine preset=uma-64m\n" WRITE_MIN,
								   .at = TRACE_OP,
								   .breaks = add_ram });
}

static void forget_a_zone(struct trace_record *record, unsigned int number)
{
	struct zoneref *zonerefs = NODE_DATA(0)->node_zonelists[ZONELIST_FALLBACK]._zonerefs;

	zonerefs[1] = (struct zoneref){ NULL, 0 };
}

Test(sabotage_static, a_zone_that_no_list_has)
{
	expect_invariant("zonelists_complete", (struct sabotage){ .program = "machine preset=uma-64m\n" WRITE_MIN,
								  .at = TRACE_OP,
								  .breaks = forget_a_zone });
}

static void swap_two_zones(struct trace_record *record, unsigned int number)
{
	struct zoneref *zonerefs = NODE_DATA(0)->node_zonelists[ZONELIST_FALLBACK]._zonerefs;
	struct zoneref first = zonerefs[0];

	zonerefs[0] = zonerefs[1];
	zonerefs[1] = first;
}

Test(sabotage_static, a_list_that_begins_with_the_lower_zone)
{
	expect_invariant("zonelists_ordered", (struct sabotage){ .program = "machine preset=uma-64m\n" WRITE_MIN,
								 .at = TRACE_OP,
								 .breaks = swap_two_zones });
}

static void raise_high(struct trace_record *record, unsigned int number)
{
	per_cpu_ptr(zone_number(ZONE_NORMAL)->pageset, 0)->pcp.high++;
}

Test(sabotage_static, a_per_cpu_list_of_another_size)
{
	expect_invariant("pcp_sizes_follow_formula", (struct sabotage){ .program = "machine preset=uma-64m\n" WRITE_MIN,
									.at = TRACE_OP,
									.breaks = raise_high,
									.report = "zone Normal, CPU 0: high 19, batch 3, expected 18 and 3" });
}

static void raise_a_threshold(struct trace_record *record, unsigned int number)
{
	per_cpu_ptr(zone_number(ZONE_NORMAL)->pageset, 0)->stat_threshold++;
}

Test(sabotage_static, a_threshold_that_does_not_follow)
{
	expect_invariant("thresholds_follow_formula", (struct sabotage){ .program = "machine preset=numa2\n" WRITE_MIN,
									 .at = TRACE_OP,
									 .breaks = raise_a_threshold });
}
