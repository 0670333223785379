/* SPDX-License-Identifier: MIT */
/* The strokes that a person would paint: a few quick ones over the robin and round it. */
#include "render.h"
#include <math.h>

#define MAX_POINTS 8

typedef struct {
  uint8_t label; /* 1 background, 2 object */
  float radius_px;
  int n_points;
  float points[MAX_POINTS][2]; /* upright image pixels */
} Stroke;

static const Stroke strokes[] = {
  { 2,
    8,
    6,
    { { 548, 205 }, { 511, 330 }, { 538, 488 }, { 612, 613 }, { 740, 672 }, { 890, 682 } } },
  { 2, 8, 5, { { 560, 190 }, { 640, 225 }, { 760, 380 }, { 900, 530 }, { 1020, 600 } } },
  { 2, 8, 5, { { 590, 300 }, { 565, 380 }, { 600, 500 }, { 700, 597 }, { 850, 630 } } },
  { 2, 7, 4, { { 740, 325 }, { 860, 380 }, { 980, 475 }, { 1035, 575 } } },
  { 2, 5, 3, { { 1035, 628 }, { 1150, 672 }, { 1270, 715 } } },
  { 2, 3, 3, { { 762, 700 }, { 777, 780 }, { 760, 880 } } },
  { 2, 4, 2, { { 480, 290 }, { 425, 303 } } },
  { 2, 2, 5, { { 368, 318 }, { 350, 330 }, { 330, 345 }, { 300, 369 }, { 262, 400 } } },
  { 1, 10, 5, { { 90, 120 }, { 300, 90 }, { 480, 75 }, { 700, 110 }, { 830, 230 } } },
  { 1, 10, 4, { { 830, 230 }, { 960, 240 }, { 1080, 400 }, { 1090, 560 } } },
  { 1, 10, 5, { { 80, 580 }, { 260, 560 }, { 400, 600 }, { 470, 680 }, { 560, 800 } } },
  { 1, 10, 4, { { 120, 900 }, { 500, 980 }, { 900, 960 }, { 1400, 900 } } },
  { 1, 10, 4, { { 1180, 420 }, { 1350, 420 }, { 1480, 520 }, { 1420, 640 } } },
  { 1, 4, 3, { { 556, 612 }, { 600, 655 }, { 660, 678 } } },
  { 1, 8, 5, { { 870, 800 }, { 1000, 815 }, { 1160, 830 }, { 1140, 760 }, { 1035, 695 } } },
};

static void
draw_dot (uint8_t *seeds, float x, float y, float radius, uint8_t label)
{
  for (int py = (int)floorf (y - radius); py <= (int)ceilf (y + radius); py++)
    for (int px = (int)floorf (x - radius); px <= (int)ceilf (x + radius); px++) {
      float dx = (float)px - x, dy = (float)py - y;
      if (dx * dx + dy * dy <= radius * radius && px >= 0 && py >= 0 && px < SAMPLE_WIDTH
          && py < SAMPLE_HEIGHT)
        seeds[(size_t)py * SAMPLE_WIDTH + (size_t)px] = label;
    }
}

/* A curve through the points (Catmull & Rom 1974), its ends doubled: coordinate c at t in [0, 1]
 * between points i and i + 1. */
static float
curve_at (const Stroke *stroke, int i, float t, int c)
{
  float p0 = stroke->points[i > 0 ? i - 1 : 0][c], p1 = stroke->points[i][c];
  float p2 = stroke->points[i + 1][c];
  float p3 = stroke->points[i + 2 < stroke->n_points ? i + 2 : i + 1][c];
  return 0.5f
         * (2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t * t
            + (3 * p1 - p0 - 3 * p2 + p3) * t * t * t);
}

static void
draw_stroke (uint8_t *seeds, const Stroke *stroke)
{
  for (int i = 0; i + 1 < stroke->n_points; i++) {
    const float *a = stroke->points[i], *b = stroke->points[i + 1];
    int n_steps = (int)hypotf (b[0] - a[0], b[1] - a[1]) + 1;
    for (int s = 0; s <= n_steps; s++) {
      float t = (float)s / (float)n_steps;
      draw_dot (seeds, curve_at (stroke, i, t, 0), curve_at (stroke, i, t, 1), stroke->radius_px,
                stroke->label);
    }
  }
}

void
draw_strokes (uint8_t *seeds)
{
  for (size_t i = 0; i < sizeof strokes / sizeof strokes[0]; i++)
    draw_stroke (seeds, &strokes[i]);
}
