/* SPDX-License-Identifier: MIT */
#include "tests/quality/opencv_start.h"

#include "energy/image/distance.h"
#include "tests/quality/opencv_grabcut.h"

#include <string.h>

static const char *const methods[] = { "opencv", "opencv-background" };

gboolean
quality_opencv_knows (const char *method)
{
  return strcmp (method, methods[0]) == 0 || strcmp (method, methods[1]) == 0;
}

static int64_t *
distance2_to_label (const FsSeedMap *seeds, uint8_t label)
{
  size_t n = (size_t)seeds->width * (size_t)seeds->height;
  g_autofree uint8_t *plane = g_malloc (n);
  for (size_t i = 0; i < n; i++)
    plane[i] = seeds->label[i] == label;
  return fs_distance2 (plane, seeds->width, seeds->height);
}

/* Where the unknown pixels start: 1 as object. */
static uint8_t *
guess (const QualityRequest *request)
{
  const FsSeedMap *seeds = request->start->seeds;
  size_t n = (size_t)seeds->width * (size_t)seeds->height;
  uint8_t *object = g_malloc0 (n);
  if (request->start->kind == QUALITY_TRIMAP)
    memset (object, 1, n);
  else if (strcmp (request->method, methods[0]) == 0 && seeds->n_seeds[FS_SEED_BACKGROUND] > 0) {
    g_autofree int64_t *to_object = distance2_to_label (seeds, FS_SEED_OBJECT);
    g_autofree int64_t *to_background = distance2_to_label (seeds, FS_SEED_BACKGROUND);
    for (size_t i = 0; i < n; i++)
      object[i] = to_object[i] < to_background[i];
  }
  return object;
}

void
quality_opencv_cut (const QualityRequest *request, uint8_t *mask)
{
  const FsSeedMap *seeds = request->start->seeds;
  size_t n = (size_t)seeds->width * (size_t)seeds->height;
  g_autofree uint8_t *state = guess (request);
  for (size_t i = 0; i < n; i++)
    state[i] = seeds->label[i] == FS_SEED_BACKGROUND ? QUALITY_OPENCV_BACKGROUND
               : seeds->label[i] == FS_SEED_OBJECT   ? QUALITY_OPENCV_OBJECT
               : state[i]                            ? QUALITY_OPENCV_MAYBE_OBJECT
                                                     : QUALITY_OPENCV_MAYBE_BACKGROUND;
  FsRect crop = request->start->crop;
  memset (mask, 0, n);
  quality_opencv_grabcut (request->image->pixels, state, seeds->width, seeds->height,
                          (int[4]){ crop.x0, crop.y0, crop.x1, crop.y1 }, request->n_iterations,
                          mask);
}
