/* SPDX-License-Identifier: MIT */
/* The band of a preview's level on a device.   Layer: solver/kernels.
 *
 * The same pixels as those of solver/multilevel/band.h: a coarse mask's border and the blocks that
 * contradict their seeds, projected and dilated, and the blocks that contradict their sure pixels.
 * Masks, marks and the band have a bit a pixel, a word a row of a tile, tiles row by row, as
 * FsGridState.object.
 *
 * The band is cut by the usual solve, on a list of the tiles that contain some of it: an
 * FsGridState with planes for these alone and a table of their neighbours (`neighbour`). A pixel of
 * a tile that is not in the band has no t-link and no arcs. The cost of a fixed neighbour is added
 * to the t-link: one of label 1 adds c(q,p), one of label 0 subtracts c(p,q).
 */
#ifndef FS_SOLVER_KERNELS_PREVIEW_BAND_H
#define FS_SOLVER_KERNELS_PREVIEW_BAND_H

#include "solver/kernels/preview/pyramid.h"

FS_PHASE int
fs_word_bit (const FsGridState *shape, const uint32_t *words, int x, int y)
{
  size_t place = fs_grid_place (shape, x, y);
  return (int)(words[place / FS_SIDE] >> place % FS_SIDE & 1u);
}

/* --- The band's pixels --- */

/* Returns whether a block has seeds that its label contradicts. */
FS_PHASE int
fs_band_contradicts (const FsPreviewLevel *coarse, int x, int y)
{
  int bits = coarse->blocks[(size_t)y * coarse->shape.width + x];
  return (fs_word_bit (&coarse->shape, coarse->shape.object, x, y) ? bits >> 1 : bits) & 1;
}

/* Returns whether a coarse pixel is one of those that are projected and dilated. */
FS_PHASE int
fs_band_marks (const FsPreviewLevel *coarse, int x, int y)
{
  const FsGridState *shape = &coarse->shape;
  if (!fs_is_inside (shape, x, y))
    return 0;
  int label = fs_word_bit (shape, shape->object, x, y);
  for (int d = 0; d < 8; d++) {
    int to_x = x + fs_direction_step_x (d), to_y = y + fs_direction_step_y (d);
    if (fs_is_inside (shape, to_x, to_y) && fs_word_bit (shape, shape->object, to_x, to_y) != label)
      return 1;
  }
  return fs_band_contradicts (coarse, x, y);
}

/* The first and the last coarse coordinate whose dilated block reaches a fine one. */
FS_PHASE int
fs_band_first (int at, int dilation)
{
  return at > dilation ? (at - dilation) / 2 : 0;
}

FS_PHASE int
fs_band_last (int at, int dilation, int coarse_size)
{
  int last = (int)(((int64_t)at + dilation) / 2);
  return last < coarse_size ? last : coarse_size - 1;
}

/* Returns whether one of 32 coarse columns from `at` on, a bit each, lies in [first, last]. */
FS_PHASE int
fs_band_reaches (uint32_t marks, int at, int first, int last)
{
  int from = fs_max_i32 (first - at, 0), to = fs_min_i32 (last - at, FS_SIDE - 1);
  return from <= to && (marks >> from << from << (FS_SIDE - 1 - to)) != 0;
}

/* The pixels of row y of a tile that lie in the photo. */
FS_PHASE uint32_t
fs_tile_row_inside (const FsGridState *shape, int tile, int y)
{
  int n = shape->width - tile % shape->tiles_x * FS_SIDE;
  if (tile / shape->tiles_x * FS_SIDE + y >= shape->height)
    return 0;
  return n < FS_SIDE ? (1u << n) - 1 : ~0u;
}

/* Each of the lowest 16 bits twice. */
FS_PHASE uint32_t
fs_word_doubled (uint32_t bits)
{
  bits &= 0xffff;
  bits = (bits | bits << 8) & 0x00ff00ff;
  bits = (bits | bits << 4) & 0x0f0f0f0f;
  bits = (bits | bits << 2) & 0x33333333;
  bits = (bits | bits << 1) & 0x55555555;
  return bits | bits << 1;
}

/* The labels of the 16 blocks that row y of a fine tile consists of; the row lies in the photo. */
FS_PHASE uint32_t
fs_band_labels (const FsGridState *fine, const FsGridState *coarse, int tile, int y)
{
  size_t place = fs_grid_place (coarse, tile % fine->tiles_x * (FS_SIDE / 2),
                                (tile / fine->tiles_x * FS_SIDE + y) / 2);
  return coarse->object[place / FS_SIDE] >> place % FS_SIDE & 0xffff;
}

/* Those of these blocks that contradict their sure pixels. */
FS_PHASE uint32_t
fs_band_contradicting (const FsGridState *fine, const FsPreviewLevel *coarse, int tile, int y)
{
  uint32_t labels = fs_band_labels (fine, &coarse->shape, tile, y);
  int x = tile % fine->tiles_x * (FS_SIDE / 2), row = (tile / fine->tiles_x * FS_SIDE + y) / 2;
  uint32_t object = *fs_pyramid_word (coarse, 2, x / FS_SIDE, row) >> x % FS_SIDE;
  uint32_t background = *fs_pyramid_word (coarse, 3, x / FS_SIDE, row) >> x % FS_SIDE;
  return ((labels & background) | (~labels & object)) & 0xffff;
}

/* The labels of 32 pixels of a row; 0 beyond the photo. */
FS_PHASE uint32_t
fs_row_labels (const FsGridState *shape, int tile_x, int y)
{
  if (tile_x < 0 || tile_x >= shape->tiles_x || y < 0 || y >= shape->height)
    return 0;
  return shape->object[fs_grid_place (shape, tile_x * FS_SIDE, y) / FS_SIDE];
}

/* Those of 32 pixels of a row that lie in the photo. */
FS_PHASE uint32_t
fs_row_inside (const FsGridState *shape, int tile_x, int y)
{
  int n = shape->width - tile_x * FS_SIDE;
  if (tile_x < 0 || n <= 0 || y < 0 || y >= shape->height)
    return 0;
  return n < FS_SIDE ? (1u << n) - 1 : ~0u;
}

/* A word's bits shifted by dx, −1, 0 or 1, with bits of the adjacent words shifted in. */
FS_PHASE uint32_t
fs_word_neighbour (uint32_t left, uint32_t word, uint32_t right, int dx)
{
  return dx < 0   ? word << 1 | left >> (FS_SIDE - 1)
         : dx > 0 ? word >> 1 | right << (FS_SIDE - 1)
                  : word;
}

/* fs_band_marks() of 32 pixels of a row. */
FS_PHASE uint32_t
fs_band_mark_word (const FsPreviewLevel *coarse, int tile_x, int y)
{
  const FsGridState *shape = &coarse->shape;
  uint32_t inside[3], labels[3][3], marks = 0;
  FS_UNROLL
  for (int i = 0; i < 9; i++)
    labels[i / 3][i % 3] = fs_row_labels (shape, tile_x + i % 3 - 1, y + i / 3 - 1);
  uint32_t here = labels[1][1];
  uint32_t object = *fs_pyramid_word (coarse, 0, tile_x, y);
  uint32_t background = *fs_pyramid_word (coarse, 1, tile_x, y);
  FS_UNROLL
  for (int row = 0; row < 3; row++) {
    const uint32_t *at = labels[row];
    FS_UNROLL
    for (int i = 0; i < 3; i++)
      inside[i] = fs_row_inside (shape, tile_x + i - 1, y + row - 1);
    FS_UNROLL
    for (int dx = -1; dx <= 1; dx++)
      marks |= (fs_word_neighbour (at[0], at[1], at[2], dx) ^ here)
               & fs_word_neighbour (inside[0], inside[1], inside[2], dx);
  }
  marks |= (here & background) | (~here & object);
  return marks & fs_row_inside (shape, tile_x, y);
}

/* Those of 32 fine columns from `left` on that the dilated blocks of 32 coarse ones from `at` on
 * cover. */
FS_PHASE uint32_t
fs_band_dilate (uint32_t marks, int at, int left, int dilation)
{
  uint64_t blocks = fs_word_doubled (marks) | (uint64_t)fs_word_doubled (marks >> 16) << FS_SIDE;
  uint32_t reached = 0;
  for (int step = -dilation; step <= dilation; step++) {
    int first = left - 2 * at - step;
    if (first >= 0 && first < 2 * FS_SIDE)
      reached |= (uint32_t)(blocks >> first);
    else if (first < 0 && first > -FS_SIDE)
      reached |= (uint32_t)(blocks << -first);
  }
  return reached;
}

/* The columns of a fine tile that the dilated marks of a coarse row cover. */
FS_PHASE uint32_t
fs_band_wide_word (const FsPreviewLevel *coarse, int dilation, int tile_x, int row)
{
  int left = tile_x * FS_SIDE, first = fs_band_first (left, dilation) / FS_SIDE;
  int last = fs_band_last (left + FS_SIDE - 1, dilation, coarse->shape.width) / FS_SIDE;
  uint32_t wide = 0;
  for (int at = first; at <= last; at++)
    wide |= fs_band_dilate (fs_band_mark_word (coarse, at, row), at * FS_SIDE, left, dilation);
  return wide;
}

/* The band's pixels in row y of a fine tile. `wide`: its columns that dilated marks of nearby
 * coarse rows cover. */
FS_PHASE uint32_t
fs_band_row (const FsGridState *fine, const FsPreviewLevel *coarse, uint32_t wide, int tile, int y)
{
  uint32_t inside = fs_tile_row_inside (fine, tile, y);
  if (inside == 0)
    return 0;
  return (wide | fs_word_doubled (fs_band_contradicting (fine, coarse, tile, y))) & inside;
}

/* --- The mask from the next coarser one --- */

/* The labels of row y of a fine tile: its blocks'. */
FS_PHASE uint32_t
fs_band_expand_row (const FsGridState *fine, const FsGridState *coarse, int tile, int y)
{
  uint32_t inside = fs_tile_row_inside (fine, tile, y);
  return inside != 0 ? fs_word_doubled (fs_band_labels (fine, coarse, tile, y)) & inside : 0;
}

/* A fine pixel's label: its block's. With `restores`, at the finest level only, a sure pixel has
 * its own. */
FS_PHASE int
fs_band_expand (const FsPreviewLevel *fine, const FsPreviewLevel *coarse, int restores, int x,
                int y)
{
  if (!fs_is_inside (&fine->shape, x, y))
    return 0;
  int label = fs_word_bit (&coarse->shape, coarse->shape.object, x / 2, y / 2);
  if (!restores || coarse->blocks[(size_t)(y / 2) * coarse->shape.width + x / 2] == 0)
    return label;
  int32_t t = fine->problem.tlink[(size_t)y * fine->shape.width + x];
  if (!label && t > 0 && t > fs_pyramid_links_out (fine, x, y))
    return 1;
  return label && !(t < 0 && -t > fs_pyramid_links_in (fine, x, y));
}

/* --- The state of its tiles --- */

/* The initial flow of a level's cut. */
typedef enum {
  FS_FLOW_NONE,
  FS_FLOW_OWN,     /* that of the level's last cut or, at the finest level, of the whole cut */
  FS_FLOW_COARSER, /* from the next coarser level's cut */
} FsBandFlowKind;

/* The flow of the last preview's finest band, in the tiles that it had: the residuals of forward
 * arcs, FS_NOT_SAVED for those outside the band. */
#define FS_NOT_SAVED FS_PAIR_MAX /* one that is as large is as good as not saved */

typedef struct {
  const int32_t *slots;     /* of each tile of the level: its place there, or −1; NULL: none */
  const uint16_t *residual; /* [places][n_arcs / 2][FS_TILE_PIXELS] */
} FsBandPrevious;

typedef struct {
  FsBandFlowKind kind;
  FsGridState cut;         /* the whole one's */
  FsPreviewLevel coarse;   /* COARSER: the next one */
  FsBandPrevious previous; /* comes before all of that */
} FsBandFlow;

/* The level's own flow over an arc in a direction 0 … 3 of this capacity. */
FS_PHASE int32_t
fs_band_own_flow (const FsPreviewLevel *level, const FsGridState *cut, int x, int y, int direction,
                  int32_t capacity)
{
  if (level->saved[0] != NULL)
    return capacity - level->saved[direction][(size_t)y * level->shape.width + x];
  size_t place = fs_grid_place (cut, x, y);
  return capacity - cut->residual[fs_grid_residual_place (cut, place, direction)];
}

/* The flow over an arc to the right (direction 0) or down (1) between two blocks of the coarser
 * level: the same fraction of its capacity as of the coarse arc. 0 beyond the photo. */
FS_PHASE int32_t
fs_band_border_flow (const FsPreviewLevel *level, const FsPreviewLevel *coarse, int x, int y,
                     int direction)
{
  if (x < 0 || y < 0 || x >= level->shape.width || y >= level->shape.height)
    return 0;
  uint32_t capacity = fs_arc_capacity (&level->shape, &level->problem, x, y, direction);
  int32_t all = fs_arc_capacity (&coarse->shape, &coarse->problem, x / 2, y / 2, direction);
  if (all == 0)
    return 0;
  int32_t flow = fs_band_own_flow (coarse, NULL, x / 2, y / 2, direction, all);
  /* 16 bits each. */
  int32_t amount = (int32_t)(capacity * (uint32_t)fs_min_i32 (flow < 0 ? -flow : flow, FS_PAIR_MAX)
                             / (uint32_t)all);
  return flow < 0 ? -amount : amount;
}

/* Within a block: the mean of the flow into and out of it there. */
FS_PHASE int32_t
fs_band_coarser_flow (const FsPreviewLevel *level, const FsPreviewLevel *coarse, int x, int y,
                      int direction)
{
  int dx = direction == 0, dy = direction == 1;
  if (direction > 1)
    return 0;
  if (dx ? x & 1 : y & 1)
    return fs_band_border_flow (level, coarse, x, y, direction);
  return (fs_band_border_flow (level, coarse, x - dx, y - dy, direction)
          + fs_band_border_flow (level, coarse, x + dx, y + dy, direction))
         / 2;
}

/* Where the residual of an arc that leads forwards is saved for the next preview. */
FS_PHASE size_t
fs_band_previous_place (int n_arcs, int slot, int direction, int at)
{
  return ((size_t)slot * (size_t)(n_arcs / 2) + (size_t)direction) * FS_TILE_PIXELS + (size_t)at;
}

FS_PHASE int32_t
fs_band_previous_residual (const FsGridState *shape, const FsBandPrevious *previous, int x, int y,
                           int direction)
{
  size_t place = fs_grid_place (shape, x, y);
  int32_t slot = previous->slots != NULL ? previous->slots[place / FS_TILE_PIXELS] : -1;
  if (slot < 0)
    return FS_NOT_SAVED;
  return previous->residual[fs_band_previous_place (shape->n_arcs, slot, direction,
                                                    (int)(place % FS_TILE_PIXELS))];
}

/* The initial flow of an arc, clamped to its capacities. Both ends compute the same. */
FS_PHASE int32_t
fs_band_flow (const FsPreviewLevel *level, const FsBandFlow *before, int x, int y, int direction,
              int32_t forth, int32_t back)
{
  int is_back = direction >= 4, d = direction & 3;
  int32_t flow = 0, max = is_back ? back : forth, min = is_back ? -forth : -back;
  if (is_back) {
    x += fs_direction_step_x (direction);
    y += fs_direction_step_y (direction);
  }
  int32_t residual = fs_band_previous_residual (&level->shape, &before->previous, x, y, d);
  if (residual != FS_NOT_SAVED)
    flow = max - residual;
  else if (before->kind == FS_FLOW_OWN)
    flow = fs_band_own_flow (level, &before->cut, x, y, d, max);
  else if (before->kind == FS_FLOW_COARSER)
    flow = fs_band_coarser_flow (level, &before->coarse, x, y, d);
  flow = fs_max_i32 (fs_min_i32 (flow, max), min);
  return is_back ? -flow : flow;
}

/* The arcs of a pixel of the band, both ways, all of which are read at once; `neighbour`: 1 where
 * the other end is in the band, −1 where it is beyond the photo. */
typedef struct {
  int32_t forth[FS_MAX_ARCS], back[FS_MAX_ARCS];
  int neighbour[FS_MAX_ARCS];
} FsBandArcs;

FS_PHASE FsBandArcs
fs_band_arcs (int n_arcs, const FsPreviewLevel *level, const uint32_t *band, int x, int y)
{
  const FsGridState *shape = &level->shape;
  FsBandArcs arcs;
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++) {
    int d = fs_arc_direction (n_arcs, arc);
    int to_x = x + fs_direction_step_x (d), to_y = y + fs_direction_step_y (d);
    int is_there = fs_is_inside (shape, to_x, to_y);
    arcs.forth[arc] = fs_arc_capacity (shape, &level->problem, x, y, d);
    arcs.back[arc] = is_there ? fs_arc_capacity (shape, &level->problem, to_x, to_y, d ^ 4) : 0;
    arcs.neighbour[arc] = is_there ? fs_word_bit (shape, band, to_x, to_y) : -1;
  }
  return arcs;
}

/* Computes pixel `at` of a tile of the level as the band's tile `slot`; returns bits as
 * fs_problem_start(). Any flow is a valid start; that of an earlier cut is nearly maximum. */
FS_PHASE uint32_t
fs_band_start (int n_arcs, const FsGridState *state, const FsPreviewLevel *level,
               const FsBandFlow *before, const uint32_t *band, int slot, int tile, int at)
{
  const FsGridState *shape = &level->shape;
  int x = tile % shape->tiles_x * FS_SIDE + at % FS_SIDE;
  int y = tile / shape->tiles_x * FS_SIDE + at / FS_SIDE;
  int in_band = fs_is_inside (shape, x, y) && fs_word_bit (shape, band, x, y);
  size_t place = (size_t)slot * FS_TILE_PIXELS + at;
  int32_t excess = in_band ? level->problem.tlink[(size_t)y * shape->width + x] : 0;
  uint32_t bits = 0;
  FsBandArcs arcs;
  if (in_band)
    arcs = fs_band_arcs (n_arcs, level, band, x, y);
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++) {
    int d = fs_arc_direction (n_arcs, arc);
    int32_t residual = 0;
    if (in_band && arcs.neighbour[arc] > 0) {
      int32_t amount = fs_band_flow (level, before, x, y, d, arcs.forth[arc], arcs.back[arc]);
      residual = arcs.forth[arc] - amount;
      excess -= amount;
    } else if (in_band && arcs.neighbour[arc] == 0) {
      int to_x = x + fs_direction_step_x (d), to_y = y + fs_direction_step_y (d);
      excess += fs_word_bit (shape, shape->object, to_x, to_y) ? arcs.back[arc] : -arcs.forth[arc];
    }
    state->residual[(((size_t)slot * n_arcs + arc) * FS_TILE_PIXELS) + at] = (uint16_t)residual;
    bits |= residual > 0 ? 1u << arc : 0;
  }
  state->excess[place] = excess;
  return bits | (excess < 0 ? FS_START_DEFICIT : excess > 0 ? FS_START_EXCESS : 0);
}

/* Sets entry i, 0 … 8, of the table of a band tile's neighbours. */
FS_PHASE void
fs_band_start_neighbour (const FsGridState *state, const FsGridState *shape, const int32_t *slots,
                         int slot, int tile, int i)
{
  int x = tile % shape->tiles_x + i % 3 - 1, y = tile / shape->tiles_x + i / 3 - 1;
  int is_there = x >= 0 && y >= 0 && x < shape->tiles_x && y < shape->tiles_y;
  state->neighbour[(size_t)slot * 9 + i] = is_there ? slots[y * shape->tiles_x + x] : -1;
}

/* Saves the residuals of the forward arcs of pixel `at` of a tile for the next cut: at the finest
 * level as FsBandPrevious.residual. */
FS_PHASE void
fs_band_save_flow (const FsGridState *state, const FsPreviewLevel *level, const uint32_t *band,
                   uint16_t *previous, int slot, int tile, int at)
{
  const FsGridState *shape = &level->shape;
  int x = tile % shape->tiles_x * FS_SIDE + at % FS_SIDE;
  int y = tile / shape->tiles_x * FS_SIDE + at / FS_SIDE;
  size_t place = (size_t)slot * FS_TILE_PIXELS + at;
  int is_in_band = fs_is_inside (shape, x, y) && fs_word_bit (shape, band, x, y);
  for (int d = 0; d < shape->n_arcs / 2; d++) {
    int to_x = x + fs_direction_step_x (d), to_y = y + fs_direction_step_y (d);
    int is_saved =
        is_in_band && fs_is_inside (shape, to_x, to_y) && fs_word_bit (shape, band, to_x, to_y);
    uint16_t residual =
        is_saved ? state->residual[fs_grid_residual_place (state, place, d)] : FS_NOT_SAVED;
    if (level->saved[0] == NULL)
      previous[fs_band_previous_place (shape->n_arcs, slot, d, at)] = residual;
    else if (is_saved)
      level->saved[d][(size_t)y * shape->width + x] = residual;
  }
}

/* Takes a row of the band's new mask over. */
FS_PHASE void
fs_band_take_row (const FsGridState *state, const FsGridState *shape, const uint32_t *band,
                  int slot, int tile, int y)
{
  size_t row = (size_t)tile * FS_SIDE + y;
  uint32_t object = ~state->found[(size_t)slot * FS_SIDE + y];
  shape->object[row] = (shape->object[row] & ~band[row]) | (object & band[row]);
}

#endif
