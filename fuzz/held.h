/* SPDX-License-Identifier: GPL-2.0 */
/*
 * held.h - the ledger of what a program holds: each block it got from mm and has not given back. Plain C. A producer
 * operation owns a run of entries, one for each repeat; handles resolve to them.
 */
#ifndef MMFUZZ_HELD_H
#define MMFUZZ_HELD_H

#include "fuzz/program.h"

#define HELD_NO_PFN (~0UL)

struct held_block {
	unsigned long pfn;       /* HELD_NO_PFN: the allocation failed */
	unsigned char order;
	_Bool live;
	_Bool compound;
};

void held_begin(void);
/* Forget everything; the frames need not be given back. */
void held_forget(void);

/* The producer numbered `producer` starts: its entries begin here. */
void held_producer_begin(unsigned int producer);
/* Add what one repeat of it made. */
void held_add(unsigned long pfn, unsigned int order, _Bool compound);
/* Entries [*first, *end) of a handle; an empty run if it names nothing. */
void held_resolve(unsigned int producer, unsigned int element, unsigned int *first, unsigned int *end);

unsigned int held_count(void);
struct held_block *held_block(unsigned int entry);
/* The block leaves the ledger. */
void held_drop(unsigned int entry);
/* The oldest live entry, or held_count(). */
unsigned int held_oldest(void);

/* A page that the program holds by a file, not by a handle. */
void held_by_file(unsigned long pfn);
void held_by_file_no_more(unsigned long pfn);

/* True if any frame of [pfn, pfn + 2^order) is held. */
_Bool held_overlaps(unsigned long pfn, unsigned int order);
/* Pages held of a zone slot. */
unsigned long held_pages(unsigned int slot);

#endif
