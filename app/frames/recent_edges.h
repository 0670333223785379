/* SPDX-License-Identifier: MIT */
/* Edges of a run's cut-outs, steady from frame to frame (steady_alpha.h).   Layer: app.
 *
 * Keeps pictures, masks and alphas of the last frames; those that an earlier run has cut are read
 * and computed when they are needed. A frame after a missing number, after one without the object,
 * or with strokes of its own has no previous frames. Zones of a session's edge move with the object
 * until the next session (moved_zones.h).
 *
 * Threads: one at a time; blocks.
 */
#ifndef FS_APP_FRAMES_RECENT_EDGES_H
#define FS_APP_FRAMES_RECENT_EDGES_H

#include "app/frames/frames_folder.h"

G_BEGIN_DECLS

typedef struct FsRecentEdges FsRecentEdges;

/* All is borrowed. `photo`: as fs_frame_strokes_load_session takes it. */
FsRecentEdges *fs_recent_edges_new (const FsFramesFolder *masks, const FsFramesFolder *cutouts,
                                    const char *photo);
void fs_recent_edges_free (FsRecentEdges *self);

/* Strokes that a person has painted on a frame. */
typedef struct {
  const char *path; /* borrowed; NULL: none */
  gboolean is_session;
  const char *sum; /* copied */
} FsRecentStrokes;

/* The next frame of the run has its turn. */
void fs_recent_edges_begin (FsRecentEdges *self, FsFrame *frame, FsRecentStrokes strokes);
/* Forgets all frames before it. */
void fs_recent_edges_forget (FsRecentEdges *self);
/* TRUE if zones were painted on the last frame with a session, this one included: there is an edge
 * then, whatever the settings. */
gboolean fs_recent_edges_has_zones (const FsRecentEdges *self);
/* Appends the sums of the frames before it that its cut-out is made of; nothing without any. */
void fs_recent_edges_append_sums (const FsRecentEdges *self, GString *all);
/* Computes its edge: width·height words, as FsExport has them; g_free. `picture` is of this frame,
 * with marks where it has strokes. Errors: FS_FRAMES_ERROR_FRAME where memory is short, and those
 * of reading the frames before. */
uint32_t *fs_recent_edges_make (FsRecentEdges *self, const FsFramesPicture *picture,
                                GError **error);
/* It has a mask, which is recorded. */
void fs_recent_edges_end (FsRecentEdges *self);

G_END_DECLS

#endif
