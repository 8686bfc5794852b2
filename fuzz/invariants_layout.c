// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_layout.c - zones are where the machine's ranges put them, and zonelists are in the order that was asked for
 * (specification 8.1, 8.2, 8.4). Evaluated with those of invariants_static.c.
 *
 * Verified: 5 (where the pages are), 35 (min_free_kbytes), 38 (the order of the setting), 206 (defaults). Not verified: the types of pageblocks after the boot,
 * of which there are as many as there is RAM; the walk looks at them when a program has ended.
 */
#include "mm/internal.h"
#include "fuzz/invariant.h"
#include "fuzz/ops.h"
#include "fuzz/view.h"

/* Frames [start, end). */
struct frames {
	unsigned long start, end;
};

static struct frames common(struct frames a, struct frames b)
{
	struct frames both = { a.start > b.start ? a.start : b.start, a.end < b.end ? a.end : b.end };

	return both.start < both.end ? both : (struct frames){ 0, 0 };
}

/* What a type may have: from the end of the types below it that the machine has. */
static struct frames frames_of_type(unsigned int type)
{
	struct frames limits = { machine->ranges[0].start_pfn, machine->ranges[0].start_pfn };
	unsigned int t;

	for (t = 0; t <= type; t++) {
		limits.start = limits.end;
		if (zone_configured((int)t) && machine->max_zone_pfn[t] > limits.end)
			limits.end = machine->max_zone_pfn[t];
	}
	return limits;
}

static struct frames frames_of_node(unsigned int node)
{
	struct frames all = { 0, 0 };
	unsigned int i;

	for (i = 0; i < machine->nr_ranges; i++) {
		if (machine->ranges[i].node != node)
			continue;
		if (!all.end)
			all.start = machine->ranges[i].start_pfn;
		all.end = machine->ranges[i].end_pfn;
	}
	return all;
}

/* The highest type with frames: what is movable is cut off from it. */
static unsigned int type_that_gives(void)
{
	unsigned int type = ZONE_MOVABLE - 1;

	while (type && frames_of_type(type).start == frames_of_type(type).end)
		type--;
	return type;
}

struct layout {
	struct frames span;
	unsigned long present;
	unsigned long managed;
};

static struct layout layout_of(unsigned int slot)
{
	unsigned int node = view_zone_node(slot), type = view_zone_type(slot), from = type_that_gives();
	unsigned long movable = machine->movable_start_pfn[node];
	struct frames own;
	struct layout layout = { 0 };
	unsigned int i, r;

	layout.span = common(frames_of_node(node), frames_of_type(type == ZONE_MOVABLE ? from : type));
	own = layout.span;
	if (type == ZONE_MOVABLE)
		own = layout.span = common(layout.span, movable ? (struct frames){ movable, ~0UL } : (struct frames){ 0, 0 });
	else if (movable && type == from)
		own = common(layout.span, (struct frames){ 0, movable });
	if (own.start == own.end)
		return (struct layout){ 0 };
	for (i = 0; i < machine->nr_ranges; i++) {
		const struct machine_range *range = &machine->ranges[i];
		struct frames part = common(own, (struct frames){ range->start_pfn, range->end_pfn });

		if (range->node != node)
			continue;
		layout.present += part.end - part.start;
		layout.managed += part.end - part.start;
		for (r = 0; r < machine->nr_reserved; r++) {
			struct frames gone = common(part, (struct frames){ machine->reserved[r].start_pfn,
									   machine->reserved[r].end_pfn });

			layout.managed -= gone.end - gone.start;
		}
	}
	return layout;
}

INVARIANT(zones_follow_ranges, 5, COST_BOOT, "zone",
	  "a zone spans what its node has below the limit of its type, and manages the memory in it that is not reserved")
{
	unsigned int slot;

	for (slot = 0; slot < view_nr_slots(); slot++) {
		struct layout layout = layout_of(slot);

		inv_require(inv, view_present(slot) == layout.present && view_managed(slot) == layout.managed,
			    "zone %s: present %lu, managed %lu, expected %lu and %lu", view_zone_name(slot), view_present(slot),
			    view_managed(slot), layout.present, layout.managed);
		inv_require(inv, view_spanned(slot) == layout.span.end - layout.span.start,
			    "zone %s: spans %lu frames, expected %lu", view_zone_name(slot), view_spanned(slot),
			    layout.span.end - layout.span.start);
		inv_require(inv, !layout.present || view_start_pfn(slot) == layout.span.start,
			    "zone %s: from frame %#lx, expected %#lx", view_zone_name(slot), view_start_pfn(slot),
			    layout.span.start);
	}
}

/* The first and the last frame of each range stand for all. */
INVARIANT(reserved_frames_in_use, 5, COST_BOOT, "zone", "a reserved frame has one reference and is marked reserved")
{
	unsigned int i, end;

	for (i = 0; i < machine->nr_reserved; i++) {
		for (end = 0; end < 2; end++) {
			unsigned long pfn = end ? machine->reserved[i].end_pfn - 1 : machine->reserved[i].start_pfn;

			if (machine->reserved[i].start_pfn >= machine->reserved[i].end_pfn || !physmem_present(pfn))
				continue;
			inv_require(inv, PageReserved(pfn_to_page(pfn)) && view_page(pfn).refcount == 1,
				    "frame %#lx: reserved %d, reference count %d", pfn, PageReserved(pfn_to_page(pfn)),
				    view_page(pfn).refcount);
		}
	}
}

/* Specification 28.3: one percent of what is left beside the descriptors, and five. */
INVARIANT(zone_reclaim_floors, 35, COST_BOOT, "zone",
	  "zone reclaim leaves a percent of a zone's memory to mapped files and five percent to slabs")
{
	unsigned int slot;

	for (slot = 0; machine->numa && slot < view_nr_slots(); slot++) {
		const struct zone *zone = physmem_zone_in_slot(slot);
		unsigned long present = view_present(slot);
		unsigned long described = view_spanned(slot) > present + present / 16 ? present : view_spanned(slot);
		unsigned long map = (described * machine->struct_page_bytes + PAGE_SIZE - 1) / PAGE_SIZE;
		unsigned long size = view_highmem(slot) || map > present ? present : present - map;

		inv_require(inv, zone->min_unmapped_pages == size / 100 && zone->min_slab_pages == size * 5 / 100,
			    "zone %s: %lu and %lu of %lu pages", view_zone_name(slot), zone->min_unmapped_pages,
			    zone->min_slab_pages, size);
	}
}

/* By zone a type ends on every node before the next lower one begins; by node a node ends before another begins. */
INVARIANT(zonelists_in_asked_order, 38, COST_BOOT, "zonelist",
	  "with NUMA the fallback lists go from type to type, or from node to node with the own one first, as the setting says")
{
	bool by_zone = ops_zonelist_order() == 'z';
	unsigned int node, position, slot, index;

	for (node = 0; machine->numa && node < machine->nr_nodes; node++) {
		unsigned int last_node = node, last_type = VIEW_ZONE_TYPES;
		unsigned int left = 0;

		for (position = 0; view_zonelist_entry(node, false, position, &slot, &index); position++) {
			unsigned int at = view_zone_node(slot);

			if (by_zone) {
				inv_require(inv, index <= last_type, "node %u, position %u: zone %s after type %u", node, position,
					    view_zone_name(slot), last_type);
				last_type = index;
				continue;
			}
			if (at != last_node)
				left |= 1U << last_node;
			inv_require(inv, !(left >> at & 1), "node %u, position %u: zone %s, but its node was left before",
				    node, position, view_zone_name(slot));
			last_node = at;
		}
	}
}

/* Specification 8.4: a node without CPUs, and then one after the own, is nearer. The load of nodes decides among equals. */
static unsigned int farness(unsigned int from, unsigned int to)
{
	unsigned int cpu;
	bool has_cpus = false;

	if (from == to)
		return 0;
	for (cpu = 0; cpu < machine->nr_cpus; cpu++)
		has_cpus |= machine->cpu_node[cpu] == to;
	return machine->distance[from][to] + (to < from) + has_cpus;
}

static bool node_has_memory(unsigned int node)
{
	unsigned int slot;

	for_each_slot_of(slot, view_populated_slots())
		if (view_zone_node(slot) == node)
			return true;
	return false;
}

/* Specification 6.2: the own node, then the nearest with memory; among equals the one with the least load, then the first. */
static unsigned int next_node(unsigned int from, unsigned int used, const unsigned int *load)
{
	unsigned int node, best = machine->nr_nodes;

	if (!(used >> from & 1))
		return from;
	for (node = 0; node < machine->nr_nodes; node++) {
		if ((used >> node & 1) || !node_has_memory(node))
			continue;
		if (best == machine->nr_nodes || farness(from, node) < farness(from, best) ||
		    (farness(from, node) == farness(from, best) && load[node] < load[best]))
			best = node;
	}
	return best;
}

/* The place of each node in the order of one of them, which also puts a load on the first of each distance. */
static void rank_nodes(unsigned int from, unsigned int *rank, unsigned int *load)
{
	unsigned int used = 0, nr = 0, previous = from, node;

	while ((node = next_node(from, used, load)) < machine->nr_nodes) {
		if (machine->distance[from][node] != machine->distance[from][previous])
			load[node] = machine->nr_nodes - nr;
		previous = node;
		used |= 1U << node;
		rank[node] = nr++;
	}
}

INVARIANT(zonelists_nearest_first, 38, COST_BOOT, "zonelist",
	  "with NUMA a fallback list, or the part of it with zones of one type, goes from the nearest node to the farthest")
{
	unsigned int load[MACHINE_NODES_MAX] = { 0 }, rank[MACHINE_NODES_MAX] = { 0 };
	unsigned int node, position, slot, index;

	for (node = 0; machine->numa && node < machine->nr_nodes; node++) {
		unsigned int last = node, last_type = VIEW_ZONE_TYPES;

		rank_nodes(node, rank, load);
		for (position = 0; view_zonelist_entry(node, false, position, &slot, &index); position++) {
			unsigned int at = view_zone_node(slot), type = view_zone_type(slot);
			bool begins = ops_zonelist_order() == 'z' && type != last_type;

			inv_require(inv, begins || rank[at] >= rank[last], "node %u, position %u: node %u after node %u", node,
				    position, at, last);
			last = at;
			last_type = type;
		}
	}
}

/*
 * Tunables that nobody wrote.
 */
INVARIANT(defaults_are_kernels, 206, COST_BOOT, "sysctl",
	  "a tunable of writeback that nobody wrote is what the kernel starts with")
{
	if (ops_vm_tunables_written())
		return;
	inv_require(inv, vm_dirty_ratio == 20 && dirty_background_ratio == 10 && !vm_dirty_bytes && !dirty_background_bytes,
		    "dirty_ratio %d, background %d, bytes %lu and %lu", vm_dirty_ratio, dirty_background_ratio,
		    vm_dirty_bytes, dirty_background_bytes);
	inv_require(inv, dirty_writeback_interval == 500 && dirty_expire_interval == 3000, "intervals %u and %u centiseconds",
		    dirty_writeback_interval, dirty_expire_interval);
	inv_require(inv, !vm_highmem_is_dirtyable && !laptop_mode, "highmem_is_dirtyable %d, laptop_mode %d",
		    vm_highmem_is_dirtyable, laptop_mode);
}

static unsigned long root(unsigned long square)
{
	unsigned long root = 0;
	unsigned long bit;

	for (bit = 1UL << 31; bit; bit >>= 1)
		if ((root + bit) * (root + bit) <= square)
			root += bit;
	return root;
}

/* The marks are not set yet when it is computed, so that nothing is taken off. */
INVARIANT(min_free_follows_ram, 35, COST_BOOT, "watermark",
	  "min_free_kbytes is four times the root of the kilobytes of low memory, 128 to 65536, unless somebody says otherwise")
{
	unsigned long kbytes = 0;
	unsigned int slot;

	if (ops_min_free_written() || machine->min_free_kbytes >= 0)
		return;
	for (slot = 0; slot < view_nr_slots(); slot++)
		if (view_zone_type(slot) <= ZONE_NORMAL)
			kbytes += view_managed(slot) * (PAGE_SIZE / 1024);
	kbytes = root(16 * kbytes);
	kbytes = kbytes < 128 ? 128 : kbytes > 65536 ? 65536 : kbytes;
	inv_require(inv, view_min_free_kbytes() == (int)kbytes, "%d, expected %lu", view_min_free_kbytes(), kbytes);
}
