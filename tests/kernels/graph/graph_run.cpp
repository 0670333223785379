/* SPDX-License-Identifier: MIT */
#include "solver/kernels/graph/graph_cuda.cu"

#include "tests/kernels/fibres/fibre_control.h"

static std::function<void ()>
library_bind (const void *kernel, void **arguments)
{
  auto call = (void (*) (FsGraphState))kernel;
  FsGraphState state = *(const FsGraphState *)arguments[0];
  return [=] { call (state); };
}

void
fibre_set_schedule (uint32_t number, int n_blocks)
{
  device_schedule (number);
  library.n_blocks = n_blocks;
}

void
fibre_fail_after (int n_more, int for_ever, FibreError error)
{
  library.n_more = n_more;
  library.for_ever = for_ever;
  library.error = (cudaError_t)error;
}

int
fibre_n_calls ()
{
  return library.n_calls;
}

int
fibre_n_allocated ()
{
  return (int)(library.device.size () + library.host.size ()) + library.n_others;
}
