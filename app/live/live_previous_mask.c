/* SPDX-License-Identifier: MIT */
#include "app/live/live_cut_internal.h"

#include <glib/gi18n.h>

static gboolean
fail_for_memory (GError **error)
{
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                       _ ("not enough memory for the strokes"));
  return FALSE;
}

/* What the state's last stroke keeps: how many strokes' mask. */
static guint
kept_by_state (FsLiveCut *cut, guint n)
{
  return n > 0 ? fs_history_get_stroke (cut->history, n - 1)->after : 0;
}

/* --- room ------------------------------------------------------------------------------------- */

static void
note_kept_by (const FsStroke *stroke, GHashTable *needed)
{
  if (stroke)
    g_hash_table_add (needed, GUINT_TO_POINTER (stroke->after));
}

/* States whose masks strokes keep, those that redo can bring back included. */
static GHashTable *
list_needed (FsHistory *history)
{
  GHashTable *needed = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < fs_history_get_n_strokes (history); i++)
    note_kept_by (fs_history_get_stroke (history, i), needed);
  for (guint i = 0; i < fs_history_get_n_undone (history); i++)
    note_kept_by (fs_history_get_undone (history, i), needed);
  return needed;
}

/* Where there is no room, masks that no stroke keeps make some. */
static gboolean
remember (FsLiveCut *cut, guint n, GBytes *runs)
{
  if (fs_final_masks_get (&cut->kept, n))
    return TRUE;
  if (!runs)
    return FALSE;
  if (!fs_final_masks_can_take (&cut->kept, runs)) {
    g_autoptr (GHashTable) needed = list_needed (cut->history);
    for (guint i = 1; i <= cut->kept.runs->len; i++)
      if (!g_hash_table_contains (needed, GUINT_TO_POINTER (i)))
        fs_final_masks_drop (&cut->kept, i);
  }
  return fs_final_masks_set (&cut->kept, n, g_bytes_ref (runs));
}

gboolean
fs_live_cut_keep_mask (FsLiveCut *cut)
{
  guint n = fs_history_get_n_strokes (cut->history);
  if (!cut->settings.stability || fs_live_cut_is_drawing (cut) || n == 0)
    return FALSE;
  if (fs_final_masks_get (&cut->kept, n))
    return TRUE;
  g_autoptr (GBytes) runs = fs_model_cut_pack_mask (cut->front);
  return remember (cut, n, runs);
}

/* --- masks that are not there ----------------------------------------------------------------- */

/* What the last stroke of a history keeps of the mask `runs`. */
static gboolean
make_previous_mask (FsHistory *history, guint after, GBytes *runs, FsPreviousMask **previous,
                    GError **error)
{
  g_autoptr (FsPreviousMask) made = fs_previous_mask_new (runs);
  if (!fs_history_list_painted (history, after, made->painted))
    return fail_for_memory (error);
  *previous = g_steal_pointer (&made);
  return TRUE;
}

static gboolean
has_seeds (const FsSeedMap *seeds)
{
  return seeds->n_seeds[FS_SEED_NONE] < (int64_t)seeds->width * seeds->height;
}

/* The settled mask of the first n strokes, by a cut of its own; the last of them keeps `previous`
 * (may be NULL). No outline and no guess comes after them, so that the front's settings are theirs.
 * NULL without an error where they leave no seeds: there is no mask then. */
static GBytes *
settle_state (FsLiveCut *cut, guint n, GBytes *previous, const FsProgress *progress, GError **error)
{
  g_autoptr (FsHistory) history = fs_history_new_of_first (cut->history, n);
  if (!history) {
    fail_for_memory (error);
    return NULL;
  }
  const FsSeedMap *seeds = fs_history_get_seeds (history);
  const FsStroke *guess = fs_history_get_guess (history);
  if (!has_seeds (seeds) && !guess)
    return NULL;
  g_autoptr (FsPreviousMask) kept = NULL;
  if (previous && !make_previous_mask (history, kept_by_state (cut, n), previous, &kept, error))
    return NULL;
  g_autoptr (FsModelCut) own = fs_model_cut_new_sibling (cut->front, error);
  if (own)
    fs_model_cut_set_guess (own, guess ? guess->guess : NULL);
  if (!own || !fs_model_cut_fit_after (own, seeds, kept, error)
      || !fs_model_cut_solve (own, progress, error)
      || (fs_model_cut_wants_refinement (own)
          && !fs_model_cut_refine (own, seeds, progress, error)))
    return NULL;
  GBytes *runs = fs_model_cut_pack_mask (own);
  if (!runs)
    fail_for_memory (error);
  return runs;
}

/* A mask that never settled here is that of its strokes and of a mask before, which may be missing
 * too. `*runs` becomes NULL where its strokes leave no seeds. */
static gboolean
find_mask (FsLiveCut *cut, guint n, const FsProgress *progress, GBytes **runs, GError **error)
{
  g_autoptr (GArray) missing = g_array_new (FALSE, FALSE, sizeof (guint));
  for (; n > 0 && !fs_final_masks_get (&cut->kept, n); n = kept_by_state (cut, n))
    g_array_append_val (missing, n);
  g_autoptr (GBytes) mask = n > 0 ? g_bytes_ref (fs_final_masks_get (&cut->kept, n)) : NULL;
  for (guint i = missing->len; i-- > 0;) {
    GError *failure = NULL;
    guint state = g_array_index (missing, guint, i);
    GBytes *next = settle_state (cut, state, mask, progress, &failure);
    if (failure) {
      g_propagate_error (error, failure);
      return FALSE;
    }
    g_clear_pointer (&mask, g_bytes_unref);
    mask = next;
    remember (cut, state, mask);
  }
  *runs = g_steal_pointer (&mask);
  return TRUE;
}

FsStepResult
fs_live_cut_find_previous_mask (FsLiveCut *cut, const FsProgress *progress,
                                FsPreviousMask **previous, GError **error)
{
  GError *failure = NULL;
  *previous = NULL;
  guint after = kept_by_state (cut, fs_history_get_n_strokes (cut->history));
  g_autoptr (GBytes) runs = NULL;
  gboolean found = find_mask (cut, after, progress, &runs, &failure)
                   && (!runs || make_previous_mask (cut->history, after, runs, previous, &failure));
  return fs_step_result (found, failure, error);
}
