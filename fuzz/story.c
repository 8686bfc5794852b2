// SPDX-License-Identifier: GPL-2.0
/*
 * story.c - trace records as prose (story.h). Every record kind has a line of its own; a zone that a pass visits is
 * one line, with what the scan decided about it and the numbers it decided by.
 *
 * Repeats of an operation, and rounds of the slow path, that went the same way are told once, with '(x N)': the same
 * records in the same order, whatever the frame numbers and the counts of free pages in them. story_shape.c says when
 * two stretches of the trace are alike.
 */
#include <string.h>

#include "fuzz/exec.h"
#include "fuzz/story.h"
#include "fuzz/story_shape.h"
#include "fuzz/story_writeback.h"
#include "fuzz/view.h"
#include "kernel-shim/trace.h"
#include "mm/patches.h"

_Static_assert(STORY_SLOTS == VIEW_SLOTS_MAX, "a story has room for every zone");

/* mm/internal.h is not for this side; the values are part of the trace format. */
enum {
	FLAG_MARK_MASK = 0x3,
	FLAG_NO_WATERMARKS = 0x4,
	FLAG_HARDER = 0x10,
	FLAG_HIGH = 0x20,
	FLAG_FAIR = 0x100,
	APPLY_FAIR = 1 << 16,
};

#define NO_SLOT (~0UL)

/* Who tells: the scan as far as the records have said. */
struct teller {
	FILE *out;
	const struct story_world *world;
	unsigned int order;
	unsigned long flags;         /* of this pass */
	unsigned long preferred;     /* slot at position 0 */
	unsigned long taken;         /* slot of the last page */
	unsigned int visits;         /* in this pass */
	_Bool many_nodes;
	struct trace_record call;    /* that was told last */
};

static const char *const migratetypes[] = { "UNMOVABLE", "MOVABLE", "RECLAIMABLE", "HIGHATOMIC", "CMA", "ISOLATE" };

static const char *name_of(const char *const *names, unsigned int nr, unsigned long value)
{
	return value < nr && names[value] ? names[value] : "?";
}
#define NAME(names, value) name_of(names, sizeof(names) / sizeof((names)[0]), value)

static const char *zone_name(const struct teller *t, unsigned long slot)
{
	return slot < STORY_SLOTS && t->world->zones[slot].name[0] ? t->world->zones[slot].name : "?";
}

/* The next record of a kind in [from, end) before one of `stop`; NULL if there is none. */
static const struct trace_record *look_ahead(unsigned long from, unsigned long end, enum trace_kind kind)
{
	for (; from < end; from++) {
		const struct trace_record *r = trace_get(from);

		if (r && r->kind == kind)
			return r;
		if (r && (r->kind == TRACE_ZONE_VISIT || r->kind == TRACE_SCAN_END))
			break;
	}
	return NULL;
}

/*
 * A pass.
 */
static void tell_flags(const struct teller *t, unsigned long flags)
{
	static const char *const marks[] = { "WMARK_MIN", "WMARK_LOW", "WMARK_HIGH" };
	static const struct {
		unsigned long bit;
		const char *name;
	} bits[] = {
		{ FLAG_HARDER, "HARDER" }, { FLAG_HIGH, "HIGH" }, { 0x40, "CPUSET" },
		{ 0x80, "CMA" },           { FLAG_FAIR, "FAIR" }, { 0x200, "DIRTY" },
	};
	unsigned int i;

	fputs(flags & FLAG_NO_WATERMARKS ? "NO_WATERMARKS" : NAME(marks, flags & FLAG_MARK_MASK), t->out);
	for (i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (flags & bits[i].bit)
			fprintf(t->out, "|%s", bits[i].name);
}

static void tell_pass(struct teller *t, const struct trace_record *r)
{
	t->flags = r->c;
	t->visits = 0;
	fprintf(t->out, "    pass %-4lu ", r->a);
	tell_flags(t, r->c & APPLY_FAIR ? r->c : r->c & ~(unsigned long)FLAG_FAIR);
	if (t->many_nodes)
		fprintf(t->out, ", %s of node %u", TRACE_PLACE_LIST(r->d) ? "zones" : "zonelist", TRACE_PLACE_NODE(r->d));
	if (TRACE_PLACE_NODEMASK(r->d) != 0xff)
		fprintf(t->out, ", nodes 0x%x", TRACE_PLACE_NODEMASK(r->d));
	if (r->b)
		fprintf(t->out, ", starting %ld zones behind the preferred one", (long)r->b);
	fputc('\n', t->out);
}

/* What is left of the minimum for a request that may go deeper. */
static long effective_mark(const struct teller *t, const struct story_zone *zone)
{
	long mark = (long)zone->mark[t->flags & FLAG_MARK_MASK];

	if (t->flags & FLAG_HIGH)
		mark -= mark / 2;
	if (t->flags & FLAG_HARDER)
		mark -= mark / 4;
	return mark;
}

/* "below the low watermark: free 120, mark 130+19" */
static void tell_shortage(const struct teller *t, const struct trace_record *visit)
{
	static const char *const marks[] = { "min", "low", "high" };
	static const struct story_zone nowhere;
	const struct story_zone *zone = visit->a < STORY_SLOTS ? &t->world->zones[visit->a] : &nowhere;
	unsigned long class = t->preferred == NO_SLOT ? 0 : t->preferred % MACHINE_ZONES_MAX;
	long mark = effective_mark(t, zone);
	long spare = (long)visit->c - (1L << (t->order < 31 ? t->order : 31)) + 1 - mark - zone->reserve[class];
	const char *which = NAME(marks, t->flags & FLAG_MARK_MASK);

	if (spare <= 0)
		fprintf(t->out, "below the %s watermark: ", which);
	else if (t->order)
		fprintf(t->out, "no block of order %u above the %s watermark: ", t->order, which);
	else
		fprintf(t->out, "below the %s watermark without its HIGHATOMIC or CMA pages: ", which);
	fprintf(t->out, "free %ld, mark %ld+%ld", (long)visit->c, mark, zone->reserve[class]);
}

static void tell_decision(struct teller *t, const struct trace_record *visit, const struct trace_record *verdict)
{
	/* The only policy that passes over remote zones, instead of ending there. */
	_Bool remote = kernel.fair == FAIR_F316 && t->preferred != NO_SLOT &&
		       visit->a / MACHINE_ZONES_MAX != t->preferred / MACHINE_ZONES_MAX;

	switch (verdict ? verdict->b : NR_ZONE_VERDICTS) {
	case VERDICT_CPUSET:
		fputs("skipped: outside the cpuset of the task", t->out);
		return;
	case VERDICT_FAIR_SKIP:
		fputs(remote ? "skipped: remote zone in the fair pass" : "skipped: fair batch used up", t->out);
		return;
	case VERDICT_FAIR_ABORT:
		fputs("remote zone ends the fair pass", t->out);
		return;
	case VERDICT_DIRTY:
		fputs("skipped: over its dirty limit", t->out);
		return;
	case VERDICT_WMARK:
	case VERDICT_RECLAIM_NOSCAN:
	case VERDICT_RECLAIM_FULL:
	case VERDICT_RECLAIM_LOW:
		fputs("skipped: ", t->out);
		tell_shortage(t, visit);
		break;
	case VERDICT_TAKE_FAIL:
		fputs("tried: had no block to give", t->out);
		return;
	case VERDICT_TAKEN:
		fputs("taken", t->out);
		return;
	default:
		fputs("the run ended here", t->out);
		return;
	}
	if (verdict->b == VERDICT_RECLAIM_NOSCAN)
		fputs(" (zone reclaim would not scan)", t->out);
	else if (verdict->b == VERDICT_RECLAIM_FULL)
		fputs(" (zone reclaim had nothing to scan)", t->out);
	else if (verdict->b == VERDICT_RECLAIM_LOW)
		fputs(" (before zone reclaim, and still below after it)", t->out);
}

static void tell_visit(struct teller *t, const struct trace_record *visit, const struct trace_record *verdict)
{
	t->visits++;
	if (visit->b == 0)
		t->preferred = visit->a;
	fprintf(t->out, "      %-10s free %8ld  batch %6ld   ", zone_name(t, visit->a), (long)visit->c, (long)visit->d);
	tell_decision(t, visit, verdict);
	fputc('\n', t->out);
}

static void tell_scan_end(struct teller *t, const struct trace_record *r)
{
	t->taken = r->c;
	if (r->a != TRACE_NO_PFN)
		return;
	if (!t->visits)
		fprintf(t->out, "      no zone is left to look at\n");
	fprintf(t->out, "      nothing found%s\n", r->b > 1 ? " in this pass either" : "");
}

/*
 * Lines of one record.
 */
static void tell_result(struct teller *t, const struct trace_record *r)
{
	if (r->a == TRACE_NO_PFN)
		fprintf(t->out, "    result    NULL\n");
	else
		fprintf(t->out, "    result    pfn 0x%lx, order %lu, %s\n", r->a, r->b, zone_name(t, t->taken));
}

static void tell_neighbour(struct teller *t, const struct trace_record *r)
{
	static const char *const compaction[] = { "not_suitable_zone", "skipped",  "deferred",
						  "no_suitable_page",  "continue", "complete",
						  "partial_skipped",   "contended", "partial" };
	static const char *const zone_reclaim[] = { "noscan", "full", "some", "success" };

	switch (r->kind) {
	case TRACE_KSWAPD_WAKE:
		fprintf(t->out, "    kswapd    %s, order %lu: %s\n", zone_name(t, r->a), r->b,
			r->d ? "woken" : "not needed, or awake");
		break;
	case TRACE_DIRECT_RECLAIM:
		fprintf(t->out, "    reclaim   order %lu: ", r->a);
		fprintf(t->out, !r->c ? "no progress\n" : r->c == 1 ? "1 page of progress\n" : "%lu pages of progress\n",
			r->c);
		break;
	case TRACE_DIRECT_COMPACT:
		fprintf(t->out, "    compact   order %lu: %s\n", r->a, NAME(compaction, r->c));
		break;
	case TRACE_ZONE_RECLAIM:
		fprintf(t->out, "        zone reclaim of %s, order %lu: %s\n", zone_name(t, r->a), r->b,
			NAME(zone_reclaim, r->c + 2));
		break;
	case TRACE_OOM:
		fprintf(t->out, "    oom       order %lu: %s\n", r->a, r->c ? "somebody is killed" : "nobody to kill");
		break;
	default:
		fprintf(t->out, "    sleeps    %lu jiffies\n", r->a);
		break;
	}
}

static void tell_warning(struct teller *t, const struct trace_record *r)
{
	static const char *const warnings[NR_CALLER_WARNINGS] = {
		[CALLER_ORDER_TOO_LARGE] = "the order is beyond MAX_ORDER",
		[CALLER_ATOMIC_WITH_RECLAIM] = "__GFP_ATOMIC with __GFP_DIRECT_RECLAIM",
		[CALLER_NOFAIL_NO_RECLAIM] = "__GFP_NOFAIL without __GFP_DIRECT_RECLAIM",
		[CALLER_NOFAIL_MEMALLOC] = "__GFP_NOFAIL from a PF_MEMALLOC task",
		[CALLER_NOFAIL_HIGH_ORDER] = "__GFP_NOFAIL with an order above 1",
		[CALLER_NOFAIL_OOM] = "__GFP_NOFAIL, and nobody is left to kill",
		[CALLER_BAD_ZONE_BITS] = "these zone bits do not go together",
		[CALLER_MOBILITY_BITS] = "__GFP_MOVABLE with __GFP_RECLAIMABLE",
		[CALLER_CONTIG_IN_USE] = "pages of a contiguous range were given back with other references on them",
	};

	fprintf(t->out, "    caller    warned: %s\n", NAME(warnings, r->a));
}

static void tell_skipped(struct teller *t, const struct trace_record *r)
{
	static const char *const reasons[] = {
		[SKIP_NO_PRODUCER] = "the handle names nothing",
		[SKIP_DEAD] = "already freed, or never allocated",
		[SKIP_CALLS] = "the program has made all the calls, or gone through all the pages of files, that it may",
		[SKIP_MISUSE] = "this would be misuse by the caller",
		[SKIP_NO_ZONE] = "this machine has no such zone or node",
		[SKIP_CONTEXT] = "a request that may sleep, in interrupt context",
		[SKIP_KIND] = "what the handle names is of another kind",
		[SKIP_RANGE] = "these frames are not all of one zone and one kind of memory",
		[SKIP_ASLEEP] = "the task sleeps",
		[SKIP_WAKEUPS] = "the program has used up its wakeups: time stands still",
		[SKIP_NO_PAGES] = "no page could be had for the file",
	};

	fprintf(t->out, "    skipped   %s\n", NAME(reasons, r->b));
}

static void tell_fallback(struct teller *t, const struct trace_record *r)
{
	fprintf(t->out, "        fallback: a block of order %lu from %s serves order %lu of %s\n", r->b >> 8,
		NAME(migratetypes, r->c >> 8), r->b & 0xff, NAME(migratetypes, r->c & 0xff));
}

/* Pages that move between lists come in bursts: `nr` records of one kind from r on. */
static void tell_burst(struct teller *t, const struct trace_record *r, unsigned long nr)
{
	const char *type = r->kind == TRACE_MM_PAGE_FREE_BATCHED ? "" : NAME(migratetypes, r->c);

	switch (r->kind) {
	case TRACE_MM_PAGE_ALLOC_ZONE_LOCKED:
		fprintf(t->out, "        %lu block%s of order %lu off the free lists for %s\n", nr, nr > 1 ? "s" : "", r->b,
			type);
		break;
	case TRACE_MM_PAGE_PCPU_DRAIN:
		fprintf(t->out, "        %lu page%s from a per-CPU list to the free lists of %s\n", nr, nr > 1 ? "s" : "",
			type);
		break;
	case TRACE_MM_PAGE_FREE:
		fprintf(t->out, "    freed     pfn 0x%lx, order %lu", r->a, r->b);
		fprintf(t->out, nr > 1 ? ", and %lu blocks after it\n" : "\n", nr - 1);
		break;
	default:
		fprintf(t->out, "    freed     pfn 0x%lx%s in a batch of %lu\n", r->a, r->b ? ", cold," : "", nr);
		break;
	}
}

static void tell_call(struct teller *t, const struct trace_record *r)
{
	char gfp[512];

	t->order = (unsigned int)r->a;
	t->preferred = NO_SLOT;
	t->taken = NO_SLOT;
	if (t->call.kind && t->call.a == r->a && t->call.b == r->b && t->call.c == r->c && t->call.d == r->d)
		return;
	t->call = *r;
	fprintf(t->out, "    call      order %lu, %s, zones up to %s", r->a, gfp_print(gfp, sizeof(gfp), (unsigned int)r->b),
		machine_zone_name((unsigned int)r->d));
	fprintf(t->out, r->c == ~0UL ? "\n" : ", nodes 0x%lx\n", r->c);
}

static void tell_flag_change(struct teller *t, const struct trace_record *r)
{
	fprintf(t->out, "        %s: %s\n", zone_name(t, r->a),
		r->c ? "the fair batch is used up, ZONE_FAIR_DEPLETED set" : "ZONE_FAIR_DEPLETED cleared");
}

static void tell_other(struct teller *t, const struct trace_record *r)
{
	char gfp[512];

	switch (r->kind) {
	case TRACE_BATCH_RESET:
		fprintf(t->out, "    refill    fair batches of the node, up to %s\n", zone_name(t, r->a));
		break;
	case TRACE_SLOWPATH_ENTER:
		fprintf(t->out, "    slow path\n");
		break;
	case TRACE_SLOWPATH_RETRY:
		fprintf(t->out, "    round %lu\n", r->a + 1);
		break;
	case TRACE_ALLOC_FAILED:
		fprintf(t->out, "    log       page allocation failure: order:%lu, mode:%#lx(%s)\n", r->a, r->b,
			gfp_format(gfp, sizeof(gfp), (unsigned int)r->b));
		break;
	case TRACE_FAULT:
		fprintf(t->out, "    fault     the request fails because the program says so (point %lu)\n", r->a);
		break;
	case TRACE_BAD_PAGE:
		fprintf(t->out, "    bad page  pfn 0x%lx, reason %lu\n", r->a, r->b);
		break;
	case TRACE_PAGE_LEAKED:
		fprintf(t->out, "    leaked    pfn 0x%lx, order %lu\n", r->a, r->b);
		break;
	case TRACE_MIGRATE:
		fprintf(t->out, "    migrate   frames 0x%lx-0x%lx: %s\n", r->a, r->b,
			r->c ? "not all could be moved away" : "nothing in use is left");
		break;
	default:
		story_writeback(t->out, r);
		break;
	}
}

static void tell_record(struct teller *t, unsigned long number, unsigned long end)
{
	const struct trace_record *r = trace_get(number);

	switch (r->kind) {
	case TRACE_CALL_BEGIN:
		tell_call(t, r);
		break;
	case TRACE_SCAN_BEGIN:
		tell_pass(t, r);
		break;
	case TRACE_ZONE_VISIT:
		tell_visit(t, r, look_ahead(number + 1, end, TRACE_ZONE_VERDICT));
		break;
	case TRACE_SCAN_END:
		tell_scan_end(t, r);
		break;
	case TRACE_MM_PAGE_ALLOC:
		tell_result(t, r);
		break;
	case TRACE_MM_PAGE_ALLOC_EXTFRAG:
		tell_fallback(t, r);
		break;
	case TRACE_FLAG_CHANGE:
		tell_flag_change(t, r);
		break;
	case TRACE_KSWAPD_WAKE:
	case TRACE_DIRECT_RECLAIM:
	case TRACE_DIRECT_COMPACT:
	case TRACE_ZONE_RECLAIM:
	case TRACE_OOM:
	case TRACE_SLEEP:
		tell_neighbour(t, r);
		break;
	case TRACE_CALLER_WARNING:
		tell_warning(t, r);
		break;
	case TRACE_OP_SKIPPED:
		tell_skipped(t, r);
		break;
	default:
		tell_other(t, r);
		break;
	}
}

/* One burst or record. Returns what comes after it. */
static unsigned long tell_next(struct teller *t, unsigned long first, unsigned long end)
{
	unsigned long burst = shape_burst(first, end);

	if (burst)
		tell_burst(t, trace_get(first), burst);
	else
		tell_record(t, first, end);
	return first + (burst ? burst : 1);
}

static void tell_stretch(struct teller *t, unsigned long first, unsigned long end)
{
	unsigned long next, pairs;

	while (first < end) {
		pairs = shape_pairs(first, end, &next);
		first = tell_next(t, first, end);
		if (pairs < 2)
			continue;
		tell_next(t, first, end);
		fprintf(t->out, "        (x %lu)\n", pairs);
		first = next;
	}
}

/*
 * Stretches that are alike.
 */

/* The end of the stretch that begins at first; those up to *next, *nr with the first, are like it. */
static unsigned long alike(unsigned long first, unsigned long *next, unsigned long end, unsigned long kinds,
			   unsigned long *nr)
{
	unsigned long shape, stretch_end = shape_split(first + 1, end, kinds);

	*next = stretch_end;
	shape = shape_of(first, stretch_end);
	for (*nr = 1; *next < end; (*nr)++) {
		unsigned long after = shape_split(*next + 1, end, kinds);

		if (shape_of(*next, after) != shape)
			break;
		*next = after;
	}
	return stretch_end;
}

/* One repeat of an operation: rounds of the slow path may repeat in it. */
static void tell_repeat(struct teller *t, unsigned long first, unsigned long end)
{
	unsigned long at = shape_split(first, end, SHAPE_ROUND);
	unsigned long next, nr;

	tell_stretch(t, first, at);
	for (; at < end; at = next) {
		unsigned long stretch_end = alike(at, &next, end, SHAPE_ROUND, &nr);

		tell_stretch(t, at, stretch_end);
		if (nr > 1)
			fprintf(t->out, "    (x %lu rounds)\n", nr);
	}
}

/* Where the last of several alike repeats ended up. */
static void tell_last_result(struct teller *t, unsigned long first, unsigned long end)
{
	const struct trace_record *last = NULL;

	for (; first < end; first++) {
		const struct trace_record *r = trace_get(first);

		if (r->kind == TRACE_MM_PAGE_ALLOC)
			last = r;
	}
	if (last && last->a != TRACE_NO_PFN)
		fprintf(t->out, " with pfn 0x%lx", last->a);
}

static void tell_repeats(struct teller *t, const struct op *op, unsigned long at, unsigned long end)
{
	unsigned long repeat = 1;
	unsigned long next, nr;

	for (; at < end; at = next, repeat += nr) {
		unsigned long stretch_end = alike(at, &next, end, SHAPE_REPEAT, &nr);

		if (op->repeat > 1)
			fprintf(t->out, "  repeat %lu of %u\n", repeat, op->repeat);
		tell_repeat(t, at, stretch_end);
		if (nr < 2)
			continue;
		fprintf(t->out, "  (x %lu, to repeat %lu", nr, repeat + nr - 1);
		tell_last_result(t, stretch_end, next);
		fprintf(t->out, ")\n");
	}
}

static _Bool has_many_nodes(const struct story_world *world)
{
	unsigned int slot;

	for (slot = MACHINE_ZONES_MAX; slot < STORY_SLOTS; slot++)
		if (world->zones[slot].name[0])
			return 1;
	return 0;
}

void story_op(FILE *out, const struct story_world *world, const struct program *program, unsigned int op,
	      unsigned long first, unsigned long end)
{
	struct teller t = { .out = out, .world = world, .preferred = NO_SLOT, .taken = NO_SLOT,
			    .many_nodes = has_many_nodes(world) };
	unsigned long at = first;
	unsigned long repeats;
	char line[512];

	op_print(program, op, line, sizeof(line));
	fprintf(out, "\nop %u of %u   %s\n", op + 1, program->nr_ops, line);
	while (at < end && !trace_get(at))
		at++;
	repeats = shape_split(at, end, SHAPE_REPEAT);
	if (at > first) {
		fprintf(out, "    (the first %lu records of this operation are gone; repeats are counted from here)\n",
			repeats - first);
		at = repeats;
	}
	tell_stretch(&t, at, repeats);
	tell_repeats(&t, &program->ops[op], repeats, end);
}

/*
 * Pictures.
 */
void story_look(struct story_world *world)
{
	unsigned int slot, i;

	memset(world->zones, 0, sizeof(world->zones));
	for (slot = 0; slot < view_nr_slots(); slot++) {
		struct story_zone *zone = &world->zones[slot];

		if (!view_populated(slot))
			continue;
		snprintf(zone->name, sizeof(zone->name), "%s", exec_zone_name(slot));
		zone->managed = view_managed(slot);
		for (i = 0; i < 3; i++)
			zone->mark[i] = view_watermark(slot, i);
		for (i = 0; i < MACHINE_ZONES_MAX; i++)
			zone->reserve[i] = view_lowmem_reserve(slot, i);
	}
	exec_picture(world->picture, sizeof(world->picture));
}

static void tell_marks(FILE *out, const char *label, const struct story_zone *zone)
{
	unsigned int class;

	fprintf(out, "    %-9s %-10s managed %9lu  min %6lu  low %6lu  high %6lu  reserve", label, zone->name,
		zone->managed, zone->mark[0], zone->mark[1], zone->mark[2]);
	for (class = 0; class < MACHINE_ZONES_MAX; class++)
		fprintf(out, " %ld", zone->reserve[class]);
	fputc('\n', out);
}

void story_machine(FILE *out, const struct story_world *world)
{
	unsigned int slot;

	for (slot = 0; slot < STORY_SLOTS; slot++)
		if (world->zones[slot].name[0])
			tell_marks(out, "zone", &world->zones[slot]);
	fprintf(out, "    (reserve: pages kept from requests for DMA, DMA32, Normal, HighMem and Movable)\n");
}

/* A zone of a picture: a line, and the indented lines after it. */
static size_t zone_length(const char *picture)
{
	size_t length = 0;

	while (picture[length]) {
		length += strcspn(picture + length, "\n");
		length += picture[length] == '\n';
		if (picture[length] != ' ')
			break;
	}
	return length;
}

static void tell_lines(FILE *out, const char *text, size_t length)
{
	while (length) {
		size_t line = strcspn(text, "\n") + 1;

		fprintf(out, "    %.*s", (int)line, text);
		text += line;
		length -= line < length ? line : length;
	}
}

void story_changes(FILE *out, const struct story_world *before, const struct story_world *after)
{
	const char *old = before->picture, *new = after->picture;
	unsigned int slot;

	for (slot = 0; slot < STORY_SLOTS; slot++)
		if (memcmp(&before->zones[slot], &after->zones[slot], sizeof(struct story_zone)))
			tell_marks(out, "marks", &after->zones[slot]);
	while (*new) {
		size_t old_length = zone_length(old), new_length = zone_length(new);

		if (old_length != new_length || memcmp(old, new, new_length))
			tell_lines(out, new, new_length);
		old += old_length;
		new += new_length;
	}
}
