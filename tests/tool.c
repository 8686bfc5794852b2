// SPDX-License-Identifier: GPL-2.0
/*
 * tool.c - running build/FLAVOUR/mmfuzz, which lies beside this test program (tool.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/files.h"
#include "tests/tool.h"

char tool_output[65536];

static char directory[] = "/tmp/mmfuzz-test-XXXXXX";

void tool_begin(void)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - sizeof("/mmfuzz"));

	cr_assert_gt(length, 0);
	path[length] = '\0';
	strcpy(strrchr(path, '/'), "/mmfuzz");
	setenv("MMFUZZ", path, 1);
	cr_assert_not_null(mkdtemp(directory));
}

void tool_end(void)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	cr_assert_eq(system(command), 0);
}

const char *tool_path(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), *name ? "%s/%s" : "%s", directory, name);
	return path;
}

void tool_write(const char *name, const char *text)
{
	cr_assert_null(file_write(tool_path(name), text, strlen(text), EXISTING_REPLACE));
}

int shell(const char *command)
{
	char line[8192];
	size_t length;
	int status;
	FILE *pipe;

	snprintf(line, sizeof(line), "{ cd '%s' && %s; } 2>&1 </dev/null", directory, command);
	pipe = popen(line, "r");
	cr_assert_not_null(pipe);
	length = fread(tool_output, 1, sizeof(tool_output) - 1, pipe);
	tool_output[length] = '\0';
	status = pclose(pipe);
	cr_assert(WIFEXITED(status), "%s", tool_output);
	return WEXITSTATUS(status);
}

int mmfuzz(const char *arguments)
{
	char command[4096];

	snprintf(command, sizeof(command), "\"$MMFUZZ\" %s", arguments);
	return shell(command);
}
