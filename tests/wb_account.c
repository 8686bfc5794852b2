// SPDX-License-Identifier: GPL-2.0
/* wb_account.c - which counters and tags follow each event of a page (mm/wb_account.c, page-writeback specification 17). */
#include "tests/support.h"
#include "tests/writeback.h"

struct counts {
	unsigned long dirty, writeback, dirtied, written;
	unsigned long wb_reclaimable, wb_writeback, wb_dirtied, wb_written;
	int nr_dirtied;
};

static void expect_counts(const char *when, struct counts e)
{
	const struct bdi_writeback *wb = &bdi_devices[0].bdi.wb;

	cr_expect_eq(global_page_state(NR_FILE_DIRTY), e.dirty, "%s: dirty", when);
	cr_expect_eq(global_page_state(NR_WRITEBACK), e.writeback, "%s: writeback", when);
	cr_expect_eq(global_page_state(NR_DIRTIED), e.dirtied, "%s: dirtied", when);
	cr_expect_eq(global_page_state(NR_WRITTEN), e.written, "%s: written", when);
	cr_expect_eq(wb_stat_sum(wb, WB_RECLAIMABLE), e.wb_reclaimable, "%s: device reclaimable", when);
	cr_expect_eq(wb_stat_sum(wb, WB_WRITEBACK), e.wb_writeback, "%s: device writeback", when);
	cr_expect_eq(wb_stat_sum(wb, WB_DIRTIED), e.wb_dirtied, "%s: device dirtied", when);
	cr_expect_eq(wb_stat_sum(wb, WB_WRITTEN), e.wb_written, "%s: device written", when);
	cr_expect_eq(current->nr_dirtied, e.nr_dirtied, "%s: task", when);
}

static bool tagged(enum page_cache_tag tag)
{
	return test_bit(0, file_mapping(0)->tags[tag]);
}

Test(wb_account, a_page_is_counted_from_dirty_over_writeback_to_clean)
{
	struct page *page;

	boot_machine("uma-64m");
	page = file_page(0, 0);
	cr_expect(set_page_dirty(page));
	expect_counts("dirty", (struct counts){ 1, 0, 1, 0, 1, 0, 1, 0, 1 });
	cr_expect(!set_page_dirty(page), "it was dirty already");
	expect_counts("dirty again", (struct counts){ 1, 0, 1, 0, 1, 0, 1, 0, 1 });
	lock_page(page);
	cr_expect(clear_page_dirty_for_io(page));
	expect_counts("in between", (struct counts){ 0, 0, 1, 0, 0, 0, 1, 0, 1 });
	cr_expect(tagged(PAGECACHE_TAG_DIRTY), "the tag stays until writeback begins");
	set_page_writeback(page);
	unlock_page(page);
	cr_expect(!tagged(PAGECACHE_TAG_DIRTY) && tagged(PAGECACHE_TAG_WRITEBACK));
	expect_counts("writeback", (struct counts){ 0, 1, 1, 0, 0, 1, 1, 0, 1 });
	set_page_dirty(page);
	expect_counts("dirty under writeback", (struct counts){ 1, 1, 2, 0, 1, 1, 2, 0, 2 });
	end_page_writeback(page);
	expect_counts("written", (struct counts){ 1, 0, 2, 1, 1, 0, 2, 1, 2 });
	cr_expect(tagged(PAGECACHE_TAG_DIRTY) && !tagged(PAGECACHE_TAG_WRITEBACK));
}

Test(wb_account, redirtying_takes_back_what_dirtying_counted)
{
	struct writeback_control wbc = { 0 };
	struct page *page;

	boot_machine("uma-64m");
	page = file_page(0, 0);
	set_page_dirty(page);
	lock_page(page);
	clear_page_dirty_for_io(page);
	cr_expect(redirty_page_for_writepage(&wbc, page));
	unlock_page(page);
	cr_expect_eq(wbc.pages_skipped, 1);
	expect_counts("redirtied", (struct counts){ 1, 0, 1, 0, 1, 0, 1, 0, 1 });
	cr_expect(!redirty_page_for_writepage(&wbc, page));
	expect_counts("redirtied while dirty", (struct counts){ 1, 0, 0, 0, 1, 0, 0, 0, 0 });
}

Test(wb_account, cancelling_uncounts_a_dirty_page_once)
{
	struct page *page;

	boot_machine("uma-64m");
	page = file_page(0, 0);
	set_page_dirty(page);
	cancel_dirty_page(page);
	cancel_dirty_page(page);
	expect_counts("cancelled", (struct counts){ 0, 0, 1, 0, 0, 0, 1, 0, 1 });
	cr_expect(tagged(PAGECACHE_TAG_DIRTY), "tags stay");
}

Test(wb_account, a_device_that_does_not_account_counts_nothing)
{
	struct page *page;

	boot_machine("uma-64m");
	bdi_devices[0].bdi.capabilities = BDI_CAP_NO_ACCT_DIRTY | BDI_CAP_NO_ACCT_WB;
	page = file_page(0, 0);
	cr_expect(set_page_dirty(page));
	expect_counts("dirty", (struct counts){ 0 });
	lock_page(page);
	clear_page_dirty_for_io(page);
	set_page_writeback(page);
	unlock_page(page);
	expect_counts("writeback counts in its zone", (struct counts){ 0, 1, 0, 0, 0, 0, 0, 0, 0 });
}

Test(wb_account, a_page_without_a_file_is_only_marked)
{
	struct page *page;

	boot_machine("uma-64m");
	page = __alloc_pages_nodemask(GFP_KERNEL, 0, node_zonelist(0, GFP_KERNEL), NULL);
	cr_expect(set_page_dirty(page));
	cr_expect(!set_page_dirty(page));
	expect_counts("dirty", (struct counts){ 0 });
}

static void end_twice(void *page)
{
	end_page_writeback(page);
}

Test(wb_account, ending_writeback_of_a_page_that_is_not_is_a_bug)
{
	boot_machine("uma-64m");
	expect_finding(FINDING_BUG, "end_page_writeback: !test_clear_page_writeback(page)", end_twice, file_page(0, 0));
}

Test(wb_account, the_first_dirty_page_gives_the_device_dirty_inodes)
{
	boot_machine("uma-64m");
	set_page_dirty(file_page(0, 0));
	cr_expect(test_bit(WB_has_dirty_io, &bdi_devices[0].bdi.wb.state));
	cr_expect_eq(bdi_devices[0].bdi.tot_write_bandwidth, 25600);
}

/* Memory that is never written anywhere. */
Test(wb_account, a_page_of_a_file_in_memory_is_dirty_and_nothing_counts_it)
{
	struct page *page;

	boot_machine("uma-64m");
	page = file_page(0, 0);
	cr_expect(__set_page_dirty_no_writeback(page));
	cr_expect(!__set_page_dirty_no_writeback(page), "it was dirty already");
	cr_expect(PageDirty(page));
	expect_counts("dirty", (struct counts){ 0 });
}

Test(wb_account, whoever_has_not_locked_the_page_lets_it_be_locked)
{
	struct page *page;

	boot_machine("uma-64m");
	page = file_page(0, 0);
	cr_expect(set_page_dirty_lock(page));
	cr_expect(!PageLocked(page));
	cr_expect(!set_page_dirty_lock(page), "it was dirty already");
	expect_counts("dirty", (struct counts){ 1, 0, 1, 0, 1, 0, 1, 0, 1 });
}

Test(wb_account, writeback_of_a_page_without_a_file_counts_in_its_zone_alone)
{
	struct page *page;

	boot_machine("uma-64m");
	page = __alloc_pages_nodemask(GFP_KERNEL, 0, node_zonelist(0, GFP_KERNEL), NULL);
	cr_expect(!__test_set_page_writeback(page, false));
	expect_counts("writeback", (struct counts){ .writeback = 1 });
	cr_expect(test_clear_page_writeback(page));
	expect_counts("over", (struct counts){ .written = 1 });
	cr_expect(!test_clear_page_writeback(page), "it was over");
	cr_expect(__set_page_dirty_nobuffers(page));
	expect_counts("dirty", (struct counts){ .written = 1 });
}
