// SPDX-License-Identifier: GPL-2.0
/*
 * exercised.c - over the corpus every invariant finds something to check at least once. What never does is listed here,
 * with the reason, and must not be listed any more when it does.
 */
#include <stdio.h>
#include "tests/support.h"
#include "fuzz/files.h"
#include "fuzz/invariant.h"
#include "fuzz/run.h"

static const struct {
	const char *name;
	const char *reason;
} never_exercised[] = {
	{ "killed_task_sleeps_no_more", "what it finds to check is what must not happen: a killed task that sleeps" },
	{ "free_without_reference_is_caught", "what it finds to check is what must not happen: such a free that comes back" },
	{ NULL, NULL },
};

static void run_on(const struct program *program, const char *kernel_text, bool misuse)
{
	struct run_options options = run_options_default();
	struct verdict verdict;

	cr_assert_null(kernel_parse(&options.kernel, kernel_text), "%s", kernel_text);
	options.misuse = misuse;
	options.count = true;
	run_program(program, &options, &verdict);
}

/* On each kernel that its comments name. */
static void run_file(const char *path)
{
	static struct text_directives directives;
	static struct program program;
	struct text_error error;
	unsigned char *bytes;
	unsigned long size;
	char *kernel_text;
	bool misuse;

	cr_assert_null(file_read(path, &bytes, &size));
	cr_assert(program_parse(&program, (const char *)bytes, size, true, &directives, &error), "%s:%u: %s", path,
		  error.line, error.message);
	misuse = directives.misuse[0];
	run_on(&program, directives.kernel[0] ? directives.kernel : "fixed", misuse);
	for (kernel_text = strtok(directives.clean_on, " "); kernel_text; kernel_text = strtok(NULL, " "))
		run_on(&program, kernel_text, misuse);
	free(bytes);
}

static const char *reason_for(const char *name)
{
	unsigned int i;

	for (i = 0; never_exercised[i].name; i++)
		if (!strcmp(never_exercised[i].name, name))
			return never_exercised[i].reason;
	return NULL;
}

Test(exercised, every_invariant_has_something_to_check_in_the_corpus, .timeout = 120)
{
	struct file_list list = { 0 };
	const struct invariant *inv;
	unsigned long i;

	cr_assert_null(file_list_add(&list, "corpus/seeds"));
	cr_assert_null(file_list_add(&list, "corpus/regressions"));
	for (i = 0; i < list.nr; i++)
		run_file(list.paths[i]);
	for (inv = __start_invariants; inv < __stop_invariants; inv++) {
		bool held = inv->evaluated > inv->vacuous;

		cr_expect(held != (reason_for(inv->name) != NULL), "%s was evaluated %lu times, %lu of them in vain%s", inv->name,
			  inv->evaluated, inv->vacuous, held ? ", and is listed as never exercised" : "");
	}
	file_list_free(&list);
}
