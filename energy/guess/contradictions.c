/* SPDX-License-Identifier: MIT */
#include "energy/guess/contradictions.h"

#include "energy/image/distance.h"

#include <string.h>

enum {
  CELLS = 256,            /* along the photo's longer side */
  MASK_RADIUS = 2,        /* depths: free around a contradiction */
  MIN_RADIUS_DIVISOR = 50 /* at least this part of the diagonal  */
};

/* The cells where strokes contradict labels, and those that they free. */
typedef struct {
  const FsSeedMap *strokes;
  const uint32_t *component;
  FsContradicts contradicts;
  uint8_t *label;
  int width, height; /* in cells */
  int64_t cell_px;
  uint8_t *is_contradicted; /* [components]                              */
  gboolean is_label_contradicted[FS_SEED_MAX + 1];
  uint8_t *is_free[FS_SEED_MAX + 1]; /* [height · width] for contradicted labels  */
  uint8_t *has_other;                /* [height · width] cells with other labels  */
  uint8_t *octave;                   /* [height · width] of the strokes' depth, from 1 */
  uint8_t *scratch;                  /* [height · width]                          */
} Contradictions;

static void
contradictions_clear (Contradictions *c)
{
  g_free (c->is_contradicted);
  g_free (c->has_other);
  g_free (c->octave);
  g_free (c->scratch);
  for (int label = 0; label <= FS_SEED_MAX; label++)
    g_free (c->is_free[label]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Contradictions, contradictions_clear)

static size_t
count_cells (const Contradictions *c)
{
  return (size_t)c->width * (size_t)c->height;
}

static size_t
cell_of (const Contradictions *c, int x, int y)
{
  return (size_t)(y / c->cell_px) * (size_t)c->width + (size_t)(x / c->cell_px);
}

static gboolean
is_contradiction (const Contradictions *c, size_t pixel)
{
  uint8_t stroke = c->strokes->label[pixel], label = c->label[pixel];
  return stroke != FS_SEED_NONE && label != FS_SEED_NONE && c->contradicts (stroke, label);
}

/* Returns whether there are any. */
static gboolean
find_contradictions (Contradictions *c)
{
  size_t n = (size_t)c->strokes->width * (size_t)c->strokes->height;
  gboolean any = FALSE;
  for (size_t i = 0; i < n; i++)
    if (is_contradiction (c, i)) {
      c->is_contradicted[c->component[i]] = 1;
      any = c->is_label_contradicted[c->label[i]] = TRUE;
    }
  return any;
}

/* Depths of the strokes' cells: their distances from other labels. */
static gboolean
measure_depths (Contradictions *c, uint8_t label)
{
  memset (c->has_other, 0, count_cells (c));
  memset (c->octave, 0, count_cells (c));
  size_t i = 0;
  for (int y = 0; y < c->strokes->height; y++)
    for (int x = 0; x < c->strokes->width; x++, i++)
      if (c->label[i] != FS_SEED_NONE && c->label[i] != label)
        c->has_other[cell_of (c, x, y)] = 1;
  g_autofree int64_t *far2 = fs_distance2 (c->has_other, c->width, c->height);
  if (!far2)
    return FALSE;
  i = 0;
  for (int y = 0; y < c->strokes->height; y++)
    for (int x = 0; x < c->strokes->width; x++, i++) {
      if (c->label[i] != label || !is_contradiction (c, i))
        continue;
      size_t cell = cell_of (c, x, y);
      c->octave[cell] = (uint8_t)g_bit_storage ((gulong)MAX (1, far2[cell]));
    }
  return TRUE;
}

/* Frees the cells around contradictions of one octave, within the radius of its largest depth. */
static gboolean
free_octave (Contradictions *c, int octave, uint8_t *is_free)
{
  gboolean any = FALSE;
  for (size_t i = 0; i < count_cells (c); i++)
    any |= c->scratch[i] = c->octave[i] == octave;
  if (!any)
    return TRUE;
  g_autofree int64_t *far2 = fs_distance2 (c->scratch, c->width, c->height);
  if (!far2)
    return FALSE;
  int64_t w = c->width, h = c->height, depth2 = (int64_t)1 << octave;
  int64_t min2 = (w * w + h * h) / (MIN_RADIUS_DIVISOR * MIN_RADIUS_DIVISOR);
  int64_t radius2 = MAX (MASK_RADIUS * MASK_RADIUS * depth2, min2);
  for (size_t i = 0; i < count_cells (c); i++)
    is_free[i] |= far2[i] <= radius2;
  return TRUE;
}

static gboolean
find_free_cells (Contradictions *c)
{
  c->has_other = g_try_malloc (count_cells (c));
  c->octave = g_try_malloc (count_cells (c));
  c->scratch = g_try_malloc (count_cells (c));
  if (!c->has_other || !c->octave || !c->scratch)
    return FALSE;
  int n_octaves = (int)g_bit_storage (4 * CELLS * CELLS);
  for (int label = 1; label <= FS_SEED_MAX; label++) {
    if (!c->is_label_contradicted[label])
      continue;
    c->is_free[label] = g_try_new0 (uint8_t, count_cells (c));
    if (!c->is_free[label] || !measure_depths (c, (uint8_t)label))
      return FALSE;
    for (int octave = 1; octave <= n_octaves; octave++)
      if (!free_octave (c, octave, c->is_free[label]))
        return FALSE;
  }
  return TRUE;
}

/* Frees pixels of contradicted components: those in free cells, or all where memory for cells was
 * short. */
static void
free_pixels (Contradictions *c, gboolean knows_cells)
{
  size_t i = 0;
  for (int y = 0; y < c->strokes->height; y++)
    for (int x = 0; x < c->strokes->width; x++, i++)
      if (c->label[i] != FS_SEED_NONE && c->is_contradicted[c->component[i]]
          && (!knows_cells || c->is_free[c->label[i]][cell_of (c, x, y)]))
        c->label[i] = FS_SEED_NONE;
}

void
fs_contradictions_free (const FsSeedMap *strokes, const uint32_t *component, uint32_t n_components,
                        FsContradicts contradicts, uint8_t *label)
{
  int64_t cell_px = (MAX (strokes->width, strokes->height) + CELLS - 1) / CELLS;
  g_auto (Contradictions) c = { .strokes = strokes,
                                .component = component,
                                .contradicts = contradicts,
                                .label = label,
                                .width = (int)((strokes->width + cell_px - 1) / cell_px),
                                .height = (int)((strokes->height + cell_px - 1) / cell_px),
                                .cell_px = cell_px,
                                .is_contradicted = g_try_new0 (uint8_t, n_components) };
  if (c.is_contradicted && find_contradictions (&c))
    free_pixels (&c, find_free_cells (&c));
}
