/* SPDX-License-Identifier: MIT */
/* The library's calls in any order and with any arguments: none crashes, wrong ones are refused and
 * change nothing, and results are those of a fresh object and, where that is small, of all masks.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/library/calls.h"

#include <string.h>

static void (*const objects[]) (Input *input) = { fuzz_grid, fuzz_graph, fuzz_expansion,
                                                  fuzz_photo_calls, fuzz_dimacs_text };

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  Input input = { .bytes = bytes, .n_bytes = n_bytes };
  fretsaw_context_options options = FRETSAW_CONTEXT_OPTIONS_INIT;
  fretsaw_error error;
  int kind = take_int (&input, 0, G_N_ELEMENTS (objects) - 1);
  options.n_threads = n_bytes % 8 == 0 ? 3 : 1; /* of small problems most time is that of threads */
  expect (fretsaw_context_new (&options, &input.context, &error), TRUE, &error);
  objects[kind](&input);
  fretsaw_context_free (input.context);
  return 0;
}

/* Several inputs of drawn bytes for each kind of object, and texts. */
GPtrArray *
fuzz_corpus (void)
{
  enum { EACH = 8, MAX_BYTES = 600 };
  static const char *const texts[] = {
    "\004p max 4 5\nn 1 s\nn 4 t\na 1 2 3\na 1 3 2\na 2 3 5\na 2 4 2\na 3 4 3\n",
    "\004p max 6 4\nn 3 s\nn 1 t\na 3 2 2147483647\na 2 3 7\na 2 1 9\na 3 1 1\n",
  };
  GPtrArray *corpus = fuzz_texts (texts, G_N_ELEMENTS (texts));
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  for (guint8 kind = 0; kind < G_N_ELEMENTS (objects) - 1; kind++)
    for (int i = 0; i < EACH; i++) {
      GByteArray *input = g_byte_array_new ();
      g_byte_array_append (input, &kind, 1);
      for (int n = g_rand_int_range (rand, 40, MAX_BYTES); n > 0; n--) {
        guint8 byte = (guint8)g_rand_int_range (rand, 0, 256);
        g_byte_array_append (input, &byte, 1);
      }
      g_ptr_array_add (corpus, input);
    }
  return corpus;
}
