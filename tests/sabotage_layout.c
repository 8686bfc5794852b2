// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_layout.c - where zones are, and what tunables begin with, is watched (fuzz/invariants_layout.c). It is judged
 * again after each write of a tunable of the allocator; each of these writes one that the broken number does not depend on.
 */
#include "tests/sabotage.h"

#define WRITE "sysctl(name=lowmem_reserve_ratio, index=DMA, value=64)\n"
#define UMA "machine preset=uma-64m\n" WRITE
#define NUMA "machine preset=numa2\n" WRITE

static void lose_a_frame(struct trace_record *record, unsigned int number)
{
	zone_number(ZONE_NORMAL)->present_pages++;
	zone_number(ZONE_NORMAL)->spanned_pages++;
}

Test(sabotage_layout, a_zone_with_a_frame_too_many)
{
	expect_invariant("zones_follow_ranges", (struct sabotage){ .program = UMA, .at = TRACE_OP, .breaks = lose_a_frame });
}

static void use_a_reserved_frame(struct trace_record *record, unsigned int number)
{
	reference(pfn_to_page(machine->reserved[0].start_pfn), 0);
}

Test(sabotage_layout, a_reserved_frame_that_nobody_holds)
{
	expect_invariant("reserved_frames_in_use",
			 (struct sabotage){ .program = UMA, .at = TRACE_OP, .breaks = use_a_reserved_frame });
}

static void raise_a_floor(struct trace_record *record, unsigned int number)
{
	zone_number(ZONE_NORMAL)->min_slab_pages++;
}

Test(sabotage_layout, a_floor_of_zone_reclaim_that_does_not_follow)
{
	expect_invariant("zone_reclaim_floors", (struct sabotage){ .program = NUMA, .at = TRACE_OP, .breaks = raise_a_floor });
}

/* Normal and DMA of node 0, Normal of node 1: the last two change places. */
static void mix_two_nodes(struct trace_record *record, unsigned int number)
{
	struct zoneref *zonerefs = NODE_DATA(0)->node_zonelists[ZONELIST_FALLBACK]._zonerefs;
	struct zoneref second = zonerefs[1];

	zonerefs[1] = zonerefs[2];
	zonerefs[2] = second;
}

Test(sabotage_layout, a_list_that_comes_back_to_a_node)
{
	expect_invariant("zonelists_in_asked_order",
			 (struct sabotage){ .program = NUMA,
					    .at = TRACE_OP,
					    .breaks = mix_two_nodes,
					    .then = { "zonelists_nearest_first" } });
}

static void dirty_more(struct trace_record *record, unsigned int number)
{
	vm_dirty_ratio = 21;
}

Test(sabotage_layout, a_default_that_nobody_asked_for)
{
	expect_invariant("defaults_are_kernels", (struct sabotage){ .program = UMA, .at = TRACE_OP, .breaks = dirty_more });
}

static void keep_more_free(struct trace_record *record, unsigned int number)
{
	min_free_kbytes += 4;
	setup_per_zone_wmarks();
}

Test(sabotage_layout, a_minimum_that_does_not_follow)
{
	expect_invariant("min_free_follows_ram",
			 (struct sabotage){ .program = UMA, .at = TRACE_OP, .breaks = keep_more_free });
}
