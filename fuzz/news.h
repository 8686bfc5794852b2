/* SPDX-License-Identifier: GPL-2.0 */
/*
 * news.h - when a campaign has found something new, and how likely it is to do so again soon. All times are seconds since
 * the campaign began.
 */
#ifndef MMFUZZ_NEWS_H
#define MMFUZZ_NEWS_H

/* Moments kept; older ones than these are forgotten. */
#define NEWS_MAX 1024

struct news {
	double moments[NEWS_MAX];        /* a ring, newest at (nr - 1) % NEWS_MAX */
	unsigned long nr;                /* ever */
};

void news_add(struct news *news, double now);
/* Seconds since the last moment, or since the beginning. */
double news_age(const struct news *news, double now);

/*
 * news_chance - that the next `seconds` bring something new. The moments of the last half of the campaign (or of as long as
 * all of them are remembered), k in T seconds, are taken for events at one unknown rate, every rate being as likely as any
 * other: 1 - (T / (T + seconds))^(k + 1). News become rarer, so this says too much rather than too little.
 */
double news_chance(const struct news *news, double now, double seconds);

#endif
