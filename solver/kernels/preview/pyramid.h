/* SPDX-License-Identifier: MIT */
/* The pyramid of a preview on a device.   Layer: solver/kernels.
 *
 * The same integers as those of solver/multilevel/pyramid.h: a level's links in row-major planes,
 * computed from those of the next finer level, a block of 2 × 2 pixels at a time. The finest level
 * is the engine's problem itself. N-links are computed first, then the star, from the finest level
 * upwards, and t-links last, as sure pixels depend on all their links.
 */
#ifndef FS_SOLVER_KERNELS_PREVIEW_PYRAMID_H
#define FS_SOLVER_KERNELS_PREVIEW_PYRAMID_H

#include "solver/kernels/solve/problem.h"

/* As in solver/grid.h and solver/multilevel/pyramid.h. */
#define FS_PAIR_MAX            65535
#define FS_PYRAMID_TLINK_MAX   (1 << 28)
#define FS_BIT_OBJECT_SEED     1
#define FS_BIT_BACKGROUND_SEED 2
#define FS_BIT_OBJECT_SURE     4
#define FS_BIT_BACKGROUND_SURE 8
#define FS_BIT_SEEDS           3

typedef struct {
  FsGridState shape; /* of the level; of the planes `object` alone: the level's mask */
  FsProblem problem; /* links, row-major                                             */
  uint8_t *blocks;   /* [height · width] FS_BIT_…; NULL at the finest level          */
  uint32_t *bits;    /* [4][tiles · 32]: the same, for each FS_BIT a bit a pixel as shape.object */
  uint16_t *saved[4]; /* residuals after the level's last cut, at first without flow; indexed as
                         problem.nlink; NULL at the finest level */
} FsPreviewLevel;

static inline void
fs_pyramid_shape (const FsGridState *fine, FsGridState *coarse)
{
  fs_grid_shape (coarse, (fine->width + 1) / 2, (fine->height + 1) / 2, fine->n_arcs);
}

FS_PHASE int
fs_is_inside (const FsGridState *grid, int x, int y)
{
  return x >= 0 && y >= 0 && x < grid->width && y < grid->height;
}

/* --- N-links --- */

/* The weakest of at most n links of a plane on the way from (x, y). */
FS_PHASE uint32_t
fs_pyramid_weakest (const FsGridState *fine, const uint16_t *plane, int direction, int x, int y,
                    int n)
{
  uint32_t min = UINT32_MAX;
  int dx = fs_direction_step_x (direction), dy = fs_direction_step_y (direction);
  for (int i = 0; i < n; i++, x += dx, y += dy) {
    if (!fs_is_inside (fine, x, y) || !fs_is_inside (fine, x + dx, y + dy))
      break;
    uint32_t link = plane[(size_t)y * fine->width + x];
    min = link < min ? link : min;
  }
  return min != UINT32_MAX ? min : 0;
}

/* Both ways from a block to the next one in a direction 0 … 3, of one sense's plane. */
FS_PHASE uint32_t
fs_pyramid_ways (const FsGridState *fine, const FsGridState *coarse, const uint16_t *plane,
                 int direction, int x, int y)
{
  if (!fs_is_inside (coarse, x + fs_direction_step_x (direction),
                     y + fs_direction_step_y (direction)))
    return 0;
  int n = direction < 2 ? 3 : 2;
  int first_x = direction == 2, second_x = direction == 1 || direction == 3;
  int second_y = direction != 1;
  return fs_pyramid_weakest (fine, plane, direction, 2 * x + first_x, 2 * y, n)
         + fs_pyramid_weakest (fine, plane, direction, 2 * x + second_x, 2 * y + second_y, n);
}

/* The largest pair of links that leads from a block forwards. */
FS_PHASE uint32_t
fs_pyramid_largest_pair (const FsPreviewLevel *fine, const FsPreviewLevel *coarse, int x, int y)
{
  uint32_t max = 0;
  for (int d = 0; d < fine->shape.n_arcs / 2; d++) {
    const FsProblem *problem = &fine->problem;
    uint32_t forth = fs_pyramid_ways (&fine->shape, &coarse->shape, problem->nlink[d], d, x, y);
    uint32_t back = forth;
    if (problem->back[d] != problem->nlink[d])
      back = fs_pyramid_ways (&fine->shape, &coarse->shape, problem->back[d], d, x, y);
    max = forth + back > max ? forth + back : max;
  }
  return max;
}

/* The shift of a level with this largest pair. */
FS_PHASE int
fs_pyramid_shift (const FsPreviewLevel *fine, uint32_t largest)
{
  int shift = fine->problem.star != NULL;
  while ((shift > 0 ? (largest >> shift) + 2 : largest) > FS_PAIR_MAX)
    shift++;
  return shift;
}

FS_PHASE void
fs_pyramid_nlinks (const FsPreviewLevel *fine, const FsPreviewLevel *coarse, int shift, int x,
                   int y)
{
  uint32_t half = (1u << shift) >> 1;
  size_t p = (size_t)y * coarse->shape.width + x;
  for (int d = 0; d < fine->shape.n_arcs / 2; d++) {
    const FsProblem *from = &fine->problem, *to = &coarse->problem;
    uint32_t sum = fs_pyramid_ways (&fine->shape, &coarse->shape, from->nlink[d], d, x, y);
    to->nlink[d][p] = coarse->saved[d][p] = (uint16_t)((sum + half) >> shift);
    if (to->back[d] == to->nlink[d])
      continue;
    sum = fs_pyramid_ways (&fine->shape, &coarse->shape, from->back[d], d, x, y);
    to->back[d][p] = (uint16_t)((sum + half) >> shift);
  }
}

/* --- The star --- */

/* Where the path of parents from a pixel of a block leads out of it: FS_NO_STAR where it ends in
 * the block or turns in circles there. */
FS_PHASE int
fs_pyramid_way_out (const FsPreviewLevel *fine, int block_x, int block_y, int x, int y)
{
  for (int i = 0; i < 4; i++) {
    int direction = fine->problem.star[(size_t)y * fine->shape.width + x];
    if (direction == FS_NO_STAR)
      break;
    x += fs_direction_step_x (direction);
    y += fs_direction_step_y (direction);
    int dx = (x >= 2 * block_x + 2) - (x < 2 * block_x);
    int dy = (y >= 2 * block_y + 2) - (y < 2 * block_y);
    for (int out = 0; out < 8 && (dx != 0 || dy != 0); out++)
      if (fs_direction_step_x (out) == dx && fs_direction_step_y (out) == dy)
        return out;
  }
  return FS_NO_STAR;
}

/* A block's parent is the one to which most of its pixels' paths lead. */
FS_PHASE void
fs_pyramid_star (const FsPreviewLevel *fine, const FsPreviewLevel *coarse, int x, int y)
{
  uint32_t votes = 0; /* four bits a direction */
  int best = 0, ends = 0;
  for (int i = 0; i < 4; i++) {
    if (!fs_is_inside (&fine->shape, 2 * x + i % 2, 2 * y + i / 2))
      continue;
    int out = fs_pyramid_way_out (fine, x, y, 2 * x + i % 2, 2 * y + i / 2);
    ends |= out == FS_NO_STAR;
    votes += out == FS_NO_STAR ? 0 : 1u << 4 * out;
  }
  for (int out = 1; out < 8; out++)
    best = (votes >> 4 * out & 15) > (votes >> 4 * best & 15) ? out : best;
  coarse->problem.star[(size_t)y * coarse->shape.width + x] = (uint8_t)(ends ? FS_NO_STAR : best);
}

/* --- T-links --- */

FS_PHASE int32_t
fs_pyramid_links_out (const FsPreviewLevel *level, int x, int y)
{
  int32_t sum = 0;
  for (int arc = 0; arc < level->shape.n_arcs; arc++)
    sum += fs_arc_capacity (&level->shape, &level->problem, x, y,
                            fs_arc_direction (level->shape.n_arcs, arc));
  return sum;
}

FS_PHASE int32_t
fs_pyramid_links_in (const FsPreviewLevel *level, int x, int y)
{
  int32_t sum = 0;
  for (int arc = 0; arc < level->shape.n_arcs; arc++) {
    int d = fs_arc_direction (level->shape.n_arcs, arc);
    int from_x = x + fs_direction_step_x (d), from_y = y + fs_direction_step_y (d);
    if (fs_is_inside (&level->shape, from_x, from_y))
      sum += fs_arc_capacity (&level->shape, &level->problem, from_x, from_y, d ^ 4);
  }
  return sum;
}

/* Returns whether the sum of the links out of a pixel (`out`), or into it, reaches `size`. Usually
 * the first link does. */
FS_PHASE int
fs_pyramid_reaches (const FsPreviewLevel *level, int out, int32_t size, int x, int y)
{
  const FsGridState *shape = &level->shape;
  for (int arc = 0; arc < shape->n_arcs && size > 0; arc++) {
    int d = fs_arc_direction (shape->n_arcs, arc);
    int to_x = x + fs_direction_step_x (d), to_y = y + fs_direction_step_y (d);
    if (fs_is_inside (shape, to_x, to_y))
      size -= out ? fs_arc_capacity (shape, &level->problem, x, y, d)
                  : fs_arc_capacity (shape, &level->problem, to_x, to_y, d ^ 4);
  }
  return size <= 0;
}

/* The sum of a pixel's links where those out of it equal those into it: undirected, 4 neighbours
 * and no star. All loads overlap. */
FS_PHASE int32_t
fs_pyramid_incident_links (const FsPreviewLevel *level, int x, int y)
{
  const uint16_t *const *nlink = (const uint16_t *const *)level->problem.nlink;
  int width = level->shape.width;
  size_t p = (size_t)y * width + x;
  int32_t right = nlink[0][p], left = nlink[0][p - (x > 0)];
  int32_t down = nlink[1][p], up = nlink[1][p - (y > 0 ? width : 0)];
  right = x + 1 < width ? right : 0;
  left = x > 0 ? left : 0;
  down = y + 1 < level->shape.height ? down : 0;
  up = y > 0 ? up : 0;
  return right + left + down + up;
}

FS_PHASE int
fs_pyramid_is_plain (const FsPreviewLevel *level)
{
  const FsProblem *problem = &level->problem;
  return level->shape.n_arcs == 4 && problem->star == NULL && problem->back[0] == problem->nlink[0];
}

/* Returns whether the sum of a pixel's links reaches its t-link. */
FS_PHASE int
fs_pyramid_is_unsure (const FsPreviewLevel *level, int32_t soft_tlink, int32_t t, int x, int y)
{
  int32_t size = t < 0 ? -t : t;
  /* No sum of links reaches more. */
  return size <= fs_max_i32 (soft_tlink, 8 * FS_PAIR_MAX)
         && fs_pyramid_reaches (level, t > 0, size, x, y);
}

/* The kind of a pixel of the finest level with this t-link: 0 or one FS_BIT. */
FS_PHASE int
fs_pyramid_pixel_bits (int32_t t, int is_unsure, int32_t soft_tlink)
{
  int32_t size = t < 0 ? -t : t;
  if (is_unsure)
    return 0;
  if (size > soft_tlink)
    return t > 0 ? FS_BIT_OBJECT_SEED : FS_BIT_BACKGROUND_SEED;
  return t > 0 ? FS_BIT_OBJECT_SURE : FS_BIT_BACKGROUND_SURE;
}

/* t / 2^shift to the nearest, halves away from 0. */
FS_PHASE int32_t
fs_pyramid_scale (int32_t t, int shift)
{
  int32_t size = ((t < 0 ? -t : t) + ((1 << shift) >> 1)) >> shift;
  size = fs_min_i32 (size, FS_PYRAMID_TLINK_MAX);
  return t < 0 ? -size : size;
}

/* The pixels of a block with their t-links, whose loads overlap. One beyond the photo is replaced
 * by the first, without a t-link. */
typedef struct {
  int x[4], y[4];
  size_t place[4];
  int32_t tlink[4];
} FsPyramidBlock;

FS_PHASE FsPyramidBlock
fs_pyramid_block (const FsPreviewLevel *fine, int x, int y)
{
  FsPyramidBlock block;
  int there[4];
  FS_UNROLL
  for (int i = 0; i < 4; i++) {
    there[i] = fs_is_inside (&fine->shape, 2 * x + i % 2, 2 * y + i / 2);
    block.x[i] = 2 * x + (there[i] ? i % 2 : 0);
    block.y[i] = 2 * y + (there[i] ? i / 2 : 0);
    block.place[i] = (size_t)block.y[i] * fine->shape.width + block.x[i];
    block.tlink[i] = fine->problem.tlink[block.place[i]];
  }
  FS_UNROLL
  for (int i = 0; i < 4; i++)
    block.tlink[i] = there[i] ? block.tlink[i] : 0;
  return block;
}

/* The bits of a block of the finest level. */
FS_PHASE int
fs_pyramid_finest_bits (const FsPreviewLevel *finest, const FsPyramidBlock *block,
                        int32_t soft_tlink)
{
  int bits = 0;
  int32_t neighbours[4];
  if (!fs_pyramid_is_plain (finest)) {
    FS_UNROLL
    for (int i = 0; i < 4; i++)
      bits |= fs_pyramid_pixel_bits (block->tlink[i],
                                     fs_pyramid_is_unsure (finest, soft_tlink, block->tlink[i],
                                                           block->x[i], block->y[i]),
                                     soft_tlink);
    return bits;
  }
  FS_UNROLL
  for (int i = 0; i < 4; i++)
    neighbours[i] = fs_pyramid_incident_links (finest, block->x[i], block->y[i]);
  FS_UNROLL
  for (int i = 0; i < 4; i++) {
    int32_t size = block->tlink[i] < 0 ? -block->tlink[i] : block->tlink[i];
    bits |= fs_pyramid_pixel_bits (block->tlink[i], size <= neighbours[i], soft_tlink);
  }
  return bits;
}

/* Computes a block's t-link, and returns its bits. Seeds of one kind make it sure. */
FS_PHASE int
fs_pyramid_tlink (const FsPreviewLevel *fine, const FsPreviewLevel *coarse, int shift,
                  int32_t soft_tlink, int x, int y)
{
  FsPyramidBlock block = fs_pyramid_block (fine, x, y);
  int bits = 0;
  if (fine->blocks == NULL)
    bits = fs_pyramid_finest_bits (fine, &block, soft_tlink);
  else {
    FS_UNROLL
    for (int i = 0; i < 4; i++)
      bits |= fine->blocks[block.place[i]] & FS_BIT_SEEDS;
  }
  int32_t t =
      fs_pyramid_scale (block.tlink[0] + block.tlink[1] + block.tlink[2] + block.tlink[3], shift);
  if ((bits & FS_BIT_SEEDS) == FS_BIT_OBJECT_SEED)
    t = fs_max_i32 (t, fs_pyramid_links_out (coarse, x, y) + 1);
  else if ((bits & FS_BIT_SEEDS) == FS_BIT_BACKGROUND_SEED)
    t = fs_min_i32 (t, -fs_pyramid_links_in (coarse, x, y) - 1);
  size_t p = (size_t)y * coarse->shape.width + x;
  coarse->problem.tlink[p] = t;
  coarse->blocks[p] = (uint8_t)bits;
  return bits;
}

/* The word of an FS_BIT, 0 … 3, of the row of a tile with these 32 pixels. */
FS_PHASE uint32_t *
fs_pyramid_word (const FsPreviewLevel *level, int bit, int tile_x, int y)
{
  const FsGridState *shape = &level->shape;
  return level->bits + (size_t)bit * shape->n_tiles * FS_SIDE
         + fs_grid_place (shape, tile_x * FS_SIDE, y) / FS_SIDE;
}

#endif
