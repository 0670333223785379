/* SPDX-License-Identifier: MIT */
/* The search for a band in plain C. */
#define FS_ND 8
#define FS_BAND

#include "solver/cpu_view.h"
#include "solver/cpu_augment.h"
#include "solver/cpu_adopt.h"
#include "solver/cpu_scan.h"

FsSearchOutcome
fs_cpu_run_band (FsCpuSearch *search, const FsProgress *progress)
{
  return run (search, progress);
}
