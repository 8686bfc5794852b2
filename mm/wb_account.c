// SPDX-License-Identifier: GPL-2.0
/*
 * wb_account.c - what happens to a page of a file between clean and clean again, and which counters and tags follow it
 * (page-writeback specification 17).
 *
 *	clean -> dirty (FILE_DIRTY, RECLAIMABLE) -> locked, in no counter -> under writeback (WRITEBACK) -> clean
 *	              ^------- redirtied, at any time -------------------------------'
 *
 * Left out: page tables and buffers, so nothing dirties a page behind its back; control groups.
 */
#include "internal.h"

/* The caller holds tree_lock, so interrupts are off. */
void account_page_dirtied(struct page *page, struct address_space *mapping)
{
	struct bdi_writeback *wb;

	if (!mapping_cap_account_dirty(mapping))
		return;
	wb = inode_to_wb(mapping->host);
	__inc_zone_page_state(page, NR_FILE_DIRTY);
	__inc_zone_page_state(page, NR_DIRTIED);
	__add_wb_stat(wb, WB_RECLAIMABLE, 1);
	__add_wb_stat(wb, WB_DIRTIED, 1);
	current->nr_dirtied++;
	this_cpu_inc(bdp_ratelimits);
}

void account_page_cleaned(struct page *page, struct address_space *mapping, struct bdi_writeback *wb)
{
	if (!mapping_cap_account_dirty(mapping))
		return;
	dec_zone_page_state(page, NR_FILE_DIRTY);
	__add_wb_stat(wb, WB_RECLAIMABLE, -1);
}

/* A page that is dirtied again without having been written was no new dirty page. */
void account_page_redirty(struct page *page)
{
	struct address_space *mapping = page->mapping;

	if (!mapping || !mapping_cap_account_dirty(mapping))
		return;
	current->nr_dirtied--;
	dec_zone_page_state(page, NR_DIRTIED);
	__add_wb_stat(inode_to_wb(mapping->host), WB_DIRTIED, -1);
}

/* True if the page was clean. */
bool __set_page_dirty_nobuffers(struct page *page)
{
	struct address_space *mapping = page->mapping;
	unsigned long flags;

	if (TestSetPageDirty(page))
		return false;
	if (!mapping)
		return true;
	spin_lock_irqsave(&mapping->tree_lock, flags);
	account_page_dirtied(page, mapping);
	page_cache_tag_set(mapping, page->index, PAGECACHE_TAG_DIRTY);
	spin_unlock_irqrestore(&mapping->tree_lock, flags);
	__mark_inode_dirty(mapping->host, I_DIRTY_PAGES);
	return true;
}

/* For memory that is never written anywhere. */
bool __set_page_dirty_no_writeback(struct page *page)
{
	return !TestSetPageDirty(page);
}

bool redirty_page_for_writepage(struct writeback_control *wbc, struct page *page)
{
	bool newly_dirty;

	wbc->pages_skipped++;
	if (kernel.writeback == WRITEBACK_3_16)
		account_page_redirty(page);
	newly_dirty = __set_page_dirty_nobuffers(page);
	if (kernel.writeback != WRITEBACK_3_16)
		account_page_redirty(page);
	return newly_dirty;
}

bool set_page_dirty(struct page *page)
{
	struct address_space *mapping = page->mapping;

	if (!mapping)
		return !TestSetPageDirty(page);
	ClearPageReclaim(page);
	return mapping->a_ops->set_page_dirty ? mapping->a_ops->set_page_dirty(page) :
						__set_page_dirty_nobuffers(page);
}

bool set_page_dirty_lock(struct page *page)
{
	bool newly_dirty;

	lock_page(page);
	newly_dirty = set_page_dirty(page);
	unlock_page(page);
	return newly_dirty;
}

/* Dirty data that is thrown away; the tags stay. */
void cancel_dirty_page(struct page *page)
{
	struct address_space *mapping = page->mapping;

	if (!mapping || !mapping_cap_account_dirty(mapping))
		ClearPageDirty(page);
	else if (TestClearPageDirty(page))
		account_page_cleaned(page, mapping, inode_to_wb(mapping->host));
}

/* For a locked page that is about to be written. True if it was dirty; the DIRTY tag stays until writeback begins. */
bool clear_page_dirty_for_io(struct page *page)
{
	struct address_space *mapping = page->mapping;

	BUG_ON(!PageLocked(page));
	if (!mapping || !mapping_cap_account_dirty(mapping))
		return TestClearPageDirty(page);
	if (!TestClearPageDirty(page))
		return false;
	dec_zone_page_state(page, NR_FILE_DIRTY);
	__add_wb_stat(inode_to_wb(mapping->host), WB_RECLAIMABLE, -1);
	return true;
}

/* Returns whether the page was under writeback. */
bool test_clear_page_writeback(struct page *page)
{
	struct address_space *mapping = page->mapping;
	unsigned long flags;
	bool ret;

	if (!mapping) {
		ret = TestClearPageWriteback(page);
	} else {
		spin_lock_irqsave(&mapping->tree_lock, flags);
		ret = TestClearPageWriteback(page);
		if (ret) {
			page_cache_tag_clear(mapping, page->index, PAGECACHE_TAG_WRITEBACK);
			if (bdi_cap_account_writeback(inode_to_bdi(mapping->host))) {
				__add_wb_stat(inode_to_wb(mapping->host), WB_WRITEBACK, -1);
				__wb_writeout_inc(inode_to_wb(mapping->host));
			}
		}
		spin_unlock_irqrestore(&mapping->tree_lock, flags);
	}
	if (ret) {
		dec_zone_page_state(page, NR_WRITEBACK);
		inc_zone_page_state(page, NR_WRITTEN);
	}
	return ret;
}

static void tag_for_writeback(struct page *page, struct address_space *mapping, bool newly_set, bool keep_write)
{
	if (newly_set) {
		page_cache_tag_set(mapping, page->index, PAGECACHE_TAG_WRITEBACK);
		if (bdi_cap_account_writeback(inode_to_bdi(mapping->host)))
			__add_wb_stat(inode_to_wb(mapping->host), WB_WRITEBACK, 1);
	}
	if (!PageDirty(page))
		page_cache_tag_clear(mapping, page->index, PAGECACHE_TAG_DIRTY);
	if (!keep_write)
		page_cache_tag_clear(mapping, page->index, PAGECACHE_TAG_TOWRITE);
}

/* Returns whether the page was under writeback already. */
bool __test_set_page_writeback(struct page *page, bool keep_write)
{
	struct address_space *mapping = page->mapping;
	unsigned long flags;
	bool ret;

	if (!mapping) {
		ret = TestSetPageWriteback(page);
	} else {
		spin_lock_irqsave(&mapping->tree_lock, flags);
		ret = TestSetPageWriteback(page);
		tag_for_writeback(page, mapping, !ret, keep_write);
		spin_unlock_irqrestore(&mapping->tree_lock, flags);
	}
	if (!ret)
		inc_zone_page_state(page, NR_WRITEBACK);
	return ret;
}

/* Devices that checksum what they write want the page left alone meanwhile. */
void wait_for_stable_page(struct page *page)
{
	if (inode_to_bdi(page->mapping->host)->capabilities & BDI_CAP_STABLE_WRITES)
		wait_on_page_writeback(page);
}
