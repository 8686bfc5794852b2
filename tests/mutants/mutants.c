// SPDX-License-Identifier: GPL-2.0
/*
 * mutants.c - the single-point mutants of some C sources: names them, and makes one.
 *
 *	mutants list SEED OUTSIDE FILE...   every point, in the order of the sample that SEED asks for
 *	mutants apply ID OUTSIDE FILE       the text of FILE with that one mistake
 *
 * A line of `list` has fields separated by tabs: id, file, line:column, kind, key. Lines stay where they are: what is
 * left out becomes blanks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mutants/points.h"

struct listed {
	unsigned int order;
	unsigned int id;
	char *line;
};

static struct listed *listed;
static unsigned int nr_listed;

static int complain(const char *what, const char *why)
{
	fprintf(stderr, "mutants: %s: %s\n", what, why);
	return 2;
}

static int by_order(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return strcmp(x->line, y->line);
}

static void remember(const struct source *source, const struct point *point, unsigned int seed)
{
	char key[POINT_KEY_BYTES], line[POINT_KEY_BYTES + 4096];
	struct listed *more = realloc(listed, (nr_listed + 1) * sizeof(*more));
	unsigned int id = point_hash(0, point_key(source, point, key));

	if (!more)
		exit(complain(source->path, "out of memory"));
	snprintf(line, sizeof(line), "%08x\t%s\t%u:%u\t%s\t%s", id, source->path, point->line, point->column,
		 point_kind_name(point->kind), key);
	listed = more;
	listed[nr_listed++] = (struct listed){ point_hash(seed, key), id, strdup(line) };
}

static int list(unsigned int seed, const struct outside *outside, char **files, int nr_files)
{
	struct source source;
	struct points points;
	const char *error;
	unsigned int i;
	int file;

	for (file = 0; file < nr_files; file++) {
		error = source_read(&source, files[file]);
		if (!error)
			error = points_find(&points, &source, outside);
		if (error)
			return complain(files[file], error);
		for (i = 0; i < points.nr; i++)
			remember(&source, &points.all[i], seed);
		points_free(&points);
		source_free(&source);
	}
	if (nr_listed)
		qsort(listed, nr_listed, sizeof(*listed), by_order);
	for (i = 0; i < nr_listed; i++)
		puts(listed[i].line);
	return 0;
}

/* The lines that the old text had are kept, empty ones if need be. */
static void print_changed(const struct source *source, const struct point *point)
{
	unsigned int end = point->start + point->length, i;

	fwrite(source->text, 1, point->start, stdout);
	fputs(point->to, stdout);
	for (i = point->start; i < end; i++)
		if (source->text[i] == '\n')
			putchar('\n');
	fwrite(source->text + end, 1, source->size - end, stdout);
}

static int apply(const char *id, const struct outside *outside, const char *file)
{
	unsigned int wanted = (unsigned int)strtoul(id, NULL, 16), i;
	char key[POINT_KEY_BYTES];
	struct source source;
	struct points points;
	const char *error = source_read(&source, file);

	if (!error)
		error = points_find(&points, &source, outside);
	if (error)
		return complain(file, error);
	for (i = 0; i < points.nr; i++)
		if (point_hash(0, point_key(&source, &points.all[i], key)) == wanted)
			break;
	if (i == points.nr)
		return complain(file, "has no such mutant");
	print_changed(&source, &points.all[i]);
	points_free(&points);
	source_free(&source);
	return 0;
}

int main(int argc, char **argv)
{
	struct outside outside;
	const char *error;
	int code;

	if (argc < 5 || (strcmp(argv[1], "list") && strcmp(argv[1], "apply")) || (argv[1][0] == 'a' && argc != 5))
		return complain("usage", "mutants list SEED OUTSIDE FILE... | mutants apply ID OUTSIDE FILE");
	error = outside_read(&outside, argv[3]);
	if (error)
		return complain("outside", error);
	if (argv[1][0] == 'l')
		code = list((unsigned int)strtoul(argv[2], NULL, 10), &outside, argv + 4, argc - 4);
	else
		code = apply(argv[2], &outside, argv[4]);
	outside_free(&outside);
	return code;
}
