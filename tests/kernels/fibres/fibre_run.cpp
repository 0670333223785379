/* SPDX-License-Identifier: MIT */
#include "solver/kernels/cuda/engine_cuda.cu"

#include "tests/kernels/fibres/fibre_control_run.h"

static std::function<void ()>
library_bind (const void *kernel, void **arguments)
{
  auto call = (void (*) (FsSolveArgs))kernel;
  FsSolveArgs args = *(const FsSolveArgs *)arguments[0];
  return [=] { call (args); };
}

/* What a cut begins with: of the tiles that have a place on the list, NULL for all. */
extern "C" int
fibre_preflow (FsEngine *engine, const int32_t *slots, FsEngineError *error)
{
  uint32_t n = (uint32_t)engine->grid.n_tiles;
  int status = fs_launch_preflow (engine, &engine->grid, { slots, &n, n, 0 }, error);
  FS_TRY (cudaStreamSynchronize (engine->stream));
  return status;
}
