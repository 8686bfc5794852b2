// SPDX-License-Identifier: GPL-2.0
/*
 * filemap.c - the sliver of the page cache that writeback walks over: which pages a file has, their tags, and the end
 * of writeback (page-writeback specification 1.9, 1.8, 17.7, 17.9).
 *
 * PORT: a file is a table of FILE_PAGES frames with a bitmap for each tag, not a radix tree. The page lock and what
 * waits for a page are in the shim, where tasks sleep.
 */
#include "internal.h"

static struct page *page_of(const struct address_space *mapping, pgoff_t index)
{
	unsigned int frame = mapping->frames[index];

	return frame ? pfn_to_page(frame - 1) : NULL;
}

struct page *find_get_page(const struct address_space *mapping, pgoff_t index)
{
	return index < FILE_PAGES ? page_of(mapping, index) : NULL;
}

void add_to_page_cache_lru(struct page *page, struct address_space *mapping, pgoff_t index)
{
	unsigned long flags;

	BUG_ON(index >= FILE_PAGES || mapping->frames[index]);
	SetPageLocked(page);
	spin_lock_irqsave(&mapping->tree_lock, flags);
	set_page_mapping(page, mapping);
	set_page_index(page, index);
	mapping->frames[index] = (unsigned int)page_to_pfn(page) + 1;
	mapping->nrpages++;
	__inc_zone_page_state(page, NR_FILE_PAGES);
	__inc_zone_page_state(page, NR_INACTIVE_FILE);
	spin_unlock_irqrestore(&mapping->tree_lock, flags);
}

/* Counters come right when a page is dropped with dirty data, but somebody forgot to cancel it. */
static void account_dropped(struct page *page, struct address_space *mapping)
{
	if (!WARN_ON_ONCE(PageDirty(page)))
		return;
	account_page_cleaned(page, mapping, inode_to_wb(mapping->host));
}

void delete_from_page_cache(struct page *page)
{
	struct address_space *mapping = page->mapping;
	unsigned long flags;
	int tag;

	BUG_ON(!PageLocked(page));
	spin_lock_irqsave(&mapping->tree_lock, flags);
	account_dropped(page, mapping);
	for (tag = 0; tag < NR_PAGECACHE_TAGS; tag++)
		page_cache_tag_clear(mapping, page->index, (enum page_cache_tag)tag);
	mapping->frames[page->index] = 0;
	mapping->nrpages--;
	dec_zone_page_state(page, NR_FILE_PAGES);
	dec_zone_page_state(page, NR_INACTIVE_FILE);
	set_page_mapping(page, NULL);
	spin_unlock_irqrestore(&mapping->tree_lock, flags);
}

/*
 * Tags.
 */
void page_cache_tag_set(struct address_space *mapping, pgoff_t index, enum page_cache_tag tag)
{
	set_bit((unsigned int)index, mapping->tags[tag]);
}

void page_cache_tag_clear(struct address_space *mapping, pgoff_t index, enum page_cache_tag tag)
{
	clear_bit((unsigned int)index, mapping->tags[tag]);
}

/* The first tagged index at or after this one; FILE_PAGES if there is none. */
static pgoff_t next_tagged(const struct address_space *mapping, pgoff_t index, enum page_cache_tag tag)
{
	const unsigned long *words = mapping->tags[tag];
	unsigned long word;

	for (; index < FILE_PAGES; index = round_down(index, BITS_PER_LONG) + BITS_PER_LONG) {
		word = words[index / BITS_PER_LONG] >> (index % BITS_PER_LONG);
		if (word)
			return index + __ffs(word);
	}
	return FILE_PAGES;
}

bool mapping_tagged(const struct address_space *mapping, enum page_cache_tag tag)
{
	return next_tagged(mapping, 0, tag) < FILE_PAGES;
}

unsigned long range_tag_if_tagged(struct address_space *mapping, pgoff_t *start, pgoff_t end, unsigned long nr,
				  enum page_cache_tag from, enum page_cache_tag to)
{
	unsigned long tagged = 0;
	pgoff_t index = next_tagged(mapping, *start, from);

	while (index < FILE_PAGES && index <= end && tagged < nr) {
		page_cache_tag_set(mapping, index, to);
		tagged++;
		*start = index + 1;
		index = next_tagged(mapping, index + 1, from);
	}
	return tagged;
}

unsigned int find_get_pages_tag(const struct address_space *mapping, pgoff_t *index, pgoff_t end,
				enum page_cache_tag tag, unsigned int nr, struct page **pages)
{
	pgoff_t next = next_tagged(mapping, *index, tag);
	unsigned int found = 0;

	while (next < FILE_PAGES && next <= end && found < nr) {
		pages[found] = page_of(mapping, next);
		page_ref_inc(pages[found++]);
		*index = next + 1;
		next = next_tagged(mapping, next + 1, tag);
	}
	return found;
}

/* Called when the device is done with the page. */
void end_page_writeback(struct page *page)
{
	BUG_ON(!test_clear_page_writeback(page));
	wake_up_page(page);
}
