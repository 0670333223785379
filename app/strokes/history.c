/* SPDX-License-Identifier: MIT */
#include "app/strokes/history.h"

#include "energy/image/outline.h"

#include <math.h>
#include <string.h>

struct _FsHistory {
  FsSeedMap *seeds;
  uint8_t *start;     /* labels under all strokes, or NULL for none        */
  GPtrArray *strokes; /* of FsStroke: n_done that count, then the undone   */
  guint n_done;
  guint outlined;     /* those of them up to the newest outline, or 0      */
  FsSeedMap *brushed; /* as painted without outlines; NULL until asked for, and without outlines */
  FsStroke *growing;  /* being painted, above all others, or NULL          */
  uint8_t *before;    /* labels of a rectangle before an undo or redo      */
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
  fs_seed_map_free (history->brushed);
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

const FsStroke *
fs_history_get_undone (FsHistory *history, guint i)
{
  g_return_val_if_fail (i < fs_history_get_n_undone (history), NULL);
  return g_ptr_array_index (history->strokes, history->n_done + i);
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
  fs_history_begin_shape (history, FS_STROKE_BRUSH, label, radius_px, after);
}

void
fs_history_begin_shape (FsHistory *history, FsStrokeShape shape, uint8_t label, float radius_px,
                        guint after)
{
  g_return_if_fail (!history->growing && after <= history->n_done);
  history->growing = fs_stroke_new (label, radius_px);
  history->growing->shape = shape;
  history->growing->after = after;
}

guint
fs_history_get_outlined (FsHistory *history)
{
  return history->outlined;
}

FsSettings
fs_history_refine_settings (FsHistory *history, const FsSettings *settings)
{
  FsSettings refined = *settings;
  refined.star = settings->star && history->outlined == 0;
  return refined;
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
    if (stroke->shape == FS_STROKE_OUTLINE)
      continue;
    FsCapsule capsule = fs_stroke_capsule (stroke, stroke->samples->len - 1);
    FsRect painted = fs_seed_map_paint (history->seeds, &capsule, stroke->label, NULL, changed);
    if (history->brushed)
      fs_seed_map_paint (history->brushed, &capsule, stroke->label, NULL, NULL);
    damage = fs_rect_union (damage, painted);
  }
  stroke->bounds = fs_rect_union (stroke->bounds, damage);
  return damage;
}

/* --- painting again --------------------------------------------------------------------------- */

static FsRect
whole_map (FsHistory *history)
{
  return (FsRect){ 0, 0, history->seeds->width, history->seeds->height };
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
restore_start (FsHistory *history, FsSeedMap *seeds, FsRect r)
{
  for (int y = r.y0; y < r.y1; y++) {
    size_t row = (size_t)y * (size_t)seeds->width;
    if (!history->start)
      fs_seed_map_set_run (seeds, y, r.x0, r.x1, FS_SEED_NONE);
    for (size_t i = row + (size_t)r.x0; history->start && i < row + (size_t)r.x1; i++)
      set_label (seeds, i, history->start[i]);
  }
}

static void
paint_outline (FsSeedMap *seeds, const FsStroke *stroke, FsRect clip)
{
  g_autofree FsPoint *points = g_new (FsPoint, stroke->samples->len);
  for (guint i = 0; i < stroke->samples->len; i++) {
    const FsSample *sample = &g_array_index (stroke->samples, FsSample, i);
    points[i] = (FsPoint){ sample->x, sample->y };
  }
  fs_seed_map_paint_outside (seeds, points, stroke->samples->len, stroke->label, clip);
}

static void
repaint_stroke (FsSeedMap *seeds, const FsStroke *stroke, FsRect clip)
{
  if (stroke->shape == FS_STROKE_OUTLINE
      || fs_rect_is_empty (fs_rect_intersect (stroke->bounds, clip)))
    return;
  for (guint i = 0; i < stroke->samples->len; i++) {
    FsCapsule capsule = fs_stroke_capsule (stroke, i);
    fs_seed_map_paint (seeds, &capsule, stroke->label, &clip, NULL);
  }
}

/* Seeds of brushes, with what the first `outlined` strokes end with, if they end with an
 * outline. */
static void
paint_strokes (FsHistory *history, FsSeedMap *seeds, guint outlined, FsRect r)
{
  for (guint i = 0; i < history->n_done; i++) {
    const FsStroke *stroke = g_ptr_array_index (history->strokes, i);
    if (i + 1 == outlined)
      paint_outline (seeds, stroke, r);
    else
      repaint_stroke (seeds, stroke, r);
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
  if (changed)
    remember_rect (history, r);
  restore_start (history, history->seeds, r);
  paint_strokes (history, history->seeds, history->outlined, r);
  if (history->brushed) {
    restore_start (history, history->brushed, r);
    paint_strokes (history, history->brushed, 0, r);
  }
  if (changed)
    list_changes (history, r, changed);
}

const FsSeedMap *
fs_history_get_brushed (FsHistory *history)
{
  const FsSeedMap *seeds = history->seeds;
  if (history->outlined == 0)
    return seeds;
  if (history->brushed)
    return history->brushed;
  history->brushed = fs_seed_map_new (seeds->width, seeds->height);
  if (!history->brushed)
    return seeds;
  if (history->start)
    fs_seed_map_set (history->brushed, history->start);
  paint_strokes (history, history->brushed, 0, whole_map (history));
  for (guint i = 0; history->growing && i < history->growing->samples->len; i++) {
    if (history->growing->shape == FS_STROKE_OUTLINE)
      break;
    FsCapsule capsule = fs_stroke_capsule (history->growing, i);
    fs_seed_map_paint (history->brushed, &capsule, history->growing->label, NULL, NULL);
  }
  return history->brushed;
}

/* --- whole strokes ---------------------------------------------------------------------------- */

static guint
find_outline (FsHistory *history)
{
  guint n = history->n_done;
  while (n > 0 && ((FsStroke *)history->strokes->pdata[n - 1])->shape != FS_STROKE_OUTLINE)
    n--;
  return n;
}

FsHistory *
fs_history_new_of_first (FsHistory *history, guint n)
{
  g_return_val_if_fail (n <= history->n_done, NULL);

  const FsSeedMap *seeds = history->seeds;
  FsHistory *first = fs_history_new (seeds->width, seeds->height, history->start);
  if (!first)
    return NULL;
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (first->strokes, fs_stroke_ref (history->strokes->pdata[i]));
  first->n_done = n;
  first->outlined = find_outline (first);
  paint_strokes (first, first->seeds, first->outlined, whole_map (first));
  return first;
}

static const FsStroke *
newest_guess (FsHistory *history, guint *n)
{
  for (*n = history->n_done; *n > 0; --*n) {
    const FsStroke *stroke = history->strokes->pdata[*n - 1];
    if (stroke->shape == FS_STROKE_GUESS)
      return stroke;
  }
  return NULL;
}

const FsStroke *
fs_history_get_guess (FsHistory *history)
{
  guint n;
  const FsStroke *newest = newest_guess (history, &n);
  return newest && newest->guess ? newest : NULL;
}

guint
fs_history_get_newest_base (FsHistory *history)
{
  guint n;
  newest_guess (history, &n);
  return MAX (history->outlined, n);
}

void
fs_history_drop_undone (FsHistory *history)
{
  g_ptr_array_set_size (history->strokes, (int)history->n_done);
}

static void
add_stroke (FsHistory *history, FsStroke *stroke)
{
  fs_history_drop_undone (history);
  g_ptr_array_add (history->strokes, stroke);
  history->n_done++;
}

void
fs_history_set_guess (FsHistory *history, FsGuess *guess, const char *name)
{
  g_return_if_fail (!history->growing);
  add_stroke (history, fs_stroke_new_guess (guess, name));
}

/* The last finished stroke is a new outline. */
static void
add_outline (FsHistory *history, const FsStroke *stroke)
{
  gboolean first = history->outlined == 0;
  history->outlined = history->n_done;
  if (first)
    paint_outline (history->seeds, stroke, whole_map (history));
  else
    repaint (history, whole_map (history), NULL);
}

FsRect
fs_history_end (FsHistory *history)
{
  g_return_val_if_fail (history->growing, ((FsRect){ 0 }));

  g_autoptr (FsStroke) stroke = g_steal_pointer (&history->growing);
  gboolean is_outline = stroke->shape == FS_STROKE_OUTLINE;
  if (stroke->samples->len < (is_outline ? FS_OUTLINE_POINTS_MIN : 1u))
    return (FsRect){ 0 };
  add_stroke (history, fs_stroke_ref (stroke));
  if (!is_outline)
    return (FsRect){ 0 };
  stroke->bounds = whole_map (history);
  add_outline (history, stroke);
  return stroke->bounds;
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
  gboolean is_outline = stroke->shape == FS_STROKE_OUTLINE;
  if (is_outline)
    history->outlined = find_outline (history);
  if (history->outlined == 0)
    g_clear_pointer (&history->brushed, fs_seed_map_free);
  repaint (history, stroke->bounds, is_outline ? NULL : changed);
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
  if (stroke->shape == FS_STROKE_OUTLINE)
    add_outline (history, stroke);
  for (guint i = 0; i < stroke->samples->len && stroke->shape != FS_STROKE_OUTLINE; i++) {
    FsCapsule capsule = fs_stroke_capsule (stroke, i);
    fs_seed_map_paint (history->seeds, &capsule, stroke->label, NULL, changed);
    if (history->brushed)
      fs_seed_map_paint (history->brushed, &capsule, stroke->label, NULL, NULL);
  }
  if (damage)
    *damage = stroke->bounds;
  return TRUE;
}
