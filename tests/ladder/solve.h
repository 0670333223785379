/* SPDX-License-Identifier: MIT */
/* The order of launches: iterations, exact heights, and the two stop rules. */
#ifndef FS_LADDER_SOLVE_H
#define FS_LADDER_SOLVE_H

#include "tests/ladder/machine.h"

/* The kernels of one way to push and relabel. */
typedef struct {
  FsLadderKernel push;
  FsLadderKernel pull;     /* after every push but the last one of an iteration, or none    */
  FsLadderKernel relabel;  /* at the end of an iteration, or none; pulls too where there is */
  FsLadderKernel activate; /* every period-th iteration, or none                            */
  FsLadderKernel start_heights;
  FsLadderKernel lower;
  FsLadderKernel draw;
  int in_place; /* relabelling writes the heights that it reads */
} FsLadderMethod;

extern const FsLadderMethod fs_ladder_push_pull;
extern const FsLadderMethod fs_ladder_atomic;
extern const FsLadderMethod fs_ladder_stochastic;
extern const FsLadderMethod fs_ladder_lock_free;
extern const FsLadderMethod fs_ladder_list;

/* A level of the problem in the machine's memory. */
typedef struct {
  int width, height, neighbours;
  const uint16_t *nlink[FS_LADDER_FORWARD];
  const int32_t *tlink;
  uint8_t *mask;
} FsLadderLevel;

typedef struct {
  FsLadderMachine *machine;
  const FsLadderOptions *options; /* without zeros that stand for something else */
  FsLadderResult *result;
} FsLadderRun;

/* The words, all 0. */
void fs_ladder_alloc_words (const FsLadderRun *run, FsLadderNodes *nodes);

/* The planes of `nodes`, whose n and n_forward are set. */
void fs_ladder_alloc_nodes (const FsLadderRun *run, FsLadderNodes *nodes,
                            const FsLadderMethod *method);

/* Pushes and relabels to the end and draws the mask. `state` is the grid or list around `nodes`,
 * already built; n_threads is that of its kernels. */
void fs_ladder_solve (const FsLadderRun *run, const FsLadderMethod *method, const void *state,
                      FsLadderNodes *nodes, int64_t n_threads);

/* Cuts a whole level, on the grid or as a list; or all levels from the coarsest down, with bands.
 */
void fs_ladder_cut_grid (const FsLadderRun *run, const FsLadderMethod *method,
                         const FsLadderLevel *level);
void fs_ladder_cut_list (const FsLadderRun *run, const FsLadderMethod *method,
                         const FsLadderLevel *level);
void fs_ladder_cut_band (const FsLadderRun *run, const FsLadderLevel *finest);

static inline int64_t
fs_ladder_level_pixels (const FsLadderLevel *level)
{
  return (int64_t)level->width * level->height;
}

#endif
