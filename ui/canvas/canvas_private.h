/* SPDX-License-Identifier: MIT */
/* Data and functions that the files of the canvas share: canvas.c (the widget, its document and
 * tools), canvas_damage.c (repaints), canvas_drawing.c, canvas_input.c (events) and canvas_keys.c
 * (the keyboard).   Layer: ui, private. */
#ifndef FS_UI_CANVAS_CANVAS_PRIVATE_H
#define FS_UI_CANVAS_CANVAS_PRIVATE_H

#include "app/edge/live_edge.h"
#include "app/live/document.h"
#include "ui/canvas/frame_pace.h"
#include "ui/canvas/guess_tint.h"
#include "ui/canvas/latency_probe.h"
#include "ui/canvas/stroke_input.h"
#include "ui/canvas/tools.h"
#include "ui/view/contour.h"
#include "ui/view/edge_levels.h"
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
  gboolean has_mask;    /* as last shown */
  gboolean zones_shown; /* by view and tool */
  FsObjectMap *object_map;
  FsLiveEdge *edge;          /* of the document */
  FsEdgeLevels *edge_levels; /* the same for the pyramid */
  FsViewTransform transform;
  FsScreenCache *cache;
  FsViewScratch scratch;
  FsContour *contour;
  FsGuessTint *tint;      /* shown until the next mask; or NULL */
  guint dashes_id, phase; /* the contour's dashes move while the timer runs */

  FsLatencyProbe *probe;
  FsStrokeInput *input;
  guint stroke_button; /* the mouse button of the running stroke, or 0 */
  guint stroke_key;    /* the same for a key, with the keyboard's cursor */

  double line_x, line_y; /* image pixels: where the last stroke of a button ended … */
  gboolean has_line;     /* … if there was one: a click with Shift paints a line from there */
  gboolean line_held;    /* Shift is down */

  double pointer_x, pointer_y; /* widget pixels, newest event */
  gboolean pointer_inside;
  gboolean cursor_by_keys; /* an arrow key moved the cursor last */
  GdkRectangle circle;     /* the bounds of the brush circle as last drawn */
  gboolean space_held;
  gboolean compare_held; /* the key that shows the original */
  double split_x;        /* image pixels: left of it is the original, where the view is split */
  guint pan_button;      /* the mouse button of the running pan, or 0 */
  double hold_x, hold_y; /* the image point under the pointer during a pan */
  GtkGesture *pinch;
  double pinch_zoom;
  FsFramePace *pace;
};

/* canvas_damage.c */

/* Handles recorded input and paints, once, as soon as frame_pace.h allows. */
void fs_canvas_request_frame (FsCanvas *self);
/* Queues a redraw of a rectangle of the photo; with `compose` its pixels are composed again. TRUE
 * if any of it is in view. */
gboolean fs_canvas_invalidate_rect (FsCanvas *self, const FsRect *rect, gboolean compose);
/* Composes and repaints everything. */
void fs_canvas_invalidate_all (FsCanvas *self);
/* Sets a new transform and repaints: the uncovered strip of a pan, or everything. */
void fs_canvas_change_transform (FsCanvas *self, const FsViewTransform *transform);

/* canvas_drawing.c */

FsView fs_canvas_shown_view (FsCanvas *self);
gboolean fs_canvas_shows_marks (FsCanvas *self);
gboolean fs_canvas_shows_zones (FsCanvas *self);
/* Draws the canvas; the class's `draw`. */
gboolean fs_canvas_draw (GtkWidget *widget, cairo_t *cr);
/* Redraws the brush circle at its old and new positions. */
void fs_canvas_update_circle (FsCanvas *self);

/* canvas_input.c */

/* Gives the recorded input to the document and the transform. */
void fs_canvas_apply_input (FsCanvas *self);
void fs_canvas_update_cursor (FsCanvas *self);
/* Connects the two-finger gesture and fills the event handlers of the class. */
void fs_canvas_init_input (FsCanvas *self);
void fs_canvas_class_init_input (GtkWidgetClass *widget_class);
void fs_canvas_end_input (FsCanvas *self);
/* Begins a stroke, of a button or a key, at a point of the widget; the caller stores which one.
 * FALSE if the document refuses. */
gboolean fs_canvas_begin_stroke (FsCanvas *self, const GdkEvent *event, gboolean right, double x,
                                 double y);
/* Extends the stroke to the pointer. */
void fs_canvas_extend_stroke (FsCanvas *self, const GdkEvent *event);
/* Sets whether Shift is held, which shows the line that a click would paint. */
void fs_canvas_hold_line (FsCanvas *self, gboolean held);
/* Ends the stroke. Cancels it if it is an outline that encloses nearly nothing. */
void fs_canvas_end_stroke (FsCanvas *self);
/* Cancels the running stroke; FALSE if there is none. */
gboolean fs_canvas_cancel_stroke (FsCanvas *self);

/* canvas_keys.c */

void fs_canvas_class_init_keys (GtkWidgetClass *widget_class);

G_END_DECLS

#endif
