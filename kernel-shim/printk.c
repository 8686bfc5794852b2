// SPDX-License-Identifier: GPL-2.0
/*
 * printk.c - the kernel log: the newest messages as format and arguments, and a formatter for whoever reads them.
 *
 * Recording copies a few words and formats nothing. The number of messages is part of the world, so a restore
 * forgets those of the run; the records themselves are not, so they cost a restore nothing. A boot leaves the log
 * empty for that reason. The formatter is the kernel's dialect, not the C library's: %#x of 0 is 0x0.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include "finding.h"
#include "gfp_names.h"
#include "host.h"
#include "world.h"

#define LOG_RECORDS 64U

struct log_record {
	const char *format;
	unsigned long args[PRINTK_ARGS_MAX];
};

static struct log_record log_records[LOG_RECORDS];
__world static unsigned int log_count;

struct seq_file *printk_console;

void seq_printf(struct seq_file *m, const char *format, ...)
{
	size_t room = m->count < m->size ? m->size - m->count : 0;
	__builtin_va_list arguments;

	__builtin_va_start(arguments, format);
	m->count += (size_t)host_format(room ? m->buf + m->count : NULL, room, format, arguments);
	__builtin_va_end(arguments);
}

void printk_record(const char *format, unsigned int nr, const unsigned long *args)
{
	struct log_record *record = &log_records[log_count++ % LOG_RECORDS];
	unsigned int i;

	CHECK(nr <= PRINTK_ARGS_MAX, "%u arguments for \"%s\"", nr, format);
	record->format = format;
	for (i = 0; i < PRINTK_ARGS_MAX; i++)
		record->args[i] = i < nr ? args[i] : 0;
}

void printk_clear(void)
{
	log_count = 0;
}

/* A text that is being made; what does not fit is dropped. */
struct sink {
	char *next;
	char *end;                   /* of the room for characters, before the terminating 0 */
};

/* What stands between % and the letter. */
struct conversion {
	bool left;
	bool zero;
	bool alternate;
	bool is_long;
	unsigned int width;
};

static void put(struct sink *sink, char c)
{
	if (sink->next < sink->end)
		*sink->next++ = c;
}

static void put_padding(struct sink *sink, char c, unsigned int length, unsigned int width)
{
	for (; length < width; length++)
		put(sink, c);
}

/* A prefix (sign, 0x), then the body, in a field of at least the width asked for. */
static void put_field(struct sink *sink, const struct conversion *how, const char *prefix, const char *body)
{
	unsigned int length = (unsigned int)(strlen(prefix) + strlen(body));

	if (!how->left && !how->zero)
		put_padding(sink, ' ', length, how->width);
	while (*prefix)
		put(sink, *prefix++);
	if (!how->left && how->zero)
		put_padding(sink, '0', length, how->width);
	while (*body)
		put(sink, *body++);
	if (how->left)
		put_padding(sink, ' ', length, how->width);
}

static void put_number(struct sink *sink, const struct conversion *how, const char *prefix, unsigned long value,
		       unsigned int base)
{
	char digits[24];
	char *digit = &digits[sizeof(digits) - 1];

	*digit = '\0';
	do {
		*--digit = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	put_field(sink, how, prefix, digit);
}

static void put_signed(struct sink *sink, const struct conversion *how, unsigned long value)
{
	long number = how->is_long ? (long)value : (int)value;

	put_number(sink, how, number < 0 ? "-" : "", number < 0 ? 0UL - (unsigned long)number : (unsigned long)number,
		   10);
}

static void put_conversion(struct sink *sink, char letter, const struct conversion *how, unsigned long value)
{
	unsigned long number = how->is_long ? value : (unsigned int)value;
	const struct conversion text = { .left = how->left, .width = how->width };
	char character[2] = { (char)value, '\0' };
	char names[256];

	switch (letter) {
	case 'd':
	case 'i':
		put_signed(sink, how, value);
		break;
	case 'u':
		put_number(sink, how, "", number, 10);
		break;
	case 'x':
		put_number(sink, how, how->alternate ? "0x" : "", number, 16);
		break;
	case 'c':
		put_field(sink, &text, "", character);
		break;
	case 's':
		put_field(sink, &text, "", value ? (const char *)value : "(null)");
		break;
	case 'p':
		put_field(sink, &text, "", gfp_format(names, sizeof(names), (unsigned int)value));
		break;
	default:
		put(sink, '%');
		put(sink, letter);
	}
}

/* Reads flags, width and length after a %; returns where the letter is. */
static const char *parse_conversion(const char *format, struct conversion *how)
{
	*how = (struct conversion){ 0 };
	for (;; format++) {
		if (*format == '-')
			how->left = true;
		else if (*format == '0')
			how->zero = true;
		else if (*format == '#')
			how->alternate = true;
		else
			break;
	}
	for (; *format >= '0' && *format <= '9'; format++)
		how->width = how->width * 10 + (unsigned int)(*format - '0');
	for (; *format == 'l'; format++)
		how->is_long = true;
	return format;
}

bool printk_format(unsigned int number, char *buffer, unsigned long size)
{
	unsigned int nr_kept = min(log_count, LOG_RECORDS);
	const struct log_record *record = &log_records[(log_count - nr_kept + number) % LOG_RECORDS];
	struct sink sink = { buffer, buffer + size - 1 };
	struct conversion how;
	unsigned int arg = 0;
	const char *format;

	if (number >= nr_kept)
		return false;
	for (format = record->format; *format; format++) {
		if (*format != '%') {
			put(&sink, *format);
			continue;
		}
		format = parse_conversion(format + 1, &how);
		if (!*format)
			break;
		if (*format == '%')
			put(&sink, '%');
		else
			put_conversion(&sink, *format, &how, arg < PRINTK_ARGS_MAX ? record->args[arg++] : 0);
		if (format[0] == 'p' && format[1] == 'G' && format[2] == 'g')
			format += 2;
	}
	*sink.next = '\0';
	return true;
}
