/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_SMP_H
#define _LINUX_SMP_H

#include <linux/types.h>

/* Modelled: the simulated CPU that runs now, and calling a function on another one (cpu.c). */
extern int current_cpu;
#define smp_processor_id() current_cpu

/* Run func(info) as if CPU `cpu` ran it with interrupts off, then come back. */
void on_cpu(int cpu, void (*func)(void *info), void *info);

#endif
