/* SPDX-License-Identifier: MIT */
/* New colour models on a second cut, while the first goes on following the brush.   Layer: app.
 *
 * A fit changes most t-links of the photo, and its solve may take seconds on a large and hard one.
 * It therefore runs on a thread of its own, on a snapshot of the seeds and a sibling cut; the
 * solver thread takes it over when it is done and adds what was painted meanwhile.
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

/* `done` is called when a preview is there, and when a fit has ended, in whatever way. */
FsFitter *fs_fitter_new (void (*done) (gpointer user_data), gpointer user_data);
/* Cancels, and waits the few milliseconds that it takes to be noticed. */
void fs_fitter_free (FsFitter *fitter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFitter, fs_fitter_free)

/* Where fits that start from now on note what they are at; NULL: nowhere. Outlives the fitter. */
void fs_fitter_set_note (FsFitter *fitter, FsStageNote *note);
/* Starts a fit to a copy of `seeds` on `cut`; takes the cut and `previous` (may be NULL). Only
 * while idle. FALSE when memory for the copy or the thread is short: the cut is then freed. */
gboolean fs_fitter_start (FsFitter *fitter, FsModelCut *cut, const FsSeedMap *seeds,
                          FsPreviousMask *previous);

/* The preview of the running fit: W·H bytes, once; NULL where there is none (yet), when the fit has
 * been cancelled, and when it has been taken. Valid until the next start. */
const uint8_t *fs_fitter_take_preview (FsFitter *fitter);

/* Whether take_preview would give one. */
gboolean fs_fitter_has_preview (FsFitter *fitter);

FsFitState fs_fitter_get_state (FsFitter *fitter);
/* Nothing while there is no fit. One that has ended becomes FS_FIT_STALE, too. */
void fs_fitter_cancel (FsFitter *fitter);
/* Cancels, and the cut is not wanted back either. */
void fs_fitter_abandon (FsFitter *fitter);

/* Gives the cut of an ended fit (FS_FIT_READY, FS_FIT_STALE) back, in a valid state; NULL when it
 * was abandoned. Only FS_STEP_DONE says that the fit may be used: FS_STEP_AGAIN that it was
 * cancelled, FS_STEP_FAILED what failed. */
FsStepResult fs_fitter_take (FsFitter *fitter, FsModelCut **cut, GError **error);

G_END_DECLS

#endif
