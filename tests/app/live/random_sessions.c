/* SPDX-License-Identifier: MIT */
#include "tests/app/live/random_sessions.h"

#include "tests/app/photo/made_files.h"

#include <math.h>
#include <string.h>

/* --- photos ----------------------------------------------------------------------------------- */

static guint
place_in_pattern (int kind, int x, int y, int width, int height)
{
  double dx = 2.0 * x / width - 1, dy = 2.0 * y / height - 1;
  switch (kind) {
  case 0:
    return (guint)((y / 9 * 17 + x / 9) & 31);
  case 1:
    return dx * dx + dy * dy < 0.45 ? 3 : 21;
  default:
    return (guint)((x + y / 2) / 7 & 3);
  }
}

char *
write_photo (const char *folder, const FsImage *image)
{
  g_autoptr (GByteArray) rows = g_byte_array_new ();
  for (int y = 0; y < image->height; y++) {
    g_byte_array_append (rows, (const guint8 *)"", 1);
    for (int x = 0; x < image->width; x++) {
      uint32_t p = image->pixels[(size_t)y * (size_t)image->width + (size_t)x];
      const guint8 rgb[] = { FS_PIXEL_R (p), FS_PIXEL_G (p), FS_PIXEL_B (p) };
      g_byte_array_append (rows, rgb, sizeof rgb);
    }
  }
  g_autoptr (GByteArray) png =
      made_png_begin ((guint32)image->width, (guint32)image->height, 8, 2, FALSE);
  made_png_pixels (png, rows->data, rows->len);
  made_png_end (png);
  return made_file (folder, "photo.png", png->data, png->len);
}

FsImage *
random_image (GRand *rand)
{
  int width = g_rand_int_range (rand, 20, 61), height = g_rand_int_range (rand, 20, 51);
  int kind = g_rand_int_range (rand, 0, 3), noise = g_rand_int_range (rand, 1, 60);
  guint colours[32][3];
  for (int i = 0; i < 32 * 3; i++)
    colours[i / 3][i % 3] = (guint)g_rand_int_range (rand, 0, 196);
  FsImage *image = fs_image_new (width, height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const guint *colour = colours[place_in_pattern (kind, x, y, width, height)];
      guint more = (guint)g_rand_int_range (rand, 0, noise);
      image->pixels[y * width + x] =
          FS_PIXEL (255, colour[0] + more, colour[1] + more / 2, colour[2] + noise - more);
    }
  return image;
}

FsSettings
random_settings (GRand *rand)
{
  static const double smoothness[] = { 1, 1, 1, 0, 0.37, 4, 30, 100 };
  return (FsSettings){
    .neighbours = g_rand_int_range (rand, 0, 4) == 0 ? FS_NEIGHBOURS_4 : FS_NEIGHBOURS_8,
    .smoothness = smoothness[g_rand_int_range (rand, 0, G_N_ELEMENTS (smoothness))],
    .model = (FsModelKind)g_rand_int_range (rand, 0, FS_N_MODELS),
    .star = g_rand_int_range (rand, 0, 4) > 0,
    .stability = g_rand_int_range (rand, 0, 4) > 0,
  };
}

/* --- work ------------------------------------------------------------------------------------- */

static void
on_final (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  fs_document_wait_final_finish (FS_DOCUMENT (source), result, &error);
  g_assert_no_error (error);
  FsDocumentStatus status = fs_document_get_status (FS_DOCUMENT (source));
  g_assert_true (status.is_final && status.exact);
  g_assert_cmpint (status.energy, ==, status.bound);
  *(gboolean *)data = TRUE;
}

void
wait_for_final (FsDocument *document)
{
  gboolean done = FALSE;
  fs_document_wait_final_async (document, NULL, on_final, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

/* Now and then nothing is waited for at all. */
static void
wait_a_little (GRand *rand)
{
  for (int n = g_rand_int_range (rand, 0, 4); n > 0; n--) {
    g_main_context_iteration (NULL, FALSE);
    g_usleep ((gulong)g_rand_int_range (rand, 0, 600));
  }
}

static FsSample
next_sample (FsDocument *document, GRand *rand, guint32 time_ms)
{
  const FsImage *image = fs_document_get_image (document);
  return (FsSample){ (float)g_rand_double_range (rand, -2, image->width + 2),
                     (float)g_rand_double_range (rand, -2, image->height + 2),
                     (float)g_rand_double (rand), time_ms };
}

static void
draw (FsDocument *document, GRand *rand)
{
  FsSample sample = next_sample (document, rand, 0);
  for (int n = g_rand_int_range (rand, 1, 5); n > 0; n--) {
    fs_document_extend_stroke (document, &sample, 1);
    wait_a_little (rand);
    sample.x += (float)g_rand_double_range (rand, -9, 9);
    sample.y += (float)g_rand_double_range (rand, -9, 9);
    sample.time_ms++;
  }
}

static void
paint (FsDocument *document, GRand *rand)
{
  static const uint8_t labels[] = { 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 9, 0 };
  uint8_t label = labels[g_rand_int_range (rand, 0, G_N_ELEMENTS (labels))];
  FsStrokeShape shape = g_rand_int_range (rand, 0, 5) == 0 ? FS_STROKE_PEN : FS_STROKE_BRUSH;
  float radius = (float)g_rand_double_range (rand, 0.3, label == 0 ? 9 : 4);
  if (label == 0 && g_rand_int_range (rand, 0, 4) == 0)
    radius = 200;
  g_assert_true (fs_document_begin_shape (document, shape, label, radius,
                                          fs_document_get_newest_final (document)));
  draw (document, rand);
  if (g_rand_int_range (rand, 0, 12) == 0)
    fs_document_cancel_stroke (document);
  else
    fs_document_end_stroke (document);
}

static void
draw_lasso (FsDocument *document, GRand *rand)
{
  const FsImage *image = fs_document_get_image (document);
  g_assert_true (fs_document_begin_shape (document, FS_STROKE_OUTLINE, FS_SEED_BACKGROUND, 1, 0));
  double size = g_rand_double_range (rand, 0.5, 0.9);
  for (int i = 0; i < 7; i++) {
    FsSample sample = { (float)((1 + size * cos (i)) * image->width / 2),
                        (float)((1 + size * sin (i)) * image->height / 2), 1, (guint32)i };
    fs_document_extend_stroke (document, &sample, 1);
  }
  wait_a_little (rand);
  fs_document_end_stroke (document);
}

FsGuess *
random_guess (const FsImage *image, GRand *rand)
{
  int width = g_rand_int_range (rand, 1, 70), height = g_rand_int_range (rand, 1, 60);
  int n = g_rand_int_range (rand, 1, 4), noise = g_rand_int_range (rand, 1, 150);
  double x[4], y[4], radius[4], slope = g_rand_double_range (rand, 100, 3000);
  if (g_rand_int_range (rand, 0, 4) == 0) {
    width = image->width;
    height = image->height;
    slope = 1e6;
    noise = 1;
  }
  guint16 step = g_rand_int_range (rand, 0, 3) == 0 ? 1 : 257;
  for (int i = 0; i < n; i++) {
    x[i] = g_rand_double (rand);
    y[i] = g_rand_double (rand);
    radius[i] = g_rand_double_range (rand, 0.1, 0.4);
  }
  g_autofree guint16 *plane = g_new (guint16, width * height);
  for (int p = 0; p < width * height; p++) {
    double max = -1;
    for (int i = 0; i < n; i++)
      max = MAX (max, radius[i]
                          - hypot ((p % width + 0.5) / width - x[i],
                                   ((int)(p / width) + 0.5) / height - y[i]));
    int value = (int)CLAMP (128 + slope * max + g_rand_int_range (rand, 0, noise), 0, 255);
    plane[p] = (guint16)(value * 257 / step * step);
    if (step == 1 && value < 255)
      plane[p] = (guint16)(plane[p] + g_rand_int_range (rand, 0, 257));
  }
  return fs_guess_new (plane, width, height, image->width, image->height);
}

/* A finished mask of several objects: discs, one over the other, some of them unknown. */
static FsGuess *
random_objects (const FsImage *image, GRand *rand)
{
  static const uint8_t labels[] = { 2, 2, 3, 3, 4, 7, 9, 1, 0, 250 };
  g_autofree uint8_t *numbers = g_malloc (image->width * image->height);
  memset (numbers, FS_SEED_BACKGROUND, (size_t)(image->width * image->height));
  for (int n = g_rand_int_range (rand, 1, 7); n > 0; n--) {
    uint8_t label = labels[g_rand_int_range (rand, 0, G_N_ELEMENTS (labels))];
    double x = g_rand_double_range (rand, 0, image->width);
    double y = g_rand_double_range (rand, 0, image->height);
    double radius = g_rand_double_range (rand, 0.5, image->width / 3.0);
    for (int p = 0; p < image->width * image->height; p++)
      if (hypot (p % image->width - x, (int)(p / image->width) - y) < radius)
        numbers[p] = label;
  }
  return fs_guess_new_objects (numbers, image->width, image->height);
}

static void
edit_guess (FsDocument *document, GRand *rand)
{
  if (fs_document_get_guess (document) && g_rand_int_range (rand, 0, 3) == 0) {
    g_assert_true (fs_document_set_guess (document, NULL, NULL));
    return;
  }
  const FsImage *image = fs_document_get_image (document);
  gboolean has_objects = g_rand_int_range (rand, 0, 3) == 0;
  g_autoptr (FsGuess) guess =
      has_objects ? random_objects (image, rand) : random_guess (image, rand);
  g_assert_true (
      fs_document_set_guess (document, guess, has_objects ? "labels.json" : "subject.png"));
}

static void
edit (FsDocument *document, GRand *rand)
{
  FsSettings settings;
  switch (g_rand_int_range (rand, 0, 26)) {
  case 0:
  case 1:
  case 2:
    fs_document_undo (document);
    break;
  case 3:
  case 4:
    fs_document_redo (document);
    break;
  case 5:
    settings = random_settings (rand);
    fs_document_set_settings (document, &settings);
    break;
  case 6:
    draw_lasso (document, rand);
    break;
  case 7:
  case 8:
    edit_guess (document, rand);
    break;
  default:
    paint (document, rand);
  }
}

void
random_work (FsDocument *document, GRand *rand)
{
  for (int n = g_rand_int_range (rand, 1, 11); n > 0; n--) {
    edit (document, rand);
    if (g_rand_int_range (rand, 0, 5) > 1)
      wait_for_final (document);
    else
      wait_a_little (rand);
  }
}
