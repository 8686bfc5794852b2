// SPDX-License-Identifier: GPL-2.0
/*
 * model_zone.c - what the model (model.h) says about one zone: whether it is above a mark (specification 16) and which
 * block a take gets (12, 14, 15).
 */
#include "mm/internal.h"
#include "fuzz/model.h"

/*
 * Marks.
 */
static bool has_block_on(unsigned int slot, unsigned int order, unsigned int types)
{
	unsigned int type;

	for (; order < VIEW_MAX_ORDER; order++) {
		if (!view_nr_free(slot, order))
			continue;
		for (type = 0; type < VIEW_MIGRATETYPES; type++)
			if ((types >> type & 1) && !view_list_empty(slot, order, type))
				return true;
	}
	return false;
}

/* 16.1 step 6, and watermark-usable-lists. */
static unsigned int types_in_sight(unsigned int flags)
{
	unsigned int types = (1U << VIEW_PCPTYPES) - 1;

	if ((flags & ALLOC_HARDER) && !patched(WATERMARK_USABLE_LISTS))
		return ~0U;
	if (flags & ALLOC_HARDER)
		types |= 1U << MIGRATE_HIGHATOMIC;
	if (flags & ALLOC_CMA)
		types |= 1U << MIGRATE_CMA;
	return types;
}

/* 16.2. What may not be used is taken off without a sign, and before fast-watermark-clamp may wrap. */
static bool passes_shortcut(const struct view_marks *zone, unsigned int flags, unsigned long cma)
{
	unsigned long unusable = cma;

	if (patched(FAST_WATERMARK_RESERVE) && !(flags & ALLOC_HARDER))
		unusable += zone->reserved_highatomic;
	if (patched(FAST_WATERMARK_CLAMP) && patched(FAST_WATERMARK_RESERVE))
		unusable = min(unusable, zone->free);
	return zone->free - unusable > zone->mark + zone->reserve;
}

/* 16.3: smaller blocks do not count, and each order asks for half of what the one below asked for. */
static bool enough_large_blocks(unsigned int slot, unsigned int order, long free, long mark)
{
	unsigned int o;

	for (o = 0; o < order && o < VIEW_MAX_ORDER; o++) {
		free -= (long)(view_nr_free(slot, o) << o);
		mark >>= 1;
		if (free <= mark)
			return false;
	}
	return true;
}

_Bool model_above_mark(const struct model_request *request, unsigned int slot, unsigned int flags, unsigned int class)
{
	struct view_marks zone = view_read_marks(slot, flags & ALLOC_WMARK_MASK, class);
	unsigned long cma = machine->cma && !(flags & ALLOC_CMA) ? zone.free_cma : 0;
	bool old = kernel.watermarks == WATERMARKS_3_16;
	long free = (long)zone.free + 1 - (1L << request->order);
	long mark = (long)zone.mark;

	if (!request->order && !old && passes_shortcut(&zone, flags, cma))
		return true;
	if (flags & ALLOC_HIGH)
		mark -= mark / 2;
	if (flags & ALLOC_HARDER)
		mark -= mark / 4;
	else if (!old)
		free -= (long)zone.reserved_highatomic;
	if (free - (long)cma <= mark + (long)zone.reserve)
		return false;
	if (old)
		return enough_large_blocks(slot, request->order, free, mark);
	return !request->order || has_block_on(slot, request->order, types_in_sight(flags));
}

/*
 * Blocks. The lowest part of a block is taken, so the page is its first.
 */
static unsigned long smallest_block(unsigned int slot, unsigned int order, unsigned int type)
{
	for (; order < VIEW_MAX_ORDER; order++)
		if (!view_list_empty(slot, order, type))
			return view_first_block(slot, order, type);
	return VIEW_NO_PFN;
}

/* 12.3 and 12.5: the largest block of another type. */
static unsigned long fallback_block(unsigned int slot, unsigned int order, unsigned int type)
{
	static const unsigned char others[VIEW_PCPTYPES][2] = {
		[MIGRATE_UNMOVABLE] = { MIGRATE_RECLAIMABLE, MIGRATE_MOVABLE },
		[MIGRATE_RECLAIMABLE] = { MIGRATE_UNMOVABLE, MIGRATE_MOVABLE },
		[MIGRATE_MOVABLE] = { MIGRATE_RECLAIMABLE, MIGRATE_UNMOVABLE },
	};
	unsigned int o, i;

	for (o = VIEW_MAX_ORDER; o-- > order;)
		for (i = 0; i < 2; i++)
			if (!view_list_empty(slot, o, others[type][i]))
				return view_first_block(slot, o, others[type][i]);
	return VIEW_NO_PFN;
}

/* 12.7. */
static unsigned long next_block(unsigned int slot, unsigned int order, unsigned int type)
{
	unsigned long pfn = smallest_block(slot, order, type);

	if (pfn == VIEW_NO_PFN && type == MIGRATE_MOVABLE)
		pfn = smallest_block(slot, order, MIGRATE_CMA);
	return pfn != VIEW_NO_PFN ? pfn : fallback_block(slot, order, type);
}

/* Pages on the lists of these types, largest blocks first, as soon as there are so many. */
static long pages_up_to(long wanted, unsigned int slot, unsigned int types)
{
	unsigned int o, type;
	unsigned long pfn;
	long pages = 0;

	for (o = VIEW_MAX_ORDER; o-- > 0;) {
		for (type = 0; type < VIEW_MIGRATETYPES; type++) {
			if (!(types >> type & 1) || view_list_empty(slot, o, type))
				continue;
			for (pfn = view_first_block(slot, o, type); pfn != VIEW_NO_PFN && pages < wanted;
			     pfn = view_next_block(pfn, slot, o, type))
				pages += 1L << o;
			if (pages >= wanted)
				return wanted;
		}
	}
	return pages;
}

/* A steal moves all free blocks of its pageblock, so that blocks of the other types may be had, too. */
static void count_refill(struct model_take *take, const struct model_request *request, unsigned int slot)
{
	unsigned int usable = (1U << VIEW_PCPTYPES) - 1;
	long batch = view_pcp_batch(slot, request->cpu);

	if (request->migratetype == MIGRATE_MOVABLE)
		usable |= 1U << MIGRATE_CMA;
	take->nr_pages = pages_up_to(batch, slot, usable);
	if (take->nr_pages < batch)
		take->nr_more = pages_up_to(batch, slot, ~0U) - take->nr_pages;
}

/* 15. Hot or cold, after a refill the first page that was fetched is taken. */
static struct model_take take_page(const struct model_request *request, unsigned int slot, unsigned int flags)
{
	struct model_take take = { .through_list = true };

	take.pfn = request->gfp & __GFP_COLD ? view_last_pcp_page(slot, request->cpu, request->migratetype) :
					       view_first_pcp_page(slot, request->cpu, request->migratetype);
	if (take.pfn != VIEW_NO_PFN)
		return take;
	take.pfn = next_block(slot, 0, request->migratetype);
	if (take.pfn != VIEW_NO_PFN) {
		count_refill(&take, request, slot);
	} else if ((flags & ALLOC_HARDER) && patched(ATOMIC_USES_RESERVE)) {
		take.pfn = smallest_block(slot, 0, MIGRATE_HIGHATOMIC);
		take.nr_pages = 1;
		take.through_list = false;
	}
	return take;
}

struct model_take model_take(const struct model_request *request, unsigned int slot, unsigned int flags)
{
	struct model_take take = { .pfn = VIEW_NO_PFN, .nr_pages = 1L << request->order };

	if (!request->order)
		return take_page(request, slot, flags);
	if (flags & ALLOC_HARDER)
		take.pfn = smallest_block(slot, request->order, MIGRATE_HIGHATOMIC);
	if (take.pfn == VIEW_NO_PFN)
		take.pfn = next_block(slot, request->order, request->migratetype);
	return take;
}
