/* SPDX-License-Identifier: MIT */
/* What the rungs on the grid share: the graph, the stop rules, exact heights, the mask. */
#include "tests/ladder/heights.h"
#include "tests/ladder/launch.cuh"

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) build_kernel (const FsLadderGrid grid)
{
  fs_ladder_build (&grid, NULL, blockIdx.x, threadIdx.x);
}

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) start_heights_kernel (const FsLadderGrid grid)
{
  fs_ladder_start_heights (&grid, NULL, blockIdx.x, threadIdx.x);
}

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) lower_kernel (const FsLadderGrid grid)
{
  __shared__ FsLadderTile tile;
  fs_ladder_wake (&grid, &tile, blockIdx.x, threadIdx.x);
  __syncthreads ();
  fs_ladder_load_heights (&grid, &tile, blockIdx.x, threadIdx.x);
  for (int sweep = 0; sweep < FS_LADDER_SWEEPS; sweep++) {
    __syncthreads ();
    fs_ladder_sweep (&tile, threadIdx.x, sweep);
  }
  __syncthreads ();
  fs_ladder_store_heights (&grid, &tile, blockIdx.x, threadIdx.x);
}

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) draw_kernel (const FsLadderGrid grid)
{
  fs_ladder_draw (&grid, NULL, blockIdx.x, threadIdx.x);
}

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) look_kernel (const FsLadderNodes nodes)
{
  fs_ladder_look (&nodes, fs_ladder_thread ());
}

static __global__ void
__launch_bounds__ (FS_LADDER_THREADS) find_left_kernel (const FsLadderNodes nodes)
{
  fs_ladder_find_left (&nodes, fs_ladder_thread ());
}

FS_LADDER_LAUNCHER (build, FsLadderGrid)
FS_LADDER_LAUNCHER (start_heights, FsLadderGrid)
FS_LADDER_LAUNCHER (lower, FsLadderGrid)
FS_LADDER_LAUNCHER (draw, FsLadderGrid)
FS_LADDER_LAUNCHER (look, FsLadderNodes)
FS_LADDER_LAUNCHER (find_left, FsLadderNodes)
