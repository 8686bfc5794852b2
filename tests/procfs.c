// SPDX-License-Identifier: GPL-2.0
/*
 * What /proc shows (mm/proc.c): the layout, letter by letter, that it says what the structures say, and that the numbers
 * of real machines come out of the same sizes and settings (tests/data/zoneinfo.txt).
 */
#include <stdio.h>
#include <stdlib.h>

#include <linux/seq_file.h>
#include "tests/machines.h"

static char text[1 << 18];
static struct seq_file file = { text, sizeof(text), 0 };

/*
 * Layout.
 */

/* The counts that two monitoring tools ship as a sample of a real file. */
Test(procfs, buddyinfo_is_a_line_of_counts_for_each_zone)
{
	static const unsigned long counts[] = { 4381, 1093, 185, 1530, 567, 102, 4, 0, 0, 0, 0 };
	int order;

	boot_kernel("fixed", "uma-64m");
	for (order = 0; order < MAX_ORDER; order++)
		zone_of(ZONE_NORMAL)->free_area[order].nr_free = counts[order];

	buddyinfo_show(&file);

	cr_expect_str_eq(strchr(text, '\n') + 1,
			 "Node 0, zone   Normal   4381   1093    185   1530    567    102      4      0      0      0      0 \n");
	cr_expect(!strncmp(text, "Node 0, zone      DMA ", 22), "%s", text);
}

Test(procfs, pagetypeinfo_counts_blocks_and_pageblocks_by_type)
{
	boot_kernel("fixed", "tiny");
	set_block_type(0x40, MIGRATE_RECLAIMABLE);

	pagetypeinfo_show(&file);

	cr_expect_str_eq(text,
			 "Page block order: 4\n"
			 "Pages per block:  16\n"
			 "\n"
			 "Free pages count per migrate type at order       0      1      2      3      4      5      6      7      8      9     10 \n"
			 "Node    0, zone   Normal, type    Unmovable      0      0      0      0      0      0      0      0      0      0      0 \n"
			 "Node    0, zone   Normal, type      Movable      0      0      0      0      0      0      0      0      1      0      0 \n"
			 "Node    0, zone   Normal, type  Reclaimable      0      0      0      0      0      0      0      0      0      0      0 \n"
			 "Node    0, zone   Normal, type   HighAtomic      0      0      0      0      0      0      0      0      0      0      0 \n"
			 "Node    0, zone   Normal, type      Isolate      0      0      0      0      0      0      0      0      0      0      0 \n"
			 "\n"
			 "Number of blocks type     Unmovable      Movable  Reclaimable   HighAtomic      Isolate \n"
			 "Node 0, zone   Normal            0           15            1            0            0 \n");
}

static void show_pagetypeinfo(void *argument)
{
	pagetypeinfo_show(&file);
}

/* The zone has frames for one block of 256 pages, which the test before this one counts. */
Test(procfs, a_free_list_with_more_blocks_than_its_zone_can_hold_never_ends)
{
	struct list_head *list;

	boot_kernel("fixed", "tiny");
	list = zone_of(ZONE_NORMAL)->free_area[8].free_list[MIGRATE_MOVABLE].next;
	list->next = list;

	expect_step_too_far("pagetypeinfo_show", 1, show_pagetypeinfo, NULL);
}

Test(procfs, a_memoryless_node_has_no_pagetypeinfo)
{
	const char *at = text;
	int nodes = 0;

	boot_kernel("fixed", "numa4");

	pagetypeinfo_show(&file);

	for (; (at = strstr(at, "Page block order: 6\n")) != NULL; at++)
		nodes++;
	expect_number(nodes, 3);
}

static const char zoneinfo_of_tiny[] =
	"Node 0, zone   Normal\n"
	"  pages free     256\n"
	"        min      10\n"
	"        low      20\n"
	"        high     30\n"
	"        scanned  0\n"
	"        spanned  256\n"
	"        present  256\n"
	"        managed  256\n"
	"    nr_free_pages 256\n"
	"    nr_alloc_batch 18446744073709551615\n"
	"    nr_inactive_anon 0\n"
	"    nr_active_anon 0\n"
	"    nr_inactive_file 0\n"
	"    nr_active_file 0\n"
	"    nr_unevictable 0\n"
	"    nr_mlock     0\n"
	"    nr_anon_pages 0\n"
	"    nr_mapped    0\n"
	"    nr_file_pages 0\n"
	"    nr_dirty     0\n"
	"    nr_writeback 0\n"
	"    nr_slab_reclaimable 0\n"
	"    nr_slab_unreclaimable 0\n"
	"    nr_page_table_pages 0\n"
	"    nr_kernel_stack 0\n"
	"    nr_unstable  0\n"
	"    nr_bounce    0\n"
	"    nr_vmscan_write 0\n"
	"    nr_vmscan_immediate_reclaim 0\n"
	"    nr_writeback_temp 0\n"
	"    nr_isolated_anon 0\n"
	"    nr_isolated_file 0\n"
	"    nr_shmem     0\n"
	"    nr_dirtied   0\n"
	"    nr_written   0\n"
	"    nr_pages_scanned 0\n"
	"    workingset_refault 0\n"
	"    workingset_activate 0\n"
	"    workingset_nodereclaim 0\n"
	"    nr_anon_transparent_hugepages 0\n"
	"    nr_free_cma  0\n"
	"        protection: (0, 0)\n"
	"  pagesets\n"
	"    cpu: 0\n"
	"              count: 0\n"
	"              high:  0\n"
	"              batch: 1\n"
	"  all_unreclaimable: 1\n"
	"  start_pfn:         0\n"
	"  inactive_ratio:    1\n";

Test(procfs, zoneinfo_of_a_uniprocessor_without_numa)
{
	boot_kernel("fixed", "tiny");
	set_marks(zone_of(ZONE_NORMAL), 10, 20, 30);
	set_counter(zone_of(ZONE_NORMAL), NR_ALLOC_BATCH, -1);

	zoneinfo_show(&file);

	cr_expect_str_eq(text, zoneinfo_of_tiny);
}

Test(procfs, zoneinfo_of_a_numa_machine_has_a_threshold_for_each_cpu)
{
	boot_kernel("fixed", "numa2");
	set_counter(zone_at(1, ZONE_NORMAL), NR_ALLOC_BATCH, -1);
	set_counter(zone_at(1, ZONE_NORMAL), NUMA_OTHER, 7);

	zoneinfo_show(&file);

	/* Expect a negative counter to read as 0: these are several CPUs. */
	cr_expect_not_null(strstr(text, "    nr_alloc_batch 0\n"), "%s", text);
	cr_expect_not_null(strstr(text, "    numa_other   7\n"), "%s", text);
	cr_expect_not_null(strstr(text, "    cpu: 1\n              count: 0\n              high:  0\n"
					"              batch: 1\n  vm stats threshold: 4\n  all_unreclaimable: 1\n"
					"  start_pfn:         4096\n"), "%s", text);
}

Test(procfs, vmstat_is_a_name_and_a_number_a_line)
{
	boot_kernel("fixed", "tiny");
	allocate(GFP_KERNEL, 2);

	vmstat_show(&file);

	cr_expect(!strncmp(text, "nr_free_pages 252\nnr_alloc_batch ", 33), "%s", text);
	/* 252 free - 48 reserved + 1 pages: 819/4096 and 409/4096 of them. */
	cr_expect_not_null(strstr(text, "\nnr_free_cma 0\nnr_dirty_threshold 40\n"
					"nr_dirty_background_threshold 20\npgpgin 0\npgpgout 0\npswpin 0\npswpout 0\npgalloc_normal 4\n"
					"pgalloc_movable 0\npgfree 256\n"), "%s", text);
	cr_expect_null(strstr(text, "numa_hit"));
	cr_expect_null(strstr(text, "pgalloc_dma"));
}

Test(procfs, a_text_that_does_not_fit_is_cut_and_counted)
{
	char small[20];
	struct seq_file m = { small, sizeof(small), 0 };

	boot_kernel("fixed", "tiny");

	buddyinfo_show(&m);

	cr_expect_str_eq(small, "Node 0, zone   Norm");
	expect_number(m.count, 100);
}

/*
 * Real machines.
 */
struct zone_numbers {
	unsigned long managed;
	char fields[10][16];     /* min low high threshold pcp-high pcp-batch, protections; '~' first: must differ */
};

static const char *const field_names[] = { "min",       "low",        "high", "threshold", "pcp high",
					   "pcp batch", "protection 0", "1",    "2",         "3" };
static const enum zone_type classes[] = { ZONE_DMA, ZONE_DMA32, ZONE_NORMAL, ZONE_MOVABLE };

/* Four zones on one node; their sizes are replaced afterwards. */
static void boot_shape(const char *kernel_text, unsigned int nr_cpus)
{
	boot_kernel(kernel_text, "mini-pc", MEMORY(0, 0x0, 0x2000), SET(numa, 0), SET(nodes, 1), SET(smp, 1),
		    SET(cpus, nr_cpus), SET_OF(movable_start, 0, 0x1800));
}

static void set_sizes(const struct zone_numbers *zones, int kbytes)
{
	int i;

	for (i = 0; i < 4; i++) {
		set_marks(zone_of(classes[i]), 0, 0, 0);
		zone_of(classes[i])->managed_pages = zones[i].managed;
	}
	user_min_free_kbytes = -1;
	init_per_zone_wmark_min();
	if (kbytes)
		min_free_kbytes_sysctl_handler(kbytes);
	for (i = 0; i < 4; i++)
		zone_pcp_update(zone_of(classes[i]));
}

static void expect_zone(const char *kernel_text, int class, const struct zone_numbers *numbers)
{
	const struct zone *zone = zone_of(classes[class]);
	const long ours[10] = {
		(long)min_wmark_pages(zone), (long)low_wmark_pages(zone),  (long)high_wmark_pages(zone),
		zone->pageset[0].stat_threshold, zone->pageset[0].pcp.high, zone->pageset[0].pcp.batch,
		zone->lowmem_reserve[ZONE_DMA],  zone->lowmem_reserve[ZONE_DMA32],
		zone->lowmem_reserve[ZONE_NORMAL], zone->lowmem_reserve[ZONE_MOVABLE],
	};
	int i;

	for (i = 0; i < 10; i++) {
		bool differs = numbers->fields[i][0] == '~';
		long theirs = strtol(numbers->fields[i] + differs, NULL, 10);

		cr_expect((ours[i] == theirs) != differs, "%s, %s, %s: %ld here, %s there", kernel_text, zone->name,
			  field_names[i], ours[i], numbers->fields[i]);
	}
}

/* Cuts a line into words; returns how many. */
static int cut(char *line, char **words, int max)
{
	int nr = 0;
	char *word;

	for (word = strtok(line, " \n"); word && nr < max; word = strtok(NULL, " \n"))
		words[nr++] = word;
	return nr;
}

static void read_zone(FILE *stream, struct zone_numbers *numbers)
{
	char line[256], *words[13];
	int nr, i;

	cr_assert_not_null(fgets(line, sizeof(line), stream));
	nr = cut(line, words, 13);
	cr_assert(nr == 13 || nr == 3, "%d words for a zone", nr);
	numbers->managed = strtoul(words[2], NULL, 10);
	for (i = 0; i + 3 < nr; i++)
		snprintf(numbers->fields[i], sizeof(numbers->fields[i]), "%s", words[i + 3]);
}

Test(procfs, the_numbers_of_real_machines_follow_from_their_sizes)
{
	FILE *stream = fopen("tests/data/zoneinfo.txt", "r");
	struct zone_numbers zones[4];
	char line[256], *words[4];
	int machines = 0;
	int i;

	cr_assert_not_null(stream);
	while (fgets(line, sizeof(line), stream)) {
		if (cut(line, words, 4) != 4 || strcmp(words[0], "machine") != 0)
			continue;
		for (i = 0; i < 4; i++)
			read_zone(stream, &zones[i]);
		boot_shape(words[1], (unsigned int)strtoul(words[2], NULL, 10));
		set_sizes(zones, (int)strtol(words[3], NULL, 10));
		for (i = 0; i < 4; i++)
			if (zones[i].managed)
				expect_zone(words[1], i, &zones[i]);
		machines++;
	}
	fclose(stream);
	expect_number(machines, 3);
}
