/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_MMDEBUG_H
#define _LINUX_MMDEBUG_H

#include <linux/bug.h>
#include "machine.h"
#include "world.h"

/* Modelled: CONFIG_DEBUG_VM is a property of the machine; without it the conditions are not evaluated. */
#define VM_BUG_ON(condition)                                                                           \
	do {                                                                                           \
		if (machine->debug_vm && unlikely(condition))                                          \
			bug_raise(__func__, #condition);                                               \
	} while (0)
/* Not by way of VM_BUG_ON: the condition would be expanded, and a finding's name would show what is behind macros. */
#define VM_BUG_ON_PAGE(condition, page)                                                                \
	do {                                                                                           \
		if (machine->debug_vm && unlikely(condition))                                          \
			bug_raise(__func__, #condition);                                               \
	} while (0)

#endif
