// SPDX-License-Identifier: GPL-2.0
/*
 * picture.c - the state of the zones for people: as the kernel's own files show it, or in a few lines with marks, batch,
 * per-CPU lists and free blocks by type:
 *
 *	Normal   free   5118  min  130 low  162 high  194  batch   32           pcp 0
 *	         M 2*0 2*1 2*2 1*4 ... 4*10
 *
 * "2*3" is two blocks of order 3.
 */
#include "mm/internal.h"
#include <linux/seq_file.h>
#include "fuzz/census.h"
#include "fuzz/exec.h"
#include "finding.h"
#include "host.h"
#include "world.h"

struct text {
	char *buffer;
	unsigned long size;
	unsigned long length;            /* of the whole text, whether or not it fits */
};

static __attribute__((format(printf, 2, 3))) void put(struct text *text, const char *format, ...)
{
	unsigned long room = text->length < text->size ? text->size - text->length : 0;
	__builtin_va_list arguments;

	__builtin_va_start(arguments, format);
	text->length += (unsigned long)host_format(room ? text->buffer + text->length : NULL, room, format, arguments);
	__builtin_va_end(arguments);
}

static void show_mem_to(struct seq_file *m)
{
	struct seq_file *before = printk_console;

	printk_console = m;
	show_mem(0);
	printk_console = before;
}

void exec_read_proc(enum proc_file file, struct seq_file *m)
{
	static void (*const show[])(struct seq_file *m) = {
		[PROC_ZONEINFO] = zoneinfo_show,
		[PROC_BUDDYINFO] = buddyinfo_show,
		[PROC_PAGETYPEINFO] = pagetypeinfo_show,
		[PROC_VMSTAT] = vmstat_show,
		[PROC_SHOW_MEM] = show_mem_to,
	};
	unsigned long work = work_left;

	if (m->size)
		m->buf[0] = '\0';
	/* No page is on two lists, and no pageblock in two zones: a walk that takes longer goes round in circles. */
	work_begin(2 * nr_vmemmap);
	show[file](m);
	work_begin(work);
}

struct proc_reading {
	enum proc_file file;
	struct seq_file text;
};

static void read_proc(void *argument)
{
	struct proc_reading *reading = argument;

	exec_read_proc(reading->file, &reading->text);
}

unsigned long exec_proc(enum proc_file file, char *text, unsigned long size)
{
	struct proc_reading reading = { file, { text, size, 0 } };
	struct finding before = finding;

	finding.kind = FINDING_NONE;
	if (host_catch(read_proc, &reading))
		seq_printf(&reading.text, "\n(no more can be shown of a state that is broken: %s)\n", finding.name);
	finding = before;
	return reading.text.count;
}

static void put_lists(struct text *text, unsigned int slot)
{
	static const char letters[VIEW_MIGRATETYPES] = { 'U', 'M', 'E', 'H', 'C', 'I' };
	const struct zone_census *census = census_zone(slot);
	unsigned int order, type;

	put(text, "        ");
	for (type = 0; type < VIEW_MIGRATETYPES; type++) {
		bool named = false;

		for (order = 0; order < VIEW_MAX_ORDER; order++) {
			if (!census->blocks[order][type])
				continue;
			if (!named)
				put(text, " %c", letters[type]);
			named = true;
			put(text, " %u*%u", census->blocks[order][type], order);
		}
	}
	put(text, "\n");
}

static void put_zone(struct text *text, unsigned int slot)
{
	unsigned int cpu;

	put(text, "%-9s free %6ld  min %4lu low %4lu high %4lu  batch %5ld %s  pcp", view_zone_name(slot),
	    view_counter_sum(slot, VIEW_FREE_PAGES), view_watermark(slot, WMARK_MIN), view_watermark(slot, WMARK_LOW),
	    view_watermark(slot, WMARK_HIGH), view_counter_raw(slot, VIEW_ALLOC_BATCH),
	    view_fair_depleted(slot) ? "depleted" : "        ");
	for (cpu = 0; cpu < machine->nr_cpus; cpu++)
		put(text, " %d", view_pcp_count(slot, cpu));
	if (view_reserved_highatomic(slot))
		put(text, "  highatomic %lu", view_reserved_highatomic(slot));
	put(text, "\n");
}

unsigned long exec_picture(char *buffer, unsigned long size)
{
	struct text text = { buffer, size, 0 };
	unsigned int slot;

	if (size)
		buffer[0] = '\0';
	for (slot = 0; slot < view_nr_slots(); slot++) {
		if (!view_populated(slot))
			continue;
		put_zone(&text, slot);
		put_lists(&text, slot);
	}
	return text.length;
}
