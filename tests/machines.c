// SPDX-License-Identifier: GPL-2.0
/* machines.c - kernels, machines and texts for the tests of mm/. */
#include <stdarg.h>
#include <stdio.h>

#include "tests/machines.h"

#define TEXT_BYTES 4096
#define NR_TEXTS 8

struct text {
	char chars[TEXT_BYTES];
	unsigned long length;
};

static struct text *new_text(void)
{
	static struct text texts[NR_TEXTS];
	static unsigned int next;
	struct text *text = &texts[next++ % NR_TEXTS];

	text->length = 0;
	text->chars[0] = '\0';
	return text;
}

static void say(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct text *text, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text->chars + text->length, TEXT_BYTES - text->length, format, arguments);
	va_end(arguments);
	cr_assert(length >= 0 && text->length + (unsigned long)length < TEXT_BYTES, "this text is too long: %s",
		  text->chars);
	text->length += (unsigned long)length;
}

/* Kernels and machines. */

void boot_kernel_with(const char *kernel_text, const char *preset, const struct machine_setting *settings,
		      unsigned long nr_settings)
{
	const char *why = kernel_parse(&kernel, kernel_text);

	cr_assert_null(why, "%s: %s", kernel_text, why);
	boot_machine_with(preset, settings, (unsigned int)nr_settings);
}

struct zone *zone_at(int nid, enum zone_type idx)
{
	return &NODE_DATA(nid)->node_zones[idx];
}

/* Free memory by hand. */

struct page *take_block(struct zone *zone, unsigned int order, int migratetype)
{
	struct page *page;
	unsigned long flags;

	spin_lock_irqsave(&zone->lock, flags);
	page = __rmqueue(zone, order, migratetype);
	if (page)
		__mod_zone_freepage_state(zone, -(1L << order), get_pcppage_migratetype(page));
	spin_unlock_irqrestore(&zone->lock, flags);
	return page;
}

void take_all_blocks(struct zone *zone)
{
	unsigned long flags;
	int order;
	int mt;

	spin_lock_irqsave(&zone->lock, flags);
	for (mt = 0; mt < MIGRATE_TYPES; mt++)
		for (order = MAX_ORDER - 1; order >= 0; order--)
			while (__rmqueue_smallest(zone, (unsigned int)order, mt))
				if (mt != MIGRATE_ISOLATE)
					__mod_zone_freepage_state(zone, -(1L << order), mt);
	spin_unlock_irqrestore(&zone->lock, flags);
}

void put_block(unsigned long pfn, unsigned int order, int migratetype)
{
	struct page *page = pfn_to_page(pfn);
	struct zone *zone = page_zone(page);
	unsigned long flags;

	spin_lock_irqsave(&zone->lock, flags);
	__free_one_page(page, pfn, zone, order, migratetype);
	spin_unlock_irqrestore(&zone->lock, flags);
}

void put_block_of(unsigned long pfn, unsigned int order, int migratetype)
{
	set_block_type(pfn, migratetype);
	put_block(pfn, order, migratetype);
}

void set_block_type(unsigned long pfn, int migratetype)
{
	set_pageblock_migratetype(pfn_to_page(pfn), migratetype);
}

int block_type(unsigned long pfn)
{
	return get_pageblock_migratetype(pfn_to_page(pfn));
}

void isolate_block(unsigned long pfn)
{
	set_block_type(pfn, MIGRATE_ISOLATE);
	page_zone(pfn_to_page(pfn))->nr_isolate_pageblock++;
}

/* Numbers of a zone. */

void set_marks(struct zone *zone, unsigned long min_mark, unsigned long low_mark, unsigned long high_mark)
{
	zone->watermark[WMARK_MIN] = min_mark;
	zone->watermark[WMARK_LOW] = low_mark;
	zone->watermark[WMARK_HIGH] = high_mark;
}

long counter(const struct zone *zone, enum zone_stat_item item)
{
	return atomic_long_read(&zone->vm_stat[item]);
}

long counter_sum(const struct zone *zone, enum zone_stat_item item)
{
	long sum = counter(zone, item);
	int cpu;

	if (machine->smp)
		for_each_online_cpu(cpu)
			sum += per_cpu_ptr(zone->pageset, cpu)->vm_stat_diff[item];
	return sum;
}

/* The central values move; the deltas stay. */
void set_counter(struct zone *zone, enum zone_stat_item item, long value)
{
	atomic_long_add(value - counter(zone, item), &vm_stat[item]);
	atomic_long_set(&zone->vm_stat[item], value);
}

struct per_cpu_pages *pcp_of(struct zone *zone, int cpu)
{
	return &per_cpu_ptr(zone->pageset, cpu)->pcp;
}

void deplete(struct zone *zone)
{
	set_counter(zone, NR_ALLOC_BATCH, 0);
	set_bit(ZONE_FAIR_DEPLETED, &zone->flags);
}

/* Text. */

static void say_pages(struct text *text, const struct list_head *list)
{
	const struct list_head *node;
	const char *space = "";

	list_for_each(node, list) {
		say(text, "%s0x%lx", space, page_to_pfn(list_entry(node, struct page, lru)));
		space = " ";
	}
}

const char *free_lists(const struct zone *zone)
{
	static const char letters[] = "UMEHCI";
	struct text *text = new_text();
	unsigned int order;
	int mt;

	for (order = 0; order < MAX_ORDER; order++) {
		for (mt = 0; mt < MIGRATE_TYPES; mt++) {
			const struct list_head *list = &zone->free_area[order].free_list[mt];

			if (list_empty(list))
				continue;
			say(text, "%s%c%u: ", text->length ? ", " : "", letters[mt], order);
			say_pages(text, list);
		}
	}
	return text->chars;
}

const char *pcp_list(struct zone *zone, int cpu, int migratetype)
{
	struct text *text = new_text();

	say_pages(text, &pcp_of(zone, cpu)->lists[migratetype]);
	return text->chars;
}

static void say_zone(struct text *text, int nid, unsigned int idx)
{
	if (nr_online_nodes > 1)
		say(text, "N%d.", nid);
	say(text, "%s", machine_zone_name(idx));
}

static void say_slot(struct text *text, unsigned long slot)
{
	say_zone(text, (int)(slot / MAX_NR_ZONES), (unsigned int)(slot % MAX_NR_ZONES));
}

const char *zonelist_text(const struct zonelist *zonelist)
{
	struct text *text = new_text();
	const struct zoneref *z;

	for (z = zonelist->_zonerefs; z->zone; z++) {
		cr_assert_eq(z->zone_idx, zone_idx(z->zone));
		if (text->length)
			say(text, " ");
		say_zone(text, z->zone->zone_pgdat->node_id, (unsigned int)z->zone_idx);
	}
	return text->chars;
}

static void say_event(struct text *text, const char *event)
{
	say(text, "%s%s", text->length ? "; " : "", event);
}

static void say_number(struct text *text, const char *event, long number)
{
	say_event(text, event);
	say(text, " %ld", number);
}

static void say_verdict(struct text *text, const struct trace_record *record)
{
	static const char *const words[NR_ZONE_VERDICTS] = { "cpuset", "fair",	 "abort", "dirty",    "wmark",
							     "noscan", "full",	 "low",	  "takefail", "taken" };

	say(text, "%s", text->chars[text->length - 1] == ':' ? " " : ", ");
	say_slot(text, record->a);
	say(text, " %s", words[record->b]);
}

static void say_record(struct text *text, const struct trace_record *record)
{
	switch (record->kind) {
	case TRACE_SCAN_BEGIN:
		say_number(text, "pass", (long)record->a);
		say(text, ":");
		break;
	case TRACE_ZONE_VERDICT:
		say_verdict(text, record);
		break;
	case TRACE_BATCH_RESET:
		say_event(text, "reset");
		break;
	case TRACE_SLOWPATH_ENTER:
		say_event(text, "slow");
		break;
	case TRACE_KSWAPD_WAKE:
		say_event(text, "wake ");
		say_slot(text, record->a);
		break;
	case TRACE_DIRECT_RECLAIM:
		say_number(text, "reclaim", (long)record->c);
		break;
	case TRACE_DIRECT_COMPACT:
		say_number(text, "compact", (long)record->c);
		break;
	case TRACE_ZONE_RECLAIM:
		say_number(text, "zone_reclaim", (long)record->c);
		break;
	case TRACE_OOM:
		say_number(text, "oom", (long)record->c);
		break;
	case TRACE_SLEEP:
		say_number(text, "sleep", (long)record->a);
		break;
	case TRACE_CALLER_WARNING:
		say_number(text, "warn", (long)record->a);
		break;
	case TRACE_ALLOC_FAILED:
		say_event(text, "failed");
		break;
	}
}

const char *story(void)
{
	struct text *text = new_text();
	unsigned long number;

	for (number = 0; number < trace_count; number++)
		say_record(text, trace_get(number));
	return text->chars;
}

const char *drained(void)
{
	struct text *text = new_text();
	unsigned long number;

	for (number = 0; number < trace_count; number++)
		if (trace_get(number)->kind == TRACE_MM_PAGE_PCPU_DRAIN)
			say(text, "%s0x%lx", text->length ? " " : "", trace_get(number)->a);
	return text->chars;
}

/* Acts. */

struct page *allocate_at(int nid, gfp_t gfp_mask, unsigned int order, nodemask_t *nodemask)
{
	trace_reset();
	return __alloc_pages_nodemask(gfp_mask, order, node_zonelist(nid, gfp_mask), nodemask);
}

struct page *allocate(gfp_t gfp_mask, unsigned int order)
{
	return allocate_at(0, gfp_mask, order, NULL);
}

void expect_step_too_far(const char *loop, unsigned long most, void (*body)(void *argument), void *argument)
{
	char detail[120];

	snprintf(detail, sizeof(detail), "%s: step %lu, at most %lu", loop, most + 1, most);
	work_begin(100000);
	expect_finding(FINDING_HANG, loop, body, argument);
	expect_text(finding.detail, detail);
}
