/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_IRQFLAGS_H
#define _LINUX_IRQFLAGS_H

#include <linux/preempt.h>

/* Modelled: interrupts of the current simulated CPU (cpu.c). Restoring a state that was not saved is a finding. */
unsigned long irq_save(void);
void irq_restore(unsigned long flags);

#define local_irq_save(flags) ((flags) = irq_save())
#define local_irq_restore(flags) irq_restore(flags)
#define irqs_disabled() (this_context()->irqs_off)

#endif
