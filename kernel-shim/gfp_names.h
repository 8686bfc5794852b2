/* SPDX-License-Identifier: GPL-2.0 */
/*
 * gfp_names.h - the names of gfp bits and composites: what %pGg of the kernel log prints, and what programs are written
 * with. Plain C, for both worlds.
 */
#ifndef GFP_NAMES_H
#define GFP_NAMES_H

/* Largest first: the order in which %pGg of Linux 4.7 tries them (specification 27.5). */
struct gfp_name {
	const char *name;
	unsigned int mask;
};
extern const struct gfp_name gfp_names[];
extern const unsigned int nr_gfp_names;

/*
 * gfp_format - "GFP_KERNEL|__GFP_WRITE" into buf (of at least one byte, always terminated), bits without a name as 0x...,
 * nothing for no bit; returns buf.
 */
const char *gfp_format(char *buf, unsigned long size, unsigned int gfp);

#endif
