// SPDX-License-Identifier: GPL-2.0
/*
 * held.c - the ledger (held.h). A bit for each frame says whether it is held; the map is backed only where it was used.
 */
#include <linux/kernel.h>
#include <linux/bitops.h>
#include <linux/mm.h>
#include "fuzz/held.h"
#include "fuzz/view.h"
#include "finding.h"
#include "host.h"

#define FRAME_WORDS (MACHINE_PFN_MAX / BITS_PER_LONG)

static struct held_block blocks[LIMIT_HELD_BLOCKS];
static unsigned int nr_blocks;
static unsigned int oldest;                             /* no live entry is below this one */
static unsigned int producer_first[LIMIT_OPS + 1];      /* and one past the last producer */
static unsigned int nr_producers;
static unsigned long pages_of_slot[VIEW_SLOTS_MAX];
static unsigned long *frames;

/* The bits of [pfn, pfn + 2^order) within their word; blocks of 64 frames and more are whole words. */
static unsigned long frame_mask(unsigned long pfn, unsigned int order)
{
	if (order >= 6)
		return ~0UL;
	return ((1UL << (1U << order)) - 1) << (pfn % BITS_PER_LONG);
}

static unsigned long frame_words(unsigned int order)
{
	return order > 6 ? 1UL << (order - 6) : 1;
}

static void mark_frames(unsigned long pfn, unsigned int order, bool held)
{
	unsigned long mask = frame_mask(pfn, order);
	unsigned long i;

	for (i = 0; i < frame_words(order); i++) {
		if (held)
			frames[pfn / BITS_PER_LONG + i] |= mask;
		else
			frames[pfn / BITS_PER_LONG + i] &= ~mask;
	}
}

_Bool held_overlaps(unsigned long pfn, unsigned int order)
{
	unsigned long mask = frame_mask(pfn, order);
	unsigned long i;

	for (i = 0; i < frame_words(order); i++)
		if (frames[pfn / BITS_PER_LONG + i] & mask)
			return true;
	return false;
}

static bool files_hold_pages;

void held_by_file(unsigned long pfn)
{
	files_hold_pages = true;
	mark_frames(pfn, 0, true);
	pages_of_slot[view_slot_of_pfn(pfn)]++;
}

void held_by_file_no_more(unsigned long pfn)
{
	mark_frames(pfn, 0, false);
	pages_of_slot[view_slot_of_pfn(pfn)]--;
}

/* Whatever page a file holds, this run has touched. */
static void forget_files(void)
{
	const struct page *pre_image;
	unsigned long i;

	for (i = 0; files_hold_pages && i < world_nr_saved(); i++)
		mark_frames(page_to_pfn(world_saved(i, &pre_image)), 0, false);
	files_hold_pages = false;
}

void held_forget(void)
{
	unsigned int i;

	forget_files();

	for (i = oldest; i < nr_blocks; i++)
		if (blocks[i].live)
			mark_frames(blocks[i].pfn, blocks[i].order, false);
	nr_blocks = 0;
	oldest = 0;
	nr_producers = 0;
	memset(pages_of_slot, 0, sizeof(pages_of_slot));
}

void held_begin(void)
{
	if (!frames)
		frames = host_map(FRAME_WORDS * sizeof(*frames));
	held_forget();
}

void held_producer_begin(unsigned int producer)
{
	CHECK(producer == nr_producers, "producer %u begins, %u did", producer, nr_producers);
	producer_first[nr_producers++] = nr_blocks;
	producer_first[nr_producers] = nr_blocks;
}

void held_add(unsigned long pfn, unsigned int order, _Bool compound)
{
	CHECK(nr_blocks < LIMIT_HELD_BLOCKS, "%u blocks held", nr_blocks);
	blocks[nr_blocks] = (struct held_block){ pfn, (unsigned char)order, pfn != HELD_NO_PFN, compound };
	if (pfn != HELD_NO_PFN) {
		mark_frames(pfn, order, true);
		pages_of_slot[view_slot_of_pfn(pfn)] += 1UL << order;
	}
	producer_first[nr_producers] = ++nr_blocks;
}

void held_resolve(unsigned int producer, unsigned int element, unsigned int *first, unsigned int *end)
{
	*first = *end = 0;
	if (producer >= nr_producers)
		return;
	*first = producer_first[producer];
	*end = producer_first[producer + 1];
	if (element == ELEMENT_ALL)
		return;
	*first = min(*first + element, *end);
	*end = min(*first + 1, *end);
}

unsigned int held_count(void)
{
	return nr_blocks;
}

struct held_block *held_block(unsigned int entry)
{
	return &blocks[entry];
}

void held_drop(unsigned int entry)
{
	struct held_block *block = &blocks[entry];

	block->live = false;
	mark_frames(block->pfn, block->order, false);
	pages_of_slot[view_slot_of_pfn(block->pfn)] -= 1UL << block->order;
}

unsigned int held_oldest(void)
{
	while (oldest < nr_blocks && !blocks[oldest].live)
		oldest++;
	return oldest;
}

unsigned long held_pages(unsigned int slot)
{
	return pages_of_slot[slot];
}
