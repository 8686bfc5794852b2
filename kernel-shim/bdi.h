/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bdi.h - the simulated backing devices and the files on them: what an operation may change of them, and what anybody
 * may look at. The limits' side of a device is <linux/backing-dev.h>.
 */
#ifndef MMFUZZ_BDI_H
#define MMFUZZ_BDI_H

#include <linux/writeback.h>

#define BDIS_MAX 4

/*
 * A device writes its queue in order: a page takes 1/bandwidth seconds, and arrives `latency` jiffies after it was
 * submitted at the earliest. `written` pages have arrived of `submitted`.
 */
struct bdi_device {
	struct backing_dev_info bdi;
	struct list_head queue;              /* pages under writeback, by page->lru; page->private = not before */
	unsigned int nr_queued;
	unsigned int depth;                  /* whoever submits more sleeps until there is room */
	unsigned long bandwidth;             /* pages/s; 0 = stalled */
	unsigned long latency;               /* jiffies */
	unsigned long credit;                /* written already of the first page, in 1/HZ pages */
	unsigned long served_jiffies;        /* credit is as of then */
	struct timer_list completion;

	/* Every n-th page is refused by the file system, redirtied instead of written, or fails on the device; 0 = none. */
	unsigned int refuse_every;
	unsigned int redirty_every;
	unsigned int error_every;
	unsigned long nr_writepage;
	unsigned long submitted;
	unsigned long written;
};

extern struct bdi_device bdi_devices[BDIS_MAX];
/* File n is on device n % BDIS_MAX. */
extern struct inode file_inodes[FILES_MAX];
/* The only way to what is cached of a file; it wakes that part of the world. */
struct address_space *file_mapping(unsigned int file);

/* Whoever waits for less congestion sleeps on this. */
extern char congestion_wqh;

void bdi_boot(void);

static inline struct bdi_device *bdi_device_of(struct backing_dev_info *bdi)
{
	return container_of(bdi, struct bdi_device, bdi);
}

/* A device changes now: what it has written so far counts at the old bandwidth. */
void bdi_device_set(struct bdi_device *device, unsigned long bandwidth, unsigned long latency, unsigned int depth);
/* The oldest nr pages of the queue arrive at once. Returns how many there were. */
unsigned int bdi_device_complete(struct bdi_device *device, unsigned int nr);
/* Start writing a locked, clean page; it is unlocked. */
void bdi_device_submit(struct bdi_device *device, struct page *page, bool keep_write);

/*
 * The flushers (flusher.c).
 */
enum flusher_event { FLUSHER_WAKE, FLUSHER_BEGIN, FLUSHER_WORK, FLUSHER_PERIODIC, FLUSHER_BACKGROUND, FLUSHER_END };

void flusher_boot(void);
/* Work for every device with dirty inodes: nr pages, 0 = all that is dirty. */
void wakeup_flusher_threads(long nr_pages);
/* True if the flusher runs, or will as soon as tasks run. */
bool flusher_is_due(const struct bdi_writeback *wb);
/* True if works that somebody asked for wait for the flusher. */
bool flusher_has_work(const struct bdi_writeback *wb);
/* The pages of one inode that a WB_SYNC_NONE work writes before it looks at the next. */
long writeback_chunk_size(const struct bdi_writeback *wb, long nr_pages);

#endif
