// SPDX-License-Identifier: GPL-2.0
/*
 * host_memory.c - memory from the host, for what is too large or too sparse for an array.
 *
 * Mappings are reserved, not committed: a 1 TiB machine has 16 GiB of descriptors of which a run touches a few
 * thousand. Huge pages would back 32768 descriptors at once, so they are declined. Which pages are backed is read from
 * /proc/self/pagemap; where that is not to be had, all of them may be.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"

#define HOST_PAGE_BYTES 4096UL
#define PAGEMAP_BATCH 512UL
/* Present or swapped out. */
#define PAGEMAP_BACKED (3ULL << 62)

/*
 * Small mappings that were given back, by the power of two of their size: clearing one is cheaper than mapping another,
 * and every boot takes a handful.
 */
#define SPARE_ORDER_MIN 12
#define SPARE_ORDER_MAX 20
#define SPARES_MAX 16

struct spares {
	unsigned int nr;
	void *addresses[SPARES_MAX];
};

static struct spares spares[SPARE_ORDER_MAX - SPARE_ORDER_MIN + 1];

/* The spares of this size, or NULL when it is too large to keep. */
static struct spares *spares_of(unsigned long bytes)
{
	unsigned int order = SPARE_ORDER_MIN;

	while (order <= SPARE_ORDER_MAX && bytes > 1UL << order)
		order++;
	return order <= SPARE_ORDER_MAX ? &spares[order - SPARE_ORDER_MIN] : NULL;
}

static unsigned long mapped_bytes(const struct spares *same_size, unsigned long bytes)
{
	return same_size ? 1UL << (SPARE_ORDER_MIN + (same_size - spares)) : bytes;
}

void *host_map(unsigned long bytes)
{
	struct spares *same_size = spares_of(bytes);
	void *address;

	if (same_size && same_size->nr)
		return memset(same_size->addresses[--same_size->nr], 0, bytes);
	bytes = mapped_bytes(same_size, bytes);
	address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (address == MAP_FAILED)
		host_panic("cannot map %lu bytes: %s", bytes, strerror(errno));
	/* Hosts without huge pages refuse this; they have none to decline. */
	madvise(address, bytes, MADV_NOHUGEPAGE);
	return address;
}

void host_unmap(void *address, unsigned long bytes)
{
	struct spares *same_size = spares_of(bytes);

	if (same_size && same_size->nr < SPARES_MAX)
		same_size->addresses[same_size->nr++] = address;
	else
		munmap(address, mapped_bytes(same_size, bytes));
}

/* The pages of one walk, as the kernel knows them; all backed when it does not say. */
static void read_pagemap(int fd, const char *address, uint64_t *entries, unsigned long nr_pages)
{
	off_t offset = (off_t)((unsigned long)address / HOST_PAGE_BYTES * sizeof(*entries));
	size_t bytes = nr_pages * sizeof(*entries);

	if (fd < 0 || pread(fd, entries, bytes, offset) != (ssize_t)bytes)
		memset(entries, 0xff, bytes);
}

int host_walk_backed(void *address, unsigned long bytes,
		     int (*body)(void *argument, void *start, unsigned long bytes), void *argument)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entries[PAGEMAP_BATCH];
	char *end = (char *)address + bytes;
	char *next = address;
	int stop = 0;

	while (next < end && !stop) {
		unsigned long left = ((unsigned long)(end - next) + HOST_PAGE_BYTES - 1) / HOST_PAGE_BYTES;
		unsigned long nr_pages = left < PAGEMAP_BATCH ? left : PAGEMAP_BATCH;
		unsigned long i;

		read_pagemap(fd, next, entries, nr_pages);
		for (i = 0; i < nr_pages && !stop; i++, next += HOST_PAGE_BYTES) {
			unsigned long here = (unsigned long)(end - next);

			if (entries[i] & PAGEMAP_BACKED)
				stop = body(argument, next, here < HOST_PAGE_BYTES ? here : HOST_PAGE_BYTES);
		}
	}
	if (fd >= 0)
		close(fd);
	return stop;
}
