/* SPDX-License-Identifier: MIT */
#include "ui/view/view_transform.h"

#include <math.h>

static double
device_width (const FsViewTransform *t)
{
  return (double)t->view_width * t->scale;
}

static double
device_height (const FsViewTransform *t)
{
  return (double)t->view_height * t->scale;
}

/* One axis: clamps the offset for the extents of photo and view. The margin grows continuously from
 * 0, so that nothing jumps when the photo becomes larger than the view. */
static double
place (double offset, double extent, double view)
{
  if (extent <= view)
    return floor ((view - extent) / 2);
  double margin = fmin (extent - view, view / 2);
  return round (CLAMP (offset, view - extent - margin, margin));
}

static void
restore_invariants (FsViewTransform *t)
{
  t->x = place (t->x, t->zoom * t->image_width, device_width (t));
  t->y = place (t->y, t->zoom * t->image_height, device_height (t));
}

void
fs_view_transform_init (FsViewTransform *t, int image_width, int image_height, int view_width,
                        int view_height, int scale)
{
  g_return_if_fail (image_width >= 1 && image_height >= 1);
  *t = (FsViewTransform){
    .image_width = image_width,
    .image_height = image_height,
    .view_width = MAX (view_width, 1),
    .view_height = MAX (view_height, 1),
    .scale = MAX (scale, 1),
  };
  fs_view_transform_fit (t);
}

void
fs_view_transform_set_view (FsViewTransform *t, int view_width, int view_height, int scale)
{
  double image_x, image_y;
  fs_view_transform_to_image (t, t->view_width / 2.0, t->view_height / 2.0, &image_x, &image_y);
  double zoom = t->zoom * MAX (scale, 1) / t->scale;

  t->view_width = MAX (view_width, 1);
  t->view_height = MAX (view_height, 1);
  t->scale = MAX (scale, 1);
  if (t->fits) {
    fs_view_transform_fit (t);
    return;
  }
  t->zoom = CLAMP (zoom, fs_view_transform_min_zoom (t), FS_ZOOM_MAX);
  t->x = device_width (t) / 2 - image_x * t->zoom;
  t->y = device_height (t) / 2 - image_y * t->zoom;
  restore_invariants (t);
}

double
fs_view_transform_fit_zoom (const FsViewTransform *t)
{
  double zoom = fmin (device_width (t) / t->image_width, device_height (t) / t->image_height);
  return fmin (zoom, FS_ZOOM_MAX);
}

double
fs_view_transform_min_zoom (const FsViewTransform *t)
{
  return fmin (fs_view_transform_fit_zoom (t), 1) / 2;
}

void
fs_view_transform_fit (FsViewTransform *t)
{
  t->zoom = fs_view_transform_fit_zoom (t);
  t->fits = TRUE;
  restore_invariants (t);
}

void
fs_view_transform_zoom_to (FsViewTransform *t, double zoom, double widget_x, double widget_y)
{
  double image_x, image_y;
  fs_view_transform_to_image (t, widget_x, widget_y, &image_x, &image_y);
  t->zoom = CLAMP (zoom, fs_view_transform_min_zoom (t), FS_ZOOM_MAX);
  t->x = widget_x * t->scale - image_x * t->zoom;
  t->y = widget_y * t->scale - image_y * t->zoom;
  t->fits = FALSE;
  restore_invariants (t);
}

gboolean
fs_view_transform_pan (FsViewTransform *t, double widget_dx, double widget_dy)
{
  double x = t->x;
  double y = t->y;
  t->x += widget_dx * t->scale;
  t->y += widget_dy * t->scale;
  restore_invariants (t);
  if (x == t->x && y == t->y)
    return FALSE;
  t->fits = FALSE;
  return TRUE;
}

void
fs_view_transform_to_image (const FsViewTransform *t, double widget_x, double widget_y,
                            double *image_x, double *image_y)
{
  *image_x = (widget_x * t->scale - t->x) / t->zoom;
  *image_y = (widget_y * t->scale - t->y) / t->zoom;
}

void
fs_view_transform_to_widget (const FsViewTransform *t, double image_x, double image_y,
                             double *widget_x, double *widget_y)
{
  *widget_x = (image_x * t->zoom + t->x) / t->scale;
  *widget_y = (image_y * t->zoom + t->y) / t->scale;
}

double
fs_view_transform_length_to_image (const FsViewTransform *t, double widget_length)
{
  return widget_length * t->scale / t->zoom;
}

FsRect
fs_view_transform_damage (const FsViewTransform *t, const FsRect *image_rect)
{
  /* The filter's radius is one pixel of the level, which may be a screen pixel or an enlarged image
   * pixel. */
  double reach = fmax (3, t->zoom);
  FsRect view = { 0, 0, t->view_width * t->scale, t->view_height * t->scale };
  FsRect rect = {
    (int)fmax (floor (image_rect->x0 * t->zoom + t->x - reach), 0),
    (int)fmax (floor (image_rect->y0 * t->zoom + t->y - reach), 0),
    (int)fmin (ceil (image_rect->x1 * t->zoom + t->x + reach), view.x1),
    (int)fmin (ceil (image_rect->y1 * t->zoom + t->y + reach), view.y1),
  };
  return fs_rect_intersect (rect, view);
}

FsRect
fs_view_transform_photo (const FsViewTransform *t)
{
  int x = (int)t->x;
  int y = (int)t->y;
  return (FsRect){ x, y, x + (int)fmax (round (t->image_width * t->zoom), 1),
                   y + (int)fmax (round (t->image_height * t->zoom), 1) };
}
