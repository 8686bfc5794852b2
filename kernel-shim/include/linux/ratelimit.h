/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_RATELIMIT_H
#define _LINUX_RATELIMIT_H

#include <linux/types.h>

/* Modelled: at most `burst` events in `interval` ticks. */
struct ratelimit_state {
	unsigned long interval;
	int burst;
	int printed;
	unsigned long begin;
};

bool __ratelimit(struct ratelimit_state *state);

#endif
