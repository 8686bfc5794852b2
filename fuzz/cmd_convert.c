// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_convert.c - between the two forms of a program: `text` prints the canonical text (comments stay), `bytes` the
 * canonical bytes. Either reads either form. An existing different file is replaced only with -f, and bytes are not
 * written to a terminal.
 */
#include <stdlib.h>
#include <unistd.h>

#include "fuzz/cmd.h"
#include "fuzz/files.h"

struct convert_args {
	const char *output;
	_Bool force;
};

static int write_out(const struct usage *usage, const struct convert_args *args, const void *bytes,
		     unsigned long size)
{
	const char *message;

	if (!args->output) {
		if (fwrite(bytes, 1, size, stdout) == size)
			return EXIT_CLEAN;
		perror("mmfuzz: standard output");
		return EXIT_USAGE;
	}
	message = file_write(args->output, bytes, size, args->force ? EXISTING_REPLACE : EXISTING_REFUSE);
	if (!message)
		return EXIT_CLEAN;
	fprintf(stderr, "mmfuzz %s: %s\n", usage->verb, message);
	return EXIT_USAGE;
}

/* Options, and the program to convert. */
static int begin(const struct usage *usage, int argc, char **argv, struct convert_args *args, struct loaded *loaded)
{
	const struct option_spec specs[] = {
		{ "output", 'o', "OUT", "write to this file", .text = &args->output },
		{ "force", 'f', NULL, "replace OUT even if it is different", .flag = &args->force },
		{ 0 },
	};
	int first;
	int code = options_parse(usage, specs, argc, argv, &first);

	return code == OPTIONS_GO_ON ? load(loaded, argv[first]) : code;
}

/* --help is over with, though nothing was loaded. */
static _Bool helped(const struct loaded *loaded)
{
	return !loaded->path;
}

int cmd_text(int argc, char **argv)
{
	static const struct usage usage = {
		"text", "FILE", "Print the canonical text of a program. Comment lines of a text stay, before all others.",
		1, 1,
	};
	static struct loaded loaded;
	static char text[LIMIT_TEXT_BYTES];
	struct convert_args args = { 0 };
	int code = begin(&usage, argc, argv, &args, &loaded);
	unsigned long length;

	if (code != EXIT_CLEAN || helped(&loaded))
		return code;
	length = program_print(&loaded.program, loaded.directives.comments, text, sizeof(text));
	return write_out(&usage, &args, text, length);
}

int cmd_bytes(int argc, char **argv)
{
	static const struct usage usage = {
		"bytes", "FILE", "Write the canonical bytes of a program, as fuzzers read and mutate them.", 1, 1,
	};
	static unsigned char bytes[LIMIT_PROGRAM_BYTES];
	static struct loaded loaded;
	struct convert_args args = { 0 };
	int code = begin(&usage, argc, argv, &args, &loaded);

	if (code != EXIT_CLEAN || helped(&loaded))
		return code;
	if (!args.output && isatty(STDOUT_FILENO)) {
		fprintf(stderr, "mmfuzz bytes: not to a terminal; -o OUT or > OUT\n");
		return EXIT_USAGE;
	}
	return write_out(&usage, &args, bytes, program_encode(&loaded.program, bytes));
}
