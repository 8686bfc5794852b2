// SPDX-License-Identifier: GPL-2.0
/*
 * statements.c - the table of statements.h. A statement that gets an invariant of its own loses its row here.
 */
#include "fuzz/statements.h"

const struct statement statements[] = {
	{ 'A', 53, "verdict_follows_data", "the verdict is the one that flag, batch and distance of the zone ask for" },
	{ 'A', 59, "dirty_skip_is_true refresh_is_fresh", "S10 and S2 of page-writeback" },
	{ 'A', 60, "dirty_page_within_limit refresh_is_fresh", "S1 and S2 of page-writeback" },
	{ 'A', 61, "kept_limit_was_true refresh_is_fresh nothing_kept_in_the_base",
	  "a kept limit changes where it is refreshed, and to a true one, which has no bonus" },
	{ 'I', 3, "limits_follow_tunables background_below_limit position_follows_limits",
	  "freerun and setpoint are means of limits that are compared with wide arithmetic, and their sum does not wrap" },
	{ 'I', 4, "limits_follow_tunables", "the bonus is compared with a quarter and a 32nd, each rounded down" },
	{ 'I', 5, "limits_follow_tunables verdict_follows_data", "they compare with formulas that rise with each input" },
	{ 'I', 10, "dirty_skip_is_true", "a zone without such pages is never above a limit" },
	{ 'I', 12, "position_follows_limits",
	  "builds with the undefined behaviour sanitizer see every overflow; here is what wraps without one (H3)" },
	{ 'I', 13, "position_follows_limits position_bounded", "the polynomial is compared with 128 bits of it" },
	{ 'I', 18, "completions_add_up share_follows_fraction ratios_of_devices",
	  "shares are parts of completions that add up, and the minimal ones are 99 percent at most" },
	{ 'I', 21, "bandwidth_follows_written_pages",
	  "bandwidth is compared with what pages written make of it; a device with stalls has no rate beside that" },
	{ 'I', 37, "limits_follow_tunables", "the bonus is added, never taken away" },
	{ 'I', 44, 0,
	  "the budget of an inode is computed by the flusher, which is a model in the shim; a unit test has its numbers" },
	{ 'I', 53, "dirty_page_within_limit verdict_follows_data", "the visit that took the page is judged by its zone" },
	{ 'I', 54, "kept_limit_was_true refresh_is_fresh verdict_follows_data passes_bounded", "S1 to S4, S6 to S8" },
	{ 'I', 55, "one_false_skip_per_change right_limit_decides_as_base", "S5 and S10" },
	{ 'I', 56, "one_false_skip_per_change verdict_follows_data",
	  "a cold limit changes once per zone, and no page is placed above the kept one" },
	{ 'S', 3, "verdict_follows_data", "the verdict is that of the limit that the task looks at" },
	{ 'S', 4, "verdict_follows_data", "the verdict is that of the limit that the task looks at" },
	{ 'S', 6, "verdict_follows_data kept_limit_was_true", "a page is placed under the kept limit, which was true once" },
	{ 'S', 7, "passes_bounded", "every pass of a scan is counted" },
	{ 'S', 8, "zone_missed_after_reset", "a scan that fails has looked at every zone that it could have used" },
	{ 'S', 9, 0, "has no bound in time by design: there is nothing that it forbids" },
	{ 0 },
};

/* S10 has the number of S9, which no rule can have. */
unsigned int statement_invariant(char series, unsigned int number)
{
	if (series == 'S' && number >= 9)
		return number == 10 ? 309 : 0;
	return (series == 'I' ? 200 : series == 'S' ? 300 : 0) + number;
}
