/* SPDX-License-Identifier: MIT */
/* The search for a band with AVX2. Compiled for it: run only where the processor has it. */
#define FS_ND 8
#define FS_BAND

#include "solver/cpu/search/neighbours_avx2.h"
#include "solver/cpu/search/augment.h"
#include "solver/cpu/search/adopt.h"
#include "solver/cpu/search/grow.h"

FsSearchOutcome
fs_cpu_run_band_avx2 (FsCpuSearch *search, const FsProgress *progress)
{
  return run (search, progress);
}
