/* SPDX-License-Identifier: GPL-2.0 */
/*
 * machine.h - what a simulated machine is before it boots, in plain C for both worlds.
 *
 * struct machine_config is everything that Linux decides at compile time, on the command line or from firmware,
 * decided here at run time. A program names a preset and a list of settings (machine.def); machine_configure()
 * turns the two into a configuration, machine_boot() turns that into a booted machine (machine_boot.c).
 */
#ifndef MMFUZZ_MACHINE_H
#define MMFUZZ_MACHINE_H

#define MACHINE_NODES_MAX 8
#define MACHINE_CPUS_MAX 8
#define MACHINE_RANGES_MAX 16
#define MACHINE_SETTINGS_MAX 32
#define MACHINE_ZONES_MAX 5
/* 1 TiB of 4 KiB pages. */
#define MACHINE_PFN_MAX (1UL << 28)
#define MACHINE_PAGE_SHIFT 12

/* Numbered as the superset enum zone_type of <linux/mmzone.h>. */
enum machine_zone {
	MACHINE_ZONE_DMA,
	MACHINE_ZONE_DMA32,
	MACHINE_ZONE_NORMAL,
	MACHINE_ZONE_HIGHMEM,
	MACHINE_ZONE_MOVABLE,
};

/* Frames [start_pfn, end_pfn). */
struct machine_range {
	unsigned int node;
	unsigned long start_pfn;
	unsigned long end_pfn;
};

struct machine_config {
	/* Present or absent, as CONFIG_* would say. */
	_Bool smp;
	_Bool numa;
	_Bool debug_vm;
	_Bool cma;
	_Bool isolation;
	_Bool compaction;
	_Bool cpusets;
	unsigned char zones;              /* bit per enum machine_zone; NORMAL and MOVABLE always set */
	unsigned char pageblock_order;    /* 1..10 */
	unsigned char struct_page_bytes;  /* what the boot-time estimate of memmap pages assumes: 32..128 */
	unsigned short hz;                /* 100, 250, 300 or 1000 */

	unsigned int nr_cpus;             /* 1..MACHINE_CPUS_MAX, all online */
	unsigned char cpu_node[MACHINE_CPUS_MAX];
	unsigned int nr_nodes;            /* online nodes 0..nr_nodes-1; a node without a range is memoryless */
	unsigned char distance[MACHINE_NODES_MAX][MACHINE_NODES_MAX];

	/* Registered memory, ascending and disjoint; reserved frames never reach the buddy lists at boot. */
	unsigned int nr_ranges;
	struct machine_range ranges[MACHINE_RANGES_MAX];
	unsigned int nr_reserved;
	struct machine_range reserved[MACHINE_RANGES_MAX];
	unsigned int nr_cma;              /* handed over as CMA pageblocks, MAX_ORDER_NR_PAGES aligned */
	struct machine_range cma_ranges[MACHINE_RANGES_MAX];

	/* First frame above each zone type; MOVABLE's is unused. */
	unsigned long max_zone_pfn[MACHINE_ZONES_MAX];
	/* Per node: frames from here up belong to ZONE_MOVABLE; 0 = none. */
	unsigned long movable_start_pfn[MACHINE_NODES_MAX];

	/* Tunables as set before the first operation; the defaults are the kernel's. */
	int min_free_kbytes;              /* -1: computed at boot */
	int watermark_scale_factor;       /* 1..1000 */
	int lowmem_reserve_ratio[MACHINE_ZONES_MAX - 1];
	int percpu_pagelist_fraction;     /* 0, or 8 and up */
	int zone_reclaim_mode;            /* bits ZONE 1, WRITE 2, UNMAP 4 */
	char numa_zonelist_order;         /* 'd', 'n' or 'z' */
	unsigned int jiffies;             /* the low word of jiffies at boot */
	unsigned int jiffies_high;        /* the other */
};

/* A deviation from the preset. Which fields count depends on the form of the key (machine.def); the others are 0. */
struct machine_setting {
	unsigned char key;
	unsigned char a;
	unsigned char b;
	unsigned int x;
	unsigned int y;
};

enum setting_form {
	FORM_FLAG,       /* name=0|1                     x */
	FORM_NUMBER,     /* name=N                       x */
	FORM_CHAR,       /* name=d|n|z                   x (the character) */
	FORM_ZONE,       /* name=ZONE:N                  a = zone, x; zone by name: DMA, DMA32, Normal, HighMem, Movable */
	FORM_NODE,       /* name=NODE:N                  a = node, x */
	FORM_CPU,        /* name=CPU:N                   a = cpu, x */
	FORM_PAIR,       /* name=NODE:NODE:N             a, b = nodes, x */
	FORM_RANGE,      /* name=NODE:START-END          a = node, x = start, y = end, pfns, printed in hex */
	FORM_FRAMES,     /* name=START-END               x = start, y = end, pfns, printed in hex */
};

enum setting_key {
#define SETTING(name, form, min, max, sentence) SETTING_##name,
#include "kernel-shim/machine.def"
#undef SETTING
	NR_SETTINGS
};

struct setting_info {
	const char *name;
	enum setting_form form;
	unsigned int min;   /* of x */
	unsigned int max;
	const char *sentence;
};

struct machine_preset {
	const char *name;
	const char *sentence;
	void (*fill)(struct machine_config *config);
};

extern const struct setting_info setting_infos[NR_SETTINGS];
extern const struct machine_preset machine_presets[];
extern const unsigned int nr_machine_presets;
/* The first so many are small: at most 512 MiB, booted in microseconds. */
extern const unsigned int nr_small_machine_presets;

/*
 * machine_configure - the configuration that a preset and settings describe.
 * Settings apply in order. The first `range` replaces all ranges, reserved and CMA frames of the preset.
 * Returns NULL, or a static sentence that says why the result cannot boot (then *config must not be used).
 */
const char *machine_configure(struct machine_config *config, unsigned int preset,
			      const struct machine_setting *settings, unsigned int nr_settings);

/* machine_check - NULL if *config can boot, else a static sentence that says why not. */
const char *machine_check(const struct machine_config *config);

/* The name of a zone type: "DMA", "DMA32", "Normal", "HighMem", "Movable". */
const char *machine_zone_name(unsigned int zone);

/* Frames of registered memory in all. */
unsigned long machine_ram_pages(const struct machine_config *config);

#endif
