/* SPDX-License-Identifier: MIT */
/* The live loop without its thread: edits → t-links → solve → publish.   Layer: app.
 *
 * live_thread.c has the queue, the thread and waking. This module decides which t-links an edit
 * changes, when colour models are fitted, and what is published; live_step.h decides which step is
 * next. The shown cut, the *front*, follows the brush with fixed models. New models are fitted in
 * parallel on a sibling cut (fitter.h), which becomes the front between two strokes.
 *
 * Threads: one thread at a time.
 */
#ifndef FS_APP_LIVE_LIVE_CUT_H
#define FS_APP_LIVE_LIVE_CUT_H

#include "app/live/live_step.h"
#include "app/live/live_types.h"
#include "app/live/mailbox.h"
#include "energy/image/image.h"

G_BEGIN_DECLS

typedef struct _FsLiveCut FsLiveCut;

/* Cheap: energy and solver are made by the first step. `fit_done` is called on another thread when
 * a parallel fit has ended: then there is work. */
FsLiveCut *fs_live_cut_new (FsImage *image, const FsSettings *settings,
                            void (*fit_done) (gpointer user_data), gpointer user_data);
void fs_live_cut_free (FsLiveCut *cut);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLiveCut, fs_live_cut_free)

/* To be called before edits are applied. FALSE where memory for their history is short: the edits
 * have to wait, and the next step gives the error. */
gboolean fs_live_cut_is_ready (FsLiveCut *cut);

/* Plays an edit into the history and notes what it changed. */
void fs_live_cut_apply (FsLiveCut *cut, const FsEdit *edit, guint64 generation, gint64 time_us);

/* TRUE if a step would do something. FALSE after a failure, until the next edit. */
gboolean fs_live_cut_has_work (FsLiveCut *cut);

/* Takes the next step (live_step.h), and with it those before it that publish nothing. Blocks.
 * FS_STEP_AGAIN where it was interrupted or is done in part. Errors: FS_SOLVER_ERROR. */
FsStepResult fs_live_cut_step (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox,
                               GError **error);

G_END_DECLS

#endif
