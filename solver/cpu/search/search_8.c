/* SPDX-License-Identifier: MIT */
/* The search for 8 neighbours in plain C. */
#define FS_ND 8

#include "solver/cpu/search/neighbours.h"
#include "solver/cpu/search/augment.h"
#include "solver/cpu/search/adopt.h"
#include "solver/cpu/search/global_relabel_steps.h"
#include "solver/cpu/search/tile_discharge.h"
#include "solver/cpu/search/push_relabel.h"
#include "solver/cpu/search/grow.h"

FsSearchOutcome
fs_cpu_run_8 (FsCpuSearch *search, const FsProgress *progress)
{
  return run (search, progress);
}
