// SPDX-License-Identifier: GPL-2.0
/*
 * machine.c - from a preset and settings to a configuration that is known to boot.
 *
 * machine_configure() applies the settings of a program, fills in what they leave open and checks the whole.
 * machine_check() is the only place that says what a machine must be; every configuration it lets through boots
 * without a division by zero, an empty first zone or a boot that takes seconds. Each refusal is one sentence.
 * It runs for every decoded program, so it is a few hundred compares and touches nothing but the configuration.
 */
#include "machine.h"

/* A free block of the highest order, which is also the unit in which frames are mapped to zones. */
#define MAX_ORDER_FRAMES 1024UL
/* Fewer leave watermarks and reserves nothing to divide. */
#define LOWMEM_FRAMES_MIN 128UL
/* HighMem is handed over frame by frame (specification 8.3): more of it is a boot of seconds. */
#define HIGHMEM_FRAMES_MAX (1UL << 20)
#define PAGEBLOCKS_MAX (1UL << 21)
/* Each reserved or CMA frame has a descriptor of its own that the boot must write. */
#define WITHHELD_FRAMES_MAX (1UL << 18)

/* Where a zone type ends when nobody says: ISA DMA, 32-bit DMA, what a 32-bit kernel maps directly. */
#define DMA_END_PFN 0x1000UL
#define DMA32_END_PFN 0x100000UL
#define LOWMEM_END_PFN 0x38000UL

#define NO_NEIGHBOUR_DISTANCE 10

const struct setting_info setting_infos[NR_SETTINGS] = {
#define SETTING(name, form, min, max, sentence) { #name, form, min, max, sentence },
#include "kernel-shim/machine.def"
#undef SETTING
};

const char *machine_zone_name(unsigned int zone)
{
	static const char *const names[MACHINE_ZONES_MAX] = { "DMA", "DMA32", "Normal", "HighMem", "Movable" };

	return zone < MACHINE_ZONES_MAX ? names[zone] : "?";
}

unsigned long machine_ram_pages(const struct machine_config *config)
{
	unsigned long pages = 0;
	unsigned int i;

	for (i = 0; i < config->nr_ranges; i++)
		pages += config->ranges[i].end_pfn - config->ranges[i].start_pfn;
	return pages;
}

static _Bool zone_present(const struct machine_config *config, unsigned int zone)
{
	return (config->zones >> zone) & 1;
}

/* First frame above all registered memory. */
static unsigned long memory_end_pfn(const struct machine_config *config)
{
	return config->nr_ranges ? config->ranges[config->nr_ranges - 1].end_pfn : 0;
}

/*
 * Applying settings.
 */

/* Insert frames in ascending order; whether they overlap is machine_check()'s business. */
static const char *add_range(struct machine_range *ranges, unsigned int *nr, const struct machine_setting *setting)
{
	unsigned int i = *nr;

	if (i == MACHINE_RANGES_MAX)
		return "there are at most 16 ranges of a kind";
	for (; i && ranges[i - 1].start_pfn > setting->x; i--)
		ranges[i] = ranges[i - 1];
	ranges[i] = (struct machine_range){ setting->a, setting->x, setting->y };
	++*nr;
	return 0;
}

static void set_zone(struct machine_config *config, unsigned int zone, _Bool on)
{
	config->zones = (unsigned char)((config->zones & ~(1U << zone)) | (unsigned int)on << zone);
}

static void apply_flag(struct machine_config *config, unsigned int key, _Bool on)
{
	switch (key) {
	case SETTING_smp:
		config->smp = on;
		break;
	case SETTING_numa:
		config->numa = on;
		break;
	case SETTING_debug_vm:
		config->debug_vm = on;
		break;
	case SETTING_cma:
		config->cma = on;
		if (!on)
			config->nr_cma = 0;
		break;
	case SETTING_isolation:
		config->isolation = on;
		break;
	case SETTING_compaction:
		config->compaction = on;
		break;
	case SETTING_cpusets:
		config->cpusets = on;
		break;
	case SETTING_zone_dma:
		set_zone(config, MACHINE_ZONE_DMA, on);
		break;
	case SETTING_zone_dma32:
		set_zone(config, MACHINE_ZONE_DMA32, on);
		break;
	case SETTING_zone_highmem:
		set_zone(config, MACHINE_ZONE_HIGHMEM, on);
		break;
	}
}

static void apply_number(struct machine_config *config, unsigned int key, unsigned int x)
{
	switch (key) {
	case SETTING_pageblock_order:
		config->pageblock_order = (unsigned char)x;
		break;
	case SETTING_struct_page_bytes:
		config->struct_page_bytes = (unsigned char)x;
		break;
	case SETTING_hz:
		config->hz = (unsigned short)x;
		break;
	case SETTING_cpus:
		config->nr_cpus = x;
		break;
	case SETTING_nodes:
		config->nr_nodes = x;
		break;
	case SETTING_min_free_kbytes:
		config->min_free_kbytes = (int)x;
		break;
	case SETTING_watermark_scale_factor:
		config->watermark_scale_factor = (int)x;
		break;
	case SETTING_percpu_pagelist_fraction:
		config->percpu_pagelist_fraction = (int)x;
		break;
	case SETTING_zone_reclaim_mode:
		config->zone_reclaim_mode = (int)x;
		break;
	case SETTING_numa_zonelist_order:
		config->numa_zonelist_order = (char)x;
		break;
	case SETTING_jiffies:
		config->jiffies = x;
		break;
	case SETTING_jiffies_high:
		config->jiffies_high = x;
		break;
	}
}

/* Settings of one zone, node, CPU or pair of nodes, and frames. */
static const char *apply_indexed(struct machine_config *config, const struct machine_setting *setting)
{
	switch (setting->key) {
	case SETTING_cpu_node:
		config->cpu_node[setting->a] = (unsigned char)setting->x;
		return 0;
	case SETTING_distance:
		config->distance[setting->a][setting->b] = (unsigned char)setting->x;
		return 0;
	case SETTING_max_zone_pfn:
		if (setting->a == MACHINE_ZONE_MOVABLE)
			return "the Movable zone ends where its node does: movable_start says where it starts";
		config->max_zone_pfn[setting->a] = setting->x;
		return 0;
	case SETTING_movable_start:
		config->movable_start_pfn[setting->a] = setting->x;
		return 0;
	case SETTING_lowmem_reserve_ratio:
		if (setting->a >= MACHINE_ZONES_MAX - 1)
			return "the Movable zone has no lowmem_reserve_ratio: no class is above it";
		config->lowmem_reserve_ratio[setting->a] = (int)setting->x;
		return 0;
	case SETTING_range:
		return add_range(config->ranges, &config->nr_ranges, setting);
	case SETTING_reserved:
		return add_range(config->reserved, &config->nr_reserved, setting);
	case SETTING_cma_range:
		return add_range(config->cma_ranges, &config->nr_cma, setting);
	}
	return 0;
}

/* NULL if the setting's fields are inside the limits of machine.def. */
static const char *check_setting(const struct machine_setting *setting)
{
	static const unsigned char nr_a[] = {
		[FORM_ZONE] = MACHINE_ZONES_MAX, [FORM_NODE] = MACHINE_NODES_MAX,  [FORM_CPU] = MACHINE_CPUS_MAX,
		[FORM_PAIR] = MACHINE_NODES_MAX, [FORM_RANGE] = MACHINE_NODES_MAX, [FORM_FRAMES] = 1,
	};
	const struct setting_info *info;

	if (setting->key >= NR_SETTINGS)
		return "there is no such setting";
	info = &setting_infos[setting->key];
	if (setting->x < info->min || setting->x > info->max)
		return "the value of a setting is outside its limits";
	if (info->form >= FORM_ZONE && setting->a >= nr_a[info->form])
		return "a setting names a zone, node or CPU that cannot exist";
	if (info->form == FORM_PAIR && setting->b >= MACHINE_NODES_MAX)
		return "a setting names a zone, node or CPU that cannot exist";
	if (info->form >= FORM_RANGE && setting->y > info->max)
		return "the value of a setting is outside its limits";
	return 0;
}

static const char *apply_setting(struct machine_config *config, const struct machine_setting *setting)
{
	const char *why = check_setting(setting);

	if (why)
		return why;
	switch (setting_infos[setting->key].form) {
	case FORM_FLAG:
		apply_flag(config, setting->key, setting->x);
		return 0;
	case FORM_NUMBER:
	case FORM_CHAR:
		apply_number(config, setting->key, setting->x);
		return 0;
	default:
		return apply_indexed(config, setting);
	}
}

static _Bool has_setting(const struct machine_setting *settings, unsigned int nr_settings, unsigned int key)
{
	unsigned int i;

	for (i = 0; i < nr_settings; i++)
		if (settings[i].key == key)
			return 1;
	return 0;
}

/*
 * Where zone types end when nobody said: the usual borders, and the end of memory for the highest one. A zone type
 * that is not configured ends at 0, so that it is empty wherever it is looked at.
 */
static void complete_zones(struct machine_config *config)
{
	static const unsigned long usual_end_pfn[] = { DMA_END_PFN, DMA32_END_PFN, LOWMEM_END_PFN, 0 };
	unsigned int top = zone_present(config, MACHINE_ZONE_HIGHMEM) ? MACHINE_ZONE_HIGHMEM : MACHINE_ZONE_NORMAL;
	unsigned long end_pfn = 0;
	unsigned int zone;

	for (zone = 0; zone <= MACHINE_ZONE_HIGHMEM; zone++) {
		unsigned long *max_pfn = &config->max_zone_pfn[zone];

		if (!zone_present(config, zone)) {
			*max_pfn = 0;
			continue;
		}
		if (!*max_pfn) {
			*max_pfn = zone == top ? memory_end_pfn(config) : usual_end_pfn[zone];
			if (*max_pfn < end_pfn)
				*max_pfn = end_pfn;
		}
		end_pfn = *max_pfn;
	}
	config->max_zone_pfn[MACHINE_ZONE_MOVABLE] = 0;
}

const char *machine_configure(struct machine_config *config, unsigned int preset,
			      const struct machine_setting *settings, unsigned int nr_settings)
{
	const char *why;
	unsigned int i;

	if (preset >= nr_machine_presets)
		return "there is no such preset";
	machine_presets[preset].fill(config);
	if (has_setting(settings, nr_settings, SETTING_range)) {
		config->nr_ranges = 0;
		config->nr_reserved = 0;
		config->nr_cma = 0;
	}
	for (i = 0; i < nr_settings; i++) {
		why = apply_setting(config, &settings[i]);
		if (why)
			return why;
	}
	if (!config->smp)
		config->nr_cpus = 1;
	if (!has_setting(settings, nr_settings, SETTING_jiffies))
		config->jiffies = 0U - 300U * config->hz;
	complete_zones(config);
	return machine_check(config);
}

/*
 * Checking. Each function below owns one subject; machine_check() asks them in order.
 */
static const char *check_features(const struct machine_config *config)
{
	const unsigned int always = 1U << MACHINE_ZONE_NORMAL | 1U << MACHINE_ZONE_MOVABLE;

	if ((config->zones & always) != always || config->zones >= 1U << MACHINE_ZONES_MAX)
		return "the zone types Normal and Movable are part of every machine";
	if (config->pageblock_order < 1 || config->pageblock_order > 10)
		return "pageblock_order is 1 to 10";
	if (config->struct_page_bytes < 32 || config->struct_page_bytes > 128)
		return "struct_page_bytes is 32 to 128";
	if (config->hz != 100 && config->hz != 250 && config->hz != 300 && config->hz != 1000)
		return "hz is 100, 250, 300 or 1000";
	return 0;
}

static const char *check_cpus(const struct machine_config *config)
{
	unsigned int cpu;

	if (config->nr_cpus < 1 || config->nr_cpus > MACHINE_CPUS_MAX)
		return "a machine has 1 to 8 CPUs";
	if (!config->smp && config->nr_cpus != 1)
		return "without smp there is one CPU";
	if (!config->numa)
		return 0;
	for (cpu = 0; cpu < config->nr_cpus; cpu++)
		if (config->cpu_node[cpu] >= config->nr_nodes)
			return "a CPU is on a node that is not online";
	return 0;
}

static const char *check_nodes(const struct machine_config *config)
{
	unsigned int from;
	unsigned int to;

	if (config->nr_nodes < 1 || config->nr_nodes > MACHINE_NODES_MAX)
		return "a machine has 1 to 8 nodes";
	for (from = 0; from < config->nr_nodes; from++) {
		for (to = 0; to < config->nr_nodes; to++) {
			if (from == to && config->distance[from][to] != NO_NEIGHBOUR_DISTANCE)
				return "the distance of a node to itself is 10";
			if (config->distance[from][to] < NO_NEIGHBOUR_DISTANCE)
				return "no node is nearer than distance 10";
		}
	}
	return 0;
}

/* One of the three lists of frames. */
static const char *check_ranges(const struct machine_range *ranges, unsigned int nr, unsigned int nr_nodes)
{
	unsigned int i;

	if (nr > MACHINE_RANGES_MAX)
		return "there are at most 16 ranges of a kind";
	for (i = 0; i < nr; i++) {
		if (ranges[i].start_pfn >= ranges[i].end_pfn)
			return "a range of frames is empty";
		if (ranges[i].end_pfn > MACHINE_PFN_MAX)
			return "a range of frames ends above 1 TiB";
		if (ranges[i].node >= nr_nodes)
			return "a range of frames is on a node that is not online";
		if (i && ranges[i].start_pfn < ranges[i - 1].end_pfn)
			return "ranges of frames overlap or are not in ascending order";
	}
	return 0;
}

static const char *check_zones(const struct machine_config *config)
{
	unsigned long end_pfn = 0;
	unsigned int zone;

	for (zone = 0; zone <= MACHINE_ZONE_HIGHMEM; zone++) {
		if (!zone_present(config, zone))
			continue;
		if (config->max_zone_pfn[zone] < end_pfn)
			return "max_zone_pfn descends from one zone type to the next";
		end_pfn = config->max_zone_pfn[zone];
	}
	if (memory_end_pfn(config) > end_pfn)
		return "there is memory above the highest zone";
	if (end_pfn > MACHINE_PFN_MAX)
		return "a zone ends above 1 TiB";
	return 0;
}

/* First frame of the zone type that gives Movable its frames: the highest one that is not empty (specification 8.1). */
static unsigned long highest_zone_start_pfn(const struct machine_config *config)
{
	unsigned long start_pfn = config->nr_ranges ? config->ranges[0].start_pfn : 0;
	unsigned long highest_start_pfn = start_pfn;
	unsigned int zone;

	for (zone = 0; zone <= MACHINE_ZONE_HIGHMEM; zone++) {
		if (zone_present(config, zone) && config->max_zone_pfn[zone] > start_pfn) {
			highest_start_pfn = start_pfn;
			start_pfn = config->max_zone_pfn[zone];
		}
	}
	return highest_start_pfn;
}

static const char *check_movable(const struct machine_config *config)
{
	unsigned long lowest_pfn = highest_zone_start_pfn(config);
	unsigned int node;

	for (node = 0; node < config->nr_nodes; node++) {
		unsigned long start_pfn = config->movable_start_pfn[node];

		if (!start_pfn)
			continue;
		if (start_pfn % MAX_ORDER_FRAMES)
			return "movable_start is a multiple of 0x400 frames";
		if (start_pfn < lowest_pfn)
			return "movable_start is below the highest zone, which Movable takes its frames from";
	}
	return 0;
}

static unsigned long overlap(const struct machine_range *range, unsigned long start_pfn, unsigned long end_pfn)
{
	unsigned long start = range->start_pfn > start_pfn ? range->start_pfn : start_pfn;
	unsigned long end = range->end_pfn < end_pfn ? range->end_pfn : end_pfn;

	return start < end ? end - start : 0;
}

/* First frame of a node that the kernel itself cannot use: HighMem or Movable. */
static unsigned long lowmem_end_pfn(const struct machine_config *config, unsigned int node)
{
	unsigned long end_pfn = config->max_zone_pfn[MACHINE_ZONE_NORMAL];
	unsigned long movable_pfn = config->movable_start_pfn[node];

	return movable_pfn && movable_pfn < end_pfn ? movable_pfn : end_pfn;
}

static const char *check_size(const struct machine_config *config)
{
	unsigned long normal_end_pfn = config->max_zone_pfn[MACHINE_ZONE_NORMAL];
	unsigned long lowmem = 0;
	unsigned long highmem = 0;
	unsigned long withheld = 0;
	unsigned int i;
	unsigned int r;

	for (i = 0; i < config->nr_ranges; i++) {
		struct machine_range low = config->ranges[i];

		highmem += overlap(&low, normal_end_pfn, MACHINE_PFN_MAX);
		low.end_pfn = low.start_pfn + overlap(&low, 0, lowmem_end_pfn(config, low.node));
		lowmem += low.end_pfn - low.start_pfn;
		for (r = 0; r < config->nr_reserved; r++)
			lowmem -= overlap(&config->reserved[r], low.start_pfn, low.end_pfn);
	}
	for (i = 0; i < config->nr_reserved; i++)
		withheld += config->reserved[i].end_pfn - config->reserved[i].start_pfn;
	for (i = 0; i < config->nr_cma; i++)
		withheld += config->cma_ranges[i].end_pfn - config->cma_ranges[i].start_pfn;
	if (withheld > WITHHELD_FRAMES_MAX)
		return "more than 1 GiB of frames is reserved or CMA";
	if (lowmem < LOWMEM_FRAMES_MIN)
		return "fewer than 128 frames are left outside HighMem, Movable and reserved frames";
	if (highmem > HIGHMEM_FRAMES_MAX)
		return "there is more than 4 GiB of HighMem";
	if (memory_end_pfn(config) >> config->pageblock_order > PAGEBLOCKS_MAX)
		return "there are more than 2097152 pageblocks: pageblock_order is too small for so much memory";
	return 0;
}

/* True if all frames of `inner` are memory of one node below HighMem, on one side of every zone border. */
static _Bool lies_in_one_zone(const struct machine_config *config, const struct machine_range *inner)
{
	unsigned long length = inner->end_pfn - inner->start_pfn;
	unsigned int zone;
	unsigned int i;

	for (i = 0; i < config->nr_ranges; i++)
		if (overlap(&config->ranges[i], inner->start_pfn, inner->end_pfn) == length)
			break;
	if (i == config->nr_ranges || inner->end_pfn > lowmem_end_pfn(config, config->ranges[i].node))
		return 0;
	for (zone = 0; zone < MACHINE_ZONE_NORMAL; zone++) {
		unsigned long border_pfn = config->max_zone_pfn[zone];

		if (inner->start_pfn < border_pfn && border_pfn < inner->end_pfn)
			return 0;
	}
	return 1;
}

static const char *check_cma(const struct machine_config *config)
{
	unsigned int i;
	unsigned int r;

	if (config->nr_cma && !config->cma)
		return "CMA frames need cma=1";
	for (i = 0; i < config->nr_cma; i++) {
		const struct machine_range *range = &config->cma_ranges[i];

		if ((range->start_pfn | range->end_pfn) % MAX_ORDER_FRAMES)
			return "CMA frames start and end at a multiple of 0x400";
		if (!lies_in_one_zone(config, range))
			return "CMA frames lie in one range of memory and in one zone below HighMem and Movable";
		for (r = 0; r < config->nr_reserved; r++)
			if (overlap(&config->reserved[r], range->start_pfn, range->end_pfn))
				return "CMA frames are not reserved ones";
	}
	return 0;
}

static _Bool node_spans(const struct machine_config *config, unsigned int node, unsigned long start_pfn,
			unsigned long end_pfn)
{
	_Bool below = 0;
	_Bool above = 0;
	unsigned int i;

	for (i = 0; i < config->nr_ranges; i++) {
		below |= config->ranges[i].node == node && config->ranges[i].start_pfn <= start_pfn;
		above |= config->ranges[i].node == node && config->ranges[i].end_pfn >= end_pfn;
	}
	return below && above;
}

/*
 * A fallback takes what is free in a pageblock for its zone's own if the zone spans the pageblock (page_alloc specification
 * 12.6): whoever sets up memory owes it that.
 */
static const char *check_pageblocks(const struct machine_config *config)
{
	unsigned int i;
	unsigned int k;

	for (i = 0; i < config->nr_ranges; i++) {
		const struct machine_range *low = &config->ranges[i];
		unsigned long block = (low->end_pfn - 1) >> config->pageblock_order;
		unsigned long start_pfn = block << config->pageblock_order;
		unsigned long end_pfn = (block + 1) << config->pageblock_order;

		for (k = i + 1; k < config->nr_ranges && config->ranges[k].start_pfn < end_pfn; k++)
			if (config->ranges[k].node != low->node &&
			    (node_spans(config, low->node, start_pfn, end_pfn) ||
			     node_spans(config, config->ranges[k].node, start_pfn, end_pfn)))
				return "a pageblock with frames of two nodes lies between frames of one of them";
	}
	return 0;
}

static const char *check_tunables(const struct machine_config *config)
{
	char order = config->numa_zonelist_order;

	if (config->min_free_kbytes < -1)
		return "min_free_kbytes is -1 (computed at boot) or more";
	if (config->watermark_scale_factor < 1 || config->watermark_scale_factor > 1000)
		return "watermark_scale_factor is 1 to 1000";
	if (config->percpu_pagelist_fraction && config->percpu_pagelist_fraction < 8)
		return "percpu_pagelist_fraction is 0, or 8 and up";
	if (config->zone_reclaim_mode & ~7)
		return "zone_reclaim_mode is 0 to 7";
	if (order != 'd' && order != 'n' && order != 'z')
		return "numa_zonelist_order is d, n or z";
	return 0;
}

const char *machine_check(const struct machine_config *config)
{
	const char *why = check_features(config);

	if (!why)
		why = check_nodes(config);
	if (!why)
		why = check_cpus(config);
	if (!why)
		why = check_ranges(config->ranges, config->nr_ranges, config->nr_nodes);
	if (!why)
		why = check_ranges(config->reserved, config->nr_reserved, MACHINE_NODES_MAX);
	if (!why)
		why = check_ranges(config->cma_ranges, config->nr_cma, MACHINE_NODES_MAX);
	if (!why)
		why = check_zones(config);
	if (!why)
		why = check_movable(config);
	if (!why)
		why = check_size(config);
	if (!why)
		why = check_cma(config);
	if (!why)
		why = check_pageblocks(config);
	return why ? why : check_tunables(config);
}
