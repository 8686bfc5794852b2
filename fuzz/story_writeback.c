// SPDX-License-Identifier: GPL-2.0
/*
 * story_writeback.c - why a task was throttled: the limits, where the dirty pages stood between them, the rate that
 * follows from that, the pause, and why the task left (story_writeback.h).
 */
#include "fuzz/story_writeback.h"

/* As in mm/internal.h, which is not for this side. */
enum { EXIT_AGAIN, EXIT_FREERUN, EXIT_NO_SLEEP, EXIT_PAID, EXIT_TINY, EXIT_KILLED, NR_EXITS };

#define NR_TASKS 8

static void tell_task(FILE *out, unsigned long number)
{
	if (number < NR_TASKS)
		fprintf(out, "task%lu", number);
	else
		fprintf(out, "flusher of device %lu", number - NR_TASKS);
}

static void tell_limits(FILE *out, const struct trace_record *r)
{
	unsigned long freerun = (r->a + r->b) / 2;
	unsigned long limit = r->a > r->d ? r->a : r->d;

	fprintf(out, "      limits     background %lu, freerun %lu, setpoint %lu, threshold %lu, limit %lu; dirty %lu\n", r->b,
		freerun, (freerun + limit) / 2, r->a, limit, r->c);
}

static void tell_device(FILE *out, const struct trace_record *r)
{
	fprintf(out, "      device     share %lu, background share %lu; dirty %lu; writes %lu pages/s\n", r->a, r->b, r->c,
		r->d);
}

static void tell_rate(FILE *out, const struct trace_record *r)
{
	fprintf(out, "      rate       %lu pages/s = position ratio %.2f of %lu pages/s\n", r->c, (double)r->a / 1024, r->b);
}

static void tell_pause(FILE *out, const struct trace_record *r)
{
	if ((long)r->a > 0)
		fprintf(out, "      pause      %ld jiffies: a period of %ld, less what has passed, within %ld to %ld\n",
			(long)r->a, (long)r->b, (long)r->c, (long)r->d);
	else
		fprintf(out, "      no pause   a period of %ld has all but passed, and %ld is the least to sleep for\n",
			(long)r->b, (long)r->c);
}

static void tell_end(FILE *out, const struct trace_record *r)
{
	static const char *const reasons[NR_EXITS] = {
		[EXIT_AGAIN] = "?",
		[EXIT_FREERUN] = "freerun: fewer dirty pages than halfway from background limit to limit",
		[EXIT_NO_SLEEP] = "goes on, the debt is carried over",
		[EXIT_PAID] = "goes on, it has slept for its pages",
		[EXIT_TINY] = "goes on, its device has next to nothing dirty",
		[EXIT_KILLED] = "leaves, it was killed",
	};

	fprintf(out, "      %s%s\n", r->a < NR_EXITS ? reasons[r->a] : "?",
		r->b ? "; the device is over its share, its dirtiers look every 8 pages" : "");
}

static void tell_flusher(FILE *out, const struct trace_record *r)
{
	static const char *const events[] = { NULL, "begins", "was asked for", "wrote what is old:", "wrote in the background:" };

	if (r->b == 1)
		fprintf(out, "    flusher   of device %lu begins\n", r->a);
	else if (r->b >= 2 && r->b <= 4)
		fprintf(out, "    flusher   of device %lu %s %lu pages\n", r->a, events[r->b], r->c);
}

static void tell_sleep(FILE *out, const struct trace_record *r)
{
	fprintf(out, "    sleeps    ");
	tell_task(out, r->a);
	if (r->b > 1UL << 40)
		fprintf(out, ", until there is a page or room in the queue\n");
	else
		fprintf(out, ", for %lu jiffies from %u\n", r->b, r->jiffies);
}

void story_writeback(FILE *out, const struct trace_record *r)
{
	switch (r->kind) {
	case TRACE_BALANCE_BEGIN:
		fprintf(out, "    throttle  task%lu on device %lu, %lu pages since it looked last\n", r->c, r->a, r->b);
		break;
	case TRACE_BALANCE_LIMITS:
		tell_limits(out, r);
		break;
	case TRACE_BALANCE_DEVICE:
		tell_device(out, r);
		break;
	case TRACE_BALANCE_RATE:
		tell_rate(out, r);
		break;
	case TRACE_BALANCE_PAUSE:
		tell_pause(out, r);
		break;
	case TRACE_BALANCE_END:
		tell_end(out, r);
		break;
	case TRACE_SET_RATELIMIT:
		fprintf(out, "    limit     %lu pages; a CPU looks after %lu\n", r->a, r->b);
		break;
	case TRACE_THROTTLE_VM_WRITEOUT:
		fprintf(out, "    reclaim   waits above %lu: unstable %lu, under writeback %lu\n", r->b, r->c, r->d);
		break;
	case TRACE_TASK_SLEEP:
		tell_sleep(out, r);
		break;
	case TRACE_TASK_WAKE:
		fprintf(out, "    wakes     ");
		tell_task(out, r->a);
		fprintf(out, " at %u\n", r->jiffies);
		break;
	case TRACE_FLUSHER:
		tell_flusher(out, r);
		break;
	default:
		break;
	}
}
