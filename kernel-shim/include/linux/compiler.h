/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_COMPILER_H
#define _LINUX_COMPILER_H

/* Modelled */
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define noinline __attribute__((noinline))
#define __maybe_unused __attribute__((unused))
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))
#define barrier() __asm__ __volatile__("" : : : "memory")

/* No-ops: section placement has no meaning in a process. */
#define __init
#define __meminit
#define __paginginit
#define __ref
#define __read_mostly

#endif
