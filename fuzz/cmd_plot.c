// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_plot.c - dirty pages against their limits over simulated time, and the rate of whoever was throttled, as a
 * picture. The points are the looks that tasks took at the limits, so a program in which nobody dirties has none.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/cmd.h"
#include "fuzz/exec.h"
#include "kernel-shim/trace.h"

#define POINTS_MAX 65536
#define WIDTH 960
#define HEIGHT 480
#define LEFT 80
#define RIGHT 90
#define TOP 40
#define BOTTOM 50

static const struct usage usage = {
	"plot", "FILE",
	"Draw the dirty pages of a program against background limit and limit, and the rate of the throttled task,\n"
	"over simulated time, as SVG.",
	1, 1,
};

enum series { SERIES_DIRTY, SERIES_BACKGROUND, SERIES_THRESH, SERIES_LIMIT, SERIES_SETPOINT, SERIES_RATE, NR_SERIES };

static const struct {
	const char *name;
	const char *colour;
	const char *width;
	const char *dashes;            /* where one line may hide another */
} look[NR_SERIES] = {
	[SERIES_DIRTY] = { "dirty pages", "#1f77b4", "1.5", "" },
	[SERIES_BACKGROUND] = { "background limit", "#2ca02c", "1.5", "" },
	[SERIES_THRESH] = { "threshold", "#ff7f0e", "2.5", "" },
	[SERIES_LIMIT] = { "limit", "#d62728", "1.5", " stroke-dasharray=\"6,4\"" },
	[SERIES_SETPOINT] = { "setpoint", "#888", "1", " stroke-dasharray=\"2,3\"" },
	[SERIES_RATE] = { "rate of a throttled task", "#9467bd", "0.8", "" },
};

/* A look at the limits; the rate is that of the step. */
struct point {
	unsigned int jiffies;
	unsigned long value[NR_SERIES];
};

struct plot {
	struct point *points;
	unsigned long nr;
	unsigned long seen;            /* trace records */
	unsigned long most_pages;
	unsigned long most_rate;
};

static unsigned long larger(unsigned long a, unsigned long b)
{
	return a > b ? a : b;
}

/* Halfway from the end of freerun, which is halfway from background limit to threshold, to the limit. */
static unsigned long setpoint(const struct trace_record *r)
{
	return ((r->a + r->b) / 2 + larger(r->a, r->d)) / 2;
}

static void note(struct plot *plot, const struct trace_record *r)
{
	struct point *point = &plot->points[plot->nr];

	if (r->kind == TRACE_BALANCE_LIMITS && plot->nr < POINTS_MAX) {
		*point = (struct point){ r->jiffies, { r->c, r->b, r->a, larger(r->a, r->d), setpoint(r), 0 } };
		plot->most_pages = larger(plot->most_pages, larger(r->c, larger(r->a, r->d)));
		plot->nr++;
	} else if (r->kind == TRACE_BALANCE_RATE && plot->nr) {
		plot->points[plot->nr - 1].value[SERIES_RATE] = r->c;
		plot->most_rate = larger(plot->most_rate, r->c);
	}
}

static void after_op(void *argument, unsigned int op)
{
	struct plot *plot = argument;

	(void)op;
	for (; plot->seen < trace_count; plot->seen++) {
		const struct trace_record *r = trace_get(plot->seen);

		if (r)
			note(plot, r);
	}
}

static double x_of(const struct plot *plot, const struct point *point)
{
	double span = plot->points[plot->nr - 1].jiffies - plot->points[0].jiffies;

	return LEFT + (span > 0 ? (point->jiffies - plot->points[0].jiffies) / span : 0) * (WIDTH - LEFT - RIGHT);
}

static double y_of(unsigned long value, unsigned long top)
{
	return HEIGHT - BOTTOM - (top ? (double)value / (double)top : 0) * (HEIGHT - TOP - BOTTOM);
}

/* The round number at the top of a scale: four equal steps of 1, 2, 2.5 or 5 times a power of ten. */
static unsigned long scale_top(unsigned long most)
{
	static const unsigned int steps[] = { 4, 8, 10, 20 };
	unsigned long power;
	unsigned int i;

	for (power = 1; power < 1UL << 55; power *= 10)
		for (i = 0; i < sizeof(steps) / sizeof(*steps); i++)
			if (steps[i] * power > most && steps[i] * power % 4 == 0)
				return steps[i] * power;
	return most;
}

static void draw_legend(FILE *out, enum series series, double x)
{
	fprintf(out, "<line x1=\"%.0f\" y1=\"%d\" x2=\"%.0f\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", x,
		TOP - 19, x + 18, TOP - 19, look[series].colour, look[series].dashes);
	fprintf(out, "<text x=\"%.0f\" y=\"%d\">%s</text>\n", x + 24, TOP - 15, look[series].name);
}

/* What a look found holds until the next one: steps, not slopes. */
static void draw_series(FILE *out, const struct plot *plot, enum series series)
{
	unsigned long top = scale_top(series == SERIES_RATE ? plot->most_rate : plot->most_pages);
	unsigned long i;

	fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s d=\"", look[series].colour, look[series].width,
		look[series].dashes);
	for (i = 0; i < plot->nr; i++) {
		double x = x_of(plot, &plot->points[i]), y = y_of(plot->points[i].value[series], top);

		if (i == 0)
			fprintf(out, "M%.1f,%.1f", x, y);
		else if (plot->points[i].value[series] != plot->points[i - 1].value[series] || i == plot->nr - 1)
			fprintf(out, "H%.1fV%.1f", x, y);
	}
	fprintf(out, "\"/>\n");
	draw_legend(out, series, LEFT + 136.0 * (int)series);
}

static void draw_axes(FILE *out, const struct plot *plot, unsigned int hz)
{
	double seconds = (double)(plot->points[plot->nr - 1].jiffies - plot->points[0].jiffies) / hz;
	unsigned int i;

	for (i = 0; i <= 4; i++) {
		double y = y_of(i, 4);
		double x = LEFT + i / 4.0 * (WIDTH - LEFT - RIGHT);

		fprintf(out, "<path stroke=\"#ddd\" d=\"M%d,%.1fH%d\"/>\n", LEFT, y, WIDTH - RIGHT);
		fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%lu</text>\n", LEFT - 6, y + 4,
			scale_top(plot->most_pages) / 4 * i);
		fprintf(out, "<text x=\"%d\" y=\"%.1f\" fill=\"%s\">%lu</text>\n", WIDTH - RIGHT + 6, y + 4,
			look[SERIES_RATE].colour, scale_top(plot->most_rate) / 4 * i);
		fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.*f</text>\n", x, HEIGHT - BOTTOM + 18,
			seconds < 1 ? 3 : 1, seconds * i / 4);
	}
	fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>\n", LEFT, TOP,
		WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
	fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">seconds since the first look at the limits</text>\n",
		(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10);
	fprintf(out, "<text transform=\"translate(18,%d) rotate(-90)\" text-anchor=\"middle\">pages</text>\n", HEIGHT / 2);
	fprintf(out, "<text transform=\"translate(%d,%d) rotate(90)\" text-anchor=\"middle\" fill=\"%s\">pages/s</text>\n",
		WIDTH - 16, HEIGHT / 2, look[SERIES_RATE].colour);
}

static int draw(const char *path, const struct plot *plot, unsigned int hz)
{
	FILE *out = path && strcmp(path, "-") ? fopen(path, "w") : stdout;
	unsigned int series;

	if (!out) {
		fprintf(stderr, "mmfuzz plot: cannot write %s\n", path);
		return EXIT_USAGE;
	}
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
		"font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", WIDTH, HEIGHT);
	draw_axes(out, plot, hz);
	for (series = 0; series < NR_SERIES; series++)
		draw_series(out, plot, (enum series)series);
	fprintf(out, "</svg>\n");
	return out == stdout || fclose(out) == 0 ? EXIT_CLEAN : EXIT_USAGE;
}

static unsigned int hz_of(const struct program *program)
{
	struct machine_config config;

	return machine_configure(&config, program->preset, program->settings, program->nr_settings) ? 100 : config.hz;
}

static int plot_program(const struct loaded *loaded, const char *kernel_text, const char *path)
{
	struct run_options options = run_options_default();
	struct plot plot = { .points = calloc(POINTS_MAX, sizeof(struct point)) };
	struct verdict verdict;
	int code = EXIT_USAGE;

	if (!plot.points)
		return EXIT_HARNESS;
	if (!load_kernel(&options.kernel, kernel_text ? kernel_text : loaded_kernel(loaded),
			 kernel_text ? "mmfuzz plot: --kernel" : loaded->path)) {
		options.after_op = after_op;
		options.argument = &plot;
		run_program(&loaded->program, &options, &verdict);
		after_op(&plot, 0);
		if (plot.nr)
			code = draw(path, &plot, hz_of(&loaded->program));
		else
			fprintf(stderr, "mmfuzz plot: nobody was throttled in %s\n", loaded->path);
	}
	free(plot.points);
	return code;
}

int cmd_plot(int argc, char **argv)
{
	static struct loaded loaded;
	const char *kernel_text = NULL, *path = NULL;
	const struct option_spec specs[] = {
		{ "kernel", 'k', "KERNEL", "on this kernel (the one of the '# kernel:' line, or fixed)",
		  .text = &kernel_text },
		{ "output", 'o', "FILE", "write the picture to this file, not to standard output", .text = &path },
		{ 0 },
	};
	int first;
	int code = options_parse(&usage, specs, argc, argv, &first);

	if (code != OPTIONS_GO_ON)
		return code;
	code = load(&loaded, argv[first]);
	return code == EXIT_CLEAN ? plot_program(&loaded, kernel_text, path) : code;
}
