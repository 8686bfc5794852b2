/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_PAGE_FLAGS_H
#define _LINUX_PAGE_FLAGS_H

#include <linux/mm_types.h>
#include <linux/bitops.h>
#include "world.h"

/* Modelled, specification 7.2. */
enum pageflags {
	PG_locked,
	PG_error,
	PG_referenced,
	PG_uptodate,
	PG_dirty,
	PG_lru,
	PG_active,
	PG_slab,
	PG_owner_priv_1,
	PG_arch_1,
	PG_reserved,
	PG_private,
	PG_private_2,
	PG_writeback,
	PG_head,
	PG_swapcache,
	PG_mappedtodisk,
	PG_reclaim,
	PG_swapbacked,
	PG_unevictable,
	PG_mlocked,
	PG_uncached,
	PG_hwpoison,
	PG_young,
	PG_idle,
	__NR_PAGEFLAGS,
};

#define __PG_HWPOISON (1UL << PG_hwpoison)
#define PAGE_FLAGS_CHECK_AT_FREE                                                                       \
	(1UL << PG_lru | 1UL << PG_locked | 1UL << PG_private | 1UL << PG_private_2 |                  \
	 1UL << PG_writeback | 1UL << PG_reserved | 1UL << PG_slab | 1UL << PG_swapcache |             \
	 1UL << PG_active | 1UL << PG_unevictable | 1UL << PG_mlocked)
#define PAGE_FLAGS_CHECK_AT_PREP (((1UL << __NR_PAGEFLAGS) - 1) & ~__PG_HWPOISON)

/* Write the flags word; a write that changes nothing touches nothing. */
static inline void page_flags_write(struct page *page, unsigned long flags)
{
	if (page->flags == flags)
		return;
	world_touch_page(page);
	page->flags = flags;
}

#define PAGEFLAG(name, bit)                                                                            \
	static inline bool Page##name(const struct page *page)                                         \
	{                                                                                              \
		return test_bit(PG_##bit, &page->flags);                                               \
	}                                                                                              \
	static inline void SetPage##name(struct page *page)                                            \
	{                                                                                              \
		page_flags_write(page, page->flags | 1UL << PG_##bit);                                 \
	}                                                                                              \
	static inline void ClearPage##name(struct page *page)                                          \
	{                                                                                              \
		page_flags_write(page, page->flags & ~(1UL << PG_##bit));                              \
	}

#define TESTPAGEFLAG(name, bit)                                                                        \
	static inline bool TestSetPage##name(struct page *page)                                        \
	{                                                                                              \
		bool old = Page##name(page);                                                           \
		SetPage##name(page);                                                                   \
		return old;                                                                            \
	}                                                                                              \
	static inline bool TestClearPage##name(struct page *page)                                      \
	{                                                                                              \
		bool old = Page##name(page);                                                           \
		ClearPage##name(page);                                                                 \
		return old;                                                                            \
	}

PAGEFLAG(Reserved, reserved)
PAGEFLAG(Head, head)
PAGEFLAG(LRU, lru)
PAGEFLAG(HWPoison, hwpoison)
PAGEFLAG(Dirty, dirty)
PAGEFLAG(Writeback, writeback)
PAGEFLAG(Slab, slab)
PAGEFLAG(Locked, locked)
PAGEFLAG(Error, error)
PAGEFLAG(Uptodate, uptodate)
PAGEFLAG(Reclaim, reclaim)

TESTPAGEFLAG(Dirty, dirty)
TESTPAGEFLAG(Writeback, writeback)

static inline bool PageTail(const struct page *page)
{
	return page->compound_head & 1;
}

static inline bool PageCompound(const struct page *page)
{
	return PageHead(page) || PageTail(page);
}

static inline struct page *compound_head(struct page *page)
{
	return PageTail(page) ? (struct page *)(page->compound_head - 1) : page;
}

/* _mapcount values that mark what a page is. */
#define PAGE_BUDDY_MAPCOUNT_VALUE (-128)
#define PAGE_BALLOON_MAPCOUNT_VALUE (-256)

static inline int page_mapcount_raw(const struct page *page)
{
	return page->mapcount_biased - 1;
}

static inline void page_mapcount_reset(struct page *page)
{
	if (!page->mapcount_biased)
		return;
	world_touch_page(page);
	page->mapcount_biased = 0;
}

static inline bool PageBuddy(const struct page *page)
{
	return page_mapcount_raw(page) == PAGE_BUDDY_MAPCOUNT_VALUE;
}

static inline void __SetPageBuddy(struct page *page)
{
	world_touch_page(page);
	page->mapcount_biased = PAGE_BUDDY_MAPCOUNT_VALUE + 1;
}

static inline void __ClearPageBuddy(struct page *page)
{
	page_mapcount_reset(page);
}

#endif
