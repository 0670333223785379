/* SPDX-License-Identifier: MIT */
#include "tests/bench/bench_labels.h"

#include "app/photo.h"
#include "app/session.h"
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

BenchLabels *
bench_labels_read (const char *path, BenchLabelsPart part)
{
  BenchLabels *labels = g_new0 (BenchLabels, 1);
  if (g_str_equal (path, "-"))
    disc_and_frame (labels);
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
