// SPDX-License-Identifier: GPL-2.0
/*
 * write_cache_pages.c - walk the dirty pages of a file and hand each to its file system (page-writeback
 * specification 18; in Linux part of page-writeback.c).
 *
 * A walk that must write everything first marks what there is to write, so that pages dirtied behind its back do not
 * keep it going for ever.
 */
#include "internal.h"

#define WRITEBACK_TAG_BATCH 4096

void tag_pages_for_writeback(struct address_space *mapping, pgoff_t start, pgoff_t end)
{
	unsigned long tagged;

	do {
		unsigned long flags;

		spin_lock_irqsave(&mapping->tree_lock, flags);
		tagged = range_tag_if_tagged(mapping, &start, end, WRITEBACK_TAG_BATCH, PAGECACHE_TAG_DIRTY,
					     PAGECACHE_TAG_TOWRITE);
		spin_unlock_irqrestore(&mapping->tree_lock, flags);
		cond_resched();
	} while (tagged >= WRITEBACK_TAG_BATCH && start);
}

/* One walk. */
struct page_walk {
	struct address_space *mapping;
	struct writeback_control *wbc;
	writepage_t writepage;
	void *data;
	enum page_cache_tag tag;
	pgoff_t end;
	pgoff_t done_index;
	unsigned long steps;
	bool done;
	int ret;
};

/* True if the locked page is to be written: it is still the file's, dirty, and not under writeback any more. */
static bool wants_writing(const struct page_walk *walk, struct page *page)
{
	if (unlikely(page->mapping != walk->mapping) || !PageDirty(page))
		return false;
	if (PageWriteback(page)) {
		if (walk->wbc->sync_mode == WB_SYNC_NONE)
			return false;
		wait_on_page_writeback(page);
	}
	BUG_ON(PageWriteback(page));
	return clear_page_dirty_for_io(page);
}

static void write_page(struct page_walk *walk, struct page *page)
{
	struct writeback_control *wbc = walk->wbc;
	pgoff_t index = page->index;
	int ret;

	walk->done_index = index;
	lock_page(page);
	if (!wants_writing(walk, page)) {
		unlock_page(page);
		return;
	}
	ret = walk->writepage(page, wbc, walk->data);
	if (ret == AOP_WRITEPAGE_ACTIVATE) {
		unlock_page(page);
		ret = 0;
	}
	trace_writepage(walk->mapping->host->number, index, ret, wbc->sync_mode);
	if (unlikely(ret)) {
		/* The next walk must not stumble over this page again. */
		walk->done_index = index + 1;
		walk->ret = ret;
		walk->done = true;
		return;
	}
	if (--wbc->nr_to_write <= 0 && wbc->sync_mode == WB_SYNC_NONE)
		walk->done = true;
}

/* Pages of [index, end], a pagevec at a time. */
static void walk_pages(struct page_walk *walk, pgoff_t index)
{
	struct page *pages[PAGEVEC_SIZE];
	unsigned int nr_pages, i;

	if (walk->tag == PAGECACHE_TAG_TOWRITE)
		tag_pages_for_writeback(walk->mapping, index, walk->end);
	walk->done_index = index;
	while (!walk->done && index <= walk->end) {
		nr_pages = find_get_pages_tag(walk->mapping, &index, walk->end, walk->tag, PAGEVEC_SIZE, pages);
		if (nr_pages == 0)
			break;
		for (i = 0; i < nr_pages && !walk->done; i++) {
			work_charge("write_cache_pages");
			work_bound("write_cache_pages", ++walk->steps, FILE_PAGES,
				   "a walk meets each page of the file at most once");
			write_page(walk, pages[i]);
		}
		for (i = 0; i < nr_pages; i++)
			page_cache_release(pages[i]);
		cond_resched();
	}
}

int write_cache_pages(struct address_space *mapping, struct writeback_control *wbc, writepage_t writepage, void *data)
{
	struct page_walk walk = { .mapping = mapping, .wbc = wbc, .writepage = writepage, .data = data };
	pgoff_t index = (pgoff_t)wbc->range_start >> PAGE_SHIFT;
	bool range_whole = wbc->range_start == 0 && wbc->range_end == LLONG_MAX;
	pgoff_t writeback_index = mapping->writeback_index;
	bool cycled = true;

	walk.end = (pgoff_t)wbc->range_end >> PAGE_SHIFT;
	if (wbc->range_cyclic) {
		index = writeback_index;
		walk.end = ~0UL;
		cycled = index == 0;
	}
	walk.tag = wbc->sync_mode == WB_SYNC_ALL || wbc->tagged_writepages ? PAGECACHE_TAG_TOWRITE :
									     PAGECACHE_TAG_DIRTY;
	walk_pages(&walk, index);
	if (!cycled && !walk.done) {
		walk.end = writeback_index - 1;
		walk_pages(&walk, 0);
	}
	if (wbc->range_cyclic || (range_whole && wbc->nr_to_write > 0))
		mapping->writeback_index = walk.done_index;
	return walk.ret;
}

static int __writepage(struct page *page, struct writeback_control *wbc, void *data)
{
	struct address_space *mapping = data;
	int ret = mapping->a_ops->writepage(page, wbc);

	mapping_set_error(mapping, ret == AOP_WRITEPAGE_ACTIVATE ? 0 : ret);
	return ret;
}

int generic_writepages(struct address_space *mapping, struct writeback_control *wbc)
{
	if (!mapping->a_ops->writepage)
		return 0;
	return write_cache_pages(mapping, wbc, __writepage, mapping);
}

int do_writepages(struct address_space *mapping, struct writeback_control *wbc)
{
	if (wbc->nr_to_write <= 0)
		return 0;
	if (mapping->a_ops->writepages)
		return mapping->a_ops->writepages(mapping, wbc);
	return generic_writepages(mapping, wbc);
}

/* The caller holds the page lock, and has lost it when this returns. */
int write_one_page(struct page *page, bool wait)
{
	struct address_space *mapping = page->mapping;
	struct writeback_control wbc = { .sync_mode = WB_SYNC_ALL, .nr_to_write = 1 };
	int ret;

	BUG_ON(!PageLocked(page));
	if (wait)
		wait_on_page_writeback(page);
	if (!clear_page_dirty_for_io(page)) {
		unlock_page(page);
		return 0;
	}
	ret = mapping->a_ops->writepage(page, &wbc);
	if (ret == 0 && wait) {
		wait_on_page_writeback(page);
		if (PageError(page))
			ret = -EIO;
	}
	return ret;
}
