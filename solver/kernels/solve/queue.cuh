/* SPDX-License-Identifier: MIT */
/* Shared state of the blocks of a solve: counts, queues of tiles, barriers.   Layer:
 * solver/kernels.
 */
#ifndef FS_KERNELS_QUEUE_CUH
#define FS_KERNELS_QUEUE_CUH

#include <cooperative_groups.h>

#include "solver/kernels/engine.h"
#include "solver/kernels/solve/problem.h"

namespace cg = cooperative_groups;

#define FS_BLOCK       FS_STRIP_THREADS
#define FS_BLOCK_WARPS (FS_BLOCK / FS_WARP)
#define FS_ALL_LANES   0xffffffffu
#define FS_N_QUEUES    3
#define FS_LINE_BYTES  128

/* Indices of the circular queue of tiles that wait for a visit. A consumer takes a ticket from
 * `head` and waits for the tile of that number; a producer puts a tile at `tail`. A tile is in the
 * queue at most once. Each word has a cache line of its own, since all waiting consumers poll
 * `pending`. */
struct FsQueue {
  alignas (FS_LINE_BYTES) uint32_t head;
  alignas (FS_LINE_BYTES) uint32_t tail;
  alignas (FS_LINE_BYTES) int pending; /* tiles that wait or are being visited */
};

/* The blocks' shared state beside the grid's. Steps use the queues in rotation, so that one can be
 * cleared while the others are in use. */
struct FsRounds {
  unsigned long long epochs, labellings;
  unsigned long long discharges, phases, pushes, busy_ns; /* sums over all blocks */
  unsigned long long ns[3];                               /* of raising, lowering, discharging */
  int cut;                    /* the last epoch in which labels ended at the distance cap, from 1 */
  int outcome;                /* FS_ENGINE_DONE, CANCELLED or FAILED */
  FsQueue queue[FS_N_QUEUES]; /* last: the host is told what comes before */
};

#define FS_ROUNDS_BYTES offsetof (FsRounds, queue)

struct FsTuning {
  int phases;            /* of a visit                     */
  int pushes;            /* over a tile in a phase         */
  int visits;            /* of a tile between two labels   */
  int rise;              /* of a tile's labels in between  */
  int epochs;            /* after which something is wrong */
  int distance_cap = 0;  /* of the first epoch; 0: none                                    */
  int growth = 0;        /* factor of the cap from epoch to epoch                          */
  int tail = 0;          /* an epoch ends when so few tiles are active                     */
  int tail_ns = 0;       /* and it has lasted so long; they go on when labels are exact    */
  bool exchange = false; /* tiles exchange flow in the midst of visits; with 4 neighbours alone */
  bool is_new = false;   /* nothing has labels yet, nor border flow: none are raised at first */
};

struct FsSolveArgs {
  FsGridState grid;
  FsRounds *rounds;
  uint32_t *fifo; /* [wrap_mask + 1]: tile + 1, or 0 */
  uint32_t wrap_mask;
  uint32_t *visits; /* [n_tiles]: discharges in this epoch */
  const volatile int *cancel;
  const int *wanted; /* 0 there: there is nothing to solve; NULL: there may be */
  FsTuning tuning;
};

/* --- Warps --- */

/* Lets the others work for a moment. */
static __device__ void
fs_rest ()
{
  __nanosleep (20);
}

static __device__ unsigned long long
fs_nanoseconds ()
{
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

static __device__ int32_t
fs_warp_min (int32_t value)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync (FS_ALL_LANES, value);
#else
  for (int step = FS_WARP / 2; step > 0; step /= 2)
    value = fs_min_i32 (value, __shfl_xor_sync (FS_ALL_LANES, value, step));
  return value;
#endif
}

static __device__ uint32_t
fs_warp_or (uint32_t value)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync (FS_ALL_LANES, value);
#else
  for (int step = FS_WARP / 2; step > 0; step /= 2)
    value |= __shfl_xor_sync (FS_ALL_LANES, value, step);
  return value;
#endif
}

/* --- The queue --- */

/* The step of an epoch that all blocks are in. */
struct FsEpochStep {
  uint32_t number;
  int32_t distance_cap; /* of this epoch */
  int epoch;            /* from 1 */
};

static __device__ FsQueue *
fs_step_queue (const FsEpochStep *step, const FsSolveArgs &args)
{
  return &args.rounds->queue[step->number % FS_N_QUEUES];
}

/* A barrier of the whole grid. */
static __device__ void
fs_step_end (FsEpochStep *step, const FsSolveArgs &args)
{
  cg::this_grid ().sync ();
  step->number++;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    args.rounds->queue[(step->number + 2) % FS_N_QUEUES] = { 0, 0, 0 };
}

/* Puts a tile at the queue's end; its place is free as soon as a slow taker has left it. */
static __device__ void
fs_queue_put (const FsSolveArgs &args, FsQueue *queue, int tile)
{
  uint32_t place = atomicAdd (&queue->tail, 1u) & args.wrap_mask;
  while (atomicCAS (&args.fifo[place], 0u, (uint32_t)tile + 1) != 0)
    ;
}

/* Says that a tile is to be visited once more. Returns whether it has to be put on the queue for
 * that: it does not wait already, and nobody is visiting it. */
static __device__ bool
fs_queue_mark (const FsSolveArgs &args, int tile, uint32_t flags)
{
  uint32_t old = fs_set_bits (&args.grid.flags[tile], FS_TILE_QUEUED | flags);
  return (old & (FS_TILE_QUEUED | FS_TILE_BUSY)) == 0;
}

/* Wakes a tile. */
static __device__ void
fs_queue_wake (const FsSolveArgs &args, FsQueue *queue, int tile, uint32_t flags)
{
  if (!fs_queue_mark (args, tile, flags))
    return;
  atomicAdd (&queue->pending, 1);
  fs_queue_put (args, queue, tile);
}

/* Takes the tile at a place of the queue; no other warp or block gets it before fs_queue_done().
 * After a fence, everything is visible that was written before the tile was woken. */
static __device__ int
fs_queue_hold (const FsSolveArgs &args, uint32_t place, int tile)
{
  atomicExch (&args.fifo[place], 0u);
  /* It is queued and not busy: at once it becomes the contrary. */
  atomicAdd (&args.grid.flags[tile], FS_TILE_BUSY - FS_TILE_QUEUED);
  return tile;
}

/* The next tile, −1 once none waits and none is being visited; for one thread of those that work on
 * it. It looks at both at once, for each look takes its time. */
static __device__ int
fs_queue_take (const FsSolveArgs &args, FsQueue *queue)
{
  uint32_t place = atomicAdd (&queue->head, 1u) & args.wrap_mask;
  for (;; fs_rest ()) {
    uint32_t tile = __ldcg (&args.fifo[place]);
    int pending = *(const volatile int *)&queue->pending;
    if (tile != 0)
      return fs_queue_hold (args, place, (int)tile - 1);
    if (pending == 0)
      return -1;
  }
}

/* The same for many warps of a block, of which the first looks whether anything is left, and tells
 * the others in `over`: thousands that did would hold up those who have tiles to put on the queue.
 */
static __device__ int
fs_queue_take_for_block (const FsEpochStep *step, const FsSolveArgs &args, FsQueue *queue,
                         uint32_t *over)
{
  if (threadIdx.x < FS_WARP) {
    int tile = fs_queue_take (args, queue);
    if (tile < 0)
      atomicExch (over, step->number + 1);
    return tile;
  }
  uint32_t place = atomicAdd (&queue->head, 1u) & args.wrap_mask;
  for (;; fs_rest ()) {
    uint32_t tile = __ldcg (&args.fifo[place]);
    if (tile != 0)
      return fs_queue_hold (args, place, (int)tile - 1);
    if (atomicOr (over, 0u) == step->number + 1)
      return -1;
  }
}

/* Lets go of a tile, and puts it back where somebody woke it in the meantime; takes flags from it.
 */
static __device__ void
fs_queue_done (const FsSolveArgs &args, FsQueue *queue, int tile, uint32_t cleared)
{
  if (fs_clear_bits (&args.grid.flags[tile], FS_TILE_BUSY | cleared) & FS_TILE_QUEUED)
    fs_queue_put (args, queue, tile);
  else
    atomicSub (&queue->pending, 1);
}

/* Queues the tiles that have any flag of `wanted` for the next step, and clears `cleared` in all
 * tiles. Returns whether any were queued. */
static __device__ bool
fs_queue_gather (FsEpochStep *step, const FsSolveArgs &args, uint32_t wanted, uint32_t cleared)
{
  FsQueue *queue = &args.rounds->queue[(step->number + 1) % FS_N_QUEUES];
  for (int tile = blockIdx.x * FS_BLOCK + threadIdx.x; tile < args.grid.n_tiles;
       tile += gridDim.x * FS_BLOCK) {
    uint32_t old = __ldcg (&args.grid.flags[tile]);
    if (old & cleared)
      args.grid.flags[tile] = old & ~cleared;
    args.visits[tile] = 0;
    if (old & wanted)
      fs_queue_wake (args, queue, tile, 0);
  }
  fs_step_end (step, args);
  return *(volatile uint32_t *)&queue->tail != 0;
}

#endif
