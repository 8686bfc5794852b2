/* SPDX-License-Identifier: GPL-2.0 */
/* sink.h - text built up in a buffer of fixed size: counts everything, keeps what fits, is always terminated. */
#ifndef MMFUZZ_SINK_H
#define MMFUZZ_SINK_H

struct sink {
	char *text;
	unsigned long size;
	unsigned long length;   /* of the whole text, as snprintf counts */
};

void sink_put(struct sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* sink_put_path - a path as a shell reads it: in quotes if it needs them. */
void sink_put_path(struct sink *sink, const char *path);

#endif
