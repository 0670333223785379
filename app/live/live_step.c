/* SPDX-License-Identifier: MIT */
#include "app/live/live_step.h"

#include "solver/solver.h"

static gboolean
has_any (guint inputs, guint any)
{
  return (inputs & any) != 0;
}

/* The published mask holds every edit and every pixel. */
static gboolean
is_up_to_date (guint inputs)
{
  return has_any (inputs, FS_LIVE_SHOWN) && !has_any (inputs, FS_LIVE_PAINTED);
}

static gboolean
has_models_of_seeds (FsFitState fit, guint inputs)
{
  return fit == FS_FIT_NONE && !has_any (inputs, FS_LIVE_UNFITTED);
}

FsMaskState
fs_mask_after_change (FsMaskState mask)
{
  return fs_mask_is_cold (mask) ? FS_MASK_COLD : FS_MASK_CHANGED;
}

gboolean
fs_live_wants_fit (guint inputs)
{
  return has_any (inputs, has_any (inputs, FS_LIVE_DRAWING) ? FS_LIVE_DOUBLED : FS_LIVE_UNFITTED);
}

gboolean
fs_live_is_final (FsFitState fit, guint inputs)
{
  return has_models_of_seeds (fit, inputs)
         && (has_any (inputs, FS_LIVE_DRAWING) || !has_any (inputs, FS_LIVE_REFINABLE));
}

/* Models that are on their way can be seen before they are exact, if nothing was painted since. */
static gboolean
can_show_fit (FsFitState fit, guint inputs)
{
  return (fit == FS_FIT_RUNNING || fit == FS_FIT_READY) && has_any (inputs, FS_LIVE_FIT_PREVIEW)
         && !has_any (inputs, FS_LIVE_DRAWING | FS_LIVE_PAINTED | FS_LIVE_UNFITTED);
}

/* New models are shown between strokes, so that the mask does not jump under the brush; those of a
 * side's first stroke at once. */
static gboolean
can_take_fit (FsFitState fit, guint inputs)
{
  return (fit == FS_FIT_READY || fit == FS_FIT_STALE)
         && (!has_any (inputs, FS_LIVE_DRAWING) || has_any (inputs, FS_LIVE_NEW_SIDE));
}

/* Without evidence the mask is empty at once. A fit that is still under way comes back once more,
 * whatever is drawn meanwhile: only then is the empty mask final. */
static FsLiveStep
step_without_evidence (FsMaskState mask, FsFitState fit, guint inputs)
{
  gboolean is_back = fit == FS_FIT_READY || fit == FS_FIT_STALE;
  return mask == FS_MASK_EMPTY && is_up_to_date (inputs) && !is_back ? FS_LIVE_STEP_NONE
                                                                     : FS_LIVE_STEP_CLEAR;
}

/* With evidence, and no fit to show or take. */
static FsLiveStep
step_of_mask (FsMaskState mask, FsFitState fit, guint inputs)
{
  gboolean up_to_date = is_up_to_date (inputs), wants_fit = fs_live_wants_fit (inputs);
  switch (mask) {
  case FS_MASK_FAILED:
    return FS_LIVE_STEP_NONE;
  case FS_MASK_UNMADE:
    return FS_LIVE_STEP_MAKE;
  case FS_MASK_EMPTY:
    return FS_LIVE_STEP_FIT;
  case FS_MASK_COLD:
  case FS_MASK_COARSE:
  case FS_MASK_PREVIEWED: /* no exact mask needs to be protected from new models */
    return up_to_date && wants_fit ? FS_LIVE_STEP_FIT : FS_LIVE_STEP_UPDATE;
  case FS_MASK_CHANGED:
    return FS_LIVE_STEP_UPDATE;
  case FS_MASK_EXACT: /* published as such; once a fit has come back unused it may be final */
    if (up_to_date && has_models_of_seeds (fit, inputs))
      return fs_live_is_final (fit, inputs) ? FS_LIVE_STEP_UPDATE : FS_LIVE_STEP_REFINE;
    break;
  case FS_MASK_FINAL:
    break;
  }
  return !up_to_date || (fit == FS_FIT_NONE && wants_fit) ? FS_LIVE_STEP_UPDATE : FS_LIVE_STEP_NONE;
}

FsLiveStep
fs_live_next_step (FsMaskState mask, FsFitState fit, guint inputs)
{
  if (mask == FS_MASK_FAILED || mask == FS_MASK_UNMADE)
    return step_of_mask (mask, fit, inputs);
  if (has_any (inputs, FS_LIVE_OUTLINE) && has_any (inputs, FS_LIVE_SHOWN))
    return FS_LIVE_STEP_MAKE_OUTLINE;
  if (!has_any (inputs, FS_LIVE_EVIDENCE))
    return step_without_evidence (mask, fit, inputs);
  if (can_show_fit (fit, inputs))
    return FS_LIVE_STEP_SHOW_FIT;
  return can_take_fit (fit, inputs) ? FS_LIVE_STEP_TAKE_FIT : step_of_mask (mask, fit, inputs);
}

gboolean
fs_live_step_prepares (FsLiveStep step)
{
  return step == FS_LIVE_STEP_MAKE || step == FS_LIVE_STEP_TAKE_FIT || step == FS_LIVE_STEP_FIT;
}

FsStepResult
fs_step_result (gboolean done, GError *failure, GError **error)
{
  if (done)
    return FS_STEP_DONE;
  if (!g_error_matches (failure, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED)) {
    g_propagate_error (error, failure);
    return FS_STEP_FAILED;
  }
  g_error_free (failure);
  return FS_STEP_AGAIN;
}
