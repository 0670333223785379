/* SPDX-License-Identifier: MIT */
#include "solver/certificate.h"

#include "solver/backend.h"
#include "solver/implicit_links.h"
#include "solver/system/checked_memory.h"

/* The state, row by row as the grid lies, and the mask. */
typedef struct {
  const FsGrid *grid;
  int n_directions;
  int32_t *excess;
  uint16_t *residual[FS_N_DIRECTIONS];
  uint8_t *mask;
} State;

enum { REACHED = 2 }; /* a bit of the mask's bytes, beside the pixel's side */

static void
state_clear (State *state)
{
  fs_memory_free (state->excess);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    fs_memory_free (state->residual[d]);
  fs_memory_free (state->mask);
}

static gboolean
state_read (State *state, FsSolver *solver)
{
  const FsGrid *grid = solver->grid;
  size_t n = fs_grid_n_pixels (grid);
  *state = (State){ .grid = grid, .n_directions = fs_grid_n_directions (grid) };
  state->excess = fs_memory_new (n, sizeof *state->excess);
  state->mask = fs_memory_new (n, sizeof *state->mask);
  gboolean whole = state->excess != NULL && state->mask != NULL;
  for (int d = 0; d < state->n_directions; d++) {
    state->residual[d] = fs_memory_new (n, sizeof *state->residual[d]);
    whole = whole && state->residual[d] != NULL;
  }
  if (!whole) {
    state_clear (state);
    return FALSE;
  }
  fs_solver_read_state (solver, 0, grid->height, state->excess, state->residual);
  fs_solver_read_mask (solver, 0, 0, grid->width, grid->height, state->mask, grid->width);
  return TRUE;
}

/* Both capacities of a pair together. */
static int
pair_capacity (const FsGrid *grid, size_t p, FsDirection d)
{
  size_t q = p + (size_t)fs_grid_step (grid, d);
  return fs_grid_capacity (grid, p, d) + fs_grid_capacity (grid, q, d ^ FS_DIRECTION_OPPOSITE);
}

static gboolean
is_feasible (const State *state)
{
  const FsGrid *grid = state->grid;
  for (int y = 0; y < grid->height; y++)
    for (int x = 0; x < grid->width; x++)
      for (int d = 0; d < state->n_directions; d++) {
        size_t p = (size_t)y * grid->width + x;
        int max = fs_grid_has_neighbour (grid, x, y, d) ? pair_capacity (grid, p, d) : 0;
        if (state->residual[d][p] > max)
          return FALSE;
      }
  return TRUE;
}

/* Net flow from (x, y) into its neighbour in direction d; 0 where there is none. */
static int64_t
flow_between (const State *state, int x, int y, FsDirection d)
{
  if (x < 0 || y < 0 || x >= state->grid->width || !fs_grid_has_neighbour (state->grid, x, y, d))
    return 0;
  size_t p = (size_t)y * state->grid->width + x;
  return (int64_t)fs_grid_capacity (state->grid, p, d) - state->residual[d][p];
}

static gboolean
is_conserved (const State *state)
{
  const FsGrid *grid = state->grid;
  for (int y = 0; y < grid->height; y++)
    for (int x = 0; x < grid->width; x++) {
      size_t p = (size_t)y * grid->width + x;
      int64_t expected = grid->tlink[p];
      for (int d = 0; d < state->n_directions; d++)
        expected += flow_between (state, x - fs_direction_dx (d), y - fs_direction_dy (d), d)
                    - flow_between (state, x, y, d);
      if (expected != state->excess[p])
        return FALSE;
    }
  return TRUE;
}

static int64_t
flow_value (const State *state)
{
  int64_t value = 0;
  size_t n = fs_grid_n_pixels (state->grid);
  for (size_t p = 0; p < n; p++)
    value += (int64_t)MAX (state->grid->tlink[p], 0) - MAX (state->excess[p], 0);
  return value;
}

/* The deficits begin the list of pixels to visit. The list overwrites the excess, which nothing
 * reads any more: the k-th entry is written when pixel p ≥ k has been read. */
static size_t
list_deficits (const State *state, uint32_t *list)
{
  size_t n_listed = 0;
  size_t n = fs_grid_n_pixels (state->grid);
  for (size_t p = 0; p < n; p++)
    if (state->excess[p] < 0) {
      list[n_listed++] = (uint32_t)p;
      state->mask[p] |= REACHED;
    }
  return n_listed;
}

/* Lists the pixels that have a residual arc into `p` and were not reached before. */
static size_t
list_predecessors (const State *state, size_t p, uint32_t *list, size_t n_listed)
{
  const FsGrid *grid = state->grid;
  int x = (int)(p % grid->width);
  int y = (int)(p / grid->width);
  for (int d = 0; d < state->n_directions; d++) {
    int bx = x - fs_direction_dx (d);
    int by = y - fs_direction_dy (d);
    size_t before = p - (size_t)fs_grid_step (grid, d);
    if (bx >= 0 && bx < grid->width && by >= 0 && !(state->mask[before] & REACHED)
        && state->residual[d][before] > 0) {
      state->mask[before] |= REACHED;
      list[n_listed++] = (uint32_t)before;
    }
    if (!fs_grid_has_neighbour (grid, x, y, d))
      continue;
    size_t after = p + (size_t)fs_grid_step (grid, d);
    int back = pair_capacity (grid, p, d) - state->residual[d][p];
    if (!(state->mask[after] & REACHED) && back > 0) {
      state->mask[after] |= REACHED;
      list[n_listed++] = (uint32_t)after;
    }
  }
  return n_listed;
}

/* Destroys the excess. */
static gboolean
is_canonical (State *state)
{
  uint32_t *list = (uint32_t *)(void *)state->excess;
  size_t n_listed = list_deficits (state, list);
  while (n_listed > 0) {
    size_t p = list[--n_listed];
    n_listed = list_predecessors (state, p, list, n_listed);
  }
  size_t n = fs_grid_n_pixels (state->grid);
  for (size_t p = 0; p < n; p++) {
    gboolean is_object = (state->mask[p] & 1) != 0;
    gboolean reaches = (state->mask[p] & REACHED) != 0;
    if (is_object == reaches)
      return FALSE;
  }
  return TRUE;
}

gboolean
fs_solver_certify (FsSolver *solver, FsCertificate *certificate, GError **error)
{
  g_return_val_if_fail (solver != NULL && certificate != NULL, FALSE);
  State state;
  if (!fs_solver_need_planes (solver, error))
    return FALSE;
  g_return_val_if_fail (!fs_grid_lacks_planes (solver->grid), FALSE);
  if (!state_read (&state, solver)) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory to check the cut of %d × %d pixels", solver->grid->width,
                 solver->grid->height);
    return FALSE;
  }
  *certificate = (FsCertificate){
    .feasible = is_feasible (&state),
    .conserved = is_conserved (&state),
    .energy = fs_grid_energy (state.grid, state.mask),
    .bound = flow_value (&state),
  };
  /* A walk over infeasible residuals would mean nothing. */
  certificate->canonical = certificate->feasible && is_canonical (&state);
  certificate->holds = certificate->feasible && certificate->conserved && certificate->canonical
                       && certificate->energy == certificate->bound;
  state_clear (&state);
  return TRUE;
}
