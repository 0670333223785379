/* SPDX-License-Identifier: MIT */
/* The live cut from inside, for the sources that make it up.   Layer: app.
 *
 *   live_cut.c     edits in, and what a step does
 *   live_models.c  when models are fitted, and which of the two cuts is in front
 *   live_masks.c   solves and previews of the front, and what is published of them
 *   live_previous_mask.c  the previous masks of strokes
 *
 * Nobody else includes this. Threads: as live_cut.h says.
 */
#ifndef FS_APP_LIVE_LIVE_CUT_INTERNAL_H
#define FS_APP_LIVE_LIVE_CUT_INTERNAL_H

#include "app/cut/cut_state.h"
#include "app/live/fitter.h"
#include "app/live/live_cut.h"
#include "app/strokes/history.h"
#include "app/strokes/final_masks.h"

G_BEGIN_DECLS

#define FS_UNPUBLISHED G_MAXUINT64

struct _FsLiveCut {
  FsImage *image;
  FsSettings settings;
  FsHistory *history;
  FsModelCut *front;   /* the one that is shown; NULL while the mask is FAILED or UNMADE */
  FsModelCut *outline; /* with the settings that a growing outline will bring; NULL until made */
  FsModelCut *spare;   /* the front's sibling while no fit runs on it, NULL until the first fit */
  FsFitter *fitter;
  FsMaskState mask; /* of the front */

  FsPixelList *pixels; /* whose label changed since the front's t-links were set  */
  FsPixelList *since;  /* those of which the front has the t-links, but not the running fit */

  gboolean fit_pending;     /* models are wanted for seeds that no fit has got yet         */
  int64_t n_fitted[2];      /* seeds of each side that the newest fit got, running or not  */
  gboolean new_side[2];     /* the growing stroke may be the first of a side               */
  gboolean lacks_outline;   /* there is no memory for `outline`                            */
  gboolean lacks_spare;     /* there is no memory for `spare`: fits happen in place        */
  gboolean publishes_whole; /* the mailbox does not hold the front's mask before this one  */

  FsFinalMasks final_masks; /* for stability */

  uint8_t *preview; /* [H·W], of the front's t-links while COARSE or PREVIEWED; NULL until needed */

  FsStageNote *note; /* of the front, or NULL */

  guint64 generation;
  guint64 published;     /* FS_UNPUBLISHED: none yet */
  gint64 oldest_edit_us; /* of the edits since the last publication, 0 for none */
};

gboolean fs_live_cut_is_drawing (FsLiveCut *cut);
/* A set of FsLiveInput. */
guint fs_live_cut_get_inputs (FsLiveCut *cut);
/* Of a side, 0 the background, 1 any object. */
int64_t fs_live_cut_n_seeds (FsLiveCut *cut, int side);

/* The present guess; NULL for none. */
FsGuess *fs_live_cut_get_guess (FsLiveCut *cut);

/* --- live_models.c --- */

/* Whether the growing stroke's seeds have doubled since the newest fit, on a side that is new. */
gboolean fs_live_cut_has_doubled (FsLiveCut *cut);
gboolean fs_live_cut_wants_fit (FsLiveCut *cut);
/* On the front itself: for the very first seeds and while it is cold, when there is no mask to
 * protect, and where there is no memory for a second cut. */
FsStepResult fs_live_cut_fit_in_place (FsLiveCut *cut, const FsProgress *progress, GError **error);
/* Starts a fit beside the front, or in place where there is no memory for that, if one is wanted.
 */
FsStepResult fs_live_cut_start_fit (FsLiveCut *cut, const FsProgress *progress, GError **error);
/* Takes an ended fit: puts the fitted cut in front, or has it wait for the next fit. */
FsStepResult fs_live_cut_take_fit (FsLiveCut *cut, GError **error);

/* --- live_masks.c --- */

/* Solves the front in time, or shows a preview of it and goes on while no edit waits. */
FsStepResult fs_live_cut_solve (FsLiveCut *cut, const FsLiveInterrupt *interrupt,
                                FsMailbox *mailbox, GError **error);
/* The front's exact mask, refined or not. */
void fs_live_cut_publish (FsLiveCut *cut, FsMailbox *mailbox);
/* Without seeds or a guess there is nothing to cut: the mask is empty, and the models wait for the
 * first stroke. */
void fs_live_cut_publish_nothing (FsLiveCut *cut, FsMailbox *mailbox);
/* The preview of the running fit. */
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
