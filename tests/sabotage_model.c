// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_model.c - the model notices what an allocation did wrong (fuzz/invariants_model.c): in its own eyes, because what
 * it is shown was changed, or in everybody's, once the invariants that speak first are masked. Then defects are switched
 * on, and it sees what they do without help.
 */
#include "tests/sabotage.h"
#include "fuzz/invariant.h"
#include "fuzz/model.h"
#include "fuzz/run.h"

#define UMA "machine preset=uma-64m\n"
#define LOW UMA "watermark(node=0, zone=Normal, min=60000)\nwatermark(node=0, zone=DMA, min=60000)\n"
#define PAGE UMA "p0 = alloc_pages(order=0, gfp=GFP_KERNEL)\n"
#define FAILS LOW "p0 = alloc_pages(order=0, gfp=__GFP_NOWARN)\n"

/*
 * What it is shown.
 */
static void hide(struct trace_record *record, unsigned int number)
{
	record->kind = TRACE_NONE;
}

Test(sabotage_model, a_slow_path_that_was_not_entered)
{
	expect_invariant("flags_follow_request", (struct sabotage){ .program = FAILS,
								    .at = TRACE_SLOWPATH_ENTER,
								    .breaks = hide,
								    .then = { "slow_path_entered", "passes_made" } });
}

static void count_twice(struct trace_record *record, unsigned int number)
{
	model_watchers[record->kind](record);
}

Test(sabotage_model, a_pass_that_nobody_needs)
{
	expect_invariant("passes_made", (struct sabotage){ .program = PAGE,
							   .at = TRACE_SCAN_BEGIN,
							   .breaks = count_twice });
}

static void lose_the_page(struct trace_record *record, unsigned int number)
{
	record->a = TRACE_NO_PFN;
}

Test(sabotage_model, a_request_that_fails_where_a_zone_can_serve)
{
	expect_invariant("page_or_none", (struct sabotage){ .program = PAGE,
							    .at = TRACE_MM_PAGE_ALLOC,
							    .breaks = lose_the_page });
}

static void take_from_dma(struct trace_record *record, unsigned int number)
{
	record->a = zone_number(ZONE_DMA)->zone_start_pfn + 7;
}

Test(sabotage_model, a_page_from_another_zone)
{
	expect_invariant("source_zone", (struct sabotage){ .program = PAGE,
							   .at = TRACE_MM_PAGE_ALLOC,
							   .breaks = take_from_dma });
}

static void take_the_next(struct trace_record *record, unsigned int number)
{
	record->a++;
}

Test(sabotage_model, a_page_that_was_not_the_first)
{
	expect_invariant("page_taken", (struct sabotage){ .program = PAGE,
							  .at = TRACE_MM_PAGE_ALLOC,
							  .breaks = take_the_next });
}

/* As if nobody had looked at a zone for a request that has just failed. */
static void refuse_at_once(struct trace_record *record, unsigned int number)
{
	struct model_request request = model_request_of(0, GFP_KERNEL);

	judge_model_refusal(&request);
}

Test(sabotage_model, a_request_that_is_refused_without_a_look)
{
	expect_invariant("refused_at_once", (struct sabotage){ .program = FAILS,
							       .at = TRACE_MM_PAGE_ALLOC,
							       .breaks = refuse_at_once });
}

/*
 * What is done, and others see it, too.
 */
static void flag_the_zone(struct trace_record *record, unsigned int number)
{
	set_bit(ZONE_FAIR_DEPLETED, &zone_of_frame(record->a)->flags);
}

Test(sabotage_model, a_flag_that_nothing_has_set)
{
	expect_invariant("flag_as_scans_left_it", (struct sabotage){ .program = PAGE,
								     .at = TRACE_MM_PAGE_ALLOC,
								     .breaks = flag_the_zone,
								     .then = { "flag_in_step_on_up", "flag_after" } });
}

static void spend_one_more(struct trace_record *record, unsigned int number)
{
	change_counter(zone_of_frame(record->a), NR_ALLOC_BATCH, -1, true);
}

Test(sabotage_model, a_batch_that_lost_a_page)
{
	expect_invariant("batch_accounts_for_takes", (struct sabotage){ .program = PAGE,
									.at = TRACE_MM_PAGE_ALLOC,
									.breaks = spend_one_more,
									.then = { "batch_after" } });
}

static void count_one_less(struct trace_record *record, unsigned int number)
{
	change_counter(zone_of_frame(record->a), NR_FREE_PAGES, -1, true);
}

Test(sabotage_model, a_free_page_that_nobody_counted)
{
	expect_invariant("free_pages_counter", (struct sabotage){ .program = PAGE,
								  .at = TRACE_MM_PAGE_ALLOC,
								  .breaks = count_one_less,
								  .then = { "free_after" } });
}

/*
 * Defects.
 */
static void mask(const char *name)
{
	struct invariant *inv;

	for (inv = __start_invariants; inv < __stop_invariants; inv++)
		if (!strcmp(inv->name, name))
			inv->masked = true;
}

/* With every invariant masked that speaks first, the model speaks, and says this. */
static void expect_model(const char *name, const char *kernel_text, const char *text)
{
	struct run_options options = run_options_default();
	static struct program program;
	struct text_error error;
	struct verdict verdict;
	unsigned int masked = 0;

	cr_assert(program_parse(&program, text, strlen(text), true, NULL, &error), "line %u: %s", error.line, error.message);
	cr_assert_null(kernel_parse(&options.kernel, "fixed"));
	run_program(&program, &options, &verdict);
	cr_assert_eq(verdict.finding.kind, FINDING_NONE, "on fixed: %s: %s", verdict.finding.name, verdict.finding.detail);
	cr_assert_null(kernel_parse(&options.kernel, kernel_text));
	run_program(&program, &options, &verdict);
	while (verdict.finding.kind == FINDING_INVARIANT && masked++ < 16) {
		mask(verdict.finding.name);
		run_program(&program, &options, &verdict);
	}
	cr_expect_str_eq(verdict.finding.name, name, "expected %s, got '%s': %s", name, verdict.finding.name,
			 verdict.finding.detail);
	cr_expect_eq(verdict.finding.kind, FINDING_MODEL);
}

Test(sabotage_model, seed_1_goes_to_the_slow_path_on_one_node)
{
	expect_model("slow_path_entered", "v4.7-rc1", UMA "p0 = alloc_pages(order=0, gfp=GFP_KERNEL) x128\n");
}

Test(sabotage_model, seed_1_goes_to_another_node)
{
	expect_model("source_zone", "fixed,-reset-zonelist-iterator",
		     "machine preset=numa2\np0 = alloc_pages(order=2, gfp=GFP_KERNEL) x128\n");
}

/* Node 1's batch is used up, and in its second attempt node 0's would serve. */
Test(sabotage_model, fairness_alone_wakes_kswapd)
{
	expect_model("slow_path_entered", "fixed,-fair-before-kswapd",
		     "machine preset=numa2\np0 = alloc_pages(order=2, gfp=GFP_KERNEL) x128\n");
}

/* Node 1 is used up, and node 0 would do: atomic requests are not kept to the cpuset. */
Test(sabotage_model, the_nodemask_of_the_cpuset_stays_in_force)
{
	expect_model("page_or_none", "fixed,-restore-nodemask",
		     "machine preset=numa2 cpusets=1\n"
		     "cpuset(who=0, mems=0x2)\n"
		     "watermark(node=1, zone=Normal, min=60000)\n"
		     "p0 = alloc_pages(order=0, gfp=GFP_ATOMIC, node=1, cpu=1)\n");
}
