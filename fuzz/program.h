/* SPDX-License-Identifier: GPL-2.0 */
/*
 * program.h - a program: a machine and a list of operations, as a value, in plain C for both worlds.
 *
 * A program has two spellings. Bytes (program_bytes.c) are what machines mutate: every byte string is a program.
 * Text (program_parse.c, program_print.c) is what people read and diff. Four laws tie them:
 *   decode(encode(p)) == p,  parse(print(p)) == p,  print(parse(t)) is a fixed point,
 *   and a strict parse that succeeds gives what a lenient parse gives.
 * Both are driven by ops.def and machine.def alone.
 */
#ifndef MMFUZZ_PROGRAM_H
#define MMFUZZ_PROGRAM_H

#include "kernel-shim/gfp_names.h"
#include "kernel-shim/machine.h"
#include "fuzz/limits.h"

/*
 * What an argument is: how text spells it, how many bytes it takes, what values it may have. Values outside
 * [min, max] are folded by modulo when bytes are decoded, and are an error in text.
 */
enum arg_kind {
	ARG_GFP,      /* 4 bytes; kernel spellings joined by |, leftover bits as hex */
	ARG_ORDER,    /* 1 byte; 0..40: orders of 11 and up are legal requests that must fail */
	ARG_NODE,     /* 1 byte; a node */
	ARG_NODEMASK, /* 1 byte; bit per node, hex; 0 = no mask */
	ARG_CPU,      /* 1 byte */
	ARG_TASK,     /* 1 byte */
	ARG_ZONE,     /* 1 byte; DMA, DMA32, Normal, HighMem, Movable */
	ARG_HANDLE,   /* 2 bytes producer + 2 bytes element: p3 or p3[7]; p3 alone is all of it; none = no producer */
	ARG_FLAG,     /* 1 byte; 0 or 1 */
	ARG_COUNT,    /* 2 bytes; 0..65535 */
	ARG_NUMBER,   /* 4 bytes; unsigned decimal */
	ARG_DELTA,    /* 4 bytes; signed decimal */
	ARG_WORD,     /* 1 byte; one of the words listed for this argument in ops.def */
	ARG_BYTE,     /* 1 byte; unsigned decimal */
	ARG_SHIFT,    /* 1 byte; unsigned decimal: a power of two that another argument is multiplied by */
	ARG_PAGES,    /* 2 bytes; 0..65535: pages that the operation goes through one by one, each time */
	NR_ARG_KINDS
};

enum op_code {
#define OP(name, makes, sentence, ...) OP_##name,
#include "fuzz/ops.def"
#undef OP
	NR_OPS
};

/* Task contexts an operation can run in (property context=). */
enum op_context { CONTEXT_TASK, CONTEXT_SOFTIRQ, CONTEXT_HARDIRQ, NR_CONTEXTS };

/* What every operation has besides its arguments; text writes them after the arguments, as arguments. */
enum op_property { PROPERTY_CPU, PROPERTY_TASK, PROPERTY_CONTEXT, NR_PROPERTIES };

#define ELEMENT_ALL 0xffffffffu
#define HANDLE_NONE 0xffffffffu

struct op {
	unsigned char code;              /* enum op_code */
	unsigned char cpu;               /* property cpu=, 0..7; folded to the machine's CPUs when run */
	unsigned char task;              /* property task=, 0..7 */
	unsigned char context;           /* enum op_context, property context=softirq|hardirq */
	unsigned char fail_nth;          /* property (fail_nth=N), 0 = none: the Nth fault point in this op fails */
	unsigned short repeat;           /* 1..LIMIT_REPEAT, xN */
	unsigned int args[LIMIT_ARGS];   /* as ops.def orders them; a handle is its producer's number, or HANDLE_NONE */
	unsigned int element;            /* of the (only) handle argument: 0..repeat-1 of the producer, or ELEMENT_ALL */
};

struct program {
	unsigned char preset;            /* index into machine_presets */
	unsigned char nr_settings;
	unsigned short nr_ops;
	struct machine_setting settings[MACHINE_SETTINGS_MAX];
	struct op ops[LIMIT_OPS];
};

struct arg_info {
	const char *name;
	enum arg_kind kind;
	unsigned int def;                /* value when text omits it; as unsigned */
	unsigned int min;
	unsigned int max;
	const char *words;               /* ARG_WORD: the words, separated by spaces; the value is the position */
};

struct op_info {
	const char *name;
	_Bool makes;                     /* a producer: its result is a handle p0, p1, ... */
	const char *sentence;
	unsigned int nr_args;
	struct arg_info args[LIMIT_ARGS];
};

extern const struct op_info op_infos[NR_OPS];
extern const struct arg_info op_properties[NR_PROPERTIES];

/* arg_bytes - how many bytes of a record an argument of this kind takes. */
unsigned int arg_bytes(enum arg_kind kind);

/* op_handle_arg - which argument of an operation is its handle; -1 if none is. No operation has two. */
int op_handle_arg(unsigned int code);

/* value_fold - @value if it is in [@min, @max], else some value that is, by modulo. */
unsigned int value_fold(unsigned int value, unsigned int min, unsigned int max);

/*
 * setting_choices - the only values a setting may have, when they are a list (hz, FORM_CHAR) and not [min, max].
 * Returns the list and its length in *nr, or NULL.
 */
const unsigned int *setting_choices(unsigned int key, unsigned int *nr);

/*
 * program_refusal - why the preset and the first @nr_settings settings are no machine for a program: it cannot boot,
 * or its own ranges add up to more than LIMIT_BYTES_RAM_PAGES. A static sentence; NULL = they are one.
 */
const char *program_refusal(const struct program *program, unsigned int nr_settings);

/* program_settle - drop settings from the last on until nothing refuses the machine. Presets are never refused. */
void program_settle(struct program *program);

/* program_equal - same machine, same operations. Looks only at what the program uses of its arrays. */
_Bool program_equal(const struct program *a, const struct program *b);

/* gfp_print - the same as gfp_format(), "0" for none, as a program has it. */
const char *gfp_print(char *buf, unsigned long size, unsigned int gfp);

/* program_decode - the program that any byte string is. Depends on the bytes alone; never fails. */
void program_decode(struct program *program, const unsigned char *bytes, unsigned long size);

/* program_encode - the canonical bytes. Returns the size, at most LIMIT_PROGRAM_BYTES; *bytes must hold that. */
unsigned long program_encode(const struct program *program, unsigned char *bytes);

/* Why a text was refused. line and column count from 1, columns in bytes. */
struct text_error {
	unsigned int line;
	unsigned int column;
	char message[256];               /* "expected ...; got ..." */
};

/* What the comment lines of a text say about how to run it (# kernel:, # expect:, # clean-on:, # misuse: yes). */
struct text_directives {
	char kernel[120];                /* empty if absent */
	char expect[120];                /* empty = clean */
	char clean_on[120];              /* empty if absent */
	char misuse[120];                /* "yes", or empty */
	unsigned long comment_bytes;
	char comments[LIMIT_COMMENT_BYTES]; /* all comments, in order, a line each; a C string */
};

/*
 * program_parse - text to program. strict: any deviation is an error (returns 0 and fills *error; then *program is
 * not to be used). lenient: what cannot be understood is skipped, never fails. directives and error may be NULL.
 */
_Bool program_parse(struct program *program, const char *text, unsigned long size, _Bool strict,
		    struct text_directives *directives, struct text_error *error);

/*
 * program_print - program to text, defaults omitted, one line per operation; comments (may be NULL) come first.
 * Writes at most size bytes, always terminated; returns the length the whole text has, as snprintf does.
 */
unsigned long program_print(const struct program *program, const char *comments, char *text, unsigned long size);

/* op_print - one operation as program_print spells it, without the newline. number = its producer number if it makes. */
unsigned long op_print(const struct program *program, unsigned int index, char *text, unsigned long size);

#endif
