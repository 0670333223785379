/* SPDX-License-Identifier: MIT */
#include "app/strokes/edge_history.h"

#include "app/strokes/history.h"

struct _FsEdgeHistory {
  int width, height;
  GPtrArray *edits; /* of FsEdgeEdit: n_done that count, then the undone */
  guint n_done;
  guint n_zones;    /* zone strokes among those that count                */
  FsHistory *zones; /* their strokes, in order; NULL before the first one */
};

/* --- edits ------------------------------------------------------------------------------------ */

FsEdgeEdit *
fs_edge_edit_new_zone (FsStroke *zone, guint after_strokes)
{
  FsEdgeEdit *edit = g_atomic_rc_box_new0 (FsEdgeEdit);
  edit->zone = fs_stroke_ref (zone);
  edit->after_strokes = after_strokes;
  return edit;
}

FsEdgeEdit *
fs_edge_edit_new_settings (const FsEdgeSettings *settings, guint after_strokes)
{
  FsEdgeEdit *edit = g_atomic_rc_box_new0 (FsEdgeEdit);
  edit->settings = *settings;
  edit->after_strokes = after_strokes;
  return edit;
}

FsEdgeEdit *
fs_edge_edit_ref (FsEdgeEdit *edit)
{
  return g_atomic_rc_box_acquire (edit);
}

static void
edge_edit_clear (gpointer data)
{
  fs_stroke_unref (((FsEdgeEdit *)data)->zone);
}

void
fs_edge_edit_unref (FsEdgeEdit *edit)
{
  if (edit)
    g_atomic_rc_box_release_full (edit, edge_edit_clear);
}

GPtrArray *
fs_edge_edits_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify)fs_edge_edit_unref);
}

gboolean
fs_edge_edits_undo_next (const GPtrArray *edits, guint n_done, guint n_strokes)
{
  return n_done > 0 && ((const FsEdgeEdit *)edits->pdata[n_done - 1])->after_strokes >= n_strokes;
}

gboolean
fs_edge_edits_redo_next (const GPtrArray *edits, guint n_done, guint n_strokes)
{
  return n_done < edits->len
         && ((const FsEdgeEdit *)edits->pdata[n_done])->after_strokes <= n_strokes;
}

/* --- the history ------------------------------------------------------------------------------ */

FsEdgeHistory *
fs_edge_history_new (int width, int height)
{
  FsEdgeHistory *history = g_new0 (FsEdgeHistory, 1);
  history->width = width;
  history->height = height;
  history->edits = fs_edge_edits_new ();
  return history;
}

void
fs_edge_history_free (FsEdgeHistory *history)
{
  if (!history)
    return;
  g_ptr_array_unref (history->edits);
  fs_history_free (history->zones);
  g_free (history);
}

const GPtrArray *
fs_edge_history_get_edits (FsEdgeHistory *history)
{
  return history->edits;
}

guint
fs_edge_history_get_n_done (FsEdgeHistory *history)
{
  return history->n_done;
}

FsEdgeSettings
fs_edge_history_get_settings (FsEdgeHistory *history)
{
  for (guint i = history->n_done; i-- > 0;) {
    const FsEdgeEdit *edit = history->edits->pdata[i];
    if (!edit->zone)
      return edit->settings;
  }
  return FS_EDGE_SETTINGS_DEFAULT;
}

const uint8_t *
fs_edge_history_get_zones (FsEdgeHistory *history)
{
  gboolean has_zones = history->n_zones > 0 || fs_edge_history_is_drawing (history);
  return has_zones ? fs_history_get_seeds (history->zones)->label : NULL;
}

gboolean
fs_edge_history_is_drawing (FsEdgeHistory *history)
{
  return history->zones && fs_history_is_drawing (history->zones);
}

gboolean
fs_edge_history_begin (FsEdgeHistory *history, FsStrokeShape shape, FsEdgeZone zone,
                       float radius_px)
{
  g_return_val_if_fail (shape == FS_STROKE_BRUSH || shape == FS_STROKE_PEN, FALSE);
  g_return_val_if_fail (zone < FS_EDGE_N_ZONES && !fs_edge_history_is_drawing (history), FALSE);

  if (!history->zones)
    history->zones = fs_history_new (history->width, history->height, NULL);
  if (!history->zones)
    return FALSE;
  fs_history_begin_shape (history->zones, shape, (uint8_t)zone, radius_px, 0);
  return TRUE;
}

FsRect
fs_edge_history_extend (FsEdgeHistory *history, const FsSample *samples, guint n)
{
  g_return_val_if_fail (fs_edge_history_is_drawing (history), ((FsRect){ 0 }));
  return fs_history_extend (history->zones, samples, n, NULL);
}

void
fs_edge_history_drop_undone (FsEdgeHistory *history)
{
  g_ptr_array_set_size (history->edits, (int)history->n_done);
}

/* Takes the edit. */
static void
add_edge_edit (FsEdgeHistory *history, FsEdgeEdit *edit)
{
  fs_edge_history_drop_undone (history);
  g_ptr_array_add (history->edits, edit);
  history->n_done++;
}

gboolean
fs_edge_history_end (FsEdgeHistory *history, guint after_strokes)
{
  g_return_val_if_fail (fs_edge_history_is_drawing (history), FALSE);

  fs_history_end (history->zones);
  guint n = fs_history_get_n_strokes (history->zones);
  if (n == history->n_zones)
    return FALSE;
  FsStroke *zone = (FsStroke *)fs_history_get_stroke (history->zones, n - 1);
  add_edge_edit (history, fs_edge_edit_new_zone (zone, after_strokes));
  history->n_zones = n;
  return TRUE;
}

FsRect
fs_edge_history_cancel (FsEdgeHistory *history)
{
  g_return_val_if_fail (fs_edge_history_is_drawing (history), ((FsRect){ 0 }));
  return fs_history_cancel (history->zones, NULL);
}

void
fs_edge_history_set_settings (FsEdgeHistory *history, const FsEdgeSettings *settings,
                              guint after_strokes, gboolean continues)
{
  g_return_if_fail (fs_edge_settings_are_valid (settings));
  g_return_if_fail (!fs_edge_history_is_drawing (history));

  const FsEdgeEdit *newest =
      history->n_done > 0 ? history->edits->pdata[history->n_done - 1] : NULL;
  if (continues && newest && !newest->zone && newest->after_strokes == after_strokes)
    history->n_done--;
  add_edge_edit (history, fs_edge_edit_new_settings (settings, after_strokes));
}

/* The undone edits stand in the same order in both lists. The list of zones may have more after
 * them, which the next zone stroke drops. */
gboolean
fs_edge_history_undo (FsEdgeHistory *history, guint n_strokes, FsRect *damage)
{
  if (fs_edge_history_is_drawing (history)
      || !fs_edge_edits_undo_next (history->edits, history->n_done, n_strokes))
    return FALSE;
  *damage = (FsRect){ 0 };
  const FsEdgeEdit *edit = history->edits->pdata[--history->n_done];
  if (edit->zone && fs_history_undo (history->zones, NULL, damage))
    history->n_zones--;
  return TRUE;
}

gboolean
fs_edge_history_redo (FsEdgeHistory *history, guint n_strokes, FsRect *damage)
{
  if (fs_edge_history_is_drawing (history)
      || !fs_edge_edits_redo_next (history->edits, history->n_done, n_strokes))
    return FALSE;
  *damage = (FsRect){ 0 };
  const FsEdgeEdit *edit = history->edits->pdata[history->n_done++];
  if (edit->zone && fs_history_redo (history->zones, NULL, damage))
    history->n_zones++;
  return TRUE;
}
