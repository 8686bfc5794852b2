// SPDX-License-Identifier: GPL-2.0
/*
 * machine.c - what a configuration is made of, what is refused and with which sentence (kernel-shim/machine.c,
 * presets.c), and that whatever is not refused boots.
 */
#include "tests/support.h"

/* Here it is the field of a configuration, not the kernel's name for that of the current machine. */
#undef pageblock_order

static struct machine_config configured(const char *preset)
{
	struct machine_config config;
	const char *why = machine_configure(&config, preset_number(preset), NULL, 0);

	cr_assert_null(why, "%s: %s", preset, why);
	return config;
}

static void expect_setting_refused(const char *preset, struct machine_setting setting, const char *sentence)
{
	struct machine_config config;
	const char *why = machine_configure(&config, preset_number(preset), &setting, 1);

	cr_expect_not_null(why, "accepted, instead of: %s", sentence);
	cr_expect_str_eq(why ? why : "", sentence);
}

static void expect_refused(const struct machine_config *config, const char *sentence)
{
	const char *why = machine_check(config);

	cr_expect_not_null(why, "accepted, instead of: %s", sentence);
	cr_expect_str_eq(why ? why : "", sentence);
}

Test(machine, every_preset_but_the_largest_boots)
{
	unsigned int i;

	for (i = 0; i < nr_machine_presets; i++)
		if (strcmp(machine_presets[i].name, "huge-1t"))
			world_free(boot_machine(machine_presets[i].name));
}

Test(machine, presets_keep_their_numbers)
{
	cr_expect_eq(preset_number("uma-64m"), 0);
	cr_expect_eq(preset_number("aranym"), 1);
	cr_expect_eq(preset_number("numa2"), 2);
	cr_expect_eq(preset_number("numa4"), 3);
	cr_expect_eq(preset_number("tiny"), 4);
	cr_expect_eq(preset_number("movable"), 5);
	cr_expect_eq(preset_number("mini-pc"), 6);
	cr_expect_eq(preset_number("mini-i386"), 7);
	cr_expect_eq(preset_number("pc"), 8);
	cr_expect_eq(preset_number("i386"), 9);
	cr_expect_eq(preset_number("big-64g"), 10);
	cr_expect_eq(preset_number("huge-1t"), 11);
	cr_expect_eq(preset_number("uma-64g"), 12);
	cr_expect_geq(nr_machine_presets, 13);
}

Test(machine, presets_have_the_memory_they_promise)
{
	struct machine_config config = configured("uma-64m");

	cr_expect_eq(machine_ram_pages(&config), 16384);
	config = configured("aranym");
	cr_expect_eq(machine_ram_pages(&config), 3584 + 65536);
	config = configured("tiny");
	cr_expect_eq(machine_ram_pages(&config), 256);
	config = configured("huge-1t");
	cr_expect_eq(machine_ram_pages(&config), 268435456);
}

Test(machine, zone_types_have_the_names_of_the_kernel)
{
	cr_expect_str_eq(machine_zone_name(MACHINE_ZONE_DMA), "DMA");
	cr_expect_str_eq(machine_zone_name(MACHINE_ZONE_DMA32), "DMA32");
	cr_expect_str_eq(machine_zone_name(MACHINE_ZONE_NORMAL), "Normal");
	cr_expect_str_eq(machine_zone_name(MACHINE_ZONE_HIGHMEM), "HighMem");
	cr_expect_str_eq(machine_zone_name(MACHINE_ZONE_MOVABLE), "Movable");
}

Test(machine, the_highest_zone_ends_with_the_memory)
{
	struct machine_config config = configured("uma-64m");

	cr_expect_eq(config.max_zone_pfn[MACHINE_ZONE_DMA], 0x1000);
	cr_expect_eq(config.max_zone_pfn[MACHINE_ZONE_DMA32], 0);
	cr_expect_eq(config.max_zone_pfn[MACHINE_ZONE_NORMAL], 0x4000);
	config = configured("i386");
	cr_expect_eq(config.max_zone_pfn[MACHINE_ZONE_NORMAL], 0x38000);
	cr_expect_eq(config.max_zone_pfn[MACHINE_ZONE_HIGHMEM], 0x40000);
}

Test(machine, a_zone_type_that_is_switched_on_gets_its_usual_end)
{
	struct machine_config config;

	cr_assert_null(machine_configure(&config, preset_number("pc"),
					 SETTINGS({ .key = SETTING_zone_dma, .x = 0 }), 1));
	cr_expect_eq(config.max_zone_pfn[MACHINE_ZONE_DMA], 0);
	cr_expect_eq(config.max_zone_pfn[MACHINE_ZONE_DMA32], 0x100000);
	cr_assert_null(machine_configure(&config, preset_number("tiny"),
					 SETTINGS({ .key = SETTING_zone_dma, .x = 1 }), 1));
	cr_expect_eq(config.max_zone_pfn[MACHINE_ZONE_DMA], 0x1000);
	cr_expect_eq(config.max_zone_pfn[MACHINE_ZONE_NORMAL], 0x1000, "Normal is empty, and does not end below DMA");
}

Test(machine, jiffies_wrap_five_minutes_after_boot_at_any_hz)
{
	struct machine_config config;

	cr_assert_null(machine_configure(&config, 0, NULL, 0));
	cr_expect_eq(config.jiffies, 4294937296);
	cr_assert_null(machine_configure(&config, 0, SETTINGS({ .key = SETTING_hz, .x = 1000 }), 1));
	cr_expect_eq(config.jiffies, 4294667296);
	cr_assert_null(machine_configure(
		&config, 0, SETTINGS({ .key = SETTING_jiffies, .x = 5 }, { .key = SETTING_hz, .x = 1000 }), 2));
	cr_expect_eq(config.jiffies, 5);
}

Test(machine, without_smp_there_is_one_cpu)
{
	struct machine_config config;

	cr_assert_null(machine_configure(&config, preset_number("pc"), SETTINGS({ .key = SETTING_smp, .x = 0 }), 1));
	cr_expect_eq(config.nr_cpus, 1);
}

Test(machine, the_first_range_replaces_all_frames_of_the_preset)
{
	struct machine_config config;

	cr_assert_null(machine_configure(&config, preset_number("movable"),
					 SETTINGS({ .key = SETTING_reserved, .x = 0x10, .y = 0x11 },
						  { .key = SETTING_range, .x = 0x1000, .y = 0x1400 },
						  { .key = SETTING_range, .x = 0x0, .y = 0x800 }),
					 3));
	cr_expect_eq(config.nr_ranges, 2);
	cr_expect_eq(config.ranges[0].start_pfn, 0x0);
	cr_expect_eq(config.ranges[1].start_pfn, 0x1000);
	cr_expect_eq(config.nr_cma, 0);
	cr_assert_eq(config.nr_reserved, 1);
	cr_expect_eq(config.reserved[0].start_pfn, 0x10);
}

Test(machine, without_cma_no_frames_are_handed_over)
{
	struct machine_config config;

	cr_assert_null(machine_configure(&config, preset_number("pc"), SETTINGS({ .key = SETTING_cma, .x = 0 }), 1));
	cr_expect_eq(config.nr_cma, 0);
}

Test(machine, settings_outside_the_table_are_refused)
{
	struct machine_config config;

	cr_expect_str_eq(machine_configure(&config, 200, NULL, 0), "there is no such preset");
	expect_setting_refused("tiny", (struct machine_setting){ .key = NR_SETTINGS }, "there is no such setting");
	expect_setting_refused("tiny", (struct machine_setting){ .key = SETTING_cpus, .x = 9 },
			       "the value of a setting is outside its limits");
	expect_setting_refused("tiny", (struct machine_setting){ .key = SETTING_range, .y = 268435457 },
			       "the value of a setting is outside its limits");
	expect_setting_refused("tiny", (struct machine_setting){ .key = SETTING_max_zone_pfn, .a = 5, .x = 1 },
			       "a setting names a zone, node or CPU that cannot exist");
	expect_setting_refused("tiny", (struct machine_setting){ .key = SETTING_distance, .b = 8, .x = 20 },
			       "a setting names a zone, node or CPU that cannot exist");
	expect_setting_refused("tiny", (struct machine_setting){ .key = SETTING_max_zone_pfn, .a = 4, .x = 1 },
			       "the Movable zone ends where its node does: movable_start says where it starts");
	expect_setting_refused("tiny", (struct machine_setting){ .key = SETTING_lowmem_reserve_ratio, .a = 4, .x = 1 },
			       "the Movable zone has no lowmem_reserve_ratio: no class is above it");
}

Test(machine, more_ranges_than_there_is_room_for_are_refused)
{
	struct machine_setting settings[17];
	struct machine_config config;
	unsigned int i;

	for (i = 0; i < 17; i++)
		settings[i] = (struct machine_setting){ .key = SETTING_range, .x = i * 0x1000, .y = i * 0x1000 + 0x400 };
	cr_expect_null(machine_configure(&config, 0, settings, 16));
	cr_expect_str_eq(machine_configure(&config, 0, settings, 17), "there are at most 16 ranges of a kind");
}

Test(machine, features_out_of_range_are_refused)
{
	struct machine_config config = configured("tiny");

	config.zones = 1 << MACHINE_ZONE_NORMAL;
	expect_refused(&config, "the zone types Normal and Movable are part of every machine");
	config = configured("tiny");
	config.pageblock_order = 11;
	expect_refused(&config, "pageblock_order is 1 to 10");
	config = configured("tiny");
	config.struct_page_bytes = 16;
	expect_refused(&config, "struct_page_bytes is 32 to 128");
	config = configured("tiny");
	config.hz = 128;
	expect_refused(&config, "hz is 100, 250, 300 or 1000");
}

Test(machine, cpus_and_nodes_that_do_not_fit_are_refused)
{
	struct machine_config config = configured("numa2");

	config.nr_cpus = 9;
	expect_refused(&config, "a machine has 1 to 8 CPUs");
	config = configured("numa2");
	config.smp = 0;
	expect_refused(&config, "without smp there is one CPU");
	config = configured("numa2");
	config.cpu_node[1] = 2;
	expect_refused(&config, "a CPU is on a node that is not online");
	config.numa = 0;
	cr_expect_null(machine_check(&config), "without NUMA nobody asks where a CPU is");
	config = configured("numa2");
	config.nr_nodes = 0;
	expect_refused(&config, "a machine has 1 to 8 nodes");
	config = configured("numa2");
	config.distance[1][1] = 11;
	expect_refused(&config, "the distance of a node to itself is 10");
	config = configured("numa2");
	config.distance[0][1] = 9;
	expect_refused(&config, "no node is nearer than distance 10");
}

Test(machine, ranges_that_are_not_memory_are_refused)
{
	struct machine_config config = configured("numa4");

	config.ranges[1].end_pfn = config.ranges[1].start_pfn;
	expect_refused(&config, "a range of frames is empty");
	config = configured("numa4");
	config.ranges[3].end_pfn = (1UL << 28) + 1;
	expect_refused(&config, "a range of frames ends above 1 TiB");
	config = configured("numa4");
	config.ranges[3].node = 4;
	expect_refused(&config, "a range of frames is on a node that is not online");
	config = configured("numa4");
	config.ranges[1].start_pfn = 0x7f2;
	expect_refused(&config, "ranges of frames overlap or are not in ascending order");
	config = configured("numa4");
	config.reserved[0].end_pfn = 0;
	expect_refused(&config, "a range of frames is empty");
}

Test(machine, a_pageblock_of_two_nodes_lies_between_frames_of_neither)
{
	struct machine_config config = configured("numa4");

	config.ranges[3].node = 0;
	expect_refused(&config, "a pageblock with frames of two nodes lies between frames of one of them");
}

Test(machine, zones_that_do_not_cover_the_memory_in_order_are_refused)
{
	struct machine_config config = configured("uma-64m");

	config.max_zone_pfn[MACHINE_ZONE_DMA] = 0x5000;
	expect_refused(&config, "max_zone_pfn descends from one zone type to the next");
	config = configured("uma-64m");
	config.max_zone_pfn[MACHINE_ZONE_NORMAL] = 0x3fff;
	expect_refused(&config, "there is memory above the highest zone");
	config = configured("uma-64m");
	config.max_zone_pfn[MACHINE_ZONE_NORMAL] = (1UL << 28) + 1;
	expect_refused(&config, "a zone ends above 1 TiB");
}

Test(machine, a_movable_zone_that_linux_could_not_make_is_refused)
{
	struct machine_config config = configured("uma-64m");

	config.movable_start_pfn[0] = 0x2001;
	expect_refused(&config, "movable_start is a multiple of 0x400 frames");
	config.movable_start_pfn[0] = 0xc00;
	expect_refused(&config, "movable_start is below the highest zone, which Movable takes its frames from");
	config.movable_start_pfn[0] = 0x2000;
	cr_expect_null(machine_check(&config));
}

Test(machine, a_machine_with_too_little_lowmem_is_refused)
{
	static const char too_small[] = "fewer than 128 frames are left outside HighMem, Movable and reserved frames";
	struct machine_config config = configured("tiny");

	config.nr_reserved = 1;
	config.reserved[0] = (struct machine_range){ 0, 0, 128 };
	cr_expect_null(machine_check(&config));
	config.reserved[0].end_pfn = 129;
	expect_refused(&config, too_small);
	config = configured("movable");
	config.nr_cma = 0;
	config.movable_start_pfn[0] = 0x0;
	cr_expect_null(machine_check(&config));
	config = configured("tiny");
	config.nr_ranges = 0;
	expect_refused(&config, too_small);
}

Test(machine, a_boot_that_would_take_seconds_is_refused)
{
	struct machine_config config = configured("huge-1t");

	config.pageblock_order = 6;
	expect_refused(&config,
		       "there are more than 2097152 pageblocks: pageblock_order is too small for so much memory");
	expect_setting_refused("huge-1t", (struct machine_setting){ .key = SETTING_zone_highmem, .x = 1 },
			       "there is more than 4 GiB of HighMem");
	expect_setting_refused("big-64g",
			       (struct machine_setting){ .key = SETTING_reserved, .x = 0x200000, .y = 0x240001 },
			       "more than 1 GiB of frames is reserved or CMA");
}

Test(machine, cma_frames_that_linux_could_not_take_are_refused)
{
	struct machine_config config = configured("movable");

	config.cma = 0;
	expect_refused(&config, "CMA frames need cma=1");
	config = configured("movable");
	config.cma_ranges[0].start_pfn = 0x1801;
	expect_refused(&config, "CMA frames start and end at a multiple of 0x400");
	config = configured("movable");
	config.cma_ranges[0].end_pfn = 0x2400;
	expect_refused(&config, "CMA frames lie in one range of memory and in one zone below HighMem and Movable");
	config = configured("uma-64m");
	config.cma = 1;
	config.nr_cma = 1;
	config.cma_ranges[0] = (struct machine_range){ 0, 0xc00, 0x1400 };
	expect_refused(&config, "CMA frames lie in one range of memory and in one zone below HighMem and Movable");
	config.cma_ranges[0] = (struct machine_range){ 0, 0x0, 0x400 };
	expect_refused(&config, "CMA frames are not reserved ones");
}

Test(machine, tunables_that_their_handlers_would_refuse_are_refused)
{
	struct machine_config config = configured("tiny");

	config.min_free_kbytes = -2;
	expect_refused(&config, "min_free_kbytes is -1 (computed at boot) or more");
	config = configured("tiny");
	config.watermark_scale_factor = 1001;
	expect_refused(&config, "watermark_scale_factor is 1 to 1000");
	config = configured("tiny");
	config.percpu_pagelist_fraction = 7;
	expect_refused(&config, "percpu_pagelist_fraction is 0, or 8 and up");
	config = configured("tiny");
	config.zone_reclaim_mode = 8;
	expect_refused(&config, "zone_reclaim_mode is 0 to 7");
	config = configured("tiny");
	config.numa_zonelist_order = 'x';
	expect_refused(&config, "numa_zonelist_order is d, n or z");
}

/*
 * Random machines: small memory somewhere, and a few settings with values that are often, but not always, legal.
 */
static unsigned int random_state = 2016;

static unsigned int random_below(unsigned int limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % limit;
}

static struct machine_setting random_setting(void)
{
	struct machine_setting setting = { .key = (unsigned char)random_below(NR_SETTINGS) };
	const struct setting_info *info = &setting_infos[setting.key];

	setting.a = (unsigned char)random_below(info->form == FORM_FRAMES ? 1 : 4);
	setting.b = (unsigned char)random_below(4);
	setting.x = info->min + random_below(info->max - info->min < 0x2000 ? info->max - info->min + 1 : 0x2000);
	if (info->form == FORM_FRAMES || random_below(3) == 0)
		setting.x &= ~0x3ffu;
	if (info->form >= FORM_RANGE)
		setting.y = setting.x + 1 + random_below(8) * 0x200 + random_below(2) * random_below(0x400);
	if (setting.key == SETTING_hz)
		setting.x = (const unsigned int[]){ 100, 250, 300, 1000 }[random_below(4)];
	return setting;
}

Test(machine, whatever_is_not_refused_boots, .timeout = 120)
{
	static const unsigned char presets[] = { 0, 1, 2, 3, 4, 7 };
	struct machine_setting settings[6];
	struct machine_config config;
	unsigned int booted = 0;
	unsigned int round;
	unsigned int i;

	for (round = 0; round < 3000; round++) {
		unsigned int nr_settings = random_below(6);
		struct world *world;

		for (i = 0; i < nr_settings; i++)
			settings[i] = random_setting();
		if (machine_configure(&config, presets[random_below(6)], settings, nr_settings))
			continue;
		world = machine_boot(&config, NULL);
		cr_assert_not_null(world, "round %u: %s: %s", round, finding.name, finding.detail);
		world_enter(world);
		world_restore();
		cr_assert_null(world_difference(), "round %u", round);
		world_free(world);
		booted++;
	}
	cr_expect_gt(booted, 500, "only %u of 3000 were accepted", booted);
}
