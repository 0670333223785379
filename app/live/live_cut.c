/* SPDX-License-Identifier: MIT */
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
  cut->pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  cut->since = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  fs_final_masks_init (&cut->kept);
  return cut;
}

void
fs_live_cut_free (FsLiveCut *cut)
{
  if (!cut)
    return;
  fs_final_masks_clear (&cut->kept);
  fs_fitter_free (cut->fitter);
  fs_model_cut_free (cut->front);
  fs_model_cut_free (cut->spare);
  fs_model_cut_free (cut->next);
  fs_history_free (cut->history);
  g_array_unref (cut->pixels);
  g_array_unref (cut->since);
  g_free (cut->preview);
  fs_image_unref (cut->image);
  g_free (cut);
}

/* Forgets everything that was made from the settings. The cut of a running fit is freed when it
 * comes back. */
static void
drop_cuts (FsLiveCut *cut)
{
  fs_fitter_cancel (cut->fitter);
  cut->discard_fit = !fs_fitter_is_idle (cut->fitter);
  g_clear_pointer (&cut->front, fs_model_cut_free);
  g_clear_pointer (&cut->spare, fs_model_cut_free);
  g_clear_pointer (&cut->next, fs_model_cut_free);
  cut->n_fitted[0] = cut->n_fitted[1] = 0;
  cut->has_guess = FALSE;
}

gboolean
fs_live_cut_is_ready (FsLiveCut *cut)
{
  if (!cut->history)
    cut->history = fs_history_new (cut->image->width, cut->image->height, NULL);
  return cut->history != NULL;
}

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
fs_live_cut_has_evidence (FsLiveCut *cut)
{
  return fs_live_cut_n_seeds (cut, 0) + fs_live_cut_n_seeds (cut, 1) > 0
         || fs_live_cut_get_guess (cut);
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
  fs_final_masks_truncate (&cut->kept, before);
}

/* A finished stroke is the last one of a new state, and ends what could be redone. */
static void
end_stroke (FsLiveCut *cut)
{
  guint before = fs_history_get_n_strokes (cut->history) - 1;
  fs_history_end (cut->history);
  if (fs_history_get_n_strokes (cut->history) > before)
    fs_final_masks_truncate (&cut->kept, before);
}

static void
change_settings (FsLiveCut *cut, const FsSettings *settings)
{
  cut->settings = *settings;
  drop_cuts (cut);
  fs_history_forget_masks (cut->history);
  fs_final_masks_truncate (&cut->kept, 0);
}

/* Whether the first outline changes the energy: it ends the star (fs_history_refine_settings). */
static gboolean
has_star (FsLiveCut *cut)
{
  return cut->settings.model == FS_MODEL_GEODESIC && cut->settings.star;
}

/* An outline has come or gone: nothing that the front has can be led on to the seeds that are now.
 * The first and the last one change the settings, too. */
static void
start_afresh (FsLiveCut *cut, guint outlined_before)
{
  gboolean is_outlined = fs_history_get_outlined (cut->history) > 0;
  if (has_star (cut) && (outlined_before > 0) != is_outlined) {
    g_autoptr (FsModelCut) next = g_steal_pointer (&cut->next);
    drop_cuts (cut);
    if (is_outlined && next) {
      cut->front = g_steal_pointer (&next);
      cut->cold = cut->whole = TRUE;
      cut->has_preview = FALSE;
    }
  }
  cut->n_fitted[0] = cut->n_fitted[1] = 0;
  cut->has_guess = FALSE;
  g_array_set_size (cut->pixels, 0);
}

/* Returns whether the models are no longer those of the strokes. */
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
  cut->failed = FALSE;
  guint outlined = fs_history_get_outlined (cut->history);
  if (play_edit (cut, edit)) {
    cut->fit_pending = TRUE;
    fs_fitter_cancel (cut->fitter);
  }
  if (outlined != fs_history_get_outlined (cut->history))
    start_afresh (cut, outlined);
  if (!fs_history_is_drawing (cut->history)) {
    g_clear_pointer (&cut->next, fs_model_cut_free);
    cut->no_next = FALSE;
  }
  cut->generation = generation;
  if (cut->oldest_edit_us == 0)
    cut->oldest_edit_us = time_us;
}

/* The first preview would pay for fresh memory, the levels and their solver. Where memory is short
 * there is no preview, and the exact mask comes all the same. */
static void
rehearse_preview (FsLiveCut *cut, const FsProgress *progress)
{
  cut->has_preview = FALSE;
  if (!cut->preview)
    cut->preview = g_try_malloc ((gsize)cut->image->width * (gsize)cut->image->height);
  if (cut->preview)
    fs_model_cut_preview (cut->front, progress, 0, cut->preview, &cut->hasty, NULL);
}

static FsStepResult
make_front (FsLiveCut *cut, const FsProgress *progress, GError **error)
{
  GError *failure = NULL;
  if (!cut->history) {
    g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                         _ ("not enough memory for a photo of this size"));
    return FS_STEP_FAILED;
  }
  FsSettings settings = fs_history_refine_settings (cut->history, &cut->settings);
  cut->front = fs_model_cut_new (cut->image, &settings, progress, &failure);
  cut->cold = cut->whole = TRUE;
  if (!cut->front)
    return fs_step_result (FALSE, failure, error);
  if (fs_model_cut_wants_preview (cut->front) && !fs_live_cut_has_evidence (cut))
    rehearse_preview (cut, progress);
  return FS_STEP_DONE;
}

/* While a hand draws the first outline there is time to make what it will need. */
static gboolean
wants_next (FsLiveCut *cut)
{
  if (!fs_live_cut_is_drawing (cut) || cut->next || cut->no_next || !has_star (cut)
      || fs_history_get_outlined (cut->history) > 0)
    return FALSE;
  guint last = fs_history_get_n_strokes (cut->history) - 1;
  return fs_history_get_stroke (cut->history, last)->shape == FS_STROKE_OUTLINE
         && cut->generation == cut->published;
}

/* Without memory for it the outline will be waited for a little longer. */
static void
make_next (FsLiveCut *cut, const FsProgress *progress)
{
  FsSettings settings = cut->settings;
  settings.star = FALSE;
  cut->next = fs_model_cut_new (cut->image, &settings, progress, NULL);
  cut->no_next = cut->next == NULL;
  if (!cut->next || !fs_model_cut_wants_preview (cut->next))
    return;
  gboolean hasty;
  g_autofree uint8_t *mask = g_try_malloc ((gsize)cut->image->width * (gsize)cut->image->height);
  if (mask)
    fs_model_cut_preview (cut->next, progress, 0, mask, &hasty, NULL);
}

static void
change_pixels (FsLiveCut *cut)
{
  if (cut->pixels->len == 0)
    return;
  if (!fs_fitter_is_idle (cut->fitter))
    g_array_append_vals (cut->since, cut->pixels->data, cut->pixels->len);
  fs_model_cut_change (cut->front, cut->pixels, fs_history_get_seeds (cut->history));
  g_array_set_size (cut->pixels, 0);
  cut->has_preview = FALSE;
  cut->solve_pending = TRUE;
}

static FsStepResult
update_tlinks (FsLiveCut *cut, const FsProgress *progress, GError **error)
{
  if (fs_live_cut_can_take_fit (cut) && fs_live_cut_take_fit (cut, error) == FS_STEP_FAILED)
    return FS_STEP_FAILED;
  gboolean is_shown = cut->generation == cut->published && cut->pixels->len == 0;
  if (!fs_live_cut_knows_anything (cut) || (cut->cold && is_shown && fs_live_cut_wants_fit (cut)))
    return fs_live_cut_fit_in_place (cut, progress, error);
  change_pixels (cut);
  return FS_STEP_DONE;
}

/* Once the first exact mask is on the screen. */
static gboolean
wants_refinement (FsLiveCut *cut)
{
  return fs_live_cut_rests (cut) && !fs_live_cut_is_drawing (cut) && cut->pixels->len == 0
         && !cut->solve_pending && cut->generation == cut->published
         && fs_live_cut_has_evidence (cut) && fs_model_cut_wants_refinement (cut->front);
}

/* Every edit renews the models, so none needs what was not finished. */
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

gboolean
fs_live_cut_has_work (FsLiveCut *cut)
{
  if (cut->failed)
    return FALSE;
  if (!cut->front)
    return TRUE;
  return cut->pixels->len > 0 || cut->solve_pending || wants_next (cut)
         || cut->generation != cut->published || fs_live_cut_can_take_fit (cut)
         || fs_live_cut_can_show_fit (cut) || wants_refinement (cut)
         || (fs_fitter_is_idle (cut->fitter) && fs_live_cut_wants_fit (cut));
}

/* An edit that came during the solve has overtaken its result. */
static FsStepResult
update (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox, GError **error)
{
  const FsProgress making = { .cancel = &interrupt->overtaken };
  FsStepResult result = update_tlinks (cut, &making, error);
  if (result == FS_STEP_DONE)
    result = fs_live_cut_solve (cut, interrupt, mailbox, error);
  if (result != FS_STEP_DONE)
    return result;
  if (atomic_load (&interrupt->overtaken))
    return FS_STEP_AGAIN;
  fs_live_cut_publish (cut, mailbox);
  return fs_live_cut_start_fit (cut, &making, error);
}

static FsStepResult
step (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox, GError **error)
{
  const FsProgress making = { .cancel = &interrupt->overtaken };
  fs_stage_enter (cut->note, cut->front ? FS_STAGE_IDLE : FS_STAGE_PREPARING);
  FsStepResult made = cut->front ? FS_STEP_DONE : make_front (cut, &making, error);
  if (made != FS_STEP_DONE)
    return made;
  if (wants_next (cut)) {
    make_next (cut, &making);
    return FS_STEP_DONE;
  }
  if (!fs_live_cut_has_evidence (cut)) {
    if (fs_fitter_is_done (cut->fitter) && fs_live_cut_take_fit (cut, error) == FS_STEP_FAILED)
      return FS_STEP_FAILED;
    fs_live_cut_publish_nothing (cut, mailbox);
    return FS_STEP_DONE;
  }
  if (fs_live_cut_can_show_fit (cut)) {
    fs_live_cut_show_fit (cut, mailbox);
    return FS_STEP_DONE;
  }
  return wants_refinement (cut) ? refine_border (cut, interrupt, mailbox, error)
                                : update (cut, interrupt, mailbox, error);
}

FsStepResult
fs_live_cut_step (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox,
                  GError **error)
{
  cut->note = interrupt->board ? &interrupt->board->front : NULL;
  fs_fitter_set_note (cut->fitter, interrupt->board ? &interrupt->board->fit : NULL);
  FsStepResult result = step (cut, interrupt, mailbox, error);
  fs_stage_enter (cut->note, FS_STAGE_IDLE);
  if (result == FS_STEP_FAILED) {
    drop_cuts (cut);
    cut->failed = TRUE;
  }
  return result;
}
