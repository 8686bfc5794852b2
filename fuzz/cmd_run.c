// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_run.c - play programs and demand the verdicts that they announce.
 *
 * Without --kernel a text directs its own run: on the kernel of its '# kernel:' line (fixed) the title of its
 * '# expect:' line must come, or none if there is no such line; then, if a title was expected, on each kernel of its
 * '# clean-on:' line (separated by spaces; fixed unless it was found there, none for a program of misuse) none may. With
 * --kernel it is played on that kernel alone, and any finding fails. Bytes expect nothing, but for what comes of misuse by
 * the program itself, as in the target they are from. Each run is made twice, and must leave the same
 * title, trace hash and state hash: determinism is tested with every file, on whatever the runs before it left behind.
 *
 * With --collect a run goes on after an invariant has failed. The first title is still the one that is demanded; each is
 * told in a SEEN line of its own, as it comes.
 */
#include <string.h>

#include "fuzz/cmd.h"
#include "fuzz/cmd_run_stop.h"
#include "fuzz/collect.h"
#include "fuzz/exec.h"
#include "fuzz/files.h"
#include "fuzz/findings.h"

#define FILE_COLUMNS 50
#define REPORT_BYTES 4096
#define PROC_BYTES (256 << 10)

static const struct usage usage = {
	"run", "FILE|DIR...",
	"Play programs and demand the verdicts that their '# kernel:', '# expect:' and '# clean-on:' lines announce;\n"
	"one line each, the report of what failed, and 'N passed, N failed'. In directories *.txt, *.md and hidden\n"
	"files are passed over.",
	1, 0,
};

struct run_args {
	const char *kernel;
	const char *checks_word;
	const char *known_path;
	struct known_titles known;
	const char *proc_word;              /* NULL: show nothing */
	unsigned long proc_at;              /* after this operation, from 1; 0 = when the run is over */
	unsigned long stop_at;              /* before this operation, from 1; 0 = play as usual */
	enum proc_file proc;
	_Bool json;
	_Bool state;
	_Bool misuse;
	_Bool collect;
	enum run_checks checks;
};

/* One run of a file: what was demanded, and what came. */
struct play {
	const char *kernel_text;
	const char *expect;                 /* "" = clean */
	struct verdict verdict;
	char title[VERDICT_TITLE_BYTES];
	_Bool passed;
	_Bool known;                        /* the title is on the list of --known: counted, no failure */
	_Bool repeatable;
};

struct totals {
	unsigned long passed;
	unsigned long known;
	unsigned long failed;
	int exit_code;                      /* the worst so far */
};

static void worsen(struct totals *totals, int exit_code)
{
	if (exit_code > totals->exit_code)
		totals->exit_code = exit_code;
}

/* A file that cannot be read or understood fails like any other; the message is out already. */
static void fail_file(struct totals *totals)
{
	totals->failed++;
	worsen(totals, EXIT_USAGE);
}

/* A directive holds so many bytes of a title. */
static _Bool title_is(const char *title, const char *expect)
{
	return !strncmp(title, expect, sizeof(((struct text_directives *)0)->expect) - 1);
}

static void show_proc(const struct run_args *args)
{
	static char text[PROC_BYTES];

	exec_proc(args->proc, text, sizeof(text));
	fputs(text, stdout);
}

/* Called with the world as the operation left it; op = ~0 after the boot. */
static void show_after_op(void *argument, unsigned int op)
{
	const struct run_args *args = argument;

	if (op + 1UL == args->proc_at)
		show_proc(args);
}

static void show_at_end(void *argument)
{
	show_proc(argument);
}

/* What --collect tells about: which file, on which kernel. */
struct seen {
	const char *file;
	const char *kernel_text;
	_Bool json;
};

static void print_seen(void *argument, const char *title)
{
	const struct seen *seen = argument;

	if (seen->json) {
		json_begin(stdout);
		json_text(stdout, "file", seen->file);
		json_text(stdout, "kernel", seen->kernel_text);
		json_text(stdout, "seen", title);
		json_end(stdout);
	} else {
		printf("SEEN  %-*s  %s on %s\n", FILE_COLUMNS, seen->file, title, seen->kernel_text);
	}
	fflush(stdout);
}

/* Run twice. Returns EXIT_USAGE if there is no such kernel. */
static int play(const struct loaded *loaded, struct run_args *args, struct play *play, _Bool show)
{
	struct run_options options = run_options_default();
	struct seen seen = { loaded->path, play->kernel_text, args->json };
	char title[VERDICT_TITLE_BYTES];
	struct verdict again;

	if (load_kernel(&options.kernel, play->kernel_text, args->kernel ? "mmfuzz run: --kernel" : loaded->path))
		return EXIT_USAGE;
	options.checks = args->checks;
	options.misuse = args->misuse || loaded_misuse(loaded);
	options.walk_at_end = args->checks != CHECKS_OFF;
	options.compare_restored = 1;
	options.hashes = 1;
	if (show) {
		options.argument = args;
		options.after_op = args->proc_at ? show_after_op : NULL;
		options.at_end = args->proc_at ? NULL : show_at_end;
	}
	if (args->collect)
		collect_begin(print_seen, &seen);
	run_titled(&loaded->program, &options, &play->verdict, play->title);
	if (args->collect)
		collect_end_of_run(play->title);
	options.after_op = NULL;
	options.at_end = NULL;
	run_titled(&loaded->program, &options, &again, title);
	play->repeatable = !strcmp(title, play->title) && again.trace_hash == play->verdict.trace_hash &&
			   again.state_hash == play->verdict.state_hash;
	if (args->collect) {
		collect_end();
		strcpy(play->title, collect_first());
	}
	play->known = known_has(&args->known, play->title);
	play->passed = play->repeatable && (title_is(play->title, play->expect) || play->known ||
					    (!loaded->text && play->verdict.consequence));
	if (!play->repeatable) {
		play->verdict.finding.kind = FINDING_HARNESS;
		snprintf(play->title, sizeof(play->title), "HARNESS not deterministic");
		snprintf(play->verdict.finding.name, FINDING_NAME_BYTES, "not deterministic");
		snprintf(play->verdict.finding.subject, sizeof(play->verdict.finding.subject), "run");
		snprintf(play->verdict.finding.rule, FINDING_TEXT_BYTES, "equal programs leave equal verdicts");
		snprintf(play->verdict.finding.detail, FINDING_TEXT_BYTES,
			 "the second run ended '%s' with trace %016lx and state %016lx, not %016lx and %016lx",
			 *title ? title : "clean", again.trace_hash, again.state_hash, play->verdict.trace_hash,
			 play->verdict.state_hash);
	}
	return EXIT_CLEAN;
}

static void print_json(const struct loaded *loaded, const struct play *play)
{
	json_begin(stdout);
	json_text(stdout, "file", loaded->path);
	json_text(stdout, "kernel", play->kernel_text);
	json_text(stdout, "expect", play->expect);
	json_text(stdout, "title", play->title);
	if (play->verdict.op < play->verdict.nr_ops)
		json_number(stdout, "op", play->verdict.op + 1);
	else
		json_null(stdout, "op");
	json_hex(stdout, "trace_hash", play->verdict.trace_hash);
	json_hex(stdout, "state_hash", play->verdict.state_hash);
	json_bool(stdout, "passed", play->passed);
	json_end(stdout);
}

/* "INVARIANT x on v4.7-rc1", and if that is not what was demanded, what was. */
static void print_outcome(const struct play *play, const char *separator)
{
	printf("%s%s on %s", separator, play->title[0] ? play->title : "clean", play->kernel_text);
	if (play->known)
		printf(" (known)");
	else if (!play->passed && play->expect[0])
		printf(" (expected %s)", play->expect);
	else if (!play->passed && play->repeatable)
		printf(" (expected clean)");
}

static void print_line(const struct loaded *loaded, const struct run_args *args, const struct play *plays,
		       unsigned int nr, _Bool passed)
{
	unsigned int i;

	printf("%s  %-*s  ", passed ? "PASS" : "FAIL", FILE_COLUMNS, loaded->path);
	for (i = 0; i < nr; i++)
		print_outcome(&plays[i], i ? ", " : "");
	if (args->state)
		printf("  trace %016lx  state %016lx", plays[0].verdict.trace_hash, plays[0].verdict.state_hash);
	printf("\n");
	for (i = 0; i < nr; i++) {
		char report[REPORT_BYTES];

		if (plays[i].passed || plays[i].verdict.finding.kind == FINDING_NONE)
			continue;
		verdict_report(&plays[i].verdict, &loaded->program, loaded->path, report, sizeof(report));
		printf("%s", report);
	}
}

#define PLAYS_MAX 16

/* What a file demands, in order. Cuts *clean_on into words. */
static unsigned int plan(const struct loaded *loaded, const struct run_args *args, struct play *plays, char *clean_on)
{
	unsigned int nr = 1;
	char *word;

	plays[0].kernel_text = args->kernel ? args->kernel : loaded_kernel(loaded);
	plays[0].expect = args->kernel ? "" : loaded->directives.expect;
	if (!plays[0].expect[0])
		return nr;
	if (!*clean_on && strcmp(plays[0].kernel_text, "fixed") != 0 && !loaded_misuse(loaded))
		strcpy(clean_on, "fixed");
	for (word = strtok(clean_on, " "); word && nr < PLAYS_MAX; word = strtok(NULL, " ")) {
		plays[nr].kernel_text = word;
		plays[nr++].expect = "";
	}
	return nr;
}

static void run_file(const struct loaded *loaded, struct run_args *args, struct totals *totals)
{
	static struct play plays[PLAYS_MAX];
	char clean_on[sizeof(loaded->directives.clean_on) + sizeof("fixed")];
	_Bool passed = 1;
	unsigned int nr, i;

	strcpy(clean_on, loaded->directives.clean_on);
	nr = plan(loaded, args, plays, clean_on);
	for (i = 0; i < nr; i++) {
		if (play(loaded, args, &plays[i], args->proc_word && i == 0)) {
			fail_file(totals);
			return;
		}
		passed &= plays[i].passed;
		totals->known += plays[i].known;
		if (!plays[i].passed) {
			int code = verdict_exit_code(&plays[i].verdict);

			worsen(totals, code == EXIT_CLEAN ? EXIT_FINDING : code);
		}
	}
	totals->passed += passed;
	totals->failed += !passed;
	if (!args->json)
		print_line(loaded, args, plays, nr, passed);
	for (i = 0; args->json && i < nr; i++)
		print_json(loaded, &plays[i]);
	fflush(stdout);
}

/* To look at, not to judge. */
static void stop_in_file(const struct loaded *loaded, const struct run_args *args, struct totals *totals)
{
	const char *kernel_text = args->kernel ? args->kernel : loaded_kernel(loaded);
	struct run_options options = run_options_default();
	int code;

	if (load_kernel(&options.kernel, kernel_text, args->kernel ? "mmfuzz run: --kernel" : loaded->path)) {
		fail_file(totals);
		return;
	}
	options.checks = args->checks;
	options.misuse = args->misuse || loaded_misuse(loaded);
	code = run_and_stop(loaded, kernel_text, &options, args->stop_at, args->proc_word);
	totals->passed += code == EXIT_CLEAN;
	totals->failed += code != EXIT_CLEAN;
	worsen(totals, code);
}

static void run_argument(const char *path, struct run_args *args, struct totals *totals)
{
	static struct loaded loaded;
	struct file_list list = { 0 };
	const char *message = file_list_add(&list, path);
	unsigned long i;

	for (i = 0; i < list.nr; i++) {
		if (load(&loaded, list.paths[i]))
			fail_file(totals);
		else if (args->stop_at)
			stop_in_file(&loaded, args, totals);
		else
			run_file(&loaded, args, totals);
	}
	file_list_free(&list);
	if (!message)
		return;
	fprintf(stderr, "%s\n", message);
	fail_file(totals);
}

int cmd_run(int argc, char **argv)
{
	struct run_args args = { .checks_word = "op" };
	const struct option_spec specs[] = {
		{ "kernel", 'k', "KERNEL", "play on this kernel alone; any finding fails", .text = &args.kernel },
		{ "checks", 0, "off|op|full", "how much is checked (op: what each operation touched)",
		  .text = &args.checks_word },
		{ "known", 0, "FILE", "titles that are counted and do not fail, one a line", .text = &args.known_path },
		{ "misuse", 0, NULL, "operations that break the callers' contract act, as after '# misuse: yes'",
		  .flag = &args.misuse },
		{ "collect", 0, NULL, "go on after an invariant has failed, and tell everything that fails (SEEN)",
		  .flag = &args.collect },
		{ "state", 0, NULL, "show the hashes of the trace and of the state at the end", .flag = &args.state },
		{ "proc", 0, "NAME", "show zoneinfo, buddyinfo, pagetypeinfo, vmstat or show_mem at the end",
		  .text = &args.proc_word },
		{ "proc-at", 0, "N", "show it after operation N instead", .number = &args.proc_at },
		{ "stop-at", 0, "N", "run up to operation N, show the free pages and how a debugger stops there",
		  .number = &args.stop_at },
		{ "json", 0, NULL, "one JSON object a line for each run", .flag = &args.json },
		{ 0 },
	};
	struct totals totals = { 0 };
	const char *message;
	int first, code, checks, proc;

	code = options_parse(&usage, specs, argc, argv, &first);
	if (code != OPTIONS_GO_ON)
		return code;
	checks = option_word(&usage, "checks", "off op full", args.checks_word);
	if (checks < 0)
		return EXIT_USAGE;
	args.checks = (enum run_checks)checks;
	message = args.known_path ? known_read(&args.known, args.known_path) : NULL;
	if (message) {
		fprintf(stderr, "mmfuzz run: --known: %s\n", message);
		return EXIT_USAGE;
	}
	proc = args.proc_word ? option_word(&usage, "proc", EXEC_PROC_WORDS, args.proc_word) : 0;
	if (proc < 0)
		return EXIT_USAGE;
	args.proc = (enum proc_file)proc;
	for (; first < argc; first++)
		run_argument(argv[first], &args, &totals);
	if (!args.json && !args.stop_at && args.known_path)
		printf("%lu known, ", totals.known);
	if (!args.json && !args.stop_at)
		printf("%lu passed, %lu failed\n", totals.passed, totals.failed);
	known_free(&args.known);
	return totals.exit_code;
}
