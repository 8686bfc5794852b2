// SPDX-License-Identifier: GPL-2.0
/* printk.c - the kernel log keeps messages unformatted and formats them as the kernel would (kernel-shim/printk.c). */
#include "tests/support.h"

static char text[200];

static const char *message(unsigned int number)
{
	cr_assert(printk_format(number, text, sizeof(text)), "there is no message %u", number);
	return text;
}

Test(printk, numbers_are_formatted_as_the_kernel_does)
{
	printk("%d %u %ld %lu", (unsigned long)-5, 4000000000, (unsigned long)-5000000000, 18446744073709551615UL);
	cr_expect_str_eq(message(0), "-5 4000000000 -5000000000 18446744073709551615");
	printk("%x %#x %lx %#lx %#x", 0xbeef, 0x24000c0, 0xfeedfacecafeUL, 0x100000000UL, 0);
	cr_expect_str_eq(message(1), "beef 0x24000c0 feedfacecafe 0x100000000 0x0");
	printk("%d %ld", 1UL << 31, 1UL << 63);
	cr_expect_str_eq(message(2), "-2147483648 -9223372036854775808");
}

Test(printk, fields_are_padded_on_the_side_that_was_asked_for)
{
	printk("[%5lu] [%-5u] [%05lx] [%5d] [%#6x] [%05d]", 42, 42, 0x42, (unsigned long)-42, 0x42, (unsigned long)-42);
	cr_expect_str_eq(message(0), "[   42] [42   ] [00042] [  -42] [  0x42] [-0042]");
}

Test(printk, strings_characters_and_percent_signs)
{
	printk("%s|%8s|%-8s|%c|100%%|%s", (unsigned long)"Normal", (unsigned long)"DMA", (unsigned long)"DMA", 'U', 0);
	cr_expect_str_eq(message(0), "Normal|     DMA|DMA     |U|100%|(null)");
	printk("no arguments");
	cr_expect_str_eq(message(1), "no arguments");
}

Test(printk, a_gfp_mask_is_spelled_in_names_with_the_rest_in_hex)
{
	printk("%pGg (%pGg) (%pGg) (%pGg)", 0x24000c0, 0x2080021, 0, 0x24000c0 | 1 << 30);
	cr_expect_str_eq(message(0), "GFP_KERNEL (GFP_ATOMIC|GFP_DMA) () (GFP_KERNEL|0x40000000)");
}

Test(printk, an_unknown_conversion_is_shown_as_it_is_written)
{
	printk("%q and a lone %", 1);
	cr_expect_str_eq(message(0), "%q and a lone ");
}

Test(printk, a_message_that_does_not_fit_is_cut_and_terminated)
{
	char small[8];

	printk("%s", (unsigned long)"watermarks");
	cr_assert(printk_format(0, small, sizeof(small)));
	cr_expect_str_eq(small, "waterma");
}

Test(printk, the_newest_64_messages_are_kept)
{
	unsigned long i;

	for (i = 0; i < 100; i++)
		printk("message %lu", i);
	cr_expect_str_eq(message(0), "message 36");
	cr_expect_str_eq(message(63), "message 99");
	cr_expect_not(printk_format(64, text, sizeof(text)));
}

Test(printk, a_run_begins_with_an_empty_log)
{
	boot_machine("numa2");
	cr_expect_not(printk_format(0, text, sizeof(text)));
	printk("something happened");
	world_restore();
	cr_expect_not(printk_format(0, text, sizeof(text)));
}

static void print_too_much(void *argument)
{
	printk("%d%d%d%d%d%d%d", 1, 2, 3, 4, 5, 6, 7);
}

Test(printk, more_arguments_than_there_is_room_for_are_a_harness_finding)
{
	expect_finding(FINDING_HARNESS, "nr <= PRINTK_ARGS_MAX", print_too_much, NULL);
}
