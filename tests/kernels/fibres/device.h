/* SPDX-License-Identifier: MIT */
/* What a kernel's source needs to run on the host: CUDA's words for what blocks.h does.
 *
 * Memory has one order here: what a missing fence does is not seen.
 */
#ifndef FS_TESTS_DEVICE_H
#define FS_TESTS_DEVICE_H

#include "tests/kernels/fibres/blocks.h"
#ifdef __SANITIZE_THREAD__
#include "tests/kernels/fibres/touch.h"
#endif

#define __CUDACC__ 1
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 800
#endif
#define __global__ static
#define __device__
#define __host__
#define __shared__ static thread_local
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__ ((always_inline))

#define threadIdx (thread->index)
#define blockIdx  (runner->block)
#define blockDim  (dim3 ((unsigned)runner->grid->n_threads))
#define gridDim   (dim3 ((unsigned)runner->grid->n_blocks))

/* The one line of PTX there is, which reads the clock into `now`. */
static inline unsigned long long
device_clock ()
{
  static unsigned long long ticks;
  return ++ticks;
}
#define asm
#define volatile(...) now = device_clock ()

static Meeting *
device_warp (uint32_t mask)
{
  if (mask != 0xffffffffu)
    device_die ("part of a warp meets");
  return &runner->warps[thread->index.x / DEVICE_WARP];
}

static inline void
__syncthreads ()
{
  device_meet (&runner->all, SYNC_BLOCK, [] (unsigned) {});
}

static inline int
__syncthreads_or (int value)
{
  Meeting *block = &runner->all;
  return block->bits[device_meet (block, OR_OF_BLOCK, [=] (unsigned i) {
    block->bits[i] |= value != 0;
  })] != 0;
}

static inline void
__syncwarp ()
{
  device_meet (device_warp (0xffffffffu), SYNC_WARP, [] (unsigned) {});
}

static inline uint32_t
__ballot_sync (uint32_t mask, int64_t value)
{
  Meeting *warp = device_warp (mask);
  uint32_t bit = (uint32_t)(value != 0) << thread->index.x % DEVICE_WARP;
  return warp->bits[device_meet (warp, BITS, [=] (unsigned i) { warp->bits[i] |= bit; })];
}

static inline bool
__any_sync (uint32_t mask, int64_t value)
{
  return __ballot_sync (mask, value) != 0;
}

static inline uint32_t
__reduce_or_sync (uint32_t mask, uint32_t value)
{
  Meeting *warp = device_warp (mask);
  return warp->bits[device_meet (warp, UNION, [=] (unsigned i) { warp->bits[i] |= value; })];
}

static inline int32_t
__reduce_min_sync (uint32_t mask, int32_t value)
{
  Meeting *warp = device_warp (mask);
  return warp->least[device_meet (warp, LEAST, [=] (unsigned i) {
    if (value < warp->least[i])
      warp->least[i] = value;
  })];
}

/* A lane that names one outside the warp gets its own value back. */
template <typename T>
static inline T
device_shuffle (uint32_t mask, T value, int from)
{
  Meeting *warp = device_warp (mask);
  unsigned lane = thread->index.x % DEVICE_WARP;
  unsigned place = device_meet (warp, SHUFFLE, [=] (unsigned i) {
    memcpy (&warp->given[i][lane], &value, sizeof value);
  });
  if (from >= 0 && from < DEVICE_WARP)
    memcpy (&value, &warp->given[place][from], sizeof value);
  return value;
}

template <typename T>
static inline T
__shfl_sync (uint32_t mask, T value, int lane)
{
  return device_shuffle (mask, value, lane & (DEVICE_WARP - 1));
}

template <typename T>
static inline T
__shfl_up_sync (uint32_t mask, T value, int step)
{
  return device_shuffle (mask, value, (int)(thread->index.x % DEVICE_WARP) - step);
}

template <typename T>
static inline T
__shfl_down_sync (uint32_t mask, T value, int step)
{
  return device_shuffle (mask, value, (int)(thread->index.x % DEVICE_WARP) + step);
}

template <typename T>
static inline T
__shfl_xor_sync (uint32_t mask, T value, int bits)
{
  return device_shuffle (mask, value, (int)(thread->index.x % DEVICE_WARP) ^ bits);
}

/* Puts what `change` makes of a word into its place; returns the old one. */
template <typename T, typename Change>
static inline T
device_atomic (T *word, Change change)
{
  device_pause ();
  Quiet quiet;
  T old = *word;
  *word = change (old);
  return old;
}

template <typename T, typename V>
static inline T
atomicAdd (T *word, V value)
{
  return device_atomic (word, [=] (T old) { return old + (T)value; });
}

template <typename T, typename V>
static inline T
atomicSub (T *word, V value)
{
  return device_atomic (word, [=] (T old) { return old - (T)value; });
}

template <typename T, typename V>
static inline T
atomicOr (T *word, V value)
{
  return device_atomic (word, [=] (T old) { return old | (T)value; });
}

template <typename T, typename V>
static inline T
atomicAnd (T *word, V value)
{
  return device_atomic (word, [=] (T old) { return old & (T)value; });
}

template <typename T, typename V>
static inline T
atomicMax (T *word, V value)
{
  return device_atomic (word, [=] (T old) { return old < (T)value ? (T)value : old; });
}

template <typename T, typename V>
static inline T
atomicExch (T *word, V value)
{
  return device_atomic (word, [=] (T) { return (T)value; });
}

template <typename T, typename V>
static inline T
atomicCAS (T *word, V expected, V value)
{
  return device_atomic (word, [=] (T old) { return old == (T)expected ? (T)value : old; });
}

template <typename T>
static inline T
__ldcg (const T *word)
{
  device_pause ();
  return *(const T *)word;
}

static inline void
__threadfence ()
{
  device_pause ();
}

static inline void
__nanosleep (unsigned)
{
  device_rest ();
}

static inline int
__clz (int value)
{
  return value == 0 ? 32 : __builtin_clz ((unsigned)value);
}

static inline int
__ffs (int value)
{
  return __builtin_ffs (value);
}

/* The upper half of both words, the higher one first, after a shift to the left. */
static inline unsigned
__funnelshift_l (unsigned low, unsigned high, unsigned bits)
{
  return (unsigned)((((uint64_t)high << 32 | low) << (bits & 31u)) >> 32);
}

static inline unsigned
__brev (unsigned value)
{
  unsigned reversed = 0;
  for (int bit = 0; bit < 32; bit++)
    reversed |= (value >> bit & 1u) << (31 - bit);
  return reversed;
}

static inline int
__popc (unsigned value)
{
  return __builtin_popcount (value);
}

namespace cooperative_groups {
struct grid_group {
  void
  sync () const
  {
    device_meet (&runner->grid->all, SYNC_GRID, [] (unsigned) {});
  }
};

static inline grid_group
this_grid ()
{
  if (!runner->grid->is_cooperative)
    device_die ("a barrier of a grid that was not launched for it");
  return grid_group ();
}
}

#endif
