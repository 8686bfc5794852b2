// SPDX-License-Identifier: GPL-2.0
/* news.c - fuzz/news.c: how likely a campaign is to find something new. */
#include <criterion/criterion.h>

#include "fuzz/news.h"

static struct news news;

static void expect_near(double got, double wanted)
{
	cr_expect(got > wanted - 0.0005 && got < wanted + 0.0005, "%f, expected %f", got, wanted);
}

Test(news, without_any_news_the_chance_is_that_of_one_in_the_window)
{
	/* Window 60 s, no event: 1 - 60/120. */
	expect_near(news_chance(&news, 120, 60), 0.5);
	expect_near(news_chance(&news, 1200, 60), 1 - 600.0 / 660);
	expect_near(news_age(&news, 120), 120);
}

Test(news, the_beginning_of_a_campaign_promises_everything)
{
	expect_near(news_chance(&news, 0, 60), 1);
}

Test(news, only_the_last_half_of_the_campaign_counts)
{
	unsigned int i;

	for (i = 0; i < 100; i++)
		news_add(&news, 1);
	expect_near(news_chance(&news, 120, 60), 0.5);
	news_add(&news, 100);
	expect_near(news_chance(&news, 120, 60), 0.75);
	expect_near(news_age(&news, 120), 20);
}

/* One event a second for long: in a minute there is one for sure, in a second with 1 - 1/e. */
Test(news, many_moments_tell_the_rate_although_the_oldest_are_forgotten)
{
	unsigned int i;

	for (i = 1; i <= 4 * NEWS_MAX; i++)
		news_add(&news, i);
	expect_near(news_chance(&news, 4 * NEWS_MAX, 60), 1);
	cr_expect(news_chance(&news, 4 * NEWS_MAX, 1) > 0.63 && news_chance(&news, 4 * NEWS_MAX, 1) < 0.635);
}
