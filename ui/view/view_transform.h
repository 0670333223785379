/* SPDX-License-Identifier: MIT */
/* Zoom and pan: the photo's position in the widget, a plain value.   Layer: ui (value header).
 *
 * Two coordinate systems. *Widget*: logical pixels, as in events. *Device*: physical pixels of the
 * screen, widget · scale. Zoom is device pixels per image pixel, so that 1 is 1:1 on every screen.
 *
 * Invariants: the offset is a whole number of device pixels, so that panning can move pixels that
 * are already drawn; a photo smaller than the view is centred, a larger one can be panned until
 * half of the view is empty, which helps with painting at its edges.
 *
 * Threads: plain data.
 */
#ifndef FS_UI_VIEW_VIEW_TRANSFORM_H
#define FS_UI_VIEW_VIEW_TRANSFORM_H

#include "app/strokes/stroke.h"

G_BEGIN_DECLS

#define FS_ZOOM_MAX  64.0
#define FS_ZOOM_STEP 1.25

typedef struct {
  int image_width, image_height; /* image pixels, ≥ 1                            */
  int view_width, view_height;   /* widget pixels, ≥ 1                           */
  int scale;                     /* device pixels per widget pixel, ≥ 1          */
  double zoom;                   /* device pixels per image pixel                */
  double x, y;                   /* device position of the photo's corner, whole */
  gboolean fits;                 /* follows the view's size                      */
} FsViewTransform;

/* A photo fitted into a view. */
void fs_view_transform_init (FsViewTransform *t, int image_width, int image_height, int view_width,
                             int view_height, int scale);
/* Sets another size or scale: fits the photo again if it was fitted, else keeps the centre of the
 * view. */
void fs_view_transform_set_view (FsViewTransform *t, int view_width, int view_height, int scale);

void fs_view_transform_fit (FsViewTransform *t);
/* The zoom at which the photo fits the view; small photos are enlarged. */
double fs_view_transform_fit_zoom (const FsViewTransform *t);
double fs_view_transform_min_zoom (const FsViewTransform *t);
/* Sets the zoom, clamped to its range, with the image point under the widget point fixed, as far as
 * the invariants allow. */
void fs_view_transform_zoom_to (FsViewTransform *t, double zoom, double widget_x, double widget_y);
/* Moves the photo by whole device pixels; the caller accumulates fractions. TRUE if it moved. */
gboolean fs_view_transform_pan (FsViewTransform *t, double widget_dx, double widget_dy);

void fs_view_transform_to_image (const FsViewTransform *t, double widget_x, double widget_y,
                                 double *image_x, double *image_y);
void fs_view_transform_to_widget (const FsViewTransform *t, double image_x, double image_y,
                                  double *widget_x, double *widget_y);
/* Converts a length, such as a brush radius. */
double fs_view_transform_length_to_image (const FsViewTransform *t, double widget_length);

/* The device pixels that a rectangle of the photo affects: rounded outwards, extended by the
 * support of a bilinear filter, and clipped to the view. */
FsRect fs_view_transform_damage (const FsViewTransform *t, const FsRect *image_rect);
/* The photo in device pixels, rounded and not clipped to the view. */
FsRect fs_view_transform_photo (const FsViewTransform *t);

G_END_DECLS

#endif
