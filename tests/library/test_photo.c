/* SPDX-License-Identifier: MIT */
/* Photos through fretsaw.h: the results of the job of `fretsaw cut`, to the bit. */
#include "app/cut/cut_job.h"
#include "app/photo/photo.h"
#include "library/fretsaw.h"

#include <glib/gstdio.h>
#include <math.h>
#include <png.h>
#include <string.h>

static char *folder;

static char *
in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
ok (fretsaw_status status, const fretsaw_error *error)
{
  if (status)
    g_error ("status %d: %s", (int)status, error->text);
}

static char *
write_png (const char *name, png_uint_32 format, int width, int height, const uint8_t *bytes)
{
  char *path = in_folder (name);
  png_image png = { .version = PNG_IMAGE_VERSION,
                    .width = (png_uint_32)width,
                    .height = (png_uint_32)height,
                    .format = format };
  g_assert_true (png_image_write_to_file (&png, path, 0, bytes, 0, NULL));
  return path;
}

static uint8_t *
read_png (const char *path, png_uint_32 format)
{
  png_image png = { .version = PNG_IMAGE_VERSION };
  g_assert_true (png_image_begin_read_from_file (&png, path));
  png.format = format;
  uint8_t *bytes = g_malloc (PNG_IMAGE_SIZE (png));
  g_assert_true (png_image_finish_read (&png, NULL, bytes, 0, NULL));
  return bytes;
}

/* --- a scene --- */

typedef struct {
  int width, height;
  uint8_t *rgb, *labels;
  uint8_t *guess; /* half as wide and high, or NULL */
} Scene;

static void
scene_clear (Scene *scene)
{
  g_free (scene->rgb);
  g_free (scene->labels);
  g_free (scene->guess);
}

/* The disc that a pixel is in, from 1; 0 for none. */
static int
find_disc (const Scene *scene, int x, int y, int n)
{
  int radius = scene->height / 4;
  for (int i = 0; i < n; i++) {
    int dx = x - scene->width * (2 * i + 1) / (2 * n), dy = y - scene->height / 2;
    if (dx * dx + dy * dy < radius * radius)
      return i + 1;
  }
  return 0;
}

/* Noisy discs on noise; a stroke across each disc and one of background. */
static Scene
make_scene (GRand *rand, int width, int height, int n_objects, gboolean has_guess)
{
  static const uint8_t colours[4][3] = {
    { 60, 90, 130 }, { 200, 120, 60 }, { 90, 160, 60 }, { 170, 60, 140 }
  };
  Scene scene = { width, height, g_malloc ((gsize)(3 * width * height)),
                  g_malloc0 ((gsize)(width * height)), NULL };
  int noise = g_rand_int_range (rand, 20, 60);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int disc = find_disc (&scene, x, y, n_objects), p = y * width + x;
      for (int c = 0; c < 3; c++)
        scene.rgb[3 * p + c] =
            (uint8_t)CLAMP (colours[disc][c] + g_rand_int_range (rand, -noise, noise), 0, 255);
      if (y == height / 2 && disc > 0 && x % (width / n_objects) > width / n_objects / 3)
        scene.labels[p] = (uint8_t)(disc + 1);
      else if (y == 2 || (n_objects > 1 && y == height - 3))
        scene.labels[p] = 1;
    }
  int guess_width = width / 2, guess_height = height / 2;
  scene.guess = has_guess ? g_malloc ((gsize)(guess_width * guess_height)) : NULL;
  for (int i = 0; has_guess && i < guess_width * guess_height; i++)
    scene.guess[i] =
        find_disc (&scene, i % guess_width * 2, i / guess_width * 2, n_objects) ? 220 : 30;
  return scene;
}

static fretsaw_image
describe (const Scene *scene)
{
  fretsaw_image image = FRETSAW_IMAGE_INIT;
  image.width = scene->width;
  image.height = scene->height;
  image.pixels = scene->rgb;
  return image;
}

static fretsaw_guess
describe_guess (const Scene *scene)
{
  fretsaw_guess guess = FRETSAW_GUESS_INIT;
  guess.width = scene->width / 2;
  guess.height = scene->height / 2;
  guess.probability = scene->guess;
  return guess;
}

/* --- the program --- */

typedef struct {
  uint8_t *labels, *cutout, *alpha;
  FsCutResult result;
} Expected;

static void
expected_clear (Expected *expected)
{
  g_free (expected->labels);
  g_free (expected->cutout);
  g_free (expected->alpha);
  fs_cut_result_clear (&expected->result);
}

static Expected
run_program (const Scene *scene, FsSettings settings, int n_iterations, FsEdgeSettings edge)
{
  g_autofree char *photo =
      write_png ("photo.png", PNG_FORMAT_RGB, scene->width, scene->height, scene->rgb);
  g_autofree char *seeds =
      write_png ("seeds.png", PNG_FORMAT_GRAY, scene->width, scene->height, scene->labels);
  g_autofree char *guess = scene->guess ? write_png ("guess.png", PNG_FORMAT_GRAY, scene->width / 2,
                                                     scene->height / 2, scene->guess)
                                        : NULL;
  g_autofree char *labels = in_folder ("labels.png"), *cutout = in_folder ("cutout.png"),
                  *alpha = in_folder ("alpha.png");
  const FsCutJob job = { .photo = photo,
                         .seeds = seeds,
                         .guess = guess,
                         .labels = labels,
                         .cutout = cutout,
                         .alpha = alpha,
                         .edge = edge,
                         .n_iterations = n_iterations,
                         .settings = settings };
  Expected expected = { 0 };
  g_autoptr (GError) error = NULL;
  fs_cut_job_run (&job, &expected.result, &error);
  g_assert_no_error (error);
  expected.labels = fs_seeds_load (labels, scene->width, scene->height, NULL, &error);
  g_assert_no_error (error);
  expected.cutout = read_png (cutout, PNG_FORMAT_RGBA);
  expected.alpha = read_png (alpha, PNG_FORMAT_GRAY);
  return expected;
}

/* --- comparisons --- */

static void
compare_render (fretsaw_photo *photo, const Scene *scene, const fretsaw_edge_options *edge,
                const Expected *expected)
{
  size_t n = (size_t)scene->width * (size_t)scene->height;
  g_autofree uint8_t *rgba = g_malloc (4 * n), *alpha = g_malloc (n);
  fretsaw_error error;
  ok (fretsaw_photo_render (photo, edge, NULL, FRETSAW_RGBA, rgba, 0, &error), &error);
  ok (fretsaw_photo_render (photo, edge, NULL, FRETSAW_GREY, alpha, 0, &error), &error);
  g_assert_cmpmem (rgba, 4 * n, expected->cutout, 4 * n);
  g_assert_cmpmem (alpha, n, expected->alpha, n);
}

static void
compare_labels (fretsaw_photo *photo, const Scene *scene, const Expected *expected)
{
  size_t n = (size_t)scene->width * (size_t)scene->height;
  g_autofree uint8_t *labels = g_malloc (n), *mask = g_malloc (n);
  fretsaw_error error;
  ok (fretsaw_photo_get_labels (photo, labels, 0, &error), &error);
  ok (fretsaw_photo_get_mask (photo, mask, 0, &error), &error);
  g_assert_cmpmem (labels, n, expected->labels, n);
  for (size_t p = 0; p < n; p++)
    g_assert_cmpint (mask[p], ==, labels[p] > 1);
}

static void
check_scene (const Scene *scene, const fretsaw_photo_options *options, FsSettings settings,
             int number)
{
  FsEdgeSettings edge = FS_EDGE_SETTINGS_DEFAULT;
  fretsaw_edge_options edge_options = FRETSAW_EDGE_OPTIONS_INIT;
  if (number % 3 == 1) {
    edge.width_px = edge_options.width = 4;
    edge.shift_tenths = edge_options.shift = -7;
    edge.clean = 60;
    edge_options.background = 40;
  }
  if (number % 3 == 2) {
    edge = FS_EDGE_SETTINGS_HARD;
    edge_options.width = FRETSAW_EDGE_HARD;
    edge.specks_px = edge_options.specks = 9;
    edge.holes_px = edge_options.holes = 9;
  }
  Expected expected = run_program (scene, settings, options->n_iterations, edge);
  size_t n = (size_t)scene->width * (size_t)scene->height;
  g_autofree uint8_t *labels = g_malloc (n);
  fretsaw_image image = describe (scene);
  fretsaw_guess guess = describe_guess (scene);
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_error error;
  ok (fretsaw_cut_photo (NULL, &image, scene->labels, 0, scene->guess ? &guess : NULL, options,
                         NULL, labels, 0, &solution, &error),
      &error);
  g_assert_cmpmem (labels, n, expected.labels, n);
  g_assert_cmpint (solution.energy, ==, expected.result.solution.energy);
  g_assert_cmpint (solution.exact, ==, expected.result.solution.exact);

  /* Painted bit by bit with updates and a preview between, it ends the same. */
  fretsaw_photo *photo;
  ok (fretsaw_photo_new (NULL, &image, options, &photo, &error), &error);
  if (scene->guess)
    ok (fretsaw_photo_set_guess (photo, &guess, &error), &error);
  for (uint32_t p = 0, n_painted = 0; p < n; p++) {
    fretsaw_label_change change = { p, scene->labels[p] };
    if (change.label == 0)
      continue;
    ok (fretsaw_photo_change_labels (photo, &change, 1, &error), &error);
    if (n_painted++ % 40 == 0)
      ok (fretsaw_photo_update (photo, NULL, &solution, &error), &error);
    if (n_painted == 60)
      ok (fretsaw_photo_finish (photo, NULL, &solution, &error), &error);
    if (n_painted == 70)
      ok (fretsaw_photo_preview (photo, NULL, labels, 0, &error), &error);
  }
  ok (fretsaw_photo_finish (photo, NULL, &solution, &error), &error);
  g_assert_cmpint (solution.energy, ==, expected.result.solution.energy);
  compare_labels (photo, scene, &expected);
  compare_render (photo, scene, &edge_options, &expected);
  fretsaw_photo_free (photo);
  expected_clear (&expected);
}

static void
test_one_object (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  for (int i = 0; i < 12; i++) {
    fretsaw_photo_options options = FRETSAW_PHOTO_OPTIONS_INIT;
    FsSettings settings = FS_SETTINGS_DEFAULT;
    Scene scene = make_scene (rand, g_rand_int_range (rand, 60, 160),
                              g_rand_int_range (rand, 50, 130), 1, i % 4 == 3);
    if (i % 3 == 1) {
      options.model = FRETSAW_GMM;
      settings.model = FS_MODEL_GMM;
      options.n_iterations = i % 2 ? 3 : 0;
    }
    if (i % 5 == 2) {
      options.neighbours = 4;
      settings.neighbours = FS_NEIGHBOURS_4;
      options.smoothness = settings.smoothness = 0.5;
    }
    options.verify = i % 2;
    check_scene (&scene, &options, settings, i);
    scene_clear (&scene);
  }
}

static void
test_several_objects (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  for (int i = 0; i < 5; i++) {
    fretsaw_photo_options options = FRETSAW_PHOTO_OPTIONS_INIT;
    Scene scene = make_scene (rand, g_rand_int_range (rand, 90, 160),
                              g_rand_int_range (rand, 50, 100), 2 + i % 2, i == 4);
    check_scene (&scene, &options, FS_SETTINGS_DEFAULT, i);
    scene_clear (&scene);
  }
}

/* A large photo is refined on a reduced one, and cut from few tiles' links. */
static void
test_large (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  fretsaw_photo_options options = FRETSAW_PHOTO_OPTIONS_INIT;
  Scene scene = make_scene (rand, 1100, 700, 1, FALSE);
  memset (scene.labels + 3 * scene.width, 1, (size_t)(40 * scene.width));
  FsSettings settings = FS_SETTINGS_DEFAULT;
  Expected expected = run_program (&scene, settings, 0, FS_EDGE_SETTINGS_DEFAULT);
  fretsaw_image image = describe (&scene);
  size_t n = (size_t)scene.width * (size_t)scene.height;
  g_autofree uint8_t *labels = g_malloc (n);
  fretsaw_error error;
  for (int n_threads = 1; n_threads <= 3; n_threads += 2) {
    fretsaw_context_options threads = FRETSAW_CONTEXT_OPTIONS_INIT;
    fretsaw_context *context;
    threads.n_threads = n_threads;
    ok (fretsaw_context_new (&threads, &context, &error), &error);
    ok (fretsaw_cut_photo (context, &image, scene.labels, 0, NULL, &options, NULL, labels, 0, NULL,
                           &error),
        &error);
    g_assert_cmpmem (labels, n, expected.labels, n);
    fretsaw_context_free (context);
  }
  expected_clear (&expected);
  scene_clear (&scene);
}

static void
test_formats (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  Scene scene = make_scene (rand, 70, 50, 1, FALSE);
  size_t n = (size_t)scene.width * (size_t)scene.height;
  g_autofree uint8_t *first = g_malloc (n), *labels = g_malloc (n), *other = g_malloc (5 * n);
  fretsaw_image image = describe (&scene);
  fretsaw_error error;
  ok (fretsaw_cut_photo (NULL, &image, scene.labels, 0, NULL, NULL, NULL, first, 0, NULL, &error),
      &error);
  for (int format = FRETSAW_BGR; format <= FRETSAW_BGRA; format++) {
    int size = format == FRETSAW_BGR ? 3 : 4;
    ptrdiff_t stride = scene.width * size + 7;
    for (int y = 0; y < scene.height; y++)
      for (int x = 0; x < scene.width; x++) {
        const uint8_t *from = scene.rgb + 3 * (y * scene.width + x);
        uint8_t *to = other + y * stride + x * size;
        gboolean is_blue_first = format != FRETSAW_RGBA;
        to[0] = from[is_blue_first ? 2 : 0];
        to[1] = from[1];
        to[2] = from[is_blue_first ? 0 : 2];
        if (size == 4)
          to[3] = 255;
      }
    image.pixels = other;
    image.stride = stride;
    image.format = format;
    ok (fretsaw_cut_photo (NULL, &image, scene.labels, 0, NULL, NULL, NULL, labels, 0, NULL,
                           &error),
        &error);
    g_assert_cmpmem (labels, n, first, n);
  }
  scene_clear (&scene);
}

static void
cancel_when_reported (double fraction, void *data)
{
  fretsaw_cancellation_cancel (data);
}

static void
test_refuses (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  Scene scene = make_scene (rand, 60, 50, 1, FALSE);
  fretsaw_image image = describe (&scene);
  fretsaw_photo_options options = FRETSAW_PHOTO_OPTIONS_INIT;
  fretsaw_photo *photo = NULL;
  fretsaw_error error;
  uint8_t labels[3000], pixels[12000];
  options.model = 3;
  g_assert_cmpint (fretsaw_photo_new (NULL, &image, &options, &photo, &error), ==, FRETSAW_INVALID);
  g_assert_nonnull (strstr (error.text, "model is 3"));
  options.model = FRETSAW_GEODESIC;
  options.n_iterations = 1;
  g_assert_cmpint (fretsaw_photo_new (NULL, &image, &options, &photo, &error), ==, FRETSAW_INVALID);
  options.n_iterations = 0;
  options.no_star = true;
  for (int model = FRETSAW_KMEANS; model <= FRETSAW_GMM; model++) {
    options.model = model;
    g_assert_cmpint (fretsaw_photo_new (NULL, &image, &options, &photo, &error), ==,
                     FRETSAW_INVALID);
    g_assert_cmpstr (error.text, ==, "no_star is for FRETSAW_GEODESIC alone");
  }
  options.model = FRETSAW_GEODESIC;
  options.smoothness = (double)NAN;
  g_assert_cmpint (fretsaw_photo_new (NULL, &image, &options, &photo, &error), ==, FRETSAW_INVALID);
  image.format = 5;
  g_assert_cmpint (fretsaw_photo_new (NULL, &image, NULL, &photo, &error), ==, FRETSAW_INVALID);
  image.format = FRETSAW_RGB;
  image.stride = 3 * 60 - 1;
  g_assert_cmpint (fretsaw_photo_new (NULL, &image, NULL, &photo, &error), ==, FRETSAW_INVALID);
  g_assert_cmpint (fretsaw_photo_new (NULL, NULL, NULL, &photo, &error), ==, FRETSAW_INVALID);
  g_assert_null (photo);
  image.stride = 0;
  ok (fretsaw_photo_new (NULL, &image, NULL, &photo, &error), &error);
  g_assert_cmpint (fretsaw_photo_get_labels (photo, labels, 0, &error), ==, FRETSAW_INVALID);
  g_assert_cmpint (fretsaw_photo_finish (photo, NULL, NULL, &error), ==, FRETSAW_INVALID);
  g_assert_nonnull (strstr (error.text, "nothing is painted"));
  g_assert_cmpint (fretsaw_photo_paint (photo, 0, 0, 1, (double)INFINITY, 1, 2, &error), ==,
                   FRETSAW_INVALID);
  g_assert_cmpint (fretsaw_photo_paint (photo, 0, 0, 1, 1, 1, 256, &error), ==, FRETSAW_INVALID);
  ok (fretsaw_photo_paint (photo, 30, 25, 34, 25, 3, 2, &error), &error);
  g_assert_cmpint (fretsaw_photo_render (photo, NULL, NULL, FRETSAW_RGBA, pixels, 0, &error), ==,
                   FRETSAW_INVALID);
  fretsaw_progress progress = FRETSAW_PROGRESS_INIT;
  fretsaw_cancellation *cancellation = fretsaw_cancellation_new ();
  progress.cancellation = cancellation;
  progress.report = cancel_when_reported;
  progress.data = cancellation;
  fretsaw_cancellation_cancel (cancellation);
  g_assert_cmpint (fretsaw_photo_update (photo, &progress, NULL, &error), ==, FRETSAW_CANCELLED);
  g_assert_cmpint (fretsaw_photo_finish (photo, &progress, NULL, &error), ==, FRETSAW_CANCELLED);
  fretsaw_cancellation_reset (cancellation);
  ok (fretsaw_photo_finish (photo, NULL, NULL, &error), &error);
  ok (fretsaw_photo_render (photo, NULL, NULL, FRETSAW_RGBA, pixels, 0, &error), &error);
  g_assert_cmpint (fretsaw_photo_render (photo, NULL, NULL, FRETSAW_RGB, pixels, 0, &error), ==,
                   FRETSAW_INVALID);
  fretsaw_edge_options edge = FRETSAW_EDGE_OPTIONS_INIT;
  edge.shift = 101;
  g_assert_cmpint (fretsaw_photo_render (photo, &edge, NULL, FRETSAW_RGBA, pixels, 0, &error), ==,
                   FRETSAW_INVALID);
  g_assert_cmpstr (error.text, ==, "shift is 101; it must be -100 to 100");
  fretsaw_cancellation_free (cancellation);
  fretsaw_photo_free (photo);
  scene_clear (&scene);
}

/* A zone of hair over the whole photo, whose matting is cancelled at its first report. */
static void
test_render_is_cancelled (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  Scene scene = make_scene (rand, 90, 80, 1, FALSE);
  fretsaw_image image = describe (&scene);
  fretsaw_photo *photo = NULL;
  fretsaw_error error;
  static uint8_t zones[90 * 80], alpha[90 * 80], expected[90 * 80];
  fretsaw_edge_options edge = FRETSAW_EDGE_OPTIONS_INIT;
  edge.zones = memset (zones, 2, sizeof zones);
  ok (fretsaw_photo_new (NULL, &image, NULL, &photo, &error), &error);
  ok (fretsaw_photo_set_labels (photo, scene.labels, 0, &error), &error);
  ok (fretsaw_photo_finish (photo, NULL, NULL, &error), &error);
  ok (fretsaw_photo_render (photo, &edge, NULL, FRETSAW_GREY, expected, 0, &error), &error);
  fretsaw_progress progress = FRETSAW_PROGRESS_INIT;
  fretsaw_cancellation *cancellation = fretsaw_cancellation_new ();
  progress.cancellation = cancellation;
  progress.report = cancel_when_reported;
  progress.data = cancellation;
  g_assert_cmpint (fretsaw_photo_render (photo, &edge, &progress, FRETSAW_GREY, alpha, 0, &error),
                   ==, FRETSAW_CANCELLED);
  fretsaw_cancellation_reset (cancellation);
  progress.report = NULL;
  ok (fretsaw_photo_render (photo, &edge, &progress, FRETSAW_GREY, alpha, 0, &error), &error);
  g_assert_cmpmem (alpha, sizeof alpha, expected, sizeof expected);
  fretsaw_cancellation_free (cancellation);
  fretsaw_photo_free (photo);
  scene_clear (&scene);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("fretsaw-library-XXXXXX", NULL);
  g_test_add_func ("/library/photo/one-object", test_one_object);
  g_test_add_func ("/library/photo/several-objects", test_several_objects);
  g_test_add_func ("/library/photo/large", test_large);
  g_test_add_func ("/library/photo/formats", test_formats);
  g_test_add_func ("/library/photo/refuses", test_refuses);
  g_test_add_func ("/library/photo/render-is-cancelled", test_render_is_cancelled);
  int result = g_test_run ();
  static const char *const names[] = { "photo.png",  "seeds.png",  "guess.png",
                                       "labels.png", "cutout.png", "alpha.png" };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = in_folder (names[i]);
    g_unlink (path);
  }
  g_rmdir (folder);
  g_free (folder);
  return result;
}
