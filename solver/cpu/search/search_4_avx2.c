/* SPDX-License-Identifier: MIT */
/* The search for 4 neighbours with AVX2. Compiled for it: run only where the processor has it. */
#define FS_ND 4

#include "solver/cpu/search/neighbours_avx2.h"
#include "solver/cpu/search/augment.h"
#include "solver/cpu/search/adopt.h"
#include "solver/cpu/search/global_relabel_steps.h"
#include "solver/cpu/search/tile_discharge.h"
#include "solver/cpu/search/push_relabel.h"
#include "solver/cpu/search/grow.h"

FsSearchOutcome
fs_cpu_run_4_avx2 (FsCpuSearch *search, const FsProgress *progress)
{
  return run (search, progress);
}
