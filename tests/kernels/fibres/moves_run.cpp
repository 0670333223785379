/* SPDX-License-Identifier: MIT */
#include "solver/kernels/moves_cuda.cu"

#include "tests/kernels/fibres/fibre_control_run.h"

static std::function<void ()>
library_bind (const void *kernel, void **arguments)
{
  auto call = (void (*) (FsSolveArgs))kernel;
  FsSolveArgs args = *(const FsSolveArgs *)arguments[0];
  return [=] { call (args); };
}
