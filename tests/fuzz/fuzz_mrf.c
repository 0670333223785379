/* SPDX-License-Identifier: MIT */
/* .mrf files from anywhere: a problem that can be minimised, or one sentence. */
#include "app/problems/mrf.h"
#include "solver/expansion/expansion.h"
#include "tests/app/photo/photo_child.h"
#include "tests/fuzz/fuzz.h"

#include <unistd.h>

enum { MAX_COSTS = 20000 };

static void
minimise (const FsMrf *mrf)
{
  const FsExpansionOptions options = { .verify = TRUE, .max_cycles = 2 };
  size_t n = fs_label_problem_n_pixels (&mrf->problem);
  g_autofree uint8_t *labels = g_malloc0 (n);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsExpansion) expansion =
      fs_expansion_new (&fs_backend_cpu, &mrf->problem, &options, &error);
  g_assert_no_error (error);
  int64_t before = fs_label_problem_energy (&mrf->problem, labels).total;
  g_auto (FsExpansionResult) result = { 0 };
  g_assert_true (fs_expansion_run (expansion, labels, NULL, &result, &error));
  g_assert_cmpint (result.energy.total, <=, before);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  char path[64];
  const int fd = fuzz_file (bytes, n_bytes, path);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsMrf) mrf = fs_mrf_load (path, &error);
  g_assert_true ((mrf != NULL) == (error == NULL));
  if (error && !photo_message_is_sound (error->message, path))
    g_error ("%s", error->message);
  if (mrf && fs_label_problem_n_pixels (&mrf->problem) * (size_t)mrf->problem.n_labels <= MAX_COSTS)
    minimise (mrf);
  close (fd);
  return 0;
}

GPtrArray *
fuzz_corpus (void)
{
  static const char *const texts[] = {
    "fretsaw-mrf 1\ngrid 3 2 4\nlabels 2\ndata planes\nsmoothness potts 7\nplanes text\nend\n"
    "0 5 9 1 1 1 4 4 0 2 2 0\n",
    "fretsaw-mrf 1\ngrid 2 2 8\nlabels 3\ndata planes\nsmoothness table\nweights planes\npresent\n"
    "start cheapest\norder shuffled 3\nplanes text\nend\n"
    "9 0 0 9 1 2 3 4 5 6 7 8  0 1 9 1 0 1 9 1 0  1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4  1 1 0 1",
    "fretsaw-mrf 1\ngrid 4 1 4\nlabels 2\ndata planes\nsmoothness linear 60000 3\nplanes binary\n"
    "end\n................................",
    "fretsaw-mrf 1\n# a comment\ngrid 9 9 8\nlabels 4\n"
    "data stereo \"the left.png\" right.png squared 768\nsmoothness square 5 9\n"
    "weights cue left.png 192 2\nend\n",
    "fretsaw-mrf 1\ngrid 9 9 4\nlabels 256\ndata restoration in.png mask.png\n"
    "smoothness square 25 200\nend\n",
    "fretsaw-mrf 1\ngrid 9 9 4\nlabels 2\ndata montage 100000 a.png b.png\nsmoothness "
    "montage\nend\n",
  };
  return fuzz_texts (texts, G_N_ELEMENTS (texts));
}
