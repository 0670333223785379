/* SPDX-License-Identifier: MIT */
#include "app/live/live_cut_internal.h"

gboolean
fs_live_cut_is_drawing (FsLiveCut *cut)
{
  return cut->history && fs_history_is_drawing (cut->history);
}

int64_t
fs_live_cut_n_seeds (FsLiveCut *cut, int side)
{
  const FsSeedMap *seeds = fs_history_get_seeds (cut->history);
  int64_t n_background = seeds->n_seeds[FS_SEED_BACKGROUND];
  if (side == 0)
    return n_background;
  return (int64_t)seeds->width * seeds->height - seeds->n_seeds[FS_SEED_NONE] - n_background;
}

FsGuess *
fs_live_cut_get_guess (FsLiveCut *cut)
{
  const FsStroke *stroke = fs_history_get_guess (cut->history);
  return stroke ? stroke->guess : NULL;
}

gboolean
fs_live_cut_has_doubled (FsLiveCut *cut)
{
  for (int side = 0; side < 2; side++) {
    int64_t n = fs_live_cut_n_seeds (cut, side);
    if (cut->new_side[side] && n > 0 && n >= 2 * cut->n_fitted[side])
      return TRUE;
  }
  return FALSE;
}

gboolean
fs_live_cut_has_star (FsLiveCut *cut)
{
  return cut->settings.model == FS_MODEL_GEODESIC && cut->settings.star;
}

/* While the first outline grows there is time to make the cut that it will need. */
static gboolean
wants_outline (FsLiveCut *cut)
{
  if (!fs_live_cut_is_drawing (cut) || cut->outline || cut->lacks_outline
      || !fs_live_cut_has_star (cut) || fs_history_get_outlined (cut->history) > 0)
    return FALSE;
  guint last = fs_history_get_n_strokes (cut->history) - 1;
  return fs_history_get_stroke (cut->history, last)->shape == FS_STROKE_OUTLINE;
}

static guint
input_if (gboolean holds, FsLiveInput bit)
{
  return holds ? bit : 0;
}

guint
fs_live_cut_get_inputs (FsLiveCut *cut)
{
  if (!cut->history)
    return 0;
  gboolean has_fit_preview = fs_fitter_has_preview (cut->fitter) && cut->since->len == 0;
  gboolean is_refinable = cut->front && fs_model_cut_wants_refinement (cut->front);
  return input_if (fs_live_cut_n_seeds (cut, 0) + fs_live_cut_n_seeds (cut, 1) > 0, FS_LIVE_SEEDS)
         | input_if (fs_live_cut_get_guess (cut) != NULL, FS_LIVE_GUESS)
         | input_if (cut->generation == cut->published, FS_LIVE_SHOWN)
         | input_if (cut->pixels->len > 0, FS_LIVE_PAINTED)
         | input_if (cut->fit_pending, FS_LIVE_UNFITTED)
         | input_if (fs_live_cut_is_drawing (cut), FS_LIVE_DRAWING)
         | input_if (cut->new_side[0] || cut->new_side[1], FS_LIVE_NEW_SIDE)
         | input_if (fs_live_cut_has_doubled (cut), FS_LIVE_DOUBLED)
         | input_if (wants_outline (cut), FS_LIVE_OUTLINE)
         | input_if (has_fit_preview, FS_LIVE_FIT_PREVIEW)
         | input_if (is_refinable, FS_LIVE_REFINABLE);
}
