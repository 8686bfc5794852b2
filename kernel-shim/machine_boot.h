/* SPDX-License-Identifier: GPL-2.0 */
/* machine_boot.h - from a configuration to a booted machine, kept for the next program that wants the same one. */
#ifndef MMFUZZ_MACHINE_BOOT_H
#define MMFUZZ_MACHINE_BOOT_H

#include "machine.h"
#include "world.h"

/*
 * machine_boot - boot `config` through mm's own initialisation (specification 8 and 9), in the order of 8.4, then
 * apply its tunables through their handlers. observe (may be NULL) is called last, for what watches the kernel to take
 * its place in the world. Returns NULL when the boot itself ended in a finding.
 */
struct world *machine_boot(const struct machine_config *config, void (*observe)(void));

#endif
