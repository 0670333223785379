/* SPDX-License-Identifier: MIT */
#include "ui/canvas/canvas_private.h"

void
fs_canvas_request_frame (FsCanvas *self)
{
  fs_frame_pace_request (self->pace);
}

gboolean
fs_canvas_invalidate_rect (FsCanvas *self, const FsRect *rect, gboolean compose)
{
  FsRect device = fs_view_transform_damage (&self->transform, rect);
  if (fs_rect_is_empty (device))
    return FALSE;
  if (compose) {
    fs_screen_cache_invalidate (self->cache, &device);
    fs_contour_invalidate (self->contour, &device);
  }
  int scale = self->transform.scale, x0 = device.x0 / scale, y0 = device.y0 / scale;
  gtk_widget_queue_draw_area (GTK_WIDGET (self), x0, y0, (device.x1 + scale - 1) / scale - x0,
                              (device.y1 + scale - 1) / scale - y0);
  fs_canvas_request_frame (self);
  return TRUE;
}

void
fs_canvas_invalidate_all (FsCanvas *self)
{
  fs_screen_cache_invalidate_all (self->cache);
  fs_contour_invalidate_all (self->contour);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  fs_canvas_request_frame (self);
}

void
fs_canvas_change_transform (FsCanvas *self, const FsViewTransform *transform)
{
  FsViewTransform old = self->transform;
  self->transform = *transform;
  if (old.zoom != transform->zoom) {
    fs_canvas_invalidate_all (self);
    g_object_notify (G_OBJECT (self), "zoom");
    return;
  }
  if (old.x == transform->x && old.y == transform->y)
    return;
  int dx = (int)(transform->x - old.x), dy = (int)(transform->y - old.y);
  fs_screen_cache_scroll (self->cache, dx, dy);
  fs_contour_scroll (self->contour, dx, dy);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  fs_canvas_request_frame (self);
}
