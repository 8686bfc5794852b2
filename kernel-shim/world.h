/* SPDX-License-Identifier: GPL-2.0 */
/*
 * world.h - the simulated kernel's whole state as a value: boot once, run, restore, compare.
 *
 * Small mutable state lives in the `world` section (globals marked __world) and in the arena behind it
 * (world_alloc, while booting); a run's end copies both back from the machine's pristine image. Large state - page
 * descriptors and pageblock bits - is restored from an undo log: the first write to an entry in a run saves its
 * pre-image. All writes to descriptors therefore go through world_touch_page(). A boot needs no log: what it touched
 * is remembered as the pristine content, all other descriptors are zero, and every stamp is back at 0 when it ends.
 *
 * The list of descriptors touched since world_next_op() is also what the invariants look at after each operation.
 */
#ifndef MMFUZZ_WORLD_H
#define MMFUZZ_WORLD_H

struct machine_config;
struct page;

/* A mutable global of the simulated kernel (or of the model that watches it). */
#define __world __attribute__((section("world")))

/*
 * The same for what is large and rarely used: restored only after a run that called world_wake(), as whoever hands out
 * such a global does first.
 */
#define __world_asleep __attribute__((section("world_asleep")))
extern _Bool world_awake;

static inline void world_wake(void)
{
	world_awake = 1;
}

/* A booted machine. */
struct world;

/*
 * world_boot - boot a machine: runs boot() on a virgin world and keeps the result as its pristine image. The
 * configuration is copied. Returns NULL when boot() ended in a finding.
 */
struct world *world_boot(const struct machine_config *config, void (*boot)(void *argument), void *argument);
void world_free(struct world *world);

/* Make `world` the current one, in its pristine state. Costs nothing when it was restored and nothing ran since. */
void world_enter(struct world *world);
/* Undo everything since world_enter(); the cost grows with what was touched. */
void world_restore(void);
/*
 * Compare every byte of the current world with its pristine image; for use right after a restore. Returns NULL, or
 * a sentence naming the first difference (static buffer).
 */
const char *world_difference(void);

/* Zeroed, 8-byte aligned memory in the arena; only while booting. */
void *world_alloc(unsigned long bytes);
/*
 * Zeroed words for the pageblock bits, outside the arena; only while booting. From then on each write is
 * preceded by world_touch_pageblock_word(), which counts them in world_pageblock_writes.
 */
unsigned long *world_alloc_pageblock_words(unsigned long nr_words);
extern unsigned long world_pageblock_writes;
/* Zeroed memory for tables of the machine that never change once it has booted; only while booting. */
void *world_alloc_immutable(unsigned long bytes);

/* The configuration of the current machine. */
extern const struct machine_config *machine;

/* The descriptors of the current machine: vmemmap[pfn], nr_vmemmap of them. */
extern struct page *vmemmap;
extern unsigned long nr_vmemmap;

/*
 * Undo. A page is fresh in this operation iff its stamp differs from world_stamp, which is 1 at the start of a run.
 * world_touch_page(page) is that compare, inline in <linux/mm_types.h>, and this for a fresh page.
 */
extern unsigned int world_stamp;
void world_touch_fresh_page(struct page *page);
/* Save a word of pageblock bits before a write. */
void world_touch_pageblock_word(unsigned long *word);

/* Begin the next operation: the list of touched pages becomes empty. */
void world_next_op(void);
/* Pages touched since then, each once, in order of first touch: world_touched(index) of <linux/mm_types.h>. */
unsigned long world_nr_touched(void);
extern unsigned int *world_touched_pfns;
/* Pages touched in the whole run: current and saved state. */
unsigned long world_nr_saved(void);
struct page *world_saved(unsigned long index, const struct page **pre_image);

/* Lists: heads in the arena are known by their offset in units of 8 bytes, never 0; 0 = not an arena address. */
#define WORLD_ARENA_BYTES (512UL << 10)
extern unsigned char world_arena[WORLD_ARENA_BYTES];

static inline unsigned int world_arena_offset(const void *address)
{
	unsigned long offset = (unsigned long)address - (unsigned long)world_arena;

	return offset < WORLD_ARENA_BYTES ? (unsigned int)(offset / 8) : 0;
}

#endif
