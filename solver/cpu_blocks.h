/* SPDX-License-Identifier: MIT */
/* One thread, block by block.   Layer: solver (CPU backend).
 *
 * A search of a whole photo goes back and forth over more memory than a processor keeps near it.
 * So blocks of 32×32 tiles are searched first, one after another, each as a part
 * (FS_SEARCH_PART_STEPS): most paths are found there. What is left is for the whole, which begins
 * with trees of its own.
 *
 * Around a block stand walls: words of no tree, in the tiles that touch it. They stay until the
 * next trees are planted there.
 */
#ifndef FS_SOLVER_CPU_BLOCKS_H
#define FS_SOLVER_CPU_BLOCKS_H

#include "solver/cpu_search.h"

G_BEGIN_DECLS

/* Searches the blocks of a problem that has no trees and is to be planted; small ones have none.
 * The flow is added to `whole`. Outcomes: as of a run; when it is not done the flow stays. */
FsSearchOutcome fs_cpu_blocks_run (FsCpuSearch *whole, FsCpuRun run, const FsProgress *progress);

G_END_DECLS

#endif
