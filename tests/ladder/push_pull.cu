/* SPDX-License-Identifier: MIT */
/* Rung 1: push into a plane a direction, fetch it in a second kernel: no word has two writers. */
#include "tests/ladder/launch.cuh"
#include "tests/ladder/push_pull.h"

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) push_kernel (const FsLadderGrid grid)
{
  __shared__ FsLadderTile tile;
  fs_ladder_load (&grid, &tile, blockIdx.x, threadIdx.x);
  __syncthreads ();
  fs_ladder_push (&grid, &tile, blockIdx.x, threadIdx.x);
}

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) pull_kernel (const FsLadderGrid grid)
{
  fs_ladder_pull (&grid, NULL, blockIdx.x, threadIdx.x);
}

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) pull_relabel_kernel (const FsLadderGrid grid)
{
  __shared__ FsLadderTile tile;
  fs_ladder_load (&grid, &tile, blockIdx.x, threadIdx.x);
  __syncthreads ();
  fs_ladder_pull_relabel (&grid, &tile, blockIdx.x, threadIdx.x);
}

FS_LADDER_LAUNCHER (push, FsLadderGrid)
FS_LADDER_LAUNCHER (pull, FsLadderGrid)
FS_LADDER_LAUNCHER (pull_relabel, FsLadderGrid)
