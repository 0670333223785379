/* SPDX-License-Identifier: MIT */
/* Writes a photo's cut problem with its exact mask, for bench_ladder:
 *
 *   dump_problem PHOTO SEEDS MEGAPIXELS NEIGHBOURS FILE
 *
 * The energy is Lazy Snapping's, which has no star; the mask is the CPU backend's, its certificate
 * checked. SEEDS as in bench_instance.h; MEGAPIXELS 0 keeps the photo's size. */
#include "solver/certificate.h"
#include "tests/bench/bench_instance.h"
#include "tests/bench/ladder_problem.h"

#include <stdlib.h>
#include <string.h>

static void
cut_exactly (FsGrid *grid, uint8_t *mask)
{
  g_autoptr (GError) error = NULL;
  FsSolution solution;
  FsCertificate certificate = { 0 };
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, &error);
  if (solver == NULL || !fs_solver_solve (solver, NULL, &solution, &error)
      || !fs_solver_certify (solver, &certificate, &error))
    bench_fail (error->message);
  if (!certificate.holds)
    bench_fail ("the certificate does not hold");
  fs_solver_read_mask (solver, 0, 0, grid->width, grid->height, mask, (size_t)grid->width);
}

int
main (int argc, char **argv)
{
  if (argc != 6)
    bench_fail ("usage: dump_problem PHOTO SEEDS MEGAPIXELS NEIGHBOURS FILE");
  g_autoptr (BenchInstance) instance = bench_instance_new (argv[1], argv[2], atof (argv[3]));
  FsGrid *grid =
      bench_instance_fit (instance, atoi (argv[4]) == 4 ? FS_NEIGHBOURS_4 : FS_NEIGHBOURS_8);
  size_t n = fs_grid_n_pixels (grid);
  LadderProblem *problem = ladder_problem_new (grid->width, grid->height, grid->neighbours);
  if (problem == NULL)
    bench_fail ("not enough memory");
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    memcpy (problem->nlink[d], grid->nlink[d], n * sizeof (uint16_t));
  memcpy (problem->tlink, grid->tlink, n * sizeof (int32_t));
  cut_exactly (grid, problem->exact);
  gboolean written = ladder_problem_write (problem, argv[5]);
  ladder_problem_free (problem);
  if (!written)
    bench_fail ("the file could not be written");
  return 0;
}
