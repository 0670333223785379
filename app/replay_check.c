/* SPDX-License-Identifier: MIT */
#include "app/replay_check.h"

#include "app/replay.h"
#include "solver/solver.h"

#include <string.h>

struct _FsReplayCheck {
  FsImage *image;
  FsSettings settings;
  GArray *edits;   /* of FsEdit, all of them                                     */
  guint n_applied; /* of them, to `history`                                      */
  FsHistory *history;
  FsEnergy *energy;      /* fitted to the seeds of the last settled mask; NULL without */
  int64_t n_fitted[2];   /* seeds of each side in it                                */
  gboolean models_stand; /* `energy` is the growing stroke's                      */
  uint8_t *mask;         /* scratch */
  FsReplayCheckCounts counts;
};

FsReplayCheck *
fs_replay_check_new (FsImage *image, const FsSettings *settings)
{
  FsReplayCheck *check = g_new0 (FsReplayCheck, 1);
  check->image = fs_image_ref (image);
  check->settings = *settings;
  check->edits = g_array_new (FALSE, FALSE, sizeof (FsEdit));
  check->mask = g_malloc ((gsize)image->width * (gsize)image->height);
  return check;
}

void
fs_replay_check_free (FsReplayCheck *check)
{
  if (!check)
    return;
  fs_energy_free (check->energy);
  fs_history_free (check->history);
  g_array_unref (check->edits);
  g_free (check->mask);
  fs_image_unref (check->image);
  g_free (check);
}

FsReplayCheckCounts
fs_replay_check_get_counts (FsReplayCheck *check)
{
  return check->counts;
}

void
fs_replay_check_note_edit (FsReplayCheck *check, const FsEdit *edit)
{
  g_return_if_fail (edit->kind == FS_EDIT_BEGIN || edit->kind == FS_EDIT_EXTEND
                    || edit->kind == FS_EDIT_END);
  g_array_append_val (check->edits, *edit);
}

static gboolean
fail_for_memory (GError **error)
{
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                       "not enough memory for the check");
  return FALSE;
}

/* --- the seed map of a generation --------------------------------------------------------------
 */

static int64_t
n_seeds (const FsSeedMap *seeds, int side)
{
  int64_t n_background = seeds->n_seeds[FS_SEED_BACKGROUND];
  if (side == 0)
    return n_background;
  return (int64_t)seeds->width * seeds->height - seeds->n_seeds[FS_SEED_NONE] - n_background;
}

static void
apply (FsReplayCheck *check, const FsEdit *edit)
{
  switch (edit->kind) {
  case FS_EDIT_BEGIN:
    check->models_stand =
        check->energy
        && (edit->label == FS_SEED_NONE || check->n_fitted[edit->label != FS_SEED_BACKGROUND] > 0);
    fs_history_begin (check->history, edit->label, edit->radius_px);
    break;
  case FS_EDIT_EXTEND:
    fs_history_extend (check->history, edit->samples, edit->n_samples, NULL);
    break;
  case FS_EDIT_END:
    fs_history_end (check->history);
    break;
  case FS_EDIT_CANCEL:
  case FS_EDIT_UNDO:
  case FS_EDIT_REDO:
  case FS_EDIT_SETTINGS:
    g_assert_not_reached ();
  }
}

static gboolean
advance (FsReplayCheck *check, guint64 generation, GError **error)
{
  g_return_val_if_fail (generation <= check->edits->len, FALSE);

  if (!check->history)
    check->history = fs_history_new (check->image->width, check->image->height, NULL);
  if (!check->history)
    return fail_for_memory (error);
  while (check->n_applied < generation)
    apply (check, &g_array_index (check->edits, FsEdit, check->n_applied++));
  return TRUE;
}

/* --- the fresh solve ----------------------------------------------------------------------------
 */

static gboolean
fit_anew (FsReplayCheck *check, const FsSeedMap *seeds, GError **error)
{
  g_clear_pointer (&check->energy, fs_energy_free);
  for (int side = 0; side < 2; side++)
    check->n_fitted[side] = n_seeds (seeds, side);
  if (check->n_fitted[0] + check->n_fitted[1] == 0)
    return TRUE;
  check->energy = fs_energy_new (check->image, &check->settings, NULL, error);
  if (!check->energy)
    return FALSE;
  fs_energy_fit (check->energy, seeds);
  return TRUE;
}

/* Leaves the mask in check->mask; without seeds it is empty and costs nothing. */
static gboolean
solve_fresh (FsReplayCheck *check, const FsSeedMap *seeds, FsSolution *solution, GError **error)
{
  int width = check->image->width, height = check->image->height;
  if (n_seeds (seeds, 0) + n_seeds (seeds, 1) == 0) {
    memset (check->mask, 0, (size_t)width * (size_t)height);
    *solution = (FsSolution){ .exact = TRUE };
    return TRUE;
  }
  const FsBackend *backend = fs_backend_find ("auto", error);
  if (!backend)
    return FALSE;
  FsGrid *grid = fs_energy_get_grid (check->energy);
  fs_energy_fill_tlinks (check->energy, seeds, grid->tlink);
  g_autoptr (FsSolver) solver = fs_solver_new (backend, grid, error);
  if (!solver || !fs_solver_solve (solver, NULL, solution, error))
    return FALSE;
  fs_solver_read_mask (solver, 0, 0, width, height, check->mask, (size_t)width);
  return TRUE;
}

/* --- the comparison ------------------------------------------------------------------------------
 */

static gboolean differs (GError **error, const FsDocumentStatus *status, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
differs (GError **error, const FsDocumentStatus *status, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *what = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, FS_REPLAY_ERROR, FS_REPLAY_ERROR_DIFFERS,
               "the %s mask after edit %" G_GUINT64_FORMAT " is not that of a fresh solve: %s",
               status->settled ? "settled" : "growing", status->generation, what);
  return FALSE;
}

static gboolean
compare (FsReplayCheck *check, const uint8_t *mask, const FsDocumentStatus *status,
         const FsSolution *fresh, GError **error)
{
  size_t width = (size_t)check->image->width, n = width * (size_t)check->image->height;
  size_t n_different = 0, first = 0;
  for (size_t i = n; i-- > 0;)
    if (mask[i] != check->mask[i]) {
      n_different++;
      first = i;
    }
  if (n_different > 0)
    return differs (error, status, "%zu pixels differ, the first at (%zu, %zu)", n_different,
                    first % width, first / width);
  if (!fresh->exact || status->energy != fresh->energy || status->bound != fresh->bound)
    return differs (error, status,
                    "its energy is %" G_GINT64_FORMAT " with bound %" G_GINT64_FORMAT
                    ", the fresh one's %" G_GINT64_FORMAT " with bound %" G_GINT64_FORMAT,
                    status->energy, status->bound, fresh->energy, fresh->bound);
  return TRUE;
}

gboolean
fs_replay_check_document (FsReplayCheck *check, FsDocument *document, GError **error)
{
  g_return_val_if_fail (check && FS_IS_DOCUMENT (document), FALSE);

  FsDocumentStatus status = fs_document_get_status (document);
  if (!advance (check, status.generation, error))
    return FALSE;
  if (!status.exact)
    return TRUE;
  /* Idle within a stroke the document is settled too, but not on models of these seeds. */
  status.settled = status.settled && !fs_history_is_drawing (check->history);
  const FsSeedMap *seeds = fs_history_get_seeds (check->history);
  if (status.settled && !fit_anew (check, seeds, error))
    return FALSE;
  if (!status.settled && !check->models_stand) {
    check->counts.n_unmodelled++;
    return TRUE;
  }
  FsSolution fresh;
  if (!solve_fresh (check, seeds, &fresh, error)
      || !compare (check, fs_document_get_mask (document), &status, &fresh, error))
    return FALSE;
  if (status.settled)
    check->counts.n_settled++;
  else
    check->counts.n_growing++;
  return TRUE;
}
