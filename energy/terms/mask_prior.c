/* SPDX-License-Identifier: MIT */
#include "energy/terms/mask_prior.h"

#include "energy/geodesic/cell_sides.h"
#include "energy/geodesic/field.h"
#include "energy/geodesic/sources.h"
#include "energy/geodesic/upsample.h"
#include "energy/image/distance.h"
#include "energy/image/pixel_bits.h"
#include "energy/terms/answer_width.h"

#include <math.h>
#include <string.h>

/* The prior has its full strength at this part of the diagonal. */
enum { CAP_DIVISOR = 5 };
/* Beyond the depth of a correction it rises over that depth and this part of the diagonal. */
enum { DEPTH_SLACK_DIVISOR = 128 };
/* Parts of a unit of t-link in a cell, so that little is lost between cells. */
enum { CELL_SHIFT = 4 };

struct _FsMaskPrior {
  FsGeodesicLevel *level;
  size_t n_pixels;
  size_t n_words;
  int32_t strength;
  int32_t *plane;     /* cell plane: the prior, << CELL_SHIFT */
  uint64_t *previous; /* [n_words] a bit a pixel */
  uint64_t *near;     /* [n_words] within FS_MASK_PRIOR_NEAR_PX of what was painted */
  uint64_t *clamped;  /* [n_words] none before the first filtering */
  uint32_t *painted;  /* [n_painted] */
  size_t n_painted;
  gboolean bounds_answer;
  int32_t depth; /* of what was corrected, −1 for none */
  gboolean has_clamped;
};

/* --- life --- */

/* Bit k is the lowest one of byte k. */
static inline uint64_t
pack_eight (const uint8_t *bytes)
{
  uint64_t eight;
  memcpy (&eight, bytes, sizeof eight);
  eight = GUINT64_FROM_LE (eight) & UINT64_C (0x0101010101010101);
  return eight * UINT64_C (0x0102040810204080) >> 56;
}

static void
read_mask (const FsMaskPrior *prior, const uint8_t *mask, uint64_t *bits)
{
  for (size_t word = 0; word < prior->n_words; word++) {
    size_t first = word * 64, n = MIN (64, prior->n_pixels - first), i = 0;
    uint64_t value = 0;
    for (; i + 8 <= n; i += 8)
      value |= pack_eight (mask + first + i) << i;
    for (; i < n; i++)
      value |= (uint64_t)(mask[first + i] & 1) << i;
    bits[word] = value;
  }
}

static void
mark_near (FsMaskPrior *prior, uint32_t pixel)
{
  const int r = FS_MASK_PRIOR_NEAR_PX;
  int w = prior->level->photo_width, h = prior->level->photo_height;
  int x = (int)(pixel % (uint32_t)w), y = (int)(pixel / (uint32_t)w);
  for (int dy = -r; dy <= r; dy++)
    for (int dx = -r; dx <= r; dx++)
      if (dx * dx + dy * dy <= r * r && x + dx >= 0 && x + dx < w && y + dy >= 0 && y + dy < h)
        fs_pixel_bits_add (prior->near, (size_t)(y + dy) * (size_t)w + (size_t)(x + dx));
}

/* Distances up to `distance_cap` from the painted pixels, as strengths. */
static gboolean
measure_stroke (FsMaskPrior *prior, const uint32_t *painted, size_t n)
{
  FsGeodesicLevel *level = prior->level;
  g_autoptr (FsGeodesicSources) sources = fs_geodesic_sources_new (level);
  g_autoptr (FsGeodesicField) field =
      fs_geodesic_field_new (level, FS_GEODESIC_MU_DISTANCES, FS_NEIGHBOURS_8, FS_CELL_STROKE);
  if (!sources || !field)
    return FALSE;
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  int32_t distance_cap = MAX (1, level->diagonal / CAP_DIVISOR);
  fs_geodesic_sources_mark_stroke (sources, painted, n, cells);
  fs_geodesic_field_update (field, sources->bits, (const uint32_t *)(gpointer)cells->data,
                            cells->len, distance_cap, NULL);
  const int32_t *distances = fs_geodesic_field_get_distances (field);
  int64_t full = (int64_t)prior->strength << CELL_SHIFT;
  for (size_t i = 0; i < level->n_plane; i++)
    prior->plane[i] = (int32_t)(full * CLAMP (distances[i], 0, distance_cap) / distance_cap);
  return TRUE;
}

FsMaskPrior *
fs_mask_prior_new (FsGeodesicLevel *level, const uint8_t *previous, const uint32_t *painted,
                   size_t n, int32_t strength)
{
  g_return_val_if_fail (level && previous && strength >= 0, NULL);

  g_autoptr (FsMaskPrior) prior = g_new0 (FsMaskPrior, 1);
  prior->level = fs_geodesic_level_ref (level);
  prior->n_pixels = (size_t)level->photo_width * (size_t)level->photo_height;
  prior->n_words = (prior->n_pixels + 63) / 64;
  prior->strength = strength;
  prior->plane = g_try_new (int32_t, level->n_plane);
  prior->previous = g_try_new (uint64_t, prior->n_words);
  prior->near = g_try_new0 (uint64_t, prior->n_words);
  prior->clamped = g_try_new0 (uint64_t, prior->n_words);
  prior->painted = g_try_new (uint32_t, MAX (n, 1));
  if (!prior->plane || !prior->previous || !prior->near || !prior->clamped || !prior->painted)
    return NULL;
  for (size_t i = 0; i < n; i++)
    prior->painted[i] = painted[i];
  prior->n_painted = n;
  read_mask (prior, previous, prior->previous);
  for (size_t i = 0; i < n; i++)
    mark_near (prior, painted[i]);
  return measure_stroke (prior, painted, n) ? g_steal_pointer (&prior) : NULL;
}

void
fs_mask_prior_free (FsMaskPrior *prior)
{
  if (!prior)
    return;
  fs_geodesic_level_unref (prior->level);
  g_free (prior->plane);
  g_free (prior->previous);
  g_free (prior->near);
  g_free (prior->clamped);
  g_free (prior->painted);
  g_free (prior);
}

/* --- how large an answer is --- */

/* The depths of cells that are wholly of one side. Square roots of integers are rounded alike
 * everywhere. */
static gboolean
measure_depths (const FsGeodesicLevel *level, const uint8_t *side, int32_t *depth)
{
  size_t n = (size_t)level->width * (size_t)level->height;
  g_autofree uint8_t *is_other = g_try_malloc (n);
  if (!is_other)
    return FALSE;
  for (int s = FS_CELL_ALL_BACKGROUND; s <= FS_CELL_ALL_OBJECT; s++) {
    for (size_t i = 0; i < n; i++)
      is_other[i] = side[i] != s;
    g_autofree int64_t *distance2 = fs_distance2 (is_other, level->width, level->height);
    for (size_t i = 0; i < n; i++)
      if (side[i] == s)
        depth[i] = (int32_t)(FS_GEODESIC_UNIT * sqrt ((double)distance2[i]));
  }
  return TRUE;
}

/* The depth of the deepest painted cell that lies amid the side that its seed is not of; −1 where
 * there is none. */
static int32_t
correction_depth (const FsGeodesicLevel *level, const uint32_t *painted, size_t n,
                  const uint8_t *seed_bits, const uint8_t *side, const int32_t *depth)
{
  static const uint8_t other_seed[] = { [FS_CELL_ALL_BACKGROUND] = FS_CELL_OBJECT,
                                        [FS_CELL_ALL_OBJECT] = FS_CELL_BACKGROUND,
                                        [FS_CELL_MIXED] = 0 };
  int32_t max = -1;
  for (size_t k = 0; k < n; k++) {
    uint32_t cell = fs_geodesic_cell_of_pixel (level, painted[k]);
    size_t i = (size_t)fs_geodesic_cell_y (level, cell) * (size_t)level->width
               + (size_t)fs_geodesic_cell_x (level, cell);
    if (seed_bits[cell] & other_seed[side[i]])
      max = MAX (max, depth[i]);
  }
  return max;
}

static void
raise_deep_prior (FsMaskPrior *prior, const int32_t *depth, int32_t corrected, int32_t strength)
{
  const FsGeodesicLevel *level = prior->level;
  const int64_t full = (int64_t)strength << CELL_SHIFT;
  const int64_t span = (int64_t)corrected + MAX (1, level->diagonal / DEPTH_SLACK_DIVISOR);
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++) {
      int64_t deeper = (int64_t)*depth++ - corrected;
      int32_t *value = &prior->plane[fs_geodesic_cell (level, x, y)];
      *value = MAX (*value, (int32_t)(full * CLAMP (deeper, 0, span) / span));
    }
}

gboolean
fs_mask_prior_bound_answer (FsMaskPrior *prior, const uint8_t *previous, const uint32_t *painted,
                            size_t n, const uint8_t *seed_bits, int32_t strength)
{
  const FsGeodesicLevel *level = prior->level;
  size_t n_cells = (size_t)level->width * (size_t)level->height;
  size_t n_pixels = (size_t)level->photo_width * (size_t)level->photo_height;
  g_autofree uint8_t *mask =
      g_try_malloc (n_pixels); /* of 0 and 1, whatever the previous one has */
  g_autofree uint8_t *side = g_try_malloc (n_cells);
  g_autofree int32_t *depth = g_try_new0 (int32_t, n_cells);
  if (!mask || !side || !depth)
    return FALSE;
  for (size_t i = 0; i < n_pixels; i++)
    mask[i] = previous[i] != 0;
  fs_cell_sides_find (level, mask, side);
  if (!measure_depths (level, side, depth))
    return FALSE;
  int32_t corrected = correction_depth (level, painted, n, seed_bits, side, depth);
  prior->bounds_answer = TRUE;
  prior->depth = corrected;
  if (corrected >= 0)
    raise_deep_prior (prior, depth, corrected, strength);
  return TRUE;
}

void
fs_mask_prior_weaken (FsMaskPrior *prior, const uint16_t *trust, int width, int height)
{
  const FsGeodesicLevel *level = prior->level;
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++) {
      int64_t u = (2 * (int64_t)x + 1) * width / (2 * (int64_t)level->width);
      int64_t v = (2 * (int64_t)y + 1) * height / (2 * (int64_t)level->height);
      uint32_t cell = fs_geodesic_cell (level, x, y);
      prior->plane[cell] = (int32_t)((int64_t)prior->plane[cell] * trust[v * width + u] >> 8);
    }
}

/* --- the prior --- */

gboolean
fs_mask_prior_was_object (const FsMaskPrior *prior, uint32_t pixel)
{
  return fs_pixel_bits_has (prior->previous, pixel);
}

gboolean
fs_mask_prior_has_clamped (const FsMaskPrior *prior)
{
  return prior->has_clamped;
}

gboolean
fs_mask_prior_is_clamped (const FsMaskPrior *prior, uint32_t pixel)
{
  return fs_pixel_bits_has (prior->clamped, pixel);
}

static inline int32_t
signed_prior (const FsMaskPrior *prior, size_t pixel, int32_t in_cells)
{
  int32_t value = (in_cells + (1 << (CELL_SHIFT - 1))) >> CELL_SHIFT;
  return fs_pixel_bits_has (prior->previous, pixel) ? value : -fs_mask_prior_max (value);
}

int32_t
fs_mask_prior_get (const FsMaskPrior *prior, uint32_t pixel)
{
  return signed_prior (prior, pixel, fs_geodesic_upsample (prior->level, prior->plane, pixel));
}

void
fs_mask_prior_add_row (const FsMaskPrior *prior, int y, int32_t *tlinks)
{
  enum { CHUNK = 1024 };
  int32_t in_cells[CHUNK];
  int w = prior->level->photo_width;
  size_t row = (size_t)y * (size_t)w;
  for (int x0 = 0; x0 < w; x0 += CHUNK) {
    int x1 = MIN (x0 + CHUNK, w);
    fs_geodesic_upsample_row (prior->level, prior->plane, y, x0, x1, in_cells);
    for (int x = x0; x < x1; x++)
      tlinks[x] += signed_prior (prior, row + (size_t)x, in_cells[x - x0]);
  }
}

G_STATIC_ASSERT (CELL_SHIFT == 4); /* as solver/photo_links.h has it */

void
fs_mask_prior_fill_terms (const FsMaskPrior *prior, FsTlinkTerms *terms)
{
  terms->pull = fs_geodesic_coarse_plane (prior->level, prior->plane);
  terms->previous = prior->previous;
  terms->clamped = prior->clamped;
}

/* --- the locality filter --- */

/* Changed pixels side by side in one row. */
typedef struct {
  uint32_t begin, end;
} Run;

/* The first pixel of [begin, end) whose bit is `value`, or `end`. */
static size_t
seek (const uint64_t *bits, gboolean value, size_t begin, size_t end)
{
  for (size_t i = begin; i < end; i = (i / 64 + 1) * 64) {
    uint64_t word = (value ? bits[i / 64] : ~bits[i / 64]) >> (i % 64);
    if (word != 0)
      return MIN (i + (size_t)__builtin_ctzll (word), end);
  }
  return end;
}

/* The beginning, at or after `first`, of the run of set bits that contains `last`. */
static size_t
seek_back (const uint64_t *bits, size_t first, size_t last)
{
  for (size_t i = last; i + 1 > first; i = i / 64 * 64 - 1) {
    uint64_t word = ~bits[i / 64] << (63 - i % 64);
    if (word != 0)
      return MAX (i + 1 - (size_t)__builtin_clzll (word), first);
    if (i < 64)
      break;
  }
  return first;
}

static void
clear_run (uint64_t *bits, Run run)
{
  for (size_t i = run.begin; i < run.end; i = (i / 64 + 1) * 64) {
    size_t n = MIN (64 - i % 64, run.end - i);
    bits[i / 64] &= ~(~UINT64_C (0) >> (64 - n) << (i % 64));
  }
}

/* Takes the runs of row y that touch pixels [begin, end) of it. */
static void
take_runs (const FsMaskPrior *prior, uint64_t *changed, size_t y, size_t begin, size_t end,
           GArray *stack)
{
  size_t row = y * (size_t)prior->level->photo_width;
  size_t row_end = row + (size_t)prior->level->photo_width;
  for (size_t i = seek (changed, TRUE, begin, end); i < end; i = seek (changed, TRUE, i, end)) {
    Run run = { (uint32_t)seek_back (changed, row, i),
                (uint32_t)seek (changed, FALSE, i, row_end) };
    clear_run (changed, run);
    g_array_append_val (stack, run);
    i = run.end;
  }
}

/* Takes the component of a changed pixel. */
static void
take_component (const FsMaskPrior *prior, uint64_t *changed, size_t first, GArray *stack)
{
  size_t w = (size_t)prior->level->photo_width, h = (size_t)prior->level->photo_height;
  take_runs (prior, changed, first / w, first, first + 1, stack);
  while (stack->len > 0) {
    Run run = g_array_index (stack, Run, stack->len - 1);
    g_array_set_size (stack, stack->len - 1);
    size_t y = run.begin / w, x0 = run.begin % w, x1 = x0 + run.end - run.begin;
    size_t left = x0 > 0 ? x0 - 1 : 0, right = MIN (x1 + 1, w);
    if (y > 0)
      take_runs (prior, changed, y - 1, (y - 1) * w + left, (y - 1) * w + right, stack);
    if (y + 1 < h)
      take_runs (prior, changed, y + 1, (y + 1) * w + left, (y + 1) * w + right, stack);
  }
}

/* Removes the accepted components, those near painted pixels, from `changed`. */
static void
accept_near (const FsMaskPrior *prior, uint64_t *changed)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Run));
  for (size_t word = 0; word < prior->n_words; word++)
    for (uint64_t near; (near = changed[word] & prior->near[word]) != 0;)
      take_component (prior, changed, word * 64 + (size_t)__builtin_ctzll (near), stack);
}

/* The pixels of the rejected components; g_free. NULL where memory is short. */
static uint64_t *
find_rejected (const FsMaskPrior *prior, const uint8_t *mask)
{
  size_t n = prior->n_words;
  g_autofree uint64_t *changed = g_try_new (uint64_t, n);
  g_autofree uint64_t *answer = g_try_new (uint64_t, n);
  if (!changed || !answer)
    return NULL;
  read_mask (prior, mask, changed);
  for (size_t word = 0; word < n; word++)
    answer[word] = changed[word] ^= prior->previous[word];
  accept_near (prior, changed);
  for (size_t word = 0; word < n; word++)
    answer[word] ^= changed[word];
  if (prior->bounds_answer
      && !fs_answer_width_bound (prior->level, prior->painted, prior->n_painted, prior->depth,
                                 answer, changed))
    return NULL;
  return g_steal_pointer (&changed);
}

gboolean
fs_mask_prior_restore (const FsMaskPrior *prior, uint8_t *mask)
{
  g_autofree uint64_t *changed = find_rejected (prior, mask);
  if (!changed)
    return FALSE;
  for (size_t word = 0; word < prior->n_words; word++)
    for (uint64_t bits = changed[word]; bits != 0; bits &= bits - 1)
      mask[word * 64 + (size_t)__builtin_ctzll (bits)] ^= 1;
  return TRUE;
}

static void
list_bits (const FsMaskPrior *prior, const uint64_t *bits, FsPixelList *pixels)
{
  for (size_t word = 0; word < prior->n_words; word++)
    for (uint64_t left = bits[word]; left != 0; left &= left - 1) {
      uint32_t pixel = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll (left);
      g_array_append_val (pixels, pixel);
    }
}

gboolean
fs_mask_prior_list_rejected (const FsMaskPrior *prior, const uint8_t *mask, FsPixelList *rejected)
{
  g_autofree uint64_t *changed = find_rejected (prior, mask);
  if (changed)
    list_bits (prior, changed, rejected);
  return changed != NULL;
}

gboolean
fs_mask_prior_filter (FsMaskPrior *prior, const uint8_t *mask, FsPixelList *clamped)
{
  g_autofree uint64_t *changed = find_rejected (prior, mask);
  if (!changed)
    return FALSE;
  list_bits (prior, changed, clamped);
  memcpy (prior->clamped, changed, prior->n_words * sizeof *changed);
  prior->has_clamped = clamped->len > 0;
  return TRUE;
}
