/* SPDX-License-Identifier: MIT */
/* The search for 8 neighbours with AVX2. Compiled for it: run only where the processor has it. */
#define FS_ND 8

#include "solver/cpu_view_avx2.h"
#include "solver/cpu_augment.h"
#include "solver/cpu_adopt.h"
#include "solver/cpu_spread.h"
#include "solver/cpu_turn.h"
#include "solver/cpu_waves.h"
#include "solver/cpu_scan.h"

FsSearchOutcome
fs_cpu_run_8_avx2 (FsCpuSearch *search, const FsProgress *progress)
{
  return run (search, progress);
}
