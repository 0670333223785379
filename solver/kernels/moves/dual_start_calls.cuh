/* SPDX-License-Identifier: MIT */
/* Queues the kernels of dual_start.cuh.   Layer: solver/kernels. */
#ifndef FS_KERNELS_CHAINS_CALLS_CUH
#define FS_KERNELS_CHAINS_CALLS_CUH

#include "solver/kernels/cuda/calls.cuh"
#include "solver/kernels/moves/dual_start.cuh"

static inline void
fs_chains_divide (FsChains *chains, FsParts *parts)
{
  size_t n = (size_t)chains->width * chains->height;
  fs_part (parts, &chains->rest, n * chains->n_labels);
  for (int d = 0; d < 2; d++)
    fs_part (parts, &chains->dual[d], n * chains->n_labels);
  for (int d = 0; d < 2; d++)
    fs_part (parts, &chains->along[d], n);
}

/* Planes for a start alone. */
static inline int
fs_chains_make_planes (FsChains *chains, void **block, cudaStream_t stream, FsEngineError *error)
{
  FsParts parts = { NULL, 0 };
  fs_chains_divide (chains, &parts);
  FS_TRY (cudaMallocAsync (block, parts.used, stream));
  parts = { (char *)*block, 0 };
  fs_chains_divide (chains, &parts);
  return FS_ENGINE_DONE;
}

static inline int
fs_chains_drop_planes (void **block, cudaStream_t stream, FsEngineError *error)
{
  void *dropped = *block;
  *block = NULL;
  FS_TRY (cudaFreeAsync (dropped, stream));
  return FS_ENGINE_DONE;
}

static inline FsChainCosts
fs_chain_costs (const FsMovesDistances &from, int n_labels)
{
  int64_t each = n_labels > 1 ? from.cost[1] : 0;
  FsChainCosts costs = { from, from.reach > FS_CHAIN_DIRECT };
  for (int i = 1; i <= from.reach; i++)
    costs.is_linear &= from.cost[i] == i * each;
  costs.is_linear &= from.max <= (from.reach + 1) * each;
  return costs;
}

/* What there is of one start. */
struct FsChainsPlan {
  FsChains chains;
  FsChainCosts metric, real;
  int n_rounds, n_mends, kept_shift;
};

static inline unsigned
fs_chains_n_lines (const FsChains &chains, int direction)
{
  return (unsigned)(direction == 0 ? chains.height : chains.width);
}

template <int K>
static int
fs_chains_queue_sweeps (const FsChainsPlan &plan, cudaStream_t stream, FsEngineError *error)
{
  const FsChains &chains = plan.chains;
  for (int i = 0; i < 2 * plan.n_rounds; i++) {
    unsigned n_lines = fs_chains_n_lines (chains, i & 1);
    if (i + 1 < 2 * plan.n_rounds)
      FS_LAUNCH (fs_chains_sweep_kernel<K>, n_lines, FS_WARP, stream)
    (chains, plan.metric, i & 1, plan.kept_shift, i < 2);
    else FS_LAUNCH (fs_chains_pick_kernel<K>, n_lines, FS_WARP,
                    stream) (chains, plan.metric, plan.real, i & 1, plan.kept_shift, i < 2);
    FS_TRY (cudaGetLastError ());
  }
  return FS_ENGINE_DONE;
}

template <int K>
static int
fs_chains_queue_mends (const FsChainsPlan &plan, cudaStream_t stream, FsEngineError *error)
{
  for (int i = 0; i < 2 * plan.n_mends; i++) {
    int direction = i >> 1 & 1, first = 1 - (i & 1);
    unsigned n_lines = (fs_chains_n_lines (plan.chains, direction) + 1 - first) / 2;
    if (n_lines == 0)
      continue;
    FS_LAUNCH (fs_chains_mend_kernel<K>, n_lines, FS_WARP, stream)
    (plan.chains, plan.real, direction, first);
    FS_TRY (cudaGetLastError ());
  }
  return FS_ENGINE_DONE;
}

/* Duals are kept before their memory is used for costs again. */
template <int K>
static int
fs_chains_queue_lines (const FsChainsPlan &plan, cudaStream_t stream, FsEngineError *error)
{
  const FsChains &chains = plan.chains;
  size_t n = (size_t)chains.width * chains.height;
  unsigned n_tiles = (unsigned)((n + FS_CHAIN_TILE - 1) / FS_CHAIN_TILE);
  FS_LAUNCH (fs_chains_data_kernel, n_tiles, FS_BLOCK, stream) (chains, chains.rest);
  FS_TRY (cudaGetLastError ());
  int status = fs_chains_queue_sweeps<K> (plan, stream, error);
  if (status != FS_ENGINE_DONE)
    return status;
  for (int d = 0; d < 2 && chains.duals != NULL; d++)
    FS_LAUNCH (fs_chains_duals_kernel, n_tiles, FS_BLOCK, stream) (chains, chains.dual[d], d);
  FS_LAUNCH (fs_chains_data_kernel, n_tiles, FS_BLOCK, stream) (chains, chains.dual[0]);
  FS_TRY (cudaGetLastError ());
  return fs_chains_queue_mends<K> (plan, stream, error);
}

static inline int
fs_chains_queue_plan (const FsChainsPlan &plan, cudaStream_t stream, FsEngineError *error)
{
  const FsChains &chains = plan.chains;
  size_t n = (size_t)chains.width * chains.height;
  FS_TRY (cudaMemsetAsync (chains.bound, 0, sizeof *chains.bound, stream));
  FS_LAUNCH (fs_chains_weigh_kernel, (unsigned)((n + FS_BLOCK - 1) / FS_BLOCK), FS_BLOCK, stream)
  (chains);
  FS_TRY (cudaGetLastError ());
  if (chains.n_labels <= FS_WARP)
    return fs_chains_queue_lines<1> (plan, stream, error);
  if (chains.n_labels <= 2 * FS_WARP)
    return fs_chains_queue_lines<2> (plan, stream, error);
  if (chains.n_labels <= 4 * FS_WARP)
    return fs_chains_queue_lines<4> (plan, stream, error);
  return fs_chains_queue_lines<8> (plan, stream, error);
}

/* Labels, the bound and, where they are wanted, duals. `block` is memory that the caller frees if
 * a call fails; else it is NULL after it. */
static inline int
fs_chains_queue (FsChains chains, const FsMovesChains &from, void **block, cudaStream_t stream,
                 FsEngineError *error)
{
  int status = fs_chains_make_planes (&chains, block, stream, error);
  if (status != FS_ENGINE_DONE)
    return status;
  const FsChainsPlan plan = { chains,
                              fs_chain_costs (from.metric, chains.n_labels),
                              fs_chain_costs (from.real, chains.n_labels),
                              from.n_rounds,
                              from.n_mends,
                              from.kept_shift };
  status = fs_chains_queue_plan (plan, stream, error);
  return status == FS_ENGINE_DONE ? fs_chains_drop_planes (block, stream, error) : status;
}

#endif
