/* SPDX-License-Identifier: MIT */
#include "app/live_cut.h"

#include "app/fitter.h"
#include "app/history.h"
#include "app/kept_masks.h"
#include "app/model_cut.h"

#include <stdbool.h>

/* Of the shown cut before it turns cold; and of a preview before it goes on in blocks. Together
 * with what each edit costs besides they make less than a frame or two. */
enum { SOLVE_BUDGET_US = 12000, PREVIEW_BUDGET_US = 12000 };

/* Changed links that the solver takes over in about half of that. */
enum { QUICK_CHANGES = 40000 };

struct _FsLiveCut {
  FsImage *image;
  FsSettings settings;
  FsHistory *history;
  FsModelCut *front; /* the one that is shown; NULL until made, and after a failure */
  FsModelCut *spare; /* its sibling while no fit runs on it, NULL until the first fit */
  FsFitter *fitter;

  FsPixelList *pixels; /* whose label changed since the front's t-links were set  */
  FsPixelList *since;  /* … that the front has, but not the seeds of the running fit */

  gboolean fit_pending;   /* models are wanted for seeds that no fit has got yet     */
  gboolean solve_pending; /* t-links changed since the front's last finished solve   */
  gboolean cold;          /* the front has no mask to show: its solve takes too long */
  gboolean whole;         /* the mailbox does not hold the front's former mask       */
  gboolean failed;
  gboolean alone;       /* there is no memory for a sibling: fits happen in place     */
  gboolean discard_fit; /* the running fit has settings that no longer hold          */
  int64_t n_fitted[2];  /* seeds of each side that the newest fit got, running or not */
  gboolean new_side[2]; /* the growing stroke may be the first of a side             */

  FsKeptMasks kept; /* the settled ones, for stability */

  uint8_t *preview;     /* [H·W], of the cold front; NULL until needed */
  gboolean has_preview; /* … and it is that of the front's present t-links */
  gboolean hasty;       /* … with levels left in blocks                    */

  guint64 generation;
  guint64 published;
  gint64 oldest_edit_us; /* of the edits since the last publication, 0 for none */
};

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
  fs_kept_masks_init (&cut->kept);
  return cut;
}

void
fs_live_cut_free (FsLiveCut *cut)
{
  if (!cut)
    return;
  fs_kept_masks_clear (&cut->kept);
  fs_fitter_free (cut->fitter);
  fs_model_cut_free (cut->front);
  fs_model_cut_free (cut->spare);
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
  cut->n_fitted[0] = cut->n_fitted[1] = 0;
}

static gboolean
ensure_history (FsLiveCut *cut)
{
  if (!cut->history)
    cut->history = fs_history_new (cut->image->width, cut->image->height, NULL);
  return cut->history != NULL;
}

static gboolean
is_drawing (FsLiveCut *cut)
{
  return cut->history && fs_history_is_drawing (cut->history);
}

static int64_t
n_seeds (FsLiveCut *cut, int side)
{
  const FsSeedMap *seeds = fs_history_get_seeds (cut->history);
  int64_t n_background = seeds->n_seeds[FS_SEED_BACKGROUND];
  if (side == 0)
    return n_background;
  return (int64_t)seeds->width * seeds->height - seeds->n_seeds[FS_SEED_NONE] - n_background;
}

/* --- edits ---------------------------------------------------------------------------------- */

static void
begin_stroke (FsLiveCut *cut, const FsEdit *edit)
{
  for (int side = 0; side < 2; side++)
    cut->new_side[side] = n_seeds (cut, side) == 0;
  fs_history_begin_after (cut->history, edit->label, edit->radius_px, edit->after);
}

/* A finished stroke is the last one of a new state, and ends what could be redone. */
static void
end_stroke (FsLiveCut *cut)
{
  guint before = fs_history_get_n_strokes (cut->history) - 1;
  fs_history_end (cut->history);
  if (fs_history_get_n_strokes (cut->history) > before)
    fs_kept_masks_forget (&cut->kept, before);
}

static void
change_settings (FsLiveCut *cut, const FsSettings *settings)
{
  cut->settings = *settings;
  drop_cuts (cut);
  fs_history_forget_masks (cut->history);
  fs_kept_masks_forget (&cut->kept, 0);
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
  }
  return TRUE;
}

void
fs_live_cut_apply (FsLiveCut *cut, const FsEdit *edit, guint64 generation, gint64 time_us)
{
  cut->failed = !ensure_history (cut);
  if (cut->failed)
    return;
  if (play_edit (cut, edit)) {
    cut->fit_pending = TRUE;
    fs_fitter_cancel (cut->fitter);
  }
  cut->generation = generation;
  if (cut->oldest_edit_us == 0)
    cut->oldest_edit_us = time_us;
}

/* --- models --------------------------------------------------------------------------------- */

static gboolean
knows_anything (FsLiveCut *cut)
{
  return cut->n_fitted[0] + cut->n_fitted[1] > 0;
}

/* While a stroke grows the models stand still. But a side's first stroke has none to stand on: it
 * gets some from its first dab, and again whenever its seeds have doubled. */
static gboolean
grows_new_side (FsLiveCut *cut)
{
  for (int side = 0; side < 2; side++) {
    int64_t n = n_seeds (cut, side);
    if (cut->new_side[side] && n > 0 && n >= 2 * cut->n_fitted[side])
      return TRUE;
  }
  return FALSE;
}

static gboolean
wants_fit (FsLiveCut *cut)
{
  return is_drawing (cut) ? grows_new_side (cut) : cut->fit_pending;
}

static void
note_fit (FsLiveCut *cut)
{
  for (int side = 0; side < 2; side++)
    cut->n_fitted[side] = n_seeds (cut, side);
  cut->fit_pending = is_drawing (cut);
  g_array_set_size (cut->since, 0);
}

/* What the state's last stroke, growing or not, is to keep; NULL for nothing. Without memory for
 * it the fit fails as it would without memory for its t-links. */
static gboolean
find_former (FsLiveCut *cut, FsFormer **former, GError **error)
{
  *former = NULL;
  guint n = fs_history_get_n_strokes (cut->history);
  guint after = n > 0 ? fs_history_get_stroke (cut->history, n - 1)->after : 0;
  if (after == 0)
    return TRUE;
  GBytes *runs = fs_kept_masks_get (&cut->kept, after);
  g_return_val_if_fail (runs, TRUE);
  g_autoptr (FsFormer) found = fs_former_new (runs);
  if (!fs_history_list_painted (cut->history, after, found->painted)) {
    g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                         "not enough memory for the strokes");
    return FALSE;
  }
  *former = g_steal_pointer (&found);
  return TRUE;
}

/* On the front itself: for the very first seeds and while it is cold, when there is no mask to
 * protect, and where there is no memory for a second cut. */
static gboolean
fit_in_place (FsLiveCut *cut, GError **error)
{
  g_autoptr (FsFormer) former = NULL;
  if (!find_former (cut, &former, error)
      || !fs_model_cut_fit_after (cut->front, fs_history_get_seeds (cut->history), former, error))
    return FALSE;
  cut->front->fitted_at = cut->generation;
  fs_fitter_cancel (cut->fitter); /* one that runs is of older seeds */
  note_fit (cut);
  cut->has_preview = FALSE;
  g_array_set_size (cut->pixels, 0);
  cut->solve_pending = TRUE;
  return TRUE;
}

/* Starts a fit of the present seeds beside the front. FALSE where there is no memory for that. */
static gboolean
fit_beside (FsLiveCut *cut)
{
  if (cut->alone)
    return FALSE;
  if (!cut->spare)
    cut->spare = fs_model_cut_new_sibling (cut->front, NULL);
  g_autoptr (FsFormer) former = NULL;
  if (!cut->spare || !find_former (cut, &former, NULL))
    return FALSE;
  cut->spare->fitted_at = cut->generation;
  if (!fs_fitter_start (cut->fitter, g_steal_pointer (&cut->spare),
                        fs_history_get_seeds (cut->history), g_steal_pointer (&former)))
    return FALSE;
  note_fit (cut);
  return TRUE;
}

/* New models are shown between strokes, so that the mask does not jump under the brush; those of a
 * side's first stroke at once. */
static gboolean
can_take_fit (FsLiveCut *cut)
{
  if (!fs_fitter_is_done (cut->fitter))
    return FALSE;
  return !is_drawing (cut) || cut->new_side[0] || cut->new_side[1];
}

/* Puts the fitted cut in front; what was painted meanwhile is changed on it next. Whoever cancelled
 * a fit has asked for another one, or has made it. */
static gboolean
take_fit (FsLiveCut *cut, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (FsModelCut) fitted = fs_fitter_take (cut->fitter, &failure);
  if (cut->discard_fit) {
    cut->discard_fit = FALSE;
    return TRUE;
  }
  if (failure) {
    if (g_error_matches (failure, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY))
      return cut->alone = cut->fit_pending = TRUE;
    cut->spare = g_steal_pointer (&fitted);
    if (g_error_matches (failure, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED))
      return TRUE;
    g_propagate_error (error, g_steal_pointer (&failure));
    return FALSE;
  }
  cut->spare = g_steal_pointer (&cut->front);
  cut->front = g_steal_pointer (&fitted);
  g_array_append_vals (cut->pixels, cut->since->data, cut->since->len);
  g_array_set_size (cut->since, 0);
  cut->whole = cut->solve_pending = TRUE;
  cut->cold = cut->has_preview = FALSE;
  return TRUE;
}

/* --- the front ------------------------------------------------------------------------------- */

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

static gboolean
make_front (FsLiveCut *cut, const FsProgress *progress, GError **error)
{
  if (!ensure_history (cut)) {
    g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                         "not enough memory for a photo of this size");
    return FALSE;
  }
  cut->front = fs_model_cut_new (cut->image, &cut->settings, progress, error);
  cut->cold = cut->whole = TRUE;
  if (!cut->front)
    return FALSE;
  if (fs_model_cut_wants_preview (cut->front) && n_seeds (cut, 0) + n_seeds (cut, 1) == 0)
    rehearse_preview (cut, progress);
  return TRUE;
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

static gboolean
update_tlinks (FsLiveCut *cut, GError **error)
{
  if (can_take_fit (cut) && !take_fit (cut, error))
    return FALSE;
  gboolean is_shown = cut->generation == cut->published && cut->pixels->len == 0;
  if (!knows_anything (cut) || (cut->cold && is_shown && wants_fit (cut)))
    return fit_in_place (cut, error);
  change_pixels (cut);
  return TRUE;
}

static FsLiveState
present_state (FsLiveCut *cut)
{
  const FsBackend *backend = cut->front->backend;
  return (FsLiveState){ .generation = cut->generation,
                        .has_mask = TRUE,
                        .oldest_edit_us = cut->oldest_edit_us,
                        .backend = backend->name,
                        .device = backend->device () };
}

static void
note_publication (FsLiveCut *cut, gboolean whole_next)
{
  cut->whole = whole_next;
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

/* Keeps the front's mask, which is that of the present state, for strokes to come. */
static gboolean
keep_mask (FsLiveCut *cut)
{
  guint n = fs_history_get_n_strokes (cut->history);
  if (!cut->settings.stability || is_drawing (cut) || n == 0)
    return FALSE;
  return fs_kept_masks_get (&cut->kept, n)
         || fs_kept_masks_set (&cut->kept, n, fs_model_cut_pack_mask (cut->front));
}

/* The front's mask is that of its models' seeds, and they are the present ones. */
static gboolean
rests (FsLiveCut *cut)
{
  return !cut->fit_pending && fs_fitter_is_idle (cut->fitter);
}

static void
publish (FsLiveCut *cut, FsMailbox *mailbox)
{
  FsModelCut *front = cut->front;
  FsLiveState state = present_state (cut);
  state.exact = front->solution.exact;
  state.settled = rests (cut) && !fs_model_cut_wants_second_look (front);
  state.refined = front->has_second;
  state.kept = state.settled && keep_mask (cut);
  state.judged = front->has_verdict;
  state.energy = front->solution.energy;
  state.bound = front->solution.bound;
  state.models_generation = front->fitted_at;
  state.solve_us = front->solve_us;
  state.cut_us = front->cut_us;
  state.model_us = front->model_us;
  state.energy_us = front->energy_us;
  if (front->has_second)
    fs_mailbox_publish_plane (mailbox, front->second, &state);
  else
    fs_mailbox_publish (mailbox, front->solver, cut->whole, &state);
  note_publication (cut, front->has_second);
}

/* Without seeds there is nothing to cut: the mask is empty, and the models wait for the first
 * stroke. */
static void
publish_nothing (FsLiveCut *cut, FsMailbox *mailbox)
{
  fs_fitter_cancel (cut->fitter);
  g_array_set_size (cut->pixels, 0);
  cut->n_fitted[0] = cut->n_fitted[1] = 0;
  cut->fit_pending = cut->solve_pending = FALSE;
  FsLiveState state = present_state (cut);
  state.has_mask = FALSE;
  state.exact = TRUE;
  state.settled = fs_fitter_is_idle (cut->fitter);
  fs_mailbox_publish (mailbox, NULL, FALSE, &state);
  note_publication (cut, TRUE);
}

/* --- previews ------------------------------------------------------------------------------- */

/* The front's own, while it has no mask to show: the exact solve may take seconds on a large photo.
 * Without a deadline it refines what was done in haste. */
static gboolean
preview_front (FsLiveCut *cut, const FsProgress *progress, gint64 deadline_us, FsMailbox *mailbox,
               GError **error)
{
  if (!cut->preview)
    cut->preview = g_try_malloc ((gsize)cut->image->width * (gsize)cut->image->height);
  g_autoptr (GError) failure = NULL;
  if (cut->preview && (!cut->has_preview || (cut->hasty && deadline_us == 0)))
    cut->has_preview = fs_model_cut_preview (cut->front, progress, deadline_us, cut->preview,
                                             &cut->hasty, &failure);
  if (cut->has_preview)
    publish_preview (cut, mailbox, cut->preview);
  if (!g_error_matches (failure, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED))
    return TRUE; /* without memory for it the exact mask follows all the same */
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* The fitter's, of models that are on their way, unless something was painted since. */
static gboolean
can_show_fit (FsLiveCut *cut)
{
  return fs_fitter_has_preview (cut->fitter) && !is_drawing (cut) && cut->pixels->len == 0
         && cut->since->len == 0 && !cut->fit_pending && !cut->discard_fit;
}

static void
show_fit (FsLiveCut *cut, FsMailbox *mailbox)
{
  publish_preview (cut, mailbox, fs_fitter_take_preview (cut->fitter));
}

/* --- steps ---------------------------------------------------------------------------------- */

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

/* What a stroke changes is mostly solved in a few milliseconds. Where it turns a large part of a
 * large photo over, the front is cold again after SOLVE_BUDGET_US: it has no mask to show. */
static gboolean
solve_in_time (FsLiveCut *cut, const FsLiveInterrupt *interrupt, GError **error)
{
  if (cut->front->is_behind || fs_model_cut_count_waiting (cut->front) > QUICK_CHANGES) {
    cut->cold = TRUE;
    g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "it takes too long");
    return FALSE;
  }
  Budget budget = { .interrupt = interrupt,
                    .deadline_us = g_get_monotonic_time () + SOLVE_BUDGET_US };
  FsProgress progress = { .cancel = &budget.stop, .report = watch_budget, .user_data = &budget };
  g_autoptr (GError) failure = NULL;
  if (fs_model_cut_solve (cut->front, &progress, &failure))
    return TRUE;
  cut->cold = g_error_matches (failure, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED)
              && !atomic_load (&interrupt->overtaken);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* Leads the star on to where the strokes are, step by step. */
static gboolean
catch_up (FsLiveCut *cut, const FsProgress *progress, GError **error)
{
  while (cut->front->is_behind) {
    if (atomic_load (progress->cancel)) {
      g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "an edit has come");
      return FALSE;
    }
    g_array_set_size (cut->pixels, 0);
    fs_model_cut_change (cut->front, cut->pixels, fs_history_get_seeds (cut->history));
    cut->has_preview = FALSE;
  }
  return TRUE;
}

/* Shows a preview in haste, refines it and goes on with the exact solve, which now gives way to
 * every edit. An exact mask of models that are to be fitted anew is not worth it; without a preview
 * it is all there is. */
static gboolean
solve_cold (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox, GError **error)
{
  FsProgress progress = { .cancel = &interrupt->overtaken };
  gint64 deadline_us = g_get_monotonic_time () + PREVIEW_BUDGET_US;
  if (!preview_front (cut, &progress, deadline_us, mailbox, error))
    return FALSE;
  if (cut->has_preview && wants_fit (cut)) {
    g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED,
                         "new models come first");
    return FALSE;
  }
  progress.cancel = &interrupt->newer;
  gboolean has_more = cut->front->is_behind || cut->hasty;
  if (!catch_up (cut, &progress, error))
    return FALSE;
  /* A band asks only when it has been built whether an edit has come. */
  gboolean refine = cut->preview && has_more && !atomic_load (&interrupt->newer);
  if (refine && !preview_front (cut, &progress, 0, mailbox, error))
    return FALSE;
  return fs_model_cut_solve (cut->front, &progress, error);
}

/* On a small photo only those edits stop a solve that make it pointless, because under a stream of
 * samples none would ever end. */
static gboolean
solve_small (FsLiveCut *cut, const FsLiveInterrupt *interrupt, GError **error)
{
  FsProgress progress = { .cancel = &interrupt->overtaken };
  return catch_up (cut, &progress, error) && fs_model_cut_solve (cut->front, &progress, error);
}

static gboolean
solve (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox, GError **error)
{
  if (!cut->solve_pending)
    return TRUE;
  gboolean done = !fs_model_cut_wants_preview (cut->front) ? solve_small (cut, interrupt, error)
                  : cut->cold ? solve_cold (cut, interrupt, mailbox, error)
                              : solve_in_time (cut, interrupt, error);
  if (done)
    cut->cold = cut->solve_pending = FALSE;
  return done;
}

/* An edit that came during the solve has overtaken its result. */
static gboolean
is_overtaken (const FsLiveInterrupt *interrupt, GError **error)
{
  if (!atomic_load (&interrupt->overtaken))
    return FALSE;
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "overtaken by an edit");
  return TRUE;
}

/* Once the first exact mask is on the screen. */
static gboolean
wants_second_look (FsLiveCut *cut)
{
  return rests (cut) && !is_drawing (cut) && cut->pixels->len == 0 && !cut->solve_pending
         && cut->generation == cut->published && n_seeds (cut, 0) + n_seeds (cut, 1) > 0
         && fs_model_cut_wants_second_look (cut->front);
}

/* Every edit renews the models, so none needs what was not finished. */
static gboolean
look_again (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox, GError **error)
{
  FsProgress progress = { .cancel = &interrupt->newer };
  if (!fs_model_cut_look_again (cut->front, fs_history_get_seeds (cut->history), &progress, error))
    return FALSE;
  publish (cut, mailbox);
  return TRUE;
}

gboolean
fs_live_cut_has_work (FsLiveCut *cut)
{
  if (cut->failed)
    return FALSE;
  if (!cut->front || !cut->front->solver)
    return TRUE;
  return cut->pixels->len > 0 || cut->solve_pending || cut->generation != cut->published
         || can_take_fit (cut) || can_show_fit (cut) || wants_second_look (cut)
         || (fs_fitter_is_idle (cut->fitter) && wants_fit (cut));
}

/* After the publication, so that no mask waits for a fit to start. A fit for the first dab of a
 * side is not worth waiting for when the stroke has grown to twice as much. */
static gboolean
start_fit (FsLiveCut *cut, GError **error)
{
  if (!wants_fit (cut))
    return TRUE;
  if (!fs_fitter_is_idle (cut->fitter)) {
    fs_fitter_cancel (cut->fitter);
    return TRUE;
  }
  return fit_beside (cut) || fit_in_place (cut, error);
}

static gboolean
step (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox, GError **error)
{
  const FsProgress making = { .cancel = &interrupt->overtaken };
  if (!cut->front && !make_front (cut, &making, error))
    return FALSE;
  if (n_seeds (cut, 0) + n_seeds (cut, 1) == 0) {
    if (fs_fitter_is_done (cut->fitter) && !take_fit (cut, error))
      return FALSE;
    /* While nobody waits for a mask. */
    if (!fs_model_cut_update_solver (cut->front, error))
      return FALSE;
    publish_nothing (cut, mailbox);
    return TRUE;
  }
  if (can_show_fit (cut)) {
    show_fit (cut, mailbox);
    return TRUE;
  }
  if (wants_second_look (cut))
    return look_again (cut, interrupt, mailbox, error);
  if (!update_tlinks (cut, error) || !solve (cut, interrupt, mailbox, error)
      || is_overtaken (interrupt, error))
    return FALSE;
  publish (cut, mailbox);
  return start_fit (cut, error);
}

gboolean
fs_live_cut_step (FsLiveCut *cut, const FsLiveInterrupt *interrupt, FsMailbox *mailbox,
                  GError **error)
{
  g_autoptr (GError) failure = NULL;
  if (step (cut, interrupt, mailbox, &failure))
    return TRUE;
  if (g_error_matches (failure, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED))
    return FALSE;
  drop_cuts (cut);
  cut->failed = TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}
