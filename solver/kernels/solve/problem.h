/* SPDX-License-Identifier: MIT */
/* The problem on a device: capacities and t-links.   Layer: solver/kernels.
 *
 * Row-major planes as in solver/grid.h, with the phases that compute the state from them, change
 * them, and sum energy and bound. Every phase takes one pixel, one change or one tile's row.
 */
#ifndef FS_SOLVER_KERNELS_SOLVE_PROBLEM_H
#define FS_SOLVER_KERNELS_SOLVE_PROBLEM_H

#include "solver/kernels/engine.h"
#include "solver/kernels/solve/discharge.h"

#define FS_NO_STAR 255

typedef struct {
  uint16_t *nlink[4];
  uint16_t *back[4]; /* the same planes where n-links are undirected                      */
  int32_t *tlink;
  uint8_t *star;          /* NULL: none                                                        */
  uint8_t *previous_star; /* the star of the residuals; differs while a star changes      */
  int64_t *energy; /* [n_tiles]: of the mask: its pixels, and the arcs that leave them      */
  int64_t *bound;  /* [n_tiles]: Σ max(t, 0) − Σ max(e, 0)                               */
} FsProblem;

FS_PHASE int
fs_direction_step_x (int direction)
{
  return fs_arc_dx (8, direction);
}

FS_PHASE int
fs_direction_step_y (int direction)
{
  return fs_arc_dy (8, direction);
}

FS_PHASE size_t
fs_pixel_neighbour (const FsGridState *grid, size_t pixel, int direction)
{
  return (size_t)((ptrdiff_t)pixel + fs_direction_step_x (direction)
                  + (ptrdiff_t)fs_direction_step_y (direction) * grid->width);
}

/* The capacity of an arc inside the photo by the planes alone, without the star; direction 0 … 7.
 */
FS_PHASE uint16_t
fs_plane_capacity (const FsGridState *grid, const FsProblem *problem, size_t pixel, int direction)
{
  if (direction < 4)
    return problem->nlink[direction][pixel];
  return problem->back[direction - 4][fs_pixel_neighbour (grid, pixel, direction)];
}

/* The capacity with a star, as fs_grid_capacity(); `star` may be NULL. */
FS_PHASE uint16_t
fs_star_capacity (const FsGridState *grid, const FsProblem *problem, const uint8_t *star,
                  size_t pixel, int direction)
{
  int opposite = direction ^ 4;
  if (star == NULL || star[pixel] != direction)
    return fs_plane_capacity (grid, problem, pixel, direction);
  size_t there = fs_pixel_neighbour (grid, pixel, direction);
  return star[there] == opposite
             ? fs_plane_capacity (grid, problem, pixel, direction)
             : (uint16_t)(65535 - fs_plane_capacity (grid, problem, there, opposite));
}

/* Capacity of the arc from (x, y), 0 where it would leave the photo. */
FS_PHASE uint16_t
fs_arc_capacity (const FsGridState *grid, const FsProblem *problem, int x, int y, int direction)
{
  int to_x = x + fs_direction_step_x (direction), to_y = y + fs_direction_step_y (direction);
  if (to_x < 0 || to_y < 0 || to_x >= grid->width || to_y >= grid->height)
    return 0;
  return fs_star_capacity (grid, problem, problem->star, (size_t)y * grid->width + x, direction);
}

/* Computes the state of pixel `at` of a tile, without its bits and labels. Returns the bits: one
 * for each open arc, then FS_START_DEFICIT, FS_START_EXCESS. */
#define FS_START_DEFICIT 256u
#define FS_START_EXCESS  512u

FS_PHASE uint32_t
fs_problem_start (const FsGridState *grid, const FsProblem *problem, int tile, int at)
{
  int x = tile % grid->tiles_x * FS_SIDE + at % FS_SIDE;
  int y = tile / grid->tiles_x * FS_SIDE + at / FS_SIDE;
  int inside = x < grid->width && y < grid->height;
  size_t place = (size_t)tile * FS_TILE_PIXELS + at;
  int32_t tlink = inside ? problem->tlink[(size_t)y * grid->width + x] : 0;
  uint32_t bits = tlink < 0 ? FS_START_DEFICIT : tlink > 0 ? FS_START_EXCESS : 0;
  grid->excess[place] = tlink;
  for (int arc = 0; arc < grid->n_arcs; arc++) {
    int direction = fs_arc_direction (grid->n_arcs, arc);
    uint16_t capacity = inside ? fs_arc_capacity (grid, problem, x, y, direction) : 0;
    grid->residual[fs_grid_residual_place (grid, place, arc)] = capacity;
    bits |= capacity > 0 ? 1u << arc : 0;
  }
  return bits;
}

/* Changes a t-link; other threads may change the same pixel to the same value. */
FS_PHASE void
fs_problem_change_tlink (const FsGridState *grid, const FsProblem *problem, uint32_t pixel,
                         int32_t tlink)
{
  int32_t old = fs_exchange (&problem->tlink[pixel], tlink);
  if (old == tlink)
    return;
  int x = (int)(pixel % (uint32_t)grid->width), y = (int)(pixel / (uint32_t)grid->width);
  size_t place = fs_grid_place (grid, x, y);
  int tile = (int)(place / FS_TILE_PIXELS);
  fs_add (&grid->excess[place], tlink - old);
  fs_refresh_excess_bits (grid, tile, (int)(place % FS_TILE_PIXELS));
  fs_set_bits (&grid->flags[tile], FS_TILE_STALE | FS_TILE_SUMS);
}

/* Changes the capacities of a pair of arcs: flow that no longer fits becomes excess at one end and
 * a deficit at the other. A pair is changed once; a pixel may be in several pairs, so its bits are
 * updated afterwards (fs_refresh_pair_bits). */
FS_PHASE void
fs_problem_change_pair (const FsGridState *grid, const FsEnginePair *change)
{
  int x = (int)(change->pixel % (uint32_t)grid->width);
  int y = (int)(change->pixel / (uint32_t)grid->width);
  int arc = change->direction;
  size_t here = fs_grid_place (grid, x, y);
  size_t there = fs_grid_place (grid, x + fs_direction_step_x (change->direction),
                                y + fs_direction_step_y (change->direction));
  uint16_t *forth = &grid->residual[fs_grid_residual_place (grid, here, arc)];
  uint16_t *back =
      &grid->residual[fs_grid_residual_place (grid, there, fs_arc_opposite (grid->n_arcs, arc))];
  int32_t flow = (int32_t)change->old_forth - *forth;
  int32_t new_flow = fs_max_i32 (fs_min_i32 (flow, change->new_forth), -(int32_t)change->new_back);
  *forth = (uint16_t)(change->new_forth - new_flow);
  *back = (uint16_t)(change->new_back + new_flow);
  if (new_flow != flow) {
    fs_add (&grid->excess[here], flow - new_flow);
    fs_add (&grid->excess[there], new_flow - flow);
  }
}

/* Stores the pair's new capacities in the planes. */
FS_PHASE void
fs_problem_change_nlinks (const FsProblem *problem, const FsEnginePair *change)
{
  problem->nlink[change->direction][change->pixel] = change->new_forth;
  problem->back[change->direction][change->pixel] = change->new_back;
}

FS_PHASE void
fs_refresh_arc_bits (const FsGridState *grid, size_t place, int arc)
{
  int tile = (int)(place / FS_TILE_PIXELS), at = (int)(place % FS_TILE_PIXELS);
  uint32_t bit = 1u << at % FS_SIDE;
  uint32_t *word = fs_open_word (grid, grid->n_arcs, tile, arc, at / FS_SIDE);
  if (grid->residual[fs_grid_residual_place (grid, place, arc)] > 0)
    fs_set_bits (word, bit);
  else
    fs_clear_bits (word, bit);
  fs_refresh_excess_bits (grid, tile, at);
  fs_set_bits (&grid->flags[tile], FS_TILE_STALE | FS_TILE_SUMS);
}

FS_PHASE void
fs_refresh_pair_bits (const FsGridState *grid, const FsEnginePair *change)
{
  int x = (int)(change->pixel % (uint32_t)grid->width);
  int y = (int)(change->pixel / (uint32_t)grid->width);
  int arc = change->direction;
  fs_refresh_arc_bits (grid, fs_grid_place (grid, x, y), arc);
  fs_refresh_arc_bits (grid,
                       fs_grid_place (grid, x + fs_direction_step_x (arc),
                                      y + fs_direction_step_y (arc)),
                       fs_arc_opposite (grid->n_arcs, arc));
}

/* --- A star that changes ---
 *
 * First `star` is set for all changed pixels, then residuals are updated, then the bits. A pixel
 * updates two pairs, with its previous parent and with its new one; a pair of two changed pixels is
 * updated by the first. */

FS_PHASE int
fs_star_is_about (const FsProblem *problem, size_t pixel, int direction)
{
  int before = problem->previous_star[pixel], now = problem->star[pixel];
  return before != now && (before == direction || now == direction);
}

FS_PHASE FsEnginePair
fs_star_pair (const FsGridState *grid, const FsProblem *problem, size_t pixel, int direction)
{
  size_t there = fs_pixel_neighbour (grid, pixel, direction);
  size_t from = direction < 4 ? pixel : there, to = direction < 4 ? there : pixel;
  int forth = direction & 3;
  FsEnginePair pair;
  pair.pixel = (uint32_t)from;
  pair.direction = (uint16_t)forth;
  pair.old_forth = fs_star_capacity (grid, problem, problem->previous_star, from, forth);
  pair.new_forth = fs_star_capacity (grid, problem, problem->star, from, forth);
  pair.new_back = fs_star_capacity (grid, problem, problem->star, to, forth | 4);
  return pair;
}

FS_PHASE void
fs_star_follow_arc (const FsGridState *grid, const FsProblem *problem, size_t pixel, int direction)
{
  if (direction == FS_NO_STAR)
    return;
  size_t there = fs_pixel_neighbour (grid, pixel, direction);
  if (there < pixel && fs_star_is_about (problem, there, direction ^ 4))
    return;
  FsEnginePair pair = fs_star_pair (grid, problem, pixel, direction);
  fs_problem_change_pair (grid, &pair);
}

FS_PHASE void
fs_problem_follow_star (const FsGridState *grid, const FsProblem *problem, uint32_t pixel)
{
  int before = problem->previous_star[pixel], now = problem->star[pixel];
  if (before == now)
    return;
  fs_star_follow_arc (grid, problem, pixel, before);
  fs_star_follow_arc (grid, problem, pixel, now);
}

FS_PHASE void
fs_refresh_star_arc_bits (const FsGridState *grid, size_t pixel, int direction)
{
  if (direction == FS_NO_STAR)
    return;
  FsEnginePair pair;
  pair.pixel = (uint32_t)(direction < 4 ? pixel : fs_pixel_neighbour (grid, pixel, direction));
  pair.direction = (uint16_t)(direction & 3);
  fs_refresh_pair_bits (grid, &pair);
}

FS_PHASE void
fs_refresh_star_bits (const FsGridState *grid, const FsProblem *problem, uint32_t pixel)
{
  int before = problem->previous_star[pixel], now = problem->star[pixel];
  if (before == now)
    return;
  fs_refresh_star_arc_bits (grid, pixel, before);
  fs_refresh_star_arc_bits (grid, pixel, now);
  problem->previous_star[pixel] = (uint8_t)now;
}

/* --- The mask and the sums --- */

/* The mask's bit of a pixel that lies in the photo. */
FS_PHASE int
fs_problem_is_object (const FsGridState *grid, int x, int y)
{
  size_t place = fs_grid_place (grid, x, y);
  return (int)(grid->object[place / FS_SIDE] >> place % FS_SIDE & 1u);
}

/* A pixel's contribution to the energy of the mask: its t-link, and the arcs that leave it. */
FS_PHASE int64_t
fs_problem_cost (const FsGridState *grid, const FsProblem *problem, int x, int y)
{
  int32_t tlink = problem->tlink[(size_t)y * grid->width + x];
  if (!fs_problem_is_object (grid, x, y))
    return fs_max_i32 (tlink, 0);
  int64_t cost = fs_max_i32 (-tlink, 0);
  for (int arc = 0; arc < grid->n_arcs; arc++) {
    int direction = fs_arc_direction (grid->n_arcs, arc);
    int to_x = x + fs_direction_step_x (direction), to_y = y + fs_direction_step_y (direction);
    if (to_x >= 0 && to_y >= 0 && to_x < grid->width && to_y < grid->height
        && !fs_problem_is_object (grid, to_x, to_y))
      cost += fs_arc_capacity (grid, problem, x, y, direction);
  }
  return cost;
}

/* Adds pixel `at` of a tile to the energy of the mask and to the bound. */
FS_PHASE void
fs_problem_sum (const FsGridState *grid, const FsProblem *problem, int tile, int at,
                int64_t *energy, int64_t *bound)
{
  int x = tile % grid->tiles_x * FS_SIDE + at % FS_SIDE;
  int y = tile / grid->tiles_x * FS_SIDE + at / FS_SIDE;
  if (x >= grid->width || y >= grid->height)
    return;
  int32_t tlink = problem->tlink[(size_t)y * grid->width + x];
  int32_t excess = grid->excess[(size_t)tile * FS_TILE_PIXELS + at];
  *bound += fs_max_i32 (tlink, 0) - fs_max_i32 (excess, 0);
  *energy += fs_problem_cost (grid, problem, x, y);
}

#endif
