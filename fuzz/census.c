// SPDX-License-Identifier: GPL-2.0
/*
 * census.c - the counts of census.h. They live in the arena, so a restore brings them back with everything else.
 *
 * A list head is known by its arena offset; a table that never changes after the boot says which list that is.
 */
#include "fuzz/census_look.h"
#include "finding.h"
#include "host.h"

__world static struct zone_census *zones[VIEW_SLOTS_MAX];
__world struct list_place *census_places;

/* Not part of the world: written anew by each update. */
struct census_step census_step;
static unsigned long step_capacity;

static void add_place(const struct list_head *head, struct list_place place)
{
	unsigned int offset = world_arena_offset(head);

	CHECK(offset, "a list head of zone slot %u is not in the arena", place.slot);
	census_places[offset] = place;
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

/* Some blocks or pages came to a list, or left it. */
static void count(struct zone_census *census, struct list_place place, long nr)
{
	if (place.kind == LIST_FREE) {
		census->blocks[place.which][place.type] += (unsigned int)nr;
		census->blocks_of_order[place.which] += (unsigned long)nr;
		census->pages_of_type[place.type] += (unsigned long)nr << place.which;
		census->listed_pages += (unsigned long)nr << place.which;
	} else {
		census->pcp[place.which][place.type] += (unsigned int)nr;
		census->pcp_of_cpu[place.which] += (unsigned int)nr;
		census->pcp_pages += (unsigned long)nr;
	}
}

static struct list_place place_of(enum list_kind kind, unsigned int slot, unsigned int which, unsigned int type)
{
	return (struct list_place){ kind, (unsigned char)slot, (unsigned char)which, (unsigned char)type };
}

static void count_zone(unsigned int slot, struct zone_census *census)
{
	unsigned int i, type;

	memset(census, 0, sizeof(*census));
	for (i = 0; i < MAX_ORDER; i++)
		for (type = 0; type < MIGRATE_TYPES; type++)
			count(census, place_of(LIST_FREE, slot, i, type), walk_free_list(slot, i, type));
	for (i = 0; i < machine->nr_cpus; i++)
		for (type = 0; type < MIGRATE_PCPTYPES; type++)
			count(census, place_of(LIST_PCP, slot, i, type), walk_pcp_list(slot, i, type));
}

/* Room for every descriptor of the largest machine, backed as far as it is used. */
static void grow_step(unsigned long capacity)
{
	if (capacity <= step_capacity)
		return;
	if (census_step.changes)
		host_unmap(census_step.changes, step_capacity * sizeof(*census_step.changes));
	census_step.changes = host_map(capacity * sizeof(*census_step.changes));
	step_capacity = capacity;
}

void census_boot(void)
{
	struct zone *zone;

	grow_step(nr_vmemmap);
	census_places = world_alloc_immutable(WORLD_ARENA_BYTES / 8 * sizeof(*census_places));
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

struct touched_page census_look(unsigned long pfn)
{
	return census_read(pfn);
}

/* Returns the bit of the zone that a list belongs to; the table knows no other lists. */
static unsigned long count_in_zone(struct list_place place, long nr)
{
	if (place.kind == LIST_NONE)
		return 0;
	count(zones[place.slot], place, nr);
	return 1UL << place.slot;
}

/* What the loop needs stays in registers: each count might be a store to any of it, for all the compiler knows. */
void census_update(void)
{
	const struct list_place *places = census_places;
	struct list_change *change = census_step.changes;
	unsigned long nr = world_nr_touched();
	unsigned int types_taken = 0;
	unsigned long touched = 0;
	unsigned long i;

	for (i = 0; i < nr; i++) {
		unsigned long pfn = world_touched_pfns[i];
		struct page *page = pfn_to_page(pfn);

		if (page->list == page->list_seen)
			continue;
		*change = (struct list_change){ pfn, places[page->list_seen], places[page->list] };
		page->list_seen = page->list;
		touched |= count_in_zone(change->before, -1) | count_in_zone(change->after, 1);
		types_taken |= (unsigned int)(change->before.kind == LIST_FREE) << change->before.type;
		change++;
	}
	census_step.zones = touched;
	census_step.types_taken = types_taken;
	census_step.nr_changes = (unsigned long)(change - census_step.changes);
}

/* A list of its own kind is in nobody's table. */
struct list_place census_place(unsigned long pfn)
{
	unsigned short list = pfn_to_page(pfn)->list;
	struct list_place place = census_place_of(list);

	if (list && place.kind == LIST_NONE)
		place.kind = LIST_OTHER;
	return place;
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
