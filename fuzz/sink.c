// SPDX-License-Identifier: GPL-2.0
/*
 * sink.c - text built up piece by piece (sink.h). What does not fit is counted and dropped, so that callers can ask
 * for the length first, and a report that is too long is cut instead of lost.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/sink.h"

void sink_put(struct sink *sink, const char *format, ...)
{
	unsigned long room = sink->length < sink->size ? sink->size - sink->length : 0;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(room ? sink->text + sink->length : NULL, room, format, arguments);
	va_end(arguments);
	sink->length += length > 0 ? (unsigned long)length : 0;
}

void sink_put_path(struct sink *sink, const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+,:@%=-";

	if (*path && path[strspn(path, plain)] == '\0') {
		sink_put(sink, "%s", path);
		return;
	}
	sink_put(sink, "'");
	for (; *path; path++) {
		if (*path == '\'')
			sink_put(sink, "'\\''");
		else
			sink_put(sink, "%c", *path);
	}
	sink_put(sink, "'");
}
