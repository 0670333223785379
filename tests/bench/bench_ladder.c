/* SPDX-License-Identifier: MIT */
/* Every rung of the ladder on the same problems: time and wrong pixels.
 *
 *   bench_ladder [OPTION=VALUE …] [FILE …]
 *
 *   rung=NAME      that rung alone
 *   host=1         in plain C instead of on the device: slow, for small problems
 *   repeat=N       the median of N runs (5), fewer once a rung has taken 10 seconds on a problem
 *   pushes=N       with 1 … N pushes per relabel (2)
 *   limit=N        iterations after which a run is given up (20,000)
 *   heights=N      iterations between exact heights (64)
 *   levels=N       bands of 1 … N levels (2); 0: the whole grid as a list
 *   dilation=N     of the bands (2)
 *   side=N         of the made problems (1024)
 *   check=N        no times: N small made problems, on which every rung must find the exact mask
 *
 * FILEs come from dump_problem; without any, two problems are made: one whose data decide, and one
 * that is smooth. Needs a driver, and no library beside the C library's. Prints a JSON object a
 * run: wrong pixels are those that differ from the exact mask, and `share` is theirs of all pixels.
 * Ends with 77 where there is no device, with 1 where a rung fails or where the sound stop rule
 * gives another mask than the exact one (bands aside).
 */
#include "tests/bench/ladder_problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_RUNS = 99, ENOUGH_MS = 10000, NO_DEVICE = 77 };

static struct {
  const char *rung;
  int host, repeat, pushes, limit, heights, levels, dilation, side, check;
} options = { NULL, 0, 5, 2, 20000, 64, 2, 2, 1024, 0 };

static const struct {
  const char *name;
  int *value;
  int min;
} numbers[] = {
  { "host", &options.host, 0 },         { "repeat", &options.repeat, 1 },
  { "pushes", &options.pushes, 1 },     { "limit", &options.limit, 1 },
  { "heights", &options.heights, 1 },   { "levels", &options.levels, 0 },
  { "dilation", &options.dilation, 0 }, { "side", &options.side, 1 },
  { "check", &options.check, 0 },
};

static const FsLadderRung *
rungs (void)
{
#ifdef FS_WITH_CUDA
  return options.host ? fs_ladder_host_rungs : fs_ladder_rungs;
#else
  return fs_ladder_host_rungs;
#endif
}

/* Whether the argument was an option; ends the program on a bad one. */
static int
take_option (const char *argument)
{
  const char *value = strchr (argument, '=');
  if (value++ == NULL)
    return 0;
  size_t length = (size_t)(value - argument) - 1;
  if (length == 4 && strncmp (argument, "rung", length) == 0) {
    options.rung = value;
    return 1;
  }
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (strlen (numbers[i].name) == length && strncmp (argument, numbers[i].name, length) == 0
        && atoi (value) >= numbers[i].min) {
      *numbers[i].value = atoi (value);
      return 1;
    }
  fprintf (stderr, "bench_ladder: not an option: %s\n", argument);
  exit (2);
}

static double
wall_ms (void)
{
  struct timespec now;
  timespec_get (&now, TIME_UTC);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static size_t
count_wrong (const LadderProblem *problem, const uint8_t *mask)
{
  size_t wrong = 0;
  for (size_t p = 0; p < ladder_problem_pixels (problem); p++)
    wrong += mask[p] != problem->exact[p];
  return wrong;
}

static void
print (const char *name, const LadderProblem *problem, const FsLadderRung *rung,
       const FsLadderOptions *how, const FsLadderResult *result, double ms, int n_runs,
       size_t wrong)
{
  printf ("{\"problem\": \"%s\", \"width\": %d, \"height\": %d, \"neighbours\": %d, ", name,
          problem->problem.width, problem->problem.height, problem->problem.neighbours);
  printf ("\"rung\": \"%s\", \"levels\": %d, \"dilation\": %d, \"stop\": \"%s\", \"m\": %d, ",
          rung->name, how->levels, how->dilation_px,
          how->stop == FS_LADDER_STOP_EXACT ? "exact" : "paper", how->pushes);
  printf ("\"iterations\": %d, \"heights\": %d, \"finished\": %s, ", result->iterations,
          result->heights, result->finished ? "true" : "false");
  printf ("\"bytes_per_pixel\": %.2f, ",
          (double)result->bytes / (double)ladder_problem_pixels (problem));
  printf ("\"ms\": %.4f, \"runs\": %d, \"wrong\": %zu, \"share\": %.6f}\n", ms, n_runs, wrong,
          (double)wrong / (double)ladder_problem_pixels (problem));
  fflush (stdout);
}

/* The run's error; FS_LADDER_ERROR_DEVICE too where a mask is not what its stop rule promises. */
static int
measure (const char *name, const LadderProblem *problem, const FsLadderRung *rung,
         const FsLadderOptions *how)
{
  double ms[MAX_RUNS];
  double began = wall_ms ();
  int n_runs = 0;
  FsLadderResult result = { .mask = malloc (ladder_problem_pixels (problem)) };
  int error = FS_LADDER_OK;
  while (n_runs < options.repeat && n_runs < MAX_RUNS && error == FS_LADDER_OK
         && (n_runs == 0 || wall_ms () - began < ENOUGH_MS)) {
    error = rung->run (&problem->problem, how, &result);
    ms[n_runs++] = result.ms;
  }
  if (error == FS_LADDER_OK) {
    size_t wrong = count_wrong (problem, result.mask);
    qsort (ms, (size_t)n_runs, sizeof *ms, compare);
    print (name, problem, rung, how, &result, ms[n_runs / 2], n_runs, wrong);
    if (wrong > 0 && how->stop == FS_LADDER_STOP_EXACT && how->levels == 0 && result.finished) {
      fprintf (stderr, "bench_ladder: %s: %s: not the exact mask\n", name, rung->name);
      error = FS_LADDER_ERROR_DEVICE;
    }
  } else {
    fprintf (stderr, "bench_ladder: %s: %s: %s%s%s\n", name, rung->name,
             fs_ladder_error_text (error), result.fault != NULL ? ": " : "",
             result.fault != NULL ? result.fault : "");
  }
  free (result.mask);
  return error;
}

/* A rung with both stop rules: bands by levels, the others by pushes per relabel. */
static int
climb (const char *name, const LadderProblem *problem, const FsLadderRung *rung)
{
  int is_band = strcmp (rung->name, "band") == 0;
  int first = is_band && options.levels == 0 ? 0 : 1;
  int last = is_band ? options.levels : options.pushes;
  for (int i = first; i <= last; i++)
    for (int stop = FS_LADDER_STOP_PAPER; stop <= FS_LADDER_STOP_EXACT; stop++) {
      FsLadderOptions how = { .stop = (FsLadderStop)stop,
                              .pushes = is_band ? 1 : i,
                              .heights_every = options.heights,
                              .limit = options.limit,
                              .levels = is_band ? i : 0,
                              .dilation_px = is_band ? options.dilation : 0 };
      int error = measure (name, problem, rung, &how);
      if (error != FS_LADDER_OK)
        return error;
    }
  return FS_LADDER_OK;
}

/* Takes the problem; the exit status. */
static int
climb_all (const char *name, LadderProblem *problem)
{
  int status = 0;
  if (problem == NULL) {
    fprintf (stderr, "bench_ladder: %s: not a problem, or not enough memory\n", name);
    return 1;
  }
  for (int i = 0; i < FS_LADDER_N_RUNGS && status != NO_DEVICE; i++) {
    if (options.rung != NULL && strcmp (options.rung, rungs ()[i].name) != 0)
      continue;
    int error = climb (name, problem, &rungs ()[i]);
    status = error == FS_LADDER_ERROR_NO_DEVICE ? NO_DEVICE : error != FS_LADDER_OK ? 1 : status;
  }
  ladder_problem_free (problem);
  return status;
}

static int
climb_made (const char *name, int neighbours, int signal, int smoothness)
{
  LadderProblem *problem =
      ladder_problem_make (options.side, options.side, neighbours, signal, smoothness, 2008);
  if (problem != NULL && !plain_cut (&problem->problem, problem->exact)) {
    ladder_problem_free (problem);
    problem = NULL;
  }
  return climb_all (name, problem);
}

/* Differing pixels of all rungs on one problem with the sound stop rule, bands of no level; below 0
 * the rungs' error. */
static int64_t
check_problem (const LadderProblem *problem, int i)
{
  int64_t wrong = 0;
  FsLadderOptions how = { .stop = FS_LADDER_STOP_EXACT,
                          .pushes = 1 + i % 3,
                          .heights_every = 1 + i % 40 };
  FsLadderResult result = { .mask = malloc (ladder_problem_pixels (problem)) };
  for (int j = 0; j < FS_LADDER_N_RUNGS && wrong >= 0; j++) {
    int error = rungs ()[j].run (&problem->problem, &how, &result);
    wrong = error != FS_LADDER_OK ? -error : wrong + (int64_t)count_wrong (problem, result.mask);
  }
  free (result.mask);
  return wrong;
}

/* The exit status. */
static int
check (void)
{
  uint32_t state = 1;
  for (int i = 0; i < options.check; i++) {
    state = state * 1664525u + 1013904223u;
    LadderProblem *problem =
        ladder_problem_make ((int)(1 + (state >> 8) % 90), (int)(1 + (state >> 16) % 40),
                             i % 2 ? 8 : 4, i % 60, 2 + (int)(state >> 24), state);
    int64_t wrong = -FS_LADDER_ERROR_MEMORY;
    if (problem != NULL && plain_cut (&problem->problem, problem->exact))
      wrong = check_problem (problem, i);
    ladder_problem_free (problem);
    if (wrong < 0) {
      fprintf (stderr, "bench_ladder: %s\n", fs_ladder_error_text ((int)-wrong));
      return wrong == -FS_LADDER_ERROR_NO_DEVICE ? NO_DEVICE : 1;
    }
    if (wrong > 0) {
      fprintf (stderr, "bench_ladder: problem %d: %d pixels differ\n", i, (int)wrong);
      return 1;
    }
  }
  printf ("{\"problems\": %d, \"rungs\": %d, \"differing\": 0}\n", options.check,
          FS_LADDER_N_RUNGS);
  return 0;
}

int
main (int argc, char **argv)
{
  int status = 0;
  int n_files = 0;
  for (int i = 1; i < argc; i++)
    n_files += !take_option (argv[i]);
  if (options.check > 0)
    return check ();
  for (int i = 1; i < argc && status != NO_DEVICE; i++)
    if (strchr (argv[i], '=') == NULL) {
      int failed = climb_all (argv[i], ladder_problem_read (argv[i]));
      status = failed ? failed : status;
    }
  for (int neighbours = 4; n_files == 0 && neighbours <= 8 && status != NO_DEVICE;
       neighbours += 4) {
    int easy = climb_made ("made, data decide", neighbours, 60, 40);
    int smooth = easy == NO_DEVICE ? easy : climb_made ("made, smooth", neighbours, 15, 120);
    status = smooth ? smooth : easy ? easy : status;
  }
  return status;
}
