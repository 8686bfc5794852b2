// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_tables.c - the tables that everything else is driven by, printed: operations, machines, kernels, patches,
 * invariants. Fixed columns for people, --json for programs: one object a line, the same rows in the same order.
 */
#include <string.h>

#include "fuzz/cmd.h"
#include "fuzz/files.h"
#include "fuzz/invariant.h"
#include "fuzz/sink.h"
#include "fuzz/statements.h"

/* Every table has the same command line. */
static int begin(const char *verb, const char *sentence, int argc, char **argv, _Bool *json)
{
	const struct usage usage = { verb, "", sentence, 0, NO_FILES };
	const struct option_spec specs[] = {
		{ "json", 0, NULL, "one JSON object a line", .flag = json },
		{ 0 },
	};
	int first;

	return options_parse(&usage, specs, argc, argv, &first);
}

/*
 * Operations.
 */
static void put_argument(struct sink *sink, const struct arg_info *info)
{
	char gfp[512];
	const char *word = info->words;
	unsigned int i;

	switch (info->kind) {
	case ARG_HANDLE:
		sink_put(sink, "pN|pN[I]");
		return;
	case ARG_GFP:
		sink_put(sink, "%s=%s", info->name, gfp_print(gfp, sizeof(gfp), info->def));
		return;
	case ARG_NODEMASK:
		sink_put(sink, "%s=0x%x", info->name, info->def);
		return;
	case ARG_ZONE:
		sink_put(sink, "%s=%s", info->name, machine_zone_name(info->def));
		return;
	case ARG_WORD:
		for (i = 0; i < info->def; i++)
			word += strcspn(word, " ") + 1;
		sink_put(sink, "%s=%.*s", info->name, (int)strcspn(word, " "), word);
		return;
	case ARG_DELTA:
		sink_put(sink, "%s=%d", info->name, (int)info->def);
		return;
	default:
		sink_put(sink, "%s=%u", info->name, info->def);
	}
}

/* "p = alloc_pages(order=0, gfp=GFP_KERNEL, ...)": with the defaults. */
static const char *signature(const struct op_info *op, char *buf, unsigned long size)
{
	struct sink sink = { buf, size, 0 };
	unsigned int i;

	sink_put(&sink, "%s%s(", op->makes ? "p = " : "", op->name);
	for (i = 0; i < op->nr_args; i++) {
		sink_put(&sink, "%s", i ? ", " : "");
		put_argument(&sink, &op->args[i]);
	}
	sink_put(&sink, ")");
	return buf;
}

static void print_op(const struct op_info *op, _Bool json)
{
	char buf[1024];
	unsigned int i;

	signature(op, buf, sizeof(buf));
	if (json) {
		json_begin(stdout);
		json_text(stdout, "name", op->name);
		json_bool(stdout, "makes", op->makes);
		json_text(stdout, "defaults", buf);
		json_text(stdout, "sentence", op->sentence);
		json_end(stdout);
		return;
	}
	printf("%s\n    %s\n", buf, op->sentence);
	for (i = 0; i < op->nr_args; i++)
		if (op->args[i].kind == ARG_WORD)
			printf("    %s: %s\n", op->args[i].name, op->args[i].words);
}

int cmd_ops(int argc, char **argv)
{
	_Bool json = 0;
	int code = begin("ops", "The operations, with the values that arguments have when they are left out.", argc, argv,
			 &json);
	unsigned int i;

	if (code != OPTIONS_GO_ON)
		return code;
	for (i = 0; i < NR_OPS; i++)
		print_op(&op_infos[i], json);
	if (!json)
		printf("\nEvery operation also takes cpu=N, task=N and context=softirq|hardirq, and after the parenthesis\n"
		       "xN (repeat) and (fail_nth=N).\n");
	return EXIT_CLEAN;
}

/*
 * Machines.
 */
static void zone_names(const struct machine_config *config, char *buf, unsigned long size)
{
	struct sink sink = { buf, size, 0 };
	unsigned int zone;

	for (zone = 0; zone < MACHINE_ZONES_MAX; zone++)
		if (config->zones >> zone & 1)
			sink_put(&sink, "%s%s", sink.length ? "," : "", machine_zone_name(zone));
}

/* "64 MiB"; whole MiB below 8 GiB. */
static void ram_size(const struct machine_config *config, char *buf, unsigned long size)
{
	unsigned long mib = machine_ram_pages(config) >> (20 - MACHINE_PAGE_SHIFT);

	if (mib < 8192)
		snprintf(buf, size, "%lu MiB", mib);
	else
		snprintf(buf, size, "%lu GiB", mib >> 10);
}

static void print_machine(const struct machine_preset *preset, const struct machine_config *config, _Bool json)
{
	char zones[64], ram[32];

	zone_names(config, zones, sizeof(zones));
	ram_size(config, ram, sizeof(ram));
	if (!json) {
		printf("%-10s %8s %6u %5u  %-26s %s\n", preset->name, ram, config->nr_nodes, config->nr_cpus, zones,
		       preset->sentence);
		return;
	}
	json_begin(stdout);
	json_text(stdout, "name", preset->name);
	json_number(stdout, "ram_pages", machine_ram_pages(config));
	json_number(stdout, "nodes", config->nr_nodes);
	json_number(stdout, "cpus", config->nr_cpus);
	json_text(stdout, "zones", zones);
	json_text(stdout, "sentence", preset->sentence);
	json_end(stdout);
}

int cmd_machines(int argc, char **argv)
{
	struct machine_config config;
	_Bool json = 0;
	int code = begin("machines",
			 "The preset machines. A program starts from one and may change every setting: machine preset=NAME\n"
			 "SETTING=VALUE ... Zones are those configured; one may be empty.",
			 argc, argv, &json);
	unsigned int i;

	if (code != OPTIONS_GO_ON)
		return code;
	if (!json)
		printf("%-10s %8s %6s %5s  %-26s\n", "preset", "RAM", "nodes", "CPUs", "zones");
	for (i = 0; i < nr_machine_presets; i++) {
		machine_configure(&config, i, NULL, 0);
		print_machine(&machine_presets[i], &config, json);
	}
	for (i = 0; !json && i < NR_SETTINGS; i++)
		printf("%s  %-26s %s\n", i ? "" : "\nsettings\n", setting_infos[i].name, setting_infos[i].sentence);
	return EXIT_CLEAN;
}

/*
 * Kernels and patches.
 */
static const char *era_name(enum watermark_era era)
{
	return era == WATERMARKS_3_16 ? "3.16" : "4.7";
}

static const char *writeback_era_name(enum writeback_era era)
{
	return era == WRITEBACK_3_16 ? "3.16" : "4.7";
}

static void print_kernels_json(void)
{
	unsigned int profile, i;

	for (profile = 0; profile < NR_PROFILES; profile++) {
		struct kernel_config config = kernel_profile((enum kernel_profile)profile);

		json_begin(stdout);
		json_text(stdout, "name", kernel_profile_names[profile]);
		json_text(stdout, "fair", fair_mode_names[config.fair]);
		json_text(stdout, "watermarks", era_name(config.watermarks));
		json_text(stdout, "writeback", writeback_era_name(config.writeback));
		for (i = 0; i < NR_PATCHES; i++)
			json_bool(stdout, patch_infos[i].slug, config.patches >> i & 1);
		json_end(stdout);
	}
}

/* One row of the matrix: a label, and a cell for each profile. */
static void print_row(const char *label, const char *(*cell)(const struct kernel_config *config, unsigned int patch),
		      unsigned int patch)
{
	unsigned int profile;

	printf("%-30s", label);
	for (profile = 0; profile < NR_PROFILES; profile++) {
		struct kernel_config config = kernel_profile((enum kernel_profile)profile);

		printf(" %-9s", cell(&config, patch));
	}
	printf("\n");
}

static const char *name_cell(const struct kernel_config *config, unsigned int patch)
{
	(void)patch;
	return kernel_profile_names[config->base];
}

static const char *fair_cell(const struct kernel_config *config, unsigned int patch)
{
	(void)patch;
	return fair_mode_names[config->fair];
}

static const char *era_cell(const struct kernel_config *config, unsigned int patch)
{
	(void)patch;
	return era_name(config->watermarks);
}

static const char *writeback_cell(const struct kernel_config *config, unsigned int patch)
{
	(void)patch;
	return writeback_era_name(config->writeback);
}

static const char *patch_cell(const struct kernel_config *config, unsigned int patch)
{
	return config->patches >> patch & 1 ? "+" : "-";
}

int cmd_kernels(int argc, char **argv)
{
	_Bool json = 0;
	int code = begin("kernels",
			 "The kernels under test: profiles of the 4.7 allocator with the parts of an era. + is applied. A KERNEL\n"
			 "is BASE[,+PATCH][,-PATCH][,fair=f316|f316b|f317|f317up|f47].",
			 argc, argv, &json);
	unsigned int i;

	if (code != OPTIONS_GO_ON)
		return code;
	if (json) {
		print_kernels_json();
		return EXIT_CLEAN;
	}
	print_row("", name_cell, 0);
	print_row("fair policy", fair_cell, 0);
	print_row("watermarks", era_cell, 0);
	print_row("writeback", writeback_cell, 0);
	for (i = 0; i < NR_PATCHES; i++)
		print_row(patch_infos[i].slug, patch_cell, i);
	return EXIT_CLEAN;
}

static void print_patch(const struct patch_info *patch, _Bool json)
{
	const char *kind = patch->kind == PATCH_FIX ? "fix" : "feature";

	if (!json) {
		printf("%-30s %-8s %-12s %s", patch->slug, kind, patch->family, patch->title);
		if (patch->requires != PATCH_NONE)
			printf(" (needs %s)", patch_infos[patch->requires].slug);
		printf(" [%s]\n", patch->upstream);
		return;
	}
	json_begin(stdout);
	json_text(stdout, "slug", patch->slug);
	json_text(stdout, "kind", kind);
	json_text(stdout, "family", patch->family);
	json_text(stdout, "title", patch->title);
	json_text(stdout, "upstream", patch->upstream);
	if (patch->requires != PATCH_NONE)
		json_text(stdout, "requires", patch_infos[patch->requires].slug);
	else
		json_null(stdout, "requires");
	json_end(stdout);
}

int cmd_patches(int argc, char **argv)
{
	_Bool json = 0;
	int code = begin("patches", "The switchable patches: what each does when it is applied, and its upstream commit.",
			 argc, argv, &json);
	unsigned int i;

	if (code != OPTIONS_GO_ON)
		return code;
	for (i = 0; i < NR_PATCHES; i++)
		print_patch(&patch_infos[i], json);
	return EXIT_CLEAN;
}

/*
 * Invariants.
 */
static const char *cost_name(enum invariant_cost cost)
{
	static const char *const names[NR_INVARIANT_COSTS] = {
		[COST_BOOT] = "boot", [COST_SCAN] = "scan", [COST_CALL] = "call", [COST_ZONE] = "zone",
		[COST_REST] = "rest", [COST_END] = "end",   [COST_MODEL] = "model", [COST_WALK] = "walk",
	};

	return names[cost];
}

/* Counts only where programs were run. */
static void print_invariant(const struct invariant *inv, _Bool counts, _Bool json)
{
	const char *exceptions = invariant_exceptions(inv);

	if (!json) {
		printf("%-33s %3u  %-5s %-10s ", inv->name, inv->number, cost_name(inv->cost), inv->subject);
		if (counts)
			printf("%10lu %10lu  ", inv->evaluated, inv->evaluated - inv->vacuous);
		printf("%s%s%s\n", inv->sentence, *exceptions ? "; except: " : "", exceptions);
		return;
	}
	json_begin(stdout);
	json_text(stdout, "name", inv->name);
	json_number(stdout, "number", inv->number);
	json_text(stdout, "cost", cost_name(inv->cost));
	json_text(stdout, "subject", inv->subject);
	if (counts) {
		json_number(stdout, "evaluated", inv->evaluated);
		json_number(stdout, "held", inv->evaluated - inv->vacuous);
	}
	json_text(stdout, "sentence", inv->sentence);
	json_text(stdout, "exceptions", exceptions);
	json_end(stdout);
}

/* On the kernel that each asks for. */
static int run_files(const struct file_list *list)
{
	struct run_options options = run_options_default();
	static struct loaded loaded;
	struct verdict verdict;
	int code = EXIT_CLEAN;
	unsigned long i;

	options.count = 1;
	for (i = 0; i < list->nr && code == EXIT_CLEAN; i++) {
		code = load(&loaded, list->paths[i]);
		if (code == EXIT_CLEAN)
			code = load_kernel(&options.kernel, loaded_kernel(&loaded), loaded.path);
		if (code != EXIT_CLEAN)
			break;
		options.misuse = loaded_misuse(&loaded);
		run_program(&loaded.program, &options, &verdict);
	}
	return code;
}

/* What the specification of writeback says and no rule has the number of. */
static void print_statement(const struct statement *row, _Bool json)
{
	char statement[16];

	snprintf(statement, sizeof(statement), "%.*s%u", row->series != 'A', &row->series, row->number);
	if (!json) {
		printf("%-4s %s: %s\n", statement, row->rules ? row->rules : "not stated", row->reason);
		return;
	}
	json_begin(stdout);
	json_text(stdout, "statement", statement);
	if (row->rules)
		json_text(stdout, "rules", row->rules);
	else
		json_null(stdout, "rules");
	json_text(stdout, "reason", row->reason);
	json_end(stdout);
}

static const struct usage invariants_usage = {
	"invariants", "[FILE|DIR...]",
	"The rules that runs are judged by. Cost says when: boot (and when marks or zonelists change), scan (while an\n"
	"allocation runs), call (after each), zone (after each, for the pages and zones it touched), end (of a program), walk\n"
	"(over every list: at the end of a run and on findings). Numbers are those of the specification. With programs: how\n"
	"often each was evaluated while they ran, and how often it had something to say. What a rule excepts stands behind\n"
	"it; besides, most are silent once a program that may break its contract has damaged something. With --statements:\n"
	"what the specifications say and no rule has the number of, and which rules say it, or why none does.",
	0, 0,
};

int cmd_invariants(int argc, char **argv)
{
	_Bool json = 0, unnumbered = 0;
	const struct option_spec specs[] = {
		{ "json", 0, NULL, "one JSON object a line", .flag = &json },
		{ "statements", 0, NULL, "what no rule has the number of", .flag = &unnumbered },
		{ 0 },
	};
	struct file_list list = { 0 };
	const struct statement *row;
	const struct invariant *inv;
	const char *message = NULL;
	int first;
	int code = options_parse(&invariants_usage, specs, argc, argv, &first);

	if (code != OPTIONS_GO_ON)
		return code;
	for (row = statements; unnumbered && row->series; row++)
		print_statement(row, json);
	if (unnumbered)
		return EXIT_CLEAN;
	for (argv += first; *argv && !message; argv++)
		message = file_list_add(&list, *argv);
	if (message)
		fprintf(stderr, "mmfuzz invariants: %s\n", message);
	code = message ? EXIT_USAGE : run_files(&list);
	for (inv = __start_invariants; inv < __stop_invariants && code == EXIT_CLEAN; inv++)
		print_invariant(inv, list.nr != 0, json);
	file_list_free(&list);
	return code;
}
