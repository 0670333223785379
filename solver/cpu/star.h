/* SPDX-License-Identifier: MIT */
/* Replacement of the whole star under an existing flow.   Layer: solver (CPU backend).
 *
 * New strokes and models change the parents of many pixels. Where the trees are to be built anew
 * anyway, only the flow has to be adapted: row by row, with threads, without reading trees. A tile
 * that is not initialised stays so: nothing flows through it, and the grid has its capacities.
 */
#ifndef FS_SOLVER_CPU_STAR_H
#define FS_SOLVER_CPU_STAR_H

#include "solver/cpu/state/layout.h"

G_BEGIN_DECLS

/* Adapts the flow in tile rows [first, last) from the star of `was` to that of `is`. The two grids
 * have planes and are otherwise equal. No search may have trees. Returns the change of
 * Σ max(e, 0). Also writes to the adjacent tile rows: rows that are done at the same time must lie
 * two tile rows apart. */
int64_t fs_cpu_star_replace (FsCpuLayout *layout, const FsGrid *was, const FsGrid *is, int first,
                             int last);

G_END_DECLS

#endif
