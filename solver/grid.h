/* SPDX-License-Identifier: MIT */
/* The problem: a binary energy on the pixel grid.   Layer: solver (value header).
 *
 *   E(x) = Σ_p D_p(x_p) + Σ_{p→q} w_pq [x_p = 1, x_q = 0]
 *
 * over a W×H grid with 4 or 8 neighbours, x_p = 1 object (source side), x_p = 0 background (sink
 * side). D_p is one signed number, the t-link t_p: D_p(0) = max(t_p, 0), D_p(1) = max(−t_p, 0), so
 * that a positive t-link pulls towards object (Kolmogorov & Zabih 2004, section 4: only the
 * difference of the two terminal capacities matters).
 *
 * N-links are planes of 16-bit capacities, one per forward direction. An undirected n-link is
 * stored once and counts in both directions.
 *
 * A star (Veksler 2008; geodesic: Gulshan, Rother, Criminisi, Blake & Zisserman 2010) gives pixels
 * a parent each: an object pixel's parent shall be object. It is one more byte a pixel on top of
 * the planes: the arc from p to its parent q has all that 16 bits leave, 65,535 − c(q,p), instead
 * of its own capacity; c(q,p) stays. That is a price, not a ban: a region that wants to be object
 * by more than that for each star link on its border breaks the star, so keep t-links small beside
 * it.
 *
 * Invariants: c(p,q) + c(q,p) ≤ 65,535; |t_p| ≤ FS_TLINK_MAX; links that would leave the grid are
 * 0; a star is a forest inside the grid. Threads: plain data; nobody may write a grid while a
 * solver that is bound to it runs.
 */
#ifndef FS_SOLVER_GRID_H
#define FS_SOLVER_GRID_H

#include "solver/changes.h"

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum { FS_NEIGHBOURS_4 = 4, FS_NEIGHBOURS_8 = 8 } FsNeighbours;

/* Forward directions as (dx, dy). 4 neighbours use the first two. */
typedef enum {
  FS_DIRECTION_E,  /* (+1,  0) */
  FS_DIRECTION_S,  /* ( 0, +1) */
  FS_DIRECTION_SE, /* (+1, +1) */
  FS_DIRECTION_SW, /* (−1, +1) */
  FS_N_DIRECTIONS
} FsDirection;

/* Directions of arcs: the forward ones, then their opposites (W, N, NW, NE), 4 more. */
#define FS_N_ARCS             8
#define FS_DIRECTION_OPPOSITE 4 /* d ^ 4 is the opposite of d */
#define FS_STAR_NONE          255

#define FS_NLINK_PAIR_MAX 65535                   /* c(p,q) + c(q,p)                     */
#define FS_NLINK_MAX      (FS_NLINK_PAIR_MAX / 2) /* an undirected n-link                */
#define FS_TLINK_MAX      (1 << 28)               /* |t|; sums over a photo need 64 bits */

/* Pixels that one FsGridLinks.read is asked for, at most. */
#define FS_GRID_LINKS_MAX 128

/* Undirected n-links computed when they are read, for solvers that need few of them. `read` gives
 * those among the pixels of a rectangle, out[d][(y − y0)·width + (x − x0)], 0 for those that leave
 * it; planes of unused directions are not written. Called by several threads at once. */
typedef struct {
  void (*read) (gconstpointer data, int x0, int y0, int width, int height,
                uint16_t *const out[FS_N_DIRECTIONS]);
  gconstpointer data;
} FsGridLinks;

typedef struct {
  int width;  /* ≥ 1 */
  int height; /* ≥ 1 */
  FsNeighbours neighbours;
  /* nlink[d][y·W + x]: capacity from (x, y) to its neighbour in direction d; NULL for the diagonals
   * when neighbours is 4. */
  const uint16_t *nlink[FS_N_DIRECTIONS];
  /* The opposite capacities, from the neighbour back to (x, y). All NULL: every n-link is
   * undirected (w_qp = w_pq). Where a solver changes n-links it writes both, so they must be
   * writable then. */
  const uint16_t *nlink_back[FS_N_DIRECTIONS];
  /* tlink[y·W + x]. Written through the solver that is bound to the grid, and by nobody else. */
  int32_t *tlink;
  /* star[y·W + x]: the arc's direction (0 … 7) to the pixel's parent, FS_STAR_NONE without one.
   * NULL: no star. Once a solver is bound to the grid, written through it and by nobody else. */
  uint8_t *star;
  /* In place of planes, for a backend that reads such links (solver.h); or NULL. */
  const FsGridLinks *links;
} FsGrid;

/* The offset in pixels of a direction: dx and dy. */
static inline int
fs_direction_dx (FsDirection d)
{
  return d == FS_DIRECTION_S ? 0 : d == FS_DIRECTION_SW ? -1 : 1;
}

static inline int
fs_direction_dy (FsDirection d)
{
  return d == FS_DIRECTION_E ? 0 : 1;
}

static inline int
fs_grid_n_directions (const FsGrid *grid)
{
  return grid->neighbours == FS_NEIGHBOURS_8 ? 4 : 2;
}

static inline size_t
fs_grid_n_pixels (const FsGrid *grid)
{
  return (size_t)grid->width * (size_t)grid->height;
}

/* Returns whether the grid has `links` in place of planes. */
static inline gboolean
fs_grid_lacks_planes (const FsGrid *grid)
{
  return grid->nlink[0] == NULL && grid->links != NULL;
}

/* Returns whether (x, y) has a neighbour in direction d. */
static inline gboolean
fs_grid_has_neighbour (const FsGrid *grid, int x, int y, FsDirection d)
{
  int qx = x + fs_direction_dx (d);
  int qy = y + fs_direction_dy (d);
  return qx >= 0 && qx < grid->width && qy < grid->height;
}

/* The offset of an arc's direction, 0 … 7, in pixels. */
static inline ptrdiff_t
fs_grid_step (const FsGrid *grid, int d)
{
  FsDirection forward = (FsDirection)(d % FS_N_DIRECTIONS);
  ptrdiff_t step =
      fs_direction_dx (forward) + (ptrdiff_t)fs_direction_dy (forward) * (ptrdiff_t)grid->width;
  return d < FS_N_DIRECTIONS ? step : -step;
}

/* Returns whether an arc, of any direction 0 … 7, leads from (x, y) to a pixel of the grid. */
static inline gboolean
fs_grid_has_arc (const FsGrid *grid, int x, int y, int d)
{
  FsDirection forward = (FsDirection)(d % FS_N_DIRECTIONS);
  int sign = d < FS_N_DIRECTIONS ? 1 : -1;
  int qx = x + sign * fs_direction_dx (forward);
  int qy = y + sign * fs_direction_dy (forward);
  return (int)forward < fs_grid_n_directions (grid) && qx >= 0 && qx < grid->width && qy >= 0
         && qy < grid->height;
}

/* The capacity of an arc that stays inside the grid, by the planes alone, without the star. */
static inline uint16_t
fs_grid_plane_capacity (const FsGrid *grid, size_t pixel, int d)
{
  if (d < FS_N_DIRECTIONS)
    return grid->nlink[d][pixel];
  int forward = d ^ FS_DIRECTION_OPPOSITE;
  const uint16_t *back = grid->nlink_back[forward];
  return (back != NULL ? back : grid->nlink[forward])[(ptrdiff_t)pixel + fs_grid_step (grid, d)];
}

/* Returns whether the arc leads to the pixel's parent. Two pixels that are each other's parents,
 * which occurs only in the midst of a change, have no star link: so the pair's sum of capacities
 * holds for any plane. */
static inline gboolean
fs_grid_is_star (const FsGrid *grid, size_t pixel, int d)
{
  return grid->star != NULL && grid->star[pixel] == d
         && grid->star[(ptrdiff_t)pixel + fs_grid_step (grid, d)] != (d ^ FS_DIRECTION_OPPOSITE);
}

/* The capacity of an arc that stays inside the grid: from `pixel` in direction d, 0 … 7. The
 * reference: faster code is tested against it. */
static inline uint16_t
fs_grid_capacity (const FsGrid *grid, size_t pixel, int d)
{
  if (G_LIKELY (!fs_grid_is_star (grid, pixel, d)))
    return fs_grid_plane_capacity (grid, pixel, d);
  size_t there = (size_t)((ptrdiff_t)pixel + fs_grid_step (grid, d));
  return (uint16_t)(FS_NLINK_PAIR_MAX
                    - fs_grid_plane_capacity (grid, there, d ^ FS_DIRECTION_OPPOSITE));
}

/* Returns whether a pixel may have this parent: none, or a neighbour inside the grid. */
static inline gboolean
fs_grid_star_is_legal (const FsGrid *grid, int x, int y, uint8_t star)
{
  return star == FS_STAR_NONE || (star < FS_N_ARCS && fs_grid_has_arc (grid, x, y, star));
}

/* Checks shape, directions, capacities, and that a star is a forest (O(N)). Errors:
 * FS_SOLVER_ERROR_INVALID; MEMORY (a byte a pixel, with a star only). */
gboolean fs_grid_validate (const FsGrid *grid, GError **error);

/* The checks that take constant time: sizes, neighbours, planes that are there. Same errors. */
gboolean fs_grid_validate_shape (const FsGrid *grid, GError **error);

/* E(x) of a mask of W·H bytes, 0 or 1 (O(N), plain loops: the reference for every other sum). */
int64_t fs_grid_energy (const FsGrid *grid, const uint8_t *mask);

G_END_DECLS

#endif
