/* SPDX-License-Identifier: MIT */
/* Rung 2: push straight into the neighbour's excess: one kernel less, and no planes of flow. */
#include "tests/ladder/atomic.h"
#include "tests/ladder/launch.cuh"

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) push_atomic_kernel (const FsLadderGrid grid)
{
  __shared__ FsLadderTile tile;
  fs_ladder_load (&grid, &tile, blockIdx.x, threadIdx.x);
  __syncthreads ();
  fs_ladder_push_atomic (&grid, &tile, blockIdx.x, threadIdx.x);
}

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) relabel_kernel (const FsLadderGrid grid)
{
  __shared__ FsLadderTile tile;
  fs_ladder_load (&grid, &tile, blockIdx.x, threadIdx.x);
  __syncthreads ();
  fs_ladder_relabel (&grid, &tile, blockIdx.x, threadIdx.x);
}

FS_LADDER_LAUNCHER (push_atomic, FsLadderGrid)
FS_LADDER_LAUNCHER (relabel, FsLadderGrid)
