/* SPDX-License-Identifier: MIT */
#include "ui/canvas/brush_cursor.h"

#include "ui/view/views.h"
#include <math.h>

#define SMALL_RADIUS 5.0
#define CROSS_REACH  9.0
#define MARGIN       3.0

static void
set_colour (cairo_t *cr, uint32_t rgb, double alpha)
{
  cairo_set_source_rgba (cr, FS_PIXEL_R (rgb) / 255.0, FS_PIXEL_G (rgb) / 255.0,
                         FS_PIXEL_B (rgb) / 255.0, alpha);
}

static void
add_path (cairo_t *cr, double x, double y, double radius)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
  if (radius >= SMALL_RADIUS)
    return;
  for (int i = 0; i < 4; i++) {
    double dx = i % 2 == 0 ? (i == 0 ? 1 : -1) : 0;
    double dy = i % 2 == 1 ? (i == 1 ? 1 : -1) : 0;
    cairo_move_to (cr, x + dx * (radius + 2), y + dy * (radius + 2));
    cairo_line_to (cr, x + dx * CROSS_REACH, y + dy * CROSS_REACH);
  }
}

/* White with a black edge on both sides, opaque: one of them is visible on any background. */
static void
stroke_two_tone (cairo_t *cr)
{
  cairo_set_line_width (cr, 5);
  cairo_set_source_rgb (cr, 0, 0, 0);
  cairo_stroke_preserve (cr);
  cairo_set_line_width (cr, 2);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_stroke (cr);
}

void
fs_brush_cursor_draw_line (cairo_t *cr, double x0, double y0, double x1, double y1)
{
  cairo_save (cr);
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
  stroke_two_tone (cr);
  cairo_restore (cr);
}

void
fs_brush_cursor_draw (cairo_t *cr, double x, double y, double radius, uint32_t rgb)
{
  cairo_save (cr);
  add_path (cr, x, y, radius);
  stroke_two_tone (cr);
  if (radius >= SMALL_RADIUS) {
    cairo_arc (cr, x, y, 2.5, 0, 2 * G_PI);
    cairo_set_line_width (cr, 4);
    cairo_set_source_rgb (cr, 0, 0, 0);
    cairo_stroke_preserve (cr);
    cairo_set_line_width (cr, 2);
    cairo_set_source_rgb (cr, 1, 1, 1);
    cairo_stroke_preserve (cr);
    set_colour (cr, rgb, 1);
    cairo_fill (cr);
  }
  cairo_restore (cr);
}

GdkRectangle
fs_brush_cursor_bounds (double x, double y, double radius)
{
  double reach = fmax (radius, CROSS_REACH) + MARGIN;
  int x0 = (int)floor (x - reach);
  int y0 = (int)floor (y - reach);
  return (GdkRectangle){ x0, y0, (int)ceil (x + reach) - x0, (int)ceil (y + reach) - y0 };
}

static gboolean
segment_meets (const FsSample *a, const FsSample *b, double radius, const double clip[4])
{
  return fmax (a->x, b->x) + radius >= clip[0] && fmin (a->x, b->x) - radius <= clip[2]
         && fmax (a->y, b->y) + radius >= clip[1] && fmin (a->y, b->y) - radius <= clip[3];
}

void
fs_brush_cursor_draw_trail (cairo_t *cr, const FsSample *samples, guint n, double radius_px,
                            uint32_t rgb)
{
  double clip[4];
  cairo_clip_extents (cr, &clip[0], &clip[1], &clip[2], &clip[3]);
  cairo_save (cr);
  cairo_set_line_width (cr, 2 * radius_px);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_new_path (cr);
  for (guint i = 0; i < n; i++) {
    const FsSample *from = &samples[i > 0 ? i - 1 : 0];
    if (!segment_meets (from, &samples[i], radius_px, clip))
      continue;
    cairo_move_to (cr, from->x, from->y);
    cairo_line_to (cr, samples[i].x, samples[i].y);
  }
  set_colour (cr, rgb, 0.6);
  cairo_stroke (cr);
  cairo_restore (cr);
}
