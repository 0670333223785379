/* SPDX-License-Identifier: MIT */
#include "ui/canvas/canvas_private.h"

#include "ui/canvas/brush_cursor.h"
#include "ui/canvas/lasso_drawing.h"
#include <math.h>

FsView
fs_canvas_shown_view (FsCanvas *self)
{
  return fs_tools_get_style (self->tools).view;
}

gboolean
fs_canvas_shows_marks (FsCanvas *self)
{
  FsView view = fs_canvas_shown_view (self);
  return view == FS_VIEW_MARKS || view == FS_VIEW_OVERLAY;
}

gboolean
fs_canvas_shows_zones (FsCanvas *self)
{
  FsViewStyle style = fs_tools_get_style (self->tools);
  return fs_view_shows_zones (&style);
}

/* The device column of the split, which moves with the photo; 0 without one. */
static int
split_column (FsCanvas *self)
{
  if (!fs_tools_get_split (self->tools))
    return 0;
  return (int)floor (self->transform.x + self->split_x * self->transform.zoom + 0.5);
}

static void
compose_area (FsCanvas *self, cairo_t *cr, FsRect device, FsView view)
{
  FsViewStyle style = fs_tools_get_style (self->tools);
  style.view = view;
  if (!fs_rect_is_empty (device))
    fs_view_paint (self->pyramid, &style, &self->transform, &device, &self->scratch, cr);
}

static void
compose_rect (cairo_t *cr, const FsRect *device, gpointer user_data)
{
  FsCanvas *self = user_data;
  int column = CLAMP (split_column (self), device->x0, device->x1);
  FsRect before = *device, after = *device;
  before.x1 = after.x0 = column;
  compose_area (self, cr, before, FS_VIEW_ORIGINAL);
  compose_area (self, cr, after, fs_canvas_shown_view (self));
}

/* Draws the line in device pixels, black and white, so that it is visible on any photo. */
static void
draw_split (FsCanvas *self, cairo_t *cr)
{
  if (!fs_tools_get_split (self->tools))
    return;
  FsRect photo = fs_view_transform_photo (&self->transform);
  int column = split_column (self), scale = self->transform.scale;
  for (int side = 0; side < 2; side++) {
    cairo_set_source_rgb (cr, side, side, side);
    cairo_rectangle (cr, column - side * scale, photo.y0, scale, photo.y1 - photo.y0);
    cairo_fill (cr);
  }
}

/* Draws only in the contour view. */
static void
draw_contour (FsCanvas *self, cairo_t *cr)
{
  if (fs_canvas_shown_view (self) != FS_VIEW_CONTOUR)
    return;
  const FsViewTransform *t = &self->transform;
  int column = MAX (split_column (self), 0);
  cairo_save (cr);
  cairo_rectangle (cr, column, 0, MAX (t->view_width * t->scale - column, 0),
                   t->view_height * t->scale);
  cairo_clip (cr);
  fs_contour_draw (self->contour, cr, self->pyramid, t, self->phase);
  cairo_restore (cr);
}

static void
blit_cache (FsCanvas *self, cairo_t *cr)
{
  cairo_surface_t *surface = fs_screen_cache_update (self->cache, compose_rect, self);
  if (surface == NULL)
    return;
  double scale = self->transform.scale;
  cairo_save (cr);
  cairo_scale (cr, 1 / scale, 1 / scale);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_paint (cr);
  cairo_set_operator (cr, CAIRO_OPERATOR_OVER);
  draw_contour (self, cr);
  draw_split (self, cr);
  cairo_restore (cr);
}

/* ---- Strokes ---- */

static uint32_t
stroke_colour (FsCanvas *self, gboolean is_zone, uint8_t label)
{
  return is_zone ? fs_view_zone_colour (label) : fs_tools_get_labels (self->tools)->rgb[label];
}

static gboolean
is_outline (const FsStrokeStart *start)
{
  return start->trail == FS_TRAIL_LASSO || start->trail == FS_TRAIL_BOX;
}

/* Views without marks show the stroke itself while it is painted; otherwise it would be invisible.
 */
static void
draw_trail (FsCanvas *self, cairo_t *cr)
{
  guint n;
  const FsSample *samples = fs_stroke_input_get_samples (self->input, &n);
  const FsStrokeStart *start = fs_stroke_input_get_start (self->input);
  gboolean is_shown = start->is_zone ? fs_canvas_shows_zones (self) : fs_canvas_shows_marks (self);
  if (n == 0 || is_shown || is_outline (start))
    return;
  double scale = self->transform.scale;
  cairo_save (cr);
  cairo_scale (cr, 1 / scale, 1 / scale);
  cairo_translate (cr, self->transform.x, self->transform.y);
  cairo_scale (cr, self->transform.zoom, self->transform.zoom);
  fs_brush_cursor_draw_trail (cr, samples, n, start->radius_px,
                              stroke_colour (self, start->is_zone, start->label));
  cairo_restore (cr);
}

/* Draws the running outline in every view, the finished one in views with marks. */
static void
draw_outline (FsCanvas *self, cairo_t *cr)
{
  guint n;
  const FsSample *samples = fs_stroke_input_get_samples (self->input, &n);
  const FsStrokeStart *start = fs_stroke_input_get_start (self->input);
  if (n > 0 && is_outline (start)) {
    fs_lasso_drawing_draw (cr, &self->transform, samples, n, start->trail == FS_TRAIL_BOX, TRUE);
    return;
  }
  const FsStroke *outline = fs_document_get_outline (self->document);
  if (outline != NULL && fs_canvas_shows_marks (self))
    fs_lasso_drawing_draw (cr, &self->transform, (const FsSample *)(gpointer)outline->samples->data,
                           outline->samples->len, FALSE, FALSE);
}

/* ---- The brush circle ---- */

/* Widget pixels. */
static double
circle_radius (FsCanvas *self)
{
  double radius = fs_tools_get_brush_size (self->tools) / 2.0;
  if (fs_tools_get_fixed_size (self->tools))
    radius *= self->transform.zoom / self->transform.scale;
  return radius;
}

static gboolean
circle_is_visible (FsCanvas *self)
{
  return self->document != NULL && self->pointer_inside && fs_tools_paints (self->tools)
         && !self->space_held && self->pan_button == 0;
}

static void
draw_circle (FsCanvas *self, cairo_t *cr)
{
  if (!circle_is_visible (self))
    return;
  if (self->line_held && self->has_line && self->stroke_button == 0) {
    double x, y;
    fs_view_transform_to_widget (&self->transform, self->line_x, self->line_y, &x, &y);
    fs_brush_cursor_draw_line (cr, x, y, self->pointer_x, self->pointer_y);
  }
  gboolean right = self->stroke_button == GDK_BUTTON_SECONDARY;
  fs_brush_cursor_draw (cr, self->pointer_x, self->pointer_y, circle_radius (self),
                        stroke_colour (self, fs_tools_paints_zones (self->tools),
                                       fs_tools_get_label (self->tools, right)));
}

void
fs_canvas_update_circle (FsCanvas *self)
{
  GdkRectangle old = self->circle;
  self->circle = (GdkRectangle){ 0 };
  if (circle_is_visible (self))
    self->circle = fs_brush_cursor_bounds (self->pointer_x, self->pointer_y, circle_radius (self));
  if (gdk_rectangle_equal (&old, &self->circle) && old.width == 0)
    return;
  gtk_widget_queue_draw_area (GTK_WIDGET (self), old.x, old.y, old.width, old.height);
  gtk_widget_queue_draw_area (GTK_WIDGET (self), self->circle.x, self->circle.y, self->circle.width,
                              self->circle.height);
}

/* ---- The canvas ---- */

gboolean
fs_canvas_draw (GtkWidget *widget, cairo_t *cr)
{
  FsCanvas *self = (FsCanvas *)widget;
  if (self->document == NULL)
    return FALSE;
  blit_cache (self, cr);
  if (self->tint != NULL)
    fs_guess_tint_draw (self->tint, cr, &self->transform, fs_tools_get_style (self->tools));
  draw_trail (self, cr);
  draw_outline (self, cr);
  draw_circle (self, cr);
  return FALSE;
}
