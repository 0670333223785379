/* SPDX-License-Identifier: MIT */
/* Shared code of the CUDA engines' calls: failures, arenas of device memory, and a stream with two
 * events for timing.   Layer: solver/kernels. */
#ifndef FS_KERNELS_CALLS_CUH
#define FS_KERNELS_CALLS_CUH

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/kernels/engine.h"

static inline int
fs_fail (FsEngineError *error, const char *call, cudaError_t code)
{
  snprintf (error->text, sizeof error->text, "%s: %s", call, cudaGetErrorString (code));
  return code == cudaErrorMemoryAllocation                                  ? FS_ENGINE_NO_MEMORY
         : code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver ? FS_ENGINE_NO_DEVICE
                                                                            : FS_ENGINE_FAILED;
}

#define FS_TRY(call)                                                                               \
  do {                                                                                             \
    cudaError_t tried = (call);                                                                    \
    if (tried != cudaSuccess)                                                                      \
      return fs_fail (error, #call, tried);                                                        \
  } while (0)

/* An engine of so many bytes, all 0; NULL when the host's memory ends. */
static inline void *
fs_new_engine (size_t bytes, FsEngineError *error)
{
  void *engine = calloc (1, bytes);
  if (engine == NULL)
    snprintf (error->text, sizeof error->text, "not enough memory");
  return engine;
}

/* --- Memory --- */

/* Carves one block of memory into arrays; a first pass with base NULL only counts the bytes. */
struct FsArena {
  char *base;
  size_t used;
};

template <typename T>
static void
fs_arena_take (FsArena *arena, T **array, size_t n)
{
  *array = arena->base != NULL ? (T *)(arena->base + arena->used) : NULL;
  arena->used += (n * sizeof (T) + 255) / 256 * 256;
}

/* --- Streams --- */

static inline int
fs_make_stream (cudaStream_t *stream, cudaEvent_t *before, cudaEvent_t *after, FsEngineError *error)
{
  FS_TRY (cudaStreamCreateWithFlags (stream, cudaStreamNonBlocking));
  FS_TRY (cudaEventCreate (before));
  FS_TRY (cudaEventCreate (after));
  return FS_ENGINE_DONE;
}

static inline void
fs_drop_event (cudaEvent_t event)
{
  if (event != NULL)
    cudaEventDestroy (event);
}

/* Waits for what runs on it. What has not been made is NULL. */
static inline void
fs_drop_stream (cudaStream_t stream, cudaEvent_t before, cudaEvent_t after)
{
  if (stream != NULL)
    cudaStreamSynchronize (stream);
  fs_drop_event (before);
  fs_drop_event (after);
  if (stream != NULL)
    cudaStreamDestroy (stream);
}

#endif
