/* SPDX-License-Identifier: MIT */
/* What the sources of the CUDA engine share: what it consists of, and how its calls fail.
 * Layer: solver/kernels. */
#ifndef FS_KERNELS_ENGINE_PARTS_CUH
#define FS_KERNELS_ENGINE_PARTS_CUH

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/kernels/build.cuh"

/* What the device writes into the host's memory. */
struct FsMirror {
  FsOutcome outcome;
  FsRounds rounds;
  volatile int cancel;
};

struct FsPreviewWork;

struct FsEngine {
  FsGridState grid;
  FsProblem problem;
  FsSolveArgs solve;
  cudaStream_t stream;
  cudaEvent_t before, after;
  const FsEnginePhoto *photo; /* NULL: links came as planes */
  cudaEvent_t build_before, build_after;
  const void *kernel; /* the solve                                 */
  int n_blocks;       /* … of which so many fit on the device at once */
  void *block;        /* all planes                                */
  size_t block_bytes;
  void *staged_here, *staged_there; /* changes on their way up */
  void *terms_here, *terms_there;   /* … and terms             */
  size_t terms_bytes;
  size_t bytes_up; /* since the last solve */
  FsMirror *mirror;
  FsOutcome *outcome;  /* there */
  FsMaskMirror mask;   /* here, written from there */
  uint32_t *changed;   /* tiles whose mask has changed since they were asked for, … */
  uint8_t *is_changed; /* … each of which is listed once                            */
  size_t n_changed;
  FsPreviewWork *preview; /* NULL before the first one */
};

static int
fs_fail (FsEngineError *error, const char *call, cudaError_t code)
{
  snprintf (error->text, sizeof error->text, "%s: %s", call, cudaGetErrorString (code));
  return code == cudaErrorMemoryAllocation ? FS_ENGINE_NO_MEMORY : FS_ENGINE_FAILED;
}

#define FS_TRY(call)                                                                               \
  do {                                                                                             \
    cudaError_t tried = (call);                                                                    \
    if (tried != cudaSuccess)                                                                      \
      return fs_fail (error, #call, tried);                                                        \
  } while (0)

/* Gives out the parts of a block one after another; a first pass with base NULL only counts. */
struct FsParts {
  char *base;
  size_t used;
};

template <typename T>
static void
fs_part (FsParts *parts, T **part, size_t n)
{
  *part = parts->base != NULL ? (T *)(parts->base + parts->used) : NULL;
  parts->used += (n * sizeof (T) + 255) / 256 * 256;
}

#endif
