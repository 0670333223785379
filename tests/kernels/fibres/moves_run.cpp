/* SPDX-License-Identifier: MIT */
#include "solver/kernels/moves/moves_cuda.cu"

#include "tests/kernels/fibres/fibre_control_run.h"

static std::function<void ()>
library_bind (const void *kernel, void **arguments)
{
  auto call = (void (*) (FsSolveArgs))kernel;
  FsSolveArgs args = *(const FsSolveArgs *)arguments[0];
  return [=] { call (args); };
}

/* On the host, where all of it lies. */
extern "C" const int32_t *
fibre_moves_duals (const FsMoves *moves)
{
  return moves->state.duals;
}
