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

enum series { SERIES_DIRTY, SERIES_BACKGROUND, SERIES_THRESH, SERIES_LIMIT, SERIES_RATE, NR_SERIES };

static const struct {
	const char *name;
	const char *colour;
} look[NR_SERIES] = {
	{ "dirty pages", "#1f77b4" },      { "background limit", "#2ca02c" }, { "threshold", "#ff7f0e" },
	{ "limit (dirty_limit)", "#d62728" }, { "rate of the task, pages/s", "#9467bd" },
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

static void note(struct plot *plot, const struct trace_record *r)
{
	struct point *point = &plot->points[plot->nr];

	if (r->kind == TRACE_BALANCE_LIMITS && plot->nr < POINTS_MAX) {
		*point = (struct point){ r->jiffies, { r->c, r->b, r->a, larger(r->a, r->d), 0 } };
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

static double y_of(unsigned long value, unsigned long most)
{
	return HEIGHT - BOTTOM - (most ? (double)value / (double)most : 0) * (HEIGHT - TOP - BOTTOM);
}

static void draw_series(FILE *out, const struct plot *plot, enum series series)
{
	unsigned long most = series == SERIES_RATE ? plot->most_rate : plot->most_pages;
	unsigned long i;

	fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" points=\"", look[series].colour,
		series == SERIES_RATE ? "0.8" : "1.5");
	for (i = 0; i < plot->nr; i++)
		fprintf(out, "%.1f,%.1f ", x_of(plot, &plot->points[i]), y_of(plot->points[i].value[series], most));
	fprintf(out, "\"/>\n<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", LEFT + 10 + 175 * (int)series, TOP - 15,
		look[series].colour, look[series].name);
}

static void draw_axes(FILE *out, const struct plot *plot, unsigned int hz)
{
	double seconds = (double)(plot->points[plot->nr - 1].jiffies - plot->points[0].jiffies) / hz;
	unsigned int i;

	fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>\n", LEFT, TOP,
		WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
	for (i = 0; i <= 4; i++) {
		double y = y_of(i, 4);
		double x = LEFT + i / 4.0 * (WIDTH - LEFT - RIGHT);

		fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%lu</text>\n", LEFT - 6, y + 4,
			plot->most_pages * i / 4);
		fprintf(out, "<text x=\"%d\" y=\"%.1f\">%lu/s</text>\n", WIDTH - RIGHT + 6, y + 4, plot->most_rate * i / 4);
		fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.1f s</text>\n", x, HEIGHT - BOTTOM + 18,
			seconds * i / 4);
	}
	fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">pages</text>\n", LEFT - 6, TOP - 15);
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
	for (series = NR_SERIES; series-- > 0;)
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
