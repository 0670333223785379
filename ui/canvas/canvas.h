/* SPDX-License-Identifier: MIT */
/* The widget with the photo on it: shows a document, moves about in it, paints on it.   Layer: ui.
 *
 * Input (canvas_input.c) only records; once a frame the recorded samples go to the document, the
 * marks they leave come back by signal, and the rectangles that changed are painted in that same
 * frame. Masks are painted when they arrive. The canvas never waits and never solves.
 *
 * Left button: the tool; right: what the tools say (tools.h); middle, or left with Space held or
 * with the hand: moves the photo; wheel: moves, with Ctrl zooms at the pointer; two fingers: both.
 * Escape takes a running stroke back. Without a mouse the arrow keys move a cursor that paints
 * while Enter is held (canvas_keys.c).
 *
 * Property: "zoom" (double, read only, notify): screen pixels per image pixel, 0 without a photo.
 * Signal: "stroke-ended" (): a stroke was finished, not cancelled.
 * Threads: the main one.
 */
#ifndef FS_UI_CANVAS_CANVAS_H
#define FS_UI_CANVAS_CANVAS_H

#include "app/live/document.h"
#include "ui/canvas/latency_probe.h"
#include "ui/canvas/tools.h"
#include "ui/view/object_map.h"
#include "ui/view/pyramid.h"
#include "ui/view/view_transform.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_CANVAS (fs_canvas_get_type ())
G_DECLARE_FINAL_TYPE (FsCanvas, fs_canvas, FS, CANVAS, GtkDrawingArea)

/* Once, before the first document. */
void fs_canvas_set_tools (FsCanvas *self, FsTools *tools);

/* Shows another document, fitted. Takes a reference to it and owns the pyramid, which must be that
 * of its image. Both NULL: empty. A running stroke ends. */
void fs_canvas_set_document (FsCanvas *self, FsDocument *document, FsPyramid *pyramid);

/* The one that it shows, or NULL. */
FsDocument *fs_canvas_get_document (FsCanvas *self);

/* Shows the document's new guess at once, until the mask that follows from it is there. Marks
 * alone, which would show neither, give way to the overlay. */
void fs_canvas_show_guess (FsCanvas *self, const FsGuess *guess);

/* The photo's place; of no meaning without a document. */
const FsViewTransform *fs_canvas_get_transform (FsCanvas *self);

void fs_canvas_zoom_step (FsCanvas *self, gboolean in);
void fs_canvas_zoom_fit (FsCanvas *self);
void fs_canvas_zoom_original (FsCanvas *self);

/* The object map. Owned by the canvas. */
FsObjectMap *fs_canvas_get_object_map (FsCanvas *self);

/* The canvas's measurements of its latency. Owned by the canvas. */
FsLatencyProbe *fs_canvas_get_probe (FsCanvas *self);

/* Device pixels composed so far: what tests of damage look at. */
guint64 fs_canvas_get_painted (FsCanvas *self);

/* Returns whether input waits to be worked out and painted (ui/canvas/frame_pace.h). */
gboolean fs_canvas_awaits_frame (FsCanvas *self);

G_END_DECLS

#endif
