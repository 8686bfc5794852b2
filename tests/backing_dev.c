// SPDX-License-Identifier: GPL-2.0
/* backing_dev.c - ratios of devices (mm/backing-dev.c) and devices in simulated time (kernel-shim/bdi.c). */
#include "tests/support.h"
#include "tests/writeback.h"

Test(backing_dev, min_ratios_add_up_to_at_most_99)
{
	boot_machine("uma-64m");
	cr_expect_eq(bdi_set_min_ratio(&bdi_devices[0].bdi, 60), 0);
	cr_expect_eq(bdi_set_min_ratio(&bdi_devices[1].bdi, 40), -EINVAL);
	cr_expect_eq(bdi_set_min_ratio(&bdi_devices[1].bdi, 39), 0);
	cr_expect_eq(bdi_min_ratio, 99);
	cr_expect_eq(bdi_set_min_ratio(&bdi_devices[0].bdi, 10), 0, "lowering wraps and comes right");
	cr_expect_eq(bdi_min_ratio, 49);
}

Test(backing_dev, max_ratio_is_no_less_than_min_ratio_and_cuts_completions)
{
	struct backing_dev_info *bdi;

	boot_machine("uma-64m");
	bdi = &bdi_devices[0].bdi;
	bdi_set_min_ratio(bdi, 30);
	cr_expect_eq(bdi_set_max_ratio(bdi, 101), -EINVAL);
	cr_expect_eq(bdi_set_max_ratio(bdi, 29), -EINVAL);
	cr_expect_eq(bdi_set_max_ratio(bdi, 50), 0);
	cr_expect_eq(bdi->max_prop_frac, 512);
	cr_expect_eq(bdi_set_min_ratio(bdi, 51), -EINVAL);
}

/* nr pages of file 0 under writeback. */
static void submit(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		struct page *page = file_page(0, i);

		lock_page(page);
		bdi_device_submit(&bdi_devices[0], page, false);
	}
}

Test(backing_dev, pages_arrive_at_the_bandwidth_of_the_device)
{
	boot_machine("uma-64m");
	bdi_device_set(&bdi_devices[0], 1000, 0, 1024);
	submit(50);
	jiffies_advance(1);
	cr_expect_eq(bdi_devices[0].written, 10, "a jiffy is 10 ms: %lu", bdi_devices[0].written);
	jiffies_advance(3);
	cr_expect_eq(bdi_devices[0].written, 40);
	jiffies_advance(1);
	cr_expect_eq(global_page_state(NR_WRITEBACK), 0);
}

Test(backing_dev, a_slow_device_takes_many_jiffies_for_a_page)
{
	boot_machine("uma-64m");
	bdi_device_set(&bdi_devices[0], 3, 0, 1024);
	submit(3);
	jiffies_advance(33);
	cr_expect_eq(bdi_devices[0].written, 0);
	jiffies_advance(1);
	cr_expect_eq(bdi_devices[0].written, 1);
	jiffies_advance(66);
	cr_expect_eq(bdi_devices[0].written, 3);
}

Test(backing_dev, a_page_arrives_no_earlier_than_its_latency)
{
	boot_machine("uma-64m");
	bdi_device_set(&bdi_devices[0], 1000000, 50, 1024);
	submit(10);
	jiffies_advance(49);
	cr_expect_eq(bdi_devices[0].written, 0);
	jiffies_advance(1);
	cr_expect_eq(bdi_devices[0].written, 10);
}

Test(backing_dev, a_stalled_device_has_no_timer_and_recovers, .timeout = 10)
{
	boot_machine("uma-64m");
	bdi_device_set(&bdi_devices[0], 0, 0, 1024);
	submit(10);
	jiffies_advance(1000000000000UL);
	cr_expect_eq(bdi_devices[0].written, 0);
	bdi_device_set(&bdi_devices[0], 1000, 0, 1024);
	jiffies_advance(1);
	cr_expect_eq(bdi_devices[0].written, 10, "the stall gave no credit: %lu", bdi_devices[0].written);
}

Test(backing_dev, a_change_of_bandwidth_keeps_what_was_written_so_far)
{
	boot_machine("uma-64m");
	bdi_device_set(&bdi_devices[0], 1, 0, 1024);
	submit(1);
	jiffies_advance(50);
	bdi_device_set(&bdi_devices[0], 10, 0, 1024);
	jiffies_advance(4);
	cr_expect_eq(bdi_devices[0].written, 0);
	jiffies_advance(1);
	cr_expect_eq(bdi_devices[0].written, 1, "half at 1 page/s, the other half at 10");
}

Test(backing_dev, every_nth_page_may_fail)
{
	boot_machine("uma-64m");
	bdi_devices[0].error_every = 2;
	submit(3);
	jiffies_advance(10);
	cr_expect(!PageError(file_page(0, 0)) && PageError(file_page(0, 1)) && !PageError(file_page(0, 2)));
	cr_expect_eq(file_mapping(0)->error, -EIO);
}
