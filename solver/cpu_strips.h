/* SPDX-License-Identifier: MIT */
/* Parts first, then the whole: strips for several threads.   Layer: solver (CPU backend).
 *
 * After Liu & Sun, "Parallel graph-cuts by adaptive bottom-up merging" (CVPR 2010). The photo is
 * cut into strips of tile rows with walls between them (cpu_plant.h), and every strip is solved on
 * its own, block by block first (cpu_blocks.h); then a second layer of strips, whose seams lie in
 * the middle of the first ones, each as soon as the two strips below it are done. What comes out is
 * a flow of the whole problem, so the whole is then solved from it by one thread. Unlike the paper
 * there is one merge and no pairwise ones: trees are made anew from the excess, which costs less
 * than mending them along every seam. Nor is a strip solved to its end: what would take long paths
 * is left to the whole, or, where strips of the second layer end so after many orphans, to a third
 * layer of a few large strips first. One thread does blocks alone, and goes on with their trees.
 *
 * Between two strips lie two rows of tiles that belong to neither: no thread writes what another
 * one reads (two, because the neighbours of a row's first and last pixels are read a row further).
 * The mask is canonical, so the number of strips cannot show in it.
 */
#ifndef FS_SOLVER_CPU_STRIPS_H
#define FS_SOLVER_CPU_STRIPS_H

#include "solver/cpu_search.h"

G_BEGIN_DECLS

/* Advances the flow of `whole`, which has no trees and is to be planted, as far as parts allow; not
 * at all where the photo is too small for them. Adds to whole->flow and counts its polls on. Blocks
 * of one thread leave it with trees.
 * Outcomes: as of a run; when it is not done the flow stays. */
FsSearchOutcome fs_cpu_strips_run (FsCpuSearch *whole, FsCpuRun run, int n_threads,
                                   const FsProgress *progress);

G_END_DECLS

#endif
