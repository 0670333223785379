/* SPDX-License-Identifier: MIT */
/* .mrf files: costs as their formulas say, whatever is doubtful refused, and the whole job. */
#include "app/export/export.h"
#include "app/problems/mrf_job.h"
#include "energy/labels/labels_costs.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/photo/photo_child.h"

#include <jansson.h>
#include <locale.h>
#include <string.h>

static char *folder;

#define HEAD "fretsaw-mrf 1\ngrid 3 2 4\nlabels 2\n"
#define COSTS                                                                                      \
  "0 5 9 1 1 1\n"                                                                                  \
  "4 4 0 2 2 0\n"

static char *
write_problem (const char *text, gssize n_bytes)
{
  return made_file (folder, "problem.mrf", text, n_bytes < 0 ? strlen (text) : (gsize)n_bytes);
}

static FsMrf *
load (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = write_problem (text, -1);
  FsMrf *mrf = fs_mrf_load (path, &error);
  g_assert_no_error (error);
  return mrf;
}

static void
assert_refused (const char *text, gssize n_bytes, const char *has)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = write_problem (text, n_bytes);
  g_assert_null (fs_mrf_load (path, &error));
  g_test_message ("%s", error->message);
  g_assert_true (photo_message_is_sound (error->message, path));
  g_assert_nonnull (strstr (error->message, has));
}

static void
assert_plain (const FsMrf *mrf)
{
  static const int32_t data[] = { 0, 5, 9, 1, 1, 1, 4, 4, 0, 2, 2, 0 };
  static const int32_t table[] = { 0, 7, 7, 0 };
  const FsLabelProblem *problem = &mrf->problem;
  g_assert_cmpint (problem->width, ==, 3);
  g_assert_cmpint (problem->height, ==, 2);
  g_assert_cmpint (problem->n_labels, ==, 2);
  g_assert_cmpmem (problem->data, sizeof data, data, sizeof data);
  g_assert_cmpmem (problem->table, sizeof table, table, sizeof table);
}

static void
test_text (void)
{
  g_autoptr (FsMrf) mrf =
      load (HEAD "data planes # D\nsmoothness potts 7\nplanes text\nend\n" COSTS);
  assert_plain (mrf);
  g_assert_cmpint (mrf->problem.neighbours, ==, 4);
  g_assert_null (mrf->problem.weight[0]);
  g_assert_cmpint (mrf->header.start, ==, FS_MRF_START_ZERO);
  g_autoptr (FsMrf) more = load ("fretsaw-mrf 1\ngrid 3 2 8\nlabels 2\n\n# nothing\ndata planes\n"
                                 "smoothness table\nweights planes\npresent\nstart cheapest\n"
                                 "order shuffled 9\nplanes text\nend\n" COSTS "0 7 7 0\n"
                                 "1 2 3 4 5 6\n6 5 4 3 2 1\n9 9 9 9 9 9\n0 0 0 0 0 65535\n"
                                 "1 1 0 1 1 1");
  assert_plain (more);
  g_assert_cmpint (more->problem.weight[0][5], ==, 6);
  g_assert_cmpint (more->problem.weight[1][0], ==, 6);
  g_assert_cmpint (more->problem.weight[3][5], ==, 65535);
  g_assert_cmpint (more->problem.present[2], ==, 0);
  g_assert_cmpint (more->header.start, ==, FS_MRF_START_CHEAPEST);
  g_assert_cmpuint (more->header.shuffle, ==, 9);
  g_autoptr (FsMrf) coarse =
      load (HEAD "data planes\nsmoothness potts 7\nstart coarse\nplanes text\nend\n" COSTS);
  g_assert_cmpint (coarse->header.start, ==, FS_MRF_START_COARSE);
  g_autoptr (FsMrf) chains =
      load (HEAD "data planes\nsmoothness potts 7\nstart chains\nplanes text\nend\n" COSTS);
  g_assert_cmpint (chains->header.start, ==, FS_MRF_START_DUAL);
}

static GByteArray *
make_binary (int32_t first_cost)
{
  static const char header[] = HEAD "data planes\nsmoothness table\nplanes binary\nend\n";
  const int32_t numbers[] = { first_cost, 5, 9, 1, 1, 1, 4, 4, 0, 2, 2, 0, 0, 7, 7, 0 };
  GByteArray *bytes = g_byte_array_new ();
  g_byte_array_append (bytes, (const guint8 *)header, sizeof header - 1);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    guint32 little = GUINT32_TO_LE ((guint32)numbers[i]);
    g_byte_array_append (bytes, (const guint8 *)&little, sizeof little);
  }
  return bytes;
}

static void
test_binary (void)
{
  g_autoptr (GByteArray) good = make_binary (0), bad = make_binary (-1);
  g_autofree char *path = write_problem ((const char *)good->data, good->len);
  g_autoptr (FsMrf) mrf = fs_mrf_load (path, NULL);
  g_assert_nonnull (mrf);
  assert_plain (mrf);
  assert_refused ((const char *)good->data, good->len - 1, "ends within the smoothness costs");
  assert_refused ((const char *)bad->data, bad->len, "number 1 of the data costs");
  g_byte_array_append (good, (const guint8 *)"\n", 1);
  assert_refused ((const char *)good->data, good->len, "1 bytes too many");
}

static void
test_refused (void)
{
  static const struct {
    const char *text, *has;
  } cases[] = {
    { "P5 3 2 255\n", "line 1: is not “fretsaw-mrf 1”" },
    { "fretsaw-mrf 1\n", "line 1: the header does not come to its “end”" },
    { HEAD "end\n", "ends without “data”" },
    { HEAD "grid 3 2 4\nend\n", "line 4: a second “grid”" },
    { "fretsaw-mrf 1\ngrid 3 2 6\nend\n", "line 2: “grid” takes one of: 4, 8" },
    { "fretsaw-mrf 1\ngrid 3 0 4\nend\n", "“0” is not a whole number from 1 to 65500" },
    { "fretsaw-mrf 1\nlabels 257\nend\n", "from 1 to 256" },
    { "fretsaw-mrf 1\nlabels 2x\nend\n", "“2x”" },
    { HEAD "noise 1\nend\n", "line 4: “noise” is no keyword" },
    { HEAD "data \"a b\nend\n", "line 4: a quote is not closed" },
    { HEAD "data stereo a.png b.png cubic 3\nend\n", "absolute, squared" },
    { HEAD "data restoration\nend\n", "“data” with 1 words" },
    { HEAD "data montage 5 a.png\nsmoothness montage\nend\n", "2 labels, but 1 images" },
    { HEAD "data planes\nsmoothness montage\nplanes text\nend\n" COSTS, "needs “data montage”" },
    { HEAD "data planes\nsmoothness potts 7\nend\n" COSTS, "is missing" },
    { HEAD "data restoration a.png\nsmoothness potts 7\nplanes text\nend\n", "nothing is given" },
    { HEAD "data planes\nsmoothness square 10000000\nplanes text\nend\n0 0 0", "ends within" },
    { HEAD "data planes\nsmoothness potts 7\nplanes text\nend\n1 2 3 4 5 6 7 8 9 10 11 x",
      "number 12 of the data costs" },
    { HEAD "data planes\nsmoothness potts 7\nplanes text\nend\n100000001 2 3 4 5 6 7 8 9 1 1 1",
      "number 1 of the data costs is not one from 0 to 100000000" },
    { HEAD "data planes\nsmoothness potts 7\nplanes text\nend\n" COSTS "9", "1 bytes too many" },
    { HEAD "data planes\nsmoothness potts 7\npresent\nplanes text\nend\n" COSTS "1 1 1 1 1 2",
      "number 6 of the marks" },
    { HEAD "data planes\nsmoothness potts 7\nweights cue none.png 5 2\nplanes text\nend\n" COSTS,
      "none.png: cannot be opened" },
    { "fretsaw-mrf 1\ngrid 60000 60000 4\nlabels 256\ndata planes\nsmoothness potts 1\n"
      "planes binary\nend\n",
      "60000 × 60000 pixels" },
    { "fretsaw-mrf 1\ngrid 9000 9000 4\nlabels 6\ndata planes\nsmoothness potts 1\n"
      "planes binary\nend\n",
      "ends within the data costs" },
    { HEAD "data planes\nsmoothness potts 7\norder shuffled 0\nplanes text\nend\n" COSTS, "“0”" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_refused (cases[i].text, -1, cases[i].has);
}

/* --- Costs from images -------------------------------------------------------------------------
 */

enum { W = 12, H = 7 };

static FsImage *
write_image (GRand *rand, const char *name, int max)
{
  FsImage *image = fs_image_new (W, H);
  for (int p = 0; p < W * H; p++)
    image->pixels[p] = FS_PIXEL (255, (uint32_t)g_rand_int_range (rand, 0, max),
                                 (uint32_t)g_rand_int_range (rand, 0, max),
                                 (uint32_t)g_rand_int_range (rand, 0, max));
  uint8_t all[W * H];
  memset (all, 1, sizeof all);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  const FsExport export = { .image = image, .mask = all, .kind = FS_EXPORT_CUTOUT };
  g_assert_true (fs_export_write (&export, path, NULL, NULL, NULL, NULL));
  return image;
}

static int
value (const FsImage *image, int x, int y, int c)
{
  return (int)(image->pixels[y * W + CLAMP (x, 0, W - 1)] >> 8 * c & 255);
}

/* The least distance from v to the span of another pixel, straight from the definition. */
static int
to_span (int v, const FsImage *image, int x, int y, int c)
{
  int here = value (image, x, y, c);
  int ends[3] = { here, x > 0 ? (here + value (image, x - 1, y, c)) / 2 : here,
                  x < W - 1 ? (here + value (image, x + 1, y, c)) / 2 : here };
  int low = MIN (ends[0], MIN (ends[1], ends[2])), high = MAX (ends[0], MAX (ends[1], ends[2]));
  return v < low ? low - v : v > high ? v - high : 0;
}

static void
test_stereo (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (81);
  g_autoptr (FsImage) left = write_image (rand, "left one.png", 256);
  g_autoptr (FsImage) right = write_image (rand, "right.png", 256);
  g_autoptr (FsMrf) mrf =
      load ("fretsaw-mrf 1\ngrid 12 7 4\nlabels 4\n"
            "data stereo \"left one.png\" right.png squared 9000\n"
            "smoothness linear 20 2\nweights cue \"left one.png\" 20000 3\nend\n");
  for (int label = 0; label < 4; label++)
    for (int p = 0; p < W * H; p++) {
      int x = p % W, y = p / W, sum = 0;
      for (int c = 0; c < 3; c++) {
        int d = MIN (to_span (value (left, x, y, c), right, x - label, y, c),
                     to_span (value (right, x - label, y, c), left, x, y, c));
        sum += d * d;
      }
      g_assert_cmpint (mrf->data[label * W * H + p], ==, x < label ? 9000 : MIN (sum, 9000));
    }
  for (int p = 0; p < W * H; p++) {
    int sum = 0;
    for (int c = 0; c < 3; c++) {
      int d = value (left, p % W, p / W, c) - value (left, p % W + 1, p / W, c);
      sum += d * d;
    }
    g_assert_cmpint (mrf->weight[0][p], ==, p % W == W - 1 ? 0 : sum < 20000 ? 3 : 1);
  }
  g_assert_cmpint (mrf->table[3], ==, 40);
}

static void
test_restoration (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (82);
  g_autoptr (FsImage) image = write_image (rand, "image.png", 256);
  g_autoptr (FsImage) mask = write_image (rand, "mask.png", 2);
  g_autoptr (FsMrf) mrf =
      load ("fretsaw-mrf 1\ngrid 12 7 8\nlabels 200\n"
            "data restoration image.png mask.png\nsmoothness square 25 200\nend\n");
  for (int label = 0; label < 200; label++)
    for (int p = 0; p < W * H; p++) {
      int d = value (image, p % W, p / W, 0) - label;
      int expected = value (mask, p % W, p / W, 0) != 0 ? d * d : 0;
      g_assert_cmpint (mrf->data[label * W * H + p], ==, expected);
    }
  g_assert_cmpint (mrf->table[14], ==, 25 * 196);
  g_assert_cmpint (mrf->table[15], ==, 25 * 200);
}

static void
test_montage (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (83);
  g_autoptr (FsImage) first = write_image (rand, "first.png", 2);
  g_autoptr (FsImage) second = write_image (rand, "second.png", 3);
  g_autoptr (FsMrf) mrf =
      load ("fretsaw-mrf 1\ngrid 12 7 4\nlabels 2\n"
            "data montage 5000 first.png second.png\nsmoothness montage\nend\n");
  for (int p = 0; p + 1 < W * H; p++) {
    gboolean here[2] = { (first->pixels[p] & 0xffffff) == 0, (second->pixels[p] & 0xffffff) == 0 };
    gboolean next[2] = { (first->pixels[p + 1] & 0xffffff) == 0,
                         (second->pixels[p + 1] & 0xffffff) == 0 };
    g_assert_cmpint (mrf->data[p], ==, here[0] && !here[1] ? 5000 : 0);
    if (p % W == W - 1)
      continue;
    int32_t cost = fs_label_problem_pair (&mrf->problem, (size_t)p, FS_DIRECTION_E, 0, 1);
    g_assert_cmpint (fs_label_problem_pair (&mrf->problem, (size_t)p, FS_DIRECTION_E, 1, 1), ==, 0);
    if ((here[0] && here[1]) || (next[0] && next[1]) || (here[0] && next[1]))
      g_assert_cmpint (cost, ==, 0);
    else if (here[0] || here[1] || next[0] || next[1])
      g_assert_cmpint (cost, ==, 5000);
    else
      g_assert_cmpint (cost, <=, 7);
  }
  assert_refused ("fretsaw-mrf 1\ngrid 13 7 4\nlabels 2\ndata montage 5000 first.png second.png\n"
                  "smoothness montage\nend\n",
                  -1, "first.png is 12 × 7 pixels, but the grid is 13 × 7");
}

/* --- The job ---------------------------------------------------------------------------------- */

static void
test_job (void)
{
  g_autofree char *path =
      write_problem (HEAD "data planes\nsmoothness potts 2\nplanes text\nend\n" COSTS, -1);
  g_autofree char *out = g_build_filename (folder, "labels.png", NULL);
  g_autofree char *report = g_build_filename (folder, "report.json", NULL);
  FsMrfJob job = {
    .problem = path, .out = out, .report = report, .scale = 100, .options = { .verify = TRUE }
  };
  g_auto (FsMrfResult) result = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_mrf_job_run (&job, &result, &error));
  g_assert_no_error (error);
  /* 0 1 1 over 0 1 1 costs 0 + 4 + 0 + 1 + 2 + 0 and two borders of 2. */
  g_assert_cmpint (result.expansion.energy.total, ==, 11);
  g_assert_null (result.warning);
  g_autofree uint8_t *labels = fs_seeds_load (out, 3, 2, NULL, NULL);
  g_assert_nonnull (labels);
  g_assert_cmpint (labels[0], ==, 0);
  g_assert_cmpint (labels[2], ==, 100);
  json_t *json = json_load_file (report, 0, NULL);
  g_assert_cmpint (json_integer_value (json_object_get (json, "energy")), ==, 11);
  g_assert_true (json_is_true (json_object_get (json, "converged")));
  g_assert_null (json_object_get (json, "truncated"));
  json_decref (json);
}

static void
test_job_refused (void)
{
  g_autofree char *path =
      write_problem (HEAD "data planes\nsmoothness potts 2\nplanes text\nend\n" COSTS, -1);
  g_autofree char *out = g_build_filename (folder, "not written.png", NULL);
  FsMrfJob job = { .problem = path, .out = out, .scale = 256 };
  g_auto (FsMrfResult) result = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_false (fs_mrf_job_run (&job, &result, &error));
  g_assert_true (photo_message_is_sound (error->message, path));
  g_assert_false (g_file_test (out, G_FILE_TEST_EXISTS));
}

/* What is no metric is named, in a sentence and in the report. */
static void
test_job_warning (void)
{
  g_autofree char *path = write_problem (
      "fretsaw-mrf 1\ngrid 2 1 4\nlabels 3\ndata planes\nsmoothness table\nplanes text\nend\n"
      "0 500 200 200 500 0   0 1 90 1 0 1 90 1 0",
      -1);
  FsMrfJob job = { .problem = path, .scale = 1, .options = { .max_cycles = 2 } };
  g_auto (FsMrfResult) result = { 0 };
  g_assert_true (fs_mrf_job_run (&job, &result, NULL));
  g_assert_nonnull (result.warning);
  g_assert_true (photo_message_is_sound (result.warning, path));
  g_assert_nonnull (strstr (result.warning, "between (0, 0) and (1, 0)"));
  g_autofree char *json = fs_mrf_result_to_json (&result);
  g_assert_nonnull (strstr (json, "\"truncated\""));
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  folder = made_folder ();
  g_test_add_func ("/app/mrf/text", test_text);
  g_test_add_func ("/app/mrf/binary", test_binary);
  g_test_add_func ("/app/mrf/refused", test_refused);
  g_test_add_func ("/app/mrf/stereo", test_stereo);
  g_test_add_func ("/app/mrf/restoration", test_restoration);
  g_test_add_func ("/app/mrf/montage", test_montage);
  g_test_add_func ("/app/mrf/job", test_job);
  g_test_add_func ("/app/mrf/job-refused", test_job_refused);
  g_test_add_func ("/app/mrf/job-warning", test_job_warning);
  int failed = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  return failed;
}
