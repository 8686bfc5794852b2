/* SPDX-License-Identifier: GPL-2.0 */
/* options.h - the options of one verb, from a table: parsing, --help and error messages over getopt_long. */
#ifndef MMFUZZ_OPTIONS_H
#define MMFUZZ_OPTIONS_H

/* Exactly one of flag, text and number is set; an array ends with an entry without a name. */
struct option_spec {
	const char *name;
	char letter;              /* short form, 0 = none */
	const char *argument;     /* its name in --help; NULL for a flag */
	const char *sentence;
	_Bool *flag;
	const char **text;
	unsigned long *number;
};

struct usage {
	const char *verb;
	const char *arguments;    /* "FILE|DIR..." */
	const char *sentence;     /* what the verb does; may have several lines */
	int min_files;
	int max_files;            /* 0 = any number, NO_FILES = none */
};

#define OPTIONS_GO_ON (-1)
#define NO_FILES (-1)

/*
 * options_parse - fills what the table points to; argv[0] is the verb. Returns OPTIONS_GO_ON with *first at the first
 * argument that is not an option, or the exit code to end with (after --help, or after a message about a mistake).
 */
int options_parse(const struct usage *usage, const struct option_spec *specs, int argc, char **argv, int *first);

/* option_word - the position of a word in a list separated by spaces, or -1 after a message. */
int option_word(const struct usage *usage, const char *option, const char *words, const char *word);

#endif
