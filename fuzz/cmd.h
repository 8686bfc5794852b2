/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cmd.h - the verbs of the tool, one function each: argv[0] is the verb, the result is the exit code (verdict.h);
 * and what several of them need: programs from files, kernels from options, JSON.
 */
#ifndef MMFUZZ_CMD_H
#define MMFUZZ_CMD_H

#include <stdio.h>

#include "fuzz/options.h"
#include "fuzz/program.h"
#include "fuzz/run.h"

int cmd_run(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_text(int argc, char **argv);
int cmd_bytes(int argc, char **argv);
int cmd_shrink(int argc, char **argv);
int cmd_triage(int argc, char **argv);
int cmd_fuzz(int argc, char **argv);
int cmd_bisect(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_bugs(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_corpus(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_golden(int argc, char **argv);
int cmd_ops(int argc, char **argv);
int cmd_machines(int argc, char **argv);
int cmd_kernels(int argc, char **argv);
int cmd_patches(int argc, char **argv);
int cmd_invariants(int argc, char **argv);
int cmd_bench(int argc, char **argv);

/* A program from a file, and what its comments say. */
struct loaded {
	const char *path;
	_Bool text;                         /* *.prog: what people wrote; else bytes */
	struct program program;
	struct text_directives directives;  /* empty for bytes */
};

/* load - EXIT_CLEAN, or EXIT_USAGE after a message on standard error: file:line:col: ... */
int load(struct loaded *loaded, const char *path);

/* load_kernel - KERNEL to a configuration; the message begins with `where`. */
int load_kernel(struct kernel_config *kernel, const char *text, const char *where);

/* The kernel that a program asks for: its '# kernel:' line, or fixed. */
const char *loaded_kernel(const struct loaded *loaded);

/* The program may break the callers' contract: its '# misuse: yes' line, which a campaign writes too. */
_Bool loaded_misuse(const struct loaded *loaded);

/* run_titled - run once. The title goes to title[VERDICT_TITLE_BYTES], "" if clean. */
void run_titled(const struct program *program, const struct run_options *options, struct verdict *verdict,
		char *title);

/* One JSON object a line. Fields are separated by the functions; names are plain. */
void json_begin(FILE *file);
void json_text(FILE *file, const char *name, const char *text);
void json_number(FILE *file, const char *name, unsigned long number);
void json_real(FILE *file, const char *name, double number);
void json_hex(FILE *file, const char *name, unsigned long number);
void json_bool(FILE *file, const char *name, _Bool value);
void json_null(FILE *file, const char *name);
void json_end(FILE *file);

#endif
