// SPDX-License-Identifier: GPL-2.0
/*
 * target.c - the kernel under test and the findings of a fuzz target (target.h). Names of findings depend on the
 * title and on the canonical bytes of the program alone, so that the same finding of two processes is one set of files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/files.h"
#include "fuzz/sink.h"
#include "fuzz/target.h"

#define SLUG_BYTES 64
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

_Bool target_uses_writeback(const struct program *program)
{
	unsigned int op;

	for (op = 0; op < program->nr_ops; op++)
		if (program->ops[op].code >= OP_dirty_pages && program->ops[op].code <= OP_idle)
			return 1;
	return 0;
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

/* FNV-1a. */
static unsigned int hash_bytes(const unsigned char *bytes, unsigned long size)
{
	unsigned int hash = 2166136261u;

	while (size--)
		hash = (hash ^ *bytes++) * 16777619u;
	return hash;
}

/* "invariant-zone_missed_after_reset": what any file system can bear. */
static void make_slug(char *slug, const char *title)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	unsigned long at = 0;

	for (; *title && at < SLUG_BYTES - 1; title++) {
		char c = *title >= 'A' && *title <= 'Z' ? (char)(*title - 'A' + 'a') : *title;

		if (strchr(plain, c))
			slug[at++] = c;
		else if (at && slug[at - 1] != '-')
			slug[at++] = '-';
	}
	while (at && slug[at - 1] == '-')
		at--;
	slug[at] = '\0';
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

static unsigned long print_finding(const struct program *program, const struct verdict *verdict, const char *title,
				   const char *remark, char *text, unsigned long size)
{
	char comments[KERNEL_TEXT_BYTES + 1024], kernel_text[KERNEL_TEXT_BYTES];
	struct sink sink = { comments, sizeof(comments), 0 };

	sink_put(&sink, "# %s\n", title);
	if (remark)
		sink_put(&sink, "# %s\n", remark);
	sink_put(&sink, "# kernel: %s\n# expect: %s\n",
		 kernel_print(&verdict->kernel, kernel_text, sizeof(kernel_text)), title);
	return program_print(program, comments, text, size);
}

void target_finding(const struct program *program, const struct verdict *verdict, const char *remark)
{
	static unsigned char bytes[LIMIT_PROGRAM_BYTES];
	static char text[LIMIT_TEXT_BYTES], report[REPORT_BYTES];
	const char *directory = getenv("MMFUZZ_FINDINGS");
	char title[VERDICT_TITLE_BYTES], slug[SLUG_BYTES], base[PATH_BYTES - 16], program_path[PATH_BYTES];
	unsigned long size = program_encode(program, bytes);
	unsigned long length;

	make_slug(slug, verdict_title(verdict, title, sizeof(title)));
	snprintf(base, sizeof(base), "%s/%s-%08x", directory && *directory ? directory : ".", slug,
		 hash_bytes(bytes, size));
	snprintf(program_path, sizeof(program_path), "%s.prog", base);
	keep(base, ".bin", bytes, size);
	length = print_finding(program, verdict, title, remark, text, sizeof(text));
	keep(base, ".prog", text, length < sizeof(text) ? length : sizeof(text) - 1);
	length = verdict_report(verdict, program, program_path, report, sizeof(report));
	keep(base, ".txt", report, length < sizeof(report) ? length : sizeof(report) - 1);
	fputs(report, stderr);
	abort();
}
