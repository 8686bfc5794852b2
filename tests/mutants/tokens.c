// SPDX-License-Identifier: GPL-2.0
/*
 * tokens.c - reading a C source (tokens.h): phases 2 to 4 of a compiler as far as they are needed here. Trigraphs, and
 * lines continued in the middle of a token, are not known.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/files.h"
#include "tests/mutants/tokens.h"

/* Longest first: the first that fits is the token. */
static const char *const punctuators[] = {
	"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
	"||",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", NULL,
};

struct reader {
	struct source *source;
	unsigned int at;
	unsigned int line;
	unsigned int line_start;
};

static char peek(const struct reader *r, unsigned int ahead)
{
	return r->at + ahead < r->source->size ? r->source->text[r->at + ahead] : '\0';
}

static void step(struct reader *r)
{
	if (peek(r, 0) == '\n') {
		r->line++;
		r->line_start = r->at + 1;
	}
	r->at++;
}

static void skip_comment(struct reader *r)
{
	_Bool block = peek(r, 1) == '*';

	step(r);
	step(r);
	while (peek(r, 0) && (block ? peek(r, 0) != '*' || peek(r, 1) != '/' : peek(r, 0) != '\n'))
		step(r);
	if (block && peek(r, 0)) {
		step(r);
		step(r);
	}
}

/* To the end of the line, and of those that continue it. */
static void skip_directive(struct reader *r)
{
	while (peek(r, 0) && peek(r, 0) != '\n') {
		if (peek(r, 0) == '\\' && peek(r, 1) == '\n')
			step(r);
		step(r);
	}
}

static _Bool first_on_its_line(const struct reader *r)
{
	unsigned int i;

	for (i = r->line_start; i < r->at; i++)
		if (!isspace((unsigned char)r->source->text[i]))
			return 0;
	return 1;
}

static void skip_space(struct reader *r)
{
	for (;;) {
		if (isspace((unsigned char)peek(r, 0)))
			step(r);
		else if (peek(r, 0) == '/' && (peek(r, 1) == '*' || peek(r, 1) == '/'))
			skip_comment(r);
		else if (peek(r, 0) == '#' && first_on_its_line(r))
			skip_directive(r);
		else
			return;
	}
}

static unsigned int word_length(const struct reader *r)
{
	unsigned int length = 0;

	while (isalnum((unsigned char)peek(r, length)) || peek(r, length) == '_')
		length++;
	return length;
}

static unsigned int quoted_length(const struct reader *r)
{
	char quote = peek(r, 0);
	unsigned int length = 1;

	while (peek(r, length) && peek(r, length) != quote)
		length += peek(r, length) == '\\' && peek(r, length + 1) ? 2 : 1;
	return length + (peek(r, length) != '\0');
}

static unsigned int punctuator_length(const struct reader *r)
{
	unsigned int i;

	for (i = 0; punctuators[i]; i++)
		if (!strncmp(r->source->text + r->at, punctuators[i], strlen(punctuators[i])))
			return (unsigned int)strlen(punctuators[i]);
	return 1;
}

static struct token next_token(const struct reader *r)
{
	struct token token = { .start = r->at, .line = r->line, .column = r->at - r->line_start + 1, .pair = NO_TOKEN };
	char first = peek(r, 0);

	if (isalpha((unsigned char)first) || first == '_') {
		token.kind = TOKEN_NAME;
		token.length = word_length(r);
	} else if (isdigit((unsigned char)first)) {
		token.kind = TOKEN_NUMBER;
		token.length = word_length(r);
	} else if (first == '"' || first == '\'') {
		token.kind = TOKEN_STRING;
		token.length = quoted_length(r);
	} else {
		token.kind = TOKEN_PUNCTUATOR;
		token.length = punctuator_length(r);
	}
	return token;
}

/* Whatever is not closed keeps no pair. */
static void pair_brackets(struct source *source)
{
	unsigned int i, open;

	for (i = 0; i < source->nr_tokens; i++) {
		if (!token_among(source, i, ") ] }"))
			continue;
		for (open = i; open-- > 0;)
			if (token_among(source, open, "( [ {") && source->tokens[open].pair == NO_TOKEN)
				break;
		if (open == NO_TOKEN)
			continue;
		source->tokens[open].pair = i;
		source->tokens[i].pair = open;
	}
}

static const char *tokenise(struct source *source)
{
	struct reader r = { .source = source, .line = 1 };
	unsigned int room = 0;

	for (skip_space(&r); r.at < source->size; skip_space(&r)) {
		struct token token = next_token(&r);

		if (source->nr_tokens == room) {
			struct token *more = realloc(source->tokens, (room + 4096) * sizeof(*more));

			if (!more)
				return "out of memory";
			source->tokens = more;
			room += 4096;
		}
		source->tokens[source->nr_tokens++] = token;
		while (r.at < token.start + token.length)
			step(&r);
	}
	pair_brackets(source);
	return NULL;
}

const char *source_read(struct source *source, const char *path)
{
	unsigned char *bytes = NULL;
	unsigned long size = 0;
	const char *error;

	*source = (struct source){ .path = path };
	error = file_read(path, &bytes, &size);
	if (error)
		return error;
	source->text = (char *)bytes;
	source->size = size;
	return tokenise(source);
}

void source_free(struct source *source)
{
	free(source->text);
	free(source->tokens);
	*source = (struct source){ 0 };
}

_Bool token_is(const struct source *source, unsigned int token, const char *spelling)
{
	const struct token *t = source->tokens + token;

	return token < source->nr_tokens && strlen(spelling) == t->length &&
	       !strncmp(source->text + t->start, spelling, t->length);
}

_Bool token_among(const struct source *source, unsigned int token, const char *spellings)
{
	const struct token *t = source->tokens + token;
	const char *word = spellings;

	if (token >= source->nr_tokens)
		return 0;
	while (*word) {
		size_t length = strcspn(word, " ");

		if (length == t->length && !strncmp(source->text + t->start, word, length))
			return 1;
		word += length;
		word += strspn(word, " ");
	}
	return 0;
}
