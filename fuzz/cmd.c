// SPDX-License-Identifier: GPL-2.0
/*
 * cmd.c - what the verbs share (cmd.h): reading a program in either spelling, naming a kernel, and printing JSON,
 * one object a line with the fields in the order of the calls.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/cmd.h"
#include "fuzz/files.h"

/*
 * Bytes have no comments: that their operations may break the callers' contract is told by the target that they were made
 * for, and that by a directory of its name, as in corpus/bytes/misuse or build/campaigns/misuse/corpus.
 */
static _Bool is_for_misuse(const char *path)
{
	return strstr(path, "/misuse/") || !strncmp(path, "misuse/", strlen("misuse/"));
}

int load(struct loaded *loaded, const char *path)
{
	struct text_error error = { 0 };
	unsigned char *bytes;
	unsigned long size;
	const char *message = file_read(path, &bytes, &size);
	_Bool good = 1;

	if (message) {
		fprintf(stderr, "%s\n", message);
		return EXIT_USAGE;
	}
	loaded->path = path;
	loaded->text = path_ends(path, ".prog");
	memset(&loaded->directives, 0, sizeof(loaded->directives));
	if (loaded->text)
		good = program_parse(&loaded->program, (const char *)bytes, size, 1, &loaded->directives, &error);
	else
		program_decode(&loaded->program, bytes, size);
	if (!loaded->text && is_for_misuse(path))
		strcpy(loaded->directives.misuse, "yes");
	free(bytes);
	if (good)
		return EXIT_CLEAN;
	fprintf(stderr, "%s:%u:%u: %s\n", path, error.line, error.column, error.message);
	return EXIT_USAGE;
}

int load_kernel(struct kernel_config *kernel_config, const char *text, const char *where)
{
	const char *message = kernel_parse(kernel_config, text);

	if (!message)
		return EXIT_CLEAN;
	fprintf(stderr, "%s: %s\n", where, message);
	return EXIT_USAGE;
}

const char *loaded_kernel(const struct loaded *loaded)
{
	return loaded->directives.kernel[0] ? loaded->directives.kernel : "fixed";
}

_Bool loaded_misuse(const struct loaded *loaded)
{
	return !strcmp(loaded->directives.misuse, "yes");
}

void run_titled(const struct program *program, const struct run_options *options, struct verdict *verdict,
		char *title)
{
	run_program(program, options, verdict);
	verdict_title(verdict, title, VERDICT_TITLE_BYTES);
}

/* True until the first field of an object is out. */
static _Bool first_field;

static void put_quoted(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(file, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			fprintf(file, "\\u%04x", (unsigned char)*text);
		else
			fputc(*text, file);
	}
	fputc('"', file);
}

static void put_name(FILE *file, const char *name)
{
	fprintf(file, "%s\"%s\": ", first_field ? "" : ", ", name);
	first_field = 0;
}

void json_begin(FILE *file)
{
	fputc('{', file);
	first_field = 1;
}

void json_text(FILE *file, const char *name, const char *text)
{
	put_name(file, name);
	put_quoted(file, text);
}

void json_number(FILE *file, const char *name, unsigned long number)
{
	put_name(file, name);
	fprintf(file, "%lu", number);
}

void json_real(FILE *file, const char *name, double number)
{
	put_name(file, name);
	fprintf(file, "%.6g", number);
}

void json_hex(FILE *file, const char *name, unsigned long number)
{
	put_name(file, name);
	fprintf(file, "\"%016lx\"", number);
}

void json_bool(FILE *file, const char *name, _Bool value)
{
	put_name(file, name);
	fputs(value ? "true" : "false", file);
}

void json_null(FILE *file, const char *name)
{
	put_name(file, name);
	fputs("null", file);
}

void json_end(FILE *file)
{
	fputs("}\n", file);
}
