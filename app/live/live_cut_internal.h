/* SPDX-License-Identifier: MIT */
/* State of a live cut, private to its sources.   Layer: app.
 *
 *   live_cut.c     edits, and the steps
 *   live_inputs.c  inputs of the next step
 *   live_models.c  fits, and which of the two cuts is the front
 *   live_masks.c   solves and previews of the front, and their publication
 *   live_previous_mask.c  the previous masks of strokes
 *
 * Threads: as live_cut.h says.
 */
#ifndef FS_APP_LIVE_LIVE_CUT_INTERNAL_H
#define FS_APP_LIVE_LIVE_CUT_INTERNAL_H

#include "app/cut/cut_state.h"
#include "app/live/fitter.h"
#include "app/live/live_step.h"
#include "app/live/live_types.h"
#include "app/live/mailbox.h"
#include "app/strokes/history.h"
#include "app/strokes/final_masks.h"

G_BEGIN_DECLS

#define FS_UNPUBLISHED G_MAXUINT64

typedef struct _FsLiveCut FsLiveCut;

struct _FsLiveCut {
  FsImage *image;
  FsSettings settings;
  FsHistory *history;
  FsModelCut *front;   /* the one that is shown; NULL while the mask is FAILED or UNMADE */
  FsModelCut *outline; /* with the settings that a growing outline will bring; NULL until made */
  FsModelCut *spare;   /* the front's sibling while no fit runs on it, NULL until the first fit */
  FsFitter *fitter;
  FsMaskState mask; /* of the front */

  FsPixelList *pixels; /* painted, and the front's t-links are not set yet                  */
  FsPixelList *since;  /* painted since the running fit started, and set in the front only  */

  gboolean fit_pending;     /* no fit has been started with the present seeds              */
  int64_t n_fitted[2];      /* seeds of each side that the newest fit was started with     */
  gboolean new_side[2];     /* the growing stroke may be the first of a side               */
  gboolean lacks_outline;   /* there is no memory for `outline`                            */
  gboolean lacks_spare;     /* there is no memory for `spare`: fits happen in place        */
  gboolean publishes_whole; /* the next publication needs every tile, not the changed ones */

  FsFinalMasks final_masks; /* for stability */

  uint8_t *preview; /* [H·W], of the front's t-links while COARSE or PREVIEWED; NULL until needed */

  FsStageNote *note; /* of the front, or NULL */

  guint64 generation;
  guint64 published;     /* FS_UNPUBLISHED: none yet */
  gint64 oldest_edit_us; /* of the edits since the last publication, 0 for none */
};

/* --- live_inputs.c --- */

gboolean fs_live_cut_is_drawing (FsLiveCut *cut);
/* The number of seeds of a side: 0 background, 1 any object. */
int64_t fs_live_cut_n_seeds (FsLiveCut *cut, int side);

/* The present guess; NULL for none. */
FsGuess *fs_live_cut_get_guess (FsLiveCut *cut);
/* TRUE if the growing stroke is the first of a side, and the side's seeds have doubled since the
 * newest fit. */
gboolean fs_live_cut_has_doubled (FsLiveCut *cut);
/* TRUE if the first outline changes the energy: it ends the star (fs_history_refine_settings). */
gboolean fs_live_cut_has_star (FsLiveCut *cut);
/* A set of FsLiveInput. */
guint fs_live_cut_get_inputs (FsLiveCut *cut);

/* --- live_models.c --- */

gboolean fs_live_cut_wants_fit (FsLiveCut *cut);
/* Fits the front itself: for the very first seeds and while the front is cold, since no exact mask
 * is lost then, and where memory for a second cut is short. */
FsStepResult fs_live_cut_fit_in_place (FsLiveCut *cut, const FsProgress *progress, GError **error);
/* If a fit is wanted, starts it on the sibling cut, or in place where memory for that is short. */
FsStepResult fs_live_cut_start_fit (FsLiveCut *cut, const FsProgress *progress, GError **error);
/* Takes an ended fit: its cut becomes the front, or, where the fit is stale, waits for the next. */
FsStepResult fs_live_cut_take_fit (FsLiveCut *cut, GError **error);

/* --- live_masks.c --- */

/* Solves the front within the time of a frame, or publishes a preview of it and goes on solving
 * until an edit comes. */
FsStepResult fs_live_cut_solve (FsLiveCut *cut, const FsLiveInterrupt *interrupt,
                                FsMailbox *mailbox, GError **error);
/* Publishes the front's exact mask, refined or not. */
void fs_live_cut_publish (FsLiveCut *cut, FsMailbox *mailbox);
/* Publishes the empty mask where there are neither seeds nor a guess. The models wait for the first
 * stroke. */
void fs_live_cut_publish_nothing (FsLiveCut *cut, FsMailbox *mailbox);
/* Publishes the preview of the running fit. */
void fs_live_cut_show_fit (FsLiveCut *cut, FsMailbox *mailbox);

/* --- live_previous_mask.c --- */

/* Saves the front's mask, the final one of the present state, as the previous mask of strokes to
 * come. FALSE where none may refer to it, or the limit of saved masks is reached. */
gboolean fs_live_cut_save_mask (FsLiveCut *cut);
/* The previous mask of the last stroke, growing or not; NULL for none. One that is not saved is
 * computed, so that it never depends on how long the person waited between strokes. */
FsStepResult fs_live_cut_find_previous_mask (FsLiveCut *cut, const FsProgress *progress,
                                             FsPreviousMask **previous, GError **error);

G_END_DECLS

#endif
