// SPDX-License-Identifier: GPL-2.0
/*
 * ops_misuse.c - what no caller may do: wild writes into descriptors, double frees, frees of another order, requests that
 * make no sense. Each acts only in a run that allows misuse, and says what it has damaged (exec.h): the ledger follows
 * what the program claims, not what became of the pages.
 */
#include "mm/internal.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"
#include "fuzz/ops.h"

static void note_damage(enum damage damage)
{
	exec_state.damage = max(exec_state.damage, damage);
}

static bool misuse_allowed(void)
{
	if (!exec_state.misuse_allowed)
		exec_skip(SKIP_MISUSE);
	return exec_state.misuse_allowed;
}

/*
 * Descriptors.
 */
enum { WHERE_HELD, WHERE_FREE, WHERE_PCP };
enum { FIELD_LOCKED, FIELD_DIRTY, FIELD_HWPOISON, FIELD_MAPPING, FIELD_MAPCOUNT, FIELD_REFCOUNT, FIELD_PRIVATE,
       FIELD_BUDDY };

#define WILD_MAPPING ((struct address_space *)0x1000)

static struct page *held_target(const struct op *op)
{
	unsigned int entry, end;

	held_resolve(op->args[0], op->element, &entry, &end);
	for (; entry < end; entry++) {
		const struct held_block *block = held_block(entry);

		if (block->live)
			return pfn_to_page(block->pfn + op->args[1] % block->nr_pages);
	}
	return NULL;
}

static struct page *free_target(const struct op *op, struct zone *zone)
{
	unsigned int order = op->args[5];
	int mt;

	for (; order < MAX_ORDER; order++)
		for (mt = 0; mt < MIGRATE_TYPES; mt++)
			if (!list_empty(&zone->free_area[order].free_list[mt]))
				return list_first_entry(&zone->free_area[order].free_list[mt], struct page, lru) +
				       (op->args[1] & ((1U << order) - 1));
	return NULL;
}

static struct page *pcp_target(const struct zone *zone)
{
	struct per_cpu_pages *pcp = &this_cpu_ptr(zone->pageset)->pcp;
	int mt;

	for (mt = 0; mt < MIGRATE_PCPTYPES; mt++)
		if (!list_empty(&pcp->lists[mt]))
			return list_first_entry(&pcp->lists[mt], struct page, lru);
	return NULL;
}

static struct page *corrupt_target(const struct op *op)
{
	struct zone *zone = ops_zone_at(op->args[3], op->args[4]);

	if (op->args[2] == WHERE_HELD)
		return held_target(op);
	if (!zone || exec_state.damage == DAMAGE_LISTS)
		return NULL;
	return op->args[2] == WHERE_FREE ? free_target(op, zone) : pcp_target(zone);
}

/* Writes the field; false if that would be no corruption: a second reference on a page in use is anybody's right. */
static bool corrupt_field(struct page *page, unsigned int field)
{
	world_touch_page(page);
	switch (field) {
	case FIELD_LOCKED:
		page->flags |= 1UL << PG_locked;
		break;
	case FIELD_DIRTY:
		page->flags |= 1UL << PG_dirty;
		break;
	case FIELD_HWPOISON:
		page->flags |= 1UL << PG_hwpoison;
		break;
	case FIELD_MAPPING:
		page->mapping = WILD_MAPPING;
		break;
	case FIELD_MAPCOUNT:
		page->mapcount_biased++;
		break;
	case FIELD_REFCOUNT:
		if (page->refcount)
			return false;
		page->refcount = 1;
		break;
	case FIELD_PRIVATE:
		page->private = (page->private ^ 1) % MAX_ORDER;
		note_damage(DAMAGE_LISTS);
		break;
	default:
		__SetPageBuddy(page);
		page->private = 0;
		note_damage(DAMAGE_LISTS);
		break;
	}
	note_damage(DAMAGE_PAGES);
	return true;
}

void op_corrupt(const struct op *op)
{
	struct page *page;

	if (!misuse_allowed())
		return;
	page = corrupt_target(op);
	if (!page) {
		exec_skip(SKIP_DEAD);
		return;
	}
	if (!exec_step_begin(LIMIT_CALL_WORK))
		return;
	if (!corrupt_field(page, op->args[6]))
		exec_skip(SKIP_KIND);
	exec_step_end();
}

/*
 * Frees.
 */
static _Bool was_freed(const struct op *op, const struct held_block *block)
{
	return !block->live && block->pfn != HELD_NO_PFN && block->kind == HELD_BLOCK;
}

static void free_again(const struct op *op, unsigned int entry)
{
	const struct held_block *block = held_block(entry);
	struct page *page = pfn_to_page(block->pfn);
	bool referenced = page->refcount;

	note_damage(DAMAGE_LISTS);
	__free_pages(page, block->order);
	if (!referenced)
		last_call = (struct call_record){ .kind = CALL_FREE_UNREFERENCED, .pfn = block->pfn, .order = block->order };
}

void op_double_free(const struct op *op)
{
	if (misuse_allowed())
		ops_for_each(op, was_freed, free_again);
}

/* Without debug checks an unaligned block would be merged beyond the descriptors that exist here. */
static _Bool is_of_another_order(const struct op *op, const struct held_block *block)
{
	unsigned long nr_pages = 1UL << op->args[1];

	return block->live && block->kind == HELD_BLOCK && block->order != op->args[1] &&
	       (machine->debug_vm || IS_ALIGNED(block->pfn, nr_pages)) && pfn_valid(block->pfn + nr_pages - 1);
}

static void free_as_order(const struct op *op, unsigned int entry)
{
	struct page *page = pfn_to_page(held_block(entry)->pfn);

	note_damage(DAMAGE_LISTS);
	held_drop(entry);
	__free_pages(page, op->args[1]);
}

void op_free_wrong_order(const struct op *op)
{
	if (misuse_allowed())
		ops_for_each(op, is_of_another_order, free_as_order);
}

/*
 * Requests. Bad zone bits are a BUG with debug checks, and mean the lowest zone without. With both mobility bits the
 * request is for type 3: of order 0 it is a BUG, above it gets what is reserved for atomic requests.
 */
void op_alloc_raw(const struct op *op)
{
	enum damage before = exec_state.damage;
	unsigned int order = op->args[0];
	gfp_t gfp = op->args[1];
	int node = (int)(op->args[2] % (unsigned int)nr_online_nodes);
	struct page *page;

	if (!misuse_allowed()) {
		held_add_nothing();
		return;
	}
	if (!ops_request_begin(gfp))
		return;
	note_damage(DAMAGE_PAGES);
	page = __alloc_pages_nodemask(gfp, order, node_zonelist(node, gfp), NULL);
	ops_request_end(page, order, gfp, op->args[2], 0);
	if (page)
		held_add(page_to_pfn(page), order, PageHead(page));
	else
		held_add_nothing();
	exec_step_end();
	/* Releasing a reserved block for type 3 leaves it reserved, but not counted. */
	if ((gfp & GFP_MOVABLE_MASK) != GFP_MOVABLE_MASK)
		exec_state.damage = before;
}
