// SPDX-License-Identifier: GPL-2.0
/*
 * states.c - which cell a moment belongs to (states.h). Moments are trace records, after the scan watch and the writeback
 * watch have followed them, and zones after a step. Nothing is remembered but the cells and, from the beginning of a
 * visit to its end, the free pages, for taking a page changes them, and who asks.
 */
#include "mm/internal.h"
#include "bdi.h"
#include "fuzz/judge.h"
#include "fuzz/scan_expect.h"
#include "fuzz/states.h"
#include "fuzz/wb_watch.h"

/* As the values of the axes of the same name. */
enum stage { ENTERED, KSWAPD_WOKEN, KSWAPD_RUNS, COMPACTION_SKIPPED, COMPACTION_FAILED, COMPACTION_DONE, RECLAIM_IDLE,
	     RECLAIM_PROGRESS, OOM_IDLE, OOM_PROGRESS, ROUND_2, ROUND_3_UP, GOT, FAILED, NR_STAGES };
enum caller { PLAIN, NO_RETRY, REPEAT, NO_FAIL, NO_WAIT, NO_RECLAIM, ATOMIC, MEMALLOC, NR_CALLERS };

#define SAME_NUMBER(nr, axis) _Static_assert((int)(nr) == (int)STATE_VALUES_##axis, "states.def has the same values")
SAME_NUMBER(NR_STAGES, stage);
SAME_NUMBER(NR_CALLERS, caller);
SAME_NUMBER(NR_ZONE_VERDICTS, verdict);
SAME_NUMBER(BALANCE_KILLED + 1, balance_exit);
SAME_NUMBER(VIEW_ZONE_TYPES, zone);
SAME_NUMBER(MIGRATE_TYPES, migratetype);
SAME_NUMBER(MAX_ORDER, order);

struct state_cells state_cells;
static unsigned long free_at_visit;
static enum caller who;              /* asks, since the request began */

void states_begin(void)
{
	memset(&state_cells, 0, sizeof(state_cells));
}

/*
 * Values of axes.
 */
static unsigned int at_most(unsigned long value, unsigned int most)
{
	return value < most ? (unsigned int)value : most;
}

static unsigned int sign_of(long value)
{
	return value < 0 ? 0 : value ? 2 : 1;
}

static unsigned int order_class(unsigned int order)
{
	return !order ? 0 : order <= PAGE_ALLOC_COSTLY_ORDER ? 1 : order <= 8 ? 2 : 3;
}

/* Types that a request can have, and one value for all others. */
static unsigned int mobility(unsigned long migratetype)
{
	return at_most(migratetype, MIGRATE_PCPTYPES);
}

static unsigned int band(unsigned int slot, unsigned long free_pages)
{
	unsigned int which = 0;

	while (which < NR_WMARK && free_pages > view_watermark(slot, which))
		which++;
	return which;
}

static unsigned int mark_of(unsigned int alloc_flags)
{
	return alloc_flags & ALLOC_NO_WATERMARKS ? NR_WMARK : alloc_flags & ALLOC_WMARK_MASK;
}

static unsigned int reserves(unsigned int alloc_flags)
{
	return (alloc_flags & ALLOC_HARDER ? 1U : 0U) + (alloc_flags & ALLOC_HIGH ? 2U : 0U);
}

/* Of the request that the scan watch follows; what it may do that others may not comes last and wins. */
static enum caller caller(void)
{
	unsigned int gfp = watch.gfp;

	if (expect_slow_flags() & ALLOC_NO_WATERMARKS)
		return MEMALLOC;
	if (gfp & __GFP_ATOMIC)
		return ATOMIC;
	if (!(gfp & __GFP_DIRECT_RECLAIM))
		return gfp & __GFP_KSWAPD_RECLAIM ? NO_WAIT : NO_RECLAIM;
	if (gfp & __GFP_NOFAIL)
		return NO_FAIL;
	return gfp & __GFP_NORETRY ? NO_RETRY : gfp & __GFP_REPEAT ? REPEAT : PLAIN;
}

static unsigned int context(void)
{
	return this_context()->in_hardirq ? 2 : this_context()->serving_softirq ? 1 : 0;
}

static unsigned int dirty_band(unsigned int slot)
{
	unsigned long limit = expect_dirty_limit(slot, expect_true_dirty_limit(slot));
	unsigned long dirty = expect_dirty_pages(slot);

	return dirty > limit ? 2 : dirty > limit / 2 ? 1 : 0;
}

/*
 * Scans.
 */
static void hit_visit(void)
{
	const struct zone_visit *visit = &watch.visit;
	unsigned int zone = view_zone_type(visit->slot);
	unsigned int flags = watch.alloc_flags;
	unsigned int verdict = visit->verdict;

	state_cells.visit[zone][band(visit->slot, free_at_visit)][verdict][0] = 1;
	state_cells.fair[sign_of(visit->batch_before)][visit->depleted_before][visit->local]
			[at_most(watch.pass - 1UL, 2)] = 1;
	state_cells.policy[visit->apply_fair][visit->depleted_before][verdict][0] = 1;
	if (verdict >= VERDICT_WMARK)
		state_cells.mark[mark_of(flags)][reserves(flags)][order_class(watch.order)]
				[verdict >= VERDICT_TAKE_FAIL] = 1;
	if (watch.gfp & __GFP_WRITE)
		state_cells.dirty[zone][dirty_band(visit->slot)][verdict][0] = 1;
}

static void hit_scan(const struct trace_record *record)
{
	state_cells.scan[at_most(record->b - 1, 2)][at_most(watch.visits, 3)][mark_of(watch.alloc_flags)]
			[record->a != TRACE_NO_PFN] = 1;
}

static void hit_slow(enum stage stage)
{
	state_cells.slow[stage][order_class(watch.order)][0][0] = 1;
	state_cells.slow_caller[stage][who][0][0] = 1;
}

static void hit_request(const struct trace_record *record)
{
	bool got = record->a != TRACE_NO_PFN;
	unsigned int outcome = !got ? 0 : watch.slow ? 2 : 1;

	state_cells.request[at_most(record->b, MAX_ORDER - 1)][mobility(record->d)][outcome][0] = 1;
	if (watch.slow)
		hit_slow(got ? GOT : FAILED);
}

static void hit_fallback(const struct trace_record *record)
{
	unsigned int wanted = mobility(record->c & 0xff);
	unsigned int order = (unsigned int)(record->b >> 8 & 0xff), pageblock = view_pageblock_order();

	state_cells.fallback[wanted][mobility(record->c >> 8 & 0xff)][order_class((unsigned int)(record->b & 0xff))][0] = 1;
	state_cells.steal[wanted][order >= pageblock ? 2 : order >= pageblock / 2 ? 1 : 0][0][0] = 1;
}

static void hit_free(const struct trace_record *record)
{
	state_cells.free[order_class((unsigned int)record->b)][view_pageblock_type(record->a)][0][0] = 1;
}

static enum stage stage_of(const struct trace_record *record)
{
	switch (record->kind) {
	case TRACE_SLOWPATH_ENTER:
		return ENTERED;
	case TRACE_KSWAPD_WAKE:
		return record->d ? KSWAPD_WOKEN : KSWAPD_RUNS;
	case TRACE_DIRECT_COMPACT:
		if (record->c <= COMPACT_DEFERRED)
			return COMPACTION_SKIPPED;
		return record->c <= COMPACT_CONTENDED ? COMPACTION_FAILED : COMPACTION_DONE;
	case TRACE_DIRECT_RECLAIM:
		return record->c ? RECLAIM_PROGRESS : RECLAIM_IDLE;
	case TRACE_OOM:
		return record->c ? OOM_PROGRESS : OOM_IDLE;
	default:
		return watch.rounds >= 3 ? ROUND_3_UP : ROUND_2;
	}
}

/*
 * Writeback.
 */
static unsigned int domain(void)
{
	unsigned long thresh = wb_watch.balance_limits.a, bg_thresh = wb_watch.balance_limits.b;
	unsigned long dirty = wb_watch.balance_limits.c, limit = wb_watch.balance_limits.d;
	unsigned long freerun = thresh / 2 + bg_thresh / 2;

	if (dirty > limit)
		return 3;
	return dirty > freerun / 2 + limit / 2 ? 2 : dirty > freerun ? 1 : 0;
}

static unsigned int share(void)
{
	unsigned long dirty = wb_watch.balance_device.c;

	return dirty > wb_watch.balance_device.a ? 2 : dirty > wb_watch.balance_device.b ? 1 : 0;
}

static unsigned int ratio(void)
{
	unsigned long one = 1UL << RATELIMIT_CALC_SHIFT, ratio = wb_watch.balance_rate.a;

	return !ratio ? 0 : ratio < one / 2 ? 1 : ratio < one ? 2 : 3;
}

static bool is_strict(unsigned int bdi)
{
	return bdi_devices[bdi].bdi.capabilities & BDI_CAP_STRICTLIMIT;
}

/* Of the balancing that the current task is in. */
static bool in_strict_balance(void)
{
	return wb_watch.balance[current->number].strictlimit;
}

/* How many times @unit fits into @length, as a power of @step; 0 = not once. */
static unsigned int steps_of(unsigned long length, unsigned long unit, unsigned int step, unsigned int most)
{
	unsigned int steps = 0;

	while (steps < most && length >= unit) {
		length /= step;
		steps++;
	}
	return steps;
}

static void hit_limits(const struct trace_record *record)
{
	unsigned long thresh = record->b, gap = thresh - record->c;
	unsigned int limit = !thresh ? 0 : thresh <= record->a ? 1 : thresh <= UINT_MAX ? 2 : 3;
	unsigned int closeness = !record->c ? 0 : 1 + steps_of(thresh / 2, gap + 1, 16, 4);

	state_cells.limits[limit][closeness][record->d != 0][0] = 1;
}

static unsigned int distance(void)
{
	unsigned long thresh = wb_watch.balance_limits.a, freerun = thresh / 2 + wb_watch.balance_limits.b / 2;
	unsigned long dirty = wb_watch.balance_limits.c, limit = max(thresh, wb_watch.balance_limits.d);
	unsigned long setpoint = freerun / 2 + limit / 2;

	if (dirty > limit)
		return 0;
	return dirty > setpoint ? 1 : 2 + steps_of(setpoint - dirty, limit - setpoint + 1, 16, 5);
}

static unsigned int pages_of_device(void)
{
	return wb_watch.balance_device.c < 8 ? 0 : 1 + share();
}

static void hit_position(void)
{
	state_cells.throttle[domain()][share()][ratio()][in_strict_balance()] = 1;
	state_cells.position[distance()][pages_of_device()][in_strict_balance()][0] = 1;
}

static void hit_flusher(const struct trace_record *record)
{
	const struct bdi_writeback *wb = &bdi_devices[record->a].bdi.wb;
	unsigned long pages = wb_stat_sum(wb, WB_RECLAIMABLE), share = record->d;
	unsigned int size = !share ? 0 : share < 2 * wb_stat_error(wb) ? 1 : 2;
	unsigned int seen = !pages ? 0 : !wb_stat(wb, WB_RECLAIMABLE) ? 1 : pages <= share ? 2 : 3;

	state_cells.flusher[size][seen][is_strict((unsigned int)record->a)][record->b >> 63] = 1;
}

void states_device(unsigned int number)
{
	const struct backing_dev_info *bdi = &bdi_devices[number].bdi;
	unsigned int kind = !bdi_cap_account_dirty(bdi) ? 2 : is_strict(number);
	unsigned int most = !bdi->max_ratio ? 0 : bdi->max_ratio < 100 ? 1 : 2;

	state_cells.device[test_bit(WB_registered, &bdi->wb.state)][bdi->min_ratio != 0][most][kind] = 1;
}

static void hit_pause(const struct trace_record *record)
{
	long pause = (long)record->a, shortest = (long)record->c, longest = (long)record->d;
	unsigned int length = pause <= 0 ? 0 : pause >= longest ? 3 : pause > shortest ? 2 : 1;

	state_cells.pause[length][ratio()][in_strict_balance()][0] = 1;
}

/*
 * Moments.
 */
static void hit_call(const struct trace_record *record)
{
	who = caller();
	state_cells.context[who][context()][at_most(record->d, MAX_NR_ZONES - 1)][0] = 1;
}

static void hit_refill(void)
{
	state_cells.refill[at_most(watch.attempt_fair_skips, 3)][at_most(watch.list.nr_zones, 3)]
			  [order_class(watch.order)][0] = 1;
}

void states_record(const struct trace_record *record)
{
	switch (record->kind) {
	case TRACE_CALL_BEGIN:
		hit_call(record);
		break;
	case TRACE_ZONE_VISIT:
		free_at_visit = record->c;
		break;
	case TRACE_ZONE_VERDICT:
		hit_visit();
		break;
	case TRACE_BATCH_RESET:
		hit_refill();
		break;
	case TRACE_SCAN_END:
		hit_scan(record);
		break;
	case TRACE_MM_PAGE_ALLOC:
		hit_request(record);
		break;
	case TRACE_MM_PAGE_ALLOC_EXTFRAG:
		hit_fallback(record);
		break;
	case TRACE_MM_PAGE_FREE:
		hit_free(record);
		break;
	case TRACE_MM_PAGE_PCPU_DRAIN:
		state_cells.drain[record->c][0][0][0] = 1;
		break;
	case TRACE_SLOWPATH_RETRY:
		if (watch.rounds >= 2)
			hit_slow(stage_of(record));
		break;
	case TRACE_SLOWPATH_ENTER:
	case TRACE_KSWAPD_WAKE:
	case TRACE_DIRECT_COMPACT:
	case TRACE_DIRECT_RECLAIM:
	case TRACE_OOM:
		hit_slow(stage_of(record));
		break;
	case TRACE_DIRTY_LIMITS:
		hit_limits(record);
		break;
	case TRACE_OVER_BG_THRESH:
		hit_flusher(record);
		break;
	case TRACE_BALANCE_RATE:
		hit_position();
		break;
	case TRACE_BALANCE_PAUSE:
		hit_pause(record);
		break;
	case TRACE_BALANCE_END:
		state_cells.balance[record->a][record->b != 0][record->c > record->d][in_strict_balance()] = 1;
		break;
	default:
		break;
	}
}

static unsigned int largest_free(const struct view_zone *zone)
{
	unsigned int order;

	for (order = VIEW_MAX_ORDER; order > 0; order--)
		if (view_nr_free(zone->slot, order - 1))
			break;
	return order;
}

/* The reserve is one pageblock at least, and a hundredth of the zone at most (specification 12). */
static unsigned int reserve_of(const struct view_zone *zone)
{
	unsigned long most = zone->managed / 100 + (1UL << view_pageblock_order());

	return !zone->reserved_highatomic ? 0 : zone->reserved_highatomic < most ? 1 : 2;
}

void states_zone(const struct zone_now *now)
{
	const struct view_zone *zone = &now->view;
	unsigned int type = view_zone_type(zone->slot);
	unsigned long free_pages = zone->free_pages > 0 ? (unsigned long)zone->free_pages : 0;
	const struct view_cpu *c = &zone->cpus[smp_processor_id()];
	unsigned int fill = c->count <= 0 ? 0 : c->count < c->batch ? 1 : c->count < c->high ? 2 : 3;

	state_cells.zone[type][band(zone->slot, free_pages)][zone->depleted][reserve_of(zone)] = 1;
	state_cells.lists[type][largest_free(zone)][0][0] = 1;
	state_cells.pcp[fill][sign_of(c->free_delta)][sign_of(c->batch_delta)][0] = 1;
}
