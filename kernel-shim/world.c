// SPDX-License-Identifier: GPL-2.0
/*
 * world.c - the simulated kernel's state as a value: pristine images, undo log, restore, comparison.
 *
 *   small, copied whole:   the section "world" (globals) and the used part of the arena  -> world->image
 *   copied when woken:     the section "world_asleep" (the files), last in the image
 *   large, undone:         page descriptors (64-byte pre-images) and pageblock words     -> the logs below
 *   never written again:   tables of the machine (world_alloc_immutable)
 *
 * Globals and the arena have fixed addresses, so the machines that are kept share them and one is current at a time;
 * descriptors and pageblock words are mapped for each machine. The logs are shared as well: they are empty whenever
 * another machine is entered, and sharing keeps them in the cache. Nothing here is itself part of the world.
 */
#include <linux/kernel.h>
#include <linux/mm_types.h>
#include "finding.h"
#include "host.h"
#include "machine.h"
#include "world.h"

#define SECTION_FRAMES 1024UL
#define IMMUTABLE_MAX 4

/* Mapped memory with its size. */
struct region {
	void *start;
	unsigned long bytes;
};

struct world {
	struct machine_config config;
	struct region descriptors;
	unsigned long nr_descriptors;

	/* The section, then the used part of the arena, then the section that may be asleep. */
	struct region image;
	unsigned long arena_bytes;

	/* The descriptors that are not zero: frame and content. */
	struct region pristine_pfns;
	struct region pristine_pages;
	unsigned long nr_pristine;

	struct region words;                 /* pageblock bits */
	struct region word_saved;            /* a byte for each: in the log of this run */
	struct region pristine_words;
	unsigned long nr_words;

	struct region immutable[IMMUTABLE_MAX];
	unsigned int nr_immutable;

	bool complete;                       /* booted: the pristine content is known */
};

struct saved_word {
	unsigned long index;
	unsigned long value;
};

extern char __start_world[];
extern char __stop_world[];
extern char __start_world_asleep[];
extern char __stop_world_asleep[];

const struct machine_config *machine;
struct page *vmemmap;
unsigned long nr_vmemmap;
unsigned int world_stamp;
unsigned char world_arena[WORLD_ARENA_BYTES] __attribute__((aligned(64)));

_Bool world_awake;                           /* since the last restore */

static struct world *current_world;
static struct region virgin;                 /* both sections before the first boot */
static bool booting;
static bool entered;                         /* since the last restore */
static unsigned long arena_bytes;

/* The undo log of descriptors and the list of this operation, with room for every descriptor of the largest machine. */
static unsigned long log_capacity;
static struct page *saved_pages;
static unsigned int *saved_pfns;
static unsigned long nr_saved;
unsigned int *world_touched_pfns;
static unsigned long nr_touched;

/* The undo log of pageblock words, with room for every word of the largest machine. */
static unsigned long word_log_capacity;
static struct saved_word *saved_words;
static unsigned long nr_saved_words;

static unsigned long section_bytes(void)
{
	return (unsigned long)__stop_world - (unsigned long)__start_world;
}

static unsigned long asleep_bytes(void)
{
	return (unsigned long)__stop_world_asleep - (unsigned long)__start_world_asleep;
}

static struct region map_region(unsigned long bytes)
{
	return (struct region){ host_map(bytes), bytes };
}

static void unmap_region(struct region *region)
{
	if (region->start)
		host_unmap(region->start, region->bytes);
	*region = (struct region){ NULL, 0 };
}

/*
 * The undo log.
 */
void world_touch_fresh_page(struct page *page)
{
	unsigned long pfn = (unsigned long)(page - vmemmap);

	if (unlikely(pfn >= nr_vmemmap))
		finding_raise(FINDING_BUG, "write outside the memory map", "mm", NULL,
			      "frame %#lx, the map ends at %#lx", pfn, nr_vmemmap);
	if (!page->stamp && !booting) {
		saved_pages[nr_saved] = *page;
		saved_pfns[nr_saved++] = (unsigned int)pfn;
	}
	page->stamp = world_stamp;
	world_touched_pfns[nr_touched++] = (unsigned int)pfn;
}

unsigned long world_pageblock_writes;

/* Words that are not from world_alloc_pageblock_words() lie in the arena, which is restored whole. */
void world_touch_pageblock_word(unsigned long *word)
{
	unsigned long index = ((unsigned long)word - (unsigned long)current_world->words.start) / sizeof(*word);
	unsigned char *is_saved = current_world->word_saved.start;

	world_pageblock_writes++;
	if (booting || index >= current_world->nr_words || is_saved[index])
		return;
	is_saved[index] = 1;
	saved_words[nr_saved_words++] = (struct saved_word){ index, *word };
}

/* Every entry was saved once, so the order does not matter. */
static void undo(void)
{
	unsigned long i;

	for (i = 0; i < nr_saved; i++)
		vmemmap[saved_pfns[i]] = saved_pages[i];
	for (i = 0; i < nr_saved_words; i++) {
		unsigned long index = saved_words[i].index;

		((unsigned long *)current_world->words.start)[index] = saved_words[i].value;
		((unsigned char *)current_world->word_saved.start)[index] = 0;
	}
	nr_saved = 0;
	nr_saved_words = 0;
	nr_touched = 0;
	world_stamp = 1;
}

void world_next_op(void)
{
	world_stamp++;
	nr_touched = 0;
}

unsigned long world_nr_touched(void)
{
	return nr_touched;
}

unsigned long world_nr_saved(void)
{
	return nr_saved;
}

struct page *world_saved(unsigned long index, const struct page **pre_image)
{
	*pre_image = &saved_pages[index];
	return &vmemmap[saved_pfns[index]];
}

/* Room for every descriptor and pageblock word of a machine. The logs are empty here. */
static void grow_logs(unsigned long nr_descriptors, unsigned long nr_words)
{
	if (nr_descriptors > log_capacity) {
		if (log_capacity) {
			host_unmap(saved_pages, log_capacity * sizeof(*saved_pages));
			host_unmap(saved_pfns, log_capacity * sizeof(*saved_pfns));
			host_unmap(world_touched_pfns, log_capacity * sizeof(*world_touched_pfns));
		}
		saved_pages = host_map(nr_descriptors * sizeof(*saved_pages));
		saved_pfns = host_map(nr_descriptors * sizeof(*saved_pfns));
		world_touched_pfns = host_map(nr_descriptors * sizeof(*world_touched_pfns));
		log_capacity = nr_descriptors;
	}
	if (nr_words > word_log_capacity) {
		if (word_log_capacity)
			host_unmap(saved_words, word_log_capacity * sizeof(*saved_words));
		saved_words = host_map(nr_words * sizeof(*saved_words));
		word_log_capacity = nr_words;
	}
}

/*
 * Entering and restoring.
 */
static void copy_image_back(void)
{
	const char *image = current_world->image.start;

	memcpy(__start_world, image, section_bytes());
	memcpy(world_arena, image + section_bytes(), current_world->arena_bytes);
	if (world_awake)
		memcpy(__start_world_asleep, image + section_bytes() + current_world->arena_bytes, asleep_bytes());
	world_awake = false;
}

/* The current machine's descriptors and logs; NULL leaves none. The former one has been undone. */
static void make_current(struct world *world)
{
	current_world = world;
	machine = world ? &world->config : NULL;
	vmemmap = world ? world->descriptors.start : NULL;
	nr_vmemmap = world ? world->nr_descriptors : 0;
	nr_saved = 0;
	nr_saved_words = 0;
	nr_touched = 0;
	world_stamp = 1;
	entered = false;
}

void world_enter(struct world *world)
{
	if (world == current_world && !entered && !nr_saved && !nr_saved_words) {
		entered = true;
		return;
	}
	undo();
	make_current(world);
	/* What sleeps is that of another machine. */
	world_wake();
	copy_image_back();
	entered = true;
}

void world_restore(void)
{
	CHECK(current_world, "no machine was entered");
	undo();
	copy_image_back();
	entered = false;
}

/*
 * Booting.
 */
void *world_alloc(unsigned long bytes)
{
	unsigned long start = arena_bytes;

	bytes = round_up(bytes, 8);
	CHECK(booting, "world_alloc is for booting");
	CHECK(bytes <= WORLD_ARENA_BYTES - start, "the arena is full: %lu of %lu bytes used, %lu wanted", start,
	      WORLD_ARENA_BYTES, bytes);
	arena_bytes += bytes;
	memset(world_arena + start, 0, bytes);
	return world_arena + start;
}

unsigned long *world_alloc_pageblock_words(unsigned long nr_words)
{
	struct world *world = current_world;
	unsigned long *words = (unsigned long *)world->words.start + world->nr_words;

	CHECK(booting, "world_alloc_pageblock_words is for booting");
	CHECK((world->nr_words + nr_words) * sizeof(*words) <= world->words.bytes,
	      "there is one pageblock map: %lu pageblock words in use, %lu wanted", world->nr_words, nr_words);
	world->nr_words += nr_words;
	return words;
}

void *world_alloc_immutable(unsigned long bytes)
{
	struct world *world = current_world;

	CHECK(booting && world->nr_immutable < IMMUTABLE_MAX, "there are at most %d tables", IMMUTABLE_MAX);
	world->immutable[world->nr_immutable] = map_region(bytes);
	return world->immutable[world->nr_immutable++].start;
}

static bool is_zero(const struct page *page)
{
	const unsigned long *word = (const unsigned long *)page;
	unsigned long any = 0;
	unsigned int i;

	for (i = 0; i < sizeof(*page) / sizeof(*word); i++)
		any |= word[i];
	return !any;
}

/* A boot touches each descriptor it writes once: take its stamp away and keep what is not zero. */
static void keep_pristine_pages(struct world *world)
{
	unsigned int *pfns;
	struct page *pages;
	unsigned long i;

	world->pristine_pfns = map_region(nr_touched * sizeof(*pfns));
	world->pristine_pages = map_region(nr_touched * sizeof(*pages));
	pfns = world->pristine_pfns.start;
	pages = world->pristine_pages.start;
	for (i = 0; i < nr_touched; i++) {
		struct page *page = &vmemmap[world_touched_pfns[i]];

		page->stamp = 0;
		page->list_seen = page->list;
		if (is_zero(page))
			continue;
		pfns[world->nr_pristine] = world_touched_pfns[i];
		pages[world->nr_pristine++] = *page;
	}
}

static void keep_pristine_rest(struct world *world)
{
	unsigned long words_bytes = world->nr_words * sizeof(unsigned long);
	char *image;

	world->arena_bytes = arena_bytes;
	world->image = map_region(section_bytes() + arena_bytes + asleep_bytes());
	image = world->image.start;
	memcpy(image, __start_world, section_bytes());
	memcpy(image + section_bytes(), world_arena, arena_bytes);
	memcpy(image + section_bytes() + arena_bytes, __start_world_asleep, asleep_bytes());
	world->word_saved = map_region(world->nr_words);
	world->pristine_words = map_region(words_bytes);
	if (words_bytes)
		memcpy(world->pristine_words.start, world->words.start, words_bytes);
}

static unsigned long last_pfn_end(const struct machine_config *config)
{
	return round_up(config->ranges[config->nr_ranges - 1].end_pfn, SECTION_FRAMES);
}

/*
 * Descriptors of small machines are used again: mapping them and touching them for the first time would cost more than
 * all the rest of such a boot.
 */
#define SPARE_DESCRIPTORS 131072UL
#define SPARES_MAX 4

static struct region spares[SPARES_MAX];
static unsigned int nr_spares;

static struct region take_descriptors(unsigned long nr)
{
	if (nr > SPARE_DESCRIPTORS)
		return map_region(nr * sizeof(struct page));
	if (nr_spares)
		return spares[--nr_spares];
	return map_region(SPARE_DESCRIPTORS * sizeof(struct page));
}

/* The descriptors of a world that has been undone: all zero but the pristine ones. */
static void give_descriptors_back(struct world *world)
{
	struct page *pages = world->descriptors.start;
	const unsigned int *pfns = world->pristine_pfns.start;
	unsigned long i;

	if (world->descriptors.bytes != SPARE_DESCRIPTORS * sizeof(struct page) || nr_spares == SPARES_MAX ||
	    !world->complete) {
		unmap_region(&world->descriptors);
		return;
	}
	for (i = 0; i < world->nr_pristine; i++)
		memset(&pages[pfns[i]], 0, sizeof(*pages));
	spares[nr_spares++] = world->descriptors;
}

static struct world *world_new(const struct machine_config *config)
{
	struct world *world = host_map(sizeof(*world));
	unsigned long nr_pageblocks;

	world->config = *config;
	world->nr_descriptors = last_pfn_end(config);
	world->descriptors = take_descriptors(world->nr_descriptors);
	/* 16 pageblocks a word. */
	nr_pageblocks = world->nr_descriptors >> config->pageblock_order;
	world->words = map_region((nr_pageblocks / 16 + 1) * sizeof(unsigned long));
	return world;
}

struct world *world_boot(const struct machine_config *config, void (*boot)(void *argument), void *argument)
{
	struct world *world = world_new(config);
	int failed;

	if (!virgin.start) {
		virgin = map_region(section_bytes() + asleep_bytes());
		memcpy(virgin.start, __start_world, section_bytes());
		memcpy((char *)virgin.start + section_bytes(), __start_world_asleep, asleep_bytes());
	}
	undo();
	memcpy(__start_world, virgin.start, section_bytes());
	memcpy(__start_world_asleep, (char *)virgin.start + section_bytes(), asleep_bytes());
	grow_logs(world->nr_descriptors, 0);
	make_current(world);
	/* Offset 0 means "not in the arena". */
	arena_bytes = 8;
	booting = true;
	failed = host_catch(boot, argument);
	booting = false;
	if (failed) {
		world_free(world);
		return NULL;
	}
	keep_pristine_pages(world);
	keep_pristine_rest(world);
	grow_logs(0, world->nr_words);
	nr_touched = 0;
	world->complete = true;
	return world;
}

void world_free(struct world *world)
{
	unsigned int i;

	if (world == current_world) {
		undo();
		make_current(NULL);
	}
	give_descriptors_back(world);
	unmap_region(&world->image);
	unmap_region(&world->pristine_pfns);
	unmap_region(&world->pristine_pages);
	unmap_region(&world->words);
	unmap_region(&world->word_saved);
	unmap_region(&world->pristine_words);
	for (i = 0; i < world->nr_immutable; i++)
		unmap_region(&world->immutable[i]);
	host_unmap(world, sizeof(*world));
}

/*
 * Comparing with the pristine state.
 */
static char difference[160];

static const char *say_difference(const char *format, ...)
{
	__builtin_va_list arguments;

	__builtin_va_start(arguments, format);
	host_format(difference, sizeof(difference), format, arguments);
	__builtin_va_end(arguments);
	return difference;
}

/* Position of the first byte that differs; `bytes` if none does. */
static unsigned long first_difference(const void *a, const void *b, unsigned long bytes)
{
	unsigned long i = 0;

	if (bytes && memcmp(a, b, bytes))
		while (((const char *)a)[i] == ((const char *)b)[i])
			i++;
	else
		i = bytes;
	return i;
}

static const char *small_state_difference(const struct world *world)
{
	const char *image = world->image.start;
	unsigned long at = first_difference(__start_world, image, section_bytes());

	if (at < section_bytes())
		return say_difference("byte %#lx of the globals: %#x instead of %#x", at,
				      (unsigned char)__start_world[at], (unsigned char)image[at]);
	image += section_bytes();
	at = first_difference(world_arena, image, world->arena_bytes);
	if (at < world->arena_bytes)
		return say_difference("byte %#lx of the arena: %#x instead of %#x", at, world_arena[at],
				      (unsigned char)image[at]);
	image += world->arena_bytes;
	at = first_difference(__start_world_asleep, image, asleep_bytes());
	if (at < asleep_bytes())
		return say_difference("byte %#lx of the globals that may sleep: %#x instead of %#x", at,
				      (unsigned char)__start_world_asleep[at], (unsigned char)image[at]);
	return NULL;
}

static const char *pageblock_difference(const struct world *world)
{
	const unsigned long *now = world->words.start;
	const unsigned long *pristine = world->pristine_words.start;
	unsigned long i;

	for (i = 0; i < world->nr_words; i++)
		if (now[i] != pristine[i])
			return say_difference("pageblock word %lu: %#lx instead of %#lx", i, now[i], pristine[i]);
	return NULL;
}

static const char *page_difference(unsigned long pfn, const struct page *pristine)
{
	return say_difference("descriptor of frame %#lx: byte %lu is not what it was", pfn,
			      first_difference(&vmemmap[pfn], pristine, sizeof(*pristine)));
}

/* Counts the descriptors that are not zero, or looks for one that is not zero and not marked as expected. */
struct page_walk {
	unsigned long nr_nonzero;
	const unsigned char *expected;
	unsigned long pfn;
};

static int walk_pages(void *argument, void *start, unsigned long bytes)
{
	struct page_walk *walk = argument;
	const struct page *page = start;
	const struct page *end = page + bytes / sizeof(*page);

	for (; page < end; page++) {
		if (is_zero(page))
			continue;
		walk->nr_nonzero++;
		walk->pfn = (unsigned long)(page - vmemmap);
		if (walk->expected && !walk->expected[walk->pfn])
			return 1;
	}
	return 0;
}

/* The frame of a descriptor that ought to be zero and is not. */
static unsigned long find_stray_page(const struct world *world)
{
	const unsigned int *pfns = world->pristine_pfns.start;
	struct region expected = map_region(world->descriptors.bytes / sizeof(struct page));
	struct page_walk walk = { .expected = expected.start };
	unsigned long i;

	for (i = 0; i < world->nr_pristine; i++)
		((unsigned char *)expected.start)[pfns[i]] = 1;
	host_walk_backed(vmemmap, world->descriptors.bytes, walk_pages, &walk);
	unmap_region(&expected);
	return walk.pfn;
}

/*
 * If all that must not be zero is what it was, and nothing else is not zero, then all is what it was: counting is
 * enough, and a machine's unwritten descriptors are not even read.
 */
static const char *vmemmap_difference(const struct world *world)
{
	static const struct page zero;
	const unsigned int *pfns = world->pristine_pfns.start;
	const struct page *pages = world->pristine_pages.start;
	struct page_walk walk = { 0 };
	unsigned long i;

	for (i = 0; i < world->nr_pristine; i++)
		if (memcmp(&vmemmap[pfns[i]], &pages[i], sizeof(zero)))
			return page_difference(pfns[i], &pages[i]);
	host_walk_backed(vmemmap, world->descriptors.bytes, walk_pages, &walk);
	if (walk.nr_nonzero != world->nr_pristine)
		return page_difference(find_stray_page(world), &zero);
	return NULL;
}

const char *world_difference(void)
{
	const struct world *world = current_world;
	const char *found = small_state_difference(world);

	if (!found)
		found = pageblock_difference(world);
	return found ? found : vmemmap_difference(world);
}
