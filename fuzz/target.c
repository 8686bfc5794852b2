// SPDX-License-Identifier: GPL-2.0
/*
 * target.c - the kernel under test and the findings of a fuzz target (target.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/code_coverage.h"
#include "fuzz/files.h"
#include "fuzz/findings.h"
#include "fuzz/target.h"

#define PATH_BYTES 4096
#define REPORT_BYTES 8192

static struct kernel_config kernel_of_campaign(void)
{
	static struct kernel_config config;
	static _Bool known;
	const char *text = getenv("MMFUZZ_KERNEL");
	const char *message;

	if (known)
		return config;
	message = kernel_parse(&config, text && *text ? text : "fixed");
	if (message) {
		fprintf(stderr, "MMFUZZ_KERNEL: %s\n", message);
		exit(EXIT_USAGE);
	}
	known = 1;
	return config;
}

/* The preset that MMFUZZ_MACHINE pins, or nr_machine_presets. */
static unsigned int pinned_preset(void)
{
	static unsigned int preset;
	static _Bool known;
	const char *name = getenv("MMFUZZ_MACHINE");

	if (known)
		return preset;
	for (preset = 0; preset < nr_machine_presets && name && *name; preset++)
		if (!strcmp(machine_presets[preset].name, name))
			break;
	if (!name || !*name)
		preset = nr_machine_presets;
	else if (preset == nr_machine_presets) {
		fprintf(stderr, "MMFUZZ_MACHINE: unknown preset '%s'; they are listed by: mmfuzz machines\n", name);
		exit(EXIT_USAGE);
	}
	known = 1;
	return preset;
}

_Bool target_decode(struct program *program, const unsigned char *data, size_t size)
{
	struct machine_config config;

	program_decode(program, data, size);
	if (pinned_preset() < nr_machine_presets) {
		program->preset = (unsigned char)pinned_preset();
		program->nr_settings = 0;
		return 1;
	}
	if (program->preset < nr_small_machine_presets)
		return 1;
	/* A large machine is booted once and kept, not again for each mutant of its settings. */
	return !program->nr_settings && !machine_configure(&config, program->preset, NULL, 0) &&
	       machine_ram_pages(&config) <= LIMIT_CAMPAIGN_RAM_PAGES;
}

_Bool target_is_writeback(unsigned int code)
{
	return (code >= OP_dirty_pages && code <= OP_idle) || code == OP_dirty_limits || code == OP_strictlimit;
}

_Bool target_uses_writeback(const struct program *program)
{
	unsigned int op;

	for (op = 0; op < program->nr_ops; op++)
		if (target_is_writeback(program->ops[op].code))
			return 1;
	return 0;
}

/* None of them makes or takes a handle, so the others keep their meaning. */
void target_drop_writeback(struct program *program)
{
	unsigned int op, kept = 0;

	for (op = 0; op < program->nr_ops; op++)
		if (!target_is_writeback(program->ops[op].code))
			program->ops[kept++] = program->ops[op];
	program->nr_ops = (unsigned short)kept;
}

struct run_options target_options(void)
{
	static unsigned long runs;
	struct run_options options = run_options_default();

	options.kernel = kernel_of_campaign();
	options.checks = CHECKS_OP;
	options.states = 1;
	options.walk_at_end = ++runs % LIMIT_FULL_WALK_INTERVAL == 0;
	options.compare_restored = options.walk_at_end;
	return options;
}

static void keep(const char *base, const char *ending, const void *bytes, unsigned long size)
{
	char path[PATH_BYTES];
	const char *message;

	snprintf(path, sizeof(path), "%s%s", base, ending);
	message = file_write(path, bytes, size, EXISTING_KEEP);
	if (message)
		fprintf(stderr, "finding not kept: %s\n", message);
}

/*
 * What a campaign has seen of one title. A known title, and with MMFUZZ_KEEP_GOING any title of mm, is no end.
 */
#define TITLES_MAX 64
#define KEPT_PER_TITLE 4

struct seen_title {
	char title[VERDICT_TITLE_BYTES];
	char name[SLUG_BYTES + 16];      /* of the last one: engines run what is new several times */
	unsigned long count;
};

static struct seen_title seen[TITLES_MAX];

static struct seen_title *see(const char *title, const char *name)
{
	unsigned int i;

	for (i = 0; i < TITLES_MAX && seen[i].title[0]; i++)
		if (!strcmp(seen[i].title, title))
			break;
	if (i == TITLES_MAX)
		return NULL;
	if (!seen[i].title[0])
		snprintf(seen[i].title, sizeof(seen[i].title), "%s", title);
	if (!strcmp(seen[i].name, name))
		return &seen[i];
	snprintf(seen[i].name, sizeof(seen[i].name), "%s", name);
	seen[i].count++;
	return &seen[i];
}

/* The titles of MMFUZZ_KNOWN. */
static _Bool is_known(const char *title)
{
	static struct known_titles known;
	static _Bool read_already;
	const char *path = getenv("MMFUZZ_KNOWN");
	const char *message;

	if (!read_already && path && *path) {
		message = known_read(&known, path);
		if (message) {
			fprintf(stderr, "MMFUZZ_KNOWN: %s\n", message);
			exit(EXIT_USAGE);
		}
	}
	read_already = 1;
	return known_has(&known, title);
}

static _Bool goes_on(const struct verdict *verdict, const char *title)
{
	const char *keep_going = getenv("MMFUZZ_KEEP_GOING");

	return is_known(title) || (keep_going && *keep_going && verdict->finding.kind != FINDING_HARNESS);
}

static void keep_finding(const struct program *program, const struct verdict *verdict, const char *remark)
{
	static unsigned char bytes[LIMIT_PROGRAM_BYTES];
	static char text[LIMIT_TEXT_BYTES], report[REPORT_BYTES];
	const char *directory = getenv("MMFUZZ_FINDINGS");
	char title[VERDICT_TITLE_BYTES], name[SLUG_BYTES + 16], base[PATH_BYTES - 16], program_path[PATH_BYTES];
	const struct seen_title *before;
	unsigned long size, length;
	_Bool end;

	verdict_title(verdict, title, sizeof(title));
	before = see(title, finding_name(program, title, name, sizeof(name)));
	end = !goes_on(verdict, title);
	if (!end && (!before || before->count > KEPT_PER_TITLE))
		return;
	snprintf(base, sizeof(base), "%s/%s", directory && *directory ? directory : ".", name);
	snprintf(program_path, sizeof(program_path), "%s.prog", base);
	size = program_encode(program, bytes);
	keep(base, ".bin", bytes, size);
	length = verdict_report(verdict, program, program_path, report, sizeof(report));
	keep(base, ".txt", report, length < sizeof(report) ? length : sizeof(report) - 1);
	length = finding_text(program, verdict, remark, text, sizeof(text));
	keep(base, ".prog", text, length < sizeof(text) ? length : sizeof(text) - 1);
	if (end || before->count <= 1)
		fputs(report, stderr);
	if (end)
		abort();
}

void target_finding(const struct program *program, const struct verdict *verdict, const char *remark)
{
	code_hold(1);
	keep_finding(program, verdict, remark);
	code_hold(0);
}

/* The environment is read before the first program runs, so that no program does it. */
__attribute__((constructor)) static void begin(void)
{
	run_around_boot = code_hold;
	kernel_of_campaign();
	pinned_preset();
}
