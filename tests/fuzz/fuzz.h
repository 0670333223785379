/* SPDX-License-Identifier: MIT */
/* What a fuzz harness is: one input, no state between inputs. libFuzzer calls it for ever; the
 * replay program (replay.c) calls it on a corpus of its own making, as a test. */
#ifndef FS_TESTS_FUZZ_H
#define FS_TESTS_FUZZ_H

#include <gio/gio.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes);

/* The harness's first inputs, each a GByteArray that the array owns. */
GPtrArray *fuzz_corpus (void);

/* A corpus of texts. */
GPtrArray *fuzz_texts (const char *const *texts, guint n);

/* The input as a file in memory that `path` leads to. Returns its descriptor, to be closed. */
int fuzz_file (const uint8_t *bytes, size_t n_bytes, char path[64]);

#endif
