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

/* A state is a number of strokes. Returns the one whose final mask is the previous mask of the last
 * stroke of state n; 0 for none. */
static guint
previous_state (FsLiveCut *cut, guint n)
{
  return n > 0 ? fs_history_get_stroke (cut->history, n - 1)->after : 0;
}

/* --- memory ----------------------------------------------------------------------------------- */

static void
note_previous_state (const FsStroke *stroke, GHashTable *needed)
{
  if (stroke)
    g_hash_table_add (needed, GUINT_TO_POINTER (stroke->after));
}

/* The states whose final masks are previous masks of strokes, undone ones included. */
static GHashTable *
list_needed (FsHistory *history)
{
  GHashTable *needed = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < fs_history_get_n_strokes (history); i++)
    note_previous_state (fs_history_get_stroke (history, i), needed);
  for (guint i = 0; i < fs_history_get_n_undone (history); i++)
    note_previous_state (fs_history_get_undone (history, i), needed);
  return needed;
}

/* Saves the final mask of state n. Where the limit would be exceeded, the masks that no stroke
 * refers to are dropped first. */
static gboolean
remember (FsLiveCut *cut, guint n, GBytes *runs)
{
  if (fs_final_masks_get (&cut->final_masks, n))
    return TRUE;
  if (!runs)
    return FALSE;
  if (!fs_final_masks_can_take (&cut->final_masks, runs)) {
    g_autoptr (GHashTable) needed = list_needed (cut->history);
    for (guint i = 1; i <= cut->final_masks.runs->len; i++)
      if (!g_hash_table_contains (needed, GUINT_TO_POINTER (i)))
        fs_final_masks_drop (&cut->final_masks, i);
  }
  return fs_final_masks_set (&cut->final_masks, n, g_bytes_ref (runs));
}

gboolean
fs_live_cut_save_mask (FsLiveCut *cut)
{
  guint n = fs_history_get_n_strokes (cut->history);
  if (!cut->settings.stability || fs_live_cut_is_drawing (cut) || n == 0)
    return FALSE;
  if (fs_final_masks_get (&cut->final_masks, n))
    return TRUE;
  g_autoptr (GBytes) runs = fs_model_cut_pack_mask (cut->front);
  return remember (cut, n, runs);
}

/* --- masks that are computed again ------------------------------------------------------------ */

/* The previous mask of a history's last stroke: `runs` is the final mask of state `after`, and what
 * has been painted since is listed. */
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

/* The final mask of the first n strokes, by a cut of its own; `before` is the previous mask of
 * the last of them, or NULL. No outline and no guess comes after them, so that the front's settings
 * are theirs. NULL without an error where they leave no seeds: there is no mask then. */
static GBytes *
compute_final_mask (FsLiveCut *cut, guint n, GBytes *before, const FsProgress *progress,
                    GError **error)
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
  g_autoptr (FsPreviousMask) previous_mask = NULL;
  if (before
      && !make_previous_mask (history, previous_state (cut, n), before, &previous_mask, error))
    return NULL;
  g_autoptr (FsModelCut) own = fs_model_cut_new_sibling (cut->front, error);
  if (own)
    fs_model_cut_set_guess (own, guess ? guess->guess : NULL);
  if (!own || !fs_model_cut_fit_after (own, seeds, previous_mask, error)
      || !fs_model_cut_solve (own, progress, error)
      || (fs_model_cut_wants_refinement (own)
          && !fs_model_cut_refine (own, seeds, progress, error)))
    return NULL;
  GBytes *runs = fs_model_cut_pack_mask (own);
  if (!runs)
    fail_for_memory (error);
  return runs;
}

/* The final mask of state n. One that is not saved is computed from its strokes and its previous
 * mask, which may have to be computed too. `*runs` is NULL where its strokes leave no seeds. */
static gboolean
find_mask (FsLiveCut *cut, guint n, const FsProgress *progress, GBytes **runs, GError **error)
{
  g_autoptr (GArray) missing = g_array_new (FALSE, FALSE, sizeof (guint));
  for (; n > 0 && !fs_final_masks_get (&cut->final_masks, n); n = previous_state (cut, n))
    g_array_append_val (missing, n);
  g_autoptr (GBytes) mask = n > 0 ? g_bytes_ref (fs_final_masks_get (&cut->final_masks, n)) : NULL;
  for (guint i = missing->len; i-- > 0;) {
    GError *failure = NULL;
    guint state = g_array_index (missing, guint, i);
    GBytes *next = compute_final_mask (cut, state, mask, progress, &failure);
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
  guint after = previous_state (cut, fs_history_get_n_strokes (cut->history));
  g_autoptr (GBytes) runs = NULL;
  gboolean found = find_mask (cut, after, progress, &runs, &failure)
                   && (!runs || make_previous_mask (cut->history, after, runs, previous, &failure));
  return fs_step_result (found, failure, error);
}
