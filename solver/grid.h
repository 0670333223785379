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
 * Invariants: c(p,q) + c(q,p) ≤ 65,535; |t_p| ≤ FS_TLINK_MAX; links that would leave the grid are
 * 0. Threads: plain data; nobody may write a grid while a solver that is bound to it runs.
 */
#ifndef FS_SOLVER_GRID_H
#define FS_SOLVER_GRID_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#pragma GCC visibility push(default)

typedef enum { FS_NEIGHBOURS_4 = 4, FS_NEIGHBOURS_8 = 8 } FsNeighbours;

/* Forward directions as (dx, dy). 4 neighbours use the first two. */
typedef enum {
  FS_DIRECTION_E,  /* (+1,  0) */
  FS_DIRECTION_S,  /* ( 0, +1) */
  FS_DIRECTION_SE, /* (+1, +1) */
  FS_DIRECTION_SW, /* (−1, +1) */
  FS_N_DIRECTIONS
} FsDirection;

#define FS_NLINK_PAIR_MAX 65535                   /* c(p,q) + c(q,p)                     */
#define FS_NLINK_MAX      (FS_NLINK_PAIR_MAX / 2) /* an undirected n-link                */
#define FS_TLINK_MAX      (1 << 28)               /* |t|; sums over a photo need 64 bits */

typedef struct {
  int width;  /* ≥ 1 */
  int height; /* ≥ 1 */
  FsNeighbours neighbours;
  /* nlink[d][y·W + x]: capacity from (x, y) to its neighbour in direction d; NULL for the diagonals
   * when neighbours is 4. */
  const uint16_t *nlink[FS_N_DIRECTIONS];
  /* The opposite capacities, from the neighbour back to (x, y). All NULL: every n-link is
   * undirected (w_qp = w_pq). */
  const uint16_t *nlink_back[FS_N_DIRECTIONS];
  /* tlink[y·W + x]. Written through the solver that is bound to the grid, and by nobody else. */
  int32_t *tlink;
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

/* Whether (x, y) has a neighbour in direction d. */
static inline gboolean
fs_grid_has_neighbour (const FsGrid *grid, int x, int y, FsDirection d)
{
  int qx = x + fs_direction_dx (d);
  int qy = y + fs_direction_dy (d);
  return qx >= 0 && qx < grid->width && qy < grid->height;
}

/* Checks shape, directions and capacities (O(N)). Errors: FS_SOLVER_ERROR_INVALID. */
gboolean fs_grid_validate (const FsGrid *grid, GError **error);

/* The part of it that costs nothing: sizes, neighbours, planes that are there. Same errors. */
gboolean fs_grid_validate_shape (const FsGrid *grid, GError **error);

/* E(x) of a mask of W·H bytes, 0 or 1 (O(N), plain loops: the reference for every other sum). */
int64_t fs_grid_energy (const FsGrid *grid, const uint8_t *mask);

#pragma GCC visibility pop

G_END_DECLS

#endif
