/* SPDX-License-Identifier: MIT */
#include "app/history.h"

#include <math.h>
#include <string.h>

struct _FsHistory {
  FsSeedMap *seeds;
  uint8_t *start;     /* labels under all strokes, or NULL for none        */
  GPtrArray *strokes; /* of FsStroke: n_done that count, then the undone   */
  guint n_done;
  FsStroke *growing; /* being painted, above all others, or NULL          */
  uint8_t *before;   /* labels of a rectangle before an undo or redo      */
  size_t before_size;
};

FsHistory *
fs_history_new (int width, int height, const uint8_t *start)
{
  g_autoptr (FsHistory) history = g_new0 (FsHistory, 1);
  history->strokes = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_stroke_unref);
  history->seeds = fs_seed_map_new (width, height);
  if (!history->seeds)
    return NULL;
  if (start) {
    size_t n = (size_t)width * (size_t)height;
    history->start = g_try_malloc (n);
    if (!history->start)
      return NULL;
    memcpy (history->start, start, n);
    fs_seed_map_set (history->seeds, start);
  }
  return g_steal_pointer (&history);
}

void
fs_history_free (FsHistory *history)
{
  if (!history)
    return;
  fs_seed_map_free (history->seeds);
  g_free (history->start);
  g_free (history->before);
  fs_stroke_unref (history->growing);
  g_ptr_array_unref (history->strokes);
  g_free (history);
}

const FsSeedMap *
fs_history_get_seeds (FsHistory *history)
{
  return history->seeds;
}

guint
fs_history_get_n_strokes (FsHistory *history)
{
  return history->n_done + (history->growing ? 1 : 0);
}

guint
fs_history_get_n_undone (FsHistory *history)
{
  return history->strokes->len - history->n_done;
}

const FsStroke *
fs_history_get_stroke (FsHistory *history, guint i)
{
  g_return_val_if_fail (i < fs_history_get_n_strokes (history), NULL);
  if (i == history->n_done)
    return history->growing;
  return g_ptr_array_index (history->strokes, i);
}

gboolean
fs_history_is_drawing (FsHistory *history)
{
  return history->growing != NULL;
}

void
fs_history_begin (FsHistory *history, uint8_t label, float radius_px)
{
  fs_history_begin_after (history, label, radius_px, 0);
}

void
fs_history_begin_after (FsHistory *history, uint8_t label, float radius_px, guint after)
{
  g_return_if_fail (!history->growing && after <= history->n_done);
  history->growing = fs_stroke_new (label, radius_px);
  history->growing->after = after;
}

void
fs_history_forget_masks (FsHistory *history)
{
  for (guint i = 0; i < history->strokes->len; i++)
    ((FsStroke *)g_ptr_array_index (history->strokes, i))->after = 0;
  if (history->growing)
    history->growing->after = 0;
}

gboolean
fs_history_list_painted (FsHistory *history, guint after, FsPixelList *painted)
{
  const FsSeedMap *seeds = history->seeds;
  g_autoptr (FsSeedMap) scratch = fs_seed_map_new (seeds->width, seeds->height);
  if (!scratch)
    return FALSE;
  for (guint i = after; i < fs_history_get_n_strokes (history); i++) {
    const FsStroke *stroke = fs_history_get_stroke (history, i);
    for (guint k = 0; k < stroke->samples->len; k++) {
      FsCapsule capsule = fs_stroke_capsule (stroke, k);
      fs_seed_map_paint (scratch, &capsule, FS_SEED_OBJECT, NULL, painted);
    }
  }
  return TRUE;
}

FsRect
fs_history_extend (FsHistory *history, const FsSample *samples, guint n, FsPixelList *changed)
{
  FsRect damage = { 0 };
  g_return_val_if_fail (history->growing, damage);

  FsStroke *stroke = history->growing;
  for (guint i = 0; i < n; i++) {
    if (!isfinite (samples[i].x) || !isfinite (samples[i].y))
      continue;
    g_array_append_val (stroke->samples, samples[i]);
    FsCapsule capsule = fs_stroke_capsule (stroke, stroke->samples->len - 1);
    FsRect painted = fs_seed_map_paint (history->seeds, &capsule, stroke->label, NULL, changed);
    damage = fs_rect_union (damage, painted);
  }
  stroke->bounds = fs_rect_union (stroke->bounds, damage);
  return damage;
}

void
fs_history_end (FsHistory *history)
{
  g_return_if_fail (history->growing);

  g_autoptr (FsStroke) stroke = g_steal_pointer (&history->growing);
  if (stroke->samples->len == 0)
    return;
  g_ptr_array_set_size (history->strokes, (int)history->n_done);
  g_ptr_array_add (history->strokes, g_steal_pointer (&stroke));
  history->n_done++;
}

static void
copy_rect (uint8_t *to, size_t to_stride, const uint8_t *from, size_t from_stride, size_t width,
           int n_rows)
{
  for (int j = 0; j < n_rows; j++)
    memcpy (to + (size_t)j * to_stride, from + (size_t)j * from_stride, width);
}

static void
remember_rect (FsHistory *history, FsRect r)
{
  size_t width = (size_t)(r.x1 - r.x0), size = width * (size_t)(r.y1 - r.y0);
  if (size > history->before_size) {
    g_free (history->before);
    history->before = g_malloc (size);
    history->before_size = size;
  }
  size_t stride = (size_t)history->seeds->width;
  copy_rect (history->before, width, history->seeds->label + (size_t)r.y0 * stride + r.x0, stride,
             width, r.y1 - r.y0);
}

static void
set_label (FsSeedMap *seeds, size_t i, uint8_t label)
{
  seeds->n_seeds[seeds->label[i]]--;
  seeds->n_seeds[label]++;
  seeds->label[i] = label;
}

/* The labels in `r` as if no stroke had been painted. */
static void
restore_start (FsHistory *history, FsRect r)
{
  FsSeedMap *seeds = history->seeds;
  for (int y = r.y0; y < r.y1; y++)
    for (int x = r.x0; x < r.x1; x++) {
      size_t i = (size_t)y * (size_t)seeds->width + (size_t)x;
      set_label (seeds, i, history->start ? history->start[i] : FS_SEED_NONE);
    }
}

static void
repaint_stroke (FsHistory *history, const FsStroke *stroke, FsRect clip)
{
  if (fs_rect_is_empty (fs_rect_intersect (stroke->bounds, clip)))
    return;
  for (guint i = 0; i < stroke->samples->len; i++) {
    FsCapsule capsule = fs_stroke_capsule (stroke, i);
    fs_seed_map_paint (history->seeds, &capsule, stroke->label, &clip, NULL);
  }
}

static void
list_changes (FsHistory *history, FsRect r, FsPixelList *changed)
{
  const FsSeedMap *seeds = history->seeds;
  const uint8_t *before = history->before;
  for (int y = r.y0; y < r.y1; y++)
    for (int x = r.x0; x < r.x1; x++) {
      uint32_t i = (uint32_t)((size_t)y * (size_t)seeds->width + (size_t)x);
      if (seeds->label[i] != *before++)
        g_array_append_val (changed, i);
    }
}

/* Makes the seed map inside `r` again from the finished strokes that count. */
static void
repaint (FsHistory *history, FsRect r, FsPixelList *changed)
{
  if (fs_rect_is_empty (r))
    return;
  remember_rect (history, r);
  restore_start (history, r);
  for (guint i = 0; i < history->n_done; i++)
    repaint_stroke (history, g_ptr_array_index (history->strokes, i), r);
  if (changed)
    list_changes (history, r, changed);
}

FsRect
fs_history_cancel (FsHistory *history, FsPixelList *changed)
{
  g_return_val_if_fail (history->growing, ((FsRect){ 0 }));

  g_autoptr (FsStroke) stroke = g_steal_pointer (&history->growing);
  repaint (history, stroke->bounds, changed);
  return stroke->bounds;
}

gboolean
fs_history_undo (FsHistory *history, FsPixelList *changed, FsRect *damage)
{
  if (history->growing || history->n_done == 0)
    return FALSE;

  history->n_done--;
  const FsStroke *stroke = g_ptr_array_index (history->strokes, history->n_done);
  repaint (history, stroke->bounds, changed);
  if (damage)
    *damage = stroke->bounds;
  return TRUE;
}

gboolean
fs_history_redo (FsHistory *history, FsPixelList *changed, FsRect *damage)
{
  if (history->growing || history->n_done == history->strokes->len)
    return FALSE;

  const FsStroke *stroke = g_ptr_array_index (history->strokes, history->n_done);
  history->n_done++;
  for (guint i = 0; i < stroke->samples->len; i++) {
    FsCapsule capsule = fs_stroke_capsule (stroke, i);
    fs_seed_map_paint (history->seeds, &capsule, stroke->label, NULL, changed);
  }
  if (damage)
    *damage = stroke->bounds;
  return TRUE;
}
