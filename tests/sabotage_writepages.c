// SPDX-License-Identifier: GPL-2.0
/*
 * sabotage_writepages.c - the end of a walk over a file's dirty pages is watched (fuzz/invariants_writeback.c).
 *
 * "uma-64m", a file with 20 dirty pages.
 */
#include "tests/sabotage.h"
#include "fuzz/wb_watch.h"

#define DIRTY "machine preset=uma-64m\ndirty_pages(nr=20, throttle=0)\n"

/* As if it was stopped behind page 0, and had another place in mind. */
static void stop_elsewhere(struct trace_record *record, unsigned int number)
{
	if (number != 1)
		return;
	wb_watch.walks[current->number].budget = 1;
	file_mapping(0)->writeback_index = 7;
	judge_walk_over();
	wb_watch.walks[current->number].budget = 16;
	file_mapping(0)->writeback_index = 0;
}

Test(sabotage_writepages, a_walk_that_forgets_where_it_was_stopped)
{
	expect_invariant("walk_keeps_its_place",
			 (struct sabotage){ .program = DIRTY "writepages(mode=cyclic, nr=16)\n",
					    .at = TRACE_WRITEPAGE,
					    .breaks = stop_elsewhere,
					    .report = "stopped at page 0, the next walk begins at 7" });
}

/* Nobody is told that page 1 was written, and that it has become dirty since. */
static void forget_page_1(struct trace_record *record, unsigned int number)
{
	if (number != 1)
		return;
	set_page_dirty(find_get_page(file_mapping(0), 1));
	record->kind = TRACE_NONE;
}

Test(sabotage_writepages, a_walk_for_integrity_that_leaves_a_page_out)
{
	expect_invariant("integrity_walk_writes_all", (struct sabotage){ .program = DIRTY "writepages(mode=all)\n",
									 .at = TRACE_WRITEPAGE,
									 .breaks = forget_page_1,
									 .report = "page 1 is still dirty" });
}
