/* SPDX-License-Identifier: MIT */
/* Runs a harness without libFuzzer.
 *
 * `--tap`: on the harness's own corpus and on seeded mutations of it, as tests.
 * `--write FOLDER`: writes the corpus, for libFuzzer to start from.
 * FILE…: on these inputs, to see a finding again. */
#include "tests/app/photo/made_files.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

#define N_MUTATIONS 40

/* A copy of exactly the input's size, so that a sanitizer sees a read beyond it. */
static void
run (const guint8 *bytes, gsize n_bytes)
{
  g_autofree guint8 *copy = g_malloc (MAX (n_bytes, 1));
  memcpy (copy, bytes, n_bytes);
  LLVMFuzzerTestOneInput (copy, n_bytes);
}

static void
test_corpus (void)
{
  g_autoptr (GPtrArray) corpus = fuzz_corpus ();
  g_assert_cmpuint (corpus->len, >, 0);
  run ((const guint8 *)"", 0);
  for (guint i = 0; i < corpus->len; i++) {
    const GByteArray *input = corpus->pdata[i];
    run (input->data, input->len);
  }
}

static void
mutate (GByteArray *input, GRand *random)
{
  static const guint8 telling[] = { 0, 1, 0x7f, 0x80, 0xd8, 0xd9, 0xda, 0xfe, 0xff };
  for (int n = g_rand_int_range (random, 1, 9); n > 0; n--) {
    const guint at = (guint)g_rand_int_range (random, 0, (gint32)input->len);
    switch (g_rand_int_range (random, 0, 4)) {
    case 0:
      input->data[at] ^= (guint8)(1 << g_rand_int_range (random, 0, 8));
      break;
    case 1:
      input->data[at] = telling[g_rand_int_range (random, 0, G_N_ELEMENTS (telling))];
      break;
    case 2:
      g_byte_array_set_size (input, MAX (at, 1));
      break;
    default: {
      const guint from = (guint)g_rand_int_range (random, 0, (gint32)input->len);
      memmove (input->data + at, input->data + from, input->len - MAX (at, from));
    }
    }
  }
}

static void
test_mutations (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autoptr (GPtrArray) corpus = fuzz_corpus ();
  for (guint i = 0; i < corpus->len; i++)
    for (int k = 0; k < N_MUTATIONS; k++) {
      const GByteArray *input = corpus->pdata[i];
      g_autoptr (GByteArray) mutant = g_byte_array_new ();
      g_byte_array_append (mutant, input->data, input->len);
      mutate (mutant, random);
      run (mutant->data, mutant->len);
    }
}

static void
write_corpus (const char *folder)
{
  g_autoptr (GPtrArray) corpus = fuzz_corpus ();
  for (guint i = 0; i < corpus->len; i++) {
    const GByteArray *input = corpus->pdata[i];
    g_autofree char *name = g_strdup_printf ("made-%02u", i);
    g_free (made_file (folder, name, input->data, input->len));
  }
}

static int
replay (const char *path)
{
  g_autofree char *bytes = NULL;
  gsize n_bytes;
  g_autoptr (GError) error = NULL;
  if (!g_file_get_contents (path, &bytes, &n_bytes, &error)) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  run ((const guint8 *)bytes, n_bytes);
  return 0;
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], "--write") == 0) {
    write_corpus (argv[2]);
    return 0;
  }
  if (argc > 1 && argv[1][0] != '-') {
    int failed = 0;
    for (int i = 1; i < argc; i++)
      failed |= replay (argv[i]);
    return failed;
  }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/replay/corpus", test_corpus);
  g_test_add_func ("/replay/mutations", test_mutations);
  return g_test_run ();
}
