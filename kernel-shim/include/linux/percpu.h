/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_PERCPU_H
#define _LINUX_PERCPU_H

#include <linux/cpumask.h>
#include <linux/smp.h>

/* Modelled: a per-CPU variable is an array with an element for each possible CPU. */
#define __percpu
#define DEFINE_PER_CPU(type, name) __world type name[NR_CPUS]
#define DECLARE_PER_CPU(type, name) extern type name[NR_CPUS]
#define per_cpu(name, cpu) ((name)[cpu])
#define this_cpu_read_of(name) ((name)[smp_processor_id()])
#define per_cpu_ptr(pointer, cpu) (&(pointer)[cpu])
#define this_cpu_inc(name) ((void)(name)[smp_processor_id()]++)
#define this_cpu_ptr(pointer) per_cpu_ptr(pointer, smp_processor_id())

#endif
