/* SPDX-License-Identifier: MIT */
/* The live loop without its thread: edits → t-links → solve → publish.   Layer: app.
 *
 * Kept apart from live_thread.c so that each can be read alone: there the queue, the thread and
 * waking; here which t-links an edit changes, when the colour models are fitted, and what is
 * published; which step is next says live_step.h. The cut that is shown follows the brush with
 * standing models; new models are fitted beside it (fitter.h) and put in front between two strokes.
 *
 * Threads: one thread at a time.
 */
#ifndef FS_APP_LIVE_LIVE_CUT_H
#define FS_APP_LIVE_LIVE_CUT_H

#include "app/live/live_stage.h"
#include "app/live/live_step.h"
#include "app/live/live_types.h"
#include "app/live/mailbox.h"
#include "energy/image/image.h"

G_BEGIN_DECLS

typedef struct _FsLiveCut FsLiveCut;

/* Set from the owner's thread while a step runs. */
typedef struct {
  atomic_bool newer;     /* an edit has come */
  atomic_bool overtaken; /* one has that makes the running solve pointless (fs_edit_overtakes) */
  FsStageBoard *board;   /* where steps note what they are at; NULL: nowhere. As long as the cut */
} FsLiveInterrupt;

/* Cheap; energy and solver are made by the first step. `fit_done` comes on another thread when a
 * fit of the colour models beside the shown cut has ended: then there is work. */
FsLiveCut *fs_live_cut_new (FsImage *image, const FsSettings *settings,
                            void (*fit_done) (gpointer user_data), gpointer user_data);
void fs_live_cut_free (FsLiveCut *cut);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLiveCut, fs_live_cut_free)

/* Before edits are applied: FALSE where there is no memory for their history. They have to wait,
 * and the next step says why. */
gboolean fs_live_cut_is_ready (FsLiveCut *cut);

/* Plays an edit into the history and notes what it changed. */
void fs_live_cut_apply (FsLiveCut *cut, const FsEdit *edit, guint64 generation, gint64 time_us);

/* Whether a step would do something. FALSE after a failure, until the next edit. */
gboolean fs_live_cut_has_work (FsLiveCut *cut);

/* One solve and its publication: of the changed pixels, or of new models that have been fitted.
 * FS_STEP_AGAIN when it was interrupted: the work remains to be done. */
FsStepResult fs_live_cut_step (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox,
                               GError **error);

G_END_DECLS

#endif
