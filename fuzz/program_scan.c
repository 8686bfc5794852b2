// SPDX-License-Identifier: GPL-2.0
/*
 * program_scan.c - lines of program text as tokens, and complaints about them.
 *
 * A token is what a reader would call one: a name, a number, a sign. Bytes that belong to none (control
 * characters, NUL, anything beyond ASCII) are unexpected characters, spelled \xNN in complaints. Columns
 * count bytes.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/program_scan.h"

#define GOT_BYTES_MAX 40
#define NAME_BYTES_MAX 64

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_word(char c)
{
	return is_name(c) || c == '-' || c == '.';
}

struct span span_trimmed(const char *start, const char *end)
{
	while (end > start && (is_blank(end[-1]) || end[-1] == '\r'))
		end--;
	return (struct span){start, (unsigned long)(end - start)};
}

bool span_is(struct span span, const char *text)
{
	return strlen(text) == span.length && !memcmp(span.at, text, span.length);
}

static const char *name_of(const struct names *names, unsigned int position)
{
	return *(const char *const *)((const char *)names->first + position * names->stride);
}

unsigned int names_find(const struct names *names, struct span span)
{
	unsigned int i;

	for (i = 0; i < names->nr; i++)
		if (span_is(span, name_of(names, i)))
			break;
	return i;
}

/* How many letters must be added, removed or replaced to get from one name to the other. */
static unsigned int edit_distance(struct span span, const char *name)
{
	unsigned int row[NAME_BYTES_MAX + 1];
	unsigned int length = strnlen(name, NAME_BYTES_MAX);
	unsigned int i, j, diagonal, above;

	for (j = 0; j <= length; j++)
		row[j] = j;
	for (i = 1; i <= span.length; i++) {
		diagonal = row[0];
		row[0] = i;
		for (j = 1; j <= length; j++) {
			above = row[j];
			row[j] = diagonal + (span.at[i - 1] != name[j - 1]);
			if (above + 1 < row[j])
				row[j] = above + 1;
			if (row[j - 1] + 1 < row[j])
				row[j] = row[j - 1] + 1;
			diagonal = above;
		}
	}
	return row[length];
}

/* The name that @span most likely was meant to be; NULL if none is half like it. */
static const char *nearest_name(const struct names *names, struct span span)
{
	const char *nearest = NULL;
	unsigned long least = span.length / 2;
	unsigned int i, distance;

	if (span.length > NAME_BYTES_MAX)
		return NULL;
	for (i = 0; i < names->nr; i++) {
		distance = edit_distance(span, name_of(names, i));
		if (distance < least || (!nearest && distance == least)) {
			least = distance;
			nearest = name_of(names, i);
		}
	}
	return nearest;
}

/* ": one, two, three" into buf, or nothing if that is too long. */
static void list_names(char *buf, unsigned long size, const struct names *names)
{
	unsigned long length = 0;
	unsigned int i;

	for (i = 0; i < names->nr && length < size; i++)
		length += (unsigned long)snprintf(buf + length, size - length, "%s %s", i ? "," : ":",
						  name_of(names, i));
	if (length >= size)
		buf[0] = '\0';
}

static void refuse(struct scanner *s, unsigned int line, unsigned int column, const char *message)
{
	if (!s->strict || s->refused)
		return;
	s->refused = true;
	if (!s->error)
		return;
	s->error->line = line;
	s->error->column = column;
	snprintf(s->error->message, sizeof(s->error->message), "%s", message);
}

void scan_complain_at(struct scanner *s, unsigned int line, unsigned int column, const char *format, ...)
{
	char message[sizeof(s->error->message)];
	va_list list;

	va_start(list, format);
	vsnprintf(message, sizeof(message), format, list);
	va_end(list);
	refuse(s, line, column, message);
}

/* The token at @where, as a reader would quote it. */
static void describe(char *buf, unsigned long size, const struct scanner *s, const char *where)
{
	unsigned long length = 0;

	while (where + length < s->end && is_word(where[length]))
		length++;
	if (where >= s->end)
		snprintf(buf, size, "end of line");
	else if (length > GOT_BYTES_MAX)
		snprintf(buf, size, "%.*s...", GOT_BYTES_MAX, where);
	else if (length)
		snprintf(buf, size, "%.*s", (int)length, where);
	else if (*where > ' ' && *where <= '~')
		snprintf(buf, size, "%c", *where);
	else
		snprintf(buf, size, "\\x%02x", (unsigned char)*where);
}

void scan_complain(struct scanner *s, const char *where, const char *format, ...)
{
	char message[sizeof(s->error->message) - GOT_BYTES_MAX - 16];
	char got[GOT_BYTES_MAX + 4];
	va_list list;

	if (!s->strict || s->refused)
		return;
	va_start(list, format);
	vsnprintf(message, sizeof(message), format, list);
	va_end(list);
	describe(got, sizeof(got), s, where);
	scan_complain_at(s, s->line, (unsigned int)(where - s->start) + 1, "%s; got %s", message, got);
}

char scan_peek(struct scanner *s)
{
	while (s->at < s->end && is_blank(*s->at))
		s->at++;
	return s->at < s->end ? *s->at : '\0';
}

bool scan_at_end(struct scanner *s)
{
	scan_peek(s);
	return s->at >= s->end;
}

bool scan_accept(struct scanner *s, char c)
{
	if (scan_peek(s) != c)
		return false;
	s->at++;
	return true;
}

bool scan_expect(struct scanner *s, char c)
{
	if (scan_accept(s, c))
		return true;
	scan_complain(s, s->at, "expected %c", c);
	return false;
}

static struct span take(struct scanner *s, bool (*belongs)(char))
{
	struct span span;

	scan_peek(s);
	span.at = s->at;
	while (s->at < s->end && belongs(*s->at))
		s->at++;
	span.length = (unsigned long)(s->at - span.at);
	return span;
}

struct span scan_name(struct scanner *s)
{
	return take(s, is_name);
}

struct span scan_word(struct scanner *s)
{
	return take(s, is_word);
}

static unsigned int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return UINT_MAX;
}

bool scan_digits(struct span span, unsigned long *value)
{
	unsigned int base = 10;
	unsigned long i = 0;

	if (span.length > 2 && span.at[0] == '0' && span.at[1] == 'x') {
		base = 16;
		i = 2;
	}
	if (!span.length)
		return false;
	for (*value = 0; i < span.length; i++) {
		if (digit(span.at[i]) >= base)
			return false;
		if (*value > (ULONG_MAX - digit(span.at[i])) / base)
			*value = ULONG_MAX;
		else
			*value = *value * base + digit(span.at[i]);
	}
	return true;
}

bool scan_number(struct scanner *s, const char *what, unsigned int min, unsigned int max, unsigned int *value)
{
	struct span span = scan_name(s);
	unsigned long number;
	bool understood = scan_digits(span, &number);

	if (!understood || number < min || number > max)
		scan_complain(s, span.at, "expected %s %u..%u", what, min, max);
	if (understood)
		*value = value_fold((unsigned int)number, min, max);
	return understood;
}

bool scan_delta(struct scanner *s, const char *what, unsigned int *value)
{
	const char *where = s->at;
	bool negative = scan_accept(s, '-');
	struct span span = scan_name(s);
	unsigned long number;
	bool understood = scan_digits(span, &number);

	if (!understood || number > (unsigned long)INT_MAX + negative)
		scan_complain(s, where, "expected %s %d..%d", what, INT_MIN, INT_MAX);
	if (understood)
		*value = (unsigned int)(negative ? -number : number);
	return understood;
}

static void complain_listed(struct scanner *s, const char *what, const struct names *names, struct span span)
{
	const char *nearest;
	char listed[120];

	if (!s->strict || s->refused)
		return;
	nearest = nearest_name(names, span);
	list_names(listed, sizeof(listed), names);
	if (nearest)
		scan_complain(s, span.at, "expected %s such as %s", what, nearest);
	else
		scan_complain(s, span.at, "expected %s%s", what, listed);
}

bool scan_listed(struct scanner *s, const char *what, const struct names *names, struct span span,
		 unsigned int *value)
{
	unsigned int position = names_find(names, span);

	if (position < names->nr)
		*value = position;
	else
		complain_listed(s, what, names, span);
	return position < names->nr;
}

bool scan_choice(struct scanner *s, const char *what, const char *words, unsigned int *value)
{
	struct span span = scan_name(s);
	const char *word = words;
	unsigned int position;
	unsigned long length;
	char listed[160];

	for (position = 0;; position++) {
		length = strcspn(word, " ");
		if (length && length == span.length && !memcmp(span.at, word, length)) {
			*value = position;
			return true;
		}
		if (!word[length])
			break;
		word += length + 1;
	}
	snprintf(listed, sizeof(listed), "%s", words);
	for (length = 0; listed[length]; length++)
		if (listed[length] == ' ')
			listed[length] = '|';
	scan_complain(s, span.at, "expected %s=%s", what, listed);
	return false;
}
