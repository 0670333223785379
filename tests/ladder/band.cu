/* SPDX-License-Identifier: MIT */
/* Rung 5: cut a smaller level, then only a strip along its cut, as a list of neighbours. */
#include "tests/ladder/band.h"
#include "tests/ladder/launch.cuh"
#include "tests/ladder/list.h"

/* A kernel of one phase, a thread per pixel or node. */
#define KERNEL(name, State)                                                                        \
  static __global__ void __launch_bounds__ (FS_LADDER_THREADS) name##_kernel (const State state)   \
  {                                                                                                \
    fs_ladder_##name (&state, fs_ladder_thread ());                                                \
  }                                                                                                \
  FS_LADDER_LAUNCHER (name, State)

KERNEL (coarsen, FsLadderCoarsening)
KERNEL (find_edge, FsLadderList)
KERNEL (mark_band, FsLadderList)
KERNEL (number, FsLadderList)
KERNEL (link, FsLadderList)
KERNEL (list_push, FsLadderList)
KERNEL (list_pull, FsLadderList)
KERNEL (list_pull_relabel, FsLadderList)
KERNEL (list_start_heights, FsLadderList)
KERNEL (list_lower, FsLadderList)
KERNEL (list_draw, FsLadderList)
