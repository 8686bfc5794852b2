// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_run_stop.c - a run that ends in front of an operation (cmd_run_stop.h). What is shown is the world as the operation
 * before has left it: the end of a program, which wakes and ends its tasks, has not come yet.
 */
#include <string.h>

#include "fuzz/cmd_run_stop.h"
#include "fuzz/exec.h"
#include "fuzz/sink.h"

#define REPORT_BYTES 4096
#define PROC_BYTES (256 << 10)

struct stopping {
	const char *proc_word;
	unsigned int after;              /* show after this operation; ~0 = after the boot */
	_Bool shown;
};

static const char *const proc_words[] = { "zoneinfo", "buddyinfo", "pagetypeinfo", "vmstat", "show_mem" };

static void show_file(enum proc_file file)
{
	static char text[PROC_BYTES];

	exec_proc(file, text, sizeof(text));
	printf("---- %s\n%s", proc_words[file], text);
}

static void after_op(void *argument, unsigned int op)
{
	struct stopping *stopping = argument;
	unsigned int file;

	if (op != stopping->after)
		return;
	stopping->shown = 1;
	for (file = 0; file < sizeof(proc_words) / sizeof(proc_words[0]); file++)
		if (stopping->proc_word ? !strcmp(proc_words[file], stopping->proc_word) : file <= PROC_PAGETYPEINFO)
			show_file((enum proc_file)file);
}

static void print_place(const struct program *program, unsigned long stop_at)
{
	char op[REPORT_BYTES];

	op_print(program, (unsigned int)stop_at - 1, op, sizeof(op));
	printf("before operation %lu of %u: %s\n", stop_at, program->nr_ops, op);
}

static void print_hint(const struct loaded *loaded, const char *kernel_text, _Bool misuse, unsigned long stop_at)
{
	char text[REPORT_BYTES];
	struct sink sink = { text, sizeof(text), 0 };

	sink_put_path(&sink, loaded->path);
	printf("---- to go on from here\n"
	       "gdb -q -ex 'break exec_op if index == %lu' -ex run --args build/mmfuzz run%s --kernel %s %s\n",
	       stop_at - 1, misuse ? " --misuse" : "", kernel_text, text);
}

int run_and_stop(const struct loaded *loaded, const char *kernel_text, const struct run_options *asked,
		 unsigned long stop_at, const char *proc_word)
{
	struct stopping stopping = { .proc_word = proc_word, .after = (unsigned int)stop_at - 2 };
	struct run_options options = *asked;
	char title[VERDICT_TITLE_BYTES], report[REPORT_BYTES];
	struct verdict verdict;

	if (!stop_at || stop_at > loaded->program.nr_ops) {
		fprintf(stderr, "%s: --stop-at %lu: the program has %u operations\n", loaded->path, stop_at,
			loaded->program.nr_ops);
		return EXIT_USAGE;
	}
	if (stop_at == 1)
		stopping.after = ~0U;
	options.stop_before = (unsigned int)stop_at - 1;
	options.after_op = after_op;
	options.argument = &stopping;
	print_place(&loaded->program, stop_at);
	run_titled(&loaded->program, &options, &verdict, title);
	if (stopping.shown) {
		print_hint(loaded, kernel_text, options.misuse, stop_at);
		return EXIT_CLEAN;
	}
	if (verdict.nofail_loop)
		snprintf(report, sizeof(report), "a request that must not fail, and could not succeed, comes before\n");
	else
		verdict_report(&verdict, &loaded->program, loaded->path, report, sizeof(report));
	printf("the program does not get there:\n%s", report);
	return (int)verdict_exit_code(&verdict);
}
