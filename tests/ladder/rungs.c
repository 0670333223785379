/* SPDX-License-Identifier: MIT */
#include "tests/ladder/rungs.h"

#include "tests/ladder/solve.h"

static int
is_problem_valid (const FsLadderProblem *problem)
{
  if (problem->width < 1 || problem->height < 1
      || (int64_t)problem->width * problem->height > FS_LADDER_MAX_PIXELS
      || (problem->neighbours != 4 && problem->neighbours != 8) || problem->tlink == NULL)
    return 0;
  for (int d = 0; d < problem->neighbours / 2; d++)
    if (problem->nlink[d] == NULL)
      return 0;
  return 1;
}

static int
are_options_valid (const FsLadderOptions *options)
{
  return (options->stop == FS_LADDER_STOP_PAPER || options->stop == FS_LADDER_STOP_EXACT)
         && options->pushes >= 0 && options->period >= 0 && options->heights_every >= 0
         && options->limit >= 0 && options->levels >= 0 && options->levels <= FS_LADDER_MAX_LEVELS
         && options->dilation_px >= 0;
}

static int
value_or (int value, int standard)
{
  return value != 0 ? value : standard;
}

static FsLadderOptions
fill_in (const FsLadderOptions *given)
{
  FsLadderOptions options = *given;
  options.pushes = value_or (given->pushes, 1);
  options.period = value_or (given->period, 10);
  options.heights_every = value_or (given->heights_every, 64);
  options.limit = value_or (given->limit, 100000);
  return options;
}

static FsLadderLevel
upload_problem (FsLadderMachine *machine, const FsLadderProblem *problem)
{
  FsLadderLevel level = { .width = problem->width,
                          .height = problem->height,
                          .neighbours = problem->neighbours };
  size_t n = (size_t)fs_ladder_level_pixels (&level);
  int32_t *tlink = fs_ladder_alloc (machine, n * sizeof *tlink);
  fs_ladder_upload (machine, tlink, problem->tlink, n * sizeof *tlink);
  for (int d = 0; d < problem->neighbours / 2; d++) {
    uint16_t *nlink = fs_ladder_alloc (machine, n * sizeof *nlink);
    fs_ladder_upload (machine, nlink, problem->nlink[d], n * sizeof *nlink);
    level.nlink[d] = nlink;
  }
  level.tlink = tlink;
  level.mask = fs_ladder_alloc (machine, n);
  return level;
}

static void
cut (const FsLadderRun *run, FsLadderRungNumber rung, const FsLadderLevel *level)
{
  switch (rung) {
  case FS_LADDER_RUNG_PUSH_PULL:
    fs_ladder_cut_grid (run, &fs_ladder_push_pull, level);
    break;
  case FS_LADDER_RUNG_ATOMIC:
    fs_ladder_cut_grid (run, &fs_ladder_atomic, level);
    break;
  case FS_LADDER_RUNG_STOCHASTIC:
    fs_ladder_cut_grid (run, &fs_ladder_stochastic, level);
    break;
  case FS_LADDER_RUNG_LOCK_FREE:
    fs_ladder_cut_list (run, &fs_ladder_lock_free, level);
    break;
  default:
    fs_ladder_cut_band (run, level);
  }
}

int
fs_ladder_run (FsLadderMachine *machine, FsLadderRungNumber rung, const FsLadderProblem *problem,
               const FsLadderOptions *options, FsLadderResult *result)
{
  uint8_t *mask = result->mask;
  *result = (FsLadderResult){ .mask = mask, .finished = 1 };
  if (mask == NULL || !is_problem_valid (problem) || !are_options_valid (options))
    return FS_LADDER_ERROR_INVALID;
  FsLadderOptions filled = fill_in (options);
  FsLadderRun run = { machine, &filled, result };
  FsLadderLevel level = upload_problem (machine, problem);
  size_t problem_bytes = machine->bytes;
  cut (&run, rung, &level);
  result->bytes = (int64_t)(machine->bytes - problem_bytes);
  fs_ladder_download (machine, mask, level.mask, (size_t)fs_ladder_level_pixels (&level));
  fs_ladder_release_all (machine);
  result->ms = machine->ms;
  result->fault = machine->fault;
  return machine->error;
}
