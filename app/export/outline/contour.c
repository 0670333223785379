/* SPDX-License-Identifier: MIT */
#include "app/export/outline/contour.h"

#include <string.h>

/* Beyond the area, where no outline is drawn. */
#define OUTSIDE (-1)

struct _FsContourTracer {
  FsContourMap map;
  int width, height; /* of the area */
  int label;
  double tolerance_px;
  uint8_t *seen; /* a bit a pixel of the area: its left edge is part of a contour already */
  uint8_t *steps;
  gsize n_steps, capacity;
  FsContourPoints points;
  FsContourTake take;
  gpointer user_data;
};
typedef struct _FsContourTracer Tracer;

static int
label_at (const Tracer *tracer, int x, int y)
{
  const FsContourMap *map = &tracer->map;
  if (x < 0 || y < 0 || x >= tracer->width || y >= tracer->height)
    return OUTSIDE;
  const uint8_t label =
      map->labels[(gsize)(map->area.y0 + y) * (gsize)map->width + (gsize)(map->area.x0 + x)];
  return label <= map->max_ground ? 0 : label;
}

static gboolean
append_step (Tracer *tracer, int step)
{
  if (tracer->n_steps == tracer->capacity) {
    const gsize capacity = MAX (4096, 2 * tracer->capacity);
    uint8_t *steps = g_try_realloc (tracer->steps, capacity);
    if (!steps)
      return FALSE;
    tracer->steps = steps;
    tracer->capacity = capacity;
  }
  tracer->steps[tracer->n_steps++] = (uint8_t)step;
  return TRUE;
}

/* The step from the corner (x, y), reached in `direction`, with the object on the right. */
static int
next_step (const Tracer *tracer, int x, int y, int direction)
{
  /* Clockwise from the upper left one. */
  const int quad[4] = { label_at (tracer, x - 1, y - 1), label_at (tracer, x, y - 1),
                        label_at (tracer, x, y), label_at (tracer, x - 1, y) };
  int n_borders = 0;
  for (int i = 0; i < 4; i++)
    n_borders += quad[i] != quad[(i + 1) % 4];
  const gboolean is_corner_of_area =
      (x == 0 || x == tracer->width) && (y == 0 || y == tracer->height);
  const int flag = n_borders > 2 || is_corner_of_area ? FS_STEP_FIXED : 0;
  if (quad[(direction + 2) % 4] != tracer->label)
    return flag | ((direction + 1) % 4);
  if (quad[(direction + 1) % 4] == tracer->label)
    return flag | ((direction + 3) % 4);
  return flag | direction;
}

static gboolean
is_seen (const Tracer *tracer, gsize bit)
{
  return tracer->seen[bit / 8] >> (bit % 8) & 1;
}

/* The contour along the left edge of the pixel (x, y). */
static gboolean
trace_contour (Tracer *tracer, int x, int y)
{
  const int start_y = y + 1;
  int at_x = x, at_y = start_y, step = next_step (tracer, x, start_y, FS_STEP_NORTH);
  /* The corner may be reached from another side. */
  step = (step & FS_STEP_FIXED) | FS_STEP_NORTH;
  tracer->n_steps = 0;
  do {
    const int direction = step & FS_STEP_DIRECTION;
    if (!append_step (tracer, step))
      return FALSE;
    at_x += fs_step_x[direction];
    at_y += fs_step_y[direction];
    if (direction == FS_STEP_NORTH) {
      const gsize bit = (gsize)at_y * (gsize)tracer->width + (gsize)at_x;
      tracer->seen[bit / 8] |= (uint8_t)(1 << (bit % 8));
    }
    step = next_step (tracer, at_x, at_y, direction);
  } while (at_x != x || at_y != start_y || (step & FS_STEP_DIRECTION) != FS_STEP_NORTH);
  return fs_contour_simplify (tracer->steps, tracer->n_steps, x + tracer->map.area.x0,
                              start_y + tracer->map.area.y0, tracer->tolerance_px, &tracer->points)
         && tracer->take (tracer->user_data, tracer->points.points, tracer->points.n);
}

static gboolean
trace_row (Tracer *tracer, int y)
{
  const FsContourMap *map = &tracer->map;
  const uint8_t *row =
      map->labels + (gsize)(map->area.y0 + y) * (gsize)map->width + (gsize)map->area.x0;
  const gsize width = (gsize)tracer->width, first_bit = (gsize)y * width;
  gsize x = 0;
  while (x < width) {
    const uint8_t *start = memchr (row + x, tracer->label, width - x);
    if (!start)
      return TRUE;
    x = (gsize)(start - row);
    if (!is_seen (tracer, first_bit + x) && !trace_contour (tracer, (int)x, y))
      return FALSE;
    while (x < width && row[x] == tracer->label)
      x++;
  }
  return TRUE;
}

FsContourTracer *
fs_contour_tracer_new (const FsContourMap *map, uint8_t label, double tolerance_px)
{
  g_return_val_if_fail (map && map->labels && label > map->max_ground, NULL);
  g_return_val_if_fail (tolerance_px >= 0 && tolerance_px <= FS_CONTOUR_MAX_TOLERANCE_PX, NULL);

  FsContourTracer *tracer = g_new0 (FsContourTracer, 1);
  tracer->map = *map;
  tracer->width = map->area.x1 - map->area.x0;
  tracer->height = map->area.y1 - map->area.y0;
  tracer->label = label;
  tracer->tolerance_px = tolerance_px;
  tracer->seen = g_try_malloc0 ((gsize)tracer->width * (gsize)tracer->height / 8 + 1);
  if (!tracer->seen)
    g_clear_pointer (&tracer, fs_contour_tracer_free);
  return tracer;
}

void
fs_contour_tracer_free (FsContourTracer *tracer)
{
  if (!tracer)
    return;
  g_free (tracer->seen);
  g_free (tracer->steps);
  g_free (tracer->points.points);
  g_free (tracer);
}

gboolean
fs_contour_tracer_trace (FsContourTracer *tracer, int x, int y, FsContourTake take,
                         gpointer user_data)
{
  g_return_val_if_fail (tracer && take, FALSE);

  x -= tracer->map.area.x0;
  y -= tracer->map.area.y0;
  g_return_val_if_fail (label_at (tracer, x, y) == tracer->label
                            && label_at (tracer, x - 1, y) != tracer->label,
                        FALSE);
  tracer->take = take;
  tracer->user_data = user_data;
  return is_seen (tracer, (gsize)y * (gsize)tracer->width + (gsize)x)
         || trace_contour (tracer, x, y);
}

gboolean
fs_contour_trace (const FsContourMap *map, uint8_t label, int y0, int y1, double tolerance_px,
                  FsContourTake take, gpointer user_data)
{
  g_return_val_if_fail (map && map->labels && label > map->max_ground && take, FALSE);
  g_return_val_if_fail (tolerance_px >= 0 && tolerance_px <= FS_CONTOUR_MAX_TOLERANCE_PX, FALSE);
  g_autoptr (FsContourTracer) tracer = fs_contour_tracer_new (map, label, tolerance_px);
  if (!tracer)
    return FALSE;
  tracer->take = take;
  tracer->user_data = user_data;
  for (int y = MAX (y0, 0); y < MIN (y1, tracer->height); y++)
    if (!trace_row (tracer, y))
      return FALSE;
  return TRUE;
}
