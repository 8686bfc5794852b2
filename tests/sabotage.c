// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage.c - what the sabotage tests share (sabotage.h), and the demand that there is one for every invariant.
 */
#include <dirent.h>
#include <stdio.h>
#include "tests/sabotage.h"
#include "tests/alone.h"
#include "fuzz/invariant.h"

/*
 * Running.
 */
static struct sabotage current_sabotage;
static const trace_observer_fn *true_observers;
static unsigned int nr_shown;

static void show_first(const struct trace_record *record)
{
	struct trace_record copy = *record;

	if (record->kind == (unsigned int)current_sabotage.at)
		current_sabotage.breaks(&copy, nr_shown++);
	if (true_observers[copy.kind])
		true_observers[copy.kind](&copy);
}

/* The engine sets its observers when a run begins; from then on this one stands before them. */
static void after_op(void *argument, unsigned int op)
{
	if (op != ~0U)
		return;
	true_observers = trace_observers;
	trace_observe_all(show_first);
}

static struct verdict run_once(bool with_sabotage)
{
	struct run_options options = run_options_default();
	static struct program program;
	struct text_error error;
	struct verdict verdict;
	const char *text = current_sabotage.program;

	cr_assert(program_parse(&program, text, strlen(text), true, NULL, &error), "line %u: %s", error.line, error.message);
	if (current_sabotage.kernel)
		cr_assert_null(kernel_parse(&options.kernel, current_sabotage.kernel));
	options.after_op = with_sabotage ? after_op : NULL;
	nr_shown = 0;
	run_program(&program, &options, &verdict);
	return verdict;
}

static struct verdict expect_title(const char *name)
{
	struct verdict verdict = run_once(true);

	cr_assert(nr_shown, "the sabotage never happened");
	cr_assert_str_eq(verdict.finding.name, name, "expected %s, got '%s': %s", name, verdict.finding.name,
			 verdict.finding.detail);
	cr_assert_eq(verdict.finding.kind,
		     find_invariant(name)->cost == COST_MODEL ? FINDING_MODEL : FINDING_INVARIANT);
	cr_assert_str_not_empty(verdict.finding.rule);
	find_invariant(name)->masked = true;
	return verdict;
}

static struct verdict run_again(void)
{
	return run_once(true);
}

void expect_invariant(const char *name, struct sabotage sabotage)
{
	struct verdict verdict;
	unsigned int i;

	current_sabotage = sabotage;
	verdict = run_once(false);
	cr_assert_eq(verdict.finding.kind, FINDING_NONE, "without sabotage: %s: %s", verdict.finding.name,
		     verdict.finding.detail);
	verdict = expect_title(name);
	if (sabotage.report)
		cr_expect_str_eq(verdict.finding.detail, sabotage.report, "%s says: %s", name, verdict.finding.detail);
	for (i = 0; i < ARRAY_SIZE(sabotage.then) && sabotage.then[i]; i++)
		expect_title(sabotage.then[i]);
	note_if_alone(name, run_again);
}

/*
 * Tools.
 */
struct zone *zone_of_frame(unsigned long pfn)
{
	return page_zone(pfn_to_page(pfn));
}

struct zone *zone_number(unsigned int type)
{
	return &NODE_DATA(0)->node_zones[type];
}

struct page *any_free_block(struct zone *zone, unsigned int order, int migratetype)
{
	int mt;

	for (; order < MAX_ORDER; order++)
		for (mt = 0; mt < MIGRATE_TYPES; mt++)
			if ((mt == migratetype || migratetype == MIGRATE_TYPES) &&
			    !list_empty(&zone->free_area[order].free_list[mt]))
				return list_first_entry(&zone->free_area[order].free_list[mt], struct page, lru);
	finding_raise(FINDING_HARNESS, "no free block to sabotage", "sabotage", NULL, "zone %s", zone->name);
}

void move_to_type(struct page *page, struct zone *zone, int migratetype)
{
	list_move(&page->lru, &zone->free_area[page_order(page)].free_list[migratetype]);
}

void lose_block(struct page *page, struct zone *zone)
{
	del_page_from_free_area(page, &zone->free_area[page_order(page)]);
}

void list_as_free(struct page *page, struct zone *zone, unsigned int order, int migratetype)
{
	__SetPageBuddy(page);
	set_page_private(page, order);
	list_add(&page->lru, &zone->free_area[order].free_list[migratetype]);
	zone->free_area[order].nr_free++;
}

void list_as_pcp(struct page *page, struct zone *zone, int migratetype)
{
	struct per_cpu_pages *pcp = &per_cpu_ptr(zone->pageset, 0)->pcp;

	set_page_count(page, 0);
	set_page_index(page, (unsigned long)migratetype);
	list_add(&page->lru, &pcp->lists[migratetype]);
	pcp->count++;
}

void reference(struct page *page, int count)
{
	world_touch_page(page);
	page->refcount = count;
}

void change_counter(struct zone *zone, enum zone_stat_item item, long by, bool global)
{
	atomic_long_add(by, &zone->vm_stat[item]);
	if (global)
		atomic_long_add(by, &vm_stat[item]);
}

void set_all_marks(unsigned long pages)
{
	struct zone *zone;
	unsigned int i;

	for_each_zone(zone)
		for (i = 0; i < NR_WMARK; i++)
			zone->watermark[i] = pages;
}

/*
 * Completeness.
 */
static bool is_sabotage(const char *name)
{
	return (!strncmp(name, "sabotage_", 9) || !strncmp(name, "invariants_", 11)) &&
	       !strcmp(name + strlen(name) - 2, ".c");
}

/* All tests of tests/sabotage_*.c and tests/invariants_*.c, one after the other. */
static const char *read_tests(void)
{
	static char text[1 << 20];
	unsigned long at = 0;
	const struct dirent *entry;
	DIR *directory = opendir("tests");

	cr_assert_not_null(directory, "run the tests from the root of the tree");
	while ((entry = readdir(directory))) {
		char path[300];
		FILE *stream;

		if (!is_sabotage(entry->d_name))
			continue;
		snprintf(path, sizeof(path), "tests/%s", entry->d_name);
		stream = fopen(path, "r");
		cr_assert_not_null(stream, "%s", path);
		at += fread(text + at, 1, sizeof(text) - 1 - at, stream);
		fclose(stream);
	}
	closedir(directory);
	return text;
}

Test(sabotage, every_invariant_has_one)
{
	const char *tests = read_tests();
	const struct invariant *inv;

	for (inv = __start_invariants; inv < __stop_invariants; inv++) {
		char quoted[160];

		snprintf(quoted, sizeof(quoted), "\"%s\"", inv->name);
		cr_expect(strstr(tests, quoted), "no test breaks what %s watches", inv->name);
	}
}
