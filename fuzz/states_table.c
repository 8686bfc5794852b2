// SPDX-License-Identifier: GPL-2.0
/*
 * states_table.c - the table of state cells as people read it (states.h): names from numbers, and sums over runs. A
 * cell's number is its place in struct state_cells.
 */
#include <stddef.h>
#include <stdio.h>

#include "fuzz/states.h"

#define NR_AXES_OF_PLANE 4

#define AXIS(name, ...) static const char *const axis_##name[] = { __VA_ARGS__ };
#include "fuzz/states.def"

#define PLANE(name_, sentence_, a, b, c, d) \
	{ #name_, sentence_, offsetof(struct state_cells, name_), sizeof(((struct state_cells *)0)->name_) },
const struct state_plane state_planes[] = {
#include "fuzz/states.def"
};
const unsigned int nr_state_planes = sizeof(state_planes) / sizeof(state_planes[0]);

struct axis {
	const char *const *values;
	unsigned int nr;
};

/* In the order of the planes. */
#define ONE_AXIS(name) { axis_##name, STATE_VALUES_##name }
#define PLANE(name, sentence, a, b, c, d) { ONE_AXIS(a), ONE_AXIS(b), ONE_AXIS(c), ONE_AXIS(d) },
static const struct axis axes[][NR_AXES_OF_PLANE] = {
#include "fuzz/states.def"
};

static const char *join(const struct state_plane *plane, unsigned int cell, char *buf, unsigned long size)
{
	const struct axis *axis = axes[plane - state_planes];
	unsigned int below = plane->nr, rest = cell - plane->first, i;
	unsigned long at = (unsigned long)snprintf(buf, size, "%s", plane->name);

	for (i = 0; i < NR_AXES_OF_PLANE; i++) {
		const char *value;

		below /= axis[i].nr;
		value = axis[i].values[rest / below];
		rest %= below;
		if (*value && at < size)
			at += (unsigned long)snprintf(buf + at, size - at, "/%s", value);
	}
	return buf;
}

const char *state_name(unsigned int cell, char *buf, unsigned long size)
{
	unsigned int i = 0;

	while (i + 1 < nr_state_planes && cell >= state_planes[i + 1].first)
		i++;
	return join(&state_planes[i], cell, buf, size);
}

unsigned int states_add(unsigned long programs[NR_STATE_CELLS])
{
	const unsigned char *hit = (const unsigned char *)&state_cells;
	unsigned int cell, nr_new = 0;

	for (cell = 0; cell < NR_STATE_CELLS; cell++) {
		nr_new += hit[cell] && !programs[cell];
		programs[cell] += hit[cell];
	}
	return nr_new;
}
