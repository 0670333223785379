/* SPDX-License-Identifier: MIT */
#include "ui/canvas/lasso_drawing.h"

#include <math.h>

#define LINE_PX  1.25
#define SHADE_PX 3.25
#define DASH_PX  5.0

/* The smallest width and height of an intended lasso, in widget pixels. */
#define MEANT_PX 6.0

typedef struct {
  double x, y;
} Place;

static Place
place_of (const FsViewTransform *t, const FsSample *sample)
{
  Place place;
  fs_view_transform_to_widget (t, sample->x, sample->y, &place.x, &place.y);
  return place;
}

/* Skips points that coincide on the screen. */
static void
add_chain (cairo_t *cr, const FsViewTransform *t, const FsSample *samples, guint n)
{
  Place last = place_of (t, &samples[0]);
  cairo_move_to (cr, last.x, last.y);
  for (guint i = 1; i < n; i++) {
    Place place = place_of (t, &samples[i]);
    if (i + 1 < n && hypot (place.x - last.x, place.y - last.y) < 1)
      continue;
    cairo_line_to (cr, place.x, place.y);
    last = place;
  }
}

static void
add_box (cairo_t *cr, const FsViewTransform *t, const FsSample *samples, guint n)
{
  Place a = place_of (t, &samples[0]), b = place_of (t, &samples[n - 1]);
  cairo_rectangle (cr, fmin (a.x, b.x), fmin (a.y, b.y), fabs (a.x - b.x), fabs (a.y - b.y));
}

/* Strokes the path and clears it. */
static void
draw_path (cairo_t *cr)
{
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_width (cr, SHADE_PX);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.6);
  cairo_stroke_preserve (cr);
  cairo_set_line_width (cr, LINE_PX);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_stroke (cr);
}

void
fs_lasso_drawing_draw (cairo_t *cr, const FsViewTransform *transform, const FsSample *samples,
                       guint n, gboolean is_box, gboolean grows)
{
  if (n < 2)
    return;
  const double dash = DASH_PX;
  cairo_save (cr);
  cairo_new_path (cr);
  if (is_box) {
    add_box (cr, transform, samples, n);
  } else {
    add_chain (cr, transform, samples, n);
    if (!grows)
      cairo_close_path (cr);
  }
  draw_path (cr);
  if (grows && !is_box) {
    Place first = place_of (transform, &samples[0]), last = place_of (transform, &samples[n - 1]);
    cairo_move_to (cr, last.x, last.y);
    cairo_line_to (cr, first.x, first.y);
    cairo_set_dash (cr, &dash, 1, 0);
    draw_path (cr);
  }
  cairo_restore (cr);
}

gboolean
fs_lasso_drawing_is_meant (const FsViewTransform *transform, const FsSample *samples, guint n)
{
  if (n < 2)
    return FALSE;
  Place low = place_of (transform, &samples[0]), high = low;
  for (guint i = 1; i < n; i++) {
    Place place = place_of (transform, &samples[i]);
    low = (Place){ fmin (low.x, place.x), fmin (low.y, place.y) };
    high = (Place){ fmax (high.x, place.x), fmax (high.y, place.y) };
  }
  return high.x - low.x >= MEANT_PX && high.y - low.y >= MEANT_PX;
}
