/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_SCHED_H
#define _LINUX_SCHED_H

#include <linux/types.h>
#include <linux/nodemask.h>
#include <linux/preempt.h>
#include <linux/jiffies.h>

/* Modelled: tasks as far as mm looks at them (sched.c). */
#define PF_EXITING 0x00000004
#define PF_WQ_WORKER 0x00000020
#define PF_DUMPCORE 0x00000200
#define PF_MEMALLOC 0x00000800
#define PF_KSWAPD 0x00040000
#define PF_MEMALLOC_NOIO 0x00080000
#define PF_LESS_THROTTLE 0x00100000
#define PF_KTHREAD 0x00200000

#define TASK_COMM_LEN 16
#define TASKS_MAX 8
#define DEFAULT_PRIO 120
#define MAX_RT_PRIO 100

struct reclaim_state {
	unsigned long reclaimed_slab;
};

struct task_struct {
	unsigned int flags;                  /* PF_* */
	int prio;                            /* 0..139; below MAX_RT_PRIO is real time */
	bool memdie;                         /* TIF_MEMDIE */
	unsigned char number;
	char comm[TASK_COMM_LEN];
	nodemask_t mems_allowed;
	unsigned int mems_allowed_seq;       /* even; changes with mems_allowed */
	struct reclaim_state *reclaim_state;

	/* Dirty throttling, page-writeback specification 1.2. */
	int nr_dirtied;                      /* pages since the last pause; negative after redirtying */
	int nr_dirtied_pause;                /* look at the limits after so many */
	unsigned long dirty_paused_when;     /* jiffies; 0 = fresh */
	bool fatal_signal;
};

#define INITIAL_NR_DIRTIED_PAUSE (128 >> (MACHINE_PAGE_SHIFT - 10))

extern struct task_struct tasks[TASKS_MAX];
extern struct task_struct *current_task;
#define current current_task

#define TIF_MEMDIE 1
static inline bool test_thread_flag(int flag)
{
	return flag == TIF_MEMDIE && current->memdie;
}

static inline bool fatal_signal_pending(const struct task_struct *task)
{
	return task->fatal_signal;
}

/* All tasks as a boot finds them; task 0 runs. */
void sched_init(void);

/* Sleeping: checks the context, lets simulated time pass, and is the place where another task may run. */
void might_sleep(void);
void cond_resched(void);
void schedule_timeout_uninterruptible(long timeout_jiffies);
/* A sleep that may hand over to another task (sleep.c), unless a fatal signal is there already. */
void io_schedule_timeout_killable(long timeout_jiffies);
#define might_sleep_if(condition)                                                                      \
	do {                                                                                           \
		if (condition)                                                                         \
			might_sleep();                                                                 \
	} while (0)

/* GFP flags of a task that must not start I/O. */
gfp_t memalloc_noio_flags(gfp_t flags);

#endif
