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
	wb_model.tunable = name;
	wb_model.value = value;
	wb_model.before = wb_tunables();
}

static void count_page(struct wb_pages *pages, const struct page *page)
{
	pages->dirty += PageDirty(page);
	pages->writeback += PageWriteback(page);
}

/* Frames + 1 of the pages of a file, the last one found ends it. */
#define for_each_cached_frame(mapping, frame, left)                                                    \
	for (frame = (mapping)->frames, left = (mapping)->nrpages;                                     \
	     left && frame < (mapping)->frames + FILE_PAGES; frame++)                                  \
		if (*frame && left--)

struct wb_pages wb_model_zone_pages(unsigned int slot)
{
	struct wb_pages pages = { 0, 0 };
	const unsigned int *frame;
	unsigned int file, left;

	for (file = 0; file < FILES_MAX; file++) {
		const struct address_space *mapping = file_mapping(file);

		for_each_cached_frame(mapping, frame, left)
			if (view_slot_of_pfn(*frame - 1) == slot)
				count_page(&pages, pfn_to_page(*frame - 1));
	}
	return pages;
}

struct wb_pages wb_model_device_pages(unsigned int bdi)
{
	struct wb_pages pages = { 0, 0 };
	const unsigned int *frame;
	unsigned int file, left;

	for (file = bdi; file < FILES_MAX; file += BDIS_MAX) {
		const struct address_space *mapping = file_mapping(file);

		for_each_cached_frame(mapping, frame, left)
			count_page(&pages, pfn_to_page(*frame - 1));
	}
	return pages;
}
