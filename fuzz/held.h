/* SPDX-License-Identifier: GPL-2.0 */
/*
 * held.h - the ledger of what a program holds: each block it got from mm and has not given back, and the pages that mm
 * lost to bad descriptors. Plain C. A producer operation owns a run of entries, one for each repeat; handles resolve to
 * them.
 *
 *	managed == free blocks + per-CPU lists + held + leaked (pages of a zone)
 */
#ifndef MMFUZZ_HELD_H
#define MMFUZZ_HELD_H

#include "fuzz/program.h"

#define HELD_NO_PFN (~0UL)

/* How it is given back. */
enum held_kind {
	HELD_BLOCK,              /* 2^order frames with one reference */
	HELD_SPLIT,              /* a reference on each page: one by one */
	HELD_EXACT,              /* the same, by address and size */
	HELD_CONTIG,             /* the same, as a contiguous range */
};

struct held_block {
	unsigned long pfn;       /* HELD_NO_PFN: the allocation failed */
	unsigned int nr_pages;
	unsigned char order;     /* of a HELD_BLOCK */
	unsigned char kind;      /* enum held_kind */
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
void held_add_pages(unsigned long pfn, unsigned int nr_pages, enum held_kind kind);
/* It made nothing. */
void held_add_nothing(void);
/* Entries [*first, *end) of a handle; an empty run if it names nothing. */
void held_resolve(unsigned int producer, unsigned int element, unsigned int *first, unsigned int *end);

unsigned int held_count(void);
struct held_block *held_block(unsigned int entry);
/* The block leaves the ledger. */
void held_drop(unsigned int entry);
/* The block is single pages now. */
void held_split(unsigned int entry);
/* Its last pages leave the ledger; fewer than it has. */
void held_shrink(unsigned int entry, unsigned int nr_pages);
/* Its contents are in other frames now. */
void held_move(unsigned int entry, unsigned long pfn);
/* mm will never give these frames to anybody again. */
void held_leak(unsigned long pfn, unsigned int order);
/* The oldest live entry, or held_count(). */
unsigned int held_oldest(void);

/* A page that the program holds by a file, not by a handle. */
void held_by_file(unsigned long pfn);
void held_by_file_no_more(unsigned long pfn);

/* True if any frame of [pfn, pfn + nr_pages) is held. */
_Bool held_overlaps(unsigned long pfn, unsigned long nr_pages);
/* Pages held of a zone slot, and pages leaked of it. */
unsigned long held_pages(unsigned int slot);
unsigned long held_leaked(unsigned int slot);

#endif
