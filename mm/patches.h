/* SPDX-License-Identifier: GPL-2.0 */
/*
 * patches.h - the table of switchable patches and the kernel profiles. Plain C for both worlds.
 *
 * One name and one polarity: a patch that is on is applied, a defect is a fix that is off. Code reads
 *	if (patched(RESET_ZONELIST_ITERATOR)) ...
 * The set is fixed for a run and chosen by KERNEL := BASE[,+SLUG][,-SLUG][,fair=f316|f316b|f317|f317up|f47], where
 * BASE is a profile: the 4.7 skeleton with the parts of an era. A profile does not claim to be that release.
 *
 * Quirks of the base that are kept in every profile, with no row, because no invariant contradicts them
 * (specification section 34): Q2, Q3, Q6, Q7, Q8, Q10, Q12, Q14, Q15, Q16 and the part of Q9 that is not
 * count-refilled-pages. Q19 is answered by the shim: a pageblock outside every zone reads as not ISOLATE.
 */
#ifndef MMFUZZ_PATCHES_H
#define MMFUZZ_PATCHES_H

enum kernel_profile {
	PROFILE_V3_16,
	PROFILE_V3_17_RC1,
	PROFILE_V3_17,
	PROFILE_V4_7_RC1,
	PROFILE_V4_7,
	PROFILE_FIXED,
	NR_PROFILES
};

/* The fair zone policy, specification 19. F317UP is F317 with signed-batch-read. */
enum fair_mode { FAIR_F316, FAIR_F316B, FAIR_F317, FAIR_F47, NR_FAIR_MODES };

/* Watermark formulas and checks, specification 9.2, 16.1 and 16.3. */
enum watermark_era { WATERMARKS_3_16, WATERMARKS_4_7 };

/* Writeback formulas, page-writeback specification 19. */
enum writeback_era { WRITEBACK_3_16, WRITEBACK_4_7 };

enum patch_kind { PATCH_FIX, PATCH_FEATURE };

/* Profiles in which a patch is off. */
#define OFF_V3 (1u << PROFILE_V3_16 | 1u << PROFILE_V3_17_RC1 | 1u << PROFILE_V3_17)
#define OFF_V3_17_RC1 (1u << PROFILE_V3_16 | 1u << PROFILE_V3_17_RC1)
#define OFF_V4_7_RC1 (1u << PROFILE_V4_7_RC1)
#define OFF_OLD (OFF_V3 | OFF_V4_7_RC1 | 1u << PROFILE_V4_7)
#define OFF_NOWHERE 0u
#define OFF_EVERYWHERE (OFF_OLD | 1u << PROFILE_FIXED)

/* PATCH(name, slug, upstream commit, kind, off in, requires (name or NONE), family, title) */
#define PATCH_TABLE(PATCH)                                                                                       \
	PATCH(RESET_ZONELIST_ITERATOR, "reset-zonelist-iterator", "0d0bd89435d1", PATCH_FIX, OFF_V4_7_RC1, NONE, \
	      "fair", "the zonelist iterator starts over after the fair policy refilled its batches")            \
	PATCH(KEEP_ZONELIST_FOR_THISNODE, "keep-zonelist-for-thisnode", "7810e6781e0f", PATCH_FIX, OFF_OLD,      \
	      NONE, "slow path", "a privileged request keeps the zonelist its caller asked for")                 \
	PATCH(RECOMPUTE_PREFERRED_ZONEREF, "recompute-preferred-zoneref", "e46e7b77c909", PATCH_FIX,             \
	      OFF_V4_7_RC1, NONE, "slow path",                                                                   \
	      "a request that may ignore its policy starts at the first zone it may now use")                    \
	PATCH(COUNT_REFILLED_PAGES, "count-refilled-pages", "a6de734bc002", PATCH_FIX, OFF_OLD, NONE, "pcp",     \
	      "a page rejected at refill is not counted as being on the per-CPU list")                           \
	PATCH(CLAMP_BULK_FREE, "clamp-bulk-free", "88e8ac11d2ea", PATCH_FIX, OFF_OLD, NONE, "pcp",               \
	      "a drain asks for no more pages than the per-CPU lists hold")                                      \
	PATCH(UNLINK_BEFORE_CHECK, "unlink-before-check", "83b9355bf60f", PATCH_FIX, OFF_V4_7_RC1, NONE, "pcp",  \
	      "a bad page leaves the per-CPU list before it is checked, so the retry sees another")              \
	PATCH(WATERMARK_USABLE_LISTS, "watermark-usable-lists", "b050e3769c6b", PATCH_FIX, OFF_OLD, NONE,        \
	      "watermark", "a free block counts for a HARDER request only if it is on a list it may take from")  \
	PATCH(UNRESERVE_OWN_TYPE, "unreserve-own-type", "4855e4a7f29d", PATCH_FIX, OFF_OLD, NONE, "highatomic",  \
	      "releasing a reserved block lowers the count only if the block was still reserved")                \
	PATCH(KEEP_HIGHATOMIC_BLOCK, "keep-highatomic-block", "88ed365ea227", PATCH_FIX, OFF_OLD, NONE,          \
	      "highatomic", "stealing and isolating leave HIGHATOMIC blocks their type")                         \
	PATCH(NO_MERGE_ACROSS_ISOLATION, "no-merge-across-isolation", "d9dddbf55667", PATCH_FIX, OFF_V3, NONE,   \
	      "isolation", "blocks do not merge across the border of an isolated pageblock")                     \
	PATCH(DRAIN_REREADS_TYPE, "drain-rereads-type", "51bb1a4093cc", PATCH_FIX, OFF_V3, NONE, "isolation",    \
	      "draining reads the pageblock type again while the zone has isolated blocks")                      \
	PATCH(REFUSE_DOUBLE_ISOLATION, "refuse-double-isolation", "2c7452a075d4", PATCH_FIX, OFF_OLD, NONE,      \
	      "isolation", "a pageblock that is isolated already cannot be isolated again")                      \
	PATCH(FAST_WATERMARK_RESERVE, "fast-watermark-reserve", "f27ce0e14088", PATCH_FIX, OFF_OLD, NONE,        \
	      "watermark", "the order-0 shortcut subtracts the highatomic reserve")                              \
	PATCH(FAST_WATERMARK_CLAMP, "fast-watermark-clamp", "9282012fc0aa", PATCH_FIX, OFF_NOWHERE,              \
	      FAST_WATERMARK_RESERVE, "watermark", "the order-0 shortcut does not let that difference wrap")     \
	PATCH(SIGNED_BATCH_READ, "signed-batch-read", "abe5f972912d", PATCH_FIX, OFF_V3_17_RC1, NONE, "fair",    \
	      "a batch below zero reads as exhausted on UP")                                                     \
	PATCH(LABEL_FROM_LIST, "label-from-list", "5bcc9f86ef09", PATCH_FIX, OFF_NOWHERE, NONE, "pcp",           \
	      "a page is labelled with the list it came from, not with the type that was asked for")             \
	PATCH(FREE_TAIL_PAGES, "free-tail-pages", "e320d3012d25", PATCH_FIX, OFF_OLD, NONE, "free",              \
	      "freeing a block whose head has another reference frees the other pages")                          \
	PATCH(HIGHATOMIC_CAP, "highatomic-cap", "d68e39fc45f7", PATCH_FIX, OFF_OLD, NONE, "highatomic",          \
	      "the highatomic reserve stays within one percent, rounded up to a pageblock")                      \
	PATCH(NUMA_HIT_PREFERRED, "numa-hit-preferred", "2df26639e708", PATCH_FIX, OFF_OLD, NONE, "statistics",  \
	      "a NUMA hit is a page from the preferred node, whatever node the CPU is on")                       \
	PATCH(UNRESERVE_BEFORE_OOM, "unreserve-before-oom", "04c8716f7b01", PATCH_FIX, OFF_OLD, NONE,            \
	      "highatomic", "the highatomic reserve is given up before a request fails")                         \
	PATCH(NULL_PREFERRED_ZONE, "null-preferred-zone", "ea57485af8f4", PATCH_FIX, OFF_OLD, NONE, "slow path", \
	      "a request that no zone may serve fails at once")                                                  \
	PATCH(ZONELIST_PRESENT_PAGES, "zonelist-present-pages", "e553f62f10d9", PATCH_FIX, OFF_NOWHERE, NONE,    \
	      "zonelist", "a zone with present but no managed pages is in the zonelists")                        \
	PATCH(FAIR_BEFORE_KSWAPD, "fair-before-kswapd", "3a025760fc15", PATCH_FIX, OFF_NOWHERE, NONE, "fair",    \
	      "depleted batches alone do not send a request to the slow path")                                   \
	PATCH(RESTORE_NODEMASK, "restore-nodemask", "4741526b83c5", PATCH_FIX, OFF_NOWHERE, NONE, "slow path",   \
	      "the slow path gets the caller's nodemask back, not the cpuset's")                                 \
	PATCH(ATOMIC_USES_RESERVE, "atomic-uses-reserve", "281dd25c1a01", PATCH_FIX, OFF_OLD, NONE,              \
	      "highatomic", "an order-0 HARDER request may take from the highatomic reserve")                    \
	PATCH(MOVE_FROM_ZONE_START, "move-from-zone-start", "2dd482ba627d", PATCH_FIX, OFF_OLD, NONE,            \
	      "fallback", "moving a pageblock that begins before its zone moves all of its pages in the zone")   \
	PATCH(CONTIG_NOT_BUSY, "contig-not-busy", "posted Nov 2017", PATCH_FIX, OFF_OLD, NONE, "contig",          \
	      "a contiguous range that was busy but is free in the end is handed over, not leaked")              \
	PATCH(DIRTY_LIMIT_CACHED, "dirty-limit-cached", "posted June 2014", PATCH_FEATURE, OFF_EVERYWHERE, NONE, \
	      "dirty", "dirty zone balancing with ALLOC_DIRTY and a cached limit (seed 3)")                      \
	PATCH(HIGH_PRECISION_RATIO, "high-precision-ratio", "62a584fe05ee", PATCH_FEATURE,                       \
	      OFF_V3 | OFF_V4_7_RC1, NONE, "dirty limits", "dirty ratios count in parts of PAGE_SIZE")           \
	PATCH(STRICTLIMIT_ZERO_THRESH, "strictlimit-zero-thresh", "f6789593d5ce", PATCH_FIX, OFF_NOWHERE, NONE,  \
	      "dirty limits", "a threshold of 0 gives a background share of 0, not a division by it")            \
	PATCH(LIMITS_BELOW_UINTMAX, "limits-below-uintmax", "385d838df280", PATCH_FIX, OFF_OLD, NONE,            \
	      "dirty limits", "limits fit in 32 bits of pages, so that divisors do")                             \
	PATCH(ZONE_LIMIT_WIDE_PRODUCT, "zone-limit-wide-product", "none known", PATCH_FIX, OFF_OLD, NONE,        \
	      "dirty limits", "a zone's share of dirty_bytes does not wrap")                                     \
	PATCH(POLYNOM_WIDE_DIVISOR, "polynom-wide-divisor", "d5c9fde3dae7", PATCH_FIX, OFF_NOWHERE, NONE,        \
	      "position", "the position ratio divides by differences of limits in 64 bits")                      \
	PATCH(STRICTLIMIT_CUBIC_WIDE, "strictlimit-cubic-wide", "none known", PATCH_FIX, OFF_OLD, NONE,          \
	      "position", "the cubic is cut off before its product leaves 64 bits")                              \
	PATCH(RATIO_HANDLER_ORDER, "ratio-handler-order", "f83f362d40cc", PATCH_FIX, OFF_OLD, NONE, "sysctl",    \
	      "dirty_ratio clears the bytes before it computes the limits")                                      \
	PATCH(SIBLING_RATIO_KEPT, "sibling-ratio-kept", "none known", PATCH_FIX, OFF_OLD, NONE, "sysctl",        \
	      "a write that was skipped as out of range leaves the sibling ratio alone")                         \
	PATCH(RESERVE_CLAMPED, "reserve-clamped", "c8b74c2f6604", PATCH_FIX, OFF_NOWHERE, NONE,                  \
	      "dirtyable memory", "taking the reserve off dirtyable memory does not wrap")                       \
	PATCH(RESERVE_FROM_FREE_ONLY, "reserve-from-free-only", "a804552b9a15", PATCH_FIX, OFF_NOWHERE, NONE,    \
	      "dirtyable memory", "the reserve is taken off free pages alone, not off file pages")               \
	PATCH(RATELIMIT_SHIFT_BOUNDED, "ratelimit-shift-bounded", "d59b1087a98e", PATCH_FIX, OFF_V3, NONE,       \
	      "estimators", "a step is not shifted by more than a word")                                         \
	PATCH(BANDWIDTH_NO_UNDERFLOW, "bandwidth-no-underflow", "c72efb658f7c", PATCH_FIX, OFF_V3, NONE,         \
	      "estimators", "a written count that steps back measures nothing, not everything")                  \
	PATCH(FLUSHER_BACKGROUND_SHARE, "flusher-background-share", "74d369443325", PATCH_FIX, OFF_NOWHERE,      \
	      NONE, "flusher", "the flusher compares with the device's share of the background limit")           \
	PATCH(EXACT_SHARE_NEAR_ZERO, "exact-share-near-zero", "ab19939a6a50", PATCH_FIX, OFF_OLD, NONE,          \
	      "flusher", "the flusher reads a device's dirty pages exactly while its share is tiny")             \
	PATCH(DOMAIN_INIT_ORDER, "domain-init-order", "a50fcb512d88", PATCH_FIX, OFF_NOWHERE, NONE,              \
	      "dirty limits", "the domain is initialised before its first limit is computed")                    \
	PATCH(LIMIT_STAMP_INITIAL, "limit-stamp-initial", "7d70e15480c0", PATCH_FIX, OFF_NOWHERE, NONE,          \
	      "dirty limits", "the dirty limit was last updated at boot, not at tick 0")                         \
	PATCH(PAUSE_UNSIGNED_MAX, "pause-unsigned-max", "e3b6c655b91e", PATCH_FIX, OFF_NOWHERE, NONE,            \
	      "throttle", "the longest pause is a minimum of unsigned numbers")                                  \
	PATCH(EXIT_ADMITS_EQUALITY, "exit-admits-equality", "4cbec4c8b9fd", PATCH_FIX, OFF_NOWHERE, NONE,        \
	      "throttle", "nothing dirty under a limit of 0 is not throttled")                                   \
	PATCH(THROTTLE_SMOOTHED_LIMIT, "throttle-smoothed-limit", "47a133339c33", PATCH_FIX, OFF_NOWHERE, NONE,  \
	      "throttle", "reclaim waits for writeback under the limit that falls slowly")                       \
	PATCH(MIN_RATIO_RETURNED, "min-ratio-returned", "3c376dfafbf7", PATCH_FIX,                               \
	      OFF_V4_7_RC1 | 1u << PROFILE_V4_7, NONE, "devices", "a device that goes away gives its min_ratio back")

enum patch {
#define PATCH(name, slug, upstream, kind, off_in, requires, family, title) PATCH_##name,
	PATCH_TABLE(PATCH)
#undef PATCH
	NR_PATCHES,
	PATCH_NONE = NR_PATCHES
};

_Static_assert(NR_PATCHES < 64, "one mask word");

struct patch_info {
	const char *slug;
	const char *upstream;
	enum patch_kind kind;
	unsigned int off_in;       /* bit per enum kernel_profile */
	enum patch requires;       /* PATCH_NONE, or the patch without which this one makes no difference */
	const char *family;
	const char *title;
};

extern const struct patch_info patch_infos[NR_PATCHES];
extern const char *const kernel_profile_names[NR_PROFILES];
extern const char *const fair_mode_names[NR_FAIR_MODES];

/* A kernel under test. */
struct kernel_config {
	unsigned long patches;     /* bit per enum patch */
	enum kernel_profile base;
	enum fair_mode fair;
	enum watermark_era watermarks;
	enum writeback_era writeback;
};

/* The kernel of this run; set before a machine boots and never inside a run. */
extern struct kernel_config kernel;

#define patched(name) ((kernel.patches >> PATCH_##name) & 1)

/* kernel_parse - KERNEL to *config. Returns NULL, or a sentence that says what is wrong (static buffer). */
const char *kernel_parse(struct kernel_config *config, const char *text);

/* kernel_profile - the parts of a profile. */
struct kernel_config kernel_profile(enum kernel_profile profile);

/* kernel_print - the shortest KERNEL that parses to *config; returns buf. */
const char *kernel_print(const struct kernel_config *config, char *buf, unsigned long size);

#define KERNEL_TEXT_BYTES 1024

#endif
