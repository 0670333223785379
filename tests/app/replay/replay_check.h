/* SPDX-License-Identifier: MIT */
/* Every exact mask of the live loop against a fresh solve.
 *
 * The check plays the edits into a history of its own, up to the generation that a mask was
 * computed for, and solves that seed map from nothing. Which colour models belong to it:
 *   - a final mask: those fitted to its own seeds;
 *   - any other: those fitted to the seeds of the generation that the document names
 *     (models_generation), for which a second history follows behind.
 * With stability a final mask is compared with two cuts, of which the first is for the locality
 * filter (energy.h), and kept as fresh solves have it for the strokes that refer to it. A mask that
 * names itself refined is compared with the refinement of what was solved fresh. Equal means: every
 * pixel of the mask, the energy and the bound. A preview has no equal; it must hold every seed of
 * its generation, so that no mask is counted for an edit that it does not have.
 *
 * Edits are strokes only.
 *
 * Threads: one at a time; a comparison blocks for a whole cold solve.
 */
#ifndef REPLAY_CHECK_H
#define REPLAY_CHECK_H

#include "app/live/document.h"
#include "app/live/live_thread.h"
#include "app/replay/player.h"

G_BEGIN_DECLS

#define REPLAY_CHECK_ERROR (replay_check_error_quark ())
GQuark replay_check_error_quark (void);

typedef enum { REPLAY_CHECK_ERROR_DIFFERS } ReplayCheckError;

typedef struct {
  guint n_final;    /* compared */
  guint n_growing;  /* compared */
  guint n_previews; /* searched for every seed */
} ReplayCheckCounts;

typedef struct _ReplayCheck ReplayCheck;

/* NULL when memory for a mask is short. */
ReplayCheck *replay_check_new (FsImage *image, const FsSettings *settings);
void replay_check_free (ReplayCheck *check);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReplayCheck, replay_check_free)

/* Edits in the order in which the document gets them: begin, extend, end. Samples are not copied
 * and must stay. */
void replay_check_note_edit (ReplayCheck *check, const FsEdit *edit);

/* Compares the document's present mask, or looks for the seeds in a preview. Errors:
 * REPLAY_CHECK_ERROR_DIFFERS with what differs where, FS_SOLVER_ERROR; the message names no
 * file. */
gboolean replay_check_document (ReplayCheck *check, FsDocument *document, GError **error);

ReplayCheckCounts replay_check_get_counts (ReplayCheck *check);

/* For fs_player_play() with a new document: makes the check at the first edit or mask, and leaves
 * it in `check`, which begins as NULL. */
FsPlayerWatch replay_check_watch (ReplayCheck **check);

G_END_DECLS

#endif
