// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_proc.c - what /proc and the report of a failure show is what the structures hold (specification 27 and 83 of
 * 30.K). The text is read back and compared with the view, number by number.
 *
 * Verified: buddyinfo whole; of pagetypeinfo both tables; of zoneinfo all but all_unreclaimable and inactive_ratio; of
 * show_mem the totals of the free lists. Not verified: vmstat, which is the global counters (4) by name.
 */
#include "mm/internal.h"
#include "fuzz/exec.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"

/*
 * Reading. Spaces and line ends separate; nothing is skipped that was not asked for.
 */
struct reader {
	const char *at;
};

static void skip_blanks(struct reader *r)
{
	while (*r->at == ' ' || *r->at == '\n')
		r->at++;
}

static bool read_word(struct reader *r, const char *word)
{
	const char *at;

	skip_blanks(r);
	for (at = r->at; *word; at++, word++)
		if (*at != *word)
			return false;
	r->at = at;
	return true;
}

static bool read_number(struct reader *r, unsigned long *number)
{
	skip_blanks(r);
	if (*r->at < '0' || *r->at > '9')
		return false;
	for (*number = 0; *r->at >= '0' && *r->at <= '9'; r->at++)
		*number = *number * 10 + (unsigned long)(*r->at - '0');
	return true;
}

/* A word of any kind, such as the name of a counter. */
static void skip_word(struct reader *r)
{
	skip_blanks(r);
	while (*r->at && *r->at != ' ' && *r->at != '\n')
		r->at++;
}

/* The same, if the word ends there. */
static bool read_name(struct reader *r, const char *name)
{
	const struct reader before = *r;

	if (read_word(r, name) && (*r->at == ' ' || *r->at == '\n' || *r->at == ','))
		return true;
	*r = before;
	return false;
}

/* "Node 0, zone   Normal": the slot, or false. */
static bool read_zone(struct reader *r, unsigned int *slot)
{
	unsigned long node;

	if (!read_word(r, "Node") || !read_number(r, &node) || !read_word(r, ", zone"))
		return false;
	for_each_slot_of(*slot, view_populated_slots())
		if (view_zone_node(*slot) == node && read_name(r, machine_zone_name(view_zone_type(*slot))))
			return true;
	return false;
}

/* Adds the numbers of a row to sums[]; false if there are not so many. */
static bool read_row(struct reader *r, unsigned long *sums, unsigned int nr)
{
	unsigned long number;

	for (; nr; nr--) {
		if (!read_number(r, &number))
			return false;
		*sums++ += number;
	}
	return true;
}

/*
 * Free blocks.
 */
static bool shows_free_blocks(unsigned int slot, const unsigned long sums[VIEW_MAX_ORDER], unsigned int *order)
{
	for (*order = 0; *order < VIEW_MAX_ORDER; ++*order)
		if (sums[*order] != view_nr_free(slot, *order))
			return false;
	return true;
}

RULE(buddyinfo_shows_free_blocks, 83, COST_CALL, "proc", "each column of buddyinfo is the zone's nr_free of that order",
     const char *, text)
{
	struct reader reader = { text };
	unsigned int order, slot = 0;

	while (*reader.at) {
		unsigned long columns[VIEW_MAX_ORDER] = { 0 };

		require(read_zone(&reader, &slot) && read_row(&reader, columns, VIEW_MAX_ORDER), "not a row: %.40s", reader.at);
		require(shows_free_blocks(slot, columns, &order), "zone %s, order %u: %lu shown, nr_free %lu",
			view_zone_name(slot), order, columns[order], view_nr_free(slot, order));
		skip_blanks(&reader);
	}
	return true;
}

/*
 * pagetypeinfo: a table of free blocks and one of pageblocks for each node.
 */
static bool skip_types(struct reader *r)
{
	int mt;

	for (mt = 0; mt < MIGRATE_TYPES; mt++)
		if (migratetype_configured(mt) && !read_word(r, migratetype_names[mt]))
			return false;
	return true;
}

static unsigned int nr_types(void)
{
	unsigned int nr = 0;
	int mt;

	for (mt = 0; mt < MIGRATE_TYPES; mt++)
		nr += migratetype_configured(mt);
	return nr;
}

static bool skip_heading(struct reader *r)
{
	unsigned long ignored[VIEW_MAX_ORDER] = { 0 };

	return read_word(r, "Page block order:") && read_number(r, ignored) && read_word(r, "Pages per block:") &&
	       read_number(r, ignored) && read_word(r, "Free pages count per migrate type at order") &&
	       read_row(r, ignored, VIEW_MAX_ORDER);
}

/* The rows of one zone, added up; the first has its zone read already. */
static bool read_types_of_zone(struct reader *r, unsigned long sums[VIEW_MAX_ORDER])
{
	unsigned int slot, nr = nr_types();

	for (;;) {
		if (!read_word(r, ", type"))
			return false;
		skip_word(r);
		if (!read_row(r, sums, VIEW_MAX_ORDER))
			return false;
		if (!--nr)
			return true;
		if (!read_zone(r, &slot))
			return false;
	}
}

/* Pageblocks of a zone whose first frame is memory of it, or of the zones it is interleaved with. */
static unsigned long nr_pageblocks(unsigned int slot)
{
	unsigned long pfn, nr = 0;
	unsigned long step = 1UL << view_pageblock_order();
	unsigned long start = view_start_pfn(slot);

	for (pfn = start; pfn < start + view_spanned(slot); pfn += step)
		nr += view_slot_of_pfn(pfn) == slot;
	return nr;
}

RULE(pagetypeinfo_shows_free_blocks, 83, COST_CALL, "proc",
     "the rows of pagetypeinfo add up to nr_free of each order and to the pageblocks of the zone", const char *, text)
{
	struct reader reader = { text };
	unsigned int order, slot = 0;

	while (*reader.at) {
		require(skip_heading(&reader), "not a heading: %.40s", reader.at);
		while (read_zone(&reader, &slot)) {
			unsigned long sums[VIEW_MAX_ORDER] = { 0 };

			require(read_types_of_zone(&reader, sums), "not a row: %.40s", reader.at);
			require(shows_free_blocks(slot, sums, &order), "zone %s, order %u: %lu shown, nr_free %lu",
				view_zone_name(slot), order, sums[order], view_nr_free(slot, order));
		}
		require(read_word(&reader, "Number of blocks type") && skip_types(&reader), "not a heading: %.40s", reader.at);
		while (read_zone(&reader, &slot)) {
			unsigned long counts[VIEW_MIGRATETYPES] = { 0 };
			unsigned long sum = 0;
			unsigned int i;

			require(read_row(&reader, counts, nr_types()), "not a row: %.40s", reader.at);
			for (i = 0; i < nr_types(); i++)
				sum += counts[i];
			require(sum == nr_pageblocks(slot), "zone %s: %lu pageblocks shown, of %lu", view_zone_name(slot), sum,
				nr_pageblocks(slot));
		}
		skip_blanks(&reader);
	}
	return true;
}

/*
 * zoneinfo.
 */
struct shown {
	const char *name;
	unsigned long number;
	unsigned long expected;
};

/* Reads "name number" for each; false at the first that is not there or not as expected. */
static bool shows(struct reader *r, struct shown *shown, unsigned int nr, const struct shown **wrong)
{
	for (; nr; nr--, shown++) {
		*wrong = shown;
		if (!read_word(r, shown->name) || !read_number(r, &shown->number) || shown->number != shown->expected)
			return false;
	}
	return true;
}

static bool shows_sizes(struct reader *r, unsigned int slot, const struct shown **wrong)
{
	static struct shown sizes[8];

	sizes[0] = (struct shown){ "pages free", 0, view_counter_read(slot, VIEW_FREE_PAGES) };
	sizes[1] = (struct shown){ "min", 0, view_watermark(slot, WMARK_MIN) };
	sizes[2] = (struct shown){ "low", 0, view_watermark(slot, WMARK_LOW) };
	sizes[3] = (struct shown){ "high", 0, view_watermark(slot, WMARK_HIGH) };
	sizes[4] = (struct shown){ "scanned", 0, view_counter_read(slot, VIEW_PAGES_SCANNED) };
	sizes[5] = (struct shown){ "spanned", 0, view_spanned(slot) };
	sizes[6] = (struct shown){ "present", 0, view_present(slot) };
	sizes[7] = (struct shown){ "managed", 0, view_managed(slot) };
	return shows(r, sizes, ARRAY_SIZE(sizes), wrong);
}

static bool shows_counters(struct reader *r, unsigned int slot, const struct shown **wrong)
{
	static struct shown counter;
	unsigned int item;

	*wrong = &counter;
	for (item = 0; item < view_nr_counters(); item++) {
		if (!machine->numa && item >= NUMA_HIT && item <= NUMA_OTHER)
			continue;
		skip_word(r);
		counter = (struct shown){ "a counter", 0, view_zone_counter_read(slot, item) };
		if (!read_number(r, &counter.number) || counter.number != counter.expected)
			return false;
	}
	return true;
}

static bool shows_protection(struct reader *r, unsigned int slot, const struct shown **wrong)
{
	static struct shown reserve;
	const char *before = "protection: (";
	unsigned int class;

	*wrong = &reserve;
	for (class = 0; class < VIEW_ZONE_TYPES; class++) {
		if (!zone_configured((int)class))
			continue;
		reserve = (struct shown){ before, 0, (unsigned long)view_lowmem_reserve(slot, class) };
		if (!shows(r, &reserve, 1, wrong))
			return false;
		before = ",";
	}
	return read_word(r, ")");
}

static bool shows_lists(struct reader *r, unsigned int slot, const struct shown **wrong)
{
	static struct shown lists[5];
	unsigned int cpu;

	if (!read_word(r, "pagesets"))
		return false;
	for (cpu = 0; cpu < machine->nr_cpus; cpu++) {
		lists[0] = (struct shown){ "cpu:", 0, cpu };
		lists[1] = (struct shown){ "count:", 0, (unsigned long)view_pcp_count(slot, cpu) };
		lists[2] = (struct shown){ "high:", 0, (unsigned long)view_pcp_high(slot, cpu) };
		lists[3] = (struct shown){ "batch:", 0, (unsigned long)view_pcp_batch(slot, cpu) };
		lists[4] = (struct shown){ "vm stats threshold:", 0, (unsigned long)view_cpu_threshold(slot, cpu) };
		if (!shows(r, lists, machine->smp ? 5 : 4, wrong))
			return false;
	}
	return true;
}

static bool skip_ending(struct reader *r)
{
	unsigned long ignored;

	return read_word(r, "all_unreclaimable:") && read_number(r, &ignored) && read_word(r, "start_pfn:") &&
	       read_number(r, &ignored) && read_word(r, "inactive_ratio:") && read_number(r, &ignored);
}

RULE(zoneinfo_shows_zone, 83, COST_CALL, "proc",
     "zoneinfo shows a zone's marks, sizes, counters (as readers see them), reserves and per-CPU lists", const char *, text)
{
	const struct shown *wrong = NULL;
	struct reader reader = { text };
	unsigned int slot = 0;

	while (*reader.at) {
		require(read_zone(&reader, &slot), "not a zone: %.40s", reader.at);
		require(shows_sizes(&reader, slot, &wrong) && shows_counters(&reader, slot, &wrong) &&
				shows_protection(&reader, slot, &wrong) && shows_lists(&reader, slot, &wrong),
			"zone %s, %s: %lu shown, %lu expected before %.40s", view_zone_name(slot), wrong->name, wrong->number,
			wrong->expected, reader.at);
		require(skip_ending(&reader), "not the end of a zone: %.40s", reader.at);
		skip_blanks(&reader);
	}
	return true;
}

/*
 * show_mem: the line of each zone that ends in "= 4096kB", in the order of the zones.
 */
RULE(show_mem_totals_free_blocks, 83, COST_CALL, "proc",
     "the report of a failure shows for each zone as much memory in free blocks as its lists have", const char *, text)
{
	struct reader reader = { text };
	unsigned int order, slot;

	for_each_slot_of(slot, view_populated_slots()) {
		unsigned long shown = 0, pages = 0;

		while (*reader.at && !read_word(&reader, "= "))
			reader.at++;
		require(read_number(&reader, &shown) && read_word(&reader, "kB"), "zone %s: no total", view_zone_name(slot));
		for (order = 0; order < VIEW_MAX_ORDER; order++)
			pages += view_nr_free(slot, order) << order;
		require(shown == pages << (PAGE_SHIFT - 10), "zone %s: %lu kB shown, %lu kB on the lists", view_zone_name(slot),
			shown, pages << (PAGE_SHIFT - 10));
	}
	return true;
}

void judge_proc(unsigned int file, const char *text)
{
	if (exec_state.damage == DAMAGE_LISTS)
		return;
	switch (file) {
	case PROC_BUDDYINFO:
		judge(text, buddyinfo_shows_free_blocks);
		break;
	case PROC_PAGETYPEINFO:
		judge(text, pagetypeinfo_shows_free_blocks);
		break;
	case PROC_ZONEINFO:
		judge(text, zoneinfo_shows_zone);
		break;
	case PROC_SHOW_MEM:
		judge(text, show_mem_totals_free_blocks);
		break;
	default:
		break;
	}
}
