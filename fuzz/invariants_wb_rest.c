// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_wb_rest.c - tunables, devices and counters of writeback after each call, and pages against counters when a
 * program has ended (page-writeback specification 23; numbers are 200 + those of that section).
 * Which statement is checked by which rules, and which by none, is the table of fuzz/statements.c.
 */
#include "mm/internal.h"
#include "bdi.h"
#include "fuzz/invariant.h"
#include "fuzz/view.h"
#include "fuzz/wb_model.h"
#include "fuzz/wb_reference.h"

/*
 * Tunables, after an operation that wrote one.
 */
enum { WROTE_RATIO, WROTE_BYTES, WROTE_BG_RATIO, WROTE_BG_BYTES };

INVARIANT(tunables_valid, 206, COST_CALL, "sysctl",
	  "ratios are percentages, dirty_bytes is 0 or at least two pages, and bytes and ratio are not both in force")
{
	struct wb_tunables now = wb_tunables();

	if (!wb_model.wrote_tunable || wb_model.tunable > WROTE_BG_BYTES)
		return;
	inv_require(inv, now.ratio >= 0 && now.ratio <= 100 && now.bg_ratio >= 0 && now.bg_ratio <= 100,
		    "ratio %d, background %d", now.ratio, now.bg_ratio);
	inv_require(inv, !now.bytes || now.bytes >= 2 * PAGE_SIZE, "dirty_bytes %lu", now.bytes);
	if (wb_model.tunable == WROTE_RATIO && now.ratio != wb_model.before.ratio)
		inv_require(inv, !now.bytes, "dirty_ratio %d leaves dirty_bytes %lu", now.ratio, now.bytes);
	if (wb_model.tunable == WROTE_BYTES && now.bytes != wb_model.before.bytes)
		inv_require(inv, !now.ratio, "dirty_bytes %lu leaves dirty_ratio %d", now.bytes, now.ratio);
}

static bool out_of_range(void)
{
	int value = (int)wb_model.value;

	switch (wb_model.tunable) {
	case WROTE_RATIO:
	case WROTE_BG_RATIO:
		return value < 0 || value > 100;
	case WROTE_BYTES:
		return wb_model.value < 2 * PAGE_SIZE;
	case WROTE_BG_BYTES:
		return wb_model.value < 1;
	default:
		return false;
	}
}

INVARIANT(refused_write_changes_nothing, 206, COST_CALL, "sysctl",
	  "a value that is out of range changes neither the tunable nor its sibling")
{
	struct wb_tunables now = wb_tunables(), before = wb_model.before;

	if (!wb_model.wrote_tunable || !out_of_range())
		return;
	inv_require(inv, now.ratio == before.ratio && now.bytes == before.bytes, "ratio %d to %d, bytes %lu to %lu",
		    before.ratio, now.ratio, before.bytes, now.bytes);
	inv_require(inv, now.bg_ratio == before.bg_ratio && now.bg_bytes == before.bg_bytes,
		    "background ratio %d to %d, bytes %lu to %lu", before.bg_ratio, now.bg_ratio, before.bg_bytes,
		    now.bg_bytes);
}

/* What the tunables give for the task that wrote them. */
static unsigned long limit_of_tunables(void)
{
	wide limit = ref_configured_limit(vm_dirty_bytes, vm_dirty_ratio, global_dirtyable_memory());

	return limit > UINT_MAX && patched(LIMITS_BELOW_UINTMAX) ? UINT_MAX : (unsigned long)limit;
}

INVARIANT(limit_follows_tunables, 207, COST_CALL, "sysctl",
	  "after dirty_ratio or dirty_bytes changed, dirty_limit is what they now give")
{
	struct wb_tunables now = wb_tunables();
	bool changed = wb_model.tunable == WROTE_RATIO ? now.ratio != wb_model.before.ratio :
							 now.bytes != wb_model.before.bytes;

	if (!wb_model.wrote_tunable || wb_model.tunable > WROTE_BYTES || !changed || current_gets_bonus())
		return;
	inv_require(inv, global_wb_domain.dirty_limit == limit_of_tunables(), "dirty_limit %lu, ratio %d and bytes %lu give %lu",
		    global_wb_domain.dirty_limit, now.ratio, now.bytes, limit_of_tunables());
}

/*
 * Devices.
 */
INVARIANT(ratios_of_devices, 208, COST_CALL, "backing-dev",
	  "0 <= min_ratio <= max_ratio <= 100, and the completions that count are cut off at max_ratio")
{
	unsigned int i;

	if (!wb_model.used)
		return;
	for (i = 0; i < BDIS_MAX; i++) {
		const struct backing_dev_info *bdi = &bdi_devices[i].bdi;

		inv_require(inv, bdi->min_ratio <= bdi->max_ratio && bdi->max_ratio <= 100, "device %u: %u to %u", i,
			    bdi->min_ratio, bdi->max_ratio);
		inv_require(inv, bdi->max_prop_frac == 1024 * bdi->max_ratio / 100, "device %u: %u for %u%%", i,
			    bdi->max_prop_frac, bdi->max_ratio);
	}
	inv_require(inv, bdi_min_ratio <= 99, "the sum is %u", bdi_min_ratio);
}

INVARIANT(min_ratios_of_registered_devices, 209, COST_CALL, "backing-dev",
	  "the sum of min_ratio is that of the devices that are registered")
{
	unsigned int sum = 0;
	unsigned int i;

	if (!wb_model.used)
		return;
	for (i = 0; i < BDIS_MAX; i++)
		if (test_bit(WB_registered, &bdi_devices[i].bdi.wb.state))
			sum += bdi_devices[i].bdi.min_ratio;
	inv_require(inv, bdi_min_ratio == sum, "bdi_min_ratio %u, the registered devices have %u", bdi_min_ratio, sum);
}

INVARIANT(bandwidth_of_dirty_devices, 224, COST_CALL, "backing-dev",
	  "tot_write_bandwidth is the average bandwidth of a device that has dirty inodes, else 0")
{
	unsigned int i;

	if (!wb_model.used)
		return;
	for (i = 0; i < BDIS_MAX; i++) {
		const struct backing_dev_info *bdi = &bdi_devices[i].bdi;
		bool dirty = test_bit(WB_has_dirty_io, &bdi->wb.state);

		inv_require(inv, bdi->tot_write_bandwidth == (dirty ? (long)bdi->wb.avg_write_bandwidth : 0),
			    "device %u: %ld, average %lu, dirty inodes %d", i, bdi->tot_write_bandwidth,
			    bdi->wb.avg_write_bandwidth, dirty);
	}
}

#define PERIOD_JIFFIES (3 * HZ)

INVARIANT(period_has_a_timer, 219, COST_CALL, "proportions", "a period runs if and only if its timer is armed for its end")
{
	const struct wb_domain *dom = &global_wb_domain;

	if (!wb_model.used)
		return;
	inv_require(inv, timer_pending(&dom->period_timer) == (dom->period_time != 0), "armed %d, period ends %lu",
		    timer_pending(&dom->period_timer), dom->period_time);
	/* A period that would end at 0 ends at 1. While time stands still timers are due that do not run. */
	inv_require(inv, !dom->period_time || (dom->period_time - jiffies <= PERIOD_JIFFIES + (dom->period_time == 1) &&
					       (dom->period_time != jiffies || time_tasks_due())),
		    "period ends %lu, now is %lu", dom->period_time, jiffies);
	inv_require(inv, !dom->period_time || dom->period_timer.expires == dom->period_time, "armed for %lu, period ends %lu",
		    dom->period_timer.expires, dom->period_time);
}

/* The error of a cheap read: what the CPUs hold back, and those that the machine does not have hold nothing. */
static s64 held_back(const struct percpu_counter *counter)
{
	s64 sum = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++)
		sum += counter->counters[cpu];
	return sum;
}

INVARIANT(cheap_reads_are_close, 248, COST_CALL, "backing-dev",
	  "a cheap read of a device's counter is off by less than a batch per CPU")
{
	s64 bound = machine->smp ? (s64)machine->nr_cpus * (WB_STAT_BATCH - 1) : 0;
	unsigned int i, item;

	if (!wb_model.used)
		return;
	for (i = 0; i < BDIS_MAX; i++) {
		for (item = 0; item < NR_WB_STAT_ITEMS; item++) {
			s64 error = held_back(&bdi_devices[i].bdi.wb.stat[item]);

			inv_require(inv, -bound <= error && error <= bound, "device %u, counter %u: %lld", i, item, error);
		}
	}
}

/*
 * At rest.
 */
static long exact_zone_counter(const struct zone *zone, enum zone_stat_item item)
{
	long x = atomic_long_read(&zone->vm_stat[item]);
	int cpu;

	if (machine->smp)
		for_each_online_cpu(cpu)
			x += per_cpu_ptr(zone->pageset, cpu)->vm_stat_diff[item];
	return x;
}

/* Devices that do not account make pages that zones do not count. */
static bool all_account(void)
{
	unsigned int i;

	for (i = 0; i < BDIS_MAX; i++)
		if (!bdi_cap_account_dirty(&bdi_devices[i].bdi))
			return false;
	return true;
}

INVARIANT(zone_counts_dirty_pages, 245, COST_REST, "page-writeback",
	  "NR_FILE_DIRTY of a zone is the dirty pages of files in it, and what the program added")
{
	unsigned int slot;

	inv_when(all_account());
	for_each_slot_of(slot, view_populated_slots()) {
		long counted, pages;

		counted = exact_zone_counter(physmem_zone_in_slot(slot), NR_FILE_DIRTY);
		pages = wb_census.zones[slot].dirty + wb_model.phantom[slot][WB_ITEM_DIRTY];
		inv_require(inv, counted == pages, "zone %s: %ld counted, %ld dirty", view_zone_name(slot), counted, pages);
	}
}

INVARIANT(zone_counts_writeback_pages, 245, COST_REST, "page-writeback",
	  "NR_WRITEBACK of a zone is the pages of files in it under writeback, and what the program added")
{
	unsigned int slot;

	for_each_slot_of(slot, view_populated_slots()) {
		long counted, pages;

		counted = exact_zone_counter(physmem_zone_in_slot(slot), NR_WRITEBACK);
		pages = wb_census.zones[slot].writeback + wb_model.phantom[slot][WB_ITEM_WRITEBACK];
		inv_require(inv, counted == pages, "zone %s: %ld counted, %ld under writeback", view_zone_name(slot),
			    counted, pages);
	}
}

static long unstable_of(unsigned int bdi)
{
	long pages = 0;
	unsigned int slot;

	for (slot = 0; slot < view_nr_slots(); slot++)
		pages += wb_model.unstable[slot][bdi];
	return pages;
}

INVARIANT(device_counts_its_pages, 246, COST_REST, "backing-dev",
	  "a device's counters are its dirty and unstable pages, and its pages under writeback")
{
	unsigned int i;

	for (i = 0; i < BDIS_MAX; i++) {
		const struct backing_dev_info *bdi = &bdi_devices[i].bdi;
		struct wb_pages pages = wb_census.devices[i];
		s64 reclaimable = percpu_counter_sum(&bdi->wb.stat[WB_RECLAIMABLE]);
		s64 writeback = percpu_counter_sum(&bdi->wb.stat[WB_WRITEBACK]);

		inv_require(inv, reclaimable == (bdi_cap_account_dirty(bdi) ? pages.dirty : 0) + unstable_of(i),
			    "device %u: %lld counted, %ld dirty and %ld unstable", i, reclaimable, pages.dirty,
			    unstable_of(i));
		inv_require(inv, writeback == (bdi_cap_account_writeback(bdi) ? pages.writeback : 0),
			    "device %u: %lld counted, %ld under writeback", i, writeback, pages.writeback);
	}
}

EXCEPTIONS(written_counts_arrivals, "devices that ever did not count their pages under writeback")
INVARIANT(written_counts_arrivals, 247, COST_REST, "backing-dev",
	  "WB_WRITTEN is the pages that arrived on the device, and NR_WRITTEN those of all")
{
	long all = 0, counted = 0;
	unsigned int i;

	for (i = 0; i < BDIS_MAX; i++) {
		s64 written = percpu_counter_sum(&bdi_devices[i].bdi.wb.stat[WB_WRITTEN]);

		all += (long)bdi_devices[i].written;
		inv_require(inv, (wb_model.unwritten >> i & 1) || written == (s64)bdi_devices[i].written,
			    "device %u: %lld counted, %lu arrived", i, written, bdi_devices[i].written);
	}
	for (i = 0; i < view_nr_slots(); i++)
		if (view_populated(i))
			counted += exact_zone_counter(physmem_zone_in_slot(i), NR_WRITTEN);
	inv_require(inv, counted == all, "%ld counted in zones, %ld arrived", counted, all);
}

/* Of 64 pages at once: what is wrong is a bit that is set. */
static void check_tags(struct invariant *inv, const struct address_space *mapping, unsigned int word)
{
	const struct wb_file *file = &wb_census.files[mapping->host->number];
	unsigned long dirty_tags = mapping->tags[PAGECACHE_TAG_DIRTY][word];
	unsigned long writeback_tags = mapping->tags[PAGECACHE_TAG_WRITEBACK][word];
	unsigned long untagged = mapping_cap_account_dirty(mapping) ? file->dirty[word] & ~dirty_tags : 0;

	inv_require(inv, writeback_tags == file->writeback[word],
		    "file %u, pages from %u: %#lx under writeback, %#lx tagged so", mapping->host->number,
		    word * BITS_PER_LONG, file->writeback[word], writeback_tags);
	inv_require(inv, !untagged, "file %u, pages from %u: %#lx dirty without a tag", mapping->host->number,
		    word * BITS_PER_LONG, untagged);
	inv_require(inv, !(dirty_tags & ~file->present[word]), "file %u, pages from %u: %#lx tagged DIRTY, and no page",
		    mapping->host->number, word * BITS_PER_LONG, dirty_tags & ~file->present[word]);
	inv_require(inv, !file->shared[word], "file %u, pages from %u: %#lx referenced by others than the file and its device",
		    mapping->host->number, word * BITS_PER_LONG, file->shared[word]);
	inv_require(inv, !file->locked[word], "file %u, pages from %u: %#lx locked by nobody", mapping->host->number,
		    word * BITS_PER_LONG, file->locked[word]);
}

INVARIANT(tagged_file_is_dirty, 249, COST_REST, "filemap",
	  "a file with pages that are tagged dirty is on its device's list of dirty files")
{
	unsigned int file, word, tagged = 0;

	for (file = 0; file < FILES_MAX; file++) {
		const struct address_space *mapping = file_mapping(file);
		unsigned long tags = 0;

		for (word = 0; word < WB_FILE_WORDS; word++)
			tags |= mapping->tags[PAGECACHE_TAG_DIRTY][word];
		tagged += tags != 0;
		inv_require(inv, !tags || !mapping_cap_account_dirty(mapping) || (file_inodes[file].i_state & I_DIRTY_PAGES),
			    "file %u: tagged, and not dirty", file);
	}
	inv_counts_if(tagged);
}

INVARIANT(tags_follow_pages, 249, COST_REST, "filemap",
	  "a dirty page is tagged, a WRITEBACK tag is a page under writeback, and no page is left locked or referenced")
{
	unsigned int file, word;

	for (file = 0; file < FILES_MAX; file++)
		for (word = 0; word < WB_FILE_WORDS; word++)
			check_tags(inv, file_mapping(file), word);
}

/*
 * Ageing takes a cheap read of a large count, so what its CPUs hold back may stay as it was.
 */
INVARIANT(completions_add_up, 217, COST_REST, "proportions",
	  "the completions of all devices, aged, are no more than the domain's and what CPUs hold back of them")
{
	s64 held_back = machine->smp ? (s64)(BDIS_MAX * machine->nr_cpus * (PROP_BATCH - 1)) : 0;
	s64 sum = 0, all = percpu_counter_sum(&global_wb_domain.completions.events);
	unsigned int i;

	for (i = 0; i < BDIS_MAX; i++) {
		const struct fprop_local_percpu *local = &bdi_devices[i].bdi.wb.completions;
		unsigned int periods = global_wb_domain.completions.period - local->period;

		sum += periods < BITS_PER_LONG ? percpu_counter_sum(&local->events) >> periods : 0;
	}
	inv_require(inv, sum <= max(all, 1LL) + held_back, "%lld of the devices, %lld of all", sum, all);
}
