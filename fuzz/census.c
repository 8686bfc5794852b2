// SPDX-License-Identifier: GPL-2.0
/*
 * census.c - the counts of census.h. They live in the arena, so a restore brings them back with everything else.
 *
 * A list head is known by its arena offset; a table that never changes after the boot says which list that is.
 */
#include <linux/mm.h>
#include "fuzz/census.h"
#include "finding.h"
#include "host.h"

__world static struct zone_census *zones[VIEW_SLOTS_MAX];
__world static struct list_place *places;    /* by arena offset */
__world static unsigned int nr_places;
__world static unsigned long touched_zones;

/* Not part of the world: written anew by each update. */
static struct touched_page *touched;
static unsigned long touched_capacity;
const struct touched_page *census_touched;
unsigned long census_nr_touched;

static void add_place(const struct list_head *head, struct list_place place)
{
	unsigned int offset = world_arena_offset(head);

	CHECK(offset, "a list head of zone slot %u is not in the arena", place.slot);
	if (offset >= nr_places)
		nr_places = offset + 1;
	places[offset] = place;
}

static void add_zone_places(struct zone *zone)
{
	int cpu, order, type;

	for (order = 0; order < MAX_ORDER; order++)
		for (type = 0; type < MIGRATE_TYPES; type++)
			add_place(&zone->free_area[order].free_list[type],
				  (struct list_place){ LIST_FREE, zone->slot, (unsigned char)order,
						       (unsigned char)type });
	for_each_possible_cpu(cpu)
		for (type = 0; type < MIGRATE_PCPTYPES; type++)
			add_place(&per_cpu_ptr(zone->pageset, cpu)->pcp.lists[type],
				  (struct list_place){ LIST_PCP, zone->slot, (unsigned char)cpu,
						       (unsigned char)type });
}

static unsigned int walk_free_list(unsigned int slot, unsigned int order, unsigned int type)
{
	unsigned int blocks = 0;
	unsigned long pfn;

	for (pfn = view_first_block(slot, order, type); pfn != VIEW_NO_PFN;
	     pfn = view_next_block(pfn, slot, order, type))
		blocks++;
	return blocks;
}

static unsigned int walk_pcp_list(unsigned int slot, unsigned int cpu, unsigned int type)
{
	unsigned int pages = 0;
	unsigned long pfn;

	for (pfn = view_first_pcp_page(slot, cpu, type); pfn != VIEW_NO_PFN;
	     pfn = view_next_pcp_page(pfn, slot, cpu, type))
		pages++;
	return pages;
}

static void count_zone(unsigned int slot, struct zone_census *census)
{
	unsigned int cpu, order, type;

	memset(census, 0, sizeof(*census));
	for (order = 0; order < MAX_ORDER; order++) {
		for (type = 0; type < MIGRATE_TYPES; type++) {
			census->blocks[order][type] = walk_free_list(slot, order, type);
			census->listed_pages += (unsigned long)census->blocks[order][type] << order;
		}
	}
	for (cpu = 0; cpu < machine->nr_cpus; cpu++) {
		for (type = 0; type < MIGRATE_PCPTYPES; type++) {
			census->pcp[cpu][type] = walk_pcp_list(slot, cpu, type);
			census->pcp_pages += census->pcp[cpu][type];
		}
	}
}

/* Room for every descriptor of the largest machine, backed as far as it is used. */
static void grow_touched(unsigned long capacity)
{
	if (capacity <= touched_capacity)
		return;
	if (touched)
		host_unmap(touched, touched_capacity * sizeof(*touched));
	touched = host_map(capacity * sizeof(*touched));
	touched_capacity = capacity;
	census_touched = touched;
}

void census_boot(void)
{
	struct zone *zone;

	grow_touched(nr_vmemmap);
	places = world_alloc_immutable(WORLD_ARENA_BYTES / 8 * sizeof(*places));
	for_each_populated_zone(zone) {
		zones[zone->slot] = world_alloc(sizeof(struct zone_census));
		add_zone_places(zone);
		count_zone(zone->slot, zones[zone->slot]);
	}
}

const struct zone_census *census_zone(unsigned int slot)
{
	return zones[slot];
}

static struct list_place place_of_list(unsigned int list)
{
	static const struct list_place none = { LIST_NONE, 0, 0, 0 };
	static const struct list_place other = { LIST_OTHER, 0, 0, 0 };

	if (!list)
		return none;
	return list < nr_places && places[list].kind ? places[list] : other;
}

static void count_change(struct list_place place, int by)
{
	struct zone_census *census = zones[place.slot];

	if (place.kind == LIST_FREE) {
		census->blocks[place.which][place.type] += (unsigned int)by;
		census->listed_pages += (unsigned long)by << place.which;
	} else if (place.kind == LIST_PCP) {
		census->pcp[place.which][place.type] += (unsigned int)by;
		census->pcp_pages += (unsigned long)(long)by;
	}
}

static bool linked_both_ways(const struct list_head *node)
{
	/* A node that was never on a list, or left it, has no neighbours to ask. */
	if (list_link_is_broken(node->next) || list_link_is_broken(node->prev))
		return false;
	return node->next->prev == node && node->prev->next == node;
}

static struct touched_page look(const struct page *page, struct list_place place)
{
	unsigned long pfn = page_to_pfn(page);

	return (struct touched_page){
		.pfn = pfn,
		.place = place,
		.slot = (unsigned char)view_slot_of_pfn(pfn),
		.buddy = PageBuddy(page),
		.linked = linked_both_ways(&page->lru),
		.order = (unsigned int)page_private(page),
		.refcount = page_ref_count(page),
		.mapcount = page_mapcount_raw(page),
		.index = page->index,
	};
}

struct touched_page census_look(unsigned long pfn)
{
	const struct page *page = pfn_to_page(pfn);

	return look(page, place_of_list(page->list));
}

static unsigned long zone_bit(struct list_place place)
{
	return place.kind == LIST_FREE || place.kind == LIST_PCP ? 1UL << place.slot : 0;
}

void census_update(void)
{
	unsigned long nr = world_nr_touched();
	unsigned long i;

	touched_zones = 0;
	census_nr_touched = 0;
	for (i = 0; i < nr; i++) {
		struct page *page = world_touched(i);
		struct list_place place = place_of_list(page->list);

		if (page->list != page->list_seen) {
			struct list_place before = place_of_list(page->list_seen);

			count_change(before, -1);
			count_change(place, 1);
			page->list_seen = page->list;
			touched_zones |= zone_bit(before) | zone_bit(place);
		}
		if (place.kind != LIST_NONE || PageBuddy(page))
			touched[census_nr_touched++] = look(page, place);
	}
}

unsigned long census_touched_zones(void)
{
	return touched_zones;
}

struct list_place census_place(unsigned long pfn)
{
	return place_of_list(pfn_to_page(pfn)->list);
}

static char difference[160];

static const char *say(const char *format, ...)
{
	__builtin_va_list arguments;

	__builtin_va_start(arguments, format);
	host_format(difference, sizeof(difference), format, arguments);
	__builtin_va_end(arguments);
	return difference;
}

static const char *compare_zone(unsigned int slot, const struct zone_census *walked)
{
	const struct zone_census *kept = zones[slot];
	unsigned int cpu, order, type;

	for (order = 0; order < MAX_ORDER; order++)
		for (type = 0; type < MIGRATE_TYPES; type++)
			if (kept->blocks[order][type] != walked->blocks[order][type])
				return say("zone %s, order %u, %s: the list has %u blocks, the census says %u",
					   view_zone_name(slot), order, migratetype_names[type],
					   walked->blocks[order][type], kept->blocks[order][type]);
	for (cpu = 0; cpu < machine->nr_cpus; cpu++)
		for (type = 0; type < MIGRATE_PCPTYPES; type++)
			if (kept->pcp[cpu][type] != walked->pcp[cpu][type])
				return say("zone %s, CPU %u, %s: the list has %u pages, the census says %u",
					   view_zone_name(slot), cpu, migratetype_names[type],
					   walked->pcp[cpu][type], kept->pcp[cpu][type]);
	return NULL;
}

const char *census_walk(void)
{
	struct zone_census walked;
	unsigned int slot;

	for (slot = 0; slot < view_nr_slots(); slot++) {
		const char *found;

		if (!zones[slot])
			continue;
		count_zone(slot, &walked);
		found = compare_zone(slot, &walked);
		if (found)
			return found;
	}
	return NULL;
}
