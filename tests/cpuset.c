// SPDX-License-Identifier: GPL-2.0
/* cpuset.c - which nodes a task may use, and when it notices a change (kernel-shim/cpuset.c, specification 29.1). */
#include "tests/support.h"

#define NODE_0 ((nodemask_t){ 1 })
#define NODE_1 ((nodemask_t){ 2 })

static struct zone *zone_of_node(int nid)
{
	return &NODE_DATA(nid)->node_zones[ZONE_NORMAL];
}

static void boot_with_cpusets(void)
{
	boot_machine_with("numa2", SETTINGS({ .key = SETTING_cpusets, .x = 1 }), 1);
}

Test(cpuset, a_task_may_use_its_nodes_and_no_other_behind_a_hardwall)
{
	boot_with_cpusets();
	set_mems_allowed(current, NODE_1);
	cr_expect(__cpuset_zone_allowed(zone_of_node(1), GFP_USER));
	cr_expect_not(__cpuset_zone_allowed(zone_of_node(0), GFP_USER));
}

Test(cpuset, without_a_hardwall_the_root_allows_every_node)
{
	boot_with_cpusets();
	set_mems_allowed(current, NODE_1);
	cr_expect(__cpuset_zone_allowed(zone_of_node(0), GFP_KERNEL));
}

Test(cpuset, interrupts_and_victims_of_the_oom_killer_may_use_every_node)
{
	boot_with_cpusets();
	set_mems_allowed(current, NODE_1);
	cpu_contexts[0].in_hardirq = true;
	cr_expect(__cpuset_zone_allowed(zone_of_node(0), GFP_USER));
	cpu_contexts[0].in_hardirq = false;
	current->memdie = true;
	cr_expect(__cpuset_zone_allowed(zone_of_node(0), GFP_USER));
}

Test(cpuset, a_change_is_noticed_by_whoever_read_before_it)
{
	unsigned int seq;

	boot_with_cpusets();
	seq = read_mems_allowed_begin();
	cr_expect_not(read_mems_allowed_retry(seq));
	set_mems_allowed(current, NODE_0);
	cr_expect(read_mems_allowed_retry(seq));
	cr_expect_not(read_mems_allowed_retry(seq + 2));
}

Test(cpuset, a_change_behind_the_back_happens_when_the_task_asks)
{
	unsigned int seq;

	boot_with_cpusets();
	set_mems_allowed_later(current, NODE_1);
	seq = read_mems_allowed_begin();
	cr_expect_eq(current->mems_allowed.bits, 3);
	cr_expect(read_mems_allowed_retry(seq));
	cr_expect_eq(current->mems_allowed.bits, 2);
	seq = read_mems_allowed_begin();
	cr_expect_not(read_mems_allowed_retry(seq), "a change happens once");
}

Test(cpuset, a_change_waits_for_its_own_task)
{
	boot_with_cpusets();
	set_mems_allowed_later(&tasks[2], NODE_1);
	cr_expect_not(read_mems_allowed_retry(read_mems_allowed_begin()));
	current_task = &tasks[2];
	cr_expect(read_mems_allowed_retry(read_mems_allowed_begin()));
}

Test(cpuset, without_cpusets_nothing_ever_changes)
{
	boot_machine("numa2");
	set_mems_allowed_later(current, NODE_1);
	cr_expect_not(read_mems_allowed_retry(read_mems_allowed_begin()));
}
