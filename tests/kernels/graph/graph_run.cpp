/* SPDX-License-Identifier: MIT */
#include "solver/kernels/graph/graph_cuda.cu"
#include "tests/ladder/graph/graph_sweeps.cu"

#include "tests/kernels/fibres/fibre_control_run.h"

static std::function<void ()>
library_bind (const void *kernel, void **arguments)
{
  auto call = (void (*) (FsGraphState))kernel;
  FsGraphState state = *(const FsGraphState *)arguments[0];
  return [=] { call (state); };
}
