/* SPDX-License-Identifier: MIT */
#include "app/live/live_cut.h"

#include "app/live/live_cut_internal.h"
#include <glib/gi18n.h>
#include <stdbool.h>

FsLiveCut *
fs_live_cut_new (FsImage *image, const FsSettings *settings, void (*fit_done) (gpointer user_data),
                 gpointer user_data)
{
  FsLiveCut *cut = g_new0 (FsLiveCut, 1);
  cut->image = fs_image_ref (image);
  cut->settings = *settings;
  cut->fitter = fs_fitter_new (fit_done, user_data);
  cut->mask = FS_MASK_UNMADE;
  cut->published = FS_UNPUBLISHED;
  cut->pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  cut->since = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  fs_final_masks_init (&cut->final_masks);
  return cut;
}

void
fs_live_cut_free (FsLiveCut *cut)
{
  if (!cut)
    return;
  fs_final_masks_clear (&cut->final_masks);
  fs_fitter_free (cut->fitter);
  fs_model_cut_free (cut->front);
  fs_model_cut_free (cut->spare);
  fs_model_cut_free (cut->outline);
  fs_history_free (cut->history);
  g_array_unref (cut->pixels);
  g_array_unref (cut->since);
  g_free (cut->preview);
  fs_image_unref (cut->image);
  g_free (cut);
}

/* Frees all cuts, which depend on the settings. The cut of a running fit is freed when it ends. */
static void
drop_cuts (FsLiveCut *cut)
{
  fs_fitter_abandon (cut->fitter);
  g_clear_pointer (&cut->front, fs_model_cut_free);
  g_clear_pointer (&cut->spare, fs_model_cut_free);
  g_clear_pointer (&cut->outline, fs_model_cut_free);
  cut->n_fitted[0] = cut->n_fitted[1] = 0;
  cut->mask = FS_MASK_UNMADE;
}

/* An edit has come after a failure. */
static void
try_again (FsLiveCut *cut)
{
  if (cut->mask == FS_MASK_FAILED)
    cut->mask = FS_MASK_UNMADE;
}

gboolean
fs_live_cut_is_ready (FsLiveCut *cut)
{
  if (!cut->history)
    cut->history = fs_history_new (cut->image->width, cut->image->height, NULL);
  if (!cut->history)
    try_again (cut);
  return cut->history != NULL;
}

/* --- edits ---------------------------------------------------------------------------------- */

static void
begin_stroke (FsLiveCut *cut, const FsEdit *edit)
{
  for (int side = 0; side < 2; side++)
    cut->new_side[side] = fs_live_cut_n_seeds (cut, side) == 0;
  fs_history_begin_shape (cut->history, edit->shape, edit->label, edit->radius_px, edit->after);
}

static void
set_guess (FsLiveCut *cut, FsGuess *guess)
{
  guint before = fs_history_get_n_strokes (cut->history);
  fs_history_set_guess (cut->history, guess, NULL);
  fs_final_masks_truncate (&cut->final_masks, before);
}

/* A finished stroke makes a new state; nothing can be redone after it. */
static void
end_stroke (FsLiveCut *cut)
{
  guint before = fs_history_get_n_strokes (cut->history) - 1;
  fs_history_end (cut->history);
  if (fs_history_get_n_strokes (cut->history) > before)
    fs_final_masks_truncate (&cut->final_masks, before);
}

static void
change_settings (FsLiveCut *cut, const FsSettings *settings)
{
  cut->settings = *settings;
  drop_cuts (cut);
  fs_history_forget_masks (cut->history);
  fs_final_masks_truncate (&cut->final_masks, 0);
}

/* Called when an outline has been added or removed: the front cannot be updated to the present
 * seeds. The first outline added and the last one removed change the settings, too. */
static void
start_afresh (FsLiveCut *cut, guint outlined_before)
{
  gboolean is_outlined = fs_history_get_outlined (cut->history) > 0;
  if (fs_live_cut_has_star (cut) && (outlined_before > 0) != is_outlined) {
    g_autoptr (FsModelCut) made = g_steal_pointer (&cut->outline);
    drop_cuts (cut);
    if (is_outlined && made) {
      cut->front = g_steal_pointer (&made);
      cut->publishes_whole = TRUE;
    }
  }
  if (cut->front)
    cut->mask = FS_MASK_EMPTY;
  cut->n_fitted[0] = cut->n_fitted[1] = 0;
  g_array_set_size (cut->pixels, 0);
}

/* Returns TRUE if the models are no longer those of the strokes. */
static gboolean
play_edit (FsLiveCut *cut, const FsEdit *edit)
{
  FsHistory *history = cut->history;
  switch (edit->kind) {
  case FS_EDIT_BEGIN:
    begin_stroke (cut, edit);
    return FALSE;
  case FS_EDIT_EXTEND:
    fs_history_extend (history, edit->samples, edit->n_samples, cut->pixels);
    return FALSE;
  case FS_EDIT_END:
    end_stroke (cut);
    break;
  case FS_EDIT_CANCEL:
    fs_history_cancel (history, cut->pixels);
    break;
  case FS_EDIT_UNDO:
    fs_history_undo (history, cut->pixels, NULL);
    break;
  case FS_EDIT_REDO:
    fs_history_redo (history, cut->pixels, NULL);
    break;
  case FS_EDIT_SETTINGS:
    change_settings (cut, &edit->settings);
    break;
  case FS_EDIT_GUESS:
    set_guess (cut, edit->guess);
    break;
  }
  return TRUE;
}

void
fs_live_cut_apply (FsLiveCut *cut, const FsEdit *edit, guint64 generation, gint64 time_us)
{
  g_return_if_fail (cut->history);
  try_again (cut);
  guint outlined = fs_history_get_outlined (cut->history);
  if (play_edit (cut, edit)) {
    cut->fit_pending = TRUE;
    fs_fitter_cancel (cut->fitter);
  }
  if (outlined != fs_history_get_outlined (cut->history))
    start_afresh (cut, outlined);
  if (!fs_history_is_drawing (cut->history)) {
    g_clear_pointer (&cut->outline, fs_model_cut_free);
    cut->lacks_outline = FALSE;
  }
  cut->generation = generation;
  if (cut->oldest_edit_us == 0)
    cut->oldest_edit_us = time_us;
}

/* --- steps ----------------------------------------------------------------------------------- */

static FsLiveStep
next_step (FsLiveCut *cut)
{
  return fs_live_next_step (cut->mask, fs_fitter_get_state (cut->fitter),
                            fs_live_cut_get_inputs (cut));
}

gboolean
fs_live_cut_has_work (FsLiveCut *cut)
{
  return next_step (cut) != FS_LIVE_STEP_NONE;
}

/* Computes a preview in advance, so that the first one that is shown need not allocate memory,
 * levels and a solver. Where memory is short there is no preview. */
static void
rehearse_preview (FsLiveCut *cut, const FsProgress *progress)
{
  gboolean hasty;
  if (!cut->preview)
    cut->preview = g_try_malloc ((gsize)cut->image->width * (gsize)cut->image->height);
  if (cut->preview)
    fs_model_cut_preview (cut->front, progress, 0, cut->preview, &hasty, NULL);
}

static FsStepResult
make_front (FsLiveCut *cut, const FsProgress *progress, GError **error)
{
  GError *failure = NULL;
  fs_stage_enter (cut->note, FS_STAGE_PREPARING);
  if (!cut->history) {
    g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                         _ ("not enough memory for a photo of this size"));
    return FS_STEP_FAILED;
  }
  FsSettings settings = fs_history_refine_settings (cut->history, &cut->settings);
  cut->front = fs_model_cut_new (cut->image, &settings, progress, &failure);
  if (!cut->front)
    return fs_step_result (FALSE, failure, error);
  cut->mask = FS_MASK_EMPTY;
  cut->publishes_whole = TRUE;
  if (fs_model_cut_wants_preview (cut->front) && !(fs_live_cut_get_inputs (cut) & FS_LIVE_EVIDENCE))
    rehearse_preview (cut, progress);
  return FS_STEP_DONE;
}

/* Where memory for it is short, the mask of the outline takes a little longer. */
static void
make_outline (FsLiveCut *cut, const FsProgress *progress)
{
  FsSettings settings = cut->settings;
  settings.star = FALSE;
  cut->outline = fs_model_cut_new (cut->image, &settings, progress, NULL);
  cut->lacks_outline = cut->outline == NULL;
  if (!cut->outline || !fs_model_cut_wants_preview (cut->outline))
    return;
  gboolean hasty;
  g_autofree uint8_t *mask = g_try_malloc ((gsize)cut->image->width * (gsize)cut->image->height);
  if (mask)
    fs_model_cut_preview (cut->outline, progress, 0, mask, &hasty, NULL);
}

static void
change_pixels (FsLiveCut *cut)
{
  if (cut->pixels->len == 0)
    return;
  if (fs_fitter_get_state (cut->fitter) != FS_FIT_NONE)
    g_array_append_vals (cut->since, cut->pixels->data, cut->pixels->len);
  fs_model_cut_change (cut->front, cut->pixels, fs_history_get_seeds (cut->history));
  g_array_set_size (cut->pixels, 0);
  cut->mask = fs_mask_after_change (cut->mask);
}

/* An interrupted refinement is dropped: every edit leads to new models. */
static FsStepResult
refine_border (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox, GError **error)
{
  GError *failure = NULL;
  FsProgress progress = { .cancel = &interrupt->newer };
  fs_stage_enter (cut->note, FS_STAGE_REFINING);
  if (!fs_model_cut_refine (cut->front, fs_history_get_seeds (cut->history), &progress, &failure))
    return fs_step_result (FALSE, failure, error);
  fs_live_cut_publish (cut, mailbox);
  return FS_STEP_DONE;
}

/* A fit may have ended since the step was chosen; its cut is taken back first. */
static FsStepResult
clear_mask (FsLiveCut *cut, FsMailbox *mailbox, GError **error)
{
  FsFitState fit = fs_fitter_get_state (cut->fitter);
  if ((fit == FS_FIT_READY || fit == FS_FIT_STALE)
      && fs_live_cut_take_fit (cut, error) == FS_STEP_FAILED)
    return FS_STEP_FAILED;
  fs_live_cut_publish_nothing (cut, mailbox);
  return FS_STEP_DONE;
}

/* Solves and publishes in one step. A result that an edit has overtaken is dropped. A fit is
 * started or cancelled last, so that no mask waits for that. */
static FsStepResult
update_mask (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox, GError **error)
{
  const FsProgress making = { .cancel = &interrupt->overtaken };
  change_pixels (cut);
  FsStepResult result = fs_live_cut_solve (cut, interrupt, mailbox, error);
  if (result != FS_STEP_DONE)
    return result;
  if (atomic_load (&interrupt->overtaken))
    return FS_STEP_AGAIN;
  fs_live_cut_publish (cut, mailbox);
  return fs_live_cut_start_fit (cut, &making, error);
}

static FsStepResult
take_step (FsLiveStep step, FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox,
           GError **error)
{
  const FsProgress making = { .cancel = &interrupt->overtaken };
  switch (step) {
  case FS_LIVE_STEP_NONE:
    break;
  case FS_LIVE_STEP_MAKE:
    return make_front (cut, &making, error);
  case FS_LIVE_STEP_MAKE_OUTLINE:
    make_outline (cut, &making);
    break;
  case FS_LIVE_STEP_CLEAR:
    return clear_mask (cut, mailbox, error);
  case FS_LIVE_STEP_SHOW_FIT:
    fs_live_cut_show_fit (cut, mailbox);
    break;
  case FS_LIVE_STEP_REFINE:
    return refine_border (cut, interrupt, mailbox, error);
  case FS_LIVE_STEP_TAKE_FIT:
    return fs_live_cut_take_fit (cut, error);
  case FS_LIVE_STEP_FIT:
    return fs_live_cut_fit_in_place (cut, &making, error);
  case FS_LIVE_STEP_UPDATE:
    return update_mask (cut, interrupt, mailbox, error);
  }
  return FS_STEP_DONE;
}

FsStepResult
fs_live_cut_step (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox,
                  GError **error)
{
  cut->note = interrupt->board ? &interrupt->board->front : NULL;
  fs_fitter_set_note (cut->fitter, interrupt->board ? &interrupt->board->fit : NULL);
  FsLiveStep step;
  FsStepResult result;
  do {
    step = next_step (cut);
    result = take_step (step, cut, interrupt, mailbox, error);
  } while (result == FS_STEP_DONE && fs_live_step_prepares (step));
  fs_stage_enter (cut->note, FS_STAGE_IDLE);
  if (result == FS_STEP_FAILED) {
    drop_cuts (cut);
    cut->mask = FS_MASK_FAILED;
  }
  return result;
}
