/* SPDX-License-Identifier: MIT */
/* Rung 4: one kernel that pushes or relabels, on a list where every node has as many arcs. */
#include "tests/ladder/launch.cuh"
#include "tests/ladder/lock_free.h"

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) list_discharge_kernel (const FsLadderList list)
{
  fs_ladder_list_discharge (&list, fs_ladder_thread ());
}

FS_LADDER_LAUNCHER (list_discharge, FsLadderList)
