/* SPDX-License-Identifier: MIT */
/* The search for 8 neighbours in plain C. */
#define FS_ND 8

#include "solver/cpu_view.h"
#include "solver/cpu_augment.h"
#include "solver/cpu_adopt.h"
#include "solver/cpu_spread.h"
#include "solver/cpu_turn.h"
#include "solver/cpu_waves.h"
#include "solver/cpu_scan.h"

FsSearchOutcome
fs_cpu_run_8 (FsCpuSearch *search, const FsProgress *progress)
{
  return run (search, progress);
}
