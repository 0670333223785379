/* SPDX-License-Identifier: MIT */
/* What fibre_control.h declares, for the source that was compiled onto fibres before this. */
#ifndef FS_TESTS_FIBRE_CONTROL_RUN_H
#define FS_TESTS_FIBRE_CONTROL_RUN_H

#include "tests/kernels/fibres/cuda_runtime.h"

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

void
fibre_set_driver (int version)
{
  library.driver = version;
}

int
fibre_is_touched ()
{
#ifdef __SANITIZE_THREAD__
  return 1;
#else
  return 0;
#endif
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

#endif
