// SPDX-License-Identifier: GPL-2.0
/*
 * points.c - finding points (points.h). Statements are told apart as far as needed: declarations have no points but in
 * their initialisers, a macro that begins a loop (for_each_zone(...)) is no call, types in casts are no operands. Outside
 * functions only initialisers of tables have points.
 *
 * A mistake that does not compile is no mutant; that is left to the compiler. So is what the types forbid.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/files.h"
#include "tests/mutants/points.h"

#define NAME_BYTES 128

const char *point_kind_name(enum point_kind kind)
{
	static const char *const names[NR_POINT_KINDS] = {
		"compare", "logic", "arithmetic", "constant", "call", "assignment", "arguments",
	};

	return names[kind];
}

/* One operator and what it is mistaken for. '-', '~' and '!' before an operand are left out. */
static const struct mistake {
	enum point_kind kind;
	const char *from;
	const char *to[2];
} binary_mistakes[] = {
	{ POINT_COMPARE, "<", { "<=", ">=" } },
	{ POINT_COMPARE, "<=", { "<", ">" } },
	{ POINT_COMPARE, ">", { ">=", "<=" } },
	{ POINT_COMPARE, ">=", { ">", "<" } },
	{ POINT_COMPARE, "==", { "!=" } },
	{ POINT_COMPARE, "!=", { "==" } },
	{ POINT_LOGIC, "&&", { "||" } },
	{ POINT_LOGIC, "||", { "&&" } },
	{ POINT_ARITHMETIC, "+", { "-" } },
	{ POINT_ARITHMETIC, "-", { "+" } },
	{ POINT_ARITHMETIC, "*", { "/" } },
	{ POINT_ARITHMETIC, "/", { "*" } },
	{ POINT_ARITHMETIC, "%", { "/" } },
	{ POINT_ARITHMETIC, "<<", { ">>" } },
	{ POINT_ARITHMETIC, ">>", { "<<" } },
	{ POINT_ARITHMETIC, "&", { "|" } },
	{ POINT_ARITHMETIC, "|", { "&" } },
	{ POINT_ARITHMETIC, "^", { "|" } },
	{ POINT_ARITHMETIC, "+=", { "-=" } },
	{ POINT_ARITHMETIC, "-=", { "+=" } },
	{ POINT_ARITHMETIC, "*=", { "/=" } },
	{ POINT_ARITHMETIC, "/=", { "*=" } },
	{ POINT_ARITHMETIC, "<<=", { ">>=" } },
	{ POINT_ARITHMETIC, ">>=", { "<<=" } },
	{ POINT_ARITHMETIC, "&=", { "|=" } },
	{ POINT_ARITHMETIC, "|=", { "&=" } },
};
static const struct mistake unary_mistakes[] = {
	{ POINT_ARITHMETIC, "++", { "--" } },
	{ POINT_ARITHMETIC, "--", { "++" } },
	{ POINT_LOGIC, "!", { "" } },
	{ POINT_ARITHMETIC, "-", { "" } },
	{ POINT_ARITHMETIC, "~", { "" } },
};

static const char assignments[] = "= += -= *= /= %= <<= >>= &= |= ^=";
static const char type_words[] = "static const volatile extern register unsigned signed int long short char void struct "
				 "union enum bool _Bool u8 u16 u32 u64 s8 s16 s32 s64 __world";
static const char statement_words[] = "if else for while do switch case default return goto break continue sizeof";

/* What is being looked for, in which source. */
struct search {
	const struct source *source;
	const struct outside *outside;
	struct points *points;
	unsigned int function;           /* the token that names it */
	_Bool *dead;                     /* for each token: has no point */
	const char *error;
};

/*
 * Words.
 */
static _Bool is(const struct search *s, unsigned int token, const char *spelling)
{
	return token_is(s->source, token, spelling);
}

static _Bool among(const struct search *s, unsigned int token, const char *spellings)
{
	return token_among(s->source, token, spellings);
}

static _Bool is_name(const struct search *s, unsigned int token)
{
	return token < s->source->nr_tokens && s->source->tokens[token].kind == TOKEN_NAME &&
	       !among(s, token, statement_words);
}

static unsigned int pair_of(const struct search *s, unsigned int token)
{
	unsigned int pair = s->source->tokens[token].pair;

	return pair == NO_TOKEN ? s->source->nr_tokens : pair;
}

static void copy_name(const struct source *source, unsigned int token, char name[NAME_BYTES])
{
	const struct token *t = &source->tokens[token];

	snprintf(name, NAME_BYTES, "%.*s", (int)t->length, source->text + t->start);
}

/* [start, end) of the text as one line; returns false if it had to be cut. */
static _Bool one_line(const struct source *source, unsigned int start, unsigned int end, char *line)
{
	unsigned int length = 0;

	for (; start < end && length < POINT_TEXT_BYTES - 1; start++) {
		char c = source->text[start];

		if (!isspace((unsigned char)c))
			line[length++] = c;
		else if (length && line[length - 1] != ' ')
			line[length++] = ' ';
	}
	line[length] = '\0';
	return start == end;
}

/*
 * Points.
 */
static unsigned int end_of(const struct search *s, unsigned int token)
{
	return s->source->tokens[token].start + s->source->tokens[token].length;
}

static unsigned int occurrence_of(const struct search *s, const struct point *point)
{
	unsigned int i, occurrence = 1;

	for (i = 0; i < s->points->nr; i++) {
		const struct point *other = &s->points->all[i];

		if (other->function == point->function && other->kind == point->kind && !strcmp(other->from, point->from) &&
		    !strcmp(other->to, point->to))
			occurrence++;
	}
	return occurrence;
}

/* A point for the tokens first..last. What is too long to be said in one line is no point. */
static void add(struct search *s, enum point_kind kind, unsigned int first, unsigned int last, const char *to)
{
	const struct token *t = &s->source->tokens[first];
	struct point point = { .kind = kind, .start = t->start, .length = end_of(s, last) - t->start, .line = t->line,
			       .column = t->column, .function = s->function };
	struct point *more;

	if (!one_line(s->source, t->start, end_of(s, last), point.from) || strlen(to) >= POINT_TEXT_BYTES)
		return;
	strcpy(point.to, to);
	point.occurrence = occurrence_of(s, &point);
	more = realloc(s->points->all, (s->points->nr + 1) * sizeof(*more));
	if (!more) {
		s->error = "out of memory";
		return;
	}
	s->points->all = more;
	more[s->points->nr++] = point;
}

/*
 * Expressions: [from, to).
 */

/* (unsigned long), (struct page *), (s8): what looks like an operand in brackets and is a type. */
static _Bool is_cast(const struct search *s, unsigned int close)
{
	unsigned int open = pair_of(s, close);
	const struct token *t;

	if (open >= close || open + 1 == close)
		return 0;
	t = &s->source->tokens[close - 1];
	if (among(s, open + 1, type_words) || is(s, close - 1, "*"))
		return 1;
	return open + 2 == close && t->kind == TOKEN_NAME && t->length > 2 &&
	       !strncmp(s->source->text + t->start + t->length - 2, "_t", 2);
}

/* An operand ends here, so that an operator that follows has two. */
static _Bool ends_operand(const struct search *s, unsigned int token)
{
	if (is(s, token, ")"))
		return !is_cast(s, token);
	if (is(s, token, "]"))
		return 1;
	return s->source->tokens[token].kind != TOKEN_PUNCTUATOR && !among(s, token, statement_words);
}

static void find_operator(struct search *s, unsigned int token)
{
	_Bool binary = ends_operand(s, token - 1) && !among(s, token + 1, ") , *");
	const struct mistake *mistakes = binary ? binary_mistakes : unary_mistakes;
	size_t nr = binary ? sizeof(binary_mistakes) / sizeof(binary_mistakes[0]) :
			     sizeof(unary_mistakes) / sizeof(unary_mistakes[0]);
	size_t i;

	if (among(s, token, "++ --")) {
		mistakes = unary_mistakes;
		nr = 2;
	}
	for (i = 0; i < nr; i++) {
		if (!is(s, token, mistakes[i].from))
			continue;
		add(s, mistakes[i].kind, token, token, mistakes[i].to[0]);
		if (mistakes[i].to[1])
			add(s, mistakes[i].kind, token, token, mistakes[i].to[1]);
	}
}

/* 0 and 1 for each other, and one more than any other number. */
static void find_constant(struct search *s, unsigned int token)
{
	const struct token *t = &s->source->tokens[token];
	char text[NAME_BYTES], more[NAME_BYTES + 8];
	char *suffix;

	if (is(s, token, "true"))
		add(s, POINT_CONSTANT, token, token, "false");
	if (is(s, token, "false"))
		add(s, POINT_CONSTANT, token, token, "true");
	if (t->kind != TOKEN_NUMBER)
		return;
	copy_name(s->source, token, text);
	if (strtoul(text, &suffix, 0) <= 1)
		snprintf(more, sizeof(more), "%c%s", strtoul(text, NULL, 0) ? '0' : '1', suffix);
	else
		snprintf(more, sizeof(more), "(%s + 1)", text);
	add(s, POINT_CONSTANT, token, token, more);
}

/* Exchange the arguments first..comma-1 and comma+1..last. */
static void exchange(struct search *s, unsigned int first, unsigned int comma, unsigned int last)
{
	const struct source *source = s->source;
	unsigned int second = source->tokens[comma + 1].start;
	char a[POINT_TEXT_BYTES], b[POINT_TEXT_BYTES], to[2 * POINT_TEXT_BYTES];

	if (!one_line(source, source->tokens[first].start, end_of(s, comma - 1), a) ||
	    !one_line(source, second, end_of(s, last), b) || !strcmp(a, b))
		return;
	snprintf(to, sizeof(to), "%s, %s", b, a);
	add(s, POINT_ARGUMENTS, first, last, to);
}

/* Those between the brackets of a call. */
static void find_arguments(struct search *s, unsigned int open)
{
	unsigned int close = pair_of(s, open);
	unsigned int first = open + 1, comma = NO_TOKEN, i;

	for (i = first; i <= close && i < s->source->nr_tokens; i++) {
		if (i < close && among(s, i, "( [ {")) {
			i = pair_of(s, i);
			continue;
		}
		if (i < close && !is(s, i, ","))
			continue;
		if (comma != NO_TOKEN) {
			exchange(s, first, comma, i - 1);
			first = comma + 1;
		}
		comma = i;
	}
}

static _Bool is_outside_call(const struct search *s, unsigned int token)
{
	char name[NAME_BYTES];

	if (!is_name(s, token) || !is(s, token + 1, "("))
		return 0;
	copy_name(s->source, token, name);
	return outside_has(s->outside, NULL, name);
}

static void find_in_expressions(struct search *s, unsigned int from, unsigned int to)
{
	unsigned int i;

	for (i = from; i < to; i++) {
		if (s->dead[i])
			continue;
		if (is_outside_call(s, i)) {
			i = pair_of(s, i + 1);
			continue;
		}
		if (is_name(s, i) && is(s, i + 1, "(") && !among(s, i, type_words))
			find_arguments(s, i + 1);
		if (s->source->tokens[i].kind == TOKEN_PUNCTUATOR)
			find_operator(s, i);
		else
			find_constant(s, i);
	}
}

/*
 * Statements.
 */
static _Bool is_declaration(const struct search *s, unsigned int token)
{
	if (among(s, token, type_words))
		return 1;
	if (!is_name(s, token))
		return 0;
	for (token++; is(s, token, "*"); token++)
		;
	return is_name(s, token) && among(s, token + 1, "= ; , [");
}

/* The ';' that ends what begins here. */
static unsigned int statement_end(const struct search *s, unsigned int token)
{
	while (token < s->source->nr_tokens && !is(s, token, ";"))
		token = among(s, token, "( [ {") ? pair_of(s, token) + 1 : token + 1;
	return token;
}

/* Of a declaration only what is between '=' and the next declarator is alive. */
static void bury_declarators(struct search *s, unsigned int token, unsigned int end)
{
	_Bool initialiser = 0;

	for (; token < end; token++) {
		if (initialiser && among(s, token, "( [ {")) {
			token = pair_of(s, token);
			continue;
		}
		if (is(s, token, ","))
			initialiser = 0;
		s->dead[token] = !initialiser;
		if (is(s, token, "="))
			initialiser = 1;
	}
}

static _Bool assigns(const struct search *s, unsigned int token, unsigned int end)
{
	for (; token < end; token++) {
		if (among(s, token, "( [ {"))
			token = pair_of(s, token);
		else if (among(s, token, assignments) || among(s, token, "++ --"))
			return 1;
	}
	return 0;
}

/* An expression statement, or a macro that begins a loop. Returns where the next statement begins. */
static unsigned int find_effect(struct search *s, unsigned int token)
{
	unsigned int end = statement_end(s, token);

	if (is_name(s, token) && is(s, token + 1, "(")) {
		unsigned int after = pair_of(s, token + 1) + 1;

		if (is(s, after, "{") || (after < s->source->nr_tokens && s->source->tokens[after].kind == TOKEN_NAME))
			return after;
		if (after == end && !is_outside_call(s, token))
			add(s, POINT_CALL, token, end - 1, "");
	}
	if (end < s->source->nr_tokens && assigns(s, token, end))
		add(s, POINT_ASSIGNMENT, token, end - 1, "");
	return end + 1;
}

/* Returns where the next statement begins. */
static unsigned int find_in_statement(struct search *s, unsigned int token)
{
	unsigned int end;

	if (among(s, token, "{ } ; else do"))
		return token + 1;
	if (among(s, token, "if for while switch"))
		return pair_of(s, token + 1) + 1;
	if (among(s, token, "case default") || (is_name(s, token) && is(s, token + 1, ":"))) {
		while (token < s->source->nr_tokens && !is(s, token, ":"))
			token++;
		return token + 1;
	}
	if (among(s, token, "return goto break continue"))
		return statement_end(s, token) + 1;
	if (!is_declaration(s, token))
		return find_effect(s, token);
	end = statement_end(s, token);
	bury_declarators(s, token, end);
	return end + 1;
}

static void find_in_body(struct search *s, unsigned int open)
{
	unsigned int close = pair_of(s, open);
	unsigned int token = open + 1;

	while (token < close)
		token = find_in_statement(s, token);
	find_in_expressions(s, open + 1, close);
}

/*
 * Files.
 */

/* The name of the function whose body opens here, or NO_TOKEN. */
static unsigned int function_of(const struct search *s, unsigned int open)
{
	unsigned int list;

	if (open == 0 || !is(s, open - 1, ")"))
		return NO_TOKEN;
	list = pair_of(s, open - 1);
	return list && list < open && is_name(s, list - 1) ? list - 1 : NO_TOKEN;
}

static _Bool function_is_outside(const struct search *s)
{
	char name[NAME_BYTES];

	copy_name(s->source, s->function, name);
	return outside_has(s->outside, s->source->path, name);
}

static void find_in_file(struct search *s)
{
	unsigned int token, end;

	for (token = 0; token < s->source->nr_tokens; token++) {
		s->function = NO_TOKEN;
		if (is(s, token, "=")) {
			end = statement_end(s, token);
			find_in_expressions(s, token + 1, end);
			token = end;
		} else if (is(s, token, "{")) {
			s->function = function_of(s, token);
			if (s->function != NO_TOKEN && !function_is_outside(s))
				find_in_body(s, token);
			token = pair_of(s, token);
		}
	}
}

static int by_place(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return strcmp(x->to, y->to);
}

const char *points_find(struct points *points, const struct source *source, const struct outside *outside)
{
	struct search search = { .source = source, .outside = outside, .points = points };

	*points = (struct points){ 0 };
	if (outside_has(outside, source->path, NULL))
		return NULL;
	search.dead = calloc(source->nr_tokens + 1, sizeof(*search.dead));
	if (!search.dead)
		return "out of memory";
	find_in_file(&search);
	free(search.dead);
	if (points->nr)
		qsort(points->all, points->nr, sizeof(*points->all), by_place);
	return search.error;
}

void points_free(struct points *points)
{
	free(points->all);
	*points = (struct points){ 0 };
}

const char *point_key(const struct source *source, const struct point *point, char *key)
{
	char function[NAME_BYTES] = "(table)";

	if (point->function != NO_TOKEN)
		copy_name(source, point->function, function);
	snprintf(key, POINT_KEY_BYTES, "%s:%s %s '%s' -> '%s' #%u", source->path, function, point_kind_name(point->kind),
		 point->from, point->to, point->occurrence);
	return key;
}

/* FNV-1a, and a last stir, for its high bits hardly depend on the last character. */
unsigned int point_hash(unsigned int seed, const char *key)
{
	unsigned int hash = 2166136261U ^ seed * 0x9e3779b1U;

	for (; *key; key++)
		hash = (hash ^ (unsigned char)*key) * 16777619U;
	hash = (hash ^ hash >> 15) * 0x85ebca6bU;
	return hash ^ hash >> 13;
}

/*
 * What is outside.
 */
const char *outside_read(struct outside *outside, const char *path)
{
	unsigned char *bytes = NULL;
	unsigned long size;
	const char *error = file_read(path, &bytes, &size);

	outside->text = (char *)bytes;
	return error;
}

void outside_free(struct outside *outside)
{
	free(outside->text);
	outside->text = NULL;
}

/* A line begins with this word, in which a '*' stands for any rest of a name. */
static _Bool line_fits(const char *line, const char *word)
{
	for (; *word; line++, word++) {
		if (*line == '*') {
			line++;
			word += strcspn(word, "(");
			break;
		}
		if (*line != *word)
			return 0;
	}
	return !strncmp(line, word, strlen(word)) && !strncmp(line + strlen(word), ": ", 2);
}

_Bool outside_has(const struct outside *outside, const char *file, const char *function)
{
	char word[4096 + NAME_BYTES];
	const char *line;

	if (!outside || !outside->text)
		return 0;
	snprintf(word, sizeof(word), "%s%s%s%s", file ? file : "", file && function ? ":" : "", function ? function : "",
		 file ? "" : "()");
	for (line = outside->text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		if (*line != '#' && line_fits(line, word))
			return 1;
	return 0;
}
