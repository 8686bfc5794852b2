// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_retry.c - what a round of the slow path does after it has asked a neighbour (specification 22 steps 8 to 17,
 * 23): an attempt after a compaction that ran, another round while reclaim may still help, the OOM killer where it can.
 * Whether reclaim may still help is computed once more, from the data, when the last attempt of a round has failed.
 *
 * Not verified: whether compaction alone is worth another round when it was put off or went through the whole zone, which
 * depends on what it would do next time.
 */
#include "mm/internal.h"
#include "fuzz/invariant.h"
#include "fuzz/judge.h"
#include "fuzz/scan_expect.h"
#include "reclaim.h"

#define MAX_ROUNDS_WITHOUT_PROGRESS 16

static bool costly(void)
{
	return watch.order > PAGE_ALLOC_COSTLY_ORDER;
}

/* 22 steps 12 and 13. */
static bool may_not_retry(void)
{
	return (watch.gfp & __GFP_NORETRY) || (costly() && !(watch.gfp & __GFP_REPEAT));
}

static bool reclaim_may_help(void)
{
	unsigned int i;

	if (watch.fruitless > MAX_ROUNDS_WITHOUT_PROGRESS)
		return false;
	for (i = 0; i < watch.head.nr_zones; i++)
		if (expect_min_mark_after_reclaim(watch.head.zones[i].slot, watch.fruitless))
			return true;
	return false;
}

static bool some_zone_above_min(void)
{
	unsigned int i;

	for (i = 0; i < watch.head.nr_zones; i++)
		if (expect_min_mark_of_pages(watch.head.zones[i].slot))
			return true;
	return false;
}

/* What the request makes of the result: 22.2, when a lock was contended or the task should have yielded. */
static enum compact_result compaction_result(void)
{
	if (watch.compacted > COMPACT_INACTIVE &&
	    (reclaim_script.compact_contended == COMPACT_CONTENDED_LOCK ||
	     (reclaim_script.compact_contended == COMPACT_CONTENDED_SCHED && !(current->flags & PF_KTHREAD))))
		return COMPACT_CONTENDED;
	return (enum compact_result)watch.compacted;
}

void note_compaction(void)
{
	watch.partial_compactions += compaction_result() == COMPACT_PARTIAL;
}

/* 22.5: neither put off nor through with the zone, and so worth a number of rounds in which it had some success. */
static bool compaction_counts(void)
{
	return machine->compaction && !compaction_failed(compaction_result()) && !compaction_withdrawn(compaction_result());
}

/* 22.5: without compaction small orders go on for as long as there are pages at all. */
static bool compaction_may_help(void)
{
	if (!watch.progress || !watch.order)
		return false;
	if (!machine->compaction)
		return !costly() && some_zone_above_min();
	return !compaction_counts() || watch.partial_compactions <= (costly() ? 4 : 16);
}

void expect_retry(void)
{
	watch.retry = RETRY_NONE;
	watch.writes_at_failure = view_pageblock_writes();
	/* The list may be another one by now. */
	if (!patched(KEEP_ZONELIST_FOR_THISNODE) || may_not_retry())
		return;
	watch.fruitless = watch.progress && !costly() ? 0 : watch.fruitless + 1;
	watch.retry = reclaim_may_help() ? RETRY_DUE : RETRY_NEEDS_REASON;
	watch.compaction_may_help = compaction_may_help();
	if (watch.compaction_may_help && (!machine->compaction || compaction_counts()))
		watch.retry = RETRY_DUE;
}

EXCEPTIONS(retry_has_a_reason, "while somebody else holds oom_lock")
RULE(retry_has_a_reason, 78, COST_SCAN, "page_alloc",
     "another round begins only while reclaim or compaction may help, a reserve was given up or the OOM killer was asked",
     const struct scan_watch *, scan)
{
	when(scan->retry == RETRY_NEEDS_REASON && reclaim_script.oom != OOM_BLOCKED);
	require(scan->compaction_may_help || scan->gave_up_reserve, "round %u, order %u: %u rounds without progress, and nothing to be reclaimed",
		scan->rounds, scan->order, scan->fruitless);
	return true;
}

RULE(retry_while_reclaim_may_help, 78, COST_SCAN, "page_alloc",
     "a request does not give up or ask the OOM killer while reclaim may still lift a zone above its min mark, or compaction help",
     const struct scan_watch *, scan)
{
	require(scan->retry != RETRY_DUE, "round %u, order %u: gave up after %u rounds without progress", scan->rounds,
		scan->order, scan->fruitless);
	return true;
}

/*
 * The OOM killer.
 */
bool expect_oom_helps(void)
{
	if (watch.gfp & __GFP_NOFAIL)
		return true;
	return !(current->flags & PF_DUMPCORE) && !costly() && watch.high_zoneidx >= ZONE_NORMAL &&
	       !(watch.gfp & __GFP_THISNODE);
}

RULE(oom_killer_asked_where_it_helps, 78, COST_SCAN, "page_alloc",
     "a request that reclaim cannot help asks the OOM killer, unless nobody it may kill would free the right memory",
     const struct scan_watch *, scan)
{
	require(!scan->oom_due, "round %u, order %u, gfp %#x: the OOM killer was not asked", scan->rounds, scan->order,
		scan->gfp);
	return true;
}

RULE(oom_killer_not_asked_in_vain, 78, COST_SCAN, "page_alloc",
     "the OOM killer is asked only for small requests for ordinary memory of any node, or that must not fail",
     const struct scan_watch *, scan)
{
	require(expect_oom_helps(), "order %u, gfp %#x, task flags %#x, zone limit %u", scan->order, scan->gfp,
		scan->task_flags, scan->high_zoneidx);
	return true;
}

void judge_oom(const struct scan_watch *scan)
{
	judge(scan, oom_killer_not_asked_in_vain);
}

/* Another round begins, or the call is over. */
void judge_round_over(const struct scan_watch *scan, _Bool again)
{
	judge(scan, oom_killer_asked_where_it_helps);
	if (again)
		judge(scan, retry_has_a_reason);
	else
		judge(scan, retry_while_reclaim_may_help);
}

/*
 * Compaction.
 */
RULE(attempt_follows_compaction, 76, COST_SCAN, "page_alloc",
     "after compaction a request tries again exactly if compaction ran", const struct scan_watch *, scan)
{
	bool ran = scan->compacted > COMPACT_INACTIVE;

	require(ran == scan->tries_again, "order %u: result %d, and %s attempt", scan->order, scan->compacted,
		scan->tries_again ? "an" : "no");
	return true;
}

void judge_after_compaction(const struct scan_watch *scan)
{
	judge(scan, attempt_follows_compaction);
}

/*
 * What callers and the log are told.
 */
static bool is_earned(unsigned int warning)
{
	bool nofail = watch.gfp & __GFP_NOFAIL;

	switch (warning) {
	case CALLER_ORDER_TOO_LARGE:
		return watch.order >= MAX_ORDER && !(watch.gfp & __GFP_NOWARN);
	case CALLER_ATOMIC_WITH_RECLAIM:
		return (watch.gfp & __GFP_ATOMIC) && (watch.gfp & __GFP_DIRECT_RECLAIM);
	case CALLER_NOFAIL_NO_RECLAIM:
		return nofail && !(watch.gfp & __GFP_DIRECT_RECLAIM);
	case CALLER_NOFAIL_MEMALLOC:
		return nofail && (current->flags & PF_MEMALLOC);
	case CALLER_NOFAIL_HIGH_ORDER:
		return nofail && watch.order > 1;
	case CALLER_NOFAIL_OOM:
		return nofail;
	default:
		return true;
	}
}

RULE(warnings_are_earned, 75, COST_SCAN, "page_alloc", "a caller is warned of what its request asks for",
     const struct trace_record *, record)
{
	require(is_earned((unsigned int)record->a), "warning %lu for order %u, gfp %#x", record->a, watch.order, watch.gfp);
	return true;
}

void judge_warning(const struct trace_record *record)
{
	if (watch.active)
		judge(record, warnings_are_earned);
}

/* A task that may not do I/O asks without it. */
RULE(failure_names_request, 72, COST_SCAN, "page_alloc", "the report of a failure names the request that failed",
     const struct trace_record *, record)
{
	unsigned int dropped = __GFP_IO | __GFP_FS;

	require(record->a == watch.order && (record->b | dropped) == (watch.gfp | dropped),
		"order %lu, gfp %#lx reported, order %u, gfp %#x asked for", record->a, record->b, watch.order, watch.gfp);
	require(!(watch.gfp & __GFP_NOWARN), "gfp %#x asks for no report", watch.gfp);
	return true;
}

void judge_failure_report(const struct trace_record *record)
{
	judge(record, failure_names_request);
}

RULE(waits_are_short, 76, COST_SCAN, "page_alloc", "a round of the slow path waits a jiffy or a tenth of a second",
     const struct trace_record *, record)
{
	require(record->a == 1 || record->a == machine->hz / 10, "%lu jiffies", record->a);
	return true;
}

void judge_wait(const struct trace_record *record)
{
	if (watch.active && watch.slow)
		judge(record, waits_are_short);
}
