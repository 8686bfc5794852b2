// SPDX-License-Identifier: GPL-2.0
/*
 * program_parse.c - text to program. program_print.c writes the canonical spelling of the same grammar:
 *
 *   text      = { line "\n" }            a line is empty, a machine line or an operation; # starts a comment
 *   machine   = "machine" { word }       before the operations; further machine lines continue the first
 *   word      = "preset=" NAME           the very first word, if at all; without it preset 0
 *             | NAME "=" VALUE           a setting of machine.def, spelled as its form says (machine.h)
 *   operation = [ "p" N "=" ] NAME "(" [ argument { "," argument } ] ")" [ "x" N ] [ "(fail_nth=" N ")" ]
 *   argument  = NAME "=" VALUE           an argument of ops.def, or a property: cpu, task, context
 *             | handle                   the handle argument has no name and no default
 *   handle    = "p" N [ "[" ELEMENT "]" ] | "none"
 *   VALUE     = number | word of a list | zone name | FLAG { "|" FLAG }, the kernel's gfp names or a number
 *
 * Producers, and only they, start with p0 =, p1 =, ... in order. Numbers are decimal or 0x hex. Blanks may
 * stand between any two tokens, and a line may end in CR LF. Comments are kept, each as a line of its own;
 * "# kernel:", "# expect:", "# clean-on:" and "# misuse: yes" direct the run.
 *
 * Strict and lenient are one parser: where the text deviates it complains and goes on in the best way it can,
 * which is what makes a strict parse without a complaint give what a lenient parse gives. Strict text ends
 * with the line of the first complaint. Lenient text may number its producers as it likes; a handle that
 * names none of them is none.
 */
#include <stdio.h>
#include <string.h>

#include "fuzz/program_scan.h"

#define NAMES(array, nr) ((struct names){(array), sizeof((array)[0]), (nr)})

struct parser {
	struct scanner scan;
	struct program *program;
	struct text_directives *directives; /* may be NULL */
	unsigned long comment_bytes;
	unsigned int directives_seen; /* bit per directive */
	unsigned int nr_machine_words;
	unsigned int nr_producers;
	unsigned int producer_names[LIMIT_OPS]; /* the numbers that the text gives them */
	unsigned short producer_repeats[LIMIT_OPS];
	unsigned int setting_lines[MACHINE_SETTINGS_MAX];
	unsigned int setting_columns[MACHINE_SETTINGS_MAX];
};

/* ---- comments ---- */

/* The text after "# word" of a comment, without blanks around it; false if the comment starts otherwise. */
static bool directive_value(struct span comment, const char *word, struct span *value)
{
	const char *end = comment.at + comment.length;
	const char *at = comment.at + 1;

	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	if ((unsigned long)(end - at) < strlen(word) || memcmp(at, word, strlen(word)))
		return false;
	at += strlen(word);
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	*value = (struct span){at, (unsigned long)(end - at)};
	return true;
}

/* Take a comment as a directive if it is one. False: it is one that cannot stand. */
static bool parse_directive(struct parser *p, struct span comment, unsigned int column)
{
	static const char *const words[] = {"kernel:", "expect:", "clean-on:", "misuse:"};
	struct text_directives *d = p->directives;
	char *const fields[] = {d ? d->kernel : NULL, d ? d->expect : NULL, d ? d->clean_on : NULL,
				d ? d->misuse : NULL};
	struct span value = {NULL, 0};
	unsigned int i;

	for (i = 0; i < 4 && !directive_value(comment, words[i], &value); i++)
		;
	if (!value.length)
		return true;
	if (p->directives_seen & 1U << i) {
		scan_complain_at(&p->scan, p->scan.line, column, "expected one # %s line; got another",
				 words[i]);
		return false;
	}
	if (value.length >= sizeof(d->kernel)) {
		scan_complain_at(&p->scan, p->scan.line, column,
				 "expected at most %zu bytes after # %s; got %lu", sizeof(d->kernel) - 1,
				 words[i], value.length);
		return false;
	}
	p->directives_seen |= 1U << i;
	if (d) {
		memcpy(fields[i], value.at, value.length);
		fields[i][value.length] = '\0';
	}
	return true;
}

static void parse_comment(struct parser *p, const char *start, const char *end)
{
	struct span comment = span_trimmed(start, end);
	unsigned int column = (unsigned int)(start - p->scan.start) + 1;
	const char *nul = memchr(comment.at, '\0', comment.length);
	struct text_directives *d = p->directives;

	if (nul) {
		column += (unsigned int)(nul - start);
		scan_complain_at(&p->scan, p->scan.line, column, "expected a comment of text; got \\x00");
		return;
	}
	if (p->comment_bytes + comment.length + 1 >= LIMIT_COMMENT_BYTES) {
		scan_complain_at(&p->scan, p->scan.line, column,
				 "expected at most %u bytes of comments; got more", LIMIT_COMMENT_BYTES - 1);
		return;
	}
	if (!parse_directive(p, comment, column))
		return;
	if (d) {
		memcpy(d->comments + p->comment_bytes, comment.at, comment.length);
		memcpy(d->comments + p->comment_bytes + comment.length, "\n", 2);
	}
	p->comment_bytes += comment.length + 1;
}

/* ---- the machine ---- */

/* Zone names as the scanner likes them. */
static bool parse_zone(struct scanner *s, unsigned int *zone)
{
	const char *zones[MACHINE_ZONES_MAX];
	unsigned int i;

	for (i = 0; i < MACHINE_ZONES_MAX; i++)
		zones[i] = machine_zone_name(i);
	return scan_listed(s, "a zone", &NAMES(zones, MACHINE_ZONES_MAX), scan_name(s), zone);
}

static bool parse_node(struct scanner *s, unsigned int *node)
{
	return scan_number(s, "node", 0, MACHINE_NODES_MAX - 1, node);
}

/* x of a setting that has a list of values and not a range. */
static bool parse_setting_choice(struct scanner *s, unsigned int key, unsigned int *x)
{
	const char *format = setting_infos[key].form == FORM_CHAR ? "%s%c" : "%s%u";
	unsigned int nr, position;
	const unsigned int *choices = setting_choices(key, &nr);
	unsigned long length = 0;
	char words[80];

	for (position = 0; position < nr; position++)
		length += (unsigned long)snprintf(words + length, sizeof(words) - length, format,
						  position ? " " : "", choices[position]);
	if (!scan_choice(s, setting_infos[key].name, words, &position))
		return false;
	*x = choices[position];
	return true;
}

/* What stands before x: a zone, a CPU, a node or two. */
static bool parse_setting_place(struct scanner *s, enum setting_form form, unsigned int *a, unsigned int *b)
{
	switch (form) {
	case FORM_ZONE:
		return parse_zone(s, a) && scan_expect(s, ':');
	case FORM_CPU:
		return scan_number(s, "cpu", 0, MACHINE_CPUS_MAX - 1, a) && scan_expect(s, ':');
	case FORM_NODE:
	case FORM_RANGE:
		return parse_node(s, a) && scan_expect(s, ':');
	case FORM_PAIR:
		return parse_node(s, a) && scan_expect(s, ':') && parse_node(s, b) && scan_expect(s, ':');
	default:
		return true;
	}
}

static bool parse_setting_value(struct scanner *s, unsigned int key, struct machine_setting *setting)
{
	const struct setting_info *info = &setting_infos[key];
	unsigned int nr, a = 0, b = 0, x = 0, y = 0;
	bool understood;

	if (!parse_setting_place(s, info->form, &a, &b))
		return false;
	if (setting_choices(key, &nr))
		understood = parse_setting_choice(s, key, &x);
	else
		understood = scan_number(s, info->name, info->min, info->max, &x);
	if (info->form == FORM_RANGE || info->form == FORM_FRAMES)
		understood = understood && scan_expect(s, '-') &&
			     scan_number(s, info->name, info->min, info->max, &y);
	*setting = (struct machine_setting){.key = key, .a = a, .b = b, .x = x, .y = y};
	return understood;
}

static void skip_word(struct scanner *s)
{
	while (s->at < s->end && *s->at != ' ' && *s->at != '\t')
		s->at++;
}

static void parse_preset(struct parser *p, struct span word)
{
	struct scanner *s = &p->scan;
	unsigned int preset;

	if (p->nr_machine_words > 1)
		scan_complain(s, word.at, "expected preset= as the first word of the machine, or not at all");
	if (scan_listed(s, "a preset", &NAMES(machine_presets, nr_machine_presets), scan_word(s), &preset))
		p->program->preset = preset;
}

static void parse_machine_word(struct parser *p)
{
	struct scanner *s = &p->scan;
	struct program *program = p->program;
	struct span word = scan_name(s);
	struct machine_setting setting;
	unsigned int key, nr;

	p->nr_machine_words++;
	if (span_is(word, "preset") && scan_expect(s, '=')) {
		parse_preset(p, word);
		return;
	}
	if (!scan_listed(s, "a setting", &NAMES(setting_infos, NR_SETTINGS), word, &key) ||
	    !scan_expect(s, '=') || !parse_setting_value(s, key, &setting)) {
		skip_word(s);
		return;
	}
	nr = program->nr_settings;
	if (nr == MACHINE_SETTINGS_MAX) {
		scan_complain(s, word.at, "expected at most %u settings", MACHINE_SETTINGS_MAX);
		return;
	}
	program->settings[nr] = setting;
	p->setting_lines[nr] = s->line;
	p->setting_columns[nr] = (unsigned int)(word.at - s->start) + 1;
	program->nr_settings++;
}

static void parse_machine(struct parser *p, struct span word)
{
	if (p->program->nr_ops)
		scan_complain(&p->scan, word.at, "expected machine lines before the first operation");
	while (!scan_at_end(&p->scan))
		parse_machine_word(p);
}

/* Complain about the first setting after the longest machine that could boot. */
static void check_machine(struct parser *p)
{
	unsigned int nr = p->program->nr_settings;

	if (!p->scan.strict || !program_refusal(p->program, nr))
		return;
	while (program_refusal(p->program, nr - 1))
		nr--;
	scan_complain_at(&p->scan, p->setting_lines[nr - 1], p->setting_columns[nr - 1],
			 "expected a machine that can boot; %s", program_refusal(p->program, nr));
}

/* ---- operations ---- */

/* "p12", and no other spelling of the number. */
static bool producer_name(struct span name, unsigned int *number)
{
	struct span digits = {name.at + 1, name.length - 1};
	unsigned long value;

	if (name.length < 2 || name.length > 8 || name.at[0] != 'p' || !scan_digits(digits, &value))
		return false;
	if (digits.length > 1 && digits.at[0] == '0')
		return false;
	*number = (unsigned int)value;
	return true;
}

static void parse_handle(struct parser *p, struct op *op, unsigned int *producer)
{
	struct scanner *s = &p->scan;
	struct span name = scan_name(s);
	unsigned int number, i;
	char what[40];

	*producer = HANDLE_NONE;
	op->element = ELEMENT_ALL;
	if (span_is(name, "none"))
		return;
	if (producer_name(name, &number))
		for (i = 0; i < p->nr_producers; i++)
			if (p->producer_names[i] == number)
				*producer = i;
	if (*producer != HANDLE_NONE) {
		if (!scan_accept(s, '['))
			return;
		snprintf(what, sizeof(what), "element of p%u,", number);
		scan_number(s, what, 0, p->producer_repeats[*producer] - 1U, &op->element);
		scan_expect(s, ']');
	} else if (p->nr_producers) {
		scan_complain(s, name.at, "expected a handle p0..p%u or none", p->nr_producers - 1);
	} else {
		scan_complain(s, name.at, "expected none, as nothing is made before this operation");
	}
}

static bool parse_gfp_flag(struct scanner *s, unsigned int max, unsigned int *mask)
{
	/* Names of the kernel's that %pGg never prints. */
	static const struct gfp_name aliases[] = {
		{"__GFP_DMA", 0x1},
		{"__GFP_DMA32", 0x4},
		{"__GFP_NOTRACK_FALSE_POSITIVE", 0x200000},
	};
	unsigned int i, bits = 0;
	struct span name;

	if (scan_peek(s) >= '0' && scan_peek(s) <= '9')
		return scan_number(s, "gfp bits", 0, max, mask);
	name = scan_name(s);
	i = names_find(&NAMES(aliases, 3), name);
	if (i < 3)
		bits = aliases[i].mask;
	else if (scan_listed(s, "a gfp flag", &NAMES(gfp_names, nr_gfp_names), name, &i))
		bits = gfp_names[i].mask;
	*mask = bits;
	return bits != 0;
}

static void parse_gfp(struct scanner *s, const struct arg_info *info, unsigned int *gfp)
{
	unsigned int mask = 0, one;
	bool understood = false;

	do {
		if (parse_gfp_flag(s, info->max, &one)) {
			mask |= one;
			understood = true;
		}
	} while (scan_accept(s, '|'));
	if (understood)
		*gfp = mask;
}

static void parse_value(struct scanner *s, const struct arg_info *info, unsigned int *value)
{
	switch (info->kind) {
	case ARG_GFP:
		parse_gfp(s, info, value);
		break;
	case ARG_ZONE:
		parse_zone(s, value);
		break;
	case ARG_WORD:
		scan_choice(s, info->name, info->words, value);
		break;
	case ARG_DELTA:
		scan_delta(s, info->name, value);
		break;
	default:
		scan_number(s, info->name, info->min, info->max, value);
	}
}

static void skip_argument(struct scanner *s)
{
	while (s->at < s->end && *s->at != ',' && *s->at != ')')
		s->at++;
}

/* Complain about a name that is no argument, and list what would be one. */
static void complain_argument(struct scanner *s, const char *where, unsigned int code)
{
	const struct op_info *info = &op_infos[code];
	unsigned long length = 0;
	char listed[160];
	unsigned int i;

	for (i = 0; i < info->nr_args && length < sizeof(listed); i++)
		length += (unsigned long)snprintf(listed + length, sizeof(listed) - length, "%s%s, ",
						  info->args[i].kind == ARG_HANDLE ? "a " : "",
						  info->args[i].name);
	for (i = 0; i < NR_PROPERTIES && length < sizeof(listed); i++)
		length += (unsigned long)snprintf(listed + length, sizeof(listed) - length, "%s%s",
						  op_properties[i].name, i + 1 < NR_PROPERTIES ? ", " : "");
	scan_complain(s, where, "expected an argument: %s", listed);
}

/* The argument or property of a name, and its bit: its position, where properties follow from LIMIT_ARGS on.
 */
static const struct arg_info *find_argument(unsigned int code, struct span name, unsigned int *bit)
{
	const struct op_info *info = &op_infos[code];

	for (*bit = 0; *bit < info->nr_args; ++*bit)
		if (info->args[*bit].kind != ARG_HANDLE && span_is(name, info->args[*bit].name))
			return &info->args[*bit];
	for (*bit = LIMIT_ARGS; *bit < LIMIT_ARGS + NR_PROPERTIES; ++*bit)
		if (span_is(name, op_properties[*bit - LIMIT_ARGS].name))
			return &op_properties[*bit - LIMIT_ARGS];
	return NULL;
}

static void parse_argument(struct parser *p, struct op *op, unsigned int properties[], unsigned int *seen)
{
	int handle = op_handle_arg(op->code);
	struct scanner *s = &p->scan;
	struct span name = scan_name(s);
	const struct arg_info *info;
	bool assigned = scan_accept(s, '=');
	unsigned int bit;

	if (name.length && !assigned && handle >= 0) {
		s->at = name.at;
		if (*seen & 1U << handle)
			scan_complain(s, name.at, "expected one handle");
		*seen |= 1U << handle;
		parse_handle(p, op, &op->args[handle]);
		return;
	}
	info = find_argument(op->code, name, &bit);
	if (!info) {
		complain_argument(s, name.at, op->code);
		skip_argument(s);
		return;
	}
	if (!assigned)
		scan_complain(s, s->at, "expected =");
	if (*seen & 1U << bit)
		scan_complain(s, name.at, "expected every argument once");
	*seen |= 1U << bit;
	parse_value(s, info, bit < LIMIT_ARGS ? &op->args[bit] : &properties[bit - LIMIT_ARGS]);
}

static void parse_arguments(struct parser *p, struct op *op)
{
	unsigned int properties[NR_PROPERTIES] = {0};
	int handle = op_handle_arg(op->code);
	struct scanner *s = &p->scan;
	unsigned int seen = 0;

	if (scan_expect(s, '(') && scan_peek(s) != ')') {
		do {
			parse_argument(p, op, properties, &seen);
			if (scan_peek(s) != ',' && scan_peek(s) != ')') {
				scan_complain(s, s->at, "expected , or )");
				skip_argument(s);
			}
		} while (scan_accept(s, ','));
	}
	if (handle >= 0 && !(seen & 1U << handle))
		scan_complain(s, s->at, "expected a handle");
	scan_expect(s, ')');
	op->cpu = properties[PROPERTY_CPU];
	op->task = properties[PROPERTY_TASK];
	op->context = properties[PROPERTY_CONTEXT];
}

/* " x64" and " (fail_nth=2)". */
static void parse_suffixes(struct scanner *s, struct op *op)
{
	unsigned int repeat = 1, fail_nth = 0;
	struct span word;

	if (scan_accept(s, 'x'))
		scan_number(s, "repeat", 1, LIMIT_REPEAT, &repeat);
	if (scan_accept(s, '(')) {
		word = scan_name(s);
		if (!span_is(word, "fail_nth"))
			scan_complain(s, word.at, "expected fail_nth");
		scan_expect(s, '=');
		scan_number(s, "fail_nth", 0, LIMIT_FAIL_NTH, &fail_nth);
		scan_expect(s, ')');
	}
	if (!scan_at_end(s))
		scan_complain(s, s->at, "expected end of line");
	op->repeat = repeat;
	op->fail_nth = fail_nth;
}

/* The name of an operation, and before it the number that the text gives to what it makes. */
static bool parse_op_name(struct parser *p, unsigned int *code, unsigned int *number)
{
	struct scanner *s = &p->scan;
	struct span first = scan_name(s);
	struct span name = first;
	bool named = producer_name(first, number) && scan_accept(s, '=');

	if (named)
		name = scan_name(s);
	else
		*number = HANDLE_NONE;
	if (!scan_listed(s, "an operation", &NAMES(op_infos, NR_OPS), name, code))
		return false;
	if (named && !op_infos[*code].makes)
		scan_complain(s, first.at, "expected no handle before %s, which makes none",
			      op_infos[*code].name);
	else if (op_infos[*code].makes && *number != p->nr_producers)
		scan_complain(s, first.at, "expected p%u =", p->nr_producers);
	return true;
}

static void parse_op(struct parser *p)
{
	struct program *program = p->program;
	const char *where = p->scan.at;
	unsigned int code, number, i;
	struct op *op;

	if (!program->nr_ops)
		check_machine(p);
	if (!parse_op_name(p, &code, &number))
		return;
	if (program->nr_ops == LIMIT_OPS) {
		scan_complain(&p->scan, where, "expected at most %u operations", LIMIT_OPS);
		return;
	}
	op = &program->ops[program->nr_ops++];
	op->code = code;
	op->element = ELEMENT_ALL;
	for (i = 0; i < op_infos[code].nr_args; i++)
		op->args[i] =
			op_infos[code].args[i].kind == ARG_HANDLE ? HANDLE_NONE : op_infos[code].args[i].def;
	parse_arguments(p, op);
	parse_suffixes(&p->scan, op);
	if (op_infos[code].makes) {
		p->producer_names[p->nr_producers] = number;
		p->producer_repeats[p->nr_producers++] = op->repeat;
	}
}

/* ---- lines ---- */

static void parse_line(struct parser *p, const char *start, const char *end)
{
	const char *comment = memchr(start, '#', (unsigned long)(end - start));
	struct scanner *s = &p->scan;
	struct span first;

	s->line++;
	s->start = start;
	s->at = start;
	first = span_trimmed(start, comment ? comment : end);
	s->end = start + first.length;
	if (!scan_at_end(s)) {
		first = scan_name(s);
		if (span_is(first, "machine")) {
			parse_machine(p, first);
		} else {
			s->at = first.at;
			parse_op(p);
		}
	}
	if (comment)
		parse_comment(p, comment, end);
}

_Bool program_parse(struct program *program, const char *text, unsigned long size, _Bool strict,
		    struct text_directives *directives, struct text_error *error)
{
	struct parser p = {
		.scan = {.strict = strict, .error = error},
		.program = program,
		.directives = directives,
	};
	const char *end = text + size;
	const char *line_end;

	program->preset = 0;
	program->nr_settings = 0;
	program->nr_ops = 0;
	if (directives) {
		directives->kernel[0] = '\0';
		directives->expect[0] = '\0';
		directives->clean_on[0] = '\0';
		directives->comments[0] = '\0';
	}
	while (text < end && !p.scan.refused) {
		line_end = memchr(text, '\n', (unsigned long)(end - text));
		if (!line_end)
			line_end = end;
		parse_line(&p, text, line_end);
		text = line_end < end ? line_end + 1 : end;
	}
	if (!program->nr_ops)
		check_machine(&p);
	program_settle(program);
	if (directives)
		directives->comment_bytes = p.comment_bytes;
	return !p.scan.refused;
}
