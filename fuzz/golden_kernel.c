// SPDX-License-Identifier: GPL-2.0
/*
 * golden_kernel.c - the kernel side of replaying a recorded kernel: boots the machine, runs an operation through the
 * functions of mm that the recording called, and prints state in the words of the recording.
 *
 * The recording's neighbours are set up through the shim's scripts: reclaim reports progress and frees nothing, the
 * OOM killer declines, and a zone over its dirty limit has more dirty pages than any limit.
 */
#include "mm/internal.h"
#include "finding.h"
#include "fuzz/golden.h"
#include "fuzz/limits.h"
#include "host.h"
#include "machine_boot.h"
#include "reclaim.h"

#define DIRTY_MASK_BITS_PER_NODE 4
#define PAGES_OVER_ANY_LIMIT (1L << 40)
#define KSWAPD_ZONES_SHOWN 8U

/* Calls into the neighbours during this operation. */
static struct {
	unsigned int nr_kswapd;
	unsigned char kswapd_slots[KSWAPD_ZONES_SHOWN];
	unsigned int classzone_idx;
	unsigned int nr_reclaim;
	unsigned int nr_oom;
} calls;

static void count_call(const struct trace_record *record)
{
	switch (record->kind) {
	case TRACE_KSWAPD_WAKE:
		if (calls.nr_kswapd < KSWAPD_ZONES_SHOWN)
			calls.kswapd_slots[calls.nr_kswapd] = (unsigned char)record->a;
		calls.nr_kswapd++;
		calls.classzone_idx = (unsigned int)record->c;
		break;
	case TRACE_DIRECT_RECLAIM:
		calls.nr_reclaim++;
		break;
	case TRACE_OOM:
		calls.nr_oom++;
		break;
	}
}

static struct world *world;

int golden_boot(const struct machine_config *config)
{
	pg_data_t *pgdat;

	finding.kind = FINDING_NONE;
	world = machine_boot(config, NULL);
	if (!world)
		return 1;
	world_enter(world);
	trace_reset();
	trace_observe_all(count_call);
	/* The recording's kswapd never ran: one that is awake already is only counted. */
	for_each_online_pgdat(pgdat)
		pgdat->kswapd_asleep = false;
	return 0;
}

void golden_end(void)
{
	trace_observe(NULL);
	world_restore();
	world_free(world);
}

/*
 * Text.
 */
static char *text_at;
static unsigned long text_left;

static void begin_text(char *text, unsigned long size)
{
	text_at = text;
	text_left = size;
	*text = '\0';
}

static __attribute__((format(printf, 1, 2))) void put(const char *format, ...)
{
	__builtin_va_list arguments;
	int length;

	__builtin_va_start(arguments, format);
	length = host_format(text_at, text_left, format, arguments);
	__builtin_va_end(arguments);
	CHECK(length >= 0 && (unsigned long)length < text_left, "%d bytes do not fit into %lu", length, text_left);
	text_at += length;
	text_left -= (unsigned long)length;
}

/* "" before the first element of a list, "," before the others. */
static const char *comma(bool *first)
{
	bool was_first = *first;

	*first = false;
	return was_first ? "" : ",";
}

/* The index of a zone type among the configured ones. */
static unsigned int configured_index(unsigned int idx)
{
	unsigned int index = 0;
	unsigned int below;

	for (below = 0; below < idx; below++)
		index += zone_configured(below);
	return index;
}

/* The zone type with this index among the configured ones. */
static unsigned int configured_zone(unsigned int index)
{
	unsigned int idx;

	for (idx = 0; idx < MAX_NR_ZONES; idx++)
		if (zone_configured(idx) && index-- == 0)
			return idx;
	return MAX_NR_ZONES - 1;
}

/*
 * Blocks of lines.
 */
static void put_boot(void)
{
	put("boot min_free_kbytes=%d watermark_scale_factor=%d totalram=%lu totalhigh=%lu totalreserve=%lu "
	    "vm_total_pages=%lu mobility_disabled=%d\n",
	    min_free_kbytes, watermark_scale_factor, totalram_pages, totalhigh_pages, totalreserve_pages,
	    vm_total_pages, page_group_by_mobility_disabled);
}

static void put_zone(const struct zone *zone)
{
	const struct per_cpu_pageset *pageset = per_cpu_ptr(zone->pageset, 0);
	bool first = true;
	int idx;

	put("zone nid=%d zone=%s idx=%u start_pfn=0x%lx", zone->zone_pgdat->node_id, zone->name,
	    configured_index((unsigned int)zone_idx(zone)), zone->zone_start_pfn);
	put(" spanned=%lu present=%lu managed=%lu min=%lu low=%lu high=%lu lowmem_reserve=[", zone->spanned_pages,
	    zone->present_pages, zone->managed_pages, min_wmark_pages(zone), low_wmark_pages(zone),
	    high_wmark_pages(zone));
	for (idx = 0; idx < MAX_NR_ZONES; idx++)
		if (zone_configured(idx))
			put("%s%ld", comma(&first), zone->lowmem_reserve[idx]);
	put("] totalreserve=%lu nr_alloc_batch=%ld pcp_high=%d pcp_batch=%d", zone->totalreserve_pages,
	    atomic_long_read(&zone->vm_stat[NR_ALLOC_BATCH]), pageset->pcp.high, pageset->pcp.batch);
	if (machine->smp)
		put(" stat_threshold=%d percpu_drift_mark=%lu", pageset->stat_threshold, zone->percpu_drift_mark);
	put(" contiguous=%d\n", zone->contiguous);
}

static void put_zones(void)
{
	struct zone *zone;

	for_each_zone(zone)
		if (zone_configured(zone_idx(zone)))
			put_zone(zone);
}

static void put_zonerefs(const struct zonelist *zonelist)
{
	const struct zoneref *z;
	bool first = true;

	for (z = zonelist->_zonerefs; z->zone; z++)
		put("%sN%d.%s", comma(&first), z->zone->zone_pgdat->node_id, z->zone->name);
}

static void put_zonelists(void)
{
	pg_data_t *pgdat;

	for_each_online_pgdat(pgdat) {
		put("zonelist node=%d fallback=[", pgdat->node_id);
		put_zonerefs(&pgdat->node_zonelists[ZONELIST_FALLBACK]);
		if (machine->numa) {
			put("] thisnode=[");
			put_zonerefs(&pgdat->node_zonelists[ZONELIST_NOFALLBACK]);
		}
		put("]\n");
	}
}

static unsigned long list_length(const struct list_head *head)
{
	const struct list_head *node;
	unsigned long length = 0;

	list_for_each(node, head)
		length++;
	return length;
}

/* The central value and the deltas that the CPUs hold back. */
static long logical_state(const struct zone *zone, enum zone_stat_item item)
{
	long sum = atomic_long_read(&zone->vm_stat[item]);
	int cpu;

	if (machine->smp)
		for_each_online_cpu(cpu)
			sum += per_cpu_ptr(zone->pageset, cpu)->vm_stat_diff[item];
	return sum;
}

static void put_diffs(const char *name, const struct zone *zone, enum zone_stat_item item)
{
	bool first = true;
	int cpu;

	put(" %s=[", name);
	for_each_online_cpu(cpu)
		put("%s%d", comma(&first), per_cpu_ptr(zone->pageset, cpu)->vm_stat_diff[item]);
	put("]");
}

static void put_pcp_lists(const struct zone *zone)
{
	bool first = true;
	int cpu;

	put(" pcp=");
	for_each_online_cpu(cpu) {
		const struct per_cpu_pages *pcp = &per_cpu_ptr(zone->pageset, cpu)->pcp;

		put("%s%d(%lu/%lu/%lu)", comma(&first), pcp->count, list_length(&pcp->lists[MIGRATE_UNMOVABLE]),
		    list_length(&pcp->lists[MIGRATE_MOVABLE]), list_length(&pcp->lists[MIGRATE_RECLAIMABLE]));
	}
}

/* Pageblocks with memory of the zone, by type. */
static void put_pageblocks(const struct zone *zone)
{
	unsigned long count[MIGRATE_TYPES] = { 0 };
	unsigned long next_block_pfn = 0;
	unsigned long start, end, pfn;
	const struct zone *owner;
	unsigned int i;
	int mt;

	for (i = 0; (owner = physmem_range(i, &start, &end)) != NULL; i++) {
		if (owner != zone)
			continue;
		for (pfn = max(start, next_block_pfn); pfn < end; pfn = next_block_pfn) {
			count[get_pfnblock_migratetype(pfn_to_page(pfn), pfn)]++;
			next_block_pfn = round_down(pfn, pageblock_nr_pages) + pageblock_nr_pages;
		}
	}
	put(" pb=%lu", count[0]);
	for (mt = 1; mt < MIGRATE_TYPES; mt++)
		if (migratetype_configured(mt))
			put("/%lu", count[mt]);
}

static void put_free_lists(const struct zone *zone)
{
	static const char letters[MIGRATE_TYPES] = { 'U', 'M', 'E', 'H', 'C', 'I' };
	bool first;
	int order;
	int last;
	int mt;

	put(" area=");
	for (mt = 0; mt < MIGRATE_TYPES; mt++) {
		if (!migratetype_configured(mt))
			continue;
		for (last = MAX_ORDER - 1; last >= 0; last--)
			if (!list_empty(&zone->free_area[last].free_list[mt]))
				break;
		put("%s%c:[", mt ? " " : "", letters[mt]);
		first = true;
		for (order = 0; order <= last; order++)
			put("%s%lu", comma(&first), list_length(&zone->free_area[order].free_list[mt]));
		put("]");
	}
}

static void put_state(const struct zone *zone)
{
	put("state");
	if (machine->numa)
		put(" nid=%d", zone->zone_pgdat->node_id);
	put(" zone=%s free=%ld batch=%ld depleted=%d", zone->name, logical_state(zone, NR_FREE_PAGES),
	    atomic_long_read(&zone->vm_stat[NR_ALLOC_BATCH]), zone_is_fair_depleted(zone));
	if (machine->smp) {
		put(" free_raw=%ld", atomic_long_read(&zone->vm_stat[NR_FREE_PAGES]));
		put_diffs("diff_free", zone, NR_FREE_PAGES);
		put_diffs("diff_batch", zone, NR_ALLOC_BATCH);
	}
	put_pcp_lists(zone);
	put(" hatomic=%lu", zone->nr_reserved_highatomic);
	if (machine->cma)
		put(" free_cma=%ld managed=%lu", logical_state(zone, NR_FREE_CMA_PAGES), zone->managed_pages);
	if (machine->isolation)
		put(" nr_isolate=%lu", zone->nr_isolate_pageblock);
	put_pageblocks(zone);
	put_free_lists(zone);
	put("\n");
}

static void put_states(void)
{
	struct zone *zone;

	for_each_populated_zone(zone)
		put_state(zone);
}

static void put_reserves(void)
{
	put("  min_free_kbytes=%d totalreserve=%lu\n", min_free_kbytes, totalreserve_pages);
}

static void put_grouping(void)
{
	put("  vm_total_pages=%lu mobility_disabled=%d\n", vm_total_pages, page_group_by_mobility_disabled);
}

void golden_print(enum golden_block block, char *text, unsigned long size)
{
	static void (*const print[NR_GOLDEN_BLOCKS])(void) = {
		[GOLDEN_BOOT] = put_boot,
		[GOLDEN_ZONES] = put_zones,
		[GOLDEN_ZONELISTS] = put_zonelists,
		[GOLDEN_STATES] = put_states,
		[GOLDEN_RESERVES] = put_reserves,
		[GOLDEN_GROUPING] = put_grouping,
	};

	begin_text(text, size);
	print[block]();
}

/*
 * Operations.
 */
static void put_calls(void)
{
	bool first = true;
	unsigned int i;

	if (calls.nr_kswapd) {
		put(" kswapd=%u[", calls.nr_kswapd);
		for (i = 0; i < min(calls.nr_kswapd, KSWAPD_ZONES_SHOWN); i++)
			put("%sN%u.%u", comma(&first), calls.kswapd_slots[i] / MAX_NR_ZONES,
			    configured_index(calls.kswapd_slots[i] % MAX_NR_ZONES));
		put("] kcz=%u", configured_index(calls.classzone_idx));
	}
	if (calls.nr_reclaim)
		put(" reclaim=%u", calls.nr_reclaim);
	if (calls.nr_oom)
		put(" oom=%u", calls.nr_oom);
}

static void run_alloc(const struct golden_op *op)
{
	struct zonelist *zonelist = node_zonelist((int)op->nid, op->gfp);
	nodemask_t nodemask = { op->nodemask };
	struct page *page;

	page = __alloc_pages_nodemask(op->gfp, op->order, zonelist, op->has_nodemask ? &nodemask : NULL);
	if (page) {
		put(" -> pfn=0x%lx", page_to_pfn(page));
		if (machine->numa)
			put(" nid=%d", page_to_nid(page));
		put(" zone=%s", page_zone(page)->name);
	} else {
		put(" -> NULL");
	}
	put_calls();
}

static void run_free(const struct golden_op *op)
{
	struct page *page = pfn_to_page(op->pfn);

	if (!op->cold)
		__free_pages(page, op->order);
	else if (put_page_testzero(page))
		free_hot_cold_page(page, true);
}

static void run_sysctl(const struct golden_op *op)
{
	switch (op->sysctl) {
	case GOLDEN_MIN_FREE_KBYTES:
		min_free_kbytes_sysctl_handler(op->value);
		break;
	case GOLDEN_WATERMARK_SCALE_FACTOR:
		watermark_scale_factor_sysctl_handler(op->value);
		break;
	case GOLDEN_LOWMEM_RESERVE_RATIO:
		lowmem_reserve_ratio_sysctl_handler((int)configured_zone(op->sysctl_index), op->value);
		break;
	case GOLDEN_PERCPU_PAGELIST_FRACTION:
		percpu_pagelist_fraction_sysctl_handler(op->value);
		break;
	}
}

/* zone_dirty_ok() compares these counters with a limit that is a part of the zone. */
static void set_dirty(unsigned long mask)
{
	struct zone *zone;
	long sum = 0;

	for_each_zone(zone) {
		unsigned int bit = (unsigned int)zone->zone_pgdat->node_id * DIRTY_MASK_BITS_PER_NODE +
				   configured_index((unsigned int)zone_idx(zone));
		bool over = zone_configured(zone_idx(zone)) && (mask >> bit & 1);

		zone->vm_stat[NR_FILE_DIRTY].counter = over ? PAGES_OVER_ANY_LIMIT : 0;
		sum += over ? PAGES_OVER_ANY_LIMIT : 0;
	}
	vm_stat[NR_FILE_DIRTY].counter = sum;
}

static void run_case(const struct golden_op *op)
{
	unsigned int index = 0;
	struct zone *zone;
	int mark;

	for_each_zone(zone) {
		for (mark = 0; mark < NR_WMARK; mark++)
			zone->watermark[mark] = 0;
		if (zone_configured(zone_idx(zone)) && zone->zone_pgdat->node_id == 0)
			zone->managed_pages = op->managed[index++];
	}
	user_min_free_kbytes = -1;
	init_per_zone_wmark_min();
	for_each_populated_zone(zone)
		zone_pcp_update(zone);
}

static void run_op(const struct golden_op *op)
{
	switch (op->kind) {
	case GOLDEN_ALLOC:
		run_alloc(op);
		break;
	case GOLDEN_FREE:
		run_free(op);
		break;
	case GOLDEN_DRAIN_ALL:
		drain_all_pages(NULL);
		break;
	case GOLDEN_SYSCTL:
		run_sysctl(op);
		break;
	case GOLDEN_ZONELIST_ORDER:
		put(" -> ret=%d", numa_zonelist_order_handler(op->letter));
		break;
	case GOLDEN_ISOLATE:
		put(" -> ret=%d", start_isolate_page_range(op->pfn, op->pfn + pageblock_nr_pages, MIGRATE_MOVABLE,
							   false));
		break;
	case GOLDEN_UNISOLATE:
		undo_isolate_page_range(op->pfn, op->pfn + pageblock_nr_pages, op->migratetype);
		break;
	case GOLDEN_CMA_INIT:
		init_cma_reserved_pageblock(pfn_to_page(op->pfn));
		break;
	case GOLDEN_VMSTAT_REFRESH:
		put(" -> ret=%d", vmstat_refresh());
		break;
	case GOLDEN_DIRTY_OVER:
		set_dirty(op->dirty_mask);
		break;
	case GOLDEN_CASE:
		run_case(op);
		break;
	}
}

/* Nothing may be left locked or switched off, on any CPU. */
static void check_contexts(void)
{
	int cpu;

	for_each_online_cpu(cpu) {
		const struct cpu_context *context = &cpu_contexts[cpu];

		if (context->irqs_off || context->preempt_count || context->locks_held || context->rcu_depth)
			finding_raise(FINDING_LOCKING, "context_left_behind", "mm", NULL,
				      "cpu %d: interrupts %s, preempt count %u, %u locks, RCU depth %u", cpu,
				      context->irqs_off ? "off" : "on", context->preempt_count,
				      context->locks_held, context->rcu_depth);
	}
}

static void run_checked(void *argument)
{
	const struct golden_op *op = argument;

	run_op(op);
	check_contexts();
}

int golden_run(const struct golden_op *op, char *answer, unsigned long size)
{
	struct golden_op copy = *op;
	int failed;

	begin_text(answer, size);
	memset(&calls, 0, sizeof(calls));
	world_next_op();
	work_begin(LIMIT_CALL_WORK);
	current_cpu = (int)op->cpu;
	current->flags = op->task_flags;
	reclaim_script.calls = op->progress;
	failed = host_catch(run_checked, &copy);
	current->flags = 0;
	current_cpu = 0;
	return failed;
}
