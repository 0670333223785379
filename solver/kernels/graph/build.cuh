/* SPDX-License-Identifier: MIT */
/* Small kernels around the solve: to lay out, change and read a graph; a thread an item.
 * Layer: solver/kernels.
 */
#ifndef FS_KERNELS_GRAPH_BUILD_CUH
#define FS_KERNELS_GRAPH_BUILD_CUH

#include "solver/kernels/graph/layout.h"
#include "solver/kernels/graph/lists.cuh"

#ifndef FS_LAUNCH
/* clang-format off */
#define FS_LAUNCH(kernel, blocks, threads, stream) kernel<<<(blocks), (threads), 0, (stream)>>>
/* clang-format on */
#endif

/* --- Rows --- */

__global__ void
fs_graph_count_kernel (const FsGraphState state)
{
  for (uint32_t i = fs_graph_thread (); i < state.n_edges; i += fs_graph_n_threads ())
    fs_graph_count_arcs (&state, i);
}

__global__ void
fs_graph_sum_kernel (const FsGraphState state)
{
  fs_graph_sum_chunk (&state, fs_graph_thread ());
}

/* One block: adds up the chunks' sums, each thread those of a stretch of its own. */
__global__ void
fs_graph_scan_kernel (const FsGraphState state)
{
  const uint32_t stretch = FS_GRAPH_CHUNKS / FS_GRAPH_THREADS;
  __shared__ uint32_t total[FS_GRAPH_THREADS];
  uint32_t *sums = state.sums + threadIdx.x * stretch, sum = 0;
  for (uint32_t i = 0; i < stretch; i++)
    sum += sums[i];
  total[threadIdx.x] = sum;
  __syncthreads ();
  sum = 0;
  for (uint32_t i = 0; i < threadIdx.x; i++)
    sum += total[i];
  for (uint32_t i = 0; i < stretch; i++) {
    uint32_t n = sums[i];
    sums[i] = sum;
    sum += n;
  }
}

__global__ void
fs_graph_scatter_kernel (const FsGraphState state)
{
  fs_graph_scatter_chunk (&state, fs_graph_thread ());
}

__global__ void
fs_graph_put_kernel (const FsGraphState state)
{
  for (uint32_t i = fs_graph_thread (); i < state.n_edges; i += fs_graph_n_threads ())
    fs_graph_put_edge (&state, i);
}

/* --- Changes --- */

__global__ void
fs_graph_change_tlinks_kernel (const FsGraphState state, const FsGraphTlinkChange *changes,
                               uint32_t n)
{
  uint32_t i = fs_graph_thread ();
  if (i < n)
    fs_graph_change_tlink (&state, changes[i]);
}

__global__ void
fs_graph_change_edges_kernel (const FsGraphState state, const FsGraphEdgeChange *changes,
                              uint32_t n)
{
  uint32_t i = fs_graph_thread ();
  if (i < n)
    fs_graph_change_capacities (&state, changes[i]);
}

/* --- Results --- */

/* The mask, and the sums of its energy and of the flow's value. */
__global__ void
fs_graph_result_kernel (const FsGraphState state)
{
  int64_t energy = 0, bound = 0;
  for (uint32_t v = fs_graph_thread (); v < state.n_nodes; v += fs_graph_n_threads ())
    fs_graph_sum_node (&state, v, &energy, &bound);
  for (uint32_t i = fs_graph_thread (); i < state.n_edges; i += fs_graph_n_threads ())
    energy += fs_graph_edge_energy (&state, i);
  energy = fs_graph_team_sum<FS_WARP> (energy);
  bound = fs_graph_team_sum<FS_WARP> (bound);
  if (fs_graph_lane () == FS_WARP - 1) {
    fs_graph_add_long (&state.words->energy, energy);
    fs_graph_add_long (&state.words->bound, bound);
  }
}

__global__ void
fs_graph_read_kernel (const FsGraphState state, uint32_t *residual)
{
  for (uint32_t i = fs_graph_thread (); i < state.n_edges; i += fs_graph_n_threads ())
    residual[i] = fs_graph_edge_residual (&state, i);
}

#endif
