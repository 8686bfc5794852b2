/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_PRINTK_H
#define _LINUX_PRINTK_H

#include <linux/types.h>

/*
 * Modelled: the kernel log is a ring of (format, arguments) that is only formatted when somebody reads it, so a
 * message costs an operation no formatting. Arguments are integers or, cast to unsigned long, strings that live as
 * long as the process.
 */
#define PRINTK_ARGS_MAX 6

void printk_record(const char *format, unsigned int nr, const unsigned long *args);
/*
 * Format the message numbered from the oldest kept, always terminated; false past the newest. Understands flags - 0 #,
 * a width, l and ll, and %d %i %u %x %c %s %%, as the kernel does: a zero with %#x is 0x0. %pGg are the names of a gfp
 * mask; PORT: the argument is the mask, not its address, for the message outlives the call.
 */
bool printk_format(unsigned int number, char *buffer, unsigned long size);
/*
 * Where reports of many lines (show_mem) go at once: NULL while nobody reads along, and then they are not even made.
 */
struct seq_file;
extern struct seq_file *printk_console;
/* Forget all messages. */
void printk_clear(void);

#define printk(format, ...)                                                                            \
	printk_record(format, sizeof((unsigned long[]){ 0, ##__VA_ARGS__ }) / sizeof(unsigned long) - 1, \
		      (unsigned long[]){ 0, ##__VA_ARGS__ } + 1)
#define pr_warn(format, ...) printk(format, ##__VA_ARGS__)
#define pr_info(format, ...) printk(format, ##__VA_ARGS__)

#endif
