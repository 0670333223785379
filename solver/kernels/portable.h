/* SPDX-License-Identifier: MIT */
/* One source for the device and for plain C.   Layer: solver/kernels.
 *
 * A kernel is a sequence of phases with barriers between them. A phase is an inline function of the
 * state and of a thread's number, marked by FS_PHASE. nvcc compiles it into the kernel, which runs
 * it on all threads in parallel; a C compiler compiles it into the kernel's twin, which runs it for
 * one thread after another, in any order. The result of a phase must not depend on the order.
 *
 * This header has what both sides need: bits, minima, atomics and unrolling.
 */
#ifndef FS_SOLVER_KERNELS_PORTABLE_H
#define FS_SOLVER_KERNELS_PORTABLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define FS_PHASE  static __device__ __forceinline__
#define FS_BOTH   static __host__ __device__ __forceinline__
#define FS_UNROLL _Pragma ("unroll")
#else
#define FS_PHASE static inline __attribute__ ((always_inline, unused))
#define FS_BOTH  static inline __attribute__ ((always_inline, unused))
#define FS_UNROLL
#endif

#define FS_WARP 32 /* threads that run in step */

FS_BOTH int32_t
fs_min_i32 (int32_t a, int32_t b)
{
  return a < b ? a : b;
}

FS_BOTH int32_t
fs_max_i32 (int32_t a, int32_t b)
{
  return a > b ? a : b;
}

/* The highest bit of a word that is not 0. */
FS_BOTH int
fs_highest_bit (uint32_t bits)
{
#ifdef __CUDA_ARCH__
  return 31 - __clz ((int)bits);
#else
  return 31 - __builtin_clz (bits);
#endif
}

/* Number of the lowest bit that is set; `bits` is not 0. */
FS_BOTH int
fs_lowest_bit (uint32_t bits)
{
#ifdef __CUDA_ARCH__
  return __ffs ((int)bits) - 1;
#else
  return __builtin_ctz (bits);
#endif
}

FS_BOTH uint32_t
fs_reverse_bits (uint32_t bits)
{
#ifdef __CUDA_ARCH__
  return __brev (bits);
#else
  bits = (bits >> 1 & 0x55555555u) | (bits & 0x55555555u) << 1;
  bits = (bits >> 2 & 0x33333333u) | (bits & 0x33333333u) << 2;
  bits = (bits >> 4 & 0x0f0f0f0fu) | (bits & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32 (bits);
#endif
}

/* Loads a word that other blocks may be writing. */
FS_PHASE int32_t
fs_load_shared (const int32_t *word)
{
#ifdef __CUDA_ARCH__
  return __ldcg (word);
#else
  return *word;
#endif
}

/* Atomically replaces a word or adds to it; returns the old value. */
FS_PHASE int32_t
fs_exchange (int32_t *word, int32_t value)
{
#ifdef __CUDA_ARCH__
  return atomicExch (word, value);
#else
  int32_t old = *word;
  *word = value;
  return old;
#endif
}

FS_PHASE int32_t
fs_add (int32_t *word, int32_t added)
{
#ifdef __CUDA_ARCH__
  return atomicAdd (word, added);
#else
  int32_t old = *word;
  *word = old + added;
  return old;
#endif
}

/* Atomically sets or clears bits of a word; returns the old word. */
FS_PHASE uint32_t
fs_set_bits (uint32_t *word, uint32_t bits)
{
#ifdef __CUDA_ARCH__
  return atomicOr (word, bits);
#else
  uint32_t old = *word;
  *word = old | bits;
  return old;
#endif
}

FS_PHASE uint32_t
fs_clear_bits (uint32_t *word, uint32_t bits)
{
#ifdef __CUDA_ARCH__
  return atomicAnd (word, ~bits);
#else
  uint32_t old = *word;
  *word = old & ~bits;
  return old;
#endif
}

#endif
