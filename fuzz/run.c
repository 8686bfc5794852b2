// SPDX-License-Identifier: GPL-2.0
/*
 * run.c - the engine: read this file first.
 *
 *	program -> machine (booted once, kept) -> operations, one by one -> verdict -> restore
 *
 * Whatever goes wrong unwinds to run_program() with a finding. The world is pristine again when it returns.
 */
#include <string.h>
#include "fuzz/run.h"
#include "fuzz/exec.h"
#include "fuzz/states.h"
#include "kernel-shim/host.h"
#include "kernel-shim/trace.h"
#include "kernel-shim/world.h"

/* A booted machine and what it was booted from. */
struct kept_machine {
	struct world *world;
	struct machine_config config;
	struct kernel_config kernel;
	unsigned long last_used;
};

static struct kept_machine kept[LIMIT_MACHINES_CACHED];
static unsigned long run_number;

void (*run_aside)(_Bool begins);

static void aside(_Bool begins)
{
	if (run_aside)
		run_aside(begins);
}

struct run_options run_options_default(void)
{
	return (struct run_options){
		.kernel = kernel_profile(PROFILE_FIXED),
		.checks = CHECKS_OP,
		.walk_at_end = 1,
		.stop_before = LIMIT_OPS,
	};
}

/*
 * Machines.
 */
static _Bool same_kernel(const struct kernel_config *a, const struct kernel_config *b)
{
	return a->patches == b->patches && a->fair == b->fair && a->watermarks == b->watermarks &&
	       a->writeback == b->writeback;
}

static struct kept_machine *find_kept(const struct machine_config *config)
{
	unsigned int i;

	for (i = 0; i < LIMIT_MACHINES_CACHED; i++)
		if (kept[i].world && same_kernel(&kept[i].kernel, &kernel) &&
		    memcmp(&kept[i].config, config, sizeof(*config)) == 0)
			return &kept[i];
	return NULL;
}

static void forget_kept(struct kept_machine *machine)
{
	if (machine->world)
		world_free(machine->world);
	machine->world = NULL;
}

static struct kept_machine *least_recently_used(void)
{
	struct kept_machine *oldest = &kept[0];
	unsigned int i;

	for (i = 0; i < LIMIT_MACHINES_CACHED; i++) {
		if (!kept[i].world)
			return &kept[i];
		if (kept[i].last_used < oldest->last_used)
			oldest = &kept[i];
	}
	return oldest;
}

void run_forget_machines(void)
{
	unsigned int i;

	for (i = 0; i < LIMIT_MACHINES_CACHED; i++)
		forget_kept(&kept[i]);
}

/* The booted machine of a program; NULL when it cannot boot, then `finding` says why. */
static struct world *machine_of(const struct program *program)
{
	struct machine_config config;
	struct kept_machine *machine;
	const char *error;

	memset(&config, 0, sizeof(config));
	error = machine_configure(&config, program->preset, program->settings, program->nr_settings);
	if (error) {
		finding = (struct finding){ .kind = FINDING_HARNESS, .name = "machine that cannot boot", .subject = "run" };
		strncpy(finding.detail, error, sizeof(finding.detail) - 1);
		return NULL;
	}
	machine = find_kept(&config);
	if (!machine) {
		machine = least_recently_used();
		forget_kept(machine);
		machine->config = config;
		machine->kernel = kernel;
		aside(1);
		machine->world = exec_boot_machine(&config);
		aside(0);
	}
	machine->last_used = run_number;
	return machine->world;
}

/*
 * A run.
 */
struct run {
	const struct program *program;
	const struct run_options *options;
	struct verdict *verdict;
};

static void run_operations(void *argument)
{
	const struct run *run = argument;
	const struct run_options *options = run->options;
	unsigned int op;

	if (options->after_op)
		options->after_op(options->argument, ~0U);
	for (op = 0; op < run->program->nr_ops && op < options->stop_before; op++) {
		exec_op(op);
		if (options->after_op)
			options->after_op(options->argument, op);
	}
	exec_end();
}

static void walk(void *argument)
{
	(void)argument;
	exec_walk();
}

/* Caught by itself, so that what it finds does not leave it half-way. */
static void walk_at_end(const struct run_options *options)
{
	if (!options->walk_at_end || options->checks == CHECKS_OFF || finding.kind != FINDING_NONE)
		return;
	aside(1);
	host_catch(walk, NULL);
	aside(0);
}

/* A request that must not fail loops by contract until somebody frees memory: not a finding, but the end of the run. */
static void excuse_nofail_loop(struct verdict *verdict)
{
	if (finding.kind == FINDING_HANG && exec_nofail_used_up()) {
		finding.kind = FINDING_NONE;
		verdict->nofail_loop = 1;
	}
}

static void fill_verdict(const struct run *run)
{
	struct verdict *verdict = run->verdict;

	excuse_nofail_loop(verdict);
	verdict->finding = finding;
	verdict->op = exec_state.op;
	verdict->repeat = exec_state.repeat;
	verdict->cpu = exec_state.cpu;
	verdict->jiffies = exec_jiffies();
	verdict->calls = exec_state.calls;
	verdict->skipped = exec_state.skipped;
	verdict->caller_warnings = exec_state.caller_warnings;
	verdict->misuse = run->options->misuse;
	verdict->consequence = exec_state.damage != DAMAGE_NONE &&
			       (finding.kind == FINDING_BUG || finding.kind == FINDING_WARN || finding.kind == FINDING_HANG);
	if (run->options->count)
		verdict->checks = exec_checks() - verdict->checks;
	if (!run->options->hashes)
		return;
	verdict->trace_hash = trace_hash();
	verdict->state_hash = exec_state_hash();
}

/* A write that missed the undo log is the harness's fault, whatever the run has found. */
static void check_restored(struct verdict *verdict)
{
	const char *difference = world_difference();

	if (!difference)
		return;
	verdict->finding = (struct finding){ .kind = FINDING_HARNESS, .name = "world not restored", .subject = "world" };
	strncpy(verdict->finding.detail, difference, sizeof(verdict->finding.detail) - 1);
}

void run_program(const struct program *program, const struct run_options *options, struct verdict *verdict)
{
	struct run run = { program, options, verdict };
	struct world *world;

	*verdict = (struct verdict){ .kernel = options->kernel, .nr_ops = program->nr_ops, .op = ~0U };
	finding = (struct finding){ .kind = FINDING_NONE };
	kernel = options->kernel;
	run_number++;
	exec_count_checks(options->count);
	states_begin();
	world = machine_of(program);
	if (!world) {
		verdict->finding = finding;
		return;
	}
	if (options->count)
		verdict->checks = exec_checks();
	world_enter(world);
	exec_begin(program, options);
	host_catch(run_operations, &run);
	walk_at_end(options);
	fill_verdict(&run);
	if (options->at_end)
		options->at_end(options->argument);
	exec_forget();
	world_restore();
	if (options->compare_restored)
		check_restored(verdict);
}
