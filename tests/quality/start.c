/* SPDX-License-Identifier: MIT */
#include "tests/quality/start.h"

#include "app/photo/photo.h"

#include <string.h>

enum { TRIMAP_NEAR = 64, TRIMAP_UNKNOWN = 128, TRIMAP_OBJECT = 255 };

static FsSeedMap *
seed_map_from (const uint8_t *plane, const uint8_t label_of[256], int width, int height)
{
  size_t n = (size_t)width * (size_t)height;
  g_autofree uint8_t *labels = g_malloc (n);
  for (size_t i = 0; i < n; i++)
    labels[i] = label_of[plane[i]];
  FsSeedMap *map = fs_seed_map_new (width, height);
  fs_seed_map_set (map, labels);
  return map;
}

static FsRect
bounds_of (const uint8_t *plane, int width, int height)
{
  FsRect box = { width, height, 0, 0 };
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (plane[(size_t)y * width + x])
        box =
            (FsRect){ MIN (box.x0, x), MIN (box.y0, y), MAX (box.x1, x + 1), MAX (box.y1, y + 1) };
  return box;
}

static void
read_scribbles (QualityStart *start, const uint8_t *plane, int width, int height)
{
  uint8_t label_of[256] = { [FS_SEED_OBJECT] = FS_SEED_OBJECT };
  if (start->kind == QUALITY_SCRIBBLES)
    label_of[FS_SEED_BACKGROUND] = FS_SEED_BACKGROUND;
  start->seeds = seed_map_from (plane, label_of, width, height);
  start->samples = seed_map_from (plane, label_of, width, height);
}

static void
read_trimap (QualityStart *start, const uint8_t *plane, int width, int height)
{
  uint8_t label_of[256] = {
    [0] = FS_SEED_BACKGROUND, [TRIMAP_NEAR] = FS_SEED_BACKGROUND, [TRIMAP_OBJECT] = FS_SEED_OBJECT
  };
  start->seeds = seed_map_from (plane, label_of, width, height);
  if (memchr (plane, TRIMAP_NEAR, (size_t)width * (size_t)height)) {
    if (start->seeds->n_seeds[FS_SEED_OBJECT] > 0)
      label_of[0] = FS_SEED_NONE;
    start->crop = bounds_of (plane, width, height);
  }
  start->samples = seed_map_from (plane, label_of, width, height);
}

QualityStart *
quality_start_load (QualityStartKind kind, const char *path, int width, int height, GError **error)
{
  g_autofree uint8_t *plane = fs_seeds_load (path, width, height, NULL, error);
  if (!plane)
    return NULL;
  QualityStart *start = g_new0 (QualityStart, 1);
  start->kind = kind;
  start->crop = (FsRect){ 0, 0, width, height };
  if (kind == QUALITY_TRIMAP)
    read_trimap (start, plane, width, height);
  else
    read_scribbles (start, plane, width, height);
  size_t n = (size_t)width * (size_t)height;
  start->unknown = g_malloc (n);
  for (size_t i = 0; i < n; i++)
    start->unknown[i] = start->seeds->label[i] == FS_SEED_NONE;
  return start;
}

QualityStart *
quality_start_new_empty (int width, int height)
{
  QualityStart *start = g_new0 (QualityStart, 1);
  start->kind = QUALITY_SCRIBBLES;
  start->crop = (FsRect){ 0, 0, width, height };
  start->seeds = start->samples = fs_seed_map_new (width, height);
  return start;
}

void
quality_start_free (QualityStart *start)
{
  if (!start)
    return;
  if (start->samples != start->seeds)
    fs_seed_map_free (start->samples);
  fs_seed_map_free (start->seeds);
  g_free (start->unknown);
  g_free (start);
}
