/* SPDX-License-Identifier: MIT */
#include "solver/grid.h"
#include "solver/progress.h"

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
