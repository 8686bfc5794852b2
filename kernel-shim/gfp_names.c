// SPDX-License-Identifier: GPL-2.0
/*
 * gfp_names.c - the names of gfp bits, and a mask as text (specification 27.5). Neither the kernel's headers nor libc:
 * the log of the simulated kernel, the programs and the mutators share it.
 */
#include "gfp_names.h"

const struct gfp_name gfp_names[] = {
	{"GFP_TRANSHUGE", 0x352ca},
	{"GFP_HIGHUSER_MOVABLE", 0x24200ca},
	{"GFP_HIGHUSER", 0x24200c2},
	{"GFP_USER", 0x24200c0},
	{"GFP_TEMPORARY", 0x24000d0},
	{"GFP_KERNEL_ACCOUNT", 0x25000c0},
	{"GFP_KERNEL", 0x24000c0},
	{"GFP_NOFS", 0x2400040},
	{"GFP_ATOMIC", 0x2080020},
	{"GFP_NOIO", 0x2400000},
	{"GFP_NOWAIT", 0x2000000},
	{"GFP_DMA", 0x1},
	{"__GFP_HIGHMEM", 0x2},
	{"GFP_DMA32", 0x4},
	{"__GFP_HIGH", 0x20},
	{"__GFP_ATOMIC", 0x80000},
	{"__GFP_IO", 0x40},
	{"__GFP_FS", 0x80},
	{"__GFP_COLD", 0x100},
	{"__GFP_NOWARN", 0x200},
	{"__GFP_REPEAT", 0x400},
	{"__GFP_NOFAIL", 0x800},
	{"__GFP_NORETRY", 0x1000},
	{"__GFP_COMP", 0x4000},
	{"__GFP_ZERO", 0x8000},
	{"__GFP_NOMEMALLOC", 0x10000},
	{"__GFP_MEMALLOC", 0x2000},
	{"__GFP_HARDWALL", 0x20000},
	{"__GFP_THISNODE", 0x40000},
	{"__GFP_RECLAIMABLE", 0x10},
	{"__GFP_MOVABLE", 0x8},
	{"__GFP_ACCOUNT", 0x100000},
	{"__GFP_NOTRACK", 0x200000},
	{"__GFP_WRITE", 0x1000000},
	{"__GFP_RECLAIM", 0x2400000},
	{"__GFP_DIRECT_RECLAIM", 0x400000},
	{"__GFP_KSWAPD_RECLAIM", 0x2000000},
	{"__GFP_OTHER_NODE", 0x800000},
};

const unsigned int nr_gfp_names = sizeof(gfp_names) / sizeof(gfp_names[0]);

/* What does not fit is dropped; returns the new length, which stays below @size. */
static unsigned long append(char *buf, unsigned long size, unsigned long length, const char *text)
{
	while (*text && length + 1 < size)
		buf[length++] = *text++;
	buf[length] = '\0';
	return length;
}

static unsigned long append_separated(char *buf, unsigned long size, unsigned long length, const char *text)
{
	return append(buf, size, length ? append(buf, size, length, "|") : 0, text);
}

static const char *hex(char digits[11], unsigned int bits)
{
	char *digit = &digits[10];

	*digit = '\0';
	for (; bits; bits >>= 4)
		*--digit = "0123456789abcdef"[bits & 15];
	*--digit = 'x';
	*--digit = '0';
	return digit;
}

const char *gfp_format(char *buf, unsigned long size, unsigned int gfp)
{
	unsigned long length = append(buf, size, 0, "");
	char digits[11];
	unsigned int i;

	for (i = 0; i < nr_gfp_names && gfp; i++) {
		if ((gfp & gfp_names[i].mask) != gfp_names[i].mask)
			continue;
		length = append_separated(buf, size, length, gfp_names[i].name);
		gfp &= ~gfp_names[i].mask;
	}
	if (gfp)
		append_separated(buf, size, length, hex(digits, gfp));
	return buf;
}
