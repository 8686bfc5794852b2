/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_BUG_H
#define _LINUX_BUG_H

#include <linux/compiler.h>

/* Modelled: a broken condition ends the run with a finding that is named by function and condition. */
void bug_raise(const char *function, const char *condition) __attribute__((noreturn));
void warn_raise(const char *function, const char *condition) __attribute__((noreturn));

#define BUG() bug_raise(__func__, "BUG()")
#define BUG_ON(condition)                                                                              \
	do {                                                                                           \
		if (unlikely(condition))                                                               \
			bug_raise(__func__, #condition);                                               \
	} while (0)

/* A warning about mm's own state is a finding; what callers earn goes through caller_warning() instead. */
#define WARN_ON(condition)                                                                             \
	({                                                                                             \
		bool _warn = !!(condition);                                                            \
		if (unlikely(_warn))                                                                   \
			warn_raise(__func__, #condition);                                              \
		_warn;                                                                                 \
	})
#define WARN_ON_ONCE(condition) WARN_ON(condition)

/* Code that the shim does not provide: reaching it is a hole in the shim, not a bug in mm. */
void shim_not_reached(const char *function) __attribute__((noreturn));
#define SHIM_NOT_REACHED() shim_not_reached(__func__)

#define BUILD_BUG_ON(condition) _Static_assert(!(condition), #condition)

#endif
