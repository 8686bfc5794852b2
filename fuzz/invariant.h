/* SPDX-License-Identifier: GPL-2.0 */
/*
 * invariant.h - named rules. An invariant is one definition in one place, and its number is that of specification
 * section 30. Checks are pure, computed from the data (view.h), the census of what was touched, the trace or the
 * ledger, never from the function under test. Each is raised from its own non-inlined function, so that a stack names
 * it too.
 *
 * INVARIANT has a body that looks at everything it is about, and is called as often as its cost says:
 *
 *	INVARIANT(managed_is_totalram, 5, COST_BOOT, "zone", "the managed pages of all zones are totalram_pages")
 *	{
 *		...inv_require(inv, left == right, "managed %lu, totalram_pages %lu", left, right);
 *	}
 *
 * RULE is about one thing of which a step has many: a zone, a block, a visit. A walk over such things judges all their
 * rules in one go, judge(NAME, thing):
 *
 *	RULE(free_cma_counter, 3, COST_ZONE, "vmstat", "...", const struct zone_now *, zone)
 *	{
 *		when(listed != 0 || counted != 0);
 *		require(counted == listed, "zone %s: counter %ld, lists %ld", ...);
 *		return true;
 *	}
 *
 * The body of a rule is compiled twice. rule_NAME() is inlined into the walk and only says whether the rule holds;
 * inv_NAME() runs when it does not, and raises. So a rule that holds costs its compares.
 */
#ifndef MMFUZZ_INVARIANT_H
#define MMFUZZ_INVARIANT_H

enum invariant_cost {
	COST_BOOT,      /* after the boot and whenever marks, reserves or zonelists were changed */
	COST_SCAN,      /* from the trace, while an allocation or a throttled write runs */
	COST_CALL,      /* after each call into mm; an INVARIANT, which is about writeback, unless that had no part in it */
	COST_ZONE,      /* after each call, for the zones and pages it touched */
	COST_REST,      /* once, when a program that used writeback has ended and every task is at rest */
	COST_END,       /* when a program ends: every zone and counter, no list */
	COST_MODEL,     /* after each call into mm, when all others were judged: what the model predicts of it */
	COST_WALK,      /* walks every list: at a stated interval, on findings, in tests */
	NR_INVARIANT_COSTS
};

struct invariant {
	const char *name;
	unsigned int number;
	enum invariant_cost cost;
	const char *subject;
	const char *sentence;
	void (*check)(struct invariant *inv);   /* NULL: a rule */
	/* Since the process started. */
	unsigned long evaluated;
	unsigned long vacuous;           /* of these, there was nothing to check */
	_Bool masked;                    /* never raised: for kill matrices */
};

#define DEFINE_INVARIANT(name_, number_, cost_, subject_, sentence_, check_)                                     \
	extern struct invariant invariant_##name_;                                                               \
	struct invariant invariant_##name_ __attribute__((section("invariants"), used)) = {                      \
		.name = #name_, .number = number_, .cost = cost_, .subject = subject_, .sentence = sentence_,    \
		.check = check_,                                                                                 \
	}

#define INVARIANT(name_, number_, cost_, subject_, sentence_)                                                    \
	static __attribute__((__noinline__)) void inv_##name_(struct invariant *inv);                            \
	DEFINE_INVARIANT(name_, number_, cost_, subject_, sentence_, inv_##name_);                               \
	static void inv_##name_(struct invariant *inv)

#define RULE(name_, number_, cost_, subject_, sentence_, type_, thing_)                                          \
	static inline __attribute__((__always_inline__)) _Bool rule_##name_(struct invariant *inv, _Bool raise,  \
									    type_ thing_);                       \
	DEFINE_INVARIANT(name_, number_, cost_, subject_, sentence_, 0);                                         \
	static __attribute__((__noinline__, __cold__)) void inv_##name_(type_ thing_)                            \
	{                                                                                                        \
		rule_##name_(&invariant_##name_, 1, thing_);                                                     \
	}                                                                                                        \
	static inline _Bool rule_##name_(struct invariant *inv, _Bool raise, type_ thing_)

/* Judge one rule of this file on one thing. */
#define judge(name_, thing_)                                                                                     \
	do {                                                                                                     \
		invariant_##name_.evaluated++;                                                                   \
		if (__builtin_expect(!rule_##name_(&invariant_##name_, 0, thing_), 0))                           \
			inv_##name_(thing_);                                                                     \
	} while (0)

extern struct invariant __start_invariants[], __stop_invariants[];

/*
 * For kill matrices: NULL, or who is told that an invariant fails, each time. It is then not raised, as if it was masked,
 * and the run goes on, so that the others have their say.
 */
extern void (*invariant_failed)(const struct invariant *inv);

/* Raise the invariant: the format says zone, order and both numbers. Returns only if it is not raised. */
void inv_fail(struct invariant *inv, const char *format, ...)
	__attribute__((__noinline__, __cold__, format(printf, 2, 3)));

/* In a RULE: unless the first is true there is nothing to check; the second must be true. */
#define when(condition)                                                                                          \
	do {                                                                                                     \
		if (!(condition)) {                                                                              \
			inv->vacuous++;                                                                          \
			return 1;                                                                                \
		}                                                                                                \
	} while (0)
#define require(condition, ...)                                                                                  \
	do {                                                                                                     \
		if (__builtin_expect(!(condition), 0)) {                                                         \
			if (raise)                                                                               \
				inv_fail(inv, __VA_ARGS__);                                                      \
			return 0;                                                                                \
		}                                                                                                \
	} while (0)

/* In an INVARIANT: the same. */
#define inv_when(condition)                                                                                      \
	do {                                                                                                     \
		if (!(condition)) {                                                                              \
			inv->vacuous++;                                                                          \
			return;                                                                                  \
		}                                                                                                \
	} while (0)
#define inv_require(inv, condition, ...)                                                                         \
	do {                                                                                                     \
		if (__builtin_expect(!(condition), 0))                                                           \
			inv_fail(inv, __VA_ARGS__);                                                              \
	} while (0)

/* In either: judged in any case, but it says little unless this is true. */
#define counts_if(condition) (inv->vacuous += !(condition))

/* Evaluate every invariant of a cost that has a body of its own, or one. */
void invariants_run(enum invariant_cost cost);
void invariant_evaluate(struct invariant *inv);
/* Evaluations since the process started. */
unsigned long invariants_evaluated(void);

#endif
