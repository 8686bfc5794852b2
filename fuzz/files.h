/* SPDX-License-Identifier: GPL-2.0 */
/*
 * files.h - reading, listing and writing files for the tool and the targets. Every function returns NULL when all
 * went well, else a sentence about what did not (static buffer, names the path).
 */
#ifndef MMFUZZ_FILES_H
#define MMFUZZ_FILES_H

/* No program, in either spelling, is larger. */
#define FILE_BYTES_MAX (1UL << 20)

/* file_read - the whole file; *bytes is terminated and to be freed. "-" is standard input. */
const char *file_read(const char *path, unsigned char **bytes, unsigned long *size);

/* What to do when the file exists with other contents. With the same contents there is nothing to do. */
enum existing { EXISTING_REFUSE, EXISTING_REPLACE, EXISTING_KEEP };

/* file_write - all of the bytes or nothing: through a temporary file beside it. */
const char *file_write(const char *path, const void *bytes, unsigned long size, enum existing existing);

struct file_list {
	char **paths;
	unsigned long nr;
};

/*
 * file_list_add - a file, or all regular files below a directory in the order of their names. In directories hidden
 * files, *.txt and *.md are passed over: they lie beside programs and are none.
 */
const char *file_list_add(struct file_list *list, const char *path);
void file_list_free(struct file_list *list);

/* True if the path ends like that. */
_Bool path_ends(const char *path, const char *ending);

#endif
