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
/* The last is for frames of no zone, which only misuse brings here. */
static unsigned long pages_of_slot[VIEW_SLOTS_MAX + 1];
static unsigned long leaked_of_slot[VIEW_SLOTS_MAX + 1];
static unsigned long *frames;

/* The bits of [pfn, end) within the word of pfn. */
static unsigned long frame_mask(unsigned long pfn, unsigned long end)
{
	unsigned long last = min(end - 1, pfn | (BITS_PER_LONG - 1));

	return ~0UL >> (BITS_PER_LONG - 1 - (last - pfn)) << (pfn % BITS_PER_LONG);
}

/* The first frame of the word after that of pfn. */
static unsigned long next_word(unsigned long pfn)
{
	return (pfn | (BITS_PER_LONG - 1)) + 1;
}

static void mark_frames(unsigned long pfn, unsigned long nr_pages, bool held)
{
	unsigned long end = pfn + nr_pages;

	for (; pfn < end; pfn = next_word(pfn)) {
		if (held)
			frames[pfn / BITS_PER_LONG] |= frame_mask(pfn, end);
		else
			frames[pfn / BITS_PER_LONG] &= ~frame_mask(pfn, end);
	}
}

_Bool held_overlaps(unsigned long pfn, unsigned long nr_pages)
{
	unsigned long end = pfn + nr_pages;

	for (; pfn < end; pfn = next_word(pfn))
		if (frames[pfn / BITS_PER_LONG] & frame_mask(pfn, end))
			return true;
	return false;
}

/* The pages become the program's, or cease to be. */
static void count_pages(unsigned long pfn, unsigned int nr_pages, bool held)
{
	unsigned long *pages = &pages_of_slot[view_slot_of_pfn(pfn)];

	mark_frames(pfn, nr_pages, held);
	*pages = held ? *pages + nr_pages : *pages - nr_pages;
}

static bool files_hold_pages;

void held_by_file(unsigned long pfn)
{
	files_hold_pages = true;
	count_pages(pfn, 1, true);
}

void held_by_file_no_more(unsigned long pfn)
{
	count_pages(pfn, 1, false);
}

/* Whatever page a file holds, this run has touched. */
static void forget_files(void)
{
	const struct page *pre_image;
	unsigned long i;

	for (i = 0; files_hold_pages && i < world_nr_saved(); i++)
		mark_frames(page_to_pfn(world_saved(i, &pre_image)), 1, false);
	files_hold_pages = false;
}

void held_forget(void)
{
	unsigned int i;

	forget_files();

	for (i = oldest; i < nr_blocks; i++)
		if (blocks[i].live)
			mark_frames(blocks[i].pfn, blocks[i].nr_pages, false);
	nr_blocks = 0;
	oldest = 0;
	nr_producers = 0;
	memset(pages_of_slot, 0, sizeof(pages_of_slot));
	memset(leaked_of_slot, 0, sizeof(leaked_of_slot));
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

static void add(struct held_block block)
{
	CHECK(nr_blocks < LIMIT_HELD_BLOCKS, "%u blocks held", nr_blocks);
	blocks[nr_blocks] = block;
	if (block.live)
		count_pages(block.pfn, block.nr_pages, true);
	producer_first[nr_producers] = ++nr_blocks;
}

void held_add(unsigned long pfn, unsigned int order, _Bool compound)
{
	add((struct held_block){ pfn, 1U << order, (unsigned char)order, HELD_BLOCK, true, compound });
}

void held_add_pages(unsigned long pfn, unsigned int nr_pages, enum held_kind kind)
{
	add((struct held_block){ pfn, nr_pages, 0, (unsigned char)kind, true, false });
}

void held_add_nothing(void)
{
	add((struct held_block){ .pfn = HELD_NO_PFN });
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
	count_pages(block->pfn, block->nr_pages, false);
}

void held_split(unsigned int entry)
{
	blocks[entry].kind = HELD_SPLIT;
	blocks[entry].order = 0;
}

void held_shrink(unsigned int entry, unsigned int nr_pages)
{
	struct held_block *block = &blocks[entry];

	block->nr_pages -= nr_pages;
	count_pages(block->pfn + block->nr_pages, nr_pages, false);
}

void held_move(unsigned int entry, unsigned long pfn)
{
	struct held_block *block = &blocks[entry];

	count_pages(block->pfn, block->nr_pages, false);
	block->pfn = pfn;
	count_pages(block->pfn, block->nr_pages, true);
}

void held_leak(unsigned long pfn, unsigned int order)
{
	leaked_of_slot[view_slot_of_pfn(pfn)] += 1UL << order;
}

unsigned long held_leaked(unsigned int slot)
{
	return leaked_of_slot[slot];
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
