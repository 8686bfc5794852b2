// SPDX-License-Identifier: GPL-2.0
/*
 * Marks, reserves and the checks against them (specification 9.1-9.4, 16 and the vectors of 32.1 and 32.2).
 */
#include <stdio.h>

#include "tests/machines.h"

#define NORMAL zone_of(ZONE_NORMAL)

/*
 * Marks, specification 32.1. Each machine exists to have zones of these managed sizes.
 */
struct marks {
	enum zone_type idx;
	unsigned long managed;
	unsigned long min;
	unsigned long low;
	unsigned long high;
};

static void expect_marks(const struct marks *rows, unsigned int nr_rows)
{
	unsigned int i;

	for (i = 0; i < nr_rows; i++) {
		const struct zone *zone = zone_of(rows[i].idx);

		cr_expect(zone->managed_pages == rows[i].managed && min_wmark_pages(zone) == rows[i].min &&
				  low_wmark_pages(zone) == rows[i].low && high_wmark_pages(zone) == rows[i].high,
			  "%s: managed %lu, min %lu, low %lu, high %lu", zone->name, zone->managed_pages,
			  min_wmark_pages(zone), low_wmark_pages(zone), high_wmark_pages(zone));
	}
}

#define EXPECT_MARKS(...)                                                                              \
	expect_marks((const struct marks[]){ __VA_ARGS__ },                                            \
		     sizeof((const struct marks[]){ __VA_ARGS__ }) / sizeof(struct marks))

/* DMA, DMA32 and Normal with 3976, 755409 and 1281601 frames. */
#define DESKTOP                                                                                        \
	"pc", SET(cma, 0), MEMORY(0, 0x1, 0xf89), MEMORY(0, 0x1000, 0x1000 + 755409),                  \
		MEMORY(0, 0x100000, 0x100000 + 1281601)
/* DMA and Normal with 1024 and 8192. */
#define SMALL "uma-64m", MEMORY(0, 0x0, 0x2400), SET_OF(max_zone_pfn, ZONE_DMA, 0x400)
/* DMA, Normal and HighMem with 4000, 218000 and 40000. */
#define HIGHMEM                                                                                        \
	"i386", MEMORY(0, 0, 4000), MEMORY(0, 0x1000, 0x1000 + 218000), MEMORY(0, 0x38000, 0x38000 + 40000), \
		SET_OF(max_zone_pfn, ZONE_HIGHMEM, 0x48000)
/* DMA and Normal with 256 and 512. */
#define TINY "tiny", SET(zone_dma, 1), MEMORY(0, 0x0, 0x300), SET_OF(max_zone_pfn, ZONE_DMA, 0x100)

Test(watermark, marks_of_a_desktop)
{
	boot_kernel("v4.7", DESKTOP);

	expect_number(min_free_kbytes, 11429);
	EXPECT_MARKS({ ZONE_DMA, 3976, 5, 8, 11 }, { ZONE_DMA32, 755409, 1057, 1812, 2567 },
		     { ZONE_NORMAL, 1281601, 1794, 3075, 4356 }, { ZONE_MOVABLE, 0, 0, 0, 0 });
}

Test(watermark, marks_of_a_desktop_in_3_16)
{
	boot_kernel("v3.16", DESKTOP);

	EXPECT_MARKS({ ZONE_DMA, 3976, 5, 6, 7 }, { ZONE_DMA32, 755409, 1057, 1321, 1585 },
		     { ZONE_NORMAL, 1281601, 1794, 2242, 2691 }, { ZONE_MOVABLE, 0, 0, 0, 0 });
}

Test(watermark, marks_of_a_small_machine)
{
	boot_kernel("v4.7", SMALL);

	expect_number(min_free_kbytes, 768);
	EXPECT_MARKS({ ZONE_DMA, 1024, 21, 26, 31 }, { ZONE_NORMAL, 8192, 170, 212, 254 });
}

Test(watermark, marks_of_a_small_machine_in_3_16)
{
	boot_kernel("v3.16", SMALL);

	EXPECT_MARKS({ ZONE_DMA, 1024, 21, 26, 31 }, { ZONE_NORMAL, 8192, 170, 212, 255 });
}

Test(watermark, marks_of_highmem_have_a_capped_minimum_and_the_full_distance)
{
	boot_kernel("v4.7", HIGHMEM);

	/* Expect an empty Movable that would take its frames from HighMem to have the least minimum. */
	expect_number(min_free_kbytes, 3769);
	EXPECT_MARKS({ ZONE_DMA, 4000, 16, 20, 24 }, { ZONE_NORMAL, 218000, 925, 1156, 1387 },
		     { ZONE_HIGHMEM, 40000, 39, 81, 123 }, { ZONE_MOVABLE, 0, 32, 32, 32 });
}

Test(watermark, marks_of_highmem_in_3_16)
{
	boot_kernel("v3.16", HIGHMEM);

	EXPECT_MARKS({ ZONE_DMA, 4000, 16, 20, 24 }, { ZONE_NORMAL, 218000, 925, 1156, 1387 },
		     { ZONE_HIGHMEM, 40000, 39, 81, 123 }, { ZONE_MOVABLE, 0, 32, 32, 32 });
}

Test(watermark, marks_of_a_tiny_machine)
{
	boot_kernel("v4.7", TINY);

	expect_number(min_free_kbytes, 221);
	EXPECT_MARKS({ ZONE_DMA, 256, 18, 22, 26 }, { ZONE_NORMAL, 512, 36, 45, 54 });
}

Test(watermark, marks_of_a_tiny_machine_in_3_16)
{
	boot_kernel("v3.16", TINY);

	EXPECT_MARKS({ ZONE_DMA, 256, 18, 22, 27 }, { ZONE_NORMAL, 512, 36, 45, 54 });
}

Test(watermark, the_boot_fills_each_batch_with_the_distance_of_the_marks)
{
	boot_kernel("v4.7", SMALL);

	expect_number(counter(zone_of(ZONE_DMA), NR_ALLOC_BATCH), 5);
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 42);
	expect_number(atomic_long_read(&vm_stat[NR_ALLOC_BATCH]), 47);
}

/*
 * min_free_kbytes.
 */

static int min_free_kbytes_of(unsigned long lowmem_kbytes)
{
	NORMAL->managed_pages = lowmem_kbytes / 4;
	set_marks(NORMAL, 0, 0, 0);
	init_per_zone_wmark_min();
	return min_free_kbytes;
}

Test(watermark, min_free_kbytes_grows_with_the_root_of_lowmem)
{
	static const struct {
		unsigned long lowmem_mbytes;
		int min_free_kbytes;
	} rows[] = { { 8, 362 },     { 16, 512 },    { 64, 1024 },   { 128, 1448 },  { 256, 2048 },
		     { 512, 2896 },  { 1024, 4096 }, { 2048, 5792 }, { 4096, 8192 }, { 16384, 16384 } };
	unsigned int i;

	boot_kernel("fixed", "tiny");
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		expect_number(min_free_kbytes_of(rows[i].lowmem_mbytes << 10), rows[i].min_free_kbytes);
}

Test(watermark, min_free_kbytes_stays_within_128_and_65536)
{
	boot_kernel("fixed", "tiny");

	/* 1000 kB would give 126; 1 TB would give 131072. */
	expect_number(min_free_kbytes_of(1000), 128);
	expect_number(min_free_kbytes_of(1UL << 30), 65536);
}

Test(watermark, a_larger_min_free_kbytes_of_the_user_is_kept)
{
	char text[120];

	boot_kernel("fixed", "tiny");
	min_free_kbytes_sysctl_handler(400);

	/* 8 MB would give 362. */
	expect_number(min_free_kbytes_of(8 << 10), 400);
	cr_assert(printk_format(0, text, sizeof(text)));
	expect_text(text, "min_free_kbytes is not updated to 362 because user defined value 400 is preferred");
}

Test(watermark, a_smaller_min_free_kbytes_of_the_user_is_replaced)
{
	boot_kernel("fixed", "tiny");
	min_free_kbytes_sysctl_handler(300);

	expect_number(min_free_kbytes_of(8 << 10), 362);
}

Test(watermark, writing_min_free_kbytes_sets_the_marks)
{
	boot_kernel("fixed", "tiny");

	expect_number(min_free_kbytes_sysctl_handler(64), 0);

	/* 64 kB are 16 pages, a quarter of which is the distance. */
	EXPECT_MARKS({ ZONE_NORMAL, 256, 16, 20, 24 });
	expect_number(user_min_free_kbytes, 64);
}

Test(watermark, a_negative_min_free_kbytes_is_refused)
{
	boot_kernel("fixed", "tiny");

	expect_number(min_free_kbytes_sysctl_handler(-1), -EINVAL);

	expect_number(min_free_kbytes, 128);
	expect_number(user_min_free_kbytes, -1);
}

Test(watermark, the_scale_factor_sets_the_distance_of_the_marks)
{
	boot_kernel("fixed", SMALL);

	expect_number(watermark_scale_factor_sysctl_handler(1000), 0);

	/* A tenth of 8192 is 819, more than a quarter of the minimum. */
	EXPECT_MARKS({ ZONE_NORMAL, 8192, 170, 989, 1808 });
}

Test(watermark, the_scale_factor_is_1_to_1000)
{
	boot_kernel("fixed", SMALL);

	expect_number(watermark_scale_factor_sysctl_handler(0), -EINVAL);
	expect_number(watermark_scale_factor_sysctl_handler(1001), -EINVAL);
	expect_number(watermark_scale_factor, 10);
	expect_number(watermark_scale_factor_sysctl_handler(1), 0);
}

Test(watermark, v3_16_knows_no_scale_factor)
{
	boot_kernel("v3.16", SMALL);

	watermark_scale_factor_sysctl_handler(1000);

	EXPECT_MARKS({ ZONE_NORMAL, 8192, 170, 212, 255 });
}

/*
 * What new marks do to the batches.
 */

Test(watermark, new_marks_refill_the_batch_but_leave_the_flag)
{
	boot_kernel("fixed", SMALL);
	deplete(NORMAL);

	setup_per_zone_wmarks();

	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 42);
	cr_expect(zone_is_fair_depleted(NORMAL));
}

/* Two CPUs, a negative batch. */
static void set_marks_over_a_negative_batch(const char *kernel_text)
{
	boot_kernel(kernel_text, SMALL, SET(smp, 1), SET(cpus, 2));
	set_counter(NORMAL, NR_ALLOC_BATCH, -30);
	this_cpu_ptr(NORMAL->pageset)->vm_stat_diff[NR_ALLOC_BATCH] = 0;

	setup_per_zone_wmarks();
}

Test(watermark, signed_batch_read_refills_a_negative_batch)
{
	set_marks_over_a_negative_batch("v4.7");

	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 42);
}

Test(watermark, without_signed_batch_read_a_negative_batch_stays_short)
{
	set_marks_over_a_negative_batch("v4.7,-signed-batch-read");

	/* The negative batch was read as 0, so only 42 pages were added. */
	expect_number(counter(NORMAL, NR_ALLOC_BATCH), 12);
}

/*
 * Reserves, specification 32.2.
 */

static const char *reserve_row(const struct zone *zone)
{
	static char text[100];
	int at = 0;
	int idx;

	for (idx = 0; idx < MAX_NR_ZONES; idx++)
		if (zone_configured(idx))
			at += sprintf(text + at, "%s%ld", at ? " " : "", zone->lowmem_reserve[idx]);
	return text;
}

Test(watermark, lowmem_reserves_of_a_desktop)
{
	boot_kernel("v4.7", DESKTOP);

	expect_text(reserve_row(zone_of(ZONE_DMA)), "0 2950 7957 7957");
	expect_text(reserve_row(zone_of(ZONE_DMA32)), "0 0 5006 5006");
	expect_text(reserve_row(NORMAL), "0 0 0 0");
	expect_text(reserve_row(zone_of(ZONE_MOVABLE)), "0 0 0 0");
}

Test(watermark, lowmem_reserves_of_a_small_machine)
{
	boot_kernel("v4.7", SMALL);

	expect_text(reserve_row(zone_of(ZONE_DMA)), "0 32 32");
}

Test(watermark, lowmem_reserves_of_a_machine_with_highmem)
{
	boot_kernel("v4.7", HIGHMEM);

	expect_text(reserve_row(zone_of(ZONE_DMA)), "0 851 1007 1007");
	expect_text(reserve_row(NORMAL), "0 0 1250 1250");
}

Test(watermark, a_reserve_ratio_below_1_counts_as_1)
{
	boot_kernel("v4.7", SMALL);

	expect_number(lowmem_reserve_ratio_sysctl_handler(ZONE_DMA, 0), 0);

	expect_text(reserve_row(zone_of(ZONE_DMA)), "0 8192 8192");
}

Test(watermark, only_zones_below_the_highest_have_a_ratio)
{
	boot_kernel("v4.7", SMALL);

	expect_number(lowmem_reserve_ratio_sysctl_handler(ZONE_MOVABLE, 1), -EINVAL);
	expect_number(lowmem_reserve_ratio_sysctl_handler(-1, 1), -EINVAL);
}

Test(watermark, total_reserves_are_the_largest_lowmem_reserve_and_the_high_mark)
{
	boot_kernel("v4.7", HIGHMEM);

	/* DMA: 1007 + 24. Normal: 1250 + 1387. HighMem: 123. The empty Movable has no page to reserve. */
	expect_number(zone_of(ZONE_DMA)->totalreserve_pages, 1031);
	expect_number(NORMAL->totalreserve_pages, 2637);
	expect_number(zone_of(ZONE_HIGHMEM)->totalreserve_pages, 123);
	expect_number(zone_of(ZONE_MOVABLE)->totalreserve_pages, 0);
	expect_number(totalreserve_pages, 3791);
}

Test(watermark, a_zone_reserves_no_more_than_it_has)
{
	boot_kernel("v4.7", SMALL);

	lowmem_reserve_ratio_sysctl_handler(ZONE_DMA, 1);

	expect_number(zone_of(ZONE_DMA)->totalreserve_pages, 1024);
}

Test(watermark, free_buffer_pages_are_those_above_the_high_marks_up_to_normal)
{
	boot_kernel("v4.7", HIGHMEM);

	/* 4000 - 24 and 218000 - 1387; with HighMem 40000 - 123 more. */
	expect_number(nr_free_buffer_pages(), 220589);
	expect_number(nr_free_pagecache_pages(), 260466);
}

/*
 * Checks, specification 16.1. Without lowmem reserves, and with a free block of every type unless said otherwise.
 */

static void boot_for_checks(const char *kernel_text)
{
	boot_kernel(kernel_text, "movable", SET(smp, 0));
	take_all_blocks(NORMAL);
	set_counter(NORMAL, NR_FREE_PAGES, 0);
	set_counter(NORMAL, NR_FREE_CMA_PAGES, 0);
}

/* Free pages from which on an order-0 request passes. */
static long least_free(unsigned long mark, int alloc_flags)
{
	long free_pages = 0;

	while (!__zone_watermark_ok(NORMAL, 0, mark, ZONE_NORMAL, alloc_flags, free_pages))
		free_pages++;
	return free_pages;
}

Test(watermark, high_and_harder_requests_may_go_below_the_mark)
{
	static const struct {
		unsigned long mark;
		long high;
		long harder;
		long both;
	} rows[] = { { 1, 1, 1, 1 },	   { 3, 2, 3, 2 },	{ 4, 2, 3, 2 },	   { 5, 3, 4, 3 },
		     { 100, 50, 75, 38 }, { 101, 51, 76, 39 }, { 128, 64, 96, 48 } };
	unsigned int i;

	boot_for_checks("fixed");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		/* Equality fails, so one page more than the reduced mark is needed. */
		expect_number(least_free(rows[i].mark, 0) - 1, rows[i].mark);
		expect_number(least_free(rows[i].mark, ALLOC_HIGH) - 1, rows[i].high);
		expect_number(least_free(rows[i].mark, ALLOC_HARDER) - 1, rows[i].harder);
		expect_number(least_free(rows[i].mark, ALLOC_HIGH | ALLOC_HARDER) - 1, rows[i].both);
	}
}

Test(watermark, the_lowmem_reserve_of_the_class_comes_on_top)
{
	boot_for_checks("fixed");
	NORMAL->lowmem_reserve[ZONE_MOVABLE] = 30;

	cr_expect(__zone_watermark_ok(NORMAL, 0, 100, ZONE_NORMAL, 0, 101));
	cr_expect_not(__zone_watermark_ok(NORMAL, 0, 100, ZONE_MOVABLE, 0, 130));
	cr_expect(__zone_watermark_ok(NORMAL, 0, 100, ZONE_MOVABLE, 0, 131));
}

Test(watermark, all_pages_of_the_request_but_one_are_spoken_for)
{
	boot_for_checks("fixed");
	put_block(0x200, 3, MIGRATE_MOVABLE);

	cr_expect_not(__zone_watermark_ok(NORMAL, 3, 100, ZONE_NORMAL, 0, 107));
	cr_expect(__zone_watermark_ok(NORMAL, 3, 100, ZONE_NORMAL, 0, 108));
}

Test(watermark, more_pages_wanted_than_free_is_no)
{
	boot_for_checks("fixed");

	/* The sum is signed: 1 - 7 pages are fewer than none. */
	cr_expect_not(__zone_watermark_ok(NORMAL, 3, 0, ZONE_NORMAL, 0, 1));
}

Test(watermark, the_highatomic_reserve_is_for_harder_requests)
{
	boot_for_checks("fixed");
	NORMAL->nr_reserved_highatomic = 40;

	cr_expect_not(__zone_watermark_ok(NORMAL, 0, 100, ZONE_NORMAL, 0, 140));
	cr_expect(__zone_watermark_ok(NORMAL, 0, 100, ZONE_NORMAL, 0, 141));
	cr_expect(__zone_watermark_ok(NORMAL, 0, 100, ZONE_NORMAL, ALLOC_HARDER, 76));
}

Test(watermark, cma_pages_are_for_cma_requests)
{
	boot_for_checks("fixed");
	set_counter(NORMAL, NR_FREE_CMA_PAGES, 40);

	cr_expect_not(__zone_watermark_ok(NORMAL, 0, 100, ZONE_NORMAL, 0, 140));
	cr_expect(__zone_watermark_ok(NORMAL, 0, 100, ZONE_NORMAL, 0, 141));
	cr_expect(__zone_watermark_ok(NORMAL, 0, 100, ZONE_NORMAL, ALLOC_CMA, 101));
}

static bool order_2_ok(int alloc_flags)
{
	return __zone_watermark_ok(NORMAL, 2, 100, ZONE_NORMAL, alloc_flags, 1000);
}

Test(watermark, order_2_needs_a_block_of_order_2_or_more)
{
	boot_for_checks("fixed");
	put_block(0x200, 1, MIGRATE_MOVABLE);
	cr_expect_not(order_2_ok(0));

	put_block(0x400, 4, MIGRATE_RECLAIMABLE);

	cr_expect(order_2_ok(0));
}

Test(watermark, a_reserved_block_is_for_harder_requests)
{
	boot_for_checks("fixed");
	put_block(0x200, 2, MIGRATE_HIGHATOMIC);

	cr_expect_not(order_2_ok(0));
	cr_expect(order_2_ok(ALLOC_HARDER));
}

Test(watermark, a_cma_block_is_for_cma_requests)
{
	boot_for_checks("fixed");
	put_block(0x1800, 2, MIGRATE_CMA);

	cr_expect_not(order_2_ok(0));
	cr_expect(order_2_ok(ALLOC_CMA));
}

Test(watermark, watermark_usable_lists_does_not_count_what_harder_may_not_take)
{
	boot_for_checks("fixed");
	put_block(0x1800, 2, MIGRATE_CMA);
	put_block(0x400, 2, MIGRATE_ISOLATE);

	cr_expect_not(order_2_ok(ALLOC_HARDER));
}

Test(watermark, without_watermark_usable_lists_harder_counts_any_block)
{
	boot_for_checks("fixed,-watermark-usable-lists");
	put_block(0x1800, 2, MIGRATE_CMA);

	cr_expect(order_2_ok(ALLOC_HARDER));
	cr_expect_not(order_2_ok(0));
}

Test(watermark, the_check_reads_the_free_counter)
{
	boot_for_checks("fixed");

	set_counter(NORMAL, NR_FREE_PAGES, 101);
	cr_expect(zone_watermark_ok(NORMAL, 0, 100, ZONE_NORMAL, 0));
	set_counter(NORMAL, NR_FREE_PAGES, 100);
	cr_expect_not(zone_watermark_ok(NORMAL, 0, 100, ZONE_NORMAL, 0));
}

/*
 * The shortcut for order 0.
 */

static bool fast_ok(int alloc_flags)
{
	return zone_watermark_fast(NORMAL, 0, 100, ZONE_NORMAL, alloc_flags);
}

/* 141 free pages, 41 of them reserved: the full check says no to an ordinary request. */
static void boot_with_reserve(const char *kernel_text)
{
	boot_for_checks(kernel_text);
	set_counter(NORMAL, NR_FREE_PAGES, 141);
	NORMAL->nr_reserved_highatomic = 41;
	cr_expect_not(zone_watermark_ok(NORMAL, 0, 100, ZONE_NORMAL, 0));
}

Test(watermark, fast_watermark_reserve_subtracts_the_reserve)
{
	boot_with_reserve("fixed");

	cr_expect_not(fast_ok(0));
	cr_expect(fast_ok(ALLOC_HARDER));
}

Test(watermark, without_fast_watermark_reserve_the_shortcut_says_yes)
{
	boot_with_reserve("fixed,-fast-watermark-reserve");

	cr_expect(fast_ok(0));
}

/* 10 free pages, and 41 reserved ones that are mostly in use. */
static void boot_with_used_reserve(const char *kernel_text)
{
	boot_for_checks(kernel_text);
	set_counter(NORMAL, NR_FREE_PAGES, 10);
	NORMAL->nr_reserved_highatomic = 41;
}

Test(watermark, fast_watermark_clamp_counts_no_fewer_than_no_pages)
{
	boot_with_used_reserve("fixed");

	cr_expect_not(fast_ok(0));
}

Test(watermark, without_fast_watermark_clamp_fewer_than_no_pages_are_plenty)
{
	boot_with_used_reserve("fixed,-fast-watermark-clamp");

	cr_expect(fast_ok(0));
}

Test(watermark, the_shortcut_does_not_count_cma_pages_for_others)
{
	boot_for_checks("fixed");
	set_counter(NORMAL, NR_FREE_PAGES, 141);
	set_counter(NORMAL, NR_FREE_CMA_PAGES, 41);

	cr_expect_not(fast_ok(0));
	cr_expect(fast_ok(ALLOC_CMA));
}

Test(watermark, in_4_7_more_cma_than_free_pages_wrap_the_shortcut)
{
	boot_for_checks("v4.7");
	set_counter(NORMAL, NR_FREE_PAGES, 10);
	set_counter(NORMAL, NR_FREE_CMA_PAGES, 11);

	cr_expect(fast_ok(0));
}

Test(watermark, a_no_of_the_shortcut_is_checked_in_full)
{
	boot_for_checks("fixed");
	set_counter(NORMAL, NR_FREE_PAGES, 60);

	/* 60 pages are below the mark of 100, but not below half of it. */
	cr_expect_not(fast_ok(0));
	cr_expect(fast_ok(ALLOC_HIGH));
}

/*
 * Counters that drift on SMP.
 */

/* The central counter says 100, the truth is 60. */
static void boot_with_drift(void)
{
	boot_kernel("fixed", "movable");
	take_all_blocks(NORMAL);
	per_cpu_ptr(NORMAL->pageset, 0)->vm_stat_diff[NR_FREE_PAGES] = 0;
	per_cpu_ptr(NORMAL->pageset, 1)->vm_stat_diff[NR_FREE_PAGES] = -40;
	set_counter(NORMAL, NR_FREE_PAGES, 100);
	set_counter(NORMAL, NR_FREE_CMA_PAGES, 0);
}

Test(watermark, below_the_drift_mark_the_safe_check_adds_the_deltas)
{
	boot_with_drift();
	NORMAL->percpu_drift_mark = 101;

	cr_expect_not(zone_watermark_ok_safe(NORMAL, 0, 60, ZONE_NORMAL));
	cr_expect(zone_watermark_ok_safe(NORMAL, 0, 59, ZONE_NORMAL));
}

Test(watermark, from_the_drift_mark_on_the_safe_check_trusts_the_counter)
{
	boot_with_drift();
	NORMAL->percpu_drift_mark = 100;

	cr_expect(zone_watermark_ok_safe(NORMAL, 0, 99, ZONE_NORMAL));
}

Test(watermark, without_a_drift_mark_the_safe_check_trusts_the_counter)
{
	boot_with_drift();
	NORMAL->percpu_drift_mark = 0;

	cr_expect(zone_watermark_ok_safe(NORMAL, 0, 99, ZONE_NORMAL));
}

/*
 * The checks of 3.16: pages in smaller blocks do not count, and each order demands half.
 */

Test(watermark, in_3_16_smaller_blocks_do_not_count_for_a_higher_order)
{
	boot_for_checks("v3.16");
	put_block(0x200, 0, MIGRATE_MOVABLE);
	put_block(0x210, 1, MIGRATE_MOVABLE);

	/*
	 * Order 2 wants 3 pages beside the marks: 107 - 3 = 104 > 100. Less the page of order 0: 103 > 50. Less the
	 * 2 pages of order 1: 101 > 25.
	 */
	cr_expect(__zone_watermark_ok(NORMAL, 2, 100, ZONE_NORMAL, 0, 107));

	/* With a mark of 8 and 12 pages: 9 > 8, 8 > 4, 6 > 2. With 4 more pairs of order 1: 9 > 8, 8 > 4, -2. */
	cr_expect(__zone_watermark_ok(NORMAL, 2, 8, ZONE_NORMAL, 0, 12));
	NORMAL->free_area[1].nr_free = 5;
	cr_expect_not(__zone_watermark_ok(NORMAL, 2, 8, ZONE_NORMAL, 0, 12));
}

Test(watermark, in_3_16_the_reserve_is_not_subtracted)
{
	boot_for_checks("v3.16");
	NORMAL->nr_reserved_highatomic = 40;

	cr_expect(__zone_watermark_ok(NORMAL, 0, 100, ZONE_NORMAL, 0, 101));
}
