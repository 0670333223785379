/* SPDX-License-Identifier: MIT */
#include "tests/gates/crew.h"

#include <stdio.h>

/* Bytes per pixel of everything a check of a plane holds at once: the grid, the solver's state (44
 * with 8 neighbours, 30 with 4, layout.h) and the certificate's copy of it. */
enum { BYTES_4 = 8 + 30 + 9, BYTES_8 = 12 + 44 + 13 };

static GateResult
solve (Problem *problem, FsSolution *solution)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, &error);
  if (!solver) {
    g_printerr ("%s\n", error->message);
    return GATE_SKIPPED;
  }
  return gate_result (crew_solve (solver, solution));
}

static FsNeighbours
neighbours_of (int64_t number)
{
  return number & 1 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
}

static GateResult
check_line (GRand *rand, const GateWork *work, int64_t number)
{
  int n = crew_scale () >= 20 ? 10 * work->size : work->size;
  gboolean upright = number & 2;
  g_autoptr (Problem) problem =
      problem_new (upright ? 1 : n, upright ? n : 1, neighbours_of (number), number & 4);
  problem_fill (problem, rand, SHAPE_UNIFORM);
  FsSolution solution;
  return solve (problem, &solution);
}

static GateResult
check_shape (GRand *rand, const GateWork *work, int64_t number)
{
  g_autoptr (Problem) problem =
      problem_new (work->size, work->size - 13, neighbours_of (number), number & 2);
  problem_fill (problem, rand, number & 4 ? SHAPE_TIES : SHAPE_MAXIMUM);
  FsSolution solution;
  return solve (problem, &solution);
}

/* What an easy photo comes to: a bright disc, a quarter of the pixels misled by noise, and n-links
 * that are weak across the edge. From 20 megapixels on its flow needs more than 32 bits. */
static void
fill_disc (Problem *problem, GRand *rand)
{
  enum { N_NOISE = 4093, NEAR = 8 };
  FsGrid *grid = &problem->grid;
  int noise[N_NOISE];
  for (int i = 0; i < N_NOISE; i++)
    noise[i] = g_rand_int_range (rand, -1000, 3000);
  int64_t middle = grid->width / 2, radius = grid->width / 3;
  size_t p = 0;
  for (int64_t y = 0; y < grid->height; y++)
    for (int64_t x = 0; x < grid->width; x++, p++) {
      int64_t far2 = (x - middle) * (x - middle) + (y - middle) * (y - middle);
      int value = noise[(x * 31 + y * 1009 + x * y) % N_NOISE];
      gboolean edge = ABS (far2 - radius * radius) < NEAR * radius;
      grid->tlink[p] = far2 < radius * radius ? value : -value;
      for (int d = 0; d < fs_grid_n_directions (grid); d++)
        if (fs_grid_has_neighbour (grid, (int)x, (int)y, (FsDirection)d))
          problem->plane[d][p] = edge ? 3 : (uint16_t)(100 + (value & 63));
    }
}

static guint64
available_bytes (void)
{
  g_autofree char *text = NULL;
  unsigned long long kib = 0;
  if (g_file_get_contents ("/proc/meminfo", &text, NULL, NULL)) {
    const char *line = strstr (text, "MemAvailable:");
    if (!line || sscanf (line, "MemAvailable: %llu kB", &kib) != 1)
      return G_MAXUINT64;
  }
  return (guint64)kib << 10;
}

static GateResult
check_plane (GRand *rand, const GateWork *work, int64_t number)
{
  int side = crew_scale () >= 20 ? 10 * work->size : work->size;
  FsNeighbours neighbours = neighbours_of (number);
  guint64 needed = (guint64)side * side * (neighbours == FS_NEIGHBOURS_8 ? BYTES_8 : BYTES_4);
  guint64 available = available_bytes ();
  if (needed > available) {
    g_printerr ("X, %d×%d: %.1f GB needed, %.1f available\n", side, side, (double)needed / 1e9,
                (double)available / 1e9);
    return GATE_SKIPPED;
  }
  g_autoptr (Problem) problem = problem_new (side, side, neighbours, FALSE);
  fill_disc (problem, rand);
  FsSolution solution;
  GateResult result = solve (problem, &solution);
  if (result == GATE_RIGHT && side >= 5000 && solution.energy <= G_MAXUINT32)
    return GATE_WRONG;
  return result;
}

static const GateWork WORKS[] = {
  { .name = "lines", .check = check_line, .n = 8, .size = 400000, .fixed = TRUE },
  { .name = "limits and ties", .check = check_shape, .n = 8, .size = 600 },
  { .name = "planes", .check = check_plane, .n = 2, .size = 1000, .fixed = TRUE, .alone = TRUE },
};

const Gate gate_extremes = { .id = "X", .works = WORKS, .n_works = G_N_ELEMENTS (WORKS) };
