/* SPDX-License-Identifier: MIT */
#include "tests/app/replay/replay_check.h"

#include "cut/refine_cut.h"
#include "app/strokes/mask_runs.h"
#include "solver/solver.h"

#include <string.h>

G_DEFINE_QUARK (replay - check - error - quark, replay_check_error)

/* The seed map after some of the edits. */
typedef struct {
  FsHistory *history; /* NULL until needed */
  guint64 generation;
} Replayed;

struct _ReplayCheck {
  FsImage *image;
  FsSettings settings;
  GArray *edits;          /* of FsEdit, all of them                   */
  Replayed shown;         /* those that the last mask holds           */
  Replayed models;        /* those whose seeds `energy` was fitted to */
  FsEnergy *energy;       /* NULL before the first fit                */
  FsSeedMap *followed;    /* the seeds that the links of `energy` hold */
  GPtrArray *final_masks; /* of GBytes: the final mask of the first i + 1 strokes, or NULL */
  uint8_t *mask;          /* scratch */
  ReplayCheckCounts counts;
};

ReplayCheck *
replay_check_new (FsImage *image, const FsSettings *settings)
{
  g_autoptr (ReplayCheck) check = g_new0 (ReplayCheck, 1);
  check->image = fs_image_ref (image);
  check->settings = *settings;
  check->edits = g_array_new (FALSE, FALSE, sizeof (FsEdit));
  check->final_masks = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  check->mask = g_try_malloc ((gsize)image->width * (gsize)image->height);
  return check->mask ? g_steal_pointer (&check) : NULL;
}

void
replay_check_free (ReplayCheck *check)
{
  if (!check)
    return;
  fs_energy_free (check->energy);
  fs_seed_map_free (check->followed);
  fs_history_free (check->shown.history);
  fs_history_free (check->models.history);
  g_array_unref (check->edits);
  g_ptr_array_unref (check->final_masks);
  g_free (check->mask);
  fs_image_unref (check->image);
  g_free (check);
}

ReplayCheckCounts
replay_check_get_counts (ReplayCheck *check)
{
  return check->counts;
}

void
replay_check_note_edit (ReplayCheck *check, const FsEdit *edit)
{
  g_return_if_fail (edit->kind == FS_EDIT_BEGIN || edit->kind == FS_EDIT_EXTEND
                    || edit->kind == FS_EDIT_END || edit->kind == FS_EDIT_GUESS);
  g_array_append_val (check->edits, *edit);
}

static gboolean
fail_for_memory (GError **error)
{
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                       "not enough memory for the check");
  return FALSE;
}

/* --- the seed map of a generation --- */

static int64_t
n_seeds (const FsSeedMap *seeds, int side)
{
  int64_t n_background = seeds->n_seeds[FS_SEED_BACKGROUND];
  if (side == 0)
    return n_background;
  return (int64_t)seeds->width * seeds->height - seeds->n_seeds[FS_SEED_NONE] - n_background;
}

static void
apply (FsHistory *history, const FsEdit *edit)
{
  switch (edit->kind) {
  case FS_EDIT_BEGIN:
    fs_history_begin_shape (history, edit->shape, edit->label, edit->radius_px, edit->after);
    break;
  case FS_EDIT_EXTEND:
    fs_history_extend (history, edit->samples, edit->n_samples, NULL);
    break;
  case FS_EDIT_END:
    fs_history_end (history);
    break;
  case FS_EDIT_GUESS:
    fs_history_set_guess (history, edit->guess, NULL);
    break;
  case FS_EDIT_CANCEL:
  case FS_EDIT_UNDO:
  case FS_EDIT_REDO:
  case FS_EDIT_SETTINGS:
    g_assert_not_reached ();
  }
}

static gboolean
advance (ReplayCheck *check, Replayed *replayed, guint64 generation, GError **error)
{
  g_return_val_if_fail (generation <= check->edits->len, FALSE);

  if (!replayed->history)
    replayed->history = fs_history_new (check->image->width, check->image->height, NULL);
  if (!replayed->history)
    return fail_for_memory (error);
  while (replayed->generation < generation)
    apply (replayed->history, &g_array_index (check->edits, FsEdit, replayed->generation++));
  return TRUE;
}

/* --- the fresh solve --- */

/* Leaves the mask in check->mask. */
static gboolean
solve_grid (ReplayCheck *check, FsSolution *solution, GError **error)
{
  int width = check->image->width, height = check->image->height;
  g_autoptr (FsSolver) solver =
      fs_solver_new (&fs_backend_cpu, fs_energy_get_grid (check->energy), error);
  if (!solver || !fs_solver_solve (solver, NULL, solution, error))
    return FALSE;
  fs_solver_read_mask (solver, 0, 0, width, height, check->mask, (size_t)width);
  return TRUE;
}

static void
set_tlinks (ReplayCheck *check, const GArray *changes)
{
  FsGrid *grid = fs_energy_get_grid (check->energy);
  for (guint i = 0; i < changes->len; i++) {
    FsTlinkChange change = g_array_index (changes, FsTlinkChange, i);
    grid->tlink[change.pixel] = change.tlink;
  }
}

static gboolean
filter_changes (ReplayCheck *check, GError **error)
{
  FsSolution solution;
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  if (!solve_grid (check, &solution, error)
      || !fs_energy_filter_changes (check->energy, check->mask, changes, error))
    return FALSE;
  set_tlinks (check, changes);
  return TRUE;
}

/* The number of strokes after which the previous mask of the last stroke was final; 0: none, also
 * without seeds. */
static guint
find_previous_mask (ReplayCheck *check)
{
  FsHistory *history = check->models.history;
  guint n = fs_history_get_n_strokes (history);
  guint after = n > 0 ? fs_history_get_stroke (history, n - 1)->after : 0;
  return after > 0 && after <= check->final_masks->len && check->final_masks->pdata[after - 1]
             ? after
             : 0;
}

static gboolean
set_previous_mask (ReplayCheck *check, GError **error)
{
  guint after = find_previous_mask (check);
  if (after == 0)
    return TRUE;
  g_autoptr (GArray) painted = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  if (!fs_history_list_painted (check->models.history, after, painted))
    return fail_for_memory (error);
  fs_mask_runs_unpack (check->final_masks->pdata[after - 1], check->mask,
                       (size_t)check->image->width * (size_t)check->image->height);
  return fs_energy_set_mask_prior (check->energy, check->mask,
                                   (const uint32_t *)(gpointer)painted->data, painted->len, error);
}

/* A final mask as a fresh solve has it. */
static void
store_final_mask (ReplayCheck *check)
{
  guint n = fs_history_get_n_strokes (check->shown.history);
  if (!check->settings.stability || n == 0)
    return;
  if (check->final_masks->len < n)
    g_ptr_array_set_size (check->final_masks, (int)n);
  size_t n_pixels = (size_t)check->image->width * (size_t)check->image->height;
  g_clear_pointer ((GBytes **)&check->final_masks->pdata[n - 1], g_bytes_unref);
  check->final_masks->pdata[n - 1] = fs_mask_runs_pack (check->mask, n_pixels);
}

static gboolean
fit (ReplayCheck *check, guint64 generation, gboolean filtered, GError **error)
{
  if (check->energy && check->models.generation == generation)
    return TRUE;
  if (!advance (check, &check->models, generation, error))
    return FALSE;
  g_clear_pointer (&check->energy, fs_energy_free);
  FsSettings settings = fs_history_refine_settings (check->models.history, &check->settings);
  check->energy = fs_energy_new (check->image, &settings, NULL, error);
  const FsStroke *guess = fs_history_get_guess (check->models.history);
  if (!check->energy || !fs_energy_set_guess (check->energy, guess ? guess->guess : NULL, error))
    return FALSE;
  const FsSeedMap *seeds = fs_history_get_seeds (check->models.history);
  if (!check->followed)
    check->followed = fs_seed_map_new (seeds->width, seeds->height);
  if (!check->followed)
    return fail_for_memory (error);
  fs_seed_map_set (check->followed, seeds->label);
  fs_energy_fit (check->energy, seeds);
  if (!set_previous_mask (check, error))
    return FALSE;
  fs_energy_fill_grid (check->energy, seeds);
  return !filtered || filter_changes (check, error);
}

/* What was painted since, all at once. */
static void
follow (ReplayCheck *check, const FsSeedMap *seeds)
{
  FsGrid *grid = fs_energy_get_grid (check->energy);
  g_autoptr (GArray) pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (uint32_t i = 0; i < fs_grid_n_pixels (grid); i++)
    if (seeds->label[i] != check->followed->label[i])
      g_array_append_val (pixels, i);
  fs_seed_map_set (check->followed, seeds->label);

  g_autoptr (GArray) tlinks = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  g_autoptr (GArray) star = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  fs_energy_extend (check->energy, seeds, (const uint32_t *)(gpointer)pixels->data, pixels->len,
                    tlinks, star);
  set_tlinks (check, tlinks);
  for (guint i = 0; i < star->len; i++) {
    FsStarChange change = g_array_index (star, FsStarChange, i);
    grid->star[change.pixel] = change.star;
  }
}

/* Leaves the mask in check->mask; without seeds or a guess it is empty and costs nothing. */
static gboolean
solve_fresh (ReplayCheck *check, const FsSeedMap *seeds, FsSolution *solution, GError **error)
{
  if (n_seeds (seeds, 0) + n_seeds (seeds, 1) == 0
      && !fs_history_get_guess (check->shown.history)) {
    memset (check->mask, 0, (size_t)check->image->width * (size_t)check->image->height);
    *solution = (FsSolution){ .exact = TRUE };
    return TRUE;
  }
  follow (check, seeds);
  return solve_grid (check, solution, error);
}

/* From the mask in check->mask, with the seeds that the models are of. */
static gboolean
refine_border (ReplayCheck *check, FsSolution *solution, GError **error)
{
  g_auto (FsRefineCut) refined = { 0 };
  if (!fs_refine_cut_run (&refined, check->energy, fs_history_get_seeds (check->models.history),
                          &fs_backend_cpu, check->mask, NULL, error))
    return FALSE;
  if (refined.solver)
    *solution = refined.solution;
  return TRUE;
}

/* --- the comparison --- */

static gboolean differs (GError **error, const FsDocumentStatus *status, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
differs (GError **error, const FsDocumentStatus *status, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *what = g_strdup_vprintf (format, args);
  va_end (args);
  const char *kind = !status->exact ? "preview" : status->is_final ? "final mask" : "growing mask";
  g_set_error (error, REPLAY_CHECK_ERROR, REPLAY_CHECK_ERROR_DIFFERS,
               "the %s after edit %" G_GUINT64_FORMAT " is not that of a fresh solve: %s", kind,
               status->generation, what);
  return FALSE;
}

static gboolean
compare (ReplayCheck *check, const uint8_t *mask, const FsDocumentStatus *status,
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

/* Only a fresh solve can tell whether a final mask's models are those of its own seeds. */
static gboolean
check_exact (ReplayCheck *check, const uint8_t *mask, const FsDocumentStatus *status,
             GError **error)
{
  const FsSeedMap *seeds = fs_history_get_seeds (check->shown.history);
  guint64 models = status->is_final ? status->generation : status->models_generation;
  if (status->has_mask && models < check->models.generation)
    return differs (error, status, "its colour models are older than those before");
  FsSolution fresh;
  if ((status->has_mask && !fit (check, models, status->filtered, error))
      || !solve_fresh (check, seeds, &fresh, error)
      || (status->refined && !refine_border (check, &fresh, error))
      || !compare (check, mask, status, &fresh, error))
    return FALSE;
  if (status->is_final && status->has_mask && status->filtered != (find_previous_mask (check) > 0))
    return differs (error, status, "what stability rejects was not looked for");
  if (status->is_final && status->has_mask
      && status->refined != fs_energy_wants_refinement (check->energy))
    return differs (error, status, "its border was not refined");
  if (status->is_final && status->has_mask)
    store_final_mask (check);
  if (status->is_final)
    check->counts.n_final++;
  else
    check->counts.n_growing++;
  return TRUE;
}

static gboolean
check_preview (ReplayCheck *check, const uint8_t *mask, const FsDocumentStatus *status,
               GError **error)
{
  const uint8_t *label = fs_history_get_seeds (check->shown.history)->label;
  size_t width = (size_t)check->image->width, n = width * (size_t)check->image->height;
  for (size_t i = 0; i < n; i++)
    if (label[i] != FS_SEED_NONE && mask[i] != (label[i] != FS_SEED_BACKGROUND))
      return differs (error, status, "it lacks the seed at (%zu, %zu)", i % width, i / width);
  check->counts.n_previews++;
  return TRUE;
}

gboolean
replay_check_document (ReplayCheck *check, FsDocument *document, GError **error)
{
  g_return_val_if_fail (check && FS_IS_DOCUMENT (document), FALSE);

  FsDocumentStatus status = fs_document_get_status (document);
  const uint8_t *mask = fs_document_get_mask (document);
  if (!advance (check, &check->shown, status.generation, error))
    return FALSE;
  /* Idle within a stroke the mask is final too, but not with models of these seeds. */
  status.is_final = status.is_final && !fs_history_is_drawing (check->shown.history);
  return status.exact ? check_exact (check, mask, &status, error)
                      : check_preview (check, mask, &status, error);
}

/* --- watching a player --- */

static gboolean
make (ReplayCheck **check, FsDocument *document, GError **error)
{
  FsSettings settings = fs_document_get_settings (document);
  if (!*check)
    *check = replay_check_new (fs_document_get_image (document), &settings);
  return *check || fail_for_memory (error);
}

static gboolean
watch_edit (FsDocument *document, const FsEdit *edit, gpointer data, GError **error)
{
  ReplayCheck **check = data;
  if (!make (check, document, error))
    return FALSE;
  replay_check_note_edit (*check, edit);
  return TRUE;
}

static gboolean
watch_mask (FsDocument *document, gpointer data, GError **error)
{
  ReplayCheck **check = data;
  return make (check, document, error) && replay_check_document (*check, document, error);
}

FsPlayerWatch
replay_check_watch (ReplayCheck **check)
{
  return (FsPlayerWatch){ watch_edit, watch_mask, check };
}
