/* SPDX-License-Identifier: MIT */
/* The edge of a document's mask: zones that are painted, and settings.   Layer: app.
 *
 * They are edits of the document like strokes, in one order of undo with them (edge_history.h), and
 * never change the mask. A zone stroke grows and ends as other strokes do:
 * fs_document_extend_stroke, end, cancel. Each change is followed by "edge-changed".
 *
 * Threads: the document's.
 */
#ifndef FS_APP_LIVE_DOCUMENT_EDGE_H
#define FS_APP_LIVE_DOCUMENT_EDGE_H

#include "app/live/document.h"
#include "app/strokes/edge_history.h"

G_BEGIN_DECLS

/* Starts a zone stroke, FS_STROKE_BRUSH or PEN. FALSE while another stroke grows, and where memory
 * is short. */
gboolean fs_document_begin_zone (FsDocument *self, FsStrokeShape shape, FsEdgeZone zone,
                                 float radius_px);
/* One edit; `continues` makes it one with the edit before, if that is a change of settings: while a
 * slider is dragged. FALSE, and nothing is done, while a stroke grows or nothing changes. */
gboolean fs_document_set_edge_settings (FsDocument *self, const FsEdgeSettings *settings,
                                        gboolean continues);
/* An edit that was made before, even if it changes nothing. Only while no stroke grows. */
void fs_document_edit_edge_again (FsDocument *self, const FsEdgeEdit *edit);

FsEdgeSettings fs_document_get_edge_settings (FsDocument *self);
/* FsEdgeZone, a byte a pixel; NULL where there is none. Until the next edit. */
const uint8_t *fs_document_get_zones (FsDocument *self);

/* The edits (FsEdgeEdit): *n_done that count, then those that redo can bring back. Until the next
 * edit. */
const GPtrArray *fs_document_get_edge_edits (FsDocument *self, guint *n_done);

G_END_DECLS

#endif
