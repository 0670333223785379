/* SPDX-License-Identifier: MIT */
/* Lets bench_cuda run over the kernels' twin on the host: its times say nothing then, but it
 * compares all that it does on a device. */
#include "solver/cuda/cuda_backend.h"
#include "solver/kernels/cuda/engine_host.h"

__attribute__ ((constructor)) static void
use_twin (void)
{
  fs_cuda_use_table (fs_engine_host ());
}
