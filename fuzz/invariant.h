/* SPDX-License-Identifier: GPL-2.0 */
/*
 * invariant.h - named rules. An invariant is one definition in one place:
 *
 *	INVARIANT(free_area_counts, 11, COST_ZONE, "buddy", "nr_free of an order equals the blocks on its lists")
 *	{
 *		...inv_equal(inv, left, right, "zone %s, order %u", ...);
 *	}
 *
 * The number is that of specification section 30. Checks are pure, computed from the data (view.h), the census of what
 * was touched or the ledger, never from the function under test. Each is its own non-inlined function, so that a stack
 * names it too.
 */
#ifndef MMFUZZ_INVARIANT_H
#define MMFUZZ_INVARIANT_H

enum invariant_cost {
	COST_BOOT,      /* after the boot and whenever marks, reserves or zonelists were changed */
	COST_SCAN,      /* judged by the scan watch while an allocation runs; has no body of its own to call */
	COST_CALL,      /* after each allocation or free */
	COST_ZONE,      /* after each operation, for the zones it touched */
	COST_REST,      /* once, when a program that used writeback has ended and every task is at rest */
	COST_WALK,      /* walks every list: at a stated interval, at the end, on findings, in tests */
	NR_INVARIANT_COSTS
};

struct invariant {
	const char *name;
	unsigned int number;
	enum invariant_cost cost;
	const char *subject;
	const char *sentence;
	void (*check)(struct invariant *inv);
	unsigned long evaluated;         /* since the process started */
	unsigned long held;              /* of these, how often there was something to check */
	_Bool masked;                    /* never raised: for kill matrices */
};

#define INVARIANT(name_, number_, cost_, subject_, sentence_)                                          \
	static __attribute__((__noinline__)) void inv_##name_(struct invariant *inv);                      \
	extern struct invariant invariant_##name_;                                                     \
	struct invariant invariant_##name_ __attribute__((section("invariants"), used)) = {            \
		.name = #name_, .number = number_, .cost = cost_, .subject = subject_,                 \
		.sentence = sentence_, .check = inv_##name_,                                           \
	};                                                                                             \
	static void inv_##name_(struct invariant *inv)

extern struct invariant __start_invariants[], __stop_invariants[];

/* Raise the invariant: the format says zone, order and both numbers. Returns only if it is masked. */
void inv_fail(struct invariant *inv, const char *format, ...)
	__attribute__((__noinline__, format(printf, 2, 3)));
#define inv_require(inv, condition, ...)                                                               \
	do {                                                                                           \
		if (__builtin_expect(!(condition), 0))                                                 \
			inv_fail(inv, __VA_ARGS__);                                                    \
	} while (0)

/* Evaluate every invariant of a cost, or one. */
void invariants_run(enum invariant_cost cost);
void invariant_evaluate(struct invariant *inv);
/* Invariants evaluated in this run. */
extern unsigned long invariants_evaluated;

/* What an allocation that has just returned was asked and gave; for COST_CALL. */
struct call_record {
	_Bool allocation;
	unsigned long pfn;               /* ~0UL: NULL */
	unsigned int order;
	unsigned int gfp;
	_Bool overlaps_held;             /* the program held some of these frames already */
	unsigned int node;
	unsigned int nodemask;           /* 0 = none */
	unsigned int cpu;
};
extern struct call_record last_call;

#endif
