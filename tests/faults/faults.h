/* SPDX-License-Identifier: MIT */
/* Faults on request: memory refused, cuts cancelled.   Layer: tests.
 *
 * The linker puts these in front of the solver's own functions (`--wrap`, tests/meson.build), so
 * that the product has no switches for tests.
 *
 * Threads: any. Other threads may allocate and cut meanwhile; their calls count, too. */
#ifndef FS_TESTS_FAULTS_FAULTS_H
#define FS_TESTS_FAULTS_FAULTS_H

#include <glib.h>

/* The call of fs_memory_new after `n_more` further ones is refused, once, or from then on for ever.
 * A negative number switches it off. */
void fault_memory_after (int n_more, gboolean for_ever);

/* The n-th poll of a search from now (n ≥ 1) and all after it, on any thread, cancel. A negative
 * number switches it off. */
void fault_cancel_after (int n_polls);

#endif
