// SPDX-License-Identifier: GPL-2.0
/* support.c - what the unit tests of the simulated kernel share. */
#include "tests/support.h"

unsigned int preset_number(const char *name)
{
	unsigned int i;

	for (i = 0; i < nr_machine_presets; i++)
		if (!strcmp(machine_presets[i].name, name))
			return i;
	cr_assert_fail("there is no preset %s", name);
	return 0;
}

struct world *boot_machine_with(const char *preset, const struct machine_setting *settings, unsigned int nr_settings)
{
	struct machine_config config;
	const char *why = machine_configure(&config, preset_number(preset), settings, nr_settings);
	struct world *world;

	cr_assert_null(why, "%s does not boot: %s", preset, why);
	world = machine_boot(&config, NULL);
	cr_assert_not_null(world, "the boot of %s ends in a finding: %s: %s", preset, finding.name, finding.detail);
	world_enter(world);
	trace_reset();
	return world;
}

struct world *boot_machine(const char *preset)
{
	return boot_machine_with(preset, NULL, 0);
}

void expect_finding(enum finding_kind kind, const char *name, void (*body)(void *argument), void *argument)
{
	finding.kind = FINDING_NONE;
	cr_assert(host_catch(body, argument), "expected the finding \"%s\", but there was none", name);
	cr_assert_eq(finding.kind, kind, "expected \"%s\", got \"%s\": %s", name, finding.name, finding.detail);
	cr_assert_str_eq(finding.name, name);
	finding.kind = FINDING_NONE;
}

unsigned int count_trace(enum trace_kind kind, struct trace_record *last)
{
	unsigned int count = 0;
	unsigned long number;

	for (number = 0; number < trace_count; number++) {
		const struct trace_record *record = trace_get(number);

		if (!record || record->kind != kind)
			continue;
		count++;
		if (last)
			*last = *record;
	}
	return count;
}
