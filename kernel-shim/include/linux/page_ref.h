/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_PAGE_REF_H
#define _LINUX_PAGE_REF_H

#include <linux/mm_types.h>
#include "world.h"

/* Modelled */
static inline int page_ref_count(const struct page *page)
{
	return page->refcount;
}

static inline void set_page_count(struct page *page, int count)
{
	if (page->refcount == count)
		return;
	world_touch_page(page);
	page->refcount = count;
}

static inline void page_ref_inc(struct page *page)
{
	set_page_count(page, page->refcount + 1);
}

static inline bool page_ref_dec_and_test(struct page *page)
{
	set_page_count(page, page->refcount - 1);
	return page->refcount == 0;
}

#endif
