// SPDX-License-Identifier: GPL-2.0
/*
 * judge.c - judging a step (judge.h). A zone's numbers are read once and all rules look at that. Once a program has
 * damaged lists there is nothing to be learned from them.
 */
#include <linux/kernel.h>
#include "fuzz/exec.h"
#include "fuzz/fair_watch.h"
#include "fuzz/held.h"
#include "fuzz/judge.h"
#include "fuzz/states.h"

struct call_record last_call;

static void judge_zone(unsigned int slot)
{
	static struct zone_now now;

	view_read_zone(slot, &now.view);
	now.census = census_zone(slot);
	now.held = held_pages(slot);
	now.leaked = held_leaked(slot);
	judge_zone_lists(&now);
	judge_zone_counters(&now);
	judge_zone_batch(&now);
	if (exec_state.states)
		states_zone(&now);
}

void judge_step(void)
{
	unsigned long zones = census_step.zones | last_call.zones | fair_watch_touched_zones();
	unsigned int slot;

	judge_call(&last_call);
	if (exec_state.damage == DAMAGE_LISTS)
		return;
	if (census_step.zones)
		judge_pages();
	for_each_slot_of(slot, zones)
		judge_zone(slot);
}
