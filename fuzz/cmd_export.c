// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_export.c - a program as C source that runs it: a main() for a debugger or a report, or a Criterion test that
 * demands the verdict. The operations become initialisers of struct op, each under its own text, so that they can be
 * edited by hand. Built against build/FLAVOUR/libmmfuzz.a, as the head of the source says.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/cmd.h"
#include "fuzz/files.h"
#include "fuzz/findings.h"

static const struct usage usage = {
	"export", "FILE",
	"Print a program as C source: a main() that runs it and prints the report (--c), or a Criterion test that demands\n"
	"its verdict (--criterion).",
	1, 1,
};

static void put_string(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putchar('\\');
		putchar(*text);
	}
	putchar('"');
}

static void put_op(const struct program *program, unsigned int index)
{
	const struct op *op = &program->ops[index];
	const struct op_info *info = &op_infos[op->code];
	char text[1024];
	unsigned int i;

	op_print(program, index, text, sizeof(text));
	printf("\t\t/* %s */\n\t\t{ .code = OP_%s, .cpu = %u, .task = %u, .context = %u, .fail_nth = %u, .repeat = %u,\n", text,
	       info->name, op->cpu, op->task, op->context, op->fail_nth, op->repeat);
	printf("\t\t  .args = { ");
	for (i = 0; i < info->nr_args; i++)
		printf("%s0x%x", i ? ", " : "", op->args[i]);
	printf("%s }, .element = 0x%x },\n", info->nr_args ? "" : "0", op->element);
}

static void put_program(const struct program *program)
{
	unsigned int i;

	printf("/* machine %s */\nstatic const struct program program = {\n\t.preset = %u,\n"
	       "\t.nr_settings = %u,\n\t.nr_ops = %u,\n",
	       machine_presets[program->preset].name, program->preset, program->nr_settings, program->nr_ops);
	printf("\t.settings = {\n");
	for (i = 0; i < program->nr_settings; i++)
		printf("\t\t{ SETTING_%s, %u, %u, %u, %u },\n", setting_infos[program->settings[i].key].name,
		       program->settings[i].a, program->settings[i].b, program->settings[i].x, program->settings[i].y);
	printf("%s\t},\n\t.ops = {\n", program->nr_settings ? "" : "\t\t{ 0, 0, 0, 0, 0 },\n");
	for (i = 0; i < program->nr_ops; i++)
		put_op(program, i);
	printf("%s\t},\n};\n\n", program->nr_ops ? "" : "\t\t{ 0 },\n");
}

/* The comments of the text stay, as one C comment. */
static void put_head(const struct loaded *loaded, const char *libraries)
{
	const char *at = loaded->directives.comments;

	printf("// SPDX-License-Identifier: GPL-2.0\n/*\n");
	for (; *at; at += *at == '\n') {
		size_t length = strcspn(at, "\n");

		printf(" * %.*s\n", (int)(length > 2 ? length - 2 : 0), at + (length > 2 ? 2 : length));
		at += length;
	}
	printf(" * Build: cc -std=gnu11 -I. -Ikernel-shim THIS.c build/release/libmmfuzz.a%s -lurcu-memb -lurcu-common\n */\n",
	       libraries);
}

static void put_options(const struct loaded *loaded, const char *kernel_text)
{
	printf("\tstruct run_options options = run_options_default();\n\tchar title[VERDICT_TITLE_BYTES];\n"
	       "\tstruct verdict verdict;\n");
	printf("\tconst char *kernel_text = ");
	put_string(kernel_text);
	printf(";\n\n");
	if (loaded_misuse(loaded))
		printf("\toptions.misuse = 1;\n");
}

static void put_c(const struct loaded *loaded, const char *kernel_text)
{
	put_head(loaded, "");
	printf("#include <stdio.h>\n\n#include \"fuzz/run.h\"\n\n");
	put_program(&loaded->program);
	printf("int main(void)\n{\n\tchar report[4096];\n");
	put_options(loaded, kernel_text);
	printf("\tif (kernel_parse(&options.kernel, kernel_text))\n\t\treturn EXIT_USAGE;\n"
	       "\trun_program(&program, &options, &verdict);\n"
	       "\tputs(*verdict_title(&verdict, title, sizeof(title)) ? title : \"clean\");\n"
	       "\tif (verdict.finding.kind != FINDING_NONE) {\n"
	       "\t\tverdict_report(&verdict, &program, __FILE__, report, sizeof(report));\n"
	       "\t\tfputs(report, stdout);\n\t}\n"
	       "\treturn verdict_exit_code(&verdict);\n}\n");
}

static void put_criterion(const struct loaded *loaded, const char *kernel_text, const char *title)
{
	char slug[SLUG_BYTES], *dash;

	finding_slug(slug, *title ? title : "clean");
	for (dash = slug; (dash = strchr(dash, '-'));)
		*dash = '_';
	put_head(loaded, " -lcriterion");
	printf("#include <criterion/criterion.h>\n\n#include \"fuzz/run.h\"\n\n");
	put_program(&loaded->program);
	printf("Test(exported, %s)\n{\n", slug);
	put_options(loaded, kernel_text);
	printf("\tcr_assert_null(kernel_parse(&options.kernel, kernel_text));\n"
	       "\trun_program(&program, &options, &verdict);\n"
	       "\tcr_assert_str_eq(verdict_title(&verdict, title, sizeof(title)), ");
	put_string(title);
	printf(");\n}\n");
}

int cmd_export(int argc, char **argv)
{
	static struct loaded loaded;
	const char *kernel_text = NULL;
	_Bool c = 0, criterion = 0;
	const struct option_spec specs[] = {
		{ "c", 'c', NULL, "a main()", .flag = &c },
		{ "criterion", 0, NULL, "a Criterion test", .flag = &criterion },
		{ "kernel", 'k', "KERNEL", "run it on this kernel (its '# kernel:' line, or fixed)", .text = &kernel_text },
		{ 0 },
	};
	struct run_options options = run_options_default();
	char title[VERDICT_TITLE_BYTES];
	struct verdict verdict;
	int first;
	int code = options_parse(&usage, specs, argc, argv, &first);

	if (code != OPTIONS_GO_ON)
		return code;
	if (c == criterion) {
		fprintf(stderr, "mmfuzz export: expected --c or --criterion\n");
		return EXIT_USAGE;
	}
	if (load(&loaded, argv[first]))
		return EXIT_USAGE;
	if (!kernel_text)
		kernel_text = loaded_kernel(&loaded);
	if (load_kernel(&options.kernel, kernel_text, "mmfuzz export"))
		return EXIT_USAGE;
	options.misuse = loaded_misuse(&loaded);
	run_titled(&loaded.program, &options, &verdict, title);
	if (c)
		put_c(&loaded, kernel_text);
	else
		put_criterion(&loaded, kernel_text, title);
	return EXIT_CLEAN;
}
