// SPDX-License-Identifier: GPL-2.0
/*
 * target.c - the kernel under test and the findings of a fuzz target (target.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct run_options target_options(void)
{
	static unsigned long runs;
	struct run_options options = run_options_default();

	options.kernel = kernel_of_campaign();
	options.checks = CHECKS_OP;
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

void target_finding(const struct program *program, const struct verdict *verdict, const char *remark)
{
	static unsigned char bytes[LIMIT_PROGRAM_BYTES];
	static char text[LIMIT_TEXT_BYTES], report[REPORT_BYTES];
	const char *directory = getenv("MMFUZZ_FINDINGS");
	char title[VERDICT_TITLE_BYTES], name[SLUG_BYTES + 16], base[PATH_BYTES - 16], program_path[PATH_BYTES];
	unsigned long size = program_encode(program, bytes);
	unsigned long length;

	verdict_title(verdict, title, sizeof(title));
	snprintf(base, sizeof(base), "%s/%s", directory && *directory ? directory : ".",
		 finding_name(program, title, name, sizeof(name)));
	snprintf(program_path, sizeof(program_path), "%s.prog", base);
	keep(base, ".bin", bytes, size);
	length = finding_text(program, verdict, remark, text, sizeof(text));
	keep(base, ".prog", text, length < sizeof(text) ? length : sizeof(text) - 1);
	length = verdict_report(verdict, program, program_path, report, sizeof(report));
	keep(base, ".txt", report, length < sizeof(report) ? length : sizeof(report) - 1);
	fputs(report, stderr);
	abort();
}
