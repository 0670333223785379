/* SPDX-License-Identifier: MIT */
#include "app/live/live_cut_internal.h"

#include <stdbool.h>

/* The time of a solve before the front turns cold, and of a preview before its finer levels are
 * left in blocks. With the other costs of an edit they add up to less than two frames. */
enum { SOLVE_BUDGET_US = 12000, PREVIEW_BUDGET_US = 12000 };

/* The number of changed links that the solver takes over in about half of SOLVE_BUDGET_US. */
enum { QUICK_CHANGES = 40000 };

/* --- publication --- */

static FsLiveState
present_state (FsLiveCut *cut)
{
  const FsBackend *backend = fs_model_cut_get_backend (cut->front);
  return (FsLiveState){ .generation = cut->generation,
                        .has_mask = TRUE,
                        .oldest_edit_us = cut->oldest_edit_us,
                        .backend = fs_backend_get_name (backend),
                        .device = fs_backend_get_device (backend) };
}

static void
note_publication (FsLiveCut *cut, gboolean whole_next)
{
  cut->publishes_whole = whole_next;
  cut->published = cut->generation;
  cut->oldest_edit_us = 0;
}

static void
publish_preview (FsLiveCut *cut, FsMailbox *mailbox, const uint8_t *mask)
{
  FsLiveState state = present_state (cut);
  fs_mailbox_publish_plane (mailbox, mask, &state);
  note_publication (cut, TRUE);
}

void
fs_live_cut_publish (FsLiveCut *cut, FsMailbox *mailbox)
{
  FsModelCut *front = cut->front;
  FsLiveState state = present_state (cut);
  state.exact = front->solution.exact;
  state.is_final =
      fs_live_is_final (fs_fitter_get_state (cut->fitter), fs_live_cut_get_inputs (cut));
  state.refined = front->is_refined;
  state.saved = state.is_final && fs_live_cut_save_mask (cut);
  state.filtered = front->locality == FS_LOCALITY_APPLIED;
  state.energy = front->solution.energy;
  state.bound = front->solution.bound;
  state.models_generation = front->fitted_at;
  state.solve_us = front->solve_us;
  state.cut_us = front->cut_us;
  state.model_us = front->model_us;
  state.energy_us = front->energy_us;
  if (front->is_refined)
    fs_mailbox_publish_plane (mailbox, front->refined_mask, &state);
  else
    fs_mailbox_publish (mailbox, front->solver, cut->publishes_whole, &state);
  note_publication (cut, front->is_refined);
  cut->mask = state.is_final ? FS_MASK_FINAL : FS_MASK_EXACT;
}

void
fs_live_cut_publish_nothing (FsLiveCut *cut, FsMailbox *mailbox)
{
  fs_fitter_cancel (cut->fitter);
  g_array_set_size (cut->pixels, 0);
  cut->n_fitted[0] = cut->n_fitted[1] = 0;
  cut->fit_pending = FALSE;
  cut->mask = FS_MASK_EMPTY;
  FsLiveState state = present_state (cut);
  state.has_mask = FALSE;
  state.exact = TRUE;
  state.is_final = fs_fitter_get_state (cut->fitter) == FS_FIT_NONE;
  fs_mailbox_publish (mailbox, NULL, FALSE, &state);
  note_publication (cut, TRUE);
}

void
fs_live_cut_show_fit (FsLiveCut *cut, FsMailbox *mailbox)
{
  publish_preview (cut, mailbox, fs_fitter_take_preview (cut->fitter));
}

/* --- solves --- */

typedef struct {
  const FsLiveInterrupt *interrupt;
  gint64 deadline_us;
  atomic_bool stop;
} Budget;

static void
watch_budget (double fraction, gpointer data)
{
  Budget *budget = data;
  if (atomic_load (&budget->interrupt->overtaken) || g_get_monotonic_time () > budget->deadline_us)
    atomic_store (&budget->stop, true);
}

/* The changes of a stroke are mostly solved in a few milliseconds. Where a large part of a large
 * photo changes sides, the front turns cold after SOLVE_BUDGET_US: it has no exact mask to show. */
static FsStepResult
solve_in_time (FsLiveCut *cut, const FsLiveInterrupt *interrupt, GError **error)
{
  if (cut->front->is_star_stale || fs_model_cut_count_waiting (cut->front) > QUICK_CHANGES) {
    cut->mask = FS_MASK_COLD;
    return FS_STEP_AGAIN;
  }
  Budget budget = { .interrupt = interrupt,
                    .deadline_us = g_get_monotonic_time () + SOLVE_BUDGET_US };
  FsProgress progress = { .cancel = &budget.stop, .report = watch_budget, .user_data = &budget };
  GError *failure = NULL;
  gboolean done = fs_model_cut_solve (cut->front, &progress, &failure);
  FsStepResult result = fs_step_result (done, failure, error);
  if (result == FS_STEP_AGAIN && !atomic_load (&interrupt->overtaken))
    cut->mask = FS_MASK_COLD;
  return result;
}

/* Publishes a preview of the cold front: the exact solve may take seconds on a large photo. A
 * second call, without a deadline, computes the levels that the first left in blocks. Where memory
 * for a preview is short, which is FS_STEP_FAILED without an error, the exact mask follows all the
 * same. */
static FsStepResult
preview_front (FsLiveCut *cut, const FsProgress *progress, gint64 deadline_us, FsMailbox *mailbox)
{
  if (!cut->preview)
    cut->preview = g_try_malloc ((gsize)cut->image->width * (gsize)cut->image->height);
  GError *failure = NULL;
  if (cut->preview
      && (cut->mask == FS_MASK_COLD || (cut->mask == FS_MASK_COARSE && !deadline_us))) {
    gboolean hasty, made = fs_model_cut_preview (cut->front, progress, deadline_us, cut->preview,
                                                 &hasty, &failure);
    cut->mask = !made ? FS_MASK_COLD : hasty ? FS_MASK_COARSE : FS_MASK_PREVIEWED;
  }
  if (cut->mask != FS_MASK_COLD)
    publish_preview (cut, mailbox, cut->preview);
  return fs_step_result (!failure, failure, NULL);
}

/* Extends the star, a limited number of pixels at a time, until it is that of the present seeds. */
static FsStepResult
finish_star (FsLiveCut *cut, const FsProgress *progress)
{
  while (cut->front->is_star_stale) {
    if (fs_progress_is_cancelled (progress))
      return FS_STEP_AGAIN;
    g_array_set_size (cut->pixels, 0);
    fs_model_cut_change (cut->front, cut->pixels, fs_history_get_seeds (cut->history));
    cut->mask = fs_mask_after_change (cut->mask);
  }
  return FS_STEP_DONE;
}

/* The solve that may take long; it reports its progress. */
static FsStepResult
prove_mask (FsLiveCut *cut, const FsCancelFlag *cancel, GError **error)
{
  GError *failure = NULL;
  const FsProgress progress = { cancel, fs_stage_report, cut->note };
  fs_stage_enter (cut->note, FS_STAGE_PROVING);
  gboolean done = fs_model_cut_solve (cut->front, &progress, &failure);
  return fs_step_result (done, failure, error);
}

/* Publishes a preview within a frame, completes it, and goes on with the exact solve, which every
 * edit interrupts. The exact solve is skipped where the models are about to be fitted again, unless
 * there was no preview to show. */
static FsStepResult
solve_cold (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox, GError **error)
{
  FsProgress progress = { .cancel = &interrupt->overtaken };
  gint64 deadline_us = g_get_monotonic_time () + PREVIEW_BUDGET_US;
  if (preview_front (cut, &progress, deadline_us, mailbox) == FS_STEP_AGAIN
      || (cut->mask != FS_MASK_COLD && fs_live_cut_wants_fit (cut)))
    return FS_STEP_AGAIN;
  progress.cancel = &interrupt->newer;
  gboolean has_more = cut->front->is_star_stale || cut->mask == FS_MASK_COARSE;
  if (finish_star (cut, &progress) == FS_STEP_AGAIN)
    return FS_STEP_AGAIN;
  /* Cancellation is checked only after a band has been built, so it is checked before, too. */
  gboolean refine = cut->preview && has_more && !atomic_load (&interrupt->newer);
  if (refine && preview_front (cut, &progress, 0, mailbox) == FS_STEP_AGAIN)
    return FS_STEP_AGAIN;
  return prove_mask (cut, &interrupt->newer, error);
}

/* On a small photo only those edits stop a solve that make it pointless, because under a stream of
 * samples none would ever end. */
static FsStepResult
solve_small (FsLiveCut *cut, const FsLiveInterrupt *interrupt, GError **error)
{
  FsProgress progress = { .cancel = &interrupt->overtaken };
  FsStepResult result = finish_star (cut, &progress);
  return result == FS_STEP_DONE ? prove_mask (cut, &interrupt->overtaken, error) : result;
}

FsStepResult
fs_live_cut_solve (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox,
                   GError **error)
{
  if (cut->mask == FS_MASK_EXACT || cut->mask == FS_MASK_FINAL)
    return FS_STEP_DONE;
  fs_model_cut_set_seeds (cut->front, fs_history_get_seeds (cut->history));
  FsStepResult result = !fs_model_cut_wants_preview (cut->front)
                            ? solve_small (cut, interrupt, error)
                        : fs_mask_is_cold (cut->mask) ? solve_cold (cut, interrupt, mailbox, error)
                                                      : solve_in_time (cut, interrupt, error);
  if (result == FS_STEP_DONE)
    cut->mask = FS_MASK_EXACT;
  return result;
}
