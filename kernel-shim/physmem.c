// SPDX-License-Identifier: GPL-2.0
/*
 * physmem.c - which zone a frame belongs to: a byte for each section, and the ranges behind it.
 *
 *   section    |   0   |   1   |   2   |   3   |        N = one zone from its first frame on
 *   frames     |NNNNNNN|NNNN...|.......|..NNNMM|        0 = no memory
 *   byte       |   N   |   N   |   0   | mixed |        mixed = look at the ranges
 *
 * The hole at the end of section 1 counts as the zone below it.
 */
#include <linux/kernel.h>
#include <linux/mmzone.h>
#include "finding.h"
#include "physmem.h"

_Static_assert(MAX_ORDER_NR_PAGES == 1UL << PHYSMEM_SECTION_ORDER, "no free block crosses a section");
_Static_assert(MACHINE_NODES_MAX * MACHINE_ZONES_MAX + 1 < PHYSMEM_MIXED, "a slot fits in a byte");

#define SECTION_PAGES (1UL << PHYSMEM_SECTION_ORDER)

__world struct physmem *physmem;
__world unsigned long physmem_end_pfn;

/* Index of the first range that ends above pfn; nr_ranges if none does. */
static unsigned int first_range_above(unsigned long pfn)
{
	unsigned int low = 0;
	unsigned int high = physmem->nr_ranges;

	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (physmem->ranges[middle].end_pfn > pfn)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

bool physmem_present(unsigned long pfn)
{
	unsigned int i;

	if (!pfn_valid(pfn))
		return false;
	i = first_range_above(pfn);
	return i < physmem->nr_ranges && physmem->ranges[i].start_pfn <= pfn;
}

struct zone *physmem_range(unsigned int number, unsigned long *start_pfn, unsigned long *end_pfn)
{
	if (!physmem || number >= physmem->nr_ranges)
		return NULL;
	*start_pfn = physmem->ranges[number].start_pfn;
	*end_pfn = physmem->ranges[number].end_pfn;
	return physmem->zones[physmem->ranges[number].number];
}

/* The zone of a range if that lies (partly) in the section of pfn, else NULL. */
static struct zone *range_zone_in_section(unsigned int i, unsigned long pfn)
{
	unsigned long section = round_down(pfn, SECTION_PAGES);
	const struct physmem_range *range = &physmem->ranges[i];

	if (i >= physmem->nr_ranges || range->end_pfn <= section || range->start_pfn >= section + SECTION_PAGES)
		return NULL;
	return physmem->zones[range->number];
}

/* A frame in a hole is linked to the zone that spans it, as Linux initialises descriptors by span. */
struct zone *physmem_zone_in_mixed(unsigned long pfn)
{
	unsigned int i = first_range_above(pfn);
	struct zone *above = range_zone_in_section(i, pfn);
	struct zone *below = i ? range_zone_in_section(i - 1, pfn) : NULL;

	if (above && physmem->ranges[i].start_pfn <= pfn)
		return above;
	if (above && zone_spans_pfn(above, pfn) && !(below && zone_spans_pfn(below, pfn)))
		return above;
	return below;
}

/* What the ranges say of the section that starts at pfn. */
static unsigned char section_content(unsigned long start_pfn)
{
	unsigned int i = first_range_above(start_pfn);
	unsigned int number;

	if (i == physmem->nr_ranges || physmem->ranges[i].start_pfn >= start_pfn + SECTION_PAGES)
		return 0;
	if (physmem->ranges[i].start_pfn > start_pfn)
		return PHYSMEM_MIXED;
	number = physmem->ranges[i].number;
	for (; i < physmem->nr_ranges && physmem->ranges[i].start_pfn < start_pfn + SECTION_PAGES; i++)
		if (physmem->ranges[i].number != number)
			return PHYSMEM_MIXED;
	return (unsigned char)number;
}

static void insert_range(struct physmem_range range)
{
	unsigned int i = physmem->nr_ranges++;

	for (; i && physmem->ranges[i - 1].start_pfn > range.start_pfn; i--)
		physmem->ranges[i] = physmem->ranges[i - 1];
	physmem->ranges[i] = range;
}

void physmem_add_zone(struct zone *zone)
{
	if (!physmem) {
		physmem = world_alloc_immutable(sizeof(*physmem) + (nr_vmemmap >> PHYSMEM_SECTION_ORDER));
		physmem_end_pfn = nr_vmemmap;
	}
	CHECK(zone->slot + 1U < ARRAY_SIZE(physmem->zones), "slot %u", zone->slot);
	physmem->zones[zone->slot + 1] = zone;
}

void physmem_add_range(const struct zone *zone, unsigned long start_pfn, unsigned long end_pfn)
{
	unsigned int number = zone->slot + 1U;
	unsigned long first;
	unsigned long last;

	if (start_pfn == end_pfn)
		return;
	CHECK(start_pfn < end_pfn && end_pfn <= physmem_end_pfn, "frames %#lx-%#lx of %#lx", start_pfn, end_pfn,
	      physmem_end_pfn);
	CHECK(physmem->nr_ranges < PHYSMEM_RANGES_MAX, "%u ranges", physmem->nr_ranges);
	insert_range((struct physmem_range){ start_pfn, end_pfn, number });

	first = start_pfn >> PHYSMEM_SECTION_ORDER;
	last = (end_pfn - 1) >> PHYSMEM_SECTION_ORDER;
	if (last - first > 1)
		memset(&physmem->sections[first + 1], (int)number, last - first - 1);
	physmem->sections[first] = section_content(first << PHYSMEM_SECTION_ORDER);
	physmem->sections[last] = section_content(last << PHYSMEM_SECTION_ORDER);
}
