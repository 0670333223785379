/* SPDX-License-Identifier: MIT */
#include "ui/canvas/stroke_smoothing.h"

#include <math.h>

enum { MAX_POINTS = 32 };

#define CORNER_COSINE 0.5 /* 60° */

typedef struct {
  double x, y;
} Vector;

static Vector
step_between (const FsSample *from, const FsSample *to)
{
  return (Vector){ (double)to->x - from->x, (double)to->y - from->y };
}

static double
length (Vector v)
{
  return hypot (v.x, v.y);
}

/* The tangent at the middle one of three samples: half-way between the two directions, as long as
 * `out`. */
static Vector
direction (Vector in, Vector out)
{
  double fraction = length (out) / length (in);
  Vector middle = { in.x * fraction + out.x, in.y * fraction + out.y };
  double scale = length (out) / length (middle);
  return (Vector){ middle.x * scale, middle.y * scale };
}

/* The point of the curve at t in [0, 1]. The tangent at its end is that of an arc with half the
 * curvature, since the stroke may go straight on. */
static FsSample
point_at (const FsSample *from, const FsSample *to, Vector tangent, double t)
{
  Vector out = step_between (from, to);
  Vector arrival = { 1.5 * out.x - 0.5 * tangent.x, 1.5 * out.y - 0.5 * tangent.y };
  double start = t * (1 - t) * (1 - t), end = t * t * (3 - 2 * t), stop = t * t * (t - 1);
  return (FsSample){
    .x = (float)(from->x + start * tangent.x + end * out.x + stop * arrival.x),
    .y = (float)(from->y + start * tangent.y + end * out.y + stop * arrival.y),
    .pressure = from->pressure + (to->pressure - from->pressure) * (float)t,
    .time_ms = from->time_ms + (uint32_t)((to->time_ms - from->time_ms) * t),
  };
}

/* The distance of the curve from its chord is about a quarter of the difference between tangent and
 * chord; with n lines it is 1/n² of that. */
static int
count_points (Vector tangent, Vector out, double tolerance_px)
{
  double off = hypot (tangent.x - out.x, tangent.y - out.y) / 4;
  return (int)fmin (ceil (sqrt (off / tolerance_px)) - 1, MAX_POINTS);
}

void
fs_stroke_smoothing_append (GArray *samples, const FsSample *before, const FsSample *sample,
                            double tolerance_px)
{
  if (before != NULL && samples->len > 0) {
    FsSample from = g_array_index (samples, FsSample, samples->len - 1);
    Vector in = step_between (before, &from), out = step_between (&from, sample);
    gboolean is_corner = in.x * out.x + in.y * out.y <= CORNER_COSINE * length (in) * length (out);
    Vector tangent = is_corner ? out : direction (in, out);
    int n_points = is_corner ? 0 : count_points (tangent, out, tolerance_px);
    for (int i = 1; i <= n_points; i++) {
      FsSample point = point_at (&from, sample, tangent, (double)i / (n_points + 1));
      g_array_append_val (samples, point);
    }
  }
  g_array_append_val (samples, *sample);
}
