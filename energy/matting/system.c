/* SPDX-License-Identifier: MIT */
#include "energy/matting/system.h"

#include "energy/image/target_clones.h"
#include "solver/system/checked_memory.h"

#include <string.h>

enum { MAX_ITERATIONS = 600, REPORT_EVERY = 4 };
#define TOLERANCE 1e-3
/* Nanoseconds a pixel of multiplying by the matrix, and of adding vectors. */
enum { MULTIPLY_NS = 20, ADD_NS = 4 };

gboolean
fs_matting_system_init (FsMattingSystem *system, const FsZone *zone)
{
  const size_t n = zone->n_unknown;
  *system = (FsMattingSystem){ .zone = zone };
  system->link = fs_memory_new (FS_SYSTEM_LINKS * n, sizeof *system->link);
  system->diagonal = fs_memory_new (n, sizeof *system->diagonal);
  system->right = fs_memory_new (n, sizeof *system->right);
  system->alpha = fs_memory_new (n, sizeof *system->alpha);
  return system->link && system->diagonal && system->right && system->alpha;
}

void
fs_matting_system_clear (FsMattingSystem *system)
{
  fs_mixture_clear (&system->mixture);
  fs_memory_free (system->link);
  fs_memory_free (system->diagonal);
  fs_memory_free (system->right);
  fs_memory_free (system->alpha);
  *system = (FsMattingSystem){ 0 };
}

typedef struct {
  FsMattingSystem *system;
  double *direction; /* plane with margins, 0 at known pixels */
  double *product;   /* [n_unknown] matrix · direction */
  double *residual;  /* [n_unknown] */
  double *scale;     /* [n_unknown] of the preconditioner */
  double *sum;       /* [n_blocks] */
  double step, conjugation;
} Solver;

static void
solver_clear (Solver *solver)
{
  fs_memory_free (solver->direction);
  fs_memory_free (solver->product);
  fs_memory_free (solver->residual);
  fs_memory_free (solver->scale);
  fs_memory_free (solver->sum);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Solver, solver_clear)

static gboolean
solver_init (Solver *solver, FsMattingSystem *system)
{
  const FsZone *zone = system->zone;
  const size_t n = zone->n_unknown, size = fs_zone_plane_size (zone);
  *solver = (Solver){ .system = system };
  solver->direction = fs_memory_new (size, sizeof *solver->direction);
  solver->product = fs_memory_new (n, sizeof *solver->product);
  solver->residual = fs_memory_new (n, sizeof *solver->residual);
  solver->scale = fs_memory_new (n, sizeof *solver->scale);
  solver->sum = fs_memory_new (zone->n_blocks, sizeof *solver->sum);
  if (!solver->direction || !solver->product || !solver->residual || !solver->scale || !solver->sum)
    return FALSE;
  memset (solver->direction, 0, size * sizeof *solver->direction);
  return TRUE;
}

/* Each block's sum, in order. */
static double
sum_blocks (const Solver *solver)
{
  double sum = 0;
  for (uint32_t b = 0; b < solver->system->zone->n_blocks; b++)
    sum += solver->sum[b];
  return sum;
}

/* ---- Loops over a run ---- */

static double *
direction_of (const Solver *solver, const FsZoneRun *run)
{
  return solver->direction + fs_zone_place (solver->system->zone, run->x, run->y);
}

FS_TARGET_CLONES static void
multiply_run (const Solver *solver, const FsZoneRun *run)
{
  const FsMattingSystem *system = solver->system;
  const size_t n = system->zone->n_unknown;
  const ptrdiff_t stride = system->zone->stride;
  const double *direction = direction_of (solver, run), *diagonal = system->diagonal + run->first;
  double product[FS_ZONE_RUN_MAX];
  for (int i = 0; i < run->n; i++)
    product[i] = diagonal[i] * direction[i];
  for (int k = 0; k < FS_SYSTEM_LINKS; k++) {
    if (k == FS_SYSTEM_LINKS / 2)
      continue;
    const float *link = system->link + (size_t)k * n + run->first;
    const double *neighbour =
        direction + (k / FS_SYSTEM_SIDE - 2) * stride + (k % FS_SYSTEM_SIDE - 2);
    for (int i = 0; i < run->n; i++)
      product[i] += (double)link[i] * neighbour[i];
  }
  memcpy (solver->product + run->first, product, (size_t)run->n * sizeof *product);
}

static void
multiply_block (const FsZone *zone, uint32_t block, gpointer data)
{
  const Solver *solver = data;
  double sum = 0;
  for (uint32_t k = zone->block[block]; k < zone->block[block + 1]; k++) {
    const FsZoneRun *run = &zone->run[k];
    const double *direction = direction_of (solver, run);
    multiply_run (solver, run);
    for (int i = 0; i < run->n; i++) {
      const uint32_t u = run->first + (uint32_t)i;
      solver->product[u] += fs_mixture_product (&solver->system->mixture, u);
      sum += direction[i] * solver->product[u];
    }
  }
  solver->sum[block] = sum;
}

/* The matrix times the direction. */
static void
multiply (Solver *solver)
{
  fs_mixture_set_residual (&solver->system->mixture, solver->direction);
  fs_zone_run_blocks (solver->system->zone, MULTIPLY_NS, multiply_block, solver);
}

static void
step_block (const FsZone *zone, uint32_t block, gpointer data)
{
  const Solver *solver = data;
  FsMattingSystem *system = solver->system;
  double sum = 0;
  for (uint32_t k = zone->block[block]; k < zone->block[block + 1]; k++) {
    const FsZoneRun *run = &zone->run[k];
    const double *direction = direction_of (solver, run);
    for (int i = 0; i < run->n; i++) {
      const uint32_t u = run->first + (uint32_t)i;
      system->alpha[u] += solver->step * direction[i];
      solver->residual[u] -= solver->step * solver->product[u];
      sum += solver->residual[u] * solver->residual[u] * solver->scale[u];
    }
  }
  solver->sum[block] = sum;
}

static void
redirect_block (const FsZone *zone, uint32_t block, gpointer data)
{
  const Solver *solver = data;
  for (uint32_t k = zone->block[block]; k < zone->block[block + 1]; k++) {
    const FsZoneRun *run = &zone->run[k];
    double *direction = direction_of (solver, run);
    for (int i = 0; i < run->n; i++) {
      const uint32_t u = run->first + (uint32_t)i;
      direction[i] = solver->residual[u] * solver->scale[u] + solver->conjugation * direction[i];
    }
  }
}

/* ---- Solution ---- */

static void
set_direction_to_alpha (const Solver *solver)
{
  const FsZone *zone = solver->system->zone;
  for (uint32_t k = 0; k < zone->n_runs; k++)
    memcpy (direction_of (solver, &zone->run[k]), solver->system->alpha + zone->run[k].first,
            (size_t)zone->run[k].n * sizeof (double));
}

/* The residual of the start, and its squared norm. */
static double
start (Solver *solver)
{
  const FsMattingSystem *system = solver->system;
  set_direction_to_alpha (solver);
  multiply (solver);
  for (uint32_t u = 0; u < system->zone->n_unknown; u++) {
    solver->residual[u] = system->right[u] - solver->product[u];
    solver->scale[u] = 1 / (system->diagonal[u] + fs_mixture_diagonal (&system->mixture, u));
  }
  solver->step = 0;
  memset (solver->product, 0, system->zone->n_unknown * sizeof *solver->product);
  fs_zone_run_blocks (system->zone, ADD_NS, step_block, solver);
  return sum_blocks (solver);
}

gboolean
fs_matting_system_solve (FsMattingSystem *system, double fraction)
{
  const FsZone *zone = system->zone;
  g_auto (Solver) solver = { 0 };
  if (!solver_init (&solver, system))
    return FALSE;
  const double first = start (&solver);
  double norm2 = first;
  for (int i = 0; i < MAX_ITERATIONS && norm2 > TOLERANCE * TOLERANCE * first; i++) {
    if (i % REPORT_EVERY == 0
        && !fs_zone_report (zone, fraction + (1 - fraction) * i / MAX_ITERATIONS))
      return TRUE;
    fs_zone_run_blocks (zone, ADD_NS, redirect_block, &solver);
    multiply (&solver);
    const double curvature = sum_blocks (&solver);
    if (curvature <= 0)
      break;
    solver.step = norm2 / curvature;
    fs_zone_run_blocks (zone, ADD_NS, step_block, &solver);
    solver.conjugation = 1 / norm2;
    norm2 = sum_blocks (&solver);
    solver.conjugation *= norm2;
  }
  return TRUE;
}
