// SPDX-License-Identifier: GPL-2.0
/*
 * time.c - simulated time. Nothing reads a clock: jiffies moves when an operation or a sleep says so.
 *
 * What happens by itself are the timers that somebody armed, and the vmstat worker of each CPU, once a second
 * (specification 10.5). Time jumps from one to the next, so idle time costs nothing.
 * PORT: all CPUs fold in the same tick, in ascending order; Linux spreads them.
 */
#include <linux/jiffies.h>
#include <linux/ratelimit.h>
#include <linux/sched.h>
#include <linux/timer.h>
#include <linux/vmstat.h>
#include <asm/work_budget.h>

/* A pageset expires in its third second, so after these many rounds without a change there is none to come. */
#define QUIET_ROUNDS 5

__world unsigned long jiffies;
__world static unsigned long next_fold_jiffies;

void time_init(void)
{
	jiffies = (unsigned long)machine->jiffies_high << 32 | machine->jiffies;
	next_fold_jiffies = jiffies + HZ;
}

static void fold_this_cpu(void *info)
{
	int *changes = info;

	*changes += refresh_cpu_vm_stats(true);
}

static int fold_every_cpu(void)
{
	int changes = 0;
	int cpu;

	for_each_online_cpu(cpu)
		on_cpu(cpu, fold_this_cpu, &changes);
	return changes;
}

/* Work off the seconds that end up to `now` one by one, until nothing is left to fold or to expire. */
static void run_vmstat_workers(unsigned long now)
{
	unsigned int quiet = 0;

	while (time_after_eq(now, next_fold_jiffies) && quiet < QUIET_ROUNDS) {
		jiffies = next_fold_jiffies;
		next_fold_jiffies += HZ;
		quiet = fold_every_cpu() ? 0 : quiet + 1;
	}
	if (time_after_eq(now, next_fold_jiffies))
		next_fold_jiffies += ((now - next_fold_jiffies) / HZ + 1) * HZ;
}

/*
 * Timers.
 */
__world static struct timer_list *first_timer;

/* What may run while time passes: bits of enum timer_kind. */
#define RUN_IRQS (1U << TIMER_IRQ | 1U << TIMER_DEFERRABLE)
#define RUN_ALL (RUN_IRQS | 1U << TIMER_TASK)

void del_timer(struct timer_list *timer)
{
	struct timer_list **link = &first_timer;

	if (!timer->pending)
		return;
	while (*link != timer)
		link = &(*link)->next;
	*link = timer->next;
	timer->pending = false;
}

void mod_timer(struct timer_list *timer, unsigned long expires)
{
	struct timer_list **link = &first_timer;

	del_timer(timer);
	while (*link)
		link = &(*link)->next;
	timer->expires = expires;
	timer->next = NULL;
	timer->pending = true;
	*link = timer;
}

/* The earliest timer of these kinds that expires by now; the one armed first if there are several. */
static struct timer_list *next_timer(unsigned long now, unsigned int kinds)
{
	struct timer_list *timer, *next = NULL;

	for (timer = first_timer; timer; timer = timer->next)
		if ((kinds >> timer->kind & 1) && time_after_eq(now, timer->expires) &&
		    (!next || time_before(timer->expires, next->expires)))
			next = timer;
	return next;
}

static void pass_until(unsigned long now)
{
	if (!time_after(now, jiffies))
		return;
	if (machine->smp)
		run_vmstat_workers(now);
	jiffies = now;
}

/* Interrupts come to CPU 0, whatever runs. */
static void fire(struct timer_list *timer)
{
	int cpu = current_cpu;
	bool was_in_hardirq;

	del_timer(timer);
	if (timer->kind == TIMER_TASK) {
		timer->function(timer->data);
		return;
	}
	current_cpu = 0;
	was_in_hardirq = this_context()->in_hardirq;
	this_context()->in_hardirq = true;
	timer->function(timer->data);
	this_context()->in_hardirq = was_in_hardirq;
	current_cpu = cpu;
}

/* False if tasks wait that may not run, because no wakeups are left or so much work has been done since the beginning. */
static bool advance(unsigned long now, unsigned int kinds, const unsigned long *left, unsigned long work)
{
	unsigned long work_at_begin = work_left;
	struct timer_list *timer;

	while (first_timer && (timer = next_timer(now, kinds))) {
		if (left && timer->kind == TIMER_TASK && (!*left || work_at_begin - work_left > work))
			return false;
		pass_until(timer->expires);
		fire(timer);
	}
	pass_until(now);
	return true;
}

void jiffies_advance(unsigned long n)
{
	advance(jiffies + n, RUN_IRQS, NULL, 0);
}

void jiffies_advance_idle(unsigned long n)
{
	unsigned long now = jiffies + n;

	advance(now, 1U << TIMER_IRQ, NULL, 0);
	advance(now, RUN_IRQS, NULL, 0);
}

bool time_let_tasks_run(unsigned long now, const unsigned long *wakeups_left, unsigned long work)
{
	return advance(now, RUN_ALL, wakeups_left, work);
}

bool time_tasks_due(void)
{
	return first_timer && next_timer(jiffies, 1U << TIMER_TASK);
}

/* The interval begins with its first event. */
bool __ratelimit(struct ratelimit_state *state)
{
	if (!state->printed || time_after(jiffies, state->begin + state->interval)) {
		state->begin = jiffies;
		state->printed = 0;
	}
	if (state->printed >= state->burst)
		return false;
	state->printed++;
	return true;
}
