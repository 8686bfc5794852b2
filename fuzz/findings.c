// SPDX-License-Identifier: GPL-2.0
/*
 * findings.c - names and texts of findings, and lists of known ones (findings.h). Names depend on the title and on the
 * canonical bytes of the program alone, so that the same finding of two processes is one set of files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/files.h"
#include "fuzz/findings.h"
#include "fuzz/sink.h"

/* What an '# expect:' line holds. */
#define EXPECT_BYTES ((int)sizeof(((struct text_directives *)0)->expect) - 1)

#define COMMENT_COLUMNS 118

/* FNV-1a. */
static unsigned int hash_bytes(const unsigned char *bytes, unsigned long size)
{
	unsigned int hash = 2166136261u;

	while (size--)
		hash = (hash ^ *bytes++) * 16777619u;
	return hash;
}

const char *finding_slug(char *slug, const char *title)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	unsigned long at = 0;

	for (; *title && at < SLUG_BYTES - 1; title++) {
		char c = *title >= 'A' && *title <= 'Z' ? (char)(*title - 'A' + 'a') : *title;

		if (strchr(plain, c))
			slug[at++] = c;
		else if (at && slug[at - 1] != '-')
			slug[at++] = '-';
	}
	while (at && slug[at - 1] == '-')
		at--;
	slug[at] = '\0';
	return slug;
}

const char *finding_name(const struct program *program, const char *title, char *buf, unsigned long size)
{
	static unsigned char bytes[LIMIT_PROGRAM_BYTES];
	char slug[SLUG_BYTES];
	unsigned long length = program_encode(program, bytes);

	snprintf(buf, size, "%s-%08x", finding_slug(slug, title), hash_bytes(bytes, length));
	return buf;
}

/* A sentence as comment lines. */
static void put_comment(struct sink *sink, const char *sentence)
{
	while (*sentence) {
		unsigned long length = strcspn(sentence, "\n");

		if (length > COMMENT_COLUMNS) {
			length = COMMENT_COLUMNS;
			while (length && sentence[length] != ' ')
				length--;
			if (!length)
				length = COMMENT_COLUMNS;
		}
		sink_put(sink, "# %.*s\n", (int)length, sentence);
		sentence += length;
		sentence += strspn(sentence, " \n");
	}
}

static void put_place(struct sink *sink, const struct verdict *verdict)
{
	if (verdict->op < verdict->nr_ops)
		sink_put(sink, "# At operation %u of %u", verdict->op + 1, verdict->nr_ops);
	else
		sink_put(sink, "# %s", verdict->calls ? "At the end of the program" : "Before the first operation");
	if (verdict->op < verdict->nr_ops && verdict->repeat)
		sink_put(sink, ", repeat %u", verdict->repeat + 1);
	sink_put(sink, ".\n");
}

unsigned long finding_text(const struct program *program, const struct verdict *verdict, const char *remark,
			   char *text, unsigned long size)
{
	char comments[KERNEL_TEXT_BYTES + LIMIT_COMMENT_BYTES / 2], kernel_text[KERNEL_TEXT_BYTES];
	char title[VERDICT_TITLE_BYTES], rule[FINDING_TEXT_BYTES + 16];
	struct sink sink = { comments, sizeof(comments), 0 };

	put_comment(&sink, verdict->finding.detail);
	if (verdict->finding.rule[0]) {
		snprintf(rule, sizeof(rule), "The rule: %s.", verdict->finding.rule);
		put_comment(&sink, rule);
	}
	put_place(&sink, verdict);
	if (remark)
		put_comment(&sink, remark);
	if (verdict->misuse)
		sink_put(&sink, "# misuse: yes\n");
	sink_put(&sink, "# kernel: %s\n# expect: %.*s\n",
		 kernel_print(&verdict->kernel, kernel_text, sizeof(kernel_text)), EXPECT_BYTES,
		 verdict_title(verdict, title, sizeof(title)));
	return program_print(program, comments, text, size);
}

static const char *known_add(struct known_titles *known, const char *title, unsigned long length)
{
	char **titles = realloc(known->titles, (known->nr + 1) * sizeof(*titles));

	if (!titles)
		return "out of memory";
	known->titles = titles;
	titles[known->nr] = strndup(title, length);
	return titles[known->nr++] ? NULL : "out of memory";
}

const char *known_read(struct known_titles *known, const char *path)
{
	unsigned char *bytes;
	unsigned long size;
	const char *message = file_read(path, &bytes, &size);
	const char *at;

	if (message)
		return message;
	for (at = (const char *)bytes; *at && !message; at += *at == '\n') {
		unsigned long length = strcspn(at, "\n");
		unsigned long used = length;

		while (used && (at[used - 1] == ' ' || at[used - 1] == '\r' || at[used - 1] == '\t'))
			used--;
		if (used && *at != '#')
			message = known_add(known, at, used);
		at += length;
	}
	free(bytes);
	return message;
}

_Bool known_has(const struct known_titles *known, const char *title)
{
	unsigned long i;

	for (i = 0; i < known->nr; i++)
		if (!strcmp(known->titles[i], title))
			return 1;
	return 0;
}

void known_free(struct known_titles *known)
{
	unsigned long i;

	for (i = 0; i < known->nr; i++)
		free(known->titles[i]);
	free(known->titles);
	*known = (struct known_titles){ 0 };
}
