/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_SCHED_RT_H
#define _LINUX_SCHED_RT_H

#include <linux/sched.h>

/* Modelled */
static inline bool rt_task(const struct task_struct *task)
{
	return task->prio < MAX_RT_PRIO;
}

#endif
