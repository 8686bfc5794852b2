/* SPDX-License-Identifier: GPL-2.0 */
/* tool.h - driving the built tool from a test: a directory of its own, files in it, and what a command printed. */
#ifndef MMFUZZ_TESTS_TOOL_H
#define MMFUZZ_TESTS_TOOL_H

#include <criterion/criterion.h>
#include <string.h>

/* For TestSuite(.init, .fini). */
void tool_begin(void);
void tool_end(void);

/* A path in the directory of the test, or "" for that; valid until the next call. */
const char *tool_path(const char *name);
void tool_write(const char *name, const char *text);

/* A command line of the tool beside this test program, run in the directory. Returns the exit code. */
int mmfuzz(const char *arguments);
/* The same for a shell; $MMFUZZ is the tool. */
int shell(const char *command);

/* What the last one printed, on both streams. */
extern char tool_output[65536];

#define expect_output(text) cr_expect(strstr(tool_output, text), "no '%s' in:\n%s", text, tool_output)

#endif
