// SPDX-License-Identifier: GPL-2.0
/*
 * golden_file.c - the lines of a recording, read strictly: each line is one of these, words are separated by one blank.
 *
 *   # ops=N allocs=N frees=N                    last line: how many op, alloc and free lines there were
 *   # ...                                       comment
 *   machine name=.. zones=[..] ... reserved=[]  the machine; distance lines follow when it has NUMA
 *   boot, zone, zonelist, state, "  ..."        what the kernel printed; a block of them is compared line by line
 *   start, end, end-before-free                 marks
 *   op N NAME arguments[ -> answer]             an operation; N counts from 0
 *   case N managed=[..]                         forced zone sizes
 *
 * Numbers are decimal, or hexadecimal after 0x. Zone indexes count the zones of the machine line.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/golden_file.h"

#define STRUCT_PAGE_BYTES 56
#define TICKS_PER_SECOND 100
#define GFP_BITS 26
#define ORDER_MAX 10
#define PAGE_SHIFT_TEXT "12"
#define MAX_ORDER_TEXT "11"

/* A reader: where in the line it is, and for which file. */
struct reader {
	struct golden_file *file;
	const char *at;
};

static int refuse(struct reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Keep the first reason; always 1. */
static int refuse(struct reader *reader, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (!reader->file->error[0])
		vsnprintf(reader->file->error, sizeof(reader->file->error), format, arguments);
	va_end(arguments);
	return 1;
}

/* True, and past it, if `literal` is next. */
static int next_is(struct reader *reader, const char *literal)
{
	size_t length = strlen(literal);

	if (strncmp(reader->at, literal, length) != 0)
		return 0;
	reader->at += length;
	return 1;
}

static int expect(struct reader *reader, const char *literal)
{
	return next_is(reader, literal) ? 0 : refuse(reader, "'%s' expected at '%.40s'", literal, reader->at);
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

static int number(struct reader *reader, unsigned long max, unsigned long *value)
{
	int hex = next_is(reader, "0x");
	char *end;

	*value = 0;
	if (!is_digit(*reader->at) && !(hex && *reader->at >= 'a' && *reader->at <= 'f'))
		return refuse(reader, "a number is expected at '%.40s'", reader->at);
	*value = strtoul(reader->at, &end, hex ? 16 : 10);
	if (*value > max)
		return refuse(reader, "%.*s is more than %lu", (int)(end - reader->at), reader->at, max);
	reader->at = end;
	return 0;
}

/* "KEY=number", where KEY comes with its '='. */
static int keyed(struct reader *reader, const char *key, unsigned long max, unsigned long *value)
{
	return expect(reader, key) || number(reader, max, value);
}

/* The same, with a default when the key is not there. */
static int optional(struct reader *reader, const char *key, unsigned long max, unsigned long *value)
{
	return next_is(reader, key) ? number(reader, max, value) : 0;
}

static int end_of_line(struct reader *reader)
{
	return *reader->at ? refuse(reader, "the line should end before '%.40s'", reader->at) : 0;
}

/* A zone type by name; MACHINE_ZONES_MAX if there is none. */
static unsigned int zone_type(struct reader *reader)
{
	unsigned int zone;

	for (zone = 0; zone < MACHINE_ZONES_MAX; zone++) {
		const char *name = machine_zone_name(zone);

		if (!strncmp(reader->at, name, strlen(name)) && !is_word(reader->at[strlen(name)])) {
			reader->at += strlen(name);
			return zone;
		}
	}
	refuse(reader, "there is no zone '%.20s'", reader->at);
	return MACHINE_ZONES_MAX;
}

/*
 * The machine.
 */
static int machine_zones(struct reader *reader)
{
	struct golden_file *file = reader->file;
	unsigned int zone;

	do {
		zone = zone_type(reader);
		if (zone == MACHINE_ZONES_MAX)
			return 1;
		if (file->config.zones >> zone)
			return refuse(reader, "zones are listed once, from the lowest to the highest");
		file->config.zones |= (unsigned char)(1U << zone);
		file->zone_types[file->nr_zones++] = (unsigned char)zone;
	} while (next_is(reader, ","));
	return 0;
}

static int machine_cpu_nodes(struct reader *reader)
{
	struct machine_config *config = &reader->file->config;
	unsigned long node;
	unsigned int cpu;

	if (!next_is(reader, " cpu_node=["))
		return 0;
	for (cpu = 0; cpu < config->nr_cpus; cpu++) {
		if ((cpu && expect(reader, ",")) || number(reader, MACHINE_NODES_MAX - 1, &node))
			return 1;
		config->cpu_node[cpu] = (unsigned char)node;
	}
	return expect(reader, "]");
}

static int machine_ranges(struct reader *reader)
{
	struct machine_config *config = &reader->file->config;
	unsigned long node, start, end;

	while (next_is(reader, " range")) {
		if (keyed(reader, " node=", MACHINE_NODES_MAX - 1, &node) ||
		    keyed(reader, " start_pfn=", MACHINE_PFN_MAX, &start) ||
		    keyed(reader, " end_pfn=", MACHINE_PFN_MAX, &end))
			return 1;
		if (config->nr_ranges == MACHINE_RANGES_MAX)
			return refuse(reader, "there are more than %d ranges", MACHINE_RANGES_MAX);
		config->ranges[config->nr_ranges++] = (struct machine_range){ (unsigned int)node, start, end };
		if (config->nr_nodes <= node)
			config->nr_nodes = (unsigned int)node + 1;
	}
	return 0;
}

/* MOVABLE has no end of its own: its entry only repeats the last one. */
static int machine_zone_ends(struct reader *reader)
{
	struct golden_file *file = reader->file;
	unsigned long end;
	unsigned int i;

	if (expect(reader, " max_zone_pfn=["))
		return 1;
	for (i = 0; i < file->nr_zones; i++) {
		if ((i && expect(reader, ",")) || number(reader, MACHINE_PFN_MAX, &end))
			return 1;
		if (file->zone_types[i] != MACHINE_ZONE_MOVABLE)
			file->config.max_zone_pfn[file->zone_types[i]] = end;
	}
	return expect(reader, "]");
}

static int machine_reserved(struct reader *reader)
{
	struct machine_config *config = &reader->file->config;
	unsigned long start, end;

	if (expect(reader, " reserved=["))
		return 1;
	if (next_is(reader, "]"))
		return 0;
	do {
		if (number(reader, MACHINE_PFN_MAX, &start) || expect(reader, "-") ||
		    number(reader, MACHINE_PFN_MAX, &end))
			return 1;
		if (config->nr_reserved == MACHINE_RANGES_MAX)
			return refuse(reader, "there are more than %d reserved ranges", MACHINE_RANGES_MAX);
		config->reserved[config->nr_reserved++] = (struct machine_range){ 0, start, end };
	} while (next_is(reader, ","));
	return expect(reader, "]");
}

static int machine_flags(struct reader *reader)
{
	struct machine_config *config = &reader->file->config;
	unsigned long smp, numa, cpus, pageblock_order, migratetypes, nr_zones;

	if (keyed(reader, "] smp=", 1, &smp) || keyed(reader, " numa=", 1, &numa) ||
	    keyed(reader, " cpus=", MACHINE_CPUS_MAX, &cpus) || expect(reader, " page_shift=" PAGE_SHIFT_TEXT) ||
	    expect(reader, " max_order=" MAX_ORDER_TEXT) ||
	    keyed(reader, " pageblock_order=", ORDER_MAX, &pageblock_order) ||
	    keyed(reader, " migratetypes=", 6, &migratetypes) ||
	    keyed(reader, " max_nr_zones=", MACHINE_ZONES_MAX, &nr_zones))
		return 1;
	if (nr_zones != reader->file->nr_zones)
		return refuse(reader, "max_nr_zones is %lu, but there are %u zones", nr_zones, reader->file->nr_zones);
	if (migratetypes < 4)
		return refuse(reader, "there are 4 to 6 migratetypes");
	config->smp = smp;
	config->numa = numa;
	config->nr_cpus = (unsigned int)cpus;
	config->pageblock_order = (unsigned char)pageblock_order;
	config->isolation = migratetypes >= 5;
	config->cma = migratetypes == 6;
	return 0;
}

static void machine_defaults(struct machine_config *config)
{
	static const int ratios[MACHINE_ZONES_MAX - 1] = { 256, 256, 32, 32 };
	unsigned int node;

	memset(config, 0, sizeof(*config));
	config->struct_page_bytes = STRUCT_PAGE_BYTES;
	config->hz = TICKS_PER_SECOND;
	config->jiffies = 0U - 300U * TICKS_PER_SECOND;
	config->nr_nodes = 1;
	config->min_free_kbytes = -1;
	config->watermark_scale_factor = 10;
	config->numa_zonelist_order = 'd';
	memcpy(config->lowmem_reserve_ratio, ratios, sizeof(ratios));
	for (node = 0; node < MACHINE_NODES_MAX; node++)
		memset(config->distance[node], 10, MACHINE_NODES_MAX);
}

static int machine_line(struct reader *reader)
{
	if (reader->file->has_machine)
		return refuse(reader, "there is a second machine line");
	machine_defaults(&reader->file->config);
	while (is_word(*reader->at))
		reader->at++;
	if (expect(reader, " zones=[") || machine_zones(reader) || machine_flags(reader) ||
	    machine_cpu_nodes(reader) || machine_ranges(reader) || machine_zone_ends(reader) ||
	    machine_reserved(reader) || end_of_line(reader))
		return 1;
	reader->file->has_machine = 1;
	return 0;
}

static int distance_line(struct reader *reader)
{
	struct machine_config *config = &reader->file->config;
	unsigned long node, distance;
	unsigned int to;

	if (number(reader, config->nr_nodes - 1, &node) || expect(reader, " row=["))
		return 1;
	if (node != reader->file->nr_distances++)
		return refuse(reader, "distance lines come once for each node, in order");
	for (to = 0; to < config->nr_nodes; to++) {
		if ((to && expect(reader, ",")) || number(reader, 254, &distance))
			return 1;
		config->distance[node][to] = (unsigned char)distance;
	}
	return expect(reader, "]") || end_of_line(reader);
}

/*
 * Output. A shape is the line with '#' for a number, '@' for a zone, '*' for a list in brackets and '~' for numbers
 * with '/', ',' and parentheses between them.
 */
static int any_of(struct reader *reader, const char *characters)
{
	size_t length = strspn(reader->at, characters);

	reader->at += length;
	return length ? 0 : refuse(reader, "a number is expected at '%.40s'", reader->at);
}

/* "[]", or numbers, N<node>.<zone index> or N<node>.<zone> separated by commas. */
static int shape_list(struct reader *reader)
{
	unsigned long value;

	if (expect(reader, "["))
		return 1;
	if (next_is(reader, "]"))
		return 0;
	do {
		if (next_is(reader, "N")) {
			if (number(reader, MACHINE_NODES_MAX - 1, &value) || expect(reader, "."))
				return 1;
			if (!is_digit(*reader->at)) {
				if (zone_type(reader) == MACHINE_ZONES_MAX)
					return 1;
				continue;
			}
		} else {
			next_is(reader, "-");
		}
		if (number(reader, ULONG_MAX, &value))
			return 1;
	} while (next_is(reader, ","));
	return expect(reader, "]");
}

static int shape(struct reader *reader, const char *shape)
{
	unsigned long value;
	char literal[2] = "";
	int failed = 0;

	for (; *shape && !failed; shape++) {
		switch (*shape) {
		case '#':
			next_is(reader, "-");
			failed = number(reader, ULONG_MAX, &value);
			break;
		case '@':
			failed = zone_type(reader) == MACHINE_ZONES_MAX;
			break;
		case '*':
			failed = shape_list(reader);
			break;
		case '~':
			failed = any_of(reader, "0123456789/,()-");
			break;
		default:
			literal[0] = *shape;
			if (!next_is(reader, literal))
				failed = refuse(reader, "'%.20s' expected at '%.40s'", shape, reader->at);
		}
	}
	return failed;
}

static int shape_if(struct reader *reader, int condition, const char *text)
{
	return condition ? shape(reader, text) : 0;
}

static int zone_line(struct reader *reader)
{
	return shape(reader, "#") ||
	       shape(reader, " zone=@ idx=# start_pfn=# spanned=# present=# managed=# min=# low=# high=#"
			     " lowmem_reserve=* totalreserve=# nr_alloc_batch=# pcp_high=# pcp_batch=#") ||
	       shape_if(reader, reader->file->config.smp, " stat_threshold=# percpu_drift_mark=#") ||
	       shape(reader, " contiguous=#");
}

static int state_line(struct reader *reader)
{
	const struct machine_config *config = &reader->file->config;

	return shape_if(reader, config->numa, " nid=#") || shape(reader, " zone=@ free=# batch=# depleted=#") ||
	       shape_if(reader, config->smp, " free_raw=# diff_free=* diff_batch=*") ||
	       shape(reader, " pcp=~ hatomic=#") || shape_if(reader, config->cma, " free_cma=# managed=#") ||
	       shape_if(reader, config->isolation, " nr_isolate=#") ||
	       shape(reader, " pb=~ area=U:* M:* E:* H:*") || shape_if(reader, config->cma, " C:*") ||
	       shape_if(reader, config->isolation, " I:*");
}

static int boot_line(struct reader *reader)
{
	const char *why = machine_check(&reader->file->config);

	if (reader->file->has_boot)
		return refuse(reader, "there is a second boot line");
	if (why)
		return refuse(reader, "this machine cannot boot: %s", why);
	if (reader->file->config.numa && reader->file->nr_distances != reader->file->config.nr_nodes)
		return refuse(reader, "a distance line is missing before this one");
	reader->file->has_boot = 1;
	return shape(reader, "# watermark_scale_factor=# totalram=# totalhigh=# totalreserve=# vm_total_pages=#"
			     " mobility_disabled=#");
}

static int zonelist_line(struct reader *reader)
{
	return shape(reader, "# fallback=*") || shape_if(reader, reader->file->config.numa, " thisnode=*");
}

static int block_line(struct reader *reader, struct golden_line *line)
{
	int failed;

	line->kind = LINE_BLOCK;
	if (next_is(reader, "boot min_free_kbytes=")) {
		line->block = GOLDEN_BOOT;
		failed = boot_line(reader);
	} else if (next_is(reader, "zone nid=")) {
		line->block = GOLDEN_ZONES;
		failed = zone_line(reader);
	} else if (next_is(reader, "zonelist node=")) {
		line->block = GOLDEN_ZONELISTS;
		failed = zonelist_line(reader);
	} else if (next_is(reader, "state")) {
		line->block = GOLDEN_STATES;
		failed = state_line(reader);
	} else if (next_is(reader, "  min_free_kbytes=")) {
		line->block = GOLDEN_RESERVES;
		failed = shape(reader, "# totalreserve=#");
	} else if (next_is(reader, "  vm_total_pages=")) {
		line->block = GOLDEN_GROUPING;
		failed = shape(reader, "# mobility_disabled=#");
	} else {
		return refuse(reader, "no line begins with '%.40s'", reader->at);
	}
	return failed || end_of_line(reader);
}

/*
 * Operations.
 */
static int alloc_answer(struct reader *reader)
{
	int failed = expect(reader, " -> ");

	if (!failed && !next_is(reader, "NULL"))
		failed = shape(reader, "pfn=#") || shape_if(reader, reader->file->config.numa, " nid=#") ||
			 shape(reader, " zone=@");
	if (!failed && next_is(reader, " kswapd="))
		failed = shape(reader, "#* kcz=#");
	if (!failed && next_is(reader, " reclaim="))
		failed = shape(reader, "#");
	if (!failed && next_is(reader, " oom="))
		failed = shape(reader, "#");
	return failed;
}

static int alloc_op(struct reader *reader, struct golden_line *line)
{
	const struct machine_config *config = &reader->file->config;
	unsigned long cpu = 0, nid = 0, order, gfp, nodemask = 0, task_flags = 0, progress = 0;
	struct golden_op *op = &line->op;

	if (optional(reader, " cpu=", config->nr_cpus - 1, &cpu) ||
	    optional(reader, " nid=", config->nr_nodes - 1, &nid) || keyed(reader, " order=", ORDER_MAX, &order) ||
	    keyed(reader, " gfp=", (1UL << GFP_BITS) - 1, &gfp))
		return 1;
	op->has_nodemask = !strncmp(reader->at, " nodemask=", strlen(" nodemask="));
	if (optional(reader, " nodemask=", (1UL << config->nr_nodes) - 1, &nodemask) ||
	    optional(reader, " pf=", UINT_MAX, &task_flags) || optional(reader, " progress=", UINT_MAX, &progress))
		return 1;
	op->kind = GOLDEN_ALLOC;
	op->cpu = (unsigned int)cpu;
	op->nid = (unsigned int)nid;
	op->order = (unsigned int)order;
	op->gfp = (unsigned int)gfp;
	op->nodemask = nodemask;
	op->task_flags = (unsigned int)task_flags;
	op->progress = (unsigned int)progress;
	line->answer = reader->at;
	reader->file->nr_allocs++;
	return alloc_answer(reader);
}

static int free_op(struct reader *reader, struct golden_line *line)
{
	struct golden_op *op = &line->op;
	unsigned long cpu = 0, order, cold = 0;

	if (optional(reader, " cpu=", reader->file->config.nr_cpus - 1, &cpu) ||
	    keyed(reader, " pfn=", MACHINE_PFN_MAX - 1, &op->pfn) || keyed(reader, " order=", ORDER_MAX, &order) ||
	    optional(reader, " cold=", order ? 0 : 1, &cold))
		return 1;
	op->kind = GOLDEN_FREE;
	op->cpu = (unsigned int)cpu;
	op->order = (unsigned int)order;
	op->cold = cold;
	reader->file->nr_frees++;
	return 0;
}

/* "NAME=value", NAME of a number. */
static int sysctl_op(struct reader *reader, struct golden_op *op)
{
	unsigned long index = 0, value;

	op->kind = GOLDEN_SYSCTL;
	if (next_is(reader, "min_free_kbytes")) {
		op->sysctl = GOLDEN_MIN_FREE_KBYTES;
	} else if (next_is(reader, "watermark_scale_factor")) {
		op->sysctl = GOLDEN_WATERMARK_SCALE_FACTOR;
	} else if (next_is(reader, "percpu_pagelist_fraction")) {
		op->sysctl = GOLDEN_PERCPU_PAGELIST_FRACTION;
	} else if (next_is(reader, "lowmem_reserve_ratio")) {
		op->sysctl = GOLDEN_LOWMEM_RESERVE_RATIO;
		if (number(reader, reader->file->nr_zones - 2, &index))
			return 1;
	} else {
		return refuse(reader, "there is no sysctl '%.40s'", reader->at);
	}
	if (keyed(reader, "=", INT_MAX, &value))
		return 1;
	op->sysctl_index = (unsigned int)index;
	op->value = (int)value;
	return 0;
}

/* The word decides by its first letter. */
static int zonelist_order_op(struct reader *reader, struct golden_line *line)
{
	line->op.kind = GOLDEN_ZONELIST_ORDER;
	line->op.letter = *reader->at;
	if (!is_word(*reader->at))
		return refuse(reader, "a word is expected at '%.40s'", reader->at);
	while (is_word(*reader->at))
		reader->at++;
	line->answer = reader->at;
	return shape(reader, " -> ret=#");
}

/* Reads "0x..." of a whole pageblock of registered memory. */
static int pageblock(struct reader *reader, struct golden_op *op)
{
	const struct machine_config *config = &reader->file->config;
	unsigned long pages = 1UL << config->pageblock_order;
	unsigned int i;

	if (number(reader, MACHINE_PFN_MAX, &op->pfn))
		return 1;
	if (op->pfn % pages)
		return refuse(reader, "frame %#lx does not begin a pageblock", op->pfn);
	for (i = 0; i < config->nr_ranges; i++)
		if (op->pfn >= config->ranges[i].start_pfn && op->pfn + pages <= config->ranges[i].end_pfn)
			return 0;
	return refuse(reader, "frames %#lx-%#lx are not memory", op->pfn, op->pfn + pages);
}

static int isolate_op(struct reader *reader, struct golden_line *line)
{
	if (!reader->file->config.isolation)
		return refuse(reader, "this machine has no isolation");
	line->op.kind = GOLDEN_ISOLATE;
	if (pageblock(reader, &line->op))
		return 1;
	line->answer = reader->at;
	return shape(reader, " -> ret=#");
}

static int unisolate_op(struct reader *reader, struct golden_op *op)
{
	unsigned long migratetype;

	if (!reader->file->config.isolation)
		return refuse(reader, "this machine has no isolation");
	op->kind = GOLDEN_UNISOLATE;
	if (pageblock(reader, op) || keyed(reader, " mt=", 4, &migratetype))
		return 1;
	op->migratetype = (int)migratetype;
	return 0;
}

/* The frames must be reserved, or they would be freed twice. */
static int cma_init_op(struct reader *reader, struct golden_op *op)
{
	const struct machine_config *config = &reader->file->config;
	unsigned int i;

	op->kind = GOLDEN_CMA_INIT;
	if (!config->cma)
		return refuse(reader, "this machine has no CMA");
	if (pageblock(reader, op))
		return 1;
	for (i = 0; i < config->nr_reserved; i++)
		if (op->pfn >= config->reserved[i].start_pfn &&
		    op->pfn + (1UL << config->pageblock_order) <= config->reserved[i].end_pfn)
			return 0;
	return refuse(reader, "the pageblock at %#lx is not reserved", op->pfn);
}

static int op_arguments(struct reader *reader, struct golden_line *line)
{
	struct golden_op *op = &line->op;

	if (next_is(reader, "alloc"))
		return alloc_op(reader, line);
	if (next_is(reader, "free"))
		return free_op(reader, line);
	if (next_is(reader, "sysctl "))
		return sysctl_op(reader, op);
	if (next_is(reader, "sysctl_str numa_zonelist_order="))
		return zonelist_order_op(reader, line);
	if (next_is(reader, "isolate pfn="))
		return isolate_op(reader, line);
	if (next_is(reader, "unisolate pfn="))
		return unisolate_op(reader, op);
	if (next_is(reader, "cma_init pfn="))
		return cma_init_op(reader, op);
	if (next_is(reader, "drain_all")) {
		op->kind = GOLDEN_DRAIN_ALL;
		return 0;
	}
	if (next_is(reader, "dirty_over mask=")) {
		op->kind = GOLDEN_DIRTY_OVER;
		return number(reader, ULONG_MAX, &op->dirty_mask);
	}
	if (next_is(reader, "vmstat_refresh")) {
		op->kind = GOLDEN_VMSTAT_REFRESH;
		line->answer = reader->at;
		return shape(reader, " -> ret=#");
	}
	return refuse(reader, "there is no operation '%.40s'", reader->at);
}

static int op_line(struct reader *reader, struct golden_line *line)
{
	unsigned long index;

	line->kind = LINE_OP;
	if (!reader->file->has_start)
		return refuse(reader, "an operation before the line 'start'");
	if (number(reader, ULONG_MAX, &index) || expect(reader, " "))
		return 1;
	if (index != reader->file->nr_ops)
		return refuse(reader, "this is operation %lu, not %lu", reader->file->nr_ops, index);
	reader->file->nr_ops++;
	if (op_arguments(reader, line) || end_of_line(reader))
		return 1;
	/* Without an answer, the answer is the end of the line. */
	if (!line->answer)
		line->answer = reader->at;
	return 0;
}

static int case_line(struct reader *reader, struct golden_line *line)
{
	unsigned long managed, index;
	unsigned int i;

	line->kind = LINE_OP;
	line->op.kind = GOLDEN_CASE;
	if (!reader->file->has_start)
		return refuse(reader, "a case before the line 'start'");
	if (number(reader, ULONG_MAX, &index) || expect(reader, " managed=["))
		return 1;
	for (i = 0; i < reader->file->nr_zones; i++) {
		if ((i && expect(reader, ",")) || number(reader, MACHINE_PFN_MAX, &managed))
			return 1;
		line->op.managed[i] = managed;
	}
	if (expect(reader, "]") || end_of_line(reader))
		return 1;
	line->answer = reader->at;
	return 0;
}

static int comment_line(struct reader *reader, struct golden_line *line)
{
	struct golden_file *file = reader->file;
	unsigned long ops, allocs, frees;

	line->kind = LINE_COMMENT;
	if (!next_is(reader, " ops="))
		return 0;
	if (number(reader, ULONG_MAX, &ops) || keyed(reader, " allocs=", ULONG_MAX, &allocs) ||
	    keyed(reader, " frees=", ULONG_MAX, &frees) || end_of_line(reader))
		return 1;
	if (ops != file->nr_ops || allocs != file->nr_allocs || frees != file->nr_frees)
		return refuse(reader, "lines are missing: %lu ops, %lu allocs, %lu frees came before this line",
			      file->nr_ops, file->nr_allocs, file->nr_frees);
	file->has_end = 1;
	return 0;
}

static int mark_line(struct reader *reader, struct golden_line *line)
{
	line->kind = LINE_MARK;
	if (!strcmp(reader->at, "start") && !reader->file->has_start && reader->file->has_boot) {
		reader->file->has_start = 1;
		line->block = GOLDEN_STATES;
		return 0;
	}
	/* Without operations the state is still that of the start, and not repeated. */
	if (reader->file->nr_ops)
		line->block = GOLDEN_STATES;
	if (reader->file->has_start && (!strcmp(reader->at, "end") || !strcmp(reader->at, "end-before-free")))
		return 0;
	return refuse(reader, "'%.40s' is out of place", reader->at);
}

static int any_line(struct reader *reader, struct golden_line *line)
{
	struct golden_file *file = reader->file;

	if (next_is(reader, "#"))
		return comment_line(reader, line);
	line->kind = LINE_MACHINE;
	if (next_is(reader, "machine name="))
		return machine_line(reader);
	if (!file->has_machine)
		return refuse(reader, "the machine line comes first");
	if (next_is(reader, "distance node="))
		return file->has_boot ? refuse(reader, "a distance after boot") : distance_line(reader);
	if (!file->has_boot && strncmp(reader->at, "boot ", 5) != 0)
		return refuse(reader, "the boot line comes before this one");
	if (next_is(reader, "op "))
		return op_line(reader, line);
	if (next_is(reader, "case "))
		return case_line(reader, line);
	if (!strcmp(reader->at, "start") || !strncmp(reader->at, "end", 3))
		return mark_line(reader, line);
	return block_line(reader, line);
}

/*
 * Sequence: what must follow what, so that a block cannot be missing as a whole.
 */

/* The blocks that follow a line, ended by NR_GOLDEN_BLOCKS; NULL if anything may. */
static const enum golden_block *blocks_after(const struct golden_line *line)
{
	static const enum golden_block boot[] = { GOLDEN_ZONES, GOLDEN_ZONELISTS, NR_GOLDEN_BLOCKS };
	static const enum golden_block mark[] = { GOLDEN_STATES, NR_GOLDEN_BLOCKS };
	static const enum golden_block sysctl[] = { GOLDEN_ZONES, NR_GOLDEN_BLOCKS };
	static const enum golden_block sizes[] = { GOLDEN_RESERVES, GOLDEN_ZONES, NR_GOLDEN_BLOCKS };
	static const enum golden_block rebuilt[] = { GOLDEN_GROUPING, GOLDEN_ZONELISTS, NR_GOLDEN_BLOCKS };

	if (line->kind == LINE_BLOCK && line->block == GOLDEN_BOOT)
		return boot;
	if (line->kind == LINE_MARK && line->block == GOLDEN_STATES)
		return mark;
	if (line->kind != LINE_OP)
		return NULL;
	switch (line->op.kind) {
	case GOLDEN_SYSCTL:
		return sysctl;
	case GOLDEN_CASE:
		return sizes;
	case GOLDEN_ZONELIST_ORDER:
		return rebuilt;
	default:
		return NULL;
	}
}

static int check_sequence(struct reader *reader, const struct golden_line *line)
{
	static const char *const names[NR_GOLDEN_BLOCKS] = { "boot", "zone", "zonelist", "state", "min_free_kbytes",
							     "vm_total_pages" };
	struct golden_file *file = reader->file;
	const enum golden_block *required = file->required;
	const enum golden_block *after = blocks_after(line);

	if (line->kind == LINE_COMMENT && !file->has_end)
		return 0;
	if (required && *required != NR_GOLDEN_BLOCKS) {
		if (line->kind == LINE_BLOCK && line->block == *required)
			file->required++;
		else if (line->kind != LINE_BLOCK || line->block != file->previous)
			return refuse(reader, "a %s line is missing before this one", names[*required]);
	}
	if (after)
		file->required = after;
	file->previous = line->kind == LINE_BLOCK ? line->block : NR_GOLDEN_BLOCKS;
	return 0;
}

int golden_file_line(struct golden_file *file, const char *text, struct golden_line *line)
{
	struct reader reader = { file, text };

	memset(line, 0, sizeof(*line));
	if (file->has_end)
		return refuse(&reader, "there is something after the line that counts the operations");
	return any_line(&reader, line) || check_sequence(&reader, line);
}
