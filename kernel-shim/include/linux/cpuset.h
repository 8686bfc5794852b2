/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_CPUSET_H
#define _LINUX_CPUSET_H

#include <linux/sched.h>
#include <linux/mmzone.h>

/*
 * Modelled (cpuset.c), specification 29.1: mems_allowed of each task with its sequence counter, and one ancestor,
 * the root, that allows every node.
 */
#define cpusets_enabled() (machine->cpusets)
#define cpuset_current_mems_allowed (current->mems_allowed)

bool __cpuset_zone_allowed(struct zone *zone, gfp_t gfp_mask);

static inline unsigned int read_mems_allowed_begin(void)
{
	return cpusets_enabled() ? READ_ONCE(current->mems_allowed_seq) : 0;
}

/* True if the mask changed since seq was read. A change made by set_mems_allowed_later() happens here. */
bool read_mems_allowed_retry(unsigned int seq);

/* Change a task's mask now. */
void set_mems_allowed(struct task_struct *task, nodemask_t mask);
/* Change it behind the back of the task's next allocation: seen at its next read_mems_allowed_retry(). */
void set_mems_allowed_later(struct task_struct *task, nodemask_t mask);

#endif
