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
 * rules in one go, judge(thing, NAME, ...):
 *
 *	RULE(free_cma_counter, 3, COST_ZONE, "vmstat", "...", const struct zone_now *, zone)
 *	{
 *		when(listed != 0 || counted != 0);
 *		require(counted == listed, "zone %s: counter %ld, lists %ld", ...);
 *		return true;
 *	}
 *
 * The body of a rule is compiled three times. rule_NAME() is inlined into the walk and only says whether the rule holds;
 * inv_NAME() runs when it does not, and raises. So a rule that holds costs its compares. How often it was evaluated is
 * counted only while somebody asks: count_NAME() evaluates it once more.
 *
 * EXCEPTIONS(NAME, "...") before either says for people what code excepts.
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
	/* Since the process started, in runs that count (run.h). */
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

/* What an invariant does not hold for, or is not judged for. */
struct invariant_exceptions {
	const struct invariant *inv;
	const char *sentence;
};

#define EXCEPTIONS(name_, sentence_)                                                                             \
	extern struct invariant invariant_##name_;                                                               \
	static struct invariant_exceptions exceptions_##name_                                                    \
		__attribute__((section("exceptions"), used)) = { &invariant_##name_, sentence_ };

#define INVARIANT(name_, number_, cost_, subject_, sentence_)                                                    \
	static __attribute__((__noinline__)) void inv_##name_(struct invariant *inv);                            \
	DEFINE_INVARIANT(name_, number_, cost_, subject_, sentence_, inv_##name_);                               \
	static void inv_##name_(struct invariant *inv)

#define RULE(name_, number_, cost_, subject_, sentence_, type_, thing_)                                          \
	static inline __attribute__((__always_inline__)) _Bool rule_##name_(struct invariant *inv, _Bool raise,  \
									    _Bool *vacuous, type_ thing_);       \
	DEFINE_INVARIANT(name_, number_, cost_, subject_, sentence_, 0);                                         \
	static __attribute__((__noinline__, __cold__)) void inv_##name_(type_ thing_)                            \
	{                                                                                                        \
		_Bool vacuous = 0;                                                                               \
                                                                                                                 \
		rule_##name_(&invariant_##name_, 1, &vacuous, thing_);                                           \
	}                                                                                                        \
	static __attribute__((__noinline__, __cold__)) void count_##name_(type_ thing_)                          \
	{                                                                                                        \
		_Bool vacuous = 0;                                                                               \
                                                                                                                 \
		rule_##name_(&invariant_##name_, 0, &vacuous, thing_);                                           \
		invariant_##name_.evaluated++;                                                                   \
		invariant_##name_.vacuous += vacuous;                                                            \
	}                                                                                                        \
	static inline _Bool rule_##name_(struct invariant *inv, _Bool raise, _Bool *vacuous, type_ thing_)

/* While it is set evaluations of rules are counted. */
extern _Bool invariants_counted;

#define JUDGE_RULE(thing_, name_)                                                                                \
	if (__builtin_expect(!rule_##name_(&invariant_##name_, 0, &vacuous_, thing_), 0))                        \
		inv_##name_(thing_);
#define COUNT_RULE(thing_, name_) count_##name_(thing_);

#define EACH_RULE_1(do_, thing_, name_) do_(thing_, name_)
#define EACH_RULE_2(do_, thing_, name_, ...) do_(thing_, name_) EACH_RULE_1(do_, thing_, __VA_ARGS__)
#define EACH_RULE_3(do_, thing_, name_, ...) do_(thing_, name_) EACH_RULE_2(do_, thing_, __VA_ARGS__)
#define EACH_RULE_4(do_, thing_, name_, ...) do_(thing_, name_) EACH_RULE_3(do_, thing_, __VA_ARGS__)
#define EACH_RULE_5(do_, thing_, name_, ...) do_(thing_, name_) EACH_RULE_4(do_, thing_, __VA_ARGS__)
#define EACH_RULE_6(do_, thing_, name_, ...) do_(thing_, name_) EACH_RULE_5(do_, thing_, __VA_ARGS__)
#define EACH_RULE_7(do_, thing_, name_, ...) do_(thing_, name_) EACH_RULE_6(do_, thing_, __VA_ARGS__)
#define EACH_RULE_8(do_, thing_, name_, ...) do_(thing_, name_) EACH_RULE_7(do_, thing_, __VA_ARGS__)
#define EACH_RULE_OF(a_, b_, c_, d_, e_, f_, g_, h_, each_, ...) each_
#define EACH_RULE(...)                                                                                           \
	EACH_RULE_OF(__VA_ARGS__, EACH_RULE_8, EACH_RULE_7, EACH_RULE_6, EACH_RULE_5, EACH_RULE_4, EACH_RULE_3,  \
		     EACH_RULE_2, EACH_RULE_1)

/* Judge rules of this file on one thing, in this order: up to eight. */
#define judge(thing_, ...) judge_in_loop(invariants_counted, thing_, __VA_ARGS__)

/* The same for long loops, which are compiled for either answer to whether rules are counted. */
#define judge_in_loop(counted_, thing_, ...)                                                                     \
	do {                                                                                                     \
		_Bool vacuous_ = 0;                                                                              \
                                                                                                                 \
		if (__builtin_expect(counted_, 0)) {                                                             \
			EACH_RULE(__VA_ARGS__)(COUNT_RULE, thing_, __VA_ARGS__)                                  \
		}                                                                                                \
		EACH_RULE(__VA_ARGS__)(JUDGE_RULE, thing_, __VA_ARGS__)                                          \
	} while (0)

extern struct invariant __start_invariants[], __stop_invariants[];
extern struct invariant_exceptions __start_exceptions[], __stop_exceptions[];

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
			*vacuous = 1;                                                                            \
			return 1;                                                                                \
		}                                                                                                \
	} while (0)
/* Judged in any case, but it says little unless this is true. */
#define counts_if(condition) (*vacuous |= !(condition))
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
#define inv_counts_if(condition) (inv->vacuous += !(condition))

/* Evaluate every invariant of a cost that has a body of its own, or one. */
void invariants_run(enum invariant_cost cost);
void invariant_evaluate(struct invariant *inv);
/* What it excepts; "" = nothing. */
const char *invariant_exceptions(const struct invariant *inv);
/* Evaluations of all that were counted since the process started. */
unsigned long invariants_evaluated(void);

#endif
