// SPDX-License-Identifier: GPL-2.0
/*
 * invariants_shim.c - an operation leaves the CPUs, locks and tasks as it found them, and a result obeys the request
 * (specification 30.I, 30.K).
 */
#include "mm/internal.h"
#include "fuzz/invariant.h"
#include "fuzz/scan_watch.h"

static bool context_at_rest(const struct cpu_context *context)
{
	return !context->irqs_off && !context->preempt_count && !context->locks_held && !context->rcu_depth;
}

INVARIANT(nothing_left_locked, 85, COST_CALL, "locking",
	  "a call leaves no lock held, interrupts as they were, no preemption or RCU nesting")
{
	unsigned int cpu;

	for (cpu = 0; cpu < machine->nr_cpus; cpu++) {
		const struct cpu_context *context = &cpu_contexts[cpu];

		inv->held++;
		inv_require(inv, context_at_rest(context), "CPU %u: irqs off %d, preempt %u, locks %u, RCU %u", cpu,
			    context->irqs_off, context->preempt_count, context->locks_held, context->rcu_depth);
	}
	inv_require(inv, !oom_lock.owner, "oom_lock held");
}

/* The highest zone type of a request, 3.2. */
static unsigned int highest_zone(unsigned int gfp)
{
	if ((gfp & __GFP_DMA) && zone_configured(ZONE_DMA))
		return ZONE_DMA;
	if ((gfp & __GFP_DMA32) && zone_configured(ZONE_DMA32))
		return ZONE_DMA32;
	if ((gfp & (__GFP_HIGHMEM | __GFP_MOVABLE)) == (__GFP_HIGHMEM | __GFP_MOVABLE))
		return ZONE_MOVABLE;
	if ((gfp & __GFP_HIGHMEM) && zone_configured(ZONE_HIGHMEM))
		return ZONE_HIGHMEM;
	return ZONE_NORMAL;
}

/* A request that may ignore its policy is sent to the local node's list, unless the zonelist is kept for THISNODE. */
static bool may_leave_thisnode(void)
{
	bool ignores_policy = (watch.alloc_flags & ALLOC_NO_WATERMARKS) || !(watch.alloc_flags & ALLOC_CPUSET);

	return watch.slow && ignores_policy && !patched(KEEP_ZONELIST_FOR_THISNODE);
}

INVARIANT(no_forbidden_zone, 64, COST_CALL, "page_alloc",
	  "the page is from a zone type, node, nodemask and cpuset that the request allows")
{
	unsigned int slot, node;

	if (!last_call.allocation || last_call.pfn == VIEW_NO_PFN)
		return;
	slot = view_slot_of_pfn(last_call.pfn);
	node = view_zone_node(slot);
	inv->held++;
	inv_require(inv, view_zone_type(slot) <= highest_zone(last_call.gfp), "zone %s for gfp %#x", view_zone_name(slot),
		    last_call.gfp);
	if (!machine->numa)
		return;
	inv_require(inv, !last_call.nodemask || (last_call.nodemask >> node & 1), "zone %s, nodemask %#x",
		    view_zone_name(slot), last_call.nodemask);
	inv_require(inv,
		    !(last_call.gfp & __GFP_THISNODE) || node == last_call.node % machine->nr_nodes ||
			    may_leave_thisnode(),
		    "zone %s, THISNODE of node %u", view_zone_name(slot), last_call.node);
	inv_require(inv, !(watch.alloc_flags & ALLOC_CPUSET) || watch_cpuset_allows(slot),
		    "zone %s, mems_allowed %#lx", view_zone_name(slot), current->mems_allowed.bits);
}
