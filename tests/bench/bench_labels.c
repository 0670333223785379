/* SPDX-License-Identifier: MIT */
#include "tests/bench/bench_labels.h"

#include "app/photo/photo.h"
#include "app/session/session.h"
#include "tests/bench/bench_instance.h"

#include <math.h>

enum { NO_FILE_SIDE = 1000 };

static void
play (FsSeedMap *map, const FsStroke *stroke)
{
  for (guint i = 0; i < stroke->samples->len; i++) {
    FsCapsule capsule = fs_stroke_capsule (stroke, i);
    fs_seed_map_paint (map, &capsule, stroke->label, NULL, NULL);
  }
}

static void
read_session (BenchLabels *labels, const char *path, BenchLabelsPart part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSession) session = fs_session_read (path, &error);
  if (session == NULL)
    bench_fail (error->message);
  guint n = session->strokes->len;
  if (part == BENCH_LABELS_FIRST)
    n = (n + 1) / 2;
  labels->width = session->width;
  labels->height = session->height;
  g_autoptr (FsSeedMap) map = fs_seed_map_new (session->width, session->height);
  for (guint i = 0; i < n; i++)
    play (map, g_ptr_array_index (session->strokes, i));
  labels->label = g_steal_pointer (&map->label);
}

static void
read_png (BenchLabels *labels, const char *path)
{
  g_autoptr (GError) error = NULL;
  /* As a photo first: a seed map is only read at a size that is known. */
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
  if (photo == NULL)
    bench_fail (error->message);
  labels->width = photo->image->width;
  labels->height = photo->image->height;
  labels->label = fs_seeds_load (path, labels->width, labels->height, NULL, &error);
  if (labels->label == NULL)
    bench_fail (error->message);
}

static void
disc_and_frame (BenchLabels *labels)
{
  const int side = NO_FILE_SIDE, border = NO_FILE_SIDE / 100;
  labels->width = labels->height = side;
  labels->label = g_malloc0 ((size_t)side * side);
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      uint8_t *label = &labels->label[(size_t)y * side + x];
      if (hypot (x - side / 2, y - side / 2) < 0.06 * side)
        *label = FS_SEED_OBJECT;
      else if (MIN (x, y) < border || MAX (x, y) >= side - border)
        *label = FS_SEED_BACKGROUND;
    }
}

/* A stroke of some seeds' number, as a chain of points in a frame of FRAME_WIDTH × FRAME_HEIGHT. */
typedef struct {
  uint8_t number;
  uint8_t radius_px, n_points;
  short at[4][2];
} Chain;

enum { FRAME_WIDTH = 632, FRAME_HEIGHT = 474 };

/* Street, bus, what stands to its left and right, trees and sky of bus-12mp. */
static const Chain FIVE_OBJECTS[] = {
  { 1, 6, 3, { { 60, 360 }, { 300, 400 }, { 560, 420 } } },
  { 1, 4, 2, { { 150, 330 }, { 400, 330 } } },
  { 2, 6, 3, { { 20, 235 }, { 60, 225 }, { 105, 230 } } },
  { 2, 5, 3, { { 45, 280 }, { 90, 270 }, { 108, 285 } } },
  { 3, 7, 3, { { 20, 150 }, { 200, 150 }, { 480, 155 } } },
  { 4, 7, 4, { { 140, 250 }, { 250, 225 }, { 400, 270 }, { 530, 280 } } },
  { 4, 4, 2, { { 150, 290 }, { 240, 290 } } },
  { 5, 6, 2, { { 570, 100 }, { 565, 220 } } },
  { 5, 7, 2, { { 610, 80 }, { 615, 250 } } },
  { 6, 7, 3, { { 60, 40 }, { 300, 70 }, { 560, 40 } } },
  { 6, 4, 2, { { 100, 105 }, { 460, 100 } } },
};

/* Drawn four times as large, so that stretching leaves no steps to speak of. */
static void
five_objects (BenchLabels *labels)
{
  const double k = 4;
  labels->width = (int)k * FRAME_WIDTH;
  labels->height = (int)k * FRAME_HEIGHT;
  g_autoptr (FsSeedMap) map = fs_seed_map_new (labels->width, labels->height);
  if (map == NULL)
    bench_fail ("not enough memory");
  for (size_t i = 0; i < G_N_ELEMENTS (FIVE_OBJECTS); i++) {
    const Chain *chain = &FIVE_OBJECTS[i];
    for (int j = 1; j < chain->n_points; j++) {
      const short *from = chain->at[j - 1], *to = chain->at[j];
      const FsCapsule capsule = { k * from[0], k * from[1], k * to[0], k * to[1],
                                  k * chain->radius_px };
      fs_seed_map_paint (map, &capsule, chain->number, NULL, NULL);
    }
  }
  labels->label = g_steal_pointer (&map->label);
}

BenchLabels *
bench_labels_read (const char *path, BenchLabelsPart part)
{
  BenchLabels *labels = g_new0 (BenchLabels, 1);
  if (g_str_equal (path, "-"))
    disc_and_frame (labels);
  else if (g_str_equal (path, "five"))
    five_objects (labels);
  else if (g_str_has_suffix (path, ".fretsaw"))
    read_session (labels, path, part);
  else
    read_png (labels, path);
  return labels;
}

void
bench_labels_free (BenchLabels *labels)
{
  if (labels == NULL)
    return;
  g_free (labels->label);
  g_free (labels);
}

uint8_t *
bench_labels_stretch (const BenchLabels *labels, int width, int height)
{
  uint8_t *out = g_malloc ((size_t)width * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      size_t from_x = (size_t)((int64_t)x * labels->width / width);
      size_t from_y = (size_t)((int64_t)y * labels->height / height);
      out[(size_t)y * width + x] = labels->label[from_y * labels->width + from_x];
    }
  return out;
}
