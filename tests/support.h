/* SPDX-License-Identifier: GPL-2.0 */
/*
 * support.h - where the two worlds meet: Criterion and libc first, then the kernel's headers, which leave to libc
 * what libc also has. Nothing but the unit tests includes both.
 *
 * A test of the kernel boots a machine in its own process and needs no tear-down.
 */
#ifndef MMFUZZ_TESTS_SUPPORT_H
#define MMFUZZ_TESTS_SUPPORT_H

#include <criterion/criterion.h>

#include <linux/mm.h>
#include <linux/cpuset.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include "fault.h"
#include "finding.h"
#include "host.h"
#include "machine_boot.h"
#include "reclaim.h"
#include "trace.h"

#define SETTINGS(...) (const struct machine_setting[]){ __VA_ARGS__ }

/* Boots a preset and enters it. Settings may be NULL, 0. */
struct world *boot_machine_with(const char *preset, const struct machine_setting *settings, unsigned int nr_settings);
struct world *boot_machine(const char *preset);

/* The number of a preset, by name. */
unsigned int preset_number(const char *name);

/* Runs body(argument). Fails the test unless that ends in a finding of this kind and name. */
void expect_finding(enum finding_kind kind, const char *name, void (*body)(void *argument), void *argument);

/* Records of one kind in the trace ring; the last of them goes to *last, which may be NULL. */
unsigned int count_trace(enum trace_kind kind, struct trace_record *last);

#endif
