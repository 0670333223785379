/* SPDX-License-Identifier: MIT */
/* State of the CUDA engine, for its sources.
 * Layer: solver/kernels. */
#ifndef FS_KERNELS_ENGINE_STATE_CUH
#define FS_KERNELS_ENGINE_STATE_CUH

#include "solver/kernels/cuda/state_arena.cuh"

#include "solver/kernels/links/build.cuh"

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
  bool has_cut;       /* … which has ended once, for much the same t-links */
  bool has_flow;      /* some solve has ended */
  bool has_new_model; /* all t-links are others than when the last preview was made */
  bool has_begun;     /* some solve has begun */
  int n_blocks;       /* … of which so many fit on the device at once */
  int n_looks;        /* blocks of mask and sums, which together look after all tiles */
  void *block;        /* all planes                                */
  size_t block_bytes;
  void *staged_here, *staged_there; /* changes on their way up */
  void *terms_here, *terms_there;   /* … and terms             */
  size_t terms_bytes;
  int32_t strength; /* of pixels that are fixed, as in the terms sent last */
  size_t bytes_up;  /* since the last solve */
  FsMirror *mirror;
  FsOutcome *outcome;  /* there */
  FsMaskMirror mask;   /* here, written from there */
  uint32_t *changed;   /* tiles whose mask has changed since they were asked for, … */
  uint8_t *is_changed; /* … each of which is listed once                            */
  size_t n_changed;
  FsPreviewWork *preview; /* NULL before the first one */
};

#endif
