// SPDX-License-Identifier: GPL-2.0
/* fault.c - which requests fail, and which never do (kernel-shim/fault.c, specification 21 step 5). */
#include "tests/support.h"
#include <linux/fault-inject.h>
#include "fuzz/run.h"

Test(fault, nothing_fails_unasked)
{
	boot_machine("tiny");
	cr_expect_not(should_fail_alloc_page(GFP_ATOMIC, 3));
	cr_expect_eq(count_trace(TRACE_FAULT, NULL), 0);
}

Test(fault, so_many_eligible_requests_fail_and_no_more)
{
	boot_machine("tiny");
	fail_page_alloc.times = 2;
	cr_expect(should_fail_alloc_page(GFP_ATOMIC, 1));
	cr_expect(should_fail_alloc_page(GFP_ATOMIC, 2));
	cr_expect_not(should_fail_alloc_page(GFP_ATOMIC, 2));
	cr_expect_eq(count_trace(TRACE_FAULT, NULL), 2);
}

Test(fault, by_default_order_0_highmem_and_reclaiming_requests_are_spared)
{
	boot_machine("tiny");
	fail_page_alloc.times = 1;
	cr_expect_not(should_fail_alloc_page(GFP_ATOMIC, 0));
	cr_expect_not(should_fail_alloc_page(GFP_ATOMIC | __GFP_HIGHMEM, 1));
	cr_expect_not(should_fail_alloc_page(GFP_KERNEL, 1));
	cr_expect(should_fail_alloc_page(GFP_ATOMIC, 1));
}

Test(fault, each_exception_can_be_switched_off)
{
	boot_machine("tiny");
	fail_page_alloc = (struct fail_page_alloc){ .times = 3 };
	cr_expect(should_fail_alloc_page(GFP_ATOMIC, 0));
	cr_expect(should_fail_alloc_page(GFP_ATOMIC | __GFP_HIGHMEM, 0));
	cr_expect(should_fail_alloc_page(GFP_KERNEL, 0));
}

Test(fault, a_request_that_must_not_fail_does_not)
{
	boot_machine("tiny");
	fail_page_alloc = (struct fail_page_alloc){ .times = 1 };
	fault_nth = 1;
	cr_expect_not(should_fail_alloc_page(GFP_ATOMIC | __GFP_NOFAIL, 1));
	cr_expect_eq(fault_nth, 1);
	cr_expect_eq(fail_page_alloc.times, 1);
}

Test(fault, the_nth_request_fails_whatever_it_is)
{
	struct trace_record record = { 0 };

	boot_machine("tiny");
	fault_nth = 3;
	cr_expect_not(should_fail_alloc_page(GFP_KERNEL, 0));
	cr_expect_not(should_fail_alloc_page(GFP_HIGHUSER, 0));
	cr_expect(should_fail_alloc_page(GFP_KERNEL, 0));
	cr_expect_not(should_fail_alloc_page(GFP_KERNEL, 0));
	cr_expect_eq(count_trace(TRACE_FAULT, &record), 1);
	cr_expect_eq(record.a, 3);
}

Test(fault, a_failed_request_gets_no_page_and_the_next_one_does)
{
	boot_machine("tiny");
	fault_nth = 1;
	cr_expect_null(alloc_pages(GFP_KERNEL, 0));
	cr_expect_not_null(alloc_pages(GFP_KERNEL, 0));
}

/* Expect each task that is due to allocate what it wants, whichever operation it comes after. */
Test(fault, a_fault_that_is_meant_for_an_operation_hits_no_task_that_is_due)
{
	static const char text[] = "machine preset=tiny\ndirty_pages(nr=154)\nidle() (fail_nth=1)\n"
				   "drain_all_pages() (fail_nth=1)\nidle() (fail_nth=1)\ndrain_all_pages() (fail_nth=1)\n";
	struct run_options options = run_options_default();
	static struct program program;
	struct text_error error;
	struct verdict verdict;

	cr_assert(program_parse(&program, text, strlen(text), true, NULL, &error), "%s", error.message);
	run_program(&program, &options, &verdict);
	cr_expect_eq(verdict.finding.kind, FINDING_NONE, "%s", verdict.finding.name);
	cr_expect(count_trace(TRACE_TASK_WAKE, NULL) > 1);
	cr_expect_eq(count_trace(TRACE_FAULT, NULL), 0);
}
