/* SPDX-License-Identifier: MIT */
/* Queues the kernels of dual_start.cuh.   Layer: solver/kernels. */
#ifndef FS_KERNELS_DUAL_START_CALLS_CUH
#define FS_KERNELS_DUAL_START_CALLS_CUH

#include "solver/kernels/cuda/calls.cuh"
#include "solver/kernels/moves/dual_start.cuh"

static inline void
fs_dual_start_divide (FsDualStart *start, FsArena *arena)
{
  size_t n = (size_t)start->width * start->height;
  fs_arena_take (arena, &start->rest, n * start->n_labels);
  for (int d = 0; d < 2; d++)
    fs_arena_take (arena, &start->dual[d], n * start->n_labels);
  for (int d = 0; d < 2; d++)
    fs_arena_take (arena, &start->along[d], n);
}

/* Planes for a start alone. */
static inline int
fs_dual_start_make_planes (FsDualStart *start, void **block, cudaStream_t stream,
                           FsEngineError *error)
{
  FsArena arena = { NULL, 0 };
  fs_dual_start_divide (start, &arena);
  FS_TRY (cudaMallocAsync (block, arena.used, stream));
  arena = { (char *)*block, 0 };
  fs_dual_start_divide (start, &arena);
  return FS_ENGINE_DONE;
}

static inline int
fs_dual_start_drop_planes (void **block, cudaStream_t stream, FsEngineError *error)
{
  void *dropped = *block;
  *block = NULL;
  FS_TRY (cudaFreeAsync (dropped, stream));
  return FS_ENGINE_DONE;
}

static inline FsDualStartCosts
fs_scanline_costs (const FsMovesDistances &from, int n_labels)
{
  int64_t each = n_labels > 1 ? from.cost[1] : 0;
  FsDualStartCosts costs = { from, from.truncation > FS_DUAL_START_DIRECT };
  for (int i = 1; i <= from.truncation; i++)
    costs.is_linear &= from.cost[i] == i * each;
  costs.is_linear &= from.max <= (from.truncation + 1) * each;
  return costs;
}

/* The arguments of one dual start. */
struct FsDualStartPlan {
  FsDualStart start;
  FsDualStartCosts metric, real;
  int n_rounds, n_mends, retained_shift;
};

static inline unsigned
fs_dual_start_n_lines (const FsDualStart &start, int direction)
{
  return (unsigned)(direction == 0 ? start.height : start.width);
}

template <int K>
static int
fs_dual_start_queue_sweeps (const FsDualStartPlan &plan, cudaStream_t stream, FsEngineError *error)
{
  const FsDualStart &start = plan.start;
  for (int i = 0; i < 2 * plan.n_rounds; i++) {
    unsigned n_lines = fs_dual_start_n_lines (start, i & 1);
    if (i + 1 < 2 * plan.n_rounds)
      FS_LAUNCH (fs_dual_start_sweep_kernel<K>, n_lines, FS_WARP, stream)
    (start, plan.metric, i & 1, plan.retained_shift, i < 2);
    else FS_LAUNCH (fs_dual_start_pick_kernel<K>, n_lines, FS_WARP,
                    stream) (start, plan.metric, plan.real, i & 1, plan.retained_shift, i < 2);
    FS_TRY (cudaGetLastError ());
  }
  return FS_ENGINE_DONE;
}

template <int K>
static int
fs_dual_start_queue_mends (const FsDualStartPlan &plan, cudaStream_t stream, FsEngineError *error)
{
  for (int i = 0; i < 2 * plan.n_mends; i++) {
    int direction = i >> 1 & 1, first = 1 - (i & 1);
    unsigned n_lines = (fs_dual_start_n_lines (plan.start, direction) + 1 - first) / 2;
    if (n_lines == 0)
      continue;
    FS_LAUNCH (fs_dual_start_mend_kernel<K>, n_lines, FS_WARP, stream)
    (plan.start, plan.real, direction, first);
    FS_TRY (cudaGetLastError ());
  }
  return FS_ENGINE_DONE;
}

/* Duals are kept before their memory is used for costs again. */
template <int K>
static int
fs_dual_start_queue_lines (const FsDualStartPlan &plan, cudaStream_t stream, FsEngineError *error)
{
  const FsDualStart &start = plan.start;
  size_t n = (size_t)start.width * start.height;
  unsigned n_tiles = (unsigned)((n + FS_DUAL_START_TILE - 1) / FS_DUAL_START_TILE);
  FS_LAUNCH (fs_dual_start_data_kernel, n_tiles, FS_BLOCK, stream) (start, start.rest);
  FS_TRY (cudaGetLastError ());
  int status = fs_dual_start_queue_sweeps<K> (plan, stream, error);
  if (status != FS_ENGINE_DONE)
    return status;
  for (int d = 0; d < 2 && start.duals != NULL; d++)
    FS_LAUNCH (fs_dual_start_duals_kernel, n_tiles, FS_BLOCK, stream) (start, start.dual[d], d);
  FS_LAUNCH (fs_dual_start_data_kernel, n_tiles, FS_BLOCK, stream) (start, start.dual[0]);
  FS_TRY (cudaGetLastError ());
  return fs_dual_start_queue_mends<K> (plan, stream, error);
}

static inline int
fs_dual_start_queue_plan (const FsDualStartPlan &plan, cudaStream_t stream, FsEngineError *error)
{
  const FsDualStart &start = plan.start;
  size_t n = (size_t)start.width * start.height;
  FS_TRY (cudaMemsetAsync (start.bound, 0, sizeof *start.bound, stream));
  FS_LAUNCH (fs_dual_start_weigh_kernel, (unsigned)((n + FS_BLOCK - 1) / FS_BLOCK), FS_BLOCK,
             stream)
  (start);
  FS_TRY (cudaGetLastError ());
  if (start.n_labels <= FS_WARP)
    return fs_dual_start_queue_lines<1> (plan, stream, error);
  if (start.n_labels <= 2 * FS_WARP)
    return fs_dual_start_queue_lines<2> (plan, stream, error);
  if (start.n_labels <= 4 * FS_WARP)
    return fs_dual_start_queue_lines<4> (plan, stream, error);
  return fs_dual_start_queue_lines<8> (plan, stream, error);
}

/* Labels, the bound and, where they are wanted, duals. `block` is memory that the caller frees if
 * a call fails; else it is NULL after it. */
static inline int
fs_dual_start_queue (FsDualStart start, const FsMovesDualStart &from, void **block,
                     cudaStream_t stream, FsEngineError *error)
{
  int status = fs_dual_start_make_planes (&start, block, stream, error);
  if (status != FS_ENGINE_DONE)
    return status;
  const FsDualStartPlan plan = { start,
                                 fs_scanline_costs (from.metric, start.n_labels),
                                 fs_scanline_costs (from.real, start.n_labels),
                                 from.n_rounds,
                                 from.n_mends,
                                 from.retained_shift };
  status = fs_dual_start_queue_plan (plan, stream, error);
  return status == FS_ENGINE_DONE ? fs_dual_start_drop_planes (block, stream, error) : status;
}

#endif
