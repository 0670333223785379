/* SPDX-License-Identifier: MIT */
#include "app/live_cut.h"

#include "app/history.h"

struct _FsLiveCut {
  FsImage *image;
  FsSettings settings;
  FsHistory *history;
  FsEnergy *energy; /* NULL until made, and after a failure */
  FsSolver *solver;
  FsPixelList *pixels; /* whose label changed since their t-links were set */
  GArray *changes;     /* of FsTlinkChange                                 */
  int32_t *tlinks;     /* [H·W], for a fit                                 */

  gboolean fit_pending;   /* the models are not those of the seed map            */
  gboolean solve_pending; /* t-links changed since the last finished solve       */
  gboolean whole;         /* the mailbox does not hold this solver's former mask */
  gboolean failed;
  int64_t n_fitted[2];  /* seeds of each side at the last fit           */
  gboolean new_side[2]; /* the growing stroke may be the first of a side */

  guint64 generation;
  guint64 published;
  gint64 oldest_edit_us; /* of the edits since the last publication, 0 for none */
  FsSolution solution;
  gint64 solve_us;
};

FsLiveCut *
fs_live_cut_new (FsImage *image, const FsSettings *settings)
{
  FsLiveCut *cut = g_new0 (FsLiveCut, 1);
  cut->image = fs_image_ref (image);
  cut->settings = *settings;
  cut->pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  cut->changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  return cut;
}

static void
drop_solver (FsLiveCut *cut)
{
  g_clear_pointer (&cut->solver, fs_solver_free);
  g_clear_pointer (&cut->energy, fs_energy_free);
  cut->n_fitted[0] = cut->n_fitted[1] = 0;
}

void
fs_live_cut_free (FsLiveCut *cut)
{
  if (!cut)
    return;
  drop_solver (cut);
  fs_history_free (cut->history);
  g_array_unref (cut->pixels);
  g_array_unref (cut->changes);
  g_free (cut->tlinks);
  fs_image_unref (cut->image);
  g_free (cut);
}

static gboolean
ensure_history (FsLiveCut *cut)
{
  if (!cut->history)
    cut->history = fs_history_new (cut->image->width, cut->image->height, NULL);
  return cut->history != NULL;
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

static void
begin_stroke (FsLiveCut *cut, const FsEdit *edit)
{
  for (int side = 0; side < 2; side++)
    cut->new_side[side] = n_seeds (cut, side) == 0;
  fs_history_begin (cut->history, edit->label, edit->radius_px);
}

static void
play_edit (FsLiveCut *cut, const FsEdit *edit)
{
  FsHistory *history = cut->history;
  switch (edit->kind) {
  case FS_EDIT_BEGIN:
    begin_stroke (cut, edit);
    return;
  case FS_EDIT_EXTEND:
    fs_history_extend (history, edit->samples, edit->n_samples, cut->pixels);
    return;
  case FS_EDIT_END:
    fs_history_end (history);
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
    cut->settings = edit->settings;
    drop_solver (cut);
    break;
  }
  cut->fit_pending = TRUE;
}

void
fs_live_cut_apply (FsLiveCut *cut, const FsEdit *edit, guint64 generation, gint64 time_us)
{
  cut->failed = !ensure_history (cut);
  if (cut->failed)
    return;
  play_edit (cut, edit);
  cut->generation = generation;
  if (cut->oldest_edit_us == 0)
    cut->oldest_edit_us = time_us;
}

static gboolean
is_drawing (FsLiveCut *cut)
{
  return cut->history && fs_history_is_drawing (cut->history);
}

gboolean
fs_live_cut_has_work (FsLiveCut *cut)
{
  if (cut->failed)
    return FALSE;
  return !cut->solver || cut->pixels->len > 0 || cut->solve_pending
         || (cut->fit_pending && !is_drawing (cut)) || cut->generation != cut->published;
}

static gboolean
make_solver (FsLiveCut *cut, const FsProgress *progress, GError **error)
{
  const FsBackend *backend = fs_backend_find ("auto", error);
  if (!backend)
    return FALSE;
  if (!ensure_history (cut)
      || (!cut->tlinks
          && !(cut->tlinks =
                   g_try_new (int32_t, (gsize)cut->image->width * (gsize)cut->image->height)))) {
    g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                         "not enough memory for a photo of this size");
    return FALSE;
  }
  cut->energy = fs_energy_new (cut->image, &cut->settings, progress, error);
  if (!cut->energy)
    return FALSE;
  cut->solver = fs_solver_new (backend, fs_energy_get_grid (cut->energy), error);
  cut->fit_pending = TRUE;
  cut->whole = TRUE;
  return cut->solver != NULL;
}

/* While a stroke grows the models stand still, but a side that had none needs one at once, and a
 * first one that was made from a dab must follow its stroke: whenever the side's seeds have
 * doubled. */
static gboolean
needs_models_now (FsLiveCut *cut)
{
  for (int side = 0; side < 2; side++) {
    int64_t n = n_seeds (cut, side);
    if (n > 0 && cut->n_fitted[side] == 0)
      return TRUE;
    if (is_drawing (cut) && cut->new_side[side] && n >= 2 * cut->n_fitted[side] && n > 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
fit (FsLiveCut *cut, GError **error)
{
  const FsSeedMap *seeds = fs_history_get_seeds (cut->history);
  fs_energy_fit (cut->energy, seeds);
  fs_energy_fill_tlinks (cut->energy, seeds, cut->tlinks);
  if (!fs_solver_replace_tlinks (cut->solver, cut->tlinks, error))
    return FALSE;
  for (int side = 0; side < 2; side++)
    cut->n_fitted[side] = n_seeds (cut, side);
  g_array_set_size (cut->pixels, 0);
  cut->fit_pending = is_drawing (cut);
  cut->solve_pending = TRUE;
  return TRUE;
}

static gboolean
change_pixels (FsLiveCut *cut, GError **error)
{
  const FsSeedMap *seeds = fs_history_get_seeds (cut->history);
  g_array_set_size (cut->changes, cut->pixels->len);
  for (guint i = 0; i < cut->pixels->len; i++) {
    uint32_t pixel = g_array_index (cut->pixels, uint32_t, i);
    g_array_index (cut->changes, FsTlinkChange, i) =
        (FsTlinkChange){ pixel, fs_energy_tlink (cut->energy, pixel, seeds->label[pixel]) };
  }
  g_array_set_size (cut->pixels, 0);
  cut->solve_pending = TRUE;
  return fs_solver_change_tlinks (cut->solver,
                                  (const FsTlinkChange *)(gconstpointer)cut->changes->data,
                                  cut->changes->len, error);
}

/* Brings the solver's t-links up to date: by the changed pixels first, because that is quick, and
 * by a new fit when nothing else waits or when the models are needed for any mask at all. */
static gboolean
update_tlinks (FsLiveCut *cut, GError **error)
{
  gboolean idle = cut->pixels->len == 0 || cut->solve_pending;
  if (needs_models_now (cut) || (cut->fit_pending && !is_drawing (cut) && idle))
    return fit (cut, error);
  return cut->pixels->len == 0 || change_pixels (cut, error);
}

static gboolean
solve (FsLiveCut *cut, const FsProgress *progress, GError **error)
{
  if (!cut->solve_pending)
    return TRUE;
  gint64 start = g_get_monotonic_time ();
  if (!fs_solver_solve (cut->solver, progress, &cut->solution, error))
    return FALSE;
  cut->solve_us = g_get_monotonic_time () - start;
  cut->solve_pending = FALSE;
  return TRUE;
}

/* An edit that came during the solve has overtaken its result. */
static gboolean
is_overtaken (const FsProgress *progress, GError **error)
{
  if (!atomic_load (progress->cancel))
    return FALSE;
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "overtaken by an edit");
  return TRUE;
}

static void
publish (FsLiveCut *cut, FsMailbox *mailbox, gboolean has_mask)
{
  FsLiveState state = { .generation = cut->generation,
                        .has_mask = has_mask,
                        .exact = cut->solution.exact,
                        .settled = !cut->fit_pending,
                        .energy = cut->solution.energy,
                        .bound = cut->solution.bound,
                        .solve_us = cut->solve_us,
                        .oldest_edit_us = cut->oldest_edit_us,
                        .backend = cut->solver->backend->name,
                        .device = cut->solver->backend->device () };
  fs_mailbox_publish (mailbox, has_mask ? cut->solver : NULL, cut->whole, &state);
  cut->whole = !has_mask;
  cut->published = cut->generation;
  cut->oldest_edit_us = 0;
}

/* Without seeds there is nothing to cut: the mask is empty, and the models wait for the first
 * stroke. */
static void
publish_nothing (FsLiveCut *cut, FsMailbox *mailbox)
{
  g_array_set_size (cut->pixels, 0);
  cut->n_fitted[0] = cut->n_fitted[1] = 0;
  cut->solution = (FsSolution){ .exact = TRUE };
  cut->solve_us = 0;
  cut->fit_pending = cut->solve_pending = FALSE;
  publish (cut, mailbox, FALSE);
}

static gboolean
step (FsLiveCut *cut, const FsProgress *progress, FsMailbox *mailbox, GError **error)
{
  if (!cut->solver && !make_solver (cut, progress, error))
    return FALSE;
  if (n_seeds (cut, 0) + n_seeds (cut, 1) == 0) {
    publish_nothing (cut, mailbox);
    return TRUE;
  }
  if (!update_tlinks (cut, error) || !solve (cut, progress, error)
      || is_overtaken (progress, error))
    return FALSE;
  publish (cut, mailbox, TRUE);
  return TRUE;
}

gboolean
fs_live_cut_step (FsLiveCut *cut, const atomic_bool *cancel, FsMailbox *mailbox, GError **error)
{
  FsProgress progress = { .cancel = cancel };
  g_autoptr (GError) failure = NULL;
  if (step (cut, &progress, mailbox, &failure))
    return TRUE;

  if (!cut->solver)
    drop_solver (cut);
  if (g_error_matches (failure, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED))
    return FALSE;
  drop_solver (cut);
  cut->failed = TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}
