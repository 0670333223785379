/* SPDX-License-Identifier: MIT */
/* The search for a band in plain C. */
#define FS_ND 8
#define FS_BAND

#include "solver/cpu/search/neighbours.h"
#include "solver/cpu/search/augment.h"
#include "solver/cpu/search/adopt.h"
#include "solver/cpu/search/grow.h"

FsSearchOutcome
fs_cpu_run_band (FsCpuSearch *search, const FsProgress *progress)
{
  return run (search, progress);
}
