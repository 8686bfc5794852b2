// SPDX-License-Identifier: GPL-2.0
/*
 * bug.c - findings: what BUG, WARN, lock checks, invariants and the work budget have in common.
 *
 * Raising one keeps it in `finding`, if it is the first of the run, and unwinds to whoever runs the program. Where
 * nobody does (a unit test that expects none) it is printed and the process ends.
 */
#include <asm/work_budget.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include "finding.h"
#include "host.h"
#include "world.h"

struct finding finding;

/* Until a call sets its own budget, boot and tests have all they need. */
__world unsigned long work_left = ~0UL;

static void copy_text(char *to, unsigned long size, const char *from)
{
	unsigned long i;

	for (i = 0; from && from[i] && i < size - 1; i++)
		to[i] = from[i];
	to[i] = '\0';
}

static const char *kind_name(enum finding_kind kind)
{
	static const char *const names[NR_FINDING_KINDS] = {
		"none", "BUG", "WARN", "LOCKING", "INVARIANT", "MODEL", "HANG", "SHIM", "HARNESS",
	};

	return names[kind];
}

void finding_raise(enum finding_kind kind, const char *name, const char *subject, const char *rule,
		   const char *format, ...)
{
	if (finding.kind == FINDING_NONE) {
		__builtin_va_list arguments;

		finding.kind = kind;
		copy_text(finding.name, sizeof(finding.name), name);
		copy_text(finding.subject, sizeof(finding.subject), subject);
		copy_text(finding.rule, sizeof(finding.rule), rule);
		__builtin_va_start(arguments, format);
		host_format(finding.detail, sizeof(finding.detail), format, arguments);
		__builtin_va_end(arguments);
	}
	if (!host_catching())
		host_panic("%s %s: %s: %s", kind_name(finding.kind), finding.name, finding.subject, finding.detail);
	rcu_read_abandon();
	host_throw();
}

/* "function: condition", cut if need be: stable as long as the code is. */
static void name_condition(char *name, const char *function, const char *condition)
{
	copy_text(name, FINDING_NAME_BYTES - 2, function);
	copy_text(name + strlen(name), 3, ": ");
	copy_text(name + strlen(name), FINDING_NAME_BYTES - strlen(name), condition);
}

void bug_raise(const char *function, const char *condition)
{
	char name[FINDING_NAME_BYTES];

	name_condition(name, function, condition);
	finding_raise(FINDING_BUG, name, "mm", NULL, "%s() found its own state broken", function);
}

void warn_raise(const char *function, const char *condition)
{
	char name[FINDING_NAME_BYTES];

	name_condition(name, function, condition);
	finding_raise(FINDING_WARN, name, "mm", NULL, "%s() would warn and go on", function);
}

void shim_not_reached(const char *function)
{
	finding_raise(FINDING_SHIM, function, "kernel-shim", "nothing in mm gets here",
		      "%s() is declared for mm but not provided", function);
}

void work_begin(unsigned long budget)
{
	work_left = budget;
}

bool work_is_used_up(void)
{
	return work_left == ~0UL;
}

void work_exhausted(const char *loop)
{
	work_left = ~0UL;
	finding_raise(FINDING_HANG, loop, "mm", "every call ends within its work budget",
		      "%s() was still looping when the budget was used up", loop);
}

void work_out_of_bounds(const char *loop, unsigned long step, unsigned long most, const char *rule)
{
	finding_raise(FINDING_HANG, loop, "mm", rule, "%s: step %lu, at most %lu", loop, step, most);
}
