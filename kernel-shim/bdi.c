// SPDX-License-Identifier: GPL-2.0
/*
 * bdi.c - simulated backing devices: pages that are submitted arrive later, in simulated time.
 *
 * Only a device with a queue that moves has a timer, so idle and stalled devices cost nothing. The file system on each
 * is the simplest there is: a page is a block, written where it stands. Left out: merging, ordering, reads.
 */
#include "mm/internal.h"
#include "bdi.h"
#include "host.h"
#include "sleep.h"

#define DEFAULT_BANDWIDTH (100UL << (20 - PAGE_SHIFT))
#define DEFAULT_DEPTH 1024

__world struct bdi_device bdi_devices[BDIS_MAX];
__world struct inode file_inodes[FILES_MAX];
/* Large, and most programs have no files. */
__world_asleep static struct address_space file_mappings[FILES_MAX];
char congestion_wqh;

/* The next page that will arrive: its share of the bandwidth, and not before its latency. */
static void arm(struct bdi_device *device)
{
	unsigned long needed, when;

	if (!device->nr_queued || !device->bandwidth) {
		del_timer(&device->completion);
		return;
	}
	needed = HZ - min(device->credit, HZ);
	when = device->served_jiffies + DIV_ROUND_UP(needed, device->bandwidth);
	if (time_before(when, list_first_entry(&device->queue, struct page, lru)->private))
		when = list_first_entry(&device->queue, struct page, lru)->private;
	mod_timer(&device->completion, when);
}

/* What was written since the credit was counted last; never more than there was to write. */
static void serve(struct bdi_device *device)
{
	device->credit += device->bandwidth * (jiffies - device->served_jiffies);
	device->credit = min(device->credit, HZ * device->nr_queued);
	device->served_jiffies = jiffies;
}

static void arrive(struct bdi_device *device)
{
	struct page *page = list_first_entry(&device->queue, struct page, lru);

	list_del(&page->lru);
	set_page_private(page, 0);
	device->nr_queued--;
	device->written++;
	if (device->error_every && device->written % device->error_every == 0) {
		SetPageError(page);
		mapping_set_error(page->mapping, -EIO);
	}
	end_page_writeback(page);
	page_cache_release(page);
	if (device->nr_queued + 1 == device->depth || !device->nr_queued) {
		wake_up(device);
		wake_up(&congestion_wqh);
	}
}

static void bdi_device_interrupt(unsigned long number)
{
	struct bdi_device *device = &bdi_devices[number];
	unsigned long flags;

	local_irq_save(flags);
	serve(device);
	while (device->nr_queued && device->credit >= HZ &&
	       time_after_eq(jiffies, list_first_entry(&device->queue, struct page, lru)->private)) {
		device->credit -= HZ;
		arrive(device);
	}
	if (!device->nr_queued)
		device->credit = 0;
	arm(device);
	local_irq_restore(flags);
}

unsigned int bdi_device_complete(struct bdi_device *device, unsigned int nr)
{
	unsigned long flags;
	unsigned int i;

	local_irq_save(flags);
	serve(device);
	for (i = 0; i < nr && device->nr_queued; i++)
		arrive(device);
	device->credit = min(device->credit, HZ * device->nr_queued);
	arm(device);
	local_irq_restore(flags);
	return i;
}

void bdi_device_set(struct bdi_device *device, unsigned long bandwidth, unsigned long latency, unsigned int depth)
{
	serve(device);
	device->bandwidth = bandwidth;
	device->latency = latency;
	device->depth = depth;
	arm(device);
	wake_up(device);
}

/* The device holds a reference until the page has arrived. */
void bdi_device_submit(struct bdi_device *device, struct page *page, bool keep_write)
{
	if (!device->nr_queued) {
		device->credit = 0;
		device->served_jiffies = jiffies;
	}
	page_ref_inc(page);
	__test_set_page_writeback(page, keep_write);
	set_page_private(page, jiffies + device->latency);
	list_add_tail(&page->lru, &device->queue);
	device->nr_queued++;
	device->submitted++;
	unlock_page(page);
	if (device->nr_queued == 1)
		arm(device);
}

/* Whoever writes into a full queue waits for room; not outside a task of its own, where nothing could make room. */
static void wait_for_room(struct bdi_device *device)
{
	while (host_fiber_current() >= 0 && device->nr_queued >= device->depth) {
		work_charge("wait_for_room");
		sleep_on(device, MAX_SCHEDULE_TIMEOUT);
	}
}

static bool is_nth(const struct bdi_device *device, unsigned int every)
{
	return every && device->nr_writepage % every == 0;
}

static int file_writepage(struct page *page, struct writeback_control *wbc)
{
	struct bdi_device *device = bdi_device_of(inode_to_bdi(page->mapping->host));

	device->nr_writepage++;
	if (is_nth(device, device->redirty_every)) {
		redirty_page_for_writepage(wbc, page);
		unlock_page(page);
		return 0;
	}
	if (is_nth(device, device->refuse_every)) {
		SetPageError(page);
		unlock_page(page);
		return -ENOSPC;
	}
	bdi_device_submit(device, page, false);
	wait_for_room(device);
	return 0;
}

struct address_space *file_mapping(unsigned int file)
{
	world_wake();
	return &file_mappings[file];
}

static const struct address_space_operations file_aops = { .writepage = file_writepage };

static void boot_file(unsigned int number)
{
	struct inode *inode = &file_inodes[number];
	struct address_space *mapping = file_mapping(number);

	inode->number = (unsigned char)number;
	inode->i_mapping = mapping;
	inode->i_bdi = &bdi_devices[number % BDIS_MAX].bdi;
	mapping->host = inode;
	mapping->a_ops = &file_aops;
	spin_lock_init(&mapping->tree_lock);
}

void bdi_boot(void)
{
	unsigned int i;

	for (i = 0; i < BDIS_MAX; i++) {
		struct bdi_device *device = &bdi_devices[i];

		INIT_LIST_HEAD(&device->queue);
		device->bdi.number = (unsigned char)i;
		device->bandwidth = DEFAULT_BANDWIDTH;
		device->depth = DEFAULT_DEPTH;
		setup_timer(&device->completion, bdi_device_interrupt, i, TIMER_IRQ);
		bdi_init(&device->bdi);
		bdi_register(&device->bdi);
	}
	for (i = 0; i < FILES_MAX; i++)
		boot_file(i);
	flusher_boot();
}
