// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_static.c - sizes, watermarks, reserves and zonelists are what the formulas say (specification 30.E).
 * Evaluated when the machine has booted and whenever a tunable was written. Marks that an operation set directly are
 * exempt.
 *
 * Verified: 5, 28, 29 (the thresholds), 35-38.
 */
#include "mm/internal.h"
#include "fuzz/invariant.h"
#include "fuzz/ops.h"
#include "fuzz/view.h"

static unsigned long lowmem_pages(void)
{
	unsigned long pages = 0;
	unsigned int slot;

	for (slot = 0; slot < view_nr_slots(); slot++)
		if (!view_highmem(slot))
			pages += view_managed(slot);
	return pages ? pages : 1;
}

INVARIANT(managed_is_totalram, 5, COST_BOOT, "zone",
	  "the managed pages of all zones are totalram_pages, and a zone manages no more than it has, nor has more than it spans")
{
	unsigned long managed = 0;
	unsigned int slot;

	for (slot = 0; slot < view_nr_slots(); slot++) {
		managed += view_managed(slot);
		inv_require(inv, view_managed(slot) <= view_present(slot) && view_present(slot) <= view_spanned(slot),
			    "zone %s: managed %lu, present %lu, spanned %lu", view_zone_name(slot), view_managed(slot),
			    view_present(slot), view_spanned(slot));
	}
	inv_require(inv, managed == view_totalram(), "managed %lu, totalram_pages %lu", managed, view_totalram());
}

struct marks {
	unsigned long min, low, high;
};

/* Specification 9.2. */
static struct marks expected_marks(unsigned int slot)
{
	unsigned long managed = view_managed(slot);
	unsigned long factor = (unsigned long)view_watermark_scale_factor();
	unsigned long share = ((unsigned long)view_min_free_kbytes() / 4) * managed / lowmem_pages();
	unsigned long distance = managed / 10000 * factor + managed % 10000 * factor / 10000;
	unsigned long min_mark = share;

	if (view_highmem(slot)) {
		min_mark = managed / 1024;
		min_mark = min_mark < 32 ? 32 : min_mark > 128 ? 128 : min_mark;
	}
	if (kernel.watermarks == WATERMARKS_3_16)
		return (struct marks){ min_mark, min_mark + share / 4, min_mark + share / 2 };
	if (distance < share / 4)
		distance = share / 4;
	return (struct marks){ min_mark, min_mark + distance, min_mark + 2 * distance };
}

INVARIANT(watermarks_follow_formula, 35, COST_BOOT, "watermark",
	  "the marks of a zone follow from min_free_kbytes, the scale factor and its share of the managed pages")
{
	unsigned int slot;

	for (slot = 0; slot < view_nr_slots(); slot++) {
		struct marks marks = expected_marks(slot);

		if (ops_marks_forced(slot))
			continue;
		inv_require(inv, view_watermark(slot, WMARK_MIN) == marks.min && view_watermark(slot, WMARK_LOW) == marks.low &&
					 view_watermark(slot, WMARK_HIGH) == marks.high,
			    "zone %s: min %lu low %lu high %lu, expected %lu %lu %lu", view_zone_name(slot),
			    view_watermark(slot, WMARK_MIN), view_watermark(slot, WMARK_LOW),
			    view_watermark(slot, WMARK_HIGH), marks.min, marks.low, marks.high);
	}
}

/* Pages of the zones above `slot` up to `class` on its node, over the ratio of its type. */
static long expected_reserve(unsigned int slot, unsigned int class)
{
	unsigned int type = view_zone_type(slot);
	unsigned long pages = 0;
	long ratio;
	unsigned int t;

	if (class <= type)
		return 0;
	for (t = type + 1; t <= class; t++)
		pages += view_managed(slot - type + t);
	ratio = view_lowmem_reserve_ratio(type);
	return (long)pages / (ratio < 1 ? 1 : ratio);
}

static unsigned long expected_totalreserve(unsigned int slot)
{
	long most = 0;
	unsigned int class;

	for (class = view_zone_type(slot); class < VIEW_ZONE_TYPES; class++)
		if (view_lowmem_reserve(slot, class) > most)
			most = view_lowmem_reserve(slot, class);
	most += (long)view_watermark(slot, WMARK_HIGH);
	return (unsigned long)most < view_managed(slot) ? (unsigned long)most : view_managed(slot);
}

INVARIANT(reserves_follow_formula, 36, COST_BOOT, "watermark",
	  "lowmem_reserve and totalreserve follow from the managed pages, the ratios and the high marks")
{
	unsigned long sum = 0;
	unsigned int slot, class;

	for (slot = 0; slot < view_nr_slots(); slot++) {
		for (class = 0; class < VIEW_ZONE_TYPES; class++) {
			inv_require(inv, view_lowmem_reserve(slot, class) == expected_reserve(slot, class),
				    "zone %s, class %u: reserve %ld, expected %ld", view_zone_name(slot), class,
				    view_lowmem_reserve(slot, class), expected_reserve(slot, class));
		}
		sum += view_zone_totalreserve(slot);
		/* Marks that were set directly did not go into the totals. */
		if (ops_any_marks_forced())
			continue;
		inv_require(inv, view_zone_totalreserve(slot) == expected_totalreserve(slot),
			    "zone %s: totalreserve %lu, expected %lu", view_zone_name(slot), view_zone_totalreserve(slot),
			    expected_totalreserve(slot));
	}
	inv_require(inv, view_totalreserve() == sum, "totalreserve_pages %lu, sum over zones %lu", view_totalreserve(), sum);
}

/* Zones that a list must have: bit for each slot. */
static unsigned long zones_wanted(unsigned int node, bool thisnode)
{
	unsigned long wanted = 0;
	unsigned int slot;

	for (slot = 0; slot < view_nr_slots(); slot++) {
		bool belongs = patched(ZONELIST_PRESENT_PAGES) ? view_populated(slot) : view_managed(slot) != 0;

		if (belongs && (!thisnode || view_zone_node(slot) == node))
			wanted |= 1UL << slot;
	}
	return wanted;
}

static void check_zonelist(struct invariant *inv, unsigned int node, bool thisnode)
{
	unsigned long wanted = zones_wanted(node, thisnode);
	unsigned long seen = 0;
	unsigned int position, slot, index;

	for (position = 0; view_zonelist_entry(node, thisnode, position, &slot, &index); position++) {
		inv_require(inv, index == view_zone_type(slot), "node %u, position %u: index %u for zone %s", node, position,
			    index, view_zone_name(slot));
		inv_require(inv, !(seen >> slot & 1), "node %u, position %u: zone %s again", node, position,
			    view_zone_name(slot));
		seen |= 1UL << slot;
	}
	inv_require(inv, index == 0, "node %u: the sentinel has index %u", node, index);
	inv_require(inv, seen == wanted, "node %u, %s list: %s, expected %s", node,
		    thisnode ? "THISNODE" : "fallback", view_zone_names(seen), view_zone_names(wanted));
}

INVARIANT(zonelists_complete, 37, COST_BOOT, "zonelist",
	  "a fallback list has each populated zone of every online node exactly once, a THISNODE list those of its node")
{
	unsigned int node;

	for (node = 0; node < machine->nr_nodes; node++) {
		check_zonelist(inv, node, false);
		if (machine->numa)
			check_zonelist(inv, node, true);
	}
}

/* Node order: the zones of one node stand together, the own node first, types descending. */
INVARIANT(zonelists_ordered, 38, COST_BOOT, "zonelist",
	  "zone types descend within a node, and the first zone of a list is the own node's if it has the highest type")
{
	unsigned int node, position, slot, index;

	for (node = 0; node < machine->nr_nodes; node++) {
		unsigned int last_type[MACHINE_NODES_MAX];
		unsigned int n;

		for (n = 0; n < MACHINE_NODES_MAX; n++)
			last_type[n] = VIEW_ZONE_TYPES;
		for (position = 0; view_zonelist_entry(node, false, position, &slot, &index); position++) {
			inv_require(inv, index < last_type[view_zone_node(slot)], "node %u, position %u: zone %s after type %u",
				    node, position, view_zone_name(slot), last_type[view_zone_node(slot)]);
			last_type[view_zone_node(slot)] = index;
		}
	}
}

/*
 * Per-CPU lists, specification 9.6.
 */
struct pcp_sizes {
	int high, batch;
};

static struct pcp_sizes expected_pcp_sizes(unsigned int slot)
{
	unsigned long managed = view_managed(slot);
	unsigned long fraction = (unsigned long)view_percpu_pagelist_fraction();
	unsigned long quarter = managed / 1024 < 128 ? managed / 1024 / 4 : 32;
	unsigned long power = 1;
	unsigned long high;

	if (!fraction) {
		quarter = quarter ? quarter : 1;
		while (power * 2 <= quarter + quarter / 2)
			power *= 2;
		return (struct pcp_sizes){ (int)(6 * (power - 1)), power > 2 ? (int)power - 1 : 1 };
	}
	high = managed / fraction;
	quarter = high / 4 > 96 ? 96 : high / 4;
	return (struct pcp_sizes){ (int)high, quarter ? (int)quarter : 1 };
}

INVARIANT(pcp_sizes_follow_formula, 28, COST_BOOT, "pcp",
	  "high and batch of the per-CPU lists follow from the managed pages and the fraction")
{
	unsigned int slot, cpu;

	for (slot = 0; slot < view_nr_slots(); slot++) {
		struct pcp_sizes sizes = expected_pcp_sizes(slot);

		for (cpu = 0; view_populated(slot) && cpu < machine->nr_cpus; cpu++) {
			inv_require(inv, view_pcp_high(slot, cpu) == sizes.high && view_pcp_batch(slot, cpu) == sizes.batch,
				    "zone %s, CPU %u: high %d, batch %d, expected %d and %d", view_zone_name(slot), cpu,
				    view_pcp_high(slot, cpu), view_pcp_batch(slot, cpu), sizes.high, sizes.batch);
		}
	}
}

/* The number of the highest bit, from 1; 0 for 0. */
static int bits_of(unsigned long x)
{
	return x ? 64 - __builtin_clzl(x) : 0;
}

/* Specification 10.4; nothing refreshes them when the marks change (Q12). */
static int normal_threshold(unsigned int slot)
{
	int threshold = 2 * bits_of(machine->nr_cpus) * (1 + bits_of(view_managed(slot) >> (27 - MACHINE_PAGE_SHIFT)));

	return threshold < 125 ? threshold : 125;
}

INVARIANT(thresholds_follow_formula, 29, COST_BOOT, "vmstat",
	  "the thresholds of the deltas follow from the CPUs and the managed pages, lower ones while kswapd is awake")
{
	unsigned int slot, cpu;

	inv_counts_if(machine->smp);
	for (slot = 0; slot < view_nr_slots(); slot++) {
		bool lowered = view_thresholds_move(slot) && !view_kswapd_asleep(view_zone_node(slot));

		for (cpu = 0; view_populated(slot) && cpu < machine->nr_cpus; cpu++) {
			int wanted = machine->smp ? normal_threshold(slot) : 0;
			int threshold = view_cpu_threshold(slot, cpu);

			inv_require(inv, lowered ? threshold >= 1 && threshold <= 125 : threshold == wanted,
				    "zone %s, CPU %u: threshold %d, expected %d", view_zone_name(slot), cpu, threshold, wanted);
		}
	}
}
