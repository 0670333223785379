/* SPDX-License-Identifier: MIT */
/* Data and functions that the files of the canvas share: canvas.c (the widget, its document and
 * tools), canvas_damage.c (repaints), canvas_drawing.c, canvas_input.c (events) and canvas_keys.c
 * (the keyboard).   Layer: ui, private. */
#ifndef FS_UI_CANVAS_CANVAS_PRIVATE_H
#define FS_UI_CANVAS_CANVAS_PRIVATE_H

#include "app/live/document.h"
#include "ui/canvas/frame_pace.h"
#include "ui/canvas/guess_tint.h"
#include "ui/canvas/latency_probe.h"
#include "ui/canvas/stroke_input.h"
#include "ui/canvas/tools.h"
#include "ui/view/contour.h"
#include "ui/view/object_map.h"
#include "ui/view/pyramid.h"
#include "ui/view/screen_cache.h"
#include "ui/view/view_transform.h"
#include "ui/view/views.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _FsCanvas FsCanvas;

struct _FsCanvas {
  GtkDrawingArea parent;
  FsTools *tools;

  FsDocument *document;
  FsPyramid *pyramid;
  gboolean has_mask; /* as last shown */
  FsObjectMap *object_map;
  FsViewTransform transform;
  FsScreenCache *cache;
  FsViewScratch scratch;
  FsContour *contour;
  FsGuessTint *tint;      /* until the next mask; NULL: none */
  guint dashes_id, phase; /* the contour's dashes move while the timer runs */

  FsLatencyProbe *probe;
  FsStrokeInput *input;
  guint stroke_button; /* that began the running stroke, 0 without one */
  guint stroke_key;    /* the same for a key of the keyboard's cursor */

  double line_x, line_y; /* image pixels: where the last stroke of a button ended … */
  gboolean has_line;     /* … if there was one: a click with Shift paints a line from there */
  gboolean line_held;    /* Shift is down */

  double pointer_x, pointer_y; /* widget pixels, newest event */
  gboolean pointer_inside;
  GdkRectangle circle; /* where the brush circle was last drawn */
  gboolean space_held;
  gboolean compare_held; /* the key that shows the original */
  double split_x;        /* image pixels: left of it is the original, where the view is split */
  guint pan_button;      /* that moves the photo, 0 without one */
  double hold_x, hold_y; /* image point that stays under the pointer meanwhile */
  GtkGesture *pinch;
  double pinch_zoom;
  FsFramePace *pace;
};

/* canvas_damage.c */

/* Gives input to the document and paints, once, as soon as the pace allows (frame_pace.h). */
void fs_canvas_request_frame (FsCanvas *self);
/* Repaints a rectangle of the photo, and composes it anew where `compose` is set. Returns whether
 * any of it is in view. */
gboolean fs_canvas_invalidate_rect (FsCanvas *self, const FsRect *rect, gboolean compose);
/* Composes and repaints everything. */
void fs_canvas_invalidate_all (FsCanvas *self);
/* Sets a new transform and repaints what that takes: a moved strip, or everything. */
void fs_canvas_change_transform (FsCanvas *self, const FsViewTransform *transform);

/* canvas_drawing.c */

FsView fs_canvas_shown_view (FsCanvas *self);
gboolean fs_canvas_shows_marks (FsCanvas *self);
/* Draws it all: the class's handler. */
gboolean fs_canvas_draw (GtkWidget *widget, cairo_t *cr);
/* Repaints where the brush circle was and is. */
void fs_canvas_update_circle (FsCanvas *self);

/* canvas_input.c */

/* Gives the recorded input to the document and the transform. */
void fs_canvas_apply_input (FsCanvas *self);
void fs_canvas_update_cursor (FsCanvas *self);
/* Connects the two-finger gesture and fills the event handlers of the class. */
void fs_canvas_init_input (FsCanvas *self);
void fs_canvas_class_init_input (GtkWidgetClass *widget_class);
void fs_canvas_end_input (FsCanvas *self);
/* Strokes of a button or a key, at a point of the widget; the caller notes which it was. FALSE
 * where the document refuses. */
gboolean fs_canvas_begin_stroke (FsCanvas *self, const GdkEvent *event, gboolean right, double x,
                                 double y);
/* To where the pointer is. */
void fs_canvas_extend_stroke (FsCanvas *self, const GdkEvent *event);
/* Shift: the line that a click would paint shows. */
void fs_canvas_hold_line (FsCanvas *self, gboolean held);
/* An outline that encloses nearly nothing is taken back instead. */
void fs_canvas_end_stroke (FsCanvas *self);
/* Takes a running stroke back; FALSE when there is none. */
gboolean fs_canvas_cancel_stroke (FsCanvas *self);

/* canvas_keys.c */

void fs_canvas_class_init_keys (GtkWidgetClass *widget_class);

G_END_DECLS

#endif
