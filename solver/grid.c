/* SPDX-License-Identifier: MIT */
#include "solver/grid.h"
#include "solver/system/checked_memory.h"
#include "solver/range_checks.h"
#include "solver/solver.h"

#include <stdlib.h>
#include <string.h>

static gboolean
validate_shape (const FsGrid *grid, GError **error)
{
  if (grid->width < 1 || grid->height < 1 || grid->tlink == NULL
      || (grid->neighbours != FS_NEIGHBOURS_4 && grid->neighbours != FS_NEIGHBOURS_8)) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                 "a grid of %d × %d pixels with %d neighbours is not a problem", grid->width,
                 grid->height, (int)grid->neighbours);
    return FALSE;
  }
  int n_back = 0;
  int n = fs_grid_n_directions (grid);
  for (int d = 0; d < n; d++) {
    n_back += grid->nlink_back[d] != NULL;
    if (grid->nlink[d] != NULL)
      continue;
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID, "n-link plane %d is missing", d);
    return FALSE;
  }
  if (n_back != 0 && n_back != n) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                 "directed n-links need all %d backward planes, %d are there", n, n_back);
    return FALSE;
  }
  return TRUE;
}

static int
pair_sum (const FsGrid *grid, FsDirection d, size_t p)
{
  int forward = grid->nlink[d][p];
  return forward + (grid->nlink_back[d] != NULL ? grid->nlink_back[d][p] : forward);
}

static gboolean
validate_pixel (const FsGrid *grid, int x, int y, GError **error)
{
  size_t p = (size_t)y * grid->width + x;
  if (grid->tlink[p] > FS_TLINK_MAX || grid->tlink[p] < -FS_TLINK_MAX) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                 "the t-link of pixel (%d, %d) is %d, beyond ±%d", x, y, grid->tlink[p],
                 FS_TLINK_MAX);
    return FALSE;
  }
  for (int d = 0; d < fs_grid_n_directions (grid); d++) {
    int most = fs_grid_has_neighbour (grid, x, y, d) ? FS_NLINK_PAIR_MAX : 0;
    if (pair_sum (grid, d, p) <= most)
      continue;
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                 "the n-links of pixel (%d, %d) in direction %d sum to %d, beyond %d", x, y, d,
                 pair_sum (grid, d, p), most);
    return FALSE;
  }
  return TRUE;
}

static gboolean
fail_star (const FsGrid *grid, size_t p, const char *reason, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
               "the star link %d of pixel (%zu, %zu) %s", grid->star[p], p % (size_t)grid->width,
               p / (size_t)grid->width, reason);
  return FALSE;
}

/* Follows the parents of each pixel to where somebody has been before. Meeting the pixels of this
 * very walk is a cycle. */
static gboolean
has_no_cycle (const FsGrid *grid, uint8_t *seen, GError **error)
{
  enum { WALKED = 1, DONE = 2 };
  size_t n = fs_grid_n_pixels (grid);
  memset (seen, 0, n);
  for (size_t first = 0; first < n; first++) {
    size_t p = first;
    while (seen[p] == 0 && grid->star[p] != FS_STAR_NONE) {
      seen[p] = WALKED;
      p += (size_t)fs_grid_step (grid, grid->star[p]);
    }
    if (seen[p] == WALKED)
      return fail_star (grid, p, "is part of a cycle", error);
    seen[p] = DONE;
    for (p = first; seen[p] == WALKED; p += (size_t)fs_grid_step (grid, grid->star[p]))
      seen[p] = DONE;
  }
  return TRUE;
}

static gboolean
validate_star (const FsGrid *grid, GError **error)
{
  size_t p = 0;
  for (int y = 0; y < grid->height; y++)
    for (int x = 0; x < grid->width; x++, p++)
      if (!fs_grid_star_is_legal (grid, x, y, grid->star[p]))
        return fail_star (grid, p, "leads to no neighbour", error);
  uint8_t *seen = fs_memory_new (p, 1);
  if (seen == NULL) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory to check the star of %d × %d pixels", grid->width,
                 grid->height);
    return FALSE;
  }
  gboolean is_forest = has_no_cycle (grid, seen, error);
  fs_memory_free (seen);
  return is_forest;
}

gboolean
fs_grid_validate_capacities (const FsGrid *grid, GError **error)
{
  g_return_val_if_fail (grid != NULL, FALSE);
  if (!validate_shape (grid, error))
    return FALSE;
  for (int y = 0; y < grid->height; y++)
    for (int x = 0; x < grid->width; x++)
      if (!validate_pixel (grid, x, y, error))
        return FALSE;
  return TRUE;
}

gboolean
fs_grid_validate (const FsGrid *grid, GError **error)
{
  return fs_grid_validate_capacities (grid, error)
         && (grid->star == NULL || validate_star (grid, error));
}

gboolean
fs_grid_validate_shape (const FsGrid *grid, GError **error)
{
  g_return_val_if_fail (grid != NULL, FALSE);
  return validate_shape (grid, error);
}

static int64_t
pixel_energy (const FsGrid *grid, const uint8_t *mask, int x, int y)
{
  size_t p = (size_t)y * grid->width + x;
  int64_t t = grid->tlink[p];
  int64_t sum = mask[p] ? MAX (-t, 0) : MAX (t, 0);
  for (int d = 0; d < fs_grid_n_directions (grid); d++) {
    if (!fs_grid_has_neighbour (grid, x, y, d))
      continue;
    size_t q = p + (size_t)fs_grid_step (grid, d);
    if (mask[p] && !mask[q])
      sum += fs_grid_capacity (grid, p, d);
    if (!mask[p] && mask[q])
      sum += fs_grid_capacity (grid, q, d ^ FS_DIRECTION_OPPOSITE);
  }
  return sum;
}

int64_t
fs_grid_energy (const FsGrid *grid, const uint8_t *mask)
{
  g_return_val_if_fail (grid != NULL && mask != NULL && validate_shape (grid, NULL), 0);
  int64_t sum = 0;
  for (int y = 0; y < grid->height; y++)
    for (int x = 0; x < grid->width; x++)
      sum += pixel_energy (grid, mask, x, y);
  return sum;
}
