/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_SEQ_FILE_H
#define _LINUX_SEQ_FILE_H

#include <linux/types.h>

/* Modelled: text that a /proc file shows, in a buffer of its reader. Counts everything, keeps what fits, always ends it. */
struct seq_file {
	char *buf;
	size_t size;
	size_t count;      /* characters of the whole text */
};

void seq_printf(struct seq_file *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define seq_puts(m, text) seq_printf(m, "%s", text)
#define seq_putc(m, letter) seq_printf(m, "%c", letter)

#endif
