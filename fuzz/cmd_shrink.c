// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_shrink.c - `shrink`: one finding, as small as it can be with the same title. Comments of a text stay; a program
 * without directives gets the story and the directives of the finding.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/files.h"
#include "fuzz/findings.h"
#include "fuzz/minimise.h"

static const struct usage usage = {
	"shrink", "FILE",
	"Make a finding smaller and keep its title: whole operations, repeats, properties, arguments, the machine.\n"
	"Writes text, or bytes if OUT does not end in .prog. When the time is up, or on Ctrl-C, what was reached is\n"
	"written.",
	1, 1,
};

struct shrink_args {
	const char *output;
	const char *kernel;
	unsigned long seconds;
	_Bool force;
};

static int write_program(const struct loaded *loaded, const struct verdict *verdict, const struct shrink_args *args)
{
	static unsigned char bytes[LIMIT_PROGRAM_BYTES];
	static char text[LIMIT_TEXT_BYTES];
	const char *message;
	const void *contents = text;
	unsigned long size;

	if (loaded->directives.expect[0])
		size = program_print(&loaded->program, loaded->directives.comments, text, sizeof(text));
	else
		size = finding_text(&loaded->program, verdict, NULL, text, sizeof(text));
	if (!args->output)
		return fputs(text, stdout) < 0 ? EXIT_USAGE : EXIT_CLEAN;
	if (!path_ends(args->output, ".prog")) {
		size = program_encode(&loaded->program, bytes);
		contents = bytes;
	}
	message = file_write(args->output, contents, size, args->force ? EXISTING_REPLACE : EXISTING_REFUSE);
	if (!message)
		return EXIT_CLEAN;
	fprintf(stderr, "mmfuzz shrink: %s\n", message);
	return EXIT_USAGE;
}

static int shrink(struct loaded *loaded, const struct shrink_args *args)
{
	static const char *const ends[] = { "done", "the time is up", "interrupted" };
	struct run_options options = run_options_default();
	char title[VERDICT_TITLE_BYTES], again[VERDICT_TITLE_BYTES];
	unsigned int nr_ops = loaded->program.nr_ops;
	double began = wall_seconds();
	unsigned long runs = 0;
	enum minimise_end end;
	struct verdict verdict;

	if (load_kernel(&options.kernel, args->kernel ? args->kernel : loaded_kernel(loaded), "mmfuzz shrink"))
		return EXIT_USAGE;
	options.misuse = loaded_misuse(loaded);
	run_titled(&loaded->program, &options, &verdict, title);
	if (!*title) {
		fprintf(stderr, "mmfuzz shrink: %s: clean on %s, there is nothing to keep\n", loaded->path,
			args->kernel ? args->kernel : loaded_kernel(loaded));
		return EXIT_USAGE;
	}
	interrupts_catch();
	end = minimise(&loaded->program, &options, title, args->seconds, &runs);
	run_titled(&loaded->program, &options, &verdict, again);
	fprintf(stderr, "%s: %u operations before, %u now, %lu runs in %.1f s: %s\n", title, nr_ops,
		loaded->program.nr_ops, runs, wall_seconds() - began, ends[end]);
	return write_program(loaded, &verdict, args);
}

int cmd_shrink(int argc, char **argv)
{
	static struct loaded loaded;
	struct shrink_args args = { .seconds = 60 };
	const struct option_spec specs[] = {
		{ "output", 'o', "OUT", "write to this file", .text = &args.output },
		{ "kernel", 'k', "KERNEL", "the kernel it fails on (default: its '# kernel:' line, or fixed)",
		  .text = &args.kernel },
		{ "seconds", 's', "N", "stop after so long; 0 = when nothing helps any more (60)",
		  .number = &args.seconds },
		{ "force", 'f', NULL, "replace OUT even if it is different", .flag = &args.force },
		{ 0 },
	};
	int first;
	int code = options_parse(&usage, specs, argc, argv, &first);

	if (code == OPTIONS_GO_ON)
		code = load(&loaded, argv[first]);
	return code != EXIT_CLEAN || !loaded.path ? code : shrink(&loaded, &args);
}
