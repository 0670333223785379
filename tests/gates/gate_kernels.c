/* SPDX-License-Identifier: MIT */
/* The kernels of the CUDA engine, run on the host in orders drawn at random, against the CPU; with
 * FRETSAW_TEST_BACKEND=cuda in the environment, run on the device. */
#include "solver/backend.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/kernels/cuda/engine_host.h"
#include "tests/gates/crew.h"

const FsBackend *
gate_backend (GRand *rand)
{
  static gboolean is_used;
  if (g_strcmp0 (g_getenv ("FRETSAW_TEST_BACKEND"), "cuda") == 0)
    return test_backend ();
  if (!is_used)
    fs_cuda_use_table (fs_engine_host ());
  is_used = TRUE;
  fs_engine_host_set_seed (g_rand_int (rand));
  fs_engine_host_set_tuning (g_rand_int_range (rand, 1, 10), g_rand_int_range (rand, 1, 41),
                             g_rand_int_range (rand, 0, 8), g_rand_int_range (rand, 1, 8),
                             g_rand_int_range (rand, 0, 6));
  return &fs_backend_cuda;
}

/* Some pixels get other t-links, so that the next solve starts from the last one's flow. */
static void
stroke (GRand *rand, FsSolver *solver)
{
  FsTlinkChange changes[40];
  int n = g_rand_int_range (rand, 1, 40), n_pixels = (int)fs_grid_n_pixels (solver->grid);
  Shape shape = (Shape)g_rand_int_range (rand, 0, N_SHAPES);
  for (int i = 0; i < n; i++) {
    uint32_t pixel = (uint32_t)g_rand_int_range (rand, 0, n_pixels);
    changes[i] = (FsTlinkChange){ pixel, random_tlink (rand, shape) };
  }
  fs_solver_change_tlinks (solver, changes, (size_t)n, NULL);
}

/* Whether mask and energy are those of a CPU that knows the grid only as it is now. */
static gboolean
agrees (FsSolver *solver)
{
  FsSolution solution, expected;
  g_autoptr (FsSolver) cpu = fs_solver_new (&fs_backend_cpu, solver->grid, NULL);
  if (!crew_solve (solver, &solution) || !fs_solver_solve (cpu, NULL, &expected, NULL))
    return FALSE;
  g_autofree uint8_t *mask = read_whole_mask (solver);
  g_autofree uint8_t *expected_mask = read_whole_mask (cpu);
  return solution.energy == expected.energy && fs_cuda_notice () == NULL
         && memcmp (mask, expected_mask, fs_grid_n_pixels (solver->grid)) == 0;
}

static GateResult
check (GRand *rand, const GateWork *work, int64_t number)
{
  g_autoptr (Problem) problem = problem_new_random (rand, work->size, work->size);
  problem_fill (problem, rand, (Shape)g_rand_int_range (rand, 0, N_SHAPES));
  g_autoptr (FsSolver) solver = fs_solver_new (gate_backend (rand), &problem->grid, NULL);
  gboolean right = agrees (solver);
  for (int n = g_rand_int_range (rand, 0, 2); n > 0 && right; n--) {
    stroke (rand, solver);
    right = agrees (solver);
  }
  return gate_result (right);
}

/* Tiles are 32×32: up to nine of them, up to four, and parts of one. */
static const GateWork WORKS[] = {
  { .name = "graphs up to 70×70", .check = check, .n = 4000, .size = 70 },
  { .name = "graphs up to 40×40", .check = check, .n = 16000, .size = 40 },
  { .name = "graphs up to 12×12", .check = check, .n = 80000, .size = 12 },
};

const Gate gate_kernels = { .id = "K", .works = WORKS, .n_works = G_N_ELEMENTS (WORKS) };
