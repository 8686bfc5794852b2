// SPDX-License-Identifier: GPL-2.0
/*
 * Every function that the specification names in sections 8.3 and 11 to 27 is defined, under its name, in mm/ or inline in the
 * kernel's headers. What each does is tested where it lives.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
	/* 8.3 */
	"adjust_managed_page_count", "free_reserved_page", "mark_page_reserved",
	/* 10, 11 */
	"zone_page_state", "global_page_state", "zone_page_state_snapshot", "node_page_state", "nr_free_pages",
	"calculate_normal_threshold", "calculate_pressure_threshold", "refresh_zone_stat_thresholds",
	"set_pgdat_percpu_threshold", "refresh_cpu_vm_stats", "cpu_vm_stats_fold", "drain_zonestat", "vmstat_refresh",
	"__mod_zone_freepage_state", "__free_one_page", "page_is_buddy", "free_one_page", "free_pcppages_bulk",
	/* 12, 13 */
	"expand", "__rmqueue_smallest", "find_suitable_fallback", "can_steal_fallback", "__rmqueue_fallback",
	"steal_suitable_fallback", "move_freepages_block", "__rmqueue", "rmqueue_bulk", "reserve_highatomic_pageblock",
	"unreserve_highatomic_pageblock",
	/* 14, 15 */
	"free_hot_cold_page", "free_hot_cold_page_list", "drain_pages_zone", "drain_pages", "drain_local_pages",
	"drain_all_pages", "drain_zone_pages", "buffered_rmqueue", "prep_new_page", "prep_compound_page", "bad_page",
	"page_expected_state",
	/* 16, 17 */
	"__zone_watermark_ok", "zone_watermark_ok", "zone_watermark_fast", "zone_watermark_ok_safe",
	"zone_dirtyable_memory", "global_dirtyable_memory", "zone_dirty_limit", "zone_dirty_ok",
	/* 18, 21 */
	"get_page_from_freelist", "reset_alloc_batches", "zone_is_fair_depleted", "__alloc_pages_nodemask",
	"__alloc_pages", "__alloc_pages_node", "alloc_pages_node", "alloc_pages", "__get_free_pages", "get_zeroed_page",
	"gfpflags_to_migratetype", "gfp_zone", "gfp_zonelist", "node_zonelist", "first_zones_zonelist",
	"next_zones_zonelist",
	/* 22, 23 */
	"__alloc_pages_slowpath", "gfp_to_alloc_flags", "gfp_pfmemalloc_allowed", "__perform_reclaim",
	"should_reclaim_retry", "should_compact_retry", "warn_alloc_failed", "__alloc_pages_may_oom",
	"__alloc_pages_direct_compact", "__alloc_pages_direct_reclaim", "is_thp_gfp_mask",
	/* 24 */
	"__free_pages", "__free_pages_ok", "free_pages", "put_page", "free_compound_page", "free_pages_prepare",
	/* 25 */
	"split_page", "alloc_pages_exact", "free_pages_exact", "alloc_pages_exact_nid", "__isolate_free_page",
	"split_free_page", "set_migratetype_isolate", "unset_migratetype_isolate", "start_isolate_page_range",
	"undo_isolate_page_range", "test_pages_isolated", "has_unmovable_pages", "alloc_contig_range",
	"isolate_freepages_range", "free_contig_range",
	/* 26, 27 */
	"nr_free_zone_pages", "nr_free_buffer_pages", "nr_free_pagecache_pages", "si_mem_available",
	"is_free_buddy_page", "zone_pcp_update", "zone_pcp_reset", "show_free_areas", "show_mem",
};

/* True if the line begins a definition of the function: it starts at the margin and is no prototype. */
static bool defines(const char *line, const char *name)
{
	size_t length = strlen(name);
	const char *at = line;

	if (*line == '\t' || *line == ' ' || *line == '/' || *line == '#' || strstr(line, ");"))
		return false;
	while ((at = strstr(at, name)) != NULL) {
		bool starts = at == line || at[-1] == ' ' || at[-1] == '*';

		if (starts && at[length] == '(')
			return true;
		at += length;
	}
	return false;
}

static bool defined_in(const char *path, const char *name)
{
	char line[512];
	FILE *stream = fopen(path, "r");
	bool found = false;

	cr_assert_not_null(stream, "%s", path);
	while (!found && fgets(line, sizeof(line), stream))
		found = defines(line, name);
	fclose(stream);
	return found;
}

Test(functions, every_function_that_the_specification_names_is_defined)
{
	glob_t files = { 0 };
	size_t i, file;

	cr_assert_eq(glob("mm/*.c", 0, NULL, &files), 0);
	cr_assert_eq(glob("kernel-shim/include/linux/*.h", GLOB_APPEND, NULL, &files), 0);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (file = 0; file < files.gl_pathc; file++)
			if (defined_in(files.gl_pathv[file], names[i]))
				break;
		cr_expect(file < files.gl_pathc, "%s() is nowhere", names[i]);
	}
	globfree(&files);
}
