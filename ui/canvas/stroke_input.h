/* SPDX-License-Identifier: MIT */
/* Input of the stroke being painted: pointer events in, samples for the document out.   Layer: ui.
 *
 * Event handlers append samples at any rate; flush(), called once per frame, gives them to the
 * document in one call. No sample is dropped or merged. Handlers only append, since motion events
 * are not compressed and a slow handler would lag behind the pen. Brush strokes get points between
 * distant samples (stroke_smoothing.h). A box has its first and its newest sample, the ends of a
 * diagonal, and becomes an outline when it ends.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_CANVAS_STROKE_INPUT_H
#define FS_UI_CANVAS_STROKE_INPUT_H

#include "app/live/document.h"

G_BEGIN_DECLS

typedef struct _FsStrokeInput FsStrokeInput;

typedef enum { FS_TRAIL_BRUSH, FS_TRAIL_PEN, FS_TRAIL_LASSO, FS_TRAIL_BOX } FsTrail;

/* The parameters of a stroke; `label` and `radius_px` are for brushes. */
typedef struct {
  FsTrail trail;
  gboolean is_zone; /* `label` is an FsEdgeZone: a stroke of the edge (document_edge.h) */
  uint8_t label;
  float radius_px;     /* image pixels */
  double tolerance_px; /* of smoothing, image pixels */
} FsStrokeStart;

FsStrokeInput *fs_stroke_input_new (void);
void fs_stroke_input_free (FsStrokeInput *input);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsStrokeInput, fs_stroke_input_free)

/* Starts a stroke; FALSE if the document refuses. Holds a reference to the document until the
 * stroke ends. `time_ms` is the event's clock. */
gboolean fs_stroke_input_begin (FsStrokeInput *input, FsDocument *document,
                                const FsStrokeStart *start, guint32 time_ms);
/* Image pixels. Ignored while no stroke is being painted. */
void fs_stroke_input_append (FsStrokeInput *input, double x, double y, double pressure,
                             guint32 time_ms);
void fs_stroke_input_flush (FsStrokeInput *input);
/* Flushes and ends. */
void fs_stroke_input_end (FsStrokeInput *input);
void fs_stroke_input_cancel (FsStrokeInput *input);

gboolean fs_stroke_input_is_active (const FsStrokeInput *input);
/* The parameters of the running stroke, or of the last one. */
const FsStrokeStart *fs_stroke_input_get_start (const FsStrokeInput *input);
/* All samples of the running stroke, flushed or not. */
const FsSample *fs_stroke_input_get_samples (const FsStrokeInput *input, guint *n);

G_END_DECLS

#endif
