// SPDX-License-Identifier: GPL-2.0
/*
 * patches.c - the patch table as data, and the KERNEL grammar over it (patches.h). Builds in both worlds' terms: it
 * needs no kernel header and no libc.
 */
#include "mm/patches.h"

#define PATCH(name, slug, upstream, kind, off_in, requires, family, title)                                       \
	{ slug, upstream, kind, off_in, PATCH_##requires, family, title },
const struct patch_info patch_infos[NR_PATCHES] = { PATCH_TABLE(PATCH) };
#undef PATCH

const char *const kernel_profile_names[NR_PROFILES] = { "v3.16", "v3.17-rc1", "v3.17", "v4.7-rc1", "v4.7", "fixed" };
const char *const fair_mode_names[NR_FAIR_MODES] = { "f316", "f316b", "f317", "f47" };

struct kernel_config kernel;

static char message[200];

/* A word of KERNEL: [text, text + length). */
struct word {
	const char *text;
	unsigned long length;
};

static _Bool word_is(struct word word, const char *name)
{
	unsigned long i;

	for (i = 0; i < word.length; i++)
		if (name[i] == '\0' || name[i] != word.text[i])
			return 0;
	return name[i] == '\0';
}

static unsigned long append(char *buf, unsigned long size, unsigned long at, const char *text, unsigned long length)
{
	unsigned long i;

	for (i = 0; i < length && text[i] && at + 1 < size; i++)
		buf[at++] = text[i];
	buf[at] = '\0';
	return at;
}

#define WHOLE (~0UL)

static const char *complain(const char *what, struct word word, const char *expected)
{
	unsigned long at = append(message, sizeof(message), 0, what, WHOLE);

	at = append(message, sizeof(message), at, " '", WHOLE);
	at = append(message, sizeof(message), at, word.text, word.length < 60 ? word.length : 60);
	at = append(message, sizeof(message), at, "'; ", WHOLE);
	append(message, sizeof(message), at, expected, WHOLE);
	return message;
}

struct kernel_config kernel_profile(enum kernel_profile profile)
{
	static const enum fair_mode fair[NR_PROFILES] = { FAIR_F316, FAIR_F317, FAIR_F317, FAIR_F47, FAIR_F47,
							  FAIR_F47 };
	struct kernel_config config = { 0, profile, fair[profile],
					profile < PROFILE_V4_7_RC1 ? WATERMARKS_3_16 : WATERMARKS_4_7,
					profile < PROFILE_V4_7_RC1 ? WRITEBACK_3_16 : WRITEBACK_4_7 };
	unsigned int i;

	for (i = 0; i < NR_PATCHES; i++)
		if (!(patch_infos[i].off_in >> profile & 1))
			config.patches |= 1UL << i;
	return config;
}

static enum patch find_patch(struct word slug)
{
	unsigned int i;

	for (i = 0; i < NR_PATCHES; i++)
		if (word_is(slug, patch_infos[i].slug))
			break;
	return (enum patch)i;
}

static const char *parse_base(struct kernel_config *config, struct word word)
{
	unsigned int i;

	for (i = 0; i < NR_PROFILES; i++) {
		if (word_is(word, kernel_profile_names[i])) {
			*config = kernel_profile((enum kernel_profile)i);
			return 0;
		}
	}
	return complain("unknown kernel", word, "expected v3.16, v3.17-rc1, v3.17, v4.7-rc1, v4.7 or fixed");
}

static const char *parse_fair(struct kernel_config *config, struct word mode)
{
	unsigned long signed_read = 1UL << PATCH_SIGNED_BATCH_READ;
	unsigned int i;

	if (word_is(mode, "f317up")) {
		config->fair = FAIR_F317;
		config->patches |= signed_read;
		return 0;
	}
	for (i = 0; i < NR_FAIR_MODES; i++) {
		if (!word_is(mode, fair_mode_names[i]))
			continue;
		config->fair = (enum fair_mode)i;
		if (i == FAIR_F47)
			config->patches |= signed_read;
		else
			config->patches &= ~signed_read;
		return 0;
	}
	return complain("unknown fair mode", mode, "expected f316, f316b, f317, f317up or f47");
}

static const char *parse_part(struct kernel_config *config, struct word word)
{
	struct word slug = { word.text + 1, word.length - 1 };
	enum patch patch;

	if (word.length > 5 && word_is((struct word){ word.text, 5 }, "fair="))
		return parse_fair(config, (struct word){ word.text + 5, word.length - 5 });
	if (word.length < 2 || (word.text[0] != '+' && word.text[0] != '-'))
		return complain("cannot read", word, "expected +SLUG, -SLUG or fair=MODE");
	patch = find_patch(slug);
	if (patch == PATCH_NONE)
		return complain("unknown patch", slug, "the slugs are listed by: mmfuzz patches");
	if (word.text[0] == '+')
		config->patches |= 1UL << patch;
	else
		config->patches &= ~(1UL << patch);
	return 0;
}

/* Switching a patch means something only while what it builds on is applied. */
static const char *check_requirements(const struct kernel_config *config)
{
	unsigned long switched = config->patches ^ kernel_profile(config->base).patches;
	unsigned int i;

	for (i = 0; i < NR_PATCHES; i++) {
		enum patch needed = patch_infos[i].requires;

		if ((switched >> i & 1) && needed != PATCH_NONE && !(config->patches >> needed & 1))
			return complain("missing what makes a difference of", (struct word){ patch_infos[i].slug, 60 },
					patch_infos[needed].slug);
	}
	return 0;
}

const char *kernel_parse(struct kernel_config *config, const char *text)
{
	struct kernel_config result;
	const char *error = 0;
	_Bool first = 1;

	do {
		struct word word = { text, 0 };

		while (word.text[word.length] && word.text[word.length] != ',')
			word.length++;
		error = first ? parse_base(&result, word) : parse_part(&result, word);
		first = 0;
		text += word.length;
	} while (!error && *text++ == ',');
	if (!error)
		error = check_requirements(&result);
	if (!error)
		*config = result;
	return error;
}

const char *kernel_print(const struct kernel_config *config, char *buf, unsigned long size)
{
	struct kernel_config base = kernel_profile(config->base);
	unsigned long at = append(buf, size, 0, kernel_profile_names[config->base], WHOLE);
	unsigned int i;

	if (config->fair != base.fair) {
		at = append(buf, size, at, ",fair=", WHOLE);
		at = append(buf, size, at, fair_mode_names[config->fair], WHOLE);
		base.patches &= ~(1UL << PATCH_SIGNED_BATCH_READ);
		if (config->fair == FAIR_F47)
			base.patches |= 1UL << PATCH_SIGNED_BATCH_READ;
	}
	for (i = 0; i < NR_PATCHES; i++) {
		if ((config->patches ^ base.patches) >> i & 1) {
			at = append(buf, size, at, config->patches >> i & 1 ? ",+" : ",-", WHOLE);
			at = append(buf, size, at, patch_infos[i].slug, WHOLE);
		}
	}
	return buf;
}
