// SPDX-License-Identifier: GPL-2.0
/*
 * golden.c - replays a recording of a real kernel and demands equality: every line that the kernel printed must be
 * printed again, every operation must get the same answer.
 *
 * A file is read whole and checked to its end before anything boots, so a damaged one is refused and never replayed in
 * part. Frees are held to what the recording allocated: a file cannot make the allocator free what it does not own.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/golden_file.h"

#define FILE_BYTES_MAX (64UL << 20)
#define GIVEN_TO_CMA 0xff

/* Where in the text the next line begins. */
struct lines {
	const char *at;
	const char *end;
	unsigned int number;               /* of the line read last */
	char line[GOLDEN_LINE_BYTES];
};

struct replay {
	struct golden_file file;
	struct lines lines;
	struct golden_report *report;
	unsigned char *held;               /* by frame: order + 1 of the block that begins there */
	enum golden_block block;
	char text[GOLDEN_BLOCK_BYTES];     /* the current block, printed by the replayed kernel */
	const char *expected;              /* its next line */
	char answer[GOLDEN_LINE_BYTES];
	_Bool booted;
};

static void copy_line(char *to, const char *from, size_t length)
{
	if (length >= GOLDEN_LINE_BYTES)
		length = GOLDEN_LINE_BYTES - 1;
	memcpy(to, from, length);
	to[length] = '\0';
}

static enum golden_outcome conclude(struct golden_report *report, enum golden_outcome outcome, unsigned int line,
				    const char *format, ...) __attribute__((format(printf, 4, 5)));

static enum golden_outcome conclude(struct golden_report *report, enum golden_outcome outcome, unsigned int line,
				    const char *format, ...)
{
	va_list arguments;

	report->line = line;
	va_start(arguments, format);
	vsnprintf(report->reason, sizeof(report->reason), format, arguments);
	va_end(arguments);
	return outcome;
}

/* 1 = a line was read, 0 = there is none, -1 = it cannot be read: *why. */
static int next_line(struct lines *lines, const char **why)
{
	const char *newline;

	if (lines->at == lines->end)
		return 0;
	lines->number++;
	newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
	*why = "the file ends inside this line: it is truncated";
	if (!newline)
		return -1;
	*why = "the line is too long";
	if (newline - lines->at >= GOLDEN_LINE_BYTES)
		return -1;
	*why = "the line holds a NUL byte";
	if (memchr(lines->at, '\0', (size_t)(newline - lines->at)))
		return -1;
	copy_line(lines->line, lines->at, (size_t)(newline - lines->at));
	lines->at = newline + 1;
	return 1;
}

/* Read to the end without replaying. */
static enum golden_outcome check_text(struct lines lines, struct golden_report *report)
{
	struct golden_file file = { 0 };
	struct golden_line line;
	const char *why = NULL;
	int more;

	while ((more = next_line(&lines, &why)) > 0)
		if (golden_file_line(&file, lines.line, &line))
			return conclude(report, GOLDEN_BAD_FILE, lines.number, "%s", file.error);
	if (more < 0)
		return conclude(report, GOLDEN_BAD_FILE, lines.number, "%s", why);
	if (!file.has_machine)
		return conclude(report, GOLDEN_BAD_FILE, lines.number, "this is not a recording: it has no machine line");
	if (!file.has_end)
		return conclude(report, GOLDEN_BAD_FILE, lines.number,
				"the line '# ops=' that ends a recording is missing: it is truncated");
	return GOLDEN_EQUAL;
}

static enum golden_outcome found(struct replay *replay, const char *doing)
{
	copy_line(replay->report->recorded, replay->lines.line, strlen(replay->lines.line));
	return conclude(replay->report, GOLDEN_FOUND, replay->lines.number, "%s ended in a finding", doing);
}

/* The line of the file, and the one that should be there. */
static enum golden_outcome differs(struct replay *replay, const char *replayed, size_t length, const char *what)
{
	copy_line(replay->report->recorded, replay->lines.line, strlen(replay->lines.line));
	copy_line(replay->report->replayed, replayed, length);
	return conclude(replay->report, GOLDEN_DIFFERS, replay->lines.number, "%s", what);
}

static size_t line_length(const char *text)
{
	return strcspn(text, "\n");
}

static enum golden_outcome replay_block(struct replay *replay, enum golden_block block)
{
	size_t length;

	if (block == GOLDEN_BOOT) {
		if (golden_boot(&replay->file.config))
			return found(replay, "the boot");
		replay->booted = 1;
	}
	if (!*replay->expected) {
		golden_print(block, replay->text, sizeof(replay->text));
		replay->block = block;
		replay->expected = replay->text;
	}
	length = line_length(replay->expected);
	if (strlen(replay->lines.line) != length || memcmp(replay->lines.line, replay->expected, length) != 0)
		return differs(replay, replay->expected, length, "the state is not the recorded one");
	replay->expected += length + 1;
	return GOLDEN_EQUAL;
}

/* Why the operation must not run, or NULL. */
static const char *misuse(const struct replay *replay, const struct golden_op *op)
{
	const struct machine_config *config = &replay->file.config;

	if (op->kind == GOLDEN_FREE) {
		if (op->pfn >= config->ranges[config->nr_ranges - 1].end_pfn || replay->held[op->pfn] != op->order + 1)
			return "no allocated block of this order begins at this frame";
	} else if (op->kind == GOLDEN_CMA_INIT && replay->held[op->pfn]) {
		return "this pageblock was given to CMA before";
	}
	return NULL;
}

/* The answer was the recorded one, so the file's numbers are the replayed kernel's. */
static void keep_track(struct replay *replay, const struct golden_op *op)
{
	static const char page[] = " -> pfn=";

	if (op->kind == GOLDEN_ALLOC && !strncmp(replay->answer, page, strlen(page)))
		replay->held[strtoul(replay->answer + strlen(page), NULL, 16)] = (unsigned char)(op->order + 1);
	else if (op->kind == GOLDEN_FREE)
		replay->held[op->pfn] = 0;
	else if (op->kind == GOLDEN_CMA_INIT)
		replay->held[op->pfn] = GIVEN_TO_CMA;
}

static enum golden_outcome replay_op(struct replay *replay, const struct golden_line *line)
{
	const char *text = replay->lines.line;
	const char *why = misuse(replay, &line->op);
	char whole[2 * GOLDEN_LINE_BYTES];

	copy_line(replay->report->op, text, (size_t)(line->answer - text));
	if (why)
		return conclude(replay->report, GOLDEN_BAD_FILE, replay->lines.number, "%s", why);
	if (golden_run(&line->op, replay->answer, sizeof(replay->answer)))
		return found(replay, "this operation");
	if (strcmp(line->answer, replay->answer) != 0) {
		int length = snprintf(whole, sizeof(whole), "%s%s", replay->report->op, replay->answer);

		return differs(replay, whole, (size_t)length, "the answer is not the recorded one");
	}
	keep_track(replay, &line->op);
	return GOLDEN_EQUAL;
}

static enum golden_outcome replay_line(struct replay *replay, const struct golden_line *line)
{
	if (*replay->expected && (line->kind != LINE_BLOCK || line->block != replay->block))
		return differs(replay, replay->expected, line_length(replay->expected),
			       "the state has lines that the recording has not");
	if (line->kind == LINE_BLOCK)
		return replay_block(replay, line->block);
	if (line->kind == LINE_OP)
		return replay_op(replay, line);
	return GOLDEN_EQUAL;
}

static enum golden_outcome replay_lines(struct replay *replay)
{
	enum golden_outcome outcome = GOLDEN_EQUAL;
	const struct machine_config *config;
	struct golden_line line;
	const char *why;

	while (outcome == GOLDEN_EQUAL && next_line(&replay->lines, &why) > 0) {
		if (golden_file_line(&replay->file, replay->lines.line, &line))
			return conclude(replay->report, GOLDEN_BAD_FILE, replay->lines.number, "%s",
					replay->file.error);
		config = &replay->file.config;
		if (!replay->held && replay->file.has_boot) {
			replay->held = calloc(config->ranges[config->nr_ranges - 1].end_pfn, 1);
			if (!replay->held)
				return conclude(replay->report, GOLDEN_BAD_FILE, replay->lines.number,
						"no memory for a machine of this size");
		}
		outcome = replay_line(replay, &line);
	}
	return outcome;
}

enum golden_outcome golden_replay_text(const char *text, unsigned long size, struct golden_report *report)
{
	struct lines lines = { .at = text, .end = text + size };
	enum golden_outcome outcome;
	struct replay *replay;

	memset(report, 0, sizeof(*report));
	outcome = check_text(lines, report);
	if (outcome != GOLDEN_EQUAL)
		return outcome;
	replay = calloc(1, sizeof(*replay));
	if (!replay)
		return conclude(report, GOLDEN_BAD_FILE, 0, "no memory");
	replay->lines = lines;
	replay->report = report;
	replay->expected = replay->text;
	outcome = replay_lines(replay);
	if (replay->booted)
		golden_end();
	free(replay->held);
	free(replay);
	return outcome;
}

/* All of an open file; NULL with *why when it cannot be had. The buffer is backed as far as it is filled. */
static char *read_all(FILE *stream, unsigned long *size, const char **why)
{
	char *text = malloc(FILE_BYTES_MAX);

	*why = strerror(errno);
	if (!text)
		return NULL;
	*size = fread(text, 1, FILE_BYTES_MAX, stream);
	if (ferror(stream))
		*why = strerror(errno);
	else if (*size == FILE_BYTES_MAX)
		*why = "it has 64 MiB or more";
	else
		return text;
	free(text);
	return NULL;
}

enum golden_outcome golden_replay(const char *path, struct golden_report *report)
{
	enum golden_outcome outcome;
	const char *why = NULL;
	unsigned long size = 0;
	char *text = NULL;
	FILE *stream;

	memset(report, 0, sizeof(*report));
	stream = fopen(path, "rb");
	if (stream)
		text = read_all(stream, &size, &why);
	else
		why = strerror(errno);
	if (stream)
		fclose(stream);
	if (!text)
		return conclude(report, GOLDEN_BAD_FILE, 0, "cannot be read: %s", why);
	outcome = golden_replay_text(text, size, report);
	free(text);
	return outcome;
}
