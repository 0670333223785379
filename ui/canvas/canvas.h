/* SPDX-License-Identifier: MIT */
/* Canvas widget: shows a document, with zoom, pan and painting.   Layer: ui.
 *
 * Event handlers (canvas_input.c) only record samples. Once per frame these are given to the
 * document, whose signal reports the changed marks, and the changed rectangles are painted in the
 * same frame. Masks are painted when they arrive. The canvas never waits and never solves.
 *
 * Left button: the tool. Right button: as set in tools.h. Middle button, or left with Space or the
 * hand tool: pan. Wheel: pan, with Ctrl zoom at the pointer. Two fingers: both. Escape cancels a
 * running stroke. For use without a mouse the arrow keys move a cursor that paints while Enter is
 * held (canvas_keys.c).
 *
 * Property: "zoom" (double, read only, notify): screen pixels per image pixel, 0 without a photo.
 * Signal: "stroke-ended" (): a stroke was finished, not cancelled.
 * Threads: the main one.
 */
#ifndef FS_UI_CANVAS_CANVAS_H
#define FS_UI_CANVAS_CANVAS_H

#include "app/edge/live_edge.h"
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

/* Call it once, before the first document. */
void fs_canvas_set_tools (FsCanvas *self, FsTools *tools);

/* Shows another document, fitted to the view. Takes a reference to the document and ownership of
 * the pyramid, which must be that of its image. Both NULL: shows nothing. A running stroke ends. */
void fs_canvas_set_document (FsCanvas *self, FsDocument *document, FsPyramid *pyramid);

/* The document that is shown, or NULL. */
FsDocument *fs_canvas_get_document (FsCanvas *self);

/* Shows the document's new guess until the first mask computed with it arrives. Switches from the
 * marks view, which would show neither, to the overlay. */
void fs_canvas_show_guess (FsCanvas *self, const FsGuess *guess);

/* TRUE from an arrow key until the pointer moves, Escape, or another document: Enter paints. */
gboolean fs_canvas_has_key_cursor (FsCanvas *self);

/* Zoom and position of the photo; undefined without a document. */
const FsViewTransform *fs_canvas_get_transform (FsCanvas *self);

void fs_canvas_zoom_step (FsCanvas *self, gboolean in);
void fs_canvas_zoom_fit (FsCanvas *self);
void fs_canvas_zoom_original (FsCanvas *self);

/* The object map. Owned by the canvas. */
FsObjectMap *fs_canvas_get_object_map (FsCanvas *self);

/* The edge of the document's mask as it is shown; NULL without a document. Owned by the canvas. */
FsLiveEdge *fs_canvas_get_edge (FsCanvas *self);

/* The canvas's measurements of its latency. Owned by the canvas. */
FsLatencyProbe *fs_canvas_get_probe (FsCanvas *self);

/* The number of device pixels composed so far, for tests of damage. */
guint64 fs_canvas_get_painted (FsCanvas *self);

/* TRUE if there is input that has not been handled and painted yet (ui/canvas/frame_pace.h). */
gboolean fs_canvas_awaits_frame (FsCanvas *self);

G_END_DECLS

#endif
