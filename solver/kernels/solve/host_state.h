/* SPDX-License-Identifier: MIT */
/* State of the kernels' twin, shared by its sources.   Layer: solver/kernels (tests). */
#ifndef FS_SOLVER_KERNELS_SOLVE_HOST_STATE_H
#define FS_SOLVER_KERNELS_SOLVE_HOST_STATE_H

#include "solver/kernels/solve/problem.h"

typedef struct {
  uint32_t *tile;
  int count;
} FsHostList;

struct FsEngine {
  FsGridState grid;
  FsProblem problem;
  const FsEnginePhoto *photo; /* NULL: links came as planes */
  int32_t strength;           /* of pixels that are fixed, as in the terms told last */
  FsHostList list[2];         /* this round's and the next one's */
  uint32_t *changed;          /* tiles, each once */
  uint8_t *is_changed;
  size_t n_changed;
  uint32_t random;
  int phases, pushes, rise, rounds, first_distance_cap;
  int has_begun;        /* a solve has begun                                     */
  int has_cut;          /* a solve has ended, for nearly the same t-links        */
  int32_t distance_cap; /* of this epoch                                         */
  int is_cut;           /* whether some tile's labels ended at the distance cap  */
  int64_t n_discharges, n_labellings;
  uint32_t *preview; /* mask of the last preview */
};

/* Numbers 0 … n − 1 in a drawn order. */
void fs_host_shuffle (FsEngine *engine, int *order, int n);

/* Gives what the last label's search found its label; lanes lie so many bytes apart. */
void fs_host_end_label (FsLabelLane *first, size_t stride_bytes, int32_t label);

#endif
