// SPDX-License-Identifier: GPL-2.0
/*
 * wb_model.c - the ledger of writeback (wb_model.h). Pages are counted by looking at every page of every file, from
 * their flags, never from counters or tags.
 */
#include "mm/internal.h"
#include "fuzz/wb_model.h"

struct wb_model wb_model;

void wb_model_begin(void)
{
	if (wb_model.used || wb_model.phantoms)
		memset(&wb_model, 0, sizeof(wb_model));
}

void wb_model_next_op(void)
{
	wb_model.wrote_tunable = false;
}

enum wb_item wb_item_of(enum zone_stat_item item)
{
	switch (item) {
	case NR_INACTIVE_FILE:
		return WB_ITEM_FILE;
	case NR_FILE_DIRTY:
		return WB_ITEM_DIRTY;
	case NR_WRITEBACK:
		return WB_ITEM_WRITEBACK;
	case NR_UNSTABLE_NFS:
		return WB_ITEM_UNSTABLE;
	default:
		return NR_WB_ITEMS;
	}
}

void wb_model_phantom(unsigned int slot, enum wb_item item, long delta)
{
	wb_model.phantoms = true;
	wb_model.changes++;
	if (item != WB_ITEM_FILE && delta > 0)
		wb_model.unthrottled += (unsigned long)delta;
	wb_model.phantom[slot][item] += delta;
}

struct wb_tunables wb_tunables(void)
{
	return (struct wb_tunables){ vm_dirty_ratio, vm_dirty_bytes, dirty_background_ratio, dirty_background_bytes };
}

void wb_model_tunable(unsigned int name, unsigned long value)
{
	wb_model.used = true;
	wb_model.wrote_tunable = true;
	wb_model.changes++;
	wb_model.tunable = name;
	wb_model.value = value;
	wb_model.before = wb_tunables();
}

/*
 * Pages.
 */
struct wb_census wb_census;

static void count_page(unsigned int file, pgoff_t index, const struct page *page)
{
	struct wb_pages *zone = &wb_census.zones[view_slot_of_pfn(page_to_pfn(page))];
	struct wb_pages *device = &wb_census.devices[file % BDIS_MAX];
	struct wb_file *pages = &wb_census.files[file];
	unsigned int word = index / BITS_PER_LONG, bit = index % BITS_PER_LONG;

	zone->dirty += PageDirty(page);
	zone->writeback += PageWriteback(page);
	device->dirty += PageDirty(page);
	device->writeback += PageWriteback(page);
	pages->present[word] |= 1UL << bit;
	pages->dirty[word] |= (unsigned long)PageDirty(page) << bit;
	pages->writeback[word] |= (unsigned long)PageWriteback(page) << bit;
	pages->locked[word] |= (unsigned long)PageLocked(page) << bit;
	pages->shared[word] |= (unsigned long)(page->refcount != 1 + PageWriteback(page)) << bit;
}

/* The last page found ends the search: most files have few. */
static void count_file(unsigned int file)
{
	const struct address_space *mapping = file_mapping(file);
	unsigned int left = mapping->nrpages;
	pgoff_t index;

	for (index = 0; left && index < FILE_PAGES; index++) {
		if (!mapping->frames[index])
			continue;
		count_page(file, index, pfn_to_page(mapping->frames[index] - 1));
		left--;
	}
}

void wb_model_count_pages(void)
{
	unsigned int file;

	memset(&wb_census, 0, sizeof(wb_census));
	for (file = 0; file < FILES_MAX; file++)
		count_file(file);
}
