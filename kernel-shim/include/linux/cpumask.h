/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_CPUMASK_H
#define _LINUX_CPUMASK_H

#include "machine.h"
#include "world.h"

/* Modelled: the online CPUs are 0..nr_cpus-1, and no others are possible. */
#define NR_CPUS MACHINE_CPUS_MAX
#define num_online_cpus() (machine->nr_cpus)
#define nr_cpu_ids (machine->nr_cpus)
#define for_each_online_cpu(cpu) for ((cpu) = 0; (cpu) < (int)machine->nr_cpus; (cpu)++)
#define for_each_possible_cpu(cpu) for_each_online_cpu(cpu)

#endif
