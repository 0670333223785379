/* SPDX-License-Identifier: MIT */
/* Edge history: zones that are painted along the border of the mask and changes of the edge's
 * settings (energy/edge/edge_settings.h), with undo and redo.   Layer: app.
 *
 * Its edits stand between the strokes of the mask (history.h): each says how many of these were
 * finished, and not undone, when it was made. So both have one order without being in one list:
 * undo takes back the newest edge edit while it was made after all strokes that are there, else the
 * newest stroke; redo is the reverse.
 *
 * Threads: one thread at a time; edits are immutable and reference counted.
 */
#ifndef FS_APP_STROKES_EDGE_HISTORY_H
#define FS_APP_STROKES_EDGE_HISTORY_H

#include "app/strokes/stroke.h"
#include "energy/edge/edge_settings.h"

G_BEGIN_DECLS

typedef struct {
  FsStroke *zone;          /* a brush or pen whose label is an FsEdgeZone; NULL: settings */
  FsEdgeSettings settings; /* all of them as they are after the change; only without a zone */
  guint after_strokes;
} FsEdgeEdit;

/* Takes a reference to the stroke. */
FsEdgeEdit *fs_edge_edit_new_zone (FsStroke *zone, guint after_strokes);
FsEdgeEdit *fs_edge_edit_new_settings (const FsEdgeSettings *settings, guint after_strokes);
FsEdgeEdit *fs_edge_edit_ref (FsEdgeEdit *edit);
void fs_edge_edit_unref (FsEdgeEdit *edit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsEdgeEdit, fs_edge_edit_unref)

/* An empty list of edits. g_ptr_array_unref. */
GPtrArray *fs_edge_edits_new (void);
/* TRUE if the last of the first n_done edits is to be undone before the last of n_strokes. */
gboolean fs_edge_edits_undo_next (const GPtrArray *edits, guint n_done, guint n_strokes);
/* TRUE if the edit after the first n_done is to be redone before a stroke after n_strokes. */
gboolean fs_edge_edits_redo_next (const GPtrArray *edits, guint n_done, guint n_strokes);

typedef struct _FsEdgeHistory FsEdgeHistory;

FsEdgeHistory *fs_edge_history_new (int width, int height);
void fs_edge_history_free (FsEdgeHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsEdgeHistory, fs_edge_history_free)

/* The edits (FsEdgeEdit): those that count, then those that redo can bring back. Until the next
 * edit. */
const GPtrArray *fs_edge_history_get_edits (FsEdgeHistory *history);
guint fs_edge_history_get_n_done (FsEdgeHistory *history);
/* The default ones before the first change. */
FsEdgeSettings fs_edge_history_get_settings (FsEdgeHistory *history);
/* FsEdgeZone, a byte a pixel, the growing stroke included; NULL where no zone was painted. */
const uint8_t *fs_edge_history_get_zones (FsEdgeHistory *history);
gboolean fs_edge_history_is_drawing (FsEdgeHistory *history);

/* Starts a zone stroke, FS_STROKE_BRUSH or PEN. Only while none grows. FALSE where memory is
 * short. */
gboolean fs_edge_history_begin (FsEdgeHistory *history, FsStrokeShape shape, FsEdgeZone zone,
                                float radius_px);
/* Returns the rectangle that may have changed. */
FsRect fs_edge_history_extend (FsEdgeHistory *history, const FsSample *samples, guint n);
/* Ends the stroke and drops what redo could bring back. FALSE for one without samples, which is
 * removed. */
gboolean fs_edge_history_end (FsEdgeHistory *history, guint after_strokes);
FsRect fs_edge_history_cancel (FsEdgeHistory *history);
/* Adds a change of settings, or, where it `continues` the newest edit, which is one, replaces that.
 * Drops what redo could bring back. */
void fs_edge_history_set_settings (FsEdgeHistory *history, const FsEdgeSettings *settings,
                                   guint after_strokes, gboolean continues);

/* Drops what redo could bring back. */
void fs_edge_history_drop_undone (FsEdgeHistory *history);
/* These undo or redo one edit if it is the next one beside n_strokes; else, and while a stroke
 * grows, FALSE. `damage`: where zones changed; empty after a change of settings. */
gboolean fs_edge_history_undo (FsEdgeHistory *history, guint n_strokes, FsRect *damage);
gboolean fs_edge_history_redo (FsEdgeHistory *history, guint n_strokes, FsRect *damage);

G_END_DECLS

#endif
