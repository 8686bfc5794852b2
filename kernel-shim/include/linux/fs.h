/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_FS_H
#define _LINUX_FS_H

#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/mm_types.h>
#include <linux/spinlock.h>

struct backing_dev_info;
struct writeback_control;

/*
 * Modelled: files as far as writeback looks at them. The radix tree is a table of FILE_PAGES frames with a bitmap for
 * each tag; its functions are mm/filemap.c.
 */
#define FILES_MAX 8
#define FILE_PAGES 512UL

enum page_cache_tag { PAGECACHE_TAG_DIRTY, PAGECACHE_TAG_WRITEBACK, PAGECACHE_TAG_TOWRITE, NR_PAGECACHE_TAGS };

/* What a file system does for its pages; NULL methods have the generic fallback that Linux has. */
struct address_space_operations {
	/* Called with the page locked; returns with it unlocked, except with AOP_WRITEPAGE_ACTIVATE. */
	int (*writepage)(struct page *page, struct writeback_control *wbc);
	int (*writepages)(struct address_space *mapping, struct writeback_control *wbc);
	int (*set_page_dirty)(struct page *page);
};

#define AOP_WRITEPAGE_ACTIVATE 0x80000

/* The only inode state that writeback of pages asks for. */
#define I_DIRTY_PAGES 4u

struct inode {
	struct address_space *i_mapping;
	struct backing_dev_info *i_bdi;
	unsigned int i_state;                /* I_* */
	unsigned long dirtied_when;          /* jiffies */
	unsigned char number;
};

struct address_space {
	struct inode *host;
	const struct address_space_operations *a_ops;
	spinlock_t tree_lock;                /* table and tags; irq-safe */
	pgoff_t writeback_index;             /* where cyclic writeback goes on */
	int error;                           /* AS_EIO: the last -EIO, or 0 */
	unsigned int nrpages;
	unsigned int frames[FILE_PAGES];     /* pfn + 1; 0 = not cached */
	unsigned long tags[NR_PAGECACHE_TAGS][FILE_PAGES / BITS_PER_LONG];
};

/* The inode has dirty pages: it goes on its device's list, and the flusher will look at it (kernel-shim/flusher.c). */
void __mark_inode_dirty(struct inode *inode, unsigned int flags);

static inline void mapping_set_error(struct address_space *mapping, int error)
{
	if (error)
		mapping->error = error;
}

#endif
