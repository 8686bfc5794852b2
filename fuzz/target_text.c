// SPDX-License-Identifier: GPL-2.0
/*
 * target_text.c - fuzz the fuzzer: the laws between the two spellings of a program, on any input.
 *
 * The input is taken as bytes and as text. No operation is run; a machine is configured but not booted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/program.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void law(_Bool holds, const char *sentence)
{
	if (holds)
		return;
	fprintf(stderr, "broken law: %s\n", sentence);
	abort();
}

/* Whatever it came from, a program survives both spellings, and both are canonical. */
static void check_program(const struct program *p, const char *comments)
{
	static unsigned char bytes[LIMIT_PROGRAM_BYTES], bytes_again[LIMIT_PROGRAM_BYTES];
	static char text[LIMIT_TEXT_BYTES], text_again[LIMIT_TEXT_BYTES];
	static struct text_directives directives;
	static struct program other;
	struct text_error error = {0};
	unsigned long size, length;

	size = program_encode(p, bytes);
	program_decode(&other, bytes, size);
	law(program_equal(p, &other), "decode(encode(p)) == p");
	law(program_encode(&other, bytes_again) == size && !memcmp(bytes, bytes_again, size),
	    "encode(decode(encode(p))) == encode(p)");

	length = program_print(p, comments, text, sizeof(text));
	law(length < sizeof(text), "a program fits in LIMIT_TEXT_BYTES");
	if (!program_parse(&other, text, length, 1, &directives, &error))
		fprintf(stderr, "%s\n%u:%u: %s\n", text, error.line, error.column, error.message);
	law(!error.line && program_equal(p, &other), "parse(print(p)) == p");
	program_print(&other, directives.comments, text_again, sizeof(text_again));
	law(!strcmp(text, text_again), "print(parse(t)) is a fixed point");
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static struct text_directives directives, strict_directives;
	static struct program p, strict;
	struct text_error error;

	program_decode(&p, data, size);
	check_program(&p, NULL);

	law(program_parse(&p, (const char *)data, size, 0, &directives, &error),
	    "a lenient parse never fails");
	check_program(&p, directives.comments);
	if (program_parse(&strict, (const char *)data, size, 1, &strict_directives, &error))
		law(program_equal(&p, &strict) && !strcmp(directives.comments, strict_directives.comments),
		    "a strict parse gives what a lenient parse gives");
	else
		law(error.line && error.column && error.message[0], "a refusal has a place and a reason");
	return 0;
}
