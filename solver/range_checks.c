/* SPDX-License-Identifier: MIT */
#include "solver/range_checks.h"
#include "solver/progress.h"
#include "solver/system/checked_memory.h"

#include <string.h>

static int
pair_sum (const FsGrid *grid, FsDirection d, size_t p)
{
  int forward = grid->nlink[d][p];
  return forward + (grid->nlink_back[d] != NULL ? grid->nlink_back[d][p] : forward);
}

static const char *const directions[] = { "east", "south", "south-east", "south-west" };

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
    gboolean has_neighbour = fs_grid_has_neighbour (grid, x, y, d);
    int sum = pair_sum (grid, d, p);
    if (sum <= (has_neighbour ? FS_NLINK_PAIR_MAX : 0))
      continue;
    if (has_neighbour)
      g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                   "the n-links between pixel (%d, %d) and its neighbour in the %s sum to %d, "
                   "beyond %d",
                   x, y, directions[d], sum, FS_NLINK_PAIR_MAX);
    else
      g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                   "the n-links of pixel (%d, %d) in the %s leave the grid; they must be 0", x, y,
                   directions[d]);
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
  if (!fs_grid_validate_shape (grid, error))
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
