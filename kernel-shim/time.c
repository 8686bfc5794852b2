// SPDX-License-Identifier: GPL-2.0
/*
 * time.c - simulated time. Nothing reads a clock: jiffies moves when an operation or a sleep says so.
 *
 * The only thing that happens by itself is the vmstat worker of each CPU, once a second (specification 10.5).
 * PORT: all CPUs fold in the same tick, in ascending order; Linux spreads them.
 */
#include <linux/jiffies.h>
#include <linux/ratelimit.h>
#include <linux/vmstat.h>

/* A pageset expires in its third second, so after these many rounds without a change there is none to come. */
#define QUIET_ROUNDS 5

__world unsigned long jiffies;
__world static unsigned long next_fold_jiffies;

void time_init(void)
{
	jiffies = machine->jiffies;
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

void jiffies_advance(unsigned long n)
{
	unsigned long now = jiffies + n;

	if (machine->smp)
		run_vmstat_workers(now);
	jiffies = now;
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
