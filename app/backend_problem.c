/* SPDX-License-Identifier: MIT */
#include "app/backend_problem.h"

#include <string.h>

enum { DISC_PX = 96, SIGNAL = 40, NOISE = 100, SMOOTHNESS = 60, STROKE_PX = 48, BRUSH_PX = 5 };

struct FsBackendProblem {
  FsGrid grid;
  uint16_t *nlink[FS_N_DIRECTIONS];
  int32_t *first; /* [H·W]: t-links before any stroke */
  GArray *stroke; /* of FsTlinkChange                 */
};

/* Knuth & Lewis's generator: the same on every machine. */
static uint32_t
draw (uint32_t *state)
{
  return (*state = *state * 1664525u + 1013904223u) >> 8;
}

static gboolean
is_in_disc (int x, int y)
{
  int dx = x % DISC_PX - DISC_PX / 2, dy = y % DISC_PX - DISC_PX / 2;
  return dx * dx + dy * dy < DISC_PX * DISC_PX / 9;
}

static void
fill_pixel (FsBackendProblem *problem, int x, int y, uint32_t *state)
{
  const FsGrid *grid = &problem->grid;
  size_t p = (size_t)y * (size_t)grid->width + (size_t)x;
  int noise = (int)(draw (state) % (2 * NOISE + 1)) - NOISE;
  problem->first[p] = (is_in_disc (x, y) ? SIGNAL : -SIGNAL) + noise;
  for (int d = 0; d < FS_N_DIRECTIONS; d++) {
    gboolean has = fs_grid_has_neighbour (grid, x, y, (FsDirection)d);
    problem->nlink[d][p] = has ? (uint16_t)(SMOOTHNESS / 2 + draw (state) % SMOOTHNESS) : 0;
  }
}

static gboolean
allocate (FsBackendProblem *problem, size_t n)
{
  problem->first = g_try_new (int32_t, n);
  problem->grid.tlink = g_try_new (int32_t, n);
  for (int d = 0; d < FS_N_DIRECTIONS; d++) {
    problem->grid.nlink[d] = problem->nlink[d] = g_try_new (uint16_t, n);
    if (!problem->nlink[d])
      return FALSE;
  }
  return problem->first && problem->grid.tlink;
}

FsBackendProblem *
fs_backend_problem_new (int side, GError **error)
{
  g_return_val_if_fail (side > 0, NULL);
  g_autoptr (FsBackendProblem) problem = g_new0 (FsBackendProblem, 1);
  problem->grid = (FsGrid){ .width = side, .height = side, .neighbours = FS_NEIGHBOURS_8 };
  problem->stroke = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  if (!allocate (problem, (size_t)side * (size_t)side)) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory to time a cut of %d × %d pixels", side, side);
    return NULL;
  }
  uint32_t state = 2008;
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++)
      fill_pixel (problem, x, y, &state);
  fs_backend_problem_reset (problem);
  return g_steal_pointer (&problem);
}

void
fs_backend_problem_free (FsBackendProblem *problem)
{
  if (!problem)
    return;
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    g_free (problem->nlink[d]);
  g_free (problem->grid.tlink);
  g_free (problem->first);
  g_array_unref (problem->stroke);
  g_free (problem);
}

FsGrid *
fs_backend_problem_get_grid (FsBackendProblem *problem)
{
  return &problem->grid;
}

int32_t
fs_backend_problem_get_soft_tlink (void)
{
  return SIGNAL + NOISE;
}

void
fs_backend_problem_reset (FsBackendProblem *problem)
{
  memcpy (problem->grid.tlink, problem->first,
          fs_grid_n_pixels (&problem->grid) * sizeof *problem->first);
}

const FsTlinkChange *
fs_backend_problem_stroke (FsBackendProblem *problem, int i, guint *n)
{
  enum { SEED = 8 * 2 * SMOOTHNESS };
  int side = problem->grid.width;
  uint32_t state = (uint32_t)i * 2654435761u + 1;
  int left = (int)(draw (&state) % (uint32_t)MAX (side - STROKE_PX, 1));
  int top = (int)(draw (&state) % (uint32_t)MAX (side - BRUSH_PX, 1));
  g_array_set_size (problem->stroke, 0);
  for (int y = top; y < MIN (top + BRUSH_PX, side); y++)
    for (int x = left; x < MIN (left + STROKE_PX, side); x++) {
      FsTlinkChange change = { (uint32_t)(y * side + x), i % 2 ? -SEED : SEED };
      g_array_append_val (problem->stroke, change);
    }
  *n = problem->stroke->len;
  return (const FsTlinkChange *)(gpointer)problem->stroke->data;
}
