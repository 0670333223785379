/* SPDX-License-Identifier: MIT */
#include "app/live/live_cut_internal.h"

gboolean
fs_live_cut_wants_fit (FsLiveCut *cut)
{
  return fs_live_wants_fit (fs_live_cut_get_inputs (cut));
}

static void
note_fit (FsLiveCut *cut)
{
  for (int side = 0; side < 2; side++)
    cut->n_fitted[side] = fs_live_cut_n_seeds (cut, side);
  cut->fit_pending = fs_live_cut_is_drawing (cut);
  g_array_set_size (cut->since, 0);
}

FsStepResult
fs_live_cut_fit_in_place (FsLiveCut *cut, const FsProgress *progress, GError **error)
{
  GError *failure = NULL;
  g_autoptr (FsPreviousMask) previous = NULL;
  fs_model_cut_set_guess (cut->front, fs_live_cut_get_guess (cut));
  fs_stage_enter (cut->note, FS_STAGE_LEARNING);
  FsStepResult found = fs_live_cut_find_previous_mask (cut, progress, &previous, error);
  if (found != FS_STEP_DONE)
    return found;
  if (!fs_model_cut_fit_after (cut->front, fs_history_get_seeds (cut->history), previous, &failure))
    return fs_step_result (FALSE, failure, error);
  cut->front->fitted_at = cut->generation;
  fs_fitter_cancel (cut->fitter); /* one that runs is of older seeds */
  note_fit (cut);
  g_array_set_size (cut->pixels, 0);
  cut->mask = FS_MASK_COLD;
  return FS_STEP_DONE;
}

/* Starts a fit of the present seeds on the sibling cut. FALSE where memory for that is short. */
static gboolean
start_sibling_fit (FsLiveCut *cut, const FsProgress *progress)
{
  if (cut->lacks_spare)
    return FALSE;
  if (!cut->spare)
    cut->spare = fs_model_cut_new_sibling (cut->front, NULL);
  g_autoptr (FsPreviousMask) previous = NULL;
  if (!cut->spare
      || fs_live_cut_find_previous_mask (cut, progress, &previous, NULL) != FS_STEP_DONE)
    return FALSE;
  fs_model_cut_set_guess (cut->spare, fs_live_cut_get_guess (cut));
  cut->spare->fitted_at = cut->generation;
  if (!fs_fitter_start (cut->fitter, g_steal_pointer (&cut->spare),
                        fs_history_get_seeds (cut->history), g_steal_pointer (&previous)))
    return FALSE;
  note_fit (cut);
  return TRUE;
}

/* The fitted cut becomes the front; the pixels painted meanwhile are changed on it next. A
 * cancelled fit needs no successor here: the edit that cancelled it asks for one. */
FsStepResult
fs_live_cut_take_fit (FsLiveCut *cut, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (FsModelCut) fitted = NULL;
  FsStepResult result = fs_fitter_take (cut->fitter, &fitted, &failure);
  if (g_error_matches (failure, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY)) {
    cut->lacks_spare = cut->fit_pending = TRUE;
    return FS_STEP_DONE;
  }
  if (result != FS_STEP_DONE) {
    cut->spare = g_steal_pointer (&fitted);
    if (result == FS_STEP_AGAIN)
      return FS_STEP_DONE;
    g_propagate_error (error, g_steal_pointer (&failure));
    return FS_STEP_FAILED;
  }
  cut->spare = g_steal_pointer (&cut->front);
  cut->front = g_steal_pointer (&fitted);
  g_array_append_vals (cut->pixels, cut->since->data, cut->since->len);
  g_array_set_size (cut->since, 0);
  cut->publishes_whole = TRUE;
  cut->mask = FS_MASK_CHANGED;
  return FS_STEP_DONE;
}

/* Called after a publication, so that no mask waits for a fit to start. A running fit is of older
 * seeds when a new one is wanted, and is cancelled. */
FsStepResult
fs_live_cut_start_fit (FsLiveCut *cut, const FsProgress *progress, GError **error)
{
  if (!fs_live_cut_wants_fit (cut))
    return FS_STEP_DONE;
  if (fs_fitter_get_state (cut->fitter) != FS_FIT_NONE) {
    fs_fitter_cancel (cut->fitter);
    return FS_STEP_DONE;
  }
  return start_sibling_fit (cut, progress) ? FS_STEP_DONE
                                           : fs_live_cut_fit_in_place (cut, progress, error);
}
