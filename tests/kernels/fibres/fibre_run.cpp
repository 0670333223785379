/* SPDX-License-Identifier: MIT */
#include "solver/kernels/engine_cuda.cu"

#include "tests/kernels/fibres/fibre_control_run.h"

static std::function<void ()>
library_bind (const void *kernel, void **arguments)
{
  auto call = (void (*) (FsSolveArgs))kernel;
  FsSolveArgs args = *(const FsSolveArgs *)arguments[0];
  return [=] { call (args); };
}

/* What a first cut begins with. */
extern "C" int
fibre_straight (FsEngine *engine, FsEngineError *error)
{
  return fs_launch_straight (engine, error);
}
