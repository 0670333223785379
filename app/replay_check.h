/* SPDX-License-Identifier: MIT */
/* Every exact mask of the live loop against a fresh solve.   Layer: app.
 *
 * The check plays the edits into a history of its own, up to the generation that a mask was
 * computed for, and solves that seed map from nothing. Which colour models belong to it:
 *   - a settled mask: those fitted to its own seeds;
 *   - any other: those fitted to the seeds of the generation that the document names
 *     (models_generation), for which a second history follows behind.
 * With stability a settled mask is compared with two cuts, of which the first gives the verdict
 * (energy.h), and kept as fresh solves have it for the strokes that refer to it. A mask that names
 * itself refined is compared with the cuts of a second look at what was solved fresh.
 * Equal means: every pixel of the mask, the energy and the bound. A preview has no equal; it must
 * hold every seed of its generation, so that no mask is counted for an edit that it does not have.
 *
 * Edits are strokes only.
 *
 * Threads: one at a time; a comparison blocks for a whole cold solve.
 */
#ifndef FS_APP_REPLAY_CHECK_H
#define FS_APP_REPLAY_CHECK_H

#include "app/document.h"
#include "app/live.h"

G_BEGIN_DECLS

typedef struct {
  guint n_settled;  /* compared */
  guint n_growing;  /* compared */
  guint n_previews; /* searched for every seed */
} FsReplayCheckCounts;

typedef struct _FsReplayCheck FsReplayCheck;

/* NULL when memory for a mask is short. */
FsReplayCheck *fs_replay_check_new (FsImage *image, const FsSettings *settings);
void fs_replay_check_free (FsReplayCheck *check);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsReplayCheck, fs_replay_check_free)

/* Edits in the order in which the document gets them: begin, extend, end. Samples are not copied
 * and must stay. */
void fs_replay_check_note_edit (FsReplayCheck *check, const FsEdit *edit);

/* Compares the document's present mask, or looks for the seeds in a preview. Errors:
 * FS_REPLAY_ERROR_DIFFERS (replay.h) with what differs where, FS_SOLVER_ERROR; the message names no
 * file. */
gboolean fs_replay_check_document (FsReplayCheck *check, FsDocument *document, GError **error);

FsReplayCheckCounts fs_replay_check_get_counts (FsReplayCheck *check);

G_END_DECLS

#endif
