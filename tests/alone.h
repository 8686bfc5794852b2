/* SPDX-License-Identifier: GPL-2.0 */
/*
 * alone.h - which rules see alone what their test breaks. That is a reason for a rule to be there, whatever the sample of
 * mutants is, and `make mutants` asks for it: with SABOTAGE_ALONE=FILE each test adds the name of its rule to the file, if
 * the run with that rule masked finds nothing.
 */
#ifndef MMFUZZ_TESTS_ALONE_H
#define MMFUZZ_TESTS_ALONE_H

#include "fuzz/verdict.h"

struct invariant *find_invariant(const char *name);

/* The rule is masked, and `again` breaks once more what it has just noticed. Counts only if no other rule is masked. */
void note_if_alone(const char *name, struct verdict (*again)(void));

#endif
