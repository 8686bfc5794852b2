// SPDX-License-Identifier: GPL-2.0
/*
 * page-writeback.c - the tunables of dirty memory, their handlers, and the domain that shares it (page-writeback
 * specification 2, 6, 16). The rest of Linux's file is cut by concept: dirty_limits.c, wb_position.c, wb_estimate.c,
 * wb_throttle.c, wb_account.c and write_cache_pages.c; functions keep their names.
 *
 * Left out: control groups, the power saving of laptop mode, block_dump.
 */
#include "internal.h"

__world int dirty_background_ratio = 10;
__world unsigned long dirty_background_bytes;
__world int vm_dirty_ratio = 20;
__world unsigned long vm_dirty_bytes;
__world int vm_highmem_is_dirtyable;
__world unsigned int dirty_writeback_interval = 500;
__world unsigned int dirty_expire_interval = 3000;
__world int laptop_mode;

__world struct wb_domain global_wb_domain;

/* Pages that may be dirtied on a CPU before somebody looks at the limits. */
__world long ratelimit_pages = 32;

/*
 * Sysctl handlers.
 */
static int write_int(int *variable, int value, int min, int max)
{
	if (value < min || value > max)
		return -EINVAL;
	*variable = value;
	return 0;
}

/* As the parser of this era: out of range is skipped in silence. True if the value was taken. */
static bool write_ulong(unsigned long *variable, unsigned long value, unsigned long min)
{
	if (value < min)
		return false;
	*variable = value;
	return true;
}

/* Does this many bytes of pages fit where limits must fit? The sum that rounds up must not wrap here. */
static bool limit_is_too_large(unsigned long bytes)
{
	return patched(LIMITS_BELOW_UINTMAX) && (bytes >> PAGE_SHIFT) + (bytes % PAGE_SIZE != 0) > UINT_MAX;
}

int dirty_background_ratio_handler(int value)
{
	int ret = write_int(&dirty_background_ratio, value, 0, 100);

	if (ret == 0)
		dirty_background_bytes = 0;
	return ret;
}

int dirty_background_bytes_handler(unsigned long value)
{
	bool taken;

	if (limit_is_too_large(value))
		return -ERANGE;
	taken = write_ulong(&dirty_background_bytes, value, 1);
	if (taken || !patched(SIBLING_RATIO_KEPT))
		dirty_background_ratio = 0;
	return 0;
}

int dirty_ratio_handler(int value)
{
	int old_ratio = vm_dirty_ratio;
	int ret = write_int(&vm_dirty_ratio, value, 0, 100);

	if (ret || vm_dirty_ratio == old_ratio)
		return ret;
	if (patched(RATIO_HANDLER_ORDER)) {
		vm_dirty_bytes = 0;
		writeback_set_ratelimit();
	} else {
		writeback_set_ratelimit();
		vm_dirty_bytes = 0;
	}
	return 0;
}

int dirty_bytes_handler(unsigned long value)
{
	unsigned long old_bytes = vm_dirty_bytes;

	if (limit_is_too_large(value))
		return -ERANGE;
	write_ulong(&vm_dirty_bytes, value, 2 * PAGE_SIZE);
	if (vm_dirty_bytes != old_bytes) {
		writeback_set_ratelimit();
		vm_dirty_ratio = 0;
	}
	return 0;
}

/* A plain integer: -1 means in 497 days. */
int dirty_writeback_centisecs_handler(int value)
{
	dirty_writeback_interval = (unsigned int)value;
	return 0;
}

int dirty_expire_centisecs_handler(int value)
{
	if (value < 0)
		return -EINVAL;
	dirty_expire_interval = (unsigned int)value;
	return 0;
}

int highmem_is_dirtyable_handler(int value)
{
	return write_int(&vm_highmem_is_dirtyable, value, 0, 1);
}

int laptop_mode_handler(int seconds)
{
	laptop_mode = (int)((unsigned int)seconds * HZ);
	return 0;
}

/*
 * The domain. A page that was written is an event; events count half after each period, so that what a device wrote
 * lately decides its share of the limits.
 */
#define VM_COMPLETIONS_PERIOD_LEN (3 * HZ)

/* 0 means that no period runs. */
static unsigned long wp_next_time(unsigned long now)
{
	now += VM_COMPLETIONS_PERIOD_LEN;
	return now ? now : 1;
}

static void wb_domain_writeout_inc(struct wb_domain *dom, struct fprop_local_percpu *completions,
				   unsigned int max_prop_frac)
{
	__fprop_inc_percpu_max(&dom->completions, completions, max_prop_frac);
	if (unlikely(!dom->period_time)) {
		dom->period_time = wp_next_time(jiffies);
		mod_timer(&dom->period_timer, dom->period_time);
	}
}

void __wb_writeout_inc(struct bdi_writeback *wb)
{
	__add_wb_stat(wb, WB_WRITTEN, 1);
	wb_domain_writeout_inc(&global_wb_domain, &wb->completions, wb->bdi->max_prop_frac);
}

void wb_writeout_inc(struct bdi_writeback *wb)
{
	unsigned long flags;

	local_irq_save(flags);
	__wb_writeout_inc(wb);
	local_irq_restore(flags);
}

/* The timer may be late, and then several periods have passed. */
static void writeout_period(unsigned long data)
{
	struct wb_domain *dom = &global_wb_domain;
	int miss_periods = (int)((jiffies - dom->period_time) / VM_COMPLETIONS_PERIOD_LEN);

	if (fprop_new_period(&dom->completions, miss_periods + 1)) {
		dom->period_time =
			wp_next_time(dom->period_time + (unsigned long)miss_periods * VM_COMPLETIONS_PERIOD_LEN);
		mod_timer(&dom->period_timer, dom->period_time);
	} else {
		/* Hardly any event is left: the next one starts the clock again. */
		dom->period_time = 0;
	}
}

int wb_domain_init(struct wb_domain *dom)
{
	memset(dom, 0, sizeof(*dom));
	spin_lock_init(&dom->lock);
	setup_timer(&dom->period_timer, writeout_period, 0, TIMER_DEFERRABLE);
	if (patched(LIMIT_STAMP_INITIAL))
		dom->dirty_limit_tstamp = jiffies;
	fprop_global_init(&dom->completions);
	return 0;
}

/* Limits of the caller's context, whatever it is; the domain's limit goes up or down to it at once. */
void writeback_set_ratelimit(void)
{
	struct wb_domain *dom = &global_wb_domain;
	unsigned long background_thresh;
	unsigned long dirty_thresh;

	global_dirty_limits(&background_thresh, &dirty_thresh);
	dom->dirty_limit = dirty_thresh;
	ratelimit_pages = (long)(dirty_thresh / (num_online_cpus() * 32));
	if (ratelimit_pages < 16)
		ratelimit_pages = 16;
	trace_writeback_set_ratelimit(dirty_thresh, (unsigned long)ratelimit_pages);
}

/* PORT: CPUs do not come and go, so there is nobody to be told of. */
void page_writeback_init(void)
{
	if (!patched(DOMAIN_INIT_ORDER))
		writeback_set_ratelimit();
	wb_domain_init(&global_wb_domain);
	if (patched(DOMAIN_INIT_ORDER))
		writeback_set_ratelimit();
}
