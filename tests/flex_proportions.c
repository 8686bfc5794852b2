// SPDX-License-Identifier: GPL-2.0
/* flex_proportions.c - fractions of recent events (mm/flex_proportions.c) and the period of the domain. */
#include "tests/support.h"
#include "tests/writeback.h"

static struct fprop_local_percpu *ours(void)
{
	return &bdi_devices[0].bdi.wb.completions;
}

static struct fprop_global *all(void)
{
	return &global_wb_domain.completions;
}

static void write_pages(unsigned int bdi, unsigned int nr)
{
	while (nr--)
		wb_writeout_inc(&bdi_devices[bdi].bdi.wb);
}

Test(flex_proportions, a_fraction_is_our_events_of_all)
{
	unsigned long num, den;

	boot_machine("uma-64m");
	write_pages(0, 30);
	write_pages(1, 9);
	fprop_fraction_percpu(all(), ours(), &num, &den);
	cr_expect_eq(num, 30);
	cr_expect_eq(den, 40, "all begin with one");
}

Test(flex_proportions, a_period_halves_all_counts)
{
	unsigned long num, den;

	boot_machine("uma-64m");
	write_pages(0, 30);
	write_pages(1, 9);
	cr_expect(fprop_new_period(all(), 1));
	fprop_fraction_percpu(all(), ours(), &num, &den);
	cr_expect_eq(num, 15);
	cr_expect_eq(den, 20);
}

Test(flex_proportions, a_lone_idle_device_ends_with_everything)
{
	unsigned long num, den;

	boot_machine("uma-64m");
	write_pages(0, 2);
	cr_expect(fprop_new_period(all(), 1));
	cr_expect(!fprop_new_period(all(), 1), "one event is too few to age");
	fprop_fraction_percpu(all(), ours(), &num, &den);
	cr_expect_eq(num, 1);
	cr_expect_eq(den, 1);
}

Test(flex_proportions, after_64_periods_nothing_is_left)
{
	unsigned long num, den;

	boot_machine("uma-64m");
	write_pages(0, 1000);
	cr_expect(fprop_new_period(all(), 64));
	fprop_fraction_percpu(all(), ours(), &num, &den);
	cr_expect_eq(num, 0);
	cr_expect_eq(den, 1);
}

Test(flex_proportions, events_beyond_max_ratio_do_not_count)
{
	boot_machine("uma-64m");
	bdi_set_max_ratio(&bdi_devices[0].bdi, 50);
	write_pages(1, 10);
	write_pages(0, 100);
	cr_expect_leq(percpu_counter_sum(&ours()->events), 12);
	cr_expect_eq(percpu_counter_sum(&bdi_devices[0].bdi.wb.stat[WB_WRITTEN]), 100, "what was written is counted");
}

Test(flex_proportions, the_period_runs_for_three_seconds_and_stops_when_nothing_is_left)
{
	boot_machine("uma-64m");
	cr_expect_eq(global_wb_domain.period_time, 0);
	write_pages(0, 3);
	cr_expect_eq(global_wb_domain.period_time, jiffies + 3 * HZ);
	jiffies_advance(3 * HZ);
	cr_expect_eq(percpu_counter_sum(&all()->events), 2);
	jiffies_advance(6 * HZ);
	cr_expect_eq(percpu_counter_sum(&all()->events), 1);
	cr_expect_eq(global_wb_domain.period_time, 0);
}

Test(flex_proportions, a_timer_that_comes_late_ages_all_periods_at_once)
{
	boot_machine("uma-64m");
	write_pages(0, 1023);
	jiffies_advance_idle(9 * HZ);
	cr_expect_eq(percpu_counter_sum(&all()->events), 128);
	cr_expect_eq(global_wb_domain.period_time, jiffies + 3 * HZ);
}
