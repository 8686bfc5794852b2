/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_MIGRATE_H
#define _LINUX_MIGRATE_H

#include <linux/types.h>

/*
 * Modelled: moving the pages in use out of the frames [start, end) is scripted by the program (reclaim.c), with the five
 * tries of specification 25 inside. 0, -EBUSY if some could not be moved, -EINTR if a signal came first.
 */
int migrate_contig_range(unsigned long start, unsigned long end);

#endif
