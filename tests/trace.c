// SPDX-License-Identifier: GPL-2.0
/* trace.c - the ring of records, their hash, and who watches (kernel-shim/trace.c). */
#include "tests/support.h"
#include "fuzz/limits.h"

/* The hash of two records that differ from (1, 2, 3, 4), (0, 0, 0, 0) in the argument numbered `field`. */
static unsigned long hash_with(unsigned int field)
{
	unsigned long args[4] = { 1, 2, 3, 4 };

	if (field < 4)
		args[field]++;
	trace_reset();
	trace_emit(TRACE_MM_PAGE_FREE, args[0], args[1], args[2], args[3]);
	trace_emit(TRACE_SLEEP, 0, 0, 0, 0);
	return trace_hash();
}

Test(trace, records_are_kept_as_they_were_emitted)
{
	const struct trace_record *record;

	boot_machine("uma-64m");
	trace_emit(TRACE_MM_PAGE_FREE, 0x1234, 3, 0, 7);
	cr_assert_eq(trace_count, 1);
	record = trace_get(0);
	cr_assert_not_null(record);
	cr_expect_eq(record->kind, TRACE_MM_PAGE_FREE);
	cr_expect_eq(record->jiffies, 4294937296);
	cr_expect_eq(record->a, 0x1234);
	cr_expect_eq(record->b, 3);
	cr_expect_eq(record->d, 7);
	cr_expect_null(trace_get(1));
}

Test(trace, the_newest_records_are_kept)
{
	unsigned long i;

	for (i = 0; i < LIMIT_TRACE_RECORDS + 10; i++)
		trace_emit(TRACE_SLEEP, i, 0, 0, 0);
	cr_expect_null(trace_get(9));
	cr_expect_eq(trace_get(10)->a, 10);
	cr_expect_eq(trace_get(LIMIT_TRACE_RECORDS + 9)->a, LIMIT_TRACE_RECORDS + 9);
}

Test(trace, the_hash_depends_on_every_field)
{
	unsigned long hash = hash_with(4);
	unsigned int field;

	cr_expect_eq(hash_with(4), hash, "the same records have the same hash");
	for (field = 0; field < 4; field++)
		cr_expect_neq(hash_with(field), hash, "field %u", field);
	jiffies++;
	cr_expect_neq(hash_with(4), hash, "time");
}

Test(trace, the_hash_depends_on_records_that_were_overwritten)
{
	unsigned long hashes[2];
	unsigned long first, i;

	for (first = 0; first < 2; first++) {
		trace_reset();
		trace_emit(TRACE_SLEEP, first, 0, 0, 0);
		for (i = 0; i < LIMIT_TRACE_RECORDS; i++)
			trace_emit(TRACE_SLEEP, 2, 0, 0, 0);
		cr_assert_null(trace_get(0));
		hashes[first] = trace_hash();
	}
	cr_expect_neq(hashes[0], hashes[1]);
}

Test(trace, the_hash_may_be_asked_for_on_the_way)
{
	unsigned long at_once, i;

	for (i = 0; i < LIMIT_TRACE_RECORDS * 2; i++)
		trace_emit(TRACE_SLEEP, i, 0, 0, 0);
	at_once = trace_hash();
	trace_reset();
	for (i = 0; i < LIMIT_TRACE_RECORDS * 2; i++) {
		trace_emit(TRACE_SLEEP, i, 0, 0, 0);
		if (i % 1000 == 0)
			trace_hash();
	}
	cr_expect_eq(trace_hash(), at_once);
}

Test(trace, the_hash_depends_on_the_order)
{
	unsigned long hash;

	trace_emit(TRACE_SLEEP, 1, 0, 0, 0);
	trace_emit(TRACE_SLEEP, 2, 0, 0, 0);
	hash = trace_hash();
	trace_reset();
	trace_emit(TRACE_SLEEP, 2, 0, 0, 0);
	trace_emit(TRACE_SLEEP, 1, 0, 0, 0);
	cr_expect_neq(trace_hash(), hash);
}

static unsigned long watched;

static void watch(const struct trace_record *record)
{
	watched = record->a;
}

Test(trace, a_watcher_sees_each_record)
{
	trace_observe_all(watch);
	trace_emit(TRACE_SLEEP, 42, 0, 0, 0);
	cr_expect_eq(watched, 42);
}
