/* SPDX-License-Identifier: GPL-2.0 */
/* fault.h - numbered fault injection, set by operations. Plain C; part of the world. */
#ifndef MMFUZZ_FAULT_H
#define MMFUZZ_FAULT_H

/* Attributes of fail_page_alloc: the next `times` eligible requests fail (specification 21 step 5). */
struct fail_page_alloc {
	unsigned int times;
	unsigned int min_order;
	_Bool ignore_gfp_highmem;
	_Bool ignore_gfp_reclaim;
};
extern struct fail_page_alloc fail_page_alloc;

/* The nth eligible question from now on is answered with a failure; 0 = none. Disarmed when the operation ends. */
extern unsigned int fault_nth;

#endif
