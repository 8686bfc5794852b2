// SPDX-License-Identifier: GPL-2.0
/*
 * cpuset.c - which nodes a task may take memory from (specification 29.1).
 *
 * There is one cpuset above every task, the root, and it allows every node. A change behind the back of a running
 * allocation is kept until that allocation asks whether its mask is still the one it read: nothing else runs in
 * between, so this is the only moment at which mm can notice.
 */
#include <linux/cpuset.h>
#include <linux/gfp.h>

struct pending_mems {
	bool pending;
	nodemask_t mask;
};

__world static struct pending_mems pending_mems[TASKS_MAX];

bool __cpuset_zone_allowed(struct zone *zone, gfp_t gfp_mask)
{
	if (in_interrupt() || node_isset(zone_to_nid(zone), current->mems_allowed))
		return true;
	if (test_thread_flag(TIF_MEMDIE))
		return true;
	/* Without HARDWALL the root is asked, or nobody if the task is dying: both allow every node. */
	return !(gfp_mask & __GFP_HARDWALL);
}

void set_mems_allowed(struct task_struct *task, nodemask_t mask)
{
	task->mems_allowed = mask;
	task->mems_allowed_seq += 2;
}

void set_mems_allowed_later(struct task_struct *task, nodemask_t mask)
{
	pending_mems[task->number] = (struct pending_mems){ true, mask };
}

bool read_mems_allowed_retry(unsigned int seq)
{
	struct pending_mems *change = &pending_mems[current->number];

	if (!cpusets_enabled())
		return false;
	if (change->pending) {
		change->pending = false;
		set_mems_allowed(current, change->mask);
	}
	return READ_ONCE(current->mems_allowed_seq) != seq;
}
