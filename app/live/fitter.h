/* SPDX-License-Identifier: MIT */
/* Fit of new colour models on a sibling cut, in parallel with the shown one.   Layer: app.
 *
 * A fit changes most t-links of the photo, and its solve may take seconds. So it runs on a thread
 * of its own, on a snapshot of the seeds and a sibling cut, while the shown cut follows the brush.
 * When it has ended the solver thread takes the cut over and adds what was painted meanwhile.
 *
 * Threads: all functions on one thread (the live loop's); `done` comes on the fitter's.
 */
#ifndef FS_APP_LIVE_FITTER_H
#define FS_APP_LIVE_FITTER_H

#include "app/cut/cut_state.h"
#include "app/live/live_stage.h"
#include "app/live/live_step.h"

G_BEGIN_DECLS

typedef struct _FsFitter FsFitter;

/* `done` is called when a preview is there, and when a fit has ended, failed or not. */
FsFitter *fs_fitter_new (void (*done) (gpointer user_data), gpointer user_data);
/* Cancels a running fit and waits for its end, a few milliseconds. */
void fs_fitter_free (FsFitter *fitter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFitter, fs_fitter_free)

/* Gets the stages of fits that start from now on; may be NULL. Borrowed for the fitter's life. */
void fs_fitter_set_note (FsFitter *fitter, FsStageNote *note);
/* Starts a fit to a copy of `seeds` on `cut`; takes the cut and `previous` (may be NULL). Only
 * while idle. FALSE when memory for the copy or the thread is short: the cut is then freed. */
gboolean fs_fitter_start (FsFitter *fitter, FsModelCut *cut, const FsSeedMap *seeds,
                          FsPreviousMask *previous);

/* The preview of the running fit, W·H bytes; only the first call gets it. NULL where there is none
 * yet, and where the fit has been cancelled or taken. Valid until the next start. */
const uint8_t *fs_fitter_take_preview (FsFitter *fitter);

/* TRUE if fs_fitter_take_preview would give one. */
gboolean fs_fitter_has_preview (FsFitter *fitter);

FsFitState fs_fitter_get_state (FsFitter *fitter);
/* Cancels the fit, if there is one. One that has ended already becomes FS_FIT_STALE too. */
void fs_fitter_cancel (FsFitter *fitter);
/* Cancels the fit, and frees its cut when it has ended. */
void fs_fitter_abandon (FsFitter *fitter);

/* Gives back the cut of an ended fit (FS_FIT_READY, FS_FIT_STALE), in a valid state; NULL if it was
 * abandoned. FS_STEP_DONE: the fit may be used. FS_STEP_AGAIN: it was cancelled. FS_STEP_FAILED: it
 * failed with `error`. */
FsStepResult fs_fitter_take (FsFitter *fitter, FsModelCut **cut, GError **error);

G_END_DECLS

#endif
