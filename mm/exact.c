// SPDX-License-Identifier: GPL-2.0
/*
 * exact.c - pages by address, blocks split into single pages, and allocations of exactly so many pages (specification
 * 21.1 and 25). Part of Linux's page_alloc.c; put_page() is from swap.c.
 *
 * Left out: page owner, which splits with the page; put_page() of pages on the LRU, for there is none here.
 */
#include "internal.h"

unsigned long __get_free_pages(gfp_t gfp_mask, unsigned int order)
{
	const struct page *page;

	/* A page without a permanent address would be lost. */
	VM_BUG_ON((gfp_mask & __GFP_HIGHMEM) != 0);
	page = alloc_pages(gfp_mask, order);
	return page ? (unsigned long)page_address(page) : 0;
}

unsigned long get_zeroed_page(gfp_t gfp_mask)
{
	return __get_free_pages(gfp_mask | __GFP_ZERO, 0);
}

void free_pages(unsigned long addr, unsigned int order)
{
	if (addr == 0)
		return;
	VM_BUG_ON(!virt_addr_valid((void *)addr));
	__free_pages(virt_to_page((void *)addr), order);
}

void split_page(struct page *page, unsigned int order)
{
	unsigned long i;

	VM_BUG_ON_PAGE(PageCompound(page), page);
	VM_BUG_ON_PAGE(page_ref_count(page) == 0, page);
	for (i = 1; i < 1UL << order; i++)
		set_page_refcounted(page + i);
}

int split_free_page(struct page *page)
{
	unsigned int order = page_order(page);
	int nr_pages = __isolate_free_page(page, order);

	if (!nr_pages)
		return 0;
	set_page_refcounted(page);
	split_page(page, order);
	return nr_pages;
}

/* Keep the pages that `size` bytes need of a block, free the rest. */
static void *make_alloc_exact(struct page *page, unsigned int order, size_t size)
{
	unsigned long nr_pages = PAGE_ALIGN(size) >> PAGE_SHIFT;
	unsigned long i;

	if (!page)
		return NULL;
	split_page(page, order);
	for (i = nr_pages; i < 1UL << order; i++)
		free_page((unsigned long)page_address(page + i));
	return page_address(page);
}

void *alloc_pages_exact(size_t size, gfp_t gfp_mask)
{
	unsigned int order = get_order(size);
	unsigned long addr = __get_free_pages(gfp_mask, order);

	return make_alloc_exact(addr ? virt_to_page((void *)addr) : NULL, order, size);
}

void *alloc_pages_exact_nid(int nid, size_t size, gfp_t gfp_mask)
{
	unsigned int order = get_order(size);

	return make_alloc_exact(alloc_pages_node(nid, gfp_mask, order), order, size);
}

void free_pages_exact(void *virt, size_t size)
{
	unsigned long addr = (unsigned long)virt;
	unsigned long end = addr + PAGE_ALIGN(size);

	for (; addr < end; addr += PAGE_SIZE)
		free_page(addr);
}

void put_page(struct page *page)
{
	page = compound_head(page);
	if (!put_page_testzero(page))
		return;
	if (PageHead(page))
		free_compound_page(page);
	else
		free_hot_cold_page(page, false);
}
