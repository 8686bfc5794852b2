/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_WORK_BUDGET_H
#define _ASM_WORK_BUDGET_H

#include <linux/types.h>

/*
 * Modelled: the hang oracle. Every loop whose length depends on data charges its steps to the call's budget; using it
 * up is a HANG finding that names the loop. The budget is LIMIT_CALL_WORK of the engine.
 *
 * A loop that the data or the specification bounds has that bound besides (work_bound), and one step more is the same
 * finding, with both numbers. Bounds that only a mistake in the loop can break, and no data: move_freepages,
 * has_unmovable_pages, isolate_freepages_range, test_pages_isolated, write_cache_pages, passes of get_page_from_freelist.
 *
 * Nothing bounds these:
 *	balance_dirty_pages, throttle_vm_writeout, lock_page, wait_on_page_writeback, wait_for_room: they wait for a
 *		device or another task
 *	__alloc_pages_slowpath: rounds that make progress, and those of a request that must not fail
 *	__alloc_pages_nodemask: it repeats as often as somebody changes the cpuset
 *	wb_writeback: pages may be dirtied as fast as it writes them
 *
 * These need no bound, for they count to a number known before: prep_compound_page, ops_migrate_held, the pageblocks of
 * pagetypeinfo_show, and loops over nodes, zones, CPUs, orders and types. free_hot_cold_page_list() writes over the links
 * that it follows, so a circle does not keep it, and walks of a zonelist beside the scan go over what the boot built.
 */
extern unsigned long work_left;
void work_exhausted(const char *loop) __attribute__((noreturn));
void work_out_of_bounds(const char *loop, unsigned long step, unsigned long most, const char *rule)
	__attribute__((noreturn));
void work_begin(unsigned long budget);

/* True if the call that was unwound last had no budget left. */
bool work_is_used_up(void);

#define work_charge(loop)                                                                              \
	do {                                                                                           \
		if (__builtin_expect(work_left-- == 0, 0))                                             \
			work_exhausted(loop);                                                          \
	} while (0)

/* The steps of one run of a loop, for work_bound(). */
#define DEFINE_STEPS(name) unsigned long name = 0

/* This step of the loop must not come after the `most`th. `rule` says in a sentence why. Charges nothing. */
#define work_bound(loop, step, most, rule)                                                             \
	do {                                                                                           \
		unsigned long _step = (unsigned long)(step);                                           \
		unsigned long _most = (unsigned long)(most);                                           \
		if (__builtin_expect(_step > _most, 0))                                                \
			work_out_of_bounds(loop, _step, _most, rule);                                  \
	} while (0)

#endif
