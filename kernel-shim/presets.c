// SPDX-License-Identifier: GPL-2.0
/*
 * presets.c - the named machines, small ones first. Their order is part of the byte format: append to either group.
 *
 * Each starts from the same defaults (an up-to-date 64-bit kernel with one node, all debug checks on) and says in
 * a few lines where it differs. Borders of zones that are not named here follow from the memory (machine.c).
 */
#include "machine.h"

#define ZONE_BIT(zone) (1U << MACHINE_ZONE_##zone)

static void fill_defaults(struct machine_config *config)
{
	static const struct machine_config defaults = {
		.debug_vm = 1,
		.isolation = 1,
		.zones = ZONE_BIT(NORMAL) | ZONE_BIT(MOVABLE),
		.pageblock_order = 10,
		.struct_page_bytes = 64,
		.hz = 250,
		.nr_cpus = 1,
		.nr_nodes = 1,
		.min_free_kbytes = -1,
		.watermark_scale_factor = 10,
		.lowmem_reserve_ratio = { 256, 256, 32, 32 },
		.numa_zonelist_order = 'd',
	};
	unsigned int from;
	unsigned int to;

	*config = defaults;
	for (from = 0; from < MACHINE_NODES_MAX; from++)
		for (to = 0; to < MACHINE_NODES_MAX; to++)
			config->distance[from][to] = from == to ? 10 : 20;
}

static void add_memory(struct machine_config *config, unsigned int node, unsigned long start_pfn, unsigned long end_pfn)
{
	config->ranges[config->nr_ranges++] = (struct machine_range){ node, start_pfn, end_pfn };
}

static void reserve(struct machine_config *config, unsigned long start_pfn, unsigned long end_pfn)
{
	config->reserved[config->nr_reserved++] = (struct machine_range){ 0, start_pfn, end_pfn };
}

static void give_to_cma(struct machine_config *config, unsigned long start_pfn, unsigned long end_pfn)
{
	config->cma = 1;
	config->cma_ranges[config->nr_cma++] = (struct machine_range){ 0, start_pfn, end_pfn };
}

/* Spread the CPUs over the nodes in order. */
static void set_cpus(struct machine_config *config, unsigned int nr_cpus)
{
	unsigned int cpu;

	config->smp = 1;
	config->nr_cpus = nr_cpus;
	for (cpu = 0; cpu < nr_cpus; cpu++)
		config->cpu_node[cpu] = (unsigned char)(cpu * config->nr_nodes / nr_cpus);
}

static void fill_uma_64m(struct machine_config *config)
{
	fill_defaults(config);
	config->zones |= ZONE_BIT(DMA);
	config->hz = 100;
	add_memory(config, 0, 0x0, 0x4000);
	reserve(config, 0x0, 0x20);
	reserve(config, 0x9f, 0x100);
}

/* uma-64m with a thousand times the memory, to show what does not grow with it. */
static void fill_uma_64g(struct machine_config *config)
{
	fill_uma_64m(config);
	config->ranges[0].end_pfn = 0x1000000;
}

static void fill_aranym(struct machine_config *config)
{
	fill_defaults(config);
	config->zones |= ZONE_BIT(DMA);
	config->hz = 100;
	config->struct_page_bytes = 32;
	config->nr_nodes = 2;
	add_memory(config, 0, 0x0, 0xe00);
	add_memory(config, 1, 0x1000, 0x11000);
	config->max_zone_pfn[MACHINE_ZONE_DMA] = 0x11000;
}

static void fill_numa2(struct machine_config *config)
{
	fill_defaults(config);
	config->numa = 1;
	config->zones |= ZONE_BIT(DMA);
	config->pageblock_order = 7;
	config->nr_nodes = 2;
	set_cpus(config, 2);
	add_memory(config, 0, 0x0, 0x1000);
	add_memory(config, 1, 0x1000, 0x1c00);
	config->max_zone_pfn[MACHINE_ZONE_DMA] = 0x800;
}

static void fill_numa4(struct machine_config *config)
{
	static const unsigned char distance[4][4] = {
		{ 10, 16, 22, 40 },
		{ 17, 10, 28, 22 },
		{ 22, 31, 10, 16 },
		{ 40, 22, 12, 10 },
	};
	unsigned int from;
	unsigned int to;

	fill_defaults(config);
	config->numa = 1;
	config->compaction = 1;
	config->cpusets = 1;
	config->zones |= ZONE_BIT(DMA);
	config->pageblock_order = 6;
	config->hz = 1000;
	config->nr_nodes = 4;
	set_cpus(config, 4);
	for (from = 0; from < 4; from++)
		for (to = 0; to < 4; to++)
			config->distance[from][to] = distance[from][to];
	add_memory(config, 0, 0x10, 0x7f3);
	add_memory(config, 0, 0x900, 0x1005);
	add_memory(config, 1, 0x1005, 0x1a80);
	add_memory(config, 3, 0x1c00, 0x2711);
	config->max_zone_pfn[MACHINE_ZONE_DMA] = 0x800;
	reserve(config, 0x100, 0x13d);
}

static void fill_tiny(struct machine_config *config)
{
	fill_defaults(config);
	config->pageblock_order = 4;
	config->hz = 100;
	add_memory(config, 0, 0x0, 0x100);
}

static void fill_pc(struct machine_config *config)
{
	fill_defaults(config);
	config->compaction = 1;
	config->zones |= ZONE_BIT(DMA) | ZONE_BIT(DMA32);
	config->pageblock_order = 9;
	set_cpus(config, 4);
	add_memory(config, 0, 0x1, 0x9f);
	add_memory(config, 0, 0x100, 0xc0000);
	add_memory(config, 0, 0x100000, 0x240000);
	reserve(config, 0x1000, 0x2400);
	give_to_cma(config, 0x200000, 0x204000);
}

static void fill_i386(struct machine_config *config)
{
	fill_defaults(config);
	config->zones |= ZONE_BIT(DMA) | ZONE_BIT(HIGHMEM);
	config->struct_page_bytes = 32;
	set_cpus(config, 2);
	add_memory(config, 0, 0x0, 0x9f);
	add_memory(config, 0, 0x100, 0x40000);
	reserve(config, 0x0, 0x1);
	reserve(config, 0x400, 0xa00);
}

static void fill_movable(struct machine_config *config)
{
	fill_defaults(config);
	config->pageblock_order = 9;
	set_cpus(config, 2);
	add_memory(config, 0, 0x0, 0x3000);
	reserve(config, 0x0, 0x40);
	give_to_cma(config, 0x1800, 0x1c00);
	config->movable_start_pfn[0] = 0x2000;
}

static void fill_big_64g(struct machine_config *config)
{
	fill_defaults(config);
	config->numa = 1;
	config->compaction = 1;
	config->cpusets = 1;
	config->zones |= ZONE_BIT(DMA) | ZONE_BIT(DMA32);
	config->pageblock_order = 9;
	config->hz = 1000;
	config->nr_nodes = 2;
	set_cpus(config, 8);
	config->distance[0][1] = 21;
	config->distance[1][0] = 21;
	add_memory(config, 0, 0x0, 0xc0000);
	add_memory(config, 0, 0x100000, 0x840000);
	add_memory(config, 1, 0x840000, 0x1040000);
	reserve(config, 0x0, 0x1);
}

static void fill_huge_1t(struct machine_config *config)
{
	unsigned long node_pages = MACHINE_PFN_MAX / MACHINE_NODES_MAX;
	unsigned int node;

	fill_defaults(config);
	config->numa = 1;
	config->compaction = 1;
	config->zones |= ZONE_BIT(DMA) | ZONE_BIT(DMA32);
	config->pageblock_order = 9;
	config->nr_nodes = MACHINE_NODES_MAX;
	set_cpus(config, 8);
	for (node = 0; node < MACHINE_NODES_MAX; node++)
		add_memory(config, node, node * node_pages, (node + 1) * node_pages);
}

/* The zones of `pc` within 32 MiB: two nodes, so that zone and node order differ. */
static void fill_mini_pc(struct machine_config *config)
{
	fill_defaults(config);
	config->numa = 1;
	config->compaction = 1;
	config->cpusets = 1;
	config->zones |= ZONE_BIT(DMA) | ZONE_BIT(DMA32);
	config->pageblock_order = 9;
	config->nr_nodes = 2;
	set_cpus(config, 2);
	add_memory(config, 0, 0x0, 0x1400);
	add_memory(config, 1, 0x1400, 0x2000);
	config->max_zone_pfn[MACHINE_ZONE_DMA] = 0x400;
	config->max_zone_pfn[MACHINE_ZONE_DMA32] = 0xc00;
	reserve(config, 0x0, 0x20);
}

/* The zones of `i386` within 48 MiB. */
static void fill_mini_i386(struct machine_config *config)
{
	fill_defaults(config);
	config->zones |= ZONE_BIT(DMA) | ZONE_BIT(HIGHMEM);
	config->struct_page_bytes = 32;
	add_memory(config, 0, 0x0, 0x3000);
	config->max_zone_pfn[MACHINE_ZONE_DMA] = 0x400;
	config->max_zone_pfn[MACHINE_ZONE_NORMAL] = 0x1400;
	reserve(config, 0x0, 0x20);
}

const struct machine_preset machine_presets[] = {
	{ "uma-64m", "64 MiB on one CPU, zones DMA (16 MiB) and Normal", fill_uma_64m },
	{ "aranym", "an m68k emulator: 14 MiB and 256 MiB, a node each, nothing but zone DMA", fill_aranym },
	{ "numa2", "two nodes of 16 and 12 MiB with a CPU each, DMA and Normal on the first", fill_numa2 },
	{ "numa4", "four nodes with a CPU each: ragged edges, a hole, a memoryless node, uneven distances", fill_numa4 },
	{ "tiny", "1 MiB on one CPU, zone Normal, pageblocks of 16 pages: a person can draw it", fill_tiny },
	{ "movable", "48 MiB on two CPUs: Normal with 4 MiB of CMA, and 16 MiB of Movable", fill_movable },
	{ "mini-pc", "the zones of pc in 32 MiB on two nodes with a CPU each", fill_mini_pc },
	{ "mini-i386", "the zones of i386 in 48 MiB on one CPU", fill_mini_i386 },
	/* From here on a boot takes milliseconds. */
	{ "pc", "x86-64 with 4 CPUs and 8 GiB: DMA, DMA32, Normal, 64 MiB of CMA, the hole below 4 GiB", fill_pc },
	{ "i386", "1 GiB on two CPUs: DMA, Normal, HighMem", fill_i386 },
	{ "big-64g", "64 GiB on two nodes with four CPUs each", fill_big_64g },
	{ "huge-1t", "1 TiB on eight nodes with a CPU each", fill_huge_1t },
	{ "uma-64g", "uma-64m with 64 GiB", fill_uma_64g },
};

const unsigned int nr_machine_presets = sizeof(machine_presets) / sizeof(machine_presets[0]);
const unsigned int nr_small_machine_presets = 8;
