/* SPDX-License-Identifier: GPL-2.0 */
/*
 * host.h - the only door from the simulated kernel to the host: plain C types, no kernel and no libc names.
 * Implemented by host_*.c. An operation calls only the RCU read side, which costs no system call, and, when a finding
 * ends it, the text and control functions.
 */
#ifndef MMFUZZ_HOST_H
#define MMFUZZ_HOST_H

/* Memory (host_memory.c). Zeroed, backed on first touch, never by huge pages. Ends the process when there is none. */
void *host_map(unsigned long bytes) __attribute__((returns_nonnull));
void host_unmap(void *address, unsigned long bytes);
/*
 * Calls body for each run of host pages in [address, address + bytes) that may hold anything but zeros, ascending,
 * until it returns non-zero, which is returned. Reads nothing, so it backs nothing; costs system calls.
 */
int host_walk_backed(void *address, unsigned long bytes,
		     int (*body)(void *argument, void *start, unsigned long bytes), void *argument);

/*
 * Control (host_control.c). host_catch runs body(argument) and returns 0, or 1 when it ended in host_throw().
 * Catches nest; host_throw() without one, and host_panic(), print and end the process with exit code 4.
 */
int host_catch(void (*body)(void *argument), void *argument);
/* True inside a host_catch(). */
int host_catching(void);
void host_throw(void) __attribute__((noreturn));
void host_panic(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/*
 * Fibers (host_fiber.c): functions that can stop in the middle. Fiber `number` runs on its own stack when it is started
 * or resumed, which only the thread's own stack may do, and until it parks or ends: both return true while it is parked.
 * A host_throw() inside a fiber is thrown where the fiber was started or resumed from. Forgetting all fibers is free.
 */
#define HOST_FIBERS_MAX 16
int host_fiber_start(unsigned int number, void (*body)(void *argument), void *argument);
int host_fiber_resume(unsigned int number);
void host_fiber_park(void);
/* The number of the fiber that runs, or -1 on the thread's own stack. */
int host_fiber_current(void);
void host_fibers_forget(void);

/* Text (host_control.c): vsnprintf. Returns the length the whole text has. */
int host_format(char *buffer, unsigned long size, const char *format, __builtin_va_list arguments);

/* RCU over liburcu, memb flavour (host_rcu.c). The thread registers itself at its first use. */
void host_rcu_read_lock(void);
void host_rcu_read_unlock(void);
void host_synchronize_rcu(void);
/* Calls function(argument) after a grace period, on liburcu's own thread. host_rcu_barrier() waits for all such calls. */
void host_call_rcu(void (*function)(void *argument), void *argument);
void host_rcu_barrier(void);

#endif
