// SPDX-License-Identifier: GPL-2.0
/*
 * Kernels by name: profiles, patches, fair modes (mm/patches.h).
 */
#include "tests/machines.h"

static struct kernel_config parsed(const char *text)
{
	struct kernel_config config;
	const char *why = kernel_parse(&config, text);

	cr_assert_null(why, "%s: %s", text, why);
	return config;
}

static const char *printed(const struct kernel_config *config)
{
	static char text[KERNEL_TEXT_BYTES];

	return kernel_print(config, text, sizeof(text));
}

#define expect_printed(text, expected)                                                                 \
	do {                                                                                           \
		struct kernel_config _config = parsed(text);                                           \
		expect_text(printed(&_config), expected);                                              \
	} while (0)

#define has(config, name) (((config).patches >> PATCH_##name) & 1)

static bool same_kernel(const struct kernel_config *a, const struct kernel_config *b)
{
	return a->patches == b->patches && a->base == b->base && a->fair == b->fair && a->watermarks == b->watermarks;
}

/*
 * Profiles.
 */

Test(patches, fixed_has_every_fix_and_of_the_features_only_high_precision_ratios)
{
	struct kernel_config config = parsed("fixed");
	unsigned int i;

	for (i = 0; i < NR_PATCHES; i++)
		expect_number(config.patches >> i & 1,
			      patch_infos[i].kind == PATCH_FIX || i == PATCH_HIGH_PRECISION_RATIO);
	expect_number(config.fair, FAIR_F47);
	expect_number(config.watermarks, WATERMARKS_4_7);
}

Test(patches, v4_7_rc1_lacks_what_its_release_candidates_brought)
{
	struct kernel_config rc1 = parsed("v4.7-rc1");
	struct kernel_config release = parsed("v4.7");

	expect_number(rc1.patches ^ release.patches, 1UL << PATCH_RESET_ZONELIST_ITERATOR |
							     1UL << PATCH_RECOMPUTE_PREFERRED_ZONEREF |
							     1UL << PATCH_UNLINK_BEFORE_CHECK |
							     1UL << PATCH_HIGH_PRECISION_RATIO);
	cr_expect(has(release, RESET_ZONELIST_ITERATOR));
	expect_number(rc1.fair, FAIR_F47);
	cr_expect_not(has(release, KEEP_ZONELIST_FOR_THISNODE));
	cr_expect(has(release, SIGNED_BATCH_READ));
}

Test(patches, v3_17_differs_from_its_rc1_by_the_signed_batch)
{
	struct kernel_config rc1 = parsed("v3.17-rc1");
	struct kernel_config release = parsed("v3.17");

	expect_number(rc1.patches ^ release.patches, 1UL << PATCH_SIGNED_BATCH_READ);
	cr_expect(has(release, SIGNED_BATCH_READ));
	expect_number(rc1.fair, FAIR_F317);
	expect_number(release.fair, FAIR_F317);
	expect_number(rc1.watermarks, WATERMARKS_3_16);
}

Test(patches, v3_16_has_counters_for_fairness)
{
	struct kernel_config config = parsed("v3.16");

	expect_number(config.fair, FAIR_F316);
	expect_number(config.watermarks, WATERMARKS_3_16);
	cr_expect_not(has(config, SIGNED_BATCH_READ));
	cr_expect_not(has(config, NO_MERGE_ACROSS_ISOLATION));
	cr_expect(has(config, FAIR_BEFORE_KSWAPD));
}

Test(patches, every_profile_prints_as_its_name)
{
	unsigned int i;

	for (i = 0; i < NR_PROFILES; i++)
		expect_printed(kernel_profile_names[i], kernel_profile_names[i]);
}

Test(patches, the_table_is_complete)
{
	unsigned int i, j;

	for (i = 0; i < NR_PATCHES; i++) {
		cr_expect_gt(strlen(patch_infos[i].slug), 0);
		cr_expect_gt(strlen(patch_infos[i].upstream), 0);
		cr_expect_gt(strlen(patch_infos[i].title), 0);
		for (j = 0; j < i; j++)
			cr_expect_str_neq(patch_infos[i].slug, patch_infos[j].slug);
	}
}

/*
 * Switching.
 */

Test(patches, plus_applies_a_patch_and_minus_takes_it_away)
{
	struct kernel_config rc1 = parsed("v4.7-rc1");
	struct kernel_config with = parsed("v4.7-rc1,+reset-zonelist-iterator");
	struct kernel_config without = parsed("fixed,-free-tail-pages,-label-from-list");

	expect_number(with.patches ^ rc1.patches, 1UL << PATCH_RESET_ZONELIST_ITERATOR);
	cr_expect_not(has(without, FREE_TAIL_PAGES));
	cr_expect_not(has(without, LABEL_FROM_LIST));
}

Test(patches, the_last_word_about_a_patch_counts)
{
	expect_printed("fixed,-free-tail-pages,+free-tail-pages", "fixed");
	expect_printed("fixed,+free-tail-pages,-free-tail-pages", "fixed,-free-tail-pages");
}

Test(patches, what_makes_no_difference_is_not_printed)
{
	expect_printed("fixed,+free-tail-pages", "fixed");
	expect_printed("v4.7,fair=f47", "v4.7");
}

Test(patches, fair_chooses_a_mode)
{
	expect_number(parsed("v4.7,fair=f316").fair, FAIR_F316);
	expect_number(parsed("v4.7,fair=f316b").fair, FAIR_F316B);
	expect_number(parsed("v4.7,fair=f317").fair, FAIR_F317);
	expect_number(parsed("v3.16,fair=f47").fair, FAIR_F47);
	/* The rest of the profile stays. */
	expect_number(parsed("v3.16,fair=f47").watermarks, WATERMARKS_3_16);
}

Test(patches, f317up_is_f317_with_the_signed_batch)
{
	struct kernel_config config = parsed("v4.7,fair=f317up");

	expect_number(config.fair, FAIR_F317);
	cr_expect(has(config, SIGNED_BATCH_READ));
	cr_expect_not(has(parsed("v4.7,fair=f317"), SIGNED_BATCH_READ));
	cr_expect(has(parsed("v3.16,fair=f47"), SIGNED_BATCH_READ));
}

/*
 * Printing and reading back.
 */

Test(patches, what_is_printed_parses_to_the_same_kernel)
{
	static const char *const texts[] = {
		"v3.16",
		"v4.7,+dirty-limit-cached",
		"v4.7,fair=f316",
		"v4.7,fair=f317",
		"v4.7,fair=f317up",
		"v3.16,fair=f47",
		"v3.16,fair=f47,-signed-batch-read",
		"v3.17,fair=f317",
		"v3.17,fair=f316b,+signed-batch-read",
		"fixed,-fast-watermark-clamp,-reset-zonelist-iterator,+dirty-limit-cached",
		"v4.7-rc1,+reset-zonelist-iterator,-signed-batch-read",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		struct kernel_config config = parsed(texts[i]);
		struct kernel_config again = parsed(printed(&config));

		cr_expect(same_kernel(&config, &again), "%s prints as %s", texts[i], printed(&config));
	}
}

Test(patches, every_single_switch_survives_the_round_trip)
{
	unsigned int profile;
	unsigned int i;

	for (profile = 0; profile < NR_PROFILES; profile++) {
		for (i = 0; i < NR_PATCHES; i++) {
			struct kernel_config config = kernel_profile((enum kernel_profile)profile);
			struct kernel_config again;
			enum patch needed = patch_infos[i].requires;

			if (needed != PATCH_NONE && !(config.patches >> needed & 1))
				continue;
			config.patches ^= 1UL << i;
			again = parsed(printed(&config));
			cr_expect(same_kernel(&config, &again), "%s", printed(&config));
		}
	}
}

Test(patches, printing_into_a_small_buffer_stops_at_its_end)
{
	struct kernel_config config = parsed("v4.7-rc1,fair=f316");
	char text[9] = "........";

	kernel_print(&config, text, 8);

	expect_text(text, "v4.7-rc");
	expect_number(text[8], '\0');
}

/*
 * Mistakes. Nothing is changed, and a sentence says what is wrong.
 */

static const char *complaint(const char *text)
{
	struct kernel_config config = parsed("v4.7");
	struct kernel_config before = config;
	const char *why = kernel_parse(&config, text);

	cr_expect(same_kernel(&config, &before), "%s", text);
	return why ? why : "";
}

Test(patches, an_unknown_kernel_is_named)
{
	expect_text(complaint("v4.8"),
		    "unknown kernel 'v4.8'; expected v3.16, v3.17-rc1, v3.17, v4.7-rc1, v4.7 or fixed");
	expect_text(complaint(""), "unknown kernel ''; expected v3.16, v3.17-rc1, v3.17, v4.7-rc1, v4.7 or fixed");
	cr_expect_str_neq(complaint("fixe"), "");
	cr_expect_str_neq(complaint("fixed1"), "");
}

Test(patches, an_unknown_patch_is_named)
{
	expect_text(complaint("fixed,+free-tail-page"),
		    "unknown patch 'free-tail-page'; the slugs are listed by: mmfuzz patches");
	cr_expect_str_neq(complaint("fixed,-free-tail-pages-"), "");
}

Test(patches, an_unknown_fair_mode_is_named)
{
	expect_text(complaint("fixed,fair=f318"),
		    "unknown fair mode 'f318'; expected f316, f316b, f317, f317up or f47");
}

Test(patches, a_word_without_a_sign_is_named)
{
	expect_text(complaint("fixed,free-tail-pages"),
		    "cannot read 'free-tail-pages'; expected +SLUG, -SLUG or fair=MODE");
	expect_text(complaint("fixed,"), "cannot read ''; expected +SLUG, -SLUG or fair=MODE");
	expect_text(complaint("fixed,+"), "cannot read '+'; expected +SLUG, -SLUG or fair=MODE");
	expect_text(complaint("fixed,fair="), "cannot read 'fair='; expected +SLUG, -SLUG or fair=MODE");
	expect_text(complaint("fixed,,-free-tail-pages"), "cannot read ''; expected +SLUG, -SLUG or fair=MODE");
}

Test(patches, a_patch_that_cannot_matter_is_refused)
{
	/* The clamp is of a difference that only the reserve's patch computes. */
	expect_text(complaint("v4.7,-fast-watermark-clamp"),
		    "missing what makes a difference of 'fast-watermark-clamp'; fast-watermark-reserve");
	expect_text(complaint("fixed,-fast-watermark-reserve,-fast-watermark-clamp"),
		    "missing what makes a difference of 'fast-watermark-clamp'; fast-watermark-reserve");
	cr_expect_not(has(parsed("v4.7,+fast-watermark-reserve,-fast-watermark-clamp"), FAST_WATERMARK_CLAMP));
}
