// SPDX-License-Identifier: GPL-2.0
/*
 * page_check.c - what a descriptor must look like when its page is freed, refilled or handed out, and what happens to
 * one that does not (specification 7.3, 7.4, 15, 24.1). Part of Linux's page_alloc.c.
 *
 * A page that fails is leaked: it never enters a list and is never returned. Left out: memory control groups, page
 * owner, KASAN and poisoning hooks, arch hooks.
 */
#include "internal.h"

/* Reasons, later ones override earlier; the numbers go into the trace. */
enum bad_reason {
	BAD_NONE,
	BAD_MAPCOUNT,
	BAD_MAPPING,
	BAD_REFCOUNT,
	BAD_HWPOISON,
	BAD_FLAGS_AT_FREE,
	BAD_FLAGS_AT_PREP,
	BAD_COMPOUND_MAPCOUNT,
	BAD_TAIL_MAPPING,
	BAD_NOT_TAIL,
	BAD_COMPOUND_HEAD,
};

static const char *const bad_reasons[] = {
	[BAD_MAPCOUNT] = "nonzero mapcount",
	[BAD_MAPPING] = "non-NULL mapping",
	[BAD_REFCOUNT] = "nonzero _refcount",
	[BAD_HWPOISON] = "HWPoisoned (hardware-corrupted)",
	[BAD_FLAGS_AT_FREE] = "PAGE_FLAGS_CHECK_AT_FREE flag(s) set",
	[BAD_FLAGS_AT_PREP] = "PAGE_FLAGS_CHECK_AT_PREP flag set",
	[BAD_COMPOUND_MAPCOUNT] = "nonzero compound_mapcount",
	[BAD_TAIL_MAPPING] = "corrupted mapping in tail page",
	[BAD_NOT_TAIL] = "PageTail not set",
	[BAD_COMPOUND_HEAD] = "compound_head not consistent",
};

/* At most 60 reports a minute. */
__world static struct {
	unsigned long resume;
	unsigned long nr_shown;
	unsigned long nr_unshown;
} bad_page_burst;

static bool bad_page_shown(void)
{
	if (bad_page_burst.nr_shown == 60) {
		if (time_before(jiffies, bad_page_burst.resume)) {
			bad_page_burst.nr_unshown++;
			return false;
		}
		if (bad_page_burst.nr_unshown) {
			printk("BUG: Bad page state: %lu messages suppressed", bad_page_burst.nr_unshown);
			bad_page_burst.nr_unshown = 0;
		}
		bad_page_burst.nr_shown = 0;
	}
	if (bad_page_burst.nr_shown++ == 0)
		bad_page_burst.resume = jiffies + 60 * HZ;
	return true;
}

static void bad_page(struct page *page, enum bad_reason reason)
{
	if (bad_page_shown()) {
		printk("BUG: Bad page state in process %s  pfn:%05lx", (unsigned long)current->comm,
		       page_to_pfn(page));
		printk("page dumped because: %s", (unsigned long)bad_reasons[reason]);
	}
	trace_bad_page(page, reason);
	page_mapcount_reset(page);
}

/* DEBUG_VM: the frame lies in the zone's span and belongs to it. */
bool bad_range(const struct zone *zone, const struct page *page)
{
	return !zone_spans_pfn(zone, page_to_pfn(page)) || page_zone(page) != zone;
}

static bool page_expected_state(const struct page *page, unsigned long check_flags)
{
	return page_mapcount_raw(page) == -1 && !page->mapping && page_ref_count(page) == 0 &&
	       !(page->flags & check_flags);
}

static enum bad_reason common_bad_reason(const struct page *page)
{
	enum bad_reason reason = BAD_NONE;

	if (page_mapcount_raw(page) != -1)
		reason = BAD_MAPCOUNT;
	if (page->mapping)
		reason = BAD_MAPPING;
	if (page_ref_count(page) != 0)
		reason = BAD_REFCOUNT;
	return reason;
}

/* True if bad. */
static bool free_pages_check(struct page *page)
{
	enum bad_reason reason;

	if (likely(page_expected_state(page, PAGE_FLAGS_CHECK_AT_FREE)))
		return false;
	reason = common_bad_reason(page);
	if (page->flags & PAGE_FLAGS_CHECK_AT_FREE)
		reason = BAD_FLAGS_AT_FREE;
	bad_page(page, reason);
	return true;
}

static bool check_new_page(struct page *page)
{
	enum bad_reason reason;

	if (likely(page_expected_state(page, PAGE_FLAGS_CHECK_AT_PREP | __PG_HWPOISON)))
		return false;
	/* Memory known to be broken is withdrawn without a report. */
	if (PageHWPoison(page)) {
		page_mapcount_reset(page);
		return true;
	}
	reason = common_bad_reason(page);
	if (page->flags & PAGE_FLAGS_CHECK_AT_PREP)
		reason = BAD_FLAGS_AT_PREP;
	bad_page(page, reason);
	return true;
}

/* A block with a bad page in it is nobody's from now on. Returns true. */
static bool leak(const struct page *page, unsigned int order)
{
	trace_page_leaked(page, order);
	return true;
}

/* Check every page of a block that is about to be handed out; true if any is bad. */
bool check_new_pages(struct page *page, unsigned int order)
{
	unsigned long i;

	for (i = 0; i < 1UL << order; i++)
		if (unlikely(check_new_page(page + i)))
			return leak(page, order);
	return false;
}

/*
 * Order 0 is checked once on each way: with DEBUG_VM when it enters and leaves the per-CPU lists, without when it
 * leaves them for the buddy lists and comes from there.
 */
bool check_new_pcp(struct page *page)
{
	return machine->debug_vm && check_new_page(page) && leak(page, 0);
}

bool check_pcp_refill(struct page *page)
{
	return !machine->debug_vm && check_new_page(page) && leak(page, 0);
}

bool bulkfree_pcp_prepare(struct page *page)
{
	return !machine->debug_vm && free_pages_check(page) && leak(page, 0);
}

bool free_pcp_prepare(struct page *page)
{
	return free_pages_prepare(page, 0, machine->debug_vm);
}

/*
 * Compound pages.
 */
static void set_compound_head(struct page *page, struct page *head)
{
	world_touch_page(page);
	page->compound_head = (unsigned long)head | 1;
}

void prep_compound_page(struct page *page, unsigned int order)
{
	unsigned long i;

	world_touch_page(page + 1);
	page[1].compound_dtor = COMPOUND_PAGE_DTOR;
	page[1].compound_order = order;
	SetPageHead(page);
	for (i = 1; i < 1UL << order; i++) {
		work_charge("prep_compound_page");
		set_page_count(page + i, 0);
		set_page_mapping(page + i, TAIL_MAPPING);
		set_compound_head(page + i, page);
	}
	/* Overlays the mapping of the first tail. */
	page[1].compound_mapcount = -1;
}

static enum bad_reason tail_bad_reason(const struct page *head, const struct page *page)
{
	if (page == head + 1) {
		if (page->compound_mapcount != -1)
			return BAD_COMPOUND_MAPCOUNT;
	} else if (page != head + 2 && page->mapping != TAIL_MAPPING) {
		return BAD_TAIL_MAPPING;
	}
	if (!PageTail(page))
		return BAD_NOT_TAIL;
	if (page->compound_head - 1 != (unsigned long)head)
		return BAD_COMPOUND_HEAD;
	return BAD_NONE;
}

/* Undo what prep_compound_page() did to one tail; true if it does not look like one (DEBUG_VM). */
static bool free_tail_pages_check(struct page *head, struct page *page)
{
	enum bad_reason reason = machine->debug_vm ? tail_bad_reason(head, page) : BAD_NONE;

	if (reason)
		bad_page(page, reason);
	set_page_mapping(page, NULL);
	world_touch_page(page);
	page->compound_head = 0;
	return reason != BAD_NONE;
}

/*
 * Freeing and handing out.
 */
static int free_tails(struct page *page, unsigned int order)
{
	bool compound = PageCompound(page);
	unsigned long i;
	int bad = 0;

	VM_BUG_ON_PAGE(compound && compound_order(page) != order, page);
	for (i = 1; i < 1UL << order; i++) {
		work_charge("free_pages_prepare");
		work_bound("free_pages_prepare", i, MAX_ORDER_NR_PAGES - 1, "a block has less than 2^MAX_ORDER pages");
		if (compound)
			bad += free_tail_pages_check(page, page + i);
		if (unlikely(free_pages_check(page + i))) {
			bad++;
			continue;
		}
		page_flags_write(page + i, page[i].flags & ~PAGE_FLAGS_CHECK_AT_PREP);
	}
	return bad;
}

#define PAGE_MAPPING_ANON 1UL

/* Make a page ready for a free list; false if it must not go there: the whole block is leaked. */
bool free_pages_prepare(struct page *page, unsigned int order, bool check_head)
{
	int bad = 0;

	VM_BUG_ON_PAGE(PageTail(page), page);
	trace_mm_page_free(page, order);
	if (unlikely(order))
		bad = free_tails(page, order);
	if ((unsigned long)page->mapping & PAGE_MAPPING_ANON)
		set_page_mapping(page, NULL);
	if (check_head)
		bad += free_pages_check(page);
	if (bad)
		return !leak(page, order);
	page_flags_write(page, page->flags & ~PAGE_FLAGS_CHECK_AT_PREP);
	return true;
}

void prep_new_page(struct page *page, unsigned int order, gfp_t gfp_flags, int alloc_flags)
{
	set_page_private(page, 0);
	VM_BUG_ON_PAGE(PageTail(page), page);
	VM_BUG_ON_PAGE(page_ref_count(page), page);
	set_page_count(page, 1);
	if (gfp_flags & __GFP_ZERO)
		physmem_zero(page_to_pfn(page), order);
	if (order && (gfp_flags & __GFP_COMP))
		prep_compound_page(page, order);
	/* Whoever gets this page was let below the watermarks to free memory, and must not spend it on others. */
	set_page_index(page, alloc_flags & ALLOC_NO_WATERMARKS ? ~0UL : 0);
}
