// SPDX-License-Identifier: GPL-2.0
/*
 * invariants.c - the invariants (invariant.h), which register themselves by standing in a section.
 */
#include <linux/kernel.h>
#include "fuzz/exec.h"
#include "fuzz/invariant.h"
#include "finding.h"
#include "host.h"

#define INVARIANTS_MAX 256

void (*invariant_failed)(const struct invariant *inv);
_Bool invariants_counted;

/* Those of each cost that have a body of their own, in the order of their files. */
static struct invariant *by_cost[NR_INVARIANT_COSTS][INVARIANTS_MAX];
static unsigned int nr_by_cost[NR_INVARIANT_COSTS];

static void sort_by_cost(void)
{
	static bool sorted;
	struct invariant *inv;

	if (likely(sorted))
		return;
	sorted = true;
	CHECK(__stop_invariants - __start_invariants < INVARIANTS_MAX, "more than %d invariants", INVARIANTS_MAX);
	for (inv = __start_invariants; inv < __stop_invariants; inv++)
		if (inv->check)
			by_cost[inv->cost][nr_by_cost[inv->cost]++] = inv;
}

/* What a program cannot break from outside: everything else assumes that it broke nothing. */
static const struct {
	const char *name;
	enum damage up_to;
} standing[] = {
	{ "nothing_left_locked", DAMAGE_LISTS },
	{ "pages_conserved", DAMAGE_PAGES },
	{ "every_page_conserved", DAMAGE_PAGES },
	{ "free_area_counts", DAMAGE_PAGES },
	{ "lists_match_census", DAMAGE_PAGES },
	{ "page_handed_out_once", DAMAGE_PAGES },
	{ "no_forbidden_zone", DAMAGE_PAGES },
	{ "bad_block_goes_to_no_list", DAMAGE_PAGES },
};

static bool stands_damage(const struct invariant *inv)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(standing); i++)
		if (strcmp(standing[i].name, inv->name) == 0)
			return exec_state.damage <= standing[i].up_to;
	return false;
}

static inline bool stands(const struct invariant *inv)
{
	return likely(exec_state.damage == DAMAGE_NONE) || stands_damage(inv);
}

void invariant_evaluate(struct invariant *inv)
{
	if (!stands(inv))
		return;
	inv->evaluated++;
	inv->check(inv);
}

void invariants_run(enum invariant_cost cost)
{
	unsigned int i;

	sort_by_cost();
	for (i = 0; i < nr_by_cost[cost]; i++)
		invariant_evaluate(by_cost[cost][i]);
}

const char *invariant_exceptions(const struct invariant *inv)
{
	const struct invariant_exceptions *exceptions;

	for (exceptions = __start_exceptions; exceptions < __stop_exceptions; exceptions++)
		if (exceptions->inv == inv)
			return exceptions->sentence;
	return "";
}

unsigned long invariants_evaluated(void)
{
	const struct invariant *inv;
	unsigned long sum = 0;

	for (inv = __start_invariants; inv < __stop_invariants; inv++)
		sum += inv->evaluated;
	return sum;
}

void inv_fail(struct invariant *inv, const char *format, ...)
{
	enum finding_kind kind = inv->cost == COST_MODEL ? FINDING_MODEL : FINDING_INVARIANT;
	char detail[FINDING_TEXT_BYTES];
	__builtin_va_list arguments;

	if (inv->masked || !stands(inv))
		return;
	if (invariant_failed) {
		invariant_failed(inv);
		return;
	}
	__builtin_va_start(arguments, format);
	host_format(detail, sizeof(detail), format, arguments);
	__builtin_va_end(arguments);
	finding_raise(kind, inv->name, inv->subject, inv->sentence, "%s", detail);
}
