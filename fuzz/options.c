// SPDX-License-Identifier: GPL-2.0
/*
 * options.c - the options of one verb (options.h). A verb writes its options down once, as a table; parsing, --help
 * and the messages about mistakes follow from that. Every mistake ends with exit code 2 and names the way to the help.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/options.h"
#include "fuzz/verdict.h"

#define OPTIONS_MAX 16
#define COLUMN 24

/* getopt_long's answer for the option numbered i of the table. */
#define LONG_BASE 256
#define ANSWER_HELP (LONG_BASE + OPTIONS_MAX)

static int refuse(const struct usage *usage)
{
	fprintf(stderr, "See: mmfuzz %s --help\n", usage->verb);
	return EXIT_USAGE;
}

static void print_help(const struct usage *usage, const struct option_spec *specs)
{
	char left[80];

	printf("mmfuzz %s [OPTION]... %s\n\n%s\n\n", usage->verb, usage->arguments, usage->sentence);
	for (; specs->name; specs++) {
		char letter[8] = "";

		if (specs->letter)
			snprintf(letter, sizeof(letter), "-%c, ", specs->letter);
		snprintf(left, sizeof(left), "  %s--%s%s%s", letter, specs->name, specs->argument ? " " : "",
			 specs->argument ? specs->argument : "");
		printf("%-*s %s\n", COLUMN, left, specs->sentence);
	}
	printf("%-*s %s\n", COLUMN, "  --help", "this text");
}

static int set_number(const struct usage *usage, const struct option_spec *spec, const char *text)
{
	char *end;

	errno = 0;
	*spec->number = strtoul(text, &end, 10);
	if (!errno && end != text && !*end && *text != '-')
		return OPTIONS_GO_ON;
	fprintf(stderr, "mmfuzz %s: --%s: expected a number; got '%s'\n", usage->verb, spec->name, text);
	return refuse(usage);
}

static int set(const struct usage *usage, const struct option_spec *spec, const char *text)
{
	if (spec->number)
		return set_number(usage, spec, text);
	if (spec->flag)
		*spec->flag = 1;
	else
		*spec->text = text;
	return OPTIONS_GO_ON;
}

/* Tables for getopt_long. */
static void translate(const struct option_spec *specs, struct option *longs, char *letters)
{
	int i;

	*letters++ = ':';
	for (i = 0; i < OPTIONS_MAX && specs[i].name; i++) {
		longs[i] = (struct option){ specs[i].name, specs[i].argument ? required_argument : no_argument, NULL,
					    LONG_BASE + i };
		if (!specs[i].letter)
			continue;
		*letters++ = specs[i].letter;
		if (specs[i].argument)
			*letters++ = ':';
	}
	longs[i++] = (struct option){ "help", no_argument, NULL, ANSWER_HELP };
	longs[i] = (struct option){ 0 };
	*letters = '\0';
}

static const struct option_spec *find(const struct option_spec *specs, int answer)
{
	if (answer >= LONG_BASE)
		return &specs[answer - LONG_BASE];
	while (specs->letter != answer)
		specs++;
	return specs;
}

static int check_files(const struct usage *usage, int nr)
{
	int max = usage->max_files == NO_FILES ? 0 : usage->max_files;

	if (nr >= usage->min_files && (nr <= max || !usage->max_files))
		return OPTIONS_GO_ON;
	fprintf(stderr, "mmfuzz %s: expected %s; got %d argument%s\n", usage->verb,
		*usage->arguments ? usage->arguments : "no argument", nr, nr == 1 ? "" : "s");
	return refuse(usage);
}

int options_parse(const struct usage *usage, const struct option_spec *specs, int argc, char **argv, int *first)
{
	struct option longs[OPTIONS_MAX + 2];
	char letters[2 * OPTIONS_MAX + 2];
	int answer;
	int end;

	translate(specs, longs, letters);
	opterr = 0;
	optind = 0;
	while ((answer = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		const char *what = argv[optind - 1];

		if (answer == ANSWER_HELP) {
			print_help(usage, specs);
			return EXIT_CLEAN;
		}
		if (answer == '?' || answer == ':') {
			fprintf(stderr, "mmfuzz %s: %s '%s'\n", usage->verb,
				answer == ':' ? "an argument must follow" : "unknown option", what);
			return refuse(usage);
		}
		end = set(usage, find(specs, answer), optarg);
		if (end != OPTIONS_GO_ON)
			return end;
	}
	*first = optind;
	return check_files(usage, argc - optind);
}

int option_word(const struct usage *usage, const char *option, const char *words, const char *word)
{
	size_t length = strlen(word);
	const char *at;
	int position;

	for (position = 0, at = words; *at; position++) {
		if (length && strcspn(at, " ") == length && !strncmp(at, word, length))
			return position;
		at += strcspn(at, " ");
		at += *at == ' ';
	}
	fprintf(stderr, "mmfuzz %s: --%s: expected one of %s; got '%s'\n", usage->verb, option, words, word);
	refuse(usage);
	return -1;
}
