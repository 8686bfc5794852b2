/* SPDX-License-Identifier: GPL-2.0 */
/*
 * points.h - where a source can be changed by one small mistake, and into what.
 *
 * A point is named by its KEY, which lives as long as the function around it keeps its shape:
 *
 *	mm/buddy.c:expand compare '>' -> '>=' #1        the first '>' of expand() that can become '>='
 *
 * Its id is a hash of the key. A sample is the points in the order of another hash of seed and key, so that a change in
 * one function leaves the others' places in it alone.
 */
#ifndef MMFUZZ_TESTS_MUTANTS_POINTS_H
#define MMFUZZ_TESTS_MUTANTS_POINTS_H

#include "tests/mutants/tokens.h"

enum point_kind {
	POINT_COMPARE,           /* < <= > >= == != */
	POINT_LOGIC,             /* && || ! */
	POINT_ARITHMETIC,        /* + - * / % << >> & | ^ ~, alone, before '=' and doubled */
	POINT_CONSTANT,          /* a number, true, false */
	POINT_CALL,              /* a call whose value nobody uses, left out */
	POINT_ASSIGNMENT,        /* an assignment, left out */
	POINT_ARGUMENTS,         /* two neighbours among the arguments of a call, exchanged */
	NR_POINT_KINDS
};
const char *point_kind_name(enum point_kind kind);

#define POINT_TEXT_BYTES 320
#define POINT_KEY_BYTES (2 * POINT_TEXT_BYTES + 256)

struct point {
	enum point_kind kind;
	unsigned int start, length;      /* bytes of the text that go */
	unsigned int line, column;
	unsigned int function;           /* the token that names the function, NO_TOKEN for a table outside any */
	unsigned int occurrence;         /* of this change in this function, from 1 */
	char from[POINT_TEXT_BYTES];     /* what goes, in one line, cut if it must be */
	char to[POINT_TEXT_BYTES];       /* what comes instead */
};

/*
 * What is outside: lines "FILE: reason", "FILE:FUNCTION: reason", and "NAME(): reason" for calls that are left alone
 * with their arguments; NAME may end in '*'. Empty lines and those that begin with '#' say nothing.
 */
struct outside {
	char *text;
};
const char *outside_read(struct outside *outside, const char *path);
void outside_free(struct outside *outside);
/* True if there is such a line: a file, with `function` a function of it, or without file a call of `function`. */
_Bool outside_has(const struct outside *outside, const char *file, const char *function);

struct points {
	struct point *all;
	unsigned int nr;
};

/* points_find - every point of a source, in the order of the text. NULL, or what went wrong. */
const char *points_find(struct points *points, const struct source *source, const struct outside *outside);
void points_free(struct points *points);

/* point_key - into key[POINT_KEY_BYTES]. Returns it. */
const char *point_key(const struct source *source, const struct point *point, char *key);
unsigned int point_hash(unsigned int seed, const char *key);

#endif
