// SPDX-License-Identifier: GPL-2.0
/*
 * target_states.c - running a program so that the engine sees which state cells it hits (target.h), as if they were more
 * edges; counting programs and cells for whoever started this process; and the law that both engines build on, tried now
 * and then: the same program covers the same edges, whatever ran before it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/code_coverage.h"
#include "fuzz/counters.h"
#include "fuzz/target.h"

/* MMFUZZ_COUNTERS: a file that holds these. */
static struct target_counters *map_counters(void)
{
	static struct target_counters nobody_asked;
	const char *path = getenv("MMFUZZ_COUNTERS");
	int file = path && *path ? open(path, O_RDWR) : -1;
	void *counters;

	if (file < 0)
		return &nobody_asked;
	counters = mmap(NULL, sizeof(nobody_asked), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	return counters == MAP_FAILED ? &nobody_asked : counters;
}

static struct target_counters *target_counters(void)
{
	static struct target_counters *counters;

	if (!counters)
		counters = map_counters();
	return counters;
}

/*
 * State cells as the engines' coverage: libFuzzer takes every byte of this section for a counter, and AFL++ gives each
 * guard of the other a place in its map, as it does for the guards of mm/. Each ignores what is made for the other.
 */
#define ENGINE_CELLS ((NR_STATE_CELLS + 63) & ~63U)

static unsigned char libfuzzer_cells[ENGINE_CELLS]
	__attribute__((section("__libfuzzer_extra_counters"), aligned(64), used));
static unsigned int afl_cells[NR_STATE_CELLS] __attribute__((section("__sancov_guards"), used));
extern unsigned char *__afl_area_ptr __attribute__((weak));

/* MMFUZZ_STATES=off leaves them out, for comparison. */
static _Bool tells_states(void)
{
	static int known = -1;

	if (known < 0) {
		const char *text = getenv("MMFUZZ_STATES");

		known = !text || strcmp(text, "off") != 0;
	}
	return known;
}

static void compare_coverage(const unsigned char *first, struct verdict *verdict)
{
	long edge = code_difference(first);
	struct finding *found = &verdict->finding;
	unsigned long nr;

	if (edge < 0 || found->kind == FINDING_HARNESS)
		return;
	*found = (struct finding){ .kind = FINDING_HARNESS, .name = "coverage differs", .subject = "target",
				   .rule = "equal programs cover equal edges" };
	snprintf(found->detail, sizeof(found->detail), "edge %ld: %u times in the first run, %u in the second", edge,
		 first[edge], code_counters(&nr)[edge]);
}

/* The first of the two runs is one without the walk, as most are. It finds what the second finds. */
static void run_twice(const struct program *program, const struct run_options *options, struct verdict *verdict)
{
	struct run_options first_options = *options;
	unsigned char *before = code_copy(), *first;

	first_options.walk_at_end = 0;
	run_program(program, &first_options, verdict);
	first = code_copy();
	code_put_back(before);
	run_program(program, options, verdict);
	compare_coverage(first, verdict);
	free(before);
	free(first);
}

void target_run(const struct program *program, const struct run_options *options, struct verdict *verdict)
{
	const unsigned char *hit = (const unsigned char *)&state_cells;
	unsigned char *ever = target_counters()->cells;
	unsigned int cell;

	target_counters()->programs++;
	if (options->walk_at_end)
		run_twice(program, options, verdict);
	else
		run_program(program, options, verdict);
	for (cell = 0; cell < NR_STATE_CELLS; cell++)
		ever[cell] |= hit[cell];
	if (!tells_states())
		return;
	memcpy(libfuzzer_cells, hit, NR_STATE_CELLS);
	for (cell = 0; &__afl_area_ptr && cell < NR_STATE_CELLS; cell++)
		if (hit[cell])
			__afl_area_ptr[afl_cells[cell]] = 1;
}

/* The environment is read before the first program runs. */
__attribute__((constructor)) static void begin(void)
{
	tells_states();
}
