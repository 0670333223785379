/* SPDX-License-Identifier: MIT */
/* The sample photo is what its program renders, its strokes fit its truth, and few of them, or its
 * guess, are enough to cut it out. */
#include "app/cut/cut_job.h"
#include "app/photo/photo.h"
#include "app/replay/replay.h"
#include "render.h"

#include <glib/gstdio.h>

#define N_PIXELS ((size_t)SAMPLE_WIDTH * SAMPLE_HEIGHT)
#define SIDE     18

static char *
sample_file (const char *name)
{
  return g_build_filename (g_getenv ("FRETSAW_SOURCE"), "data", "sample", name, NULL);
}

static uint8_t *
load_map (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = sample_file (name);
  uint8_t *map = fs_seeds_load (path, SAMPLE_WIDTH, SAMPLE_HEIGHT, NULL, &error);
  g_assert_no_error (error);
  return map;
}

static FsPhoto *
load_photo (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = sample_file ("sample.jpg");
  FsPhoto *photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (photo->warning);
  g_assert_cmpint (photo->image->width, ==, SAMPLE_WIDTH);
  g_assert_cmpint (photo->image->height, ==, SAMPLE_HEIGHT);
  return photo;
}

/* The mean difference, in levels, of a rendered square and the photo at (x, y). */
static double
difference (const uint8_t *rgb, const FsImage *photo, int x, int y)
{
  int64_t sum = 0;
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++) {
      uint32_t pixel = photo->pixels[(size_t)(y + j) * SAMPLE_WIDTH + (size_t)(x + i)];
      const uint8_t *at = rgb + 3 * (j * SIDE + i);
      sum += ABS (at[0] - FS_PIXEL_R (pixel)) + ABS (at[1] - FS_PIXEL_G (pixel))
             + ABS (at[2] - FS_PIXEL_B (pixel));
    }
  return (double)sum / (3 * SIDE * SIDE);
}

/* Squares on the eye, the wing, the tail before the pot, a toe, the garden and the table. What JPEG
 * loses of the noise is a few levels; another place in the photo is much further off. */
static void
test_rendered_again (void)
{
  static const int places[][2] = { { 520, 245 }, { 800, 400 }, { 1180, 680 },
                                   { 690, 910 }, { 960, 150 }, { 300, 1000 } };
  g_autoptr (FsPhoto) photo = load_photo ();
  g_autofree uint8_t *truth = load_map ("truth.png");
  for (guint p = 0; p < G_N_ELEMENTS (places); p++) {
    int x = places[p][0], y = places[p][1], n_wrong = 0;
    uint8_t rgb[3 * SIDE * SIDE], covered[SIDE * SIDE];
    render_rectangle (x, y, SIDE, SIDE, rgb, covered);
    for (int i = 0; i < SIDE * SIDE; i++)
      n_wrong +=
          covered[i] != truth[(size_t)(y + i / SIDE) * SAMPLE_WIDTH + (size_t)(x + i % SIDE)];
    g_test_message ("(%d, %d): %.2f levels, %d pixels of the truth", x, y,
                    difference (rgb, photo->image, x, y), n_wrong);
    g_assert_cmpint (n_wrong, <=, 2);
    g_assert_cmpfloat (difference (rgb, photo->image, x, y), <, 8);
    const int *elsewhere = places[(p + 1) % G_N_ELEMENTS (places)];
    g_assert_cmpfloat (difference (rgb, photo->image, elsewhere[0], elsewhere[1]), >, 12);
  }
}

static void
test_strokes (void)
{
  g_autofree uint8_t *seeds = load_map ("seeds.png");
  g_autofree uint8_t *drawn = g_malloc0 (N_PIXELS);
  draw_strokes (drawn);
  g_assert_cmpmem (drawn, N_PIXELS, seeds, N_PIXELS);
}

static void
test_strokes_fit_the_truth (void)
{
  g_autofree uint8_t *seeds = load_map ("seeds.png");
  g_autofree uint8_t *truth = load_map ("truth.png");
  size_t n[3] = { 0 }, n_object = 0;
  for (size_t i = 0; i < N_PIXELS; i++) {
    g_assert_cmpint (seeds[i], <=, 2);
    g_assert_true (truth[i] == 0 || truth[i] == 255);
    g_assert_true (seeds[i] == 0 || (seeds[i] == 2) == (truth[i] == 255));
    n[seeds[i]]++;
    n_object += truth[i] == 255;
  }
  /* Strokes, not a trimap: some of each, and most pixels free. */
  g_assert_cmpuint (n[1], >, N_PIXELS / 200);
  g_assert_cmpuint (n[2], >, N_PIXELS / 200);
  g_assert_cmpuint (n[0], >, N_PIXELS / 10 * 9);
  g_assert_cmpuint (n_object, >, N_PIXELS / 10);
}

/* ---- What it takes to cut it out ---- */

static char *
session_file (const char *name)
{
  return g_build_filename (g_getenv ("FRETSAW_SOURCE"), "data", "sessions", name, NULL);
}

/* Intersection over union of the mask in a file with the truth. The file goes. */
static double
measure (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree uint8_t *truth = load_map ("truth.png");
  g_autofree uint8_t *mask = fs_seeds_load (path, SAMPLE_WIDTH, SAMPLE_HEIGHT, NULL, &error);
  g_assert_no_error (error);
  size_t both = 0, either = 0;
  for (size_t i = 0; i < N_PIXELS; i++) {
    both += mask[i] && truth[i];
    either += mask[i] || truth[i];
  }
  g_assert_cmpint (g_remove (path), ==, 0);
  g_test_message ("IoU %.4f", (double)both / (double)either);
  return (double)both / (double)either;
}

static char *
new_mask_name (void)
{
  g_autoptr (GError) error = NULL;
  char *name = NULL;
  const int fd = g_file_open_tmp ("fretsaw-XXXXXX.png", &name, &error);
  g_assert_no_error (error);
  g_close (fd, NULL);
  return name;
}

/* Plays a session of at most `n_most` strokes. */
static double
replay (const char *name, guint n_most)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *session = session_file (name);
  g_autofree char *mask = new_mask_name ();
  const FsReplayJob job = { .session = session, .mask = mask, .at_once = TRUE };
  FsReplayResult result;
  fs_replay_run (&job, &result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (result.n_strokes, <=, n_most);
  fs_replay_result_clear (&result);
  return measure (mask);
}

static void
test_few_strokes (void)
{
  g_assert_cmpfloat (replay ("sample-few.fretsaw", 6), >, 0.96);
}

/* Nothing is painted: the photo's contrast and the guess. */
static void
test_guess (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *photo = sample_file ("sample.jpg");
  g_autofree char *guess = sample_file ("guess.png");
  g_autofree char *mask = new_mask_name ();
  const FsCutJob job = {
    .photo = photo, .guess = guess, .mask = mask, .settings = FS_SETTINGS_DEFAULT
  };
  FsCutResult result;
  fs_cut_job_run (&job, &result, &error);
  g_assert_no_error (error);
  fs_cut_result_clear (&result);
  g_assert_cmpfloat (measure (mask), >, 0.955);
}

/* A guess, which counts as one of them, and two strokes over what it misses. */
static void
test_guess_and_strokes (void)
{
  g_assert_cmpfloat (replay ("sample-guess.fretsaw", 3), >, 0.97);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sample/rendered-again", test_rendered_again);
  g_test_add_func ("/sample/strokes", test_strokes);
  g_test_add_func ("/sample/strokes-fit-the-truth", test_strokes_fit_the_truth);
  g_test_add_func ("/sample/few-strokes", test_few_strokes);
  g_test_add_func ("/sample/guess", test_guess);
  g_test_add_func ("/sample/guess-and-strokes", test_guess_and_strokes);
  return g_test_run ();
}
