// SPDX-License-Identifier: GPL-2.0
/* bug.c - findings: their names, that the first is kept, and the work budget (kernel-shim/bug.c). */
#include "tests/support.h"
#include <asm/work_budget.h>

static void find_a_bug(void *argument)
{
	BUG_ON(*(int *)argument > 2);
}

static void find_a_debug_bug(void *argument)
{
	VM_BUG_ON(*(int *)argument > 2);
}

static void warn(void *argument)
{
	WARN_ON_ONCE(*(int *)argument > 2);
}

static void reach_a_hole(void *argument)
{
	SHIM_NOT_REACHED();
}

static void check_the_harness(void *argument)
{
	CHECK(*(int *)argument == 2, "it is %d", *(int *)argument);
}

static void loop_for_ever(void *argument)
{
	work_begin(100);
	for (;; ++*(int *)argument)
		work_charge("loop_for_ever");
}

static void loop_twice(void *most)
{
	DEFINE_STEPS(steps);
	int round;

	work_begin(100);
	for (round = 0; round < 2; round++)
		work_bound("loop_twice", ++steps, *(int *)most, "it goes round as often as it may");
}

Test(bug, a_finding_is_named_by_function_and_condition)
{
	int three = 3;

	expect_finding(FINDING_BUG, "find_a_bug: *(int *)argument > 2", find_a_bug, &three);
	expect_finding(FINDING_WARN, "warn: *(int *)argument > 2", warn, &three);
	expect_finding(FINDING_SHIM, "reach_a_hole", reach_a_hole, NULL);
	expect_finding(FINDING_HARNESS, "*(int *)argument == 2", check_the_harness, &three);
}

Test(bug, a_condition_that_does_not_hold_raises_nothing)
{
	int two = 2;

	find_a_bug(&two);
	warn(&two);
	check_the_harness(&two);
	cr_expect_eq(finding.kind, FINDING_NONE);
}

Test(bug, debug_checks_count_on_machines_that_have_them)
{
	int three = 3;

	boot_machine("tiny");
	expect_finding(FINDING_BUG, "find_a_debug_bug: *(int *)argument > 2", find_a_debug_bug, &three);
	boot_machine_with("tiny", SETTINGS({ .key = SETTING_debug_vm, .x = 0 }), 1);
	find_a_debug_bug(&three);
}

Test(bug, the_first_finding_of_a_run_is_kept)
{
	int three = 3;

	cr_expect(host_catch(check_the_harness, &three));
	cr_expect(host_catch(find_a_bug, &three));
	cr_expect_eq(finding.kind, FINDING_HARNESS);
	cr_expect_str_eq(finding.detail, "it is 3");
}

Test(bug, a_call_that_loops_for_ever_ends_when_its_budget_does)
{
	int rounds = 0;

	expect_finding(FINDING_HANG, "loop_for_ever", loop_for_ever, &rounds);
	cr_expect_eq(rounds, 100);
	cr_expect(work_is_used_up());
}

Test(bug, a_loop_may_take_every_step_of_its_bound)
{
	int two = 2;

	loop_twice(&two);
	cr_expect_eq(finding.kind, FINDING_NONE);
}

Test(bug, a_step_past_the_bound_of_a_loop_is_a_hang_with_both_numbers)
{
	int one = 1;

	expect_finding(FINDING_HANG, "loop_twice", loop_twice, &one);
	cr_expect_str_eq(finding.detail, "loop_twice: step 2, at most 1");
	cr_expect_str_eq(finding.rule, "it goes round as often as it may");
	cr_expect_not(work_is_used_up());
}

static void raise_a_long_bug(void *condition)
{
	bug_raise("function", condition);
}

Test(bug, a_long_condition_is_cut_to_fit)
{
	static char condition[300];

	memset(condition, 'x', sizeof(condition) - 1);
	cr_expect(host_catch(raise_a_long_bug, condition));
	cr_expect_eq(strlen(finding.name), FINDING_NAME_BYTES - 1);
	cr_expect_arr_eq(finding.name, "function: xxx", 13);
}

static void catch_and_throw(void *caught)
{
	int three = 3;

	*(int *)caught = host_catch(find_a_bug, &three);
	find_a_bug(&three);
}

Test(bug, catches_nest)
{
	int caught = 0;

	cr_expect(host_catch(catch_and_throw, &caught));
	cr_expect(caught);
	cr_expect_not(host_catching());
}

Test(bug, a_finding_that_nobody_catches_ends_the_process, .exit_code = 4)
{
	int three = 3;

	find_a_bug(&three);
}
