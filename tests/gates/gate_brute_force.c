/* SPDX-License-Identifier: MIT */
#include "tests/gates/crew.h"

enum { MAX_PIXELS = 12, MAX_ARCS = MAX_PIXELS * 8 };

/* The energy as lists, so that one pixel's flip costs its own terms only. */
typedef struct {
  int n;
  int64_t tlink[MAX_PIXELS];
  int64_t out[MAX_PIXELS][MAX_PIXELS]; /* capacity from p to q */
} Dense;

static void
make_dense (const FsGrid *grid, Dense *dense)
{
  memset (dense, 0, sizeof *dense);
  dense->n = (int)fs_grid_n_pixels (grid);
  for (int p = 0; p < dense->n; p++) {
    int x = p % grid->width, y = p / grid->width;
    dense->tlink[p] = grid->tlink[p];
    for (int d = 0; d < fs_grid_n_directions (grid); d++) {
      if (!fs_grid_has_neighbour (grid, x, y, (FsDirection)d))
        continue;
      int q = p + fs_direction_dy ((FsDirection)d) * grid->width + fs_direction_dx ((FsDirection)d);
      dense->out[p][q] = grid->nlink[d][p];
      dense->out[q][p] = grid->nlink_back[d] ? grid->nlink_back[d][p] : grid->nlink[d][p];
      if (grid->star && grid->star[p] == d)
        dense->out[p][q] = FS_NLINK_PAIR_MAX - dense->out[q][p];
      else if (grid->star && grid->star[q] == d + FS_DIRECTION_OPPOSITE)
        dense->out[q][p] = FS_NLINK_PAIR_MAX - dense->out[p][q];
    }
  }
}

/* What the energy gains when p, background in `cut`, becomes object. */
static int64_t
gain (const Dense *dense, unsigned cut, int p)
{
  int64_t change = -dense->tlink[p];
  for (int q = 0; q < dense->n; q++)
    change += cut >> q & 1 ? -dense->out[q][p] : dense->out[p][q];
  return change;
}

/* All cuts in the order of Gray's code: each differs from the last by one pixel. */
static int64_t
enumerate (const Dense *dense, unsigned *sink_side)
{
  unsigned all = (1u << dense->n) - 1, cut = 0;
  int64_t energy = 0, best;
  for (int p = 0; p < dense->n; p++)
    energy += MAX (dense->tlink[p], 0);
  best = energy;
  *sink_side = all;
  for (unsigned i = 1; i <= all; i++) {
    int p = __builtin_ctz (i);
    unsigned without = cut & ~(1u << p);
    int64_t change = gain (dense, without, p);
    energy += cut >> p & 1 ? -change : change;
    cut ^= 1u << p;
    if (energy < best)
      *sink_side = all;
    if (energy <= best)
      *sink_side &= ~cut;
    best = MIN (best, energy);
  }
  return best;
}

static GateResult
check (GRand *rand, const GateWork *work, int64_t number)
{
  g_autoptr (Problem) problem = NULL;
  do {
    g_clear_pointer (&problem, problem_free);
    problem = problem_new_random (rand, work->size, work->size);
  } while (fs_grid_n_pixels (&problem->grid) > (size_t)work->size);
  problem_fill (problem, rand, (Shape)g_rand_int_range (rand, 0, N_SHAPES));

  Dense dense;
  unsigned sink_side;
  make_dense (&problem->grid, &dense);
  int64_t best = enumerate (&dense, &sink_side);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  FsSolution solution;
  gboolean right = crew_solve (solver, &solution) && solution.energy == best;
  g_autofree uint8_t *mask = read_whole_mask (solver);
  for (int p = 0; p < dense.n; p++)
    right &= mask[p] == !(sink_side >> p & 1);
  return gate_result (right);
}

static const GateWork WORKS[] = {
  { .name = "grids of up to 12 pixels", .check = check, .n = 250000, .size = MAX_PIXELS },
};

const Gate gate_brute_force = { .id = "S2", .works = WORKS, .n_works = G_N_ELEMENTS (WORKS) };
