/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_FAULT_INJECT_H
#define _LINUX_FAULT_INJECT_H

#include <linux/types.h>

/* Modelled (fault.c): should_fail_alloc_page with the attributes of fail_page_alloc, and numbered fault points. */
bool should_fail_alloc_page(gfp_t gfp_mask, unsigned int order);

#endif
