/* SPDX-License-Identifier: GPL-2.0 */
/* host_fiber.h - what host_control.c needs of host_fiber.c. */
#ifndef MMFUZZ_HOST_FIBER_H
#define MMFUZZ_HOST_FIBER_H

/* Does not return when a fiber runs: the switch that started or resumed it throws instead. */
void host_fiber_leave_to_throw(void);

#endif
