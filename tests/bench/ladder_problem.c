/* SPDX-License-Identifier: MIT */
#include "tests/bench/ladder_problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = { 'F', 'S', 'L', 'A', 'D', 'D', 'R', '1' };

LadderProblem *
ladder_problem_new (int width, int height, int neighbours)
{
  size_t n = (size_t)width * (size_t)height;
  LadderProblem *problem = calloc (1, sizeof *problem);
  if (problem == NULL)
    return NULL;
  problem->tlink = calloc (n, sizeof *problem->tlink);
  problem->exact = calloc (n, 1);
  int complete = problem->tlink != NULL && problem->exact != NULL;
  for (int d = 0; d < neighbours / 2; d++) {
    problem->nlink[d] = calloc (n, sizeof *problem->nlink[d]);
    problem->problem.nlink[d] = problem->nlink[d];
    complete = complete && problem->nlink[d] != NULL;
  }
  problem->problem.width = width;
  problem->problem.height = height;
  problem->problem.neighbours = neighbours;
  problem->problem.tlink = problem->tlink;
  if (complete)
    return problem;
  ladder_problem_free (problem);
  return NULL;
}

void
ladder_problem_free (LadderProblem *problem)
{
  if (problem == NULL)
    return;
  for (int d = 0; d < 4; d++)
    free (problem->nlink[d]);
  free (problem->tlink);
  free (problem->exact);
  free (problem);
}

typedef size_t (*Transfer) (void *plane, size_t size, size_t n, FILE *file);

static size_t
write_plane (void *plane, size_t size, size_t n, FILE *file)
{
  return fwrite (plane, size, n, file);
}

/* All planes in the file's order, read or written. */
static int
transfer (const LadderProblem *problem, FILE *file, Transfer move)
{
  size_t n = ladder_problem_pixels (problem);
  for (int d = 0; d < problem->problem.neighbours / 2; d++)
    if (move (problem->nlink[d], sizeof (uint16_t), n, file) != n)
      return 0;
  return move (problem->tlink, sizeof (int32_t), n, file) == n
         && move (problem->exact, 1, n, file) == n;
}

LadderProblem *
ladder_problem_read (const char *path)
{
  char start[sizeof magic];
  int32_t shape[3];
  LadderProblem *problem = NULL;
  FILE *file = fopen (path, "rb");
  if (file == NULL)
    return NULL;
  if (fread (start, sizeof start, 1, file) == 1 && memcmp (start, magic, sizeof magic) == 0
      && fread (shape, sizeof shape, 1, file) == 1 && shape[0] > 0 && shape[1] > 0
      && (int64_t)shape[0] * shape[1] <= 1 << 29 && (shape[2] == 4 || shape[2] == 8))
    problem = ladder_problem_new (shape[0], shape[1], shape[2]);
  if (problem != NULL && !transfer (problem, file, fread)) {
    ladder_problem_free (problem);
    problem = NULL;
  }
  fclose (file);
  return problem;
}

int
ladder_problem_write (const LadderProblem *problem, const char *path)
{
  int32_t shape[3] = { problem->problem.width, problem->problem.height,
                       problem->problem.neighbours };
  FILE *file = fopen (path, "wb");
  if (file == NULL)
    return 0;
  int whole = fwrite (magic, sizeof magic, 1, file) == 1
              && fwrite (shape, sizeof shape, 1, file) == 1
              && transfer (problem, file, write_plane);
  return fclose (file) == 0 && whole;
}

/* Numerical Recipes' generator; its high bits only. */
static int
random_below (uint32_t *state, int n)
{
  *state = *state * 1664525u + 1013904223u;
  return (int)((*state >> 8) % (uint32_t)n);
}

/* Four discs a row, in a regular pattern. */
static int
is_in_disc (int x, int y, int width)
{
  int pitch = width / 4 + 1;
  int dx = x % pitch - pitch / 2;
  int dy = y % pitch - pitch / 2;
  return dx * dx + dy * dy < pitch * pitch / 9;
}

LadderProblem *
ladder_problem_make (int width, int height, int neighbours, int signal, int smoothness,
                     uint32_t seed)
{
  static const int dx[4] = { 1, 0, 1, -1 }, dy[4] = { 0, 1, 1, 1 };
  LadderProblem *problem = ladder_problem_new (width, height, neighbours);
  uint32_t state = seed;
  if (problem == NULL)
    return NULL;
  size_t p = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++, p++) {
      int inside = is_in_disc (x, y, width);
      problem->tlink[p] = (inside ? signal : -signal) + random_below (&state, 201) - 100;
      for (int d = 0; d < neighbours / 2; d++) {
        int u = x + dx[d], v = y + dy[d];
        if (u < 0 || u >= width || v >= height)
          continue;
        int weight = smoothness / 2 + random_below (&state, smoothness / 2 + 1);
        int across = is_in_disc (u, v, width) != inside;
        problem->nlink[d][p] = (uint16_t)((across ? weight / 4 : weight) * (d < 2 ? 10 : 7) / 10);
      }
    }
  return problem;
}
