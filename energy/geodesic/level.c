/* SPDX-License-Identifier: MIT */
#include "energy/geodesic/level.h"

#include "energy/image/reduced_image.h"
#include "energy/image/target_clones.h"
#include "solver/system/checked_memory.h"

#include <math.h>
#include <string.h>

#define SIDE_MAX (1 << 18)

static int
n_blocks (int size, int shift)
{
  return (size - 1) / (1 << shift) + 1;
}

int
fs_geodesic_shift (int width, int height, int64_t max_cells)
{
  int shift = 0;
  while (shift < FS_GEODESIC_SHIFT_MAX
         && (int64_t)n_blocks (width, shift) * n_blocks (height, shift) > max_cells)
    shift++;
  return shift;
}

static int
fitting_shift (const FsImage *image, int shift)
{
  while (shift < FS_GEODESIC_SHIFT_MAX
         && n_blocks (MAX (image->width, image->height), shift) > SIDE_MAX)
    shift++;
  return shift;
}

/* --- Colours ---------------------------------------------------------------------------------- */

/* Fills the Lab plane from the cells' mean colours. FALSE where memory is short. */
static gboolean
fill_lab (FsGeodesicLevel *level, const FsImage *image)
{
  g_autoptr (FsImage) reduced = level->shift > 0 ? fs_image_reduce (image, level->shift) : NULL;
  if (level->shift > 0 && !reduced)
    return FALSE;
  const uint32_t *pixels = reduced ? reduced->pixels : image->pixels;
  for (int y = 0; y < level->height; y++)
    fs_lab_from_pixels (pixels + (size_t)y * (size_t)level->width, (size_t)level->width,
                        level->lab + fs_geodesic_cell (level, 0, y));
  return TRUE;
}

/* --- Costs ------------------------------------------------------------------------------------ */

/* The columns of row y that have a neighbour in forward direction d; empty where x0 ≥ x1. */
typedef struct {
  int x0, x1;
} Span;

static Span
columns_with_edge (const FsGeodesicLevel *level, int y, int d)
{
  int dx = fs_arc_dx (d), dy = fs_arc_dy (d);
  if (y + dy >= level->height)
    return (Span){ 0, 0 };
  return (Span){ MAX (0, -dx), level->width - MAX (0, dx) };
}

FS_TARGET_CLONES static void
sum_differences (FsGeodesicLevel *level)
{
  for (int y = 0; y < level->height; y++)
    for (int d = 0; d < FS_N_DIRECTIONS; d++) {
      Span span = columns_with_edge (level, y, d);
      const FsLab *row = level->lab + fs_geodesic_cell (level, 0, y);
      const FsLab *other = row + fs_geodesic_offset (level, d);
      for (int x = span.x0; x < span.x1; x++)
        level->d2_sum += (uint64_t)fs_lab_distance2 (row[x], other[x]);
      level->n_edges += (uint64_t)MAX (0, span.x1 - span.x0);
    }
}

/* c² = unit²·((1 − μ)·len² + μ·d²/m), with `length2` for the first term of a straight edge and
 * `scale` / 2^32 for unit²·μ/m. From d2_max on c² is cut, so that products fit. */
typedef struct {
  uint32_t length2;
  uint64_t scale;
  uint64_t d2_max;
} CostRule;

static CostRule
cost_rule (const FsGeodesicLevel *level, uint32_t tenths)
{
  const uint32_t unit2 = FS_GEODESIC_UNIT * FS_GEODESIC_UNIT;
  const uint64_t largest = ((uint64_t)FS_GEODESIC_COST_MAX * FS_GEODESIC_COST_MAX) << 32;
  CostRule rule = { .length2 = (unit2 * (10 - tenths) + 5) / 10 };
  if (level->d2_sum == 0)
    return rule;
  unsigned __int128 scale = ((unsigned __int128)unit2 * tenths * level->n_edges << 32)
                            / ((unsigned __int128)10 * level->d2_sum);
  rule.scale = (uint64_t)MIN (scale, largest);
  rule.d2_max = largest / MAX (rule.scale, 1);
  return rule;
}

static inline uint16_t
edge_cost (const CostRule *rule, uint64_t d2, gboolean diagonal)
{
  uint64_t c2 =
      ((uint64_t)rule->length2 << diagonal) + (MIN (d2, rule->d2_max) * rule->scale >> 32);
  /* The square root of an exact integer is rounded correctly by every IEEE 754 machine. */
  uint32_t c = (uint32_t)(sqrt ((double)c2) + 0.5);
  return (uint16_t)MIN (c, FS_GEODESIC_COST_MAX);
}

FS_TARGET_CLONES static void
fill_costs (FsGeodesicLevel *level)
{
  const CostRule rules[FS_GEODESIC_N_MUS] = { cost_rule (level, 5), cost_rule (level, 4) };
  for (int y = 0; y < level->height; y++)
    for (int d = 0; d < FS_N_DIRECTIONS; d++) {
      Span span = columns_with_edge (level, y, d);
      int offset = fs_geodesic_offset (level, d);
      gboolean diagonal = d >= FS_DIRECTION_SE;
      uint32_t first = fs_geodesic_cell (level, 0, y);
      for (uint32_t p = first + (uint32_t)span.x0; p < first + (uint32_t)span.x1; p++) {
        uint32_t q = p + (uint32_t)offset;
        uint64_t d2 = (uint64_t)fs_lab_distance2 (level->lab[p], level->lab[q]);
        for (int mu = 0; mu < FS_GEODESIC_N_MUS; mu++) {
          uint16_t cost = edge_cost (&rules[mu], d2, diagonal);
          level->costs[mu][p].to[d] = cost;
          level->costs[mu][q].to[d ^ FS_DIRECTION_OPPOSITE] = cost;
        }
      }
    }
}

/* --- Life ------------------------------------------------------------------------------------- */

static void
level_clear (gpointer data)
{
  FsGeodesicLevel *level = data;
  if (level->planes_of) {
    fs_geodesic_level_unref (level->planes_of);
    return;
  }
  fs_memory_free (level->lab);
  for (int mu = 0; mu < FS_GEODESIC_N_MUS; mu++)
    fs_memory_free (level->costs[mu]);
}

FsGeodesicLevel *
fs_geodesic_level_ref (FsGeodesicLevel *level)
{
  return g_atomic_rc_box_acquire (level);
}

void
fs_geodesic_level_unref (FsGeodesicLevel *level)
{
  if (level)
    g_atomic_rc_box_release_full (level, level_clear);
}

void *
fs_geodesic_plane_new (const FsGeodesicLevel *level, size_t size_bytes)
{
  void *plane = fs_memory_new_whole (level->n_plane, size_bytes);
  if (plane)
    memset (plane, 0, level->n_plane * size_bytes);
  return plane;
}

static gboolean
allocate_planes (FsGeodesicLevel *level)
{
  level->lab = fs_geodesic_plane_new (level, sizeof (FsLab));
  for (int mu = 0; mu < FS_GEODESIC_N_MUS; mu++)
    level->costs[mu] = fs_geodesic_plane_new (level, sizeof (FsGeodesicCosts));
  return level->lab && level->costs[FS_GEODESIC_MU_DISTANCES] && level->costs[FS_GEODESIC_MU_STAR];
}

/* A level without planes. */
static FsGeodesicLevel *
level_of_size (const FsImage *image, int shift)
{
  FsGeodesicLevel *level = g_atomic_rc_box_new0 (FsGeodesicLevel);
  level->photo_width = image->width;
  level->photo_height = image->height;
  level->shift = shift;
  level->width = n_blocks (image->width, shift);
  level->height = n_blocks (image->height, shift);
  level->stride = level->width + 1;
  level->n_plane = ((size_t)level->height + 2) * (size_t)level->stride + 1;
  double w = image->width, h = image->height;
  level->diagonal = (int32_t)(FS_GEODESIC_UNIT * sqrt (w * w + h * h) / (1 << shift));
  return level;
}

FsGeodesicLevel *
fs_geodesic_level_new (const FsImage *image, int shift)
{
  g_return_val_if_fail (image, NULL);
  g_return_val_if_fail (shift >= 0 && shift <= FS_GEODESIC_SHIFT_MAX, NULL);

  g_autoptr (FsGeodesicLevel) level = level_of_size (image, fitting_shift (image, shift));
  if (level->n_plane > UINT32_MAX || !allocate_planes (level) || !fill_lab (level, image))
    return NULL;
  sum_differences (level);
  fill_costs (level);
  return g_steal_pointer (&level);
}

FsGeodesicLevel *
fs_geodesic_level_new_like (const FsImage *image, FsGeodesicLevel *other, int more)
{
  g_return_val_if_fail (image && other && more >= 0, NULL);

  if (other->shift + more > FS_GEODESIC_SHIFT_MAX)
    return NULL;
  g_autoptr (FsGeodesicLevel) level = level_of_size (image, other->shift + more);
  if (level->width != other->width || level->height != other->height)
    return NULL;
  level->d2_sum = other->d2_sum;
  level->n_edges = other->n_edges;
  level->lab = other->lab;
  memcpy (level->costs, other->costs, sizeof level->costs);
  level->planes_of = fs_geodesic_level_ref (other);
  return g_steal_pointer (&level);
}
