/* SPDX-License-Identifier: GPL-2.0 */
/* cmd_run_stop.h - mmfuzz run --stop-at: the state that an operation will find, and the way into it. */
#ifndef MMFUZZ_CMD_RUN_STOP_H
#define MMFUZZ_CMD_RUN_STOP_H

#include "fuzz/cmd.h"

/*
 * run_and_stop - run the operations before number `stop_at` (from 1) on a kernel, show /proc (one file of EXEC_PROC_WORDS,
 * or with NULL all about free pages) and the command of a debugger that stops there. An exit code.
 */
int run_and_stop(const struct loaded *loaded, const char *kernel_text, const struct run_options *asked,
		 unsigned long stop_at, const char *proc_word);

#endif
