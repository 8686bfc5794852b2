/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_PAGEMAP_H
#define _LINUX_PAGEMAP_H

#include <linux/fs.h>
#include <linux/mm.h>

/* Modelled (mm/filemap.c): pages of files, their locks and their tags. */
#define PAGEVEC_SIZE 14

/* The page at an index, or NULL. */
struct page *find_get_page(const struct address_space *mapping, pgoff_t index);
/* The caller's page becomes the one at this index, which must be free. It is returned locked. */
void add_to_page_cache_lru(struct page *page, struct address_space *mapping, pgoff_t index);
/* A locked page leaves its file; it is the caller's again. */
void delete_from_page_cache(struct page *page);

/* Tags change under tree_lock. */
void page_cache_tag_set(struct address_space *mapping, pgoff_t index, enum page_cache_tag tag);
void page_cache_tag_clear(struct address_space *mapping, pgoff_t index, enum page_cache_tag tag);
bool mapping_tagged(const struct address_space *mapping, enum page_cache_tag tag);
/* Copy one tag to another on up to nr indexes in [*start, end]; *start moves on. Returns how many carried the first. */
unsigned long range_tag_if_tagged(struct address_space *mapping, pgoff_t *start, pgoff_t end, unsigned long nr,
				  enum page_cache_tag from, enum page_cache_tag to);
/* Up to nr tagged pages in [*index, end], ascending, a reference to each; *index moves past the last. */
unsigned int find_get_pages_tag(const struct address_space *mapping, pgoff_t *index, pgoff_t end,
				enum page_cache_tag tag, unsigned int nr, struct page **pages);

/* Drop a reference on a page that may be a file's; the last one frees it. The name is from before 4.6. */
void page_cache_release(struct page *page);
/* Harness: told of each page that page_cache_release() frees, before it does; NULL = nobody. */
extern void (*page_cache_freed)(struct page *page);

/* Sleeping locks and waits; whoever cannot sleep uses trylock_page(). */
void lock_page(struct page *page);
bool trylock_page(struct page *page);
void unlock_page(struct page *page);
void wait_on_page_writeback(struct page *page);
void end_page_writeback(struct page *page);
/* Whoever sleeps until this page is unlocked or written looks again. */
void wake_up_page(struct page *page);

#endif
