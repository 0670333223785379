/* SPDX-License-Identifier: MIT */
#include "energy/guess/mask_seeds.h"

#include "energy/guess/guess_internal.h"
#include "energy/image/distance.h"
#include "solver/system/checked_memory.h"

#include <string.h>

enum {
  CELLS = 256,            /* along the photo's longer side */
  MASK_RADIUS = 2,        /* depths: free around a contradiction */
  MIN_RADIUS_DIVISOR = 50 /* at least this part of the diagonal  */
};

struct _FsMaskSeeds {
  FsGuess *guess;
  uint8_t *label; /* [height · width] labels of the mask, as last weighed */
  FsSeedMap *all; /* the strokes over them */
};

FsMaskSeeds *
fs_mask_seeds_new (FsGuess *guess)
{
  g_autoptr (FsMaskSeeds) seeds = g_new0 (FsMaskSeeds, 1);
  seeds->guess = fs_guess_ref (guess);
  seeds->label = fs_memory_new ((size_t)guess->width * (size_t)guess->height, 1);
  seeds->all = fs_seed_map_new (guess->width, guess->height);
  return seeds->label && seeds->all ? g_steal_pointer (&seeds) : NULL;
}

void
fs_mask_seeds_free (FsMaskSeeds *seeds)
{
  if (!seeds)
    return;
  fs_guess_unref (seeds->guess);
  fs_memory_free (seeds->label);
  fs_seed_map_free (seeds->all);
  g_free (seeds);
}

/* --- contradictions --- */

static int
side_of (uint8_t label)
{
  return label != FS_SEED_BACKGROUND;
}

/* The cells where strokes contradict the mask, and those that they free. */
typedef struct {
  const FsMaskSeeds *seeds;
  const FsSeedMap *strokes;
  int width, height; /* in cells */
  int64_t cell_px;
  uint8_t *is_contradicted; /* [components] */
  uint8_t *has_side[2];     /* [height · width] cells where the mask has some of that side */
  uint8_t *octave[2];       /* [height · width] of the depth of strokes that contradict that side,
                               from 1; 0 for none */
  uint8_t *is_free[2];      /* [height · width] */
  gboolean any;
} Contradictions;

static void
contradictions_clear (Contradictions *c)
{
  g_free (c->is_contradicted);
  for (int side = 0; side < 2; side++) {
    g_free (c->has_side[side]);
    g_free (c->octave[side]);
    g_free (c->is_free[side]);
  }
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Contradictions, contradictions_clear)

static gboolean
contradictions_init (Contradictions *c, const FsMaskSeeds *seeds, const FsSeedMap *strokes)
{
  int64_t longer = MAX (strokes->width, strokes->height);
  c->seeds = seeds;
  c->strokes = strokes;
  c->cell_px = (longer + CELLS - 1) / CELLS;
  c->width = (int)((strokes->width + c->cell_px - 1) / c->cell_px);
  c->height = (int)((strokes->height + c->cell_px - 1) / c->cell_px);
  size_t n = (size_t)c->width * (size_t)c->height;
  gboolean enough = (c->is_contradicted = g_try_new0 (uint8_t, seeds->guess->n_components)) != NULL;
  for (int side = 0; side < 2; side++) {
    c->has_side[side] = g_try_new0 (uint8_t, n);
    c->octave[side] = g_try_new0 (uint8_t, n);
    c->is_free[side] = g_try_new0 (uint8_t, n);
    enough = enough && c->has_side[side] && c->octave[side] && c->is_free[side];
  }
  return enough;
}

static size_t
cell_of (const Contradictions *c, int x, int y)
{
  return (size_t)(y / c->cell_px) * (size_t)c->width + (size_t)(x / c->cell_px);
}

static gboolean
contradicts (const Contradictions *c, size_t pixel)
{
  uint8_t stroke = c->strokes->label[pixel], label = c->seeds->label[pixel];
  return stroke != FS_SEED_NONE && label != FS_SEED_NONE && side_of (stroke) != side_of (label);
}

static void
scan_pixels (Contradictions *c)
{
  const FsMaskSeeds *seeds = c->seeds;
  size_t i = 0;
  for (int y = 0; y < c->strokes->height; y++)
    for (int x = 0; x < c->strokes->width; x++, i++) {
      if (seeds->label[i] != FS_SEED_NONE)
        c->has_side[side_of (seeds->label[i])][cell_of (c, x, y)] = 1;
      if (!contradicts (c, i))
        continue;
      c->is_contradicted[seeds->guess->component[i]] = 1;
      c->any = TRUE;
    }
}

/* Depths of the strokes' cells: their distances from the mask's other side. */
static gboolean
measure_depths (Contradictions *c, int side)
{
  g_autofree int64_t *far2 = fs_distance2 (c->has_side[!side], c->width, c->height);
  if (!far2)
    return FALSE;
  size_t i = 0;
  for (int y = 0; y < c->strokes->height; y++)
    for (int x = 0; x < c->strokes->width; x++, i++) {
      if (!contradicts (c, i) || side_of (c->seeds->label[i]) != side)
        continue;
      size_t cell = cell_of (c, x, y);
      c->octave[side][cell] = (uint8_t)g_bit_storage ((gulong)MAX (1, far2[cell]));
    }
  return TRUE;
}

/* Frees the cells around contradictions of one octave, within the radius of its largest depth. */
static gboolean
free_octave (Contradictions *c, int side, int octave, uint8_t *is_of_octave)
{
  size_t n = (size_t)c->width * (size_t)c->height;
  gboolean any = FALSE;
  for (size_t i = 0; i < n; i++)
    any |= is_of_octave[i] = c->octave[side][i] == octave;
  if (!any)
    return TRUE;
  g_autofree int64_t *far2 = fs_distance2 (is_of_octave, c->width, c->height);
  if (!far2)
    return FALSE;
  int64_t w = c->width, h = c->height, depth2 = (int64_t)1 << octave;
  int64_t min2 = (w * w + h * h) / (MIN_RADIUS_DIVISOR * MIN_RADIUS_DIVISOR);
  int64_t radius2 = MAX (MASK_RADIUS * MASK_RADIUS * depth2, min2);
  for (size_t i = 0; i < n; i++)
    c->is_free[side][i] |= far2[i] <= radius2;
  return TRUE;
}

static gboolean
find_free_cells (Contradictions *c)
{
  g_autofree uint8_t *scratch = g_try_malloc ((size_t)c->width * (size_t)c->height);
  if (!scratch)
    return FALSE;
  int n_octaves = (int)g_bit_storage (4 * CELLS * CELLS);
  for (int side = 0; side < 2; side++) {
    if (!measure_depths (c, side))
      return FALSE;
    for (int octave = 1; octave <= n_octaves; octave++)
      if (!free_octave (c, side, octave, scratch))
        return FALSE;
  }
  return TRUE;
}

/* Frees pixels of contradicted components: those in free cells, or all where memory for cells was
 * short. */
static void
free_pixels (const Contradictions *c, gboolean knows_cells, uint8_t *label)
{
  const uint32_t *component = c->seeds->guess->component;
  size_t i = 0;
  for (int y = 0; y < c->strokes->height; y++)
    for (int x = 0; x < c->strokes->width; x++, i++)
      if (label[i] != FS_SEED_NONE && c->is_contradicted[component[i]]
          && (!knows_cells || c->is_free[side_of (label[i])][cell_of (c, x, y)]))
        label[i] = FS_SEED_NONE;
}

static void
fill_labels (FsMaskSeeds *seeds)
{
  const FsGuess *guess = seeds->guess;
  size_t n = (size_t)guess->width * (size_t)guess->height;
  for (size_t i = 0; i < n; i++)
    seeds->label[i] = !fs_guess_is_certain (guess, i) ? FS_SEED_NONE
                      : fs_guess_odds (guess, i) > 0  ? FS_SEED_OBJECT
                                                      : FS_SEED_BACKGROUND;
}

void
fs_mask_seeds_weigh (FsMaskSeeds *seeds, const FsSeedMap *strokes)
{
  fill_labels (seeds);
  g_auto (Contradictions) c = { 0 };
  if (!contradictions_init (&c, seeds, strokes))
    return;
  scan_pixels (&c);
  if (c.any)
    free_pixels (&c, find_free_cells (&c), seeds->label);
}

/* --- over the mask --- */

uint8_t
fs_mask_seeds_get (const FsMaskSeeds *seeds, uint32_t pixel)
{
  return seeds->label[pixel];
}

const FsSeedMap *
fs_mask_seeds_merge (FsMaskSeeds *seeds, const FsSeedMap *strokes)
{
  size_t n = (size_t)strokes->width * (size_t)strokes->height;
  FsSeedMap *all = seeds->all;
  memset (all->n_seeds, 0, sizeof all->n_seeds);
  for (size_t i = 0; i < n; i++) {
    all->label[i] = strokes->label[i] != FS_SEED_NONE ? strokes->label[i] : seeds->label[i];
    all->n_seeds[all->label[i]]++;
  }
  return all;
}

const FsSeedMap *
fs_mask_seeds_change (FsMaskSeeds *seeds, const FsSeedMap *strokes, const uint32_t *pixels,
                      size_t n)
{
  FsSeedMap *all = seeds->all;
  for (size_t i = 0; i < n; i++) {
    uint32_t p = pixels[i];
    all->n_seeds[all->label[p]]--;
    all->label[p] = strokes->label[p] != FS_SEED_NONE ? strokes->label[p] : seeds->label[p];
    all->n_seeds[all->label[p]]++;
  }
  return all;
}
