/* SPDX-License-Identifier: GPL-2.0 */
/*
 * findings.h - how a finding is kept in files: its name, its text with the story in front, and the titles that are
 * known already.
 */
#ifndef MMFUZZ_FINDINGS_H
#define MMFUZZ_FINDINGS_H

#include "fuzz/program.h"
#include "fuzz/verdict.h"

#define SLUG_BYTES 64

/* finding_slug - "invariant-zone_missed_after_reset": a title as any file system can bear it. Returns slug[SLUG_BYTES]. */
const char *finding_slug(char *slug, const char *title);

/* finding_name - the slug and a hash of the canonical bytes: the same for the same finding. Returns buf. */
const char *finding_name(const struct program *program, const char *title, char *buf, unsigned long size);

/*
 * finding_text - the program as text, to be kept: what was seen, the rule it breaks and where, as comments, an optional
 * remark, and the directives that demand this verdict. Returns the length, as program_print does.
 */
unsigned long finding_text(const struct program *program, const struct verdict *verdict, const char *remark,
			   char *text, unsigned long size);

/* Titles that are counted, but are no news. */
struct known_titles {
	char **titles;
	unsigned long nr;
};

/* known_read - one title a line; empty lines and lines with # are passed over. NULL, or what went wrong. */
const char *known_read(struct known_titles *known, const char *path);
_Bool known_has(const struct known_titles *known, const char *title);
void known_free(struct known_titles *known);

#endif
