/* SPDX-License-Identifier: GPL-2.0 */
/*
 * program_scan.h - lines of program text as tokens, and complaints about them. For program_parse.c only.
 *
 * Nothing here stops: a function that does not find what it looks for complains and says so by its result.
 * What strict text does about a complaint is decided by the parser, between two lines.
 */
#ifndef MMFUZZ_PROGRAM_SCAN_H
#define MMFUZZ_PROGRAM_SCAN_H

#include <stdbool.h>

#include "fuzz/program.h"

struct scanner {
	bool strict;              /* keep the first complaint; lenient text has none */
	bool refused;             /* strict, and there was one */
	struct text_error *error; /* of the first complaint; may be NULL */
	unsigned int line;        /* from 1 */
	const char *start;        /* of the line */
	const char *at;           /* the next character */
	const char *end;          /* of the line, without comment and trailing blanks */
};

/* Some characters of a line. */
struct span {
	const char *at;
	unsigned long length;
};

/* An array of anything that starts with its name. */
struct names {
	const void *first;
	unsigned long stride;
	unsigned int nr;
};

/* [start, end) without the blanks at its end, a CR among them. */
struct span span_trimmed(const char *start, const char *end);
bool span_is(struct span span, const char *text);

/* names_find - the position of a name, or names->nr. */
unsigned int names_find(const struct names *names, struct span span);

/* scan_complain_at - "expected ..." at a place; the message is all there is to say. */
__attribute__((format(printf, 4, 5))) void scan_complain_at(struct scanner *s, unsigned int line,
							    unsigned int column, const char *format, ...);

/* scan_complain - "expected ..." at a character of this line; what stands there is added as "; got ...". */
__attribute__((format(printf, 3, 4))) void scan_complain(struct scanner *s, const char *where,
							 const char *format, ...);

/* scan_peek - the next character that is no blank, now at s->at; 0 at the end. */
char scan_peek(struct scanner *s);
bool scan_at_end(struct scanner *s);

/* scan_accept - whether @c is next; then it is taken. scan_expect complains if it is not. */
bool scan_accept(struct scanner *s, char c);
bool scan_expect(struct scanner *s, char c);

/* scan_name - letters, digits and _; may be empty. scan_word takes - and . too. */
struct span scan_name(struct scanner *s);
struct span scan_word(struct scanner *s);

/* scan_digits - the value of a decimal or 0x number, at most ULONG_MAX; false if the span is none. */
bool scan_digits(struct span span, unsigned long *value);

/*
 * These take a token and set *value. False: there is no such thing, and *value is as it was. A number out of
 * range is folded after the complaint. @what begins the message: "expected order 0..40".
 */
bool scan_number(struct scanner *s, const char *what, unsigned int min, unsigned int max,
		 unsigned int *value);
bool scan_delta(struct scanner *s, const char *what, unsigned int *value);
bool scan_listed(struct scanner *s, const char *what, const struct names *names, struct span span,
		 unsigned int *value);
/* @words: separated by spaces. */
bool scan_choice(struct scanner *s, const char *what, const char *words, unsigned int *value);

#endif
