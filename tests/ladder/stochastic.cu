/* SPDX-License-Identifier: MIT */
/* Rung 3: leave out blocks that have not traded flow, but for every tenth iteration. */
#include "tests/ladder/atomic.h"
#include "tests/ladder/launch.cuh"

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) push_active_kernel (const FsLadderGrid grid)
{
  __shared__ FsLadderTile tile;
  fs_ladder_load_active (&grid, &tile, blockIdx.x, threadIdx.x);
  __syncthreads ();
  fs_ladder_push_active (&grid, &tile, blockIdx.x, threadIdx.x);
}

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) relabel_active_kernel (const FsLadderGrid grid)
{
  __shared__ FsLadderTile tile;
  fs_ladder_load_active (&grid, &tile, blockIdx.x, threadIdx.x);
  __syncthreads ();
  fs_ladder_relabel_active (&grid, &tile, blockIdx.x, threadIdx.x);
}

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) activate_kernel (const FsLadderGrid grid)
{
  fs_ladder_activate (&grid, fs_ladder_thread ());
}

FS_LADDER_LAUNCHER (push_active, FsLadderGrid)
FS_LADDER_LAUNCHER (relabel_active, FsLadderGrid)
FS_LADDER_LAUNCHER (activate, FsLadderGrid)
