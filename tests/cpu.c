// SPDX-License-Identifier: GPL-2.0
/* cpu.c - simulated CPUs, interrupts, and what may sleep (kernel-shim/cpu.c, sched.c). */
#include "tests/support.h"

static void note_cpu(void *info)
{
	int *seen = info;

	seen[0] = smp_processor_id();
	seen[1] = irqs_disabled();
	seen[2] = cpu_contexts[0].irqs_off;
}

static void sleep_now(void *argument)
{
	might_sleep();
}

static void restore_interrupts(void *flags)
{
	irq_restore(*(unsigned long *)flags);
}

static void run_on_cpu_2(void *argument)
{
	on_cpu(2, note_cpu, argument);
}

Test(cpu, a_remote_call_runs_on_its_cpu_with_interrupts_off_there_only)
{
	int seen[3];

	boot_machine("numa2");
	on_cpu(1, note_cpu, seen);
	cr_expect_eq(seen[0], 1);
	cr_expect_eq(seen[1], 1);
	cr_expect_eq(seen[2], 0);
	cr_expect_eq(current_cpu, 0);
	cr_expect_not(cpu_contexts[1].irqs_off);
}

Test(cpu, a_remote_call_to_a_cpu_that_is_not_there_is_a_harness_finding)
{
	int seen[3];

	boot_machine("numa2");
	expect_finding(FINDING_HARNESS, "cpu >= 0 && cpu < (int)num_online_cpus()", run_on_cpu_2, seen);
}

Test(cpu, nested_saves_restore_what_each_found)
{
	unsigned long outer;
	unsigned long inner;

	local_irq_save(outer);
	local_irq_save(inner);
	cr_expect_eq(outer, 0);
	cr_expect_eq(inner, 1);
	local_irq_restore(inner);
	cr_expect(irqs_disabled());
	local_irq_restore(outer);
	cr_expect_not(irqs_disabled());
}

Test(cpu, restoring_what_was_never_saved_is_a_finding)
{
	unsigned long on = 0;
	unsigned long nonsense = 0x200;

	expect_finding(FINDING_LOCKING, "irq_restore: interrupts are on already", restore_interrupts, &on);
	expect_finding(FINDING_LOCKING, "irq_restore: not a saved state", restore_interrupts, &nonsense);
}

Test(cpu, a_task_with_nothing_held_may_sleep)
{
	cr_expect_not(in_atomic_context());
	might_sleep();
	cond_resched();
}

Test(cpu, nothing_sleeps_with_interrupts_off)
{
	irq_save();
	expect_finding(FINDING_LOCKING, "might_sleep: in atomic context", sleep_now, NULL);
}

Test(cpu, nothing_sleeps_in_an_interrupt_or_with_preemption_off)
{
	cpu_contexts[0].in_hardirq = true;
	expect_finding(FINDING_LOCKING, "might_sleep: in atomic context", sleep_now, NULL);
	cpu_contexts[0] = (struct cpu_context){ .serving_softirq = true };
	expect_finding(FINDING_LOCKING, "might_sleep: in atomic context", sleep_now, NULL);
	cpu_contexts[0] = (struct cpu_context){ .preempt_count = 1 };
	expect_finding(FINDING_LOCKING, "might_sleep: in atomic context", sleep_now, NULL);
}

Test(cpu, nothing_sleeps_in_a_remote_call)
{
	boot_machine("numa2");
	cr_expect(host_catch(sleep_now, NULL) == 0);
	irq_save();
	expect_finding(FINDING_LOCKING, "might_sleep: in atomic context", sleep_now, NULL);
}

Test(cpu, tasks_have_names_numbers_and_every_node)
{
	boot_machine("numa4");
	cr_expect_str_eq(tasks[0].comm, "task0");
	cr_expect_str_eq(tasks[7].comm, "task7");
	cr_expect_eq(tasks[7].number, 7);
	cr_expect_eq(tasks[7].mems_allowed.bits, 0xf);
	cr_expect_eq(tasks[7].prio, 120);
	cr_expect_eq(current, &tasks[0]);
}

Test(cpu, a_task_that_must_not_start_io_loses_the_io_flags)
{
	boot_machine("tiny");
	cr_expect_eq(memalloc_noio_flags(0x24000c0), 0x24000c0);
	current->flags |= PF_MEMALLOC_NOIO;
	cr_expect_eq(memalloc_noio_flags(0x24000c0), 0x2400000);
}
