/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_OOM_H
#define _LINUX_OOM_H

#include <linux/mmzone.h>
#include <linux/mutex.h>

/* Modelled: the OOM killer is scripted by the program (reclaim.c), specification 23. */
struct oom_control {
	struct zonelist *zonelist;
	nodemask_t *nodemask;
	gfp_t gfp_mask;
	int order;
};

extern struct mutex oom_lock;
bool out_of_memory(struct oom_control *oc);

#endif
