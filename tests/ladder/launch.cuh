/* SPDX-License-Identifier: MIT */
/* How a kernel becomes something that the machine can launch. */
#ifndef FS_LADDER_LAUNCH_CUH
#define FS_LADDER_LAUNCH_CUH

#include "tests/ladder/machine.h"

#include <cuda_runtime.h>

/* Launches name_kernel on the state that it takes by value. */
#define FS_LADDER_LAUNCHER(name, State)                                                            \
  extern "C" cudaError_t fs_ladder_launch_##name (const void *state, int n_blocks)                 \
  {                                                                                                \
    void (*kernel) (const State) = name##_kernel;                                                  \
    void *arguments[] = { const_cast<void *> (state) };                                            \
    return cudaLaunchKernel (reinterpret_cast<const void *> (kernel), n_blocks, FS_LADDER_THREADS, \
                             arguments, 0, 0);                                                     \
  }

#define FS_LADDER_DECLARE_LAUNCHER(NAME, name, State)                                              \
  extern "C" cudaError_t fs_ladder_launch_##name (const void *state, int n_blocks);
FS_LADDER_KERNELS (FS_LADDER_DECLARE_LAUNCHER)

/* A thread's number in the whole launch. */
static __device__ __forceinline__ int32_t
fs_ladder_thread ()
{
  return static_cast<int32_t> (blockIdx.x * blockDim.x + threadIdx.x);
}

#endif
