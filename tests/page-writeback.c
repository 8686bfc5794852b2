// SPDX-License-Identifier: GPL-2.0
/*
 * How many dirty pages a zone may hold (specification 17, and seed 3 of 20.3). The zone below can hold 1000 dirtyable
 * pages: 700 free beyond the reserve, and 300 of files.
 */
#include "tests/machines.h"
#include "fuzz/program.h"
#include "fuzz/run.h"

#define NORMAL zone_of(ZONE_NORMAL)
#define DMA zone_of(ZONE_DMA)

static void boot_dirtyable(const char *kernel_text)
{
	boot_kernel(kernel_text, "uma-64m");
	NORMAL->totalreserve_pages = 50;
	set_counter(NORMAL, NR_FREE_PAGES, 750);
	set_counter(NORMAL, NR_INACTIVE_FILE, 200);
	set_counter(NORMAL, NR_ACTIVE_FILE, 100);
}

Test(page_writeback, a_zone_may_hold_a_fifth_of_its_dirtyable_pages)
{
	boot_dirtyable("fixed");

	expect_number(zone_dirty_limit(NORMAL), 200);
}

Test(page_writeback, a_zone_within_its_reserve_has_only_file_pages)
{
	boot_dirtyable("fixed");
	set_counter(NORMAL, NR_FREE_PAGES, 49);

	expect_number(zone_dirty_limit(NORMAL), 60);
}

Test(page_writeback, the_ratio_is_a_percentage)
{
	boot_dirtyable("fixed");

	vm_dirty_ratio = 7;
	expect_number(zone_dirty_limit(NORMAL), 70);
	vm_dirty_ratio = 0;
	expect_number(zone_dirty_limit(NORMAL), 0);
}

Test(page_writeback, bytes_are_shared_out_by_dirtyable_pages)
{
	boot_dirtyable("fixed");
	totalreserve_pages = 0;
	/* 1000 pages here and 3000 in DMA. The sum counts one more. */
	NORMAL->totalreserve_pages = 0;
	set_counter(NORMAL, NR_FREE_PAGES, 700);
	set_counter(DMA, NR_FREE_PAGES, 3000);

	/* One byte more than 99 pages is 100. */
	vm_dirty_bytes = 99 * 4096 + 1;

	/* 100 * 1000 / 4001, and 100 * 3000 / 4001. */
	expect_number(zone_dirty_limit(NORMAL), 24);
	DMA->totalreserve_pages = 0;
	expect_number(zone_dirty_limit(DMA), 74);
}

Test(page_writeback, highmem_counts_for_bytes_only_if_it_is_dirtyable)
{
	struct zone *highmem;

	boot_kernel("fixed", "i386", SET(smp, 0));
	highmem = zone_of(ZONE_HIGHMEM);
	totalreserve_pages = 0;
	NORMAL->totalreserve_pages = 0;
	highmem->totalreserve_pages = 0;
	set_counter(DMA, NR_FREE_PAGES, 0);
	set_counter(NORMAL, NR_FREE_PAGES, 1000);
	set_counter(highmem, NR_FREE_PAGES, 3000);
	vm_dirty_bytes = 4096 * 100;

	/* 100 * 1000 / 1001, or with highmem 100 * 1000 / 4001. */
	expect_number(zone_dirty_limit(NORMAL), 99);
	vm_highmem_is_dirtyable = 1;
	expect_number(zone_dirty_limit(NORMAL), 24);
}

Test(page_writeback, with_no_dirtyable_page_nothing_is_divided_by_zero)
{
	boot_dirtyable("fixed");
	set_counter(NORMAL, NR_FREE_PAGES, 0);
	set_counter(DMA, NR_FREE_PAGES, 0);
	set_counter(NORMAL, NR_INACTIVE_FILE, 0);
	set_counter(NORMAL, NR_ACTIVE_FILE, 0);
	vm_dirty_bytes = 4096;

	expect_number(zone_dirty_limit(NORMAL), 0);
}

Test(page_writeback, real_time_and_less_throttled_tasks_get_a_quarter_more)
{
	boot_dirtyable("fixed");

	current->prio = 99;
	expect_number(zone_dirty_limit(NORMAL), 250);
	current->prio = 120;
	current->flags |= PF_LESS_THROTTLE;
	expect_number(zone_dirty_limit(NORMAL), 250);
}

Test(page_writeback, a_zone_is_ok_up_to_its_limit)
{
	boot_dirtyable("fixed");

	set_counter(NORMAL, NR_FILE_DIRTY, 100);
	set_counter(NORMAL, NR_UNSTABLE_NFS, 60);
	set_counter(NORMAL, NR_WRITEBACK, 40);
	cr_expect(zone_dirty_ok(NORMAL));

	set_counter(NORMAL, NR_WRITEBACK, 41);
	cr_expect_not(zone_dirty_ok(NORMAL));
}

Test(page_writeback, without_dirty_limit_cached_nothing_is_cached)
{
	boot_dirtyable("fixed");

	allocate(GFP_KERNEL | __GFP_WRITE, 0);

	expect_number(NORMAL->dirty_limit_cached, 0);
}

/*
 * Seed 3: the limit is computed when the cached one does not admit a request, for the next one.
 */

Test(page_writeback, dirty_limit_cached_is_what_the_test_trusts)
{
	boot_dirtyable("fixed,+dirty-limit-cached");
	set_counter(NORMAL, NR_FILE_DIRTY, 150);

	/* 150 pages are within the limit of 200, but the cache does not know it yet. */
	cr_expect_not(zone_dirty_ok(NORMAL));
	NORMAL->dirty_limit_cached = 150;
	cr_expect(zone_dirty_ok(NORMAL));
	/* Too high a cached limit is believed as well. */
	NORMAL->dirty_limit_cached = 5000;
	set_counter(NORMAL, NR_FILE_DIRTY, 4000);
	cr_expect(zone_dirty_ok(NORMAL));
	expect_number(NORMAL->dirty_limit_cached, 5000);
}

Test(page_writeback, dirty_limit_cached_starts_at_zero_which_a_clean_zone_passes)
{
	boot_dirtyable("fixed,+dirty-limit-cached");

	expect_number(NORMAL->dirty_limit_cached, 0);
	cr_expect(zone_dirty_ok(NORMAL));
}

Test(page_writeback, a_request_that_fails_the_cached_limit_refreshes_it)
{
	boot_dirtyable("fixed,+dirty-limit-cached");
	set_marks(NORMAL, 0, 0, 0);
	set_counter(NORMAL, NR_FILE_DIRTY, 150);

	/* Expect the zone passed by although the new limit would admit the request, and used by the next one. */
	allocate(GFP_KERNEL | __GFP_WRITE, 0);
	expect_story("pass 1: Normal dirty, DMA taken");
	expect_number(NORMAL->dirty_limit_cached, 200);

	allocate(GFP_KERNEL | __GFP_WRITE, 0);
	expect_story("pass 1: Normal taken");
}

Test(page_writeback, requests_that_do_not_write_leave_the_cache_alone)
{
	boot_dirtyable("fixed,+dirty-limit-cached");
	set_marks(NORMAL, 0, 0, 0);
	set_counter(NORMAL, NR_FILE_DIRTY, 150);

	allocate(GFP_KERNEL, 0);

	expect_story("pass 1: Normal taken");
	expect_number(NORMAL->dirty_limit_cached, 0);
}

Test(page_writeback, with_a_cache_the_limit_itself_has_no_bonus)
{
	boot_dirtyable("fixed,+dirty-limit-cached");
	current->prio = 99;

	expect_number(zone_dirty_limit(NORMAL), 200);
}

Test(page_writeback, a_task_with_a_bonus_refreshes_the_cache_and_gets_a_quarter_more)
{
	boot_dirtyable("fixed,+dirty-limit-cached");
	current->flags |= PF_LESS_THROTTLE;

	set_counter(NORMAL, NR_FILE_DIRTY, 250);
	cr_expect(zone_dirty_ok(NORMAL));
	/* Expect the bonus not to be cached for others. */
	expect_number(NORMAL->dirty_limit_cached, 200);

	set_counter(NORMAL, NR_FILE_DIRTY, 251);
	cr_expect_not(zone_dirty_ok(NORMAL));
}

Test(page_writeback, the_cached_limit_of_a_request_is_refreshed_in_every_pass_that_fails)
{
	boot_dirtyable("fixed,+dirty-limit-cached");
	set_counter(NORMAL, NR_FILE_DIRTY, 1000);
	set_counter(DMA, NR_FILE_DIRTY, 1 << 20);
	set_marks(NORMAL, 0, 0, 0);

	allocate(GFP_KERNEL | __GFP_WRITE, 0);

	/* Expect the dirty test dropped instead of the slow path, and both caches fresh. */
	expect_story("pass 1: Normal dirty, DMA dirty; pass 2: Normal taken");
	expect_number(NORMAL->dirty_limit_cached, 200);
	cr_expect_gt(DMA->dirty_limit_cached, 0);
}

/*
 * Seed 3 at the length of a story (page-writeback specification 5.3 and 5.4). Normal: 200 at 20 percent, 50 at 5.
 */

#define expect_write(expected)                                                                         \
	do {                                                                                           \
		allocate(GFP_KERNEL | __GFP_WRITE, 0);                                                 \
		expect_story(expected);                                                                \
	} while (0)

static void boot_seed_3(unsigned int dirty)
{
	boot_dirtyable("fixed,+dirty-limit-cached");
	set_marks(NORMAL, 0, 0, 0);
	set_counter(NORMAL, NR_FILE_DIRTY, dirty);
}

/* C4. */
Test(page_writeback, over_its_limit_a_zone_keeps_what_is_true)
{
	boot_seed_3(300);

	expect_write("pass 1: Normal dirty, DMA taken");
	expect_number(NORMAL->dirty_limit_cached, 200);
	vm_dirty_ratio = 5;
	expect_write("pass 1: Normal dirty, DMA taken");
	expect_number(NORMAL->dirty_limit_cached, 50);
	vm_dirty_ratio = 29;
	expect_write("pass 1: Normal dirty, DMA taken");
	expect_number(NORMAL->dirty_limit_cached, 290);
}

/* C5: DMA is clean, but had its share. The rescan that refills it also drops the test that Normal fails. */
Test(page_writeback, one_rescan_drops_the_fair_and_the_dirty_test)
{
	boot_seed_3(300);
	deplete(DMA);

	expect_write("pass 1: Normal dirty, DMA fair; reset; pass 2: Normal taken");
}

Test(page_writeback, the_base_keeps_the_dirty_test_when_it_drops_the_fair_one)
{
	boot_dirtyable("fixed");
	set_marks(NORMAL, 0, 0, 0);
	set_counter(NORMAL, NR_FILE_DIRTY, 300);
	deplete(DMA);

	expect_write("pass 1: Normal dirty, DMA fair; reset; pass 2: Normal dirty, DMA taken");
}

/*
 * C8: two CPUs fail the test at once, one having computed 200 before the ratio fell and one 50 after it; the older store
 * comes last. Both were true once. 150 pages pass on the old one, and the next failure puts it right.
 */
Test(page_writeback, the_older_of_two_stores_may_stay)
{
	unsigned long older, newer;

	boot_seed_3(150);

	older = zone_dirty_limit(NORMAL);
	vm_dirty_ratio = 5;
	newer = zone_dirty_limit(NORMAL);
	NORMAL->dirty_limit_cached = newer;
	NORMAL->dirty_limit_cached = older;

	expect_write("pass 1: Normal taken");
	expect_number(NORMAL->dirty_limit_cached, 200);
	set_counter(NORMAL, NR_FILE_DIRTY, 201);
	expect_write("pass 1: Normal dirty, DMA taken");
	/* One page was taken since. */
	expect_number(NORMAL->dirty_limit_cached, 49);
}

/* C9: Normal serves every request, so what DMA keeps outlives the limit that it was. */
Test(page_writeback, a_zone_that_nobody_comes_to_keeps_an_old_limit)
{
	long old;

	boot_seed_3(300);
	set_counter(DMA, NR_FILE_DIRTY, 1);
	expect_write("pass 1: Normal dirty, DMA dirty; pass 2: Normal taken");
	old = (long)DMA->dirty_limit_cached;

	set_counter(NORMAL, NR_FILE_DIRTY, 0);
	vm_dirty_ratio = 5;
	expect_write("pass 1: Normal taken");

	expect_number(DMA->dirty_limit_cached, old);
	cr_expect_gt(old, 3 * (long)zone_dirty_limit(DMA), "four times what it may have now, but for the rounding");
}

/* S7: one pass for the fair batches, one for the dirty test, and never a fourth. */
Test(page_writeback, three_passes_are_the_most)
{
	boot_seed_3(300);
	set_counter(DMA, NR_FILE_DIRTY, 1 << 20);
	deplete(NORMAL);
	deplete(DMA);

	expect_write("pass 1: Normal fair, DMA fair; reset; pass 2: Normal dirty, DMA dirty; pass 3: Normal taken");
}

/* S10: once every zone was refreshed and nothing changes, each count of dirty pages gets the answer of the base. */
Test(page_writeback, refreshed_limits_decide_as_the_base_does)
{
	static const unsigned int counts[] = { 0, 1, 199, 200, 201, 250, 251, 1000 };
	unsigned int i;

	boot_seed_3(300);
	expect_write("pass 1: Normal dirty, DMA taken");

	for (i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		set_counter(NORMAL, NR_FILE_DIRTY, counts[i]);
		cr_expect_eq(zone_dirty_ok(NORMAL), counts[i] <= 200, "%u dirty pages", counts[i]);
		expect_number(NORMAL->dirty_limit_cached, 200);
	}
}

/*
 * The operation that sets both limits.
 */
static struct { unsigned long bytes, bg_bytes; } both;

static void note_both(void *argument)
{
	both.bytes = vm_dirty_bytes;
	both.bg_bytes = dirty_background_bytes;
}

static void run_limits(const char *text)
{
	static struct program program;
	struct run_options options = run_options_default();
	struct verdict verdict;

	options.at_end = note_both;
	cr_assert(program_parse(&program, text, strlen(text), true, NULL, NULL));
	run_program(&program, &options, &verdict);
	cr_assert_eq(verdict.finding.kind, FINDING_NONE, "%s", verdict.finding.detail);
}

Test(page_writeback, an_operation_sets_a_limit_and_a_background_limit_below_it)
{
	run_limits("machine preset=uma-64m\ndirty_limits(pages=100, gap=4)\n");
	cr_expect_eq(both.bytes, 100 * PAGE_SIZE);
	cr_expect_eq(both.bg_bytes, 96 * PAGE_SIZE);
	run_limits("machine preset=uma-64m\ndirty_limits(pages=4294967295, gap=4294967295)\n");
	cr_expect_eq(both.bytes, 4294967295 * PAGE_SIZE);
	cr_expect_eq(both.bg_bytes, PAGE_SIZE);
}
