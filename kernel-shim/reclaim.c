// SPDX-License-Identifier: GPL-2.0
/*
 * reclaim.c - what vmscan, kswapd, zone reclaim, compaction and the OOM killer do, as the program's script says.
 *
 * Reclaim gives back pages that the program holds (reclaim_release), through the allocator's own free path. Every
 * hook is traced, whether or not it does anything. Whatever makes mm try again is counted down, so that every loop
 * of the slow path ends. Left out: LRU lists, migration, victims; kswapd frees nothing, it is only awake or asleep.
 */
#include "mm/internal.h"
#include <linux/migrate.h>
#include "bdi.h"
#include "host.h"
#include "reclaim.h"
#include "sleep.h"

__world struct reclaim_script reclaim_script = { .oom = OOM_DISABLED, .compact_result = COMPACT_SKIPPED };

/* Bits ZONE 1, WRITE 2, UNMAP 4. */
__world int zone_reclaim_mode;

unsigned long (*reclaim_release)(unsigned long nr_pages, unsigned int slot);
_Bool (*reclaim_migrate)(unsigned long start, unsigned long end);

static unsigned long release(unsigned long nr_pages, unsigned int slot)
{
	return reclaim_release && nr_pages ? reclaim_release(nr_pages, slot) : 0;
}

/* Direct reclaim, specification 22.3: the number of pages it says it freed. */
unsigned long try_to_free_pages(struct zonelist *zonelist, int order, gfp_t gfp_mask, nodemask_t *nodemask)
{
	unsigned long progress = 0;

	if (reclaim_script.calls) {
		reclaim_script.calls--;
		progress = max(release(reclaim_script.pages, RECLAIM_ANY_ZONE), 1UL);
	}
	trace_emit(TRACE_DIRECT_RECLAIM, (unsigned long)order, gfp_mask, progress, 0);
	return progress;
}

/* A task of its own sleeps until a device has room again (bdi.c); the allocator's callers just let time pass. */
void congestion_wait(long timeout_jiffies)
{
	if (host_fiber_current() < 0)
		schedule_timeout_uninterruptible(timeout_jiffies);
	else
		sleep_on(&congestion_wqh, timeout_jiffies);
}

/* There is no swap, so anonymous pages do not count. */
unsigned long zone_reclaimable_pages(struct zone *zone)
{
	return zone_page_state_snapshot(zone, NR_ACTIVE_FILE) + zone_page_state_snapshot(zone, NR_INACTIVE_FILE) +
	       zone_page_state_snapshot(zone, NR_ISOLATED_FILE);
}

bool zone_reclaimable(struct zone *zone)
{
	return zone_page_state_snapshot(zone, NR_PAGES_SCANNED) < 6 * zone_reclaimable_pages(zone);
}

/*
 * kswapd, specification 29.3.
 */

/* Notes what is wanted of the node's kswapd; true if it sleeps and has something to do. */
static bool kswapd_is_needed(struct zone *zone, int order, enum zone_type classzone_idx)
{
	pg_data_t *pgdat = zone->zone_pgdat;

	if (!populated_zone(zone))
		return false;
	if (cpusets_enabled() && !__cpuset_zone_allowed(zone, GFP_KERNEL | __GFP_HARDWALL))
		return false;
	if (pgdat->kswapd_max_order < order) {
		pgdat->kswapd_max_order = order;
		pgdat->classzone_idx = min(pgdat->classzone_idx, classzone_idx);
	}
	return pgdat->kswapd_asleep &&
	       !zone_watermark_ok_safe(zone, (unsigned int)order, high_wmark_pages(zone), 0);
}

void wakeup_kswapd(struct zone *zone, int order, enum zone_type classzone_idx)
{
	bool woken = kswapd_is_needed(zone, order, classzone_idx);

	trace_emit(TRACE_KSWAPD_WAKE, zone->slot, (unsigned long)order, classzone_idx, woken);
	if (!woken)
		return;
	zone->zone_pgdat->kswapd_asleep = false;
	set_pgdat_percpu_threshold(zone->zone_pgdat, calculate_pressure_threshold);
}

void kswapd_sleep(pg_data_t *pgdat)
{
	if (pgdat->kswapd_asleep)
		return;
	pgdat->kswapd_asleep = true;
	pgdat->kswapd_max_order = 0;
	pgdat->classzone_idx = MAX_NR_ZONES - 1;
	set_pgdat_percpu_threshold(pgdat, calculate_normal_threshold);
}

/*
 * Zone reclaim, specification 29.2.
 */

/* Page cache that nobody has mapped. */
static unsigned long zone_unmapped_file_pages(const struct zone *zone)
{
	unsigned long file = zone_page_state(zone, NR_INACTIVE_FILE) + zone_page_state(zone, NR_ACTIVE_FILE);
	unsigned long mapped = zone_page_state(zone, NR_FILE_MAPPED);

	return file > mapped ? file - mapped : 0;
}

static bool zone_reclaim_may_work_here(const struct zone *zone, gfp_t gfp_mask)
{
	int nid = zone_to_nid(zone);

	if (!gfpflags_allow_blocking(gfp_mask) || (current->flags & PF_MEMALLOC))
		return false;
	if (node_has_cpus(nid) && nid != numa_node_id())
		return false;
	return !test_bit(ZONE_RECLAIM_LOCKED, &zone->flags);
}

static unsigned long release_for_zone(struct zone *zone)
{
	unsigned long released;

	set_bit(ZONE_RECLAIM_LOCKED, &zone->flags);
	released = release(reclaim_script.zone_reclaim_pages, zone->slot);
	clear_bit(ZONE_RECLAIM_LOCKED, &zone->flags);
	return released;
}

static int zone_reclaim_by_the_rules(struct zone *zone, gfp_t gfp_mask, unsigned int order)
{
	if (zone_unmapped_file_pages(zone) <= zone->min_unmapped_pages &&
	    zone_page_state(zone, NR_SLAB_RECLAIMABLE) <= zone->min_slab_pages)
		return ZONE_RECLAIM_FULL;
	if (!zone_reclaimable(zone))
		return ZONE_RECLAIM_FULL;
	if (!zone_reclaim_may_work_here(zone, gfp_mask))
		return ZONE_RECLAIM_NOSCAN;
	if (release_for_zone(zone) >= 1UL << order)
		return ZONE_RECLAIM_SUCCESS;
	count_vm_event(PGSCAN_ZONE_RECLAIM_FAILED);
	return ZONE_RECLAIM_SOME;
}

static int zone_reclaim_by_script(struct zone *zone, gfp_t gfp_mask, unsigned int order)
{
	switch (reclaim_script.zone_reclaim) {
	case ZONE_RECLAIM_IS_NOSCAN:
		return ZONE_RECLAIM_NOSCAN;
	case ZONE_RECLAIM_IS_FULL:
		return ZONE_RECLAIM_FULL;
	case ZONE_RECLAIM_IS_SOME:
		return ZONE_RECLAIM_SOME;
	case ZONE_RECLAIM_IS_SUCCESS:
		release_for_zone(zone);
		return ZONE_RECLAIM_SUCCESS;
	case ZONE_RECLAIM_MODEL:
		break;
	}
	return zone_reclaim_by_the_rules(zone, gfp_mask, order);
}

int zone_reclaim(struct zone *zone, gfp_t gfp_mask, unsigned int order)
{
	int result = machine->numa ? zone_reclaim_by_script(zone, gfp_mask, order) : 0;

	trace_emit(TRACE_ZONE_RECLAIM, zone->slot, order, (unsigned long)result, 0);
	return result;
}

/*
 * Compaction, specification 22.2 and 22.5.
 */
enum compact_result try_to_compact_pages(gfp_t gfp_mask, unsigned int order, unsigned int alloc_flags,
					 const struct alloc_context *ac, enum migrate_mode mode, int *contended)
{
	bool may_compact = order && (gfp_mask & __GFP_IO) && (gfp_mask & __GFP_FS);
	enum compact_result result = COMPACT_SKIPPED;

	*contended = COMPACT_CONTENDED_NONE;
	if (may_compact) {
		result = (enum compact_result)reclaim_script.compact_result;
		*contended = (int)reclaim_script.compact_contended;
	}
	trace_emit(TRACE_DIRECT_COMPACT, order, gfp_mask, result, 0);
	return result;
}

/* Compaction of this order works again, so neither it nor a smaller one is put off. */
void compaction_defer_reset(struct zone *zone, int order, bool alloc_success)
{
	if (alloc_success) {
		zone->compact_considered = 0;
		zone->compact_defer_shift = 0;
	}
	if (order >= zone->compact_order_failed)
		zone->compact_order_failed = order + 1;
}

/* PORT: how fragmented the free pages are is not asked; Linux declines a zone that is short of pages, not of blocks. */
static bool compaction_zone_suitable(struct zone *zone, int order, int classzone_idx, int alloc_flags)
{
	unsigned long available = zone_reclaimable_pages(zone) / (unsigned long)order +
				  zone_page_state_snapshot(zone, NR_FREE_PAGES);
	unsigned long mark = low_wmark_pages(zone);

	if (zone_watermark_ok(zone, (unsigned int)order, mark, classzone_idx, alloc_flags))
		return true;
	return __zone_watermark_ok(zone, 0, mark + (2UL << order), classzone_idx, alloc_flags, (long)available);
}

bool compaction_zonelist_suitable(struct alloc_context *ac, int order, int alloc_flags)
{
	struct zoneref *z;
	struct zone *zone;

	for_each_zone_zonelist_nodemask(zone, z, ac->zonelist, (int)ac->high_zoneidx, ac->nodemask)
		if (compaction_zone_suitable(zone, order, ac_classzone_idx(ac), alloc_flags))
			return true;
	return false;
}

/*
 * Migration, specification 25.
 */
int migrate_contig_range(unsigned long start, unsigned long end)
{
	int result = 0;

	if (reclaim_script.migrate == MIGRATE_INTERRUPTED)
		result = -EINTR;
	else if (reclaim_script.migrate == MIGRATE_FAILS || (reclaim_migrate && !reclaim_migrate(start, end)))
		result = -EBUSY;
	trace_emit(TRACE_MIGRATE, start, end, (unsigned long)result, 0);
	return result;
}

/*
 * The OOM killer, specification 23.
 */
static bool oom_step(enum oom_script script)
{
	if (reclaim_script.oom != script || !reclaim_script.oom_calls)
		return false;
	reclaim_script.oom_calls--;
	return true;
}

static bool oom_lock_is_busy(void)
{
	return oom_step(OOM_BLOCKED);
}

/* A request that must not enter a file system is told that all is well, but nothing is killed for it. */
bool out_of_memory(struct oom_control *oc)
{
	bool result = oom_step(OOM_KILLS);

	if (result && (oc->gfp_mask & (__GFP_FS | __GFP_NOFAIL)))
		release(reclaim_script.oom_pages, RECLAIM_ANY_ZONE);
	trace_emit(TRACE_OOM, (unsigned long)oc->order, oc->gfp_mask, result, 0);
	return result;
}

void reclaim_init(void)
{
	oom_lock.busy = oom_lock_is_busy;
}
