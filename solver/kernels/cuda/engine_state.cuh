/* SPDX-License-Identifier: MIT */
/* State of the CUDA engine, for its sources.
 * Layer: solver/kernels. */
#ifndef FS_KERNELS_ENGINE_STATE_CUH
#define FS_KERNELS_ENGINE_STATE_CUH

#include "solver/kernels/cuda/state_arena.cuh"

#include "solver/kernels/links/build.cuh"

/* Host memory that the device writes. */
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
  const void *kernel; /* the solve                                            */
  bool has_cut;       /* a solve has ended, for nearly the same t-links       */
  bool has_flow;      /* a solve has ended                                    */
  bool has_new_model; /* all t-links have changed since the last preview      */
  bool has_begun;     /* a solve has begun                                    */
  int n_blocks;       /* of the solve, as many as fit on the device           */
  int n_looks;        /* blocks of the kernels of mask and sums               */
  void *block;        /* all planes                                           */
  size_t block_bytes;
  void *staged_here, *staged_there; /* staging of changes      */
  void *terms_here, *terms_there;   /* staging of terms        */
  size_t terms_bytes;
  int32_t strength; /* of pixels that are fixed, as in the terms sent last */
  size_t bytes_up;  /* since the last solve */
  FsMirror *mirror;
  FsOutcome *outcome;  /* on the device */
  FsMaskMirror mask;   /* host memory, written by the device */
  uint32_t *changed;   /* tiles whose mask has changed since the host asked, each once */
  uint8_t *is_changed; /* [tile]: whether it is listed in `changed`                    */
  size_t n_changed;
  FsPreviewWork *preview; /* NULL before the first one */
};

#endif
