// SPDX-License-Identifier: GPL-2.0
/*
 * news.c - moments with news, and the chance of more (news.h). With k = 0 the chance is that of one event in twice the time
 * without any: never 0, and it halves when the silence doubles.
 */
#include "fuzz/news.h"

void news_add(struct news *news, double now)
{
	news->moments[news->nr++ % NEWS_MAX] = now;
}

double news_age(const struct news *news, double now)
{
	return news->nr ? now - news->moments[(news->nr - 1) % NEWS_MAX] : now;
}

double news_chance(const struct news *news, double now, double seconds)
{
	unsigned long remembered = news->nr < NEWS_MAX ? news->nr : NEWS_MAX;
	double window = now / 2, none;
	unsigned long i, events = 0;

	if (remembered == NEWS_MAX && now - news->moments[news->nr % NEWS_MAX] < window)
		window = now - news->moments[news->nr % NEWS_MAX];
	for (i = 0; i < remembered; i++)
		events += news->moments[i] >= now - window;
	none = window / (window + seconds);
	for (i = 0; i < events; i++)
		none *= window / (window + seconds);
	return 1 - none;
}
