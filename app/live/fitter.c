/* SPDX-License-Identifier: MIT */
#include "app/live/fitter.h"

#include <stdbool.h>
#ifdef __linux__
#include <sys/resource.h>
#endif

enum { NICENESS = 5 };

struct _FsFitter {
  void (*done) (gpointer user_data);
  gpointer user_data;
  FsStageNote *next_note; /* of the next fit */
  FsStageNote *note;      /* of the one that runs */
  GThread *thread;        /* NULL while idle */
  FsModelCut *cut;
  FsSeedMap *seeds;         /* the snapshot    */
  FsPreviousMask *previous; /* of the mask prior, or NULL */
  uint8_t *preview;         /* [H·W]           */
  GError *error;            /* the thread's until it has ended */
  gboolean is_abandoned;
  atomic_bool cancel;
  atomic_bool ended;
  atomic_bool has_preview;
};

FsFitter *
fs_fitter_new (void (*done) (gpointer user_data), gpointer user_data)
{
  FsFitter *fitter = g_new0 (FsFitter, 1);
  fitter->done = done;
  fitter->user_data = user_data;
  return fitter;
}

void
fs_fitter_free (FsFitter *fitter)
{
  if (!fitter)
    return;
  fs_fitter_cancel (fitter);
  g_clear_pointer (&fitter->thread, g_thread_join);
  fs_model_cut_free (fitter->cut);
  fs_seed_map_free (fitter->seeds);
  fs_previous_mask_free (fitter->previous);
  g_free (fitter->preview);
  g_clear_error (&fitter->error);
  g_free (fitter);
}

/* Computes the preview. Where that fails, the exact mask follows all the same. */
static void
preview (FsFitter *fitter, const FsProgress *progress)
{
  if (!fitter->preview
      || !fs_model_cut_preview_before_solve (fitter->cut, progress, fitter->preview, NULL))
    return;
  atomic_store (&fitter->has_preview, true);
  fitter->done (fitter->user_data);
}

/* Gives the brush's thread precedence. On Linux a priority is that of the calling thread and of the
 * threads that it starts; elsewhere nothing is changed. */
static void
lower_priority (void)
{
#ifdef __linux__
  setpriority (PRIO_PROCESS, 0, NICENESS);
#endif
}

static gpointer
fit_thread (gpointer data)
{
  FsFitter *fitter = data;
  lower_priority ();
  FsProgress progress = { .cancel = &fitter->cancel };
  fs_stage_enter (fitter->note, FS_STAGE_LEARNING);
  if (fs_model_cut_fit_after (fitter->cut, fitter->seeds, fitter->previous, &fitter->error)) {
    preview (fitter, &progress);
    progress.report = fs_stage_report;
    progress.user_data = fitter->note;
    fs_stage_enter (fitter->note, FS_STAGE_PROVING);
    fs_model_cut_solve (fitter->cut, &progress, &fitter->error);
  }
  fs_stage_enter (fitter->note, FS_STAGE_IDLE);
  atomic_store (&fitter->ended, true);
  fitter->done (fitter->user_data);
  return NULL;
}

void
fs_fitter_set_note (FsFitter *fitter, FsStageNote *note)
{
  fitter->next_note = note;
}

gboolean
fs_fitter_start (FsFitter *fitter, FsModelCut *cut, const FsSeedMap *seeds,
                 FsPreviousMask *previous)
{
  g_return_val_if_fail (!fitter->thread && cut, FALSE);

  fs_previous_mask_free (fitter->previous);
  fitter->previous = previous;
  if (!fitter->seeds)
    fitter->seeds = fs_seed_map_new (seeds->width, seeds->height);
  if (!fitter->seeds) {
    fs_model_cut_free (cut);
    return FALSE;
  }
  fs_seed_map_copy (fitter->seeds, seeds);
  if (!fitter->preview && fs_model_cut_wants_preview (cut))
    fitter->preview = g_try_malloc ((gsize)seeds->width * (gsize)seeds->height);
  fitter->cut = cut;
  fitter->note = fitter->next_note;
  fitter->is_abandoned = FALSE;
  atomic_store (&fitter->cancel, false);
  atomic_store (&fitter->ended, false);
  atomic_store (&fitter->has_preview, false);
  fitter->thread = g_thread_try_new ("fretsaw-models", fit_thread, fitter, NULL);
  if (!fitter->thread)
    g_clear_pointer (&fitter->cut, fs_model_cut_free);
  return fitter->thread != NULL;
}

gboolean
fs_fitter_has_preview (FsFitter *fitter)
{
  return atomic_load (&fitter->has_preview) && !atomic_load (&fitter->cancel);
}

const uint8_t *
fs_fitter_take_preview (FsFitter *fitter)
{
  gboolean is_wanted = !atomic_load (&fitter->cancel);
  return atomic_exchange (&fitter->has_preview, false) && is_wanted ? fitter->preview : NULL;
}

FsFitState
fs_fitter_get_state (FsFitter *fitter)
{
  if (!fitter->thread)
    return FS_FIT_NONE;
  if (!atomic_load (&fitter->ended))
    return FS_FIT_RUNNING;
  return atomic_load (&fitter->cancel) ? FS_FIT_STALE : FS_FIT_READY;
}

void
fs_fitter_cancel (FsFitter *fitter)
{
  atomic_store (&fitter->cancel, true);
}

void
fs_fitter_abandon (FsFitter *fitter)
{
  fs_fitter_cancel (fitter);
  fitter->is_abandoned = TRUE;
}

FsStepResult
fs_fitter_take (FsFitter *fitter, FsModelCut **cut, GError **error)
{
  g_return_val_if_fail (fitter->thread && atomic_load (&fitter->ended), FS_STEP_AGAIN);

  g_clear_pointer (&fitter->thread, g_thread_join);
  atomic_store (&fitter->has_preview, false);
  if (fitter->is_abandoned) {
    g_clear_pointer (&fitter->cut, fs_model_cut_free);
    g_clear_error (&fitter->error);
  }
  *cut = g_steal_pointer (&fitter->cut);
  if (fitter->error)
    return fs_step_result (FALSE, g_steal_pointer (&fitter->error), error);
  return atomic_load (&fitter->cancel) ? FS_STEP_AGAIN : FS_STEP_DONE;
}
