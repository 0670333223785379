/* SPDX-License-Identifier: MIT */
/* A new star for a whole photo.   Layer: solver (CPU backend).
 *
 * New strokes and models change the parents of many pixels. Where the trees are to be made anew all
 * the same, only the flow has to be kept: row by row, with threads, looking nothing up in trees. A
 * tile that is not built stays so, for nothing flows through it and the grid has its capacities.
 */
#ifndef FS_SOLVER_CPU_STAR_H
#define FS_SOLVER_CPU_STAR_H

#include "solver/cpu/state/layout.h"

G_BEGIN_DECLS

/* Fits the flow in tile rows [first, last) to the star of `is`; `was` has the one that it fits now.
 * All else about the two grids, which have planes, is the same. No search may have trees. Returns
 * what Σ max(e, 0) has gained. Writes to the tile rows beside these too: rows that are done at once
 * must lie two tile rows apart. */
int64_t fs_cpu_star_replace (FsCpuLayout *layout, const FsGrid *was, const FsGrid *is, int first,
                             int last);

G_END_DECLS

#endif
