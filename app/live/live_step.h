/* SPDX-License-Identifier: MIT */
/* State machine of the live loop: states, inputs, and the step that comes next.   Layer: app.
 *
 * fs_live_next_step alone decides: there is work while it gives a step. docs/architecture.md has a
 * diagram and a table, docs/decisions/live-machine.md the reasons.
 *
 * Threads: plain data, pure functions.
 */
#ifndef FS_APP_LIVE_LIVE_STEP_H
#define FS_APP_LIVE_LIVE_STEP_H

#include "app/live/live_stage.h"

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  FS_MASK_FAILED,    /* a step has failed: nothing is tried before the next edit             */
  FS_MASK_UNMADE,    /* there is no cut                                                      */
  FS_MASK_EMPTY,     /* the cut has no models yet: there has been no evidence                */
  FS_MASK_COLD,      /* a solve may take long, and its links have not been previewed         */
  FS_MASK_COARSE,    /* a solve may take long; the preview has levels that are left in blocks */
  FS_MASK_PREVIEWED, /* a solve may take long; the preview is as fine as previews get        */
  FS_MASK_CHANGED,   /* some links have changed since the last solve                         */
  FS_MASK_EXACT,     /* solved; new models or a refinement are still to come                 */
  FS_MASK_FINAL,     /* solved, refined where that is wanted, and published as final       */
} FsMaskState;

typedef enum {
  FS_FIT_NONE,
  FS_FIT_RUNNING, /* cancelled or not                                 */
  FS_FIT_READY,   /* has ended                                        */
  FS_FIT_STALE,   /* has ended, but was cancelled: it is not to be shown */
} FsFitState;

/* The other inputs of the decision, as a set of bits. A new source of evidence is one more bit, in
 * FS_LIVE_EVIDENCE. */
typedef enum {
  FS_LIVE_SEEDS = 1 << 0,       /* strokes have left seeds                                       */
  FS_LIVE_GUESS = 1 << 1,       /* there is a first guess                                        */
  FS_LIVE_SHOWN = 1 << 2,       /* a mask of the newest generation has been published            */
  FS_LIVE_PAINTED = 1 << 3,     /* labels have changed, and their t-links are not set yet        */
  FS_LIVE_UNFITTED = 1 << 4,    /* no fit has been started with the present seeds                */
  FS_LIVE_DRAWING = 1 << 5,     /* a stroke grows                                                */
  FS_LIVE_NEW_SIDE = 1 << 6,    /* the growing stroke may be the first of its side               */
  FS_LIVE_DOUBLED = 1 << 7,     /* it is, and its seeds have doubled since the newest fit        */
  FS_LIVE_OUTLINE = 1 << 8,     /* it is the first outline, and the cut it needs is not made yet */
  FS_LIVE_FIT_PREVIEW = 1 << 9, /* the fit has a preview of the seeds that the shown cut has     */
  FS_LIVE_REFINABLE = 1 << 10,  /* the solved mask's border is to be refined                     */
} FsLiveInput;

enum { FS_LIVE_EVIDENCE = FS_LIVE_SEEDS | FS_LIVE_GUESS, FS_LIVE_N_INPUTS = 11 };

typedef enum {
  FS_LIVE_STEP_NONE,
  FS_LIVE_STEP_MAKE,         /* the cut, and its n-links                                        */
  FS_LIVE_STEP_MAKE_OUTLINE, /* the cut that a growing outline will need                        */
  FS_LIVE_STEP_CLEAR,        /* publish the empty mask                                          */
  FS_LIVE_STEP_SHOW_FIT,     /* publish the preview of the fit                                  */
  FS_LIVE_STEP_REFINE,       /* refine the border, publish                                      */
  FS_LIVE_STEP_TAKE_FIT,     /* show the fitted cut, or keep a stale one's cut for the next fit */
  FS_LIVE_STEP_FIT,          /* fit the shown cut itself                                        */
  FS_LIVE_STEP_UPDATE,       /* change t-links, solve, publish, start a fit                     */
} FsLiveStep;

static inline gboolean
fs_mask_is_cold (FsMaskState mask)
{
  return mask == FS_MASK_COLD || mask == FS_MASK_COARSE || mask == FS_MASK_PREVIEWED;
}

/* The state after some links have changed. A cold mask stays cold, for its preview is old now. */
FsMaskState fs_mask_after_change (FsMaskState mask);

/* TRUE if new models are to be fitted now. While a stroke grows the models stay as they are, except
 * that the first stroke of a side, which has no models, gets them from its first samples and again
 * whenever its seeds have doubled. */
gboolean fs_live_wants_fit (guint inputs);

/* TRUE if a solved mask is final: its models are those of the present seeds, no fit is under way,
 * and no refinement is to come. */
gboolean fs_live_is_final (FsFitState fit, guint inputs);

/* The next step; there is work exactly while it is not FS_LIVE_STEP_NONE. */
FsLiveStep fs_live_next_step (FsMaskState mask, FsFitState fit, guint inputs);

/* TRUE if the step publishes nothing: the next one follows before other edits are looked at. */
gboolean fs_live_step_prepares (FsLiveStep step);

typedef enum {
  FS_STEP_DONE,
  FS_STEP_AGAIN, /* interrupted, or done in part: there is more to do. Not an error */
  FS_STEP_FAILED /* an error is set */
} FsStepResult;

/* Interrupts of a running step, set from the owner's thread. */
typedef struct {
  atomic_bool newer;     /* an edit has come                                           */
  atomic_bool overtaken; /* an edit has come for which fs_edit_overtakes() holds       */
  FsStageBoard *board;   /* gets the stages; may be NULL. Borrowed for the cut's life  */
} FsLiveInterrupt;

/* The result of a call that may have been cancelled. Takes `failure`, which is NULL when `done`:
 * FS_SOLVER_ERROR_CANCELLED is FS_STEP_AGAIN, anything else goes to `error`. */
FsStepResult fs_step_result (gboolean done, GError *failure, GError **error);

G_END_DECLS

#endif
