// SPDX-License-Identifier: GPL-2.0
/*
 * files.c - files in and out (files.h): bounded reads, directories in a fixed order, and writes that leave either the
 * old file or the whole new one. An existing different file is never replaced unless the caller says so.
 */
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/files.h"

#define PATH_BYTES 4096

__attribute__((format(printf, 1, 2))) static const char *complain(const char *format, ...)
{
	static char message[PATH_BYTES + 200];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	return message;
}

_Bool path_ends(const char *path, const char *ending)
{
	size_t length = strlen(path), tail = strlen(ending);

	return length >= tail && !strcmp(path + length - tail, ending);
}

const char *file_read(const char *path, unsigned char **bytes, unsigned long *size)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
	unsigned char *buf = malloc(FILE_BYTES_MAX + 1);
	const char *error = NULL;
	size_t length = 0;

	if (!file || !buf) {
		error = complain("%s: %s", path, strerror(errno));
	} else {
		length = fread(buf, 1, FILE_BYTES_MAX + 1, file);
		if (ferror(file))
			error = complain("%s: %s", path, strerror(errno));
		else if (length > FILE_BYTES_MAX)
			error = complain("%s: larger than any program (%lu bytes)", path, FILE_BYTES_MAX);
	}
	if (file && file != stdin)
		fclose(file);
	if (error || !buf) {
		free(buf);
		return error;
	}
	buf[length] = '\0';
	*bytes = buf;
	*size = length;
	return NULL;
}

/* 1 if the file has these contents, 0 if it has others, -1 if there is none. */
static int file_compare(const char *path, const void *bytes, unsigned long size)
{
	unsigned char *there = NULL;
	unsigned long there_size = 0;
	int same;

	if (access(path, F_OK))
		return -1;
	if (file_read(path, &there, &there_size) || !there)
		return 0;
	same = there_size == size && !memcmp(there, bytes, size);
	free(there);
	return same;
}

static _Bool write_all(const char *path, const void *bytes, unsigned long size)
{
	FILE *file = fopen(path, "wb");
	_Bool written;

	if (!file)
		return 0;
	written = fwrite(bytes, 1, size, file) == size;
	return !fclose(file) && written;
}

const char *file_write(const char *path, const void *bytes, unsigned long size, enum existing existing)
{
	int same = file_compare(path, bytes, size);
	char temporary[PATH_BYTES];

	if (same == 1 || (same == 0 && existing == EXISTING_KEEP))
		return NULL;
	if (same == 0 && existing == EXISTING_REFUSE)
		return complain("%s: exists and is different; -f replaces it", path);
	if (snprintf(temporary, sizeof(temporary), "%s.%ld.new", path, (long)getpid()) >= (int)sizeof(temporary))
		return complain("%.200s...: path too long", path);
	if (!write_all(temporary, bytes, size) || rename(temporary, path)) {
		const char *error = complain("%s: %s", path, strerror(errno));

		unlink(temporary);
		return error;
	}
	return NULL;
}

static const char *append(struct file_list *list, const char *path)
{
	char **paths = realloc(list->paths, (list->nr + 1) * sizeof(*paths));

	if (!paths)
		return complain("%s: %s", path, strerror(errno));
	list->paths = paths;
	list->paths[list->nr] = strdup(path);
	return list->paths[list->nr++] ? NULL : complain("%s: %s", path, strerror(ENOMEM));
}

/* Byte order: the same in every locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_wanted(const struct dirent *entry)
{
	const char *name = entry->d_name;

	return name[0] != '.' && !path_ends(name, ".txt") && !path_ends(name, ".md");
}

static const char *add_directory(struct file_list *list, const char *path)
{
	size_t length = strlen(path);
	const char *slash = length && path[length - 1] == '/' ? "" : "/";
	const char *error = NULL;
	struct dirent **entries;
	int nr = scandir(path, &entries, is_wanted, by_name);
	int i;

	if (nr < 0)
		return complain("%s: %s", path, strerror(errno));
	for (i = 0; i < nr; i++) {
		char child[PATH_BYTES];

		if (snprintf(child, sizeof(child), "%s%s%s", path, slash, entries[i]->d_name) >= (int)sizeof(child))
			error = error ? error : complain("%.200s...: path too long", path);
		else if (!error)
			error = file_list_add(list, child);
		free(entries[i]);
	}
	free(entries);
	return error;
}

const char *file_list_add(struct file_list *list, const char *path)
{
	struct stat status;

	if (!strcmp(path, "-"))
		return append(list, path);
	if (stat(path, &status))
		return complain("%s: %s", path, strerror(errno));
	if (S_ISDIR(status.st_mode))
		return add_directory(list, path);
	return append(list, path);
}

void file_list_free(struct file_list *list)
{
	unsigned long i;

	for (i = 0; i < list->nr; i++)
		free(list->paths[i]);
	free(list->paths);
	*list = (struct file_list){ 0 };
}
