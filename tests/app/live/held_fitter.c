/* SPDX-License-Identifier: MIT */
#include "tests/app/live/held_fitter.h"

struct _FsFitter {
  FsModelCut *cut; /* NULL while there is no fit */
  FsSeedMap *seeds;
  FsPreviousMask *previous;
  uint8_t *preview;
  GError *error;
  gboolean is_fitted, is_cancelled, is_abandoned, has_ended, has_preview;
};

FsFitter *
fs_fitter_new (void (*done) (gpointer user_data), gpointer user_data)
{
  return g_new0 (FsFitter, 1);
}

static void
forget (FsFitter *fitter)
{
  g_clear_pointer (&fitter->cut, fs_model_cut_free);
  g_clear_pointer (&fitter->seeds, fs_seed_map_free);
  g_clear_pointer (&fitter->previous, fs_previous_mask_free);
  g_clear_pointer (&fitter->preview, g_free);
  g_clear_error (&fitter->error);
  *fitter = (FsFitter){ 0 };
}

void
fs_fitter_free (FsFitter *fitter)
{
  forget (fitter);
  g_free (fitter);
}

void
fs_fitter_set_note (FsFitter *fitter, FsStageNote *note)
{
}

gboolean
fs_fitter_start (FsFitter *fitter, FsModelCut *cut, const FsSeedMap *seeds,
                 FsPreviousMask *previous)
{
  g_assert_null (fitter->cut);
  forget (fitter);
  fitter->cut = cut;
  fitter->seeds = fs_seed_map_new (seeds->width, seeds->height);
  fs_seed_map_copy (fitter->seeds, seeds);
  fitter->previous = previous;
  fitter->preview = g_malloc0 ((gsize)seeds->width * (gsize)seeds->height);
  return TRUE;
}

void
held_fitter_preview (FsFitter *fitter)
{
  if (!fitter->cut || fitter->is_fitted || fitter->is_cancelled)
    return;
  fitter->is_fitted = TRUE;
  g_assert_true (fs_model_cut_fit_after (fitter->cut, fitter->seeds, fitter->previous, NULL));
  if (fs_model_cut_wants_preview (fitter->cut))
    fitter->has_preview =
        fs_model_cut_preview_before_solve (fitter->cut, NULL, fitter->preview, NULL);
}

void
held_fitter_end (FsFitter *fitter, gboolean lacks_memory)
{
  if (!fitter->cut || fitter->has_ended)
    return;
  fitter->has_ended = TRUE;
  if (fitter->is_cancelled)
    return;
  held_fitter_preview (fitter);
  if (lacks_memory)
    g_set_error_literal (&fitter->error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY, "no memory");
  else
    g_assert_true (fs_model_cut_solve (fitter->cut, NULL, &fitter->error));
}

gboolean
fs_fitter_has_preview (FsFitter *fitter)
{
  return fitter->has_preview && !fitter->is_cancelled;
}

const uint8_t *
fs_fitter_take_preview (FsFitter *fitter)
{
  gboolean has_preview = fs_fitter_has_preview (fitter);
  fitter->has_preview = FALSE;
  return has_preview ? fitter->preview : NULL;
}

FsFitState
fs_fitter_get_state (FsFitter *fitter)
{
  if (!fitter->cut)
    return FS_FIT_NONE;
  if (!fitter->has_ended)
    return FS_FIT_RUNNING;
  return fitter->is_cancelled ? FS_FIT_STALE : FS_FIT_READY;
}

void
fs_fitter_cancel (FsFitter *fitter)
{
  fitter->is_cancelled = TRUE;
}

void
fs_fitter_abandon (FsFitter *fitter)
{
  fitter->is_cancelled = fitter->is_abandoned = TRUE;
}

FsStepResult
fs_fitter_take (FsFitter *fitter, FsModelCut **cut, GError **error)
{
  g_assert_true (fitter->cut && fitter->has_ended);
  fitter->has_preview = FALSE;
  *cut = g_steal_pointer (&fitter->cut);
  if (fitter->is_abandoned)
    g_clear_pointer (cut, fs_model_cut_free);
  else if (fitter->error)
    return fs_step_result (FALSE, g_steal_pointer (&fitter->error), error);
  return fitter->is_cancelled ? FS_STEP_AGAIN : FS_STEP_DONE;
}
