/* SPDX-License-Identifier: MIT */
#include "solver/solver.h"

#include "solver/backend.h"
#include "solver/range_checks.h"
#include "solver/system/thread_limit.h"

#include <string.h>

static gint n_threads_wanted;

void
fs_solver_set_threads (int n_threads)
{
  g_return_if_fail (n_threads >= 0);
  g_atomic_int_set (&n_threads_wanted, n_threads);
}

int
fs_solver_get_threads (void)
{
  int own = fs_thread_limit_get ();
  int n_threads = own > 0 ? own : g_atomic_int_get (&n_threads_wanted);
  return n_threads > 0 ? n_threads : (int)g_get_num_processors ();
}

/* --- what would lead out of the grid --- */

/* No search looks where a link leads before it goes there. */
static gboolean
fail_leaving (const char *what, int x, int y, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
               "%s of pixel (%d, %d) leads out of the grid", what, x, y);
  return FALSE;
}

static gboolean
has_leaving_nlink (const FsGrid *grid, int x, int y)
{
  size_t p = (size_t)y * (size_t)grid->width + (size_t)x;
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    if (!fs_grid_has_neighbour (grid, x, y, (FsDirection)d)
        && (grid->nlink[d][p] > 0 || (grid->nlink_back[d] != NULL && grid->nlink_back[d][p] > 0)))
      return TRUE;
  return FALSE;
}

static gboolean
nlinks_stay (const FsGrid *grid, GError **error)
{
  int last_x = grid->width - 1, last_y = grid->height - 1;
  for (int y = 0; y < last_y; y++)
    for (int x = 0; x <= last_x; x += MAX (1, last_x))
      if (has_leaving_nlink (grid, x, y))
        return fail_leaving ("an n-link", x, y, error);
  for (int x = 0; x <= last_x; x++)
    if (has_leaving_nlink (grid, x, last_y))
      return fail_leaving ("an n-link", x, last_y, error);
  return TRUE;
}

/* The n pixels that have all their neighbours; in vectors. */
static gboolean
are_inner_directions (const FsGrid *grid, const uint8_t *star, int n)
{
  const uint8_t diagonal = grid->neighbours == FS_NEIGHBOURS_4 ? 2 : 0;
  uint8_t others = 0;
  for (int i = 0; i < n; i++)
    others |= star[i] != FS_STAR_NONE && (star[i] >= FS_N_ARCS || (star[i] & diagonal) != 0);
  return others == 0;
}

static gboolean
star_stays (const FsGrid *grid, GError **error)
{
  for (int y = 0; y < grid->height; y++) {
    const uint8_t *star = grid->star + (size_t)y * (size_t)grid->width;
    gboolean is_inner = y > 0 && y < grid->height - 1 && grid->width > 2
                        && are_inner_directions (grid, star + 1, grid->width - 2);
    for (int x = 0; x < grid->width; x += is_inner ? grid->width - 1 : 1)
      if (!fs_grid_star_is_legal (grid, x, y, star[x]))
        return fail_leaving ("the star link", x, y, error);
  }
  return TRUE;
}

/* Checks only for reads and writes past the planes' ends; all else is trusted. */
static gboolean
validate_bounds (const FsGrid *grid, GError **error)
{
  return nlinks_stay (grid, error) && (grid->star == NULL || star_stays (grid, error));
}

FsSolver *
fs_solver_new (const FsBackend *backend, FsGrid *grid, GError **error)
{
  g_return_val_if_fail (backend != NULL && grid != NULL, NULL);
  gboolean reads = backend->reads_links && fs_grid_lacks_planes (grid);
  g_return_val_if_fail (!reads || (grid->width > 0 && grid->height > 0 && grid->tlink != NULL),
                        NULL);
  if (!reads && (!fs_grid_validate_shape (grid, error) || !validate_bounds (grid, error)))
    return NULL;
  if (FS_CHECKS_RANGES && !reads && !fs_grid_validate_capacities (grid, error))
    return NULL;
  FsSolver *solver = backend->create (grid, error);
  g_assert (solver == NULL || (solver->backend == backend && solver->grid == grid));
  return solver;
}

void
fs_solver_free (FsSolver *solver)
{
  if (solver != NULL)
    solver->backend->destroy (solver);
}

gboolean
fs_solver_change_tlinks (FsSolver *solver, const FsTlinkChange *changes, size_t n, GError **error)
{
  g_return_val_if_fail (solver != NULL && (changes != NULL || n == 0), FALSE);
  size_t n_pixels = fs_grid_n_pixels (solver->grid);
  for (size_t i = 0; i < n; i++)
    g_return_val_if_fail (changes[i].pixel < n_pixels && changes[i].tlink <= FS_TLINK_MAX
                              && changes[i].tlink >= -FS_TLINK_MAX,
                          FALSE);
  return solver->backend->change_tlinks (solver, changes, n, error);
}

gboolean
fs_solver_replace_tlinks (FsSolver *solver, const int32_t *tlinks, GError **error)
{
  g_return_val_if_fail (solver != NULL && tlinks != NULL, FALSE);
  g_return_val_if_fail (fs_tlinks_are_in_range (tlinks, fs_grid_n_pixels (solver->grid)), FALSE);
  return solver->backend->replace_tlinks (solver, tlinks, error);
}

/* The values that a grid already has are legal. */
static gboolean
is_legal_plane (const FsGrid *grid, const uint8_t *star)
{
  size_t width = (size_t)grid->width;
  for (int y = 0; y < grid->height; y++) {
    const uint8_t *row = star + (size_t)y * width, *old = grid->star + (size_t)y * width;
    if (memcmp (row, old, width) == 0)
      continue;
    for (int x = 0; x < grid->width; x++)
      if (row[x] != old[x] && !fs_grid_star_is_legal (grid, x, y, row[x]))
        return FALSE;
  }
  return TRUE;
}

gboolean
fs_solver_change_star (FsSolver *solver, const FsStarChange *changes, size_t n, GError **error)
{
  g_return_val_if_fail (solver != NULL && solver->grid->star != NULL, FALSE);
  g_return_val_if_fail (!fs_grid_lacks_planes (solver->grid), FALSE);
  g_return_val_if_fail (changes != NULL || n == 0, FALSE);
  const FsGrid *grid = solver->grid;
  size_t n_pixels = fs_grid_n_pixels (grid);
  for (size_t i = 0; i < n; i++) {
    uint32_t p = changes[i].pixel;
    g_return_val_if_fail (p < n_pixels, FALSE);
    int x = (int)(p % (uint32_t)grid->width);
    int y = (int)(p / (uint32_t)grid->width);
    g_return_val_if_fail (fs_grid_star_is_legal (grid, x, y, changes[i].star), FALSE);
  }
  return solver->backend->change_star (solver, changes, n, error);
}

gboolean
fs_solver_replace_star (FsSolver *solver, const uint8_t *star, GError **error)
{
  g_return_val_if_fail (solver != NULL && solver->grid->star != NULL && star != NULL, FALSE);
  g_return_val_if_fail (!fs_grid_lacks_planes (solver->grid), FALSE);
  g_return_val_if_fail (is_legal_plane (solver->grid, star), FALSE);
  return solver->backend->replace_star (solver, star, error);
}

gboolean
fs_solver_changes_nlinks (FsSolver *solver)
{
  g_return_val_if_fail (solver != NULL, FALSE);
  return solver->backend->change_nlinks != NULL;
}

gboolean
fs_solver_change_nlinks (FsSolver *solver, const FsNlinkChange *changes, size_t n, GError **error)
{
  g_return_val_if_fail (solver != NULL && fs_solver_changes_nlinks (solver), FALSE);
  g_return_val_if_fail (changes != NULL || n == 0, FALSE);
  const FsGrid *grid = solver->grid;
  g_return_val_if_fail (grid->nlink_back[0] != NULL && grid->star == NULL, FALSE);
  size_t n_pixels = fs_grid_n_pixels (grid);
  for (size_t i = 0; i < n; i++) {
    uint32_t p = changes[i].pixel;
    g_return_val_if_fail (p < n_pixels && changes[i].direction < FS_N_DIRECTIONS, FALSE);
    g_return_val_if_fail (changes[i].forth + changes[i].back <= FS_NLINK_PAIR_MAX, FALSE);
    int x = (int)(p % (uint32_t)grid->width);
    int y = (int)(p / (uint32_t)grid->width);
    g_return_val_if_fail (fs_grid_has_arc (grid, x, y, changes[i].direction), FALSE);
  }
  return solver->backend->change_nlinks (solver, changes, n, error);
}

gboolean
fs_solver_rebuild (FsSolver *solver, FsGrid *grid)
{
  g_return_val_if_fail (solver != NULL && grid != NULL, FALSE);
  const FsGrid *old = solver->grid;
  g_return_val_if_fail (grid->width == old->width && grid->height == old->height
                            && grid->neighbours == old->neighbours,
                        FALSE);
  if (solver->backend->rebuild == NULL)
    return FALSE;
  g_return_val_if_fail (!FS_CHECKS_RANGES || fs_grid_lacks_planes (grid)
                            || fs_grid_validate_capacities (grid, NULL),
                        FALSE);
  solver->backend->rebuild (solver, grid);
  return TRUE;
}

gboolean
fs_solver_solve (FsSolver *solver, const FsProgress *progress, FsSolution *solution, GError **error)
{
  g_return_val_if_fail (solver != NULL && solution != NULL, FALSE);
  static const FsProgress silent;
  return solver->backend->solve (solver, progress != NULL ? progress : &silent, solution, error);
}

void
fs_solver_read_mask (FsSolver *solver, int x, int y, int width, int height, uint8_t *mask,
                     size_t stride_bytes)
{
  g_return_if_fail (solver != NULL && mask != NULL && x >= 0 && y >= 0 && width >= 0
                    && height >= 0);
  g_return_if_fail (width <= solver->grid->width - x && height <= solver->grid->height - y);
  g_return_if_fail (stride_bytes >= (size_t)width || height <= 1);
  solver->backend->read_mask (solver, x, y, width, height, mask, stride_bytes);
}

void
fs_solver_take_changed_tiles (FsSolver *solver, uint8_t *tiles)
{
  g_return_if_fail (solver != NULL && tiles != NULL);
  solver->backend->take_changed_tiles (solver, tiles);
}

void
fs_solver_read_state (FsSolver *solver, int y, int n_rows, int32_t *excess,
                      uint16_t *residual[FS_N_DIRECTIONS])
{
  g_return_if_fail (solver != NULL && excess != NULL && residual != NULL);
  g_return_if_fail (!fs_grid_lacks_planes (solver->grid));
  g_return_if_fail (y >= 0 && n_rows >= 0 && n_rows <= solver->grid->height - y);
  solver->backend->read_state (solver, y, n_rows, excess, residual);
}

size_t
fs_solver_size_bytes (FsSolver *solver)
{
  g_return_val_if_fail (solver != NULL, 0);
  return solver->backend->size_bytes (solver);
}

const FsBackend *
fs_solver_get_backend (FsSolver *solver)
{
  g_return_val_if_fail (solver != NULL, NULL);
  const FsBackend *backend = solver->backend;
  return backend->in_use != NULL ? backend->in_use (solver) : backend;
}
