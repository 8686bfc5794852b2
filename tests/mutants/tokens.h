/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tokens.h - a C source as tokens with their places. Comments and preprocessor lines are no tokens, a string is one, so
 * that whoever looks for something to change finds code and nothing else.
 */
#ifndef MMFUZZ_TESTS_MUTANTS_TOKENS_H
#define MMFUZZ_TESTS_MUTANTS_TOKENS_H

enum token_kind { TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCTUATOR };

#define NO_TOKEN (~0U)

struct token {
	enum token_kind kind;
	unsigned int start;      /* byte in the text */
	unsigned int length;     /* bytes */
	unsigned int line;       /* from 1 */
	unsigned int column;     /* from 1, a tab is one */
	unsigned int pair;       /* the bracket that belongs to this one; NO_TOKEN for others */
};

struct source {
	const char *path;
	char *text;              /* terminated */
	unsigned long size;
	struct token *tokens;
	unsigned int nr_tokens;
};

/* source_read - NULL, or a sentence about what went wrong (static buffer). */
const char *source_read(struct source *source, const char *path);
void source_free(struct source *source);

/* True if the token is spelled like that. A number past the end is no token, and no spelling fits it. */
_Bool token_is(const struct source *source, unsigned int token, const char *spelling);
/* The same for one of several spellings, separated by spaces. */
_Bool token_among(const struct source *source, unsigned int token, const char *spellings);

#endif
